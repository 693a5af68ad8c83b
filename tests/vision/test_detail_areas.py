"""Bare ground is not looked at for indices, and what is found is the same as if it were."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.pack.raster import face_bgra
from vision.detail_areas import Areas, detail_areas
from vision.finder import Finder

Picture = np.ndarray[Any, np.dtype[np.uint8]]


def _cloth(width: int, height: int, noise: float = 3.0, seed: int = 7) -> Picture:
    rng = np.random.default_rng(seed)
    cloth = np.array([60.0, 110.0, 30.0]) + rng.normal(0.0, noise, (height, width, 3))
    return np.asarray(np.clip(cloth, 0, 255), np.uint8)


def _laid(picture: Picture, card: str, x: int, y: int, per_mm: float = 2.6) -> None:
    """Lay a card with its upper left corner at a pixel, as far as it lies within the picture."""
    face = face_bgra(card, per_mm)
    height, width = picture.shape[:2]
    face = face[max(0, -y) : height - y, max(0, -x) : width - x]
    left, top = max(0, x), max(0, y)
    there = picture[top : top + face.shape[0], left : left + face.shape[1]]
    shown = face[..., 3:] / 255.0
    there[:] = (face[..., :3] * shown + there * (1 - shown)).astype(np.uint8)


def _found(finder: Finder, picture: Picture) -> list[tuple[int, int, float]]:
    """What the finder finds, as pixels and heat."""
    return sorted((round(s.x), round(s.y), round(s.heat, 1)) for s in finder.find(picture))


@pytest.fixture(scope="module")
def finder() -> Finder:
    return Finder()


@pytest.mark.parametrize("size", [(1920, 1080), (1919, 1077), (1003, 701)])
def test_the_same_is_found_as_in_the_whole_picture(
    finder: Finder, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards in the middle, at every edge, and cut off by one."""
    width, height = size
    picture = _cloth(width, height)
    for card, x, y in (
        ("7H", 320, 200),
        ("KS", 420, 215),
        ("QD", width - 90, height - 170),
        ("AC", -60, 300),
        ("9S", 610, -150),
    ):
        _laid(picture, card, x, y)
    areas = detail_areas(picture)
    assert areas is not None
    assert sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in areas.boxes) < 0.75 * width * height
    found = _found(finder, picture)
    assert len(found) >= 6
    monkeypatch.setattr("vision.finder.detail_areas", lambda _: None)
    assert found == _found(finder, picture)


def test_of_bare_cloth_nothing_is_looked_at(finder: Finder) -> None:
    areas = detail_areas(_cloth(1280, 720))
    assert areas is not None
    assert areas.boxes == ()
    assert finder.find(_cloth(1280, 720)) == []


def test_small_pictures_and_noisy_ones_are_looked_at_whole() -> None:
    assert detail_areas(_cloth(600, 400)) is None
    assert detail_areas(_cloth(1280, 720, noise=25.0)) is None


@settings(max_examples=25, deadline=None)
@given(
    x=st.integers(0, 1279),
    y=st.integers(0, 719),
    wide=st.integers(4, 30),
    tall=st.integers(4, 40),
    step=st.integers(45, 120),
)
def test_every_mark_lies_in_an_area_with_what_is_around_it(x: int, y: int, wide: int, tall: int, step: int) -> None:
    """However small and faint ink is, and wherever it lies."""
    picture = _cloth(1280, 720)
    picture[y : y + tall, x : x + wide] += np.uint8(step)
    areas = detail_areas(picture)
    assert isinstance(areas, Areas)
    assert areas.counts(x, y)
    assert any(
        x0 <= max(0, x - 80) and min(1280, x + 80) <= x1 and y0 <= max(0, y - 80) and min(720, y + 80) <= y1
        for x0, y0, x1, y1 in areas.boxes
    )
