"""The line of the demo's end that says what the round came to."""

from __future__ import annotations

import pytest

from table_service.commands.demo.summary import result_line

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
