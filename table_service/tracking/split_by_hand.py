"""Several hands reached into a row before the camera saw it settled: who of them laid which cards.

A gate that read a single card tells, and so does a frame between two reaches; what neither tells stays together.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Final

from table_service.tracking.reaches import ANYWHERE, Interval
from table_service.tracking.rows import Change
from table_service.tracking.sequences import Faces, lacking

Reads = Callable[[Interval], Faces]
"""The faces that the gate of a reach's seat read on the way in."""
_OVERLOOKED: Final = 2e-3
"""The chance at which it is accepted that frames overlooked a card."""
_OVERLOOKED_ALL: Final = 0.02
"""The same where the cards must have come with one that a gate has read."""
Frames = Callable[[float, float], list[Faces]]
"""What the row showed in the frames of a span of time."""


def split(
    change: Change, hands: list[Interval], reads: Reads, frames: Frames, miss: float
) -> list[tuple[Change, Interval]]:
    """``change`` as one change for each reach that laid some of its cards, in order; [] where it cannot be told.

    ``miss``: how often a frame does not show a card that lies there.
    """
    if len(hands) < 2 or len(change.added) < 2 or change.removed:
        return []
    laid = [list[str]() for _ in hands]
    left = list(change.added)
    for place, hand in enumerate(hands):
        for card in reads(hand):
            if card in left:
                left.remove(card)
                laid[place].append(card)
    silent = [place for place, cards in enumerate(laid) if not cards]
    readers = {hand.seat for hand, cards in zip(hands, laid, strict=True) if cards}
    looks = _by_frames(change, hands, frames, left, laid)
    if left:
        # Nobody is taken to have laid what another, whose gate spoke, may have laid with it.
        still = [place for place in silent if not laid[place] and (not readers or hands[place].seat in readers)]
        shown = [place for place in silent if laid[place]]
        told = [place for place, cards in enumerate(laid) if cards]
        if not told and (len({hand.seat for hand in hands}) > 1 or any(hand.zone == ANYWHERE for hand in hands)):
            return []
        after = next((place for place in told if shown and place > shown[-1]), None)
        if after is not None and not still and miss ** (sum(looks[shown[-1] : after]) * len(left)) <= _OVERLOOKED_ALL:
            laid[after].extend(left)  # what frames did not show before it came, it has brought
        elif shown and (not still or miss ** sum(looks) > _OVERLOOKED):
            laid[shown[-1]].extend(left)
        else:
            laid[still[-1] if still else told[-1] if told else len(hands) - 1].extend(left)
    return _parts(change, hands, laid, frames)


def _by_frames(
    change: Change, hands: list[Interval], frames: Frames, left: list[str], laid: list[list[str]]
) -> list[int]:
    """Take from ``left`` what a frame shows before the next hand came; how many such frames there were, by hand."""
    looks = [0] * len(hands)
    for place, (hand, after) in enumerate(pairwise(hands)):
        if hand.end is None:
            continue
        for seen in frames(hand.end, after.start):
            looks[place] += 1
            shown = [card for card in lacking(seen, change.before) if card in left]
            for earlier in laid[: place + 1]:
                shown = list(lacking(tuple(shown), tuple(earlier)))
            for card in shown:
                if card in left:
                    left.remove(card)
                    laid[place].append(card)
    return looks


def _parts(
    change: Change, hands: list[Interval], laid: list[list[str]], frames: Frames
) -> list[tuple[Change, Interval]]:
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
