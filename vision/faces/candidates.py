"""Places of a picture where cards of an enrolled pack may lie, looked at one by one and corrected as faces fit there.

A place comes from an outline or from keypoints. Blocks say which faces fit and how its pose is to be moved; nothing is
decided here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.faces.blocks import COLUMNS, ROWS, FaceComparison, corrected, evidence, look_at
from vision.faces.geometry import Array, Corners, Image, Pose, corners_of, height_of, holds, moved_by, pose_of, turn_of
from vision.faces.ground import Distances, regions_to_search
from vision.faces.index import FaceIndex
from vision.faces.keypoints import PosePlace, places_in
from vision.surface import Box

MIN_EVIDENCE: Final = 7.0
"""Evidence below which nothing is taken for a card."""
ROUNDS: Final = 5
"""Looks at a pose, each corrected by the one before."""
LIKELY: Final = 16
"""Number of faces by which a pose is corrected if no keypoint voted for any."""
VOTED: Final = 10
"""Faces by which a pose is corrected, those with the most votes."""
HOPELESS: Final = 0.0
"""Evidence at the first look below which no card is there."""
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
COARSE_TALL: Final = 84.0
"""Pixels of a card's height at which keypoints are looked for first: few of them, and most cards are found."""
COARSE: Final = 0.45
"""The share of a picture's size for it, while no card's height is known."""
ENOUGH: Final = 0.8
"""Share of that height from which a coarse look that finds nothing is trusted."""
WORTH_IT: Final = 0.75
"""… from which on a coarse look saves nothing."""
DOUBTED: Final = 0.3
"""Weight of a contradicting block while it is unknown what lies over the card."""
_ALL_OPEN: Final = np.ones(ROWS * COLUMNS, np.float32)
SMALLER: Final = 0.6
"""Weight of a contradicting block, against one that agrees, if it may be hidden."""


@dataclass(frozen=True)
class Candidate:
    """A corrected pose, and how each of the pack's faces fits there (beyond its prints they are upside down)."""

    pose: Pose
    look: FaceComparison


class Looked:
    """Places of a picture that were looked at, each once; what found cards explain is left out."""

    def __init__(self, picture: Image, index: FaceIndex, known: Sequence[Corners] = ()) -> None:
        """``known`` (4, 2) px each: cards that need not be looked for."""
        self._picture, self._index = picture, index
        self.found: list[Candidate] = []
        self.rings: list[Corners] = []
        """The corners of the cards that are certain."""
        self._sure: list[tuple[Pose, Array]] = []
        self._passed: list[PosePlace] = []
        """Places whose keypoints certain cards explain: not looked at."""
        self._known = list(known)
        self._shown = [(_to_card(ring, index.aspect), np.ones(ROWS * COLUMNS, np.float32)) for ring in known]
        self._looked: list[Corners] = list(known)
        """The corners of all that resemble a card, certain or not."""

    def look_at(self, places: list[PosePlace]) -> None:
        """Look at further places, in their order."""
        aspect = self._index.aspect
        for place in places:
            if _is_among(corners_of(place.pose, aspect), self._looked):
                continue
            if len(place.points) and _explained(place.points, self._shown + self._sure, aspect) > EXPLAINED:
                self._passed.append(place)
                continue
            one = looked_at(self._picture, place.pose, self._index, place.votes)
            if one is None or _is_among(corners_of(one.pose, aspect), self._looked):
                continue
            self.found.append(one)
            self._looked.append(corners_of(one.pose, aspect))
            worth = evidence(one.look, self._index.blocks.spread, _ALL_OPEN)
            total = weighed(worth, DOUBTED)
            if total.max() > CERTAIN:
                self.rings.append(corners_of(one.pose, aspect))
                self._sure.append((np.asarray(np.linalg.inv(one.pose), np.float64), worth[int(total.argmax())]))

    def look_again(self, doubted: Sequence[Corners]) -> bool:
        """Look at the places that were passed over because of cards that are ``doubted`` (4, 2) px.

        Pips in rows fit one row further on as well: the keypoints that seemed to be explained there are those of the
        card at its own place. True if a card may lie at any of them.
        """
        aspect, before = self._index.aspect, len(self.found)
        passed, self._passed = self._passed, []
        self._sure = [
            (to_card, worth)
            for ring, (to_card, worth) in zip(self.rings, self._sure, strict=True)
            if not _is_among(ring, doubted)
        ]
        self.rings = [ring for ring in self.rings if not _is_among(ring, doubted)]
        self.look_at(
            [
                place
                for place in passed
                if any(holds(one, corners_of(place.pose, aspect).mean(axis=0)) for one in doubted)
            ]
        )
        return len(self.found) > before

    def search(self, apart: Distances, heights: tuple[float, float] | None) -> None:
        """Look for further places by keypoints: in a smaller picture first, then where a card may still be.

        ``apart``: see ``apart_from_ground``; ``heights``: the least and the greatest height of a card in px, if
        known. If no keypoints of the smaller picture agree on a place, no finer ones are looked for, unless that
        picture was too small for the cards: they cost by the pixel.
        """
        regions = regions_to_search(apart, self._known + self.rings)
        tall = self._tall(heights)
        share = COARSE if tall is None else COARSE_TALL / tall
        if share < WORTH_IT:
            coarse = places_in(self._picture, self._index, heights, regions, share)
            self.look_at(coarse)
            regions = regions_to_search(apart, self._known + self.rings)
            tall = self._tall(heights)
            if tall is not None and share * tall > ENOUGH * COARSE_TALL:
                rings = [corners_of(one.pose, self._index.aspect) for one in coarse]
                left = [ring for ring in rings if not _is_among(ring, self.rings)]
                regions = [box for box in regions if any(_reaches(ring, box) for ring in left)]
        if regions:
            self.look_at(places_in(self._picture, self._index, heights, regions))

    def _tall(self, heights: tuple[float, float] | None) -> float | None:
        """Least height of a card in px, as far as it is known."""
        if heights is not None:
            return heights[0]
        return float(np.median([height_of(ring) for ring in self.rings])) if self.rings else None


def _to_card(ring: Corners, aspect: float) -> Pose:
    """Return the way from pixels to the card frame of the card with these corners."""
    return np.asarray(np.linalg.inv(pose_of(ring, aspect)), np.float64)


def _reaches(ring: Corners, box: Box) -> bool:
    """Return True if the box around a ring shares something with ``box``."""
    left, top, right, bottom = box
    low, high = ring.min(axis=0), ring.max(axis=0)
    return bool(low[0] < right and high[0] > left and low[1] < bottom and high[1] > top)


def _is_among(ring: Corners, rings: Sequence[Corners]) -> bool:
    """Return True if a ring is of one card with one of ``rings``."""
    if not rings:
        return False
    others = np.stack(rings)
    down = others[:, 3] - others[:, 0]
    tall = np.maximum(1e-3, np.hypot(*down.T))
    away = np.hypot(*(others.mean(axis=1) - ring.mean(axis=0)).T)
    turned = np.abs((np.degrees(np.arctan2(down[:, 1], down[:, 0])) - turn_of(ring) + 90.0) % 180.0 - 90.0)
    return bool(((away < ONE_PLACE * tall) & (turned < ONE_TURN)).any())


def _explained(points: Array, found: list[tuple[Pose, Array]], aspect: float) -> float:
    """Return the share of ``points`` (n, 2) px that lie on blocks which a found card shows.

    ``found``: from pixels to the card frame, and each block's worth.
    """
    inside = np.zeros(len(points), np.bool_)
    for to_card, worth in found:
        x, y = moved_by(to_card, points).T
        on = (x >= 0) & (x < aspect) & (y >= 0) & (y < 1)
        if on.any():
            row = np.clip((y * ROWS).astype(int), 0, ROWS - 1)
            column = np.clip((x / aspect * COLUMNS).astype(int), 0, COLUMNS - 1)
            inside |= on & (worth[row * COLUMNS + column] > OWN_BLOCK)
    return float(inside.mean())


def looked_at(picture: Image, pose: Pose, index: FaceIndex, votes: Mapping[int, int] | None = None) -> Candidate | None:
    """Correct a pose as long as a face fits better for it; the faces that fit well, or None if none does.

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
    return Candidate(top[1], look)


def weighed(worth: Array, smaller: float = SMALLER) -> Array:
    """Return the evidence of each face, of blocks (faces, 32) that contradict it only ``smaller`` as much."""
    return np.asarray(np.where(worth > 0, worth, worth * smaller).sum(axis=1), np.float32)
