"""`tavolo movements`: the movements of a field, and one of them round by round."""

from __future__ import annotations

import json


def test_movements_are_listed_with_their_cost_and_shown_round_by_round(invoke):
    listed = invoke("movements", "18", "--boards", "27")
    assert listed.exit_code == 0
    assert "9 rounds of 3 boards" in listed.output
    number = next(line.split(".")[0] for line in listed.output.splitlines() if "Mitchell" in line)
    shown = invoke("movements", "18", "--boards", "27", "--show", number)
    assert "table  1:  1 - 10  board 1-3" in shown.output
    told = [json.loads(line) for line in invoke("movements", "18", "--boards", "27", "--json").output.splitlines()]
    assert {one["kind"] for one in told} >= {"mitchell", "three-quarter"}


def test_a_field_without_a_movement_is_refused(invoke):
    assert invoke("movements", "3").exit_code == 1
    assert invoke("movements", "18", "--show", "99").exit_code == 2
