"""What lies face up in a zone, from many frames: a small filter over readings for each row, and the rows of a zone.

A frame may miss or misread any card, so no frame is believed alone. Each row keeps a few candidate contents with their
likelihood; a change is thought likely where a hand has been since the last frame, unlikely elsewhere. A candidate is
taken when it leads all others and enough frames have looked that no further card can have been missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum, auto
from math import log
from typing import Final

from hw.cards import UNKNOWN
from table_service.tracking.movements import FrameRef
from table_service.tracking.sequences import Faces, Rates, filled, lacking, likelihood, merge

RowKey = int | None
"""The number of a meld row; None for cards that lie in no row."""
SURE: Final = 6.9
"""Lead in log-likelihood at which a content is taken: one error in a thousand, before the next frame corrects it."""
LIKELY: Final = 2.5
_HAND: Final = log(0.3)
_NO_HAND: Final = -9.0
_OVERLOOKED: Final = 2e-3
"""The chance at which it is accepted that a card was missed by every frame so far."""
_OVERLOOKED_WHOLE: Final = 0.02
"""The same for one frame that shows none of the cards that came."""
_MOST: Final = 12
_HISTORY: Final = 8
_FORGET: Final = 16.0
"""A content that lies so far behind what is believed is thought of no more."""
_PIECED: Final = 6
"""Frames that make sure of a content which none of them has shown whole."""
_TWICE: Final = 2
_TAKEN: Final = -9.0
"""How likely a hand takes cards out of a row, as a logarithm: by a ruling, or to mend what it has just laid."""
_TAKEN_UP: Final = -5.0
"""The same for cards that lie in no row."""
_GUESS: Final = 0.5
_NAMED: Final = 2.5
_SWAPPED: Final = 4
"""Frames that must show other cards in the place of known ones, as many: else the known ones are misread."""
"""Lead that suffices where a gate has named the card that came."""


@dataclass(slots=True)
class Support:
    """The frames that speak for a candidate: the time of the first, how many, and some of their numbers."""

    first_t: float
    count: int = 0
    frames: list[FrameRef] = field(default_factory=list)
    last_t: float = 0.0
    whole: bool = False
    """Whether one frame has shown all of it just so."""

    def add(self, t: float, frame: FrameRef | None) -> None:
        """One more frame."""
        self.count += 1
        self.last_t = t
        if frame is not None and len(self.frames) < 4:
            self.frames.append(frame)


@dataclass(frozen=True, slots=True)
class _Frame:
    """One frame in memory: what it showed, and what was known before it.

    ``base``: the weight from which another content than the believed one starts here. ``moved``: a content that is not
    decided yet, with its weight, where a hand has come once more since it was laid.
    """

    t: float
    seen: Faces
    base: float
    moved: tuple[Faces, float] | None


class RowFilter:
    """What one row reads. ``ordered``: the order of cards has a meaning; else contents are sorted."""

    __slots__ = ("_history", "_support", "_weights", "belief", "ordered", "plain_t")

    def __init__(self, belief: Faces = (), *, ordered: bool = True, plain_t: float = -1e9) -> None:
        self.belief = belief
        self.plain_t = plain_t
        """The last frame that showed just what is believed."""
        self.ordered = ordered
        self._weights: dict[Faces, float] = {belief: 0.0}
        self._support: dict[Faces, Support] = {}
        self._history: list[_Frame] = []

    @property
    def quiet(self) -> bool:
        """Whether no other content than the believed one is in question."""
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
        """The frame speaks for every content that it fits better than the believed one; ``known``: how well."""
        doubt = known[self.belief] + 2.0
        for candidate in self._weights:
            if candidate != self.belief and known[candidate] > doubt:
                support = self._support.setdefault(candidate, Support(t))
                support.add(t, frame)
                support.whole = support.whole or seen == candidate

    def _moved_again(self) -> tuple[Faces, float] | None:
        """What lay here before a hand came once more, where that is not decided yet, and its weight."""
        best, _ = self.best()
        return (best, self._weights[best]) if best != self.belief and self.ordered else None

    def came_and_went(self, seen: Faces) -> bool:
        """For cards in no row: two frames on end show what lay here before, so what was seen was no rest."""
        back = not self.quiet and bool(self._history) and seen == self.belief == self._history[-1].seen
        if back:
            self.settle(self.belief)
        return back

    def _in_memory(self, candidate: Faces, rates: Rates) -> float:
        """The weight of a content not thought of before: the row may read so since any frame in memory."""
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
        """The likeliest content, and its lead over the next."""
        if len(self._weights) == 1:
            return self.belief, 60.0
        ranked = sorted(self._weights, key=lambda c: (-self._weights[c], c != self.belief, c))
        return ranked[0], self._weights[ranked[0]] - self._weights[ranked[1]]

    @property
    def in_question(self) -> bool:
        """Whether frames speak for another content than the believed one, as far as a single misread would not."""
        best, lead = self.best()
        return best != self.belief or lead < SURE

    def support(self, candidate: Faces) -> Support:
        """The frames that speak for ``candidate`` against what was believed."""
        return self._support.get(candidate) or Support(0.0)

    def last_before(self, after: Faces, rates: Rates) -> float | None:
        """When a frame last spoke for what was believed against ``after``; None where none in memory did."""
        for frame in reversed(self._history):
            if likelihood(frame.seen, self.belief, rates) > likelihood(frame.seen, after, rates):
                return frame.t
        return None

    def shown_by(self, start: float, end: float) -> list[Faces]:
        """What the frames in memory from ``start`` to ``end`` showed."""
        return [frame.seen for frame in self._history if start <= frame.t <= end]

    def has_shown(self, content: Faces) -> bool:
        """Whether each card that ``content`` has more was shown by two frames: one alone may have misread it."""
        return all(
            sum(frame.seen.count(card) >= content.count(card) for frame in self._history) >= _TWICE
            for card in set(lacking(content, self.belief))
        )

    def settle(self, content: Faces) -> None:
        """``content`` is what lies here now."""
        self.belief = content
        self._weights = {content: 0.0}
        self._support = {}
        self._history = []


def _prior(before: Faces, after: Faces, *, ordered: bool = True) -> float:
    """How likely a hand makes ``after`` of ``before``, as a logarithm."""
    added, gone = lacking(after, before), lacking(before, after)
    if added and not gone:
        return -0.5 - 0.2 * len(added)
    if gone and not added:
        return _TAKEN if ordered else _TAKEN_UP
    return -3.0 if not added and not gone else -8.0


@dataclass(frozen=True, slots=True)
class Change:
    """A row's content is decided anew. ``since``: the last frame to show ``before``; ``support``: its frames."""

    row: RowKey
    before: Faces
    after: Faces
    support: Support
    since: float
    confidence: float

    @property
    def added(self) -> Faces:
        """The cards that came."""
        return lacking(self.after, self.before)

    @property
    def removed(self) -> Faces:
        """The cards that went."""
        return lacking(self.before, self.after)


class _Verdict(Enum):
    """How far frames have decided that a row reads otherwise than believed."""

    OPEN = auto()
    LIKELY = auto()
    """Enough where no further frame is waited for."""
    SURE = auto()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """The likeliest new content of a row, its lead, and the frames that speak for it.

    ``loses``: known cards would be gone. ``plain``: the gates have named what came, nothing is gone, and the light is
    good. ``proven``: frames have shown each of its cards.
    """

    content: Faces
    lead: float
    support: Support
    loses: bool
    plain: bool
    proven: bool


class CameraZone:
    """The rows of one zone as the camera has shown them."""

    def __init__(self, zone: str, rates: Rates) -> None:
        self.zone = zone
        self.rows: dict[RowKey, RowFilter] = {}
        self.looks = 0
        """Frames that showed the zone since it was last in question."""
        self.frame_t = -1e9
        self.asked: float | None = None
        """Since when a change may lie here that no frame has shown yet: a hand left then."""
        self.latest = -1e9
        """When the last hand left."""
        self.deadline = 0.0
        self._rates = rates
        self._steady: dict[RowKey, Faces] = {}
        self.same_t = -1e9
        """The last frame that showed nothing new."""
        self.cover_t = -1e9
        """The last frame that could not see the zone: a hand may have been there."""
        self.plain_t = -1e9
        """The last frame that showed everything as it was known."""
        self._covered = False

    def ask(self, since: float, deadline: float) -> None:
        """A hand has left the zone at ``since``: wait for frames, at most until ``deadline``."""
        if self.asked is None:
            self.asked = since
        self.latest = max(self.latest, since)
        self.deadline = deadline
        self.looks = 0

    def cover(self, t: float) -> None:
        """The frame at ``t`` could not see the zone."""
        self._covered = True
        self.cover_t = t

    @property
    def covered(self) -> bool:
        """Whether the newest frame could not see the zone."""
        return self._covered

    def see(
        self, shown: dict[RowKey, Faces], t: float, frame: FrameRef | None, *, hand: Callable[[], bool], cards: int
    ) -> None:
        """A frame shows the zone. ``hand`` tells whether a hand has been here since the frame before."""
        before, self.frame_t = self.frame_t, t
        if self.asked is None or t >= self.latest:
            self.looks += 1
        if shown == self._steady and self.quiet:
            self.same_t = self.plain_t = t
            self._covered = False
            self._rates.saw(cards)
            return
        there = self._covered or hand()
        self._covered = False
        for row in shown:
            if row not in self.rows:
                self.rows[row] = RowFilter(ordered=row is not None, plain_t=before)
        settled = True
        for row, known in self.rows.items():
            seen = shown.get(row, ())
            if row is None and known.came_and_went(seen):
                continue
            known.see(seen, t, frame, self._rates, hand=there)
            if known.best()[0] != known.belief:
                settled = False
            elif known.belief:
                self._rates.compare(seen, known.belief)
        if settled:
            self.same_t = t

    @property
    def quiet(self) -> bool:
        """Whether nothing is in question."""
        for row in self.rows.values():  # noqa: SIM110 - asked with every observation: a generator costs more
            if not row.quiet:
                return False
        return True

    @property
    def looked(self) -> bool:
        """Whether so many frames have looked since the last hand left that no card can have been missed by all."""
        return self.looks >= self._needed(named=False)

    def _needed(self, *, named: bool) -> int:
        looks, unseen = 1, self._rates.miss
        while unseen > _OVERLOOKED and looks < 6:
            unseen *= self._rates.miss
            looks += 1
        return 1 if named and not self._is_dim else max(2, looks)

    @property
    def _is_dim(self) -> bool:
        """Whether the camera misses so many cards that one frame proves nothing, though a gate has named a card."""
        return self._rates.miss > _OVERLOOKED_WHOLE

    def decide(self, *, late: bool, named: bool = False) -> list[Change] | None:
        """What has changed, [] where nothing has, None where another frame may tell.

        ``late``: do not wait any longer. ``named``: the gates have named the cards that came.
        """
        changes = []
        for row, known in self.rows.items():
            best, lead = known.best()
            if best == known.belief:
                if not late and lead <= SURE and not known.quiet:
                    return None
                continue
            candidate = self._candidate(known, best, lead, named=named)
            if row is not None and candidate.support.count < _SWAPPED and _is_swap(known.belief, best):
                verdict = _Verdict.OPEN
            else:
                verdict = self._verdict(candidate, named=named)
            if not late and verdict is not _Verdict.SURE:
                return None
            if verdict is not _Verdict.OPEN:
                changes.append(self._change(row, known, candidate))
        if not changes and not late and not self.looked:
            return None
        return changes

    def _candidate(self, known: RowFilter, best: Faces, lead: float, *, named: bool) -> _Candidate:
        support = known.support(best)
        loses = bool(lacking(known.belief, best))
        plain = named and not self._is_dim and not loses
        seen_whole = support.whole or support.count > _PIECED
        return _Candidate(best, lead, support, loses, plain, seen_whole and (plain or known.has_shown(best)))

    def _verdict(self, one: _Candidate, *, named: bool) -> _Verdict:
        """How far frames have decided for ``one`` against what was believed."""
        lead, frames = (_NAMED, self._needed(named=named)) if one.plain else (SURE, self._needed(named=False))
        if one.proven and UNKNOWN not in one.content and one.lead > lead and one.support.count >= frames:
            return _Verdict.SURE
        if one.lead > (SURE if one.loses else LIKELY) and one.support.count >= _TWICE:
            return _Verdict.LIKELY
        return _Verdict.OPEN

    def _change(self, row: RowKey, known: RowFilter, one: _Candidate) -> Change:
        chance = 1.0 - 0.5 ** (one.lead / log(2)) if one.proven else _GUESS
        before = known.last_before(one.content, self._rates)
        since = self.plain_t if before is None else max(before, self.plain_t)
        if not self._overlooks(lacking(one.content, known.belief)):
            since = max(since, known.plain_t)
        return Change(row, known.belief, one.content, one.support, since, max(_GUESS, chance))

    def _overlooks(self, cards: Faces) -> bool:
        """Whether a single frame may well have shown none of ``cards`` although they lay there."""
        return not cards or self._rates.miss ** len(cards) > _OVERLOOKED_WHOLE

    def leaning(self) -> list[tuple[RowKey, Faces]]:
        """The rows that seem to change, with the cards that seem to have come."""
        found = []
        for row, known in self.rows.items():
            best, _ = known.best()
            if best != known.belief:
                found.append((row, lacking(best, known.belief)))
        return found

    def believe(self, changes: Iterable[Change]) -> None:
        """The changes hold: believe them."""
        for change in changes:
            self.rows[change.row].settle(change.after)
        self._remember()

    def correct(self, row: RowKey, cards: Faces) -> None:
        """The arbitro says what lies there."""
        known = self.rows.setdefault(row, RowFilter(ordered=row is not None))
        known.settle(cards if row is not None else tuple(sorted(cards)))
        self._remember()

    def _remember(self) -> None:
        self._steady = {row: known.belief for row, known in self.rows.items() if known.belief}
        self.same_t = max(self.same_t, self.frame_t)
        self.plain_t = max(self.plain_t, self.frame_t)

    def answered(self, *, late: bool, named: bool) -> None:
        """The question is closed, as far as frames have looked since the last hand left."""
        only = self.asked is None or self.asked >= self.latest  # one hand was here: its card is the one that was named
        enough = late or self.asked is None or self.looks >= self._needed(named=named and only)
        self.asked = None if enough else self.latest


def _is_swap(before: Faces, after: Faces) -> bool:
    """Whether known cards of a row read as others, as many as before: misread more likely than taken and replaced."""
    gone = lacking(before, after)
    return bool(gone) and len(before) == len(after) and UNKNOWN not in gone
