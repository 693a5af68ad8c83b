"""The events that tell of a deal of tarocco. A card that did not lie face up for all to see is never named."""

from __future__ import annotations

from typing import Final

from table_service.events.payloads import PLAY, Payload


class ScartoMade(Payload):
    """The scarto lies: so many ``cards``, of which none is named; ``knocked``: the scartatore has said so.

    ``cards``: null at a table where no sensor tells of the scarto.
    """

    cards: int | None
    knocked: bool = False


class AccusoShown(Payload):
    """``cards`` were shown for their combinations; ``points`` they count, None where a card was not read.

    ``late``: after the own first card, so that they count nothing.
    """

    cards: tuple[str, ...]
    points: int | None
    late: bool = False


class TrickPlayed(Payload):
    """A card was played to trick ``n``, from 1. ``card``: that card, ``cards``: all that lie there, by seat.

    ``winner``: whose the full trick is, None before, and where a card that was not read decides it. ``certain``:
    whether the seat that played is known.
    """

    n: int
    card: str
    cards: dict[str, str]
    winner: str | None = None
    certain: bool = True


class TrickWon(Payload):
    """Trick ``n`` was gathered. ``winner``: by the cards, ``pile``: the line to which it was put; None: not known.

    ``led``: who played first to it; None: not known. The others followed anticlockwise, as far as they kept to turn.
    ``certain``: whether all its cards and seats are known. ``corrected``: it was told otherwise before.
    """

    n: int
    cards: dict[str, str]
    winner: str | None
    pile: str | None
    led: str | None = None
    certain: bool = True
    corrected: bool = False


class SignalMade(Payload):
    """The leader of trick ``n`` has given ``signal``: busso, striscio or volo."""

    signal: str
    n: int


class ClaimMade(Payload):
    """All ``cards`` of a seat were laid out before trick ``n``. ``holds``: whether it wins the rest; None: not sure."""

    cards: tuple[str, ...]
    n: int
    holds: bool | None = None


class CalledOut(Payload):
    """A player has called himself out (Ottocento). ``points``: of his line with his accuso; ``valid`` None: unknown."""

    points: int | None
    valid: bool | None


PAYLOADS: Final[dict[str, type[Payload]]] = {
    **PLAY,
    "scarto.made": ScartoMade,
    "accuso.shown": AccusoShown,
    "trick.played": TrickPlayed,
    "trick.won": TrickWon,
    "signal.made": SignalMade,
    "claim.made": ClaimMade,
    "match.called-out": CalledOut,
}
