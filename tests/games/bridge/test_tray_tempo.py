"""The tray's time: what is nothing, what is evidence and for whom; jumps and the stop card."""

import pytest

from hw.seats import Seat
from table_service.games.bridge.judges.tempo import (
    COMPETITIVE_S,
    CallAlert,
    evidence,
    is_jump,
    jumps,
    stays,
)
from table_service.games.bridge.judges.tray import TrayAuction

N, E, S, W = Seat


def two_stays(first: float, second: float) -> TrayAuction:
    """North and East call, the tray goes after ``first`` seconds; South and West, it comes back after ``second``."""
    tray = TrayAuction(N).called(N, "1N", 12.0).called(E, "P", 15.0).pushed(N, "SW", 10.0 + first)
    there = 10.0 + first
    return tray.called(S, "P", there + 2).called(W, "P", there + 3).pushed(S, "NE", there + second)


def test_each_stay_has_its_side_seconds_and_calls() -> None:
    first, second = stays(two_stays(18.0, 25.0), 10.0)
    assert (first.side, first.seconds, first.received_by) == ("NE", 18.0, "SW")
    assert first.calls == ((N, "1N", 12.0), (E, "P", 15.0))
    assert first.thought() == ((N, 2.0), (E, 3.0))
    assert (second.side, second.seconds, second.received_by) == ("SW", 25.0, "NE")


def test_twenty_seconds_are_nothing_and_more_is_evidence_for_who_receives_the_tray() -> None:
    assert evidence(stays(two_stays(20.0, 20.0), 10.0)) == ()
    (long,) = evidence(stays(two_stays(20.1, 19.0), 10.0))
    assert (long.side, long.received_by) == ("NE", "SW")
    assert evidence(stays(two_stays(29.0, 19.0), 10.0), limit=COMPETITIVE_S) == ()


def test_a_push_that_did_not_leave_the_side_ends_no_stay() -> None:
    tray = TrayAuction(N).called(N, "1N", 1.0).pushed(N, "NE", 5.0).called(E, "P", 8.0).pushed(N, "SW", 9.0)
    (one,) = stays(tray, 0.0)
    assert (one.seconds, len(one.calls)) == (9.0, 2)


@pytest.mark.parametrize(
    ("bid", "over", "jump"),
    [("1C", None, False), ("2C", None, True), ("2C", "1S", False), ("3C", "1S", True), ("1S", "1H", False),
     ("2S", "1H", True), ("7C", "6S", False), ("7N", "7S", False), ("3N", "1N", True)],
)  # fmt: skip
def test_which_bids_are_jumps(bid: str, over: str | None, jump: bool) -> None:
    assert is_jump(bid, over) is jump


def test_a_jump_without_the_card_and_a_call_too_soon_after_it_are_notes() -> None:
    tray = TrayAuction(N).called(N, "2N", 5.0).called(E, "P", 9.0)
    assert [(one.what, one.seat) for one in jumps(tray, ())] == [("no-stop", N), ("too-soon", E)]
    slow = TrayAuction(N).called(N, "2N", 5.0).called(E, "P", 15.5)
    assert jumps(slow, [(N, 4.0)]) == ()


def test_a_call_across_the_screen_is_never_too_soon() -> None:
    tray = TrayAuction(E).called(E, "2N", 5.0).pushed(N, "SW", 6.0).called(S, "P", 7.0)
    assert [one.what for one in jumps(tray, [(E, 4.0)])] == []


def test_an_alert_is_shown_on_one_side() -> None:
    assert (CallAlert(N, N, 3.0).side, CallAlert(N, N, 3.0).returned) == ("NE", None)


def test_the_trays_being_put_away_after_the_auction_is_no_stay_and_no_evidence() -> None:
    tray = two_stays(18.0, 19.0).pushed(N, "SW", 95.0)
    assert tray.auction.is_over
    assert [one.seconds for one in stays(tray, 10.0)] == [18.0, 19.0]
    assert evidence(stays(tray, 10.0)) == ()
    late = tray.called(S, "P", 97.0).pushed(S, "NE", 130.0)  # a call after the end (law 39) is a stay with its time
    assert [len(one.calls) for one in stays(late, 10.0)][-1] == 1
