"""Following a table through its frames: changed areas are read again, several frames vote, sights come out.

``Watcher`` holds what was seen last. It reads again only where the picture has changed, keeps the reading of cards that
lie still, distinguishes arms from cards, and numbers rows and places as the contract's ``sight`` asks.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import UNKNOWN
from hw.equipment import DRAWN_TABLE, Equipment
from hw.layout import CARD_HEIGHT, DEFAULT_LAYOUT, Layout
from hw.observations import Sight, SightedCard
from hw.seats import LINES, Line, Seat
from hw.zones import DISCARD, melds
from vision.calibration import Calibration
from vision.card_geometry import angle_of, doubtful, one_card, outlines, pile_order, without_stacked
from vision.finder import SURE, Spot
from vision.following import Follower, SightClock
from vision.grouping import Corner, Found, IndexReach, measured_reach, pair_up, to_cards
from vision.hidden import hidden_shares, without_misread_ends
from vision.index_reader import IndexReader, IndexReading, best_face
from vision.joker_place import placed
from vision.look import doubted_again
from vision.lying_backs import LyingBacks
from vision.meld_rows import MeldCard, RowBook
from vision.plausible import one_index_each, plausible
from vision.surface import (
    SMALL_CM2,
    VIEW_MM,
    Blob,
    Felt,
    Image,
    Mask,
    Surface,
    blobs_of,
    changed_cells,
    grown,
    pasted,
    strongest,
    tray_edge,
)
from vision.unread_cards import unread
from vision.unread_shapes import unread_shapes
from vision.votes import (
    FAINTLY,
    MIN_CONFIDENCE,
    VOTES,
    Seen,
    another,
    is_gone,
    is_there,
    known_joker,
    like_before,
    look_alike,
    surely_nothing,
    voted,
    without_guesses,
)

FAINT: Final = 0.15
"""With an enrolled pack, whose jokers are known by their looks, the finder is asked for what it finds so faintly."""
FIND_PX_PER_MM: Final = 1.75
"""The scale at which the finder looks at the table; the reader reads at the frame's own."""
BORDER_MM: Final = 8.0
PAD_MM: Final = 26.0
"""Border around an area that is read again, so that the networks see its surroundings."""
SAME: Final = 10
"""Grey levels by which a view may differ and still show the same print; noise stays below, a rank does not."""
SAME_MM: Final = 7.5
"""Radius around an index's middle in which it must."""
SMALL_DOUBTED: Final = 0.98
"""Confidence below which an index is read again by what is beside it, for the table's reader takes a small club for a
spade. Of 2 839 indices drawn 18 px tall (``python -m lab.vision.measure small --seed 6100``) 26 were named wrongly by
it alone, 1 so; some four in ten are asked about, at a millisecond each."""
CLEARER: Final = 0.05
"""Heat that an index found faintly must gain in another look for that look to place and read it anew."""
SECOND_LOOKS: Final = 12
"""Most corners at rest that are looked at again in one frame."""
PAIR_MM: Final = 5.0
"""Between the two corners of a card the distance is read within this."""


@dataclass
class _Memory:
    corners: list[Seen] = field(default_factory=list)
    view: Image | None = None
    clean: Image | None = None
    felt: Felt | None = None
    card_mask: Mask | None = None
    last: tuple[SightedCard, ...] = ()
    calm: int = 0
    """Frames in which nothing has changed."""
    hidden: tuple[str, ...] = ()
    clock: SightClock = field(default_factory=SightClock)
    frames: int = 0


class Watcher(Follower):
    """Turns the frames of one camera over one table into sights. Not shared between threads.

    ``keepers`` names, for each line, the seat at whose edge its rows begin (the log header's ``options.keepers``);
    a line without one has them at the edge of the seat nearest to the zone of its melds.
    ``empty`` is a frame of the table without cards, as calibration takes one; without it the first frame must show
    mostly bare cloth. ``apart`` names zones that are not looked at: other readers cover them.

    >>> flat = Calibration(1920, 1080, (0.5, 0.0, -480.0, 0.0, -0.5, 270.0, 0.0, 0.0, 1.0), 0.0, 0.0, 0.1, (0, 1, 2))
    >>> cloth = np.full((1080, 1920, 3), (60, 110, 40), np.uint8)
    >>> watcher = Watcher(DEFAULT_LAYOUT, flat, IndexReader(), empty=cloth)
    >>> watcher.look(cloth, 0.0)
    Sight(t=0.0, cards=(), hidden=(), frame=1)
    >>> watcher.look(cloth, 0.1) is None  # nothing new
    True
    """

    def __init__(
        self,
        layout: Layout,
        calibration: Calibration,
        reader: IndexReader,
        keepers: Mapping[Line, Seat] = MappingProxyType({}),
        empty: Image | None = None,
        apart: Sequence[str] = (),
        equipment: Equipment = DRAWN_TABLE,
    ) -> None:
        super().__init__(layout, calibration)
        self._whole = layout
        self._reader = reader
        self._quiet = equipment.covered
        """Cards lie face down here; they are counted by weight, not by sight."""
        self._keepers = {line: keepers.get(line) or layout.seat_before(line) for line in LINES}
        self._apart = self._surface.mask_of(apart)
        # a tray of bidding cards has an edge that reaches beyond its zone: no arm
        self._no_arm = self._apart | tray_edge(self._surface)
        self._rows = RowBook()
        self._reach = IndexReach.of_card(CARD_HEIGHT)
        self._index_mm: float | None = None
        self.second_looks = SECOND_LOOKS
        """Most corners at rest that are looked at again in one frame; a higher value gives all votes at once."""
        self._now = _Memory()
        self._face_down = LyingBacks(self._surface)
        self._shrink = max(1.0, calibration.px_per_mm() / FIND_PX_PER_MM)
        if empty is not None:
            self._check(empty)
            self._now.felt = Felt(self._surface.view(empty), self._surface.rim)

    def new_deal(self) -> None:
        """Begin a deal: hands are masked again, rows are numbered anew."""
        self._deal_over = False
        if self.layout is not self._whole:
            self.open_hands(())
        self._rows.new_deal()
        self._face_down = LyingBacks(self._surface)
        self._now = _Memory(felt=self._now.felt, frames=self._now.frames)

    def _forget_view(self) -> None:
        self._now.view = None

    def open_hands(self, zones: Collection[str]) -> None:
        """Open the hand areas ``zones`` for all until ``new_deal``, as dummy's does: they are read."""
        self.layout = self._whole.opened(zones)
        self._surface = Surface(self.layout, self.calibration)
        self._forget_view()

    def mask_hands(self, frame: Image) -> Image:
        """Return a frame fit to be kept: a copy with the hand areas painted out; after the deal the frame itself."""
        return frame if self._deal_over else self._surface.mask_hands(frame)

    def look(self, frame: Image, t: float) -> Sight | None:
        """Return the sight of ``frame`` (BGR uint8) taken at ``t`` seconds; None if there is nothing new to report.

        Raises CalibrationError for a frame of another size than the calibration's.
        """
        view, now = self._view(frame), self._now
        if now.felt is None:
            now.felt = Felt(view, self._surface.rim)
        changed = self._changed(view)
        now.frames += 1
        if not now.clock.is_due(t, changed=self._read_again(frame, view, changed)):
            return None
        return Sight(round(t, 6), now.last, now.hidden, now.frames)

    # what changed

    def _changed(self, view: Image) -> Mask:
        """Return where to read again; never in the hand areas while they are masked."""
        if self._now.view is None:
            changed = np.ones(view.shape[:2], np.bool_)
        else:
            changed = grown(changed_cells(view, self._now.view), BORDER_MM)
        changed &= ~self._apart
        return changed if self._deal_over else changed & ~self._surface.hands

    def _read_again(self, frame: Image, view: Image, changed: Mask) -> bool:
        """Bring memory up to date; whether the sight differs from the last."""
        now = self._now
        now.calm = 0 if changed.any() else now.calm + 1
        # the last of a hand's shadow goes without a change that counts
        pending = any(s.votes < VOTES for s in now.corners) or (self._face_down.waits and now.calm <= VOTES)
        if not changed.any() and not pending and now.clock.last_t is not None:
            return False
        if changed.any():
            readings = self._readings(frame, changed)
            self._update(frame, changed, readings, self._as_before(view))
            now.view = view if now.view is None else pasted(view, changed, now.view)
        self._look_twice(frame, changed)
        bare = now.felt.is_felt(view) if now.felt is not None else np.zeros(view.shape[:2], np.bool_)
        cards = self._cards(bare)
        blobs = self._blobs(view, cards, bare)
        self._cover(view, blobs)
        known = self._veiled(cards)
        hidden = self._surface.hidden_by([b for b in blobs if b.covers])
        sight = self._sighted(cards, known, hidden, self._backs(blobs, view, cards, bare))
        told = hidden != now.hidden or not _same(sight, now.last)
        now.last, now.hidden = sight, hidden
        return told

    def _readings(self, frame: Image, changed: Mask) -> list[IndexReading]:
        found: list[Spot] = []
        least = SURE if self._reader.pack is None else FAINT
        for x0, y0, x1, y1 in self._surface.boxes(changed, PAD_MM):
            here = self._reader.finder.find(frame[y0:y1, x0:x1], self._shrink, least)
            found += [Spot(s.x + x0, s.y + y0, s.up, s.height, s.heat) for s in here]
        spots = self._in_question(found, changed)
        readings = [r for r in self._read(frame, spots) if not surely_nothing(r.scores)]
        readings = placed(readings, frame, self._reader)
        return [r for r in readings if r.spot.heat >= SURE or known_joker(r.face, r.alike)]

    def _in_question(self, found: list[Spot], changed: Mask) -> list[Spot]:
        """Return those of ``found`` that lie where the table has changed, or at corners whose place is in question."""
        # at the edge of what changed, a corner is found in the cell beside its own now and then
        edge = [seen.spot for seen in self._now.corners if changed[seen.cell]]
        faint = [seen.spot for seen in self._now.corners if seen.spot.heat < FAINTLY]
        return [
            spot
            for spot, cell in zip(found, self._cells(found), strict=True)
            if changed[cell]
            or any(_same_place(spot, known) for known in edge)
            or any(_clearer(spot, known) for known in faint)
        ]

    def _read(self, frame: Image, spots: list[Spot]) -> list[IndexReading]:
        """Read the indices at ``spots``; of a pack that is not enrolled the doubted ones by what is beside them too."""
        readings = self._reader.read(frame, spots)
        if self._reader.pack is not None:
            return readings
        return doubted_again(frame, readings, self._reader, SMALL_DOUBTED, [seen.spot for seen in self._now.corners])

    def _cells(self, spots: Sequence[Spot]) -> list[tuple[int, int]]:
        if not spots:
            return []
        places = self.calibration.to_table([(s.x, s.y) for s in spots]).tolist()
        return [self._surface.cell(x, y) for x, y in places]

    # corners in memory

    def _as_before(self, view: Image) -> Mask:
        """Mask of places around which, to an index's height, the table looks as it did when no arm was in the way."""
        if self._now.clean is None:
            return np.zeros(view.shape[:2], np.bool_)
        return ~grown(strongest(view, self._now.clean) > SAME, SAME_MM)

    def _update(self, frame: Image, changed: Mask, readings: list[IndexReading], same: Mask) -> None:
        """Match new readings with corners in memory; one that is not found again is looked at once more where it was.

        Where the table looks as before, a corner stays what it is: a new look is one vote more, a missing one none. A
        new look that reads another card with certainty is accepted all the same: in a view, which is coarse, one index
        looks much like another of its suit.
        """
        kept: list[Seen] = []
        lost: list[Seen] = []
        free = list(readings)
        for seen in self._now.corners:
            match = next((r for r in free if _same_place(r.spot, seen.spot) or _clearer(r.spot, seen.spot)), None)
            if match is not None:
                free.remove(match)
                kept.append(self._found_again(seen, match, as_before=bool(same[seen.cell])))
            elif not changed[seen.cell]:
                # a faint change is looked at again: a two laid where a three of its suit was changes little else
                kept.append(seen if same[seen.cell] else replace(seen, votes=0))
            elif same[seen.cell]:
                kept.append(replace(seen, covered=False))
            else:
                lost.append(seen)
        kept += [self._begun(r) for r in free]
        # what moved a little has been found at its new place already
        self._now.corners = kept + self._looked_for(
            frame, [seen for seen in lost if not any(_too_near(seen.spot, k.spot) for k in kept)]
        )

    def _found_again(self, seen: Seen, match: IndexReading, *, as_before: bool) -> Seen:
        """Return the corner ``seen`` of which ``match`` is a new look; ``as_before``: the table looks there as it did.

        What was found faintly, as beside a hand, may have been placed and read wrongly: the clearer look begins anew.
        """
        if _clearer(match.spot, seen.spot):
            return replace(self._begun(match), clear=seen.clear and match.face == best_face(seen.scores))
        if look_alike(match, seen):
            return replace(seen, covered=False, votes=min(seen.votes, VOTES - 1))
        if as_before and not another(match, seen):
            return replace(voted(seen, match), covered=False)
        if match.face == best_face(seen.scores) or like_before(match, seen):
            cell = self._cells([match.spot])[0]
            moved = replace(voted(seen, match), spot=match.spot, cell=cell, place=None, corner=None)
            return replace(moved, covered=False)
        return self._begun(match)

    def _looked_for(self, frame: Image, lost: list[Seen]) -> list[Seen]:
        """Read ``lost`` corners once more where they were: an arm may lie there, ``_cover`` decides."""
        for seen, reading in zip(lost, self._read(frame, [s.spot for s in lost]), strict=True):
            still = reading.face is not None and reading.face == best_face(seen.scores) and reading.confidence > 0.6
            seen.covered = not still
        return lost

    def _look_twice(self, frame: Image, changed: Mask) -> None:
        """Corners that lie still and have few votes are read again: several frames vote."""
        some = [s for s in self._now.corners if s.votes < VOTES and not s.covered and not changed[s.cell]]
        some = sorted(some, key=lambda s: s.votes)[: self.second_looks]
        for seen, reading in zip(some, self._read(frame, [s.spot for s in some]), strict=True):
            if another(reading, seen) and not look_alike(reading, seen):
                seen.scores, seen.alone, seen.votes, seen.clear = reading.scores, reading.unaided, 1, False
                seen.alike = reading.alike
            else:
                one = voted(seen, reading)
                seen.scores, seen.alone, seen.votes, seen.clear = one.scores, one.alone, one.votes, one.clear
                seen.alike = one.alike
        self._now.corners = [s for s in self._now.corners if not is_gone(s)]

    def _begun(self, reading: IndexReading) -> Seen:
        return Seen(
            reading.spot,
            reading.scores,
            alone=reading.unaided,
            alike=reading.alike,
            cell=self._cells([reading.spot])[0],
        )

    def _cover(self, view: Image, blobs: list[Blob]) -> None:
        """Keep in mind what an arm covers, forget what is gone, and remember how the table looks without arms."""
        now = self._now
        arms = np.zeros(view.shape[:2], np.bool_)
        for blob in blobs:
            if blob.covers:
                arms |= blob.mask
        arms = grown(arms, 15.0)
        now.corners = [s for s in now.corners if not s.covered or arms[s.cell]]
        now.clean = view if now.clean is None else pasted(now.clean, arms, view)

    # cards

    def _cards(self, bare: Mask) -> list[Found]:
        """Cards that show, in table millimetres."""
        showing = [(self._on_table(s), s) for s in self._now.corners if not s.covered]
        corners = one_index_each([corner for corner, _ in showing])
        pairs = pair_up(corners, self._reach, PAIR_MM)
        measured = measured_reach(corners, pairs)
        if measured is not None and len(pairs) >= 4:
            self._reach = measured
        offered = without_misread_ends(to_cards(corners, pairs, self._reach), corners, self._reach, PAIR_MM)
        cards = without_stacked([c for c in offered if not doubtful(c, corners)])
        cards = plausible(cards + unread(cards, corners, self._reach), corners, self._surface, bare)
        shares = hidden_shares(cards, offered, corners, self._reach)
        return without_guesses(cards, corners, shares, {id(corner): seen for corner, seen in showing})

    def _veiled(self, cards: list[Found]) -> list[Found]:
        """Cards that are known to lie under an arm; one of ``cards``, of which a corner shows, is not there too."""
        veiled = [self._on_table(s) for s in self._now.corners if s.covered]
        hidden = to_cards(veiled, pair_up(veiled, self._reach, PAIR_MM), self._reach)
        return [h for h in hidden if not any(one_card(h, c) for c in cards)]

    def _on_table(self, seen: Seen) -> Corner:
        if seen.corner is None or seen.corner.scores is not seen.scores:
            spot, (ux, uy) = seen.spot, seen.spot.up
            if seen.place is None:
                ends = [(spot.x, spot.y), (spot.x + ux * spot.height, spot.y + uy * spot.height)]
                (x, y), (tx, ty) = self.calibration.to_table(ends).tolist()
                length = math.hypot(tx - x, ty - y) or 1.0
                seen.place = (x, y, (tx - x) / length, (ty - y) / length, length)
            x, y, up_x, up_y, length = seen.place
            # y points North here, so the card's right hand is its up vector turned clockwise as seen from above
            known = known_joker(best_face(seen.scores), seen.alike)
            heat = 1.0 if known else spot.heat
            right, down = (up_y, -up_x), (-up_x, -up_y)
            seen.corner = Corner(x, y, right, down, length, seen.scores, heat, known, is_there(seen))
        return seen.corner

    def _blobs(self, view: Image, cards: list[Found], bare: Mask) -> list[Blob]:
        """Return what is neither felt nor a card that was read."""
        now, surface = self._now, self._surface
        rings = outlines(cards)
        mask = surface.polygons_mask(rings)
        self._face_down.look(view, bare, rings)
        foreign = ~bare & ~grown(mask, 6.0) & ~self._no_arm & ~self._face_down.shown(view)
        over_cards = np.zeros_like(foreign)
        if now.clean is not None and now.card_mask is not None:
            # over cards that lay there before, an arm shows as a change
            # (a card that shows both of its indices has been moved: no arm lies across it)
            whole = surface.polygons_mask(rings[[len(c.corners) > 1 for c in cards]])
            apart = strongest(view, now.clean) > 40
            over_cards = apart & mask & now.card_mask & ~bare & ~whole & ~self._no_arm
        now.card_mask = mask
        blobs = blobs_of(foreign | over_cards, surface.rim)
        # what changes within cards alone is cards laid, or a hand that has left them: an arm lies over cloth as well
        blobs = [blob for blob in blobs if (blob.mask & foreign).sum() * VIEW_MM**2 / 100 >= SMALL_CM2]
        return self._face_down.uncovered(blobs, view, bare | mask)

    def _sighted(
        self, cards: list[Found], known: list[Found], hidden: tuple[str, ...], backs: list[SightedCard]
    ) -> tuple[SightedCard, ...]:
        zones = [self.layout.zone_at(c.x, c.y) for c in cards]
        places = self._places(cards, zones, known, hidden)
        sighted = [
            SightedCard(
                card.face if card.confidence >= MIN_CONFIDENCE else UNKNOWN,
                zones[k],
                round(card.x, 1),
                round(card.y, 1),
                angle_of(card),
                "up",
                round(min(card.confidence, 0.9999), 4),
                *places.get(k, (None, None)),
            )
            for k, card in enumerate(cards)
        ]
        return tuple(sorted(sighted + backs, key=lambda s: (s.zone, s.row or 0, s.order or 0, s.x, s.y, s.card)))

    def _places(
        self, cards: list[Found], zones: list[str], known: list[Found], hidden: tuple[str, ...]
    ) -> dict[int, tuple[int, int]]:
        """Row and order of those of ``cards`` that lie in melds or in the pile, ``known`` ones beneath."""
        places: dict[int, tuple[int, int]] = {}
        beneath = [(self.layout.zone_at(card.x, card.y), card) for card in known]
        for line in LINES:
            zone = melds(line)
            here = [k for k, z in enumerate(zones) if z == zone]
            under = [card for z, card in beneath if z == zone]
            lying = [MeldCard(card.face, card.x, card.y) for card in [*(cards[k] for k in here), *under]]
            given = self._rows.place(zone, self._keepers[line], lying, hidden=zone in hidden)
            places.update(zip(here, given[: len(here)], strict=True))
        pile = [k for k, z in enumerate(zones) if z == DISCARD]
        under = [card for z, card in beneath if z == DISCARD]
        for k, order in zip(pile, pile_order([cards[k] for k in pile] + under), strict=False):
            places[k] = (0, order)
        return places

    def _backs(self, blobs: list[Blob], view: Image, cards: list[Found], bare: Mask) -> list[SightedCard]:
        """Find things of a card's size and shape without a card of ``cards``: cards lying face down."""
        whole = unread_shapes(self.layout, blobs, view, [(c.x, c.y) for c in cards], self._quiet)
        return self._face_down.told(whole, view, bare | self._surface.polygons_mask(outlines(cards)))


def _same_place(one: Spot, other: Spot) -> bool:
    near = np.hypot(one.x - other.x, one.y - other.y) < 0.3 * min(one.height, other.height)
    return bool(near and one.up[0] * other.up[0] + one.up[1] * other.up[1] > 0.9)


def _too_near(one: Spot, other: Spot) -> bool:
    """Return True if two indices cannot both be there."""
    return bool(np.hypot(one.x - other.x, one.y - other.y) < 0.5 * min(one.height, other.height))


def _clearer(one: Spot, other: Spot) -> bool:
    """Return True if ``one`` is the index found so faintly at ``other``, as beside a hand, and now found clearly."""
    return other.heat < min(FAINTLY, one.heat - CLEARER) and _too_near(one, other)


def _same(one: tuple[SightedCard, ...], other: tuple[SightedCard, ...]) -> bool:
    """Return True if two sights report the same, small movements of what is read and its confidence apart."""

    def gist(cards: tuple[SightedCard, ...]) -> list[tuple[object, ...]]:
        return [(c.card, c.zone, c.face, c.row, c.order) for c in cards]

    return gist(one) == gist(other) and all(
        abs(a.x - b.x) < 3 and abs(a.y - b.y) < 3 for a, b in zip(one, other, strict=True)
    )


def mask_hands(frame: NDArray[np.uint8], calibration: Calibration, layout: Layout = DEFAULT_LAYOUT) -> Image:
    """Return a copy of ``frame`` with the hand areas painted out."""
    return Surface(layout, calibration).mask_hands(frame)
