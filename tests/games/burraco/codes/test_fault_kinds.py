"""Judges name kinds of faults, codes name rows: what binds them, and that a code is data."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from table_service.games.burraco.codes import CATALOGUES
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.games.burraco.codes.fibur2024.answers import ANSWERS
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.referee.catalogue import Ageing, Row, UnknownRowError, Words, catalogue_of
from tests.games.burraco.conftest import Script

ROOM: Final = Path(__file__).resolve().parents[4] / "table_service"
ROW_NAME: Final = re.compile(r"\b[FBO]-(?:\d+|[A-Z]\d+|G\d+)[a-z]?\b|^-\d\d[a-z]?$")
BY_PERSONS_OR_LATER: Final = {
    FaultKind.MISSED_DRAW_TOLD_BY_PARTNER,
    FaultKind.PASSED_ADDITION,
    FaultKind.PASSED_DECLARED,
    FaultKind.PASSED_LAST_PLAY,
    FaultKind.PASSED_OPENING,
    FaultKind.WRONG_ADDITION_TOLD_BY_PARTNER,
    FaultKind.WRONG_MELD_TOLD_BY_PARTNER,
    FaultKind.WRONG_OPENING_TOLD_BY_PARTNER,
    FaultKind.THROWN_ON_WRONG_MELD,
    FaultKind.EXCESS_CARDS,
    FaultKind.EXCESS_CARDS_AFTER_DISCARD,
    FaultKind.EXCESS_CARDS_LATER,
    FaultKind.EXCESS_CARDS_AT_COUNT,
    FaultKind.SECOND_SET_OF_RANK_LATER,
    FaultKind.LEAD_UNTOLD,
    FaultKind.TWO_POTS_PLAYED,
}
"""Kinds that no judge reports: the arbitro enters their rows, or a row leads to theirs when it is found later."""


def strings(path: Path) -> Iterator[tuple[int, str]]:
    """The strings of a module that are no docstrings, with their lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.lineno, node.value


def modules(*rooms: str) -> list[Path]:
    """The modules of ``rooms``, without a code's data and the faults of a code that are rehearsed."""
    found = sorted(path for room in rooms for path in (ROOM / room).rglob("*.py"))
    return [path for path in found if not {"codes", "rehearsal"} & set(path.relative_to(ROOM).parts)]


def test_no_judge_no_duty_and_no_referee_names_a_row() -> None:
    rooms = modules("games/burraco", "referee")
    assert len(rooms) > 60
    book = ROOM / "games/burraco/rules/rulebook.py"  # the figures of the codes are data as well
    named = [(path.name, line, text) for path in rooms if path != book for line, text in strings(path)]
    assert [one for one in named if ROW_NAME.search(one[2])] == []


@pytest.mark.parametrize("text", ["F-31a", "row F-G03 holds", "O-20", "-26", "B-S1"])
def test_a_row_name_would_be_found(text: str) -> None:
    assert ROW_NAME.search(text)


def test_every_kind_is_answered_by_the_code_or_said_to_have_no_row() -> None:
    assert set(ANSWERS) == set(FaultKind)


def test_every_irregularity_that_can_be_sensed_answers_a_kind() -> None:
    sensed = [row for row in FIBUR2024.rows.values() if row.kind == "irregularity" and row.senses != ("person",)]
    assert len(sensed) == 68
    assert [row.id for row in sensed if not row.kinds] == []


def test_every_kind_is_known_to_judge_fold_or_referee_or_to_persons() -> None:
    rooms = modules("games/burraco/judges", "games/burraco/fold", "games/burraco/referee")
    text = "\n".join(path.read_text(encoding="utf-8") for path in rooms)
    reported = {kind for kind in FaultKind if f"FaultKind.{kind.name}" in text}
    assert set(FaultKind) - reported == BY_PERSONS_OR_LATER


def test_a_kind_without_a_row_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    answers = {**ANSWERS, FaultKind.DRAWN_OUT_OF_TURN: None}
    lenient = catalogue_of("fibur2024", tuple(FIBUR2024.rows.values()), FIBUR2024.tournament, answers)
    monkeypatch.setitem(CATALOGUES, "fibur2024", lenient)
    script = Script()
    script.turn("W")
    script.draw("E")
    assert script.verdicts() == []
    script.collect("E", "TD 4H")
    assert script.verdicts() == [("F-31d", "E", "open")]


def test_another_code_is_rows_and_which_kinds_they_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Art. 14.1 A of seeds 001 knows one row for drawing and for collecting out of turn."""
    row = Row(
        id="B-14a",
        article="14.1 A",
        title=Words("Presa fuori turno", "Taken out of turn"),
        severity="play-stops",
        senses=("beam", "scale"),
        steps=(),
    )
    kinds = (FaultKind.DRAWN_OUT_OF_TURN, FaultKind.COLLECTED_OUT_OF_TURN)
    monkeypatch.setitem(CATALOGUES, "fibur2024", catalogue_of("other", (row,), None, dict.fromkeys(kinds, row.id)))
    drawn, collected = Script(), Script()
    drawn.draw("N")
    collected.collect("N", "TD")
    assert drawn.verdicts() == collected.verdicts() == [("B-14a", "N", "open")]


def test_a_row_that_nothing_holds_raises() -> None:
    rows = tuple(FIBUR2024.rows.values())
    with pytest.raises(UnknownRowError, match="no row 'F-99'"):
        FIBUR2024.row("F-99")
    with pytest.raises(UnknownRowError, match="no row 'F-99'"):
        catalogue_of("x", rows, FIBUR2024.tournament, {FaultKind.THIRD_TWIN: "F-99"})
    with pytest.raises(UnknownRowError, match="no row 'F-99'"):
        catalogue_of("x", (replace(rows[0], options=("F-99",)), *rows[1:]))
    with pytest.raises(UnknownRowError, match="no row 'F-99'"):
        catalogue_of("x", (replace(rows[0], ages=(Ageing("discard", "F-99"),)), *rows[1:]))
