"""`tavolo doctor` speaks the machine's language; a program that asks in JSON is always answered in English."""

from __future__ import annotations

import json
import re
import string
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_service.cli import app
from table_service.commands import doctor
from table_service.commands.doctor_words import FINDINGS
from table_service.rulesets import equipment_of, load_table

TABLE = """
[table]
name = "T1"
hall = "sala"
rules = "fibur2024"
[nodes.gates]
port = "/dev/tavolo-none"
coils = ["gate-N"]
[camera]
source = "v4l2:/dev/none"
[broker]
port = 9
"""


def asked(folder: Path, monkeypatch: pytest.MonkeyPatch, locale: str, *options: str) -> str:
    monkeypatch.setattr(doctor, "NODES_ANSWER_S", 0.0)
    monkeypatch.setenv("LC_ALL", locale)
    path = folder / "table.toml"
    path.write_text(TABLE, "utf-8")
    return CliRunner().invoke(app, ["doctor", "--config", str(path), *options]).output


def test_on_an_italian_machine_every_line_is_italian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = asked(tmp_path, monkeypatch, "it_IT.UTF-8")
    assert re.search(r"guasto +nodo gates +/dev/tavolo-none non c’è", said)
    assert re.search(r"guasto +telecamera +/dev/none non c’è", said)
    assert "nessun broker risponde a" in said
    assert "manca la bilancia sotto stock" in said
    assert re.search(r"ok +lettore di carte +i modelli", said)
    assert not re.search(r"\b(missing|bad|is not|answers|free|cards|the)\b", said), said


def test_on_another_machine_and_for_programs_it_is_english(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "/dev/none is not there" in asked(tmp_path, monkeypatch, "de_DE.UTF-8")
    rows = json.loads(asked(tmp_path, monkeypatch, "it_IT.UTF-8", "--json"))
    assert {"what": "camera", "verdict": "bad", "detail": "/dev/none is not there"} in rows
    assert not [row for row in rows if "manca" in row["detail"]]


def test_both_languages_name_the_same_things() -> None:
    for name, both in FINDINGS.items():
        italian, english = ({field for _, field, _, _ in string.Formatter().parse(one) if field} for one in both)
        assert italian == english, name


def test_the_example_tables_gaps_have_as_many_sentences_in_both_languages() -> None:
    for path in sorted(Path("examples").glob("*table*.toml")):
        table = load_table(path)
        equipment = equipment_of(table.table.rules)
        assert len(table.gaps(equipment, "it")) == len(table.gaps(equipment, "en"))
