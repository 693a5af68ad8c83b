"""Names accepted for a bidding card seen in one picture alone, where no later look can correct the first one."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from vision.bidding_faces import black_pair
from vision.bidding_rows import LyingCall

APART: Final = 0.85
"""Least ``Likeness.apart`` from every other face that a call needs. If both black bids of a level differ in a small
sign alone, that has decided before (``suit_signs``): of 900 names read in drawn boxes without it 9 were wrong, each a
club for a spade of its level or a spade for a club, at .77 to .91; nothing else was."""


def candidates(call: LyingCall) -> tuple[str, ...]:
    """Possible names of a call read in a single picture: its own, a club or spade of its level, or none known.

    >>> [candidates(LyingCall("3C", 0.9, apart, 0.0, 0.0, 0.0)) for apart in (0.9, 0.8)]
    [('3C',), ('3C', '3S')]
    >>> candidates(LyingCall("3H", 0.9, 0.7, 0.0, 0.0, 0.0))
    ()
    """
    if call.name == UNKNOWN:
        return call.either
    if call.apart >= APART:
        return (call.name,)
    return black_pair(call.name)
