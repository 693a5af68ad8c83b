"""Our own tarocco bolognese: 62 faces without an index, told apart by an eye and by the reader of whole faces."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from hw.cards import TAROCCO, CardError
from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.pack.drawn import tarocco_drawing
from hw.pack.raster import drawn_bgra, face_bgra
from hw.pack.tarocco import ALIKE, FACES, tarocco_back_svg, tarocco_svg
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.scene import PlacedCard, Scene
from vision.faces.index import FaceIndex
from vision.faces.prints import face_print

DOUBLE = tuple(face for face in FACES if len(face) != 2 or face[0] in "FCQKmt")
"""Trumps and figures: they read from both ends."""


def seen(face: str) -> np.ndarray:
    """The face at two pixels a millimetre."""
    return drawn_bgra(tarocco_drawing, face, 2.0)[..., :3].astype(np.int16)


def test_every_card_of_the_pack_and_its_back_is_drawn_on_an_opaque_card_with_round_corners() -> None:
    assert set(FACES) == set(TAROCCO.copies)
    for face in (*FACES, "back"):
        picture = drawn_bgra(tarocco_drawing, face, 2.0)
        assert picture.shape == (176, 126, 4)
        assert picture[0, 0, 3] < 40
        assert picture[88, 63, 3] == 255
        assert picture[..., :3].std() > 10


def test_no_two_faces_look_alike_but_two_of_the_mori_which_are_one_picture() -> None:
    pictures = {face: seen(face) for face in FACES}
    for n, one in enumerate(FACES):
        for other in FACES[n + 1 :]:
            upright = (np.abs(pictures[one] - pictures[other]).max(axis=2) > 60).mean()
            turned = (np.abs(pictures[one] - pictures[other][::-1, ::-1]).max(axis=2) > 60).mean()
            if {one, other} == set(ALIKE):
                assert upright == 0
            else:
                assert min(upright, turned) > 0.01, f"{one} and {other} look alike"


def test_the_reader_of_whole_faces_tells_all_apart_but_those_two_mori() -> None:
    whole = {face: [face_print(drawn_bgra(tarocco_drawing, face, 4.0)[..., :3].copy())] for face in FACES}
    alike = FaceIndex.of(whole).alike
    assert {face: set(others) for face, others in alike.items() if others} == {"m3": {"m4"}, "m4": {"m3"}}


def test_figures_and_trumps_read_from_both_ends() -> None:
    for face in DOUBLE:
        apart = np.abs(seen(face) - seen(face)[::-1, ::-1]).mean()
        assert apart < 6, face


def test_the_margin_is_blank_so_that_no_corner_carries_an_index() -> None:
    for face in FACES:
        margin = drawn_bgra(tarocco_drawing, face, 4.0)[4:12, 16:-16, :3]
        assert margin.std(axis=(0, 1)).max() < 3, face


def test_faces_are_small_svgs_without_fonts_or_outside_references() -> None:
    for text in (*(tarocco_svg(face) for face in FACES), tarocco_back_svg()):
        assert len(text) < 15_000
        for word in ("<text", "font", 'href="http', "url(http", "<image", "<script"):
            assert word not in text


def test_it_is_not_the_french_pack() -> None:
    assert np.abs(seen("KC") - face_bgra("KC", 2.0)[..., :3].astype(np.int16)).mean() > 20


@pytest.mark.parametrize("card", ["??", "7H", "t4", "m5", "", "JK"])
def test_a_card_outside_the_pack_is_refused_in_one_sentence(card: str) -> None:
    with pytest.raises(CardError, match="is no card of this pack"):
        tarocco_svg(card)


def test_faces_for_pages_need_neither_numpy_nor_opencv() -> None:
    code = "import sys, hw, hw.pack.tarocco; print(sorted({'cv2', 'numpy', 'resvg_py'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_twins_camera_sees_the_cards_of_the_pack_that_is_played() -> None:
    scene = Scene(
        0.0, (PlacedCard("t17#1", -60.0, 0.0, 0.0, face_up=True), PlacedCard("KC#1", 60.0, 0.0, 0.0, face_up=True))
    )
    seen = []
    for drawing in (tarocco_drawing, None):
        if drawing is None:
            scene = Scene(0.0, scene.cards[1:])
        camera = Camera(TAROCCO_LAYOUT, width=760, height=760, artwork=artwork_of(drawing), equipment=TAROCCO_TABLE)
        frame = camera.render(scene)
        (x0, y0), (x1, y1) = camera.project(30, 40), camera.project(90, -40)
        seen.append(frame[int(y0) : int(y1), int(x0) : int(x1)].astype(np.int16))
        if drawing is not None:
            column, row = camera.project(-82.0, 20.0)  # the night's ground on the Luna
            blue, _, red = frame[int(row), int(column)].tolist()
            assert blue > red + 25
    assert np.abs(seen[0] - seen[1]).mean() > 10  # coppe, not clubs
