"""Files of a table, what it reads of them before it begins, and the error that says what is missing."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hw.errors import ServiceError
from hw.tag_uids import read_tags

LAST_FIRST_BOOT: Final = 0xF00000
"""A first boot has a number below: the rest are for those that follow (boots have six hexadecimal digits)."""


@dataclass(frozen=True, slots=True)
class TableFiles:
    """Places of one table's files."""

    journal: Path
    evidence: Path
    key: Path
    log: Path | None = None

    @classmethod
    def under(cls, folder: Path, table: str) -> TableFiles:
        """All files of ``table`` in ``folder``, which is made if missing (mode 0700)."""
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        return cls(folder / f"{table}.sqlite", folder / "evidence", folder / f"{table}.key", folder / f"{table}.jsonl")


def first_boot_of(now: datetime, public_key: bytes) -> int:
    """Return the number of the first boot of a journal begun now: minutes since 2026, and some by the table's key.

    A table whose card was changed then comes after itself, and another one of the same name, begun on the same evening,
    is hardly ever taken for it. With a clock that is not set (before 2026) only the key counts.
    """
    minutes = int((now - datetime(2026, 1, 1, tzinfo=UTC)).total_seconds() // 60)
    return (minutes if 0 < minutes < LAST_FIRST_BOOT else 1) + public_key[0] % 64


def load_tags(path: Path | None) -> dict[str, str]:
    """Return the map from tag UID to card in the JSON file at ``path``; none without one.

    Raises ServiceError, with every fault on a line of its own.
    """
    if path is None:
        return {}
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = json.loads(text, object_pairs_hook=list)
    except OSError as error:
        raise ServiceError(f"the tags file {path} cannot be read: {error.strerror or error}") from None
    except ValueError:
        raise ServiceError(f"the tags file {path} is not JSON") from None
    if not text.lstrip().startswith("{"):
        raise ServiceError(f'the tags file {path} must be an object {{"UID": "7H#1", …}}')
    named, faults = read_tags((str(uid), str(card)) for uid, card in data)
    if faults:
        found = (f"line {_line_of(text, one.uid)} of the tags file {path}: {one.uid}: {one}" for one in faults)
        raise ServiceError("\n".join(found))
    return named


def _line_of(text: str, uid: str) -> int:
    """Return the number of the last line on which ``uid`` is a key."""
    return 1 + text[: max(0, text.rfind(json.dumps(uid)))].count("\n")
