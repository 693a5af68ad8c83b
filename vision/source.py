"""Where frames come from: a camera through V4L2, a folder or list of pictures, or frames made elsewhere (the twin).

The V4L2 source is written after OpenCV's documentation; it has not been tried on a camera yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self

import cv2
import numpy as np

from vision.errors import SourceError
from vision.pictures import Image, open_picture

PICTURE_ENDINGS: Final = (".jpg", ".jpeg", ".png", ".webp", ".bmp", ".tif", ".tiff")


@dataclass(frozen=True)
class Frame:
    """One picture (BGR uint8) and the moment it was taken, in seconds of the source's clock."""

    t: float
    picture: Image


class FrameSource(Protocol):
    """Anything that gives frames in the order they were taken and can be closed."""

    def frames(self) -> Iterator[Frame]:
        """The frames; ends when there are no more. Raises SourceError when the source fails."""
        ...

    def close(self) -> None:
        """Let go of the camera or file. May be called twice."""
        ...


class GivenFrames:
    """Frames made elsewhere: the twin's, or a test's."""

    def __init__(self, frames: Iterable[Frame]) -> None:
        self._frames = frames

    def frames(self) -> Iterator[Frame]:
        """The frames as given."""
        yield from self._frames

    def close(self) -> None:
        """Nothing is held open."""


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

    def frames(self) -> Iterator[Frame]:
        """Each picture once. Raises PictureError for one that cannot be read."""
        for n, path in enumerate(self._paths):
            yield Frame(n * self._every, open_picture(path))

    def close(self) -> None:
        """Nothing is held open."""


class V4L2Camera:
    """A USB camera by its number (``0`` for ``/dev/video0``); stale frames are dropped, the newest is given.

    Raises SourceError when it cannot be opened.
    """

    def __init__(
        self, device: int, width: int = 4056, height: int = 3040, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._name = f"camera {device}"
        self._clock = clock
        self._capture = cv2.VideoCapture(device, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"{self._name} cannot be opened: is it plugged in, and may this user read /dev/video{device}?"
            )
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def frames(self) -> Iterator[Frame]:
        """Frames until the camera is closed. Raises SourceError when it stops answering."""
        while self._capture.isOpened():
            done, picture = self._capture.read()
            if not done or picture is None:
                raise SourceError(f"{self._name} gives no more pictures")
            yield Frame(self._clock(), np.asarray(picture, np.uint8))

    def close(self) -> None:
        """Let go of the camera."""
        self._capture.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
