"""The Pi's own camera against a stand-in for Picamera2: no Pi was at hand.

The stand-in refuses what Picamera2 refuses by its documented behaviour (manual, sections 5 and 8; ``controls.py``): a
control that the camera does not advertise raises RuntimeError, nothing can be captured before ``start``, controls act
a few frames after they were set, and metadata says what a frame was really taken with.
"""

from __future__ import annotations

import sys
import time
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from hw.table_sections import CameraSection, TableSection
from hw.tablemap import TableMap
from table_service.camera.camera_loop import open_camera
from table_service.commands.doctor import table_findings
from vision.errors import SourceError
from vision.exposure_time import flicker_free, flicker_period_us
from vision.picamera import PiCamera

DELAY = 3
"""Frames from setting a control to the first picture taken with it."""
HQ = {
    "AeEnable": (False, True, None),
    "AwbEnable": (False, True, None),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1000000, None),
    "ExposureTime": (60, 674181621, None),
    "AnalogueGain": (1.0, 22.26, None),
    "ColourGains": (0.0, 32.0, None),
}
MODULE_3 = HQ | {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0)}


class Picamera2:
    """A camera whose light asks for ``exposure_us`` at ``gain`` as long as it may choose itself."""

    camera_controls: dict[str, tuple[Any, Any, Any]] = HQ
    exposure_us, gain = 23_000, 1.6
    obeys = True

    def __init__(self) -> None:
        self.now: dict[str, Any] = {"AeEnable": True, "AwbEnable": True}
        self.coming: list[tuple[int, dict[str, Any]]] = []
        self.frame = 0
        self.started = self.stopped = self.closed = 0
        self.configured: Any = None
        made.append(self)

    def create_video_configuration(self, **how: Any) -> Any:
        return how

    def configure(self, how: Any) -> None:
        assert not self.started, "the camera must be stopped to be configured"
        self.configured = how

    def set_controls(self, controls: dict[str, Any]) -> None:
        for name in controls:
            if name not in self.camera_controls:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self.coming.append((self.frame + DELAY, dict(controls)))

    def start(self) -> None:
        assert self.configured
        self.started += 1

    def _next(self) -> None:
        if not self.started or self.stopped:
            raise RuntimeError("Camera must be started before capturing")
        self.frame += 1
        for due, controls in list(self.coming):
            if due <= self.frame:
                self.now |= controls
                self.coming.remove((due, controls))

    def capture_array(self, name: str) -> Any:
        assert name == "main"
        self._next()
        width, height = self.configured["main"]["size"]
        return np.zeros((height // 8, width // 8, 3), np.uint8)

    def capture_metadata(self) -> dict[str, Any]:
        self._next()
        said = {"ColourGains": (1.8, 1.4), "Lux": 400.0}
        automatic = self.now["AeEnable"] or not self.obeys
        said["ExposureTime"] = self.exposure_us if automatic else self.now["ExposureTime"]
        said["AnalogueGain"] = self.gain if automatic else self.now["AnalogueGain"]
        if "AfMode" in self.camera_controls:
            said["LensPosition"] = 0.83 if self.now.get("AfMode") == 2 else self.now.get("LensPosition", 1.0)
        return said

    def stop(self) -> None:
        self.stopped += 1

    def close(self) -> None:
        self.closed += 1


made: list[Picamera2] = []


@pytest.fixture(autouse=True)
def module(monkeypatch: pytest.MonkeyPatch) -> None:
    made.clear()
    fresh = ModuleType("picamera2")
    fresh.Picamera2 = type("Picamera2", (Picamera2,), {})  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "picamera2", fresh)


def _is(**values: Any) -> None:
    for name, value in values.items():
        setattr(sys.modules["picamera2"].Picamera2, name, value)


def _watched(frames: int = 30) -> PiCamera:
    """A camera that has given so many frames, two of them a second."""
    now = SimpleNamespace(t=0.0)
    camera = PiCamera(640, 480, lambda: now.t)
    source = camera.frames()
    for _ in range(frames):
        next(source)
        now.t += 0.5
    return camera


def test_it_is_configured_as_the_table_says_and_let_go_once() -> None:
    table = TableMap(table=TableSection(name="T1", rules="fibur2024"), camera=CameraSection(source="picamera2"))
    source = open_camera(table, time.monotonic)
    assert next(source.frames()).picture.shape == (380, 507, 3)
    source.close()
    source.close()
    assert made[0].configured["main"] == {"size": (4056, 3040), "format": "RGB888"}
    assert (made[0].started, made[0].stopped, made[0].closed) == (1, 1, 1)


def test_exposure_white_balance_and_flicker_are_held_and_stay() -> None:
    camera = _watched()
    now = made[0].now
    assert (now["AeEnable"], now["AwbEnable"], now["ColourGains"]) == (False, False, (1.8, 1.4))
    assert (now["AeFlickerMode"], now["AeFlickerPeriod"]) == (1, 10_000)
    assert now["ExposureTime"] == 20_000
    assert now["ExposureTime"] * now["AnalogueGain"] == pytest.approx(23_000 * 1.6)
    assert camera.held
    assert camera.notes == ()


def test_a_lens_that_focuses_by_itself_is_held_where_it_came_to_be() -> None:
    _is(camera_controls=MODULE_3)
    camera = _watched()
    assert (made[0].now["AfMode"], made[0].now["LensPosition"]) == (0, 0.83)
    assert camera.notes == ()


def test_an_exposure_shorter_than_the_lamps_period_becomes_one_where_the_gain_allows_it() -> None:
    _is(exposure_us=4_882, gain=4.0)
    _watched()
    assert made[0].now["ExposureTime"] == 10_000
    assert made[0].now["AnalogueGain"] == pytest.approx(4_882 * 4 / 10_000)


def test_light_too_strong_for_a_whole_period_is_told() -> None:
    _is(exposure_us=4_882, gain=1.0)
    camera = _watched()
    assert made[0].now["ExposureTime"] == 4_882
    assert any("close the lens a stop" in note for note in camera.notes)


def test_a_control_that_the_camera_lacks_is_named_and_the_rest_is_held() -> None:
    _is(camera_controls={name: limits for name, limits in HQ.items() if name != "AeFlickerMode"})
    camera = _watched()
    assert made[0].now["AeEnable"] is False
    assert [note for note in camera.notes if "AeFlickerMode" in note]


def test_a_camera_that_does_not_obey_is_found_out() -> None:
    _is(obeys=False)
    camera = _watched()
    assert any("the exposure does not stay" in note for note in camera.notes)


def test_without_picamera2_the_sentence_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "picamera2", None)
    with pytest.raises(SourceError, match="apt install python3-picamera2"):
        PiCamera()


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (
            ValueError("numpy.dtype size changed, may indicate binary incompatibility. Expected 96, got 88"),
            "trixie",
        ),
        (AttributeError("_ARRAY_API not found"), "AttributeError"),
        (OSError("libcamera.so.0.5: cannot open shared object file"), "libcamera.so"),
    ],
)
def test_libraries_that_do_not_fit_are_one_sentence(
    failure: Exception, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is simplejpeg of Debian 12 under numpy 2 (raspberrypi/picamera2 issues 1088 and 1211)."""

    def broken(_name: str) -> Any:
        raise failure

    monkeypatch.setattr("importlib.import_module", broken)
    with pytest.raises(SourceError) as told:
        PiCamera()
    assert said in str(told.value)
    assert "\n" not in str(told.value)


@pytest.mark.parametrize("mains", [50, 60])
@pytest.mark.parametrize("time_us", [500, 4_000, 8_333, 9_900, 14_900, 15_100, 33_000, 100_000])
@pytest.mark.parametrize("gain", [1.0, 1.3, 8.0])
def test_a_steady_exposure_is_as_bright_and_whole(mains: Any, time_us: int, gain: float) -> None:
    period = flicker_period_us(mains)
    found = flicker_free(time_us, gain, period)
    assert found.time_us * found.gain == pytest.approx(time_us * gain, rel=1e-3)
    assert found.gain >= 1.0
    assert found.steady == (time_us * gain >= period)
    assert not found.steady or found.time_us % period == 0


def test_the_doctor_tells_whether_the_cameras_libraries_load(monkeypatch: pytest.MonkeyPatch) -> None:
    table = TableMap(table=TableSection(name="T1", rules="fibur2024"), camera=CameraSection(source="picamera2"))

    def camera() -> tuple[str, str]:
        return next((f.verdict, f.detail) for f in table_findings(table) if f.what == "camera")

    assert camera() == ("ok", "Picamera2 loads")
    monkeypatch.setitem(sys.modules, "picamera2", None)
    verdict, detail = camera()
    assert verdict == "bad"
    assert "python3-picamera2" in detail
