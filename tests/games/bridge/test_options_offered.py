"""Every way that an irregularity offers says what follows from it, can be ruled, and has that effect."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from hw.seats import Seat
from table_service.games.bridge.codes.figb2010 import CATALOGUE
from table_service.games.bridge.judges.calls import judge_call
from table_service.games.bridge.judges.opening_lead import Lead, Opening, judge_leads
from table_service.games.bridge.judges.sides import other_side, side_of
from table_service.games.bridge.judges.tray import Faulty, Passing
from table_service.games.bridge.judges.verdict import Verdict
from table_service.games.bridge.rules.auction import CallFault
from tests.games.bridge.table_of_bridge import TableOfBridge
from tests.games.bridge.test_rows_observed import HANDS, rows, started, trick
from tests.games.bridge.test_screen_examples_observed import of_calls, told

N, E, S, W = Seat


def verdicts_on_calls() -> list[Verdict]:
    found = []
    for seat, due, call, over, by, called_over, answered in product(
        Seat, Seat, ("P", "X", "1H", "2C"), (None, "1S"), (None, *Seat), (True, False), (True, False)
    ):
        faults = (CallFault.INSUFFICIENT,) if due is seat else (CallFault.OUT_OF_TURN,)
        passed = Passing(2.0, by, other_side(side_of(seat)))
        found.append(judge_call(Faulty(seat, call, 1.0, faults, due, over, passed, called_over, answered)))
    return found


def verdicts_on_leads() -> list[Verdict]:
    found: list[Verdict] = []
    for seat, faced, by, attention in product(Seat, (None, 1.5), (None, *Seat), (None, 1.0, 5.0)):
        opening = Opening(N, (Lead(seat, "JS", 1.0, faced),), attention=attention, opened=3.0, opened_by=by)
        found += judge_leads(opening)
    return found


def test_every_option_of_a_verdict_says_what_follows_and_may_be_ruled() -> None:
    offered = {(one.row, option) for one in (*verdicts_on_calls(), *verdicts_on_leads()) for option in one.options}
    assert {row for row, _ in offered} >= {"FIGB-7", "FIGB-10", "FIGB-12", "FIGB-16", "law-30", "law-32", "FIGB-4"}
    for row, option in offered:
        ways = {choice.key for choice in CATALOGUE.row(row).choices}
        assert option in ways | set(CATALOGUE.rows), (row, option)


def answer_of(table: TableOfBridge, **ruling: Any) -> list[str]:
    table.console("rule", **ruling)
    return [one["state"] for one in table.found if one["key"] == ruling["key"]]


@pytest.mark.parametrize(
    ("dealer", "text", "row", "options"),
    [
        (N, "E:1H E>", "FIGB-10", ["29A", "31A1", "31A2a", "31A2b"]),
        (N, "W:1C W>", "FIGB-12", ["29A", "31B"]),
        (E, "W:1D W>", "FIGB-16", ["29A", "31B"]),
        (N, "E:P E>", "law-30", ["29A", "30A"]),
        (N, "N:1C E:P N> W:P W>", "law-30", ["29A", "30B1"]),
    ],
)
def test_each_option_that_a_call_out_of_turn_offers_is_followed(
    dealer: Seat, text: str, row: str, options: list[str]
) -> None:
    found = told(of_calls(dealer, text))
    assert (found["row"], found["options"]) == (row, options)
    for option in options:
        table = of_calls(dealer, text)
        assert answer_of(table, key=told(table)["key"], option=option) == ["ruled"], option


def after_31a(option: str) -> TableOfBridge:
    """East has bid one heart before North, who then bids a spade; East mends it, West's turn comes twice."""
    table = of_calls(N, "E:1H E>")
    table.console("rule", key=told(table)["key"], option=option)
    table.side = "NE"
    table.take_call(E)
    for seat, call in ((N, "1S"), (E, "2H")):
        table.call(seat, call)
    table.push()
    for seat, call in ((S, "P"), (W, "P")):
        table.call(seat, call)
    table.push()
    for seat, call in ((N, "2S"), (E, "P")):
        table.call(seat, call)
    table.push()
    for seat, call in ((S, "P"), (W, "3H")):
        table.call(seat, call)
    table.push()
    return table


@pytest.mark.parametrize(("option", "is_told"), [("31A2a", False), ("31A2b", True), ("31A1", False)])
def test_the_partner_passes_once_or_on_as_law_31a_was_ruled(option: str, is_told: bool) -> None:
    assert (("law-37", "W", "open") in rows(after_31a(option))) is is_told


def test_a_revoke_that_is_established_offers_that_first_and_one_in_time_its_correction() -> None:
    late = started(record=True)
    trick(late, N, (S, "6S"), (W, "4H"), (N, "AS"))
    trick(late, N, (N, "KS"), (E, "9S"), (S, "5S"), (W, "3S"))
    rows(late)
    (found,) = [one for one in late.found if one["row"] == "law-61"]
    assert found["options"] == ["established", "corrected"]
    assert [step["option"] for step in found["remedy"]] == ["established"]
    timely = started(record=True)
    for seat, card in ((S, "6S"), (W, "4H"), (N, "AS")):
        timely.play(seat, card)
    rows(timely)
    (found,) = [one for one in timely.found if one["row"] == "law-61"]
    assert found["options"] == ["corrected", "established"]
    assert HANDS[W][0] == "3S"
