"""The line of the demo's end that says what the round came to."""

from __future__ import annotations

import pytest

from table_service.commands.demo.summary import result_line, truth_of

ENDED = {"match_points": {"NS": 325, "EW": -325}, "victory_points": None}


@pytest.mark.parametrize(
    ("rules", "vp", "said"),
    [
        ("online", None, "Result of the round: match points 325 / -325"),
        ("feburit", None, "Result of the round: match points 325 / -325, victory points not known"),
        ("fibur2024", {"NS": 14, "EW": 6}, "Result of the round: match points 325 / -325, victory points 14 / 6"),
    ],
)
def test_victory_points_are_said_where_the_code_has_them(rules: str, vp: dict[str, int] | None, said: str) -> None:
    assert result_line(rules, {**ENDED, "victory_points": vp}, "en") == said


def test_a_count_that_a_visitors_ruling_changed_is_not_called_wrong() -> None:
    played, told = {"NS": 64, "EW": 56}, {"NS": 64, "EW": 6}
    assert truth_of(told, played, ruled=True) == "ruled"
    assert truth_of(told, played, ruled=False) == "other"
    assert truth_of(played, played, ruled=True) == "same"
    assert truth_of({**told, "EW": None}, played, ruled=True) == "open"
