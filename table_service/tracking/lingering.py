"""Hands that were at a plate for long when a card came or went: one that moved it soon leaves, an arm that rests stays.

If the beam of another hand missed, the resting arm is the only one reported.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hw.zones import hand
from table_service.tracking.commit_order import READY, Draft
from table_service.tracking.context import TrackingContext
from table_service.tracking.hand_intervals import Interval
from table_service.tracking.scale_steps import ScaleStep

_COMES: Final = 1.8
"""Seconds before a card moves that the hand which moves it is there, at the longest."""
_LEAVES: Final = 2.5
"""Seconds after it within which that hand has left."""
_UNKNOWN: Final = 0.5
"""Confidence of a movement whose maker is unknown."""


@dataclass(frozen=True, slots=True)
class _Watched:
    draft: Draft
    step: ScaleStep
    arm: Interval

    def stays(self, now: float) -> bool | None:
        """Return True if the arm has stayed for longer than one that moved a card; None while undecided."""
        end = now if self.arm.end is None else self.arm.end
        if end - self.step.first_t > _LEAVES:
            return True
        return None if self.arm.end is None else False


class Lingering:
    """Holds movements until the hand that was there has left; a hand that stays is not named as their maker."""

    def __init__(self, context: TrackingContext) -> None:
        self._context = context
        self._watched: list[_Watched] = []

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._watched = []

    @property
    def waits(self) -> bool:
        """True if a hand is still to leave."""
        return bool(self._watched)

    def watch(self, step: ScaleStep, draft: Draft) -> None:
        """Watch whether the hand leaves if ``step`` has become ``draft`` and beams alone show whose hand it was."""
        seat, roles = draft.seat, self._context.roles
        if step.zone not in (roles.drawn, roles.pile):
            return
        if seat is None or "reach" not in draft.basis or self._gate_tells(step):
            return
        hands = [i for i in self._context.hands_at(step.zone, step.first_t - 0.35, step.t) if i.seat is seat]
        if not hands:
            return
        arm = max(hands, key=lambda i: i.start)
        if step.first_t - arm.start > _COMES:
            draft.held = step.first_t + _LEAVES
        self._watched.append(_Watched(draft, step, arm))

    def _gate_tells(self, step: ScaleStep) -> bool:
        """Return True if a card has crossed the gate of a seat on its way to the plate, or from it."""
        start, end = (-1.1, 0.1) if step.change > 0 else (0.1, 1.4)
        return self._context.seat_by_gates(step.first_t + start, step.first_t + end) is not None

    def look_at_time(self) -> None:
        """Release movements of hands that have left; leave the maker open if the hand stays."""
        left = []
        for one in self._watched:
            stays = one.stays(self._context.now)
            if one.draft.id is not None or one.draft.gone or stays is False:
                one.draft.held = READY
            elif stays:
                self._leave_open(one.draft)
            else:
                left.append(one)
        self._watched = left

    def _leave_open(self, draft: Draft) -> None:
        draft.held = READY
        if draft.seat is None:
            return
        own = hand(draft.seat)
        if draft.target == own:
            draft.target = None
            self._context.place(draft.names(), None)
        draft.source = None if draft.source == own else draft.source
        draft.seat, draft.confidence = None, min(draft.confidence, _UNKNOWN)
        draft.basis = [sensor for sensor in draft.basis if sensor != "reach"]
