"""Pixels of our pack: SVG drawn by resvg into numpy arrays."""

from __future__ import annotations

import re
from functools import cache

import numpy as np
from numpy.typing import NDArray

from hw.layout import CARD_HEIGHT, CARD_WIDTH
from hw.pack.drawn import Drawing
from hw.pack.faces import back_svg, face_svg
from hw.pack.style import TAVOLO, PackStyle


def svg_bgra(svg: str, width: int, height: int) -> NDArray[np.uint8]:
    """Return the drawing ``svg`` as (``height``, ``width``, 4) BGRA, alpha not premultiplied."""
    import cv2
    import resvg_py

    # resvg keeps proportions and rounds up what it is told; a drawing that says its pixels itself comes out exact.
    sized = _SIZE.sub(f'width="{width}" height="{height}" preserveAspectRatio="none"', svg, count=1)
    png = resvg_py.svg_to_bytes(svg_string=sized, dpi=96.0, skip_system_fonts=True)
    picture = cv2.imdecode(np.frombuffer(bytes(png), np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.shape != (height, width, 4):
        raise ValueError("this SVG does not say width and height in its first element")
    return np.ascontiguousarray(picture, dtype=np.uint8)


_SIZE = re.compile(r'width="[^"]*" height="[^"]*"')


@cache
def face_bgra(card: str, px_per_mm: float, style: PackStyle = TAVOLO, variety: str = "red") -> NDArray[np.uint8]:
    """Return the face of ``card`` at ``px_per_mm`` as read-only BGRA; corners outside the rounding are transparent."""
    return _frozen(svg_bgra(face_svg(card, style, variety=variety), *_size(px_per_mm)))


@cache
def back_bgra(px_per_mm: float, style: PackStyle = TAVOLO, colour: str = "blue") -> NDArray[np.uint8]:
    """Return the back at ``px_per_mm`` as read-only BGRA."""
    return _frozen(svg_bgra(back_svg(style, colour=colour), *_size(px_per_mm)))


@cache
def drawn_bgra(drawing: Drawing, card: str, px_per_mm: float) -> NDArray[np.uint8]:
    """Return the face of ``card`` as ``drawing`` has it, or its ``back``, at ``px_per_mm`` as read-only BGRA."""
    return _frozen(svg_bgra(drawing(card), *_size(px_per_mm)))


def _size(px_per_mm: float) -> tuple[int, int]:
    return round(CARD_WIDTH * px_per_mm), round(CARD_HEIGHT * px_per_mm)


def _frozen(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    picture.flags.writeable = False
    return picture
