"""Playing cards before the players, hands laid open, cards at the side and the board's pockets, as acts."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Final

from hw.cards import BRIDGE, UNKNOWN, face
from hw.observations import Scale, Sight, SightedCard
from hw.seats import SEATS, Line, Seat
from hw.zones import TABLE, board, hand, played, side, zone_seat
from table_service.games.bridge.reading.acts import (
    Act,
    CardFaced,
    CardGone,
    CardPlayed,
    CardQuitted,
    Faced,
    HandSpread,
    LaidFaceDown,
    PocketWeighed,
    TurnedUnseen,
)
from table_service.games.bridge.reading.looks import STILL_S, MissRate, StillPicture
from table_service.games.bridge.reading.player_row import GONE_S, SAME_PLACE_MM, PlayerRow, renamed
from table_service.games.bridge.reading.pockets import PocketScale

PACK: Final = frozenset(BRIDGE.copies)
READ: Final = 0.5
"""A card that the camera is less sure of was not read."""
SURE: Final = 2
"""What so many looks read alike is no misreading."""
SPREAD: Final = 2
"""So many cards of a hand face up are a hand that is laid open."""
FROM_MIDDLE_MM: Final = 200.0
"""A card on the table that is nearer to its middle lies before nobody."""
CORNER_PART: Final = 0.7
"""A card whose smaller distance from the middle lines is a larger part of the other lies in a corner."""
TURNED_DEG: Final = 35.0
"""A back that deviates by less from lengthwise or across is taken to lie so."""


class CardsReader:
    """Reads the cards of one board; ``grams`` is the weight of a card."""

    def __init__(self, grams: float = 1.8) -> None:
        self._grams = grams if math.isfinite(grams) and grams > 0 else 1.8
        self._rows = {seat: PlayerRow() for seat in SEATS}
        self._spread: dict[Seat, frozenset[str]] = dict.fromkeys(SEATS, frozenset())
        self._aside: dict[Seat, frozenset[str]] = dict.fromkeys(SEATS, frozenset())
        self._scales = {seat: PocketScale(self._grams) for seat in SEATS}
        self._pockets: dict[Seat, int | None] = {}
        self._full: dict[Seat, int] = {}
        """The most cards that each pocket has held since it was last empty."""
        self._seen: dict[str, list[SightedCard]] = {}
        self._open: dict[str, dict[str, float]] = {}
        self._left_over: dict[str, frozenset[str]] = {}
        self._misses = MissRate()
        self._looks: Counter[tuple[Seat, str]] = Counter()
        self._together: Counter[tuple[Seat, frozenset[str]]] = Counter()
        self._picture = StillPicture()
        self._shows_backs = False
        """True once a card lay face down before a player: a log may leave backs out (interfaces, section 2)."""

    def wait(self, t: float) -> None:
        """Advance to ``t``. If no picture was logged for a while the newest one still holds, which is one more look."""
        if not self._picture.holds(t):
            return
        for seat, row in self._rows.items():
            if row.idle and row.idle[-1] == self._picture.t:
                row.idle.append(self._picture.t + STILL_S)
            self._count_looks(seat, row.shown)

    def is_idle_since(self, seat: Seat, t: float) -> bool:
        """Return True if enough looks from ``t`` on show that nothing has come before ``seat``."""
        since = self._rows[seat].idle_since(self._misses.looks)
        return since is not None and since >= t

    def is_sure(self, seat: Seat, card: str) -> bool:
        """Return True if ``card`` was read before ``seat`` often enough to be no misreading."""
        return self._looks[(seat, card)] >= SURE

    def lay_together(self, seat: Seat, one: str, other: str) -> bool:
        """Return True if both cards were seen face up before ``seat`` at once, and not by one picture only."""
        return self._together[(seat, frozenset((one, other)))] >= SURE

    def for_next_board(self) -> CardsReader:
        """Return the reader of the board that begins: cards of the previous board still there are not counted."""
        fresh = CardsReader(self._grams)
        fresh._pockets, fresh._full = dict(self._pockets), dict(self._full)
        fresh._seen = dict(self._seen)
        fresh._misses, fresh._picture = self._misses, StillPicture(self._picture.t)
        fresh._shows_backs = self._shows_backs
        fresh._left_over = {zone: _read(cards) for zone, cards in self._seen.items()}
        for seat in SEATS:
            fresh._rows[seat].backs = sum(card.face == "down" for card in self._seen.get(played(seat), []))
        return fresh

    def sight(self, sight: Sight) -> Iterator[Act]:
        """Yield the acts that a picture shows."""
        by_zone: dict[str, list[SightedCard]] = {}
        for card in sight.cards:
            by_zone.setdefault(card.zone, []).append(card)
        for zone in {*self._seen, *by_zone} - set(sight.hidden):
            self._seen[zone] = by_zone.get(zone, [])
            self._left_over[zone] = self._left_over.get(zone, frozenset()) & _read(self._seen[zone])
        for zone, cards in by_zone.items():
            by_zone[zone] = [card for card in cards if name_of(card) not in self._left_over.get(zone, ())]
        for card in by_zone.pop(TABLE, []):
            if (owner := _before_whom(card)) is not None:
                by_zone.setdefault(_table_of(owner), []).append(card)
        self.wait(sight.t)
        self._picture.comes(sight.t)
        for seat in SEATS:
            zone = played(seat)
            yield from self._before(seat, by_zone.get(zone, []), sight.t, is_clear=zone not in sight.hidden)
        for seat in SEATS:
            yield from self._laid_open(seat, by_zone, sight.t)

    def scale(self, scale: Scale) -> Iterator[Act]:
        """Yield the acts that a weighed pocket of the board shows."""
        seat = zone_seat(scale.zone)
        if seat is None or scale.zone != board(seat) or not scale.settled or not math.isfinite(scale.grams):
            return
        cards = self._scales[seat].cards(scale.grams)
        if self._pockets.get(seat, -1) != cards:
            self._pockets[seat] = cards
            taken = self._full.pop(seat, None) if cards == 0 else None
            if cards:
                self._full[seat] = max(cards, self._full.get(seat, 0))
            yield PocketWeighed(scale.t, seat, cards, taken)

    # -- the row before a player ---------------------------------------------------------------------------------------

    def _before(self, seat: Seat, cards: list[SightedCard], t: float, *, is_clear: bool) -> Iterator[Act]:
        row, shown, backs = self._rows[seat], _face_up(cards), _face_down(cards)
        self._shows_backs |= bool(backs)
        row.is_looked_at(t, is_clear=is_clear)
        self._look(seat, row, frozenset(shown), len(backs), is_clear=is_clear)
        shown = self._without_doubles(seat, row, shown)
        new_backs = row.new_backs(backs) if is_clear else []
        if not new_backs or row.was_untouched(t):  # else one card was turned and another laid
            yield from renamed(seat, row, shown, t, more_backs=bool(new_backs))
        gone = row.not_among(shown) if is_clear else []
        shows_nothing_new = row.up.keys() >= shown.keys()
        if gone and not new_backs:  # one that lay there is not shown: what is new may be that one misread
            shown = {name: place for name, place in shown.items() if name in row.up or self.is_sure(seat, name)}
        row.shows(shown, t)
        if is_clear and len(backs) == row.backs and shows_nothing_new:
            row.idle.append(t)  # with fewer backs than lie there a new one may show for one that is missed
        yield from self._turned(seat, row, gone, shown, new_backs, t)
        yield from self._faced(seat, row, shown, len(backs), t)
        if is_clear:
            yield from self._more_backs(seat, row, new_backs, t)
            row.looked = t
        else:
            row.reached = t

    def _turned(
        self,
        seat: Seat,
        row: PlayerRow,
        gone: list[str],
        shown: Collection[str],
        new_backs: list[SightedCard],
        t: float,
    ) -> Iterator[Act]:
        """Cards ``gone``, and those that had vanished and are not ``shown``: turned, before the next one was laid."""
        for name in gone:
            yield from self._gone(seat, row, name, new_backs, t)
        row.owed = [one for one in row.owed if one[0] not in shown]
        yield from _paid(seat, row, new_backs, t)

    def _look(self, seat: Seat, row: PlayerRow, shown: frozenset[str], backs: int, *, is_clear: bool) -> None:
        """Count a look at what lies before ``seat``, and what of it this camera misses."""
        row.shown, row.backs_shown = shown, backs
        self._count_looks(seat, shown)
        if is_clear and row.has_shown:
            self._misses.count(min(backs, row.backs), row.backs - backs)

    def _count_looks(self, seat: Seat, shown: frozenset[str]) -> None:
        self._looks.update((seat, name) for name in shown)
        if len(shown) > 1:
            self._together.update((seat, frozenset(pair)) for pair in combinations(sorted(shown), 2))

    def _without_doubles(
        self, seat: Seat, row: PlayerRow, shown: dict[str, tuple[float, float]]
    ) -> dict[str, tuple[float, float]]:
        """``shown``, but not what is new here, was read once and is surely another player's: no card is there twice."""
        for name in [name for name in shown if name not in row.up and not self.is_sure(seat, name)]:
            if UNKNOWN not in shown and any(self.is_sure(other, name) for other in SEATS if other is not seat):
                shown = {UNKNOWN if one == name else one: place for one, place in shown.items()}
        return shown

    def _gone(self, seat: Seat, row: PlayerRow, name: str, new_backs: list[SightedCard], t: float) -> Iterator[Act]:
        if new_backs:
            back = new_backs.pop(0)
            row.backs += 1
            row.turned.add(name)
            del row.up[name]
            row.forget(name)
            yield CardQuitted(t, seat, name, _points_to(back.angle))
            return
        since = row.missing.setdefault(name, t)
        row.without[name] += 1
        if t - since >= GONE_S and row.without[name] >= row.looks_without(name, self._misses):
            place = row.up.pop(name)
            row.forget(name)
            was_turned = row.picks_up(name)
            if not was_turned:
                row.owed.append((name, place))
            unknown = not self._shows_backs
            yield CardGone(since, seat, name, self.is_sure(seat, name), may_be_turned=unknown, was_turned=was_turned)

    def _faced(
        self, seat: Seat, row: PlayerRow, shown: Mapping[str, tuple[float, float]], backs: int, t: float
    ) -> Iterator[Act]:
        for name, place in shown.items():
            if name in row.up:
                row.up[name] = place
                continue
            if self._shows_backs and not self.is_sure(seat, name) and row.is_where_one_vanished(name, place):
                continue
            row.up[name] = place
            row.has_shown = True
            is_turned_up = row.covered and backs < row.backs
            row.covered = False  # it was turned up, or was no lead: this card was laid beside it
            if is_turned_up:
                row.backs -= 1
                yield Faced(t, seat, name)
            else:
                yield CardPlayed(t, seat, name, row.idle_since(self._misses.looks))
            row.idle.clear()

    def _more_backs(self, seat: Seat, row: PlayerRow, new: list[SightedCard], t: float) -> Iterator[Act]:
        """Backs that no card was seen to turn into: a covered lead, a card that had vanished, or one never seen."""
        if not new:
            row.forget_extra(self._misses.looks)
            return
        if not row.has_shown and not row.covered:
            row.covered, row.backs = True, row.backs + 1
            yield LaidFaceDown(t, seat)
            return
        row.extra = t if row.extra is None else row.extra
        if row.has_shown and t - row.extra >= GONE_S:
            since, row.extra = row.extra, None
            row.backs += 1
            clear = row.idle_since(self._misses.looks)
            row.idle.clear()
            yield TurnedUnseen(since, seat, _points_to(new[0].angle), clear)

    # -- hands and sides -----------------------------------------------------------------------------------------------

    def _laid_open(self, seat: Seat, by_zone: Mapping[str, list[SightedCard]], t: float) -> Iterator[Act]:
        on_table = self._seen_twice(_table_of(seat), by_zone, t)
        open_ = self._seen_twice(hand(seat), by_zone, t) | on_table
        if len(open_) >= SPREAD and open_ - self._spread[seat]:
            self._spread[seat] |= open_
            yield HandSpread(t, seat, tuple(sorted(self._spread[seat])))
        aside = self._seen_twice(side(seat), by_zone, t)
        for card in sorted((aside | on_table) - self._aside[seat]):
            yield CardFaced(t, seat, card, on_table=card not in aside)
        self._aside[seat] |= aside | on_table

    def _seen_twice(self, zone: str, by_zone: Mapping[str, list[SightedCard]], t: float) -> frozenset[str]:
        """Return the cards that lie open in ``zone`` by two pictures: one that only one of them names was misread."""
        now = _read(by_zone.get(zone, []))
        before = self._open.get(zone, {})
        self._open[zone] = {card: before.get(card, t) for card in now}
        return frozenset(card for card, since in self._open[zone].items() if t - since >= GONE_S)


def _table_of(seat: Seat) -> str:
    """Return a name for the part of the table that lies before ``seat``; no zone of the table map."""
    return f"{TABLE} before {seat}"


def _before_whom(card: SightedCard) -> Seat | None:
    """Return before whom a card on the table lies; None in its middle and its corners."""
    x, y = card.x, card.y
    if not max(abs(x), abs(y)) >= FROM_MIDDLE_MM or min(abs(x), abs(y)) > CORNER_PART * max(abs(x), abs(y)):
        return None
    if abs(x) > abs(y):
        return Seat.EAST if x > 0 else Seat.WEST
    return Seat.NORTH if y > 0 else Seat.SOUTH


def name_of(card: SightedCard) -> str:
    """Return the face of ``card``; ``??`` if it was not read, or is not in the pack."""
    printed = face(card.card)
    return printed if card.confidence >= READ and printed in PACK else UNKNOWN


def _face_up(cards: list[SightedCard]) -> dict[str, tuple[float, float]]:
    return {name_of(card): (card.x, card.y) for card in cards if card.face == "up"}


def _face_down(cards: list[SightedCard]) -> list[SightedCard]:
    backs = [card for card in cards if card.face == "down"]
    return sorted(backs, key=lambda card: -1 if card.order is None else card.order)


def _read(cards: list[SightedCard]) -> frozenset[str]:
    return frozenset(name for card in cards if card.face == "up" and (name := name_of(card)) != UNKNOWN)


def _paid(seat: Seat, row: PlayerRow, new: list[SightedCard], t: float) -> Iterator[Act]:
    """Yield new backs as, first, those of vanished cards; how one that lies elsewhere points says nothing of them."""
    while new and row.owed:
        back = new.pop(0)
        name, place = row.owed.pop(0)
        row.backs += 1
        row.turned.add(name)
        is_there = math.dist((back.x, back.y), place) <= SAME_PLACE_MM
        yield CardQuitted(t, seat, name, _points_to(back.angle) if is_there else None)


def _points_to(angle: float) -> Line | None:
    """Return the line along which a back lies at ``angle`` degrees, 0 pointing to North and South."""
    if not math.isfinite(angle):
        return None
    turned = angle % 180.0
    if min(turned, 180.0 - turned) <= TURNED_DEG:
        return Line.NS
    return Line.EW if abs(turned - 90.0) <= TURNED_DEG else None
