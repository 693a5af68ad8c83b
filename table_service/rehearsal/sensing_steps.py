"""Tables with fewer sensors than the drawn one: the step of a table on the ladder, and what its log lacks then.

Step 1 is a camera alone, 2 adds scales, 3 beams, shields and the other contacts, 4 the gates: the whole table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.coverage import CAMERA
from hw.equipment import Equipment
from hw.observation_log import Header
from hw.observations import Knock, Observation, Reach, Scale, Screen, Shield, Tags, Tray

STEPS: Final = (1, 2, 3, 4)
WHOLE: Final = STEPS[-1]
"""The step of a table that has everything."""
_FROM: Final[dict[type[Observation], int]] = {
    Scale: 2,
    Reach: 3,
    Shield: 3,
    Knock: 3,
    Screen: 3,
    Tray: 3,
    Tags: 4,
}
"""The step from which on a table has the sensors of each kind; what is not named every table has."""


def sensors_at(step: int, equipment: Equipment) -> dict[str, list[str]]:
    """Return the sensors of each zone of a table on ``step``, in the form of a log header's ``sensors``.

    >>> from hw.equipment import BURRACO_TABLE
    >>> sensors_at(2, BURRACO_TABLE)["discard"]
    ['camera', 'scale']
    """
    return {
        place.zone: [
            CAMERA,
            *(("scale",) if place.weighed and step >= _FROM[Scale] else ()),
            *(("beam",) if place.beamed and step >= _FROM[Reach] else ()),
            *(("gate",) if place.gated and step >= _FROM[Tags] else ()),
        ]
        for place in equipment.places
    }


def header_at(step: int, header: Header, equipment: Equipment) -> Header:
    """``header`` of a table on ``step``; unchanged where it has everything."""
    if step == WHOLE:
        return header
    sensors = {zone: tuple(by) for zone, by in sensors_at(step, equipment).items()}
    return replace(header, sensors=sensors, tags={})


def is_sensed(step: int, observation: Observation) -> bool:
    """True if a table on ``step`` has the sensor that made ``observation``."""
    return _FROM.get(type(observation), min(STEPS)) <= step
