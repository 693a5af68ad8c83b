"""Text for a printed page in fonts that hold its letters.

Helvetica, which every reader of PDF has, holds the letters of western Europe. What it lacks is printed in Bitstream
Vera, which comes with reportlab (most of Latin Extended-A), then in DejaVu where Debian's ``fonts-dejavu-core`` is
installed (Greek, Cyrillic and more), and else without its accent, or as a question mark.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from reportlab.pdfbase.pdfmetrics import getFont, registerFont, registerFontFamily
from reportlab.pdfbase.ttfonts import TTFError, TTFont

_OWN: Final = "cp1252"
"""The letters of PDF's own fonts."""
SUITS: Final = "♥♦♣♠"
"""Left as they are: pages print them in PDF's Symbol font."""
DEJAVU: Final = Path("/usr/share/fonts/truetype/dejavu")
_FAMILIES: Final = (("Vera", "Vera.ttf", "VeraBd.ttf"), ("DejaVuSans", "DejaVuSans.ttf", "DejaVuSans-Bold.ttf"))


def markup(text: str, further: Path = DEJAVU) -> str:
    """``text`` as markup of a paragraph, each run of letters in a font that holds it; ``further``: DejaVu's folder."""
    letters = (_letter(one, further) for one in unicodedata.normalize("NFC", text))
    runs = groupby(letters, key=lambda one: one[1])
    said = []
    for font, same in runs:
        run = escape("".join(letter for letter, _ in same))
        said.append(f'<font name="{font}">{run}</font>' if font else run)
    return "".join(said)


def _letter(letter: str, further: Path) -> tuple[str, str]:
    """Return a letter as it is printed, and the font that it needs; empty for the paragraph's own."""
    if letter in SUITS or _is_own(letter):
        return letter, ""
    font = next((name for name, holds in _fonts(further) if holds(letter)), None)
    if font is not None:
        return letter, font
    bare = "".join(one for one in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(one))
    return (bare if bare and all(map(_is_own, bare)) else "?"), ""


def _is_own(letter: str) -> bool:
    try:
        letter.encode(_OWN)
    except UnicodeEncodeError:
        return False
    return True


@cache
def _fonts(further: Path) -> tuple[tuple[str, Callable[[str], bool]], ...]:
    """Return the further fonts that this machine has, each with whether it holds a letter; registered once."""
    found: list[tuple[str, Callable[[str], bool]]] = []
    for name, plain, bold in _FAMILIES:
        folder = "" if name == "Vera" else f"{further}/"
        try:
            registerFont(TTFont(name, f"{folder}{plain}"))
            registerFont(TTFont(f"{name}-Bold", f"{folder}{bold}"))
        except TTFError:
            continue
        registerFontFamily(name, normal=name, bold=f"{name}-Bold", italic=name, boldItalic=f"{name}-Bold")
        held = frozenset(getFont(name).face.charToGlyph)
        found.append((name, lambda letter, held=held: ord(letter) in held))  # type: ignore[misc]
    return tuple(found)
