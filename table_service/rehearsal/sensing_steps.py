"""Tables with fewer sensors than the drawn one: the step of a table on the ladder, and what its log lacks then.

Step 1 is a camera alone, 2 adds scales, 3 beams, shields and the other contacts, 4 the gates: the whole table. Below
step 3 the camera stands for the beams: it sees most hands come and go, some tenths of a second later.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Final, Literal

from hw.coverage import CAMERA, SEEN_HANDS
from hw.equipment import Equipment
from hw.observation_log import Header
from hw.observations import Knock, Observation, Reach, Scale, Screen, Shield, Tags, Tray
from hw.seats import Seat

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


_FRAME_S: Final = 0.1
"""Seconds between two looks of the camera at the hands."""
_MISSED: Final = 0.05
"""Share of the reaches that the camera does not report: an arm over another's (``tools/measure_arms.py``)."""
_NO_ZONE: Final = 0.02
"""Share of those that it tells without the zone: a hand over two of them."""


class SeenHands:
    """The reaches of a simulated table as its camera tells them in place of beams; ``rng``: which of them it misses."""

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng
        self._zones: dict[tuple[Seat | None, str | None], str | Literal[False] | None] = {}
        """Reported zone of each hand over the table, False for one that is not reported."""

    def told(self, reach: Reach) -> Reach | None:
        """Return ``reach`` as the camera reports it, in a frame after it; None if it does not."""
        hand = (reach.seat, reach.zone)
        if reach.phase == "in":
            luck = self._rng.random()
            self._zones[hand] = False if luck < _MISSED else None if luck < _MISSED + _NO_ZONE else reach.zone
        zone = self._zones.get(hand, False)
        if zone is False:
            return None
        return replace(reach, t=round(reach.t + self._rng.uniform(0.0, _FRAME_S), 6), zone=zone)


def sensors_at(step: int, equipment: Equipment) -> dict[str, list[str]]:
    """Return the sensors of each zone of a table on ``step``, in the form of a log header's ``sensors``.

    >>> from hw.equipment import BURRACO_TABLE
    >>> sensors_at(2, BURRACO_TABLE)["discard"]
    ['camera', 'scale', 'hands']
    """
    return {
        place.zone: [
            CAMERA,
            *(("scale",) if place.weighed and step >= _FROM[Scale] else ()),
            *(("beam" if step >= _FROM[Reach] else SEEN_HANDS,) if place.beamed else ()),
            *(("gate",) if place.gated and step >= _FROM[Tags] else ()),
        ]
        for place in equipment.places
    }


def header_at(step: int, header: Header, equipment: Equipment) -> Header:
    """Return ``header`` of a table on ``step``; unchanged if it has everything."""
    if step == WHOLE:
        return header
    sensors = {zone: tuple(by) for zone, by in sensors_at(step, equipment).items()}
    return replace(header, sensors=sensors, tags={})


def sensed(step: int, observation: Observation, hands: SeenHands) -> Observation | None:
    """Return ``observation`` as a table on ``step`` makes it; None if it has no sensor for it."""
    if isinstance(observation, Reach) and step < _FROM[Reach]:
        return hands.told(observation)
    return observation if _FROM.get(type(observation), min(STEPS)) <= step else None
