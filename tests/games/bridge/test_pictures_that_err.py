"""Pictures that miss a card and read it otherwise next: what no hand has touched is what it was."""

from __future__ import annotations

from hw.observations import Screen
from hw.seats import Seat
from tests.games.bridge.table_of_bridge import TableOfBridge
from tests.games.bridge.test_rows_observed import rows, started

N, E, S, W = Seat


def _full_trick() -> TableOfBridge:
    table = started()
    for seat, card in ((S, "6S"), (W, "3S"), (N, "AS")):
        table.play(seat, card)
    return table


def test_a_card_missed_in_one_picture_and_misread_in_the_next_is_no_card_of_the_next_trick() -> None:
    table = _full_trick()
    for shown in ([], ["2S"], ["TS"], ["TS"]):
        table.wait(0.5)
        table.up[E] = list(shown)
        table.sight()
    table.quit(N)
    table.play(N, "KS")
    assert rows(table) == []
    assert table.fold.state()["tricks"] == {"NS": 1, "EW": 0}


def test_another_card_where_one_lay_is_another_card_once_a_hand_was_there() -> None:
    table = _full_trick()
    for shown, hidden in (([], ("played-E",)), ([], ()), ([], ()), (["9S"], ()), (["9S"], ())):
        table.wait(0.5)
        table.up[E] = list(shown)
        table.sight(hidden)
    assert rows(table), "East has taken his card back and laid another one"


def test_a_call_beneath_a_later_one_was_missed_and_comes_before_it() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "P 1S P P")
    table.call(N, "2H")
    table.wait()
    table.sight(hidden=("tray",))
    table.wait(0.5)
    table.tray[E].append("3H")
    for missed in (((E, 0),), ((E, 0),), ()):
        table.sight(missed=missed)
        table.wait(0.5)
    table.push()
    calls = [(one["seat"], one["data"]["call"]) for one in table.public() if one["type"] == "call.made"]
    assert [call for seat, call in calls if seat == "E"] == ["1S", "3H"]
    assert rows(table) == []


def test_a_contact_of_the_aperture_that_bounces_closes_nothing() -> None:
    table = started()
    for pose in ("closed", "open"):
        table.wait(0.06)
        table.feed(Screen(table.t, "aperture", pose, None))
    assert rows(table) == []
    table.shut()
    assert rows(table) == [("A4-3c", None, "open")]
