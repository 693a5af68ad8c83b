"""Face-up contents of one zone, from many frames: its rows, and what has changed in them.

A candidate of a row is taken when it leads all others and enough frames have looked that no further card can have been
missed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum, auto
from math import inf, log
from typing import Final

from hw.cards import UNKNOWN
from table_service.tracking.movements import FrameRef
from table_service.tracking.row_filter import SURE, TWICE, RowFilter, RowKey, Support
from table_service.tracking.sequences import Faces, Rates, lacking

LIKELY: Final = 2.5
"""The same if no further frame is waited for."""
_OVERLOOKED: Final = 2e-3
"""The chance at which it is accepted that a card was missed by every frame so far."""
_OVERLOOKED_WHOLE: Final = 0.02
"""The same for one frame that shows none of the cards that came."""
_PIECED: Final = 6
"""Frames that confirm a content which none of them has shown whole."""
_GUESS: Final = 0.5
_SWAPPED: Final = 4
"""Frames that must show other cards in the place of known ones, as many: else the known ones are misread."""
_NAMED: Final = 2.5
"""Lead that suffices if a gate has named the card that came."""


@dataclass(frozen=True, slots=True)
class ZoneChange:
    """A row's content is decided anew. ``since``: the last frame to show ``before``; ``support``: its frames.

    ``came_since``: the last frame to show what was left of ``before`` without the cards that came.
    """

    row: RowKey
    before: Faces
    after: Faces
    support: Support
    since: float
    confidence: float
    came_since: float = -inf

    @property
    def added(self) -> Faces:
        """The cards that came."""
        return lacking(self.after, self.before)

    @property
    def removed(self) -> Faces:
        """The cards that went."""
        return lacking(self.before, self.after)


class _Verdict(Enum):
    """Progress of frames towards deciding that a row differs from what is accepted."""

    OPEN = auto()
    LIKELY = auto()
    """Enough if no further frame is waited for."""
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
        self.dark_t = -1e9
        """The first frame of the last spell in which no frame saw the zone; ``cover_t``: its last."""
        """The last frame that could not see the zone: a hand may have been there."""
        self.plain_t = -1e9
        """The last frame that showed everything as it was known."""
        self._covered = False

    def ask(self, since: float, deadline: float) -> None:
        """Wait for frames, at most until ``deadline``: a hand has left the zone at ``since``."""
        if self.asked is None:
            self.asked = since
        self.latest = max(self.latest, since)
        self.deadline = deadline
        self.looks = 0

    def cover(self, t: float) -> None:
        """Note that the frame at ``t`` could not see the zone."""
        self.dark_t = self.dark_t if self._covered else t
        self._covered = True
        self.cover_t = t

    @property
    def covered(self) -> bool:
        """True if the newest frame could not see the zone."""
        return self._covered

    def dark_before(self, t: float) -> float:
        """Seconds before ``t`` for which no frame had seen the zone, nor saw it then; 0 if one did."""
        return max(0.0, t - self.dark_t) if self.dark_t < t <= self.cover_t else 0.0

    def see(
        self, shown: dict[RowKey, Faces], t: float, frame: FrameRef | None, *, hand: Callable[[], bool], cards: int
    ) -> None:
        """Take a frame of the zone. ``hand`` says whether a hand has been here since the frame before."""
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
        """True if nothing is in question."""
        for row in self.rows.values():  # noqa: SIM110 - asked with every observation: a generator costs more
            if not row.quiet:
                return False
        return True

    @property
    def looked(self) -> bool:
        """True if enough frames have looked since the last hand left that no card can have been missed by all."""
        return self.looks >= self._needed(named=False)

    def _needed(self, *, named: bool) -> int:
        looks, unseen = 1, self._rates.miss
        while unseen > _OVERLOOKED and looks < 6:
            unseen *= self._rates.miss
            looks += 1
        return 1 if named and not self._is_dim else max(2, looks)

    @property
    def _is_dim(self) -> bool:
        """True if the camera misses so many cards that one frame proves nothing, even after a gate has named a card."""
        return self._rates.miss > _OVERLOOKED_WHOLE

    def decide(self, *, late: bool, named: bool = False) -> list[ZoneChange] | None:
        """Return the changes, [] if there are none, None if another frame may decide.

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
        """Return how far frames have decided for ``one`` against what was accepted."""
        lead, frames = (_NAMED, self._needed(named=named)) if one.plain else (SURE, self._needed(named=False))
        if one.proven and UNKNOWN not in one.content and one.lead > lead and one.support.count >= frames:
            return _Verdict.SURE
        if one.lead > (SURE if one.loses else LIKELY) and one.support.count >= TWICE:
            return _Verdict.LIKELY
        return _Verdict.OPEN

    def _change(self, row: RowKey, known: RowFilter, one: _Candidate) -> ZoneChange:
        chance = 1.0 - 0.5 ** (one.lead / log(2)) if one.proven else _GUESS
        before = known.last_before(one.content, self._rates)
        since = self.plain_t if before is None else max(before, self.plain_t)
        if not self._overlooks(lacking(one.content, known.belief)):
            since = max(since, known.plain_t)
        left = lacking(one.content, lacking(one.content, known.belief))
        without = known.last_before(one.content, self._rates, left) if one.loses and left != one.content else None
        came = -inf if without is None else without
        return ZoneChange(row, known.belief, one.content, one.support, since, max(_GUESS, chance), came)

    def _overlooks(self, cards: Faces) -> bool:
        """Return True if a single frame may well have shown none of ``cards`` although they lay there."""
        return not cards or self._rates.miss ** len(cards) > _OVERLOOKED_WHOLE

    def leaning(self) -> list[tuple[RowKey, Faces]]:
        """Return the rows that seem to change, with the cards that seem to have come."""
        found = []
        for row, known in self.rows.items():
            best, _ = known.best()
            if best != known.belief:
                found.append((row, lacking(best, known.belief)))
        return found

    def believe(self, changes: Iterable[ZoneChange]) -> None:
        """Accept the changes."""
        for change in changes:
            self.rows[change.row].settle(change.after)
        self._remember()

    def correct(self, row: RowKey, cards: Faces) -> None:
        """Set the row to the contents that the arbitro gives."""
        known = self.rows.setdefault(row, RowFilter(ordered=row is not None))
        known.settle(cards if row is not None else tuple(sorted(cards)))
        self._remember()

    def _remember(self) -> None:
        self._steady = {row: known.belief for row, known in self.rows.items() if known.belief}
        self.same_t = max(self.same_t, self.frame_t)
        self.plain_t = max(self.plain_t, self.frame_t)

    def answered(self, *, late: bool, named: bool) -> None:
        """Close the question, as far as frames have looked since the last hand left."""
        only = self.asked is None or self.asked >= self.latest  # one hand was here: its card is the one that was named
        enough = late or self.asked is None or self.looks >= self._needed(named=named and only)
        self.asked = None if enough else self.latest


def _is_swap(before: Faces, after: Faces) -> bool:
    """Return True if known cards of a row read as others, as many as before: likelier misread than replaced."""
    gone = lacking(before, after)
    return bool(gone) and len(before) == len(after) and UNKNOWN not in gone
