"""``tavolo see``: every physical card in one photograph, without calibration, taken at any distance.

Boxes, corners and angles are in pixels and degrees of the picture as shown (turned by its EXIF): x right, y down, angle
anticlockwise from -180 to 180, 0 for a card whose shown index is upright.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER, UNKNOWN
from vision.assemble import JOKER_ENDS, Whole, card_outline, whole_cards
from vision.errors import PictureError
from vision.faces.decisions import FaceFound
from vision.faces.finding import find_faces
from vision.faces.geometry import holds
from vision.grouping import Corner
from vision.index_reader import FACES, IndexReader, IndexReading
from vision.look import find_everywhere, prepared
from vision.one_pack import as_of_one_pack
from vision.packs import PackFaces
from vision.pictures import Image, open_picture
from vision.plane_form import AS_IT_IS, PlaneForm, form_of_plane
from vision.pressed import form_of, form_of_cards, made_wider, stretched
from vision.votes import known_joker

SURELY: Final = 0.9
"""Confidence from which a card is painted as certain."""
MIN_CONFIDENCE: Final = 0.6
"""Confidence that the corners of one card need together: photographs do not distinguish .5 from .6, drawn black packs
do."""
SURER_END: Final = 0.5
"""And the surer one of them by itself: two doubtful looks at the same print are wrong together. Of 1265 drawn pairs,
small or black, 28 were below, and 12 of those were wrong; in photographs there were none."""
LONE_CONFIDENCE: Final = 0.85
"""Confidence that a lone corner needs; set on one half of the photographs (``measure tables``), like the next two."""
LONE: Final = 0.30
"""Heat times confidence below which a lone corner is no card; set on photographs."""
ROW_CONFIDENCE: Final = 0.7
"""Least confidence of a suited lone corner in a row of cards: its neighbours already say that a card is there. Set on
rendered fans (``lab.vision.measure.scenes --hard``)."""
ROW_HEAT: Final = 0.4
"""And its least heat."""
SURE_NEIGHBOUR: Final = 0.9
"""Least confidence of a neighbour."""
ROW_STEP: Final = (0.3, 2.6)
"""In index heights, from a corner to its neighbour in a row or a fan."""
ROW_TURN: Final = 0.8
"""Least cosine between two neighbours' directions."""
DOUBLED: Final = 0.1
"""Deduction for each face that a look reports twice: if two looks report the same faces, fewer doubles win."""
LONE_JOKER: Final = 0.45
"""The same for a joker, whose index has no common form."""


def see_image(
    path: Path, reader: IndexReader, pack: PackFaces | None = None, picture: Image | None = None
) -> dict[str, Any]:
    """Answer of ``tavolo see --json`` for one picture file (contract, section 5).

    ``picture``: the picture itself if it has been read already. Raises PictureError.
    """
    picture = open_picture(path) if picture is None else picture
    begun = time.perf_counter()
    cards = see_picture(picture, reader, pack)
    spent = (time.perf_counter() - begun) * 1000
    return {
        "image": str(path),
        "width": picture.shape[1],
        "height": picture.shape[0],
        "ms": round(spent, 1),
        "cards": cards,
    }


def see_picture(picture: Image, reader: IndexReader, pack: PackFaces | None = None) -> list[dict[str, Any]]:
    """Each physical card of a BGR uint8 picture once: card, confidence, box, corner, angle; by rows from the top.

    With an enrolled ``pack``, cards that show no index are read by their faces, overlapping or not; ``reader`` should
    then have been made with the pack too. Cards of unknown faces are left out.

    >>> from hw.pack.raster import face_bgra
    >>> card = face_bgra("7H", px_per_mm=4)
    >>> cloth = np.full((600, 600, 3), (60, 110, 40), np.uint8)
    >>> cloth[100 : 100 + card.shape[0], 150 : 150 + card.shape[1]] = card[..., :3]
    >>> [seen["card"] for seen in see_picture(cloth, IndexReader())]
    ['7H']
    """
    return look_at(picture, reader, pack).cards


@dataclass(frozen=True, slots=True)
class PictureReading:
    """Result of one look at a picture: ``cards``, by rows from the top, and ``unread``, places that may be cards.

    Each of ``unread`` is listed as a card is, with the face that is likeliest there; pips and figures are among them.
    """

    cards: list[dict[str, Any]]
    unread: list[dict[str, Any]]


def look_at(picture: Image, reader: IndexReader, pack: PackFaces | None = None) -> PictureReading:
    """Look as ``see_picture`` does, and list uncertain places that may be cards; faces ``??`` are unread."""
    listed: list[dict[str, Any]] = []
    unread: list[dict[str, Any]] = []
    if pack is None or not pack.by_whole_faces:
        seen = _by_indices(prepared(picture), reader)
        listed, unread = list(seen.cards), list(seen.unread)
    if pack is not None and pack.faces is not None:
        for found in find_faces(picture, pack.faces):
            if not any(holds(found.corners, c["corner"]) for c in listed):
                (unread if found.name == UNKNOWN else listed).append(_listed_whole(found))
    return PictureReading(sorted(listed, key=_place), unread)


def _place(card: dict[str, Any]) -> tuple[float, float, str]:
    return card["corner"][1], card["corner"][0], card["card"]


def _by_indices(picture: Image, reader: IndexReader) -> PictureReading:
    """Return the cards of a picture that show an index; a pressed picture is looked at in its own form too.

    Of both looks the one with more confident faces counts, and the plain one if the other reports a face more
    often: one card made two by a wrong form looks like two cards. Two packs show faces twice rightly.
    """
    readings = find_everywhere(picture, reader)
    look = _read_cards(readings, picture, picture)
    form = form_of(picture, readings, reader)
    if form != 1.0:
        wider = made_wider(picture, form)
        other = _read_cards(find_everywhere(wider, reader), wider, picture)
        if _doubles(other.cards) <= _doubles(look.cards):
            look = max(look, other, key=lambda one: faces_told(one.cards))
    return look


def faces_told(cards: list[dict[str, Any]]) -> float:
    """Sum of the confidences of the faces reported, each counted once; less if some are reported twice."""
    surest: dict[str, float] = {}
    for card in cards:
        surest[card["card"]] = max(surest.get(card["card"], 0.0), card["confidence"])
    return sum(surest.values()) - DOUBLED * _doubles(cards)


def _doubles(cards: list[dict[str, Any]]) -> int:
    """Count of cards whose face another card before it has."""
    return len(cards) - len({c["card"] for c in cards})


def _read_cards(readings: list[IndexReading], seen: Image, picture: Image) -> PictureReading:
    """Return the cards whose evidence in ``seen`` is enough, and the others, in pixels of ``picture``."""
    corners = [corner_of(r) for r in readings]
    form = form_of_cards(corners)
    if form != 1.0:  # as the pack has it, the two indices of one card are known by where they lie
        corners = [stretched(c, form) for c in corners]
    plane = form_of_plane(corners)
    if plane is not AS_IT_IS:
        corners = [plane.corner(c) for c in corners]
    grown = (picture.shape[1] / seen.shape[1] / form, picture.shape[0] / seen.shape[0])
    told, doubted = told_and_doubted(corners)
    listed, unread = ([_listed(card, corners, picture, grown, plane) for card in some] for some in (told, doubted))
    return PictureReading(listed, unread)


def told_cards(corners: list[Corner]) -> list[Whole]:
    """Return the cards of these corners with enough evidence, alone, by their neighbours' or as cards of one pack."""
    return told_and_doubted(corners)[0]


def told_and_doubted(corners: list[Corner]) -> tuple[list[Whole], list[Whole]]:
    """Return the cards of these corners whose evidence is enough, as ``told_cards`` gives them, and all others."""
    told: list[Whole] = []
    doubted: list[Whole] = []
    for card in as_of_one_pack(whole_cards(corners), corners):
        (told if believed(card, corners) else doubted).append(card)
    told += _in_rows(doubted, {card.found.face for card in told}, corners)
    return told, [card for card in doubted if not any(card is one for one in told)]


def _in_rows(cards: list[Whole], faces: set[str], corners: list[Corner]) -> list[Whole]:
    """Select rejected lone corners in a row whose face no other card of the picture has.

    A corner of a face that is already reported is more often that card's other corner than a second such card.
    """
    told = []
    for card in sorted(cards, key=lambda c: (-c.found.confidence, c.found.x, c.found.y)):
        if card.found.face not in faces and is_in_row(card, corners):
            faces.add(card.found.face)
            told.append(card)
    return told


def _listed_whole(found: FaceFound) -> dict[str, Any]:
    """Return a card read by its face; ``corner``: its upper left one as printed, ``corners`` 0, ``or`` its doubles."""
    return {
        **listed_card(found.name, found.confidence, found.corners),
        "outline": _rounded(found.corners),
        "corners": 0,
        **({"or": list(found.alike)} if found.alike else {}),
    }


def listed_card(name: str, confidence: float, ring: NDArray[np.float64]) -> dict[str, Any]:
    """Return a card with known corners ``ring`` (4, 2 px, the upper left as printed first), as answers list it."""
    low, high = ring.min(axis=0), ring.max(axis=0)
    up = ring[0] - ring[3]
    turn = float(np.degrees(np.arctan2(-up[1], up[0]))) - 90.0
    return {
        "card": name,
        "confidence": confidence,
        "box": [round(float(v), 1) for v in (*low, *high)],
        "corner": [round(float(v), 1) for v in ring[0]],
        "angle": round((turn + 180.0) % 360.0 - 180.0, 1),
    }


def believed(card: Whole, corners: list[Corner]) -> bool:
    """Return True if a card's evidence is enough: more is asked of a lone corner, and more still of a joker."""
    heat = max(corners[k].heat for k in card.found.corners)
    if card.found.confidence < MIN_CONFIDENCE:
        return False
    if len(card.found.corners) > 1:
        *_, other, surer = sorted(float(corners[k].scores[FACES.index(card.found.face)]) for k in card.found.corners)
        return other >= JOKER_ENDS if card.found.face == JOKER else surer >= SURER_END
    if card.found.confidence < LONE_CONFIDENCE:
        return False
    return card.found.confidence * heat >= (LONE_JOKER if card.found.face == JOKER else LONE)


def is_in_row(card: Whole, corners: list[Corner]) -> bool:
    """Return True if the one corner of a suited card is beside others read with certainty, as in a row or a fan."""
    one = corners[card.found.corners[0]]
    if len(card.found.corners) > 1 or card.found.face == JOKER:
        return False
    if card.found.confidence < ROW_CONFIDENCE or one.heat < ROW_HEAT:
        return False
    return any(_beside(one, other) for other in corners if other is not one)


def _beside(one: Corner, other: Corner) -> bool:
    """Return True if ``other``, read with certainty, is as tall, turned the same way and near enough for a row."""
    if other.heat < ROW_HEAT or float(other.scores.max()) < SURE_NEIGHBOUR or other.face == JOKER:
        return False
    steps = math.hypot(one.x - other.x, one.y - other.y) * 2 / (one.height + other.height)
    turned = one.down[0] * other.down[0] + one.down[1] * other.down[1]
    return ROW_STEP[0] < steps < ROW_STEP[1] and turned > ROW_TURN and 0.65 < one.height / other.height < 1.5


def corner_of(reading: IndexReading) -> Corner:
    """Return the reading as a corner in pixels, y down."""
    s = reading.spot
    ux, uy = s.up
    # y points down in pictures: the card's right hand is its up vector turned clockwise as seen
    known = known_joker(reading.face, reading.alike)
    return Corner(s.x, s.y, (-uy, ux), (-ux, -uy), s.height, reading.scores, 1.0 if known else s.heat, known)


def _listed(
    card: Whole,
    corners: list[Corner],
    picture: Image,
    grown: tuple[float, float] = (1.0, 1.0),
    plane: PlaneForm = AS_IT_IS,
) -> dict[str, Any]:
    """Return the card in pixels of ``picture``, ``grown`` times what was looked at; ``plane`` draws corners out."""
    first = corners[card.found.corners[0]]
    ring = plane.back(card_outline(card)) * grown
    low = np.clip(ring.min(axis=0), 0, [picture.shape[1], picture.shape[0]])
    high = np.clip(ring.max(axis=0), 0, [picture.shape[1], picture.shape[0]])
    spots = [(corners[k].x + 0.5, corners[k].y + 0.5) for k in card.found.corners]
    *places, down = plane.back(np.array([*spots, first.down])) * grown
    turn = float(np.degrees(np.arctan2(down[1], -down[0]))) - 90.0
    return {
        "card": card.found.face,
        "confidence": round(min(card.found.confidence * min(1.0, 0.5 + first.heat), 0.9999), 4),
        "box": [round(float(v), 1) for v in (*low, *high)],
        "outline": _rounded(ring),
        "corner": [round(float(v) - 0.5, 1) for v in places[0]],
        "angle": round((turn + 180.0) % 360.0 - 180.0, 1),
        "corners": len(card.found.corners),
        "indices": [[round(float(v) - 0.5, 1) for v in place] for place in places],
    }


def _rounded(ring: NDArray[np.float64]) -> list[list[float]]:
    """Return the corners of a card, clockwise from its upper left one as printed; some may be outside the picture."""
    return [[round(float(x), 1), round(float(y), 1)] for x, y in ring]


def draw_cards(picture: Image, cards: Sequence[dict[str, Any]]) -> Image:
    """Return a copy of the picture with each card's box, corner and name painted on."""
    out = picture.copy()
    scale = max(0.5, max(picture.shape[:2]) / 1600)
    for card in cards:
        x0, y0, x1, y1 = (round(v) for v in card["box"])
        cx, cy = (round(v) for v in card["corner"])
        colour = shade_of(card)
        cv2.rectangle(out, (x0, y0), (x1, y1), colour, max(1, round(1.5 * scale)))
        cv2.circle(out, (cx, cy), round(7 * scale), colour, max(1, round(2 * scale)))
        label(out, card["card"], (cx, cy), colour, scale)
    return out


def shade_of(card: dict[str, Any]) -> tuple[int, int, int]:
    """Colour in which a listed card is painted: green if it is certain, else orange."""
    return (70, 200, 60) if card["confidence"] >= SURELY else (0, 150, 255)


def label(out: Image, text: str, at: tuple[int, int], colour: tuple[int, int, int], scale: float = 1.0) -> None:
    """Paint ``text`` on a dark plate beside the point ``at`` (px), in place."""
    (width, height), low = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, 0.6 * scale, max(1, round(scale)))
    x = int(np.clip(at[0] + 9 * scale, 0, max(0, out.shape[1] - width)))
    y = int(np.clip(at[1], height + 2, out.shape[0] - low))
    cv2.rectangle(out, (x - 2, y - height - 2), (x + width + 2, y + low), (25, 25, 25), -1)
    cv2.putText(out, text, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.6 * scale, colour, max(1, round(scale)), cv2.LINE_AA)


def write_drawing(path: Path, picture: NDArray[np.uint8]) -> None:
    """Write a marked-up picture. Raises PictureError if the file's kind or place does not allow it."""
    try:
        done = cv2.imwrite(str(path), picture)
    except cv2.error as problem:
        raise PictureError(
            f"{path.name}: no picture can be written under this name; end it in .jpg or .png"
        ) from problem
    if not done:
        raise PictureError(f"{path.name}: the picture cannot be written there")
