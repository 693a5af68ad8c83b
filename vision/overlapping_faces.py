"""Whole faces of an enrolled pack, wherever they lie: apart, touching, in tricks that cross, on any ground.

Keypoints propose where cards may lie (``face_poses``), blocks say which face fits there (``face_blocks``), and what is
seen must contradict every other face and nothing of this one (``face_differences``). Cards are taken in the order of
their evidence: what a card shows is no evidence for those beneath it. A card that could be several faces, or shows
something that no enrolled face has, is named ``??``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import UNKNOWN
from vision.face_blocks import COLUMNS, ROWS, Look, Pose, corrected, evidence, look_at
from vision.face_differences import Mask, cut_out, difference, inner
from vision.face_poses import FaceIndex, height_of, poses_in, ring_of
from vision.face_print import SIZE, Array, Image

LONGEST: Final = 1000
"""Pixels of the longer side to which a picture is made smaller."""
MIN_EVIDENCE: Final = 7.0
"""Evidence below which nothing is taken for a card."""
MAX_OWN: Final = 4.7
"""Thousandths of the card that may contradict the face that is told: 25 mm² of a tarocco, half a pip. Set on
tarocchi drawn by the tests: of 24 faces that were not enrolled one showed as little, which the next bound refused."""
MIN_OTHERS: Final = 1.7
"""Thousandths by which every other face must be contradicted more: 9 mm²."""
OTHERS: Final = 5
"""Other faces that are compared closely, the likest."""
ROUNDS: Final = 5
"""Looks at a pose, each corrected by the one before."""
LIKELY: Final = 16
"""Faces that are looked at closely."""
DOUBTED: Final = 0.3
"""What a contradicting block weighs while nothing is known of what lies over the card."""
_ALL_OPEN: Final = np.ones(ROWS * COLUMNS, np.float32)
AS_LARGE: Final = 0.28
"""Cards of one pack in one picture: their heights differ by at most so many powers of two."""
SMALLER: Final = 0.6
"""What a contradicting block weighs beside one that agrees, where it may be hidden."""


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


@dataclass(frozen=True)
class _Candidate:
    pose: Pose
    faces: NDArray[np.int64]
    """Positions in the index's blocks: those beyond its prints stand upside down."""
    look: Look
    spread: Array


def find_faces(picture: Image, index: FaceIndex) -> list[FaceFound]:
    """The cards of a BGR uint8 picture that show faces of ``index``, those with the most evidence first."""
    shrink = max(1.0, max(picture.shape[:2]) / LONGEST)
    small = picture
    if shrink > 1.0:
        size = (round(picture.shape[1] / shrink), round(picture.shape[0] / shrink))
        small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.uint8)
    return _taken_in_turn(small, [_looked_at(small, pose, index) for pose in poses_in(small, index)], index, shrink)


def identify(face: Image, index: FaceIndex) -> FaceFound | None:
    """The card that a straightened picture (BGR uint8) shows; None where it resembles none."""
    height, width = face.shape[:2]
    pose = np.diag([width / index.aspect, float(height), 1.0])
    found = _taken_in_turn(face, [_looked_at(face, pose, index)], index, 1.0)
    return found[0] if found else None


def _looked_at(picture: Image, pose: Pose, index: FaceIndex) -> _Candidate:
    """A pose corrected as long as a face fits better for it, with the faces that fit well."""
    half = len(index.prints)
    look = look_at(picture, pose, index.aspect, index.blocks, reach=4, step=2)
    best = np.argsort(-_weighed(evidence(look, index.blocks.spread, _ALL_OPEN), DOUBTED))[:LIKELY]
    faces = np.unique(np.concatenate([best, (best + half) % (2 * half)]))
    blocks = index.blocks.some(faces)
    top: tuple[float, Pose, Look] | None = None
    for _ in range(ROUNDS):
        look = look_at(picture, pose, index.aspect, blocks, reach=3, step=1)
        fits = _weighed(evidence(look, blocks.spread, _ALL_OPEN), DOUBTED)
        face = int(fits.argmax())
        if top is not None and fits[face] <= top[0]:
            break
        top = (float(fits[face]), pose, look)
        pose = corrected(pose, index.aspect, look, face)
    assert top is not None  # noqa: S101 - the first round sets it
    return _Candidate(top[1], faces, top[2], blocks.spread)


def _weighed(worth: Array, smaller: float = SMALLER) -> Array:
    return np.asarray(np.where(worth > 0, worth, worth * smaller).sum(axis=1), np.float32)


def _taken_in_turn(picture: Image, candidates: list[_Candidate], index: FaceIndex, shrink: float) -> list[FaceFound]:
    covered = np.zeros(picture.shape[:2], np.uint8)
    found: list[FaceFound] = []
    height: float | None = None
    left = list(candidates)
    while left:
        best: tuple[float, _Candidate, Array] | None = None
        for one in left:
            tall = height_of(ring_of(one.pose, index.aspect))
            if height is not None and abs(np.log2(tall / height)) > AS_LARGE:
                continue
            worth = _worth(one, covered, index.aspect)
            total = float(_weighed(worth).max())
            if best is None or total > best[0]:
                best = (total, one, worth)
        if best is None or best[0] < MIN_EVIDENCE:
            break
        _, one, worth = best
        left = [other for other in left if other is not one]
        found.append(_decided(picture, one, worth, covered, index, shrink))
        height = height or height_of(ring_of(one.pose, index.aspect))
        _cover(covered, one.pose, worth[int(_weighed(worth).argmax())], index.aspect)
    return found


def _worth(one: _Candidate, covered: NDArray[np.uint8], aspect: float) -> Array:
    """The evidence of each face at a candidate's pose, blocks that other cards cover left out."""
    share = _on_card(covered, one.pose, aspect).reshape(ROWS, SIZE[1] // ROWS, COLUMNS, SIZE[0] // COLUMNS)
    hidden = share.mean(axis=(1, 3)).ravel() / 255.0
    open_ = np.where(hidden > 0.35, 0.0, np.clip(1.2 - 2.0 * hidden, 0.0, 1.0)).astype(np.float32)
    return evidence(one.look, one.spread, open_)


def _decided(
    picture: Image, one: _Candidate, worth: Array, covered: NDArray[np.uint8], index: FaceIndex, shrink: float
) -> FaceFound:
    """Of the faces that resemble most, the one that is contradicted least, if nothing visible contradicts it."""
    total = _weighed(worth)
    likest, half = int(total.argmax()), len(index.prints)
    over = cv2.dilate(_on_card(covered, one.pose, index.aspect), np.ones((7, 7), np.uint8)) > 0
    seen, valid = cut_out(picture, one.pose, index.aspect), inner(np.asarray(over, np.bool_))
    hidden = difference(seen, _small(index, int(one.faces[likest])), valid).hidden
    areas = _contradicted(seen, one, total, valid & ~hidden, index)
    best = min(areas, key=lambda n: (areas[n], -total[n]))
    name, own = index.names[one.faces[best] % half], areas[best]
    same = index.alike.get(name, frozenset()) | {name}
    rest = [area for n, area in areas.items() if index.names[one.faces[n] % half] not in same]
    lead = min(rest, default=1000.0) - own
    certain = own <= MAX_OWN and lead >= MIN_OTHERS
    ring = ring_of(one.pose, index.aspect)
    corners = (np.roll(ring, 2, axis=0) if one.faces[best] >= half else ring) * shrink
    sure = 1.0 - 0.5 * float(np.exp(-lead / MIN_OTHERS)) - 0.02 * own if certain else 0.0
    alike = tuple(sorted(same - {name})) if certain else ()
    told = name if certain else UNKNOWN
    return FaceFound(told, round(min(0.999, max(0.0, sure)), 4), corners, name, own, lead, alike)


def _contradicted(seen: Array, one: _Candidate, total: Array, valid: Mask, index: FaceIndex) -> dict[int, float]:
    """By how much each of the faces that resemble most is contradicted, both ways up (positions in ``one.faces``)."""
    half, names = len(index.prints), set[str]()
    areas: dict[int, float] = {}
    for n in np.argsort(-total):
        name = index.names[one.faces[n] % half]
        if name not in names and len(names) > OTHERS:
            continue
        names.add(name)
        areas[int(n)] = difference(seen, _small(index, int(one.faces[n])), valid, may_be_hidden=False).area
    return areas


def _small(index: FaceIndex, face: int) -> Array:
    half = len(index.prints)
    small = index.prints[face % half].small
    return np.asarray(small[::-1, ::-1] if face >= half else small, np.float32)


def _on_card(mask: NDArray[np.uint8], pose: Pose, aspect: float) -> NDArray[np.uint8]:
    """A picture's mask as it lies on the card at ``pose`` (192, 96)."""
    cells = pose @ np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    return np.asarray(cv2.warpPerspective(mask, cells, SIZE, flags=cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP), np.uint8)


def _cover(covered: NDArray[np.uint8], pose: Pose, worth: Array, aspect: float) -> None:
    """Mark in ``covered`` what the card at ``pose`` shows: all of it but the blocks that are plainly another's."""
    own = np.where(worth < -0.3, 0, 255).astype(np.uint8).reshape(ROWS, COLUMNS)
    large = cv2.resize(own, SIZE, interpolation=cv2.INTER_NEAREST)
    cells = pose @ np.diag([aspect / SIZE[0], 1.0 / SIZE[1], 1.0])
    size = (covered.shape[1], covered.shape[0])
    np.maximum(covered, cv2.warpPerspective(large, cells, size, flags=cv2.INTER_NEAREST), out=covered)
