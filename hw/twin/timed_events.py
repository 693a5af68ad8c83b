"""A gesture's time course: what happens at each moment, to an arm, a card, a gate, a contact."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hw.seats import Seat
from hw.twin.gestures import ConsoleGesture, Gesture, Say
from hw.twin.world import Step


@dataclass(frozen=True, slots=True)
class ArmIn:
    """The arm of ``seat`` reaches over ``zone``, towards (``x``, ``y``) mm; ``beam``: through a beam on its way.

    ``seat`` None: another person's.
    """

    seat: Seat | None
    zone: str
    x: float
    y: float
    beam: bool = True


@dataclass(frozen=True, slots=True)
class ArmOut:
    """The arm leaves the zone."""

    seat: Seat | None
    zone: str
    beam: bool = True


@dataclass(frozen=True, slots=True)
class OverGate:
    """``cards``, as one bundle, lie over the coil of ``zone``."""

    zone: str
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OffGate:
    """No card crosses the coil of ``zone`` any more."""

    zone: str


@dataclass(frozen=True, slots=True)
class CardChange:
    """The cards lie otherwise from now on."""

    step: Step


@dataclass(frozen=True, slots=True)
class Pressure:
    """A load of ``grams`` other than cards is on the scale of ``zone`` from now on."""

    zone: str
    grams: float


@dataclass(frozen=True, slots=True)
class Pose:
    """A hand-shield is turned."""

    seat: Seat
    pose: Literal["up", "over"]


@dataclass(frozen=True, slots=True)
class Push:
    """A button goes down or up."""

    seat: Seat
    button: str
    down: bool


@dataclass(frozen=True, slots=True)
class Contact:
    """A contact of the screen or the tray, named as in ``hw.twin.raw``, opens or closes."""

    sensor: str
    closed: bool


@dataclass(frozen=True, slots=True)
class Blow:
    """A knock on the table."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class PersonEntry:
    """Something is entered by a person: at the console, or a declaration."""

    what: ConsoleGesture | Say


Act = ArmIn | ArmOut | OverGate | OffGate | CardChange | Pressure | Pose | Push | Contact | Blow | PersonEntry


@dataclass(frozen=True, slots=True)
class Beat:
    """``act`` at ``t`` seconds of the table's clock."""

    t: float
    act: Act


@dataclass(frozen=True, slots=True)
class Performed:
    """Result of a gesture: when it began, when the cards moved (else when it showed), when the last hand was gone.

    ``cards`` are the cards that it moved; a drawn one is named here whether or not any sensor read it.
    """

    gesture: Gesture
    start: float
    committed: float
    end: float
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Performance:
    """A gesture's beats in the order of time, and what it came to."""

    performed: Performed
    beats: tuple[Beat, ...]
