"""`tavolo sealing-key` and `tavolo unseal`: the arbitro's own key, and what tables have sealed for it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

from nacl.public import PrivateKey
from nacl.signing import VerifyKey

from table_service.journal import load_or_make_key
from table_service.publish import SealError, open_sealed


def arbitro_key(path: Path) -> PrivateKey:
    """The arbitro's private Curve25519 key at ``path``, 64 hexadecimal digits; made there, mode 0600, if missing.

    Raises JournalError.
    """
    return PrivateKey(bytes(load_or_make_key(path)))


def for_the_tables(key: PrivateKey) -> str:
    """What every table's configuration needs to seal for ``key``."""
    return f'[sealing]\narbitro = "{bytes(key.public_key).hex()}"'


def opened(lines: Iterable[str], key: PrivateKey, table_key: str) -> Iterator[str]:
    """Each sealed message in ``lines``, one a line, opened as JSON. Raises SealError with the line's number.

    ``table_key``: the table's public Ed25519 key in hexadecimal. Raises ValueError where it is none.
    """
    try:
        table = VerifyKey(bytes.fromhex(table_key))
    except (ValueError, TypeError):
        raise ValueError(
            "--table-key must be the table's public key, 64 hexadecimal digits: `tavolo audit JOURNAL --json` says it"
        ) from None
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                yield json.dumps(open_sealed(line.encode(), key, table), ensure_ascii=False)
            except SealError as error:
                raise SealError(f"line {number}: {error}") from error
