"""The count of a deal and the victory points: fibur2024, arts. 13, 17, 18."""

from __future__ import annotations

import pytest

from hw.seats import Line
from table_service.games.burraco.codes.editions import edition
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.rules.score import CountError, LineCards, count, score_deal
from table_service.games.burraco.rules.vp import NoTableError, victory_points, vp_result
from table_service.games.definition import UnknownRulesError

CLEAN = ("3H", "4H", "5H", "6H", "7H", "8H", "9H")


def deal(ns: dict[str, object], ew: dict[str, object] | None = None) -> dict[str, object]:
    return {"rules": "fibur2024", "deal": {"NS": ns, "EW": ew or {}}}


def items(ns: LineCards, ew: LineCards | None = None) -> dict[str, int | None]:
    return dict(score_deal(FIBUR2024, {Line.NS: ns, Line.EW: ew or LineCards()})[Line.NS].items)


def test_art18_every_item_of_a_line() -> None:
    answer = count(
        FIBUR2024,
        deal(
            {
                "melds": [list(CLEAN), ["KH", "KD", "JK"]],
                "hands": [[], ["AS", "2S"]],
                "pot": "taken",
                "closed": True,
                "bonus": 40,
                "penalised": ["QH"],
            },
            {"melds": [], "hands": [["3D"], []], "pot": "not-taken"},
        ),
    )
    ns, ew = answer["lines"]["NS"], answer["lines"]["EW"]
    assert ns["items"] == {
        "burraco": 200,
        "closing": 100,
        "melds": 45 + 50,
        "pot": 0,
        "hand": -35,
        "penalised": -10,
        "bonus": 40,
    }
    assert ns["total"] == 390
    assert ew["items"]["pot"] == -100
    assert ew["total"] == -105
    assert answer["diff"] == 495


def test_art18_f18_no_malus_where_neither_line_took_a_pot() -> None:
    assert items(LineCards())["pot"] == 0
    assert items(LineCards(), LineCards(pot="taken"))["pot"] == -100


def test_art18_a_pot_taken_and_not_played_costs_its_cards() -> None:
    line = LineCards(pot="taken-unplayed", pot_cards=("JK", "AH", "3S"), hands=(("KH",),))
    assert items(line)["pot"] == -50
    assert items(line)["hand"] == -10


def test_an_unknown_card_makes_the_item_unknown_and_never_a_guess() -> None:
    score = score_deal(FIBUR2024, {Line.NS: LineCards(hands=(("7H", "??"),)), Line.EW: LineCards()})[Line.NS]
    assert score.items["hand"] is None
    assert score.total is None
    assert score.doubtful == ("hand",)


def test_an_unknown_card_in_a_short_meld_leaves_the_burraco_items_known() -> None:
    score = items(LineCards(melds=(CLEAN, ("KH", "KD", "??"))))
    assert (score["burraco"], score["melds"]) == (200, None)


def test_art25_cards_that_count_against_the_line_leave_the_melds() -> None:
    score = items(LineCards(melds=(CLEAN,), negative=("9H",)))
    assert (score["melds"], score["penalised"]) == (35, -10)


def test_art5_a_pack_with_a_card_too_many_is_counted_and_told() -> None:
    answer = count(FIBUR2024, deal({"hands": [["7H", "7H"]]}, {"hands": [["7H"]]}))
    assert answer["lines"]["EW"]["items"]["hand"] == -5
    assert [warning.split()[:3] for warning in answer["warnings"]] == [["7H", "stands", "3"]]


@pytest.mark.parametrize(
    ("document", "part"),
    [
        ({}, '"deal"'),
        ({"deal": {"NS": {}}}, '"EW"'),
        (deal({"melds": [["7H", "8H", "TH"]]}), "is no meld"),
        (deal({"melds": [["7H", "8H", "XX"]]}), "is no card"),
        (deal({"pot": "gone"}), "taken"),
        (deal({"bonus": "40"}), "bonus"),
        (deal({"meld": []}), "no field 'meld'"),
        (deal({"closed": True}, {"closed": True}), "closed"),
        (deal({"hands": ["7H"]}), "hands[0]"),
    ],
)
def test_a_document_that_is_no_deal_is_refused_in_one_sentence(document: dict[str, object], part: str) -> None:
    with pytest.raises(CountError) as caught:
        count(FIBUR2024, document)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("deals", "diff", "teams", "vp"),
    [
        (4, 850, False, (14, 6)),
        (4, -850, False, (6, 14)),
        (4, 0, False, (10, 10)),
        (4, 100, False, (10, 10)),
        (4, 105, False, (11, 9)),
        (4, 2000, False, (19, 1)),
        (4, 2005, False, (20, 0)),
        (3, 355, False, (14, 6)),
        (3, 500, False, (14, 6)),
        (3, 505, False, (15, 5)),
        (3, 1505, False, (20, 0)),
        (2, 40, False, (10, 10)),
        (2, 45, False, (11, 9)),
        (2, 870, False, (18, 2)),
        (2, 1000, False, (19, 1)),
        (2, 1005, False, (20, 0)),
        (4, 150, True, (10, 10)),
        (4, 155, True, (11, 9)),
        (2, 2505, True, (20, 0)),
    ],
)
def test_art18_victory_points(deals: int, diff: int, teams: bool, vp: tuple[int, int]) -> None:
    assert victory_points(FIBUR2024, deals, diff, teams=teams) == vp


def test_the_answer_of_the_command_vp() -> None:
    assert vp_result(FIBUR2024, 4, 850) == {"rules": "fibur2024", "deals": 4, "diff": 850, "vp": [14, 6]}


def test_a_round_without_a_table_is_refused() -> None:
    with pytest.raises(NoTableError, match="5 deals"):
        victory_points(FIBUR2024, 5, 100)


def test_rules_that_do_not_exist_are_named() -> None:
    with pytest.raises(UnknownRulesError, match="'klondike'"):
        edition("klondike")
