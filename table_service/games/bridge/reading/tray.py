"""Bidding cards in the tray's compartments, alert and stop cards, and the tray's way, as acts."""

from __future__ import annotations

import math
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
    CallWasNone,
    StopShown,
    TrayMoved,
)
from table_service.games.bridge.reading.compartments import (
    ALERT,
    MARKS,
    STOP,
    TRAY,
    found_in,
    is_read,
    new_ones,
    side_shown,
    with_loose,
    with_missed,
)
from table_service.games.bridge.reading.hands_there import HandsThere
from table_service.games.bridge.reading.looks import FEWEST, MOST, MissRate, StillPicture
from table_service.games.bridge.rules.auction import CALLS

ACROSS_S: Final = 2.0
"""So long cards must lie where they do on the other side before that alone says that the tray has gone there."""
OTHERWISE_S: Final = 0.3
"""What two clear pictures at least so far apart read otherwise is so; one may be mistaken."""
GONE_PICTURES: Final = 3
"""A card that so many clear pictures running do not show has left, fewer may only have missed it."""
UNTOUCHED_S: Final = 1.8
"""Where no picture has shown a hand over the tray since the card was last seen, they are also so far apart."""
BARE_FROM: Final = 3
"""Of so many cards no picture misses all: where none is shown the tray was cleared."""


@dataclass(slots=True)
class _Otherwise:
    """A compartment reads ``names`` since ``since``; ``changed``: a hand was over the tray before."""

    names: list[str]
    since: float
    changed: bool
    pictures: int = 0


@dataclass(slots=True)
class _Compartment:
    """Bidding cards of one seat: ``cards`` in the order in which they came; ``missing``: those that are not shown.

    ``shown``: in how many clear pictures each was shown on this board.
    ``touched``: those over which a hand was since they were last shown. ``other``: it reads otherwise than before, once
    so far. ``old``: those of the board before, whose removal is no act of this one.
    """

    cards: list[str] = field(default_factory=list)
    missing: dict[str, list[float]] = field(default_factory=dict)
    """When clear pictures were without a card, by the card."""
    shown: Counter[str] = field(default_factory=Counter)
    touched: set[str] = field(default_factory=set)
    other: _Otherwise | None = None
    old: Counter[str] = field(default_factory=Counter)


class TrayReader:
    """Reads one board's tray. ``side``: where it stands, None while nobody knows."""

    def __init__(self, side: Side | None = None) -> None:
        self.side: Side | None = side
        self._moved: tuple[float, Seat | None] | None = None
        self._hands = HandsThere((TRAY, TABLE))
        self._there = {seat: _Compartment() for seat in SEATS}
        self._covered = False
        self._misses = MissRate()
        self._looks: Counter[tuple[Seat, str, int]] = Counter()
        self._newest = Sight(-math.inf, (), ())
        self._picture = StillPicture()
        self._across: float | None = None
        self._lain_here = False
        self._callers: set[Seat] = set()
        self._are_marks_loose = False
        """True once an alert or stop card came without its order (interfaces, section 2)."""
        self._bare: float | None = None
        """Since when clear pictures show a tray without any of the cards that lay there."""

    def begin_board(self) -> None:
        """Begin a board: what the tray was cleared of lies there no more, and may be laid there again."""
        for there in self._there.values():
            left = [name for name, pictures in there.missing.items() if _is_left(pictures)]
            for name in there.cards[:] if self._bare is not None else left:
                del there.cards[_last(there.cards, name)]
                there.missing.pop(name, None)
                there.touched.discard(name)
            there.old = Counter(there.cards)
            there.shown.clear()

    def is_sure(self, seat: Seat, call: str, nth: int = 1) -> bool:
        """Return True if ``nth`` cards of ``call`` were read for ``seat`` at once, often enough to be no misreading."""
        return self._looks[(seat, call, nth)] >= FEWEST

    def wait(self, t: float) -> None:
        """Advance to ``t``. If no picture was logged for a while the newest one still holds, which is one more look."""
        if self._picture.holds(t):
            self._count_looks(self._newest)

    def _count_looks(self, sight: Sight) -> None:
        read = Counter((card.seat, card.card) for card in sight.cards if card.seat is not None and is_read(card))
        self._looks.update((seat, call, nth + 1) for (seat, call), count in read.items() for nth in range(count))

    def reach(self, reach: Reach) -> None:
        """Take a hand's crossing of a beam."""
        self._hands.hear(reach)

    def contact(self, tray: Tray) -> Iterator[Act]:
        """Yield the acts of the tray, which is on a side, or moves."""
        if tray.side == "moving":
            if self._moved is None:
                self._moved = tray.t, self._pusher(tray)
            return
        moved, self._moved = self._moved, None
        before, self.side = self.side, tray.side
        if before is None or before == tray.side:
            return
        self._callers.clear()
        self._lain_here = False
        t, by = moved if moved is not None else (tray.t, None)
        if by is None:
            self.side = before  # whose hand it is hangs on the side that the tray leaves
            by = self._pusher(tray)
            self.side = tray.side
        yield TrayMoved(t, by, tray.side)

    def _seen_across(self, sight: Sight) -> Iterator[Act]:
        """Its cards lie where they do on the other side, in two pictures, and it has moved or somebody calls there.

        So a contact was not heard. Where cards lie is not enough: whoever writes a log need not have measured that.
        Where they have lain on this side since the tray came, it was measured: then that alone is enough after
        ``ACROSS_S``.
        """
        side = side_shown(sight)
        if side is None or side == self.side:
            self._lain_here |= side is not None
            self._across = None
            return
        since = self._across = sight.t if self._across is None else self._across
        is_there = self._moved is not None or any(side_of(seat) == side for seat in self._callers)
        if sight.t - since >= (OTHERWISE_S if is_there else ACROSS_S if self._lain_here else math.inf):
            self._across = None
            yield from self.contact(Tray(since, side, None))

    def _seen_bare(self, sight: Sight) -> Iterator[Act]:
        """Two pictures that show none of several cards: the tray was cleared, and the same may be laid there again."""
        lay = sum(len(there.cards) for there in self._there.values())
        if lay < BARE_FROM or any(card.zone == TRAY for card in sight.cards):
            self._bare = None
            return
        since = self._bare = sight.t if self._bare is None else self._bare
        if sight.t - since >= OTHERWISE_S:
            for seat, there in self._there.items():
                for name in list(there.cards):
                    there.missing.setdefault(name, [since])
                    yield from self._gone(seat, name)

    def _pusher(self, tray: Tray) -> Seat | None:
        if tray.seat is not None:
            return tray.seat
        if self.side is None:
            return None
        return self._hands.only(tray.t, [seat for seat in SEATS if side_of(seat) == self.side])

    def sight(self, sight: Sight) -> Iterator[Act]:
        """Yield the acts that a picture shows: what lies in each compartment."""
        self.wait(sight.t)
        self._newest = sight
        self._picture.comes(sight.t)
        self._count_looks(sight)
        is_clear = TRAY not in sight.hidden
        if is_clear:
            yield from self._seen_across(sight)
            yield from self._seen_bare(sight)
        for seat in SEATS:
            lying, loose, beside = found_in(sight, seat)
            self._are_marks_loose |= bool(loose)
            known = self._there[seat].cards
            names = with_missed(lying, [name for name in known if not self._is_loose(name)])
            for mark in [*[name for _, name in lying if self._is_loose(name)], *loose]:
                names = with_loose([name for name in names if name != mark], mark, known)
            if is_clear and not self._covered:
                here = len(self._there[seat].cards)
                self._misses.count(min(here, len(lying)), here - len(lying))
            yield from self._compare(seat, names + beside, beside, sight.t, is_clear=is_clear)
        self._covered = not is_clear

    def _is_loose(self, name: str) -> bool:
        """Return True if ``name`` is a mark, and the log gives no order of marks."""
        return self._are_marks_loose and name in MARKS

    def _compare(self, seat: Seat, names: list[str], beside: list[str], t: float, *, is_clear: bool) -> Iterator[Act]:
        there = self._there[seat]
        if is_clear and Counter(names) - Counter(there.cards):
            yield from self._left_before(seat, names)
        now, before = Counter(names), Counter(there.cards)
        fresh, absent = [*(now - before).elements()], before - now
        more = len(names) - len(there.cards)
        is_misread = more > 0 and not beside and bool(before - Counter(names[:-more]))  # one that lay there before
        if is_clear and fresh and (absent or is_misread):
            yield from self._other_reading(seat, names, more, t)
            fresh = new_ones(names, more, [] if is_misread else fresh)
            absent = Counter[str]()  # what was read otherwise has not left
        else:
            there.other = None
        yield from self._not_shown(seat, absent, t, is_clear=is_clear)
        for name in fresh:
            there.cards.append(name)
            yield from self._laid(seat, name, t, shown=name in beside)

    def _not_shown(self, seat: Seat, absent: Counter[str], t: float, *, is_clear: bool) -> Iterator[Act]:
        """Note a picture that lacks ``absent`` of the cards that were there."""
        there = self._there[seat]
        for name in there.cards:
            if name not in absent:
                there.missing.pop(name, None)
                there.touched.discard(name)
                there.shown[name] += is_clear
        if is_clear:
            yield from self._left(seat, absent, t)
        else:
            there.touched |= set(there.cards)

    def _other_reading(self, seat: Seat, names: list[str], more: int, t: float) -> Iterator[Act]:
        """Change the names of cards that read otherwise: after two clear pictures, after ``MOST`` for a fixed call.

        Where a hand was over the tray meanwhile its owner has changed the call; else it was misread before.
        """
        there = self._there[seat]
        known = names[: len(names) - max(0, more)]
        if there.other is None or there.other.names != known:
            may_be_changed = self._covered and self.side in (None, side_of(seat)) and more == 0
            there.other = _Otherwise(known, t, changed=may_be_changed)
        old, new = Counter(there.cards) - Counter(known), Counter(known) - Counter(there.cards)
        named = [name for name in new.elements() if name != UNREAD]
        there.other.pictures += 1
        settled = t - there.other.since >= OTHERWISE_S
        for name, call in zip([one for one in old.elements() if settled or one == UNREAD], named, strict=False):
            if there.other.changed or there.other.pictures >= MOST or not self._is_fixed(seat, name):
                yield from self._read_otherwise(seat, name, call, there.other, t)

    def _is_fixed(self, seat: Seat, name: str) -> bool:
        """Return True if ``MOST`` clear pictures showed this call, now across the screen or under a later card."""
        cards = self._there[seat].cards
        is_away = self.side is not None and side_of(seat) != self.side
        is_beneath = _last(cards, name) < len(cards) - 1
        return name in CALLS and self._there[seat].shown[name] >= MOST and (is_away or is_beneath)

    def _read_otherwise(self, seat: Seat, name: str, call: str, other: _Otherwise, t: float) -> Iterator[Act]:
        cards = self._there[seat].cards
        place = _last(cards, name)
        if name not in CALLS and name != UNREAD:  # the stop or the alert card, as it was read, or as it lay there
            cards[place] = call
            if name == ALERT:
                yield AlertGivenBack(other.since, seat, self.side)
            yield from self._laid(seat, call, other.since, shown=False)
        elif call not in CALLS:
            cards[place] = call
            yield CallWasNone(t, seat, name)
            yield from self._laid(seat, call, other.since, shown=False)
        elif other.changed and name != UNREAD:
            del cards[place]
            cards.append(call)
            yield CallTakenBack(other.since, seat, name)
            yield CallLaid(other.since, seat, call)
        else:
            cards[place] = call
            yield CallNamed(t, seat, name, call)

    def _left(self, seat: Seat, absent: Counter[str], t: float) -> Iterator[Act]:
        there = self._there[seat]
        for name in list(+absent):
            pictures = there.missing.setdefault(name, [])
            pictures.append(t)
            apart = t - pictures[0]
            enough = len(pictures) >= max(GONE_PICTURES, self._misses.looks)
            is_long_gone = name in there.touched or apart >= UNTOUCHED_S
            if enough and is_long_gone and self._may_have_gone(seat, name, len(pictures)):
                yield from self._gone(seat, name)

    def _left_before(self, seat: Seat, names: list[str]) -> Iterator[Act]:
        """Something new lies there: what two pictures did not show was taken away before it came."""
        there = self._there[seat]
        for name, pictures in list(there.missing.items()):
            fewer = there.cards.count(name) > names.count(name)
            if _is_left(pictures) and fewer and self._may_have_gone(seat, name, len(pictures)):
                yield from self._gone(seat, name)

    def _may_have_gone(self, seat: Seat, name: str, pictures: int) -> bool:
        """Return True if a player may have taken away what ``pictures`` consecutive pictures lack.

        A player on the other side of the screen cannot reach his call: most looks are needed then. The board before is
        cleared by anybody, and an alert given back on either side.
        """
        is_away = name in CALLS and self.side is not None and side_of(seat) != self.side
        return pictures >= MOST or not is_away or self._there[seat].old[name] > 0

    def _gone(self, seat: Seat, name: str) -> Iterator[Act]:
        there = self._there[seat]
        there.shown.pop(name, None)
        is_old = there.old[name] > 0
        del there.cards[there.cards.index(name) if is_old else _last(there.cards, name)]
        since = there.missing.pop(name)[0]
        there.touched.discard(name)
        if is_old:
            there.old[name] -= 1
        elif name == ALERT:
            yield AlertGivenBack(since, seat, self.side)
        elif name != STOP:
            yield CallTakenBack(since, seat, name)

    def _laid(self, seat: Seat, name: str, t: float, *, shown: bool) -> Iterator[Act]:
        if name == ALERT:
            yield AlertLaid(t, seat, self.side)
        elif name == STOP:
            yield StopShown(t, seat)
        else:
            self._callers.add(seat)
            yield CallLaid(t, seat, name, shown)


def _is_left(pictures: list[float]) -> bool:
    """Return True if two clear pictures at least, at the times ``pictures``, were without a card."""
    return len(pictures) > 1 and pictures[-1] - pictures[0] >= OTHERWISE_S


def _last(cards: list[str], name: str) -> int:
    return len(cards) - 1 - cards[::-1].index(name)
