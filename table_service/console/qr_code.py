"""A text as a QR code, drawn as SVG into a page."""

from __future__ import annotations

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

_QUIET = 4
"""Modules left white around the code, as readers want it (ISO/IEC 18004)."""


def qr_svg(text: str, label: str) -> str:
    """An SVG element with ``text`` as black on white, in dark pages too; ``label`` is what a screen reader says."""
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    size = code.getModuleCount() + 2 * _QUIET
    dark = "".join(
        f"M{x + _QUIET} {y + _QUIET}h1v1h-1z"
        for y, row in enumerate(code.modules)
        for x, is_dark in enumerate(row)
        if is_dark
    )
    said = label.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="qr" viewBox="0 0 {size} {size}" role="img" '
        f'aria-label="{said}">'
        f'<rect width="{size}" height="{size}" fill="#fff"/>'
        f'<path d="{dark}" fill="#000" shape-rendering="crispEdges"/></svg>'
    )
