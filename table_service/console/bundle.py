"""The files of every page as one style sheet, one script and one worker: a page waits for two answers instead of nine.

Their names hold a hash of what is in them, so that a browser keeps them for good and never shows an old one.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Final

STATIC: Final = Path(__file__).parent / "static"
_STYLES: Final = (
    "console.css", "board.css", "desk.css", "archive.css", "evidence.css", "sheets.css", "away.css", "print.css",
)  # fmt: skip
_SCRIPTS: Final = (
    "stream.js", "console.js", "lists.js", "picker.js", "zoom.js", "film.js", "entries.js", "copy.js", "share.js",
    "away.js", "replay.js",
)  # fmt: skip
_HTMX: Final = {"htmx.js": "htmx-2.min.js", "sse.js": "ext/hx-sse-2.min.js"}


@dataclass(frozen=True, slots=True)
class Bundle:
    """A file made of several."""

    name: str
    media_type: str
    body: bytes


@lru_cache(maxsize=4)
def htmx_file(name: str) -> bytes | None:
    """Htmx or its extension, as files of an installed package; Django itself is not imported. None: no such file."""
    if name not in _HTMX:
        return None
    path = resources.files("django_htmx") / "static" / "django_htmx"
    for part in _HTMX[name].split("/"):
        path = path / part
    return path.read_bytes()


@lru_cache(maxsize=1)
def style() -> Bundle:
    """All style sheets, in the order in which one overrules another."""
    body = b"\n".join((STATIC / name).read_bytes() for name in _STYLES)
    return Bundle(f"{_mark(body)}.css", "text/css; charset=utf-8", body)


@lru_cache(maxsize=1)
def script() -> Bundle:
    """Htmx, its extension for server-sent events, and the page's own few lines."""
    parts = [htmx_file(name) or b"" for name in _HTMX] + [(STATIC / name).read_bytes() for name in _SCRIPTS]
    body = b"\n;\n".join(parts)
    return Bundle(f"{_mark(body)}.js", "text/javascript; charset=utf-8", body)


@lru_cache(maxsize=1)
def stream_worker() -> Bundle:
    """Return the worker that holds the one stream of a browser's pages."""
    body = (STATIC / "shared-worker.js").read_bytes()
    return Bundle(f"{_mark(body)}.js", "text/javascript; charset=utf-8", body)


def bundle(name: str) -> Bundle | None:
    """Return the bundle of that name; None if absent, or of an earlier version."""
    return next((one for one in (style(), script(), stream_worker()) if one.name == name), None)


def _mark(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:16]
