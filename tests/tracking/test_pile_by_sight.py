"""A pile that only the camera sees: what comes back from beneath an arm is no discard."""

from __future__ import annotations

from hw.equipment import BURRACO_TABLE
from hw.observations import Sight
from hw.seats import CLOCKWISE
from table_service.tracking.by_sight import Looking
from table_service.tracking.hand_intervals import Reaches
from table_service.tracking.zone_roles import roles_of

BARE = BURRACO_TABLE.sensed_by({"stock": ("camera", "hands"), "discard": ("camera", "hands")})


def test_two_cards_that_come_back_at_once_are_no_discards_and_nobody_drew_before() -> None:
    looking = Looking(BARE, roles_of(BARE), Reaches(), CLOCKWISE)
    looking.start_play()
    looking.shown((), (), None, 9.5)
    looking.see(Sight(10.0, (), ("discard",), 1))
    steps = [step for t in (10.5, 11.0) for step in looking.shown(("3C", "4C"), (), None, t)]
    assert [(step.zone, step.change) for step in steps] == [("discard", 2)]
