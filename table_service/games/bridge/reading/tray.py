"""Bidding cards in the tray's compartments, alert and stop cards, and the tray's way, as acts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from hw.observations import Reach, Sight, Tray
from hw.seats import SEATS, Seat
from hw.zones import TABLE
from table_service.games.bridge.judges.sides import Side, side_of
from table_service.games.bridge.reading.acts import (
    UNREAD,
    Act,
    AlertGivenBack,
    AlertLaid,
    CallLaid,
    CallNamed,
    CallTakenBack,
    StopShown,
    TrayPassed,
)
from table_service.games.bridge.reading.hands_there import HandsThere
from table_service.games.bridge.rules.auction import CALLS

TRAY: Final = "tray"
ALERT: Final = "alert"
STOP: Final = "stop"
READ: Final = 0.5
"""A bidding card that the camera is less sure of was not read."""
GONE_S: Final = 0.3
"""A card that two clear pictures at least so far apart do not show has left; one picture may only have missed it."""
_NAMES: Final = frozenset({*CALLS, ALERT, STOP})


@dataclass(frozen=True, slots=True)
class _Otherwise:
    """A compartment reads ``names`` since ``since``; ``changed``: a hand was over the tray before."""

    names: list[str]
    since: float
    changed: bool


@dataclass(slots=True)
class _Compartment:
    """What lies there: ``cards`` in the order in which they came; ``missing``: since when a card was not shown.

    ``other``: it reads otherwise than before, once so far.
    """

    cards: list[str] = field(default_factory=list)
    missing: dict[str, float] = field(default_factory=dict)
    other: _Otherwise | None = None


class TrayReader:
    """Reads one board's tray. ``side``: where it stands, None while nobody knows."""

    def __init__(self, side: Side | None = None) -> None:
        self.side: Side | None = side
        self._moved: tuple[float, Seat | None] | None = None
        self._hands = HandsThere((TRAY, TABLE))
        self._there = {seat: _Compartment() for seat in SEATS}
        self._covered = False

    def reach(self, reach: Reach) -> None:
        """A hand crosses a beam."""
        self._hands.hear(reach)

    def contact(self, tray: Tray) -> Iterator[Act]:
        """The tray stands on a side, or moves."""
        if tray.side == "moving":
            if self._moved is None:
                self._moved = tray.t, self._pusher(tray)
            return
        moved, self._moved = self._moved, None
        before, self.side = self.side, tray.side
        if before is None or before == tray.side:
            return
        t, by = moved if moved is not None else (tray.t, None)
        if by is None:
            self.side = before  # whose hand it is hangs on the side that the tray leaves
            by = self._pusher(tray)
            self.side = tray.side
        yield TrayPassed(t, by, tray.side)

    def _pusher(self, tray: Tray) -> Seat | None:
        if tray.seat is not None:
            return tray.seat
        if self.side is None:
            return None
        return self._hands.only(tray.t, [seat for seat in SEATS if side_of(seat) == self.side])

    def sight(self, sight: Sight) -> Iterator[Act]:
        """A picture: what lies in each compartment."""
        is_clear = TRAY not in sight.hidden
        for seat in SEATS:
            lying, beside = _found(sight, seat)
            names = _with_missed(lying, self._there[seat].cards)
            yield from self._compare(seat, names + beside, beside, sight.t, is_clear=is_clear)
        self._covered = not is_clear

    def _compare(self, seat: Seat, names: list[str], beside: list[str], t: float, *, is_clear: bool) -> Iterator[Act]:
        there = self._there[seat]
        now, before = Counter(names), Counter(there.cards)
        fresh, absent = [*(now - before).elements()], before - now
        if fresh and absent and is_clear:
            more = len(names) - len(there.cards)
            yield from self._other_reading(seat, names, more, t)
            fresh = [name for name in names if name in fresh][-more:] if more > 0 else []
            absent = Counter[str]()  # what was read otherwise has not left
        else:
            there.other = None
        for name in there.cards:
            if name not in absent:
                there.missing.pop(name, None)
        if is_clear:
            yield from self._left(seat, absent, t)
        for name in fresh:
            there.cards.append(name)
            yield from self._laid(seat, name, t, shown=name in beside)

    def _other_reading(self, seat: Seat, names: list[str], more: int, t: float) -> Iterator[Act]:
        """Cards that read otherwise than before: believed once two clear pictures say so.

        Where a hand was over the tray meanwhile its owner has changed the call; else it was misread before.
        """
        there = self._there[seat]
        known = names[: len(names) - max(0, more)]
        if there.other is None or there.other.names != known:
            may_be_changed = self._covered and self.side in (None, side_of(seat)) and more == 0
            there.other = _Otherwise(known, t, changed=may_be_changed)
        old, new = Counter(there.cards) - Counter(known), Counter(known) - Counter(there.cards)
        named = [name for name in new.elements() if name in CALLS]
        own = [name for name in old.elements() if name in CALLS or name == UNREAD]
        settled = t - there.other.since >= GONE_S
        for name, call in zip([one for one in own if settled or one == UNREAD], named, strict=False):
            yield from self._read_otherwise(seat, name, call, there.other, t)

    def _read_otherwise(self, seat: Seat, name: str, call: str, other: _Otherwise, t: float) -> Iterator[Act]:
        cards = self._there[seat].cards
        place = _last(cards, name)
        if other.changed and name != UNREAD:
            del cards[place]
            cards.append(call)
            yield CallTakenBack(other.since, seat, name)
            yield CallLaid(other.since, seat, call)
        else:
            cards[place] = call
            yield CallNamed(t, seat, name, call)

    def _left(self, seat: Seat, absent: Counter[str], t: float) -> Iterator[Act]:
        there = self._there[seat]
        for name in list((+absent).elements()):
            since = there.missing.setdefault(name, t)
            if t - since < GONE_S:
                continue
            del there.cards[_last(there.cards, name)]
            there.missing.pop(name, None)
            if name == ALERT:
                yield AlertGivenBack(since, seat, self.side)
            elif name != STOP:
                yield CallTakenBack(since, seat, name)

    def _laid(self, seat: Seat, name: str, t: float, *, shown: bool) -> Iterator[Act]:
        if name == ALERT:
            yield AlertLaid(t, seat, self.side)
        elif name == STOP:
            yield StopShown(t, seat)
        else:
            yield CallLaid(t, seat, name, shown)


_Placed = list[tuple[int | None, str]]
"""Names with their places in a compartment, None where a picture does not tell them."""


def _found(sight: Sight, seat: Seat) -> tuple[_Placed, list[str]]:
    """What a picture shows in the compartment of ``seat``, in order, and which of its calls lie beside the tray."""
    shown: list[tuple[int, int | None, str]] = []
    beside: list[str] = []
    for nth, card in enumerate(sight.cards):
        if card.seat is not seat or card.zone not in (TRAY, TABLE):
            continue
        name = card.card if card.confidence >= READ and card.card in _NAMES else UNREAD
        if card.zone == TRAY:
            shown.append((card.order if card.order is not None else nth, card.order, name))
        elif name in CALLS:
            beside.append(name)
    return [(order, name) for _, order, name in sorted(shown, key=lambda one: one[0])], beside


def _with_missed(found: _Placed, known: list[str]) -> list[str]:
    """The names of ``found`` in order, with those ``known`` whose place was missed beneath a later card.

    A card that lies further on lies over it: it was missed by a picture, and not taken away.
    """
    shown = {place: name for place, name in found if place is not None}
    if len(shown) < len(found):
        return [name for _, name in found]
    beneath = {place: name for place, name in enumerate(known) if place < max(shown, default=0)}
    return [name for _, name in sorted((beneath | shown).items())]


def _last(cards: list[str], name: str) -> int:
    return len(cards) - 1 - cards[::-1].index(name)
