"""Gestures at a table with bidding screens, as data: the tray, the aperture, cards quitted before their player.

The rest are gestures of every table (``hw.twin.gestures``): ``Play`` lays a card before its player if the table has
no place for a trick, ``LayOut`` spreads a hand, ``TakeHeap`` takes it out of its pocket of the board, ``PutAside``
lays a penalty card at the side.
"""

from __future__ import annotations

from dataclasses import dataclass

from hw.seats import Seat


@dataclass(frozen=True, slots=True)
class CallGesture:
    """``seat`` lays the bidding card ``call`` (``hw.bidding``; also ``stop``) in its compartment of the tray.

    A card that it holds up beside the tray is the one that is laid.
    """

    seat: Seat
    call: str


@dataclass(frozen=True, slots=True)
class HoldCall:
    """``seat`` shows the bidding card ``call`` beside the tray, and does not lay it there yet."""

    seat: Seat
    call: str


@dataclass(frozen=True, slots=True)
class TakeBackCall:
    """``seat`` takes its last call off the tray, or the one that it holds up."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ClearTray:
    """``seat`` puts all its bidding cards back into its box."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class AlertGesture:
    """``seat`` lays the alert card over the last call of ``of``."""

    seat: Seat
    of: Seat


@dataclass(frozen=True, slots=True)
class GiveBack:
    """``seat`` takes the alert card off the calls of ``of`` and hands it back."""

    seat: Seat
    of: Seat


@dataclass(frozen=True, slots=True)
class PushTray:
    """``seat`` pushes the tray to the other side; ``back``: only half-way, and back to its old place."""

    seat: Seat
    back: bool = False


@dataclass(frozen=True, slots=True)
class OpenAperture:
    """``seat`` opens the aperture of the screen."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class CloseAperture:
    """``seat`` closes the aperture of the screen."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class LeadFaceDown:
    """``seat`` lays ``card`` of its hand face down before itself."""

    seat: Seat
    card: str


@dataclass(frozen=True, slots=True)
class FaceCards:
    """``seat`` turns up what lies face down before it and was never faced: the opening lead."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class QuitGesture:
    """``seat`` turns its face-up card over: ``across``, a trick that its line has lost, else lengthwise."""

    seat: Seat
    across: bool = False


@dataclass(frozen=True, slots=True)
class TakeBackCard:
    """``seat`` takes the last card before it that is not turned yet, face up or down, back into its hand."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class ReturnHand:
    """``seat`` gathers the cards before it and in its hand and puts them back into its pocket of the board."""

    seat: Seat


ScreenGesture = (
    CallGesture
    | HoldCall
    | TakeBackCall
    | ClearTray
    | AlertGesture
    | GiveBack
    | PushTray
    | OpenAperture
    | CloseAperture
    | LeadFaceDown
    | FaceCards
    | QuitGesture
    | TakeBackCard
    | ReturnHand
)
