"""A card as one SVG text: its edge, its paper, and what is drawn on it."""

from __future__ import annotations

from hw.layout import CARD_HEIGHT, CARD_WIDTH


def card_sheet(body: str, title: str, paper: str, corner: float, width: float | None) -> str:
    """``body`` on a card of ``paper`` with corners of ``corner`` millimetres; one user unit is a millimetre.

    ``width`` is its width in CSS pixels, else 63 mm.
    """
    size = f'width="{CARD_WIDTH:g}mm" height="{CARD_HEIGHT:g}mm"'
    if width is not None:
        size = f'width="{width:g}" height="{width * CARD_HEIGHT / CARD_WIDTH:g}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="0 0 {CARD_WIDTH:g} {CARD_HEIGHT:g}" '
        f'role="img" aria-label="{title}">'
        f'<rect x=".15" y=".15" width="{CARD_WIDTH - 0.3:g}" height="{CARD_HEIGHT - 0.3:g}" rx="{corner:g}" '
        f'fill="{paper}" stroke="#b9b4a6" stroke-width=".3"/>{body}</svg>'
    )
