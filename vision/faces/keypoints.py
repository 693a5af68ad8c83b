"""Possible poses of cards of an enrolled pack, by keypoints: places, sizes and turns, before any is accepted.

Each keypoint of the picture that resembles one of a face says where that card's middle would be, how large and how
turned. If several of one face agree, a pose is fitted (the Hough step of Lowe, 2004). Pips are alike on many faces,
so that a pose says only that a card may be there, not which.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faces.geometry import Array, Corners, Image, Pose, corners_of, height_of, turn_of, turned_apart
from vision.faces.index import FaceIndex
from vision.faces.prints import root_words
from vision.surface import Box

KEYPOINTS: Final = 3000
"""Keypoints looked at in a picture, the strongest."""
NEAREST: Final = 6
"""Keypoints of the pack that may correspond to one of the picture."""
ALIKE: Final = 0.80
"""Cosine from which two keypoints resemble each other."""
BEHIND: Final = 0.06
"""Largest loss in likeness of another keypoint against the best match."""
CHECKS: Final = 48
"""Leaves of the search trees that are looked into for each keypoint."""
AGREE: Final = (0.15, 18.0, 0.4)
"""Votes for one card agree within these: middle (card heights), turn (degrees), size (powers of two)."""
VOTES: Final = 3
PER_FACE: Final = 4
"""Cards of one face that a picture may show."""
SAME: Final = (0.05, 5.0, 0.1)
"""Poses of one place lie within these of each other, as ``AGREE``; turned by 180 degrees is the same place."""
MOST: Final = 40
AT_ONCE: Final = 480
"""Longest side, px, of a part in which keypoints are looked for at once: they take some 180 bytes of memory a pixel."""
TILE: Final = 400
"""Side of the parts into which a larger one is cut, at most, but for what they share."""
SHARED: Final = 48
"""Pixels by which such a part reaches into its neighbours, so that keypoints at its edge show as they would whole."""
ALIGNED: Final = 16
"""Parts begin at multiples of this, so that their smaller pictures are those of the whole."""


@dataclass(frozen=True)
class _Votes:
    """One vote a row.

    ``where`` (n, 4): middle x and y px, log2 of the height in px, turn in degrees; ``face`` (n); ``here`` (n, 2): the
    picture's keypoint, px; ``there`` (n, 2): the face's, card frame; ``seen`` (n): which keypoint of the picture.
    """

    where: Array
    face: NDArray[np.int64]
    here: Array
    there: Array
    seen: NDArray[np.int64]


@dataclass
class PosePlace:
    """Possible place of a card: a pose, the faces that voted for it with their votes, and the keypoints (n, 2) px."""

    pose: Pose
    votes: dict[int, int]
    points: Array

    @property
    def total(self) -> int:
        """Votes of all faces together."""
        return sum(self.votes.values())


def places_in(
    picture: Image,
    index: FaceIndex,
    heights: tuple[float, float] | None = None,
    regions: Sequence[Box] | None = None,
    share: float = 1.0,
) -> list[PosePlace]:
    """Return possible places of cards in ``picture`` (BGR uint8), the places with the most votes first.

    ``heights``: the least and the greatest height of a card in px, if known. ``regions``: the only parts in which
    keypoints are looked for, none over another; all of the picture without them. ``share``: factor by which the picture
    is made smaller for it.
    """
    where = [(0, 0, *picture.shape[1::-1])] if regions is None else regions
    votes = _votes(keypoints_in(picture, where, share), index, heights)
    found: list[tuple[int, int, Pose, Array]] = []
    for face in np.unique(votes.face):
        for members in _agreeing(votes, face):
            fitted = _fitted(votes, members)
            if fitted is not None:
                found.append((fitted[0], int(face), fitted[1], votes.here[members]))
    return _places(found, index.aspect)


def _votes(
    keypoints: tuple[Array, Array, Array, Array], index: FaceIndex, heights: tuple[float, float] | None
) -> _Votes:
    points, angles, sizes, words = keypoints
    if len(words) == 0 or len(index.words) < 2:
        none = np.zeros((0, 2), np.float32)
        return _Votes(np.zeros((0, 4), np.float32), np.zeros(0, np.int64), none, none, np.zeros(0, np.int64))
    seen, mine = _alike_words(words, index)
    height = sizes[seen] / index.sizes[mine]
    turn = np.radians(angles[seen] - index.angles[mine])
    to_middle = np.array([[index.aspect / 2, 0.5]], np.float32) - index.points[mine]
    cos, sin = np.cos(turn), np.sin(turn)
    x = points[seen, 0] + height * (cos * to_middle[:, 0] - sin * to_middle[:, 1])
    y = points[seen, 1] + height * (sin * to_middle[:, 0] + cos * to_middle[:, 1])
    where = np.column_stack([x, y, np.log2(height), np.degrees(turn) % 360.0]).astype(np.float32)
    low, high = heights or (0.0, np.inf)
    fair = (height >= low) & (height <= high)
    return _Votes(where[fair], index.owner[mine][fair], points[seen][fair], index.points[mine][fair], seen[fair])


def _alike_words(words: Array, index: FaceIndex) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pairs of a keypoint of the picture and one of the pack that may correspond, ``NEAREST`` at most."""
    few = min(NEAREST, len(index.words))
    near, apart = index.tree.knnSearch(words, few, params={"checks": CHECKS})
    alike = 1.0 - np.asarray(apart, np.float32) / 2.0  # squared distances of words of length 1
    row, rank = np.nonzero(alike > np.maximum(ALIKE, alike.max(axis=1, keepdims=True) - BEHIND))
    return row, np.asarray(near, np.int64)[row, rank]


def keypoints_in(picture: Image, regions: Sequence[Box], share: float) -> tuple[Array, Array, Array, Array]:
    """Return the strongest ``KEYPOINTS`` of the ``regions``: points (n, 2) px, angles, sizes and words (n, 128).

    They are looked for in a picture of ``share`` the size; points and sizes are those of ``picture``.
    """
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    sift = cv2.SIFT.create(nfeatures=KEYPOINTS, contrastThreshold=0.025)
    rows: list[Array] = [np.zeros((0, 5), np.float32)]
    words: list[Array] = [np.zeros((0, 128), np.float32)]
    for left, top, right, bottom in regions:
        part = grey[top:bottom, left:right]
        if share < 1.0:
            part = cv2.resize(part, None, fx=share, fy=share, interpolation=cv2.INTER_AREA)
        for at, plain in _described(np.asarray(part, np.uint8), sift):
            if share < 1.0:
                at[:, :2] = (at[:, :2] + 0.5) * [(right - left) / part.shape[1], (bottom - top) / part.shape[0]] - 0.5
                at[:, 3] /= share
            rows.append(at + np.array([left, top, 0, 0, 0], np.float32))
            words.append(root_words(plain))
    row, word = np.concatenate(rows), np.concatenate(words)
    if len(row) > KEYPOINTS:
        strongest = np.argpartition(-row[:, 4], KEYPOINTS)[:KEYPOINTS]
        row, word = row[strongest], word[strongest]
    return row[:, :2], row[:, 2], row[:, 3], word


def _described(part: NDArray[np.uint8], sift: Any) -> Iterator[tuple[Array, Array]]:
    """Yield the keypoints of ``part`` (n, 5: x, y, angle, size, strength) and their descriptions, tile by tile."""
    rows, columns = (list(_cuts(side)) for side in part.shape[:2])
    for (top, upper), (bottom, lower) in rows:
        for (left, west), (right, east) in columns:
            found, plain = sift.detectAndCompute(part[upper:lower, west:east], None)
            if not len(found):
                continue
            at = np.array([(*k.pt, k.angle, k.size, k.response) for k in found], np.float32)
            at[:, :2] += [west, upper]
            own = (at[:, 0] >= left) & (at[:, 0] < right) & (at[:, 1] >= top) & (at[:, 1] < bottom)
            yield at[own], plain[own]


def _cuts(side: int) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """Yield the (own, shared) beginnings and ends of the tiles along a side of so many pixels."""
    count = 1 if side <= AT_ONCE else ceil(side / TILE)
    step = ceil(side / count / ALIGNED) * ALIGNED
    for begin in range(0, side, step):
        end = min(begin + step, side)
        yield (begin, max(0, begin - SHARED)), (end, min(side, end + SHARED))


def _agreeing(votes: _Votes, face: int) -> list[NDArray[np.int64]]:
    """Return groups of votes for ``face`` that agree, the largest first."""
    mine = np.nonzero(votes.face == face)[0]
    if len(mine) < VOTES:
        return []
    x, y, size, turn = votes.where[mine].T
    reach = AGREE[0] * np.exp2(size)
    near = (x[:, None] - x[None]) ** 2 + (y[:, None] - y[None]) ** 2 < np.minimum(reach[:, None], reach[None]) ** 2
    near &= np.abs(size[:, None] - size[None]) < AGREE[2]
    turned = np.abs(turn[:, None] - turn[None])
    near &= (turned < AGREE[1]) | (turned > 360.0 - AGREE[1])
    beside = near.astype(np.float32)
    free = np.ones(len(mine), np.float32)
    groups: list[NDArray[np.int64]] = []
    while len(groups) < PER_FACE:
        count = (beside @ free) * free
        best = int(count.argmax())
        if count[best] < VOTES:
            break
        members = near[best] & (free > 0)
        free[members] = 0.0
        if len(np.unique(votes.seen[mine[members]])) >= VOTES:
            groups.append(mine[members])
    return groups


def _fitted(votes: _Votes, members: NDArray[np.int64]) -> tuple[int, Pose] | None:
    """Return how many of the votes fit one pose, and the pose; None if fewer than ``VOTES`` do."""
    there, here = votes.there[members].reshape(-1, 1, 2), votes.here[members].reshape(-1, 1, 2)
    moved, fits = cv2.estimateAffinePartial2D(there, here, method=cv2.RANSAC, ransacReprojThreshold=6.0, maxIters=200)
    if moved is None or int(fits.sum()) < VOTES:
        return None
    return int(fits.sum()), np.vstack([moved, [0.0, 0.0, 1.0]])


def _places(found: list[tuple[int, int, Pose, Array]], aspect: float) -> list[PosePlace]:
    """One pose for each place, that with the most votes; the place with the most votes of all faces first."""
    kept: list[tuple[PosePlace, Corners, float, float]] = []
    for count, face, pose, points in sorted(found, key=lambda one: -one[0]):
        ring = corners_of(pose, aspect)
        middle, height, turn = ring.mean(axis=0), height_of(ring), turn_of(ring)
        for place, other, tall, turned in kept:
            close = np.hypot(*(middle - other)) < SAME[0] * height and abs(np.log2(height / tall)) < SAME[2]
            if close and turned_apart(turn, turned) < SAME[1]:
                place.votes[face] = place.votes.get(face, 0) + count
                break
        else:
            kept.append((PosePlace(pose, {face: count}, points), middle, height, turn))
    return sorted((place for place, *_ in kept), key=lambda one: -one.total)[:MOST]
