"""The score of a gesture: beats as they are written down one after another, and the three grips most are made of."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

from hw.seats import Seat
from hw.twin.changes import apply
from hw.twin.gestures import Gesture
from hw.twin.timed_events import Act, ArmIn, ArmOut, Beat, CardChange, OffGate, OverGate, Performance, Performed
from hw.twin.world import Step, World
from hw.zones import gate

Span = tuple[float, float]
"""Seconds, from and to."""
_CROSSING: Final[Span] = (0.18, 0.27)
"""Seconds that a card lies over a gate's coil."""
_STRAY: Final = 0.03
"""A card crosses the gate at the table's edge this much before or after the arm does."""


class GestureTimeline:
    """The beats of one gesture, and the clock ``t`` they run on; ``world`` is the table after what is written so far.

    ``cards``: those that the gesture moves. ``committed``: when it first changed the table, or what else counts for it.
    ``pace``: how long everything takes, 1 at the usual speed.
    """

    def __init__(self, gesture: Gesture, world: World, t: float, rng: random.Random, pace: float) -> None:
        self.pace = pace
        self.gesture = gesture
        self.world = world
        self.rng = rng
        self.beats: list[Beat] = []
        self.t = t
        self.start = t
        self.committed: float | None = None
        self.cards: tuple[str, ...] = ()

    def wait(self, low: float, high: float) -> None:
        """Time passes, drawn between ``low`` and ``high`` seconds at the usual speed."""
        self.t += self.rng.uniform(low, high) * self.pace

    def hold(self, seconds: float) -> None:
        """Time passes by so many seconds, whatever the speed."""
        self.t += max(0.0, seconds)

    def add(self, act: Act, t: float | None = None) -> None:
        """``act`` happens now, or at ``t``."""
        self.beats.append(Beat(self.t if t is None else t, act))

    def change(self, step: Step) -> None:
        """Change the cards or shields by ``step`` now."""
        self.world = apply(self.world, step)
        self.add(CardChange(step))
        if self.committed is None:
            self.committed = self.t

    def arm_in(self, seat: Seat | None, zone: str, at: tuple[float, float] | None = None, *, beam: bool = True) -> None:
        """Bring an arm over ``zone``, at its middle or ``at`` a spot in millimetres; ``beam``: it breaks a beam."""
        x, y = at or self.world.table.rect(zone).centre
        self.add(ArmIn(seat, zone, x, y, beam))

    def arm_out(self, seat: Seat | None, zone: str, *, beam: bool = True) -> None:
        """Take an arm away from ``zone``."""
        self.add(ArmOut(seat, zone, beam))

    def crossing(self, zone: str, cards: tuple[str, ...], at: float | None = None) -> None:
        """``cards`` cross the coil of ``zone``, from now on for a crossing's time."""
        begin = self.t if at is None else at
        self.add(OverGate(zone, cards), begin)
        self.add(OffGate(zone), begin + self.rng.uniform(*_CROSSING) * self.pace)

    def over_mouth(self, stack: str, cards: tuple[str, ...]) -> None:
        """Let ``cards`` cross the mouth of ``stack`` now, if it has a gate."""
        mouth = self.world.table.mouth(stack)
        if mouth is not None:
            self.crossing(mouth, cards)

    def edge(self, seat: Seat, cards: tuple[str, ...]) -> None:
        """``cards`` cross the gate of ``seat`` while its arm goes in or out."""
        if cards:
            self.crossing(gate(seat), cards, max(self.start, self.t + self.rng.uniform(-_STRAY, _STRAY)))

    def done(self) -> Performance:
        """All that was written, in the order of time."""
        end = max([self.t, *(beat.t for beat in self.beats)])
        beats = tuple(sorted(self.beats, key=lambda beat: beat.t))
        committed = self.t if self.committed is None else self.committed
        return Performance(Performed(self.gesture, self.start, committed, end, self.cards), beats)


Writer = Callable[[GestureTimeline, Any], None]
"""Writes a gesture down."""
Writers = dict[type[Gesture], Writer]


def lay_on(
    score: GestureTimeline,
    seat: Seat,
    zone: str,
    cards: tuple[str, ...],
    step: Step,
    reach: Span,
    at: tuple[float, float] | None = None,
) -> None:
    """Have a hand bring ``cards`` out over its gate, lay them at ``zone`` and go back."""
    score.cards = cards
    score.arm_in(seat, zone, at)
    score.edge(seat, cards)
    score.wait(*reach)
    score.change(step)
    score.wait(0.4, 0.75)
    score.arm_out(seat, zone)


def carry_home(score: GestureTimeline, seat: Seat, zone: str, cards: tuple[str, ...], step: Step) -> None:
    """Have a hand take ``cards`` from ``zone`` and carry them home over its gate."""
    score.cards = cards
    score.arm_in(seat, zone)
    score.wait(0.5, 0.8)
    score.change(step)
    score.wait(0.5, 0.8)
    score.edge(seat, cards)
    score.arm_out(seat, zone)


def carry(score: GestureTimeline, seat: Seat, source: str, target: str, cards: tuple[str, ...], step: Step) -> None:
    """Have a hand take ``cards`` from ``source``, lay them at ``target`` and go home; they cross no gate."""
    score.cards = cards
    score.arm_in(seat, source)
    score.wait(0.5, 0.8)
    score.arm_in(seat, target)
    score.wait(0.2, 0.5)
    score.change(step)
    score.wait(0.3, 0.6)
    score.arm_out(seat, target)
    score.wait(0.1, 0.4)
    score.arm_out(seat, source)


def touch(
    score: GestureTimeline,
    seat: Seat,
    zone: str,
    step: Step,
    spans: tuple[Span, Span] = ((0.5, 0.9), (0.4, 0.75)),
    at: tuple[float, float] | None = None,
) -> None:
    """Have a hand move what lies in ``zone`` and take none of it home; ``spans``: before the change, and after it."""
    score.arm_in(seat, zone, at)
    score.wait(*spans[0])
    score.change(step)
    score.wait(*spans[1])
    score.arm_out(seat, zone)
