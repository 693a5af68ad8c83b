"""A sensor that dies in the middle of a deal, and says so, makes no accusation that stops play and no wrong score."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hw.observations import Health, Observation, Reach, Scale, Sight, Tags
from hw.seats import LINES
from table_service.events import Event
from table_service.rehearsal.rehearse import prepare
from table_service.table import TableFold


def _scale(zone: str) -> Callable[[Observation], bool]:
    return lambda one: isinstance(one, Scale) and one.zone == zone


DEATHS: dict[str, Callable[[Observation], bool]] = {
    "scale stock": _scale("stock"),
    "scale discard": _scale("discard"),
    "scale pots": _scale("pots"),
    "gates": lambda one: isinstance(one, Tags),
    "beams": lambda one: isinstance(one, Reach),
    "camera": lambda one: isinstance(one, Sight),
}


@pytest.mark.parametrize("seed", [31, 33])
@pytest.mark.parametrize("sensor", DEATHS)
def test_a_sensor_that_dies_accuses_nobody_and_falsifies_no_score(sensor: str, seed: int) -> None:
    rehearsal = prepare("fibur2024", seed, 1)
    observations = list(rehearsal.observations())
    half = observations[len(observations) // 2].t
    fold, dead, told = TableFold(rehearsal.header), False, list[Event]()
    for one in observations:
        if one.t > half and DEATHS[sensor](one):
            if not dead:
                told += fold.feed(Health(one.t, sensor, "lost", "cable"))
            dead = True
            continue
        told += fold.feed(one)
    told += fold.close()
    assert dead
    facts = [one.data.model_dump() for one in told if one.type == "irregularity"]
    assert [fact for fact in facts if fact["severity"] in ("play-stops", "score")] == []
    (deal,) = rehearsal.truth().deals
    counted = [one.data.model_dump() for one in told if one.type == "score.counted"]
    for line in LINES:
        for item, points in counted[-1]["lines"][line]["items"].items() if counted else ():
            assert points in (None, deal["lines"][line]["items"][item]), (line, item)
