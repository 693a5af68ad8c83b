"""The rehearsal gives no sight that a table's own camera could not: in every game what hand areas hide is hidden."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import pytest

from hw.observations import Sight
from table_service.camera.camera_loop import DealCourse
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import RULE_SETS, open_fold
from tests.sweeps import rest_in_proof


class MaskedEye:
    """The masks of a table's camera, as the course of its deals sets them."""

    def __init__(self) -> None:
        self.is_open = True
        self.open: frozenset[str] = frozenset()

    def new_deal(self) -> None:
        self.is_open, self.open = False, frozenset()

    def deal_over(self) -> None:
        self.is_open = True

    def deal_goes_on(self) -> None:
        self.is_open = False

    def open_hands(self, zones: Collection[str]) -> None:
        self.open = frozenset(zones)


LIKE_ANOTHER = ("feburit", "online")
"""Rule sets whose deals are handled as those of fibur2024."""
PLAYED = [
    (one, habits)
    for one in sorted(RULE_SETS, key=lambda rules: rules in LIKE_ANOTHER)
    for habits in rehearsal_of(one).habits
]


@pytest.mark.parametrize(
    ("rules", "habits"), rest_in_proof(PLAYED, sum(rules not in LIKE_ANOTHER for rules, _ in PLAYED))
)
def test_no_sight_shows_what_the_camera_masks(rules: str, habits: str) -> None:
    rehearsal = prepare(rules, 3, 2 if rules == "bridge" else 1, noise="none", habits=habits)
    fold, course, eye = open_fold(rehearsal.header), DealCourse(), MaskedEye()
    masked = rehearsal_of(rules).table.layout.masked
    wrong: list[Any] = []
    for seen in rehearsal.observations():
        course.apply_pending(eye)  # type: ignore[arg-type]
        if isinstance(seen, Sight) and not eye.is_open:
            wrong += [(seen.t, one) for one in seen.cards if one.zone in masked and one.zone not in eye.open]
        for event in fold.feed(seen):
            course.heard(event)
    assert wrong == []
