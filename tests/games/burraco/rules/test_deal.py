"""The deal: what each act does, by article, and that no sequence of acts raises or loses a card."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.cards import BURRACO
from hw.seats import SEATS, Line, Seat
from hw.zones import hand, side
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.rules import acting, pots
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.applied_actions import apply, laid_by, verify
from table_service.games.burraco.rules.deal import ActFault, Deal, Phase
from table_service.games.burraco.rules.verifying import verify_discard, verify_draw, verify_extend, verify_take_pot

N, E, S, W = SEATS


def fresh(dealer: Seat = S) -> Deal:
    return acting.turn_up(Deal.begin(FIBUR2024, 1, dealer), ("TD",))


def holding(deal: Deal, seat: Seat, cards: str) -> Deal:
    """``deal`` with ``seat`` holding exactly ``cards``; the rest of its hand lies in the stock."""
    given_cards = tuple(cards.split())
    rest = deal.places.cards["stock"] + deal.hand(seat)
    places = {**deal.places.cards, hand(seat): given_cards, "stock": rest[: len(rest) - len(given_cards)]}
    return replace(deal, places=replace(deal.places, cards=places))


def clean_burraco(deal: Deal, line: Line) -> Deal:
    return acting.change(deal, None, 90 + (line is Line.EW), line, ("3H", "4H", "5H", "6H", "7H", "8H", "9H"))


def test_art04_the_deal_begins_with_11_cards_each_22_in_the_pots_and_42_in_the_stock() -> None:
    deal = Deal.begin(FIBUR2024, 1, S)
    assert [deal.count(seat) for seat in SEATS] == [11] * 4
    assert (deal.stock, len(deal.at("pot-1")), len(deal.at("pot-2")), deal.size) == (42, 11, 11, 108)
    assert deal.to_play is W


def test_art07_a_turn_is_draw_lay_discard_and_the_next_is_clockwise() -> None:
    deal = acting.draw(fresh(), W, ("4C#1",))
    assert (deal.turn, deal.drawn, deal.count(W), deal.stock) == (1, True, 12, 40)
    deal = acting.lay(deal, W, 0, Line.EW, ("4H", "4S", "4C#1"), ("4H", "4S", "4C#1"))
    assert not verify_extend(deal, W, 0, ("4H", "4S", "4C", "4D"))
    deal = acting.discard(deal, W, ("JH",))
    assert (deal.to_play, deal.last_out, deal.drawn, deal.begun, deal.pile) == (N, W, False, False, ("TD", "JH"))
    assert deal.size == 108


@pytest.mark.parametrize(
    ("action", "faults"),
    [
        (act.Draw(seat=N, cards=("??",)), (ActFault.OUT_OF_TURN,)),
        (act.Draw(seat=W, cards=("??",)), ()),
        (act.Draw(seat=None, cards=("??",)), ()),
        (act.Draw(seat=W, cards=("??", "??")), (ActFault.SEVERAL,)),
        (act.Collect(seat=W, cards=("TD",)), ()),
        (act.Collect(seat=E, cards=("TD",)), (ActFault.OUT_OF_TURN,)),
        (act.Open(seat=W, row=0, line=Line.EW, cards=("4H", "4S", "4C")), (ActFault.NOT_DRAWN,)),
        (act.Open(seat=E, row=0, line=Line.EW, cards=("4H", "4S", "4C")), (ActFault.OUT_OF_TURN,)),
        (
            act.Open(seat=W, row=0, line=Line.NS, cards=("4H", "5S", "4C")),
            (ActFault.NOT_DRAWN, ActFault.OTHER_LINE, ActFault.NO_MELD),
        ),
        (act.Discard(seat=W, cards=("4H",)), (ActFault.NOT_DRAWN,)),
        (act.Discard(seat=E, cards=("4H",)), (ActFault.OUT_OF_TURN,)),
        (act.TakePot(seat=W, manner="discard"), (ActFault.POT_NOT_DUE,)),
        (act.TurnUp(cards=("4H",)), ()),
    ],
)
def test_verify_names_all_faults_of_an_act_at_once(action: act.Action, faults: tuple[ActFault, ...]) -> None:
    assert verify(fresh(), action) == faults


def test_art31_a_draw_out_of_turn_moves_the_card_and_leaves_the_turn() -> None:
    deal = acting.draw(fresh(), E, ("5C#1",))
    assert (deal.to_play, deal.turn, deal.out, deal.count(E)) == (W, 0, (E,), 12)
    assert not verify_draw(deal, W)


def test_art31_who_drew_out_of_turn_and_discards_has_played_the_turn() -> None:
    deal = acting.discard(acting.draw(fresh(), N, ("??",)), N, ("3S",))
    assert (deal.to_play, deal.skipped, deal.out) == (E, W, ())
    assert not verify_draw(deal, E)
    assert not verify_draw(deal, W)


def test_art31_the_card_put_back_ends_the_matter() -> None:
    deal = acting.give_back(acting.draw(fresh(), N, ("5C#1",)), N, ("5C#1",), "stock")
    assert (deal.out, deal.count(N), deal.places.at("stock")[-1], deal.size) == ((), 11, "5C#1", 108)


def test_art09_collecting_takes_the_pile_and_leaving_one_card_leaves_it_in_the_pile() -> None:
    deal = acting.draw(replace(fresh(), turned_up=True), W, ("??",))
    deal = acting.discard(deal, W, ("JH",))
    deal = acting.collect(deal, N, ("JH",))
    assert (deal.pile, deal.collected, deal.pile_was, deal.drawn) == (("TD",), ("JH",), 2, True)


def test_art17_closing_needs_pot_burraco_and_a_discard() -> None:
    deal = acting.draw(clean_burraco(fresh(), Line.EW), W, ("??",))
    deal = replace(pots.take_pot(deal, W, "in-flight", 11), to_play=W)
    closed = acting.discard(holding(deal, W, "KH"), W, ("KH",))
    assert (closed.phase, closed.manner, closed.closer) == (Phase.OVER, "closed", W)


def test_art17_art33_without_a_burraco_the_deal_goes_on() -> None:
    deal = pots.take_pot(acting.draw(fresh(), W, ("??",)), W, "in-flight", 11)
    deal = holding(deal, W, "KH")
    assert ActFault.NO_BURRACO in verify_discard(deal, W, "KH")
    assert acting.discard(deal, W, ("KH",)).phase is Phase.PLAYING


def test_art14_art34_the_closing_discard_may_not_be_wild() -> None:
    deal = pots.take_pot(acting.draw(clean_burraco(fresh(), Line.EW), W, ("??",)), W, "in-flight", 11)
    deal = holding(deal, W, "2H")
    assert verify_discard(deal, W, "2H") == (ActFault.WILD_DISCARD,)
    assert acting.discard(deal, W, ("2H",)).phase is Phase.PLAYING


def test_art23_the_last_card_discarded_leads_to_the_pot_not_to_the_end() -> None:
    deal = clean_burraco(fresh(), Line.EW)
    deal = acting.draw(deal, W, ("??",))
    deal = holding(deal, W, "KH")
    deal = acting.discard(deal, W, ("KH",))
    assert deal.phase is Phase.PLAYING
    assert not verify_take_pot(deal, W)
    deal = pots.take_pot(deal, W, "discard", 11)
    assert (deal.count(W), deal.pots_taken[Line.EW].played, deal.pots_left) == (11, False, ("pot-2",))
    assert (
        acting.draw(acting.discard(acting.draw(deal, N, ("??",)), N, ("3S",)), E, ("??",)).pots_taken[Line.EW].played
        is False
    )
    assert verify_take_pot(deal, E) == (ActFault.POT_TAKEN_BEFORE,)


def test_art18_a_pot_taken_with_the_discard_is_played_with_the_first_act_of_the_next_turn() -> None:
    deal = acting.draw(fresh(), W, ("??",))
    deal = holding(deal, W, "KH")
    deal = acting.discard(deal, W, ("KH",))
    deal = pots.take_pot(deal, W, "discard", 11)
    for seat in (N, E, S):
        deal = acting.discard(acting.draw(deal, seat, ("??",)), seat, ("??",))
    assert acting.draw(deal, W, ("??",)).pots_taken[Line.EW].played is True


def test_art18_a_pot_of_which_cards_were_laid_out_of_turn_is_played() -> None:
    deal = acting.draw(fresh(), W, ("??",))
    deal = holding(deal, W, "KH")
    deal = acting.discard(deal, W, ("KH",))
    deal = pots.take_pot(deal, W, "discard", 11)
    assert deal.pots_taken[Line.EW].played is False
    assert acting.lay(deal, W, 9, Line.EW, ("4H", "5H", "6H")).pots_taken[Line.EW].played is True
    assert acting.draw(deal, W, ("??",)).pots_taken[Line.EW].played is True, "and so is one to which a card was drawn"


def test_art17_the_last_two_cards_are_not_drawn_and_the_deal_ends_with_the_discard() -> None:
    deal = fresh()
    seat = W
    while deal.phase is not Phase.OVER:
        assert not verify_draw(deal, seat)
        deal = acting.discard(acting.draw(deal, seat, ("??",)), seat, ("??",))
        seat = seat.next
    assert (deal.stock, deal.manner, deal.closer) == (2, "stock", None)


def test_art15_time_out_before_the_first_served_has_drawn_leaves_this_round_of_turns() -> None:
    deal = fresh().time_out()
    for seat in (W, N, E, S):
        assert deal.phase is not Phase.OVER
        deal = acting.discard(acting.draw(deal, seat, ("??",)), seat, ("3S",))
    assert deal.manner == "time-out"


def test_art15_time_out_after_the_first_served_has_drawn_leaves_one_more_round() -> None:
    deal = acting.discard(acting.draw(fresh(), W, ("??",)).time_out(), W, ("3S",))
    for seat in (N, E, S, W, N, E, S):
        assert deal.phase is not Phase.OVER
        deal = acting.discard(acting.draw(deal, seat, ("??",)), seat, ("3S",))
    assert deal.manner == "time-out"


def test_art26_a_ruling_moves_a_laid_card_from_one_hand_to_the_other_once_and_no_later_one() -> None:
    deal = acting.draw(fresh(), W, ("4C#1",))
    first = act.Open(seat=W, row=0, line=Line.EW, cards=("4H", "4S", "4C"), committed_t=10.0)
    deal = apply(deal, replace(first, result=first.cards))
    ruled = laid_by(deal, E, ("4C",), until=20.0, sure=True)
    assert (ruled.count(W), ruled.count(E)) == (deal.count(W) + 1, deal.count(E) - 1)
    later = act.Extend(seat=W, row=0, line=Line.EW, cards=("4C",), committed_t=30.0)
    again = apply(ruled, replace(later, result=(*first.cards, "4C")))
    kept = laid_by(again, E, ("4C",), until=20.0, sure=True)  # an order by the same row comes later
    assert [kept.count(seat) for seat in SEATS] == [again.count(seat) for seat in SEATS]
    assert kept.size == 108


def test_a_card_the_ledger_lacks_comes_from_elsewhere_and_both_places_are_in_doubt() -> None:
    deal = acting.discard(holding(fresh(), W, ""), W, ("7H",))
    assert deal.size == 108
    assert deal.pile == ("TD", "7H")
    assert set(deal.places.unverified) == {hand(W), "stock"}


FACES = (*BURRACO.copies, "??", "7H#1", "7H#2")
ROWS = st.integers(0, 3)
CARDS = st.lists(st.sampled_from(FACES), max_size=6).map(tuple)
SEAT = st.sampled_from((*SEATS, None))
LINE = st.sampled_from(tuple(Line))
PLACE = st.sampled_from(("stock", "discard", "table", "pot-1", "elsewhere", hand(N), side(E), None))


def _actions() -> st.SearchStrategy[act.Action]:
    common = {"seat": SEAT, "cards": CARDS}
    return st.one_of(
        st.builds(act.TurnUp, **common),
        st.builds(act.Draw, **common),
        st.builds(act.Collect, **common),
        st.builds(act.Open, row=ROWS, line=LINE, result=CARDS, source=PLACE, **common),
        st.builds(act.Extend, row=ROWS, line=LINE, result=CARDS, source=PLACE, **common),
        st.builds(act.Change, row=ROWS, line=LINE, result=CARDS, **common),
        st.builds(act.Discard, left=st.booleans(), source=PLACE, **common),
        st.builds(act.TakePot, manner=st.sampled_from(("discard", "in-flight")), **common),
        st.builds(act.Expose, zone=st.just("table"), source=PLACE, **common),
        st.builds(act.Penalise, zone=st.sampled_from(tuple(map(side, SEATS))), **common),
        st.builds(act.TakeBack, zone=st.just("table"), row=st.one_of(st.none(), ROWS), result=CARDS, **common),
        st.builds(act.ReturnToStock, **common),
        st.builds(act.ReturnToPile, **common),
        st.builds(act.ReturnToPot, **common),
        st.builds(act.Declare, **common),
        st.builds(act.Shift, source=PLACE, target=PLACE, **common),
    )


@settings(max_examples=150)
@given(st.lists(_actions(), max_size=60), st.sampled_from(SEATS))
def test_108_cards_are_conserved_and_nothing_raises_for_any_sequence_of_acts(
    played: list[act.Action], dealer: Seat
) -> None:
    deal = Deal.begin(FIBUR2024, 1, dealer)
    for action in played:
        verify(deal, action)
        deal = apply(deal, action)
        assert deal.size == 108
        assert all(isinstance(card, str) for cards in deal.places.cards.values() for card in cards)
