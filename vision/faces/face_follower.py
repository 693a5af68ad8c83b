"""Following a table whose cards show no corner index: whole faces of an enrolled pack, read where the picture changed.

A card that is laid is on top and shows nearly whole: it is read when it has come to rest, and what was read stays known
while later cards cover it, as long as what still shows of it looks as it did. A card is gone when that has changed.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import UNKNOWN
from hw.equipment import DRAWN_TABLE, Equipment
from hw.layout import CARD_HEIGHT, Layout
from hw.observations import Sight, SightedCard
from vision.calibration import Calibration
from vision.faces.decisions import FaceFound
from vision.faces.finding import find_faces
from vision.faces.geometry import Corners, turned_apart
from vision.faces.index import FaceIndex
from vision.faces.view_outlines import ends_of_rows, laid_cards
from vision.following import Follower, SightClock
from vision.surface import Blob, Box, Felt, Image, Mask, blobs_of, changed_cells, grown, pasted
from vision.unread_shapes import unread_shapes

READ_PX_PER_MM: Final = 2.2
"""The scale at which faces are read."""
PAD_MM: Final = 55.0
"""An area is read with this border: half a card that reaches into it."""
TALL_MM: Final = (0.9 * CARD_HEIGHT, 1.35 * CARD_HEIGHT)
"""Heights of cards on a table before any was measured: a French card to a long tarocco."""
AS_TALL: Final = 0.08
"""Share by which a card's height may differ from the pack's once that was measured."""
MEASURED: Final = 3
"""Cards from which on the pack's height is known."""
SAME_MM: Final = 9.0
"""Two looks at one card agree about its middle within this."""
SAME_DEGREES: Final = 12.0
"""… and about its turn, half turns apart."""
RIM_MM: Final = 4.0
"""Width along its edges and along what lies over it in which a card's look is not compared with its earlier one."""
ALTERED: Final = 0.3
"""Share of what shows of a card that must look otherwise for the card to be gone."""
BARE: Final = 0.06
"""Share of a card, but for its rim, into which the cloth around it may reach: more is no card, however well its pips
fit there. Parts of a face that are of the cloth's colour lie within the card."""
SHOWS: Final = 0.1
"""Share of a card that must show beside others for an unread card to be reported."""
TOO_LITTLE: Final = 6
"""Cells of the view below which the visible part of a card decides nothing."""


@dataclass(frozen=True, eq=False)
class LyingFace:
    """A card on the table: its face or ``??``, its outline (4, 2) mm clockwise from its upper left corner."""

    name: str
    confidence: float
    ring: Corners

    @property
    def middle(self) -> Corners:
        """Its middle, mm."""
        return np.asarray(self.ring.mean(axis=0), np.float64)

    @property
    def angle(self) -> float:
        """Degrees anticlockwise modulo 180, 0 upright seen from South."""
        up = self.ring[0] - self.ring[3] + self.ring[1] - self.ring[2]
        return float(np.degrees(np.arctan2(up[1], up[0])) - 90.0) % 180.0

    @property
    def height(self) -> float:
        """Its height, mm."""
        return float(np.hypot(*(self.ring[0] - self.ring[3])) + np.hypot(*(self.ring[1] - self.ring[2]))) / 2

    def is_at(self, other: LyingFace) -> bool:
        """Return True if both are looks at one place."""
        near = float(np.hypot(*(self.middle - other.middle))) < SAME_MM
        return near and turned_apart(self.angle, other.angle) < SAME_DEGREES


class FaceWatcher(Follower):
    """Turns the frames of one camera over one table into sights of an enrolled pack. Not shared between threads.

    ``empty`` is a frame of the table without cards, as calibration takes one. ``equipment``: how cards lie there.
    """

    def __init__(
        self,
        layout: Layout,
        calibration: Calibration,
        index: FaceIndex,
        empty: Image,
        equipment: Equipment = DRAWN_TABLE,
    ) -> None:
        super().__init__(layout, calibration)
        self._index = index
        self._quiet = equipment.covered
        """Cards lie face down here; scales count them."""
        self._rows = equipment.lying("fan", "spot", "pile", "rows") if index.is_complete else ()
        """Cards are laid in rows here, each partly under the next. A strip of a face that was not enrolled may look
        like that of another (eight coins like seven): then none is read."""
        self._check(empty)
        self._felt = Felt(self._surface.view(empty), self._surface.rim)
        self._cards: list[LyingFace] = []
        self._heights: list[float] = []
        self._before: Image | None = None
        """The view of the frame before."""
        self._read: Image | None = None
        """The table when it was last read."""
        self._pending: Mask | None = None
        self._last: tuple[SightedCard, ...] = ()
        self._hidden: tuple[str, ...] = ()
        self._clock = SightClock()
        self._frames = 0

    def new_deal(self) -> None:
        """Begin a deal: hands are masked again, no card is known."""
        self._deal_over = False
        self._cards, self._read, self._pending = [], None, None

    def deal_goes_on(self) -> None:
        """Take back the end of the deal: hands are masked again."""
        super().deal_goes_on()
        self._cards = [card for card in self._cards if self._zone(card) not in self.layout.masked]

    def _forget_view(self) -> None:
        self._before = None

    def look(self, frame: Image, t: float) -> Sight | None:
        """Return the sight of ``frame`` (BGR uint8) taken at ``t`` seconds; None if there is nothing new to report.

        An area is read when two consecutive frames agree about it. Raises CalibrationError for a frame of another size
        than the calibration's.
        """
        view = self._view(frame)
        self._frames += 1
        moving = np.zeros(view.shape[:2], np.bool_) if self._before is None else changed_cells(view, self._before)
        changed = np.ones_like(moving) if self._read is None else changed_cells(view, self._read)
        self._pending = changed
        if not self._deal_over:
            self._pending &= ~self._surface.rim
        still = self._at_rest(grown(moving, RIM_MM)) if self._pending.any() else self._pending
        if still.any():
            self._read_again(frame, view, still)
        self._before = view
        blobs = self._blobs(view)
        unknown = [blob for blob in blobs if blob.covers] + self._waiting()
        hidden = self._surface.hidden_by(unknown)
        sight = self._sighted(blobs, unknown, view)
        changed_sight = hidden != self._hidden or _gist(sight) != _gist(self._last)
        self._last, self._hidden = sight, hidden
        if not self._clock.is_due(t, changed=changed_sight):
            return None
        return Sight(round(t, 6), sight, hidden, self._frames)

    def _at_rest(self, moving: Mask) -> Mask:
        """Separate parts of the area to be read in which nothing moves."""
        assert self._pending is not None  # noqa: S101 - asked only where something is to be read
        _, labels = cv2.connectedComponents(grown(self._pending, RIM_MM).astype(np.uint8))
        unquiet = np.unique(labels[moving])
        return np.asarray((labels > 0) & ~np.isin(labels, unquiet), np.bool_)

    def _read_again(self, frame: Image, view: Image, still: Mask) -> None:
        """Read the area ``still`` and bring the known cards up to date."""
        found: list[LyingFace] = []
        if not self._deal_over:
            frame = self._surface.mask_hands(frame)  # what is read reaches beyond what changed, never into a hand
        bare = self._bare(view)
        cloth = np.asarray(cv2.connectedComponents(bare.astype(np.uint8), connectivity=4)[1], np.int32)
        things = self._things(bare)
        outlines = self._outlines(view, still & things, things)
        lying_still = self._lying_still(view)
        for box in self._surface.boxes(still & things | still & self._known_mask(), PAD_MM):
            for lying in self._lying_in(frame, box, outlines, *lying_still):
                may_be_told = self._deal_over or self._zone(lying) not in self.layout.masked
                may_be_told &= self._bare_share(cloth, lying) <= BARE
                if may_be_told and (self._cell(still, lying) or lying.name != UNKNOWN):
                    found.append(lying)
        found = [one for one in found if one.name != UNKNOWN or self._shows(one, found, bare)]
        self._cards = self._joined(found, view, still)
        self._cards = [one for one in self._cards if self._is_there(one, cloth, bare)]
        self._read = view if self._read is None else pasted(view, still, self._read)
        if self._pending is not None:
            self._pending = self._pending & ~still

    def _things(self, bare: Mask) -> Mask:
        """Parts of the view that may be read: not ``bare``, not masked hands, not the table's rim.

        With these all of the table would be one thing, and the grey of the masks would pass for its ground.
        """
        return ~bare if self._deal_over else ~bare & ~grown(self._surface.hands | self._surface.rim, RIM_MM)

    def _outlines(self, view: Image, where: Mask, cards: Mask) -> list[Corners]:
        """Possible outlines of cards (4, 2) mm in ``cards``, and in what changed ``where`` everything is at rest."""
        ends = ends_of_rows(cards, where, self._tall(), self._index.aspect)
        if self._read is None:
            return ends
        return ends + laid_cards(changed_cells(view, self._read) & where, self._tall(), self._index.aspect)

    def _is_there(self, one: LyingFace, cloth: NDArray[np.int32], bare: Mask) -> bool:
        """Return True if a known card that was never read is no cloth and shows beside the others."""
        return one.name != UNKNOWN or (self._bare_share(cloth, one) <= BARE and self._shows(one, self._cards, bare))

    def _lying_still(self, view: Image) -> tuple[list[Corners], Mask]:
        """Return the corners (4, 2) mm of the named cards that look as when they were read, and where they show.

        A trick is laid card by card: to find the first three again with the fourth would take most of the time.
        """
        changed = np.zeros(view.shape[:2], np.bool_)
        if self._read is None:
            return [], changed
        changed = changed_cells(view, self._read)
        rings = []
        for card in self._cards:
            outline = self._surface.polygons_mask(card.ring[None])
            if card.name != UNKNOWN and changed[outline].mean() < ALTERED:
                rings.append(card.ring)
        lying = self._surface.polygons_mask(np.stack(rings)) if rings else np.zeros_like(changed)
        return rings, lying & ~grown(changed, RIM_MM)

    def _lying_in(
        self, frame: Image, box: Box, outlines: list[Corners], known: list[Corners], taken: Mask
    ) -> list[LyingFace]:
        """Return the cards in ``box`` (px) of ``frame``; ``outlines`` (4, 2) mm each: where cards may lie.

        ``known`` (4, 2) mm each: cards that are not looked for, and the cells of the view where they show: ``taken``.
        """
        x0, y0, x1, y1 = box
        part, at = frame[y0:y1, x0:x1], np.array([x0, y0], np.float64)
        scale = self.calibration.px_per_mm()
        longest = max(64, round(max(part.shape[:2]) * READ_PX_PER_MM / scale))
        low, high = self._tall()
        inside = [ring for ring in (self.calibration.to_pixel(ring) - at for ring in outlines) if _within(ring, part)]
        in_rows = partial(self._in_rows, at)
        tall = (low * scale, high * scale)
        found = find_faces(
            part, self._index, tall, longest, outlines=inside, in_rows=in_rows,
            known=[self.calibration.to_pixel(ring) - at for ring in known], taken=self._surface.part_of(taken, box),
        )  # fmt: skip
        return [self._on_table(one, x0, y0) for one in found]

    def _in_rows(self, at: Corners, corners: Corners) -> bool:
        """Return True if a card with ``corners`` (px of the part ``at`` of a frame) lies where cards lie in rows."""
        x, y = self.calibration.to_table(corners + at).mean(axis=0)
        return self.layout.zone_at(float(x), float(y)) in self._rows

    def _tall(self) -> tuple[float, float]:
        if len(self._heights) < MEASURED:
            return TALL_MM
        height = float(np.median(self._heights))
        return height * (1 - AS_TALL), height * (1 + AS_TALL)

    def _on_table(self, one: FaceFound, x0: int, y0: int) -> LyingFace:
        ring = self.calibration.to_table(one.corners + np.array([x0, y0]))
        return LyingFace(one.name, one.confidence, np.asarray(ring, np.float64))

    def _cell(self, mask: Mask, card: LyingFace) -> bool:
        """Return True if the card reaches into ``mask``."""
        return bool((self._surface.polygons_mask(card.ring[None]) & mask).any())

    def _bare_share(self, cloth: NDArray[np.int32], card: LyingFace) -> float:
        """Share of ``card``, but for its rim, that is cloth continued beside it; ``cloth``: labels of its parts."""
        outline = self._surface.polygons_mask(card.ring[None])
        inside = outline & ~grown(~outline, RIM_MM)
        beside = np.setdiff1d(np.unique(cloth[~grown(outline, RIM_MM)]), [0])
        return float(np.isin(cloth, beside)[inside].mean()) if inside.any() else 0.0

    def _shows(self, card: LyingFace, found: list[LyingFace], bare: Mask) -> bool:
        """Return True if enough of an unread ``card`` shows beside the read cards, and is not cloth, to accept it.

        Pips in rows fit one row further on as well, there beneath their own card. In a row of cards strips are enough.
        """
        if self._zone(card) in self._rows:
            return True
        read = [one.ring for one in found if one.name != UNKNOWN]
        read += [one.ring for one in self._cards if one.name != UNKNOWN and not any(one.is_at(new) for new in found)]
        outline = self._surface.polygons_mask(card.ring[None])
        shown = outline & ~bare
        if read:
            shown &= ~self._surface.polygons_mask(np.stack(read))
        return float(shown.sum()) >= SHOWS * float(outline.sum())

    def _joined(self, found: list[LyingFace], view: Image, still: Mask) -> list[LyingFace]:
        """Return the cards on the table now; ``found``: what was read in the area ``still``, the uppermost first.

        A card that looks as before, as far as it shows, keeps its name if the new look is less certain: cards that are
        laid over it leave less of it to read. One that was not found again stays while it looks as it did. No face is
        reported twice (except one that looks like another): the newer look is taken.
        """
        cards: list[LyingFace] = []
        before = list(self._cards)
        for one in found:
            known = next((card for card in before if card.is_at(one)), None)
            if known is None:
                if one.name != UNKNOWN:
                    self._heights = [*self._heights, one.height][-40:]
                cards.append(one)
                continue
            before.remove(known)
            cards.append(one if self._is_known_better(one, known, cards, view, still) else _named_as(known, one))
        told = {card.name for card in cards}
        for known in before:
            if self._looks_as_before(known, cards, view, still):
                twice = known.name in told and known.name not in self._index.alike
                cards.append(replace(known, name=UNKNOWN, confidence=0.5) if twice else known)
        return [card for n, card in enumerate(cards) if not any(card.is_at(other) for other in cards[:n])]

    def _is_known_better(
        self, one: LyingFace, known: LyingFace, over: list[LyingFace], view: Image, still: Mask
    ) -> bool:
        """Return True if the new look ``one`` shows more than the ``known`` card there, below the cards ``over`` it."""
        if one.name == UNKNOWN:
            return False
        return one.confidence >= known.confidence or not self._looks_as_before(known, over, view, still)

    def _looks_as_before(self, known: LyingFace, over: list[LyingFace], view: Image, still: Mask) -> bool:
        """Return True if what shows of ``known`` beside the cards ``over`` it looks as it did when it was read."""
        if self._read is None:
            return False
        outline = self._surface.polygons_mask(known.ring[None])
        if not (outline & still).any():
            return True
        shown = outline & ~grown(~outline, RIM_MM)
        if over:
            shown &= ~grown(self._surface.polygons_mask(np.stack([card.ring for card in over])), RIM_MM)
        if shown.sum() < TOO_LITTLE:
            return True
        return float(changed_cells(view, self._read)[shown].mean()) < ALTERED

    def _bare(self, view: Image) -> Mask:
        return self._felt.is_felt(view)

    def _known_mask(self) -> Mask:
        """Return where cards are known to lie."""
        if not self._cards:
            return np.zeros((self._surface.size, self._surface.size), np.bool_)
        return self._surface.polygons_mask(np.stack([card.ring for card in self._cards]))

    def _blobs(self, view: Image) -> list[Blob]:
        """Return what is neither cloth nor a known card: arms, cards face down, cards that were not read."""
        return blobs_of(~self._bare(view) & ~grown(self._known_mask(), 6.0), self._surface.rim)

    def _waiting(self) -> list[Blob]:
        """Return areas of the picture that changed and were not read again yet: their content is unknown."""
        if self._read is None or self._pending is None or not self._pending.any():
            return []
        return blobs_of(self._pending, self._surface.rim)

    def _zone(self, card: LyingFace) -> str:
        return self.layout.zone_at(float(card.middle[0]), float(card.middle[1]))

    def _sighted(self, blobs: list[Blob], unknown: list[Blob], view: Image) -> tuple[SightedCard, ...]:
        """Return the cards but for those under what is ``unknown``."""
        arms = np.zeros((self._surface.size, self._surface.size), np.bool_)
        for blob in unknown:
            arms |= blob.mask
        told = []
        for card in self._cards:
            x, y = (round(float(v), 1) for v in card.middle)
            if not arms[self._surface.cell(x, y)]:
                turn = round(card.angle, 1) % 180
                sure = card.confidence if card.name != UNKNOWN else 0.5
                told.append(SightedCard(card.name, self.layout.zone_at(x, y), x, y, turn, "up", round(sure, 4)))
        read = [(float(card.middle[0]), float(card.middle[1])) for card in self._cards]
        at_rest = [blob for blob in blobs if self._pending is None or not (blob.mask & self._pending).any()]
        # figures are as dark as backs are: which way up such a card lies is a guess
        told += [replace(s, confidence=0.5) for s in unread_shapes(self.layout, at_rest, view, read, self._quiet)]
        return tuple(sorted(told, key=lambda s: (s.zone, s.x, s.y, s.card)))


def _within(ring: Corners, part: Image) -> bool:
    """Return True if the corners of ``ring`` lie in the picture."""
    return bool((ring >= 0).all() and (ring <= [part.shape[1], part.shape[0]]).all())


def _named_as(known: LyingFace, one: LyingFace) -> LyingFace:
    return replace(one, name=known.name, confidence=known.confidence)


def _gist(cards: tuple[SightedCard, ...]) -> list[tuple[object, ...]]:
    """Return the parts of a sight that must differ for it to be reported again: names, zones, places to 3 mm."""
    return [(card.card, card.zone, round(card.x / 3), round(card.y / 3)) for card in cards]
