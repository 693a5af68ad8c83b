"""Shared state of tracking's parts: the log's time, hands, gates, known places of cards, output."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hw.coverage import SEEN_HANDS
from hw.equipment import Equipment
from hw.observation_log import Header
from hw.observations import Reach
from hw.seats import CLOCKWISE, SEATS, Rotation, Seat
from hw.zones import TABLE, gate, hand, zone_line, zone_seat
from table_service.tracking.commit_order import CommitQueue
from table_service.tracking.hand_intervals import ANYWHERE, Interval, Reaches
from table_service.tracking.pulled_pile import PulledPile
from table_service.tracking.sequences import Rates
from table_service.tracking.tags import Crossing, Crossings
from table_service.tracking.zone_roles import roles_of

GHOST_S = 0.035
"""A seat's coil that answers longer has the card before it; a neighbour's ghost lasts one scan."""


class TrackingContext:
    """Shared knowledge. ``places`` says where each physical card was last known to go; knowledge, not certainty.

    ``equipment``: the zones of the table; ``rows``: those with cards in rows; ``watched``: those where the camera
    alone reports cards; ``tricks``: those where each seat lays a card before itself; ``roles``: those in which
    cards move in a way of their own; ``rotation``: who plays.
    """

    def __init__(self, header: Header, equipment: Equipment, rotation: Rotation = CLOCKWISE) -> None:
        self.now = 0.0
        self.header = header
        self.equipment = equipment
        self.sees_hands = any(SEEN_HANDS in sensors for sensors in header.sensors.values())
        """True if the camera reports hands, in place of beams."""
        self.roles = roles_of(equipment)
        self._mouths = equipment.mouths
        self.rotation = rotation
        self.seats = tuple(seat for seat in SEATS if rotation.holds(seat))
        self.rows = frozenset(equipment.lying("rows"))
        self.watched = equipment.lying("rows", "trick")
        self.tricks = frozenset(equipment.lying("trick"))
        self._beamed = frozenset(equipment.beamed)
        self.reaches = Reaches()
        self.crossings = Crossings(header.tags)
        self.outbox = CommitQueue()
        self.aside = PulledPile(self.roles.pile)
        self.rates = Rates()
        self.places: dict[str, str] = {}
        self.lag = 0.0
        """Longest recent delay of sights, in seconds."""

    def beam_of(self, zone: str) -> str:
        """Return the zone that a beam names for a reach into ``zone``: the open table if it has no beam of its own."""
        zone = self._mouths.get(zone, zone)
        return zone if zone in self._beamed else TABLE

    def at_beam(self, reach: Reach) -> Reach:
        """Return ``reach`` as a beam reports it: a camera names zones also that have no beam of their own."""
        if reach.zone is None or not self.sees_hands:
            return reach
        return replace(reach, zone=self.beam_of(reach.zone))

    def forget(self) -> None:
        """All cards have been gathered."""
        self.places.clear()
        self.crossings.forget()

    def place(self, cards: Iterable[str], zone: str | None) -> None:
        """``cards`` went to ``zone``; only physical ones can be remembered."""
        for card in cards:
            if "#" not in card:
                continue
            if zone is None:
                self.places.pop(card, None)
            else:
                self.places[card] = zone

    def could_come_from(self, card: str, source: str | None) -> bool:
        """Return True if nothing is known that speaks against ``card`` having lain in ``source``."""
        known = self.places.get(card)
        return known is None or source is None or known == source

    def believed(self, crossing: Crossing, source: str | None) -> bool:
        """Return True if the answer can be the card moved out of ``source``, and no ghost of one lying elsewhere."""
        if crossing.card is None:
            return False
        if self.crossings.lying(crossing.card, crossing.t, crossing.zone):
            return False
        return self.could_come_from(crossing.card, source)

    def lasts(self, crossing: Crossing) -> bool:
        """Return True if the coil has answered for longer than a neighbour's ghost does."""
        return (self.now if crossing.end is None else crossing.end) - crossing.t > GHOST_S

    def at_gate(self, seat: Seat, start: float, end: float, source: str | None) -> list[Crossing]:
        """Return the believable answers at ``seat``'s gate in that span."""
        return [c for c in self.crossings.near((gate(seat),), start, end) if self.believed(c, source)]

    def seat_by_gates(self, start: float, end: float, card: str | None = None) -> Seat | None:
        """Return the one seat whose gate read a card (or this ``card``) in that span; None if none or several did.

        A neighbour's coil hears a crossing card for a scan only: an answer this short means nothing, and of two answers
        to one card the longer counts.
        """
        found: dict[Seat, float] = {}
        for crossing in self.crossings.near([gate(s) for s in self.seats], start, end):
            seat = crossing.seat
            if seat is None or (card is not None and crossing.card != card):
                continue
            if crossing.card is not None and self.crossings.lying(crossing.card, crossing.t, crossing.zone):
                continue
            span = (self.now if crossing.end is None else crossing.end) - crossing.t
            if span < GHOST_S:
                continue
            found[seat] = max(found.get(seat, 0.0), span)
        if len(found) > 1:
            longest = max(found.values())
            found = {seat: span for seat, span in found.items() if span > 0.1 and span > 0.5 * longest}
        return next(iter(found)) if len(found) == 1 else None

    def hands_at(self, zone: str, start: float, end: float) -> list[Interval]:
        """Return the reaches into ``zone`` in that span; if there is none, those without a zone from any beam."""
        named = self.reaches.between(self.beam_of(zone), start, end)
        if named:
            return named
        free = self.reaches.between(ANYWHERE, start, end)
        if not free or zone not in self.rows:
            return free
        return [i for i in free if i.seat is not None and is_of(zone, i.seat, self.rotation)] or free

    def source_hand(self, seat: Seat | None) -> str | None:
        """Return the hand of ``seat`` as a zone; None if the seat is not known."""
        return None if seat is None else hand(seat)

    def hidden_deadline(self, end: float) -> tuple[float, float]:
        """Return until when to wait for frames after a hand left at ``end``: if frames come, and if all is covered."""
        return end + 2.3 + self.lag, end + 4.5


def is_of(zone: str, seat: Seat, rotation: Rotation = CLOCKWISE) -> bool:
    """Return True if ``zone`` belongs to ``seat`` or to its line; a zone without an owner belongs to all.

    >>> is_of("melds-NS", Seat.SOUTH), is_of("played-N", Seat.SOUTH), is_of("trick", Seat.SOUTH)
    (True, False, True)
    """
    line, owner = zone_line(zone), zone_seat(zone)
    return rotation.line(seat) is line if line is not None else owner in (None, seat)
