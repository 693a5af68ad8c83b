"""A table's card on paper: what it is for, what to do with it, and a QR code."""

from __future__ import annotations

import io
from datetime import datetime
from itertools import groupby
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray
from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel
from reportlab.lib.pagesizes import A4
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from table_service.hall.errors import HallError
from table_service.hall.join_card import PREFIX, Card

_SIDE: Final = 160 * mm
_QUIET: Final = 4
"""Modules left white around the code, as readers want it (ISO/IEC 18004)."""
_MARGIN: Final = 25 * mm
_LEADING: Final = 6.2 * mm
_SCALES: Final = (1.0, 1.5, 2.0, 0.5)


def card_pdf(card: Card, text: str, until: datetime) -> bytes:
    """Return the card as a PDF of one page (A4), in Italian and English."""
    out = io.BytesIO()
    # the same contents are the same bytes
    page = Canvas(out, pagesize=A4, invariant=True)
    page.setTitle(f"Tavolo {card.table}")
    width, height = A4
    page.setFont("Helvetica-Bold", 30)
    page.drawString(_MARGIN, height - 28 * mm, f"{card.hall} · {card.table}")
    page.setFont("Helvetica", 11)
    lines = (
        "Questa carta porta il tavolo nella sala. Il codice che la apre lo dice chi organizza.",
        "This card brings the table into the hall. The code that opens it is told by the organiser.",
        f"tavolo hall join CARD --config /etc/tavolo/{card.table}.toml",
        f"{card.host}:{card.port}   ·   fino al / until {until:%d/%m/%Y}",
    )
    for number, line in enumerate(lines):
        page.drawString(_MARGIN, height - 39 * mm - number * _LEADING, line)
    _draw_code(page, text, (width - _SIDE) / 2, 45 * mm)
    page.setFont("Helvetica", 9)
    page.drawString(_MARGIN, 30 * mm, "Dopo l’uso si distrugge. Se va persa: tavolo hall revoke, poi renew.")
    page.drawString(_MARGIN, 25 * mm, "Destroy it after use. If it is lost: tavolo hall revoke, then renew.")
    page.showPage()
    page.save()
    return out.getvalue()


def _draw_code(page: Canvas, text: str, left: float, bottom: float) -> None:
    """Draw ``text`` as a QR code of ``_SIDE`` points; ``left`` and ``bottom`` are in points too.

    One path of what is dark, row by row: as a shape of reportlab's for each module it takes three times as long.
    """
    code = QRCode(None, QRErrorCorrectLevel.L)
    code.addData(text)
    code.make()
    module = _SIDE / (code.getModuleCount() + 2 * _QUIET)
    dark = page.beginPath()
    for y, row in enumerate(reversed(code.modules), start=_QUIET):
        x = _QUIET
        for is_dark, run in groupby(map(bool, row)):
            count = len(list(run))
            if is_dark:
                dark.rect(left + x * module, bottom + y * module, count * module, module)
            x += count
    page.drawPath(dark, stroke=0, fill=1)


def text_in_picture(picture: NDArray[np.uint8]) -> str:
    """Return the text of the card in a picture (BGR). Raises HallError if none can be read."""
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    for scale in _SCALES:
        seen = grey if scale == 1.0 else cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
        for reader in (cv2.QRCodeDetectorAruco(), cv2.QRCodeDetector()):  # the first finds more, the second others
            try:
                text, _, _ = reader.detectAndDecode(seen)
            except cv2.error:
                continue
            if text.startswith(PREFIX):
                return str(text)
    raise HallError(
        "no card can be read in the picture: take it nearer, flat and evenly lit, or give the file card.txt"
    )
