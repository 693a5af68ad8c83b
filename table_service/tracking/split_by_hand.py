"""Attribution of cards in a row that several hands reached before the camera saw it settled.

A gate that read a single card decides, and so does a frame between two reaches; undecided cards stay together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise
from typing import Final

from hw.seats import Seat
from table_service.tracking.camera_zone import ZoneChange
from table_service.tracking.hand_intervals import ANYWHERE, Interval
from table_service.tracking.sequences import Faces, lacking

Reads = Callable[[Interval], Faces]
"""The faces that the gate of a reach's seat read on the way in."""
_OVERLOOKED: Final = 2e-3
"""The chance at which it is accepted that frames overlooked a card."""
_OVERLOOKED_ALL: Final = 0.02
"""The same if the cards must have come with one that a gate has read."""
Frames = Callable[[float, float], list[Faces]]
"""Readings of the row in the frames of a span of time."""


def split(
    change: ZoneChange, hands: list[Interval], reads: Reads, frames: Frames, miss: float
) -> list[tuple[ZoneChange, Interval]]:
    """Split ``change`` into one for each reach that laid some of its cards, in order; [] if undecided.

    ``miss``: share of frames that do not show a card that is there.
    """
    if len(hands) < 2 or len(change.added) < 2 or change.removed:
        return []
    shares = _Shares(hands, list(change.added))
    shares.give_read(reads)
    looks = shares.give_shown(change.before, frames)
    if shares.left:
        place = shares.whose_rest(looks, miss)
        if place is None:
            return []
        shares.laid[place].extend(shares.left)
    return _parts(change, hands, shares.laid, frames)


class _Shares:
    """Cards that each of ``hands`` is taken to have laid; ``left``: cards without evidence yet."""

    def __init__(self, hands: list[Interval], left: list[str]) -> None:
        self.hands = hands
        self.left = left
        self.laid = [list[str]() for _ in hands]
        self._silent: list[int] = []
        """The reaches whose gates read none of the cards."""
        self._readers: set[Seat | None] = set()
        """The seats whose gates read one."""

    def _give(self, place: int, cards: Iterable[str]) -> None:
        for card in cards:
            if card in self.left:
                self.left.remove(card)
                self.laid[place].append(card)

    def give_read(self, reads: Reads) -> None:
        """Each hand has laid what its gate read."""
        for place, hand in enumerate(self.hands):
            self._give(place, reads(hand))
        self._silent = [place for place, cards in enumerate(self.laid) if not cards]
        self._readers = {hand.seat for hand, cards in zip(self.hands, self.laid, strict=True) if cards}

    def give_shown(self, before: Faces, frames: Frames) -> list[int]:
        """Each hand has laid what a frame shows before the next came; how many such frames there were, by hand."""
        looks = [0] * len(self.hands)
        for place, (hand, after) in enumerate(pairwise(self.hands)):
            for seen in [] if hand.end is None else frames(hand.end, after.start):
                looks[place] += 1
                shown = [card for card in lacking(seen, before) if card in self.left]
                for earlier in self.laid[: place + 1]:
                    shown = list(lacking(tuple(shown), tuple(earlier)))
                self._give(place, shown)
        return looks

    def whose_rest(self, looks: list[int], miss: float) -> int | None:
        """Return the place of the hand that laid what is left; None if it may have been any."""
        told = [place for place, cards in enumerate(self.laid) if cards]
        if not told and self._of_several():
            return None
        still = self._still_silent()
        shown = [place for place in self._silent if place in told]
        if not shown:
            return (still or told or range(len(self.hands)))[-1]
        if still:
            return shown[-1] if miss ** sum(looks) > _OVERLOOKED else still[-1]
        after = told[told.index(shown[-1]) + 1 :]
        if after and miss ** (sum(looks[shown[-1] : after[0]]) * len(self.left)) <= _OVERLOOKED_ALL:
            return after[0]  # what frames did not show before it came, it has brought
        return shown[-1]

    def _of_several(self) -> bool:
        """Return True if hands of several seats, or one that may have been elsewhere, reached in."""
        return len({hand.seat for hand in self.hands}) > 1 or any(hand.zone == ANYWHERE for hand in self.hands)

    def _still_silent(self) -> list[int]:
        """Return the reaches without evidence from gate or frame.

        Don't credit a silent seat if an identified seat could have laid the card.
        """
        silent = [place for place in self._silent if not self.laid[place]]
        return [place for place in silent if not self._readers or self.hands[place].seat in self._readers]


def _parts(
    change: ZoneChange, hands: list[Interval], laid: list[list[str]], frames: Frames
) -> list[tuple[ZoneChange, Interval]]:
    groups = [(hand, cards) for hand, cards in zip(hands, laid, strict=True) if cards]
    if len(groups) < 2:
        return [(change, groups[0][0])] if groups else []
    parts = []
    before = change.before
    later = [card for _, cards in groups for card in cards]
    for place, (hand, cards) in enumerate(groups):
        for card in cards:
            later.remove(card)
        after = _without_last(change.after, later)
        if later and hand.end is not None:
            after = _as_shown(after, frames(hand.end, groups[place + 1][0].start))
        parts.append((replace(change, before=before, after=after), hand))
        before = after
    return parts


def _as_shown(cards: Faces, seen: list[Faces]) -> Faces:
    """``cards`` in the order in which a frame showed them all: a wild card may have moved within the row since."""
    return next((shown for shown in seen if sorted(shown) == sorted(cards)), cards)


def _without_last(cards: Faces, gone: list[str]) -> Faces:
    """``cards`` without one of each in ``gone``."""
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
