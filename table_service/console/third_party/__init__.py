"""Two scripts of others that the pages load, as their makers published them: htmx and its extension for events.

They lie here because no package on PyPI carries them without a web framework of its own. Nothing in them is changed:
``tests/console/test_third_party.py`` holds each to its checksum.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Script:
    """One of them: its file here, its package at npm and version, SHA-256, and licence (SPDX) with its text's file."""

    file: str
    package: str
    version: str
    sha256: str
    licence: str
    text: str

    @property
    def body(self) -> bytes:
        """What is in the file."""
        return (HERE / self.file).read_bytes()


SCRIPTS: Final = {
    "htmx.js": Script(
        "htmx.min.js",
        "htmx.org",
        "2.0.10",
        "71ea67185bfa8c98c39d31717c6fce5d852370fcdfd129db4543774d3145c0de",
        "0BSD",
        "LICENSE-htmx.txt",
    ),
    "sse.js": Script(
        "sse.min.js",
        "htmx-ext-sse",
        "2.2.4",
        "98a46496de0c3605fbffdce9167ba427bdd9553184f83f149c261891a92c0136",
        "0BSD",
        "LICENSE-sse.txt",
    ),
}
"""By the name under which pages ask for it, in the order in which they are loaded."""
