"""The segments of a JPEG file before its picture, and what its EXIF says of how it is to be turned.

Sources: ITU-T T.81, annex B; CIPA DC-008 (EXIF), of which the orientation alone is read.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

START_OF_SCAN: Final = 0xDA
EXIF: Final = 0xE1
_ORIENTATION: Final = 0x0112


def segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """Kind of each segment up to the first scan's header, where it begins (its mark, 255), and where it ends."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF:  # fill
            at += 1
            continue
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        yield kind, at, end
        if kind == START_OF_SCAN:
            return
        at = end


def orientation(data: bytes) -> int:
    """Return the orientation, 1 (upright) to 8, that the JPEG ``data`` has in its first EXIF; 1 if it has none."""
    for kind, at, end in segments(data):
        if kind == EXIF and data[at + 4 : at + 10] == b"Exif\0\0":
            return orientation_of(data[at + 10 : end])
    return 1


def orientation_of(tiff: bytes) -> int:
    """Return the orientation, 1 to 8, in the first directory of EXIF's ``tiff``; 1 (upright) without that tag."""
    order: Literal["little", "big"] = "little" if tiff.startswith(b"II") else "big"
    at = int.from_bytes(tiff[4:8], order)
    for n in range(int.from_bytes(tiff[at : at + 2], order)):
        entry = tiff[at + 2 + 12 * n : at + 14 + 12 * n]
        if len(entry) < 12:
            break
        if int.from_bytes(entry[:2], order) == _ORIENTATION:
            told = int.from_bytes(entry[8:10], order)
            return told if 1 <= told <= 8 else 1
    return 1
