"""`tavolo sealing-key` and `tavolo unseal`: made once, private, and read again only by who has it."""

from __future__ import annotations

import json
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from hw.observation_log import read_log
from table_service.events.topics import Topics
from table_service.journal import SealedLogWriter
from table_service.publish import Sealing

TABLE = SigningKey(bytes(range(32)))
OTHER = SigningKey(bytes(range(1, 33)))


def public(key: SigningKey) -> str:
    return bytes(key.verify_key).hex()


@pytest.fixture
def within(invoke: Any) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """The command in this process, which takes a fifth of the time, with the answers of one of its own."""

    def call(*args: object, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        done = invoke(*args, stdin=stdin)
        return subprocess.CompletedProcess(args, done.exit_code, done.stdout_bytes, done.stderr_bytes)

    return call


@pytest.mark.slow(seconds=4)
def test_the_key_is_made_once_and_what_a_table_seals_for_it_is_read_with_it(
    tavolo: Any, within: Any, tmp_path: Path
) -> None:
    file = tmp_path / "arbitro.key"
    made = tavolo("sealing-key", file)
    assert made.returncode == 0
    assert file.stat().st_mode & 0o077 == 0
    assert within("sealing-key", file).stdout == made.stdout, "the same key is told again"
    arbitro = tomllib.loads(made.stdout.decode())["sealing"]["arbitro"]
    assert file.read_text(encoding="ascii").strip() not in made.stdout.decode()
    message = Sealing(bytes.fromhex(arbitro), TABLE).seal(Topics("sala", "T1"), "T1-1-7", 3, {"cards": ["7H"]})
    said = ("--reason", "who holds the seven?")
    with_topic = b"tavolo/v1/sala/T1/sealed/3 " + message  # as mosquitto_sub -v says it
    for command, sent in ((tavolo, message), (within, with_topic)):
        read = command("unseal", "--key", file, "--table-key", public(TABLE), *said, stdin=sent + b"\n")
        assert read.returncode == 0
        assert json.loads(read.stdout) == {"table": "T1", "event": "T1-1-7", "secret": {"cards": ["7H"]}}
    moved = b"tavolo/v1/sala/T1/sealed/4 " + message
    refused = within("unseal", "--key", file, "--table-key", public(TABLE), *said, stdin=moved)
    assert (refused.returncode, refused.stdout) == (1, b"")
    told = within("openings", "--key", file)
    assert told.returncode == 0
    assert told.stdout.decode().count("sealed messages of table T1, deal 3: who holds the seven?") == 2


def test_what_cannot_be_opened_is_said_in_one_sentence(within: Any, tmp_path: Path) -> None:
    file = tmp_path / "arbitro.key"
    arbitro = tomllib.loads(within("sealing-key", file).stdout.decode())["sealing"]["arbitro"]
    message = Sealing(bytes.fromhex(arbitro), TABLE).seal(Topics("sala", "T1"), "T1-1-7", 3, {"cards": ["7H"]})
    broken = tmp_path / "broken.key"
    broken.write_text("no key\n", encoding="ascii")
    wrong = [
        ((file, public(OTHER)), message, "line 1: the sealed message was not signed by this table"),
        ((file, public(TABLE)), b"{}", "line 1: this is no sealed message of a table"),
        ((file, "12"), message, "--table-key must be the table's public key"),
        ((broken, public(TABLE)), message, "holds no key: 64 hexadecimal digits are expected"),
    ]
    for (key, table), sent, words in wrong:
        answer = within("unseal", "--key", key, "--table-key", table, "--reason", "why", stdin=sent)
        assert (answer.returncode, answer.stdout) == (1, b"")
        assert words in answer.stderr.decode()
        assert answer.stderr.decode().count("\n") == 1
    assert within("sealing-key", tmp_path / "arbitro.key" / "in-a-file").returncode == 1
    assert (
        within("unseal", "--key", tmp_path / "none.key", "--table-key", public(TABLE), "--reason", "x").returncode == 2
    )
    without = within("unseal", "--key", file, "--table-key", public(TABLE), "--reason", " ", stdin=message)
    assert (without.returncode, without.stdout) == (1, b"")
    assert b"for a reason" in without.stderr
    assert within("openings", "--key", file).stdout == b"", "nothing was opened, nothing is noted"


@pytest.mark.slow
def test_a_sealed_log_replays_as_the_plain_one_for_who_has_the_key_and_says_why(
    within: Any, rehearsed: Path, tmp_path: Path
) -> None:
    file = tmp_path / "arbitro.key"
    arbitro = tomllib.loads(within("sealing-key", file).stdout.decode())["sealing"]["arbitro"]
    header, observations = read_log(rehearsed)
    sealed = tmp_path / "T1.jsonl"
    writer = SealedLogWriter(sealed, header, bytes.fromhex(arbitro), TABLE, "000001")
    for one in observations:
        writer.write(one)
    writer.close()
    plain = within("replay", rehearsed, "--events", "-", "--secret")
    assert plain.returncode == 0

    shut = within("replay", sealed, "--events", "-")
    assert (shut.returncode, shut.stdout) == (1, b"")
    assert b"it is sealed" in shut.stderr
    for words, status in ((("--table-key", public(TABLE)), 2), (("--table-key", public(OTHER), "--reason", "x"), 1)):
        refused = within("replay", sealed, "--events", "-", "--key", file, *words)
        assert (refused.returncode, refused.stdout) == (status, b"")
    assert within("openings", "--key", file).stdout == b""

    opens = ("--key", file, "--table-key", public(TABLE), "--reason", "ruling 4 of deal 1")
    read = within("replay", sealed, "--events", "-", "--secret", *opens)
    assert read.returncode == 0
    assert read.stdout == plain.stdout
    told = within("openings", "--key", file).stdout.decode().splitlines()
    assert len(told) == 1
    assert "observation log T1.jsonl of table" in told[0]
    assert told[0].endswith("boot 000001: ruling 4 of deal 1")

    ledger = tmp_path / "arbitro.key.openings.jsonl"
    assert ledger.stat().st_mode & 0o077 == 0
    assert within("replay", sealed, *opens).returncode == 0
    ledger.write_text(ledger.read_text().replace("ruling 4", "ruling 5", 1))
    altered = within("openings", "--key", file)
    assert altered.returncode == 1
    assert "(ALTERED)" in altered.stdout.decode().splitlines()[0]

    ledger.unlink()
    ledger.mkdir()  # what cannot be noted is not opened
    refused = within("replay", sealed, "--events", "-", *opens)
    assert (refused.returncode, refused.stdout) == (1, b"")
    assert b"so nothing is opened" in refused.stderr
