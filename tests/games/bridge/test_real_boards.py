"""Records of real boards at the simulated table: contracts, tricks and scores come out as the records say."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest
from typer.testing import CliRunner

from table_service.cli import app
from table_service.games.bridge.pages.pbn_files import event_pbn
from table_service.games.bridge.pbn.check import check, records_of
from table_service.games.bridge.rehearsal.real_boards import playable
from table_service.rehearsal.game_rehearsal import RehearsalError
from table_service.rehearsal.prove import main as prove
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold
from tests.games.bridge.hall_of_boards import hall, round_of


@cache
def text_of_boards() -> str:
    """Records of eight boards, played to the last card."""
    return event_pbn([round_of(hall(5, 2, 4), 4)])


def cut_short(text: str, tricks: int) -> str:
    """The same with only the first tricks of each play, as after a claim."""
    parts = re.split(r"(\[Play [^\n]*\n)", text)
    for n in range(2, len(parts), 2):
        lines = parts[n].splitlines(keepends=True)
        cards = sum(not line.startswith("[") and bool(line.strip()) for line in lines[:13])
        if cards == 13:
            parts[n] = "".join([*lines[:tricks], "*\n", *lines[13:]])
    return "".join(parts)


@pytest.mark.parametrize("claims", [True, pytest.param(False, marks=pytest.mark.sweep)])
def test_every_board_is_scored_as_its_record_says(claims: bool) -> None:
    text = cut_short(text_of_boards(), 4) if claims else text_of_boards()
    records = playable(text)
    assert len(records) >= 6
    rehearsal = prepare("bridge", 3, noise="normal", records=text.encode())
    fold = open_fold(rehearsal.header)
    events = [event for seen in rehearsal.observations() for event in fold.feed(seen)]
    events += fold.close()
    told = {one.deal: one.data for one in events if one.type == "score.counted"}
    made = {one.deal: one.data for one in events if one.type == "contract.made"}
    assert len(told) == len(records)
    for deal, record in enumerate(records, start=1):
        answer = check(record)
        contract = answer["auction"]["contract"]
        assert made[deal].contract == (None if contract == "pass" else contract)  # type: ignore[attr-defined]
        lines = told[deal].lines  # type: ignore[attr-defined]
        assert lines["NS"]["total"] == (answer["score"]["NS"] if contract != "pass" else 0)
    assert any(one.type == "claim.made" for one in events) is claims
    assert [one for one in events if one.type == "irregularity" and one.data.severity == "play-stops"] == []  # type: ignore[attr-defined]


def test_what_cannot_be_played_is_left_out_and_a_file_without_a_board_is_said(tmp_path: Path) -> None:
    text = text_of_boards()
    broken = text.replace("[Deal ", "[Dael ", 1)
    assert len(playable(broken)) == len(playable(text)) - 1
    with pytest.raises(RehearsalError, match="no board"):
        prepare("bridge", 1, records=b'[Board "1"]\n')
    with pytest.raises(RehearsalError, match="no records"):
        prepare("fibur2024", 1, records=text.encode())
    assert list(records_of(text))
    file = tmp_path / "x.pbn"
    file.write_text(text, encoding="utf-16")
    ran = CliRunner().invoke(
        app, ["rehearse", "--rules", "bridge", "--from", str(file), "--log", str(tmp_path / "x.jsonl")]
    )
    assert ran.exit_code == 0, ran.output
    assert (tmp_path / "x.truth.json").is_file()


def test_a_files_boards_are_counted_over_many_rehearsals(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    parts = re.split(r"(?=\[Event )", cut_short(text_of_boards(), 1))
    file, kept = tmp_path / "two.pbn", tmp_path / "kept.jsonl"
    file.write_text("".join(parts[:3]), encoding="utf-16")
    boards = len(playable("".join(parts[:3])))
    assert boards >= 1
    asked = ["--rules", "bridge", "--clean", "2", "--from", str(file)]
    assert prove([*asked, "--each", "1"]) == 2
    assert "--each 0" in capsys.readouterr().err
    prove([*asked, "--each", "0", "--kept", str(kept)])
    found = [json.loads(line) for line in kept.read_text().splitlines()]
    assert [one["report"]["deals"] for one in found] == [boards, boards]
    assert all("two.pbn" in one["key"] and one["report"]["score_items"] >= 4 * boards for one in found)
    assert [one["report"]["score_wrong"] for one in found] == [[], []]
    assert prove(["--rules", "bridge", "--clean", "1", "--each", "0", "--from", str(tmp_path / "none.pbn")]) == 2
    assert "none.pbn" in capsys.readouterr().err
