"""One card is told once however aslant the table is seen and however the frame is pressed; two of one face stay two."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace

import cv2
import numpy as np
import pytest

from hw.pack.raster import face_bgra
from vision import see
from vision.grouping import Corner
from vision.index_reader import FACES, IndexReader
from vision.plane_form import AS_IT_IS, PlaneForm, form_of_plane
from vision.see import see_picture, told_cards

HEIGHT = 20.0
ACROSS, DOWN = 4.0 * HEIGHT, 6.6 * HEIGHT
"""From index to index of a card as printed, px."""


def index(face: str, place: tuple[float, float], turn: float) -> Corner:
    scores = np.full(len(FACES) + 1, 0.002)
    scores[FACES.index(face)] = 0.99
    right = (math.cos(turn), math.sin(turn))
    return Corner(*place, right, (-right[1], right[0]), HEIGHT, scores / scores.sum())


def card(face: str, centre: tuple[float, float], turn: float, ends: str = "abcd") -> list[Corner]:
    """The indices of a card: ``a`` and ``b`` at its upper end, ``c`` and ``d`` (on their heads) at the lower."""
    right = np.array([math.cos(turn), math.sin(turn)])
    down = np.array([-right[1], right[0]])
    places = {"a": (-0.5, -0.5, 0.0), "b": (0.5, -0.5, 0.0), "c": (0.5, 0.5, math.pi), "d": (-0.5, 0.5, math.pi)}
    shown = []
    for end in ends:
        across, along, turned = places[end]
        x, y = np.array(centre) + across * ACROSS * right + along * DOWN * down
        shown.append(index(face, (float(x), float(y)), turn + turned))
    return shown


def cards_of(faces: str, ends: str = "abcd") -> list[Corner]:
    """Cards in a ring, each turned otherwise."""
    corners = []
    for n, face in enumerate(faces.split()):
        around = n * 2 * math.pi / len(faces.split())
        corners += card(face, (600 + 260 * math.cos(around), 600 + 260 * math.sin(around)), 0.9 * n, ends)
    return corners


def told(corners: list[Corner]) -> list[str]:
    plane = form_of_plane(corners)
    return sorted(c.found.face for c in told_cards([plane.corner(c) for c in corners]))


@pytest.mark.parametrize("direction", [0.0, 30.0, 90.0, 115.0])
@pytest.mark.parametrize("stretch", [1.5, 1.9])
def test_cards_of_four_indices_seen_aslant_are_told_once(stretch: float, direction: float) -> None:
    pressed = PlaneForm.drawn_out(1 / stretch, math.radians(direction))
    assert told([pressed.corner(c) for c in cards_of("6S 7H QD 2C KS")]) == ["2C", "6S", "7H", "KS", "QD"]


def test_without_the_form_they_are_told_more_than_once() -> None:
    pressed = PlaneForm.drawn_out(1 / 1.9, math.radians(30.0))
    corners = [pressed.corner(c) for c in cards_of("6S 7H QD 2C KS")]
    assert max(Counter(c.found.face for c in told_cards(corners)).values()) > 1


@pytest.mark.parametrize("stretch", [1.0, 1.5])
def test_two_cards_of_one_face_stay_two(stretch: float) -> None:
    pressed = PlaneForm.drawn_out(1 / stretch, 0.0)
    assert told([pressed.corner(c) for c in cards_of("6S 7H 6S 2C 2C")]) == ["2C", "2C", "6S", "6S", "7H"]


def test_a_picture_in_which_nothing_is_told_twice_is_left_as_it_is() -> None:
    assert form_of_plane(cards_of("6S 7H QD 2C KS")) is AS_IT_IS
    assert form_of_plane([]) is AS_IT_IS


def test_packs_of_two_indices_are_left_as_they_are() -> None:
    assert form_of_plane(cards_of("6S 7H 6S 2C 2C", "ac")) is AS_IT_IS


def test_two_equal_cards_of_melds_beside_each_other_are_no_card_of_four_indices() -> None:
    """Three columns as a phone showed them: in one form the twos of spades of two columns look like one card."""
    seen = [
        ("6S", 501, 842, 0.3, 122), ("5S", 492, 973, -0.9, 135), ("4S", 493, 1136, 0.6, 126),
        ("3S", 499, 1224, 3.7, 122), ("2S", 477, 1349, 4.0, 108), ("2S", 817, 1828, -178.7, 122),
        ("JD", 1003, 979, 1.9, 131), ("2S", 998, 1065, 4.1, 114), ("JC", 997, 1187, 2.0, 127),
        ("JC", 1341, 1684, -177.5, 128), ("5D", 1481, 933, -1.8, 109), ("5S", 1484, 1042, -0.4, 124),
        ("5H", 1504, 1172, -3.5, 120), ("5H", 1927, 1643, 177.5, 116),
    ]  # fmt: skip
    corners = [replace(index(face, (x, y), math.radians(turn)), height=float(tall)) for face, x, y, turn, tall in seen]
    assert form_of_plane(corners) is AS_IT_IS
    assert told(corners) == sorted(["6S", "5S", "4S", "3S", "2S", "JD", "2S", "JC", "5D", "5S", "5H"])


def test_indices_that_join_to_no_card_in_any_form_raise_nothing() -> None:
    """Four of one face heaped on one spot, turned every way."""
    corners = [index("6S", (300.0 + n, 300.0), 0.7 * n) for n in range(4)]
    assert isinstance(form_of_plane(corners), PlaneForm)


def test_what_is_drawn_out_comes_back_to_its_place() -> None:
    plane = PlaneForm.drawn_out(1.65, math.radians(30.0))
    corner = index("7H", (123.0, 45.0), 0.4)
    there = plane.corner(corner)
    back = plane.back(np.array([(there.x + 0.5, there.y + 0.5)]))[0] - 0.5
    assert np.allclose(back, (corner.x, corner.y))
    assert there.height > corner.height
    assert math.isclose(math.hypot(*there.down), 1.0)
    assert math.isclose(there.down[0] * there.right[0] + there.down[1] * there.right[1], 0.0, abs_tol=1e-9)


def test_boxes_of_a_picture_that_was_drawn_out_lie_on_their_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two corners of each face are painted anew at the other two places: a pack with four indices, pressed."""
    cloth = np.full((900, 900, 3), (60, 110, 40), np.uint8)
    places = {"7H": (60, 80), "TC": (360, 70), "5D": (620, 90), "9S": (200, 480), "KC": (540, 500)}
    for name, (left, top) in places.items():
        face = face_bgra(name, px_per_mm=3.4)[..., :3].copy()
        high, wide = face.shape[0] // 4, face.shape[1] // 5
        face[:high, -wide:] = face[:high, :wide]
        face[-high:, :wide] = face[-high:, -wide:]
        cloth[top : top + face.shape[0], left : left + face.shape[1]] = face
    turn = cv2.getRotationMatrix2D((450.0, 450.0), 30.0, 0.8)
    turned = cv2.warpAffine(cloth, turn, (900, 900), borderValue=(60, 110, 40))
    pressed = np.asarray(cv2.resize(turned, (400, 900), interpolation=cv2.INTER_AREA), np.uint8)
    forms: list[PlaneForm] = []
    monkeypatch.setattr(see, "form_of_plane", lambda corners: forms.append(form_of_plane(corners)) or forms[-1])
    seen = see_picture(pressed, IndexReader())
    assert [form for form in forms if form is not AS_IT_IS]
    assert sorted(c["card"] for c in seen) == sorted(places)
    for one in seen:
        left, top = places[one["card"]]
        middle = turn @ (left + 28.5 * 3.4, top + 44 * 3.4, 1.0) * (400 / 900, 1.0)
        assert one["box"][0] < middle[0] < one["box"][2]
        assert one["box"][1] < middle[1] < one["box"][3]
