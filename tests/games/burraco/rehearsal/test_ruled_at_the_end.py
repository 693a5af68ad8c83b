"""Rulings staged where they matter most: in the last turn of each kind of end, before the cards are counted."""

from __future__ import annotations

import pytest

from hw.twin.gestures import PutAside
from table_service.games.burraco.rehearsal.director import MANNERS, STAGES
from table_service.games.burraco.rehearsal.faults import KINDS
from table_service.games.burraco.rehearsal.ruled import can_be_ruled
from table_service.rehearsal.proof_ruled import ruled_figures, ruled_markdown
from table_service.rehearsal.prove import ProofCase, cases_ruled, run_case
from table_service.rehearsal.rehearse import script_for

STAGED = [
    ("F-25b", "stock", 1),
    ("F-25b", "time-out", 1),
    ("F-33", "stock", 1),
    ("F-33", "time-out", 2),
    ("F-27a", "closing", 2),
    ("F-24a", "stalemate", 1),
    ("F-25c", "stock", 1),
]
"""Row, end, and a seed whose cards lead there soon."""


@pytest.mark.parametrize(("row", "stage", "seed"), STAGED)
def test_a_row_is_ruled_in_the_last_turn_of_the_end_that_is_asked_for(row: str, stage: str, seed: int) -> None:
    script = script_for(seed, 1, (row,), "lively", stage)
    end = script.ends[0]
    ruled = [action for cue in script.cues for action in cue.actions if action.type == "ruled" and action.more]
    assert end.manner == MANNERS[stage]
    assert max(action.turn for action in ruled) >= end.turns - 1
    assert row in {fault.row for fault in script.injected}


def test_f25b_ruled_after_the_last_discard_takes_the_cards_out_and_counts_them_against_the_line() -> None:
    script = script_for(7, 1, ("F-25b",), "lively", "stock")
    last = max(n for n, cue in enumerate(script.cues) if isinstance(cue.gesture, PutAside))
    discards = [n for n, cue in enumerate(script.cues) for action in cue.actions if action.type == "discard"]
    assert last > max(discards)
    fault = next(fault for fault in script.injected if fault.row == "F-25b")
    assert fault.seat is not None
    assert script.ends[0].items[str(fault.seat.line)]["penalised"] < 0


def test_the_proof_asks_of_each_row_only_the_ends_that_it_can_be_ruled_at() -> None:
    todo = cases_ruled(1, tuple(KINDS), "normal", 1000, "lively", ("mid", "stalemate"))
    assert {case.stage for case in todo} == {"mid", "stalemate"}
    assert {case.row for case in todo if case.stage == "stalemate"} >= {"F-24a", "F-25c"}
    assert not can_be_ruled(KINDS["F-09f"], "stock")
    assert len({case.key for case in todo}) == len(todo)


def test_figures_of_rulings_name_deals_with_a_wrong_or_doubtful_score() -> None:
    report = {"score_items": 14, "score_wrong": ["x"], "score_doubtful": 2, "counted": 1, "deals": 1}
    report |= {"ends_wrong": [], "broken_wrongly": [], "false": []}
    results = [{"row": "F-33", "stage": "stock", "report": report}]
    text = "\n".join(ruled_markdown(ruled_figures(results, KINDS, STAGES), STAGES))
    assert "| F-33 | 1 / 1 / 1 |" in text
    assert "**Not reached.**" in text


@pytest.mark.parametrize(("row", "seed"), [("F-25b", 5100), ("F-29a", 5100), ("F-26e", 5101)])
def test_the_closers_own_fault_is_ruled_before_anybody_has_drawn_and_the_deal_goes_on(row: str, seed: int) -> None:
    report = run_case(ProofCase(seed, row, "normal", stage="closing"))["report"]
    assert not report["score_wrong"]
    assert not report["score_doubtful"]
    assert not report["ends_wrong"]
    assert not report["broken_wrongly"]
