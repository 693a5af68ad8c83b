"""A table that is cut right before a fault: the first turn, trick or call after it is judged, or its place is marked.

Folded here as a start folds it: what was sensed before, the gap, what nodes and camera tell of their state when they
are asked, the rest. What of a deal's files a cut leaves is in ``test_deal_outlives_power``.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw.observations import Observation
from table_service.events import Event
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold
from table_service.service.start import gap_of
from tools.measure_restart import states

ASKED_S = (0.1, 1.1)
"""Seconds after the start at which nodes tell their state: when a link opens, and when they are asked again."""
CASES = [
    pytest.param("fibur2024", 8, "F-31a", 4.0, True, id="burraco-out-of-turn"),
    pytest.param("fibur2024", 7, "F-33", 4.0, False, id="burraco-closing-whose-last-meld-falls-into-the-gap"),
    pytest.param("tarocco", 7, "T14", 4.0, True, id="tarocco-trick-before"),
    pytest.param("tarocco", 7, "T14", 1.5, False, id="tarocco-in-the-trick"),
    pytest.param("tarocco", 7, "T18", 1.5, True, id="tarocco-gathering"),
    pytest.param("bridge", 7, "law-36", 1.5, True, id="bridge-call"),
    pytest.param("bridge", 7, "law-61", 1.5, True, id="bridge-revoke"),
]
"""Rules, seed, fault, seconds before it at which the table is cut, and whether the fault is seen whole after it."""


def _found(events: list[Event]) -> set[tuple[str, str | None]]:
    """Rows and offenders that the table itself tells of; a ruling tells of one as well."""
    mine = [event for event in events if event.type == "irregularity" and event.data.state == "open"]  # type: ignore[attr-defined]
    return {(event.data.row, event.seat) for event in mine}  # type: ignore[attr-defined]


def _away(log: list[Observation], t: float) -> list[Observation]:
    return [replace(one, t=round(t + later, 6)) for later in ASKED_S for one in states(log, t)]


@pytest.mark.slow(5)
@pytest.mark.parametrize(("rules", "seed", "row", "before", "whole"), CASES)
def test_a_fault_right_after_a_cut_is_told_or_its_place_is_marked_and_nobody_else_is_accused(
    rules: str, seed: int, row: str, before: float, *, whole: bool
) -> None:
    rehearsal = prepare(rules, seed, 1, [row])
    log, fold = list(rehearsal.observations()), open_fold(rehearsal.header)
    truth = [event for one in log for event in fold.feed(one)]
    fault = next(event for event in truth if event.type == "irregularity" and event.data.row == row)  # type: ignore[attr-defined]
    at = fault.t if fault.committed_t is None else fault.committed_t
    cut = max(n for n, one in enumerate(log) if one.t < at - before) + 1
    t, fold = log[cut - 1].t, open_fold(rehearsal.header)
    for one in log[:cut]:
        fold.feed(one)
    rest, marked = list[Event](), False
    back = [replace(one, t=max(one.t, t + ASKED_S[-1])) for one in log[cut:]]
    for one in [*gap_of(rehearsal.header, t), *_away(log, t), *back]:
        rest += fold.feed(one)
        if one.t >= at and not marked:
            marked = bool(fold.state().get("unverified")) or not _is_known(fold)
    assert _found(rest) <= _found(truth), "nobody is accused who is not without the cut"
    told = (row, fault.seat) in _found(rest)
    assert told or not whole
    assert told or marked


def _is_known(fold: object) -> bool:
    """False while a table of Burraco does not know what was done in the gap."""
    deal = getattr(getattr(fold, "game", None), "deal", None)
    return not getattr(deal, "clouded", False)
