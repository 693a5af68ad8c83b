"""Pictures that miss a card and read it otherwise next: what no hand has touched is what it was."""

from __future__ import annotations

import pytest

from hw.observations import Screen, Sight, SightedCard, Tray
from hw.seats import Seat
from table_service.games.bridge.reading.cards import CardsReader
from table_service.games.bridge.reading.looks import MissRate
from tests.games.bridge.table_of_bridge import TableOfBridge
from tests.games.bridge.test_rows_observed import HANDS, rows, started

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


def test_a_call_that_two_pictures_miss_where_no_hand_was_stays_made() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "P 1S P P")
    for missed in (((E, 0),), ((E, 0),), ()):
        table.wait(4.0)
        table.sight(missed=missed)
    table.call(N, "P")
    table.push()
    calls = [(one["seat"], one["data"]["call"]) for one in table.public() if one["type"] == "call.made"]
    assert calls == [("N", "P"), ("E", "1S"), ("S", "P"), ("W", "P"), ("N", "P")]
    assert rows(table) == []


def test_a_tray_whose_arrival_no_contact_told_is_seen_where_its_cards_lie() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "P")
    table.call(E, "1S")
    table.feed(Tray(table.wait(), "moving", None))
    moved = table.t
    assert not table.of("tray.passed")
    for _ in range(2):
        table.wait(0.5)
        table.sight(stands="SW")
    (passed,) = table.of("tray.passed")
    assert passed["side"] == "SW"
    assert [one.committed_t for one in table.events if one.type == "tray.passed"] == [moved]
    table.feed(Tray(table.wait(0.1), "SW", None))  # the contact comes late
    assert len(table.of("tray.passed")) == 1


def test_cards_that_lie_across_pass_no_tray_that_nothing_has_moved() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "P")
    for _ in range(3):
        table.wait(0.5)
        table.sight(stands="SW")
    assert not table.of("tray.passed")


def test_a_card_that_was_played_before_is_a_misreading_and_makes_nobody_a_revoker() -> None:
    table = started()
    for seat, card in ((S, "6S"), (W, "4H"), (N, "AS")):
        table.play(seat, card)
    table.quit(N)
    table.play(N, "AD")
    for seat, card in ((E, "9D"), (S, "6D"), (W, "6S")):
        table.play(seat, card)  # South has played the six of spades: West has not, whatever he has played
    assert rows(table) == []


def test_a_revoke_that_the_last_tricks_prove_waits_beyond_the_board_until_they_have_been_read_again() -> None:
    table = started()
    revoker = ["3S", "4H", "3H", "2H", "4D", "3D", "2D", "5C", "4C", "3C", "5D", "2C", "2S"]
    leads = ["AS", "AH", "KH", "QH", "AD", "KD", "QD", "AC", "KC", "QC", "KS", "QS", "JS"]
    held = {seat: list(HANDS[seat]) for seat in (N, E, S)}
    held[E].remove("TS")
    held[N] = leads[1:]
    for number in range(13):
        table.step = 2.0 if number < 10 else 0.3
        if number:
            table.play(N, held[N].pop(0))
            table.play(E, _follows(held[E], leads[number]))
        card = _follows(held[S], leads[number])
        table.spread[S].remove(card)
        table.play(S, card)
        table.play(W, revoker[number])
        if not number:
            table.play(N, leads[0])
        table.quit(N)
    assert table.of("deal.ended")
    assert [one for one in table.found if one["row"] == "law-61"] == []
    assert {row for row in rows(table) if row[0] == "law-61"} == {("law-61", "W", "open")}


def _follows(held: list[str], led: str) -> str:
    card = next((one for one in held if one[1] == led[1]), held[-1])
    held.remove(card)
    return card


def test_a_card_out_of_turn_is_told_only_once_looks_enough_have_shown_that_the_right_one_is_not_there() -> None:
    table = started()
    table.play(S, "6S")
    table.wait(0.5)
    table.up[N].append("AS")  # West has played before, and this one picture misses it
    table.sight()
    table.up[W].append("3S")
    for _ in range(4):
        table.wait(0.5)
        table.sight()
    assert rows(table) == []
    assert table.of("trick.won")[-1]["winner"] == "N"


def test_a_card_read_once_and_then_read_otherwise_where_it_lies_is_no_penalty_card() -> None:
    table = started()
    table.play(S, "6S")
    table.wait(0.5)
    table.up[W] = ["2H"]
    table.sight()
    table.up[W] = ["3S"]
    for _ in range(3):
        table.wait(0.5)
        table.sight()
    table.play(N, "AS")
    table.quit(N)
    table.play(N, "KS")
    assert table.of("penalty-card.set") == []
    assert rows(table) == []


def test_a_card_that_was_turned_before_a_picture_showed_it_fills_its_trick_and_accuses_nobody() -> None:
    table = started()
    table.play(S, "6S")
    table.step = 0.5
    table.play(N, "AS")
    table.up[W] = ["3S"]
    table.quit(N)  # West's card was laid and turned between two pictures
    table.wait(0.5)
    table.sight()
    table.play(N, "KS")
    assert rows(table) == []
    (trick, *_) = [one for one in table.of("trick.won") if one["n"] == 1][-1:]
    assert trick["cards"] == {"E": "TS", "S": "6S", "W": "??", "N": "AS"}


def test_a_back_that_one_picture_saw_twice_long_before_hides_no_card_that_is_turned_unseen() -> None:
    table = _full_trick()
    table.step = 0.5
    table.backs[W].append(90.0)
    table.wait()
    table.sight()
    table.backs[W].pop()
    for _ in range(4):
        table.wait()
        table.sight()
    table.quit(N)
    for seat, card in ((N, "KS"), (E, "9S"), (S, "5S")):
        table.play(seat, card)
    table.up[W] = ["2S"]
    table.quit(N)  # West's card was laid and turned between two pictures
    table.wait()
    table.sight()
    table.play(N, "4H")
    assert rows(table) == []
    (trick, *_) = [one for one in table.of("trick.won") if one["n"] == 2][-1:]
    assert trick["cards"] == {"N": "KS", "E": "9S", "S": "5S", "W": "??"}


def test_a_card_read_as_one_that_was_played_before_was_played_when_it_was_seen_first() -> None:
    table = _full_trick()
    table.step = 0.5
    table.quit(N)
    table.play(N, "AS")  # the king, misread
    table.up[N] = ["KS"]
    table.play(E, "9S")
    for _ in range(3):
        table.wait()
        table.sight()
    for seat, card in ((S, "5S"), (W, "2S")):
        table.play(seat, card)
    assert rows(table) == []
    assert table.fold.state()["tricks"] == {"NS": 2, "EW": 0}


def test_who_won_with_a_face_that_was_read_before_is_unknown_and_nobody_leads_out_of_turn() -> None:
    table = _full_trick()
    table.step = 0.5
    table.quit(N)
    for seat, card in ((N, "4S"), (E, "9S"), (S, "QS"), (W, "AS")):  # the ace has been played: West's is another card
        table.play(seat, card)
    table.quit(S)
    table.play(S, "KC")
    assert table.of("trick.won")[-1]["winner"] is None
    assert rows(table) == []


def test_who_was_due_by_a_card_that_was_read_once_makes_nobody_play_out_of_turn() -> None:
    table = started()
    places = tuple(f"played-{seat}" for seat in Seat)
    for seat, card in ((S, "QS"), (W, "3S"), (N, "2S")):
        table.play(seat, card)
    table.quit(S)
    for seat, card in ((S, "5D"), (W, "2D"), (N, "KD")):
        table.play(seat, card)
    table.step = 0.5
    table.play(E, "AD")  # the four, misread by one picture and seen by none before it is turned
    table.quit(N)
    table.wait()
    table.sight()
    table.play(N, "4H")
    for _ in range(6):
        table.wait()
        table.sight(hidden=places)
    table.play(E, "KH")
    for _ in range(5):
        table.wait()
        table.sight()
    table.play(S, "3H")
    assert rows(table) == []


def test_a_wrong_lead_of_a_trick_that_is_past_stays_told_when_a_later_card_is_misread() -> None:
    table = _full_trick()
    table.quit(N)
    table.play(E, "9S")  # North was to lead
    assert [row for row, *_ in rows(table)] == ["law-56"]
    for seat, card in ((S, "5S"), (W, "2S"), (N, "KS")):
        table.play(seat, card)
    table.quit(N)
    for seat, card in ((N, "4H"), (E, "2H"), (S, "6H"), (W, "3H")):
        table.play(seat, card)
    table.quit(S)
    for seat, card in ((S, "5D"), (W, "2D"), (N, "AS")):  # North's is misread: he has played the ace
        table.play(seat, card)
    table.wait()
    table.sight()
    table.up[N] = ["KD"]
    for _ in range(3):
        table.wait()
        table.sight()
    said = [(one["key"], one["state"]) for one in table.of("irregularity") if one["row"] == "law-56"]
    assert said == [(said[0][0], "open")]


def test_the_worse_a_camera_sees_the_more_looks_it_needs() -> None:
    assert MissRate().looks == 2
    rough = MissRate()
    for _ in range(30):
        rough.count(shown=18, missed=2)
    assert rough.looks == 4
    blind = MissRate()
    blind.count(shown=10, missed=90)
    assert blind.looks == 6


def _calls(table: TableOfBridge) -> list[tuple[str, str]]:
    return [(one["seat"], one["call"]) for one in table.of("call.made")]


def _pictures(table: TableOfBridge, seat: Seat, *rows_: list[str]) -> None:
    for lying in rows_:
        table.wait(0.5)
        table.tray[seat] = list(lying)
        table.sight()


def test_a_stop_card_that_one_picture_read_as_a_bid_is_no_call() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    _pictures(table, N, ["6N"], ["stop"], ["stop"], ["stop", "2S"], ["stop", "2S"])
    table.call(E, "P")
    table.push()
    assert _calls(table) == [("N", "2S"), ("E", "P")]
    table.console("end-round")
    assert [one for one in table.found if one["row"] != "NI-18.3"] == []


def test_a_bid_that_one_picture_read_as_the_stop_card_is_a_call() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    _pictures(table, N, ["stop"], ["1S"], ["1S"])
    table.call(E, "P")
    table.push()
    assert _calls(table) == [("N", "1S"), ("E", "P")]


def test_a_call_that_is_misread_in_the_picture_that_first_shows_a_later_one_is_what_it_was() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "1S P P 2H")
    table.call(N, "P")
    _pictures(table, E, ["X", "P"], ["P", "P"], ["P", "P"])
    table.push()
    assert _calls(table)[-2:] == [("N", "P"), ("E", "P")]
    assert rows(table) == []


def test_a_call_of_who_cannot_reach_the_tray_is_not_changed_by_pictures_that_miss_and_misread_it() -> None:
    table = TableOfBridge()
    table.begin(E, vulnerable="none")
    for seat, call in ((E, "1C"), (S, "1D"), (W, "P")):
        if seat is S:
            table.push()
        table.call(seat, call)
    table.push()
    table.wait(0.2)
    table.sight(hidden=("tray",))
    _pictures(table, W, [], [], ["X"], ["P"], ["P"], ["P"])
    assert _calls(table) == [("E", "1C"), ("S", "1D"), ("W", "P")]
    assert rows(table) == []


def test_an_alert_card_that_is_given_back_as_a_call_is_laid_leaves_that_call() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.call(N, "1C")
    _pictures(table, E, ["1H"], ["1H", "alert"])
    table.push()
    table.call(S, "1S")
    table.call(W, "P")
    table.push()
    table.call(N, "P")
    table.wait()
    table.sight(hidden=("tray",))
    _pictures(table, E, ["1H", "2H"], ["1H", "2H"])
    table.push()
    assert _calls(table)[-1] == ("E", "2H")


def test_a_call_is_judged_only_once_it_was_read_twice() -> None:
    table = TableOfBridge(step=0.1)
    table.begin(N)
    table.call(N, "P")
    table.call(E, "X")  # a pass, read as a double of nothing
    table.push()
    assert table.found == []
    table.tray[E] = ["P"]
    for _ in range(4):
        table.wait(0.3)
        table.sight()
    assert [one for one in table.found if one["row"] == "law-36"] == []


def _with_the_last_pass_passed_unheard(*, measured: bool) -> TableOfBridge:
    """All have passed; the contacts do not say that North's tray has gone to South for the last time."""
    table = TableOfBridge()
    table.begin(S, vulnerable="none")
    table.auction(S, "P P")
    for seat in (N, E):
        table.tray[seat].append("P")
        table.wait()
        table.sight(stands="NE" if measured else "SW")
    for _ in range(8):
        table.wait(0.5)
        table.sight(stands="SW")
    return table


def test_cards_that_lay_on_this_side_and_lie_on_the_other_have_gone_there_though_no_contact_says_so() -> None:
    table = _with_the_last_pass_passed_unheard(measured=True)
    assert [one["data"]["manner"] for one in table.public() if one["type"] == "deal.ended"] == ["passed"]


def test_where_cards_lie_says_nothing_where_they_never_lay_on_this_side() -> None:
    table = _with_the_last_pass_passed_unheard(measured=False)
    assert [one for one in table.public() if one["type"] == "deal.ended"] == []
    assert [one["data"]["side"] for one in table.public() if one["type"] == "tray.passed"] == ["NE"]


def test_a_card_that_lies_before_another_player_is_not_read_here_before_a_second_look_says_so() -> None:
    table = started()
    table.play(S, "6S")
    table.wait(0.5)
    table.sight()
    table.play(W, "6S")
    (played,) = [one["data"] for one in table.public() if one["type"] == "trick.played"][-1:]
    assert (played["cards"]["S"], played["cards"]["W"]) == ("6S", "??")
    table.wait(0.5)
    table.up[W] = ["3S"]
    table.sight()
    table.play(N, "AS")
    (played,) = [one["data"] for one in table.public() if one["type"] == "trick.played"][-1:]
    assert (played["cards"]["W"], played["certain"]) == ("3S", True)
    assert rows(table) == []


def test_a_penalty_card_that_two_pictures_miss_where_no_hand_was_lies_there_and_is_not_played() -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "3N P P P")
    table.clear()
    table.shut()
    table.lead(W, "3S")
    table.lead(E, "TS")
    table.open(E)
    assert [one["row"] for one in table.found] == ["FIGB-5"]
    for shown in (["3S"], [], [], ["3S"], ["3S"]):
        table.wait(0.5)
        table.up[W] = list(shown)
        table.sight()
    table.wait(3.0)
    table.sight()
    assert [one["row"] for one in table.found] == ["FIGB-5"]
    assert [one["data"]["card"] for one in table.public() if one["type"] == "trick.played"] == ["TS"]


@pytest.mark.parametrize(
    ("shown", "missed"),
    [(((E, "9S"), (W, "2S")), (S, "5S")), (((S, "5S"), (W, "2S")), (E, "9S"))],
    ids=["between two", "before two"],
)
def test_a_card_that_the_picture_after_a_gap_misses_comes_before_those_that_follow_it(
    shown: tuple[tuple[Seat, str], ...], missed: tuple[Seat, str]
) -> None:
    table = _full_trick()
    table.quit(N)
    table.play(N, "KS")
    places = tuple(f"played-{seat}" for seat in Seat)
    for _ in range(12):
        table.wait(0.5)
        table.sight(hidden=places)
    for cards, looks in ((shown, 1), ((missed,), 6)):
        for seat, card in cards:
            table.up[seat].append(card)
        for _ in range(looks):
            table.wait(0.5)
            table.sight()
    assert rows(table) == []
    assert table.fold.state()["tricks"] == {"NS": 2, "EW": 0}


@pytest.mark.parametrize(
    ("pictures", "begun"), [(1, "after"), (2, "after"), (5, "after"), (2, "before"), (5, "before")]
)
def test_the_same_calls_on_the_next_board_are_calls_however_few_pictures_show_the_tray_cleared(
    pictures: int, begun: str
) -> None:
    table = TableOfBridge()
    table.begin(N, vulnerable="none")
    table.auction(N, "P P P P")
    if begun == "before":
        table.begin(N, number=2, vulnerable="none")
    table.wait(2.0)
    table.tray = {seat: [] for seat in Seat}
    for _ in range(pictures):
        table.wait(0.5)
        table.sight()
    table.wait(3.0)
    if begun == "after":
        table.begin(N, number=2, vulnerable="none")
    table.auction(N, "P 1S P P P")
    calls = [(one["seat"], one["data"]["call"]) for one in table.public() if one["type"] == "call.made"]
    assert calls[4:] == [("N", "P"), ("E", "1S"), ("S", "P"), ("W", "P"), ("N", "P")]


def test_of_two_cards_that_read_alike_one_was_misread_and_who_has_won_with_them_is_unknown() -> None:
    table = started()
    for seat, card in ((S, "6S"), (W, "3S"), (N, "KS")):  # it was the ace; one picture read it so, and it was turned
        table.play(seat, card)
    table.quit(N)
    table.play(N, "KS")
    table.play(E, "9S")
    assert rows(table) == []
    for seat, card in ((S, "5S"), (W, "2S")):
        table.play(seat, card)
    table.quit(N)
    table.play(N, "QS")
    assert rows(table) == []
    assert table.fold.state()["tricks"] == {"NS": None, "EW": None}


def test_a_look_that_shows_another_face_is_none_that_shows_nothing_new() -> None:
    reader, seat = CardsReader(), "played-E"

    def look(t: float, face: str) -> None:
        list(
            reader.sight(Sight(t, (SightedCard(face, seat, 0.0 if face == "9S" else 60.0, 0.0, 0.0, "up", 0.99),), ()))
        )

    for t in (1.0, 1.5, 2.0):
        look(t, "9S")
    assert reader.is_idle_since(E, 1.5)
    look(2.5, "2S")
    look(3.0, "9S")
    assert reader.is_idle_since(E, 2.0)
    assert not reader.is_idle_since(E, 2.5), "the look at 2.5 s showed a card that may be new"
