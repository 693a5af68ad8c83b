"""Number of looks that are proof, by how often this camera has missed a card that was there."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from hw.observations import Sight

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
    """Counts of cards that were there and that clear pictures showed or missed."""

    shown: int = 0
    missed: int = 0

    def count(self, shown: int, missed: int) -> None:
        """Add a picture that shows ``shown`` of the cards that are there, and not ``missed``."""
        self.shown += shown
        self.missed += max(0, missed)

    @property
    def rate(self) -> float:
        """The share of cards that a picture misses, between 0 and 1 exclusive."""
        return (self.missed + _ASSUMED_MISSED) / (self.shown + self.missed + _ASSUMED)

    @property
    def looks(self) -> int:
        """Number of consecutive looks without a card that prove it is not there.

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
        """Record that a picture is logged at ``t``."""
        self.t, self.held = t, False

    def holds(self, t: float) -> bool:
        """Return True once, if no picture was logged for ``STILL_S`` by ``t``: then the last counts as one more look.

        >>> still = StillPicture()
        >>> still.comes(10.0)
        >>> still.holds(11.0), still.holds(11.5), still.holds(20.0)
        (False, True, False)
        """
        if self.held or t - self.t < STILL_S:
            return False
        self.held = True
        return True


LOOK_S: Final = 0.5
"""Seconds between two looks of a camera: a picture that is true for so long counts as one look more."""
MOST_HELD: Final = 12
"""A picture counts as at most so many looks more; by then nothing waits for another one."""
NEAR_S: Final = 1.2
"""Two pictures that are closer than that are two looks of one camera; farther apart, the second may be a heartbeat."""
CHANGES: Final = 4
"""After so many pictures which all differ from the one before, a log is one that is written on change only."""
_REPEATS_PART: Final = 8


@dataclass(slots=True)
class HeldPictures:
    """Repeats the newest picture for as long as it is true, in a log that holds pictures on change only.

    A picture is true until the next one, whether or not it is logged again (interfaces, section 2). A log that repeats
    its pictures needs no help: there a pause means that nobody looked.
    """

    newest: Sight | None = None
    until: float = -math.inf
    """Time up to which the newest picture was repeated, seconds of the table's clock."""
    held: int = 0
    changes: int = 0
    repeats: int = 0

    @property
    def is_on_change(self) -> bool:
        """True if the log's pictures so far were written on change only."""
        return self.changes >= CHANGES and self.repeats * _REPEATS_PART <= self.changes

    def before(self, t: float) -> Iterator[Sight]:
        """Yield the newest picture once more for each ``LOOK_S`` until ``t`` (seconds of the table's clock)."""
        newest = self.newest
        while newest is not None and self.is_on_change and self.held < MOST_HELD and self.until + LOOK_S < t:
            self.until += LOOK_S
            self.held += 1
            yield replace(newest, t=self.until)

    def come(self, sight: Sight) -> None:
        """Take a picture that was logged."""
        before = self.newest
        if before is not None and 0 < sight.t - before.t <= NEAR_S:
            same = _content(before) == _content(sight)
            self.repeats, self.changes = self.repeats + same, self.changes + (not same)
        if before is None or sight.t > before.t:
            self.newest, self.until, self.held = sight, max(sight.t, self.until), 0


def _content(sight: Sight) -> tuple[list[str], list[tuple[str, str, str, str]]]:
    cards: list[tuple[str, str, str, str]] = sorted(
        (card.zone, card.card, card.face, str(card.seat)) for card in sight.cards
    )
    return sorted(sight.hidden), cards
