"""The chain that makes a changed byte show: every entry's hash covers the one before, and the table signs the head."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey

from hw.errors import TavoloError
from hw.whole_files import write_whole

_KEY_FILE_MOST: Final = 1000
"""Most bytes read of a key file: it holds 64 digits, and a file named as one may be anything."""
_GENESIS: Final = b"tavolo-journal-1"
_CHECKPOINT: Final = b"tavolo-checkpoint-1"


class JournalError(TavoloError):
    """A journal, or what belongs to it, that cannot be used; the message is one sentence for a person."""


class KeyFileError(JournalError):
    """A key file that cannot be read or made; the message is one sentence."""


def canonical(value: Mapping[str, Any]) -> str:
    """``value`` as JSON that has one spelling: sorted keys, no spaces, UTF-8 unescaped."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def _digest(parts: tuple[bytes, ...]) -> bytes:
    """SHA-256 over parts with their lengths, so that no two lists of parts spell the same bytes."""
    state = hashlib.sha256()
    for part in parts:
        state.update(len(part).to_bytes(8, "big"))
        state.update(part)
    return state.digest()


def genesis(table: bytes, public_key: bytes, created: bytes) -> bytes:
    """Return what the first entry's hash covers: whose journal this is and which key signs it."""
    return _digest((_GENESIS, table, public_key, created))


def link(previous: bytes, columns: tuple[bytes | None, ...]) -> bytes:
    """Return the hash of an entry (32 bytes): over the previous hash and its columns; None and empty differ."""
    return _digest((previous, *(b"-" if c is None else b"+" + c for c in columns)))


def checkpoint_text(table: bytes, n: int, head: bytes) -> bytes:
    """Return what is signed at a checkpoint: that the entry ``n`` of this table's journal has the hash ``head``."""
    return _digest((_CHECKPOINT, table, str(n).encode(), head))


def signed_by(public_key: bytes, text: bytes, signature: bytes) -> bool:
    """Return True if ``signature`` is that of ``public_key`` (Ed25519, 32 bytes) over ``text``."""
    try:
        VerifyKey(public_key).verify(text, signature)
    except (BadSignatureError, ValueError, TypeError):
        return False
    return True


def was_cut_off(path: Path) -> bool:
    """Return True if the key file at ``path`` is there and empty: a power cut came before its bytes were synced."""
    with suppress(OSError):
        if not path.is_file() or path.stat().st_size >= _KEY_FILE_MOST:
            return False
        return not path.read_bytes().strip(b"\0 \r\n")
    return False


def load_or_make_key(path: Path) -> SigningKey:
    """Return the Ed25519 key whose seed is at ``path`` in hexadecimal; made there, mode 0600, if missing or empty.

    Raises KeyFileError if the file is not a key or cannot be read or written.
    """
    try:
        if path.exists() and not was_cut_off(path):
            with path.open("rb") as file:
                return SigningKey(bytes.fromhex(file.read(_KEY_FILE_MOST).decode("ascii").strip()))
        key = SigningKey.generate()
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, f"{bytes(key).hex()}\n".encode("ascii"))
    except (ValueError, UnicodeDecodeError) as error:
        raise KeyFileError(f"{path} holds no key: 64 hexadecimal digits are expected") from error
    except OSError as error:
        raise KeyFileError(f"the key file {path} cannot be used ({error.strerror or error})") from error
    return key
