"""What pictures show is scored by the game's rules; what they leave open makes its item unknown, and says so."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hw.cards import BRIDGE, TAROCCO
from table_service.games.photographed import Photographed, PhotoGroup
from table_service.photographs.photograph_reading import ReadPicture
from table_service.photographs.scoring import score_pictures, scored, word_in_name
from table_service.rulesets import rule_set
from vision.laid_groups import LaidGroup, SeenCard

FIBUR = rule_set("fibur2024")
FACTS: dict[str, Any] = {
    "NS": {"closed": True, "pot": "taken", "hands": {"N": []}},
    "EW": {"closed": False, "pot": "taken", "hands": {"E": ["KD"], "W": ["3C"]}},
}


def _group(shows: str, cards: str, **more: Any) -> PhotoGroup:
    return PhotoGroup(shows, tuple(cards.split()), **more)


def _score(*groups: PhotoGroup, facts: dict[str, Any] | None = None, **more: Any) -> dict[str, Any]:
    shown = frozenset({group.shows for group in groups} | {"melds-NS", "melds-EW", "hand-S"})
    return scored(FIBUR, Photographed(groups, FACTS if facts is None else facts, shown, **more))


NS = _group("melds-NS", "7H 8H 9H TH JH QH KH")
EW = _group("melds-EW", "4C 4D 4S")
HAND = _group("hand-S", "5H 6C")


def test_a_deal_that_was_read_whole_has_every_item() -> None:
    answer = _score(NS, EW, HAND)
    assert answer["lines"]["NS"]["items"] == {
        "burraco": 200, "closing": 100, "melds": 65, "pot": 0, "hand": -10, "penalised": 0, "bonus": 0,
    }  # fmt: skip
    assert answer["lines"]["EW"]["total"] == 15 - 15
    assert answer["doubtful"] == []
    assert answer["notes"] == []


@pytest.mark.parametrize(("wrong", "word"), [
    (_group("melds-EW", "4C 4D ??"), "not read"),
    (_group("melds-EW", "4C 4D 5S"), "is no meld"),
    (_group("melds-EW", "4C 4D 4S", doubts=("rim",)), "reaches out"),
    (_group("melds-EW", "4C 4D 4S", doubts=("paper",)), "could not be read"),
    (_group("melds-EW", "4C 4D 4S", doubts=("spacing",)), "room for another"),
    (_group("melds-EW", "4C 4D 2S", confidence=(0.99, 0.99, 0.7)), "read with doubt"),
    (_group("melds-EW", "7H 7D 7C 7S 7H"), "seen 3 times"),
])  # fmt: skip
def test_a_doubtful_meld_makes_its_line_s_melds_unknown_and_no_other_item(wrong: PhotoGroup, word: str) -> None:
    answer = _score(_group("melds-NS", "8H 9H TH"), _group("melds-NS", "7H 7D 7S"), wrong, HAND)
    items = answer["lines"]["EW"]["items"]
    assert (items["burraco"], items["melds"]) == (None, None)
    assert (items["hand"], items["pot"]) == (-15, 0)
    assert answer["lines"]["EW"]["total"] is None
    assert "EW.melds" in answer["doubtful"]
    assert any(word in note["text"]["en"] for note in answer["notes"])


def test_a_supposed_gap_in_a_run_without_one_is_none_and_in_a_set_it_stays() -> None:
    run = _group("melds-NS", "4H 5H ?? 6H 7H", gaps=(2,))
    kings = _group("melds-EW", "KC KD ?? KS", gaps=(2,))
    answer = _score(run, kings, HAND)
    assert answer["lines"]["NS"]["items"]["melds"] == 20
    assert answer["lines"]["EW"]["items"]["melds"] is None


def test_a_supposed_gap_of_a_run_with_a_wild_stays_only_beside_a_wild_at_its_end() -> None:
    inner = _group("melds-NS", "5H 2D 7H ?? 8H 9H", gaps=(3,))
    last = _group("melds-EW", "4C 5C 6C ?? JK", gaps=(3,))
    answer = _score(inner, last, HAND)
    assert answer["lines"]["NS"]["items"]["melds"] == 5 + 20 + 5 + 10 + 10
    assert answer["lines"]["EW"]["items"]["melds"] is None


def test_faces_that_would_complete_a_meld_are_offered_and_none_for_what_can_be_none() -> None:
    answer = _score(_group("melds-NS", "4H ?? 6H"), _group("melds-EW", "4H ?? KD"), HAND)
    offers = {meld["line"]: meld.get("offers") for meld in answer["melds"]}
    assert offers["NS"] == ["5H", "JK", "2H", "2D", "2C", "2S"]
    assert offers["EW"] is None


def test_two_melds_end_to_end_that_would_be_one_are_doubted() -> None:
    first = _group("melds-NS", "4H 5H 6H", beside=(1,))
    answer = _score(first, _group("melds-NS", "7H 8H 9H", beside=(0,)), EW, HAND)
    assert answer["lines"]["NS"]["items"]["burraco"] is None


@pytest.mark.parametrize(("written", "why"), [
    ({"melds": 70}, {"cards": [["7H", 5]]}),
    ({"melds": 65, "burraco": 100}, {"cards": [["7H 8H 9H TH JH QH KH", 200]]}),
    ({"burraco": 200, "melds": 65, "total": 365}, {"cards": [], "adds_up": 355}),
    ({"total": 355}, None),
    ({"melds": 71}, {"cards": []}),
])  # fmt: skip
def test_a_difference_of_the_written_sheet_is_named_with_what_explains_it(
    written: dict[str, int], why: dict[str, Any] | None
) -> None:
    """A card at another value, a burraco of another kind, a sum that was added up wrongly."""
    seen = _group("melds-NS", "7H 8H 9H TH JH QH KH")
    shown = Photographed((seen, EW, HAND), FACTS, frozenset({"melds-NS", "melds-EW", "hand-S"}))
    found = scored(FIBUR, shown, {"NS": written})["differences"]
    if why is None:
        assert found == []
        return
    (one,) = found
    cards = [list(card) for card in one["cards"]]
    assert (cards, one.get("adds_up")) == (why["cards"], why.get("adds_up"))


def test_what_no_picture_shows_is_unknown_and_asked_for() -> None:
    answer = _score(NS, EW, HAND, facts={})
    unknown = {"NS.closing", "NS.pot", "NS.hand", "EW.closing", "EW.pot", "EW.hand"}
    assert unknown == set(answer["doubtful"])
    assert {note["text"]["it"] for note in answer["notes"]} >= {"Manca chi ha chiuso.", "Manca la mano di N."}


def test_a_card_of_a_hand_that_is_not_certain_makes_the_hand_unknown() -> None:
    answer = _score(NS, EW, _group("hand-S", "5H 6C", confidence=(0.99, 0.8)))
    assert answer["lines"]["NS"]["items"]["hand"] is None
    assert answer["lines"]["NS"]["items"]["melds"] == 65


def test_a_table_as_light_as_the_cards_leaves_all_it_shows_unknown() -> None:
    answer = _score(NS, EW, HAND, clouded={"melds-NS": "ground"})
    assert answer["lines"]["NS"]["items"]["melds"] is None
    assert answer["lines"]["EW"]["items"]["melds"] == 15


# -- several pictures --------------------------------------------------------------------------------------------------


def _picture(shows: str, *groups: str, turned: float = 0.0, doubts: tuple[str, ...] = ()) -> ReadPicture:
    """A picture of melds beside each other, their cards' upper edges turned clockwise from the picture's top."""
    laid = []
    a = np.radians(turned)
    turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
    for n, cards in enumerate(groups):
        seen = []
        for k, card in enumerate(cards.split()):
            upright = np.array([[0, 0], [63, 0], [63, 88], [0, 88]], np.float64) + np.array([n * 90, k * 20])
            ring = upright @ turn
            seen.append(SeenCard(card, ring.astype(np.float64), 0.99, at=k))
        laid.append(LaidGroup(tuple(seen), doubts))
    return ReadPicture(shows, (1000, 800), [], laid, None, [], 1.0)


def _melds_of(answer: dict[str, Any], line: str) -> list[list[str]]:
    return [meld["cards"] for meld in answer["melds"] if meld["line"] == line]


def test_a_meld_that_two_pictures_show_counts_once() -> None:
    pictures = [_picture("melds-NS", "4H 5H 6H 7H", "KC KD KS"), _picture("melds-NS", "KC KD KS", "9C TC JC")]
    answer = score_pictures(FIBUR, [*pictures, _picture("melds-EW", "4C 4D 4S")], FACTS)
    assert answer["lines"]["NS"]["items"]["melds"] == 20 + 30 + 30


def test_equal_melds_of_one_picture_or_of_both_lines_are_two() -> None:
    pictures = [_picture("melds-NS", "4H 5H 6H", "4H 5H 6H"), _picture("melds-EW", "9C TC JC")]
    assert len(_melds_of(score_pictures(FIBUR, pictures, FACTS), "NS")) == 2
    pictures = [_picture("melds-NS", "4H 5H 6H"), _picture("melds-EW", "4H 5H 6H")]
    assert len(score_pictures(FIBUR, pictures, FACTS)["melds"]) == 2


def test_a_meld_cut_off_in_one_picture_is_taken_from_the_other() -> None:
    cut, whole = _picture("melds-NS", "4H 5H ??", doubts=("rim",)), _picture("melds-NS", "4H 5H 6H 7H")
    for pictures in ([cut, whole], [whole, cut]):
        answer = score_pictures(FIBUR, [*pictures, _picture("melds-EW", "4C 4D 4S")], FACTS)
        assert answer["lines"]["NS"]["items"]["melds"] == 20


def test_a_meld_that_two_pictures_show_differently_is_unknown() -> None:
    pictures = [_picture("melds-NS", "4H 5H 6H 7H"), _picture("melds-NS", "3H 4H 5H 6H")]
    answer = score_pictures(FIBUR, [*pictures, _picture("melds-EW", "4C 4D 4S")], FACTS)
    assert answer["lines"]["NS"]["items"]["melds"] is None


def test_pictures_of_which_nobody_said_what_they_show() -> None:
    """One that shows melds facing two ways is of both lines, two that show other cards are of one each."""
    both = replace(_picture("table", "4H 5H 6H"), groups=[
        *_picture("table", "4H 5H 6H").groups, *_picture("table", "9C TC JC", turned=90.0).groups
    ])  # fmt: skip
    for pictures in ([both], [_picture("table", "4H 5H 6H"), _picture("table", "9C TC JC")]):
        answer = score_pictures(FIBUR, pictures, FACTS)
        assert (_melds_of(answer, "NS"), _melds_of(answer, "EW")) == ([["4H", "5H", "6H"]], [["9C", "TC", "JC"]])
        assert {"NS.owner", "EW.owner"} <= set(answer["doubtful"])


def test_the_name_of_a_file_may_say_what_it_shows() -> None:
    rules = FIBUR.photographs
    assert rules is not None
    names = ["deal3_NS.jpg", "hand-W.png", "melds-EW 2.jpeg", "IMG_20261127.jpg", "NEWS.jpg"]
    assert [word_in_name(rules, name) for name in names] == ["melds-NS", "hand-W", "melds-EW", "table", "table"]


# -- the other games ---------------------------------------------------------------------------------------------------


def _tarocco(ns: list[str], ew: list[str]) -> dict[str, Any]:
    groups = (PhotoGroup("pile-NS", tuple(ns)), PhotoGroup("pile-EW", tuple(ew)))
    facts = {"NS": {"last_trick": True}, "EW": {"last_trick": False}}
    return scored(rule_set("tarocco"), Photographed(groups, facts, frozenset({"pile-NS", "pile-EW"})))


def test_two_piles_that_make_the_pack_are_counted_and_a_card_in_neither_is_named() -> None:
    pack = list(TAROCCO.copies)
    answer = _tarocco(pack[:30], pack[30:])
    assert answer["lines"]["NS"]["total"] is not None
    assert answer["missing"] == []
    answer = _tarocco(pack[:29], pack[30:])
    assert answer["missing"] == [pack[29]]
    assert answer["lines"]["NS"]["total"] is None
    assert answer["lines"]["EW"]["total"] is None
    twice = _tarocco(pack[:30], pack[29:])
    assert twice["lines"]["NS"]["total"] is None


def _bridge(hands: dict[str, list[str]], **facts: Any) -> dict[str, Any]:
    groups = tuple(PhotoGroup(f"hand-{seat}", tuple(cards)) for seat, cards in hands.items())
    return scored(rule_set("bridge"), Photographed(groups, facts, frozenset(f"hand-{seat}" for seat in hands)))


def _hands() -> dict[str, list[str]]:
    pack = list(BRIDGE.copies)
    return {seat: pack[n * 13 : n * 13 + 13] for n, seat in enumerate("NESW")}


def test_four_hands_make_a_record_and_with_the_contract_a_score() -> None:
    answer = _bridge(_hands(), board=7, contract="3NT", declarer="N", tricks=9)
    assert '[Deal "N:' in answer["pbn"]
    assert answer["lines"]["NS"]["total"] == 600
    assert answer["doubtful"] == []


def test_one_missing_card_goes_to_the_hand_that_lacks_one_and_is_named() -> None:
    hands = _hands()
    gone = hands["E"].pop()
    answer = _bridge(hands)
    assert answer["deduced"] == [f"E.{gone}"]
    assert f"E.{gone}" in answer["doubtful"]
    assert answer["pbn"]


def test_a_card_in_two_hands_makes_no_record_and_is_named() -> None:
    hands = _hands()
    hands["E"][0] = hands["N"][0]
    answer = _bridge(hands)
    assert answer["pbn"] is None
    assert {f"E.{hands['N'][0]}", f"N.{hands['N'][0]}"} <= set(answer["doubtful"])
