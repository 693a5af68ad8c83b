"""Files that a newcomer hands over by mistake: one sentence that names the file, exit code 1, never a traceback."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from table_service.console.storage.database import BookError, Database
from table_service.journal.chain import KeyFileError, load_or_make_key

FRAME = Path(__file__).parents[2] / "docs" / "pictures" / "table.jpg"


def _one_sentence(result: Any, *words: str) -> None:
    assert result.exit_code == 1
    assert len(result.output.strip().splitlines()) == 1
    for word in words:
        assert word in result.output


@pytest.fixture
def deep(tmp_path: Path) -> Path:
    path = tmp_path / "deep.json"
    path.write_text("[" * 300_000)
    return path


def test_nested_beyond_reason_is_no_calibration_and_no_tags(invoke, deep, tmp_path):
    _one_sentence(invoke("calibrate", "--image", FRAME, "--against", deep), "deep.json", "no calibration")
    _one_sentence(invoke("enrol", FRAME, "--out", tmp_path / "p", "--tags", deep), "deep.json", "not JSON")


def test_a_calibration_that_lacks_something_names_its_file_and_what(invoke, tmp_path):
    other = tmp_path / "other.json"
    other.write_text('{"a":1}')
    _one_sentence(invoke("calibrate", "--image", FRAME, "--against", other), "other.json", "'width' is missing")


def test_a_count_without_rules_names_its_file_and_what_to_write(invoke, tmp_path):
    deal = tmp_path / "deal.json"
    deal.write_text('{"deal":{}}')
    _one_sentence(invoke("count", deal), "deal.json", "'rules' is missing", "fibur2024")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has /dev/full, a disk that is always full")
def test_a_full_disk_is_named(invoke):
    _one_sentence(invoke("calibrate", "--print", "/dev/full"), "/dev/full", "No space")


def test_the_demo_says_at_once_that_it_cannot_keep_anything_there(invoke, tmp_path):
    taken = tmp_path / "taken"
    taken.write_text("a file")
    _one_sentence(invoke("demo", "--headless", "--keep", taken), "taken", "nothing can be kept")
    _one_sentence(invoke("demo", "--headless", "--keep", taken / "under"), "nothing can be kept")


def test_what_belongs_to_the_walk_alone_is_refused_without_it(invoke, tmp_path):
    for asked in (("--report", tmp_path / "r.json"), ("--english",)):
        result = invoke("doctor", *asked)
        assert result.exit_code == 2
        assert "--walk" in result.output


def test_a_key_file_without_end_is_no_key(tmp_path):
    endless = tmp_path / "endless"
    with endless.open("wb") as file:
        os.truncate(file.fileno(), 1 << 40)  # reads as a terabyte of zeros, and takes no room
    with pytest.raises(KeyFileError, match="holds no key"):
        load_or_make_key(endless)


def test_another_programs_database_is_no_console_file_and_stays_as_it_was(tmp_path):
    foreign = tmp_path / "T12.sqlite"
    with sqlite3.connect(foreign) as connection:
        connection.execute("create table entry (n integer)")
    connection.close()
    before = foreign.read_bytes()
    with pytest.raises(BookError, match=r"T12\.sqlite cannot be used \(a database, but no console's\)"):
        Database(foreign)
    assert foreign.read_bytes() == before
