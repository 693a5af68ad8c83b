"""JPEG files without what a camera writes beside the picture: the place, the time, the phone, a thumbnail.

The picture itself is not packed anew: not a pixel changes, and it takes no time. The page does the same before it sends
(``static/bare-picture.js``); what is held here is bared once more, for anybody may send. Source: ITU-T T.81, annex B;
of EXIF (CIPA DC-008) the orientation alone is kept, as a picture would lie on its side without it.
"""

from __future__ import annotations

import re
from typing import Final

from vision.jpeg_segments import EXIF, orientation_of

_BEFORE_MARKER: Final = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]")
"""End of a scan: a byte 255 that is no data (a 0 follows then) and no mark of restart. More such bytes may precede it;
a pattern of any number of them takes thirty times as long."""
_JFIF, _ADOBE, _COMMENT = 0xE0, 0xEE, 0xFE
_PLAIN_JFIF: Final = 16
"""Length of a JFIF segment without a thumbnail."""


def bare_jpeg(data: bytes) -> bytes | None:
    """Return the JPEG ``data`` with its picture, colours and orientation alone; None if it is no plain whole JPEG.

    What follows the picture's end (a film, further pictures) is left out, too.
    """
    if not data.startswith(b"\xff\xd8"):
        return None
    kept: list[bytes] = []
    turned, at = 1, 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if kind == 0xFF:  # fill
            at += 1
            continue
        if kind == 0xD9:
            break
        end = at + 2 + int.from_bytes(data[at + 2 : at + 4], "big")
        if kind == 0xDA:
            found = _BEFORE_MARKER.search(data, end)
            if found is None:
                return None
            end = found.start()
            while data[end - 1] == 0xFF:  # fill
                end -= 1
        segment = data[at:end]
        if kind == EXIF and segment[4:10] == b"Exif\0\0" and turned == 1:
            turned = orientation_of(segment[10:])
        if _belongs(kind, segment):
            kept.append(segment)
        at = end
    if data[at : at + 2] != b"\xff\xd9":
        return None
    return b"".join((b"\xff\xd8", _turn(turned), *kept, b"\xff\xd9"))


def _belongs(kind: int, segment: bytes) -> bool:
    """Return True for a segment that the decoder needs."""
    if kind == _JFIF:
        return len(segment) == 2 + _PLAIN_JFIF
    return kind == _ADOBE or not (_JFIF <= kind <= 0xEF or kind == _COMMENT)


def _turn(orientation: int) -> bytes:
    """Return an EXIF segment that says the orientation and nothing else; none for an upright picture."""
    if orientation == 1:
        return b""
    entry = b"\x01\x12" + b"\0\3\0\0\0\1" + orientation.to_bytes(2, "big") + b"\0\0"
    told = b"Exif\0\0MM\0*\0\0\0\x08\0\1" + entry + bytes(4)
    return b"\xff\xe1" + (len(told) + 2).to_bytes(2, "big") + told
