"""Rulings that cannot be followed as they stand: one sentence that says why, nothing changed, nothing lost."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.burraco.console_round import Round


def ignored(script: Any) -> list[str]:
    return [e.data.note for e in script.of("table.health") if e.data.state == "ignored"]


@pytest.fixture
def script(script: Any) -> Any:
    """West has opened and discarded, it is north's turn, and east has laid out of turn."""
    script.draw("W")
    script.lay("W", 0, "5H 6H 7H")
    script.discard("W", "3S")
    script.lay("E", 1, "KH KD KS")
    return script


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"row": "F-99", "seat": "N"}, "the catalogue of fibur2024 has no row 'F-99'"),
        ({"row": "", "seat": "N"}, "the catalogue of fibur2024 has no row ''"),
        ({"row": 31, "seat": "N"}, "the field 'row' of the order 'rule' is wrong: it should be a valid string"),
        ({"key": "r9d9-9"}, "no irregularity of this deal has the key 'r9d9-9'"),
        (
            {"row": "F-31a", "seat": "X"},
            "the field 'seat' of the order 'rule' cannot be 'X': it should be 'N', 'E', 'S' or 'W'",
        ),
        (
            {"row": "F-31a", "seat": 4},
            "the field 'seat' of the order 'rule' is wrong: it should be 'N', 'E', 'S' or 'W'",
        ),
        ({"row": "F-31a"}, "a ruling by F-31a must name the seat N, E, S or W"),
        (
            {"row": "F-28e", "seat": "N", "line": "NE"},
            "the field 'line' of the order 'rule' cannot be 'NE': it should be 'NS' or 'EW'",
        ),
        ({"row": "F-29b", "seat": "W", "option": "mendd"}, "F-29b knows no option 'mendd'"),
        (
            {"row": "F-27a", "seat": "W", "freeze": "hard"},
            "the field 'freeze' of the order 'rule' cannot be 'hard': it should be 'none'",
        ),
        ({"row": "F-26a", "seat": "W", "found": "soon"}, "there is no moment 'soon'"),
        ({"row": "F-25a", "seat": "W", "meld": 7, "cards": ["7H"]}, "there is no meld 7 on the table: there are 0, 1"),
        (
            {"row": "F-25a", "seat": "W", "meld": "0"},
            "the field 'meld' of the order 'rule' is wrong: it should be a valid integer",
        ),
        (
            {"row": "F-25a", "seat": "W", "meld": True},
            "the field 'meld' of the order 'rule' is wrong: it should be a valid integer",
        ),
        ({"row": "F-24a", "seat": "W", "cards": ["1Z"]}, "'1Z' is no card"),
        (
            {"row": "F-24a", "seat": "W", "cards": "7H"},
            "the field 'cards' of the order 'rule' is wrong: it should be a valid list",
        ),
        ({"row": "F-24a", "seat": "W", "cards": ["7H"] * 3}, "the pack does not hold 3 times 7H"),
        ({"row": "F-26d", "seat": "W", "meld": 0, "cards": ["7H"], "added": ["??x"]}, "'??x' is no card"),
        ({}, "a ruling must name the key of an irregularity, or a row of the catalogue"),
    ],
)
def test_a_ruling_that_names_what_does_not_exist_is_refused(script: Any, fields: Any, sentence: str) -> None:
    if not fields:
        script.console("dismiss", row="F-32", seat="E")
    before, deal = script.verdicts(), script.fold.deal
    said = script.console("rule", **fields)
    assert len(ignored(script)) == 1
    assert ignored(script)[0].startswith(sentence)
    assert [event.type for event in said] == ["table.health"]
    assert script.verdicts() == before
    assert script.fold.deal == deal


def test_the_same_ruling_twice_by_key_is_one(script: Any) -> None:
    key = script.last()["key"]
    script.console("rule", key=key)
    imposed = len(script.of("sanction.imposed"))
    script.console("rule", key=key)
    assert ignored(script) == [f"F-32 ({key}) has been ruled so already"]
    assert len(script.of("sanction.imposed")) == imposed


def test_the_same_ruling_sent_twice_by_row_and_seat_is_one(script: Any) -> None:
    script.console("rule", row="F-28b", seat="W", meld=0, cards=["7H"])
    script.console("rule", row="F-28b", seat="W", meld=0, cards=["7H"])
    assert ignored(script) == ["this ruling has just been given: it is not entered twice"]
    assert len(script.of("warning.given")) == 1
    script.t += 60.0
    script.console("rule", row="F-28b", seat="W", meld=0, cards=["7H"])
    assert len(script.of("warning.given")) == 2, "a minute later it is another throw"


def test_a_ruling_corrected_by_another_is_followed(script: Any) -> None:
    key = script.last()["key"]
    script.console("rule", key=key)
    script.console("rule", key=key, row="F-27a", freeze="definitive")
    assert ignored(script) == []
    assert (script.last()["row"], script.fold.deal.meld(1).frozen) == ("F-27a", "definitive")


def test_a_ruling_by_key_may_name_another_seat(script: Any) -> None:
    script.console("rule", key=script.last()["key"], seat="W")
    assert (script.last()["row"], script.last()["offender"]) == ("F-32", "W"), "the arbitro decides who it was"


def test_dismissing_or_confirming_what_is_not_open_is_refused(script: Any) -> None:
    script.console("dismiss", key="r1d1-9")
    script.console("confirm", row="F-31a", seat="N")
    script.console("dismiss", row="F-32", seat="E")
    script.console("dismiss", row="F-32", seat="E")
    assert len(ignored(script)) == 3
    assert script.verdicts()[-1] == ("F-32", "E", "dismissed")


def test_after_the_end_of_the_deal_a_ruling_imposes_nothing_on_play(script: Any) -> None:
    script.console("rule", row="F-P1", option="stop")
    script.console("rule", key=script.last()["key"])
    assert script.last()["state"] == "ruled"
    assert script.of("sanction.imposed") == []


def test_before_any_deal_a_ruling_on_play_is_refused(make_bare: Any) -> None:
    one = make_bare
    one.rule("F-31a", seat="N")
    notes = [e.data.note for e in one.events if e.type == "table.health"]
    assert notes == ["no deal is running: F-31a cannot be ruled"]
    one.rule("F-06", seat="N", line="NS")
    assert [e.data.row for e in one.events if e.type == "irregularity"] == ["F-06"], "what needs no deal is entered"


@pytest.fixture
def make_bare() -> Any:
    return Round()
