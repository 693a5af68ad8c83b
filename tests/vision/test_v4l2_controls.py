"""A USB camera's controls: what can be locked is, and what the camera refuses is named.

The stand-in behaves as the kernel's driver for USB cameras does by its documentation: a control that an automatic one
governs is inactive until that is off, and a value comes back as the camera took it.
"""

from __future__ import annotations

import errno
from dataclasses import replace

import pytest

from vision import v4l2_controls as v4l2
from vision.v4l2_controls import Control, hold, prepare

PERIOD_US = 10_000


class Webcam:
    """A camera with the usual controls. ``without``: those it lacks; ``refuses``: those that fail when set."""

    def __init__(self, exposure: int = 320, without: tuple[int, ...] = (), refuses: tuple[int, ...] = ()) -> None:
        self.values = {
            v4l2.POWER_LINE_FREQUENCY: 2,
            v4l2.EXPOSURE_AUTO: 3,
            v4l2.EXPOSURE_AUTO_PRIORITY: 1,
            v4l2.EXPOSURE_ABSOLUTE: exposure,
            v4l2.AUTO_WHITE_BALANCE: 1,
            v4l2.WHITE_BALANCE_TEMPERATURE: 4000,
            v4l2.FOCUS_AUTO: 1,
            v4l2.FOCUS_ABSOLUTE: 25,
        }
        self.governed = {
            v4l2.EXPOSURE_ABSOLUTE: (v4l2.EXPOSURE_AUTO, 1),
            v4l2.WHITE_BALANCE_TEMPERATURE: (v4l2.AUTO_WHITE_BALANCE, 0),
            v4l2.FOCUS_ABSOLUTE: (v4l2.FOCUS_AUTO, 0),
        }
        for control in without:
            del self.values[control]
        self.refuses = refuses
        self.limits = Control(0, 10_000, 0, settable=True)

    def query(self, control: int) -> Control | None:
        if control not in self.values:
            return None
        by, off = self.governed.get(control, (0, 0))
        return replace(self.limits, settable=not by or self.values.get(by, off) == off)

    def get(self, control: int) -> int:
        return self.values[control]

    def set(self, control: int, value: int) -> None:
        found = self.query(control)
        if control in self.refuses or found is None or not found.settable:
            raise OSError(errno.EACCES, "Permission denied")
        self.values[control] = value


def _lock(camera: Webcam) -> list[str]:
    return [*prepare(camera, 50), *hold(camera, PERIOD_US)]


def test_everything_is_locked_where_the_camera_had_brought_it() -> None:
    camera = Webcam()
    assert _lock(camera) == []
    assert camera.values[v4l2.POWER_LINE_FREQUENCY] == 1
    assert camera.values[v4l2.EXPOSURE_AUTO] == 1
    assert camera.values[v4l2.EXPOSURE_ABSOLUTE] == 300  # 32 ms become three of the lamps' periods
    assert camera.values[v4l2.AUTO_WHITE_BALANCE] == 0
    assert camera.values[v4l2.WHITE_BALANCE_TEMPERATURE] == 4000
    assert (camera.values[v4l2.FOCUS_AUTO], camera.values[v4l2.FOCUS_ABSOLUTE]) == (0, 25)


def test_sixty_hertz_is_told_to_the_camera() -> None:
    camera = Webcam()
    camera.values[v4l2.POWER_LINE_FREQUENCY] = 1
    assert list(prepare(camera, 60)) == []
    assert camera.values[v4l2.POWER_LINE_FREQUENCY] == 2


@pytest.mark.parametrize(
    ("control", "name"),
    [
        (v4l2.POWER_LINE_FREQUENCY, "power line frequency"),
        (v4l2.EXPOSURE_AUTO, "exposure"),
        (v4l2.AUTO_WHITE_BALANCE, "white balance"),
    ],
)
def test_a_control_that_is_missing_or_refused_is_named(control: int, name: str) -> None:
    missing, refused = _lock(Webcam(without=(control,))), _lock(Webcam(refuses=(control,)))
    assert any(f"its {name}: it has no such control" in note for note in missing)
    assert any(f"refuses to lock its {name}: Permission denied" in note for note in refused)


def test_a_lens_with_a_ring_and_no_motor_is_no_complaint() -> None:
    assert _lock(Webcam(without=(v4l2.FOCUS_AUTO, v4l2.FOCUS_ABSOLUTE))) == []


def test_a_camera_that_takes_another_value_is_named() -> None:
    camera = Webcam()
    camera.limits = Control(0, 250, 0, settable=True)
    assert any("does not keep its exposure time: 250 instead of 300" in note for note in _lock(camera))


def test_light_too_strong_for_a_whole_period_is_told() -> None:
    assert any("close the lens a stop" in note for note in _lock(Webcam(exposure=40)))


def test_the_calls_are_the_kernels() -> None:
    """linux/videodev2.h: _IOWR('V', 36, struct v4l2_queryctrl of 68 bytes), ('V', 27, 8) and ('V', 28, 8)."""

    def iowr(number: int, size: int) -> int:
        return 3 << 30 | size << 16 | ord("V") << 8 | number

    assert (iowr(36, 68), iowr(27, 8), iowr(28, 8)) == (v4l2.QUERYCTRL, v4l2.G_CTRL, v4l2.S_CTRL)
    assert v4l2.QUERY.size == 68
