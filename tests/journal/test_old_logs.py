"""Observation logs of earlier starts are bounded by age and space, and what a protest may need stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from table_service.journal.old_logs import LogLimits, prune_logs
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService

NOW = 1_800_000_000.0
DAY = 86400.0
KEPT = LogLimits(space=500, age=90 * DAY, starts=3, protest=7 * DAY)


def lay(folder: Path, *ages: float, size: int = 100, suffix: str = "jsonl", now: float = NOW) -> list[Path]:
    """Logs set aside by starts 0x10, 0x11, …, each written so many days before ``now``."""
    made = []
    for number, days in enumerate(ages, 16):
        path = folder / f"T1.before-{number:06x}.{suffix}"
        path.write_bytes(b"\n" * size)
        os.utime(path, (now - days * DAY,) * 2)
        made.append(path)
    return made


def test_what_is_too_old_goes_and_the_newest_starts_stay_whatever_their_age(tmp_path: Path) -> None:
    logs = lay(tmp_path, 400, 91, 89, 95, 94, 93)
    assert prune_logs(tmp_path / "T1.jsonl", NOW, KEPT) == [logs[0], logs[1]]
    assert sorted(tmp_path.iterdir()) == logs[2:]


def test_space_takes_the_oldest_until_there_is_room(tmp_path: Path) -> None:
    logs = lay(tmp_path, *[30] * 8)
    assert prune_logs(tmp_path / "T1.sealed", NOW, KEPT) == logs[:3]
    assert prune_logs(tmp_path / "T1.sealed", NOW, KEPT) == []


def test_what_a_protest_may_need_stays_though_there_is_no_room(tmp_path: Path) -> None:
    logs = lay(tmp_path, 8, 6, 5, 4, 3, 2, 1, size=1000)
    assert prune_logs(tmp_path / "T1.jsonl", NOW, KEPT) == [logs[0]]


@pytest.mark.parametrize("now", [0.0, 1000.0, NOW - 10 * 365 * DAY])
def test_a_clock_that_is_not_set_makes_no_log_old(tmp_path: Path, now: float) -> None:
    lay(tmp_path, *[1] * 5)
    assert prune_logs(tmp_path / "T1.jsonl", now, KEPT) == []


def test_a_clock_far_ahead_takes_no_log_of_the_newest_starts(tmp_path: Path) -> None:
    logs = lay(tmp_path, *[1] * 5)
    assert prune_logs(tmp_path / "T1.jsonl", NOW + 5000 * DAY, KEPT) == logs[:2]


def test_a_log_written_by_a_clock_that_was_not_set_goes_for_space_only(tmp_path: Path) -> None:
    logs = lay(tmp_path, *[0] * 5, now=1000.0)
    assert prune_logs(tmp_path / "T1.jsonl", NOW, KEPT) == []
    assert prune_logs(tmp_path / "T1.jsonl", NOW, LogLimits(250, 90 * DAY, 1, 7 * DAY)) == logs[:3]


def test_nothing_else_in_the_folder_is_touched(tmp_path: Path) -> None:
    for name in (
        "T1.jsonl", "T1.sealed", "T1.sqlite", "T1.key", "T1.sqlite.damaged-20260101", "T10.before-000001.jsonl",
        "T1.before-000001.sqlite", "T1.before-zz.jsonl", "AT1.before-000001.jsonl",
    ):  # fmt: skip
        (tmp_path / name).write_bytes(b"\n" * 1000)
        os.utime(tmp_path / name, (NOW - 900 * DAY,) * 2)
    (tmp_path / "T1.before-000001.jsonl").symlink_to(tmp_path / "T1.key")
    (tmp_path / "T1.before-000002.jsonl").mkdir()
    there = sorted(tmp_path.iterdir())
    assert prune_logs(tmp_path / "T1.jsonl", NOW, LogLimits(0, 1.0, 0, 0.0)) == []
    assert sorted(tmp_path.iterdir()) == there


def test_a_running_table_removes_its_old_logs_and_keeps_its_own(tmp_path: Path) -> None:
    rehearsal = prepare("fibur2024", 7, 1, table="T1")
    places = TableFiles.under(tmp_path, "T1")
    logs = lay(tmp_path, *[0] * 22, now=1_770_000_000.0)  # February 2026
    service = TableService(rehearsal.header, "prova", places, BrokerAddress("127.0.0.1", 1), lambda: 0.0)
    service.health({})
    service.close(0.0)
    assert [path.exists() for path in logs] == [False] * 2 + [True] * 20
    assert places.log is not None
    assert places.log.exists()
