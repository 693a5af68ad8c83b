"""Before whom the melds of a line lie: named for the round, or shown by the place of their zone."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw.layout import DEFAULT_LAYOUT, Rect
from hw.observation_log import Header
from hw.seats import Line, Seat
from hw.tablemap import TableMap

SOUTH_AND_WEST = {"melds-NS": Rect(-357, -357, 357, -102), "melds-EW": Rect(-357, -101, -102, 357)}


def test_the_seat_before_the_melds_is_the_one_whose_edge_is_nearer() -> None:
    turned = replace(DEFAULT_LAYOUT, zones={**DEFAULT_LAYOUT.zones, **SOUTH_AND_WEST})
    assert [DEFAULT_LAYOUT.seat_before(line) for line in Line] == [Seat.NORTH, Seat.EAST]
    assert [turned.seat_before(line) for line in Line] == [Seat.SOUTH, Seat.WEST]


@pytest.mark.parametrize(
    ("keepers", "named", "seats"),
    [
        ({}, {}, {Line.NS: Seat.SOUTH, Line.EW: Seat.WEST}),
        ({"NS": "N"}, {Line.NS: Seat.NORTH}, {Line.NS: Seat.NORTH, Line.EW: Seat.WEST}),
    ],
)
def test_a_map_that_names_no_keeper_has_the_melds_before_whom_their_zone_lies(
    keepers: dict[str, str], named: dict[Line, Seat], seats: dict[Line, Seat]
) -> None:
    zones = {**SOUTH_AND_WEST}
    said = {
        "table": {"name": "T1", "rules": "feburit"},
        "keepers": keepers,
        "zones": {zone: {"rect": (one.x0, one.y0, one.x1, one.y1)} for zone, one in zones.items()},
    }
    table = TableMap.model_validate(said)
    assert (table.named_keepers(), table.keeper_seats()) == (named, seats)


def test_a_header_without_keepers_names_none() -> None:
    assert Header("T1", "feburit").named_keepers == {}
    assert Header("T1", "feburit", {"keepers": {"NS": "S", "EW": "x"}}).named_keepers == {Line.NS: Seat.SOUTH}
