"""The screen parts the players while they call (app. 4, 1): what is told where it does not, and where nothing is."""

from typing import Any

import pytest

from hw.observations import Screen
from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.judges.sides import side_of
from tests.games.bridge.table_of_bridge import TableOfBridge

N, E, S, W = Seat


def rows(table: TableOfBridge) -> list[tuple[Any, Any]]:
    return [(one["row"], one.get("seat")) for one in table.found if one["row"] != "NI-18.3"]


def move(table: TableOfBridge, part: Any, pose: Any, after: float = 2.0) -> None:
    table.feed(Screen(table.wait(after), part, pose, None))


def call(table: TableOfBridge, seat: Seat, calls: str) -> Seat:
    """Calls in turn from ``seat`` on, the tray pushed to who is to call. Who calls next."""
    for one in calls.split():
        if side_of(seat) != table.side:
            table.push()
        table.call(seat, one)
        seat = CLOCKWISE.next(seat)
    return seat


def called(before: str, after: str, part: str = "panel", poses: tuple[str, str] = ("up", "down")) -> TableOfBridge:
    """North deals; the part of the screen goes from the first pose to the second between two stretches of calls."""
    table = TableOfBridge()
    table.begin(N)
    move(table, part, poses[0])
    seat = call(table, N, before)
    move(table, part, poses[1])
    table.wait(2.0)
    call(table, seat, after)
    return table


@pytest.mark.parametrize(("part", "poses"), [("panel", ("up", "down")), ("aperture", ("closed", "open"))])
def test_a_screen_that_is_open_while_the_auction_goes_on_is_a_note_of_nobody(part: str, poses: tuple[str, str]) -> None:
    table = called("1S P", "P 2H 3S P", part, poses)
    assert rows(table) == [("A4-1", None)]


def test_one_that_is_opened_before_the_first_call_is_told_and_once() -> None:
    table = called("", "P P P P")
    assert rows(table) == [("A4-1", None)]


@pytest.mark.parametrize(("part", "poses"), [("panel", ("up", "down")), ("aperture", ("closed", "open"))])
def test_one_that_no_contact_has_told_closed_since_the_board_before_may_stand(part: Any, poses: Any) -> None:
    table = called("P P P", "P", part, poses)
    table.push()
    table.clear()
    table.begin(E, number=2)
    call(table, E, "1S 2C 2D 2H")
    assert rows(table) == []


@pytest.mark.parametrize(("before", "after"), [("1S P P", "P"), ("1S P", "P P"), ("1S P P P", "")])
def test_one_that_opens_with_the_last_passes_is_no_fault(before: str, after: str) -> None:
    """A picture may show the last calls only once the screen was rightly opened."""
    table = called(before, after, "aperture", ("closed", "open"))
    assert rows(table) == []


def test_a_contact_that_bounces_opens_nothing() -> None:
    table = TableOfBridge()
    table.begin(N)
    move(table, "panel", "up")
    seat = call(table, N, "1S")
    for pose in ("down", "up"):
        move(table, "panel", pose, 0.3)
    call(table, seat, "P P 2H 2S P")
    assert rows(table) == []


def test_one_that_was_open_for_a_moment_of_the_auction_is_told_once_it_has_gone_on() -> None:
    table = TableOfBridge()
    table.begin(N)
    move(table, "panel", "up")
    seat = call(table, N, "1S")
    for pose in ("down", "up"):
        move(table, "panel", pose)
    seat = call(table, seat, "P")
    assert rows(table) == []
    call(table, seat, "2S P 3S")
    assert rows(table) == [("A4-1", None)]


def test_a_table_without_the_contact_says_nothing() -> None:
    table = TableOfBridge()
    table.begin(N)
    call(table, N, "1S P P 2H 2S P P P")
    assert rows(table) == []
