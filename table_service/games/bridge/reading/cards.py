"""Playing cards before the players, hands laid open, cards at the side and the board's pockets, as acts."""

from __future__ import annotations

import math
from collections import Counter, deque
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import combinations
from typing import Final

from hw.cards import BRIDGE, UNKNOWN, face
from hw.observations import Scale, Sight, SightedCard
from hw.seats import SEATS, Line, Seat
from hw.zones import board, hand, played, side, zone_seat
from table_service.games.bridge.reading.acts import (
    Act,
    CardExposed,
    CardGone,
    CardNamed,
    CardPlayed,
    CardQuitted,
    Faced,
    HandSpread,
    LaidFaceDown,
    PocketWeighed,
    TurnedUnseen,
)
from table_service.games.bridge.reading.looks import FEWEST, MOST, STILL_S, MissRate, StillPicture
from table_service.games.bridge.reading.pockets import PocketScale

PACK: Final = frozenset(BRIDGE.copies)
READ: Final = 0.5
"""A card that the camera is less sure of was not read."""
GONE_S: Final = 0.3
"""What two clear pictures at least so far apart show, or do not show, is so; one may be mistaken."""
SAME_PLACE_MM: Final = 20.0
"""A card that reads otherwise and has moved less is the same card."""
UNTOUCHED_MM: Final = 45.0
"""The same where no hand was there: half a card's width beyond what a rough camera is off by twice."""
REACHES_S: Final = 0.8
"""No hand comes, turns a card and leaves between two looks that are less apart."""
SURE: Final = 2
"""What so many looks read alike is no misreading."""
SPREAD: Final = 2
"""So many cards of a hand face up are a hand that is laid open."""
TURNED_DEG: Final = 35.0
"""A back that deviates by less from lengthwise or across is taken to lie so."""


@dataclass(slots=True)
class _Row:
    """What lies before one player.

    ``up``: face up cards with their places. ``missing``: since when one was not shown, ``without``: by how many looks.
    ``backs``: those that are accounted for; ``owed``: cards turned unseen, and where they lay, whose backs are still to
    appear. ``extra``: when more were seen first.
    ``has_shown``: a card was face up here. ``covered``: a card was laid face down and not turned up.
    ``looked``: when a picture last showed all of it, ``reached``: when one last did not, as a hand was over it.
    ``reachable``: when a hand may last have been over it, seen or between two looks.
    ``last``: when each card of ``up`` was last shown. ``otherwise``: since when a card reads as another.
    """

    up: dict[str, tuple[float, float]] = field(default_factory=dict)
    missing: dict[str, float] = field(default_factory=dict)
    without: Counter[str] = field(default_factory=Counter)
    backs: int = 0
    owed: list[tuple[str, tuple[float, float]]] = field(default_factory=list)
    extra: float | None = None
    has_shown: bool = False
    covered: bool = False
    reached: float = -math.inf
    looked: float = -math.inf
    reachable: float = -math.inf
    last: dict[str, float] = field(default_factory=dict)
    otherwise: dict[tuple[str, str], float] = field(default_factory=dict)
    idle: deque[float] = field(default_factory=lambda: deque(maxlen=MOST))
    """Looks running at all of it that showed nothing new."""
    shown: frozenset[str] = frozenset()
    """What the newest look at it showed."""

    def idle_since(self, looks: int) -> float | None:
        """The earliest of the last ``looks`` looks that showed nothing new; None where there were fewer."""
        return self.idle[-looks] if len(self.idle) >= looks else None

    def shows(self, shown: Mapping[str, tuple[float, float]], t: float) -> None:
        """A picture at ``t`` shows the cards ``shown``."""
        for name in shown:
            self.forget(name)
        self.last = {name: at for name, at in self.last.items() if name in self.up} | dict.fromkeys(shown, t)

    def not_among(self, shown: Collection[str]) -> list[str]:
        """The cards of ``up`` that are not ``shown``."""
        return [name for name in self.up if name not in shown]

    def forget(self, name: str) -> None:
        """``name`` is not missing, or lies there no more."""
        self.missing.pop(name, None)
        self.without.pop(name, None)

    def may_lie(self, name: str) -> bool:
        """Whether ``name`` is shown, or was missed in a picture though no hand has been there since it was shown."""
        return name not in self.missing or self.last.get(name, -math.inf) > self.reached

    def was_untouched(self, t: float) -> bool:
        """Whether no hand can have been there since the last look at it."""
        return self.looked > self.reached and t - self.looked < REACHES_S

    def is_looked_at(self, t: float, *, is_clear: bool) -> None:
        """A picture at ``t`` shows all of it, or not: then, or if the look before is long ago, a hand may be near."""
        if not is_clear or t - self.looked >= REACHES_S:
            self.reachable = t

    def looks_without(self, name: str, misses: MissRate) -> int:
        """By so many looks running that do not show ``name`` it is taken away; most where no hand can have taken it."""
        last = self.last.get(name, -math.inf)
        if last < self.reached:
            return FEWEST
        return misses.looks if last < self.reachable else MOST

    def may_be_off(self, name: str) -> float:
        """So far, in millimetres, from where ``name`` was shown a card may be shown that is the same."""
        return UNTOUCHED_MM if self.last.get(name, -math.inf) > self.reached else SAME_PLACE_MM

    def new_backs(self, shown: list[SightedCard]) -> list[SightedCard]:
        """Those of ``shown`` that are not accounted for; before a board's first card there are none of it."""
        if not (self.has_shown or self.covered):
            self.backs = min(self.backs, len(shown))  # those of the board before are put away
        return shown[self.backs :]


class CardsReader:
    """Reads the cards of one board; ``grams`` is the weight of a card."""

    def __init__(self, grams: float = 1.8) -> None:
        self._grams = grams if math.isfinite(grams) and grams > 0 else 1.8
        self._rows = {seat: _Row() for seat in SEATS}
        self._spread: dict[Seat, frozenset[str]] = dict.fromkeys(SEATS, frozenset())
        self._aside: dict[Seat, frozenset[str]] = dict.fromkeys(SEATS, frozenset())
        self._scales = {seat: PocketScale(self._grams) for seat in SEATS}
        self._pockets: dict[Seat, int | None] = {}
        self._seen: dict[str, list[SightedCard]] = {}
        self._open: dict[str, dict[str, float]] = {}
        self._left_over: dict[str, frozenset[str]] = {}
        self._misses = MissRate()
        self._looks: Counter[tuple[Seat, str]] = Counter()
        self._together: Counter[tuple[Seat, frozenset[str]]] = Counter()
        self._picture = StillPicture()

    def wait(self, t: float) -> None:
        """It is ``t``. Where no picture was logged for a while the newest one still holds, which is one more look."""
        if not self._picture.holds(t):
            return
        for seat, row in self._rows.items():
            if row.idle and row.idle[-1] == self._picture.t:
                row.idle.append(self._picture.t + STILL_S)
            self._count_looks(seat, row.shown)

    def is_idle_since(self, seat: Seat, t: float) -> bool:
        """Whether enough looks from ``t`` on show that nothing has come before ``seat``."""
        since = self._rows[seat].idle_since(self._misses.looks)
        return since is not None and since >= t

    def is_sure(self, seat: Seat, card: str) -> bool:
        """Whether ``card`` was read before ``seat`` often enough to be no misreading."""
        return self._looks[(seat, card)] >= SURE

    def lay_together(self, seat: Seat, one: str, other: str) -> bool:
        """Whether both cards were seen face up before ``seat`` at once, and not by one picture only."""
        return self._together[(seat, frozenset((one, other)))] >= SURE

    def for_next_board(self) -> CardsReader:
        """The reader of the board that begins: what still lies there of the one before is none of its cards."""
        fresh = CardsReader(self._grams)
        fresh._pockets = dict(self._pockets)
        fresh._seen = dict(self._seen)
        fresh._misses, fresh._picture = self._misses, StillPicture(self._picture.t)
        fresh._left_over = {zone: _read(cards) for zone, cards in self._seen.items()}
        for seat in SEATS:
            fresh._rows[seat].backs = sum(card.face == "down" for card in self._seen.get(played(seat), []))
        return fresh

    def sight(self, sight: Sight) -> Iterator[Act]:
        """A picture."""
        by_zone: dict[str, list[SightedCard]] = {}
        for card in sight.cards:
            by_zone.setdefault(card.zone, []).append(card)
        for zone in {*self._seen, *by_zone} - set(sight.hidden):
            self._seen[zone] = by_zone.get(zone, [])
            self._left_over[zone] = self._left_over.get(zone, frozenset()) & _read(self._seen[zone])
        for zone, cards in by_zone.items():
            by_zone[zone] = [card for card in cards if name_of(card) not in self._left_over.get(zone, ())]
        self.wait(sight.t)
        self._picture.comes(sight.t)
        for seat in SEATS:
            zone = played(seat)
            yield from self._before(seat, by_zone.get(zone, []), sight.t, is_clear=zone not in sight.hidden)
        for seat in SEATS:
            yield from self._laid_open(seat, by_zone, sight.t)

    def scale(self, scale: Scale) -> Iterator[Act]:
        """A pocket of the board is weighed."""
        seat = zone_seat(scale.zone)
        if seat is None or scale.zone != board(seat) or not scale.settled or not math.isfinite(scale.grams):
            return
        cards = self._scales[seat].cards(scale.grams)
        if self._pockets.get(seat, -1) != cards:
            self._pockets[seat] = cards
            yield PocketWeighed(scale.t, seat, cards)

    # -- the row before a player ---------------------------------------------------------------------------------------

    def _before(self, seat: Seat, cards: list[SightedCard], t: float, *, is_clear: bool) -> Iterator[Act]:
        row, shown, backs = self._rows[seat], _face_up(cards), _face_down(cards)
        row.is_looked_at(t, is_clear=is_clear)
        self._look(seat, row, frozenset(shown), len(backs), is_clear=is_clear)
        shown = self._without_doubles(seat, row, shown)
        new_backs = row.new_backs(backs) if is_clear else []
        if not new_backs or row.was_untouched(t):  # else one card was turned and another laid
            yield from _renamed(seat, row, shown, t)
        gone = row.not_among(shown) if is_clear else []
        shows_nothing_new = row.up.keys() >= shown.keys()
        if gone and not new_backs:  # one that lay there is not shown: what is new may be that one misread
            shown = {name: place for name, place in shown.items() if name in row.up or self.is_sure(seat, name)}
        row.shows(shown, t)
        if is_clear and len(backs) == row.backs and shows_nothing_new:
            row.idle.append(t)  # with fewer backs than lie there a new one may show for one that is missed
        for name in gone:
            yield from self._gone(seat, row, name, new_backs, t)
        yield from self._faced(seat, row, shown, len(backs), t)
        if is_clear:
            yield from self._more_backs(seat, row, new_backs, t)
            row.looked = t
        else:
            row.reached = t

    def _look(self, seat: Seat, row: _Row, shown: frozenset[str], backs: int, *, is_clear: bool) -> None:
        """Count a look at what lies before ``seat``, and what of it this camera misses."""
        row.shown = shown
        self._count_looks(seat, shown)
        if is_clear and row.has_shown:
            self._misses.count(min(backs, row.backs), row.backs - backs)

    def _count_looks(self, seat: Seat, shown: frozenset[str]) -> None:
        self._looks.update((seat, name) for name in shown)
        if len(shown) > 1:
            self._together.update((seat, frozenset(pair)) for pair in combinations(sorted(shown), 2))

    def _without_doubles(
        self, seat: Seat, row: _Row, shown: dict[str, tuple[float, float]]
    ) -> dict[str, tuple[float, float]]:
        """``shown``, but not what is new here, was read once and is surely another player's: no card is there twice."""
        for name in [name for name in shown if name not in row.up and not self.is_sure(seat, name)]:
            if UNKNOWN not in shown and any(self.is_sure(other, name) for other in SEATS if other is not seat):
                shown = {UNKNOWN if one == name else one: place for one, place in shown.items()}
        return shown

    def _gone(self, seat: Seat, row: _Row, name: str, new_backs: list[SightedCard], t: float) -> Iterator[Act]:
        if new_backs:
            back = new_backs.pop(0)
            row.backs += 1
            del row.up[name]
            row.forget(name)
            yield CardQuitted(t, seat, name, _points_to(back.angle))
            return
        since = row.missing.setdefault(name, t)
        row.without[name] += 1
        if t - since >= GONE_S and row.without[name] >= row.looks_without(name, self._misses):
            place = row.up.pop(name)
            row.forget(name)
            row.owed.append((name, place))
            yield CardGone(since, seat, name, self.is_sure(seat, name))

    def _faced(
        self, seat: Seat, row: _Row, shown: Mapping[str, tuple[float, float]], backs: int, t: float
    ) -> Iterator[Act]:
        for name, place in shown.items():
            if name in row.up:
                row.up[name] = place
                continue
            row.up[name] = place
            row.has_shown = True
            row.owed = [one for one in row.owed if one[0] != name]
            if row.covered and backs < row.backs:
                row.covered, row.backs = False, row.backs - 1
                yield Faced(t, seat, name)
            else:
                yield CardPlayed(t, seat, name, row.idle_since(self._misses.looks))
            row.idle.clear()

    def _more_backs(self, seat: Seat, row: _Row, new: list[SightedCard], t: float) -> Iterator[Act]:
        """Backs that no card was seen to turn into: a covered lead, a card that had vanished, or one never seen."""
        yield from _paid(seat, row, new, t)
        if not new:
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
        open_ = self._seen_twice(hand(seat), by_zone, t)
        if len(open_) >= SPREAD and open_ - self._spread[seat]:
            self._spread[seat] |= open_
            yield HandSpread(t, seat, tuple(sorted(self._spread[seat])))
        aside = self._seen_twice(side(seat), by_zone, t)
        for card in sorted(aside - self._aside[seat]):
            yield CardExposed(t, seat, card)
        self._aside[seat] |= aside

    def _seen_twice(self, zone: str, by_zone: Mapping[str, list[SightedCard]], t: float) -> frozenset[str]:
        """The cards that lie open in ``zone`` by two pictures: one that only one of them names was misread."""
        now = _read(by_zone.get(zone, []))
        before = self._open.get(zone, {})
        self._open[zone] = {card: before.get(card, t) for card in now}
        return frozenset(card for card, since in self._open[zone].items() if t - since >= GONE_S)


def name_of(card: SightedCard) -> str:
    """The face of ``card``; ``??`` where it was not read, or is none of the pack."""
    printed = face(card.card)
    return printed if card.confidence >= READ and printed in PACK else UNKNOWN


def _face_up(cards: list[SightedCard]) -> dict[str, tuple[float, float]]:
    return {name_of(card): (card.x, card.y) for card in cards if card.face == "up"}


def _face_down(cards: list[SightedCard]) -> list[SightedCard]:
    backs = [card for card in cards if card.face == "down"]
    return sorted(backs, key=lambda card: -1 if card.order is None else card.order)


def _read(cards: list[SightedCard]) -> frozenset[str]:
    return frozenset(name for card in cards if card.face == "up" and (name := name_of(card)) != UNKNOWN)


def _paid(seat: Seat, row: _Row, new: list[SightedCard], t: float) -> Iterator[Act]:
    """New backs are first those of cards that had vanished; how one that lies elsewhere points says nothing of them."""
    while new and row.owed:
        back = new.pop(0)
        name, place = row.owed.pop(0)
        row.backs += 1
        is_there = math.dist((back.x, back.y), place) <= SAME_PLACE_MM
        yield CardQuitted(t, seat, name, _points_to(back.angle) if is_there else None)


def _renamed(seat: Seat, row: _Row, shown: dict[str, tuple[float, float]], t: float) -> Iterator[Act]:
    """Cards that read otherwise where they lay, in two pictures; one that is not read any more keeps its name."""
    lying = set(shown)
    row.otherwise = {key: since for key, since in row.otherwise.items() if key[1] in lying and key[0] not in lying}
    for new, place in list(shown.items()):
        old = None if new in row.up else _lay_at(row, place, lying)
        if old is None:
            continue
        since = row.otherwise.setdefault((old, new), t)
        if new == UNKNOWN or (old != UNKNOWN and t - since < GONE_S):
            shown[old] = shown.pop(new)  # badly lit now, or read otherwise in one picture only
            continue
        if not row.may_lie(old):
            continue  # a hand may have laid another card in its place
        row.up = {new if name == old else name: where for name, where in row.up.items()}
        yield CardNamed(t, seat, old, new)


def _lay_at(row: _Row, place: tuple[float, float], lying: set[str]) -> str | None:
    """The card that lay at ``place`` and is not among those ``lying``; None where none did, or two."""
    near = [
        name for name, where in row.up.items() if name not in lying and math.dist(where, place) <= row.may_be_off(name)
    ]
    return near[0] if len(near) == 1 else None


def _points_to(angle: float) -> Line | None:
    """The line along which a back lies at ``angle`` degrees, 0 pointing to North and South."""
    if not math.isfinite(angle):
        return None
    turned = angle % 180.0
    if min(turned, 180.0 - turned) <= TURNED_DEG:
        return Line.NS
    return Line.EW if abs(turned - 90.0) <= TURNED_DEG else None
