"""Camera frames → cards that came to lie face up or went: melds row by row, loose cards, hands laid out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Final

from hw.cards import UNKNOWN, face
from hw.layout import SEAT_EDGE
from hw.observations import Reach, Sight, SightedCard
from hw.seats import SEATS, Seat
from hw.zones import DISCARD, POTS, STOCK, TABLE, hand, is_melds, zone_line, zone_seat
from table_service.tracking.columns import Spot, in_column
from table_service.tracking.desk import Desk, beam_of
from table_service.tracking.lays import split
from table_service.tracking.movements import Shown, Unverified, Verified
from table_service.tracking.numbering import RowNumbers
from table_service.tracking.outbox import Draft
from table_service.tracking.reaches import LONGEST, Interval
from table_service.tracking.rows import CameraZone, Change, RowKey
from table_service.tracking.sequences import Faces, lacking

Looks = dict[str, dict[RowKey, Faces]]
_WEIGHED: Final = (DISCARD, STOCK, POTS)
"""Zones whose cards are counted by weight: the camera must not count them again."""
_MOST_ZONES: Final = 40
_MOST_GAPS: Final = 6
_OVERLOOKED_FOR: Final = 3.0
"""Seconds for which frames may overlook a card that a hand has laid in a row."""
_FELL: Final = 2.0
"""Seconds between a hand's leaving, or a gate's answer, and the first sight of the card that it dropped."""
BESIDE_ARM: Final = 0.88
"""How sure it is that a hand laid what shows, where another seat's arm lay there all the while."""
_RESTS: Final = 0.8
"""Seconds for which a card on the open table must be seen to rest there, and not to be carried."""
_LONGEST_CARRY: Final = 3.5
"""Seconds after which a card over the open table counts as lying there, whatever hands do."""
_LONG_AGO: Final = -1e8
_MORE_FRAMES: Final = 1.3
"""Seconds longer that a question stays open while fewer frames have looked than its answer needs."""
_CARRIED: Final = 6.0
"""Seconds before cards are first seen in a meld in which they crossed the gate, at the longest."""
_SOON: Final = 4.0
"""Seconds after cards were laid in which one that shows late was overlooked, where no hand has been since."""


class Watching:
    """The camera's side of tracking; the pile is left to the scales' side, which asks for it by ``pile``."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self.zones: dict[str, CameraZone] = {}
        self._frame_t = self._before = -1e9
        self._where: dict[tuple[str, str], tuple[float, float]] = {}
        self._spots: dict[str, dict[int, list[Spot]]] = {}
        self._confirm: set[str] = set()
        self._lain: dict[tuple[str, RowKey], tuple[Draft, Faces, Faces]] = {}
        self._explains: dict[tuple[str, RowKey], Interval | None] = {}
        self.reset()

    def reset(self) -> None:
        """The table is cleared."""
        self.zones = {}
        for zone in ("melds-NS", "melds-EW"):
            self._zone(zone)
        self._where = {}
        self._numbers = RowNumbers()
        self._lain, self._explains = {}, {}
        self._confirm = set()

    def _zone(self, zone: str) -> CameraZone | None:
        known = self.zones.get(zone)
        if known is None and len(self.zones) < _MOST_ZONES:
            known = self.zones[zone] = CameraZone(zone, self._desk.rates)
            known.frame_t = known.same_t = known.plain_t = self._before
        return known

    def pending_since(self) -> float:
        """Since when a hand may have laid cards that no frame has shown yet; infinite where none may."""
        return min((z.asked for z in self.zones.values() if z.asked is not None), default=float("inf"))

    @property
    def restless(self) -> bool:
        """Whether a question is open."""
        dropped = self.zones.get(TABLE)
        return any(z.asked is not None for z in self.zones.values()) or (dropped is not None and not dropped.quiet)

    def reached(self, reach: Reach) -> None:
        """A hand has left a zone that the camera watches: the question is what it left there."""
        if reach.phase != "out":
            return
        for name, zone in self.zones.items():
            if self._may_reach(reach, name) and name != DISCARD and not name.startswith("hand-"):
                zone.ask(reach.t, self._desk.hidden_deadline(reach.t)[0])

    @staticmethod
    def _may_reach(reach: Reach, zone: str) -> bool:
        """Whether the hand may have been in ``zone``; one whose beam tells no zone may have been in any of its line."""
        if reach.zone is not None:
            return beam_of(zone) == reach.zone
        return reach.seat is None or not is_melds(zone) or reach.seat.line == zone_line(zone)

    # Frames

    def see(self, sight: Sight) -> Faces | None:
        """Take one frame; what it shows of the pile, None where that is hidden or the frame is an old one."""
        if sight.t <= self._frame_t:
            return None
        before = self._before = self._frame_t
        self._frame_t = sight.t
        looks, counts = self._sorted(sight.cards)
        hidden = set(sight.hidden)
        for name in looks:
            if name not in _WEIGHED and name not in self.zones:
                self._zone(name)
        for name, zone in self.zones.items():
            if name in hidden:
                zone.cover(sight.t)
                continue
            shown = looks.get(name, {})
            zone.look(
                shown,
                sight.t,
                sight.frame,
                hand=partial(self._hand_since, name, before, sight.t),
                cards=counts.get(name, 0),
            )
            if zone.asked is not None or not zone.quiet or name in self._confirm:
                self._decide(zone)
        if DISCARD in hidden:
            return None
        return looks.get(DISCARD, {}).get(None, ())

    def _hand_since(self, zone: str, before: float, t: float) -> bool:
        return zone.startswith("hand-") or bool(self._desk.hands_at(zone, before - 0.1, t))

    def _sorted(self, cards: Iterable[SightedCard]) -> tuple[Looks, dict[str, int]]:
        """The frame's face-up cards by zone and row, each in order, and how many each zone shows."""
        rough: dict[str, dict[RowKey, list[tuple[int, str]]]] = {}
        counts: dict[str, int] = {}
        self._spots = {}
        for card in cards:
            if card.face != "up":
                continue
            zone = card.zone
            row = None if card.row is None or zone[:6] != "melds-" else self._numbers.of(zone, card.row)
            printed = card.card if "#" not in card.card else face(card.card)
            order = card.order if card.order is not None else 0
            if zone not in rough:
                rough[zone] = {}
                counts[zone] = 0
            counts[zone] += 1
            here = rough[zone]
            if row in here:
                here[row].append((order, printed))
            else:
                here[row] = [(order, printed)]
            if row is not None:
                self._spots.setdefault(zone, {}).setdefault(row, []).append((card.x, card.y))
            elif zone != DISCARD:
                self._where[zone, printed] = (card.x, card.y)
        looks: Looks = {}
        for zone, rows in rough.items():
            ordered = zone == DISCARD
            looks[zone] = {}
            for row, found in rows.items():
                found.sort()
                faces = tuple([printed for _, printed in found])
                if (row is not None or ordered) and found[-1][0] >= len(found):
                    faces = _with_gaps(found)
                looks[zone][row] = faces if ordered or row is not None else tuple(sorted(faces))
        return looks, counts

    @property
    def frame_t(self) -> float:
        """When the newest frame was taken."""
        return self._frame_t

    def steady(self, name: str) -> dict[RowKey, Faces] | None:
        """What frames steadily show in ``name``, row by row; None while that is covered or in question."""
        zone = self.zones.get(name)
        if zone is None or zone.covered or zone.asked is not None or not zone.quiet or name in self._confirm:
            return None
        return {row: known.belief for row, known in zone.rows.items() if known.belief}

    # Decisions

    def look_at_time(self) -> None:
        """Questions whose time is over are closed on what there is."""
        for zone in self.zones.values():
            asked = zone.asked is not None and self._desk.now > self._deadline(zone)
            if asked or (zone.zone == TABLE and not zone.quiet):
                self._decide(zone)

    def _deadline(self, zone: CameraZone) -> float:
        asked = zone.asked or 0.0
        soon, late = self._desk.hidden_deadline(max(asked, zone.deadline - 2.3 - self._desk.lag))
        if zone.frame_t <= asked or zone.covered:
            soon = late
        elif not zone.looked:
            soon += _MORE_FRAMES
        return min(soon, max(asked, zone.latest) + 6.0, asked + 10.0)

    def _decide(self, zone: CameraZone) -> None:
        late = zone.asked is not None and self._desk.now > self._deadline(zone)
        if not late and self._hand_inside(zone):
            return
        if not late and zone.asked is not None and zone.frame_t < zone.asked:
            return
        named = self._named(zone)
        changes = zone.decide(late=late, named=named)
        if changes is None or (zone.zone == TABLE and self._carried(zone, changes)):
            return
        zone.answered(late=late, named=named)
        if changes:
            self._changed(zone, changes)
            zone.take(changes)
        if zone.zone in self._confirm and zone.quiet:
            self._confirm.discard(zone.zone)
            self._desk.outbox.put(Verified(self._frame_t, zone.zone))

    def _hand_inside(self, zone: CameraZone) -> bool:
        inside = self._desk.hands_at(zone.zone, zone.frame_t, zone.frame_t)
        return any(i.end is None or i.end > zone.frame_t for i in inside) and not zone.zone.startswith("hand-")

    def _named(self, zone: CameraZone) -> bool:
        """Whether a gate has named the one card that seems to have come."""
        leaning = zone.leaning()
        if len(leaning) != 1 or len(leaning[0][1]) != 1:
            return False
        card = leaning[0][1][0]
        for interval in self._desk.hands_at(zone.zone, zone.same_t, zone.frame_t):
            if card in map(face, self._read_at(interval, (interval.start - 0.25, interval.start + 0.5))):
                return True
        return False

    def _changed(self, zone: CameraZone, changes: list[Change]) -> None:
        name = zone.zone
        owner = zone_seat(name)
        if name.startswith("hand-") and owner is not None:
            self._shown(zone, changes, owner)
            return
        first, last = min(c.since for c in changes), max(c.support.first_t for c in changes)
        if name == TABLE:
            first = max(first, min(c.support.first_t for c in changes) - _FELL)
        hands = _acting([i for i in self._desk.hands_at(name, first, last) if i.start <= last])
        ordered = sorted(changes, key=lambda c: (c.support.first_t, c.row is None, c.row or 0))
        for place, change in enumerate(ordered):
            mine = [i for i in hands if (i.end or i.start) > change.since and i.start <= change.support.first_t]
            if not mine and change.added and not change.removed:
                mine = self._just_left(name, change)
            parts = self._parts(zone, change, mine)
            if parts:
                for part, hand in parts:
                    self._say(zone, part, [hand])
            elif len(hands) == len(changes) and not any(self._read_with(i, change) for i in mine):
                self._say(zone, change, [hands[place]])
            else:
                self._say(zone, change, mine)

    def _just_left(self, name: str, change: Change) -> list[Interval]:
        """The last hand before ``change``, where frames since then overlooked what it laid; [] where nobody's was."""
        first = change.support.first_t
        back = _FELL if name == TABLE else _OVERLOOKED_FOR
        left = [i for i in self._desk.hands_at(name, first - back, first) if i.start <= first]
        lain = self._lain.get((name, change.row))
        last = left[-1:]
        amends = lain is not None and lain[2] == change.before and self._explains.get((name, change.row)) in last
        return [] if amends else last

    def _carried(self, zone: CameraZone, changes: list[Change]) -> bool:
        """Whether what shows on the open table may still be in a hand: it lies once it rests and the hand is gone."""
        came = [c.support for c in changes if c.added]
        if not came:
            return False
        first, last = min(s.first_t for s in came), min(s.last_t for s in came)
        now = self._desk.now
        if now - first > _LONGEST_CARRY:
            return False
        if last < zone.frame_t:
            return True
        there = self._desk.reaches.over(first)
        put = any(i.zone == TABLE for i in there)
        if not put and last - first < _RESTS and now - first < _LONGEST_CARRY - 1.0:
            return True
        return any((now if i.end is None else i.end) > last for i in there)

    def _parts(self, zone: CameraZone, change: Change, hands: list[Interval]) -> list[tuple[Change, Interval]]:
        return split(
            change,
            hands,
            lambda hand: tuple(face(c) for c in self._read_at(hand, (hand.start - 0.25, hand.start + 0.5))),
            zone.rows[change.row].shown_by,
            self._desk.rates.miss,
        )

    def _say(self, zone: CameraZone, change: Change, hands: list[Interval]) -> None:
        same = bool(change.removed) and len(change.after) == len(change.before)
        naming = same and (set(change.removed) == {UNKNOWN} or (change.row is None and not hands))
        if (naming or not hands) and self._amended(zone, change, naming=naming):
            return
        hand_in, seat, sure, basis, physical = self._whose(zone.zone, change, hands)
        committed = change.support.first_t
        if hand_in is not None and hand_in.end is not None and hand_in.end <= committed + 0.05:
            committed = hand_in.end
        draft = Draft(
            change.support.last_t,
            committed,
            (),
            None,
            None,
            seat,
            round(change.confidence * sure, 6),
            ["sight", *basis],
            row=change.row,
            result=change.after,
            frames=tuple(change.support.frames),
            since=change.since if hand_in is None and change.since > _LONG_AGO else None,
        )
        misread = change.row is not None and same and (naming or not hands)
        if misread or not (change.added or change.removed):
            self._reordered(draft, zone.zone, change, hands)
        else:
            self._moved(draft, zone.zone, change, physical, hand_in)

    def _amended(self, zone: CameraZone, change: Change, *, naming: bool) -> bool:
        """No hand was there since cards were laid in this row: they were not all seen, or not rightly."""
        lain = self._lain.get((zone.zone, change.row))
        if lain is None or lain[0].gone or lain[2] != change.before:
            return False
        draft, before, _ = lain
        if not naming and (change.support.first_t - draft.t > _SOON or zone.cover_t > draft.t):
            return False
        cards = lacking(change.after, before)
        if not cards or lacking(before, change.after):
            return False
        known = {face(card): card for card in draft.cards}
        draft.cards = tuple(known.get(card, card) for card in cards)
        self._lain[zone.zone, change.row] = (draft, before, change.after)
        if change.row is not None:
            draft.result = change.after
        if draft.id is None:
            return True
        self._desk.outbox.rename(draft, change.support.last_t, ("sight",), round(change.confidence, 6))
        if change.row is not None:
            fixed = Draft(
                change.support.last_t,
                change.support.first_t,
                (),
                zone.zone,
                None,
                draft.seat,
                round(change.confidence, 6),
                ["sight"],
                row=change.row,
                result=change.after,
                frames=tuple(change.support.frames),
                before=change.before,
                corrected=True,
            )
            self._desk.outbox.put(fixed)
        return True

    def _reordered(self, draft: Draft, zone: str, change: Change, hands: list[Interval]) -> None:
        draft.source, draft.before = zone, change.before
        draft.corrected = not hands or bool(change.added)
        self._desk.outbox.put(draft)

    def _moved(
        self, draft: Draft, zone: str, change: Change, physical: dict[str, str], hand_in: Interval | None
    ) -> None:
        desk = self._desk
        own = desk.source_hand(draft.seat)
        if change.removed:
            away = Draft(
                draft.t, draft.committed_t, change.removed, zone, own, draft.seat, draft.confidence, list(draft.basis)
            )
            away.row, away.frames = draft.row, draft.frames
            away.result = change.after if not change.added else _without(change.before, change.removed)
            desk.outbox.put(away)
            desk.place([c for c in desk.places if desk.places[c] == zone and face(c) in change.removed], own)
        if change.added:
            draft.cards = tuple(physical.get(card, card) for card in change.added)
            draft.source, draft.target = own, zone
            if change.row is not None and not change.before:
                draft.beside = in_column(change.row, self._spots.get(zone, {}))
            if change.row is None:
                draft.visible_to = SEATS if not zone.startswith("hand-") else None
                draft.result = ()
            desk.outbox.put(draft)
            desk.place(draft.cards, zone)
            self._lain[zone, change.row] = (draft, _without(change.before, change.removed), change.after)
            self._explains[zone, change.row] = hand_in

    def _whose(
        self, zone: str, change: Change, hands: list[Interval]
    ) -> tuple[Interval | None, Seat | None, float, list[str], dict[str, str]]:
        """Whose hand made ``change``: the reach, the seat, how sure, by which sensors, and cards that gates named."""
        physical: dict[str, str] = {}
        found: Interval | None = None
        basis: list[str] = []
        for interval in hands:
            for card in self._read_with(interval, change):
                physical[face(card)] = card
                found = interval
        if found is not None:
            return found, found.seat, 0.99, ["reach", "tags"], physical
        by_gate = self._by_gate(zone, change)
        resting = by_gate is not None and all(_rests(i) for i in hands)
        if hands and not resting and (by_gate is None or any(i.seat for i in hands)):
            found = hands[-1]
            if len({i.seat for i in hands}) == 1:
                rested = _rests(found) or self._beside_arm(zone, change, found)
                sure = 0.85 if found.seat is None else BESIDE_ARM if rested else 0.98
                return found, found.seat, sure, ["reach"], physical
            return found, None, 0.5, basis, physical
        if by_gate is not None:
            return None, by_gate, 0.9 if zone == TABLE else 0.85, ["tags"], physical
        seat = self._by_place(zone, change)
        rested = zone == TABLE and change.support.last_t - change.support.first_t >= _RESTS
        return None, seat, 0.85 if rested and seat is not None else 0.5, basis, physical

    def _beside_arm(self, zone: str, change: Change, found: Interval) -> bool:
        """Whether another arm lay there when ``found`` came and after it had left: it may have laid the cards."""
        end = found.end if found.end is not None else found.start
        there = self._desk.hands_at(zone, found.start, change.support.first_t)
        return any(_rests(i) and i.seat is not found.seat and i.end is not None and i.end > end for i in there)

    def _read_with(self, interval: Interval, change: Change) -> list[str]:
        """The physical card among those added (or taken) that ``interval``'s seat carried over its gate alone."""
        moved = change.added or change.removed
        if len(moved) != 1:
            return []
        end = interval.end if interval.end is not None else interval.start + 2.0
        span = (interval.start - 0.25, interval.start + 0.5) if change.added else (end - 0.5, end + 0.5)
        return [card for card in self._read_at(interval, span) if face(card) in moved]

    def _read_at(self, interval: Interval, span: tuple[float, float]) -> list[str]:
        """The cards that the gate of ``interval``'s seat read in that span, as far as they can be believed."""
        if interval.seat is None:
            return []
        return [c.card for c in self._desk.at_gate(interval.seat, *span, None) if c.card is not None]

    def _by_gate(self, zone: str, change: Change) -> Seat | None:
        first = change.support.first_t
        start, end = (first - _FELL, first + _FELL) if zone == TABLE else (change.since - 1.0, first)
        for card in change.added or (change.removed if zone == TABLE else ()):
            copies = [c for c in self._desk.header.tags.values() if face(c) == card]
            seats = {self._carrier(zone, copy, start, end) for copy in sorted(copies)}
            seats.discard(None)
            if len(seats) == 1:
                return seats.pop()
        return None

    def _carrier(self, zone: str, copy: str, start: float, end: float) -> Seat | None:
        """Whose gate read ``copy`` on its way to the melds: of one who may have held it, nothing known against it."""
        if zone == TABLE:
            return self._desk.seat_by_gates(start, end, copy)
        seat = self._desk.seat_by_gates(max(start, end - _CARRIED), end, copy)
        if seat is None or seat.line is not zone_line(zone):
            return None
        return seat if self._desk.could_come_from(copy, hand(seat)) else None

    def _by_place(self, zone: str, change: Change) -> Seat | None:
        """The seat nearest to a loose card; None for melds, where nearness tells nothing."""
        moved = change.added or change.removed
        if is_melds(zone) or not moved:
            return zone_seat(zone)
        x, y = self._where.get((zone, moved[0]), (0.0, 0.0))
        if zone_seat(zone) is not None:
            return zone_seat(zone)
        ranked = sorted(SEATS, key=lambda s: (x - SEAT_EDGE[s][0]) ** 2 + (y - SEAT_EDGE[s][1]) ** 2)
        near = [(x - SEAT_EDGE[s][0]) ** 2 + (y - SEAT_EDGE[s][1]) ** 2 for s in ranked[:2]]
        return ranked[0] if near[0] < 0.5 * near[1] else None

    def _shown(self, zone: CameraZone, changes: list[Change], owner: Seat) -> None:
        cards = [card for change in changes for card in change.after]
        untouched = {c.row for c in changes}
        cards += [card for row, known in zone.rows.items() if row not in untouched for card in known.belief]
        first = min(c.support.first_t for c in changes)
        last = max(c.support.last_t for c in changes)
        frames = tuple(f for c in changes for f in c.support.frames)
        sure = min(c.confidence for c in changes)
        self._desk.outbox.put(
            Shown(last, first, zone.zone, tuple(sorted(cards)), owner, round(sure, 6), ("sight",), frames), first
        )

    # Gaps

    def doubt(self, t: float, reason: str) -> None:
        """Frames have been missing: what lies in the camera's zones must be seen again."""
        for name, zone in self.zones.items():
            if name in self._confirm:
                continue
            zone.cover(t)
            self._confirm.add(name)
            self._desk.outbox.put(Unverified(t, name, reason))

    def correct(self, name: str, row: int | None, cards: Faces) -> None:
        """The arbitro says what lies in a zone or row."""
        zone = self._zone(name)
        if zone is not None:
            row = row if row is None else self._numbers.of(name, row)
            zone.correct(row, tuple(face(card) for card in cards if card != UNKNOWN))


def _rests(hand: Interval) -> bool:
    """Whether an arm lay there for long: one that lays cards is soon away again."""
    return hand.end is not None and hand.end - hand.start > LONGEST


def _acting(hands: list[Interval]) -> list[Interval]:
    """``hands`` without arms that only rest there, if others were there too."""
    return [hand for hand in hands if not _rests(hand)] or hands


def _with_gaps(found: list[tuple[int, str]]) -> Faces:
    """A row in which places were left out: a card lies there that the frame does not tell."""
    if found[-1][0] - len(found) >= _MOST_GAPS or len({order for order, _ in found}) < len(found) or found[0][0] < 0:
        return tuple(printed for _, printed in found)
    faces = [UNKNOWN] * (found[-1][0] + 1)
    for order, printed in found:
        faces[order] = printed
    return tuple(faces)


def _without(cards: Faces, gone: Faces) -> Faces:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
