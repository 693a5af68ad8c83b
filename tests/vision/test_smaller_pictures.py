"""A picture made smaller by halves is the picture made smaller at once, but for a few grey levels at edges."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.smaller_pictures import made_smaller


def _scene(wide: int, high: int) -> np.ndarray:
    rng = np.random.default_rng(wide * high)
    coarse = rng.integers(0, 255, (high // 60, wide // 60, 3), np.uint8)
    return np.asarray(cv2.resize(coarse, (wide, high), interpolation=cv2.INTER_CUBIC), np.uint8)


@pytest.mark.parametrize("size", [(1100, 825), (1000, 750), (433, 325), (1999, 1499), (2000, 1500), (4100, 3000)])
@pytest.mark.parametrize("taken", [(4000, 3000), (4001, 3001), (3464, 3464)])
def test_a_picture_is_the_mean_of_what_it_covers(taken: tuple[int, int], size: tuple[int, int]) -> None:
    picture = _scene(*taken)
    small, at_once = made_smaller(picture, size), cv2.resize(picture, size, interpolation=cv2.INTER_AREA)
    assert small.shape == at_once.shape
    off = np.abs(small.astype(np.int16) - at_once)
    assert off.mean() < 2.0
    assert np.percentile(off, 99) <= 10


def test_where_whole_pixels_go_into_each_it_is_exactly_that() -> None:
    picture = _scene(4000, 3000)
    for share in (2, 4, 8):
        size = (4000 // share, 3000 // share)
        assert np.array_equal(made_smaller(picture, size), cv2.resize(picture, size, interpolation=cv2.INTER_AREA))
