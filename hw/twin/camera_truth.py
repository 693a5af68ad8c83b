"""Ground truth of a frame: each card's corners in pixels, and how much of its indices is uncovered."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Final

import numpy as np

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.twin.camera_arms import ARM_HEIGHT, arm_quad
from hw.twin.camera_cards import lying
from hw.twin.camera_optics import Floats, Optics, card_box, card_points
from hw.twin.scene import PlacedCard, Scene

_REACH: Final = 110.0
"""Cards whose centres lie farther apart in x or y cannot touch: a card's diagonal is 108.3 mm."""
INDEX_BOX: Final = (1.6, 1.6, 10.4, 16.6)
"""Left, top, right and bottom of the index of our pack, in millimetres from the card's corner."""


@dataclass(frozen=True, slots=True)
class IndexTruth:
    """One of the two indices of a face: ``corner`` 0 is top left as printed, 1 bottom right.

    ``quad`` (4, 2) pixels, in the index's own reading order: its top left, top right, bottom right, bottom left;
    ``visible`` the uncovered part, 0 to 1.
    """

    corner: int
    quad: Floats
    visible: float


@dataclass(frozen=True, slots=True)
class CardTruth:
    """A card of the scene in the frame: ``quad`` (4, 2) pixels, top left first and clockwise as printed.

    ``indices`` are both of a card face up, none of one face down; ``visible`` is the uncovered part of the card.
    """

    card: PlacedCard
    quad: Floats
    visible: float
    indices: tuple[IndexTruth, ...]

    @property
    def readable(self) -> tuple[IndexTruth, ...]:
        """The indices that are uncovered to nineteen parts of twenty."""
        return tuple(index for index in self.indices if index.visible >= 0.95)


def truth_of(scene: Scene, optics: Optics) -> list[CardTruth]:
    """Return the truth of every card of ``scene``, from below to above."""
    arms = [optics.project(arm_quad(arm), ARM_HEIGHT) for arm in scene.arms]
    out: list[CardTruth] = []
    for place, item in enumerate(lying(scene.cards)):
        above = scene.cards[place + 1 :]
        quad = optics.project(card_points(item.card, card_box()), item.z)
        indices = tuple(
            IndexTruth(
                corner,
                optics.project(card_points(item.card, _index_quad(corner)), item.z),
                _visible(item.card, _index_quad(corner), above, item.z, optics, arms),
            )
            for corner in (0, 1)
            if item.card.face_up
        )
        visible = _visible(item.card, card_box(-0.5), above, item.z, optics, arms)
        out.append(CardTruth(item.card, quad, visible, indices))
    return out


def _index_quad(corner: int) -> Floats:
    left, top, right, bottom = INDEX_BOX
    quad = np.array([[left, top], [right, top], [right, bottom], [left, bottom]])
    return quad if corner == 0 else np.array([CARD_WIDTH, CARD_HEIGHT]) - quad


def _visible(
    card: PlacedCard, quad: Floats, above: Sequence[PlacedCard], z: float, optics: Optics, arms: Sequence[Floats]
) -> float:
    """Return the part of ``quad`` (card millimetres) that no card above and no arm covers, by 9 by 15 grid points."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    grid = np.stack(np.meshgrid(np.linspace(low[0], high[0], 9), np.linspace(low[1], high[1], 15)), -1).reshape(-1, 2)
    points = card_points(card, grid)
    free = np.ones(len(points), bool)
    for other in above:
        if abs(other.x - card.x) < _REACH and abs(other.y - card.y) < _REACH:
            free &= ~_on_card(points, other)
    seen = optics.project(points, z)
    free &= (seen >= 0).all(axis=1) & (seen < (optics.width, optics.height)).all(axis=1)
    for arm in arms:
        free &= ~_inside(seen, arm)
    return float(free.mean())


def _on_card(points: Floats, card: PlacedCard) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    turn = radians(card.angle)
    away = points - (card.x, card.y)
    right = away[:, 0] * cos(turn) + away[:, 1] * sin(turn)
    up = away[:, 1] * cos(turn) - away[:, 0] * sin(turn)
    return np.asarray((np.abs(right) < CARD_WIDTH / 2) & (np.abs(up) < CARD_HEIGHT / 2), np.bool_)


def _inside(points: Floats, quad: Floats) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return whether each point lies inside the convex ``quad``, whichever way round it runs."""
    edges = np.roll(quad, -1, axis=0) - quad
    away = points[:, None, :] - quad[None, :, :]
    turns = edges[None, :, 0] * away[..., 1] - edges[None, :, 1] * away[..., 0]
    return np.asarray((turns > 0).all(axis=1) | (turns < 0).all(axis=1), np.bool_)
