"""The bare table as the camera sees it, and the light that falls on it."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from cv2.typing import MatLike
from numpy.typing import NDArray

from hw.layout import Layout, Marker, Rect
from hw.twin.camera_optics import Optics, table_outline
from hw.twin.camera_style import CameraStyle, Colour

Pixels = NDArray[np.uint8]

_QUIET = 5.0
"""White margin of a printed marker, in millimetres."""
_MARKER_PX = 12
"""Pixels of one marker module in its source picture."""


def bare_table(
    layout: Layout, style: CameraStyle, optics: Optics, rng: np.random.Generator, printed: Sequence[str] = ()
) -> Pixels:
    """Cloth with printed places and markers, rail and floor: (height, width, 3) BGR without light, blur and noise.

    ``printed``: the zones round which a line is drawn; those that the layout does not have are left out.
    """
    size = (optics.width, optics.height)
    picture = _cloth(style, size, rng)
    inside = np.zeros(size[::-1], np.uint8)
    cv2.fillPoly(inside, [_fixed(optics.project(table_outline(layout.side)))], 255, cv2.LINE_AA, 4)
    surround = np.empty_like(picture)
    surround[:] = style.floor
    cv2.fillPoly(surround, [_fixed(optics.project(table_outline(layout.side + 24)))], style.rail, cv2.LINE_AA, 4)
    _blend(picture, surround, 255 - inside)
    for zone in printed:
        if zone in layout.zones:
            _print_zone(picture, layout.zones[zone], style, optics)
    for marker in layout.markers:
        print_marker(picture, marker, optics)
    return picture


def _cloth(style: CameraStyle, size: tuple[int, int], rng: np.random.Generator) -> Pixels:
    """Felt: a base colour with fibres, mottling and slow drift."""
    width, height = size
    fibre = rng.standard_normal((height, width), dtype=np.float32)
    cv2.GaussianBlur(fibre, (0, 0), 1.1, fibre)
    mottle = _drift(rng, size, 96) + 0.6 * _drift(rng, size, 260)
    shade = 1.0 + style.felt_grain * (fibre * 0.022 + mottle * 0.0045)
    picture = np.empty((height, width, 3), np.uint8)
    for channel, value in enumerate(style.felt):
        picture[..., channel] = np.clip(shade * value, 0, 255)
    return picture


def _drift(rng: np.random.Generator, size: tuple[int, int], cells: int) -> NDArray[np.float32]:
    coarse = rng.standard_normal((cells, cells), dtype=np.float32)
    return np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.float32)


def _print_zone(picture: Pixels, rect: Rect, style: CameraStyle, optics: Optics) -> None:
    """Draw a thin line round a place, a little lighter than the cloth."""
    corners = np.array([[rect.x0, rect.y0], [rect.x1, rect.y0], [rect.x1, rect.y1], [rect.x0, rect.y1]])
    colour: Colour = tuple(min(255, int(value * 1.45 + 14)) for value in style.felt)  # type: ignore[assignment]
    thickness = max(1, round(0.9 * optics.px_per_mm))
    cv2.polylines(picture, [_fixed(optics.project(corners))], True, colour, thickness, cv2.LINE_AA, 4)


def print_marker(picture: Pixels, marker: Marker, optics: Optics) -> None:
    """Print one ArUco marker (DICT_4X4_50) with its white margin on the table in ``picture``."""
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    modules = 6 * _MARKER_PX
    inner = cv2.aruco.generateImageMarker(dictionary, marker.number, modules)
    quiet = round(modules * _QUIET / marker.side)
    sheet = np.pad(inner, quiet, constant_values=255)
    toned = (28 + sheet.astype(np.uint16) * 214 // 255).astype(np.uint8)
    reach = marker.side / 2 + quiet * marker.side / modules
    corners = np.array([[-reach, reach], [reach, reach], [reach, -reach], [-reach, -reach]]) + np.array(
        (marker.x, marker.y)
    )
    source = np.repeat(toned[..., None], 3, axis=2)
    warp_onto(picture, source, np.full(toned.shape, 255, np.uint8), optics.project(corners))


def warp_onto(picture: Pixels, source: Pixels, alpha: Pixels, quad: NDArray[np.float64]) -> None:
    """Draw ``source`` through ``alpha`` so that its outer corners fall on ``quad`` (top left first, clockwise)."""
    x0, y0 = np.floor(quad.min(axis=0)).astype(int) - 1
    x1, y1 = np.ceil(quad.max(axis=0)).astype(int) + 2
    x0, y0, x1, y1 = max(x0, 0), max(y0, 0), min(x1, picture.shape[1]), min(y1, picture.shape[0])
    if x0 >= x1 or y0 >= y1:
        return
    matrix = to_quad(source.shape[1], source.shape[0], quad - (x0, y0))
    size = (int(x1 - x0), int(y1 - y0))
    drawn = cv2.warpPerspective(source, matrix, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    through = cv2.warpPerspective(alpha, matrix, size, flags=cv2.INTER_LINEAR)
    _blend(picture[y0:y1, x0:x1], drawn, through)


def to_quad(width: int, height: int, quad: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the homography from a picture's pixels to ``quad``, its outer corners onto the quad's."""
    edges = np.array([[-0.5, -0.5], [width - 0.5, -0.5], [width - 0.5, height - 0.5], [-0.5, height - 0.5]], np.float32)
    return np.asarray(cv2.getPerspectiveTransform(edges, quad.astype(np.float32)), np.float64)


def _blend(under: Pixels, over: MatLike, alpha: MatLike) -> None:
    """``under`` becomes ``over`` where ``alpha`` is 255, in place."""
    weight = cv2.merge([alpha, alpha, alpha])
    kept = cv2.multiply(under, cv2.bitwise_not(weight), scale=1 / 255)
    cv2.add(kept, cv2.multiply(over, weight, scale=1 / 255), dst=under)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    """Points in sixteenths of a pixel, as OpenCV's drawing takes them with a shift of 4."""
    return np.round(points * 16).astype(np.int32)


def light_gain(style: CameraStyle, width: int, height: int) -> NDArray[np.float32]:
    """Return how bright each pixel is: (height, width), about 1 in the middle."""
    x = np.linspace(-1, 1, width, dtype=np.float32)[None, :]
    y = np.linspace(1, -1, height, dtype=np.float32)[:, None]
    angle = np.deg2rad(style.light_from)
    across = style.gradient / 2 * np.cos(angle) / np.sqrt(2) * x - style.vignette / 2 * x * x
    down = style.gradient / 2 * np.sin(angle) / np.sqrt(2) * y - style.vignette / 2 * y * y
    return np.asarray(0.97 * (1.0 + across + down), np.float32)


def light_tint(style: CameraStyle) -> Pixels:
    """Return the light's colour as a table (1, 256, 3) of what becomes of each value of blue, green and red."""
    values = np.arange(256, dtype=np.float32)[None, :, None]
    tint = np.array((1 - style.warmth, 1.0, 1 + style.warmth), np.float32)
    return np.clip(np.round(values * tint), 0, 255).astype(np.uint8)
