"""Fit of one frame's reading of a row of cards to its possible true content.

A reading may lack cards (missed) or name one wrongly (misread). Sequences are tuples of faces; ``??`` is an
unidentified card. Likelihoods are natural logarithms, 0 for a perfect fit.
"""

from __future__ import annotations

from difflib import SequenceMatcher
from math import log
from typing import Final

from hw.cards import UNKNOWN

Faces = tuple[str, ...]

_UNIFORM: Final = -log(52)
"""An unidentified card shows any one face of fifty-two."""
_EXTRA: Final = -12.0
"""Log-likelihood that the camera shows a card where there is none: no such error is known, but it is not impossible."""
_BLURRED: Final = -0.5
"""A card that the frame shows without telling which it is."""


class Rates:
    """Rates at which the camera misses and misreads a card, learned from rows that do not change."""

    __slots__ = ("_looked", "_misread", "_missed", "log_misread", "log_miss")

    def __init__(self) -> None:
        self._looked = 150.0
        self._missed = 1.5
        self._misread = 0.3
        self._learn()

    def _learn(self) -> None:
        self.log_miss = log(self._missed / self._looked)
        self.log_misread = log(self._misread / self._looked / 51)

    @property
    def miss(self) -> float:
        """The share of lying cards that a frame does not show."""
        return self._missed / self._looked

    def saw(self, cards: int) -> None:
        """Count ``cards`` cards that a frame showed as they were known to lie."""
        self._looked += cards

    def compare(self, seen: Faces, true: Faces) -> None:
        """Compare ``seen``, which a frame showed of a row, with ``true``, as the row truly reads."""
        self._looked += len(true)
        untold = seen.count(UNKNOWN)
        self._missed += min(3, max(0, len(true) - len(seen) + untold))
        if len(true) == len(seen):
            self._misread += min(2, sum(a != b != UNKNOWN for a, b in zip(true, seen, strict=True)))
        if self._looked > 4000:
            self._looked, self._missed, self._misread = self._looked / 2, self._missed / 2, self._misread / 2
        self._learn()


def likelihood(seen: Faces, true: Faces, rates: Rates) -> float:
    """Return the logarithm of the chance that a frame shows ``seen`` of cards that truly lie as ``true``."""
    if seen == true and UNKNOWN not in true:
        return 0.0
    miss, misread = rates.log_miss, rates.log_misread
    line = [i * _EXTRA for i in range(len(seen) + 1)]
    for lies in true:
        before, line = line, [line[0] + miss]
        last, above = line[0], before[0]
        for shown, under in zip(seen, before[1:], strict=True):
            if shown == UNKNOWN:
                best = above + _BLURRED
            elif lies == UNKNOWN:
                best = above + _UNIFORM
            else:
                best = above if shown == lies else above + misread
            missed, extra = under + miss, last + _EXTRA
            last = best if best >= missed and best >= extra else max(missed, extra)
            line.append(last)
            above = under
    return line[-1]


def _fit(shown: str, lies: str, rates: Rates) -> float:
    if shown == UNKNOWN:
        return _BLURRED
    if lies == UNKNOWN:
        return _UNIFORM
    return 0.0 if shown == lies else rates.log_misread


def align(seen: Faces, true: Faces, rates: Rates) -> list[tuple[int, int]]:
    """Return the best pairing of ``seen`` with ``true`` as (index in seen, index in true), in ascending order."""
    miss = rates.log_miss
    table = [[i * _EXTRA for i in range(len(seen) + 1)]]
    for lies in true:
        before = table[-1]
        line = [before[0] + miss]
        for i, shown in enumerate(seen):
            line.append(max(before[i] + _fit(shown, lies, rates), before[i + 1] + miss, line[i] + _EXTRA))
        table.append(line)
    pairs: list[tuple[int, int]] = []
    i, j = len(seen), len(true)
    while i and j:
        here = table[j][i]
        if here == table[j - 1][i - 1] + _fit(seen[i - 1], true[j - 1], rates):
            pairs.append((i - 1, j - 1))
            i, j = i - 1, j - 1
        elif here == table[j - 1][i] + miss:
            j -= 1
        else:
            i -= 1
    return pairs[::-1]


def merge(known: Faces, seen: Faces) -> Faces:
    """Return ``known`` with the cards of ``seen`` that it lacks in their places: the row if ``seen`` missed some."""
    merged: list[str] = []
    for how, k0, k1, s0, s1 in SequenceMatcher(None, known, seen, autojunk=False).get_opcodes():
        if how == "insert" or (how == "replace" and s1 - s0 > k1 - k0):
            untold = iter(known[k0:k1])
            merged.extend(next(untold, UNKNOWN) if card == UNKNOWN else card for card in seen[s0:s1])
        elif how == "replace" and s1 - s0 == k1 - k0:
            merged.extend(s if k == UNKNOWN else k for k, s in zip(known[k0:k1], seen[s0:s1], strict=True))
        else:
            merged.extend(known[k0:k1])
    return tuple(merged)


def filled(known: Faces, seen: Faces) -> Faces:
    """Return ``seen`` with its unknown cards named from ``known`` if both agree around them."""
    told: list[str] = []
    for how, k0, k1, s0, s1 in SequenceMatcher(None, known, seen, autojunk=False).get_opcodes():
        part = seen[s0:s1]
        if how == "replace" and s1 - s0 == k1 - k0:
            told.extend(k if s == UNKNOWN else s for k, s in zip(known[k0:k1], part, strict=True))
        else:
            told.extend(part)
    return tuple(told)


def lacking(whole: Faces, part: Faces) -> Faces:
    """Return the cards of ``whole`` that ``part`` lacks, each as often as it is short, in the order of ``whole``."""
    left = list(part)
    missing = []
    for card in whole:
        if card in left:
            left.remove(card)
        else:
            missing.append(card)
    return tuple(missing)


def first_places(seen: Faces, lies: Faces) -> list[int] | None:
    """Return the places in ``lies`` of the cards of ``seen``, in order, each as early as possible; None if one fails.

    An unread card of ``seen`` may be any.

    >>> first_places(("8D", "??", "8C"), ("8D", "8C", "8C", "8D"))
    [0, 1, 2]
    """
    places: list[int] = []
    for card in seen:
        start = places[-1] + 1 if places else 0
        at = next((n for n in range(start, len(lies)) if card in (lies[n], UNKNOWN)), None)
        if at is None:
            return None
        places.append(at)
    return places


def agree(one: Faces, other: Faces) -> bool:
    """Return True if both may show the same cards in the same order: each the same, or read in only one of both."""
    return len(one) == len(other) and all(a == b or UNKNOWN in (a, b) for a, b in zip(one, other, strict=True))


def lies_beneath(lies: Faces, seen: Faces) -> bool:
    """Return True if the pile counted as ``lies`` is lowest in what frames show, which may not have read its cards."""
    return len(lies) <= len(seen) and all(one in (UNKNOWN, card) for one, card in zip(seen, lies, strict=False))
