"""Putting events in order again, and counting each one once, by ``(boot, seq)``: brokers repeat, reorder and forget."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

Place = tuple[str, int]
"""Boot and number of an event; tuples compare in the order in which the table made them."""
Run = tuple[str, int, int]
"""Events of one boot that follow each other: boot, first and last number."""
BOOTS_KEPT: Final = 64
HIGHEST: Final = 10**9
"""Highest event number accepted from a boot."""


class ReceivedEvents:
    """Record of the events seen of one table. Memory stays small: consecutive numbers are two numbers."""

    def __init__(self) -> None:
        self._runs: dict[str, list[tuple[int, int]]] = {}

    def first_time(self, boot: str, seq: int) -> bool:
        """Return True if ``(boot, seq)`` is new, and count it as seen. A number that no table gives is never new."""
        if not 0 < seq <= HIGHEST or self.has(boot, seq):
            return False
        return self.add(boot, seq, seq)

    def has(self, boot: str, seq: int) -> bool:
        """Return True if ``(boot, seq)`` was seen."""
        runs = self._runs.get(boot, [])
        at = bisect_right(runs, (seq, HIGHEST + 1))
        return at > 0 and runs[at - 1][1] >= seq

    def add(self, boot: str, first: int, last: int) -> bool:
        """Count these events as seen; return False for a boot older than the ``BOOTS_KEPT`` newest: it is forgotten."""
        if boot not in self._runs and len(self._runs) >= BOOTS_KEPT:
            oldest = min(self._runs)
            if boot < oldest:
                return False
            del self._runs[oldest]
        runs = self._runs.setdefault(boot, [])
        at = bisect_right(runs, (first, HIGHEST + 1))
        if at and runs[at - 1][1] >= first - 1:
            at -= 1
        end = at
        while end < len(runs) and runs[end][0] <= last + 1:
            first, last = min(first, runs[end][0]), max(last, runs[end][1])
            end += 1
        runs[at:end] = [(first, last)]
        return True

    def boots(self) -> tuple[str, ...]:
        """Every boot of which something was seen, the oldest first."""
        return tuple(sorted(self._runs))

    def highest(self, boot: str) -> int:
        """Return the highest number seen of ``boot``; 0 if none was."""
        runs = self._runs.get(boot)
        return runs[-1][1] if runs else 0

    def missing(self, boot: str, last: int = 0) -> list[Run]:
        """Return runs of ``boot`` below the highest number seen, or up to ``last``, that have not come (yet)."""
        found, expected = [], 1
        for first, end in self._runs.get(boot, []):
            if first > expected:
                found.append((boot, expected, first - 1))
            expected = end + 1
        if expected <= last:
            found.append((boot, expected, last))
        return found


def common(some: Iterable[Run], others: Iterable[Run]) -> list[Run]:
    """Return the events that are in both.

    >>> common([("a", 1, 9)], [("a", 3, 4), ("a", 8, 20), ("b", 1, 2)])
    [('a', 3, 4), ('a', 8, 9)]
    """
    held = list(others)
    found = []
    for boot, first, last in some:
        for other, begin, end in held:
            if boot == other and max(first, begin) <= min(last, end):
                found.append((boot, max(first, begin), min(last, end)))
    return found


def count(runs: Iterable[Run]) -> int:
    """Return how many events runs have together.

    >>> count([("a", 1, 9), ("b", 4, 4)])
    10
    """
    return sum(last - first + 1 for _, first, last in runs)


@dataclass(frozen=True, slots=True)
class Extent:
    """Extent of one boot in a table's journal as a broker has had it: first and last event; when it began (UTC)."""

    boot: str
    first: int
    last: int
    began: str = ""


def lacking(received: ReceivedEvents, told: Mapping[str, Extent]) -> list[Run]:
    """Return the events that a listener lacks, the newest boot first: gaps, and what the table has beyond."""
    found: list[Run] = []
    for boot in sorted({*told, *received.boots()}, reverse=True):
        found += received.missing(boot, told[boot].last if boot in told else 0)
    return found
