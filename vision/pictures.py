"""Opening pictures that people hand over: every way a file can be bad is one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError

Image = NDArray[np.uint8]

MAX_BYTES: Final = 200_000_000
MAX_PIXELS: Final = 120_000_000
MIN_SIDE: Final = 16


def open_picture(path: Path) -> Image:
    """The picture in a file as BGR uint8 (height, width, 3), turned upright as its EXIF says.

    Grey, 16-bit and transparent pictures are brought to BGR uint8. Raises PictureError with one sentence for a file
    that is missing, empty, too large, cut short, or no picture.
    """
    name = path.name
    try:
        if path.is_dir():
            raise PictureError(f"{name}: this is a folder, not a picture")
        size = path.stat().st_size
        if size == 0:
            raise PictureError(f"{name}: the file is empty")
        if size > MAX_BYTES:
            raise PictureError(
                f"{name}: {size / 1e6:.0f} MB is more than a picture may have ({MAX_BYTES / 1e6:.0f} MB)"
            )
        data = path.read_bytes()
    except FileNotFoundError as problem:
        raise PictureError(f"{name}: there is no such file") from problem
    except OSError as problem:
        raise PictureError(f"{name}: the file cannot be read: {problem.strerror or problem}") from problem
    return decode_picture(data, name)


def decode_picture(data: bytes, name: str = "picture") -> Image:
    """As ``open_picture`` for bytes; ``name`` goes into the message."""
    _refuse_truncated(data, name)
    size = _declared_size(data)
    if size is not None and size[0] * size[1] > MAX_PIXELS:
        raise PictureError(
            f"{name}: {size[0]}x{size[1]} pixels are more than can be read ({MAX_PIXELS / 1e6:.0f} million)"
        )
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
    except cv2.error as problem:
        raise PictureError(f"{name}: this picture is broken and cannot be decoded") from problem
    if picture is None:
        raise PictureError(f"{name}: this is not a picture that can be read (JPEG, PNG, WebP, TIFF and BMP can)")
    if picture.shape[0] * picture.shape[1] > MAX_PIXELS:
        raise PictureError(f"{name}: the picture is too large to be read")
    if min(picture.shape[:2]) < MIN_SIDE:
        raise PictureError(f"{name}: {picture.shape[1]}x{picture.shape[0]} pixels are too few to show a card")
    return _eight_bit(picture)


def _eight_bit(picture: NDArray[np.generic]) -> Image:
    if picture.dtype == np.uint16:
        return np.asarray(picture.astype(np.float32) / 257.0 + 0.5, np.float32).astype(np.uint8)
    if picture.dtype != np.uint8:  # floating point: 0 to 1, or whatever it spans
        values = np.nan_to_num(picture.astype(np.float32))
        top = float(values.max()) or 1.0
        return np.asarray(np.clip(values / max(top, 1.0) * 255, 0, 255), np.float32).astype(np.uint8)
    return np.ascontiguousarray(picture).astype(np.uint8)


def _refuse_truncated(data: bytes, name: str) -> None:
    """OpenCV fills what is missing of a cut picture with grey; that would be read as an empty table."""
    cut = False
    if data.startswith(b"\xff\xd8"):
        cut = b"\xff\xd9" not in data[-65536:]
    elif data.startswith(b"\x89PNG\r\n\x1a\n"):
        cut = b"IEND" not in data[-65536:]
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        cut = len(data) < int.from_bytes(data[4:8], "little") + 8
    if cut:
        raise PictureError(f"{name}: the picture is cut short")


def _declared_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a PNG or JPEG announces, so that a bomb is not unpacked to be measured."""
    if data.startswith(b"\x89PNG") and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(b"\xff\xd8"):
        at = 2
        while at + 9 < len(data) and data[at] == 0xFF:
            kind, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4], "big")
            if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
                return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
            at += 2 + length
    return None
