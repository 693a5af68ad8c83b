"""Things that come due while a simulated table is observed: readings on their way, bursts of noise, sights, beats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hw.observations import (
    Sight,
)


@dataclass(frozen=True, slots=True)
class ScaleReading:
    """A value of a scale is on its way, unless the plate has changed since."""

    zone: str
    generation: int


@dataclass(frozen=True, slots=True)
class OwnBeat:
    """A scale that speaks by itself is to speak, unless it has spoken since."""

    zone: str


@dataclass(frozen=True, slots=True)
class Burst:
    """The node takes the noise of ``zone``'s plate for a change, unless it swings."""

    zone: str


@dataclass(frozen=True, slots=True)
class Stray:
    """A reading of such a burst."""

    zone: str
    generation: int
    settled: bool


@dataclass(frozen=True, slots=True)
class Arrival:
    """Arrival of what the camera saw."""

    sight: Sight


# what is due by its name alone
FRAME: Final = "frame"
BEAT: Final = "heartbeat"
RESET: Final = "reset"
BACK: Final = "back"
TRAY: Final = "tray"
MOVING: Final = "moving"
