"""One case as one file: what was told, what it rests on, what was decided, the pictures; with the hash of each.

A ZIP that opens anywhere; `tavolo audit CASE.zip` verifies it.
``SHA256SUMS`` is checked by `sha256sum -c SHA256SUMS`; pictures carry in ``case.json`` the
hash that stands in their table's journal, too. Pure but for the hashes.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

CERTIFICATES: Final = "certificates.json"
_MOMENT: Final = (1980, 1, 1, 0, 0, 0)
"""Every file's time in the archive: the same case gives the same bytes."""


@dataclass(frozen=True, slots=True)
class CasePicture:
    """A picture of a case. ``jpeg`` None: it could not be had, ``why`` says so. ``sha256``: as the journal has it."""

    ref: str
    moment: str
    sha256: str
    jpeg: bytes | None
    why: str = ""

    @property
    def name(self) -> str:
        """Its name in the file."""
        return f"pictures/{_safe(self.moment or 'picture')}-{_safe(self.ref)}.jpg"


@dataclass(frozen=True, slots=True)
class CaseFile:
    """Contents of the file. ``text``: the case for a person, in his language; ``about``: the same for a program.

    ``told``: the events of the irregularity; ``moves``: the table's events around the fact.
    """

    about: Mapping[str, Any]
    text: str
    told: Sequence[Mapping[str, Any]]
    moves: Sequence[Mapping[str, Any]]
    pictures: Sequence[CasePicture]
    certificates: Mapping[str, Any] = field(default_factory=dict)
    """The table's certificates (``certificates``) and their authority's (``authority``), PEM; empty: not known."""


def case_zip(case: CaseFile) -> bytes:
    """Return the case as a ZIP."""
    listed = [
        {"ref": one.ref, "moment": one.moment, "sha256": one.sha256, "file": None if one.jpeg is None else one.name}
        | ({"why": one.why} if one.why else {})
        for one in case.pictures
    ]
    files = {
        "case.json": _json({**case.about, "pictures": listed}, indent=1),
        "case.txt": case.text.encode(),
        "events.jsonl": b"".join(_json(event) for event in case.told),
        "around.jsonl": b"".join(_json(event) for event in case.moves),
    }
    if case.certificates:
        files[CERTIFICATES] = _json(case.certificates, indent=1)
    files |= {one.name: one.jpeg for one in case.pictures if one.jpeg is not None}
    sums = "".join(f"{hashlib.sha256(body).hexdigest()}  {name}\n" for name, body in files.items())
    files["SHA256SUMS"] = sums.encode()
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in files.items():
            entry = zipfile.ZipInfo(name, _MOMENT)
            entry.external_attr = 0o600 << 16
            archive.writestr(entry, body, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _json(value: Mapping[str, Any], indent: int | None = None) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=indent) + "\n").encode("utf-8", "backslashreplace")


def _safe(text: str) -> str:
    return "".join(letter if letter.isascii() and (letter.isalnum() or letter in "-_") else "_" for letter in text)[:80]
