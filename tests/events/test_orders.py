"""The arbitro's orders as types: each is the same after the wire and the log, and what is none is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.observation_json import observation_to_json
from hw.observation_log import Header, parse_line
from hw.observations import Console
from hw.seats import LINES, SEATS
from table_service.events.orders import ORDERS, Order, WrongOrder, order_of, read_order
from table_service.rulesets import RULE_SETS, open_fold

MODELS = sorted({model for one in RULE_SETS.values() for model in one.orders.values()}, key=lambda one: one.__name__)
WORDS = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=12)
LINE = st.sampled_from([str(line) for line in LINES])
WHOLE = st.integers(0, 13)
CARDS = st.lists(st.sampled_from(["7H", "JK", "??"]), max_size=3)
FIGURES = st.dictionaries(LINE, st.dictionaries(WORDS, WHOLE | st.none(), min_size=1, max_size=2), min_size=1)
BY_LINE = st.dictionaries(LINE, WHOLE)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    **dict.fromkeys(("cards", "added"), CARDS),
    **dict.fromkeys(("warnings", "vp", "mp"), BY_LINE),
    **dict.fromkeys(("deals", "call_at", "deal", "meld", "points", "row number", "tricks", "n"), WHOLE),
    **dict.fromkeys(("signed", "agreed"), st.lists(LINE, max_size=2)),
    **dict.fromkeys(("declared", "countersigned"), st.booleans()),
    "minutes": WHOLE | st.floats(0, 600),
    "boards": st.lists(st.integers(1, 999), max_size=4),
    "board": st.integers(1, 999),
    "pairs": st.dictionaries(LINE, WORDS),
    "next": st.dictionaries(LINE, st.lists(st.fixed_dictionaries({"name": WORDS, "table": WORDS | st.none()}))),
    "records": st.dictionaries(st.sampled_from("12"), WORDS),
    "seat": st.sampled_from([str(seat) for seat in SEATS]),
    "dealer": st.sampled_from([str(seat) for seat in SEATS]),
    "line": LINE,
    "vulnerable": st.sampled_from(["none", "NS", "EW", "both"]),
    "freeze": st.sampled_from(["none", "temporary", "definitive"]),
    "warning_count": st.sampled_from(["every-second", "each-after-first"]),
    "room": st.sampled_from(["open", "closed"]),
}
ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.text(max_size=5)
    | st.just("x" * 2000)
    | st.sampled_from(["N", "NS", "7H", "\ud800", "r1d1-1", "stock"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3) | LINE, inner, max_size=3),
    max_leaves=5,
)


def value_of(model: type[Order], name: str) -> st.SearchStrategy[Any]:
    if name == "lines":
        return FIGURES if model.model_fields["do"].default.startswith("sheet") else BY_LINE
    if name == "row" and model.model_fields["do"].default == "correct":
        return WHOLE
    return VALUES.get(name, WORDS)


@st.composite
def orders(draw: st.DrawFn) -> Order:
    model = draw(st.sampled_from(MODELS))
    own = {name: info for name, info in model.model_fields.items() if name not in ("do", "t", "by")}
    needed = {name: value_of(model, name) for name, info in own.items() if info.is_required()}
    free = {name: value_of(model, name) for name, info in own.items() if not info.is_required()}
    return model(t=draw(st.integers(0, 9)), by="Anna", **draw(st.fixed_dictionaries(needed, optional=free)))


@given(orders())
@settings(max_examples=150)
def test_each_order_is_the_same_after_the_wire_and_after_the_log(order: Order) -> None:
    known = {order.do: type(order)}
    wire = json.loads(json.dumps({"do": order.do, "t": order.t, "by": order.by, **order.fields}))
    assert read_order(wire, known) == order
    line = json.dumps(observation_to_json(order.as_console()))
    logged = parse_line(line, 2)
    assert isinstance(logged, Console)
    assert order_of(logged, known) == order


@given(st.sampled_from([*sorted(ORDERS), "no-such-order"]), st.data())
@settings(max_examples=300)
def test_whatever_an_order_says_it_is_read_or_refused_in_one_sentence_that_names_the_field(
    do: str, data: st.DataObject
) -> None:
    model = ORDERS.get(do)
    names = st.sampled_from([*(() if model is None else model.model_fields), "unheard-of"])
    read = read_order(data.draw(st.dictionaries(names, ANYTHING, max_size=4)) | {"do": do})
    if isinstance(read, WrongOrder):
        assert read.field in read.it
        assert f"'{do}'" in read.en
        assert "\n" not in read.en
        assert len(read.en) < 400
    else:
        json.dumps(read.fields)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"do": "warn"}, "the order 'warn' must name its 'line'"),
        ({"do": "bonus", "line": "NS", "points": "50"}, "the field 'points' of the order 'bonus' is wrong"),
        ({"do": "bonus", "line": "NS", "points": True}, "it should be a valid integer"),
        ({"do": "correct", "zone": "stock", "cards": {"x": 1}}, "it should be a valid integer or a valid list"),
        ({"do": "rule", "seat": "Q"}, "cannot be 'Q': it should be 'N', 'E', 'S' or 'W'"),
        ({"do": "polish"}, "the order 'polish' is not known"),
    ],
)
def test_a_wrong_order_changes_nothing_and_is_answered_with_what_to_mend(given: dict[str, Any], sentence: str) -> None:
    fold = open_fold(Header("T1", "fibur2024"))
    fold.feed(Console(1.0, "Anna", "start-round", {"deals": 2}))
    fold.answers()
    before = fold.state()
    fields = {name: value for name, value in given.items() if name != "do"}
    (event,) = fold.feed(Console(2.0, "Anna", given["do"], fields))
    (answer,) = fold.answers()
    assert sentence in answer.why
    assert (event.type, answer.why in event.model_dump_json()) == ("table.health", True)
    assert fold.state() == before


def test_a_field_of_a_later_version_is_kept_and_changes_nothing() -> None:
    read = read_order({"do": "warn", "line": "NS", "tone": {"kind": True}})
    assert isinstance(read, Order)
    assert read.fields == {"line": "NS", "tone": {"kind": True}}


def test_a_value_that_may_be_a_hidden_card_is_not_repeated_in_a_refusal() -> None:
    read = read_order({"do": "correct", "zone": "hand-N", "cards": "QS KH"})
    assert isinstance(read, WrongOrder)
    assert "QS" not in read.en + read.it
