"""Calls that seem to have been taken away: decide whether they have, or are only covered in the ground's colour.

Where a card was taken away, the card beneath shows whole, or the ground shows as it did before.
"""

from __future__ import annotations

from dataclasses import replace

from hw.cards import UNKNOWN
from vision.bidding_faces import BiddingFaces, twin_of
from vision.bidding_rows import LyingCall, ReadRow, shows_whole


def vanished(before: ReadRow, now: ReadRow) -> list[LyingCall]:
    """The known calls of ``before`` that are not there ``now``; none if as many calls lie there."""
    known = [call for call in before.calls if call.name != UNKNOWN or call.either]
    if len(now.calls) >= len(known):
        return []
    left = [level(call) for call in now.calls]
    gone = []
    for call in known:
        if level(call) in left:
            left.remove(level(call))
        else:
            gone.append(call)
    return gone


def is_uncovered(before: ReadRow, now: ReadRow, faces: BiddingFaces) -> bool:
    """True if the calls ``now`` are the lower ones of ``before``, and the uppermost of them shows whole."""
    names = [level(call) for call in now.calls]
    return bool(names) and names == list(map(level, before.calls))[: len(names)] and shows_whole(now, faces)


def told_meanwhile(before: ReadRow, now: ReadRow) -> list[LyingCall]:
    """The calls of ``before``, those that are not seen ``now`` as unknown ones."""
    gone = vanished(before, now)
    return [
        replace(call, name=UNKNOWN, score=0.0, apart=0.0, either=()) if call in gone else call for call in before.calls
    ]


def level(call: LyingCall) -> str:
    """A call's name, one for both black bids of a level: which it is may be in doubt at the next look."""
    name = call.either[0] if call.either else call.name
    return min(name, twin_of(name) or name)
