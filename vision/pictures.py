"""Opening pictures that people hand over: every way a file can be bad is one sentence."""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import IO, Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import PictureError
from vision.jpeg_segments import START_OF_SCAN, orientation, segments

Image = NDArray[np.uint8]

MAX_BYTES: Final = 200_000_000
MAX_PIXELS: Final = 120_000_000
MIN_SIDE: Final = 16
MAX_RATIO: Final = 2000
"""Largest ratio of the longer side to the shorter; a row of all cards of a pack is 100 times as wide as high."""
_HEIF: Final = (b"heic", b"heix", b"hevc", b"heim", b"heis", b"mif1", b"msf1", b"avif")
"""Brands of the file format in which phones keep pictures that OpenCV does not read (ISO/IEC 23008-12)."""
MOST_SCANS: Final = 100
"""Most scans of a JPEG; progressive ones have 10 to 30. Each costs as much time as a whole picture."""
_SCAN: Final = bytes((0xFF, START_OF_SCAN))
TURNS: Final = {
    3: cv2.ROTATE_180, 4: cv2.ROTATE_180, 5: cv2.ROTATE_90_CLOCKWISE, 6: cv2.ROTATE_90_CLOCKWISE,
    7: cv2.ROTATE_90_COUNTERCLOCKWISE, 8: cv2.ROTATE_90_COUNTERCLOCKWISE,
}  # fmt: skip
"""EXIF orientation to the rotation that turns the stored picture upright."""
MIRRORED: Final = {2: 1, 4: 1, 5: 1, 7: 1}
"""EXIF orientations that are mirrored left to right after the rotation, as OpenCV's flip code."""
_HARMLESS: Final = re.compile(
    r"(^|\D)[1-8] extraneous bytes before marker|Invalid SOS parameters|Unsupported color conversion|colorspace"
)
"""Complaints of a decoder about undamaged pictures: a Logitech C270 fills up with bytes before markers, others write
odd parameters, print has four colours."""
_NO_PICTURE: Final = "this is not a picture that can be read (JPEG, PNG, WebP, TIFF and BMP can)"


def open_picture(path: Path) -> Image:
    """Return the picture in a file as BGR uint8 (height, width, 3), turned upright as its EXIF says.

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


def read_picture(stream: IO[bytes], name: str) -> Image:
    """Read a picture from a stream, such as standard input, as ``open_picture`` does."""
    data = stream.read(MAX_BYTES + 1)
    if not data:
        raise PictureError(f"{name}: nothing came")
    if len(data) > MAX_BYTES:
        raise PictureError(f"{name}: this is more than a picture may have ({MAX_BYTES / 1e6:.0f} MB)")
    return decode_picture(data, name)


def decode_picture(data: bytes, name: str = "picture", most: int = MAX_PIXELS) -> Image:
    """Decode a picture from bytes as ``open_picture`` does; ``name`` is used in messages, ``most`` limits pixels."""
    _refuse_truncated(data, name)
    if data[4:8] == b"ftyp" and data[8:12] in _HEIF:
        raise PictureError(
            f"{name}: this is a HEIC or AVIF picture, which cannot be read: on an iPhone choose Settings, Camera, "
            "Formats, Most Compatible, or send the picture as JPEG"
        )
    size = _declared_size(data)
    if size is None:  # of another kind, or without a header: what it would unpack to is not known
        raise PictureError(f"{name}: {_NO_PICTURE}")
    if size[0] * size[1] > most:
        raise PictureError(f"{name}: {size[0]}x{size[1]} pixels are more than can be read ({most / 1e6:.0f} million)")
    plain = _whole_jpeg(data, name) if data.startswith(b"\xff\xd8") else None
    picture = _decoded(data, name) if plain is None else plain
    if picture.shape[0] * picture.shape[1] > most:
        raise PictureError(f"{name}: the picture is too large to be read")
    if min(picture.shape[:2]) < MIN_SIDE:
        raise PictureError(f"{name}: {picture.shape[1]}x{picture.shape[0]} pixels are too few to show a card")
    if max(picture.shape[:2]) > MAX_RATIO * min(picture.shape[:2]):
        raise PictureError(f"{name}: {picture.shape[1]}x{picture.shape[0]} pixels are a strip that can show no card")
    return _eight_bit(picture)


def _decoded(data: bytes, name: str) -> NDArray[np.generic]:
    """Decode a picture of any kind, turned upright."""
    told = cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)  # the sentence below is all that is said
    try:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR | cv2.IMREAD_ANYDEPTH)
    except cv2.error as problem:
        raise PictureError(f"{name}: this picture is broken and cannot be decoded") from problem
    finally:
        cv2.utils.logging.setLogLevel(told)
    if picture is None:
        raise PictureError(f"{name}: {_NO_PICTURE}")
    return np.asarray(picture)


def _whole_jpeg(data: bytes, name: str) -> Image | None:
    """Decode a JPEG, turned upright, if its decoder complains of nothing; None if OpenCV is to decode it.

    Refuses one that is costly without need, or of which the decoder says that bytes were lost or spoilt: OpenCV
    continues with whatever it makes of them. Bytes that were exchanged for other valid ones are not noticed by any
    decoder. Both decoders give the same pixels.
    """
    if data.count(_SCAN) > MOST_SCANS:
        raise PictureError(f"{name}: this JPEG has more than {MOST_SCANS} scans: no camera writes such a picture")
    strict = _strict_decoder()
    if strict is None:
        return None
    try:
        return _turned(np.asarray(strict(data, colorspace="BGR", strict=True), np.uint8), orientation(data))
    except ValueError as problem:
        said = str(problem)
        if not _HARMLESS.search(said):
            raise PictureError(f"{name}: this picture was damaged on its way ({said.partition(chr(10))[0]})") from None
    return None


def _turned(picture: Image, told: int) -> Image:
    """Return a picture turned upright, as EXIF's orientation says of it, 1 to 8."""
    if told in TURNS:
        picture = np.asarray(cv2.rotate(picture, TURNS[told]), np.uint8)
    return np.asarray(cv2.flip(picture, MIRRORED[told]), np.uint8) if told in MIRRORED else picture


@cache
def _strict_decoder() -> Callable[..., object] | None:
    """Return simplejpeg's decoder; None if it cannot be loaded: damage is then not noticed.

    Debian's own build may be for another numpy (``vision.picamera``), and a picture must be read all the same.
    """
    try:
        found: Callable[..., object] = importlib.import_module("simplejpeg").decode_jpeg
    except (ImportError, ValueError):
        return None
    return found


def _eight_bit(picture: NDArray[np.generic]) -> Image:
    if picture.dtype == np.uint16:
        return np.asarray(cv2.convertScaleAbs(picture.astype(np.uint16, copy=False), alpha=1 / 257), np.uint8)
    if picture.dtype != np.uint8:  # floating point: 0 to 1, or whatever it spans
        values = np.nan_to_num(picture.astype(np.float32))
        top = float(values.max()) or 1.0
        return np.asarray(np.clip(values / max(top, 1.0) * 255, 0, 255), np.float32).astype(np.uint8)
    return np.ascontiguousarray(picture).astype(np.uint8, copy=False)


def _refuse_truncated(data: bytes, name: str) -> None:
    """OpenCV fills what is missing of a cut picture with grey; that would be read as an empty table."""
    cut = False
    if data.startswith(b"\xff\xd8"):
        cut = data.find(b"\xff\xd9", _start_of_scan(data)) < 0
    elif data.startswith(b"\x89PNG\r\n\x1a\n"):
        cut = b"IEND" not in data[-65536:]
    elif data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        cut = len(data) < int.from_bytes(data[4:8], "little") + 8
    if cut:
        raise PictureError(f"{name}: the picture is cut short")


def _start_of_scan(data: bytes) -> int:
    """Return where a JPEG's picture begins: after its headers, whose thumbnail has an end of its own."""
    for kind, at, _ in segments(data):
        if kind == START_OF_SCAN:
            return at
    return len(data)


def _declared_size(data: bytes) -> tuple[int, int] | None:
    """Width and height that a picture announces, so that a bomb is not unpacked to be measured; None if unknown."""
    if data.startswith(b"\x89PNG") and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if data.startswith(b"BM") and len(data) >= 26:
        wide, tall = (int.from_bytes(data[k : k + 4], "little", signed=True) for k in (18, 22))
        return abs(wide), abs(tall)
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP" and len(data) >= 30:
        return _webp_size(data)
    if data[:4] in (b"II*\0", b"MM\0*"):
        return _tiff_size(data)
    return _jpeg_size(data) if data.startswith(b"\xff\xd8") else None


def _jpeg_size(data: bytes) -> tuple[int, int] | None:
    """Read the size from the frame's header, wherever it comes."""
    for kind, at, _ in segments(data):
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC) and at + 9 < len(data):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
    return None


def _webp_size(data: bytes) -> tuple[int, int] | None:
    """Read the size from the first chunk (RFC 9649): extended, lossless or lossy."""
    match data[12:16]:
        case b"VP8X":
            return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
        case b"VP8L":
            bits = int.from_bytes(data[21:25], "little")
            return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        case b"VP8 ":
            return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None


def _tiff_size(data: bytes) -> tuple[int, int] | None:
    """Read the size from tags 256 and 257 of the first directory (TIFF 6.0)."""
    order: Literal["little", "big"] = "little" if data.startswith(b"II") else "big"
    at = int.from_bytes(data[4:8], order)
    sizes: dict[int, int] = {}
    for n in range(int.from_bytes(data[at : at + 2], order)):
        entry = data[at + 2 + 12 * n : at + 14 + 12 * n]
        tag, kind = int.from_bytes(entry[:2], order), int.from_bytes(entry[2:4], order)
        if tag in (256, 257) and len(entry) == 12:
            sizes[tag] = int.from_bytes(entry[8:10] if kind == 3 else entry[8:12], order)
    return (sizes[256], sizes[257]) if len(sizes) == 2 else None
