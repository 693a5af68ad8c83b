"""A sealed observation log: nothing of it in the open, nothing lacking, altered or moved goes unnoticed."""

from __future__ import annotations

import base64
import json
import os
import resource
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from nacl.public import PrivateKey
from nacl.signing import SigningKey

from hw.observation_log import Header, LogError, LogWriter, read_log
from hw.observations import Console, Observation, Tags
from table_service.events.deal_keys import DealKeys, SealError, unlock, unwrap
from table_service.journal import SealedLog, SealedLogWriter, is_sealed
from table_service.journal.sealed_log import WAITING_MOST

ARBITRO = PrivateKey.generate()
TABLE = SigningKey.generate()
FOR = bytes(ARBITRO.public_key)
HEADER = Header("T1", "fibur2024", tags={f"E0{n:014X}": "7H#1" for n in range(9)}, seats={"N": "Nadia"})


def observations(deals: int = 3, each: int = 40) -> list[Observation]:
    found: list[Observation] = []
    for deal in range(1, deals + 1):
        found.append(Console(float(deal * 100), "arbitro", "deal", {"deal": deal, "dealer": "N"}))
        found += [Tags(deal * 100 + n / 10, "gate-N", (f"E0{n % 9:014X}",)) for n in range(each)]
    return found


def written(path: Path, told: list[Observation], *, end: bool = True) -> Path:
    writer = SealedLogWriter(path, HEADER, FOR, TABLE, "00000a")
    for number, one in enumerate(told):
        writer.write(one)
        if number % 7 == 6:
            writer.flush()
    writer.close() if end else writer.flush()
    return path


def read(path: Path) -> tuple[Header, list[Observation], list[str]]:
    broken: list[LogError] = []
    header, lines = read_log(path, broken.append, SealedLog(path, ARBITRO, TABLE.verify_key).opened(broken.append))
    return header, list(lines), [str(one) for one in broken]


def test_what_was_written_is_read_again_and_nothing_of_it_is_in_the_file(tmp_path: Path) -> None:
    told = observations()
    path = written(tmp_path / "T1.jsonl", told)
    assert is_sealed(path)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read(path) == (HEADER, told, [])
    everything = path.read_bytes()
    everything += b"".join(base64.b64decode(json.loads(line).get("content", "")) for line in everything.splitlines())
    for hidden in (b"7H#1", b"E00000", b"Nadia", b"gate-N", b'"kind":"tags"'):
        assert hidden not in everything


def test_each_deal_has_a_key_of_its_own_which_opens_that_deal_alone(tmp_path: Path) -> None:
    path = written(tmp_path / "T1.jsonl", observations())
    lines = [json.loads(line) for line in path.read_text().splitlines()[1:]]
    keys = {one["deal"]: unwrap(base64.b64decode(one["content"]), ARBITRO) for one in lines if one["kind"] == "key"}
    assert sorted(keys) == [0, 1, 2, 3]
    assert len(set(keys.values())) == 4
    third = next(base64.b64decode(one["content"]) for one in lines if one["kind"] == "block" and one["deal"] == 3)
    with pytest.raises(SealError):
        unlock(third, keys[2], b"")


def test_a_log_of_a_table_that_was_killed_has_what_was_flushed_and_says_that_it_has_no_end(tmp_path: Path) -> None:
    program = f"""
import os, signal
from pathlib import Path
from nacl.signing import SigningKey
from hw.observation_log import Header
from hw.observations import Tags
from table_service.journal import SealedLogWriter
writer = SealedLogWriter(Path({str(tmp_path / "T1.jsonl")!r}), Header("T1", "fibur2024"), bytes.fromhex({FOR.hex()!r}),
                         SigningKey(bytes.fromhex({bytes(TABLE).hex()!r})), "00000b")
for n in range(100):
    writer.write(Tags(n / 10, "gate-N", ()))
writer.flush()
for n in range(100, 150):
    writer.write(Tags(n / 10, "gate-N", ()))
os.kill(os.getpid(), signal.SIGKILL)
"""
    died = subprocess.run([sys.executable, "-c", program], check=False)
    assert died.returncode == -signal.SIGKILL
    _, lines, broken = read(tmp_path / "T1.jsonl")
    assert len(lines) == 100
    assert [one.partition(": ")[2] for one in broken] == [
        "the log has no end: its table was killed, or what came last is lacking"
    ]


@pytest.mark.parametrize("what", ["altered", "lacking", "twice", "swapped", "cut"])
def test_what_was_done_to_a_line_is_told_and_the_rest_is_read(tmp_path: Path, what: str) -> None:
    told = observations()
    path = written(tmp_path / "T1.jsonl", told)
    lines = path.read_bytes().splitlines(keepends=True)
    place = next(n for n, line in enumerate(lines) if b'"block"' in line and json.loads(line)["deal"] == 2)
    if what == "altered":
        lines[place] = lines[place].replace(b'"content":"', b'"content":"AAAA', 1)
    elif what == "lacking":
        del lines[place]
    elif what == "twice":
        lines.insert(place + 1, lines[place])
    elif what == "swapped":
        lines[place : place + 2] = [lines[place + 1], lines[place]]
    else:
        lines = lines[:-1]
    path.write_bytes(b"".join(lines))
    _, kept, broken = read(path)
    assert broken, what
    if what in ("twice", "cut"):
        assert kept == told
    else:
        assert len(told) - 16 <= len(kept) < len(told)
        assert [one for one in told if one in kept] == kept
    with pytest.raises(LogError):
        list(read_log(path, None, SealedLog(path, ARBITRO, TABLE.verify_key).opened())[1])


def test_no_byte_of_a_line_can_be_changed_unseen(tmp_path: Path) -> None:
    path = written(tmp_path / "T1.jsonl", observations(1, 3))
    whole = path.read_bytes()
    first = whole.index(b"\n") + 1
    for place in range(first, len(whole), 97):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        try:
            _, _, broken = read(path)
        except (SealError, LogError):
            continue
        assert broken, f"byte {place}"


def test_a_block_of_another_start_or_table_does_not_open_here(tmp_path: Path) -> None:
    told = observations(1)
    mine, other = tmp_path / "mine.jsonl", tmp_path / "other.jsonl"
    for path, boot in ((mine, "00000a"), (other, "00000b")):
        writer = SealedLogWriter(path, HEADER, FOR, TABLE, boot)
        for one in told:
            writer.write(one)
        writer.close()
    ours, theirs = mine.read_bytes().splitlines(keepends=True), other.read_bytes().splitlines(keepends=True)
    mine.write_bytes(b"".join(ours[:3] + theirs[3:]))
    _, kept, broken = read(mine)
    assert kept == []
    assert any("not signed by this table" in one for one in broken)


def test_the_wrong_key_is_said_and_opens_nothing(tmp_path: Path) -> None:
    path = written(tmp_path / "T1.jsonl", observations(1))
    with pytest.raises(SealError, match="not sealed for this key"):
        SealedLog(path, PrivateKey.generate(), TABLE.verify_key).opened()
    with pytest.raises(SealError, match="another one than given"):
        SealedLog(path, ARBITRO, SigningKey.generate().verify_key)
    with pytest.raises(LogError, match="it is sealed"):
        read_log(path)
    plain = tmp_path / "plain.jsonl"
    LogWriter(plain, HEADER).close()
    assert not is_sealed(plain)
    with pytest.raises(LogError, match="no sealed log"):
        SealedLog(plain, ARBITRO, TABLE.verify_key)


def test_what_a_full_disk_refuses_waits_and_is_written_when_it_takes_something_again(tmp_path: Path) -> None:
    told = observations(4, 200)
    path = tmp_path / "T1.jsonl"
    writer = SealedLogWriter(path, HEADER, FOR, TABLE, "00000a")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        for one in told[:300]:
            writer.write(one)
        writer.flush()
        resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + 700, before[1]))  # takes half a line
        for one in told[300:600]:
            writer.write(one)
        with pytest.raises(OSError, match="too large"):
            writer.flush()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, ignored)
    for one in told[600:]:
        writer.write(one)
    writer.close()
    _, kept, broken = read(path)
    assert kept == told
    assert len(broken) == 1  # the half line
    assert "no line of a sealed log" in broken[0]


def test_what_waits_for_a_disk_is_bounded_and_what_is_not_kept_is_said(tmp_path: Path) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this machine has no /dev/full")
    writer = SealedLogWriter(tmp_path / "T1.jsonl", HEADER, FOR, TABLE, "00000a")
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, writer.fileno())
    os.close(full)
    one, refused = Tags(1.0, "gate-N", ("E0" * 8,) * 400), 0
    size = len(json.dumps(["E0" * 8] * 400))
    for _ in range(3 * WAITING_MOST // size):
        try:
            writer.write(one)
        except OSError:
            refused += 1
    assert refused > WAITING_MOST // size
    assert writer.waiting < WAITING_MOST + 2 * size


def test_keys_of_deals_long_past_are_forgotten() -> None:
    keys = DealKeys(FOR)
    first = keys.of(1)
    assert keys.of(1) is first
    for deal in range(2, 7):
        keys.of(deal)
    assert keys.of(1) != first
    assert "key=" not in repr(first), "a key is not written into a log by accident"
