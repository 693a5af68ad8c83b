"""Every row of the code as a log of this room's own: told as the text wants, at each moment, in other words as well."""

from __future__ import annotations

import random

import pytest

from tests.independent.casebook import CASES
from tests.independent.cases import one
from tests.independent.code import CODE, EXAMPLES
from tests.independent.wordings import SOFT, TRAITS, WORDINGS
from tests.sweeps import rest_in_proof

NOT_YET: dict[str, str] = {}
"""Found by this room and not mended yet: case and why."""
SENSED = sorted(name for name in CASES if " " not in name)
TOLD = sorted(name for name in CASES if " " in name)


def _marked(names):
    return [
        pytest.param(name, marks=pytest.mark.xfail(reason=NOT_YET[name], strict=True)) if name in NOT_YET else name
        for name in names
    ]


@pytest.mark.parametrize("name", _marked(SENSED))
def test_what_sensors_tell_is_told_as_the_text_wants(name, tmp_path):
    assert one(name, 30, tmp_path) == []


@pytest.mark.parametrize("name", _marked(TOLD))
def test_what_people_enter_has_the_consequences_of_the_text(name, tmp_path):
    assert one(name, 30, tmp_path) == []


UNPLACED = {
    "a_meld_in_the_partners_turn": "not told",
    "a_run_put_in_order_in_the_partners_turn": "not told",
    "the_stock_inspected_out_of_turn": "not told: which zone the hand was in nobody knows",
}
"""Cases that beams which tell no place leave wrong (see README.md), and what comes of them."""
WORDS = [name for name in [*WORDINGS, *TRAITS] if name != "as it is"]


@pytest.mark.parametrize("many", rest_in_proof([1, 3]))
@pytest.mark.parametrize("wording", WORDS)
def test_the_same_in_other_words_is_told_the_same(wording, many, tmp_path):
    known = {*NOT_YET, *(UNPLACED if wording == "no places" else ())}
    names = random.Random(wording).sample([name for name in SENSED if name not in known], many)
    wrong = {name: said for name in names if (said := one(name, 31, tmp_path, wording))}
    assert wrong == {}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.xfail(reason=why, strict=True)) for name, why in UNPLACED.items()]
)
def test_what_beams_without_places_leave_wrong(name, tmp_path):
    assert one(name, 31, tmp_path, "no places") == []


def test_every_row_and_every_worked_example_of_the_code_has_a_case():
    proven = {row for case in CASES.values() for row in case.rows}
    assert {*CODE, *EXAMPLES} - proven == NO_CASE


NO_CASE = set()
"""Rows without a case."""


@pytest.mark.parametrize("name", ["both_lines_have_taken_a_pot_and_the_stock_runs_out", "a_round_of_two_deals"])
def test_rows_that_a_camera_numbers_apart_for_each_line_are_melds_of_their_own(name, tmp_path):
    assert one(name, 40, tmp_path, "rows by line") == []


@pytest.mark.parametrize("wording", [name for name in SOFT if name not in ("never settled", "few readings")])
def test_a_sensor_that_fails_accuses_nobody_and_makes_no_score(wording, tmp_path):
    names = ("two_melds_upon_each_other", "a_pot_in_flight", "time_out_in_the_turn_of_the_second")
    assert {name: said for name in names if (said := one(name, 60, tmp_path, wording))} == {}
