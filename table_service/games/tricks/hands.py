"""Knowledge of hands by elimination: what the cards seen so far say of the unseen ones.

Nothing here assumes that a player has kept a rule: one who did not follow may have revoked, which proves no void.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace

from hw.cards import UNKNOWN, face
from hw.seats import Seat


@dataclass(frozen=True, slots=True)
class Hands:
    """``pack``: every face once. ``left``: how many cards each seat holds. ``held``: those known to be among them.

    ``gone``: cards seen outside the hands. ``hidden``: unseen cards in no hand (a scarto, cards played unread).
    """

    pack: frozenset[str]
    left: Mapping[Seat, int]
    held: Mapping[Seat, frozenset[str]] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    hidden: int = 0

    @property
    def unseen(self) -> frozenset[str]:
        """Cards of which it is not known where they are."""
        return self.pack - self.gone - frozenset(card for cards in self.held.values() for card in cards)

    def free(self, seat: Seat) -> int:
        """Return how many of the cards of ``seat`` are not known."""
        return max(0, self.left.get(seat, 0) - len(self.held.get(seat, ())))

    def shown(self, seat: Seat, cards: Iterable[str]) -> Hands:
        """``seat`` is known to hold ``cards``: shown and taken back, read at its gate, laid out."""
        known = self.held.get(seat, frozenset()) | (frozenset(map(face, cards)) & self.pack) - self.gone
        others = {other: mine - known for other, mine in self.held.items() if other is not seat}
        return replace(self, held={**others, seat: known})

    def played(self, seat: Seat, card: str) -> Hands:
        """``seat`` lets go of ``card``; an unread one stays hidden, and nothing that it was known to hold is sure."""
        left = {**self.left, seat: max(0, self.left.get(seat, 0) - 1)}
        printed = face(card)
        if printed == UNKNOWN or printed not in self.pack:
            held = {**self.held, seat: frozenset[str]()}
            return replace(self, left=left, held=held, hidden=self.hidden + 1)
        held = {who: cards - {printed} for who, cards in self.held.items()}
        return replace(self, left=left, held=held, gone=self.gone | {printed})

    def with_cards_seen(self, before: Iterable[tuple[Seat, str]], now: Iterable[tuple[Seat, str]]) -> Hands:
        """Replace the plays ``before`` by ``now``, as they turn out: cards that were misread are unseen again."""
        old, new = list(before), list(now)
        left = dict(self.left)
        for plays, step in ((old, 1), (new, -1)):
            for seat, _ in plays:
                left[seat] = max(0, left.get(seat, 0) + step)
        seen = {face(card) for _, card in new} & self.pack
        misread = {face(card) for _, card in old} - seen
        unread = sum(face(card) == UNKNOWN for _, card in new) - sum(face(card) == UNKNOWN for _, card in old)
        held = {seat: cards - seen for seat, cards in self.held.items()}
        hidden = max(0, self.hidden + unread)
        return replace(self, left=left, held=held, gone=(self.gone - misread) | seen, hidden=hidden)

    def possible(self, seat: Seat) -> frozenset[str]:
        """Return the cards that ``seat`` may hold."""
        own = self.held.get(seat, frozenset())
        return own | self.unseen if self.free(seat) else own

    def holds_one_of(self, seat: Seat, cards: Collection[str]) -> bool:
        """Return True if ``seat`` surely holds one of ``cards``: one is known, or not all have a place elsewhere."""
        if self.held.get(seat, frozenset()) & frozenset(cards):
            return True
        elsewhere = self.hidden + sum(self.free(other) for other in self.left if other is not seat)
        return len(self.unseen & frozenset(cards)) > elsewhere

    def has_none_of(self, seat: Seat, cards: Collection[str]) -> bool:
        """Return True if ``seat`` surely holds none of ``cards``."""
        return not self.possible(seat) & frozenset(cards)

    def eliminated(self) -> Hands:
        """Return the hands with what follows: if only one place is left for all unseen cards, they are there."""
        places = [seat for seat in self.left if self.free(seat)]
        unseen = self.unseen
        if self.hidden == 0 and len(places) == 1 and self.free(places[0]) == len(unseen):
            return self.shown(places[0], unseen)
        return self
