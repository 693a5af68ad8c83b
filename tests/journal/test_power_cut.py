"""What is on the disk when the power goes: whole key files, events synced before they can be published, the log."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey

from hw.observation_log import Header, read_log
from hw.observations import Scale
from hw.whole_files import write_whole
from table_service.journal import load_or_make_key, was_cut_off
from table_service.journal.entries import Entry
from table_service.journal.store import Journal
from table_service.service.kept_log import KeptLog


class Calls:
    """The system calls that bring something to the disk, in order."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.made: list[tuple[str, str]] = []
        for name in ("fsync", "fdatasync"):
            monkeypatch.setattr(os, name, self._noted(name, getattr(os, name)))
        replace = os.replace

        def replaced(old: Any, new: Any) -> None:
            self.made.append(("replace", Path(new).name))
            replace(old, new)

        monkeypatch.setattr(os, "replace", replaced)

    def _noted(self, name: str, call: Any) -> Any:
        def noted(handle: int) -> None:
            self.made.append((name, Path(f"/proc/self/fd/{handle}").readlink().name))
            call(handle)

        return noted


def test_a_new_key_is_synced_before_it_has_its_name_and_so_is_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = Calls(monkeypatch)
    load_or_make_key(tmp_path / "T1.key")
    (first, part), (then, name), (last, folder) = calls.made
    assert (first, then, last) == ("fsync", "replace", "fsync")
    assert part.startswith(".T1.key-")
    assert (name, folder) == ("T1.key", tmp_path.name)
    assert (tmp_path / "T1.key").stat().st_mode & 0o777 == 0o600


def test_a_cut_while_a_file_is_written_leaves_the_old_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "hall.json"
    write_whole(path, b"old")

    def cut(_handle: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(os, "fsync", cut)
    with pytest.raises(KeyboardInterrupt):
        write_whole(path, b"new")
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir()] == ["hall.json"]


@pytest.mark.parametrize("left", [b"", b"\0" * 65], ids=["empty", "zeros"])
def test_a_key_file_that_a_cut_left_empty_is_made_anew_and_the_journal_goes_on(tmp_path: Path, left: bytes) -> None:
    path = tmp_path / "T1.key"
    key = load_or_make_key(path)
    journal = Journal.open(tmp_path / "T1.sqlite", "T1", key)
    journal.append([Entry({"boot": journal.boot, "seq": 1, "type": "turn.started"})])
    first = journal.boot
    journal.close()
    path.write_bytes(left)
    assert was_cut_off(path)
    other = load_or_make_key(path)
    assert other != key
    assert not was_cut_off(path)
    with Journal.open(tmp_path / "T1.sqlite", "T1", other, lost_key=True) as again:
        assert again.mended is not None
        assert again.boot > first
        assert [kept.public["type"] for kept in again.events()] == ["turn.started"]


def test_events_are_synced_before_the_outbox_gives_them_and_commits_of_a_moment_share_one_sync(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Journal.open(tmp_path / "T1.sqlite", "T1", SigningKey.generate()) as journal:
        calls = Calls(monkeypatch)
        for seq in range(1, 60):
            journal.append([Entry({"boot": journal.boot, "seq": seq, "type": "turn.started"})])
        assert ("fdatasync", "T1.sqlite-wal") not in calls.made
        assert len(journal.pending(0, 100)) == 59
        assert calls.made.count(("fdatasync", "T1.sqlite-wal")) == 1
        journal.pending(0, 100)
        assert calls.made.count(("fdatasync", "T1.sqlite-wal")) == 1, "nothing new was written"
        journal.append([Entry({"boot": journal.boot, "seq": 60, "type": "turn.started"})])
        journal.sync()
        assert calls.made.count(("fdatasync", "T1.sqlite-wal")) == 2


@pytest.mark.parametrize("name", ["T1.jsonl", "T1.jsonl.gz"])
def test_observations_are_on_the_disk_without_anybody_asking(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    calls = Calls(monkeypatch)
    kept = KeptLog(tmp_path / name, Header("T1", "fibur2024"), "000001", SigningKey.generate(), None)
    kept.write(Scale(1.0, "stock", 10.0, settled=True))
    written = len(calls.made)
    until = time.monotonic() + 60
    while ("fdatasync", name) not in calls.made[written:] and time.monotonic() < until:
        time.sleep(0.01)
    assert ("fdatasync", name) in calls.made[written:]
    copy = tmp_path / f"copy-{name}"
    copy.write_bytes((tmp_path / name).read_bytes())  # what a power cut now would leave
    _, observations = read_log(copy, on_broken=lambda _error: None)
    assert next(observations) == Scale(1.0, "stock", 10.0, settled=True)
    kept.close()
    kept.close()
