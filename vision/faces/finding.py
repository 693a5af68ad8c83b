"""Whole faces of an enrolled pack, wherever they lie: apart, touching, in tricks that cross, on any ground.

Cards are taken in the order of their evidence: what a card shows is no evidence for those beneath it. A card that
could be several faces, or shows something that no enrolled face has, is named ``??``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from hw.cards import UNKNOWN
from vision.faces.blocks import COLUMNS, ROWS
from vision.faces.candidates import MIN_EVIDENCE, Candidate, Looked, looked_at, weighed
from vision.faces.decisions import (
    MAX_OWN,
    MIN_OTHERS,
    FaceDecision,
    FaceFound,
    SeenPicture,
    corners_as_printed,
    sure_of,
    worth_of,
)
from vision.faces.geometry import Array, Corners, Image, Mask, Pose, corners_of, height_of, pose_of
from vision.faces.ground import Distances, Ground, apart_from_ground
from vision.faces.index import FaceIndex
from vision.faces.keypoints import PosePlace
from vision.faces.outlines import outlines_in
from vision.faces.prints import SIZE
from vision.faces.strips import Strip, strips_from

LONGEST: Final = 1000
"""Pixels of the longer side to which a picture is made smaller."""
AS_WIDE: Final = 0.12
"""Share by which an outline's width over height may differ from the pack's."""
AS_LARGE: Final = 0.28
"""Largest difference in height of one pack's cards in one picture, in powers of two."""
PLAINLY: Final = -0.3
"""Evidence below which a block is plainly another card's."""
ON_TOP: Final = 0.2
"""Share of such blocks that a card may have under which a row continues."""
STRIP_LIKE: Final = 0.75
"""Correlation from which a strip is named."""
STRIP_AHEAD: Final = 0.06
"""Lead in correlation that a strip needs over any other face if less than ``MIN_OTHERS`` contradicts that one: of a
narrow strip little can. Of 929 strips of three drawn packs the 277 that were undecided without this bound were likest
to another face by .019 at most, by .037 if they resembled none."""


def find_faces(
    picture: Image,
    index: FaceIndex,
    heights: tuple[float, float] | None = None,
    longest: int = LONGEST,
    *,
    outlines: Sequence[Corners] = (),
    in_rows: Callable[[Corners], bool] = lambda _: False,
    known: Sequence[Corners] = (),
    taken: Image | None = None,
) -> list[FaceFound]:
    """Return the cards of a BGR uint8 picture that show faces of ``index``, those with the most evidence first.

    ``heights``: the least and the greatest height of a card in px of ``picture``, if known. ``longest``: pixels of the
    longer side to which the picture is made smaller. ``outlines`` (4, 2) px each, clockwise from an upper left corner:
    further possible places of cards. ``in_rows``: True for a card (its corners) beneath which a row may continue, of
    which only strips show; they follow the card. ``known`` (4, 2) px each: cards that need not be found
    again; ``taken``: 255 in the pixels that show them.
    """
    shrink = max(1.0, max(picture.shape[:2]) / longest)
    small = picture
    if shrink > 1.0:
        size = (round(picture.shape[1] / shrink), round(picture.shape[0] / shrink))
        small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    fair = None if heights is None else (heights[0] / shrink, heights[1] / shrink)
    apart = apart_from_ground(small)
    free = [_place(ring / shrink, index.aspect) for ring in outlines] + _outlined(small, apart, index.aspect, fair)
    looked = Looked(small, index, [ring / shrink for ring in known])
    looked.look_at(free)
    looked.search(apart, fair)
    ground = Ground(apart)
    if taken is not None and shrink > 1.0:
        taken = np.asarray(cv2.resize(taken, small.shape[1::-1], interpolation=cv2.INTER_NEAREST), np.uint8)
    found = _taken_in_turn(small, looked.found, index, shrink, ground, in_rows, taken)
    doubted = [one.corners / shrink for one in found if one.name == UNKNOWN and one.own > MAX_OWN]
    if doubted and looked.look_again(doubted):
        found = _taken_in_turn(small, looked.found, index, shrink, ground, in_rows, taken)
    return found


def _place(corners: Corners, aspect: float) -> PosePlace:
    """Return a place by its corners, for which no keypoint spoke."""
    return PosePlace(pose_of(corners, aspect), {}, np.zeros((0, 2), np.float32))


def _outlined(picture: Image, apart: Distances, aspect: float, heights: tuple[float, float] | None) -> list[PosePlace]:
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
    """Return the card that a straightened picture (BGR uint8) shows; None if it resembles none."""
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
    in_rows: Callable[[Corners], bool] = lambda _: False,
    taken: Image | None = None,
) -> list[FaceFound]:
    seen = SeenPicture(picture, index, shrink, ground)
    covered = np.zeros(picture.shape[:2], np.uint8) if taken is None else taken.copy()
    named = covered.copy()
    found: list[FaceFound] = []
    doubted: list[tuple[Candidate, FaceFound]] = []
    height: float | None = None
    left = list(candidates)
    while left:
        best = _with_most_evidence(left, covered, height, index)
        if best is None:
            break
        one, worth = best
        left = [other for other in left if other is not one]
        decision = seen.decided(one, worth, covered)
        if decision is None:
            continue
        found.append(decision.found)
        height = height or height_of(corners_of(one.pose, index.aspect))
        shows = _shows(worth)
        own = _own(shows, decision.hidden, whole=decision.named)
        _cover(covered, one.pose, own, index.aspect)
        if decision.named:
            _cover(named, one.pose, own, index.aspect)
        else:
            doubted.append((one, decision.found))
        if (shows < PLAINLY).mean() <= ON_TOP and in_rows(decision.found.corners):
            _cover_whole(covered, one.pose, index.aspect)
            for strip in strips_from(picture, one.pose, covered, index):
                found.append(_from_strip(strip, index, shrink))
                _cover_whole(covered, strip.pose, index.aspect)
                _cover_whole(named, strip.pose, index.aspect)
    return _decided_again(seen, found, doubted, named, height)


def _decided_again(
    seen: SeenPicture,
    found: list[FaceFound],
    doubted: list[tuple[Candidate, FaceFound]],
    named: Image,
    height: float | None,
) -> list[FaceFound]:
    """Return the cards ``found`` once those that were ``doubted`` are decided again below those that have a name.

    Of two cards the lower one may have more evidence: what the upper one shows then contradicts it, until that has a
    name too. ``named``: mask of visible cards with a name. Each card that gets one may free the next. If none gets one,
    a card that nothing contradicts is kept all the same, though it may be one of several faces. In the end strips of
    something undetected may lie over a card whose face is beyond doubt: it frees no other.
    """
    while again := _up_to_a_named_one(_in_turn(seen, doubted, named, height)):
        lying = [one for one in again if one.decision.lies_there]
        step = again[-1] if again[-1].decision.named else next(iter(lying), None)
        if step is None:
            break
        own = _own(_shows(step.worth), step.decision.hidden, whole=step.decision.named)
        _cover(named, step.candidate.pose, own, seen.index.aspect)
        found = [other for other in found if other is not step.before] + [step.decision.found]
        doubted = [(one, before) for one, before in doubted if before is not step.before]
    for one in again:
        if one.strips_left_out is not None:
            found = [other for other in found if other is not one.before] + [one.strips_left_out]
    return found


@dataclass(frozen=True)
class _Again:
    """A card that is decided again: the result ``before``, and what the blocks say for each face."""

    candidate: Candidate
    before: FaceFound
    worth: Array
    decision: FaceDecision
    strips_left_out: FaceFound | None


def _up_to_a_named_one(cards: Iterator[_Again]) -> list[_Again]:
    """Return the ``cards`` up to and with the first that has a name; all if none has."""
    taken: list[_Again] = []
    for one in cards:
        taken.append(one)
        if one.decision.named:
            break
    return taken


def _in_turn(
    seen: SeenPicture,
    doubted: Sequence[tuple[Candidate, FaceFound]],
    named: Image,
    height: float | None,
) -> Iterator[_Again]:
    """Yield the ``doubted`` as they are below those that are ``named``, those with the most evidence first."""
    left = list(doubted)
    while best := _with_most_evidence([one for one, _ in left], named, height, seen.index):
        one, worth = best
        before = next(told for other, told in left if other is one)
        left = [pair for pair in left if pair[0] is not one]
        if decision := seen.decided(one, worth, named):
            moved = seen.moved(one, decision, named)
            if moved is not None:
                at_its_place = worth_of(moved, named, seen.index)
                again = seen.decided(moved, at_its_place, named)
                if again is not None and again.named:
                    one, worth, decision = moved, at_its_place, again
            beyond = decision.strips_left_out() if seen.index.is_complete else None
            yield _Again(one, before, worth, decision, beyond)


def _with_most_evidence(
    candidates: Sequence[Candidate], covered: Image, height: float | None, index: FaceIndex
) -> tuple[Candidate, Array] | None:
    """Return the candidate of about ``height`` px with the most evidence, and that; None if all have too little."""
    best: tuple[float, Candidate, Array] | None = None
    for one in candidates:
        tall = height_of(corners_of(one.pose, index.aspect))
        if height is not None and abs(np.log2(tall / height)) > AS_LARGE:
            continue
        worth = worth_of(one, covered, index)
        total = float(weighed(worth).max())
        if best is None or total > best[0]:
            best = (total, one, worth)
    return None if best is None or best[0] < MIN_EVIDENCE else best[1:]


def _from_strip(strip: Strip, index: FaceIndex, shrink: float) -> FaceFound:
    """Return the card of which a strip shows."""
    name = index.name_of(strip.face)
    apart = strip.lead >= MIN_OTHERS or (strip.ahead >= STRIP_AHEAD and strip.lead >= 0.0)
    corners = corners_as_printed(strip.pose, strip.face, index) * shrink
    found = FaceFound(UNKNOWN, 0.0, corners, name, strip.own, strip.lead)
    if not apart or strip.likeness < STRIP_LIKE or strip.own > MAX_OWN * strip.share:
        return found
    sure = sure_of(strip.own, max(strip.lead, MIN_OTHERS))
    return replace(found, name=name, confidence=sure, alike=tuple(sorted(index.same_as(name) - {name})))


def _shows(worth: Array) -> Array:
    """Evidence of each block (32) for the likest face."""
    return np.asarray(worth[int(weighed(worth).argmax())], np.float32)


def _own(shows: Array, hidden: Mask, *, whole: bool) -> Mask:
    """Return the card's own blocks (32): those that resemble it; of a ``whole`` one all that are not ``hidden``."""
    return np.asarray((shows >= PLAINLY) | (~_blocks_near(hidden) & whole), np.bool_)


def _blocks_near(hidden: Mask) -> Mask:
    """Return the blocks (32) that ``hidden`` cells (192, 96) of a card touch, or lie beside."""
    touched = np.asarray(hidden.reshape(ROWS, SIZE[1] // ROWS, COLUMNS, SIZE[0] // COLUMNS).any(axis=(1, 3)), np.uint8)
    return np.asarray(cv2.dilate(touched, np.ones((3, 3), np.uint8)).ravel() > 0, np.bool_)


def _cover(covered: Image, pose: Pose, own: Mask, aspect: float) -> None:
    """Mark in ``covered`` those blocks (32) of the card at ``pose`` that are its ``own``."""
    shown = np.where(own, 255, 0).astype(np.uint8).reshape(ROWS, COLUMNS)
    large = cv2.resize(shown, SIZE, interpolation=cv2.INTER_NEAREST)
    cells = pose @ np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    size = (covered.shape[1], covered.shape[0])
    np.maximum(covered, cv2.warpPerspective(large, cells, size, flags=cv2.INTER_NEAREST), out=covered)


def _cover_whole(covered: Image, pose: Pose, aspect: float) -> None:
    """Mark in ``covered`` all of the card at ``pose``."""
    cv2.fillConvexPoly(covered, np.rint(corners_of(pose, aspect)).astype(np.int32), 255)
