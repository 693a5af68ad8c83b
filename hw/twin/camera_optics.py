"""From table millimetres to pixels: a pinhole camera above the table with a little radial distortion."""

from __future__ import annotations

from math import cos, radians, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.twin.camera_style import CameraStyle
from hw.twin.scene import PlacedCard

Floats = NDArray[np.float64]

_MARGIN_PX = 10.0


class Optics:
    """The projection of one camera whose picture, ``width`` by ``height`` pixels, just holds a table of ``side`` mm.

    North is up in the picture. ``px_per_mm`` is the scale at the table's centre.
    """

    def __init__(self, style: CameraStyle, side: float, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._k1 = style.k1
        self._position = np.array([*style.offset, style.height])
        self._axes = _looking_down(self._position, style.roll)
        self._focal, self._shift = 1.0, np.zeros(2)
        self._fit(side)
        near = self.project(np.array([[-5.0, 0.0], [5.0, 0.0]]))
        self.px_per_mm = float(np.hypot(*(near[1] - near[0]))) / 10.0

    def _fit(self, side: float) -> None:
        outline = self.project(table_outline(side))
        low, high = outline.min(axis=0), outline.max(axis=0)
        room = np.array([self.width, self.height]) - 2 * _MARGIN_PX
        self._focal = float((room / (high - low)).min())
        self._shift = np.array([self.width - 1, self.height - 1]) / 2 - self._focal * (low + high) / 2

    def project(self, points: ArrayLike, z: float | ArrayLike = 0.0) -> Floats:
        """Pixels (n, 2) of table points (n, 2) in millimetres at height ``z`` above the cloth (one, or one each).

        The centre of the top left pixel is (0, 0).
        """
        flat = np.asarray(points, dtype=np.float64).reshape(-1, 2)
        heights = np.broadcast_to(np.asarray(z, dtype=np.float64), (len(flat),))
        seen = (np.column_stack([flat, heights]) - self._position) @ self._axes.T
        ideal = seen[:, :2] / seen[:, 2:3]
        bent = ideal * (1.0 + self._k1 * (ideal**2).sum(axis=1, keepdims=True))
        return np.asarray(bent * self._focal + self._shift, np.float64)


def _looking_down(position: Floats, roll: float) -> Floats:
    """Rows: the picture's x axis, y axis (downwards) and the line of sight, for a camera that looks at the centre."""
    sight = -position / np.linalg.norm(position)
    turned = np.array([cos(radians(roll)), sin(radians(roll)), 0.0])
    right = turned - sight * (turned @ sight)
    right /= np.linalg.norm(right)
    return np.stack([right, np.cross(sight, right), sight])


def table_outline(side: float, steps: int = 24) -> Floats:
    """Points along the edge of a square table of ``side`` mm, anticlockwise."""
    along = np.linspace(-side / 2, side / 2, steps, endpoint=False)
    edge = np.full(steps, side / 2)
    return np.concatenate(
        [
            np.column_stack([along, -edge]),
            np.column_stack([edge, along]),
            np.column_stack([-along, edge]),
            np.column_stack([-edge, -along]),
        ]
    )


def card_points(card: PlacedCard, spots: ArrayLike) -> Floats:
    """Table millimetres of ``spots`` (n, 2), given in mm from the card's top left corner, x right and y down."""
    local = np.asarray(spots, dtype=np.float64).reshape(-1, 2)
    right, up = local[:, 0] - CARD_WIDTH / 2, CARD_HEIGHT / 2 - local[:, 1]
    turn = radians(card.angle)
    return np.column_stack([card.x + right * cos(turn) - up * sin(turn), card.y + right * sin(turn) + up * cos(turn)])


def card_box(grow: float = 0.0) -> Floats:
    """Corners of a card in its own millimetres, top left first and clockwise as printed, ``grow`` mm larger."""
    return np.array(
        [
            [-grow, -grow],
            [CARD_WIDTH + grow, -grow],
            [CARD_WIDTH + grow, CARD_HEIGHT + grow],
            [-grow, CARD_HEIGHT + grow],
        ]
    )
