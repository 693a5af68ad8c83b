"""While cards are dealt: which of them the seats' gates have named, one after the other."""

from __future__ import annotations

from hw.seats import SEATS, Seat
from table_service.tracking.tags import Crossing


class Dealing:
    """Counts the cards that came to each seat past its gate, as the cards are dealt.

    A coil reads single cards only, and a heap that lies on it is silent: the count is the least that was dealt. A card
    that two gates have named counts for neither, as one of them heard its neighbour's.
    """

    def __init__(self) -> None:
        self._seen: dict[str, set[Seat]] = {}

    def begin(self) -> None:
        """Begin anew: the cards are dealt anew."""
        self._seen.clear()

    def crossed(self, crossing: Crossing) -> None:
        """Record a card that has answered at a coil."""
        if crossing.seat is not None and crossing.card is not None:
            self._seen.setdefault(crossing.card, set()).add(crossing.seat)

    def counts(self) -> dict[Seat, int]:
        """Return the least number of cards each seat has been dealt; seats without a gate's report are left out."""
        counted = dict.fromkeys(SEATS, 0)
        for seats in self._seen.values():
            if len(seats) == 1:
                counted[next(iter(seats))] += 1
        return {seat: count for seat, count in counted.items() if count}
