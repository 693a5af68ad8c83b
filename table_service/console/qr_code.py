"""A text as a QR code, drawn as SVG into a page."""

from __future__ import annotations

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel

_QUIET = 4
"""Modules left white around the code, as readers want it (ISO/IEC 18004)."""


def _code(text: str) -> QRCode:
    code = QRCode(None, QRErrorCorrectLevel.M)
    code.addData(text)
    code.make()
    return code


def qr_text(text: str) -> str:
    """Return the code for a terminal: two modules a letter, dark on light whatever the terminal's colours are."""
    modules = _code(text).modules
    wide = len(modules) + 2 * _QUIET
    rows = [[False] * wide for _ in range(_QUIET)]
    rows += [[*[False] * _QUIET, *map(bool, row), *[False] * _QUIET] for row in modules]
    rows += [[False] * wide for _ in range(_QUIET + wide % 2)]
    halves = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
    lines = (
        "".join(halves[pair] for pair in zip(rows[n], rows[n + 1], strict=True)) for n in range(0, len(rows) - 1, 2)
    )
    return "\n".join(f"\x1b[30;47m{line}\x1b[0m" for line in lines)


def qr_svg(text: str, label: str) -> str:
    """Return an SVG element with ``text`` black on white, in dark pages too; ``label`` is what screen readers say."""
    code = _code(text)
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
