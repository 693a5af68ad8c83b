"""The quick reader of log lines gives what the judging reader gives, or leaves the line to it."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.observation_json import json_line, observation_from_json, observation_to_json, plain_observation, rounded
from hw.observation_log import LogError, parse_line
from hw.observations import Other, Scale, Sight, SightedCard, Tags

numbers = st.floats(-2e9, 2e9) | st.integers(-10, 10) | st.booleans() | st.just("3")
words = st.sampled_from(["stock", "hand-N", "??", "7H#2", "N", "à", '"', "kind", "", "\\"])
values: Any = st.none() | numbers | words | st.lists(words, max_size=2)
NAMES = ["zone", "grams", "settled", "tags", "seat", "phase", "frame", "hidden", "button", "side", "pose", "kind", "x"]
cards = st.fixed_dictionaries(
    {"card": words | numbers, "zone": words},
    optional={
        "x": numbers, "y": numbers, "angle": numbers, "confidence": numbers, "row": values, "order": values,
        "face": st.sampled_from(["up", "down", "side"]), "seat": words, "kind": words,
    },
)  # fmt: skip
lines = st.builds(
    lambda t, kind, fields, laid: {"t": t, "kind": kind, **fields} | ({"cards": laid} if laid is not None else {}),
    numbers,
    st.sampled_from(["tags", "scale", "sight", "reach", "shield", "tray", "knock", "button", "other"]),
    st.dictionaries(st.sampled_from(NAMES), values, max_size=6),
    st.none() | st.lists(cards, max_size=3),
)


@given(lines)
def test_a_line_that_is_read_quickly_is_read_as_the_judging_reader_reads_it(line: dict[str, Any]) -> None:
    if (made := plain_observation(json.dumps(line, ensure_ascii=False))) is not None:
        assert repr(made) == repr(observation_from_json(line))


@pytest.mark.parametrize(
    "text",
    [
        '{"t": 1.0, "kind": "scale", "zone": "stock", "grams": 5.0, "settled": true, "kind": "tags"}',
        '{"t": 1.0, "kind": "scale", "zone": "stock", "grams": 5.0, "settled": true, "\\u006bind": "odd"}',
        '{"t": 1e12, "kind": "scale", "zone": "stock", "grams": 5.0, "settled": true}',
        '{"t": true, "kind": "knock", "seat": "N"}',
        '{"t": 1.0, "kind": "knock", "seat": "Q"}',
    ],
)
def test_a_hostile_line_is_left_to_the_judging_reader(text: str) -> None:
    assert plain_observation(text) is None


def test_the_last_of_two_kinds_counts_and_lacking_fields_are_named() -> None:
    two = '{"t": 1.0, "kind": "scale", "zone": "stock", "grams": 5.0, "settled": true, "kind": "odd"}'
    assert isinstance(parse_line(two, 2), Other)
    with pytest.raises(LogError, match="'grams' is missing"):
        parse_line('{"t": 1.0, "kind": "scale", "zone": "stock"}', 2)


@pytest.mark.parametrize(
    "made",
    [
        Scale(1.25, "stock", 104.2, True),
        Tags(2.0, "gate-N", ("E0040150A1B2C3D4",)),
        Sight(3.0, (SightedCard("7H", "melds-NS", 1.0, -2.5, 90.0, "up", 0.99, 3, 0),), ("hand-N",), 17),
    ],
)
def test_what_sensors_write_is_read_quickly(made: Scale | Tags | Sight) -> None:
    assert plain_observation(json_line(observation_to_json(made)).decode()) == made


@given(st.recursive(values | st.integers(), lambda inner: st.dictionaries(st.text(max_size=3), inner, max_size=3)))
def test_a_line_is_written_as_the_standard_library_reads_it(value: Any) -> None:
    assert json.loads(json_line({"t": 0.5, "value": value})) == {"t": 0.5, "value": value}


def test_half_a_surrogate_pair_becomes_an_escape() -> None:
    assert json.loads(json_line({"note": "\ud800"})) == {"note": "\ud800"}


def test_a_value_is_rounded_as_python_rounds_it() -> None:
    chance = random.Random(1)
    values = [chance.uniform(-1000, 1000) for _ in range(2000)]
    values += [round(value, digits) for value in values for digits in (1, 2, 3)]
    values += [0.0, -0.0, float("inf"), 1e308, 0.25, 0.35, 2.3, -0.04, 0.05, 7, -5, 5e-324]
    for digits, per in ((1, 10), (3, 1000)):
        assert [repr(rounded(one, digits, per)) for one in values] == [repr(round(one, digits)) for one in values]
