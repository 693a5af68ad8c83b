"""What the table says of seats and lines follows the game's rotation, and a seat where nobody plays breaks nothing."""

from __future__ import annotations

import pytest

from hw.observation_log import Header
from hw.seats import ANTICLOCKWISE, CLOCKWISE, HEADS_UP, Line, Rotation, Seat
from table_service.events.payloads import RefereeCalled
from table_service.referee.catalogue import Row, StepRule, Who, Words
from table_service.referee.values import Irregularity
from table_service.table.finding_payloads import irregularity
from table_service.table.voice import Voice

N, E, S, W = Seat.NORTH, Seat.EAST, Seat.SOUTH, Seat.WEST
THREE = Rotation((N, W, S))
SAID = Words("Si fa così.", "It is done so.")


def who(role: Who, rotation: Rotation, offender: Seat | None, victim: Seat | None) -> str | None:
    row = Row("X-1", "1", SAID, "note", ("camera",), (StepRule("act", role, SAID),))
    one = Irregularity("k1", row, offender, (), 1.0, 1.0, "during_turn", victim=victim)
    return irregularity(one, rotation).remedy[0].who


@pytest.mark.parametrize(
    ("rotation", "seat", "line"),
    [(CLOCKWISE, S, Line.NS), (HEADS_UP, S, Line.EW), (HEADS_UP, E, Line.EW), (THREE, W, Line.EW)],
)
def test_an_event_names_the_line_that_its_seat_plays_for(rotation: Rotation, seat: Seat, line: Line) -> None:
    voice = Voice(Header("T1", "any"), "boot", 1, rotation)
    assert voice.say("referee.called", RefereeCalled(), 1.0, seat).line is line


@pytest.mark.parametrize(
    ("role", "rotation", "offender", "victim", "named"),
    [
        ("next-opponent", CLOCKWISE, N, E, "E"),
        ("next-opponent", ANTICLOCKWISE, N, W, "W"),
        ("next-opponent", HEADS_UP, N, S, "S"),
        ("partner", CLOCKWISE, N, E, "S"),
        ("partner", HEADS_UP, N, S, None),
        ("opponent-in-turn", ANTICLOCKWISE, N, S, "W"),
        ("opponent-in-turn", HEADS_UP, N, S, "S"),
        ("line", HEADS_UP, S, N, "EW"),
    ],
)
def test_a_remedy_names_who_follows_in_the_rotation(
    role: Who, rotation: Rotation, offender: Seat, victim: Seat, named: str | None
) -> None:
    assert who(role, rotation, offender, victim) == named


@pytest.mark.parametrize("role", ["partner", "next-opponent", "opponent-in-turn", "line-in-turn", "line"])
@pytest.mark.parametrize(("offender", "victim"), [(E, N), (N, E), (E, W), (None, E)])
def test_who_acts_at_a_seat_where_nobody_plays_breaks_nothing(
    role: Who, offender: Seat | None, victim: Seat | None
) -> None:
    assert who(role, HEADS_UP, offender, victim) in (None, "N", "S", "NS", "EW")
