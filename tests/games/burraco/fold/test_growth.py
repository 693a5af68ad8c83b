"""What a table costs does not grow with what it has played: counted in calls and objects, never in time."""

from __future__ import annotations

import gc
import sys
from collections import Counter
from dataclasses import replace

import pytest

from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import prepare

PAUSE_S = 60.0


@pytest.mark.slow(4)
def test_the_fourth_round_takes_the_calls_of_the_second_and_leaves_nothing_behind() -> None:
    rehearsal = prepare("fibur2024", 5, 1)
    deal, table, calls = list(rehearsal.observations()), TableFold(rehearsal.header), Counter[int]()
    held: list[int] = []
    for number in range(4):
        later = [replace(one, t=one.t + number * (deal[-1].t + PAUSE_S)) for one in deal]
        told = 0

        def count(_frame: object, event: str, _arg: object, number: int = number) -> None:
            calls[number] += event == "call"

        sys.setprofile(count if number in (1, 3) else None)
        try:
            for one in later:
                told += len(table.feed(one))
        finally:
            sys.setprofile(None)
        assert told > 100, "a deal was played"
        del later
        gc.collect()
        held.append(len(gc.get_objects()))
    assert abs(calls[3] / calls[1] - 1) < 0.01
    assert held[3] - held[1] < 200
