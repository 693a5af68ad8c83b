"""Two machines that speak as one table: told by their boots, which take turns as those of one machine never do.

A table that is started again has a new boot, and the old one falls silent for good: what its journal still had to tell
comes as ``late``. Where fresh events come of one boot, then of another, then of the first again, two machines speak.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

RETURNS: Final = 2
"""So often a boot that had been followed by another must have spoken again: once may be two messages that overtook."""
WITHIN_S: Final = 300.0


@dataclass(slots=True)
class Twins:
    """Boots that publish under one table's name. ``clock``: seconds, monotonic."""

    clock: Callable[[], float] = time.monotonic
    _speaking: str = ""
    _before: dict[str, None] = field(default_factory=dict)
    _returned: deque[float] = field(default_factory=lambda: deque(maxlen=RETURNS))

    def heard(self, boot: str) -> bool:
        """Record a fresh event of ``boot``; return True if it shows for the first time that two machines speak."""
        if boot == self._speaking:
            return False
        were_two = self.are_two
        if boot in self._before:
            self._returned.append(self.clock())
        self._before[self._speaking] = None
        while len(self._before) > 16:
            del self._before[next(iter(self._before))]
        self._speaking = boot
        return self.are_two and not were_two

    @property
    def are_two(self) -> bool:
        """True if two machines have lately spoken under this name."""
        return len(self._returned) == RETURNS and self.clock() - self._returned[0] < WITHIN_S
