"""Calibration from printed markers: accuracy over the whole table, distortion, refusals, drift."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hw.layout import DEFAULT_LAYOUT, Layout, Marker
from hw.twin.camera import Camera
from hw.twin.camera_style import STYLES, CameraStyle
from hw.twin.scene import Scene
from vision.calibration import Calibration, calibrate
from vision.errors import CalibrationError

GRID = np.stack(np.meshgrid(np.linspace(-450, 450, 19), np.linspace(-450, 450, 19)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("style", [*STYLES, CameraStyle(k1=-0.12, offset=(60.0, -80.0), roll=3.0)], ids=str)
def test_every_point_of_the_table_is_placed_within_two_millimetres(style: CameraStyle) -> None:
    camera = Camera(DEFAULT_LAYOUT, style, seed=3)
    calibration = calibrate(camera.render(Scene(0.0, ())), DEFAULT_LAYOUT)
    miss = np.hypot(*(calibration.to_table(camera.project_all(GRID)) - GRID).T)
    assert miss.max() <= 2.0
    assert calibration.residual_mm < 0.5


def test_the_way_back_to_pixels_is_exact(rendered: Any) -> None:
    calibration: Calibration = rendered.calibration
    back = calibration.to_table(calibration.to_pixel(GRID))
    assert np.abs(back - GRID).max() < 1e-6
    one = calibration.to_pixel((10.0, -20.0))
    assert one.shape == (2,)


def test_stored_and_loaded_it_is_the_same(rendered: Any) -> None:
    calibration: Calibration = rendered.calibration
    assert Calibration.from_dict(calibration.to_dict()) == calibration
    with pytest.raises(CalibrationError, match="no calibration"):
        Calibration.from_dict({"width": 3})


def test_a_frame_without_markers_is_refused_in_one_sentence() -> None:
    with pytest.raises(CalibrationError, match="only 0 of the table's 4 markers"):
        calibrate(np.full((600, 800, 3), 90, np.uint8), DEFAULT_LAYOUT)


def test_markers_of_another_layout_are_refused(rendered: Any) -> None:
    moved = (*DEFAULT_LAYOUT.markers[:3], Marker(3, -250, -300))
    with pytest.raises(CalibrationError, match="miss their places"):
        calibrate(rendered.empty, Layout(DEFAULT_LAYOUT.zones, moved))


def test_a_moved_camera_is_noticed_and_a_still_one_is_not(rendered: Any) -> None:
    calibration: Calibration = rendered.calibration
    still = calibration.drift(rendered.empty, DEFAULT_LAYOUT)
    assert still is not None
    assert not still.moved
    pushed = np.roll(rendered.empty, 12, axis=1)
    drift = calibration.drift(pushed, DEFAULT_LAYOUT)
    assert drift is not None
    assert drift.moved
    assert 2.5 < drift.worst_mm < 5.0
    assert calibration.drift(np.zeros_like(pushed), DEFAULT_LAYOUT) is None
