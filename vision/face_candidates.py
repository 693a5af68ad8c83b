"""Places of a picture where cards of an enrolled pack may lie, looked at one by one and corrected as faces fit there.

A place comes from an outline or from keypoints (``face_poses``). Blocks (``face_blocks``) say which faces fit and how
its pose is to be moved; nothing is decided here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.face_blocks import COLUMNS, ROWS, Look, Pose, corrected, evidence, look_at
from vision.face_poses import FaceIndex, Place, height_of, ring_of, turn_of
from vision.face_print import Array, Image

MIN_EVIDENCE: Final = 7.0
"""Evidence below which nothing is taken for a card."""
ROUNDS: Final = 5
"""Looks at a pose, each corrected by the one before."""
LIKELY: Final = 16
"""Faces by which a pose is corrected, where no keypoint spoke for any."""
VOTED: Final = 10
"""Faces by which a pose is corrected, those with the most votes."""
HOPELESS: Final = 0.0
"""Evidence at the first look below which no card lies there."""
GAINS: Final = 0.3
"""Evidence that a further look must gain for another one."""
CERTAIN: Final = 16.0
"""Evidence from which a card explains the keypoints that lie on it."""
EXPLAINED: Final = 0.7
"""Share of a place's keypoints that found cards may explain."""
OWN_BLOCK: Final = 0.2
"""Evidence from which a block of a found card explains the keypoints on it."""
ONE_PLACE: Final = 0.06
"""Distance of two middles, in card heights, within which two places are one card's."""
ONE_TURN: Final = 8.0
"""… and degrees between their turns."""
DOUBTED: Final = 0.3
"""What a contradicting block weighs while nothing is known of what lies over the card."""
_ALL_OPEN: Final = np.ones(ROWS * COLUMNS, np.float32)
SMALLER: Final = 0.6
"""What a contradicting block weighs beside one that agrees, where it may be hidden."""


@dataclass(frozen=True)
class Candidate:
    """A corrected pose, and how each of the pack's faces fits there."""

    pose: Pose
    faces: NDArray[np.int64]
    """Positions in the index's blocks: those beyond its prints stand upside down."""
    look: Look
    spread: Array


class Looked:
    """Places of a picture that were looked at, each once; what found cards explain is left out."""

    def __init__(self, picture: Image, index: FaceIndex) -> None:
        self._picture, self._index = picture, index
        self.found: list[Candidate] = []
        self.rings: list[NDArray[np.float64]] = []
        """The corners of the cards that are certain."""
        self._sure: list[tuple[Pose, Array]] = []

    def look_at(self, places: list[Place]) -> None:
        """Look at further places, in their order."""
        aspect = self._index.aspect
        for place in places:
            if self._is_known(ring_of(place.pose, aspect)):
                continue
            if len(place.points) and _explained(place.points, self._sure, aspect) > EXPLAINED:
                continue
            one = looked_at(self._picture, place.pose, self._index, place.votes)
            if one is None or self._is_known(ring_of(one.pose, aspect)):
                continue
            self.found.append(one)
            worth = evidence(one.look, one.spread, _ALL_OPEN)
            total = weighed(worth, DOUBTED)
            if total.max() > CERTAIN:
                self.rings.append(ring_of(one.pose, aspect))
                self._sure.append((np.asarray(np.linalg.inv(one.pose), np.float64), worth[int(total.argmax())]))

    def _is_known(self, ring: NDArray[np.float64]) -> bool:
        return any(_one_place(ring, other) for other in self.rings)


def _one_place(one: NDArray[np.float64], other: NDArray[np.float64]) -> bool:
    """True if two rings are of one card."""
    near = float(np.hypot(*(one.mean(axis=0) - other.mean(axis=0)))) < ONE_PLACE * height_of(other)
    return near and abs((turn_of(one) - turn_of(other) + 90.0) % 180.0 - 90.0) < ONE_TURN


def _explained(points: Array, found: list[tuple[Pose, Array]], aspect: float) -> float:
    """The share of ``points`` (n, 2) px that lie on blocks which a found card shows.

    ``found``: from pixels to the card frame, and each block's worth.
    """
    inside = np.zeros(len(points), np.bool_)
    for to_card, worth in found:
        x, y = cv2.perspectiveTransform(points[None].astype(np.float64), to_card)[0].T
        on = (x >= 0) & (x < aspect) & (y >= 0) & (y < 1)
        if on.any():
            row = np.clip((y * ROWS).astype(int), 0, ROWS - 1)
            column = np.clip((x / aspect * COLUMNS).astype(int), 0, COLUMNS - 1)
            inside |= on & (worth[row * COLUMNS + column] > OWN_BLOCK)
    return float(inside.mean())


def looked_at(picture: Image, pose: Pose, index: FaceIndex, votes: Mapping[int, int] | None = None) -> Candidate | None:
    """A pose corrected as long as a face fits better for it, with the faces that fit well; None where none does.

    ``votes``: the faces that the keypoints there speak for; without them all faces are tried from the first look on.
    """
    half = len(index.prints)
    if votes:
        likely = np.array(sorted(votes, key=lambda face: -votes[face])[:VOTED])
    else:
        look = look_at(picture, pose, index.aspect, index.blocks, reach=4, step=2)
        best = np.argsort(-weighed(evidence(look, index.blocks.spread, _ALL_OPEN), DOUBTED))[:LIKELY]
        likely = best % half
    faces = np.unique(np.concatenate([likely, likely + half]))
    blocks = index.blocks.some(faces)
    top: tuple[float, Pose] | None = None
    for turn in range(ROUNDS):
        reach, step = (4, 2) if turn == 0 else (2, 1)
        look = look_at(picture, pose, index.aspect, blocks, reach=reach, step=step)
        fits = weighed(evidence(look, blocks.spread, _ALL_OPEN), DOUBTED)
        face = int(fits.argmax())
        if turn == 0 and fits[face] < HOPELESS:
            return None
        if top is not None and turn > 1 and fits[face] <= top[0] + GAINS:
            break
        top = (float(fits[face]), pose)
        pose = corrected(pose, index.aspect, look, face)
    assert top is not None  # noqa: S101 - the first round sets it
    if top[0] < MIN_EVIDENCE * DOUBTED:
        return None
    look = look_at(picture, top[1], index.aspect, index.blocks, reach=1, step=1)
    return Candidate(top[1], np.arange(2 * half), look, index.blocks.spread)


def weighed(worth: Array, smaller: float = SMALLER) -> Array:
    """The evidence of each face, of blocks (faces, 32) that contradict it only ``smaller`` as much."""
    return np.asarray(np.where(worth > 0, worth, worth * smaller).sum(axis=1), np.float32)
