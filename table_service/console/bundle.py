"""What every page loads, as one style sheet and one script: under load a page waits for two answers instead of nine.

Their names hold a hash of what is in them, so that a browser keeps them for good and never shows an old one.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from table_service.console.third_party import SCRIPTS

STATIC: Final = Path(__file__).parent / "static"
_STYLES: Final = ("console.css", "board.css", "desk.css", "archive.css", "evidence.css", "sheets.css", "away.css")
_SCRIPTS: Final = ("console.js", "lists.js", "picker.js", "zoom.js", "entries.js", "copy.js", "away.js", "replay.js")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A file made of several."""

    name: str
    media_type: str
    body: bytes


@lru_cache(maxsize=4)
def htmx_file(name: str) -> bytes | None:
    """Htmx or its extension for server-sent events. None: no such file."""
    return SCRIPTS[name].body if name in SCRIPTS else None


@lru_cache(maxsize=1)
def style() -> Bundle:
    """All style sheets, in the order in which one overrules another."""
    body = b"\n".join((STATIC / name).read_bytes() for name in _STYLES)
    return Bundle(f"{_mark(body)}.css", "text/css; charset=utf-8", body)


@lru_cache(maxsize=1)
def script() -> Bundle:
    """Htmx, its extension for server-sent events, and the page's own few lines."""
    parts = [one.body for one in SCRIPTS.values()] + [(STATIC / name).read_bytes() for name in _SCRIPTS]
    body = b"\n;\n".join(parts)
    return Bundle(f"{_mark(body)}.js", "text/javascript; charset=utf-8", body)


def bundle(name: str) -> Bundle | None:
    """The bundle of that name; None where there is none, or one of an earlier version."""
    return next((one for one in (style(), script()) if one.name == name), None)


def _mark(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]
