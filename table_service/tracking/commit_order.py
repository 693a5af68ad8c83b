"""Output of tracking, kept in the order of commitment until nothing earlier can still come."""

from __future__ import annotations

from bisect import insort
from dataclasses import dataclass, field
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from table_service.tracking.movements import FrameRef, Movement, Named, Retracted, RowChanged, Track
from table_service.tracking.pile import Slot

READY: Final = -1e9


@dataclass(slots=True, eq=False)
class Draft:
    """A movement or row change that is not said yet, or is said and may still be named better.

    ``wait``: the log time until which it may be held for better evidence. ``before`` not None makes it a RowChanged.
    ``slots``: the pile's cards that it moves, whose names may become known.
    """

    t: float
    committed_t: float
    cards: tuple[str, ...]
    source: str | None
    target: str | None
    seat: Seat | None
    confidence: float
    basis: list[str]
    row: int | None = None
    result: tuple[str, ...] = ()
    visible_to: tuple[Seat, ...] | None = None
    frames: tuple[FrameRef, ...] = ()
    beside: int | None = None
    before: tuple[str, ...] | None = None
    corrected: bool = False
    since: float | None = None
    slots: list[Slot] = field(default_factory=list)
    wait: float = READY
    held: float = READY
    """The log time until which it is held to see whose hand it was."""
    id: int | None = None
    told: tuple[str, ...] = ()
    gone: bool = False

    def lean(self, *sensors: str) -> None:
        """Add ``sensors`` to what it is based on."""
        for sensor in sensors:
            if sensor not in self.basis:
                self.basis.append(sensor)

    def names(self) -> tuple[str, ...]:
        """Return the cards as far as they are known now."""
        if not self.slots:
            return self.cards
        margin = 2.0 if self.id is None and self.wait > READY else 1.0
        return tuple(slot.name(margin) for slot in self.slots)

    @property
    def named(self) -> bool:
        """True if every card is known."""
        cards = tuple(slot.name() for slot in self.slots) if self.slots else self.cards
        return UNKNOWN not in cards

    def said(self, number: int) -> Movement | RowChanged:
        """Return the value that says it, under ``number``."""
        self.id = number
        self.told = self.names()
        self.wait = READY
        basis = tuple(self.basis)
        if self.before is not None:
            return RowChanged(
                number,
                self.t,
                self.committed_t,
                self.source or "",
                -1 if self.row is None else self.row,
                self.before,
                self.result,
                self.seat,
                self.confidence,
                basis,
                self.corrected,
                self.frames,
            )
        doubt = 0.9 if UNKNOWN in self.told and self.slots else 1.0
        return Movement(
            number,
            self.t,
            self.committed_t,
            self.told,
            self.source,
            self.target,
            self.seat,
            round(self.confidence * doubt, 6),
            basis,
            self.row,
            self.result,
            self.visible_to,
            self.frames,
            self.beside,
            self.since,
        )


class CommitQueue:
    """The queue. Values leave it in the order of ``committed_t``; what is said later about them leaves at once."""

    def __init__(self) -> None:
        self._queue: list[tuple[float, int, Draft | Track]] = []
        self._serial = 0
        self._numbers = 0
        self._asides: list[Track] = []

    def put(self, value: Draft | Track, committed_t: float | None = None) -> None:
        """Say ``value`` when its turn comes."""
        if committed_t is None:
            committed_t = value.committed_t if isinstance(value, Draft) else value.t
        self._serial += 1
        insort(self._queue, (committed_t, self._serial, value), key=lambda item: item[:2])

    def drop(self, draft: Draft, t: float, reason: str) -> None:
        """Drop ``draft``, which did not happen: it is left out, or retracted if it was emitted."""
        draft.gone = True
        if draft.id is not None:
            self._asides.append(Retracted(t, draft.id, reason))

    def rename(self, draft: Draft, t: float, basis: tuple[str, ...], confidence: float = 0.99) -> None:
        """Name the cards of ``draft``, which are known better now; emitted only if different from what was emitted."""
        cards = draft.names()
        if draft.id is None or draft.gone or draft.before is not None:
            return
        if _tells_more(draft.told, cards):
            draft.told = cards
            self._asides.append(Named(t, draft.id, cards, confidence, basis))

    @property
    def idle(self) -> bool:
        """True if nothing waits."""
        return not self._queue and not self._asides

    def release(self, now: float, bound: float) -> list[Track]:
        """Return what may be emitted at log time ``now``, if values committed at ``bound`` or later may still come."""
        said: list[Track] = []
        while self._queue:
            committed_t, _, value = self._queue[0]
            if isinstance(value, Draft):
                if value.gone:
                    self._queue.pop(0)
                    continue
                if committed_t > bound or max(value.wait, value.held) > now:
                    break
                self._queue.pop(0)
                self._numbers += 1
                said.append(value.said(self._numbers))
            else:
                if committed_t > bound:
                    break
                self._queue.pop(0)
                said.append(value)
        if self._asides:
            said += self._asides
            self._asides = []
        return said


def _tells_more(before: tuple[str, ...], after: tuple[str, ...]) -> bool:
    if len(before) != len(after):
        return True
    return any(
        new not in (UNKNOWN, old) and (face(old) != face(new) or "#" not in old)
        for old, new in zip(before, after, strict=True)
    )
