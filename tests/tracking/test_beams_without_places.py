"""Reaches whose beam tells no place (``zone`` null): they may have been anywhere, and accuse nobody by themselves."""

from __future__ import annotations

from hw.seats import Seat
from table_service.tracking.camera_zone import ZoneChange
from table_service.tracking.hand_intervals import ANYWHERE, Interval
from table_service.tracking.row_filter import Support
from table_service.tracking.split_by_hand import split

RUN = ("7H", "8H", "9H")


def change() -> ZoneChange:
    return ZoneChange(1, (), RUN, Support(54.4, 2, [9, 10], 55.0), 49.0, 0.99)


def nothing_read(_hand):
    return ()


def nothing_shown(_start, _end):
    return []


def test_of_several_arms_without_a_place_none_is_taken_for_the_one_that_laid():
    arms = [Interval(Seat.NORTH, ANYWHERE, 49.1, 50.6), Interval(Seat.NORTH, ANYWHERE, 53.5, 54.3)]
    assert split(change(), arms, nothing_read, nothing_shown, 0.01) == []


def test_of_several_arms_over_the_melds_the_last_laid_what_nobody_else_did():
    arms = [Interval(Seat.NORTH, "melds-NS", 49.1, 50.6), Interval(Seat.NORTH, "melds-NS", 53.5, 54.3)]
    ((part, hand),) = split(change(), arms, nothing_read, nothing_shown, 0.01)
    assert (part.added, hand) == (RUN, arms[1])
