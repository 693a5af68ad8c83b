"""Pots that rough scales weigh: what is not sure says nothing against the pack."""

from __future__ import annotations

from itertools import takewhile
from typing import Any

from hw.observations import Console
from table_service.rehearsal.prove import events_of, table_fold
from table_service.rehearsal.rehearse import prepare


def test_f05a_pots_first_counted_while_the_score_sheet_is_lifted_accuse_no_pack() -> None:
    how: dict[str, Any] = {"habits": "lively", "stage": None, "players": None, "step": 4}
    rehearsal = prepare("fibur2024", 821688, 1, (), "rough", **how)
    log = list(rehearsal.observations())
    start = next(one.t for one in log if isinstance(one, Console) and one.do == "start-play")
    events, _, _ = events_of(table_fold(rehearsal.header), takewhile(lambda one: one.t < start + 5.0, log))
    assert [event["data"]["pots"] for event in events if event["type"] == "deal.checked"] == [None]
    assert not [event for event in events if event["type"] == "irregularity"]
