"""Weights that are no cards: fingers and sleeves on a plate, the score sheet that is lifted off the pots for a moment.

A change that other sensors speak for is a card's at once. Any other is held while a hand is there and until the plate
has been weighed after it has left: what goes back to the former weight was no card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from table_service.tracking.scale_steps import ScaleStep
from table_service.tracking.zone_roles import ZoneRoles

_AFTER: Final = 0.02
"""Seconds after the hand has left from which a reading at rest shows the contents."""
_UNSEEN: Final = 1.0
"""The same after the last change, if no hand was seen."""
_LONGEST: Final = 12.0
"""Seconds for which a change is held at most: a load still there then counts as cards."""
_SHEET: Final = 5
"""Cards that weigh more than a sheet of paper."""
_APART: Final = 1.5
"""Seconds between two changes from which one hand did not bring both at once: in between a player may have drawn."""
_PLAIN: Final = 0.9
"""From this confidence on a step is what the scale says."""
MOST: Final = 4
"""More cards than these never come onto a plate at once without another sensor noticing."""


class Held:
    """Steps that one scale has reported and that are not accepted yet."""

    def __init__(self) -> None:
        self.steps: list[ScaleStep] = []
        self.told = False
        """True once an ``Unverified`` was emitted for a load that nothing explains."""

    @property
    def net(self) -> int:
        """Sum of the held changes, in cards."""
        return sum(step.change for step in self.steps)

    @property
    def is_residue(self) -> bool:
        """True if the plate went up and down, and what is left of it is one card: then it was misweighed by one."""
        return abs(self.net) == 1 and min(step.change for step in self.steps) < 0 < max(s.change for s in self.steps)

    def add(self, step: ScaleStep) -> None:
        """One more change; together with those before it may be none."""
        self.steps.append(step)
        if self.net == 0:
            self.steps = []

    def whole(self) -> ScaleStep:
        """All that is held as one change."""
        return whole_of(self.steps)

    def parts(self) -> list[ScaleStep]:
        """Return the held steps as they came: one change if they came at once, or if the plate also grew lighter."""
        if any(step.change < 0 for step in self.steps):
            return [self.whole()]
        groups: list[list[ScaleStep]] = []
        for step in self.steps:
            if groups and step.first_t - groups[-1][-1].t < _APART:
                groups[-1].append(step)
            else:
                groups.append([step])
        return [whole_of(group) for group in groups]

    def since(self, now: float) -> float | None:
        """Return the time at which the held steps began; None if held for too long to be waited for."""
        return self.steps[0].first_t if self.steps and now - self.steps[-1].t < _LONGEST else None

    def has_stayed(self, hand_left: float | None, rested: float, now: float) -> bool:
        """Return True if the plate was weighed, at ``rested``, after the hand ``hand_left``; None: no hand was seen."""
        last = self.steps[-1].t
        after = last + _UNSEEN if hand_left is None else max(last, hand_left + _AFTER)
        return rested >= after or now > last + _LONGEST


def whole_of(steps: Sequence[ScaleStep]) -> ScaleStep:
    """Return ``steps``, one or more, as one change."""
    first, last = steps[0], steps[-1]
    return replace(
        last,
        change=sum(step.change for step in steps),
        first_t=first.first_t,
        confidence=min(step.confidence for step in steps),
        first=first.first,
        swung=any(step.swung for step in steps),
    )


def is_guess(step: ScaleStep) -> bool:
    """Return True if coarse readings alone speak for a card more or less on heaps: no single card comes there."""
    return abs(step.change) == 1 and step.confidence < _PLAIN


def is_plain(step: ScaleStep, roles: ZoneRoles, heap: int) -> bool:
    """Return True if only cards can have made ``step``: a finger makes no plate lighter, a sheet weighs no ``heap``.

    On the heaps lies the score sheet, which is lifted to be written on: of them one heap goes, or a good part. What
    comes there may be a hand that leans on it as heavily as a heap.
    """
    if step.zone == roles.heaps:
        return heap > 0 and (step.change == -heap or -2 * heap <= step.change < -_SHEET)
    return step.change < 0 and step.zone in (roles.drawn, roles.pile)
