"""A gap in sensing leaves doubt only in what the silent sensors alone can tell."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hw.twin.unheard_sensors import SensingGap
from table_service.rehearsal.prove import events_of, table_fold
from table_service.rehearsal.rehearse import prepare
from table_service.rehearsal.sensing_gaps import losses, nodes, with_gaps
from table_service.rehearsal.truth_check import compare


@pytest.mark.parametrize(
    ("rules", "seed", "lost", "start", "seconds"),
    [
        ("fibur2024", 821002, "all scales", 484.1, 10.0),
        ("fibur2024", 821012, "everything", 379.9, 6.0),
        ("fibur2024", 826100, "all scales", 871.814, 10.0),  # over the discard that ends the deal
        ("fibur2024", 826101, "everything", 737.7, 6.0),
        # three open hands made the last discard a closing, and it was counted so; then he laid out his last card
        ("fibur2024", 9720054, "all scales", 49.461248, 10.0),
        ("online", 7235002, "scale:pots", 189.7, 27.3),  # a pot supposed to be taken is counted where it lay
    ],
)
def test_every_item_is_known_after_a_gap_of_seconds(
    rules: str, seed: int, lost: str, start: float, seconds: float
) -> None:
    how: dict[str, Any] = {"habits": "lively", "stage": None, "players": None, "step": 4}
    rehearsal = prepare(rules, seed, 1, (), "normal", **how)
    silent = losses()[lost]
    gap = SensingGap(start, start + seconds, silent.sensors, silent.names)
    log = with_gaps(rehearsal.observations(), [(lost, gap)])
    events, arrivals, _ = events_of(table_fold(replace(rehearsal.header, nodes=nodes())), log)
    report = compare(rehearsal.truth(), events, arrivals, log)
    assert (report.score_doubtful, report.score_wrong, report.false) == (0, [], [])
    assert report.score_right == report.score_items > 0
