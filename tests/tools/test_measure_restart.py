"""The measure of cuts names each one so that it can be made again."""

from __future__ import annotations

import random
from collections.abc import Callable
from types import ModuleType

from hw.observation_log import Header
from hw.observations import Console


def test_the_cuts_that_notes_name_are_those_that_were_drawn(tools: Callable[[str], ModuleType]) -> None:
    measure = tools("measure_restart")
    log = [Console(float(n), "a", "deal") for n in range(50)]
    faulty = measure.Round("7/faults", Header(table="T1", rules="fibur2024"), log, [20, 21, 22])
    cuts = measure.drawn(faulty, 8, random.Random(3))
    assert len(cuts) == 8
    assert {*cuts.values()} == {"kill", "power"}
    assert {20, 21, 22} & cuts.keys()
    assert measure.named_cuts([f"{faulty.name}/{at}/{kind}" for at, kind in cuts.items()]) == {"7/faults": cuts}
