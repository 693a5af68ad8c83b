"""Where MicroPython comes from: what is found, what is fetched, and one sentence where none can be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw.twin import provide_micropython as provide
from hw.twin.provide_micropython import MicroPython, NoMicroPython, find, main


def program(folder: Path, name: str, text: str) -> None:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def test_one_on_path_is_taken_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "micropython", "echo 3.4.0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find(tmp_path) == MicroPython("path", (str(tmp_path / "bin" / "micropython"),), "3.4.0")


def test_one_on_path_that_does_not_work_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin", "micropython", "echo 'no module binascii' >&2; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    with pytest.raises(NoMicroPython, match="no module binascii"):
        find(tmp_path, kinds=("path",))


def test_where_none_can_be_had_one_sentence_says_what_was_tried(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(provide.importlib.util, "find_spec", lambda _name: None)
    assert main(["--cache", str(tmp_path / "cache")]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    for word in ("none is on PATH", "apt-get", "node and npm"):
        assert word in captured.err


def test_nothing_is_fetched_where_that_is_not_wanted(tmp_path: Path) -> None:
    with pytest.raises(NoMicroPython, match="has not been fetched"):
        find(tmp_path, fetch=False, kinds=("debian",))
    assert list(tmp_path.iterdir()) == []


def test_a_fetch_that_fails_leaves_nothing_half_made_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("apt-get", "dpkg-deb"):
        program(tmp_path / "bin", name, "echo 'E: no route to the mirror' >&2; exit 100")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}")
    cache = tmp_path / "cache"
    for _ in range(2):
        with pytest.raises(NoMicroPython, match="no route to the mirror"):
            find(cache, kinds=("debian",))
    assert [path for path in cache.iterdir() if path.is_dir()] == []


def test_what_was_found_is_printed_as_a_command(micropython: MicroPython, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--kind", micropython.kind]) == 0
    assert capsys.readouterr().out.split() == list(micropython.command)
