"""Possible poses of cards of an enrolled pack, by keypoints: places, sizes and turns, before any is accepted.

Each keypoint of the picture that resembles one of a face says where that card's middle would be, how large and how
turned. If several of one face agree, a pose is fitted (the Hough step of Lowe, 2004). Pips are alike on many faces,
so that a pose says only that a card may be there, not which.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from vision.face_blocks import FaceBlocks, Pose
from vision.face_differences import SoftFace, difference, inner
from vision.face_print import WORDS, Array, FacePrint, Image, root_words
from vision.face_regions import Box
from vision.face_strips import FaceStrips

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
HELD: Final = 48
"""Faces that are kept ready to be compared, 0.4 MB each."""
RESEMBLE: Final = 0.8
"""Correlation of two faces from which they are compared closely."""
NO_DIFFERENCE: Final = 1.7
"""Thousandths of the card below which two faces of a pack are one to the eye."""


@dataclass(frozen=True)
class FaceIndex:
    """The faces of a pack, ready to be looked for. ``names``: the face of each print. Positions as in its print."""

    names: tuple[str, ...]
    prints: tuple[FacePrint, ...]
    blocks: FaceBlocks
    words: Array
    points: Array
    angles: Array
    sizes: Array
    owner: NDArray[np.int64]
    aspect: float
    alike: Mapping[str, frozenset[str]]
    """By face the others that cannot be distinguished from it, whichever way up."""
    is_complete: bool
    """Every face of the pack was enrolled (jokers apart): then what shows can be no other face."""

    @cached_property
    def tree(self) -> Any:
        """Search trees over ``words``."""
        cv2.setRNGSeed(1)
        return cv2.flann.Index(np.ascontiguousarray(self.words), {"algorithm": 1, "trees": 4})

    @cached_property
    def strips(self) -> FaceStrips:
        """The faces, ready to be compared with strips of a picture."""
        return FaceStrips(self.prints)

    def small(self, face: int) -> Array:
        """The small picture (192, 96, 3) Lab of a face; beyond the prints' positions of one upside down."""
        small = self.prints[face % len(self.prints)].small
        return np.asarray(small[::-1, ::-1] if face >= len(self.prints) else small, np.float32)

    def soft(self, face: int) -> SoftFace:
        """``small`` made ready to be compared; of the last ``HELD`` faces it is kept."""
        held = self._soft.pop(face, None) or SoftFace.of(self.small(face))
        self._soft[face] = held
        if len(self._soft) > HELD:
            del self._soft[next(iter(self._soft))]
        return held

    @cached_property
    def _soft(self) -> dict[int, SoftFace]:
        return {}

    def __getstate__(self) -> dict[str, Any]:
        """Return what is sent to another process: all but what is made from the prints on demand."""
        made = ("tree", "strips", "_soft")
        return {name: value for name, value in self.__dict__.items() if name not in made}

    @classmethod
    def of(cls, whole: Mapping[str, Sequence[FacePrint]], printed: Collection[str] = ()) -> FaceIndex:
        """The index of the faces of an enrolled pack, of which there must be at least one.

        ``printed``: every face that the pack has; empty if that is not known.
        """
        named = [(name, one) for name, some in whole.items() for one in some]
        prints = tuple(one for _, one in named)
        blocks = FaceBlocks.of(prints)
        return cls(
            tuple(name for name, _ in named),
            prints,
            blocks,
            np.concatenate([one.words for one in prints]).astype(np.float32) / np.float32(WORDS),
            np.concatenate([one.points for one in prints]),
            np.concatenate([one.angles for one in prints]),
            np.concatenate([one.sizes for one in prints]),
            np.concatenate([np.full(len(one.words), n) for n, one in enumerate(prints)]),
            float(np.median([one.aspect for one in prints])),
            _alike(tuple(name for name, _ in named), prints, blocks),
            bool(printed) and set(printed) - {JOKER} <= whole.keys(),
        )


def _alike(names: tuple[str, ...], prints: Sequence[FacePrint], blocks: FaceBlocks) -> dict[str, frozenset[str]]:
    """Faces between which ``face_differences`` sees nothing; only those are compared whose blocks resemble."""
    half = len(prints)
    flat = blocks.cells.transpose(1, 0, 2).reshape(2 * half, -1)
    flat = flat / (np.linalg.norm(flat, axis=1, keepdims=True) + 1e-6)
    near = flat[:half] @ flat.T
    everywhere = inner(np.zeros(prints[0].small.shape[:2], np.bool_))
    found: dict[str, frozenset[str]] = {}
    for one, other in zip(*np.nonzero(near > RESEMBLE), strict=True):
        a, b = names[one], names[other % half]
        if a == b or b in found.get(a, ()):
            continue
        small = prints[other % half].small
        turned = np.asarray(small[::-1, ::-1] if other >= half else small, np.float32)
        if (
            difference(np.asarray(prints[one].small, np.float32), turned, everywhere, may_be_hidden=False).area
            < NO_DIFFERENCE
        ):
            found[a], found[b] = found.get(a, frozenset()) | {b}, found.get(b, frozenset()) | {a}
    return found


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


def ring_of(pose: Pose, aspect: float) -> NDArray[np.float64]:
    """The corners (4, 2) px of the card at ``pose``, clockwise from its upper left one."""
    card = np.array([[[0.0, 0.0], [aspect, 0.0], [aspect, 1.0], [0.0, 1.0]]])
    return np.asarray(cv2.perspectiveTransform(card, pose)[0], np.float64)


def height_of(ring: NDArray[np.float64]) -> float:
    """The height in px of the card with these corners, never 0."""
    return max(1e-3, float(np.hypot(*(ring[3] - ring[0]))))


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
    votes = _votes(_keypoints(picture, where, share), index, heights)
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


def _keypoints(picture: Image, regions: Sequence[Box], share: float) -> tuple[Array, Array, Array, Array]:
    """The strongest ``KEYPOINTS`` of the ``regions``: points (n, 2) px, angles, sizes and words (n, 128).

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
        found, plain = sift.detectAndCompute(part, None)
        if len(found):
            at = np.array([(*k.pt, k.angle, k.size, k.response) for k in found], np.float32)
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


def _agreeing(votes: _Votes, face: int) -> list[NDArray[np.int64]]:
    """Groups of votes for ``face`` that agree, the largest first."""
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
    kept: list[tuple[PosePlace, NDArray[np.float64], float, float]] = []
    for count, face, pose, points in sorted(found, key=lambda one: -one[0]):
        ring = ring_of(pose, aspect)
        middle, height, turn = ring.mean(axis=0), height_of(ring), turn_of(ring)
        for place, other, tall, turned in kept:
            close = np.hypot(*(middle - other)) < SAME[0] * height and abs(np.log2(height / tall)) < SAME[2]
            if close and abs((turn - turned + 90.0) % 180.0 - 90.0) < SAME[1]:
                place.votes[face] = place.votes.get(face, 0) + count
                break
        else:
            kept.append((PosePlace(pose, {face: count}, points), middle, height, turn))
    return sorted((place for place, *_ in kept), key=lambda one: -one.total)[:MOST]


def turn_of(ring: NDArray[np.float64]) -> float:
    """Return how the card with these corners is turned, degrees modulo 180."""
    down = ring[3] - ring[0]
    return float(np.degrees(np.arctan2(down[1], down[0]))) % 180.0
