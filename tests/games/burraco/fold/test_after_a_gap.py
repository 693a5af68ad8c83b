"""After a gap in sensing nobody is accused until a whole turn has been seen; numbers of cards come back by evidence."""

from __future__ import annotations

from typing import Any

import pytest

from hw.observations import Button, Shield
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
    begun.collect("E", "TD 3S 3S")
    _lost(begun, "discard")
    _back(begun, discard=0)
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
    begun.collect("E", "TD 3S 3S")
    _lost(begun, "stock", "discard")
    _back(begun, stock=39, discard=0)  # as before: E has discarded, S has picked that up
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


def test_one_card_more_on_the_pile_and_a_stock_as_it_was_is_the_discard_of_who_had_drawn(begun: Any) -> None:
    """Cuts 1556 and 1889 of rounds 881001 and 881000 (feburit): pot and end stayed in doubt."""
    begun.draw("E")
    before = _counts(begun)
    _lost(begun, "stock", "discard", "pots")
    _back(begun, pots=22, stock=38, discard=4)
    assert [one.seat for one in begun.of("card.discarded")][-1] is Seat.EAST
    assert begun.of("card.discarded")[-1].confidence == 0.5
    assert _counts(begun) == {**before, "E": before["E"] - 1}
    begun.draw("S")
    begun.discard("S", "6H")
    assert all(begun.fold.deal.sure_of(seat) for seat in SEATS if seat is not Seat.EAST)
    assert begun.verdicts() == []


@pytest.mark.parametrize("counts", [{"pots": 20, "stock": 38}, {"pots": 22, "stock": 37}, {"pots": 22}])
def test_where_a_scale_may_have_lost_its_zero_or_the_stock_a_card_no_discard_is_supposed(
    begun: Any, counts: dict[str, int]
) -> None:
    begun.draw("E")
    laid = len(begun.of("card.discarded"))
    _lost(begun, "stock", "discard", "pots")
    _back(begun, **counts, discard=4)
    assert len(begun.of("card.discarded")) == laid
    assert not begun.fold.deal.sure_of(Seat.EAST)


def test_f23_who_took_a_pot_meanwhile_may_have_discarded_before(begun: Any) -> None:
    """Cut 1470 of round 882001 (online): the pot would have counted as a hand."""
    begun.draw("E")
    begun.hands(E="")
    _lost(begun, "stock", "discard", "pots")
    _back(begun, pots=11, stock=38, discard=4)
    laid = begun.of("card.discarded")
    assert begun.of("pot.taken")
    assert laid[-1].seat is not Seat.EAST


def test_melds_that_were_not_in_view_as_the_deal_was_counted_are_counted_once_they_are_seen(begun: Any) -> None:
    """Cut 2475 of round 880101 (fibur2024): the count was called before a picture had shown the line's melds again."""
    begun.take(Unverified(begun.t, "melds-NS", "the camera started anew"))
    begun.over()
    begun.notice(Button(begun.t, Seat.NORTH, "count"))
    first = begun.of("score.counted")[-1].data
    assert {"NS.melds", "NS.burraco"} <= set(first.doubtful)
    begun.take(Verified(begun.t + 1.0, "melds-NS"))
    again = begun.of("score.counted")[-1].data
    assert not {"NS.melds", "NS.burraco"} & set(again.doubtful)
    assert again.supersedes is not None


@pytest.fixture
def frozen(begun: Any) -> Any:
    """E has laid three kings, S has played, and the kings are frozen for good; then nothing was sensed for a while."""
    begun.draw("E")
    begun.lay("E", 0, "KH KD KC")
    begun.discard("E", "5H")
    begun.turn("S")
    begun.suppose(lambda deal: deal.freeze(0, "definitive"))
    _lost(begun, "stock", "discard", "beams")
    for zone in ("melds-EW", "table"):
        begun.take(Unverified(begun.t, zone, "the table was off"))
    return begun


def _seen_again(script: Any, *zones: str) -> None:
    for zone in zones or ("beams", "melds-EW", "table"):
        script.take(Verified(script.later(), zone))


def _adds_a_king(script: Any, seat: str | None = "W", **more: Any) -> list[str]:
    """Rows that the table tells of as W, having drawn, lays a fourth king to the three."""
    script.draw("W")
    fields = {"row": 0, "result": ("KH", "KD", "KC", "KS"), **more}
    script.move("KS", f"hand-{seat}" if seat else None, "melds-EW", seat, **fields)
    return [row for row, *_ in script.verdicts()]


def test_f27c_who_lays_on_a_frozen_meld_seen_again_is_told_though_turns_may_have_gone_unseen(frozen: Any) -> None:
    _back(frozen, stock=35, discard=6)
    _seen_again(frozen)
    assert _adds_a_king(frozen) == ["F-27c"]
    assert frozen.of("irregularity")[-1].seat is Seat.WEST


@pytest.mark.parametrize("lacks", ["beams", "melds-EW"])
def test_f27c_a_card_on_a_meld_that_was_not_seen_again_or_by_a_hand_that_is_not_sure_accuses_nobody(
    frozen: Any, lacks: str
) -> None:
    _back(frozen, stock=37, discard=5)
    _seen_again(frozen, *{"beams", "melds-EW", "table"} - {lacks})
    assert _adds_a_king(frozen) == []


@pytest.mark.parametrize(
    "more", [{"committed_t": 1.0}, {"seat": None}, {"confidence": 0.8, "basis": ("sight", "reach")}]
)
def test_f27c_a_card_laid_before_the_meld_was_seen_again_or_by_who_is_not_plain_accuses_nobody(
    frozen: Any, more: dict[str, Any]
) -> None:
    _back(frozen, stock=36, discard=6)
    _seen_again(frozen)
    assert _adds_a_king(frozen, **more) == []


def test_f27c_a_card_laid_during_the_gap_accuses_nobody_of_the_freeze_that_came_after_it(frozen: Any) -> None:
    frozen.suppose(lambda deal: deal.freeze(0, "none"))
    _back(frozen, stock=37, discard=5)
    _adds_a_king(frozen, seat=None)
    frozen.suppose(lambda deal: deal.freeze(0, "definitive"))
    _seen_again(frozen)
    assert frozen.verdicts() == []


def test_f27c_a_meld_whose_freeze_was_lifted_takes_cards_after_a_gap(frozen: Any) -> None:
    _back(frozen, stock=37, discard=5)
    _seen_again(frozen)
    frozen.suppose(lambda deal: deal.freeze(0, "none"))
    assert _adds_a_king(frozen) == []


@pytest.mark.parametrize(
    ("counts", "told"),
    [
        ({"stock": 37, "discard": 5}, ["F-27c"]),
        ({"stock": 36, "discard": 6}, []),
        ({"stock": 37, "discard": 1}, []),
        ({"stock": 37}, []),
    ],
)
def test_f27c_a_meld_frozen_for_a_time_is_frozen_still_where_stock_and_pile_are_as_before_the_gap(
    frozen: Any, counts: dict[str, int], told: list[str]
) -> None:
    frozen.suppose(lambda deal: deal.freeze(0, "temporary"))
    _back(frozen, **counts)
    _seen_again(frozen)
    assert _adds_a_king(frozen) == told


@pytest.mark.parametrize(
    ("seat", "again", "drawn", "told"), [("W", True, True, 1), ("W", False, True, 0), ("W", True, False, 0)]
)
def test_f24_a_card_shown_after_a_gap_is_told_in_a_turn_that_has_been_seen_to_begin(
    frozen: Any, seat: str, again: bool, drawn: bool, told: int
) -> None:
    _back(frozen, stock=37, discard=5)
    _seen_again(frozen, *(("beams", "table") if again else ("beams",)))
    if drawn:
        frozen.draw("W")
    frozen.expose(seat, "4H")
    assert len(frozen.verdicts()) == told


def test_f31a_a_draw_out_of_turn_right_after_a_gap_accuses_nobody_whatever_was_seen_again(frozen: Any) -> None:
    _back(frozen, stock=36, discard=6)
    _seen_again(frozen)
    frozen.draw("N")
    assert frozen.verdicts() == []


EVERYTHING = ("stock", "discard", "pots")
"""What lies on scales."""
OPEN = ("beams", "melds-NS", "melds-EW", "table")
"""What is sensed otherwise."""
AS_BEFORE = {"stock": 39, "discard": 3, "pots": 22}


def _away(script: Any) -> None:
    """The table was off for a while."""
    _lost(script, *EVERYTHING, "beams")
    for zone in OPEN[1:]:
        script.take(Unverified(script.t, zone, "the table was off"))


def _as_before(script: Any, *but: str, **counts: int) -> None:
    """Everything is counted and seen again as it was, but ``but``; ``counts``: what is counted otherwise."""
    for zone in OPEN:
        if zone not in but:
            script.take(Verified(script.t, zone))
    _back(script, **{zone: cards for zone, cards in {**AS_BEFORE, **counts}.items() if zone not in but})


def _rows(script: Any) -> list[str]:
    return [row for row, *_ in script.verdicts()]


def test_f31a_who_draws_out_of_turn_is_told_where_nothing_was_done_in_the_gap(begun: Any) -> None:
    _away(begun)
    _as_before(begun)
    begun.draw("S")
    assert begun.verdicts() == [("F-31a", "S", "open")]


def test_f30a_who_discards_undrawn_is_told_where_nothing_was_done_in_the_gap(begun: Any) -> None:
    _away(begun)
    _as_before(begun)
    begun.discard("E", "5H")
    assert _rows(begun) == ["F-30a"]
    assert begun.of("irregularity")[-1].seat is Seat.EAST


def test_who_had_drawn_before_the_gap_may_discard_after_it(begun: Any) -> None:
    begun.draw("E")
    _away(begun)
    _as_before(begun, stock=38)
    begun.discard("E", "5H")
    begun.turn("S")
    begun.draw("E")
    assert begun.verdicts() == [("F-31a", "E", "open")], "it is West's turn"


def test_a_closing_with_a_wild_is_told_where_nothing_was_done_in_the_gap(begun: Any) -> None:
    begun.draw("E")
    begun.lay("E", 0, "4H 5H 6H 7H 8H 9H TH")
    begun.lay("E", 1, "4D 5D 6D 7D 8D")
    begun.take_pot("E", giver="S")
    begun.lay("E", 2, "4C 5C 6C 7C 8C 9C TC JC QC KC")
    _away(begun)
    _as_before(begun, stock=38, pots=11)
    begun.discard("E", "2H")
    assert len(_rows(begun)) == 1
    assert begun.of("irregularity")[-1].seat is Seat.EAST


@pytest.mark.parametrize("lacks", [*EVERYTHING, *OPEN])
def test_as_long_as_anything_has_not_been_found_as_before_a_draw_out_of_turn_accuses_nobody(
    begun: Any, lacks: str
) -> None:
    _away(begun)
    _as_before(begun, lacks)
    begun.draw("S")
    assert begun.verdicts() == []


@pytest.mark.parametrize("counts", [{"stock": 38}, {"discard": 4}, {"stock": 38, "discard": 4}, {"pots": 11}])
def test_where_anything_is_not_as_before_a_draw_out_of_turn_accuses_nobody(begun: Any, counts: dict[str, int]) -> None:
    _away(begun)
    _as_before(begun, **counts)
    begun.draw("S")
    assert begun.verdicts() == []


def test_a_count_that_is_not_sure_says_nothing_of_the_gap(begun: Any) -> None:
    _away(begun)
    _as_before(begun, "stock")
    begun.take(Counted(begun.t, "stock", 39, 0.5, anew=True))
    begun.draw("S")
    assert begun.verdicts() == []


def test_cards_that_certainly_came_and_went_leave_the_turn_open_though_the_number_is_the_same(begun: Any) -> None:
    _away(begun)
    begun.take(Unverified(begun.t, "discard", "it weighs otherwise after a silence", missed=True, changed=True))
    _as_before(begun)
    begun.draw("S")
    assert begun.verdicts() == []


def test_a_scale_that_may_have_lost_its_zero_says_nothing_of_the_gap(
    begun: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(begun.fold.table.tracker, "is_zero_known", lambda zone: zone != "discard")
    _away(begun)
    _as_before(begun)
    begun.draw("S")
    assert begun.verdicts() == []


@pytest.mark.parametrize("pile", [(), ("5H",)])
def test_a_pile_of_one_card_or_none_says_nothing_of_the_gap(begun: Any, pile: tuple[str, ...]) -> None:
    """One card may have been exchanged for another; where nothing lay, a card was laid and taken."""
    begun.suppose(lambda deal: deal.shift(deal.pile[len(pile) :], "discard", "astray"))
    _away(begun)
    _as_before(begun, discard=len(pile))
    begun.draw("S")
    assert begun.verdicts() == []


def test_after_a_gap_in_which_something_was_done_the_turn_stays_open(begun: Any) -> None:
    _away(begun)
    begun.move("4H 5H 6H", None, "melds-EW", None, row=0, result=("4H", "5H", "6H"))
    _as_before(begun)
    begun.draw("S")
    assert begun.verdicts() == []


def test_an_act_of_the_gap_that_is_told_after_it_leaves_the_turn_open_again(begun: Any) -> None:
    _away(begun)
    gap_t = begun.t
    begun.later()
    _as_before(begun)
    begun.move("4H 5H 6H", None, "melds-EW", None, row=0, result=("4H", "5H", "6H"), committed_t=gap_t)
    assert begun.fold.deal.clouded
    begun.draw("S")
    assert begun.verdicts() == []


def test_f31a_who_drew_out_of_turn_may_have_put_it_back_in_the_gap_and_another_drawn(begun: Any) -> None:
    """As many cards came to the stock as left it."""
    begun.draw("S")
    begun.console("rule", row="F-31a", seat="S")
    told = len(begun.verdicts())
    _away(begun)
    _as_before(begun, stock=38)
    begun.discard("E", "5H")
    assert len(begun.verdicts()) == told


def test_a_turn_that_was_open_before_the_gap_is_open_after_it(begun: Any) -> None:
    begun.suppose(lambda deal: deal.lose_turn())
    _away(begun)
    _as_before(begun)
    assert not begun.fold.deal.clouded
    assert not begun.fold.deal.known
    begun.draw("S")
    assert begun.verdicts() == []


def test_a_second_gap_before_all_was_found_as_before_begins_the_finding_anew(begun: Any) -> None:
    _away(begun)
    _as_before(begun, "table")
    _lost(begun, "stock")
    begun.take(Verified(begun.t, "table"))
    begun.draw("S")
    assert begun.verdicts() == []


def test_a_deal_that_was_clouded_by_what_was_seen_is_not_cleared_by_counts(begun: Any) -> None:
    begun.suppose(lambda deal: deal.cloud())
    _away(begun)
    _as_before(begun)
    begun.draw("S")
    assert begun.verdicts() == []
