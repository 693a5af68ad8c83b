"""Sources of frames: a camera through V4L2, a folder or list of pictures, or frames made elsewhere (the twin).

The V4L2 source is written after OpenCV's and the kernel's documentation. It has met the kernel's virtual camera (vivid,
docs/install.md), which has none of a webcam's exposure, focus or white balance; no webcam was at hand.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

import cv2
import numpy as np

from vision.errors import PictureError, SourceError
from vision.exposure_time import Mains, flicker_period_us
from vision.pictures import Image, decode_picture, open_picture
from vision.v4l2_controls import Controls, DeviceControls, hold, prepare

PICTURE_ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


@dataclass(frozen=True)
class CameraFrame:
    """One picture (BGR uint8) and the moment it was taken, in seconds of the source's clock."""

    t: float
    picture: Image


class FrameSource(Protocol):
    """Anything that gives frames in the order they were taken and can be closed."""

    def frames(self) -> Iterator[CameraFrame]:
        """Yield the frames; ends when there are no more. Raises SourceError when the source fails."""
        ...

    def close(self) -> None:
        """Let go of the camera or file. May be called twice."""
        ...


class PictureFiles:
    """Picture files in the order of their names, ``every`` seconds apart. Raises SourceError for an empty folder."""

    def __init__(self, place: Path, every: float = 1.0) -> None:
        if place.is_dir():
            self._paths = sorted(p for p in place.iterdir() if p.suffix.lower() in PICTURE_ENDINGS)
        elif place.is_file():
            self._paths = [place]
        else:
            raise SourceError(f"there is no picture or folder {place}")
        if not self._paths:
            raise SourceError(f"the folder {place} holds no pictures")
        self._every = every

    def frames(self) -> Iterator[CameraFrame]:
        """Each picture once. Raises PictureError for one that cannot be read."""
        for n, path in enumerate(self._paths):
            yield CameraFrame(n * self._every, open_picture(path))

    def close(self) -> None:
        """Do nothing: no resource is held open."""


SETTLES_S: Final = 2.0
"""Seconds for exposure, white balance and focus to find their values before they are held."""
FORMAT: Final = "MJPG"
"""Compressed pictures: raw ones of this size do not fit through a USB 2 cable at a useful rate."""


class V4L2Camera:
    """A USB camera by its number (``0`` for ``/dev/video0``); stale frames are dropped, the newest is given.

    Exposure, white balance and focus settle for two seconds and are then held; ``mains`` (50 or 60 Hz) is set on the
    camera. Raises SourceError when it cannot be opened.
    """

    def __init__(
        self,
        device: int,
        width: int = 4056,
        height: int = 3040,
        clock: Callable[[], float] = time.monotonic,
        mains: Mains = 50,
    ) -> None:
        self._name = f"camera {device}"
        self._clock = clock
        self._period = flicker_period_us(mains)
        self._notes: list[str] = []
        self._reading = threading.Lock()
        """Held while a frame is fetched: OpenCV does not survive a capture that is let go meanwhile."""
        self._open = True
        self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"{self._name} cannot be opened: is it plugged in, and may this user read /dev/video{device}?"
            )
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*FORMAT))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.damaged = 0
        """Frames that were dropped because bytes of them were lost or spoilt on the way."""
        self._check_format(width, height)
        self._controls: DeviceControls | None = None
        try:
            self._controls = DeviceControls(Path(f"/dev/video{device}"))
            self._notes += prepare(self._controls, mains)
        except OSError as error:
            self._notes.append(f"{self._name} lets nobody set its controls: {error.strerror or error}")
        self._settled_at: float | None = clock() + SETTLES_S

    @property
    def notes(self) -> tuple[str, ...]:
        """Settings the camera refused, one sentence each; those it refuses to hold are known once it has settled."""
        return tuple(self._notes)

    @property
    def held(self) -> bool:
        """True if the camera has settled and was set to hold its exposure, white balance and focus."""
        return self._settled_at is None

    def frames(self) -> Iterator[CameraFrame]:
        """Frames until the camera is closed. Raises SourceError when it stops answering."""
        while self._open:
            with self._reading:
                if not self._open:
                    return
                done, picture = self._capture.read()
            if not done or picture is None:
                raise SourceError(f"{self._name} gives no more pictures")
            t = self._clock()
            if self._settled_at is not None and t >= self._settled_at:
                self._settled_at = None
                self._notes += self._hold(self._controls)
            if (whole := self._undamaged(np.asarray(picture, np.uint8))) is not None:
                yield CameraFrame(t, whole)

    def _undamaged(self, given: Image) -> Image | None:
        """Return the picture that the camera gave, decoded if it came as JPEG; None for a damaged one."""
        if given.ndim == 3 and given.shape[0] > 1 and given.shape[2] == 3:
            return given
        try:
            return decode_picture(given.tobytes(), self._name)
        except PictureError:
            self.damaged += 1
            return None

    def _hold(self, controls: Controls | None) -> Iterator[str]:
        return iter(()) if controls is None else hold(controls, self._period)

    def _check_format(self, width: int, height: int) -> None:
        """Note where the camera gives another size or format than was asked for."""
        there = (int(self._capture.get(cv2.CAP_PROP_FRAME_WIDTH)), int(self._capture.get(cv2.CAP_PROP_FRAME_HEIGHT)))
        if there != (width, height):
            self._notes.append(f"{self._name} gives {there[0]}x{there[1]} pixels instead of {width}x{height}")
        code = int(self._capture.get(cv2.CAP_PROP_FOURCC))
        form = code.to_bytes(4, "little", signed=False).decode("ascii", "replace") if code > 0 else "an unknown format"
        if form == FORMAT:
            self._capture.set(cv2.CAP_PROP_CONVERT_RGB, 0)  # OpenCV's own decoding reports no damage
        else:
            self._notes.append(f"{self._name} gives {form} instead of {FORMAT}: fewer pictures a second")

    def close(self) -> None:
        """Let go of the camera, once a fetch that runs has ended: OpenCV gives one up after ten seconds."""
        self._open = False
        with self._reading:
            self._capture.release()
        if self._controls is not None:
            self._controls.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
