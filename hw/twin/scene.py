"""Scene of the twin that the camera could see at one moment, in table millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from hw.bidding import TraySide
from hw.seats import Seat

BID: Final = "bid:"
"""Prefix of the name of a bidding card: ``7C`` alone is a playing card."""


TrayPlace = TraySide | Literal["moving"]
"""Place of a tray that can be seen."""


@dataclass(frozen=True, slots=True)
class PlacedCard:
    """A card on the table. ``angle`` in degrees anticlockwise, 0 upright seen from South.

    ``card``: a playing card, or a bidding card after ``BID``.
    """

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
    """Everything on the table at moment ``t`` (seconds of the table's clock); cards from below to above.

    ``tray``: where the tray of bidding cards is; None if there is none.
    """

    t: float
    cards: tuple[PlacedCard, ...]
    arms: tuple[Arm, ...] = ()
    tray: TrayPlace | None = None
