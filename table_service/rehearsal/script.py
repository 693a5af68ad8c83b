"""A rehearsed round as data: gestures in order, the meaning of each in the game, and what was injected.

A script knows no times: its performer (``Observer`` at once, the live twin against a clock) finds them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from hw.seats import Seat
from hw.twin.changes import apply
from hw.twin.gestures import Gesture, Wait
from hw.twin.world import World


@dataclass(frozen=True, slots=True)
class ScriptAction:
    """Meaning of a gesture in the game. ``type`` is a word of the truth file (``draw``, ``open``, ``ruled`` …).

    ``cards`` are physical; ``meld`` is the number of the row and ``row`` its content afterwards. ``more`` holds fields
    of some types only.
    """

    type: str
    seat: Seat
    deal: int
    turn: int
    cards: tuple[str, ...] = ()
    meld: int | None = None
    row: tuple[str, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Cue:
    """One gesture and what it is in the game (None: nothing that the rules name)."""

    gesture: Gesture
    actions: tuple[ScriptAction, ...] = ()
    beamed: bool = True
    """True if beams see the hands that make it."""


@dataclass(frozen=True, slots=True)
class Injected:
    """A fault as it was played: catalogue row, offender, and the cues at which it was committed and became evident.

    ``seat`` None: no player's. ``variant`` says in words how it continued. ``also``: rows that state the same fact as
    rightly, as far as sensors go. ``demanded`` False: true, but the table need not report it.
    """

    row: str
    seat: Seat | None
    deal: int
    turn: int
    variant: str
    cards: tuple[str, ...]
    committed: int
    evident: int
    also: tuple[str, ...] = ()
    demanded: bool = True
    penalised: tuple[str, ...] = ()
    """The cards that the code penalises, where just these are to be named."""
    seated: bool = True
    """False: sensors need not show whose it was; an alert that leaves it to the arbitro is right as well."""


@dataclass(frozen=True, slots=True)
class LimitedTurn:
    """Outcome of a turn that a ruling had limited: ``served`` or ``broken``, shown by cue ``cue``.

    ``do``: of another sanction of the ruling, by its verb; empty: of the turn.
    """

    row: str
    seat: Seat
    deal: int
    outcome: str
    cue: int
    do: str = ""


@dataclass(frozen=True, slots=True)
class ScriptDealEnd:
    """End of a deal and its score, line by line and item by item (the oracle's figures)."""

    deal: int
    dealer: Seat
    first: Seat
    turns: int
    manner: str
    by: Seat
    cue: int
    items: dict[str, dict[str, int]]
    running: dict[str, int]


@dataclass(frozen=True, slots=True)
class ScriptMark:
    """A place in a script."""

    world: World
    cues: int
    injected: int
    ends: int
    kept: int


class Habits(Protocol):
    """Manner in which the people of a deal handle the table."""

    def around(self, world: World, gesture: Gesture) -> list[tuple[Gesture, bool]]:
        """Return ``gesture`` as it is really made in ``world``, with what comes before it.

        Each with whether it is the one that stands for the gesture asked for.
        """


@dataclass(slots=True)
class Script:
    """Cues as they are written down, and the world that they lead to."""

    world: World
    cues: list[Cue] = field(default_factory=list)
    injected: list[Injected] = field(default_factory=list)
    ends: list[ScriptDealEnd] = field(default_factory=list)
    kept: list[LimitedTurn] = field(default_factory=list)
    habits: Habits | None = None
    """Manner in which people handle the table; None: each gesture in one way, and nothing besides."""
    paces: dict[Seat, float] = field(default_factory=dict)
    """Factor on the time that each seat's hands take, 1 if not given."""

    def mark(self) -> ScriptMark:
        """Return the present place of the script, for ``back_to``."""
        return ScriptMark(self.world, len(self.cues), len(self.injected), len(self.ends), len(self.kept))

    def back_to(self, mark: ScriptMark) -> None:
        """Strike out what was written since ``mark``."""
        self.world = mark.world
        del self.cues[mark.cues :], self.injected[mark.injected :], self.ends[mark.ends :], self.kept[mark.kept :]

    def do(self, gesture: Gesture, *actions: ScriptAction) -> int:
        """Add ``gesture``, as people make it; its place among the cues. Raises ImpossibleGesture."""
        place = 0
        for each, is_it in self.habits.around(self.world, gesture) if self.habits else [(gesture, True)]:
            self.world = apply(self.world, each)
            self.cues.append(Cue(each, actions if is_it else ()))
            if is_it:
                place = len(self.cues) - 1
        return place

    def cut(self, cues: int) -> None:
        """Leave out all but the first ``cues`` cues, and what is said of the others."""
        del self.cues[cues:]
        self.injected = [fault for fault in self.injected if max(fault.committed, fault.evident) < cues]
        self.ends = [end for end in self.ends if end.cue < cues]
        self.kept = [kept for kept in self.kept if kept.cue < cues]

    def wait(self, seconds: float) -> None:
        """Add a pause."""
        self.do(Wait(round(seconds, 3)))

    def gestures(self) -> Sequence[Gesture]:
        """Return the gestures alone."""
        return [cue.gesture for cue in self.cues]
