"""Frames from a network camera, MJPEG over HTTP as the camera apps of phones serve it or RTSP, and from a video file.

The parts of an MJPEG stream (multipart, RFC 2046) are read by their ``Content-Length``, else by where a JPEG begins and
ends. User and password of the address are never said.
"""

from __future__ import annotations

import http.client
import os
import socket
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.parse import unquote, urlsplit, urlunsplit

import cv2
import numpy as np

from hw.camera_address import shown_address
from vision.errors import PictureError, SourceError
from vision.pictures import decode_picture
from vision.source import CameraFrame

PATIENCE_S: Final = 4.0
"""Seconds without a byte after which the stream has stopped."""
EVERY_S: Final = 0.08
"""Pictures that come sooner after each other are not decoded: nothing at a table is faster."""
FEW_A_SECOND: Final = 5.0
"""Below so many pictures a second a hand can come and go unseen."""
COUNTS_S: Final = 6.0
"""Seconds over which the rate is counted."""
STILL_S: Final = 15.0
"""A compressed picture of a table on which nothing moves may stay the same, to the last pixel, for so long."""
_MOST_BYTES: Final = 32 * 1024 * 1024
_BEGIN, _END = b"\xff\xd8", b"\xff\xd9"
_CHUNK: Final = 65536


class FrameRate:
    """Count of the pictures that a camera gives; ``note`` is one sentence if they are too few to follow hands."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._since: float | None = None
        self._count = 0
        self.note = ""

    def came(self, t: float) -> None:
        """Count a picture that came at ``t`` seconds."""
        if self._since is None:
            self._since, self._count = t, 0
            return
        self._count += 1
        if t - self._since >= COUNTS_S:
            rate = self._count / (t - self._since)
            few = f"{self._name} gives {rate:.1f} pictures a second: below {FEW_A_SECOND:g} a hand can go unseen"
            self.note = few if rate < FEW_A_SECOND else ""
            self._since, self._count = t, 0


class HttpCamera:
    """An MJPEG stream by its address. Raises SourceError, in one sentence without user and password, when it fails."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic, patience: float = PATIENCE_S) -> None:
        self._name = shown_address(address)
        self._clock = clock
        self._rate = FrameRate(self._name)
        self._is_open = True
        self.damaged = 0
        """Pictures that were dropped because they could not be decoded."""
        self.still_s = STILL_S
        self.held = True
        """A phone sets its exposure in its own app: nothing is waited for."""
        self._answer = self._opened(address, patience)

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about the camera, for the person at the table."""
        return (self._rate.note,) if self._rate.note else ()

    def frames(self) -> Iterator[CameraFrame]:
        """Frames until the camera is closed. Raises SourceError when it stops."""
        last = -EVERY_S
        for data in self._pictures():
            t = self._clock()
            self._rate.came(t)
            if t - last < EVERY_S:
                continue
            try:
                picture = decode_picture(data, self._name)
            except PictureError:
                self.damaged += 1
                continue
            last = t
            yield CameraFrame(t, picture)

    def close(self) -> None:
        """Let go of the stream; a read that waits ends at once."""
        self._is_open = False
        with (
            suppress(OSError, AttributeError, ValueError),  # it may be gone already
            socket.socket(fileno=os.dup(self._answer.fileno())) as same,
        ):
            same.shutdown(socket.SHUT_RDWR)
        with suppress(OSError, ValueError):
            self._answer.close()

    def _opened(self, address: str, patience: float) -> Any:
        parts = urlsplit(address)
        bare = urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))
        known = urllib.request.HTTPPasswordMgrWithDefaultRealm()
        if parts.username is not None:
            known.add_password(None, bare, unquote(parts.username), unquote(parts.password or ""))
        opener = urllib.request.build_opener(
            urllib.request.ProxyHandler({}),
            urllib.request.HTTPBasicAuthHandler(known),
            urllib.request.HTTPDigestAuthHandler(known),
        )
        try:
            answer = opener.open(bare, timeout=patience)
        except HTTPError as error:
            raise SourceError(self._refused(error.code)) from None
        except (URLError, OSError, ValueError, http.client.HTTPException) as error:
            raise SourceError(f"{self._name} does not answer: {_reason(error)}") from None
        kind = answer.headers.get_content_type()
        if not kind.startswith(("multipart/", "image/", "application/octet-stream")):
            answer.close()
            raise SourceError(
                f"{self._name} is a page ({kind}), no video: give the address of the stream itself, often ending in "
                "/video or :81/stream"
            )
        return answer

    def _refused(self, status: int) -> str:
        if status in (401, 403):
            return f"{self._name} wants a user and a password: http://USER:PASSWORD@…, or another than was given"
        if status == http.client.NOT_FOUND:
            return f"{self._name} is not there: the camera answers, but has nothing at this address (404)"
        return f"{self._name} refuses: it answers {status}"

    def _pictures(self) -> Iterator[bytes]:
        """Yield the stream's JPEG files. Raises SourceError if it ends."""
        held = bytearray()
        while self._is_open:
            chunk = self._read()
            if not chunk:
                raise SourceError(f"{self._name} has ended its video")
            held += chunk
            while (picture := _cut(held)) is not None:
                yield picture
            if len(held) > _MOST_BYTES:
                raise SourceError(f"{self._name} sends no pictures: {_MOST_BYTES // 2**20} MB without a whole JPEG")

    def _read(self) -> bytes:
        try:
            return bytes(self._answer.read1(_CHUNK))
        except (OSError, ValueError, AttributeError, http.client.HTTPException) as error:
            if not self._is_open:
                return b""
            raise SourceError(f"{self._name} has stopped: {_reason(error)}") from None


class RtspCamera:
    """A camera by its RTSP address, over TCP. Raises SourceError, without user and password, when it fails."""

    def __init__(self, address: str, clock: Callable[[], float] = time.monotonic, patience: float = PATIENCE_S) -> None:
        self._name = shown_address(address)
        self._clock = clock
        self._rate = FrameRate(self._name)
        self._is_open = True
        self._reading = threading.Lock()
        """Held while a frame is fetched: OpenCV does not survive a capture that is let go meanwhile."""
        self.still_s = STILL_S
        self.held = True
        """Such a camera sets its exposure by its own page: nothing is waited for."""
        os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # its messages may hold the address
        limit = round(patience * 1000)
        limits = [cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, limit, cv2.CAP_PROP_READ_TIMEOUT_MSEC, limit]
        self._capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(
                f"{self._name} gives no video: is the camera on and in this network, are path, user and password right?"
            )

    @property
    def notes(self) -> tuple[str, ...]:
        """Sentences about the camera, for the person at the table."""
        return (self._rate.note,) if self._rate.note else ()

    def frames(self) -> Iterator[CameraFrame]:
        """Frames until the camera is closed. Raises SourceError when it stops."""
        last = -EVERY_S
        while self._is_open:
            with self._reading:
                if not self._is_open:
                    return
                if not self._capture.grab():
                    raise SourceError(f"{self._name} has stopped: no picture came in time")
                t = self._clock()
                self._rate.came(t)
                if t - last < EVERY_S:
                    continue
                done, picture = self._capture.retrieve()
            if done and picture is not None:
                last = t
                yield CameraFrame(t, np.asarray(picture, np.uint8))

    def close(self) -> None:
        """Let go of the camera, once a fetch that runs has ended."""
        self._is_open = False
        with self._reading:
            self._capture.release()


VIDEO_ENDINGS: Final = (".mp4", ".mkv", ".mov", ".avi", ".webm", ".mjpeg", ".mjpg", ".ts")


class VideoFile:
    """A recorded video, at the pace at which it was taken, as a camera gives it. Raises SourceError."""

    def __init__(self, path: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = path.name
        self._clock = clock
        self.still_s = STILL_S
        self._ended = threading.Event()
        self._reading = threading.Lock()
        if not path.exists():
            raise SourceError(f"there is no video {path}")
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_FFMPEG)
        if not self._capture.isOpened():
            self._capture.release()
            raise SourceError(f"{self._name} is no video that can be read")

    def frames(self) -> Iterator[CameraFrame]:
        """Yield the video's frames, each in its time. Raises SourceError at its end."""
        began = self._clock()
        while not self._ended.is_set():
            with self._reading:
                if self._ended.is_set():
                    return
                done, picture = self._capture.read()
                at = began + self._capture.get(cv2.CAP_PROP_POS_MSEC) / 1000.0
            if not done or picture is None:
                raise SourceError(f"{self._name} is at its end")
            self._ended.wait(max(0.0, at - self._clock()))
            yield CameraFrame(self._clock(), np.asarray(picture, np.uint8))

    def close(self) -> None:
        """Let go of the file."""
        self._ended.set()
        with self._reading:
            self._capture.release()


def _cut(held: bytearray) -> bytes | None:
    """Take the first whole picture out of ``held``; None if none is whole yet."""
    begin = held.find(_BEGIN)
    if begin < 0:
        return None
    length = _declared(bytes(held[max(0, begin - 400) : begin]))
    if length is not None:
        end = begin + length
        if len(held) < end:
            return None
    else:
        at = held.find(_END, begin)
        if at < 0:
            return None
        end = at + len(_END)
    picture = bytes(held[begin:end])
    del held[:end]
    return picture


def _declared(head: bytes) -> int | None:
    """Return the length that a part's header states; None if it states none."""
    line = next((row for row in reversed(head.lower().splitlines()) if row.startswith(b"content-length:")), b"")
    digits = line.partition(b":")[2].strip()
    return int(digits) if digits.isdigit() and 2 < int(digits) < _MOST_BYTES else None


def _reason(error: Exception) -> str:
    inner = getattr(error, "reason", error)
    if isinstance(inner, TimeoutError):
        return "nothing came in time"
    if isinstance(inner, socket.gaierror):
        return "no such name in this network"
    said = getattr(inner, "strerror", None) or (inner if isinstance(inner, str) else "")
    return str(said) or type(inner).__name__
