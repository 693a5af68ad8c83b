"""What the camera could see of the twin at one moment, in table millimetres."""

from __future__ import annotations

from dataclasses import dataclass

from hw.seats import Seat


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on the table. ``angle`` in degrees anticlockwise, 0 upright seen from South."""

    card: str
    x: float
    y: float
    angle: float
    face_up: bool


@dataclass(frozen=True, slots=True)
class Arm:
    """A forearm in its sleeve that reaches from its seat's edge to (``x``, ``y``)."""

    seat: Seat
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything on the table at moment ``t`` (seconds of the table's clock); cards from below to above."""

    t: float
    cards: tuple[PlacedCard, ...]
    arms: tuple[Arm, ...] = ()
