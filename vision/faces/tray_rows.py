"""Rows of bidding cards in a picture of the tray alone, no marker of the table in sight.

The uppermost card of a row shows whole: it is found by its face, and its outline gives places and size of the cards
beneath it. The owner of a row cannot be known from there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from hw.cards import UNKNOWN
from hw.layout import CARD_HEIGHT, CARD_WIDTH
from vision.faces.box import BiddingFaces, twin_of
from vision.faces.box_places import compartment_picture, compartment_points
from vision.faces.box_rows import WIDEST_MM, LyingCall, read_row
from vision.faces.decisions import FaceFound
from vision.faces.finding import find_faces
from vision.faces.geometry import Corners, Image, Pose, holds, moved_by
from vision.faces.tray_reader import UNREAD_CONFIDENCE, confidence_of

TOP_MM: Final = 77.0
"""Distance to the right of the uppermost card in a row's picture: the reach of the longest row, less two."""
SAME_MM: Final = 4.0
"""Cards nearer to each other are one."""
SIGN_MM: Final = (4.0, 14.0)
"""Middle of a card's sign, from its upper left corner."""
_CARD: Final = ((0.0, 0.0), (CARD_WIDTH, 0.0), (CARD_WIDTH, CARD_HEIGHT), (0.0, CARD_HEIGHT))


@dataclass(frozen=True, slots=True)
class CallFound:
    """A bidding card of a row.

    ``name``: ``??`` if it is not known; ``may_be``: the two names possible then, if known; ``corners`` (4, 2 px): the
    upper left one first.
    """

    name: str
    confidence: float
    corners: Corners
    may_be: tuple[str, ...] = ()


def find_rows(picture: Image, faces: BiddingFaces) -> list[list[CallFound]]:
    """Return the rows of ``picture`` (BGR uint8), each from below to above; from the top of the picture.

    A row is found if its uppermost card is known by its face; a card beneath is reported if its strip certainly shows
    which it is. A row ends where no card is known beneath.
    """
    tops = [one for one in find_faces(picture, faces.whole) if one.name != UNKNOWN]
    rows = [_row_under(picture, top, [one for one in tops if one is not top], faces) for top in tops]
    kept = [row for n, row in enumerate(rows) if not _is_part_of(row, rows[:n] + rows[n + 1 :])]
    return sorted(kept, key=lambda row: tuple(row[-1].corners.mean(axis=0)[::-1]))


def _row_under(picture: Image, top: FaceFound, others: list[FaceFound], faces: BiddingFaces) -> list[CallFound]:
    """Return the row that ``top`` lies on, itself last.

    Some faces look the same upside down: of both ways the one that names more cards counts.
    """
    ways = (np.asarray(top.corners, np.float64), np.asarray(np.roll(top.corners, 2, axis=0), np.float64))
    rows = [_read(picture, corners, top, others, faces) for corners in ways]
    return max(rows, key=lambda row: sum(one.name != UNKNOWN for one in row))


def _read(
    picture: Image, corners: Corners, top: FaceFound, others: list[FaceFound], faces: BiddingFaces
) -> list[CallFound]:
    """Return the row under ``top``, with its printed corners at ``corners``, itself last: ``??`` if in doubt.

    Two ways of comparing must agree upon the name: the free-pose reader and the row reader.
    """
    card = np.array(_CARD, np.float32) + np.array([TOP_MM, 0.0], np.float32)
    to_pixel = np.asarray(cv2.getPerspectiveTransform(card, corners.astype(np.float32)), np.float64)
    points = compartment_points()
    at = moved_by(to_pixel, points.reshape(-1, 2)).astype(np.float32).reshape(points.shape)
    calls = read_row(compartment_picture(picture, at[..., 0], at[..., 1]), faces, begins=False).calls
    last = _agreed(calls[-1], top.name, faces) if calls else None
    if last is None or abs(last.u - TOP_MM) > SAME_MM:
        return [CallFound(UNKNOWN, UNREAD_CONFIDENCE, np.asarray(top.corners, np.float64))]
    row = [_found(last, to_pixel)]
    for call in reversed(calls[:-1]):
        sign = moved_by(to_pixel, call.in_row([SIGN_MM]))[0]
        if last.u - call.u > WIDEST_MM or any(holds(other.corners, sign) for other in others):
            break
        row.insert(0, _found(call, to_pixel))
        last = call
    while len(row) > 1 and row[0].name == UNKNOWN and not row[0].may_be:
        row.pop(0)  # at a row's end what is not known to be one of two cards is often the ground
    return row


def _agreed(call: LyingCall, name: str, faces: BiddingFaces) -> LyingCall | None:
    """Return the uppermost call, found as ``name`` by its whole face; None if it was read as another.

    Of both black bids of a level their sign decides, if that is all in which they differ; else it stays open.
    """
    if name in (call.name, *call.either):
        return call
    if twin_of(name) != call.name:
        return None
    return call if faces.signs.know(name) else replace(call, name=UNKNOWN, either=(name, call.name))


def _found(call: LyingCall, to_pixel: Pose) -> CallFound:
    """Return the call in pixels."""
    at, names = moved_by(to_pixel, call.corners), call.may_be
    if len(names) == 1:
        return CallFound(call.name, round(confidence_of(call), 4), at)
    return CallFound(UNKNOWN, UNREAD_CONFIDENCE, at, names)


def _is_part_of(row: list[CallFound], others: list[list[CallFound]]) -> bool:
    """Return True if the uppermost card of ``row`` lies beneath another row's uppermost."""
    at = row[-1].corners
    near = SAME_MM / CARD_WIDTH * float(np.hypot(*(at[1] - at[0])))
    beneath = [one.corners.mean(axis=0) - at.mean(axis=0) for other in others for one in other[:-1]]
    return any(float(np.hypot(*off)) < near for off in beneath)
