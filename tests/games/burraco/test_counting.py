"""What the hands that are laid out tell the count: from which of two partners a card came that lay hidden in a meld."""

from __future__ import annotations

from dataclasses import replace

from hw.seats import LINES, SEATS, Line, Seat
from hw.zones import DISCARD, STOCK, hand
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
from table_service.games.burraco.counting import count_deal
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.applied_actions import apply
from table_service.games.burraco.rules.deal import Deal, Pot
from table_service.games.burraco.rules.pots import take_pot

N, E, S, W = SEATS
NO_BONUS = dict.fromkeys(LINES, 0)
GHOST = act.Uncover(
    cards=("JH",), row=0, line=Line.NS, result=("3C", "JH", "3D", "3S"), by=(N, S), t=9.0, committed_t=9.0
)


def over() -> Deal:
    """A deal in which a jack came to light in a meld of N and S, who may both have hidden it there."""
    deal = acting.discard(acting.draw(acting.turn_up(Deal.begin(BOOK, 1, S), ("TD",)), W, ("??",)), W, ("JS",))
    deal = acting.discard(acting.lay(acting.draw(deal, N, ("??",)), N, 0, Line.NS, ("3C", "3D", "3S")), N, ("9H",))
    return apply(deal, GHOST).over("stopped")


def shown(deal: Deal, **more: int) -> dict[Seat, tuple[str, ...]]:
    """Hands as long as the ledger has them, or longer by ``more``."""
    return {seat: ("5S",) * (deal.count(seat) + more.get(str(seat), 0)) for seat in SEATS}


def test_art26_the_hands_at_the_count_tell_which_partner_had_hidden_the_card() -> None:
    deal = over()
    assert count_deal(deal, shown(deal), NO_BONUS).differences == ()
    assert "NS.hand" not in count_deal(deal, shown(deal, N=1, S=-1), NO_BONUS).doubtful


def test_hands_that_differ_by_more_than_what_came_to_light_are_doubtful() -> None:
    deal = over()
    assert "NS.hand" in count_deal(deal, shown(deal, N=2, S=-2), NO_BONUS).doubtful
    assert "NS.hand" in count_deal(deal, shown(deal, N=-1, S=1), NO_BONUS).doubtful
    assert "EW.hand" in count_deal(deal, shown(deal, E=1, W=-1), NO_BONUS).doubtful


def test_a_card_that_one_alone_can_have_hidden_was_his() -> None:
    deal = over()
    only = apply(replace(deal, unplaced=()), replace(GHOST, by=(N,), result=("3C", "JH", "JH", "3D", "3S")))
    assert "NS.hand" in count_deal(only, shown(only, N=1, S=-1), NO_BONUS).doubtful


def test_of_two_twins_in_a_meld_nobody_knows_which_was_taken_out_where_only_its_face_is_named() -> None:
    deal = acting.lay(over(), N, 1, Line.NS, ("4S", "4H#1", "4H#2"))
    taken = acting.take_back(deal, N, ("4H",), "melds-NS", 1, ("4S", "4H"))
    meld = taken.meld(1)
    assert meld is not None
    assert "4H#1" not in (*meld.cards, *taken.hand(N))
    assert "4H#2" not in (*meld.cards, *taken.hand(N))


def unsure() -> Deal:
    """A deal over in which no number of cards of a hand was sure, as after a gap of the scales."""
    return over().doubt_hands(SEATS)


def outside(deal: Deal) -> int:
    """Cards of ``deal`` outside hands."""
    return deal.size - sum(deal.count(seat) for seat in SEATS)


def test_hands_that_were_never_sure_are_known_if_every_card_of_the_pack_is_in_view() -> None:
    deal = unsure()
    hands = shown(deal, N=2, W=-2)
    assert {"NS.hand", "NS.melds", "EW.hand"} <= set(count_deal(deal, hands, NO_BONUS).doubtful)
    whole = count_deal(deal, hands, NO_BONUS, outside_hands=outside(deal))
    assert (whole.doubtful, whole.differences) == ((), ())
    assert whole.lines["NS"]["items"]["hand"] == -5 * sum(len(hands[seat]) for seat in (N, S))


def test_one_card_that_no_sensor_shows_leaves_hands_and_melds_in_doubt() -> None:
    deal = unsure()
    hands = shown(deal, N=2, W=-3)
    doubtful = count_deal(deal, hands, NO_BONUS, outside_hands=outside(deal)).doubtful
    assert {"NS.hand", "NS.melds", "EW.hand", "EW.melds"} <= set(doubtful)


def test_a_card_of_a_hand_that_a_gate_named_and_no_picture_shows_stays_in_question() -> None:
    deal = unsure().correct("hand-N", ("KD", *("5S",) * 11))
    hands = shown(deal)
    assert "NS.hand" in count_deal(deal, hands, NO_BONUS, outside_hands=outside(deal)).doubtful
    fewer = shown(deal, N=-1, S=1)
    assert "NS.hand" not in count_deal(deal, fewer, NO_BONUS, outside_hands=outside(deal)).doubtful
    hands[W] = ("KD", "KD", *hands[W][2:])
    assert "NS.hand" not in count_deal(deal, hands, NO_BONUS, outside_hands=outside(deal)).doubtful


def test_an_unplayed_pot_weighed_one_card_short_is_known_only_with_every_card_in_view() -> None:
    deal = over()
    pot = Pot(N, "discard", "pot-1", played=False, cards=10, t=20.0, turn=2)
    deal = replace(deal, pots_taken={Line.NS: pot}).correct("hand-N", ("KD",) * 10).trust("hand-N")
    hands = {**shown(deal), N: ("KD",) * 10}
    assert "NS.pot" in count_deal(deal, hands, NO_BONUS).doubtful
    assert "NS.pot" not in count_deal(deal, hands, NO_BONUS, outside_hands=outside(deal)).doubtful


def in_turn() -> Deal:
    """A deal in which N has drawn and laid out his whole hand."""
    begun = acting.discard(acting.draw(acting.turn_up(Deal.begin(BOOK, 1, S), ("TD",)), W, ("??",)), W, ("JS",))
    return acting.draw(begun, N, ("??",)).correct(hand(N), ())


def test_art23_a_pot_taken_while_nobody_vouched_for_the_pile_may_be_unplayed() -> None:
    """A discard before it may have gone unnoticed (a power cut): nobody knows whether pot or hand has its cards."""
    plain, doubted = (take_pot(deal, N, "in-flight", 11) for deal in (in_turn(), in_turn().doubt(DISCARD)))
    for deal, unknown in ((plain, False), (doubted, True), (acting.discard(doubted, N, ("5S",)), False)):
        ended = deal.trust(DISCARD).over("stopped")
        names = {"NS.pot", "NS.hand"} & set(count_deal(ended, shown(ended), NO_BONUS).doubtful)
        assert names == ({"NS.pot", "NS.hand"} if unknown else set())


def test_art23_a_pot_in_flight_before_a_whole_turn_was_seen_again_may_be_unplayed() -> None:
    """The pile is counted again, yet a discard may have come before it was: not until he plays on is it known."""
    taken = take_pot(in_turn().cloud(), N, "in-flight", 11)
    for deal, unknown in ((taken, True), (acting.discard(taken, N, ("5S",)), False)):
        ended = deal.over("stopped")
        names = {"NS.pot", "NS.hand"} & set(count_deal(ended, shown(ended), NO_BONUS).doubtful)
        assert names == ({"NS.pot", "NS.hand"} if unknown else set())


def test_a_pot_that_by_the_hands_laid_out_went_to_another_leaves_pots_and_hands_in_doubt() -> None:
    """Both hands are as they are laid out; which of them plays with a pot is not known."""
    pot = Pot(N, "discard", "pot-1", played=True, cards=11, t=20.0, turn=2)
    deal = replace(unsure(), pots_taken={Line.NS: pot})
    hands = shown(deal)
    right = count_deal(deal, hands, NO_BONUS, outside_hands=outside(deal))
    assert right.doubtful == ()
    picked_up = {**hands, E: (*hands[E], *("4D",) * 9)}
    assert count_deal(deal, picked_up, NO_BONUS, outside_hands=outside(deal) - 9).doubtful == (), "a pile, unseen"
    swapped = {**hands, N: hands[N][:1], E: (*hands[E], *hands[N][1:])}
    wrong = count_deal(deal, swapped, NO_BONUS, outside_hands=outside(deal))
    assert {"NS.pot", "NS.hand", "EW.pot", "EW.hand"} <= set(wrong.doubtful)


def test_who_is_left_without_a_card_by_all_that_lies_elsewhere_may_have_closed() -> None:
    """After a power cut he was thought to hold one more as he discarded his last, and the stock to have ended it."""
    run = ("3S", "4S", "5S", "6S", "7S", "8S", "9S")
    laid = acting.lay(take_pot(in_turn(), N, "in-flight", 11), N, 0, Line.NS, run).correct(hand(N), ("QH", "QC"))
    deal = acting.discard(laid.doubt_hands(SEATS), N, ("QH",)).over("stock")
    assert deal.manner == "stock"
    hands = {seat: cards for seat, cards in shown(deal).items() if seat is not N}
    counted = count_deal(deal, hands, NO_BONUS, outside_hands=deal.size - sum(map(len, hands.values())))
    assert "NS.closing" in counted.doubtful


def test_the_hand_of_who_may_not_have_gone_out_is_in_doubt_until_it_is_laid_out() -> None:
    """The stock was used up, and the number of his cards never sure: he may hold cards that he has not laid out yet."""
    full = over().correct(hand(N), ()).doubt_hands((N,)).over("closed", N)
    hands = {seat: cards for seat, cards in shown(full).items() if seat is not N}
    used_up = full.correct(STOCK, ("??", "??"))
    assert {"NS.hand", "NS.closing"} <= set(count_deal(used_up, hands, NO_BONUS).doubtful)
    assert not {"NS.hand", "NS.closing"} & set(count_deal(full, hands, NO_BONUS).doubtful), "he alone can have ended it"
