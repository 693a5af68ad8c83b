"""Putting events in order again, and counting each one once, by ``(boot, seq)``: brokers repeat and reorder."""

from __future__ import annotations

from typing import Final

Place = tuple[str, int]
"""Boot and number of an event; tuples compare in the order in which the table made them."""
_BOOTS_KEPT: Final = 8


class Received:
    """Which events of one table have been seen. Memory stays small: runs are kept as one number."""

    def __init__(self) -> None:
        self._through: dict[str, int] = {}
        self._beyond: dict[str, set[int]] = {}

    def first_time(self, boot: str, seq: int) -> bool:
        """Whether ``(boot, seq)`` is new; it counts as seen from now on."""
        through = self._through.setdefault(boot, 0)
        beyond = self._beyond.setdefault(boot, set())
        if seq <= through or seq in beyond:
            return False
        beyond.add(seq)
        while through + 1 in beyond:
            through += 1
            beyond.remove(through)
        self._through[boot] = through
        for old in sorted(self._through)[:-_BOOTS_KEPT]:
            del self._through[old], self._beyond[old]
        return True

    def missing(self, boot: str) -> tuple[int, ...]:
        """Numbers below the highest seen of ``boot`` that have not come (yet)."""
        beyond = self._beyond.get(boot)
        if not beyond:
            return ()
        return tuple(n for n in range(self._through[boot] + 1, max(beyond)) if n not in beyond)
