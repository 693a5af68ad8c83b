"""Scales that fail in mid-deal: the table goes on by what frames show, and by its scales once they are heard again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import pytest

from hw.observations import Health, Observation, Scale
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.prove import judge
from table_service.rehearsal.rehearse import prepare
from table_service.rehearsal.sensing_gaps import nodes
from table_service.rehearsal.truth_check import TruthReport

WEIGHED = ("stock", "discard", "pots")


def without_scales(
    observations: Sequence[Observation], start: float, end: float, names: Sequence[str]
) -> Iterator[Observation]:
    """``observations`` where the scales are not heard from ``start`` to ``end``, and are said to be lost."""
    marks = [Health(start, name, "lost", "") for name in names] + [Health(end, name, "ok", "") for name in names]
    heard = [one for one in observations if not (isinstance(one, Scale) and start <= one.t < end)]
    last = max(one.t for one in observations)
    yield from sorted([*heard, *(mark for mark in marks if mark.t <= last)], key=lambda one: one.t)


def played(rules: str, seed: int, step: int, seconds: float, habits: str = "tidy") -> TruthReport:
    rehearsal = prepare(rules, seed, 1, step=step, habits=habits)
    observations = list(rehearsal.observations())
    there = nodes(rehearsal_of(rules).table)
    names = [f"{node}/scale:{zone}" for node, has in there.items() for zone in WEIGHED if f"scale:{zone}" in has]
    start = observations[len(observations) // 2].t
    log = list(without_scales(observations, start, start + seconds, names))
    return judge(replace(rehearsal.header, nodes=there), log, rehearsal.truth())


@pytest.mark.parametrize(
    ("rules", "seed", "step", "habits"),
    [("fibur2024", 919_100, 4, "tidy"), ("fibur2024", 919_102, 2, "tidy"), ("online", 919_112, 4, "lively")],
)
def test_a_deal_whose_scales_fail_is_played_and_counted_by_sight(rules: str, seed: int, step: int, habits: str) -> None:
    report = played(rules, seed, step, 1e6, habits)
    assert report.wrong == []
    assert report.false == []
    assert report.score_right == report.score_items > 0


def test_scales_that_are_heard_again_go_on_from_what_frames_have_told() -> None:
    report = played("fibur2024", 919_110, 4, 60.0)
    assert report.false == []
    assert report.score_right == report.score_items > 0
