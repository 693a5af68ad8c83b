"""The walk's camera and light on the twin's camera at full size: good pictures pass, each fault of one is named."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.twin.camera import Camera
from hw.twin.scene import Scene
from table_service.sensor_check.looked import CameraTrial, CoverTrial, Lit, Sharp
from table_service.sensor_check.sensor_faults import Finding
from table_service.sensor_check.tasks import Task, tasks
from table_service.sensor_check.trial import Image, Standing
from tests.sensor_check.conftest import Walk, a_table

STEP_S = 0.5


@pytest.fixture(scope="module")
def pictures() -> list[Image]:
    """Six frames of the empty table."""
    camera = Camera(seed=4, width=3040, height=3040)
    return [camera.render(Scene(STEP_S * n, ())).copy() for n in range(6)]


def _task(way: str, rules: str = "fibur2024") -> Task:
    table = a_table("/dev/no-gates", "/dev/no-seats", camera=True)
    table = table.model_copy(update={"table": table.table.model_copy(update={"rules": rules})})
    return next(task for task in tasks(table) if task.item.way == way)


def _found(
    kind: type[CameraTrial], way: str, frames: list[Image], notes: tuple[str, ...] = (), rules: str = "fibur2024"
) -> dict[str, dict[str, Any]]:
    trial = kind(_task(way, rules), Standing(), 0.0, DEFAULT_LAYOUT)
    trial.notes = notes
    now = 0.0
    while not trial.done:
        assert now < 60
        trial.see(frames[round(now / STEP_S) % len(frames)], now)
        trial.fed(now)
        now += STEP_S
        trial.advance(now, now)
    return {one.code: dict(one.values) for one in trial.findings}


def test_a_good_camera_over_a_well_lit_table_passes(pictures: list[Image]) -> None:
    assert _found(Sharp, "picture", pictures) == {}
    assert _found(Lit, "light", pictures) == {}


def test_a_blurred_camera_is_named_with_the_marker_that_shows_it(pictures: list[Image]) -> None:
    found = _found(Sharp, "picture", [cv2.GaussianBlur(one, (0, 0), 3.0) for one in pictures])
    assert set(found) == {"blurred"}
    assert found["blurred"]["px"] > 4.5


@pytest.mark.parametrize(
    ("px", "rules", "found"),
    [
        (800, "fibur2024", {"coarse-index"}),
        (1080, "fibur2024", set()),
        (1080, "bridge", set()),
        (1080, "tarocco", {"coarse-face"}),
        (1440, "tarocco", set()),
    ],
)
def test_how_small_a_picture_does_follows_from_what_is_read_of_the_cards(
    pictures: list[Image], px: int, rules: str, found: set[str]
) -> None:
    small = [cv2.resize(one, (px, px), interpolation=cv2.INTER_AREA) for one in pictures]
    told = _found(Sharp, "picture", small, rules=rules)
    assert set(told) == found
    for values in told.values():
        assert values["px"] < values["needed"]


def test_what_is_to_be_done_about_a_small_picture_is_said_in_both_languages() -> None:
    finding = Finding("coarse-face", "camera", {"px": 1.108, "needed": 1.36, "place": "x +430 mm, y +430 mm"})
    assert "1.11 pixels a millimetre" in finding.sentence(italian=False)
    assert "hang it nearer" in finding.sentence(italian=False)
    assert "ne servono 1.36: avvicinala" in finding.sentence(italian=True)


def test_a_marker_that_is_covered_is_counted(pictures: list[Image]) -> None:
    covered = [one.copy() for one in pictures]
    for one in covered:
        one[:400, :400] = 60
    assert _found(Sharp, "picture", covered)["markers"]["count"] == 3
    for one in covered:
        one[-400:, :] = 60
    assert _found(Sharp, "picture", covered)["markers"]["count"] == 1


def test_what_the_camera_could_not_lock_is_told(pictures: list[Image]) -> None:
    found = _found(Sharp, "picture", pictures, ("this camera cannot lock its exposure",))
    assert found == {"unlocked": {"why": "this camera cannot lock its exposure"}}


def test_light_from_one_side_is_uneven(pictures: list[Image]) -> None:
    slope = np.linspace(1.0, 0.45, 3040)[None, :, None]
    found = _found(Lit, "light", [(one * slope).astype(np.uint8) for one in pictures])
    assert set(found) == {"uneven"}
    assert found["uneven"]["place"].startswith("x +")


def test_a_lamp_that_bands_the_picture_flickers(pictures: list[Image]) -> None:
    rows = np.arange(3040) / 3040
    banded = [
        np.clip(one * (1 + 0.06 * np.sin(2 * np.pi * (3 * rows + 0.37 * n)))[:, None, None], 0, 255).astype(np.uint8)
        for n, one in enumerate(pictures)
    ]
    assert set(_found(Lit, "light", banded)) == {"flicker"}


def test_a_lamp_that_mirrors_in_the_cloth_is_placed(pictures: list[Image]) -> None:
    glaring = [cv2.circle(one.copy(), (2000, 1000), 120, (255, 255, 255), -1) for one in pictures]
    found = _found(Lit, "light", glaring)
    assert set(found) == {"glare"}
    assert found["glare"]["place"].startswith("x +")


def test_a_covered_lens_is_noticed_and_one_that_is_never_covered_is_told(pictures: list[Image]) -> None:
    black = [np.zeros_like(pictures[0]) + np.uint8(n % 3) for n in range(6)]
    trial = CoverTrial(_task("cover"), Standing(), 0.0, DEFAULT_LAYOUT)
    now = 0.0
    while not trial.done:
        frames = black if 1.0 <= now < 5.0 else pictures
        trial.see(frames[round(now / STEP_S) % 6], now)
        trial.fed(now)
        now += STEP_S
        trial.advance(now, now)
    assert not trial.findings
    assert set(_found(CoverTrial, "cover", pictures)) == {"cover-unnoticed"}


def test_a_camera_that_gives_nothing_is_told_at_once() -> None:
    trial = Sharp(_task("picture"), Standing(), 0.0, DEFAULT_LAYOUT)
    trial.problem = "the Pi's camera cannot be opened"
    trial.advance(0.1, 0.1)
    assert [one.code for one in trial.findings] == ["no-picture"]


@pytest.mark.slow
def test_cards_laid_before_the_camera_are_read_and_counted(walk: Walk) -> None:
    done = walk(None, "camera", "reading", quick=False, only=lambda task: task.item.way in ("picture", "sight"))
    assert done.found == set()
    figures = {one.name: one for one in done.course.figures()}
    assert figures["sight.miss"].tries >= 8
    assert figures["sight.misread"].count == 0
