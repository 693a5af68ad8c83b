"""Whatever a console orders: nothing raises, no card is lost, every event can be written and told again."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from table_service.events import dumps
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from tests.games.burraco.console_round import Round

WORDS = st.sampled_from(
    ["N", "W", "NS", "EW", "x", "", "lost", "found", "by-default", "acquired", "F-38d", "r1d1-1", "later", "open"]
)
VALUES = (
    st.none()
    | st.booleans()
    | st.integers(-3, 3000)
    | st.floats(allow_nan=True, allow_infinity=True)
    | WORDS
    | st.lists(WORDS, max_size=2)
    | st.dictionaries(st.sampled_from(["NS", "EW", "N", "x"]), st.integers(-2, 900) | WORDS, max_size=2)
)
NAMES = "seat line lines minutes points option vp mp key found cards added meld freeze deals warnings call_at room"
ROWS = st.sampled_from([*FIBUR2024.rows, "F-99", ""]) | VALUES
DEEDS = ["rule", "rule", "rule", "dismiss", "confirm", "warn", "bonus", "deal", "end-round", "time-out", "start-round"]
ORDERS = st.tuples(
    st.sampled_from(DEEDS),
    st.fixed_dictionaries({}, optional={"row": ROWS, **dict.fromkeys(NAMES.split(), VALUES)}),
)


@settings(max_examples=60)
@given(options=st.dictionaries(st.sampled_from(["warnings", "call_at", "room", "event"]), VALUES), orders=st.data())
def test_no_order_raises_and_its_events_can_be_written(options: dict[str, Any], orders: st.DataObject) -> None:
    one = Round(**options)
    one.console("deal", deal=1, dealer="S")
    for do, fields in orders.draw(st.lists(ORDERS, max_size=8)):
        one.console(do, **fields)
        assert one.fold.deal is None or one.fold.deal.size == 108
    for event in one.events:
        assert json.loads(dumps(event, secret=True))["type"] == event.type
    assert one.fold.state()["rules"] == "fibur2024"


@settings(max_examples=40)
@given(row=st.sampled_from([row for row in FIBUR2024.rows.values() if row.is_offered]), choice=st.integers(0, 5))
def test_every_row_offered_can_be_ruled_with_what_it_asks_for(row: Any, choice: int) -> None:
    one = Round()
    one.console("deal", deal=1, dealer="S")
    keys = [*row.options, *(way.key for way in row.choices)]
    said: dict[str, Any] = {
        "seat": "N",
        "line": "NS",
        "lines": {"NS": 3, "EW": 4},
        "minutes": choice * 3,
        "points": 10,
        "option": keys[choice % len(keys)] if keys else None,
        "cards": ["7H"],
        "added": ["7H"],
        "meld": 0,
        "vp": {"NS": 8, "EW": 12},
        "mp": {"NS": -200, "EW": 200},
    }
    told = one.console("rule", row=row.id, **{ask: said[ask] for ask in row.form})
    ignored = [event.data.note for event in told if event.type == "table.health" and event.data.state == "ignored"]
    assert ignored == []
    if row.kind == "irregularity":
        assert [event.data.state for event in told if event.type == "irregularity"][:1] == ["ruled"]
    one.end()
