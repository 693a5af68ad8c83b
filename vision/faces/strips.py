"""Cards in a row or a column, each partly under the next: faces known from a strip only.

A fanned declaration and a pile laid out for the count show their uppermost card whole and of every other a strip along
one edge. The strip is looked for beside the card above it, parallel to it within a few degrees, and compared with that
strip of every face, both ways up. If several faces show the same there, the face stays open.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np

from vision.faces.blocks import HIGH, WIDE
from vision.faces.face_differences import CardLook, cells_over, cut_out, difference_of, inner
from vision.faces.geometry import Array, Image, Pose, cut, shift
from vision.faces.index import FaceIndex

PITCH: Final = (0.09, 0.52)
"""Least and greatest shift from one card of a row to the next, in card heights: 8 to 46 mm of a card of 88."""
STEP: Final = 0.015
"""Steps of that shift; half of it in the closer look."""
PLAY: Final = (0.03, 3.0)
"""Steps aside, in card heights, and of the turn, in degrees; one of each either way."""
CLOSER: Final = ((0.0075, 0.015, 1.5), (0.004, 0.007, 0.8))
"""Steps of the closer looks: along, aside (card heights) and turned (degrees)."""
LOOKS: Final = 4
"""Closer looks with steps of one size, at most: each begins where the one before fitted best."""
AS_BEFORE: Final = (0.6, 1.5)
"""From card to card of one row the shift changes by no more than such a factor."""
MARGIN: Final = 2
"""Cells of a strip beside the card over it that are not compared in the search."""
LIKE: Final = 0.42
"""Correlation below which no card is taken to lie there."""
POSES: Final = (4, 2)
"""Poses that are looked at closely, the likeliest: of a row's first strip, and of those after it."""
FACES: Final = 8
"""Faces that are compared closely there, the likest."""
BESIDE: Final = 0.25
"""Faces whose correlation falls behind the likest by more are not compared closely."""
MOST: Final = 40
"""Cards that a row may have."""

Way = tuple[int, int]
"""A direction in the card frame of the card above: (0, -1) towards its upper edge, (1, 0) towards its right one."""
WAYS: Final[tuple[Way, ...]] = ((0, -1), (0, 1), (-1, 0), (1, 0))
Spot = tuple[float, Pose]
"""A pose, and its shift from the card above in card heights."""


@dataclass(frozen=True)
class Strip:
    """A card of which a strip shows.

    ``face``: the likest, a position among the index's prints, those beyond them upside down; ``own``, ``lead`` as in
    ``FaceFound``; ``likeness``: its correlation, ``ahead``: by how much that of any other face is less; ``share``: how
    much of the card is compared; ``shift``: how far it lies from the card above it, in card heights.
    """

    pose: Pose
    face: int
    own: float
    lead: float
    likeness: float
    ahead: float
    share: float
    shift: float


def strips_from(picture: Image, pose: Pose, covered: Image, index: FaceIndex) -> Iterator[Strip]:
    """Yield the row that continues beneath the card at ``pose`` (card frame to px of ``picture``, BGR), card by card.

    ``covered``: the pixels of cards that lie above, 255 where one does. The caller marks there each card that it is
    given before it asks for the next one.
    """
    ways: Sequence[Way] = WAYS
    before: float | None = None
    for _ in range(MOST):
        found = [(way, _beside(picture, pose, way, covered, index, before)) for way in ways]
        seen = [(way, strip) for way, strip in found if strip is not None]
        if not seen:
            return
        way, strip = max(seen, key=lambda one: one[1].likeness)
        yield strip
        ways, before, pose = (way,), strip.shift if before is None else (before + strip.shift) / 2, strip.pose


def _beside(
    picture: Image, pose: Pose, way: Way, covered: Image, index: FaceIndex, before: float | None
) -> Strip | None:
    """Return the card of which a strip shows on the side ``way`` of the card at ``pose``; None if none is seen."""
    low, high = PITCH if before is None else (AS_BEFORE[0] * before, AS_BEFORE[1] * before)
    high = min(high, PITCH[1], 0.88 * index.aspect if way[0] else PITCH[1])
    tried: list[tuple[float, Spot]] = []
    for far in np.arange(max(low, PITCH[0]), high, STEP).tolist():
        spots, likeness = _around(picture, pose @ shift(way[0] * far, way[1] * far), way, far, (0.0, *PLAY), index)
        top = int(likeness.max(axis=1).argmax())
        tried.append((float(likeness[top].max()), spots[top]))
    likely = sorted((one for one in tried if one[0] >= LIKE), key=lambda one: -one[0])[: POSES[before is not None]]
    closer = [_closer(picture, spot, way, covered, index) for _, spot in likely]
    return max(closer, key=lambda one: one.likeness, default=None)


def _closer(picture: Image, spot: Spot, way: Way, covered: Image, index: FaceIndex) -> Strip:
    """Return the strip about ``spot`` in finer steps, and how the likest faces, each at its best, differ from it."""
    far, pose = spot
    top = 0.0
    for steps in CLOSER:
        for _ in range(LOOKS):
            spots, likeness = _around(picture, pose, way, far, steps, index)
            best = int(likeness.max(axis=1).argmax())
            if likeness[best].max() <= top:
                break
            top = float(likeness[best].max())
            far, pose = spots[best]
    best_at, fits = likeness.argmax(axis=0), likeness.max(axis=0)
    areas: dict[int, float] = {}
    for face in (int(one) for one in np.argsort(-fits)[:FACES]):
        if fits[face] > fits.max() - BESIDE:
            areas[face] = _contradicted(picture, spots[best_at[face]][1], face, covered, index)
    face = min(areas, key=lambda one: (areas[one], -fits[one]))
    same = index.same_as(index.name_of(face))
    rest = [area for other, area in areas.items() if index.name_of(other) not in same]
    others = [n for n in range(len(fits)) if index.name_of(n) not in same]
    ahead = float(fits[face] - fits[others].max()) if others else 1.0
    far, pose = spots[best_at[face]]
    share = float(inner(cells_over(covered, pose, index.aspect)).mean())
    lead = min(rest, default=1000.0) - areas[face]
    return Strip(pose, face, areas[face], lead, float(fits[face]), ahead, share, far)


def _around(
    picture: Image, pose: Pose, way: Way, far: float, steps: tuple[float, float, float], index: FaceIndex
) -> tuple[list[Spot], Array]:
    """Poses a step of each kind about one, ``far`` along its row, and their correlations (poses, faces)."""
    along, aside, turn = steps
    spots: list[Spot] = []
    rows: list[Array] = []
    for by in (-along, 0.0, along) if along else (0.0,):
        if along and not PITCH[0] <= far + by <= PITCH[1]:
            continue
        moved = pose @ shift(way[0] * by, way[1] * by)
        poses = list(_turned(moved, way, far + by, index.aspect, aside, turn))
        spots += [(far + by, one) for one in poses]
        rows.append(_likeness(picture, poses, way, far + by, index))
    return spots, np.concatenate(rows)


def _contradicted(picture: Image, pose: Pose, face: int, covered: Image, index: FaceIndex) -> float:
    valid = inner(cells_over(covered, pose, index.aspect))
    seen = CardLook.of(cut_out(picture, pose, index.aspect), valid)
    return difference_of(seen, index.soft(face), may_be_hidden=False).area


def _turned(pose: Pose, way: Way, far: float, aspect: float, aside: float, turn: float) -> Iterator[Pose]:
    """``pose`` moved aside and turned about the middle of the strip, ``far`` wide, that shows on its side ``way``."""
    x, y = aspect / 2 + way[0] * (aspect / 2 - far / 2), 0.5 + way[1] * (0.5 - far / 2)
    for degrees in (-turn, 0.0, turn):
        cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
        about = shift(x, y) @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]) @ shift(-x, -y)
        for by in (-aside, 0.0, aside):
            yield pose @ shift(abs(way[1]) * by, abs(way[0]) * by) @ about


def _likeness(picture: Image, poses: Sequence[Pose], way: Way, far: float, index: FaceIndex) -> Array:
    """Correlations (poses, faces) of the strip that shows at each of ``poses`` with that strip of each face."""
    rows, columns = _strip(way, far, index.aspect)
    size, cell = (columns.stop - columns.start, rows.stop - rows.start), (index.aspect / WIDE, 1.0 / HIGH)
    cuts = [cut(picture, pose, cell, size, (columns.start, rows.start)) for pose in poses]
    tall = cv2.cvtColor(np.concatenate(cuts), cv2.COLOR_BGR2LAB).astype(np.float32)
    return index.strips.likeness(tall.reshape(len(cuts), size[1], size[0], 3), rows, columns)


def _strip(way: Way, far: float, aspect: float) -> tuple[slice, slice]:
    """Return the rows and columns of a card that show, but for its rim and a margin beside what lies over it."""
    down, along = round(far * HIGH) - MARGIN, round(far / aspect * WIDE) - MARGIN
    rows = {-1: slice(1, max(4, down)), 1: slice(min(HIGH - 4, HIGH - down), HIGH - 1), 0: slice(0, HIGH)}
    columns = {-1: slice(1, max(4, along)), 1: slice(min(WIDE - 4, WIDE - along), WIDE - 1), 0: slice(0, WIDE)}
    return rows[way[1]], columns[way[0]]
