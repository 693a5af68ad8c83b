"""The bill of materials names all that ships, each with a licence that lets it ship under ours."""

from __future__ import annotations

import json
import re
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from tools.make_sbom import LOCK, bill, libraries, main

SHARES_ALIKE = re.compile(r"\b(A?GPL)\b|\b(A?GPL)-|General Public", re.IGNORECASE)


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return bill(LOCK.read_text("utf-8"))


def test_every_library_of_the_lock_is_in_the_bill_with_its_version_and_checksums(made: dict[str, Any]) -> None:
    pinned = re.findall(r"(?m)^([A-Za-z0-9._-]+)==([^\s;\\]+)", LOCK.read_text("utf-8"))
    assert [(one["name"], one["version"]) for one in made["components"]] == pinned
    hashes = sum(one["name"] == "tavolo:sha256" for part in made["components"] for one in part["properties"])
    assert hashes == LOCK.read_text("utf-8").count("--hash=sha256:")
    assert len({one["bom-ref"] for one in made["components"]}) == len(pinned)
    assert set(made["dependencies"][0]["dependsOn"]) == {one["bom-ref"] for one in made["components"]}


def test_every_licence_is_known_and_none_wants_our_programs_under_its_own(made: dict[str, Any]) -> None:
    for one in made["components"]:
        expression = one["licenses"][0]["expression"]
        assert not SHARES_ALIKE.search(expression), one["name"]


def test_what_the_libraries_say_of_themselves_names_no_gpl_either() -> None:
    """Beside the expression: every word of the metadata, so that nothing hides behind a mapping of ours."""
    for one in libraries(LOCK.read_text("utf-8")):
        try:
            told = metadata.metadata(one.name)
        except metadata.PackageNotFoundError:
            continue
        words = [
            told.get("License-Expression") or "",
            (told.get("License") or "")[:200],
            *(told.get_all("Classifier") or []),
        ]
        assert not any(SHARES_ALIKE.search(word) for word in words), one.name


def test_the_libraries_here_are_those_of_the_lock_so_that_the_licences_are_theirs() -> None:
    for one in libraries(LOCK.read_text("utf-8")):
        if not one.marker:
            assert metadata.version(one.name) == one.version


@pytest.mark.parametrize(
    "word", ["GPL-3.0-only", "AGPL-3.0", "GNU General Public License v3 (GPLv3)", "MIT OR GPL-2.0"]
)
def test_a_licence_that_shares_alike_would_be_seen(word: str) -> None:
    assert SHARES_ALIKE.search(word)


def test_a_library_without_a_licence_is_named_and_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lock = tmp_path / "a.lock"
    lock.write_text("no-such-library-here==1.0 \\\n    --hash=sha256:" + "0" * 64 + "\n")
    assert main(["--lock", str(lock), "--out", str(tmp_path / "a.json")]) == 1
    assert "no-such-library-here" in capsys.readouterr().err
    assert "licenses" not in json.loads((tmp_path / "a.json").read_text())["components"][0]


def test_a_lock_that_is_not_there_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--lock", str(tmp_path / "none")]) == 1
    assert capsys.readouterr().err.count("\n") == 1
