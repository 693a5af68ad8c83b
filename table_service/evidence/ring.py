"""The last minutes of the table in pictures, in memory only, bounded in bytes and in seconds."""

from __future__ import annotations

import threading
from collections import deque
from typing import Final

from table_service.evidence.picture import Picture

SECONDS: Final = 180.0
"""Seconds for which a picture is held: an irregularity of melds is reported at the discard or later."""
SPACE: Final = 64 * 1024 * 1024


class Ring:
    """Pictures in the order of their moments. Safe to use from any thread."""

    def __init__(self, seconds: float = SECONDS, space: int = SPACE) -> None:
        """``seconds``: the oldest picture lies so far behind the newest at most; ``space``: bytes in all."""
        self._seconds, self._most = seconds, space
        self._pictures: deque[Picture] = deque()
        self._space = 0
        self._lock = threading.Lock()

    def add(self, picture: Picture) -> None:
        """Take in a picture; the oldest make room. One older than the newest is left out."""
        with self._lock:
            if self._pictures and picture.t < self._pictures[-1].t:
                return
            self._pictures.append(picture)
            self._space += picture.space
            while self._pictures and (self._space > self._most or self._pictures[0].t < picture.t - self._seconds):
                self._space -= self._pictures.popleft().space

    def between(self, first: float, last: float) -> list[Picture]:
        """Return the pictures of a span of time, in order."""
        with self._lock:
            return [one for one in self._pictures if first <= one.t <= last]

    @property
    def span(self) -> tuple[float, float] | None:
        """Moments of the oldest and the newest picture; None if there is none."""
        with self._lock:
            return (self._pictures[0].t, self._pictures[-1].t) if self._pictures else None

    def report(self) -> dict[str, float | int]:
        """Counters for the health topic."""
        with self._lock:
            seconds = self._pictures[-1].t - self._pictures[0].t if self._pictures else 0.0
            return {"pictures": len(self._pictures), "bytes": self._space, "seconds": round(seconds, 1)}
