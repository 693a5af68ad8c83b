"""`tavolo sealing-key` and `tavolo unseal`: made once, private, and read again only by who has it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

from nacl.signing import SigningKey

from table_service.publish import Sealing

TABLE = SigningKey(bytes(range(32)))
OTHER = SigningKey(bytes(range(1, 33)))


def public(key: SigningKey) -> str:
    return bytes(key.verify_key).hex()


def test_the_key_is_made_once_and_what_a_table_seals_for_it_is_read_with_it(tavolo: Any, tmp_path: Path) -> None:
    file = tmp_path / "arbitro.key"
    made = tavolo("sealing-key", file)
    assert made.returncode == 0
    assert file.stat().st_mode & 0o077 == 0
    assert tavolo("sealing-key", file).stdout == made.stdout, "the same key is told again"
    arbitro = tomllib.loads(made.stdout.decode())["sealing"]["arbitro"]
    assert file.read_text(encoding="ascii").strip() not in made.stdout.decode()
    message = Sealing(bytes.fromhex(arbitro), TABLE).seal("T1", "T1-1-7", {"cards": ["7H"]})
    read = tavolo("unseal", "--key", file, "--table-key", public(TABLE), stdin=message + b"\n")
    assert read.returncode == 0
    assert json.loads(read.stdout) == {"table": "T1", "event": "T1-1-7", "secret": {"cards": ["7H"]}}


def test_what_cannot_be_opened_is_said_in_one_sentence(tavolo: Any, tmp_path: Path) -> None:
    file = tmp_path / "arbitro.key"
    arbitro = tomllib.loads(tavolo("sealing-key", file).stdout.decode())["sealing"]["arbitro"]
    message = Sealing(bytes.fromhex(arbitro), TABLE).seal("T1", "T1-1-7", {"cards": ["7H"]})
    broken = tmp_path / "broken.key"
    broken.write_text("no key\n", encoding="ascii")
    wrong = [
        ((file, public(OTHER)), message, "line 1: the sealed message was not signed by this table"),
        ((file, public(TABLE)), b"{}", "line 1: this is no sealed message of a table"),
        ((file, "12"), message, "--table-key must be the table's public key"),
        ((broken, public(TABLE)), message, "holds no key: 64 hexadecimal digits are expected"),
    ]
    for (key, table), sent, words in wrong:
        answer = tavolo("unseal", "--key", key, "--table-key", table, stdin=sent)
        assert (answer.returncode, answer.stdout) == (1, b"")
        assert words in answer.stderr.decode()
        assert answer.stderr.decode().count("\n") == 1
    assert tavolo("sealing-key", tmp_path / "arbitro.key" / "in-a-file").returncode == 1
    assert tavolo("unseal", "--key", tmp_path / "none.key", "--table-key", public(TABLE)).returncode == 2
