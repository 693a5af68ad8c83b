"""Decision which face is at a place: one that nothing in sight contradicts, while every other is contradicted.

The visible part of a card is compared with the faces that resemble it most (``face_differences``). A card that could be
several faces, or shows something that no enrolled face has, is ``??``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from hw.cards import UNKNOWN
from vision.faces.blocks import COLUMNS, ROWS, evidence, look_at
from vision.faces.candidates import Candidate, weighed
from vision.faces.face_differences import (
    CardLook,
    FaceDifference,
    aligned,
    cells_over,
    cut_out,
    difference_of,
    inner,
    on_card,
)
from vision.faces.geometry import Array, Corners, Image, Mask, Pose, corners_of
from vision.faces.ground import Ground
from vision.faces.index import FaceIndex
from vision.faces.prints import SIZE

MAX_OWN: Final = 4.7
"""Thousandths of the card that may contradict the face that is named: 25 mm² of a tarocco, half a pip. Set on
tarocchi drawn by the tests: of 24 faces that were not enrolled one showed as little, which the next bound refused."""
MIN_OTHERS: Final = 1.7
"""Thousandths by which every other face must be contradicted more: 9 mm²."""
BEYOND_DOUBT: Final = 40.0
"""Thousandths by which every other face must be contradicted more for strips beside what lies over the card, or at its
edge, not to count: an undetected card lies there too. Numerals of a suit differ by less if they are half hidden. Set
on tricks that cross (``measure tricks --at-once``, seeds 502, 71001 to 71007, 88501 and 93003): of 19 cards that were
refused eleven led by 53 or more, all of them the right ones; ten of these had nothing else against them."""
BY_FAR: Final = 4.0
"""… and times what contradicts this face: pips in rows fit one row further on, and all that contradicts them there lies
at the edge. Of cards at their own places the ten led by 5 times and more, a ten of coins beside its place by 1.6."""
MIN_OPEN: Final = 0.66
"""Share of a card that must be visible for it to be named if the pack was not enrolled whole: half hidden, an eight
that was not enrolled is a seven. Set on tricks and pairs of Debian's sheets ``tigullio`` and ``anglo_poker``, a third
of whose faces were left out: the 20 cards that were named wrongly showed .62 at most, 99 that showed more were refused.
"""
BARE: Final = 0.06
"""Share of a card in which the ground may show instead of it: if more does, there is no card, however well its pips fit
there. Pips in rows fit one row further on as well."""
OTHERS: Final = 5
"""Other faces that are compared closely, the likest."""
UNLIKE: Final = 12.0
"""Evidence by which a face must fall behind the likest for its cells not to be compared: eight blocks against it."""


@dataclass(frozen=True)
class FaceFound:
    """One card of a picture.

    ``name`` is ``??`` if it could be several faces, or none that is known; ``likest`` the face that resembles most.
    ``corners`` (4, 2) px, clockwise from its upper left corner as printed.
    """

    name: str
    confidence: float
    corners: Corners
    likest: str
    own: float
    """Thousandths of the card that contradict ``likest``."""
    lead: float
    """Thousandths by which the next face is contradicted more."""
    alike: tuple[str, ...] = ()
    """Other faces of the pack that look the same, as two of the Mori do: it may be any of them."""


@dataclass(frozen=True)
class FaceDecision:
    """Decision about the card at one place, and the cells (192, 96) covered by something that was not identified."""

    found: FaceFound
    hidden: Mask
    face: int
    """The likest face, by its position in the index's blocks: beyond the prints one upside down."""
    alike: tuple[str, ...]
    """Other faces of the pack that look as the likest does."""
    inside: float
    """Thousandths of the card that contradict the face, but for strips beside what lies over it or at its edge."""

    @property
    def named(self) -> bool:
        """True if it is certain which face it is."""
        return self.found.name != UNKNOWN

    @property
    def lies_there(self) -> bool:
        """True if nothing in sight contradicts a card there, though it may be one of several faces."""
        return self.found.own <= MAX_OWN

    def strips_left_out(self) -> FaceFound | None:
        """Return the card named, if only such strips contradict its face beyond doubt; else None."""
        if self.inside > MAX_OWN or self.found.lead < max(BEYOND_DOUBT, BY_FAR * self.found.own):
            return None
        sure = sure_of(self.inside, self.found.lead)
        return replace(self.found, name=self.found.likest, confidence=sure, alike=self.alike)


@dataclass(frozen=True)
class SeenPicture:
    """A picture in which cards are decided, as many times smaller as ``shrink`` says."""

    picture: Image
    index: FaceIndex
    shrink: float
    ground: Ground | None

    def decided(self, one: Candidate, worth: Array, covered: Image) -> FaceDecision | None:
        """Select of the likest faces the one contradicted least, named if nothing visible contradicts it.

        ``worth`` (faces, 32): what each block says for each face; ``covered``: 255 where other cards are seen. None if
        the ``ground`` shows within the place: no card is there.
        """
        index, total = self.index, weighed(worth)
        seen, valid = cut_out(self.picture, one.pose, index.aspect), inner(cells_over(covered, one.pose, index.aspect))
        card = CardLook.of(seen, valid)
        unlike = difference_of(card, index.soft(int(total.argmax())))
        hidden = unlike.hidden
        bare = 0.0 if self.ground is None or not hidden.any() else _bare(unlike, self.ground, one.pose, index.aspect)
        if bare > BARE:
            return None
        areas = _contradicted(CardLook.of(seen, valid & ~hidden) if hidden.any() else card, total, index)
        best = min(areas, key=lambda n: (areas[n].area, -total[n]))
        name, own = index.name_of(best), areas[best].area + 1000.0 * bare
        same = index.same_as(name)
        lead = min((other.area for n, other in areas.items() if index.name_of(n) not in same), default=1000.0) - own
        open_ = (valid & ~hidden).sum() / inner(np.zeros_like(valid)).sum()
        certain = own <= MAX_OWN and lead >= MIN_OTHERS and (index.is_complete or open_ >= MIN_OPEN)
        corners = corners_as_printed(one.pose, best, index) * self.shrink
        alike = tuple(sorted(same - {name}))
        found = FaceFound(UNKNOWN, 0.0, corners, name, own, lead)
        if certain:
            found = replace(found, name=name, confidence=sure_of(own, lead), alike=alike)
        return FaceDecision(found, hidden, best, alike, areas[best].inside + 1000.0 * bare)

    def moved(self, one: Candidate, decision: FaceDecision, covered: Image) -> Candidate | None:
        """Move the card ``one`` to where all that shows of it matches its likest face; None if nothing asks for it.

        ``decision``: what is decided of it at its present place, under what is ``covered``.
        """
        index = self.index
        if decision.named or decision.lies_there or decision.found.lead < MIN_OTHERS:
            return None
        seen = cut_out(self.picture, one.pose, index.aspect)
        valid = ~cells_over(covered, one.pose, index.aspect) & ~decision.hidden
        pose = aligned(one.pose, index.aspect, seen, index.soft(decision.face).cells, valid)
        if pose is None:
            return None
        return replace(one, pose=pose, look=look_at(self.picture, pose, index.aspect, index.blocks, reach=1, step=1))


def corners_as_printed(pose: Pose, face: int, index: FaceIndex) -> Corners:
    """Return the corners of the card at ``pose``, from the upper left one of its ``face`` on."""
    corners = corners_of(pose, index.aspect)
    return np.roll(corners, 2, axis=0) if index.is_turned(face) else corners


def worth_of(one: Candidate, covered: Image, index: FaceIndex) -> Array:
    """Return the evidence of each face (faces, 32) at a candidate's pose, blocks that are ``covered`` left out."""
    share = on_card(covered, one.pose, index.aspect).reshape(ROWS, SIZE[1] // ROWS, COLUMNS, SIZE[0] // COLUMNS)
    hidden = share.mean(axis=(1, 3)).ravel() / 255.0
    open_ = np.where(hidden > 0.35, 0.0, np.clip(1.2 - 2.0 * hidden, 0.0, 1.0)).astype(np.float32)
    return evidence(one.look, index.blocks.spread, open_)


def _bare(unlike: FaceDifference, ground: Ground, pose: Pose, aspect: float) -> float:
    """Return the share of the card at ``pose`` that seems hidden and is ``ground`` continued beside it."""
    inside = on_card(ground.beside(corners_of(pose, aspect)), pose, aspect) > 0
    return float((inside & unlike.over).mean())


def sure_of(own: float, lead: float) -> float:
    """Return the confidence, 0 to .999, of a face contradicted by ``own`` and leading by ``lead`` (thousandths)."""
    return round(min(0.999, max(0.0, 1.0 - 0.5 * float(np.exp(-lead / MIN_OTHERS)) - 0.02 * own)), 4)


def _contradicted(seen: CardLook, total: Array, index: FaceIndex) -> dict[int, FaceDifference]:
    """Differences from each of the faces that resemble most, both ways up, by their positions."""
    names = set[str]()
    areas: dict[int, FaceDifference] = {}
    for face in np.argsort(-total).tolist():
        if len(names) > 1 and total[face] < total.max() - UNLIKE:
            break
        name = index.name_of(face)
        if name not in names and len(names) > OTHERS:
            continue
        names.add(name)
        areas[face] = difference_of(seen, index.soft(face), may_be_hidden=False)
    return areas
