"""MicroPython's images (UF2): which are pinned, what a file is, and the drive that a board in BOOTSEL mode shows.

UF2 blocks as in Microsoft's specification; family numbers as in its list (RP2040, RP2350 on its ARM cores).
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import struct
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hw.errors import TavoloError

PINNED: Final = Path(__file__).parent / "micropython_images.toml"
FAMILIES: Final = {0xE48BFF56: "RP2040", 0xE48BFF59: "RP2350"}
DRIVES: Final = {"RPI-RP2": "RP2040", "RP2350": "RP2350"}
"""The chip by the ``Board-ID`` in a drive's INFO_UF2.TXT."""
INFO: Final = "INFO_UF2.TXT"
BLOCK: Final = 512
_HEAD: Final = struct.Struct("<8I")
_MAGIC: Final = (0x0A324655, 0x9E5D5157)


class ImageError(TavoloError, ValueError):
    """An image or a drive that cannot be used; the text is one sentence."""


@dataclass(frozen=True, slots=True)
class PinnedImage:
    """One image by name and sum; ``sha256`` is empty if it could not be verified."""

    file: str
    module: str
    chip: str
    version: str
    sha256: str
    tested: str


@dataclass(frozen=True, slots=True)
class Image:
    """A UF2 file: its chip, its MicroPython's version (empty: none found), its sum, its bytes."""

    name: str
    chip: str
    version: str
    sha256: str
    content: bytes


def pinned() -> tuple[PinnedImage, ...]:
    """Return the images that this release names."""
    return tuple(PinnedImage(**entry) for entry in tomllib.loads(PINNED.read_text(encoding="utf-8"))["image"])


def read_image(path: Path) -> Image:
    """Return the UF2 file at ``path``, every block of it checked. Raises ImageError."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise ImageError(f"cannot read {path}: {error.strerror or error}") from None
    if not content or len(content) % BLOCK:
        raise ImageError(f"{path} is no UF2 file, or not whole: its length is no multiple of {BLOCK}")
    families, payload = set(), bytearray()
    for at in range(0, len(content), BLOCK):
        first, second, _, _, size, number, count, family = _HEAD.unpack_from(content, at)
        if (first, second) != _MAGIC or count != len(content) // BLOCK or number != at // BLOCK or size > 476:
            raise ImageError(f"{path} is no whole UF2 file: block {at // BLOCK} is not what it should be")
        families.add(family)
        payload += content[at + 32 : at + 32 + size]
    if len(families) != 1 or not families <= FAMILIES.keys():
        raise ImageError(f"{path} is for another chip than an RP2040 or an RP2350's ARM cores")
    return Image(
        path.name, FAMILIES[families.pop()], _version(bytes(payload)), hashlib.sha256(content).hexdigest(), content
    )


def _version(payload: bytes) -> str:
    _, found, rest = payload.partition(b"MicroPython v")
    return rest.split(b" ", 1)[0].decode("ascii", "replace")[:20] if found else ""


def approve(image: Image, sha256: str | None) -> str:
    """Return how ``image`` is trusted, in a few words: pinned here, or by the sum a person gave. Raises ImageError."""
    if not image.version:
        raise ImageError(f"{image.name} holds no MicroPython")
    if sha256 is not None:
        if sha256.lower() != image.sha256:
            raise ImageError(f"{image.name} has the sha256 {image.sha256}, not the one you gave")
        return "by the sum you gave"
    for one in pinned():
        if one.sha256 and one.sha256 == image.sha256:
            return f"pinned: MicroPython {one.version} for {one.module}"
    raise ImageError(
        f"{image.name} is not pinned: its sha256 is {image.sha256}; if you trust its source, say so by --sha256"
    )


def drive_chip(drive: Path) -> str:
    """Return the chip of the board whose BOOTSEL drive is mounted at ``drive``. Raises ImageError."""
    try:
        text = (drive / INFO).read_text(encoding="ascii", errors="replace")
    except OSError:
        raise ImageError(f"{drive} is not the drive of a board in BOOTSEL mode: it has no {INFO}") from None
    ids = [line.partition(":")[2].strip() for line in text.splitlines() if line.startswith("Board-ID:")]
    if not ids or ids[0] not in DRIVES:
        raise ImageError(f"{drive} belongs to a board that is no Pico: {ids[0] if ids else 'it does not say which'}")
    return DRIVES[ids[0]]


def find_drive(mounts: Path = Path("/proc/mounts")) -> Path:
    """Return the one mounted BOOTSEL drive. Raises ImageError if there is none, or several."""
    try:
        places = [line.split()[1] for line in mounts.read_text(encoding="utf-8").splitlines()]
    except (OSError, IndexError):
        places = []
    found = [Path(place.replace("\\040", " ")) for place in places]
    found = [place for place in found if (place / INFO).is_file()]
    if len(found) == 1:
        return found[0]
    if found:
        raise ImageError(
            f"{len(found)} boards are in BOOTSEL mode: say --drive with one of {', '.join(map(str, found))}"
        )
    raise ImageError(
        "no board in BOOTSEL mode is mounted: hold its button while you plug it in, mount its drive "
        "(udisksctl mount -b /dev/disk/by-label/RPI-RP2 or RP2350), or say --drive"
    )


def copy_to(image: Image, drive: Path) -> None:
    """Copy ``image`` onto the drive, which then leaves. Raises ImageError."""
    chip = drive_chip(drive)
    if chip != image.chip:
        raise ImageError(f"{image.name} is for an {image.chip}, but the board at {drive} is an {chip}")
    try:
        with (drive / image.name).open("wb") as stream:
            stream.write(image.content)
            stream.flush()
            with contextlib.suppress(OSError):  # with the last block the board leaves, and the drive with it
                os.fsync(stream.fileno())
    except OSError as error:
        raise ImageError(f"cannot write to {drive}: {error.strerror or error}") from None
