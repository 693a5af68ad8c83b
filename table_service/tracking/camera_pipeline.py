"""The camera's side of tracking: frames and reaches → questions to each zone, and what has changed when they close.

What comes to lie face up or goes: melds row by row, loose cards, hands laid out.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from hw.cards import UNKNOWN, face
from hw.observations import Reach, Sight
from hw.zones import TABLE
from table_service.tracking.attribution import RESTS, LaidBy
from table_service.tracking.camera_zone import CameraZone, ZoneChange
from table_service.tracking.context import TrackingContext, is_of
from table_service.tracking.frame_contents import Frames
from table_service.tracking.movements import Unverified, Verified
from table_service.tracking.row_changes import RowTracker
from table_service.tracking.row_filter import RowKey
from table_service.tracking.sequences import Faces, lacking

_MOST_ZONES: Final = 40
_LONGEST_CARRY: Final = 3.5
"""Seconds after which a card over the open table counts as lying there, whatever hands do."""
_ECHO: Final = 2.0
"""Seconds within which two pictures that show the same mean that the camera logs more than changes."""
_STILL: Final = 0.5
"""Seconds after a picture at which a camera that logs only changes has looked again, and nothing had changed."""
_LATE: Final = 2.0
"""Seconds that a picture may take to be understood (contract)."""
_LAST: Final = float("inf")
_MORE_FRAMES: Final = 1.3
"""Seconds longer that a question stays open while fewer frames have looked than its answer needs."""


class CameraPipeline:
    """The zones that the camera watches; the pile is left to the scales' side."""

    def __init__(self, context: TrackingContext) -> None:
        self._context = context
        self._frames = Frames(context.rows, context.roles.pile)
        self._weighed = frozenset((*context.equipment.weighed, *context.roles.heaped))
        """Zones whose cards are counted by weight, or followed as stacks: the camera must not count them again."""
        self._laid_by = LaidBy(context, self._frames)
        self._row_tracker = RowTracker(context, self._frames, self._laid_by)
        self.zones: dict[str, CameraZone] = {}
        self._frame_t = self._before = -1e9
        self._confirm: dict[str, float] = {}
        """Zones that a frame must show again, and since when: one that was taken before and came late does not."""
        self._last: Sight | None = None
        self._echoes = False
        """True if the camera has logged the same picture twice: then its silence means nothing."""
        self._still: Sight | None = None
        """The newest picture, until a further look has been inferred from silence."""
        self.reset()

    def reset(self) -> None:
        """Forget everything: the table is cleared."""
        self.zones = {}
        for zone in self._context.watched:
            self._zone(zone)
        self._frames.forget()
        self._row_tracker.forget()
        self._confirm = {}

    def _zone(self, zone: str) -> CameraZone | None:
        known = self.zones.get(zone)
        if known is None and len(self.zones) < _MOST_ZONES:
            known = self.zones[zone] = CameraZone(zone, self._context.rates)
            known.frame_t = known.same_t = known.plain_t = self._before
        return known

    # What is asked of it

    def pending_since(self) -> float:
        """Time since which a hand may have laid cards that no frame has shown yet; infinite if none may."""
        return min((z.asked for z in self.zones.values() if z.asked is not None), default=float("inf"))

    @property
    def restless(self) -> bool:
        """True if a question is open."""
        for zone in self.zones.values():
            if zone.asked is not None:
                return True
        dropped = self.zones.get(TABLE)
        return dropped is not None and not dropped.quiet

    @property
    def frame_t(self) -> float:
        """Time at which the newest frame was taken."""
        return self._frame_t

    @property
    def logs_only_changes(self) -> bool:
        """True if the camera's silence means that nothing has changed: it has never logged the same twice at once."""
        return not self._echoes

    def is_covered(self, name: str) -> bool:
        """Return True if the newest frame could not see the zone, or a hand has come to it since that frame."""
        zone, now = self.zones.get(name), self._context.now
        if zone is None or zone.covered:
            return zone is not None
        return any(i.end is None and i.start > zone.frame_t for i in self._context.hands_at(name, now, now))

    def is_in_question(self, name: str, row: int, cards: Faces) -> bool:
        """Return True if the newest frames speak for another content of the row than ``cards``, in whatever order."""
        known = self.zones[name].rows.get(row) if name in self.zones else None
        if known is None or UNKNOWN in (*known.belief, *cards):
            return False
        return known.in_question or sorted(known.belief) != sorted(cards)

    def seems_changed(self, name: str) -> bool:
        """Return True if the newest frames show ``name`` differently than accepted, which further ones may confirm."""
        return name in self.zones and bool(self.zones[name].leaning())

    def steady(self, name: str) -> dict[RowKey, Faces] | None:
        """Return what frames steadily show in ``name``, row by row; None while that is covered or in question."""
        zone = self.zones.get(name)
        if zone is None or zone.covered or zone.asked is not None or not zone.quiet or name in self._confirm:
            return None
        return {row: known.belief for row, known in zone.rows.items() if known.belief}

    # Hands and frames

    def reached(self, reach: Reach) -> None:
        """Ask what a hand left in a zone that the camera watches, which it has left."""
        if reach.phase != "out":
            return
        for name, zone in self.zones.items():
            if self._may_reach(reach, name) and name != self._context.roles.pile and not name.startswith("hand-"):
                zone.ask(reach.t, self._context.hidden_deadline(reach.t)[0])

    def _may_reach(self, reach: Reach, zone: str) -> bool:
        """Return True if the hand may have been in ``zone``; one whose beam gives no zone, in any zone of its line."""
        if reach.zone is not None:
            return self._context.beam_of(zone) == reach.zone
        return reach.seat is None or zone not in self._context.rows or is_of(zone, reach.seat, self._context.rotation)

    def see(self, sight: Sight) -> Faces | None:
        """Take one frame; return its view of the pile, None if that is hidden or the frame is an old one."""
        if sight.t <= self._frame_t:
            return None
        self._echoes = self._echoes or (self._last is not None and _is_echo(self._last, sight))
        self._last = self._still = sight
        before = self._before = self._frame_t
        self._frame_t = sight.t
        looks, counts = self._frames.sort(sight.cards)
        hidden = set(sight.hidden)
        loose = {zone: rows.get(None, ()) for zone, rows in looks.items()}
        near = self._context.aside.compare(loose, hidden, sight.t)
        if near:
            looks[TABLE] = {**looks[TABLE], None: lacking(looks[TABLE][None], near)}
            counts[TABLE] -= len(near)
        for name in (*looks, *({TABLE} & hidden)):
            if name not in self._weighed and name not in self.zones:
                self._zone(name)
        for name, zone in self.zones.items():
            if name in hidden:
                zone.cover(sight.t)
                continue
            shown = looks.get(name, {})
            zone.see(
                shown,
                sight.t,
                sight.frame,
                hand=partial(self._hand_since, name, before, sight.t),
                cards=counts.get(name, 0),
            )
            if zone.asked is not None or not zone.quiet or name in self._confirm:
                self._decide(zone)
        pile = self._context.roles.pile
        return None if pile in hidden else loose.get(pile, ())

    def _hand_since(self, zone: str, before: float, t: float) -> bool:
        return zone.startswith("hand-") or bool(self._context.hands_at(zone, before - 0.1, t))

    # Decisions

    def look_at_time(self) -> None:
        """Questions whose time is over are closed on what there is."""
        self._look_again()
        for zone in self.zones.values():
            asked = zone.asked is not None and self._context.now > self._deadline(zone)
            if asked or (zone.zone == TABLE and not zone.quiet):
                self._decide(zone)

    def _look_again(self) -> None:
        """Look at rows and tricks again, without change: a camera that logs only changes has been silent."""
        still = self._still
        if still is None or self._echoes or self._context.now <= self._frame_t + _STILL + _LATE:
            return
        self._still, t = None, self._frame_t + _STILL
        looks, counts = self._frames.sort(still.cards)
        for name, zone in self.zones.items():
            if (
                name in self._context.watched
                and name not in still.hidden
                and (zone.asked is not None or not zone.quiet)
            ):
                hand = partial(self._hand_since, name, self._frame_t, t)
                zone.see(looks.get(name, {}), t, still.frame, hand=hand, cards=counts.get(name, 0))
                self._decide(zone)

    def _deadline(self, zone: CameraZone) -> float:
        asked = zone.asked or 0.0
        soon, late = self._context.hidden_deadline(max(asked, zone.deadline - 2.3 - self._context.lag))
        if zone.frame_t <= asked or zone.covered:
            soon = late
        elif not zone.looked:
            soon += _MORE_FRAMES
        return min(soon, max(asked, zone.latest) + 6.0, asked + 10.0)

    def _decide(self, zone: CameraZone) -> None:
        late = zone.asked is not None and self._context.now > self._deadline(zone)
        if not late and self._hand_inside(zone):
            return
        if not late and zone.asked is not None and zone.frame_t < zone.asked:
            return
        named = self._named(zone)
        changes = self._changes(zone, late=late, named=named)
        if changes is None:
            return
        zone.answered(late=late, named=named)
        if changes:
            self._row_tracker.changed(zone, changes)
            zone.believe(changes)
        if self._frame_t > self._confirm.get(zone.zone, _LAST) and zone.quiet:
            del self._confirm[zone.zone]
            self._context.outbox.put(Verified(self._frame_t, zone.zone))

    def _changes(self, zone: CameraZone, *, late: bool, named: bool) -> list[ZoneChange] | None:
        """Return what is decided of ``zone``; None if more frames may decide."""
        changes = zone.decide(late=late, named=named)
        if changes is None or (zone.zone == TABLE and self._carried(zone, changes)):
            return None
        if late and self._hand_inside(zone):  # what a hand covers has not gone; its leaving asks again
            return [one for one in changes if not one.removed]
        back = [one for one in changes if one.removed and zone.rows[one.row].shows_again(one.before)]
        if back and not late:
            return None
        return [one for one in changes if one not in back]

    def _hand_inside(self, zone: CameraZone) -> bool:
        inside = self._context.hands_at(zone.zone, zone.frame_t, zone.frame_t)
        return any(i.end is None or i.end > zone.frame_t for i in inside) and not zone.zone.startswith("hand-")

    def _named(self, zone: CameraZone) -> bool:
        """Return True if a gate has named the one card that seems to have come."""
        leaning = zone.leaning()
        if len(leaning) != 1 or len(leaning[0][1]) != 1:
            return False
        card = leaning[0][1][0]
        for interval in self._context.hands_at(zone.zone, zone.same_t, zone.frame_t):
            if card in map(face, self._laid_by.read_at(interval, (interval.start - 0.25, interval.start + 0.5))):
                return True
        return False

    def _carried(self, zone: CameraZone, changes: list[ZoneChange]) -> bool:
        """Return True if what shows on the open table may be in a hand: it lies once it rests and the hand is gone."""
        came = [c.support for c in changes if c.added]
        if not came:
            return False
        first, last = min(s.first_t for s in came), min(s.last_t for s in came)
        now = self._context.now
        if now - first > _LONGEST_CARRY:
            return False
        if last < zone.frame_t:
            return True
        there = self._context.reaches.over(first)
        put = any(i.zone == TABLE for i in there)
        if not put and last - first < RESTS and now - first < _LONGEST_CARRY - 1.0:
            return True
        return any((now if i.end is None else i.end) > last for i in there)

    # Gaps

    def doubt(self, t: float, reason: str) -> None:
        """Frames have been missing: what lies in the camera's zones must be seen again."""
        for name, zone in self.zones.items():
            if name in self._confirm:
                continue
            zone.cover(t)
            self._confirm[name] = t
            self._context.outbox.put(Unverified(t, name, reason))

    def correct(self, name: str, row: int | None, cards: Faces) -> None:
        """Correct what lies in a zone or row, as the arbitro says."""
        zone = self._zone(name)
        if zone is not None:
            row = row if row is None else self._frames.row(name, row)
            zone.correct(row, tuple(face(card) for card in cards if card != UNKNOWN))


def _is_echo(one: Sight, other: Sight) -> bool:
    """Return True if a camera that logs only changes would not have logged ``other`` so soon after ``one``."""
    return other.t - one.t < _ECHO and _content(one) == _content(other)


def _content(sight: Sight) -> tuple[list[str], list[str]]:
    cards = sorted(f"{card.zone} {card.row} {card.order} {card.card}" for card in sight.cards)
    return cards, sorted(sight.hidden)
