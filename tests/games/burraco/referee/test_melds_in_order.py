"""Arts. 10 to 13 and 29 of fibur2024: half a meld, cards beside one, wilds that move, runs put in order."""

from __future__ import annotations

from typing import Any, Final

import pytest

from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.judges.excess import wild_displaced, wild_moved, wrong_meld
from table_service.games.burraco.rules.meld import readings
from tests.games.burraco.cases_by_text import play
from tests.games.burraco.referee.test_wrong_melds import dos, rest

# -- half a meld, a card beside a meld ----------------------------------------------------------------------------


@pytest.mark.parametrize("cards", ["KH", "KH KD"])
def test_f29a_art29_one_or_two_cards_and_a_discard(script: Any, cards: str) -> None:
    script.draw("W")
    script.lay("W", 0, cards)
    rest(script, 20.0)
    assert script.verdicts() == [], "he may still complete it"
    script.discard("W", "3S")
    rest(script)
    verdict = script.last()
    assert script.verdicts() == [("F-29a", "W", "open")]
    assert (verdict["cards"], verdict["options"]) == (cards.split(), ["F-29a", "F-29e"])
    assert dos(script) == ["stop-play", "penalise", "discard", "limit-turn"]


def test_f29e_art29_a_card_laid_towards_a_meld_freezes_it(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.move("KS", "hand-W", "melds-EW", "W", row=1, result=("KS",), beside=0)
    script.discard("W", "3S")
    rest(script)
    verdict = script.last()
    assert script.verdicts() == [("F-29e", "W", "open")]
    assert (verdict["severity"], dos(script)) == ("play-stops", ["stop-play", "nothing", "freeze", "limit-turn"])
    script.console("rule", row="F-29e", seat="W")
    assert script.fold.deal.meld(0).frozen == "temporary"
    script.lay("W", 0, "KS", before="KH KD KC")
    assert {row for row, _, _ in script.verdicts()} == {"F-29e"}, "pushing it on is no new fault"


def test_f29e_art29_a_card_that_fits_no_meld_beside_it_is_half_a_meld(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "KH KD KC")
    script.move("7S", "hand-W", "melds-EW", "W", row=1, result=("7S",), beside=0)
    script.discard("W", "3S")
    rest(script)
    assert script.verdicts() == [("F-29a", "W", "open")]


# -- wilds, order -------------------------------------------------------------------------------------------------


def test_f10a_art10_a_wild_between_two_cards_may_not_be_moved(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H JK 7H")
    script.lay("W", 0, "6H", before="5H JK 7H", result="5H 6H 7H JK")
    rest(script)
    assert script.verdicts() == [], "the 6 replaces the wild that stood for it"
    script.lay("W", 1, "5S JK 7S")
    script.lay("W", 1, "9S", before="5S JK 7S", result="5S 7S JK 9S")
    rest(script)
    assert script.verdicts() == [("F-29d", "W", "open")], "5 7 9 with one wild is no run in any order"


def test_f10a_art10_another_wild_in_its_place(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "8H 9H TH JK QH")
    script.move("JK", "melds-EW", "hand-W", "W", row=0, result=("8H", "9H", "TH", "QH"))
    script.lay("W", 0, "2S", before="8H 9H TH", result="8H 9H TH 2S QH")
    rest(script)
    verdict = script.last()
    assert script.verdicts() == [("F-10a", "W", "open")]
    assert (verdict["cards"], verdict["severity"], verdict["needs_referee"]) == (["JK"], "play-stops", True)
    assert dos(script)[:2] == ["stop-play", "take-back"]
    script.discard("W", "3S")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-10a", "W", "healed")


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        ("8D 2D TD", "8D 2C TD", "2D"),
        ("3S 4S 5S 6S 2S 8S", "2S 3S 4S 5S 6S JK 8S", "2S"),
        ("5H JK 7H", "5H 2C 7H", "JK"),
        ("2S 2S 4S", "2S JK 4S", "2S"),
    ],
)
def test_f10a_xf04_art10_a_wild_is_fixed_also_a_two_of_the_suit(before: str, after: str, moved: str) -> None:
    assert wild_moved(BOOK, tuple(before.split()), tuple(after.split())) == moved


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("2S 3S 4S 5S 6S", "3S 4S 5S 6S 2S 8S", "art. 10, first example: a natural 2 may move up"),
        ("JK 5H 6H 7H", "5H 6H 7H JK 9H", "a free wild lies where the rule puts it, not where it was placed"),
        ("5H JK 7H", "4H 5H JK 7H 8H", "the wild still stands for the 6"),
        ("5H JK 7H", "JK 5H 6H 7H", "the 6 has come in its place"),
    ],
)
def test_f10a_art10_what_may_happen_to_a_wild(before: str, after: str, why: str) -> None:
    assert readings(BOOK, after.split()), why
    assert wild_moved(BOOK, tuple(before.split()), tuple(after.split())) is None, why


@pytest.mark.parametrize(
    ("before", "after", "moved"),
    [
        ("3S 4S 5S 6S 2S 8S", "2S 3S 4S 5S 6S 8S", "2S"),
        ("5H JK 7H 8H", "5H 7H 8H JK", "JK"),
        ("8H 7H JK 5H", "JK 8H 7H 5H", "JK"),
        ("5H 2C 7H", "2C 5H 7H", "2C"),
        ("JK 4H 5H", "4H 5H JK", "JK"),
    ],
)
def test_f10a_art10_a_wild_that_lies_elsewhere_among_the_same_cards(before: str, after: str, moved: str) -> None:
    assert wild_displaced(BOOK, tuple(before.split()), tuple(after.split())) == moved


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("2S 3S 4S 5S 6S", "3S 4S 5S 6S 2S", "art. 10, second example: a natural 2 may be moved up"),
        ("3S 4S 5S 6S 2S", "2S 3S 4S 5S 6S", "and back again"),
        ("4H 5H JK", "JK 4H 5H", "a free wild belongs in the lowest place"),
        ("2S 2D 3D 4D", "2D 2S 3D 4D", "art. 10, third example: two pinelle, one of them natural"),
        ("5H 7H 8H JK", "5H JK 7H 8H", "a run laid in disorder is put in order (art. 11)"),
        ("5H JK 7H 8H", "8H 5H JK 7H", "the other cards were mixed up as well"),
        ("JK 5H 5D 5S", "5D 5H JK 5S", "in a set a wild stands for nothing in particular"),
        ("4S 5S 6S", "6S 4S 5S", "no wild"),
        ("5H JK 7H", "5H 6H 7H JK", "the 6 has come in its place"),
    ],
)
def test_f10a_art10_what_is_no_moved_wild(before: str, after: str, why: str) -> None:
    assert wild_displaced(BOOK, tuple(before.split()), tuple(after.split())) is None, why


def with_wild_in_a_run(script: Any, run: str = "5H JK 7H 8H") -> None:
    """West's run lies there from an earlier turn, and he is in turn again."""
    script.draw("W")
    script.lay("W", 0, run)
    script.discard("W", "KD")
    for seat in "NES":
        script.turn(seat, "4C")
    script.draw("W")


def test_f10a_art10_a_wild_moved_alone_is_a_note_at_first_and_stops_play_when_nothing_follows(script: Any) -> None:
    with_wild_in_a_run(script)
    script.reorder("W", 0, "5H JK 7H 8H", "5H 7H 8H JK")
    rest(script, 1.0)
    assert script.verdicts() == [("F-10a", "W", "open")]
    assert (script.last()["severity"], script.last()["needs_referee"]) == ("note", True)
    rest(script, 3.0)
    verdict = script.last()
    assert (verdict["row"], verdict["offender"], verdict["severity"]) == ("F-10a", "W", "play-stops")
    assert (verdict["cards"], dos(script)[:2]) == (["JK"], ["stop-play", "take-back"])
    script.discard("W", "3S")
    script.draw("N")
    assert script.verdicts()[-1] == ("F-10a", "W", "healed")


def test_f10a_art10_a_wild_taken_up_and_laid_elsewhere_in_its_run_was_moved(script: Any) -> None:
    with_wild_in_a_run(script)
    script.move("JK", "melds-EW", "hand-W", "W", row=0, result=("5H", "7H", "8H"))
    script.lay("W", 0, "JK", before="5H 7H 8H")
    rest(script)
    assert set(script.verdicts()) == {("F-10a", "W", "open")}
    assert script.last()["severity"] == "play-stops"


def test_f10a_art10_a_wild_moved_and_moved_back_was_moved(script: Any) -> None:
    with_wild_in_a_run(script)
    script.reorder("W", 0, "5H JK 7H 8H", "5H 7H 8H JK")
    script.reorder("W", 0, "5H 7H 8H JK", "5H JK 7H 8H")
    rest(script, 2.0)
    assert set(script.verdicts()) == {("F-10a", "W", "open")}
    assert script.last()["severity"] == "play-stops", "nothing can follow any more"
    script.discard("W", "3S")
    rest(script)
    assert len({one.data.key for one in script.of("irregularity")}) == 1


def test_f10a_art10_the_wild_moves_and_the_card_that_it_stood_for_takes_its_place(script: Any) -> None:
    with_wild_in_a_run(script)
    script.reorder("W", 0, "5H JK 7H 8H", "JK 5H 7H 8H")
    script.lay("W", 0, "6H", before="JK 5H", result="JK 5H 6H 7H 8H")
    rest(script)
    assert script.verdicts()[-1] == ("F-10a", "W", "dismissed")
    assert {one.data.severity for one in script.of("irregularity")} == {"note"}, "play was never to stop"


def test_f10c_f11a_f13_f13b_art10_art11_art13_situations_accuse_nobody(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H JK")
    script.lay("W", 1, "9D 7D 8D TD JD QD KD")
    rest(script)
    script.discard("W", "3S")
    rest(script)
    assert script.verdicts() == []
    assert script.fold.state()["melds"]["EW"][1]["burraco"] == "clean"
    for row in ("F-10c", "F-11a", "F-13", "F-13b"):
        assert FIBUR2024.row(row).kind == "situation"
        assert [e.type for e in script.console("rule", row=row, seat="W")] == ["table.health"]


def test_f11b_art11_a_run_put_in_order_in_the_partners_turn(script: Any) -> None:
    script.draw("W")
    script.lay("W", 0, "6H 5H 7H")
    script.discard("W", "3S")
    script.turn("N", "4C")
    script.draw("E")
    ordered = [*script.reorder("W", 0, "6H 5H 7H", "5H 6H 7H")]
    verdict = script.last()
    assert [e.type for e in ordered if e.type == "irregularity"]
    assert script.verdicts() == [("F-11b", "W", "open")]
    assert (verdict["severity"], verdict["warn"], dos(script)) == (
        "play-stops",
        True,
        ["stop-play", "warn", "limit-turn"],
    )
    assert verdict["remedy"][2]["who"] == "E"
    script.console("rule", row="F-11b", seat="W")
    assert [(e.line, e.data.row) for e in script.of("warning.given")] == [("EW", "F-11b")]
    script.discard("E", "9C")
    assert [(e.data.do, e.data.who) for e in script.of("sanction.served")] == [("limit-turn", "E")]


@pytest.mark.parametrize("seat", ["E", "N"])
def test_f11a_art11_putting_in_order_in_the_own_turn_or_an_opponents_is_free(script: Any, seat: str) -> None:
    script.draw("W")
    script.lay("W", 0, "6H 5H 7H")
    script.discard("W", "3S")
    if seat == "E":
        script.turn("N", "4C")
    script.draw(seat)
    script.reorder("E", 0, "6H 5H 7H", "5H 6H 7H")
    assert script.verdicts() == []


def test_f12_art12_the_limits_of_art_11_and_12_as_the_book_reads_them() -> None:
    longest = ("JK", *(f"{rank}H" for rank in "A23456789TJQK"))
    assert wrong_meld(BOOK, (), longest) is None
    wrong = wrong_meld(BOOK, longest, (*longest, "2S"))
    assert wrong is not None
    assert (wrong.kind, wrong.excess) == (FaultKind.RUN_TOO_LONG, ("2S",))


CASES: Final = {
    "test_f29a_art25_found_later_it_is_frozen_and_negative":
        "draw W; lay W 0 KH,KD; discard W 3S; rest; draw N; verdicts = F-29a:W:open F-25c:W:open",
    "test_f10a_art10_another_wild_in_its_place_where_what_was_left_is_a_meld_as_well":
        "draw W; lay W 0 2S,2D,4S,5S,6S,7S,8S; discard W 3S; turn N 4C; turn E 4C; turn S 4C; draw W; "
        "move 2D melds-EW hand-W W row=0 result=2S:4S:5S:6S:7S:8S; rest; verdicts =; "
        "lay W 0 JK before=2S result=2S,JK,4S,5S,6S,7S,8S; rest; verdicts = F-10a:W:open",
    "test_f10a_art10_a_wild_taken_up_and_laid_where_it_lay_was_not_moved":
        "with_wild_in_a_run; move JK melds-EW hand-W W row=0 result=5H:7H:8H; "
        "lay W 0 JK before=5H,7H,8H result=5H,JK,7H,8H; rest; verdicts =",
    "test_f10a_art10_opponents_push_a_column_and_accuse_nobody":
        "with_wild_in_a_run; reorder N 0 5H,JK,7H,8H 5H,7H,8H,JK line=EW; rest; verdicts =",
    "test_f11b_art11_after_the_warning_nothing_may_be_laid":
        "draw W; lay W 0 6H,5H,7H; discard W 3S; turn N 4C; draw E; reorder W 0 6H,5H,7H 5H,6H,7H; "
        "console rule row=F-11b seat=W; lay E 1 KH,KD,KC; each sanction.broken reason = cards,were,laid",
}  # fmt: skip


@pytest.mark.parametrize("acts", CASES.values(), ids=CASES)
def test_case(acts: str) -> None:
    play(acts, rest, with_wild_in_a_run)
