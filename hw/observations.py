"""Observations of the table, one frozen value each (interfaces, section 2).

``t`` is the moment of sensing in seconds from the start of the log, monotonic, to the microsecond.
Positions are in millimetres from the table's centre, x to East, y to North; angles in degrees anticlockwise
modulo 180, 0 for a card that is upright seen from South.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, Literal

from msgspec import Meta

from hw.seats import Seat

Face = Literal["up", "down"]
BEYOND: Final = 1e9
"""No time in seconds, weight in grams or place in mm at a table is as large."""
Measure = Annotated[float, Meta(gt=-BEYOND, lt=BEYOND)]
"""A number that a sensor can have measured; a log line with a larger one is refused."""


@dataclass(frozen=True, slots=True)
class Tags:
    """One inventory of one coil: the UIDs that answered. A tag that did not answer may only have been missed."""

    kind: ClassVar[str] = "tags"
    t: Measure
    zone: str
    tags: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Scale:
    """One reading of one scale in grams, net of its plate; ``settled`` when the reading no longer swings."""

    kind: ClassVar[str] = "scale"
    t: Measure
    zone: str
    grams: Measure
    settled: bool


@dataclass(frozen=True, slots=True)
class SightedCard:
    """One physical card as one camera frame shows it.

    ``row`` names the meld it lies in (None outside melds), ``order`` its place there, 0 nearest the keeper.
    ``seat``: of a bidding card, in whose compartment of the tray it lies.
    """

    card: str
    zone: str
    x: Measure
    y: Measure
    angle: Measure
    face: Face
    confidence: Measure
    row: int | None = None
    order: int | None = None
    seat: Seat | None = None


@dataclass(frozen=True, slots=True)
class Sight:
    """All that one camera frame shows. ``hidden`` names zones partly or wholly covered in it."""

    kind: ClassVar[str] = "sight"
    t: Measure
    cards: tuple[SightedCard, ...]
    hidden: tuple[str, ...] = ()
    frame: int | str | None = None


@dataclass(frozen=True, slots=True)
class Reach:
    """A hand crosses a beam. ``seat`` None is another hand (the arbitro's) or an unidentified one."""

    kind: ClassVar[str] = "reach"
    t: Measure
    seat: Seat | None
    zone: str | None
    phase: Literal["in", "out"]


@dataclass(frozen=True, slots=True)
class Shield:
    """The hand-shield (paramani) of a seat: upright, or turned over as the sign of pot or closing."""

    kind: ClassVar[str] = "shield"
    t: Measure
    seat: Seat
    pose: Literal["up", "over"]


@dataclass(frozen=True, slots=True)
class Screen:
    """The screen (separé) or its aperture (sipario) moved, and who moved it."""

    kind: ClassVar[str] = "screen"
    t: Measure
    part: Literal["panel", "aperture"]
    pose: Literal["up", "down", "open", "closed"]
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Tray:
    """The bidding tray is on a side or is being pushed."""

    kind: ClassVar[str] = "tray"
    t: Measure
    side: Literal["NE", "SW", "moving"]
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Knock:
    """A knock on the table top."""

    kind: ClassVar[str] = "knock"
    t: Measure
    seat: Seat | None


@dataclass(frozen=True, slots=True)
class Button:
    """A button pressed at a seat."""

    kind: ClassVar[str] = "button"
    t: Measure
    seat: Seat
    button: str


@dataclass(frozen=True, slots=True)
class Said:
    """A declaration that a person entered (``pot``, ``close``, ``card:7H``). It may always be missing."""

    kind: ClassVar[str] = "said"
    t: Measure
    seat: Seat | None
    what: str


@dataclass(frozen=True, slots=True)
class Console:
    """An act of the arbitro: ``do`` names it, ``fields`` holds whatever else it says."""

    kind: ClassVar[str] = "console"
    t: Measure
    by: str
    do: str
    fields: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Health:
    """A source of observations (a node, the camera) came, went or started anew."""

    kind: ClassVar[str] = "health"
    t: Measure
    node: str
    state: Literal["ok", "lost", "reset"]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Other:
    """An observation of a kind this version does not know: kept, and not acted on."""

    t: Measure
    kind: str
    fields: dict[str, Any] = field(default_factory=dict)


Observation = Tags | Scale | Sight | Reach | Shield | Screen | Tray | Knock | Button | Said | Console | Health | Other
