"""A case's file verified without a network: hashes, certificates, the signature of every event, no hidden card.

The certificates are in the file; whose authority has issued them is for the reader to compare, or to give.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from cryptography import x509
from cryptography.hazmat.primitives import hashes

from table_service.console.archive.case_file import CERTIFICATES
from table_service.events.signing import Voices
from table_service.events.untrusted import as_list, as_map

MOST: Final = 128 * 1024 * 1024
"""Bytes of all files of a case together: a film and its pictures have less."""
_SUMS: Final = "SHA256SUMS"
_EVENTS: Final = ("events.jsonl", "around.jsonl")


@dataclass(frozen=True, slots=True)
class CaseVerdict:
    """Outcome of the verification. ``authority``: SHA-256 of its certificate; empty if the file names none.

    ``known``: whether that authority was given by the reader; ``problems``: a sentence for each thing that is not as
    it must be.
    """

    hall: str
    table: str
    key: str
    events: int
    signed: int
    pictures: int
    authority: str
    known: bool
    problems: tuple[str, ...]

    @property
    def whole(self) -> bool:
        """True if nothing was changed and every event is signed by its table."""
        return not self.problems

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return {"whole": self.whole, **asdict(self)}

    def __str__(self) -> str:
        lines = [f"case {self.key or '?'} of {self.hall or '?'}, table {self.table or '?'}"]
        lines.append(f"{self.signed} of {self.events} events signed by the table; {self.pictures} pictures")
        if self.authority:
            how = "as given" if self.known else "compare it with the hall's, or give --authority"
            lines.append(f"authority {self.authority} ({how})")
        return "\n".join(
            [*lines, *(f"NOT WHOLE: {one}" for one in self.problems)] if self.problems else [*lines, "whole"]
        )


def audit_case(body: bytes, subject: Callable[[str], str], authority: x509.Certificate | None = None) -> CaseVerdict:
    """Return the verdict on the file ``body``.

    ``subject``: the name that a table's certificate bears; ``authority``: the hall's, None: the one in the file.
    """
    problems: list[str] = []
    files = _files(body, problems)
    _check_sums(files, problems)
    about = as_map(_read(files.get("case.json", b""), "case.json", problems))
    table, hall = str(about.get("table") or ""), str(about.get("hall") or "")
    named = as_map(_read(files.get(CERTIFICATES, b"{}"), CERTIFICATES, problems))
    issuer = authority or _authority(named, problems)
    voices = None if issuer is None else Voices(issuer, subject, must_sign=True)
    if voices is not None and voices.introduce(table, named):
        problems.append("a certificate in the file is not the table's own, or not of that authority")
    events, signed = _check_events(files, table, voices, problems)
    if not events:
        problems.append("the file has no event")
    pictures = _check_pictures(about, files, problems)
    key = str(as_map(about.get("alert")).get("key") or "")
    shown = "" if issuer is None else issuer.fingerprint(hashes.SHA256()).hex()
    return CaseVerdict(hall, table, key, events, signed, pictures, shown, authority is not None, tuple(problems[:50]))


def _files(body: bytes, problems: list[str]) -> dict[str, bytes]:
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            if sum(one.file_size for one in archive.infolist()) > MOST:
                problems.append("the file unpacks to more than any case has")
                return {}
            return {one: archive.read(one) for one in archive.namelist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError):
        problems.append("the file is no ZIP that can be read")
    except zipfile.error:
        problems.append("the file is damaged")
    return {}


def _check_sums(files: Mapping[str, bytes], problems: list[str]) -> None:
    told = files.get(_SUMS, b"").decode("utf-8", "replace").splitlines()
    sums = {name: digest for digest, _, name in (line.partition("  ") for line in told)}
    if files and _SUMS not in files:
        problems.append(f"{_SUMS} is missing")
    for name, digest in sums.items():
        if name not in files:
            problems.append(f"{name} is missing")
        elif hashlib.sha256(files[name]).hexdigest() != digest:
            problems.append(f"{name} was changed")
    problems.extend(f"{name} is in no list" for name in files.keys() - sums.keys() - {_SUMS})


def _check_events(
    files: Mapping[str, bytes], table: str, voices: Voices | None, problems: list[str]
) -> tuple[int, int]:
    """Return how many events there are, and how many of them the table has signed."""
    events = signed = 0
    for name in _EVENTS:
        for number, line in enumerate(files.get(name, b"").splitlines(), start=1):
            event = as_map(_read(line, f"{name}, line {number}", problems))
            events += 1
            if "secret" in event:
                problems.append(f"{name}, line {number}: names something hidden in the open")
            if voices is not None and voices.judge("event", table, event) == "signed":
                signed += 1
            else:
                problems.append(f"{name}, line {number}: not signed by table {table or '?'}")
    return events, signed


def _check_pictures(about: Mapping[str, Any], files: Mapping[str, bytes], problems: list[str]) -> int:
    found = 0
    for one in map(as_map, as_list(about.get("pictures"))):
        name = one.get("file")
        if isinstance(name, str):
            found += 1
            if hashlib.sha256(files.get(name, b"")).hexdigest() != one.get("sha256"):
                problems.append(f"{name} is not the picture that the table announced")
    return found


def _authority(named: Mapping[str, Any], problems: list[str]) -> x509.Certificate | None:
    pem = named.get("authority")
    try:
        return x509.load_pem_x509_certificate(pem.encode()) if isinstance(pem, str) and pem else None
    except ValueError:
        problems.append(f"the authority in {CERTIFICATES} is no certificate")
        return None


def _read(body: bytes, what: str, problems: list[str]) -> object:
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        problems.append(f"{what} is no JSON")
        return None
