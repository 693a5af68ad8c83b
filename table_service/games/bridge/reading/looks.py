"""How many looks are proof: by how often this camera has missed what lay there."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

CHANCE: Final = 1e-4
"""So seldom may a card that lies there be missed by all looks that are taken for proof of its absence."""
FEWEST: Final = 2
MOST: Final = 6
STILL_S: Final = 1.5
"""A picture after which none is logged for so long counts twice: pictures are logged when they change."""
_ASSUMED: Final = 50.0
_ASSUMED_MISSED: Final = 0.5
"""The camera that ``hw/noise.toml`` assumes, one card in a hundred missed, before this one has shown how it sees."""


@dataclass(slots=True)
class MissRate:
    """How often cards that lay there were shown by clear pictures, and how often not."""

    shown: int = 0
    missed: int = 0

    def count(self, shown: int, missed: int) -> None:
        """Of cards that lie there a picture shows ``shown`` and not ``missed``."""
        self.shown += shown
        self.missed += max(0, missed)

    @property
    def rate(self) -> float:
        """The share of cards that a picture misses, between 0 and 1 exclusive."""
        return (self.missed + _ASSUMED_MISSED) / (self.shown + self.missed + _ASSUMED)

    @property
    def looks(self) -> int:
        """So many looks running that do not show a card are proof that it is not there.

        >>> MissRate().looks, MissRate(shown=900, missed=100).looks
        (2, 4)
        """
        return min(MOST, max(FEWEST, math.ceil(math.log(CHANCE) / math.log(self.rate))))


@dataclass(slots=True)
class StillPicture:
    """The newest picture at ``t`` (seconds of the table's clock), which holds until another is logged."""

    t: float = -math.inf
    held: bool = True
    """Whether it was counted as one more look already; before the first picture there is none to count."""

    def comes(self, t: float) -> None:
        """A picture is logged at ``t``."""
        self.t, self.held = t, False

    def holds(self, t: float) -> bool:
        """Whether by ``t`` it is one more look, which it becomes once: when none was logged for ``STILL_S``.

        >>> still = StillPicture()
        >>> still.comes(10.0)
        >>> still.holds(11.0), still.holds(11.5), still.holds(20.0)
        (False, True, False)
        """
        if self.held or t - self.t < STILL_S:
            return False
        self.held = True
        return True
