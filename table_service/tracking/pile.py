"""The discard pile: how many cards the scale says, which ones the camera and the gates say, from the bottom up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from hw.cards import UNKNOWN, face
from table_service.tracking.sequences import Faces, Rates, align

_ENOUGH: Final = 2.0
_MOST: Final = 6.0


@dataclass(slots=True, eq=False)
class Slot:
    """One card of the pile: votes by face, and the physical card where a gate has named it."""

    votes: dict[str, float] = field(default_factory=dict)
    physical: dict[str, str] = field(default_factory=dict)
    """Face → card with its copy mark."""
    tellers: list[Any] = field(default_factory=list)
    """The drafts that move this card and must be named when it is."""

    def vote(self, card: str, weight: float = 1.0) -> None:
        """A sensor says that this is ``card``."""
        printed = face(card)
        if printed == UNKNOWN:
            return
        self.votes[printed] = min(self.votes.get(printed, 0.0) + weight, _MOST)
        for other in self.votes:
            if other != printed and self.votes[printed] >= _ENOUGH:
                self.votes[other] = max(0.0, self.votes[other] - 0.5 * weight)
        if card != printed:
            self.physical[printed] = card

    def name(self, margin: float = _ENOUGH) -> str:
        """The card, ``??`` where no face leads by ``margin`` votes."""
        if not self.votes:
            return UNKNOWN
        ranked = sorted(self.votes, key=lambda f: (-self.votes[f], f))
        second = self.votes[ranked[1]] if len(ranked) > 1 else 0.0
        if self.votes[ranked[0]] - second < margin:
            return UNKNOWN
        return self.physical.get(ranked[0], ranked[0])

    @property
    def likeliest(self) -> str:
        """The face that leads at all, ``??`` where none does."""
        return self.name(0.5)


class Pile:
    """The slots from the bottom up."""

    def __init__(self) -> None:
        self.slots: list[Slot] = []
        self.surplus = 0
        """How many frames in a row have shown more cards than the scale counts."""

    def __len__(self) -> int:
        return len(self.slots)

    def push(self, count: int) -> list[Slot]:
        """``count`` cards come on top; their slots."""
        fresh = [Slot() for _ in range(count)]
        self.slots.extend(fresh)
        self.surplus = 0
        return fresh

    def pop(self, count: int) -> list[Slot]:
        """The ``count`` topmost cards leave; their slots from the bottom up."""
        count = min(count, len(self.slots))
        taken = self.slots[len(self.slots) - count :]
        del self.slots[len(self.slots) - count :]
        self.surplus = 0
        return taken

    def names(self) -> Faces:
        """The cards as they are known, from the bottom up."""
        return tuple(slot.name() for slot in self.slots)

    def faces(self) -> Faces:
        """What the cards show as far as anything speaks for it, from the bottom up."""
        return tuple(face(slot.likeliest) for slot in self.slots)

    def see(self, seen: Faces, rates: Rates) -> list[Slot]:
        """A frame shows the pile as ``seen``; the slots that got a vote."""
        if len(seen) > len(self.slots):
            self.surplus += 1
        elif seen:
            self.surplus = 0
        touched = []
        for shown, lies in self._pairs(seen, rates):
            if seen[shown] != UNKNOWN:
                self.slots[lies].vote(seen[shown])
                touched.append(self.slots[lies])
        return touched

    def _pairs(self, seen: Faces, rates: Rates) -> Iterable[tuple[int, int]]:
        if len(seen) == len(self.slots):
            return ((i, i) for i in range(len(seen)))
        return align(seen, self.faces(), rates)

    def correct(self, cards: Iterable[str]) -> None:
        """The arbitro says what lies there, from the bottom up."""
        self.slots = []
        for card in cards:
            slot = Slot()
            slot.vote(card, _MOST)
            self.slots.append(slot)
