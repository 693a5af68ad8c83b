"""Our own pack: every face drawn, told apart, legible, small."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from hw.cards import CardError
from hw.pack.faces import FACES, back_svg, face_svg
from hw.pack.raster import back_bgra, face_bgra
from hw.pack.style import STYLES, TAVOLO, PackStyle

INDEX_SIDE = (int(11 * 3.4), int(17 * 3.4))


def index_of(card: str, style: PackStyle, variety: str = "red") -> np.ndarray:
    """The top left index at the camera's scale, grey."""
    picture = face_bgra(card, 3.4, style, variety)
    return picture[: INDEX_SIDE[1], : INDEX_SIDE[0], :3].astype(np.int16)


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_every_face_and_back_is_drawn_on_an_opaque_card_with_round_corners(style: PackStyle) -> None:
    pictures = [face_bgra(face, 2.0, style) for face in FACES] + [back_bgra(2.0, style)]
    assert len(pictures) == 54
    for picture in pictures:
        assert picture.shape == (176, 126, 4)
        assert picture[0, 0, 3] < 40
        assert picture[88, 63, 3] == 255
        assert picture[..., :3].std() > 10


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_no_two_indices_look_alike(style: PackStyle) -> None:
    indices = {face: index_of(face, style) for face in FACES}
    for n, one in enumerate(FACES):
        for other in FACES[n + 1 :]:
            differing = np.abs(indices[one] - indices[other]).max(axis=2) > 60
            assert differing.sum() >= 25, f"{one} and {other} look alike"


@pytest.mark.parametrize("style", STYLES, ids=lambda style: style.name)
def test_rank_is_wide_enough_for_a_reader_of_twenty_pixels_and_index_fits_an_overlap_of_18_mm(
    style: PackStyle,
) -> None:
    for face in FACES:
        if face == "JK":
            continue
        picture = face_bgra(face, 10.0, style)[:, :110]
        ink = (picture[..., :3].min(axis=2) < 140) & (picture[..., 3] == 255)
        rank = ink[: round((style.margin_y + style.rank_height + 0.2) * 10)]
        columns, rows = np.flatnonzero(rank[6:, 6:].any(axis=0)), np.flatnonzero(rank[6:, 6:].any(axis=1))
        assert 4.7 <= (columns[-1] - columns[0]) / 10 <= 8.2, face
        assert 7.0 <= (rows[-1] - rows[0]) / 10 <= 10.2, face
        assert style.margin_y + style.rank_height + style.suit_height <= 18


def test_a_face_turned_half_round_shows_the_same_index() -> None:
    for face in FACES:
        picture = face_bgra(face, 4.0, TAVOLO)
        turned = picture[::-1, ::-1]
        part = np.s_[: INDEX_SIDE[1], : INDEX_SIDE[0], :3]
        assert np.abs(picture[part].astype(int) - turned[part].astype(int)).mean() < 6, face


def test_faces_are_small_svgs_without_fonts_or_outside_references() -> None:
    for style in STYLES:
        for text in [*(face_svg(face, style) for face in FACES), back_svg(style)]:
            assert len(text) < 12_000
            for word in ("<text", "font", 'href="http', "url(http", "<image", "<script"):
                assert word not in text


def test_width_sets_the_size_on_a_page() -> None:
    assert 'width="63" height="88"' in face_svg("7H", width=63)
    assert 'width="63mm"' in face_svg("7H#2")


def test_joker_comes_in_two_colours_with_the_same_figure() -> None:
    red, black = face_bgra("JK", 3.0, TAVOLO, "red"), face_bgra("JK", 3.0, TAVOLO, "black")
    assert np.abs(red.astype(int) - black.astype(int)).max() > 80


def test_both_backs_are_the_same_from_either_end_and_tell_the_packs_apart() -> None:
    blue, red = back_bgra(4.0, TAVOLO, "blue"), back_bgra(4.0, TAVOLO, "red")
    assert np.abs(blue.astype(int) - blue[::-1, ::-1]).mean() < 4
    assert np.abs(blue.astype(int) - red.astype(int)).mean() > 20


@pytest.mark.parametrize("card", ["??", "1H", "H7", "", "t20"])
def test_a_card_outside_the_pack_is_refused_in_one_sentence(card: str) -> None:
    with pytest.raises(CardError, match="is no card of this pack"):
        face_svg(card)


def test_faces_for_pages_need_neither_numpy_nor_opencv() -> None:
    code = "import sys, hw, hw.pack.faces; print(sorted({'cv2', 'numpy', 'resvg_py'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
