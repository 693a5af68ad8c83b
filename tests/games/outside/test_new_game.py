"""`tavolo new-game` writes a package that is installed as it is and plays at once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_service.cli import app


def run(*command: str, at: Path, path: Path) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": f"{path}:{':'.join(filter(None, sys.path))}", "PIP_NO_INDEX": "1"}
    return subprocess.run(
        [sys.executable, "-m", *command], cwd=at, env=env, capture_output=True, text=True, check=False
    )


@pytest.mark.slow(seconds=8)
def test_a_new_game_is_installed_tested_counted_and_checked(tmp_path: Path) -> None:
    pytest.importorskip("hatchling")
    said = CliRunner().invoke(app, ["new-game", "my_whist", "--into", str(tmp_path)])
    assert said.exit_code == 0, said.output
    home, site = tmp_path / "my_whist", tmp_path / "site"
    install = ("pip", "install", "--no-build-isolation", "--no-deps", "--quiet", "--target", str(site), str(home))
    done = run(*install, at=tmp_path, path=site)
    assert done.returncode == 0, done.stderr

    done = run("pytest", "-q", "-p", "no:cacheprovider", str(home / "tests"), at=home, path=site)
    assert "2 passed" in done.stdout, done.stdout + done.stderr

    deal = {"rules": "my_whist", "deal": {"NS": {"cards": ["AH", "KH", "QH", "JH"]}, "EW": {"cards": []}}}
    (tmp_path / "deal.json").write_text(json.dumps(deal), encoding="utf-8")
    done = run("table_service.cli", "count", "deal.json", "--json", at=tmp_path, path=site)
    assert json.loads(done.stdout)["lines"]["NS"] == {"items": {"tricks": 1}, "total": 1}

    (tmp_path / "table.toml").write_text('[table]\nname = "T1"\nhall = "sala"\nrules = "my_whist"\n', encoding="utf-8")
    done = run("table_service.cli", "check", "table.toml", at=tmp_path, path=site)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "status", "said"),
    [
        ("Whist", 2, "is no name for a game"),
        ("9whist", 2, "is no name for a game"),
        ("class", 2, "is no name for a game"),
        ("json", 2, "is the name of a package"),
        ("mine", 1, "is there already"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_in_a_sentence(tmp_path: Path, name: str, status: int, said: str) -> None:
    (tmp_path / "mine").mkdir()
    told = CliRunner().invoke(app, ["new-game", name, "--into", str(tmp_path)])
    assert (told.exit_code, len(told.output.splitlines())) == (status, 1)
    assert said in told.output
    assert sorted(one.name for one in tmp_path.iterdir()) == ["mine"]
