"""The Pi's own camera through Picamera2, which comes with the system (python3-picamera2) and not from PyPI.

Written after the Picamera2 manual, its issues and those of libcamera, and tried against a stand-in that refuses what
Picamera2 refuses; no Pi was at hand.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from vision.errors import SourceError
from vision.exposure_time import Mains, flicker_free, flicker_period_us
from vision.source import CameraFrame

SETTLES_S: Final = 2.0
"""Seconds for exposure, white balance and focus to find their values before they are held."""
PROOF_FRAMES: Final = 10
"""Frames after which the camera must do what was set: libcamera's controls take a few frames to act."""
OFF_MOST: Final = 0.05
"""A value that differs from the one asked for by more than this share is not held."""
_FLICKER_MANUAL: Final = 1
_FOCUS_MANUAL, _FOCUS_CONTINUOUS = 0, 2
_WORDS: Final = {
    "ExposureTime": "exposure",
    "AnalogueGain": "gain",
    "ColourGains": "white balance",
    "LensPosition": "focus",
}


def _load() -> Any:
    """Load the module ``picamera2``. Raises SourceError with what to do."""
    try:
        return importlib.import_module("picamera2")
    except ImportError:
        raise SourceError(
            "Picamera2 is not installed: apt install python3-picamera2, and make the environment with "
            "--system-site-packages (tavolo install does both)"
        ) from None
    except ValueError as error:
        # simplejpeg of Debian 12 was built for numpy 1: "numpy.dtype size changed, may indicate binary incompatibility"
        raise SourceError(
            f"Picamera2 was built for another numpy than this one ({np.__version__}): use Raspberry Pi OS on Debian 13 "
            f"'trixie', whose camera libraries know numpy 2 ({error})"
        ) from None
    except Exception as error:  # noqa: BLE001 - a library half installed may fail in any way
        raise SourceError(f"Picamera2 cannot be loaded: {type(error).__name__}: {error}") from None


def library_problem() -> str:
    """Why the Pi's camera cannot be used on this machine, in one sentence; empty if its libraries load."""
    try:
        _load()
    except SourceError as error:
        return str(error)
    return ""


class PiCamera:
    """The camera on the Pi's ribbon cable; frames of ``width`` x ``height``, BGR. Raises SourceError.

    ``clock``: the table's seconds. Exposure, white balance and focus settle for two seconds and are then held, so that
    a player's white sleeve does not darken the cards; the exposure is a whole number of the lamps' periods
    (``mains``: 50 or 60 Hz).
    """

    def __init__(
        self,
        width: int = 4056,
        height: int = 3040,
        clock: Callable[[], float] = time.monotonic,
        mains: Mains = 50,
    ) -> None:
        picamera2 = _load()
        self._clock = clock
        self._period = flicker_period_us(mains)
        self._notes: list[str] = []
        try:
            self._camera = picamera2.Picamera2()
            # "RGB888" is libcamera's name for what numpy holds as B, G, R.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": (width, height), "format": "RGB888"}, buffer_count=3, queue=False
                )
            )
            self._known = frozenset(self._camera.camera_controls)
            self._set({"AeFlickerMode": _FLICKER_MANUAL, "AeFlickerPeriod": self._period})
            self._camera.start()
            if "AfMode" in self._known:
                self._set({"AfMode": _FOCUS_CONTINUOUS})
        except Exception as error:
            raise SourceError(
                f"the Pi's camera cannot be opened: {error}; is its cable in, and no other program at it?"
            ) from error
        self._open = True
        self._settled_at = clock() + SETTLES_S
        self._held: dict[str, Any] | None = None
        self._proof = PROOF_FRAMES

    @property
    def notes(self) -> tuple[str, ...]:
        """Controls that could not be locked, one sentence each; empty until exposure and the rest are held."""
        return tuple(self._notes)

    @property
    def held(self) -> bool:
        """True if exposure, white balance and focus are held and were found to stay."""
        return self._held is not None and not self._proof

    def frames(self) -> Iterator[CameraFrame]:
        """Frames until the camera is closed. Raises SourceError when it stops answering."""
        while self._open:
            try:
                picture = self._camera.capture_array("main")
                t = self._clock()
                if self._held is None and t >= self._settled_at:
                    self._held = self._hold(self._camera.capture_metadata())
                elif self._held is not None and self._proof:
                    self._proof -= 1
                    if not self._proof:
                        self._prove(self._camera.capture_metadata())
            except Exception as error:
                if not self._open:
                    return
                raise SourceError(f"the Pi's camera gives no more pictures: {error}") from error
            yield CameraFrame(t, np.ascontiguousarray(picture[:, :, :3], dtype=np.uint8))

    def _set(self, wanted: Mapping[str, Any]) -> None:
        """Set what this camera has of ``wanted``; Picamera2 raises for a control that is not advertised."""
        missing = [name for name in wanted if name not in self._known]
        if missing:
            self._notes.append(f"this camera has no control {', '.join(missing)}")
        there = {name: value for name, value in wanted.items() if name in self._known}
        if there:
            self._camera.set_controls(there)

    def _hold(self, seen: Mapping[str, Any]) -> dict[str, Any]:
        """Hold what ``seen`` (a frame's metadata) says. Returns the values asked for."""
        fixed: dict[str, Any] = {}
        if "ExposureTime" in seen and "AnalogueGain" in seen:
            exposure = flicker_free(seen["ExposureTime"], seen["AnalogueGain"], self._period, self._least_gain())
            fixed |= {"ExposureTime": exposure.time_us, "AnalogueGain": exposure.gain}
            if not exposure.steady:
                self._notes.append(
                    f"the light is so strong that {exposure.time_us} us suffice: a lamp that flickers bands the "
                    "picture; close the lens a stop"
                )
        for name in ("ColourGains", "LensPosition"):
            if name in seen and (name != "LensPosition" or "AfMode" in self._known):
                fixed[name] = seen[name]
        lost = [word for name, word in _WORDS.items() if name not in fixed and name != "LensPosition"]
        if lost:
            self._notes.append(f"this camera does not say its {', '.join(lost)}: it cannot be held")
        switches: dict[str, Any] = {"AeEnable": False, "AwbEnable": False}
        if "AfMode" in self._known:
            switches["AfMode"] = _FOCUS_MANUAL
        self._set(switches | fixed)
        return {name: value for name, value in fixed.items() if name in self._known}

    def _least_gain(self) -> float:
        """Return the lowest analogue gain: ``camera_controls`` gives (least, most, default) of each control."""
        limits = self._camera.camera_controls.get("AnalogueGain")
        return float(limits[0]) if limits else 1.0

    def _prove(self, seen: Mapping[str, Any]) -> None:
        """Note controls that did not stay where they were put."""
        for name, wanted in (self._held or {}).items():
            if name in seen and not np.allclose(seen[name], wanted, rtol=OFF_MOST, atol=1e-6):
                self._notes.append(f"the {_WORDS[name]} does not stay: {seen[name]} instead of {wanted}")

    def close(self) -> None:
        """Let go of the camera. May be called twice."""
        if self._open:
            self._open = False
            try:
                self._camera.stop()
            finally:  # a camera that does not stop is held by this process until it is closed
                self._camera.close()
