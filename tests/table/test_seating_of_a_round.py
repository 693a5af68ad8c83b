"""The table knows who sits there and where they go next, tells it, and shows it on its small screen."""

from __future__ import annotations

import pytest

from hw.observation_log import Header
from hw.observations import Console
from table_service.display.screen_view import face
from table_service.events import Event, event_to_json
from table_service.rulesets import open_fold
from table_service.table.resuming import newest_round, resumed

CODES = ("fibur2024", "feburit", "tarocco", "bridge")
PAIRS = {"NS": "Rossi–Bianchi", "EW": "Anna + Bea"}
NEXT = {
    "NS": [{"name": "Rossi–Bianchi", "table": "T5", "line": "EW"}],
    "EW": [{"name": "Anna", "table": "T2", "line": "NS"}, {"name": "Bea", "table": None, "line": None}],
}


def header(rules: str) -> Header:
    return Header("T1", rules, seats={seat: seat for seat in "NESW"})


def order(t: float, do: str, **fields: object) -> Console:
    return Console(t, "arbitro", do, fields)


def of(events: list[Event], type_: str) -> list[Event]:
    return [one for one in events if one.type == type_]


@pytest.mark.parametrize("rules", CODES)
def test_a_table_tells_who_sits_there_and_where_they_go_and_forgets_it_with_the_next_round(rules: str) -> None:
    fold = open_fold(header(rules))
    assert not {"pairs", "next"} & fold.state().keys(), "nobody has said so"
    told = fold.feed(order(1.0, "start-round", deals=4, minutes=60, pairs=PAIRS))
    assert [one.data.pairs for one in of(told, "round.seated")] == [PAIRS]  # type: ignore[attr-defined]
    assert (fold.state()["pairs"], "next" in fold.state()) == (PAIRS, False)
    fold.feed(order(2.0, "end-round"))
    fold.feed(order(3.0, "seating", next=NEXT))
    assert (fold.state()["pairs"], fold.state()["next"]) == (PAIRS, NEXT)
    assert not of(fold.feed(order(4.0, "seating", next=NEXT)), "round.seated"), "told once"
    shown = face(fold.state(), (), {})
    assert shown.pairs == ("Rossi–Bianchi", "Anna + Bea")
    assert shown.goes == (("Rossi–Bianchi", "T5", "EW"), ("Anna", "T2", "NS"), ("Bea", None, None))
    fold.feed(order(5.0, "start-round", deals=4, minutes=60))
    assert not {"pairs", "next"} & fold.state().keys()


@pytest.mark.parametrize(
    "fields",
    [
        {}, {"pairs": "Rossi"}, {"pairs": {"NW": "Rossi"}}, {"pairs": {"NS": ""}}, {"pairs": {"NS": "x" * 200}},
        {"next": {"NS": [{"table": "T5"}]}}, {"next": [1]},
    ],
)  # fmt: skip
def test_a_seating_that_makes_no_sense_is_ignored_with_a_reason(fields: dict[str, object]) -> None:
    fold = open_fold(header("fibur2024"))
    fold.feed(order(1.0, "start-round", deals=4, minutes=60, pairs=PAIRS))
    told = fold.feed(order(2.0, "seating", **fields))
    assert not of(told, "round.seated")
    assert fold.state()["pairs"] == PAIRS


def test_a_room_makes_the_round_one_of_teams_and_a_restart_remembers_who_sits_there() -> None:
    fold = open_fold(header("fibur2024"), "boot-1")
    told = fold.drain() + fold.feed(order(1.0, "start-round", deals=4, minutes=60, pairs=PAIRS, room="closed"))
    again = open_fold(resumed(header("fibur2024"), newest_round(map(event_to_json, told))), "boot-2")
    assert again.state()["pairs"] == PAIRS
    assert again.table.round.scores.teams  # type: ignore[attr-defined]
