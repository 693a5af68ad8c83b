"""Frames of a wide format that were made square are looked at in their own form."""

from __future__ import annotations

import math

import cv2
import numpy as np
import pytest

from hw.pack.raster import face_bgra
from vision.grouping import Corner
from vision.index_reader import FACES as ALL_FACES
from vision.index_reader import IndexReader
from vision.look import find_everywhere
from vision.pictures import Image
from vision.pressed import form_of, form_of_cards, made_wider, stretched
from vision.see import corner_of, faces_told, see_picture, told_cards

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
    reader, picture = IndexReader(), _table(16 / 9, 0.9)  # indices of 12 px: larger ones are read as they are
    readings = find_everywhere(picture, reader)
    assert form_of(picture, readings, reader) == pytest.approx(16 / 9)
    plain = {card.found.face for card in told_cards([corner_of(r) for r in readings])} & set(FACES)
    cards = see_picture(picture, reader)
    assert len({c["card"] for c in cards} & set(FACES)) > len(plain)
    for card in cards:  # places are told in pixels of the picture as it came
        assert 160 < card["corner"][0] < 480
        assert 130 < card["corner"][1] < 510


def test_of_two_looks_the_one_counts_that_tells_more_faces_also_where_two_packs_show_them_twice() -> None:
    """A full HD table of two packs was once seen in a wrong form, 50 cards for 79: fewer faces came twice in it."""

    def told(*faces: str) -> float:
        return faces_told([{"card": face, "confidence": 0.9} for face in faces])

    assert told("7S", "7S", "QC", "QC", "4C") > told("7S", "QC")
    assert told("7S", "QC", "4C") > told("7S", "7S", "QC", "4C")  # the same told, one of it twice
    assert told("7S", "QC", "4C") > told("7S", "7S", "QC", "QC")


def test_a_frame_that_was_not_pressed_is_left_as_it_is() -> None:
    reader, picture = IndexReader(), _table(1.0, 1.7)
    assert form_of(picture, find_everywhere(picture, reader), reader) == 1.0
    assert sorted(c["card"] for c in see_picture(picture, reader)) == sorted(FACES)


@pytest.mark.parametrize(("form", "size"), [(16 / 9, (1138, 640)), (3 / 4, (640, 853))])
def test_a_picture_made_wider_loses_no_pixel(form: float, size: tuple[int, int]) -> None:
    assert made_wider(_table(1.0), form).shape[1::-1] == size


def _corner(face: str, x: float, y: float, turn: float, sure: float = 0.9) -> Corner:
    a = math.radians(turn)
    scores = np.full(len(ALL_FACES) + 1, (1 - sure) / len(ALL_FACES))
    scores[ALL_FACES.index(face)] = sure
    return Corner(x, y, (math.cos(a), math.sin(a)), (-math.sin(a), math.cos(a)), 18.0, scores, 0.8)


def _cards(pressed: float, turns: tuple[float, ...]) -> list[Corner]:
    """Both corners of a card for each turn (degrees), in a picture made so much narrower than it was."""
    corners = []
    for n, turn in enumerate(turns):
        for way in (0.0, 180.0):
            a = math.radians(turn + way)
            x, y = -25 * math.cos(a) + 34 * math.sin(a), -25 * math.sin(a) - 34 * math.cos(a)
            corners.append(_corner(FACES[n], 150 * n + x, y, turn + way))
    return [stretched(c, 1 / pressed) for c in corners]


def _told(corners: list[Corner]) -> list[str]:
    return sorted(card.found.face for card in told_cards(corners))


TURNS = (0.0, 47.0, 94.0, 141.0, 188.0, 235.0)


@pytest.mark.parametrize("pressed", [16 / 9, 4 / 3, 3 / 4, 9 / 16])
def test_cards_that_show_both_indices_say_how_their_picture_was_pressed(pressed: float) -> None:
    corners = _cards(pressed, TURNS)
    assert form_of_cards(corners) == pytest.approx(pressed, rel=0.06)
    assert _told([stretched(c, pressed) for c in corners]) == sorted(FACES)


@pytest.mark.parametrize("turns", [TURNS, TURNS[:2]])
def test_cards_of_one_form_or_too_few_say_that_nothing_was_pressed(turns: tuple[float, ...]) -> None:
    assert form_of_cards(_cards(1.0, turns)) == 1.0
    assert form_of_cards(_cards(16 / 9, TURNS[:2])) == 1.0


def test_faces_that_come_twice_here_and_there_say_nothing() -> None:
    rng = np.random.default_rng(5)
    places = rng.uniform(0, 900, (12, 2))
    corners = [_corner(FACES[n // 2], *places[n], 40.0 * n + 180.0 * (n % 2)) for n in range(12)]
    assert form_of_cards(corners) == 1.0


def test_a_stretched_corner_is_the_same_when_pressed_back() -> None:
    corner = _corner("7S", 120.0, 80.0, 33.0)
    again = stretched(stretched(corner, 1.7), 1 / 1.7)
    assert (again.x, again.y, *again.right, *again.down, again.height) == pytest.approx(
        (corner.x, corner.y, *corner.right, *corner.down, corner.height)
    )


@pytest.mark.parametrize("pressed", [16 / 9, 4 / 3])
def test_no_card_of_a_pressed_frame_is_told_twice(pressed: float) -> None:
    cards = see_picture(_table(pressed, 1.7), IndexReader())
    assert sorted(c["card"] for c in cards) == sorted(FACES)
    assert all(c["corners"] == 2 for c in cards)
