"""Changes where the camera looks → acts: cards laid or taken, rows put in order, hands shown.

In go the changes that a zone's filters have confirmed; the reports about them go to the context's outbox.
"""

from __future__ import annotations

import operator
from dataclasses import dataclass, replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Seat
from hw.zones import TABLE, is_melds, zone_seat
from table_service.tracking.attribution import BESIDE_ARM, FELL, LaidBy, Maker, acting, rests, stays
from table_service.tracking.camera_zone import CameraZone, ZoneChange
from table_service.tracking.columns import in_column
from table_service.tracking.commit_order import Draft
from table_service.tracking.context import TrackingContext
from table_service.tracking.frame_contents import Frames
from table_service.tracking.hand_intervals import Interval
from table_service.tracking.movements import Shown
from table_service.tracking.row_filter import RowKey
from table_service.tracking.sequences import Faces, first_places, lacking
from table_service.tracking.split_by_hand import split

_OVERLOOKED_FOR: Final = 3.0
"""Seconds for which frames may overlook a card that a hand has laid in a row."""
_UNSEEN: Final = 3.0
"""Seconds for which a zone was hidden after which the reach that is known need not be the only one there was."""
_LONG_AGO: Final = -1e8
_EITHER: Final = 0.55
"""Confidence that a hand laid what shows if it laid elsewhere and an arm at rest there may have laid this."""
_LEAVING: Final = 0.4
"""Seconds after its beam is free again in which an arm may still be in the picture."""
_SOON: Final = 4.0
"""Seconds after cards were laid in which one that shows late was overlooked, if no hand has been there since."""


@dataclass(frozen=True, slots=True)
class _Lain:
    """``draft`` laid cards in a row that read ``before`` and then ``after``; ``hand`` did it, if that is known."""

    draft: Draft
    before: Faces
    after: Faces
    hand: Interval | None


class RowTracker:
    """Says what changes mean, and remembers what was laid in each row last: a card may come to light later."""

    def __init__(self, context: TrackingContext, frames: Frames, laid_by: LaidBy) -> None:
        self._context = context
        self._frames = frames
        self._laid_by = laid_by
        self._lain: dict[tuple[str, RowKey], _Lain] = {}
        """By zone and row what was laid there last."""
        self._crowded: list[ZoneChange] = []
        """Changes that were confirmed together where fewer hands came than rows gained cards."""

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._lain = {}

    def changed(self, zone: CameraZone, changes: list[ZoneChange]) -> None:
        """Report the meaning of ``changes``, all those of ``zone`` that were confirmed together."""
        owner = zone_seat(zone.zone)
        if zone.zone.startswith("hand-") and owner is not None:
            self._shown(zone, changes, owner)
            return
        in_trick = zone.zone in self._context.tricks
        if in_trick:
            changes = [part for change in changes for part in self._by_place(zone.zone, change)]
        hands = self._hands_at(zone.zone, changes)
        ordered = sorted(changes, key=lambda c: (c.support.first_t, c.row is None, c.row or 0))
        growing = [change for change in ordered if change.added]
        self._crowded = growing if len(growing) > len(hands) else []
        may_have = [[i for i in hands if _may_have_made(i, change)] for change in ordered]
        in_turn = [None] * len(ordered) if in_trick else _one_each(hands, may_have)
        for change, mine, hand in zip(ordered, may_have, in_turn, strict=True):
            self._made(zone, change, mine, hand)

    def _hands_at(self, zone: str, changes: list[ZoneChange]) -> list[Interval]:
        """Return the hands that were in ``zone`` while ``changes`` came about."""
        first, last = min(c.since for c in changes), max(c.support.first_t for c in changes)
        if zone == TABLE:
            first = max(first, min(c.support.first_t for c in changes) - FELL)
        return acting([i for i in self._context.hands_at(zone, first, last) if i.start <= last])

    def _made(self, zone: CameraZone, change: ZoneChange, hands: list[Interval], in_turn: Interval | None) -> None:
        """One of ``hands`` made ``change``; ``in_turn``: the one whose turn it was, where each changed one row."""
        named = _named_first(change)
        if named is not None:
            self._say(zone, named, [])
            change = replace(change, before=named.after)
        if not hands and change.added and not change.removed:
            hands = self._just_left(zone, change)
        parts = self._parts(zone, change, hands)
        for part, hand in parts:
            self._say(zone, part, [hand], dated=hand is not hands[-1] or self._read_with(hand, part))
        if parts:
            return
        if in_turn is not None and not any(self._laid_by.read_with(i, change) for i in hands):
            hands = [in_turn]
        self._say(zone, change, hands)

    def _by_place(self, zone: str, change: ZoneChange) -> list[ZoneChange]:
        """``change`` of a trick, seat by seat: each lays its own card; what was gathered meanwhile went before.

        A card came after the last frame without it, however long before that the trick was gathered.
        """
        seats = {card: self._laid_by.before_whom(zone, card) for card in change.added}
        several = len(set(seats.values())) > 1 and len(seats) == len(change.added)
        if not change.added or not (several or change.removed):
            return [change]
        parts, before = [], change.before
        if change.removed:
            before = _without(change.before, change.removed)
            parts.append(replace(change, after=before))
        for seat in sorted(set(seats.values()), key=lambda one: "" if one is None else one):
            after = tuple(sorted((*before, *(card for card in change.added if seats[card] is seat))))
            parts.append(replace(change, before=before, after=after, since=max(change.since, change.came_since)))
            before = after
        return parts

    def _shown(self, zone: CameraZone, changes: list[ZoneChange], owner: Seat) -> None:
        cards = [card for change in changes for card in change.after]
        untouched = {c.row for c in changes}
        cards += [card for row, known in zone.rows.items() if row not in untouched for card in known.belief]
        first = min(c.support.first_t for c in changes)
        last = max(c.support.last_t for c in changes)
        frames = tuple(f for c in changes for f in c.support.frames)
        sure = min(c.confidence for c in changes)
        self._context.outbox.put(
            Shown(last, first, zone.zone, tuple(sorted(cards)), owner, round(sure, 6), ("sight",), frames), first
        )

    def _just_left(self, zone: CameraZone, change: ZoneChange) -> list[Interval]:
        """Return the last hand before ``change``, if frames since then overlooked what it laid; [] if there was none.

        Nor if another arm, which no beam has reported, has covered the zone since.
        """
        name, first = zone.zone, change.support.first_t
        back = FELL if name == TABLE else _OVERLOOKED_FOR
        left = [i for i in self._context.hands_at(name, first - back, first) if i.start <= first]
        lain = self._lain.get((name, change.row))
        last = left[-1:]
        if last and rests(last[0]):  # what it hid until then may be anybody's who reached there meanwhile
            last = acting([i for i in self._context.hands_at(name, last[0].start, first) if i.start <= first])
        amends = lain is not None and lain.after == change.before and lain.hand in last
        return [] if amends or _covered_by_another(zone, left, first) else last

    def _parts(self, zone: CameraZone, change: ZoneChange, hands: list[Interval]) -> list[tuple[ZoneChange, Interval]]:
        return split(
            change,
            hands,
            lambda hand: tuple(face(c) for c in self._laid_by.read_at(hand, (hand.start - 0.25, hand.start + 0.5))),
            zone.rows[change.row].shown_by,
            self._context.rates.miss,
        )

    def _read_with(self, hand: Interval, part: ZoneChange) -> bool:
        """Return True if the gate of the seat that reached there read a card of ``part`` on the way."""
        span = (hand.start - 0.25, hand.start + 0.5)
        return any(face(card) in part.added for card in self._laid_by.read_at(hand, span))

    def _say(self, zone: CameraZone, change: ZoneChange, hands: list[Interval], *, dated: bool = True) -> None:
        same = bool(change.removed) and len(change.after) == len(change.before)
        naming = same and (set(change.removed) == {UNKNOWN} or (change.row is None and not hands))
        corrects = naming or not hands
        if corrects and self._amended(zone, change, naming=naming):
            return
        maker = self._maker(zone, change, hands)
        if self._laid_already(zone.zone, change, maker):
            maker, dated = replace(maker, sure=_EITHER), False
        draft = _drafted(change, maker, dated=dated and _is_dated(maker, hands, zone))
        misread = same and corrects and change.row is not None
        if misread or not (change.added or change.removed):
            self._reordered(draft, zone.zone, change, hands)
        else:
            self._moved(draft, zone.zone, change, maker)

    def _maker(self, zone: CameraZone, change: ZoneChange, hands: list[Interval]) -> Maker:
        """Return who made the change, less certain where an arm covered the row after that hand had left."""
        maker = self._laid_by.whose(zone.zone, change, hands)
        if self._arm_came_after(zone, change, maker.hand):
            return replace(maker, sure=min(maker.sure, BESIDE_ARM), is_beside_arm=True)
        return maker

    def _arm_came_after(self, zone: CameraZone, change: ZoneChange, hand: Interval | None) -> bool:
        """Return True if an arm, of which no sensor reported that it came, covered the meld after ``hand`` had left."""
        if hand is None or hand.seat is None or hand.end is None or not is_melds(zone.zone):
            return False
        gone, first = hand.end + _LEAVING, change.support.first_t
        return _covered_by_another(zone, [hand], first) and not self._context.reaches.of(hand.seat, gone, first)

    def _laid_already(self, zone: str, change: ZoneChange, maker: Maker) -> bool:
        """Return True if ``maker``'s hand may have changed another row, beneath an arm that may have changed this one.

        More rows have gained cards than hands came: which of them the player of the arm laid is not known.
        """
        hand = maker.hand
        if hand is None or not maker.is_beside_arm or not is_melds(zone):
            return False
        lain = any(at == zone and row != change.row and one.hand == hand for (at, row), one in self._lain.items())
        return lain or any(one.row != change.row and _may_have_made(hand, one) for one in self._crowded)

    def _amended(self, zone: CameraZone, change: ZoneChange, *, naming: bool) -> bool:
        """No hand was there since cards were laid in this row: they were not all seen, or not rightly."""
        lain = self._lain.get((zone.zone, change.row))
        if lain is None or lain.draft.gone or lain.after != change.before:
            return False
        draft, before = lain.draft, lain.before
        if draft.t >= change.support.last_t:
            return False  # the same frames showed both: each came by itself
        if not naming and (change.support.first_t - draft.t > _SOON or zone.cover_t > draft.t):
            return False
        cards = lacking(change.after, before)
        if not cards or lacking(before, change.after):
            return False
        known = {face(card): card for card in draft.cards}
        draft.cards = tuple(known.get(card, card) for card in cards)
        self._lain[zone.zone, change.row] = replace(lain, after=change.after)
        if change.row is not None:
            draft.result = change.after
        if draft.id is None:
            return True
        self._context.outbox.rename(draft, change.support.last_t, ("sight",), round(change.confidence, 6))
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
            self._context.outbox.put(fixed)
        return True

    def _reordered(self, draft: Draft, zone: str, change: ZoneChange, hands: list[Interval]) -> None:
        draft.source, draft.before = zone, change.before
        draft.corrected = not hands or bool(change.added)
        self._context.outbox.put(draft)

    def _moved(self, draft: Draft, zone: str, change: ZoneChange, maker: Maker) -> None:
        context = self._context
        own = context.source_hand(draft.seat)
        if change.removed:
            away = Draft(
                draft.t, draft.committed_t, change.removed, zone, own, draft.seat, draft.confidence, list(draft.basis)
            )
            away.row, away.frames = draft.row, draft.frames
            away.result = change.after if not change.added else _without(change.before, change.removed)
            context.outbox.put(away)
            context.place([c for c in context.places if context.places[c] == zone and face(c) in change.removed], own)
        if change.added:
            draft.cards = tuple(maker.physical.get(card, card) for card in change.added)
            draft.source, draft.target = own, zone
            if change.row is not None and not change.before:
                draft.beside = in_column(change.row, self._frames.spots(zone))
            if change.row is None:
                draft.visible_to = context.seats if not zone.startswith("hand-") else None
                draft.result = ()
            context.outbox.put(draft)
            context.place(draft.cards, zone)
            before = _without(change.before, change.removed)
            self._lain[zone, change.row] = _Lain(draft, before, change.after, maker.hand)


def _named_first(change: ZoneChange) -> ZoneChange | None:
    """Return the part of ``change`` that names unread cards of the row; None if none is named or no other card came."""
    if change.row is None or set(change.removed) != {UNKNOWN} or len(change.after) <= len(change.before):
        return None
    places = first_places(change.before, change.after)
    return None if places is None else replace(change, after=tuple(change.after[at] for at in places))


def _covered_by_another(zone: CameraZone, left: list[Interval], first: float) -> bool:
    """Return True if an arm was over ``zone`` before ``first`` that is not among ``left``, the known hands."""
    gone = max((i.end if i.end is not None else first for i in left), default=first)
    return gone + _LEAVING < zone.cover_t < first


def _may_have_made(hand: Interval, change: ZoneChange) -> bool:
    """Return True if ``hand`` was there after the row was last seen as before, and before it was seen changed."""
    return (hand.end or hand.start) > change.since and hand.start <= change.support.first_t


def _one_each(hands: list[Interval], may_have: list[list[Interval]]) -> list[Interval | None]:
    """Return for each change the hand that made it if as many came, in that order; ``may_have``: who may have, each."""
    each = len(hands) == len(may_have) and all(map(operator.contains, may_have, hands))
    return [*hands] if each else [None] * len(may_have)


def _drafted(change: ZoneChange, maker: Maker, *, dated: bool) -> Draft:
    """Return the draft of a movement in a row. ``dated``: its time is known, not only when frames last showed less."""
    return Draft(
        change.support.last_t,
        _committed(maker, change),
        (),
        None,
        None,
        maker.seat,
        round(change.confidence * maker.sure, 6),
        ["sight", *maker.basis],
        row=change.row,
        result=change.after,
        frames=tuple(change.support.frames),
        since=None if dated else _last_seen_before(change),
    )


def _committed(maker: Maker, change: ZoneChange) -> float:
    """Return when ``change`` was done: as its hand left, else as a frame first showed it."""
    seen = change.support.first_t
    left = maker.hand.end if maker.hand is not None else None
    return left if left is not None and left <= seen + 0.05 else seen


def _last_seen_before(change: ZoneChange) -> float | None:
    """Return the time when a frame last showed the row as it was; None if none ever did."""
    return change.since if change.since > _LONG_AGO else None


def _is_dated(maker: Maker, hands: list[Interval], zone: CameraZone) -> bool:
    """Return True if the reach that did it is known; of several between which no frame has looked it may be any.

    So it may if an arm that rests there has hidden the zone for long before: a beam may have missed another reach. And
    beneath an arm that stays over melds turns may go by.
    """
    if maker.hand is None or "tags" in maker.basis:
        return maker.hand is not None
    if is_melds(zone.zone) and stays(maker.hand):
        return False
    return len(hands) < 2 and zone.dark_before(maker.hand.start) < _UNSEEN


def _without(cards: Faces, gone: Faces) -> Faces:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return tuple(left)
