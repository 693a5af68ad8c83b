"""The tray of bidding cards in one picture: the answer of ``tavolo see`` for it with an enrolled box.

The table's printed markers show the places of its compartments. Bare cloth is learnt from the cloth around the tray:
there is no picture of the empty table. If no markers show, the rows are read whose uppermost card is known by its face
(``faces.tray_rows``); their owners are then unknown.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from hw.cards import UNKNOWN
from hw.layout import BRIDGE_LAYOUT, CARD_HEIGHT, CARD_WIDTH
from hw.observations import SightedCard
from hw.seats import Seat
from vision.calibration import Calibration, calibrate
from vision.errors import CalibrationError, PictureError
from vision.faces.box import BiddingFaces
from vision.faces.tray_reader import TURNED, UNREAD_CONFIDENCE, TrayPictureReader, TraySeen
from vision.faces.tray_rows import CallFound, find_rows
from vision.index_reader import IndexReader
from vision.packs import PackFaces
from vision.pictures import Image, open_picture
from vision.see import label, listed_card, see_image, shade_of
from vision.surface import TRAY


@dataclass(frozen=True, slots=True)
class TrayInPicture:
    """Cards of the tray in one picture, and the calibration that places them."""

    seen: TraySeen
    calibration: Calibration
    either: Mapping[tuple[Seat, int], tuple[str, ...]]
    """Possible names of cards reported as unknown, by seat and order."""

    def holds(self, x: float, y: float) -> bool:
        """Return True if the pixel is in the tray: what looks like a card's index there is a bidding card's sign."""
        at = self.calibration.to_table([x, y])
        return BRIDGE_LAYOUT.zones[TRAY].holds(float(at[0]), float(at[1]))

    def may_be(self, card: SightedCard) -> tuple[str, ...]:
        """Possible names of an unknown card of the tray; empty if these are unknown too."""
        return () if card.seat is None or card.order is None else self.either.get((card.seat, card.order), ())

    def listed(self) -> dict[str, Any]:
        """Return the tray as ``tavolo see --json`` lists it: its cards by seat, from below to above, in pixels."""
        cards = [
            {**_listed(card, self.calibration), **({"or": list(names)} if (names := self.may_be(card)) else {})}
            for card in self.seen.cards
        ]
        return {"hidden": self.seen.hidden, "cards": cards}


def see_table(
    path: Path, reader: IndexReader, box: BiddingFaces, pack: PackFaces | None = None, picture: Image | None = None
) -> dict[str, Any]:
    """Answer of ``tavolo see --json`` for one picture file with an enrolled bidding ``box``.

    As that of ``vision.see.see_image``, and a ``tray``; its ``cards`` are those beside the tray, none if no marker
    shows: of a tray alone only its own cards are reported. Raises PictureError if no tray is seen.
    """
    picture = open_picture(path) if picture is None else picture
    begun = time.perf_counter()
    try:
        tray = read_tray(picture, box)
    except PictureError as error:
        rows = find_rows(picture, box)
        if not any(one.name != UNKNOWN for row in rows for one in row):
            raise PictureError(f"{error}; nor does a bidding card of this box lie whole and known") from error
        answer: dict[str, Any] = {"image": str(path), "width": picture.shape[1], "height": picture.shape[0]}
        listed, cards = _listed_rows(rows), []
    else:
        answer = see_image(path, reader, pack, picture)
        listed, cards = tray.listed(), [card for card in answer["cards"] if not tray.holds(*_middle(card))]
    ms = round((time.perf_counter() - begun) * 1000, 1)
    return {**answer, "ms": ms, "cards": cards, "tray": listed}


def _listed_rows(rows: list[list[CallFound]]) -> dict[str, Any]:
    """Rows without an owner as ``tavolo see --json`` lists them; whether something hides others is not known."""
    cards = [
        {
            **listed_card(one.name, one.confidence, one.corners),
            "seat": None,
            "row": n,
            "order": order,
            **({"or": list(one.may_be)} if one.may_be else {}),
        }
        for n, row in enumerate(rows)
        for order, one in enumerate(row)
    ]
    return {"hidden": None, "cards": cards}


def _middle(card: dict[str, Any]) -> tuple[float, float]:
    """Return the middle of a listed card's box, in pixels."""
    x0, y0, x1, y1 = card["box"]
    return (x0 + x1) / 2, (y0 + y1) / 2


def read_tray(picture: Image, faces: BiddingFaces) -> TrayInPicture:
    """Read the tray in ``picture`` (BGR uint8, the whole table), at either of its two places.

    Raises PictureError if no tray can be seen: fewer than three of the table's markers show.
    """
    try:
        calibration = calibrate(picture, BRIDGE_LAYOUT)
    except CalibrationError as error:
        raise PictureError(f"no tray is seen, which the table's printed markers tell: {error}") from error
    reader = TrayPictureReader(BRIDGE_LAYOUT, calibration, faces, picture)
    seen = reader.look(picture)
    if seen.hidden:
        return TrayInPicture(seen, calibration, {})
    known = {(seat, n): call.may_be for seat, calls in reader.calls.items() for n, call in enumerate(calls)}
    cards = tuple(card if known[_place(card)] == (card.card,) else _as_unknown(card) for card in seen.cards)
    return TrayInPicture(
        TraySeen(cards), calibration, {place: names for place, names in known.items() if len(names) > 1}
    )


def draw_calls(out: Image, tray: dict[str, Any]) -> None:
    """Paint the cards of a listed ``tray`` onto their picture (BGR uint8), in place: boxes, and names at their feet.

    Their heads lie close together around the tray's middle, and their names would cover each other there.
    """
    scale = max(0.5, max(out.shape[:2]) / 1600)
    for card in tray["cards"]:
        x0, y0, x1, y1 = (round(v) for v in card["box"])
        cv2.rectangle(out, (x0, y0), (x1, y1), shade_of(card), max(1, round(1.5 * scale)))
    for card in tray["cards"]:
        turn = np.radians(card["angle"] + 90.0)
        down = np.array([-np.cos(turn), np.sin(turn)])
        axis = int(np.abs(down).argmax())  # along the other one a card that lies straight never leaves its box
        corner, foot = np.array(card["corner"]), card["box"][axis + (2 if down[axis] > 0 else 0)]
        away = (foot - corner[axis]) / down[axis]
        beyond = (14.0 + 22.0 * (card["order"] % 2)) * scale
        text = "/".join(card.get("or", [card["card"]]))
        x, y = corner + down * (away + beyond)
        label(out, text, (round(x - (9 + 6 * len(text)) * scale), round(y + 7 * scale)), shade_of(card), scale)


def _place(card: SightedCard) -> tuple[Seat, int]:
    assert card.seat is not None  # noqa: S101 - cards in the tray are in a seat's compartment
    assert card.order is not None  # noqa: S101 - and are counted there
    return card.seat, card.order


def _as_unknown(card: SightedCard) -> SightedCard:
    return replace(card, card=UNKNOWN, confidence=UNREAD_CONFIDENCE)


def tray_in_words(tray: dict[str, Any]) -> str:
    """Return the calls of a listed tray by seat or row, from below up, ``1C/1S`` for one of two; or ``hidden``."""
    if tray["hidden"]:
        return "hidden"
    rows: dict[str, list[str]] = {}
    for card in tray["cards"]:
        whose = card["seat"] or f"row {card['row'] + 1}"
        rows.setdefault(whose, []).append("/".join(card.get("or", [card["card"]])))
    return ", ".join(f"{whose}: {' '.join(names)}" for whose, names in rows.items()) or "no card"


def _listed(card: SightedCard, calibration: Calibration) -> dict[str, Any]:
    """Return a bidding card in pixels of the picture; ``corner``: its upper left one as its owner sees it."""
    seat = card.seat
    assert seat is not None  # noqa: S101 - cards in the tray are in a seat's compartment
    # a sighted card's angle is modulo 180: of the two the one that stands upright for its owner, within some degrees
    off = (card.angle - TURNED[seat] + 90.0) % 180.0 - 90.0
    turn = np.radians(TURNED[seat] + off)
    right, up = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    middle, w, h = np.array([card.x, card.y]), CARD_WIDTH / 2 * right, CARD_HEIGHT / 2 * up
    ring = calibration.to_pixel([middle - w + h, middle + w + h, middle + w - h, middle - w - h])
    return {**listed_card(card.card, card.confidence, ring), "seat": seat.value, "order": card.order}
