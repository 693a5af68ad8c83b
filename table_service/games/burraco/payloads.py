"""The ``data`` of the events of Burraco alone, as frozen models. A card that did not lie face up for all is ``??``."""

from __future__ import annotations

from typing import Final, Literal

from pydantic import ConfigDict, Field

from table_service.events import payloads as shared
from table_service.events.payloads import Cards, Payload


class DealFault(Payload):
    """A count that is not what it should be."""

    zone: str
    expected: int
    counted: int


class DealChecked(Payload):
    """The counts before play; a count that nobody sensed is null."""

    hands: dict[str, int | None]
    pots: int | None
    stock: int | None
    faults: tuple[DealFault, ...] = ()


class CardDrawn(Payload):
    """``count`` cards were drawn; which ones is never public."""

    model_config = ConfigDict(frozen=True, extra="allow", populate_by_name=True)
    from_: str = Field("stock", alias="from")
    count: int = 1


class PileCollected(Payload):
    """Cards of the discard pile were taken; ``left`` of them still lie there."""

    cards: Cards
    left: int = 0


class Wild(Payload):
    """A wild card and what it stands for: a face in a run, a rank in a set."""

    card: str
    stands_for: str | None


class Meld(Payload):
    """A meld as it lies. ``valid`` is null where an unknown card leaves it open."""

    id: int
    line: str
    kind: Literal["set", "run"] | None
    cards: Cards
    wild: Wild | None = None
    burraco: str = "none"
    points: int | None = None
    frozen: Literal["none", "temporary", "definitive"] = "none"
    valid: bool | None = True


class MeldOpened(Payload):
    """A new meld lies on the table."""

    meld: Meld


class MeldExtended(Payload):
    """``added`` cards were laid to a meld."""

    meld: Meld
    added: Cards = ()


class MeldChanged(Payload):
    """A meld reads otherwise: re-ordered, cards taken out, read better, frozen or thawed; ``why`` says which.

    ``uncovered``: cards that had lain hidden in it have come to light (``added``, art. 26).
    """

    meld: Meld
    why: Literal["reordered", "taken-out", "corrected", "frozen", "thawed", "uncovered"] = "reordered"
    removed: Cards = ()
    added: Cards = ()


class CardDiscarded(Payload):
    """A card lies on the discard pile and ends a turn; ``left``: it was left lying when the pile was taken (art. 9)."""

    card: str
    left: bool = False
    count: int = 1
    """Cards that came to the pile together; more than one is against the rules (art. 26)."""


class PotTaken(Payload):
    """A line has taken its pot, with the discard or in flight."""

    manner: Literal["discard", "in-flight"]
    cards: int | None = None


class CardReturned(Payload):
    """Cards went back: to a hand, the stock, the pile or a pot; null where nobody saw whose hand it was."""

    cards: Cards
    from_: str | None = Field(None, alias="from")
    to: str | None
    meld: int | None = None
    """The meld that they left, and what lies in it now."""
    rest: Cards = ()


class CountdownEnded(Payload):
    """The time of the player in turn is over; he has still to act, and nobody does it for him."""


class CardTurned(Payload):
    """The dealer has turned up the first card of the stock (art. 4); it is no discard."""

    card: str


PAYLOADS: Final[dict[str, type[Payload]]] = {
    "deal.checked": DealChecked,
    "turn.started": shared.TurnStarted,
    "card.drawn": CardDrawn,
    "pile.collected": PileCollected,
    "meld.opened": MeldOpened,
    "meld.extended": MeldExtended,
    "meld.changed": MeldChanged,
    "card.discarded": CardDiscarded,
    "card.exposed": shared.CardExposed,
    "card.returned": CardReturned,
    "card.turned": CardTurned,
    "card.named": shared.CardNamed,
    "event.retracted": shared.EventRetracted,
    "pot.taken": PotTaken,
    "countdown.ended": CountdownEnded,
}
"""The model of each event that tells of the play of a deal, in its order there."""
