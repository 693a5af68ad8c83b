"""A pile that only the camera sees, under an arm that rests on it while others come to it."""

from __future__ import annotations

from hw.equipment import BURRACO_TABLE
from hw.observations import Reach, Sight
from hw.seats import Seat
from table_service.tracking.by_sight import Looking
from table_service.tracking.hand_intervals import Reaches
from table_service.tracking.movements import Unverified, Verified
from table_service.tracking.zone_roles import roles_of

BARE = BURRACO_TABLE.sensed_by({"stock": ("camera", "hands"), "discard": ("camera", "hands")})


def _looking(*visits: tuple[Seat, str, float, float]) -> Looking:
    """A pile of two cards that an arm of West covers from 10.0 to 30.0 s, and these hands: seat, zone, from, to."""
    reaches = Reaches()
    for seat, zone, start, end in ((Seat.WEST, "discard", 10.0, 30.0), *visits):
        reaches.feed(Reach(start, seat, zone, "in"))
        reaches.feed(Reach(end, seat, zone, "out"))
    looking = Looking(BARE, roles_of(BARE), reaches)
    looking.start_play()
    looking.shown(("3C", "4C"), ("3C", "4C"), None, 9.5)
    for t in range(20, 60):
        stock = any(zone == "stock" and start <= t / 2 <= end for _, zone, start, end in visits)
        looking.see(Sight(t / 2, (), ("discard", "stock") if stock else ("discard",), t))
    return looking


def test_a_pile_that_is_gone_after_several_hands_came_beneath_an_arm_puts_the_turn_in_doubt() -> None:
    looking = _looking((Seat.EAST, "discard", 15.0, 16.0), (Seat.SOUTH, "discard", 20.0, 21.0))
    looking.shown((), ("3C", "4C"), -2, 30.5)
    doubts = looking.doubts()
    assert [(type(one), one.zone) for one in doubts] == [(Unverified, "discard")]
    looking.shown(("5H",), (), 1, 36.0)
    assert [type(one) for one in looking.doubts()] == [Verified]


def test_a_pile_that_is_gone_after_one_hand_came_beneath_an_arm_was_taken_then() -> None:
    looking = _looking((Seat.EAST, "discard", 15.0, 16.0))
    steps = looking.shown((), ("3C", "4C"), -2, 30.5)
    assert [(step.change, step.first_t) for step in steps] == [(-2, 15.0)]
    assert looking.doubts() == []


def test_two_cards_that_come_back_at_once_are_no_discards_and_nobody_drew_before() -> None:
    looking = Looking(BARE, roles_of(BARE), Reaches())
    looking.start_play()
    looking.shown((), (), None, 9.5)
    looking.see(Sight(10.0, (), ("discard",), 1))
    steps = [step for t in (10.5, 11.0) for step in looking.shown(("3C", "4C"), (), None, t)]
    assert [(step.zone, step.change) for step in steps] == [("discard", 2)]
