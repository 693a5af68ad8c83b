"""The events that tell of a board. Nothing here names what the other side of the screen may not know yet."""

from __future__ import annotations

from typing import ClassVar, Final

from table_service.events.payloads import PLAY, Payload

_BEHIND_SCREENS_BYTES: Final = 8192
"""Room for all that screens hide of a board: about forty calls with their times, alerts, tempo, and four hands."""


class BoardPlaced(Payload):
    """The board that is played. ``board``: its number, None: nobody said. ``recorded``: a record of its deal is known.

    ``dealer``, ``vulnerable``: as the order or the board's number has them.
    """

    board: int | None
    dealer: str
    vulnerable: str
    recorded: bool


class BoardChecked(Payload):
    """The pockets of the board were weighed. ``counts``: cards by seat, None where the weight fits no number."""

    counts: dict[str, int | None]
    complete: bool | None


class TrayPassed(Payload):
    """The tray has come to ``side``; ``tray_ms``: how long it stood on the other, as everybody could see."""

    SEALED_BYTES: ClassVar[int] = _BEHIND_SCREENS_BYTES
    side: str
    tray_ms: int


class CallMade(Payload):
    """A call that all four may know: its tray has been passed, or the aperture is open.

    ``tray_ms``: how long the tray stood on that side. When each of the two called there, only the arbitro learns.
    """

    call: str
    seat: str
    tray_ms: int | None


class AlertTold(Payload):
    """An alert, told when the board is over: ``seat`` has shown it, or got it back, on ``side``."""

    seat: str
    side: str


class ScreenSealed(Payload):
    """Sealed state behind the screens, for the arbitro alone; sent with every call for him, to betray nothing."""

    SEALED_BYTES: ClassVar[int] = _BEHIND_SCREENS_BYTES


class ContractMade(Payload):
    """The auction is over. ``contract``: as ``3NTX``; None: all have passed."""

    contract: str | None
    declarer: str | None
    leader: str | None


class ScreenMoved(Payload):
    """The aperture is open."""

    part: str = "aperture"


class LeadMade(Payload):
    """The opening lead that stands. ``opens``: whose hand lies open from now on; None where it is not sure."""

    card: str
    seat: str
    opens: str | None = None


class DummySpread(Payload):
    """Dummy's cards lie open, those that could be read."""

    cards: tuple[str, ...]


class TrickPlayed(Payload):
    """A card was played to trick ``n``, from 1. ``card``: that card, ``cards``: all that lie there, by seat.

    ``winner``: whose the full trick is, None before, and where nobody knows. ``certain``: whether all four were read.
    """

    n: int
    card: str
    cards: dict[str, str]
    winner: str | None = None
    certain: bool = True


class TrickWon(Payload):
    """Trick ``n`` is full. ``led``: who led. ``corrected``: it was told otherwise before."""

    n: int
    cards: dict[str, str]
    winner: str | None
    led: str | None = None
    certain: bool = True
    corrected: bool = False


class PenaltyCardTold(Payload):
    """A card of a defender has become a penalty card (``penalty-card.set``), or is none any more."""

    card: str
    seat: str
    kind: str


class ClaimMade(Payload):
    """Play has ended by a claim or a concession before trick ``n``. ``cards``: those of the hand that was laid open.

    ``opens``: whose hand lies open, or is about to.
    """

    cards: tuple[str, ...]
    n: int
    opens: str | None = None


class BoardSealed(Payload):
    """The board is over: its log of tempo, alerts and hands, for the arbitro alone."""

    SEALED_BYTES: ClassVar[int] = _BEHIND_SCREENS_BYTES
    board: int | None


PAYLOADS: Final[dict[str, type[Payload]]] = {
    **PLAY,
    "board.placed": BoardPlaced,
    "board.checked": BoardChecked,
    "tray.passed": TrayPassed,
    "call.made": CallMade,
    "alert.shown": AlertTold,
    "alert.returned": AlertTold,
    "screen.sealed": ScreenSealed,
    "contract.made": ContractMade,
    "screen.opened": ScreenMoved,
    "lead.made": LeadMade,
    "dummy.spread": DummySpread,
    "trick.played": TrickPlayed,
    "trick.won": TrickWon,
    "penalty-card.set": PenaltyCardTold,
    "penalty-card.served": PenaltyCardTold,
    "claim.made": ClaimMade,
    "board.sealed": BoardSealed,
}
