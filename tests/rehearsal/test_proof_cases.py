"""A list of cases is run and its table says how many deals of each were right, doubtful, silently wrong, unjust."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.proof_cases import listed, table_of_cases
from table_service.rehearsal.prove import main

LIST = Path(__file__).parents[2] / "docs" / "measured" / "other_logs.toml"


def test_every_case_of_the_list_can_be_rehearsed() -> None:
    assert {one.rules for one in listed(LIST)} == {"fibur2024", "feburit", "online", "tarocco"}
    for one in listed(LIST):
        assert one.row is None or one.row in rehearsal_of(one.rules).kinds, one.name


def test_the_table_counts_deals_by_what_was_wrong_with_them() -> None:
    right: dict[str, Any] = {"score_doubtful": 0, "score_wrong": [], "ends_wrong": [], "false": [], "faults": []}
    note = {"severity": "note"}
    late = {"by_ruling": False, "right_row": True, "right_seat": True, "in_time": False}
    changed = ({}, {"score_doubtful": 2}, {"score_wrong": ["x"]}, {"false": [note]}, {"faults": [late]})
    text = table_of_cases({"one": [{"report": right | each} for each in changed]})
    assert text.splitlines()[1].split() == ["one", "5", "1", "1", "1", "0", "1", "1"]


def test_a_list_that_cannot_be_read_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.toml"
    for text in ("[[case]\n", '[[case]]\nname = "one"\nrules = "none"\n', "[[case]]\nsize = 3\n"):
        bad.write_text(text, encoding="utf-8")
        assert main(["--cases", str(bad), "--each", "1"]) == 2
        assert capsys.readouterr().err
