"""A sensor that dies in the middle of a deal makes no accusation that stops play and no wrong score.

Whether it says so (a health observation), falls silent while its node says it is well, or tells what is not so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache

import pytest

from hw.observations import Health, Observation, Reach, Scale, Sight, Tags
from hw.seats import LINES
from table_service.events import Event
from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import Rehearsal, prepare
from tests.sweeps import rest_in_proof


@dataclass
class Memory:
    """What the sensors said before: the last weight of each plate, and every tag of the pack."""

    grams: dict[str, float] = field(default_factory=dict)
    tags: tuple[str, ...] = ()


Fault = Callable[[Observation, Memory], Observation | None]
"""What becomes of an observation once the sensor is broken; None: it never comes."""


def _silent_scale(zone: str) -> Fault:
    return lambda one, _: None if isinstance(one, Scale) and one.zone == zone else one


def _jammed(zone: str) -> Fault:
    def jammed(one: Observation, memory: Memory) -> Observation | None:
        """The plate is stuck: the scale goes on saying the same weight."""
        if isinstance(one, Scale) and one.zone == zone and zone in memory.grams:
            return replace(one, grams=memory.grams[zone], settled=True)
        return one

    return jammed


def _silent(kind: type[Observation]) -> Fault:
    return lambda one, _: None if isinstance(one, kind) else one


def _blocked_beam(one: Observation, _: Memory) -> Observation | None:
    """Something lies in E's beam at the stock: it is always blocked."""
    blocked = isinstance(one, Reach) and one.seat == "E" and one.zone == "stock" and one.phase == "out"
    return None if blocked else one


def _deaf_gate(one: Observation, _: Memory) -> Observation | None:
    """E's gate reads nothing any more."""
    return replace(one, tags=()) if isinstance(one, Tags) and one.zone == "gate-E" else one


def _wrong_tags(zone: str) -> Fault:
    def wrong(one: Observation, memory: Memory) -> Observation | None:
        """The coil names another card than the one before it."""
        if isinstance(one, Tags) and one.zone == zone and one.tags:
            return replace(one, tags=(memory.tags[int(one.t * 1000) % len(memory.tags)],))
        return one

    return wrong


SAID: dict[str, Fault] = {
    "scale stock": _silent_scale("stock"),
    "scale discard": _silent_scale("discard"),
    "scale pots": _silent_scale("pots"),
    "gates": _silent(Tags),
    "beams": _silent(Reach),
    "camera": _silent(Sight),
}
UNSAID: dict[str, Fault] = {
    **SAID,
    "jammed stock": _jammed("stock"),
    "jammed discard": _jammed("discard"),
    "jammed pots": _jammed("pots"),
    "blocked beam": _blocked_beam,
    "deaf gate": _deaf_gate,
    "wrong tags at a seat": _wrong_tags("gate-E"),
    "wrong tags at the stock": _wrong_tags("gate-stock"),
    "wrong tags at the pile": _wrong_tags("discard"),
}


@cache
def played(seed: int) -> tuple[Rehearsal, tuple[Observation, ...]]:
    """A deal with what its sensors say while all are well: the same for every sensor that is broken in it."""
    rehearsal = prepare("fibur2024", seed, 1)
    return rehearsal, tuple(rehearsal.observations())


def told(seed: int, broken: Fault, health: str | None) -> Iterator[Event]:
    """The events of a deal in which a sensor breaks half-way; ``health``: the source that its node says is lost."""
    rehearsal, observations = played(seed)
    half = observations[len(observations) // 2].t
    fold, memory, dead = TableFold(rehearsal.header), Memory(tags=tuple(sorted(rehearsal.header.tags))), False
    for one in observations:
        if one.t <= half:
            if isinstance(one, Scale) and one.settled:
                memory.grams[one.zone] = one.grams
            yield from fold.feed(one)
            continue
        left = broken(one, memory)
        if left != one and not dead:
            dead = True
            if health:
                yield from fold.feed(Health(one.t, health, "lost", "cable"))
        if left is not None:
            yield from fold.feed(left)
    yield from fold.close()
    assert dead


def _is_harmless(seed: int, broken: Fault, health: str | None) -> None:
    events = list(told(seed, broken, health))
    facts = [one.data.model_dump() for one in events if one.type == "irregularity"]
    assert [fact for fact in facts if fact["severity"] in ("play-stops", "score")] == []
    assert len({fact["key"] for fact in facts}) <= 2, "and no note comes up turn after turn"
    (deal,) = played(seed)[0].truth().deals
    counted = [one.data.model_dump() for one in events if one.type == "score.counted"]
    for line in LINES:
        for item, points in counted[-1]["lines"][line]["items"].items() if counted else ():
            assert points in (None, deal["lines"][line]["items"][item]), (line, item)


@pytest.mark.parametrize("seed", rest_in_proof([31, 33]))
@pytest.mark.parametrize("sensor", rest_in_proof(SAID))
def test_a_sensor_that_dies_accuses_nobody_and_falsifies_no_score(sensor: str, seed: int) -> None:
    _is_harmless(seed, SAID[sensor], sensor)


@pytest.mark.parametrize("seed", rest_in_proof([81, 84]))
@pytest.mark.parametrize(
    "sensor", rest_in_proof(sorted(UNSAID, key=lambda sensor: sensor in SAID), len(UNSAID) - len(SAID))
)
def test_a_sensor_that_falls_silent_or_lies_accuses_nobody_and_falsifies_no_score(sensor: str, seed: int) -> None:
    _is_harmless(seed, UNSAID[sensor], None)


@pytest.mark.parametrize("sensor", ["scale stock", "scale discard", "jammed stock", "jammed discard", "camera"])
def test_the_table_says_itself_which_sensor_it_cannot_rely_on(sensor: str) -> None:
    events = list(told(81, UNSAID[sensor], None))
    doubted = {one.data.what for one in events if one.type == "table.health" and one.data.state == "unverified"}
    expected = {"melds-NS", "melds-EW"} if sensor == "camera" else {sensor.rsplit(maxsplit=1)[-1]}
    assert expected <= doubted
