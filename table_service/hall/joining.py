"""Bring a table into a hall: what its card holds is laid beside the table's configuration, which then names it."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Final

from hw.whole_files import write_whole
from table_service.hall.errors import HallError
from table_service.hall.join_card import Card

_BROKER_KEYS: Final = ("host", "port", "username", "password_file", "ca_file", "certificate_file", "key_file")


def join(card: Card, config: Path) -> Path:
    """Let the table of ``config`` sign in with ``card``; returns the folder with its certificate and key.

    The configuration keeps everything but its broker. Raises HallError.
    """
    text = _checked(card, config)
    folder = config.resolve().parent / "tls" / card.table
    owner = config.stat()
    try:
        folder.parent.mkdir(mode=0o750, exist_ok=True)
        folder.mkdir(mode=0o750, exist_ok=True)
        for place in (folder.parent, folder):
            _give(place, owner, 0o750)
        for name, data in (
            ("authority.crt", card.authority),
            (f"{card.table}.crt", card.certificate),
            (f"{card.table}.key", card.key),
        ):
            _put(folder / name, data, owner, 0o600 if name.endswith(".key") else 0o640)
        changed = _with_broker(text, card, folder)
        tomllib.loads(changed)
        _put(config.resolve(), changed.encode(), owner)
    except OSError as error:
        raise HallError(f"cannot write {error.filename or folder}: {error.strerror or error}") from None
    return folder


def _checked(card: Card, config: Path) -> str:
    """Return the configuration's text, once it is this table's. Raises HallError."""
    try:
        text = config.read_text("utf-8")
        told = tomllib.loads(text)["table"]
        name, hall = str(told["name"]), str(told.get("hall", "sala"))
    except FileNotFoundError:
        raise HallError(
            f"there is no {config}: 'tavolo install --table {card.table}' writes it, or name another with --config"
        ) from None
    except OSError as error:
        raise HallError(f"{config} cannot be read: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError):
        raise HallError(f"{config} is no table's configuration: 'tavolo check {config}' says what is wrong") from None
    if name != card.table:
        raise HallError(f"the card is table {card.table}'s, and {config} is table {name}'s")
    if hall != card.hall:
        raise HallError(
            f"the card is of hall '{card.hall}', and {config} says hall '{hall}': write hall = \"{card.hall}\""
        )
    return text


def _with_broker(text: str, card: Card, folder: Path) -> str:
    """Return ``text`` with another broker; lines of the section that are not its keys stay."""
    mine = (
        f'host = "{card.host}"\nport = {card.port}\nca_file = "{folder}/authority.crt"\n'
        f'certificate_file = "{folder}/{card.table}.crt"\nkey_file = "{folder}/{card.table}.key"\n'
    )
    found = re.search(r"(?m)^\[broker\][^\n]*\n?", text)
    if found is None:
        return f"{text.rstrip()}\n\n[broker]\n{mine}"
    following = re.search(r"(?m)^\[", text[found.end() :])
    end = found.end() + following.start() if following else len(text)
    keys = "|".join(_BROKER_KEYS)
    kept = re.sub(rf"(?m)^[ \t]*(?:{keys})[ \t]*=[^\n]*(?:\n|\Z)", "", text[found.end() : end])
    return text[: found.end()].rstrip("\n") + "\n" + mine + kept + text[end:]


def _put(path: Path, data: bytes, owner: os.stat_result, mode: int = 0o640) -> None:
    """Write ``data`` whole or not at all, for the owner and, by ``mode``, the group that read the configuration."""
    write_whole(path, data, own=lambda fresh: _give(fresh, owner, mode))


def _give(path: Path, owner: os.stat_result, mode: int) -> None:
    path.chmod(mode if os.geteuid() == 0 else mode & 0o700)
    if os.geteuid() == 0:
        os.chown(path, owner.st_uid, owner.st_gid)
