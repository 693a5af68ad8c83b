"""Whole faces of an enrolled pack, wherever they lie: apart, touching, in tricks that cross, on any ground.

Keypoints propose where cards may lie (``face_poses``), blocks say which face fits there (``face_blocks``), and what is
seen must contradict every other face and nothing of this one (``face_differences``). Cards are taken in the order of
their evidence: what a card shows is no evidence for those beneath it. A card that could be several faces, or shows
something that no enrolled face has, is named ``??``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import UNKNOWN
from vision.face_blocks import COLUMNS, ROWS, Pose, evidence
from vision.face_candidates import MIN_EVIDENCE, Candidate, Looked, looked_at, weighed
from vision.face_differences import (
    Difference,
    Mask,
    SeenCard,
    cells_over,
    close_to,
    cut_out,
    difference_of,
    inner,
    on_card,
)
from vision.face_poses import FaceIndex, Place, height_of, ring_of
from vision.face_print import SIZE, Array, Image
from vision.face_regions import Ground
from vision.face_rows import Strip, strips_from
from vision.quads import Distances, apart_from_ground, outlines_in

LONGEST: Final = 1000
"""Pixels of the longer side to which a picture is made smaller."""
MAX_OWN: Final = 4.7
"""Thousandths of the card that may contradict the face that is told: 25 mm² of a tarocco, half a pip. Set on
tarocchi drawn by the tests: of 24 faces that were not enrolled one showed as little, which the next bound refused."""
MIN_OTHERS: Final = 1.7
"""Thousandths by which every other face must be contradicted more: 9 mm²."""
BEYOND_DOUBT: Final = 40.0
"""Thousandths by which every other face must be contradicted more for strips beside what lies over the card, or at its
edge, not to count: a card that nobody found lies there too. Numerals of a suit differ by less where they are half
hidden. Set on tricks that cross (``measure_tricks --at-once``, seeds 502, 71001 to 71007, 88501 and 93003): of 18 cards
that were refused ten led by 53 or more, all of them the right ones."""
MIN_OPEN: Final = 0.66
"""Share of a card that must be open to view for it to be named where the pack was not enrolled whole: half hidden, an
eight that nobody enrolled is a seven. Set on tricks and pairs of Debian's sheets ``tigullio`` and ``anglo_poker``, a
third of whose faces were left out: the 20 cards that were told as another showed .62 at most, 99 that showed more were
refused."""
BARE: Final = 0.06
"""Share of a card in which the ground may show instead of it: where more does, no card lies, however well its pips fit
there. Pips in rows fit one row further on as well."""
OTHERS: Final = 5
"""Other faces that are compared closely, the likest."""
UNLIKE: Final = 12.0
"""Evidence by which a face must fall behind the likest for its cells not to be compared: eight blocks against it."""
AS_WIDE: Final = 0.12
"""Share by which an outline's width over height may differ from the pack's."""
AS_LARGE: Final = 0.28
"""Cards of one pack in one picture: their heights differ by at most so many powers of two."""
PLAINLY: Final = -0.3
"""Evidence below which a block is plainly another card's."""
ON_TOP: Final = 0.2
"""Share of such blocks that a card may have under which a row goes on."""
STRIP_LIKE: Final = 0.75
"""Correlation from which a strip is named."""
STRIP_AHEAD: Final = 0.06
"""By how much a strip's correlation with any other face must be less, where less than ``MIN_OTHERS`` contradicts one:
of a narrow strip little can. Of 929 strips of three drawn packs the 277 that were undecided without this bound were
likest to another face by .019 at most, by .037 where they resembled none."""


@dataclass(frozen=True)
class FaceFound:
    """One card of a picture.

    ``name`` is ``??`` where it could be several faces, or none that is known; ``likest`` the face that resembles most.
    ``corners`` (4, 2) px, clockwise from its upper left corner as printed.
    """

    name: str
    confidence: float
    corners: NDArray[np.float64]
    likest: str
    own: float
    """Thousandths of the card that contradict ``likest``."""
    lead: float
    """Thousandths by which the next face is contradicted more."""
    alike: tuple[str, ...] = ()
    """Other faces of the pack that look the same, as two of the Mori do: it may be any of them."""


def find_faces(
    picture: Image,
    index: FaceIndex,
    heights: tuple[float, float] | None = None,
    longest: int = LONGEST,
    *,
    outlines: Sequence[NDArray[np.float64]] = (),
    in_rows: Callable[[NDArray[np.float64]], bool] = lambda _: False,
) -> list[FaceFound]:
    """The cards of a BGR uint8 picture that show faces of ``index``, those with the most evidence first.

    ``heights``: the least and the greatest height of a card in px of ``picture``, where it is known. ``longest``:
    pixels of the longer side to which the picture is made smaller. ``outlines`` (4, 2) px each, clockwise from an upper
    left corner: where a card may lie, besides. ``in_rows``: whether a row may go on beneath the card with these
    corners, of which only strips show; they follow the card.
    """
    shrink = max(1.0, max(picture.shape[:2]) / longest)
    small = picture
    if shrink > 1.0:
        size = (round(picture.shape[1] / shrink), round(picture.shape[0] / shrink))
        small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    fair = None if heights is None else (heights[0] / shrink, heights[1] / shrink)
    apart = apart_from_ground(small)
    free = [_place(ring / shrink, index.aspect) for ring in outlines] + _outlined(small, apart, index.aspect, fair)
    looked = Looked(small, index)
    looked.look_at(free)
    looked.search(apart, fair)
    return _taken_in_turn(small, looked.found, index, shrink, Ground(apart), in_rows)


def _place(ring: NDArray[np.float64], aspect: float) -> Place:
    """A place by its corners, for which no keypoint spoke."""
    card = np.array([[0.0, 0.0], [aspect, 0.0], [aspect, 1.0], [0.0, 1.0]], np.float32)
    pose = cv2.getPerspectiveTransform(card, ring.astype(np.float32))
    return Place(np.asarray(pose, np.float64), {}, np.zeros((0, 2), np.float32))


def _outlined(picture: Image, apart: Distances, aspect: float, heights: tuple[float, float] | None) -> list[Place]:
    """Places where something of a card's shape lies free: round pips alone say little of how a card is turned."""
    places = []
    for ring in outlines_in(picture, apart):
        tall = (height_of(ring) + float(np.hypot(*(ring[2] - ring[1])))) / 2
        wide = float(np.hypot(*(ring[1] - ring[0])) + np.hypot(*(ring[2] - ring[3]))) / 2
        if abs(wide / tall / aspect - 1.0) > AS_WIDE or (heights and not heights[0] <= tall <= heights[1]):
            continue
        places.append(_place(ring, aspect))
    return places


def identify(face: Image, index: FaceIndex) -> FaceFound | None:
    """The card that a straightened picture (BGR uint8) shows; None where it resembles none."""
    height, width = face.shape[:2]
    pose = np.diag([width / index.aspect, float(height), 1.0])
    looked = looked_at(face, pose, index)
    found = _taken_in_turn(face, [] if looked is None else [looked], index, 1.0, None)
    return found[0] if found else None


def _taken_in_turn(
    picture: Image,
    candidates: list[Candidate],
    index: FaceIndex,
    shrink: float,
    ground: Ground | None,
    in_rows: Callable[[NDArray[np.float64]], bool] = lambda _: False,
) -> list[FaceFound]:
    seen = _Seen(picture, index, shrink, ground)
    covered = np.zeros(picture.shape[:2], np.uint8)
    named = covered.copy()
    found: list[FaceFound] = []
    doubted: list[tuple[Candidate, FaceFound]] = []
    height: float | None = None
    left = list(candidates)
    while left:
        best = _with_most_evidence(left, covered, height, index.aspect)
        if best is None:
            break
        one, worth = best
        left = [other for other in left if other is not one]
        decision = seen.decided(one, worth, covered)
        if decision is None:
            continue
        decided, hidden = decision
        found.append(decided)
        height = height or height_of(ring_of(one.pose, index.aspect))
        shows = _shows(worth)
        own = _own(shows, hidden, decided.name)
        _cover(covered, one.pose, own, index.aspect)
        if decided.name == UNKNOWN:
            doubted.append((one, decided))
        else:
            _cover(named, one.pose, own, index.aspect)
        if (shows < PLAINLY).mean() <= ON_TOP and in_rows(decided.corners):
            _cover_whole(covered, one.pose, index.aspect)
            for strip in strips_from(picture, one.pose, covered, index):
                found.append(_from_strip(strip, index, shrink))
                _cover_whole(covered, strip.pose, index.aspect)
                _cover_whole(named, strip.pose, index.aspect)
    return _decided_again(seen, found, doubted, named, height)


def _decided_again(
    seen: _Seen,
    found: list[FaceFound],
    doubted: list[tuple[Candidate, FaceFound]],
    named: NDArray[np.uint8],
    height: float | None,
) -> list[FaceFound]:
    """The cards ``found`` once those that were ``doubted`` are decided again below those that have a name.

    Of two cards the lower one may have more evidence: what the upper one shows then contradicts it, until that has a
    name too. ``named``: where cards with a name are seen. Each card that gets one may free the next. Where none gets
    one, a card that nothing contradicts lies there all the same, though it may be one of several faces.
    """
    while doubted:
        again = list(_in_turn(seen, doubted, named, height))
        step = next((one for one in again if one.decided.name != UNKNOWN), None)
        step = step or next((one for one in again if one.decided.own <= MAX_OWN), None)
        if step is None:
            break
        _cover(named, step.candidate.pose, step.own, seen.index.aspect)
        found = [other for other in found if other is not step.before] + [step.decided]
        doubted = [(one, before) for one, before in doubted if before is not step.before]
    return found


@dataclass(frozen=True)
class _Again:
    """A card that is decided again: what was told of it ``before``, what now, and the blocks (32) that are its own."""

    candidate: Candidate
    before: FaceFound
    decided: FaceFound
    own: Mask


def _in_turn(
    seen: _Seen,
    doubted: Sequence[tuple[Candidate, FaceFound]],
    named: NDArray[np.uint8],
    height: float | None,
) -> Iterator[_Again]:
    """Yield the ``doubted`` as they are below those that are ``named``, those with the most evidence first."""
    left = list(doubted)
    while best := _with_most_evidence([one for one, _ in left], named, height, seen.index.aspect):
        one, worth = best
        before = next(decided for other, decided in left if other is one)
        left = [pair for pair in left if pair[0] is not one]
        if decision := seen.decided(one, worth, named):
            decided, hidden = decision
            yield _Again(one, before, decided, _own(_shows(worth), hidden, decided.likest))


@dataclass(frozen=True)
class _Seen:
    """A picture in which cards are decided, as many times smaller as ``shrink`` says."""

    picture: Image
    index: FaceIndex
    shrink: float
    ground: Ground | None

    def decided(self, one: Candidate, worth: Array, covered: NDArray[np.uint8]) -> tuple[FaceFound, Mask] | None:
        """Of the faces that resemble most, the one that is contradicted least, if nothing visible contradicts it.

        And the cells (192, 96) of the card over which something lies that nobody has named. None where the ``ground``
        shows within the place: no card lies there.
        """
        index, total = self.index, weighed(worth)
        likest, half = int(total.argmax()), len(index.prints)
        seen, valid = cut_out(self.picture, one.pose, index.aspect), inner(cells_over(covered, one.pose, index.aspect))
        card = SeenCard.of(seen, valid)
        unlike = difference_of(card, index.soft(int(one.faces[likest])))
        hidden = unlike.hidden
        bare = 0.0 if self.ground is None or not hidden.any() else _bare(unlike, self.ground, one.pose, index.aspect)
        if bare > BARE:
            return None
        areas = _contradicted(SeenCard.of(seen, valid & ~hidden) if hidden.any() else card, one, total, index)
        best = min(areas, key=lambda n: (areas[n].area, -total[n]))
        name, own = index.names[one.faces[best] % half], areas[best].area + 1000.0 * bare
        same = index.alike.get(name, frozenset()) | {name}
        rest = [unlike.area for n, unlike in areas.items() if index.names[one.faces[n] % half] not in same]
        lead = min(rest, default=1000.0) - own
        open_ = (valid & ~hidden).sum() / inner(np.zeros_like(valid)).sum()
        certain = own <= MAX_OWN and lead >= MIN_OTHERS and (index.is_complete or open_ >= MIN_OPEN)
        if not certain and index.is_complete and lead >= BEYOND_DOUBT:
            certain = areas[best].inside + 1000.0 * bare <= MAX_OWN
            hidden = hidden | close_to(areas[best].beside)
        ring = ring_of(one.pose, index.aspect)
        corners = (np.roll(ring, 2, axis=0) if one.faces[best] >= half else ring) * self.shrink
        sure = _sure(own, lead) if certain else 0.0
        alike = tuple(sorted(same - {name})) if certain else ()
        told = name if certain else UNKNOWN
        return FaceFound(told, round(sure, 4), corners, name, own, lead, alike), hidden


def _with_most_evidence(
    candidates: Sequence[Candidate], covered: NDArray[np.uint8], height: float | None, aspect: float
) -> tuple[Candidate, Array] | None:
    """Return the candidate of about ``height`` px with the most evidence, with it; None where all have too little."""
    best: tuple[float, Candidate, Array] | None = None
    for one in candidates:
        tall = height_of(ring_of(one.pose, aspect))
        if height is not None and abs(np.log2(tall / height)) > AS_LARGE:
            continue
        worth = _worth(one, covered, aspect)
        total = float(weighed(worth).max())
        if best is None or total > best[0]:
            best = (total, one, worth)
    return None if best is None or best[0] < MIN_EVIDENCE else best[1:]


def _from_strip(strip: Strip, index: FaceIndex, shrink: float) -> FaceFound:
    """Return what is told of a card of which a strip shows."""
    half = len(index.prints)
    name = index.names[strip.face % half]
    apart = strip.lead >= MIN_OTHERS or (strip.ahead >= STRIP_AHEAD and strip.lead >= 0.0)
    certain = apart and strip.likeness >= STRIP_LIKE and strip.own <= MAX_OWN * strip.share
    ring = ring_of(strip.pose, index.aspect)
    corners = (np.roll(ring, 2, axis=0) if strip.face >= half else ring) * shrink
    return FaceFound(
        name if certain else UNKNOWN,
        round(_sure(strip.own, max(strip.lead, MIN_OTHERS)), 4) if certain else 0.0,
        corners,
        name,
        strip.own,
        strip.lead,
        tuple(sorted(index.alike.get(name, frozenset()))) if certain else (),
    )


def _worth(one: Candidate, covered: NDArray[np.uint8], aspect: float) -> Array:
    """The evidence of each face at a candidate's pose, blocks that other cards cover left out."""
    share = on_card(covered, one.pose, aspect).reshape(ROWS, SIZE[1] // ROWS, COLUMNS, SIZE[0] // COLUMNS)
    hidden = share.mean(axis=(1, 3)).ravel() / 255.0
    open_ = np.where(hidden > 0.35, 0.0, np.clip(1.2 - 2.0 * hidden, 0.0, 1.0)).astype(np.float32)
    return evidence(one.look, one.spread, open_)


def _bare(unlike: Difference, ground: Ground, pose: Pose, aspect: float) -> float:
    """Return the share of the card at ``pose`` that seems to be hidden and is ``ground`` which goes on beside it."""
    inside = on_card(ground.beside(ring_of(pose, aspect)), pose, aspect) > 0
    return float((inside & unlike.over).mean())


def _sure(own: float, lead: float) -> float:
    """The confidence, 0 to .999, of a face that is contradicted by ``own`` and leads by ``lead`` (thousandths)."""
    return min(0.999, max(0.0, 1.0 - 0.5 * float(np.exp(-lead / MIN_OTHERS)) - 0.02 * own))


def _contradicted(seen: SeenCard, one: Candidate, total: Array, index: FaceIndex) -> dict[int, Difference]:
    """What contradicts each of the faces that resemble most, both ways up (positions in ``one.faces``)."""
    half, names = len(index.prints), set[str]()
    areas: dict[int, Difference] = {}
    for n in np.argsort(-total):
        if len(names) > 1 and total[n] < total.max() - UNLIKE:
            break
        name = index.names[one.faces[n] % half]
        if name not in names and len(names) > OTHERS:
            continue
        names.add(name)
        areas[int(n)] = difference_of(seen, index.soft(int(one.faces[n])), may_be_hidden=False)
    return areas


def _shows(worth: Array) -> Array:
    """What each block (32) says for the likest face."""
    return np.asarray(worth[int(weighed(worth).argmax())], np.float32)


def _own(shows: Array, hidden: Mask, name: str) -> Mask:
    """The blocks (32) that are the card's own: that resemble it, or all but where something lies over a named one."""
    return np.asarray((shows >= PLAINLY) | (~_blocks_near(hidden) & (name != UNKNOWN)), np.bool_)


def _blocks_near(hidden: Mask) -> Mask:
    """The blocks (32) that ``hidden`` cells (192, 96) of a card touch, or lie beside."""
    touched = np.asarray(hidden.reshape(ROWS, SIZE[1] // ROWS, COLUMNS, SIZE[0] // COLUMNS).any(axis=(1, 3)), np.uint8)
    return np.asarray(cv2.dilate(touched, np.ones((3, 3), np.uint8)).ravel() > 0, np.bool_)


def _cover(covered: NDArray[np.uint8], pose: Pose, own: Mask, aspect: float) -> None:
    """Mark in ``covered`` those blocks (32) of the card at ``pose`` that are its ``own``."""
    shown = np.where(own, 255, 0).astype(np.uint8).reshape(ROWS, COLUMNS)
    large = cv2.resize(shown, SIZE, interpolation=cv2.INTER_NEAREST)
    cells = pose @ np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    size = (covered.shape[1], covered.shape[0])
    np.maximum(covered, cv2.warpPerspective(large, cells, size, flags=cv2.INTER_NEAREST), out=covered)


def _cover_whole(covered: NDArray[np.uint8], pose: Pose, aspect: float) -> None:
    """Mark in ``covered`` all of the card at ``pose``."""
    cv2.fillConvexPoly(covered, np.rint(ring_of(pose, aspect)).astype(np.int32), 255)
