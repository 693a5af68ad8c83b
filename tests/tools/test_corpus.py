"""The corpus tells the smallest change of what the table says, and tells a new field apart from it."""

from __future__ import annotations

import doctest
import gzip
import hashlib
import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from table_service.rehearsal.game_rehearsal import rehearsal_of

pytestmark = pytest.mark.xdist_group("kept-corpus")  # one worker records it


@pytest.fixture(scope="module")
def corpus(tools: Callable[[str], ModuleType]) -> ModuleType:
    return tools("corpus")


@pytest.fixture(scope="module")
def made(corpus: ModuleType, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A clean log, one cut in two by a restart, and an independent case."""
    folder = tmp_path_factory.mktemp("corpus")
    for groups in ("clean", "restarts", "independent"):
        assert corpus.main(["record", str(folder), "--every", "400", "--groups", groups]) == 0
    assert len((folder / "manifest.jsonl").read_text().splitlines()) == 1 + 4
    return folder


@pytest.fixture(scope="module")
def checked(corpus: ModuleType, made: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """That corpus after it was found the same."""
    folder = shutil.copytree(made, tmp_path_factory.mktemp("checked") / "corpus")
    assert corpus.main(["check", str(folder)]) == 0
    return folder


@pytest.fixture
def recorded(checked: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return shutil.copytree(checked, tmp_path / "corpus")


def forget(folder: Path, *names: str) -> None:
    """Let these logs of the corpus be unchecked."""
    path = next(folder.glob("checked-*"))
    kept = [line for line in path.read_text().splitlines() if json.loads(line)["name"] not in names]
    path.write_text("".join(f"{line}\n" for line in kept))


def as_if_before(folder: Path, name: str, change: Callable[[list[dict[str, Any]]], None]) -> None:
    """Let the corpus say that ``name`` once gave other events."""
    path = folder / "events" / f"{name}.jsonl.gz"
    events = [json.loads(line) for line in gzip.decompress(path.read_bytes()).splitlines()]
    change(events)
    text = "".join(json.dumps(event, ensure_ascii=False, separators=(",", ":")) + "\n" for event in events)
    path.write_bytes(gzip.compress(text.encode()))
    manifest = folder / "manifest.jsonl"
    lines = [json.loads(line) for line in manifest.read_text().splitlines()]
    for line in lines[1:]:
        if line["name"] == name:
            line["events"] = hashlib.sha256(text.encode()).hexdigest()
    manifest.write_text("".join(json.dumps(line) + "\n" for line in lines))
    forget(folder, name)


@pytest.mark.slow
def test_the_same_code_gives_the_same_bytes_and_goes_on_where_it_was_cut_off(
    corpus: ModuleType, recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corpus.main(["check", str(recorded)]) == 0
    assert "4 of 4 logs give the same events" in capsys.readouterr().out
    done = next(recorded.glob("checked-*"))
    lines = done.read_text().splitlines()
    done.write_text("\n".join(lines[:-1]) + "\n" + lines[-1][:20])
    assert corpus.main(["check", str(recorded)]) == 0


@pytest.mark.slow
def test_a_new_field_is_listed_and_any_other_change_is_a_failure(
    corpus: ModuleType, recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    as_if_before(recorded, "clean-0", lambda events: events[0].pop("basis"))
    assert corpus.main(["check", str(recorded)]) == 0
    assert "new in 1 logs: round.started: basis" in capsys.readouterr().out
    as_if_before(recorded, "clean-0", lambda events: events[3].update(confidence=0.25))
    assert corpus.main(["check", str(recorded)]) == 1
    assert "confidence was 0.25, is" in capsys.readouterr().out


@pytest.mark.slow
def test_an_event_less_or_in_other_order_or_a_damaged_log_is_told(
    corpus: ModuleType, recorded: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    as_if_before(recorded, "clean-0", lambda events: events.pop())
    as_if_before(recorded, "restart-0-before", lambda events: events[1].update({"v": events[1].pop("v")}))
    assert corpus.main(["check", str(recorded)]) == 1
    said = capsys.readouterr().out
    assert "is new" in said
    assert "restart-0-before: line 2" in said
    assert "written otherwise" in said
    log = recorded / "logs" / "clean-0.jsonl.gz"
    log.write_bytes(gzip.compress(gzip.decompress(log.read_bytes()) + b"\n"))
    forget(recorded, "clean-0")
    assert corpus.main(["check", str(recorded)]) == 2
    assert "clean-0 is not as it was recorded" in capsys.readouterr().err


@pytest.mark.slow(10)
def test_an_older_tree_replays_the_logs_too(corpus: ModuleType, made: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert corpus.main(["against", str(made), "--tree", "HEAD", "--every", "2"]) in (0, 1)
    said = capsys.readouterr().out
    assert "logs give the same events" in said
    assert "not known" not in said
    assert corpus.main(["against", str(made), "--tree", "no-commit"]) == 2
    assert "git knows no commit no-commit" in capsys.readouterr().err


def test_halving_finds_every_change_of_every_log(corpus: ModuleType) -> None:
    def told(place: int, names: list[str]) -> dict[str, bytes]:
        known = {"once": str(place >= 7).encode(), "twice": str((place >= 3) + (place >= 4)).encode(), "never": b""}
        return {name: known[name] for name in names}

    halved = sys.modules["older_tree"].halved
    assert halved(told, 0, 20, ["once", "twice", "never"]) == {3: ["twice"], 4: ["twice"], 7: ["once"]}


def test_the_corpus_has_every_group_every_row_and_three_hundred_logs(corpus: ModuleType) -> None:
    every = corpus.chosen(corpus.GROUPS, 1)
    assert {case.group for case in every} == set(corpus.GROUPS)
    assert {case.row for case in every if case.group == "rows"} == set(rehearsal_of("fibur2024").kinds)
    assert {case.rules for case in every if case.group == "codes"} == {"feburit", "online", "tarocco", "bridge"}
    assert {case.stage for case in every if case.group == "ruled"} == set(rehearsal_of("fibur2024").stages)
    assert len({case.name for case in every}) == len(every) >= 300


def test_it_says_what_it_was_used_wrongly_for(
    corpus: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert corpus.main(["check", str(tmp_path)]) == 2
    assert "holds no corpus" in capsys.readouterr().err
    assert corpus.main(["record", str(tmp_path), "--groups", "all"]) == 2
    assert corpus.main(["record", str(tmp_path), "--jobs", "0"]) == 2


def test_its_examples_are_true(corpus: ModuleType) -> None:
    assert doctest.testmod(corpus).failed == 0
    assert doctest.testmod(sys.modules["older_tree"]).failed == 0
