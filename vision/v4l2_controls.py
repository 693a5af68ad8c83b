"""A USB camera's controls through V4L2's own calls (linux/videodev2.h, linux/v4l2-controls.h).

OpenCV has no property for the mains frequency and does not say why a camera refuses another; a second descriptor of
the same device may set controls while pictures are taken through the first.
"""

from __future__ import annotations

import errno
import fcntl
import os
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from vision.exposure_time import Mains

QUERYCTRL: Final = 0xC0445624
G_CTRL: Final = 0xC008561B
S_CTRL: Final = 0xC008561C
"""VIDIOC_QUERYCTRL, VIDIOC_G_CTRL and VIDIOC_S_CTRL."""
QUERY: Final = struct.Struct("=II32siiiiI8x")
"""``struct v4l2_queryctrl``."""
_VALUE: Final = struct.Struct("=Ii")
_DISABLED, _READ_ONLY, _INACTIVE = 0x1, 0x4, 0x10

_USER, _CAMERA = 0x00980900, 0x009A0900
AUTO_WHITE_BALANCE: Final = _USER + 12
AUTOGAIN: Final = _USER + 18
POWER_LINE_FREQUENCY: Final = _USER + 24
WHITE_BALANCE_TEMPERATURE: Final = _USER + 26
EXPOSURE_AUTO: Final = _CAMERA + 1
EXPOSURE_ABSOLUTE: Final = _CAMERA + 2
EXPOSURE_AUTO_PRIORITY: Final = _CAMERA + 3
FOCUS_ABSOLUTE: Final = _CAMERA + 10
FOCUS_AUTO: Final = _CAMERA + 12

_EXPOSURE_MANUAL: Final = 1
_MAINS: Final = {50: 1, 60: 2}
_TICK_US: Final = 100
"""EXPOSURE_ABSOLUTE counts hundreds of microseconds."""


@dataclass(frozen=True, slots=True)
class Control:
    """One control of a camera: its range, and whether it can be set now."""

    least: int
    most: int
    default: int
    settable: bool


class Controls(Protocol):
    """The controls of one camera."""

    def query(self, control: int) -> Control | None:
        """Return the state of a control; None if the camera has none."""
        ...

    def get(self, control: int) -> int:
        """Return its value. Raises OSError."""
        ...

    def set(self, control: int, value: int) -> None:
        """Give it a value. Raises OSError if the camera refuses."""
        ...


class DeviceControls:
    """Controls of the V4L2 device at ``path``; a context manager. Raises OSError if it cannot be opened."""

    def __init__(self, path: Path) -> None:
        self._descriptor = os.open(path, os.O_RDWR | os.O_NONBLOCK)

    def query(self, control: int) -> Control | None:
        """Return the state of a control; None if the camera has none, or has switched it off for good."""
        asked = bytearray(QUERY.pack(control, 0, b"", 0, 0, 0, 0, 0))
        try:
            fcntl.ioctl(self._descriptor, QUERYCTRL, asked)
        except OSError as error:
            if error.errno in (errno.EINVAL, errno.ENOTTY):
                return None
            raise
        _, _, _, least, most, _, default, flags = QUERY.unpack(asked)
        if flags & _DISABLED:
            return None
        return Control(least, most, default, settable=not flags & (_READ_ONLY | _INACTIVE))

    def get(self, control: int) -> int:
        """Return its value. Raises OSError."""
        asked = bytearray(_VALUE.pack(control, 0))
        fcntl.ioctl(self._descriptor, G_CTRL, asked)
        return int(_VALUE.unpack(asked)[1])

    def set(self, control: int, value: int) -> None:
        """Give it a value. Raises OSError if the camera refuses."""
        fcntl.ioctl(self._descriptor, S_CTRL, bytearray(_VALUE.pack(control, value)))

    def close(self) -> None:
        """Let go of the device. May be called twice."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1


def prepare(controls: Controls, mains: Mains) -> Iterator[str]:
    """Set the mains frequency, and leave the rest to the camera while it settles. Yields what it refuses."""
    yield from _put(controls, "power line frequency", POWER_LINE_FREQUENCY, _MAINS[mains])
    # a frame rate that sinks in the dusk would make the camera seem silent
    if controls.query(EXPOSURE_AUTO_PRIORITY) is not None:
        yield from _put(controls, "exposure priority", EXPOSURE_AUTO_PRIORITY, 0)


def hold(controls: Controls, period_us: int) -> Iterator[str]:
    """Hold exposure, white balance and focus where the camera has brought them. Yields what it refuses, by name.

    The exposure becomes a whole number of ``period_us``, the lamps' period, if it is as long as one.
    """
    yield from _put(controls, "exposure", EXPOSURE_AUTO, _EXPOSURE_MANUAL)
    now = _value(controls, EXPOSURE_ABSOLUTE)
    ticks = period_us // _TICK_US
    if now is not None:
        steady = max(1, round(now / ticks)) * ticks if now >= ticks else now
        yield from _put(controls, "exposure time", EXPOSURE_ABSOLUTE, steady)
        if now < ticks:
            yield (
                f"the light is so strong that {now * _TICK_US} us suffice: a lamp that flickers bands the picture; "
                "close the lens a stop"
            )
    if controls.query(AUTOGAIN) is not None:
        yield from _put(controls, "gain", AUTOGAIN, 0)
    temperature = _value(controls, WHITE_BALANCE_TEMPERATURE)
    yield from _put(controls, "white balance", AUTO_WHITE_BALANCE, 0)
    if temperature is not None:
        yield from _put(controls, "white balance temperature", WHITE_BALANCE_TEMPERATURE, temperature)
    if controls.query(FOCUS_AUTO) is not None:  # most lenses for this have a ring and a screw, and no such control
        place = _value(controls, FOCUS_ABSOLUTE)
        yield from _put(controls, "focus", FOCUS_AUTO, 0)
        if place is not None:
            yield from _put(controls, "focus position", FOCUS_ABSOLUTE, place)


def _value(controls: Controls, control: int) -> int | None:
    try:
        return None if controls.query(control) is None else controls.get(control)
    except OSError:
        return None


def _put(controls: Controls, name: str, control: int, value: int) -> Iterator[str]:
    """Set and read back; a sentence where the camera has no such control, refuses it or does something else."""
    try:
        known = controls.query(control)
        if known is None:
            yield f"this camera cannot lock its {name}: it has no such control"
            return
        if not known.settable:
            yield f"this camera cannot lock its {name}: the control is read-only or switched off"
            return
        controls.set(control, min(max(value, known.least), known.most))
        there = controls.get(control)
    except OSError as error:
        yield f"this camera refuses to lock its {name}: {error.strerror or error}"
        return
    if there != value:
        yield f"this camera does not keep its {name}: {there} instead of {value}"
