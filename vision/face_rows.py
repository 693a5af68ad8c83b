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
from numpy.typing import NDArray

from vision.face_blocks import Pose
from vision.face_differences import cells_over, cut_out, difference, inner
from vision.face_poses import FaceIndex
from vision.face_print import Array, Image
from vision.face_strips import HIGH, WIDE

PITCH: Final = (0.09, 0.52)
"""Least and greatest shift from one card of a row to the next, in card heights: 8 to 46 mm of a card of 88."""
STEP: Final = 0.015
"""Steps of that shift; half of it in the closer look."""
PLAY: Final = (-0.03, 0.0, 0.03)
"""… and aside, in card heights."""
TURNS: Final = (-3.0, 0.0, 3.0)
"""… and turned, in degrees."""
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


def strips_from(picture: Image, pose: Pose, covered: NDArray[np.uint8], index: FaceIndex) -> Iterator[Strip]:
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
    picture: Image, pose: Pose, way: Way, covered: NDArray[np.uint8], index: FaceIndex, before: float | None
) -> Strip | None:
    """Return the card of which a strip shows on the side ``way`` of the card at ``pose``; None if none is seen."""
    low, high = PITCH if before is None else (AS_BEFORE[0] * before, AS_BEFORE[1] * before)
    high = min(high, PITCH[1], 0.88 * index.aspect if way[0] else PITCH[1])
    tried: list[tuple[float, float, Pose]] = []
    for shift in np.arange(max(low, PITCH[0]), high, STEP):
        poses = list(_poses(pose, way, float(shift), index.aspect, PLAY, TURNS))
        likeness = _likeness(picture, poses, way, float(shift), index).max(axis=1)
        top = int(likeness.argmax())
        tried.append((float(likeness[top]), float(shift), poses[top]))
    likely = sorted((one for one in tried if one[0] >= LIKE), key=lambda one: -one[0])[: POSES[before is not None]]
    closer = [_closer(picture, one, way, shift, covered, index) for _, shift, one in likely]
    return max(closer, key=lambda one: one.likeness, default=None)


def _closer(picture: Image, pose: Pose, way: Way, shift: float, covered: NDArray[np.uint8], index: FaceIndex) -> Strip:
    """The strip about ``pose`` in finer steps, and how what is seen differs from the likest faces, each at its best."""
    spots: list[tuple[float, Pose]] = []
    top = 0.0
    for along, aside, turn in CLOSER:
        for _ in range(LOOKS):
            spots, likeness = _around(picture, pose, way, shift, (along, aside, turn), index)
            best = int(likeness.max(axis=1).argmax())
            if likeness[best].max() <= top:
                break
            top = float(likeness[best].max())
            shift, pose = spots[best]
    best_at, fits = likeness.argmax(axis=0), likeness.max(axis=0)
    half = len(index.prints)
    areas: dict[int, float] = {}
    for face in (int(one) for one in np.argsort(-fits)[:FACES]):
        if fits[face] > fits.max() - BESIDE:
            areas[face] = _contradicted(picture, spots[best_at[face]][1], face, covered, index)
    face = min(areas, key=lambda one: (areas[one], -fits[one]))
    name = index.names[face % half]
    same = index.alike.get(name, frozenset()) | {name}
    rest = [area for other, area in areas.items() if index.names[other % half] not in same]
    others = [n for n in range(2 * half) if index.names[n % half] not in same]
    ahead = float(fits[face] - fits[others].max()) if others else 1.0
    at_shift, at = spots[best_at[face]]
    share = float(inner(cells_over(covered, at, index.aspect)).mean())
    lead = min(rest, default=1000.0) - areas[face]
    return Strip(at, face, areas[face], lead, float(fits[face]), ahead, share, at_shift)


def _around(
    picture: Image, pose: Pose, way: Way, shift: float, steps: tuple[float, float, float], index: FaceIndex
) -> tuple[list[tuple[float, Pose]], Array]:
    """Shifts and poses a step of each kind about one, it among them, and their correlations (poses, faces)."""
    along, aside, turn = steps
    spots: list[tuple[float, Pose]] = []
    rows: list[Array] = []
    for by in (-along, 0.0, along):
        if not PITCH[0] <= shift + by <= PITCH[1]:
            continue
        moved = pose @ _by(way[0] * by, way[1] * by)
        poses = list(_turned(moved, way, shift + by, index.aspect, (-aside, 0.0, aside), (-turn, 0.0, turn)))
        spots += [(shift + by, one) for one in poses]
        rows.append(_likeness(picture, poses, way, shift + by, index))
    return spots, np.concatenate(rows)


def _contradicted(picture: Image, pose: Pose, face: int, covered: NDArray[np.uint8], index: FaceIndex) -> float:
    valid = inner(cells_over(covered, pose, index.aspect))
    return difference(cut_out(picture, pose, index.aspect), index.small(face), valid, may_be_hidden=False).area


def _by(x: float, y: float) -> Pose:
    return np.array([[1.0, 0.0, x], [0.0, 1.0, y], [0.0, 0.0, 1.0]])


def _poses(
    pose: Pose, way: Way, shift: float, aspect: float, play: Sequence[float], turns: Sequence[float]
) -> Iterator[Pose]:
    """Poses about the one ``shift`` card heights further along ``way``."""
    return _turned(pose @ _by(way[0] * shift, way[1] * shift), way, shift, aspect, play, turns)


def _turned(
    pose: Pose, way: Way, shift: float, aspect: float, play: Sequence[float], turns: Sequence[float]
) -> Iterator[Pose]:
    """``pose`` moved aside and turned about the middle of the strip, ``shift`` wide, that shows on its side ``way``."""
    x, y = aspect / 2 + way[0] * (aspect / 2 - shift / 2), 0.5 + way[1] * (0.5 - shift / 2)
    for turn in turns:
        cos, sin = np.cos(np.radians(turn)), np.sin(np.radians(turn))
        about = _by(x, y) @ np.array([[cos, -sin, 0.0], [sin, cos, 0.0], [0.0, 0.0, 1.0]]) @ _by(-x, -y)
        for aside in play:
            yield pose @ _by(abs(way[1]) * aside, abs(way[0]) * aside) @ about


def _likeness(picture: Image, poses: Sequence[Pose], way: Way, shift: float, index: FaceIndex) -> Array:
    """Correlations (poses, faces) of the strip that shows at each of ``poses`` with that strip of each face."""
    rows, columns = _strip(way, shift, index.aspect)
    size = (columns.stop - columns.start, rows.stop - rows.start)
    from_cells = np.diag([index.aspect / WIDE, 1.0 / HIGH, 1.0]) @ _by(columns.start + 0.5, rows.start + 0.5)
    cuts = [
        cv2.warpPerspective(
            picture,
            _by(-0.5, -0.5) @ pose @ from_cells,
            size,
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for pose in poses
    ]
    tall = cv2.cvtColor(np.concatenate(cuts), cv2.COLOR_BGR2LAB).astype(np.float32)
    return index.strips.likeness(tall.reshape(len(cuts), size[1], size[0], 3), rows, columns)


def _strip(way: Way, shift: float, aspect: float) -> tuple[slice, slice]:
    """The rows and columns of a card that show, but for its rim and a margin beside what lies over it."""
    down, along = round(shift * HIGH) - MARGIN, round(shift / aspect * WIDE) - MARGIN
    rows = {-1: slice(1, max(4, down)), 1: slice(min(HIGH - 4, HIGH - down), HIGH - 1), 0: slice(0, HIGH)}
    columns = {-1: slice(1, max(4, along)), 1: slice(min(WIDE - 4, WIDE - along), WIDE - 1), 0: slice(0, WIDE)}
    return rows[way[1]], columns[way[0]]
