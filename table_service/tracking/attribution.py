"""Attribution of what the camera shows to a hand: by beams, by gates, at last by the card's place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from hw.cards import face
from hw.layout import SEAT_EDGE
from hw.seats import Seat
from hw.zones import TABLE, gate, hand, zone_seat
from table_service.tracking.camera_zone import ZoneChange
from table_service.tracking.context import TrackingContext, is_of
from table_service.tracking.frame_contents import Frames
from table_service.tracking.hand_intervals import ANYWHERE, LONGEST, Interval

FELL: Final = 2.0
"""Seconds between a hand's leaving, or a gate's answer, and the first sight of the card that it dropped."""
BESIDE_ARM: Final = 0.88
"""Confidence that a hand laid what shows, if another seat's arm was there all the while."""
_ELSEWHERE: Final = 0.7
"""Confidence that a hand laid what shows, if other hands were reported in the zone and this one was not."""
RESTS: Final = 0.8
"""Seconds for which a card on the open table must be seen to rest there, and not to be carried."""
_LAYS: Final = 4.0
"""Seconds that a hand takes to lay cards, at the longest; one that is there longer may only rest."""
_WITH_IT: Final = 0.4
"""Seconds between a card's crossing a gate and the coming or going of the arm that carries it."""
_CARRIED: Final = 6.0
"""Seconds before cards are first seen in a meld in which they crossed the gate, at the longest."""


_APART: Final = 2 * 450.0 * 20.0
"""Least difference, in square mm, between a trick card's distances to two seats' edges: 20 mm off the diagonal."""


@dataclass(frozen=True, slots=True)
class Maker:
    """Maker of a change: ``hand`` the reach and ``seat``, None if unknown; ``sure`` 0 to 1, by which sensors.

    ``physical``: by face the cards that gates named.
    """

    hand: Interval | None
    seat: Seat | None
    sure: float
    basis: tuple[str, ...]
    physical: dict[str, str]
    is_beside_arm: bool = False
    """True if another seat's arm lay there all the while."""


class LaidBy:
    """Attributes a change that frames show to a hand."""

    def __init__(self, context: TrackingContext, frames: Frames) -> None:
        self._context = context
        self._frames = frames

    def whose(self, zone: str, change: ZoneChange, hands: list[Interval]) -> Maker:
        """Return who made ``change`` in ``zone``; ``hands``: the reaches that may have, in the order they began."""
        named = [(interval, card) for interval in hands for card in self.read_with(interval, change)]
        if named:
            found, _ = named[-1]
            return Maker(found, found.seat, 0.99, ("reach", "tags"), {face(card): card for _, card in named})
        by_gate = self._by_gate(zone, change)
        if zone in self._context.tricks and change.added:
            return self._before_whom(zone, change, hands, by_gate)
        if zone == TABLE:
            hands = [i for i in hands if i.zone != ANYWHERE]  # it may have been anywhere else
        if hands and not _is_anothers(by_gate, hands):
            return self._by_reach(zone, change, hands)
        if by_gate is not None:
            return Maker(None, by_gate, 0.9 if zone == TABLE else 0.85, ("tags",), {})
        return self._nearest(zone, change)

    def _nearest(self, zone: str, change: ZoneChange) -> Maker:
        """Attribute a change without hand or gate to the nearest seat, with more confidence once it has come to rest.

        At a table without gates no seat is named: the place alone would name one, and a card may fall far from its
        player.
        """
        seat = self._by_place(zone, change) if self._context.equipment.gated else None
        rested = zone == TABLE and change.support.last_t - change.support.first_t >= RESTS
        return Maker(None, seat, 0.85 if rested and seat is not None else 0.5, (), {})

    def _by_reach(self, zone: str, change: ZoneChange, hands: list[Interval]) -> Maker:
        """Attribute ``change`` to the last hand; to no seat if hands of several seats were there."""
        found = hands[-1]
        if len({i.seat for i in hands}) > 1:
            return Maker(found, None, 0.5, (), {})
        beside_arm = self._beside_arm(zone, change, found)
        rested = stays(found) or beside_arm
        sure = 0.85 if found.seat is None else BESIDE_ARM if rested else 0.98
        if found.zone == ANYWHERE and self._context.reaches.told_of(zone):
            sure = min(sure, _ELSEWHERE)  # other hands were reported in this zone, and this one was not
        return Maker(found, found.seat, sure, ("reach",), {}, beside_arm)

    def before_whom(self, zone: str, card: str) -> Seat | None:
        """Return the seat before which ``card`` lies in a trick; None if it lies as near to another."""
        x, y = self._frames.spot(zone, card)
        ranked = sorted(self._context.seats, key=lambda s: (x - SEAT_EDGE[s][0]) ** 2 + (y - SEAT_EDGE[s][1]) ** 2)
        near = [(x - SEAT_EDGE[s][0]) ** 2 + (y - SEAT_EDGE[s][1]) ** 2 for s in ranked[:2]]
        return ranked[0] if near[1] - near[0] > _APART else None

    def _before_whom(self, zone: str, change: ZoneChange, hands: list[Interval], by_gate: Seat | None) -> Maker:
        """Attribute a card of a trick by its place; a hand or gate of that seat makes it certain."""
        seats = {self.before_whom(zone, card) for card in change.added}
        seat = seats.pop() if len(seats) == 1 else None
        own = [i for i in hands if i.seat is seat]
        if seat is not None and own:
            return Maker(own[-1], seat, 0.98, ("reach",), {})
        if seat is not None:
            return Maker(None, seat, 0.96 if by_gate is seat else 0.85, ("tags",) if by_gate is seat else (), {})
        if len({i.seat for i in hands}) == 1 and not rests(hands[-1]):
            return Maker(hands[-1], hands[-1].seat, 0.9, ("reach",), {})
        return Maker(None, by_gate, 0.85 if by_gate is not None else 0.5, (), {})

    def _beside_arm(self, zone: str, change: ZoneChange, found: Interval) -> bool:
        """Return True if another arm may have laid the cards.

        It lay there when ``found`` came and after it left, or a hand of the line came of which no zone is reported.
        """
        end, first = found.end if found.end is not None else found.start, change.support.first_t
        there = [i for i in self._context.hands_at(zone, found.start, first) if i.seat is not found.seat]
        if any(rests(i) and i.end is not None and i.end > end for i in there):
            return True
        unplaced = self._context.reaches.between(ANYWHERE, max(found.start, change.since), first)
        others = {i.seat for i in unplaced if i.seat is not None} - {found.seat}
        return found.zone != ANYWHERE and any(is_of(zone, seat, self._context.rotation) for seat in others)

    def read_with(self, interval: Interval, change: ZoneChange) -> list[str]:
        """Return the physical card of those added (or taken) that ``interval``'s seat carried over its gate alone."""
        moved = change.added or change.removed
        if len(moved) != 1:
            return []
        end = interval.end if interval.end is not None else interval.start + 2.0
        span = (interval.start - 0.25, interval.start + 0.5) if change.added else (end - 0.5, end + 0.5)
        return [card for card in self.read_at(interval, span) if face(card) in moved]

    def read_at(self, interval: Interval, span: tuple[float, float]) -> list[str]:
        """Return the cards that the gate of ``interval``'s seat read in that span, as far as they are accepted."""
        if interval.seat is None:
            return []
        return [c.card for c in self._context.at_gate(interval.seat, *span, None) if c.card is not None]

    def _by_gate(self, zone: str, change: ZoneChange) -> Seat | None:
        first = change.support.first_t
        start, end = (first - FELL, first + FELL) if zone == TABLE else (change.since - 1.0, first)
        for card in change.added or (change.removed if zone == TABLE else ()):
            copies = [c for c in self._context.header.tags.values() if face(c) == card]
            seats = {self._carrier(zone, copy, start, end) for copy in sorted(copies)}
            seats.discard(None)
            if len(seats) == 1:
                return seats.pop()
        return None

    def _carrier(self, zone: str, copy: str, start: float, end: float) -> Seat | None:
        """Return the seat whose gate read ``copy`` on its way to the melds, if that seat may have held it."""
        if zone == TABLE:
            return self._context.seat_by_gates(start, end, copy)
        seat = self._context.seat_by_gates(max(start, end - _CARRIED), end, copy)
        if seat is None or not is_of(zone, seat, self._context.rotation):
            return None
        if self._went_elsewhere(zone, seat, copy, max(start, end - _CARRIED), end):
            return None
        return seat if self._context.could_come_from(copy, hand(seat)) else None

    def _went_elsewhere(self, zone: str, seat: Seat, copy: str, start: float, end: float) -> bool:
        """Return True if ``seat`` carried ``copy`` to or from another zone as its gate read it, as one dropped.

        That is so if a reach of the seat into another zone, and none into this, began or ended with the crossing.
        """
        crossed = [c.t for c in self._context.crossings.near((gate(seat),), start, end) if c.card == copy]
        reaches = self._context.reaches.of(seat, start - _WITH_IT, end + _WITH_IT)
        zones = {
            reach.zone
            for t in crossed[-1:]
            for reach in reaches
            if abs(reach.start - t) < _WITH_IT or (reach.end is not None and abs(reach.end - t) < _WITH_IT)
        }
        return bool(zones) and not zones & {zone, ANYWHERE}

    def _by_place(self, zone: str, change: ZoneChange) -> Seat | None:
        """Return the seat nearest to a loose card; None for rows, where nearness proves nothing."""
        moved = change.added or change.removed
        if zone in self._context.rows or not moved:
            return zone_seat(zone)
        x, y = self._frames.spot(zone, moved[0])
        if zone_seat(zone) is not None:
            return zone_seat(zone)
        ranked = sorted(self._context.seats, key=lambda s: (x - SEAT_EDGE[s][0]) ** 2 + (y - SEAT_EDGE[s][1]) ** 2)
        near = [(x - SEAT_EDGE[s][0]) ** 2 + (y - SEAT_EDGE[s][1]) ** 2 for s in ranked[:2]]
        return ranked[0] if near[0] < 0.5 * near[1] else None


def _is_anothers(seat: Seat | None, hands: list[Interval]) -> bool:
    """Return True if ``seat``, whose gate read the card, laid it, not ``hands``: others', or only resting there."""
    return seat is not None and (seat not in {i.seat for i in hands} or all(map(rests, hands)))


def stays(hand: Interval) -> bool:
    """Return True if an arm was there for longer than laying takes: another's may have laid cards under it."""
    return hand.end is not None and hand.end - hand.start > _LAYS


def rests(hand: Interval) -> bool:
    """Return True if an arm lay there for long: one that lays cards is soon away again."""
    return hand.end is not None and hand.end - hand.start > LONGEST


def acting(hands: list[Interval]) -> list[Interval]:
    """``hands`` without arms that only rest there, if others were there too."""
    return [hand for hand in hands if not rests(hand)] or hands
