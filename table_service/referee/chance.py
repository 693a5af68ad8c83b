"""A card "at random" that the journal can prove: a place in the fan, worked out from what was fixed before.

The number is SHA-256 over three things that no one can choose once the fault has happened: the irregularity's key, the
time of the ruling to the microsecond, and the chain of the table's events in that deal until then. The chain is
folded event by event: SHA-256 over the digest so far, the event's type and its time. All of it is public, so anybody
can work the place out again from the events; no identity of a hidden card goes into it, and none comes out.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import Any

BEGIN = ""
"""The chain before the first event of a deal."""


def chained(chain: str, type_: str, t: float) -> str:
    """Return the chain after an event of ``type_`` emitted for the time ``t``."""
    return hashlib.sha256(f"{chain}\n{type_}\n{t:.6f}".encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class FanPlace:
    """The ``position``-th card from the left of a fan of ``cards``, as its holder sees it; both None: count first.

    ``number`` is what it follows from: position = 1 + number mod cards.
    """

    number: int
    chain: str
    cards: int | None
    position: int | None

    def as_data(self) -> dict[str, Any]:
        """Return the draw as an event holds it."""
        return {
            "from": "left",
            "position": self.position,
            "cards": self.cards,
            "number": str(self.number),
            "chain": self.chain,
        }


def place_in_fan(key: str, t: float, chain: str, cards: int | None) -> FanPlace:
    """Return the card of a fan of ``cards``, if known, taken for irregularity ``key``, ruled on at ``t``."""
    digest = hashlib.sha256(f"{key}\n{t:.6f}\n{chain}".encode()).digest()
    number = int.from_bytes(digest[:8], "big")
    return FanPlace(number, chain, cards, None if not cards else 1 + number % cards)
