"""Parts of a picture in which keypoints are looked for: all that differs from the ground, and no more."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.faces import keypoints
from vision.faces.ground import Ground, apart_from_ground, regions_to_search

GREEN, WHITE = (60, 96, 34), (228, 232, 235)


def _picture(ground: tuple[int, int, int], noise: float = 2.0) -> np.ndarray:
    rng = np.random.default_rng(3)
    return np.clip(np.full((750, 1000, 3), ground, np.float32) + rng.normal(0, noise, (750, 1000, 3)), 0, 255)


def _boxes(picture: np.ndarray, *read: np.ndarray) -> list[tuple[int, int, int, int]]:
    return regions_to_search(apart_from_ground(picture.astype(np.uint8)), read)


def _lay(picture: np.ndarray, x: int, y: int) -> None:
    """Lay white paper with a red print on it, 134 by 187 px."""
    picture[y : y + 187, x : x + 134] = 240
    picture[y + 40 : y + 150, x + 40 : x + 90] = (30, 30, 190)


@pytest.mark.parametrize("ground", [GREEN, WHITE])
def test_a_bare_ground_holds_nothing_to_look_for(ground: tuple[int, int, int]) -> None:
    assert _boxes(_picture(ground)) == []


def test_each_thing_lies_within_a_box_and_most_of_the_ground_in_none() -> None:
    picture = _picture(GREEN)
    _lay(picture, 100, 100)
    _lay(picture, 650, 400)
    boxes = sorted(_boxes(picture))
    assert len(boxes) == 2
    for (left, top, right, bottom), (x, y) in zip(boxes, ((100, 100), (650, 400)), strict=True):
        assert left <= x - 8
        assert top <= y - 8
        assert right >= x + 134 + 8
        assert bottom >= y + 187 + 8
        assert left % 16 == top % 16 == 0
    assert sum((right - left) * (bottom - top) for left, top, right, bottom in boxes) < 0.2 * 750 * 1000


def test_white_paper_on_white_is_found_by_its_print() -> None:
    picture = _picture(WHITE)
    _lay(picture, 300, 200)
    ((left, top, right, bottom),) = _boxes(picture)
    assert left <= 340 - 8
    assert top <= 240 - 8
    assert right >= 390 + 8
    assert bottom >= 350 + 8


def test_a_card_that_was_read_is_not_looked_for_again_with_its_shadow() -> None:
    picture = _picture(GREEN)
    picture[95:297, 95:243] *= 0.6
    _lay(picture, 100, 100)
    _lay(picture, 650, 400)
    ring = np.array([[100.0, 100.0], [234.0, 100.0], [234.0, 287.0], [100.0, 287.0]])
    assert [box[0] > 500 for box in _boxes(picture, ring)] == [True]


def test_boxes_that_touch_are_one_and_all_stay_within_the_picture() -> None:
    picture = _picture(GREEN)
    for x in (-1, 150, 860):
        _lay(picture, max(0, x), 560)
    for left, top, right, bottom in (boxes := _boxes(picture)):
        assert 0 <= left < right <= 1000
        assert 0 <= top < bottom <= 750
    assert len(boxes) == 2


def test_ground_that_goes_on_beside_a_place_is_told_from_a_patch_of_its_colour_within_a_card() -> None:
    picture = _picture(GREEN)
    _lay(picture, 300, 200)
    picture[250:300, 320:350] = GREEN
    ground = Ground(apart_from_ground(picture.astype(np.uint8)))
    card = np.array([[300.0, 200.0], [434.0, 200.0], [434.0, 387.0], [300.0, 387.0]])
    assert not ground.beside(card)[205:380, 305:430].any()
    assert ground.beside(card + np.array([0.0, 60.0]))[392:440, 310:420].mean() > 240


@pytest.mark.parametrize("kind", [GREEN, WHITE])
def test_light_that_falls_off_across_a_bare_ground_is_no_thing_and_a_card_at_the_rim_stays_one(
    kind: tuple[int, int, int],
) -> None:
    picture = _picture(kind) * np.linspace(0.6, 1.0, 1000)[None, :, None] * np.linspace(0.85, 1.0, 750)[:, None, None]
    assert _boxes(picture) == []
    _lay(picture, 0, 300)
    assert [box[:1] for box in _boxes(picture)] == [(0,)]


def test_keypoints_of_a_large_area_are_found_piece_by_piece_and_are_those_of_the_whole(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """They take 180 bytes of memory a pixel: a card table's whole middle at once took more than all else."""
    rng = np.random.default_rng(7)
    picture = np.full((1100, 700, 3), GREEN, np.uint8)
    for n in range(220):
        x, y = (int(one) for one in rng.integers(20, (670, 1070)))
        cv2.circle(
            picture, (x, y), int(rng.integers(3, 16)), tuple(map(int, rng.integers(0, 255, 3))), -1 if n % 2 else 2
        )
    sizes: list[int] = []
    make = cv2.SIFT.create

    class Counting:
        def __init__(self, **settings: object) -> None:
            self._sift = make(**settings)

        def detectAndCompute(self, part: np.ndarray, mask: None) -> object:  # noqa: N802 - OpenCV's name
            sizes.append(max(part.shape))
            return self._sift.detectAndCompute(part, mask)

    monkeypatch.setattr(keypoints.cv2.SIFT, "create", Counting)
    boxes = [(0, 0, 700, 1100)]
    tiled = keypoints.keypoints_in(picture, boxes, 1.0)
    assert max(sizes) <= keypoints.AT_ONCE + 2 * keypoints.SHARED
    assert len(sizes) > 1
    monkeypatch.setattr(keypoints, "AT_ONCE", 5000)
    whole = keypoints.keypoints_in(picture, boxes, 1.0)
    assert len(whole[0]) > 500
    assert abs(len(tiled[0]) - len(whole[0])) < 0.02 * len(whole[0])
    apart = np.hypot(*(tiled[0][:, None] - whole[0][None]).transpose(2, 0, 1))
    same = np.where(apart < 0.5, tiled[3] @ whole[3].T, 0.0).max(axis=0)
    assert (same > 0.95).mean() > 0.95
