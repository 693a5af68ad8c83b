"""What the tests of photographs share: one reader, tables drawn from our own pack."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from hw.pack.raster import face_bgra
from vision.index_reader import IndexReader

PX = 4.0
"""Pixels per millimetre."""
CLOTH = (62, 104, 44)
STEP, APART, MARGIN = 20.0, 76.0, 40.0
"""Millimetres from card to card of a meld, from meld to meld, and around them."""

Picture = NDArray[np.uint8]
Draw = Callable[..., Picture]


@pytest.fixture(scope="session")
def reader() -> IndexReader:
    return IndexReader()


@pytest.fixture(scope="session")
def drawn() -> Draw:
    """Draws melds as columns beside each other, each card upon the one above it, as a phone takes them from above."""
    return _drawn


def _drawn(
    columns: Sequence[Sequence[str]], hidden: Sequence[tuple[int, int]] = (), cloth: tuple[int, int, int] = CLOTH
) -> Picture:
    """``hidden``: (column, place) of cards whose indices are blank, so that they cannot be read."""
    longest = max(map(len, columns))
    high = round((2 * MARGIN + 88 + STEP * (longest - 1)) * PX)
    picture = np.full((high, round((2 * MARGIN + APART * len(columns)) * PX), 3), cloth, np.uint8)
    for n, column in enumerate(columns):
        for k, card in enumerate(column):
            face = face_bgra(card, PX).copy()
            if (n, k) in hidden:
                face[: round(24 * PX), :, :3] = 250
                face[-round(24 * PX) :, :, :3] = 250
            _paste(picture, face, round((MARGIN + n * APART) * PX), round((MARGIN + k * STEP) * PX))
    soft = cv2.GaussianBlur(picture, (0, 0), 0.8).astype(np.float32)
    noise = np.random.default_rng(7).normal(0, 2, soft.shape)
    return np.clip(soft + noise, 0, 255).astype(np.uint8)


@pytest.fixture(scope="session")
def spread() -> Callable[[Mapping[str, Sequence[str]]], Picture]:
    """Draws hands by seat, each as a row before its seat, as a phone takes the table from South's side."""
    return _spread


def _spread(hands: Mapping[str, Sequence[str]]) -> Picture:
    step, margin = 16.0, 30.0
    side = 63 + 12 * step + 2 * (88 + margin) + 124
    picture = np.full((round(side * PX), round(side * PX), 3), CLOTH, np.uint8)
    for seat in "SENW":  # each at the lower side, and the table turned on
        hand = hands.get(seat, ())
        left = (side - 63 - step * (len(hand) - 1)) / 2
        for k, card in enumerate(hand):
            _paste(picture, face_bgra(card, PX), round((left + k * step) * PX), round((side - margin - 88) * PX))
        picture = np.ascontiguousarray(np.rot90(picture, -1))
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.8), np.uint8)


def _paste(picture: Picture, face: Picture, x: int, y: int) -> None:
    """Lay a card on the picture, its upper left corner at (x, y), its edge drawn as a thin line."""
    part, alpha = picture[y : y + face.shape[0], x : x + face.shape[1]], face[..., 3:] / 255.0
    part[:] = (part * (1 - alpha) + face[..., :3] * alpha).astype(np.uint8)
    cv2.rectangle(picture, (x, y), (x + face.shape[1] - 1, y + face.shape[0] - 1), (150, 150, 150), 1)
