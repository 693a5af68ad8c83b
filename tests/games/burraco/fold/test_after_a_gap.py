"""After a gap in sensing nobody is accused until a whole turn has been seen; numbers of cards come back by evidence."""

from __future__ import annotations

from typing import Any

import pytest

from hw.observations import Shield
from hw.seats import SEATS, Seat
from table_service.tracking.movements import Counted, Unverified, Verified


def _lost(script: Any, *zones: str) -> None:
    for zone in zones:
        script.take(Unverified(script.t, zone, "its node was lost", missed=True))


def _back(script: Any, **counts: int) -> None:
    for zone, cards in counts.items():
        script.take(Counted(script.t, zone, cards, 0.9, anew=True))


def _counts(script: Any) -> dict[str, int]:
    return {str(seat): script.fold.deal.count(seat) for seat in SEATS}


@pytest.fixture
def begun(script: Any) -> Any:
    script.turn("W")
    script.turn("N")
    return script


def test_f30a_nobody_has_missed_a_draw_that_may_have_gone_unnoticed(begun: Any) -> None:
    _lost(begun, "stock", "discard")
    _back(begun, stock=38, discard=3)  # E has drawn
    begun.discard("E", "5H")
    assert begun.verdicts() == []
    assert _counts(begun)["E"] == 10 or not begun.fold.deal.sure_of(Seat.EAST)


def test_f31a_whose_turn_it_is_is_open_until_a_whole_turn_has_been_seen(begun: Any) -> None:
    _lost(begun, "stock", "discard")
    _back(begun, stock=38, discard=4)  # E has drawn and discarded
    begun.draw("W")
    assert begun.verdicts() == [], "S may have played as well"
    begun.discard("W", "5H")
    begun.draw("E")
    assert [row for row, *_ in begun.verdicts()] == ["F-31a"], "W has been seen from his draw to his discard"


def test_a_turn_that_began_unseen_is_not_whole(begun: Any) -> None:
    begun.draw("E")
    _lost(begun, "discard")
    _back(begun, discard=3)
    begun.discard("E", "5H")
    begun.draw("W")
    assert begun.verdicts() == []


def test_nothing_that_came_or_went_leaves_every_number_known(begun: Any) -> None:
    before = _counts(begun)
    _lost(begun, "stock", "discard", "pots")
    assert not any(begun.fold.deal.sure_of(seat) for seat in SEATS)
    _back(begun, stock=39, discard=3, pots=22)
    assert _counts(begun) == before
    assert all(begun.fold.deal.sure_of(seat) for seat in SEATS)


def test_as_many_cards_on_the_pile_as_left_the_stock_leave_every_number_known(begun: Any) -> None:
    before = _counts(begun)
    _lost(begun, "stock", "discard")
    _back(begun, discard=5, stock=37)
    assert _counts(begun) == before
    assert all(begun.fold.deal.sure_of(seat) for seat in SEATS)
    assert begun.fold.deal.size == 108


def test_a_card_that_is_in_no_place_makes_every_number_doubtful(begun: Any) -> None:
    _lost(begun, "stock", "discard")
    _back(begun, stock=38, discard=3)
    assert not any(begun.fold.deal.sure_of(seat) for seat in SEATS)
    assert begun.fold.deal.size == 108


def test_who_discards_while_nobody_watches_the_stock_has_drawn(begun: Any) -> None:
    before = _counts(begun)
    _lost(begun, "stock")
    begun.discard("E", "5H")
    begun.discard("S", "6H")
    _back(begun, stock=37)
    assert _counts(begun) == before
    assert begun.verdicts() == []
    assert all(begun.fold.deal.sure_of(seat) for seat in SEATS)


def test_who_draws_after_another_while_nobody_watches_the_pile_had_seen_him_discard(begun: Any) -> None:
    before = _counts(begun)
    _lost(begun, "discard")
    for seat in ("E", "S", "W"):
        begun.draw(seat)
    _back(begun, discard=5)
    assert _counts(begun) == {**before, "W": before["W"] + 1}
    assert begun.verdicts() == []
    assert all(begun.fold.deal.sure_of(seat) for seat in SEATS)


def test_f23_a_pot_that_went_unseen_was_his_whose_hand_was_used_up(begun: Any) -> None:
    begun.draw("E")
    begun.hands(E="")
    _lost(begun, "pots")
    _back(begun, pots=11)
    taken = begun.of("pot.taken")[-1]
    assert (taken.seat, taken.data.manner, taken.confidence) == (Seat.EAST, "in-flight", 0.5)
    assert begun.fold.deal.count(Seat.EAST) == 11
    assert begun.verdicts() == []


def test_f23_a_pot_that_went_unseen_and_may_be_anybodys_stays_doubtful(begun: Any) -> None:
    _lost(begun, "pots")
    _back(begun, pots=11)
    assert begun.of("pot.taken") == []
    assert "pots" in begun.fold.state()["unverified"]


def test_f23_where_hands_are_not_sure_a_pot_that_went_unseen_was_his_who_gave_the_sign(begun: Any) -> None:
    begun.draw("E")
    begun.hands(E="", S="5C")
    begun.suppose(lambda deal: deal.doubt_hands(SEATS))
    _lost(begun, "pots")
    begun.notice(Shield(begun.t, Seat.SOUTH, "over"))
    _back(begun, pots=11)
    assert [taken.seat for taken in begun.of("pot.taken")] == [Seat.SOUTH]
    assert begun.fold.deal.count(Seat.SOUTH) == 11


def test_f23_where_hands_are_not_sure_and_nobody_gave_a_sign_a_pot_that_went_unseen_stays_doubtful(begun: Any) -> None:
    begun.draw("E")
    begun.hands(E="")
    begun.suppose(lambda deal: deal.doubt_hands(SEATS))
    _lost(begun, "pots")
    _back(begun, pots=11)
    assert begun.of("pot.taken") == []
    assert "pots" in begun.fold.state()["unverified"]


def test_f23_a_pot_that_is_lifted_is_his_who_gave_the_sign_and_not_his_of_whom_the_ledger_has_too_few(
    begun: Any,
) -> None:
    begun.draw("E")
    begun.hands(E="", S="5C")
    begun.suppose(lambda deal: deal.doubt_hands(SEATS))
    begun.notice(Shield(begun.t, Seat.SOUTH, "over"))
    begun.take_pot("S")
    assert [taken.seat for taken in begun.of("pot.taken")] == [Seat.SOUTH]
    assert begun.verdicts() == []


def test_cards_that_are_gathered_without_an_end_accuse_nobody(begun: Any) -> None:
    _lost(begun, "stock", "discard")
    _back(begun, stock=30, discard=3)
    begun.turn("E")
    begun.turn("S")
    begun.move(" ".join(["??"] * 28), "stock", "hand-E", "E")
    begun.move("?? ??", "stock", "hand-N", "N")
    assert begun.verdicts() == []
    assert begun.of("table.health")[-1].data.what == "deal"


def test_f31a_a_hand_that_may_be_anothers_is_not_accused(begun: Any) -> None:
    begun.take(Unverified(begun.t, "beams", "its node was lost", missed=True))
    begun.draw("W")
    begun.discard("W", "5H")
    begun.draw("S")
    assert begun.verdicts() == []
    begun.take(Verified(begun.t, "beams"))
    begun.discard("S", "6H")
    begun.turn("W")
    begun.draw("E")
    assert [row for row, *_ in begun.verdicts()] == ["F-31a"], "W has been seen from his draw to his discard"


def test_who_may_have_done_his_duty_while_nobody_watched_is_not_told_to_have_broken_it(begun: Any) -> None:
    begun.draw("S")
    begun.console("rule", row="F-31a", seat="S")
    owed = [e.data.do for e in begun.of("sanction.imposed")]
    assert "return-to-stock" in owed
    _lost(begun, "stock", "discard")
    _back(begun, stock=38, discard=3)
    begun.draw("E")
    begun.discard("E", "5H")
    assert begun.of("sanction.broken") == []


def test_f31a_ruled_on_who_was_taken_for_the_player_in_turn_leaves_the_turn_open(begun: Any) -> None:
    """Nobody knew whose turn it was; the arbitro did, and the next player is in order."""
    begun.suppose(lambda deal: deal.lose_turn())
    begun.draw("N")
    begun.lay("N", 0, "4C 5C 6C")
    assert begun.verdicts() == []
    begun.console("rule", row="F-31a", seat="N")
    begun.draw("E")
    begun.discard("E", "5H")
    begun.draw("S")
    assert [(row, seat) for row, seat, _ in begun.verdicts()] == [("F-31a", "N")]


def test_a_discard_and_a_pick_up_that_went_unseen_leave_both_hands_in_doubt(begun: Any) -> None:
    begun.draw("E")
    _lost(begun, "stock", "discard")
    _back(begun, stock=38, discard=3)  # as before: E has discarded, S has picked that up
    begun.lay("S", 0, "5H 6H 7H")
    assert not begun.fold.deal.sure_of(Seat.EAST)
    assert not begun.fold.deal.sure_of(Seat.SOUTH)


def test_f23_a_pot_lifted_before_the_next_draw_is_his_who_discarded_and_not_his_who_hands_it_over(begun: Any) -> None:
    """By a ledger that nobody is sure of he has a card left: the one that he discarded while nobody watched."""
    begun.draw("E")
    begun.discard("E", "5H")
    begun.hands(E="5C", S="5C 6C")
    begun.suppose(lambda deal: deal.doubt_hands(SEATS))
    begun.take_pot("S")
    assert [(taken.seat, taken.data.manner) for taken in begun.of("pot.taken")] == [(Seat.EAST, "discard")]


def test_a_pot_that_lies_there_as_it_did_is_known_again_also_when_the_deal_is_over(begun: Any) -> None:
    begun.suppose(lambda deal: deal.over("stopped"))
    _lost(begun, "pots")
    _back(begun, pots=21)
    assert "pots" in begun.fold.state()["unverified"]
    _back(begun, pots=22)
    assert "pots" not in begun.fold.state()["unverified"]
