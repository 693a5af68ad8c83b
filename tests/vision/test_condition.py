"""A camera that is covered, dark, blinded, frozen, soft or silent is told within two seconds, and believed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import cycle

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.condition import Condition, ConditionChange, Image

FPS = 10
RNG = np.random.default_rng(4)


def _scene(seed: int = 0) -> Image:
    """Felt, cards and four sharp squares at the corners; each frame has its own noise."""
    picture = np.full((480, 640, 3), (60, 110, 50), np.uint8)
    for x, y in ((40, 40), (560, 40), (40, 400), (560, 400)):
        picture[y : y + 40 : 8, x : x + 40] = 255
    for n in range(6):
        cv2.rectangle(picture, (120 + 70 * n, 180), (175 + 70 * n, 260), (250, 250, 250), -1)
    return _noisy(picture)


def _noisy(picture: Image) -> Image:
    return np.asarray(np.clip(picture + next(_noises()), 0, 255), np.uint8)


@cache
def _noises() -> Iterator[NDArray[np.int16]]:
    """Noise of seven frames, again and again: each differs from the one before."""
    return cycle([RNG.normal(0, 2, (480, 640, 3)).round().astype(np.int16) for _ in range(7)])


BOXES = ((40, 40, 80, 80), (560, 40, 600, 80), (40, 400, 80, 440), (560, 400, 600, 440))


def _covered() -> Image:
    return _noisy(np.full((480, 640, 3), (90, 110, 150), np.uint8))


def _black() -> Image:
    return _noisy(np.full((480, 640, 3), 3, np.uint8))


def _blinded() -> Image:
    return _noisy(np.full((480, 640, 3), 254, np.uint8))


def _soft() -> Image:
    return _noisy(np.asarray(cv2.GaussianBlur(_scene(), (0, 0), 9), np.uint8))


def _run(condition: Condition, frames: Callable[[], Image], start: float, seconds: float) -> list[ConditionChange]:
    told = [condition.frame(start + n / FPS, frames()) for n in range(int(seconds * FPS))]
    return [one for one in told if one is not None]


@pytest.fixture
def condition() -> Condition:
    made = Condition()
    first = _scene()
    assert made.frame(0.0, first) is None
    made.focus_on(BOXES, first)
    assert _run(made, _scene, 0.1, 2.0) == []
    return made


@pytest.mark.parametrize(
    ("frames", "word"), [(_covered, "covered"), (_black, "black"), (_blinded, "blinded"), (_soft, "focus")]
)
def test_a_camera_that_cannot_see_is_told_within_two_seconds_and_believed_again(
    condition: Condition, frames: Callable[[], Image], word: str
) -> None:
    (told,) = _run(condition, frames, 10.0, 4.0)
    assert not told.well
    assert word in told.note
    assert told.t - 10.0 <= 2.0
    assert not condition.well
    (again,) = _run(condition, _scene, 20.0, 2.0)
    assert again.well
    assert again.t - 20.0 <= 2.0


def test_a_frozen_picture_is_told_although_it_looks_perfect(condition: Condition) -> None:
    still = _scene()
    (told,) = _run(condition, lambda: still, 10.0, 3.0)
    assert "does not change" in told.note
    assert told.t - 10.0 <= 2.0


def test_a_camera_that_gives_no_frames_is_told_and_well_again_with_the_next_ones(condition: Condition) -> None:
    assert condition.tick(2.5) is None
    told = condition.tick(3.5)
    assert told is not None
    assert not told.well
    assert condition.tick(4.0) is None, "told once"
    (again,) = _run(condition, _scene, 5.0, 1.0)
    assert again.well


def test_a_hand_over_the_lens_for_half_a_second_changes_nothing(condition: Condition) -> None:
    assert _run(condition, _covered, 10.0, 0.5) == []
    assert _run(condition, _scene, 10.5, 2.0) == []
    assert condition.well


def test_one_trouble_that_turns_into_another_is_one_trouble(condition: Condition) -> None:
    told = [*_run(condition, _covered, 10.0, 0.8), *_run(condition, _black, 10.8, 3.0)]
    assert len(told) == 1
    assert told[0].t - 10.0 <= 2.0
