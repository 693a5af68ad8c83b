"""Where cards of an enrolled pack may lie in a picture, by keypoints: places, sizes and turns, before any is believed.

Each keypoint of the picture that resembles one of a face says where that card's middle would be, how large and how
turned. Where several of one face agree, a pose is fitted (the Hough step of Lowe, 2004). Pips are alike on many faces,
so that a pose says only that a card may lie there, not which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face_blocks import FaceBlocks, Pose
from vision.face_differences import difference, inner
from vision.face_print import WORDS, Array, FacePrint, Image, root_words

KEYPOINTS: Final = 3000
"""Keypoints looked at in a picture, the strongest."""
NEAREST: Final = 6
"""Keypoints of the pack that one of the picture may stand for."""
ALIKE: Final = 0.80
"""Cosine from which two keypoints resemble each other."""
BEHIND: Final = 0.06
"""So much less than its best match another may resemble a keypoint."""
AGREE: Final = (0.15, 18.0, 0.4)
"""Votes for one card agree within these: middle (card heights), turn (degrees), size (powers of two)."""
VOTES: Final = 3
PER_FACE: Final = 4
"""Cards of one face that a picture may show."""
SAME: Final = (0.05, 5.0, 0.1)
"""Poses of one place lie within these of each other, as ``AGREE``; turned by 180 degrees is the same place."""
MOST: Final = 40
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
    """By face the others that no difference tells from it, whichever way up."""

    @classmethod
    def of(cls, whole: Mapping[str, Sequence[FacePrint]]) -> FaceIndex:
        """The index of the faces of an enrolled pack, of which there must be at least one."""
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


def poses_in(picture: Image, index: FaceIndex) -> list[Pose]:
    """The poses at which a card may lie in ``picture`` (BGR uint8), those with the most votes first."""
    votes = _votes(picture, index)
    found: list[tuple[int, Pose]] = []
    for face in np.unique(votes.face):
        for members in _agreeing(votes, face):
            fitted = _fitted(votes, members)
            if fitted is not None:
                found.append(fitted)
    return _places(found, index.aspect)


def _votes(picture: Image, index: FaceIndex) -> _Votes:
    sift = cv2.SIFT.create(nfeatures=KEYPOINTS, contrastThreshold=0.025)
    found, plain = sift.detectAndCompute(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), None)
    words = root_words(plain)
    few = min(NEAREST, len(index.words) - 1)
    if len(words) == 0 or few < 1:
        none = np.zeros((0, 2), np.float32)
        return _Votes(np.zeros((0, 4), np.float32), np.zeros(0, np.int64), none, none, np.zeros(0, np.int64))
    alike = words @ index.words.T
    top = np.argpartition(-alike, few, axis=1)[:, :few]
    value = np.take_along_axis(alike, top, axis=1)
    seen, place = np.nonzero(value > np.maximum(ALIKE, value.max(axis=1, keepdims=True) - BEHIND))
    mine = top[seen, place]
    points, angles, sizes = _geometry(found)
    height = sizes[seen] / index.sizes[mine]
    turn = np.radians(angles[seen] - index.angles[mine])
    to_middle = np.array([[index.aspect / 2, 0.5]], np.float32) - index.points[mine]
    cos, sin = np.cos(turn), np.sin(turn)
    x = points[seen, 0] + height * (cos * to_middle[:, 0] - sin * to_middle[:, 1])
    y = points[seen, 1] + height * (sin * to_middle[:, 0] + cos * to_middle[:, 1])
    where = np.column_stack([x, y, np.log2(height), np.degrees(turn) % 360.0]).astype(np.float32)
    return _Votes(where, index.owner[mine], points[seen], index.points[mine], seen)


def _geometry(found: Sequence[Any]) -> tuple[Array, Array, Array]:
    points = np.array([k.pt for k in found], np.float32).reshape(-1, 2)
    return points, np.array([k.angle for k in found], np.float32), np.array([k.size for k in found], np.float32)


def _agreeing(votes: _Votes, face: int) -> list[NDArray[np.int64]]:
    """Groups of votes for ``face`` that agree, the largest first."""
    mine = np.nonzero(votes.face == face)[0]
    if len(mine) < VOTES:
        return []
    x, y, size, turn = votes.where[mine].T
    height = np.exp2(np.minimum(size[:, None], size[None]))
    near = np.hypot(x[:, None] - x[None], y[:, None] - y[None]) < AGREE[0] * height
    near &= np.abs((turn[:, None] - turn[None] + 180.0) % 360.0 - 180.0) < AGREE[1]
    near &= np.abs(size[:, None] - size[None]) < AGREE[2]
    free = np.ones(len(mine), np.bool_)
    groups: list[NDArray[np.int64]] = []
    while len(groups) < PER_FACE:
        count = (near & free[None] & free[:, None]).sum(axis=1)
        best = int(count.argmax())
        if count[best] < VOTES:
            break
        members = near[best] & free
        free &= ~members
        if len(np.unique(votes.seen[mine[members]])) >= VOTES:
            groups.append(mine[members])
    return groups


def _fitted(votes: _Votes, members: NDArray[np.int64]) -> tuple[int, Pose] | None:
    """How many of the votes fit one pose, and the pose; None where fewer than ``VOTES`` do."""
    there, here = votes.there[members].reshape(-1, 1, 2), votes.here[members].reshape(-1, 1, 2)
    moved, fits = cv2.estimateAffinePartial2D(there, here, method=cv2.RANSAC, ransacReprojThreshold=6.0, maxIters=200)
    if moved is None or int(fits.sum()) < VOTES:
        return None
    return int(fits.sum()), np.vstack([moved, [0.0, 0.0, 1.0]])


def _places(found: list[tuple[int, Pose]], aspect: float) -> list[Pose]:
    """One pose for each place, that with the most votes; the place with the most votes of all faces first."""
    kept: list[tuple[Pose, NDArray[np.float64], float, float]] = []
    votes: list[int] = []
    for count, pose in sorted(found, key=lambda one: -one[0]):
        ring = ring_of(pose, aspect)
        middle, height = ring.mean(axis=0), height_of(ring)
        down = ring[3] - ring[0]
        turn = float(np.degrees(np.arctan2(down[1], down[0]))) % 180.0
        for n, (_, other, tall, turned) in enumerate(kept):
            close = np.hypot(*(middle - other)) < SAME[0] * height and abs(np.log2(height / tall)) < SAME[2]
            if close and abs((turn - turned + 90.0) % 180.0 - 90.0) < SAME[1]:
                votes[n] += count
                break
        else:
            kept.append((pose, middle, height, turn))
            votes.append(count)
    order = sorted(range(len(kept)), key=lambda n: -votes[n])
    return [kept[n][0] for n in order[:MOST]]
