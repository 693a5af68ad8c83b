"""What is believed of a bidding card in one picture alone, where no later look can put a first one right."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from vision.bidding_faces import black_pair
from vision.bidding_rows import LyingCall

APART: Final = 0.85
"""So much of what parts a call from every other face must speak for it (``Likeness.apart``). Where both black bids of a
level differ in a small sign alone, that has spoken before (``suit_signs``): of 900 names read in drawn boxes without it
9 were wrong, each a club for a spade of its level or a spade for a club, at .77 to .91; nothing else was."""


def candidates(call: LyingCall) -> tuple[str, ...]:
    """What a call read in a single picture may be: its name alone, a club or spade of its level, or nothing known.

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
