"""The table's ArUco markers as a PDF to print at true scale, with rulers that show whether the printer kept it."""

from __future__ import annotations

import io
from typing import Any, Final

import cv2
import numpy as np

from hw.layout import Layout, Marker
from vision.errors import CalibrationError

CELLS: Final = 6
"""Cells of a DICT_4X4 marker's side, its black border included."""
QUIET: Final = 0.2
"""White border around a marker as a share of its side, at least one cell."""
PAGE_MM: Final = (210.0, 297.0)
MARGIN_MM: Final = 15.0
HEAD_MM: Final = 42.0
RULER_MM: Final = 100


def marker_sheets(layout: Layout) -> bytes:
    """Return a PDF (A4) of the layout's markers; as many pages as they need.

    Raises CalibrationError if a marker does not fit on a page.
    """
    from reportlab.pdfgen.canvas import Canvas

    sizes = [m.side * (1 + 2 * QUIET) for m in layout.markers]
    room_x, room_y = PAGE_MM[0] - 2 * MARGIN_MM, PAGE_MM[1] - 2 * MARGIN_MM - HEAD_MM - 16
    if not layout.markers:
        raise CalibrationError("this layout has no markers")
    if max(sizes) > min(room_x, room_y):
        raise CalibrationError(f"a marker of {max(m.side for m in layout.markers):g} mm does not fit on an A4 page")
    out = io.BytesIO()
    page = Canvas(out, pagesize=tuple(v * _MM for v in PAGE_MM), pageCompression=1)
    page.setTitle("Tavolo: marker")
    across = max(1, int(room_x // (max(sizes) + 6)))
    down = max(1, int(room_y // (max(sizes) + 12)))
    for first in range(0, len(layout.markers), across * down):
        _head(page)
        for k, marker in enumerate(layout.markers[first : first + across * down]):
            size = max(sizes)
            x = MARGIN_MM + (k % across) * (size + 6)
            y = PAGE_MM[1] - MARGIN_MM - HEAD_MM - (k // across) * (size + 12) - size
            _marker(page, marker, x, y)
        page.showPage()
    page.save()
    return out.getvalue()


_MM: Final = 72 / 25.4
"""PDF points of a millimetre."""


def _head(page: Any) -> None:
    """Print the sheet's instructions and two rulers."""
    lines = (
        "Stampare al 100 % (nessun adattamento), poi controllare i due righelli: devono misurare 100 mm.",
        "Ritagliare lungo la linea grigia e incollare al posto indicato, con la scritta verso Sud.",
        "Print at 100 % (no fitting), then check both rulers: they must measure 100 mm.",
        "Cut along the grey line and glue in the place named, the writing towards South.",
    )
    for n, line in enumerate(lines):
        page.setFont("Helvetica", 9)
        page.drawString(MARGIN_MM * _MM, (PAGE_MM[1] - MARGIN_MM - 4 - 4.6 * n) * _MM, line)
    _ruler(page, MARGIN_MM, PAGE_MM[1] - MARGIN_MM - 32, upright=False)
    _ruler(page, PAGE_MM[0] - 9, MARGIN_MM, upright=True)


def _ruler(page: Any, x: float, y: float, *, upright: bool) -> None:
    page.saveState()
    page.translate(x * _MM, y * _MM)
    if upright:
        page.rotate(90)
    page.setLineWidth(0.25)
    page.line(0, 0, RULER_MM * _MM, 0)
    for k in range(RULER_MM + 1):
        page.line(k * _MM, 0, k * _MM, (5.0 if k % 10 == 0 else 3.5 if k % 5 == 0 else 2.0) * _MM)
    page.setFont("Helvetica", 7)
    for k in (0, 50, 100):
        page.drawCentredString(k * _MM, 5.8 * _MM, f"{k} mm" if k else "0")
    page.restoreState()


def _marker(page: Any, marker: Marker, x: float, y: float) -> None:
    """One marker with its quiet border, cutting line and place; ``x``, ``y`` the line's lower left corner in mm."""
    words = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    cells = np.asarray(cv2.aruco.generateImageMarker(words, marker.number, CELLS))
    edge, cell = marker.side * QUIET, marker.side / CELLS
    page.setLineWidth(0.25)
    page.setStrokeGray(0.6)
    whole = marker.side + 2 * edge
    page.rect(x * _MM, y * _MM, whole * _MM, whole * _MM, stroke=1, fill=0)
    page.setFillGray(0)
    for row in range(CELLS):
        # one rectangle for each run of black cells, a hair wider than they are apart, so that no line shows between
        column = 0
        while column < CELLS:
            length = 0
            while column + length < CELLS and cells[row, column + length] < 128:
                length += 1
            if length:
                left, low = x + edge + column * cell, y + edge + (CELLS - 1 - row) * cell
                page.rect(left * _MM, low * _MM, length * cell * _MM, (cell + 0.02) * _MM, stroke=0, fill=1)
            column += max(1, length)
    page.setFont("Helvetica", 6.5)
    place = f"{marker.number}: {marker.x:+g} mm E, {marker.y:+g} mm N  ({marker.side:g} mm)  Sud / South"
    page.drawCentredString((x + whole / 2) * _MM, (y + 1.6) * _MM, place)
