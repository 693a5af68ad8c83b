"""Content of one row of cards, from many frames: a small filter over readings.

A frame may miss or misread any card, so no frame is accepted alone. Each row keeps a few candidate contents with their
likelihood; a change is taken as likely if a hand has been there since the last frame, otherwise as unlikely.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log
from typing import Final

from hw.cards import UNKNOWN
from table_service.tracking.movements import FrameRef
from table_service.tracking.sequences import Faces, Rates, filled, lacking, likelihood, merge

RowKey = int | None
"""The number of a meld row; None for cards that lie in no row."""
SURE: Final = 6.9
"""Lead in log-likelihood at which a content is taken: one error in a thousand, before the next frame corrects it."""
TWICE: Final = 2
"""Frames that must show something that one alone may have misread."""
_HAND: Final = log(0.3)
_NO_HAND: Final = -9.0
_MOST: Final = 12
_HISTORY: Final = 8
_FORGET: Final = 16.0
"""Distance behind the accepted content from which another one is dropped."""
_TAKEN: Final = -9.0
"""Log-likelihood that a hand takes cards out of a row: by a ruling, or to mend what it has just laid."""
_TAKEN_UP: Final = -5.0
"""The same for cards that lie in no row."""


@dataclass(slots=True)
class Support:
    """The frames that speak for a candidate: the time of the first, how many, and some of their numbers."""

    first_t: float
    count: int = 0
    frames: list[FrameRef] = field(default_factory=list)
    last_t: float = 0.0
    whole: bool = False
    """True if one frame has shown all of it exactly."""

    def add(self, t: float, frame: FrameRef | None) -> None:
        """One more frame."""
        self.count += 1
        self.last_t = t
        if frame is not None and len(self.frames) < 4:
            self.frames.append(frame)


@dataclass(frozen=True, slots=True)
class _Frame:
    """One frame in memory: what it showed, and what was known before it.

    ``base``: the weight from which another content than the accepted one starts here. ``moved``: a content that is not
    decided yet, with its weight, if a hand has come once more since it was laid.
    """

    t: float
    seen: Faces
    base: float
    moved: tuple[Faces, float] | None


class RowFilter:
    """Content of one row. ``ordered``: the order of cards has a meaning; else contents are sorted."""

    __slots__ = ("_history", "_support", "_weights", "belief", "ordered", "plain_t")

    def __init__(self, belief: Faces = (), *, ordered: bool = True, plain_t: float = -1e9) -> None:
        self.belief = belief
        self.plain_t = plain_t
        """The last frame that showed exactly what is accepted."""
        self.ordered = ordered
        self._weights: dict[Faces, float] = {belief: 0.0}
        self._support: dict[Faces, Support] = {}
        self._history: list[_Frame] = []

    @property
    def quiet(self) -> bool:
        """True if no other content than the accepted one is in question."""
        return len(self._weights) == 1

    def see(self, seen: Faces, t: float, frame: FrameRef | None, rates: Rates, *, hand: bool) -> None:
        """Take one frame's reading; ``hand``: a hand may have been here since the frame before."""
        if seen == self.belief:
            self.plain_t = t
            if self.quiet:
                self._history.clear()
                return
        if len(self._history) >= _HISTORY:
            del self._history[0]
        base = self._weights[self.belief] + (_HAND if hand else _NO_HAND)
        moved = self._moved_again() if hand else None
        self._history.append(_Frame(t, seen, base, moved))
        known = {candidate: likelihood(seen, candidate, rates) for candidate in self._weights}
        weighed = {candidate: weight + known[candidate] for candidate, weight in self._weights.items()}
        for candidate in self._candidates(seen):
            if candidate not in known:
                known[candidate] = likelihood(seen, candidate, rates)
                weighed[candidate] = self._in_memory(candidate, rates)
            elif candidate != self.belief:
                weighed[candidate] = max(weighed[candidate], base + self._prior(candidate) + known[candidate])
            if moved is not None and candidate not in (self.belief, moved[0]):
                again = moved[1] + _HAND + _prior(moved[0], candidate) + known[candidate]
                weighed[candidate] = max(weighed[candidate], again)
        self._keep(weighed)
        self._speak(seen, t, frame, known)

    def _speak(self, seen: Faces, t: float, frame: FrameRef | None, known: dict[Faces, float]) -> None:
        """Let the frame support every content that it fits better than the accepted one; ``known``: how well."""
        doubt = known[self.belief] + 2.0
        for candidate in self._weights:
            if candidate != self.belief and known[candidate] > doubt:
                support = self._support.setdefault(candidate, Support(t))
                support.add(t, frame)
                support.whole = support.whole or seen == candidate

    def _moved_again(self) -> tuple[Faces, float] | None:
        """Return the undecided content before a hand came once more, and its weight; None if decided."""
        best, _ = self.best()
        return (best, self._weights[best]) if best != self.belief and self.ordered else None

    def came_and_went(self, seen: Faces) -> bool:
        """For cards in no row: two frames on end show what lay here before, so what was seen was no rest."""
        back = not self.quiet and bool(self._history) and seen == self.belief == self._history[-1].seen
        if back:
            self.settle(self.belief)
        return back

    def _in_memory(self, candidate: Faces, rates: Rates) -> float:
        """Return the weight of a content not thought of before: the row may read so since any frame in memory."""
        total, best, prior = 0.0, -1e9, self._prior(candidate)
        for frame in reversed(self._history):
            total += likelihood(frame.seen, candidate, rates)
            best = max(best, frame.base + prior + total)
            if frame.moved is not None and frame.moved[0] != candidate:
                best = max(best, frame.moved[1] + _HAND + _prior(frame.moved[0], candidate) + total)
        return best

    def _candidates(self, seen: Faces) -> list[Faces]:
        best, _ = self.best()
        found = [self._whole(merge(self.belief, seen))]
        if best != self.belief:
            found.append(self._whole(merge(best, seen)))
        found.append(self._whole(filled(best, seen)) if UNKNOWN in seen and best else seen)
        return found

    def _whole(self, cards: Faces) -> Faces:
        return cards if self.ordered else tuple(sorted(cards))

    def _keep(self, weighed: dict[Faces, float]) -> None:
        ranked = sorted(weighed, key=lambda c: (-weighed[c], c))[:_MOST]
        floor = weighed[ranked[0]] - (_FORGET if ranked[0] == self.belief else 2 * _FORGET)
        kept = {c: weighed[c] for c in ranked if weighed[c] > floor}
        kept.setdefault(self.belief, weighed[self.belief])
        self._weights = kept
        if len(kept) > 1 or self._support:
            self._support = {c: s for c, s in self._support.items() if c in kept}

    def _prior(self, candidate: Faces) -> float:
        return _prior(self.belief, candidate, ordered=self.ordered)

    def best(self) -> tuple[Faces, float]:
        """Return the likeliest content, and its lead over the next."""
        if len(self._weights) == 1:
            return self.belief, 60.0
        ranked = sorted(self._weights, key=lambda c: (-self._weights[c], c != self.belief, c))
        return ranked[0], self._weights[ranked[0]] - self._weights[ranked[1]]

    @property
    def in_question(self) -> bool:
        """True if frames support another content than the accepted one, as far as a single misread would not."""
        best, lead = self.best()
        return best != self.belief or lead < SURE

    def support(self, candidate: Faces) -> Support:
        """Return the frames that support ``candidate`` against what was accepted."""
        return self._support.get(candidate) or Support(0.0)

    def last_before(self, after: Faces, rates: Rates, before: Faces | None = None) -> float | None:
        """Return when a frame last supported ``before`` against ``after``; None if there is no such frame.

        ``before``: the accepted content if none is given.
        """
        before = self.belief if before is None else before
        for frame in reversed(self._history):
            if likelihood(frame.seen, before, rates) > likelihood(frame.seen, after, rates):
                return frame.t
        return None

    def shown_by(self, start: float, end: float) -> list[Faces]:
        """Return what the frames in memory from ``start`` to ``end`` showed."""
        return [frame.seen for frame in self._history if start <= frame.t <= end]

    def shows_again(self, content: Faces) -> bool:
        """Return True if the newest frame shows all of ``content``: what earlier ones lacked was covered, not gone."""
        return bool(self._history) and not lacking(content, self._history[-1].seen)

    def has_shown(self, content: Faces) -> bool:
        """Return True if each card that ``content`` has more was shown by two frames: one alone may have misread it."""
        return all(
            sum(frame.seen.count(card) >= content.count(card) for frame in self._history) >= TWICE
            for card in set(lacking(content, self.belief))
        )

    def settle(self, content: Faces) -> None:
        """``content`` is what lies here now."""
        self.belief = content
        self._weights = {content: 0.0}
        self._support = {}
        self._history = []


def _prior(before: Faces, after: Faces, *, ordered: bool = True) -> float:
    """Return how likely a hand makes ``after`` of ``before``, as a logarithm."""
    added, gone = lacking(after, before), lacking(before, after)
    if added and not gone:
        return -0.5 - 0.2 * len(added)
    if gone and not added:
        return _TAKEN if ordered else _TAKEN_UP
    return -3.0 if not added and not gone else -8.0
