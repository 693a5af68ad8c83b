"""Frames of a wide format that were made square are looked at in their own form."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from hw.pack.raster import face_bgra
from vision.index_reader import Reader
from vision.look import find_everywhere
from vision.pictures import Image
from vision.pressed import form_of, made_wider
from vision.see import corner_of, see_picture, told_cards

FACES = ("7S", "QC", "4C", "8S", "KC", "9S")


def _table(pressed: float, per_mm: float = 1.2) -> Image:
    """Six cards, each turned another way, on a frame that was ``pressed`` times as wide before it was made square."""
    out = np.full((640, 640, 3), (60, 96, 34), np.uint8)
    for n, name in enumerate(FACES):
        card = cv2.GaussianBlur(face_bgra(name, px_per_mm=4), (0, 0), 4 / per_mm * 0.45)
        c, s = np.cos(np.deg2rad(47 * n)), np.sin(np.deg2rad(47 * n))
        linear = np.diag([per_mm / pressed, per_mm]) @ np.array([[c, -s], [s, c]]) / 4
        middle = np.array([320 + (n % 3 - 1) * 126 * per_mm / pressed, 320 + (n // 3 - 0.5) * 132 * per_mm])
        view = np.column_stack([linear, middle - linear @ np.array([card.shape[1] / 2, card.shape[0] / 2])])
        seen = cv2.warpAffine(card, view, (640, 640))
        share = seen[..., 3:].astype(np.float32) / 255
        out = (out * (1 - share) + seen[..., :3] * share).astype(np.uint8)
    return np.asarray(out, np.uint8)


def test_a_frame_pressed_to_a_square_is_seen_in_its_own_form() -> None:
    reader, picture = Reader(), _table(16 / 9)
    readings = find_everywhere(picture, reader)
    assert form_of(picture, readings, reader) == pytest.approx(16 / 9)
    plain = {card.found.face for card in told_cards([corner_of(r) for r in readings])} & set(FACES)
    cards = see_picture(picture, reader)
    assert len({c["card"] for c in cards} & set(FACES)) > len(plain)
    for card in cards:  # places are told in pixels of the picture as it came
        assert 160 < card["corner"][0] < 480
        assert 130 < card["corner"][1] < 510


def test_a_frame_that_was_not_pressed_is_left_as_it_is() -> None:
    reader, picture = Reader(), _table(1.0, 1.7)
    assert form_of(picture, find_everywhere(picture, reader), reader) == 1.0
    assert sorted(c["card"] for c in see_picture(picture, reader)) == sorted(FACES)


@pytest.mark.parametrize(("form", "size"), [(16 / 9, (1138, 640)), (3 / 4, (640, 853))])
def test_a_picture_made_wider_loses_no_pixel(form: float, size: tuple[int, int]) -> None:
    assert made_wider(_table(1.0), form).shape[1::-1] == size
