"""Clubs and spades of a level are told by their sign, however their cards were cut out, moved and lit."""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.bidding import BIDS
from hw.twin.scene import BID
from lab.vision.train.bidding_boxes import drawn_box
from vision.faces.box import RIM, twin_of
from vision.faces.prints import BIDDING_FACE, shrunk
from vision.faces.suit_signs import SuitSigns

pytestmark = pytest.mark.slow

Picture = np.ndarray[Any, np.dtype[np.uint8]]
ROOM = 24
"""Cells around a look, from which it is cut out."""
BLACK = [bid for bid in BIDS if bid[1] in "CS"]
BOXES = (8103, 8110, 8112)
"""Drawn boxes whose black suits differ in a sign alone."""


@cache
def _art(box: int, name: str) -> Picture:
    art = drawn_box(box)(f"{BID}{name}", 5.0)
    shown = art[..., 3:] / 255.0
    return np.asarray(art[..., :3] * shown + 235 * (1 - shown), np.uint8)


def _lab(
    box: int, name: str, off: tuple[float, float], gain: float = 1.0, noise: float = 0.0, soft: float = 0.8
) -> Picture:
    """A card in cells with ROOM around it, ``off`` cells to the right and down, lit by ``gain`` with a slope."""
    face = _art(box, name)
    wide, tall = BIDDING_FACE
    large = cv2.copyMakeBorder(cv2.resize(face, (wide * 4, tall * 4)), *[ROOM * 4] * 4, cv2.BORDER_REPLICATE)
    move = np.array([[1.0, 0.0, 4 * off[0]], [0.0, 1.0, 4 * off[1]]])
    large = cv2.warpAffine(large, move, large.shape[1::-1], borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(large, (wide + 2 * ROOM, tall + 2 * ROOM), interpolation=cv2.INTER_AREA).astype(np.float32)
    slope = gain * (1.0 + 0.1 * np.linspace(-1, 1, small.shape[1])[None, :, None])
    grain = np.random.default_rng(7).normal(0.0, noise, small.shape)
    lit = cv2.GaussianBlur((small * slope).astype(np.float32), (0, 0), soft) + grain
    return np.asarray(cv2.cvtColor(np.clip(lit, 0, 255).astype(np.uint8), cv2.COLOR_BGR2LAB), np.uint8)


def _cut(look: Picture) -> Any:
    def cut(size: tuple[int, int], border: int) -> Picture:
        at = ROOM + RIM - border
        return look[at : at + size[1] + 2 * border, at : at + size[0] + 2 * border]

    return cut


def _signs(box: int) -> SuitSigns:
    """The signs of a box whose cards were cut out up to a cell and a half amiss, each in a light of its own."""
    rng = np.random.default_rng(box)
    pictures = {}
    for bid in BIDS:
        off = (float(rng.uniform(-1.5, 1.5)), float(rng.uniform(-1.5, 1.5)))
        face = _lab(box, bid, off, float(rng.uniform(0.75, 1.0)), 2.0)[ROOM:-ROOM, ROOM:-ROOM]
        pictures[bid] = [shrunk(cv2.cvtColor(face, cv2.COLOR_LAB2BGR), BIDDING_FACE)]
    return SuitSigns(pictures)


@pytest.fixture(scope="module")
def signs() -> dict[int, SuitSigns]:
    return {box: _signs(box) for box in BOXES}


OPEN = np.ones((110 - RIM, 35 - RIM), np.bool_)


@settings(max_examples=40, deadline=None)
@given(
    box=st.sampled_from(BOXES),
    name=st.sampled_from(BLACK),
    called=st.booleans(),
    across=st.floats(-1.2, 1.2),
    down=st.floats(-1.2, 1.2),
    gain=st.floats(0.6, 1.0),
    soft=st.floats(0.6, 1.3),
)
def test_each_black_bid_is_told_by_its_sign_whichever_of_both_it_was_taken_for(
    signs: dict[int, SuitSigns],
    box: int,
    name: str,
    called: bool,
    across: float,
    down: float,
    gain: float,
    soft: float,
) -> None:
    taken = name if called else twin_of(name)
    assert taken is not None
    assert signs[box].know(taken)
    look = _lab(box, name, (across, down), gain, 3.0, soft)
    assert signs[box].read(_cut(look), OPEN, taken) in (name, None)


def test_most_of_them_are_told(signs: dict[int, SuitSigns]) -> None:
    told = [
        signs[box].read(_cut(_lab(box, name, (0.7, -0.6), 0.8, 3.0)), OPEN, name) for box in BOXES for name in BLACK
    ]
    assert sum(one is not None for one in told) >= 0.9 * len(told)


def test_a_sign_that_is_covered_or_smeared_or_another_says_nothing(signs: dict[int, SuitSigns]) -> None:
    look = _lab(8110, "3C", (0.0, 0.0))
    covered = OPEN.copy()
    covered[:, 4:] = False
    assert signs[8110].read(_cut(look), covered, "3C") is None
    smeared = cv2.GaussianBlur(look, (0, 0), 6.0)
    assert signs[8110].read(_cut(np.asarray(smeared, np.uint8)), OPEN, "3C") is None
    assert signs[8110].read(_cut(_lab(8110, "P", (0.0, 0.0))), OPEN, "3C") is None
    assert signs[8110].read(_cut(np.full_like(look, 128)), OPEN, "3C") is None


@pytest.mark.parametrize("box", [8107, 8111])
def test_of_a_box_whose_black_suits_have_colours_of_their_own_nothing_is_said(box: int) -> None:
    signs = _signs(box)
    assert not any(signs.know(bid) for bid in BIDS)


def test_of_a_box_without_pictures_and_of_other_calls_nothing_is_known(signs: dict[int, SuitSigns]) -> None:
    assert not SuitSigns({}).know("3C")
    assert not any(signs[8103].know(call) for call in ("3H", "3N", "P", "X", "stop"))
    assert [twin_of(call) for call in ("1C", "7S", "4D", "P")] == ["1S", "7C", None, None]
