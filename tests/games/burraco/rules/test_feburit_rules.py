"""FE.BUR.IT (seeds 001): melds, closings, ends and scores, and the worked examples of its text (X-B01 to X-B23).

What an example says of mending, penalties, freezing and the turns that follow is the fold's: it is not proven here.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from hw.cards import BURRACO
from hw.seats import SEATS, Line, Seat
from hw.zones import hand, side
from table_service.games.burraco.codes.feburit.rule_book import BOOK
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
from table_service.games.burraco.counting import count_deal
from table_service.games.burraco.judges.excess import wrong_meld
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules.deal import ActFault, Deal
from table_service.games.burraco.rules.deal_parts import Pot
from table_service.games.burraco.rules.meld import describe, discard_order, is_valid, next_discards, reading_of
from table_service.games.burraco.rules.options import OptionError, chosen
from table_service.games.burraco.rules.score import LineCards, score_deal
from table_service.games.burraco.rules.verifying import verify_extend, verify_open
from table_service.games.burraco.rules.vp import NoTableError, victory_points

N, E, S, W = SEATS


def cards(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def klass(text: str) -> tuple[object, object, object]:
    answer = describe(BOOK, text.split())
    return answer["kind"], answer["burraco"], answer["bonus"]


def excess(now: str, base: str = "") -> set[str]:
    wrong = wrong_meld(BOOK, cards(base), cards(now))
    return set() if wrong is None else set(wrong.excess)


def items(ns: LineCards, ew: LineCards | None = None) -> dict[str, int | None]:
    return dict(score_deal(BOOK, {Line.NS: ns, Line.EW: ew or LineCards(pot="taken")})[Line.NS].items)


def score_of(meld: str, negative: str) -> dict[str, int | None]:
    """The items of a line with ``meld``, of which ``negative`` count against it (found later, art. 10)."""
    left = list(cards(meld))
    for card in cards(negative):
        left.remove(card)
    return items(LineCards(melds=(tuple(left),) if left else (), penalised=cards(negative), pot="taken"))


# -- art. 8: the classes of burraco ------------------------------------------------------------------------------


def test_xb22_art8_thirteen_of_a_suit_with_the_natural_two_are_over_the_top() -> None:
    assert klass("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH") == ("run", "over-the-top", 300)
    assert klass("2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH AH") == ("run", "over-the-top", 300)


def test_xb23_art8_eight_equal_cards_are_super_clean() -> None:
    assert klass("QH QH QD QD QC QC QS QS") == ("set", "super-clean", 250)


@pytest.mark.parametrize(
    ("meld", "expected"),
    [
        ("3H 4H 5H 6H 7H 8H 9H", ("run", "clean", 200)),
        ("QH QH QD QD QC QC QS", ("set", "clean", 200)),
        ("JK QH QH QD QD QC QC QS", ("set", "semi-clean", 150)),
        ("JK QH QH QD QD QC QC QS QS", ("set", "semi-clean", 150)),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH JK", ("run", "semi-clean", 150)),
        ("JK 4H 5H 6H 7H 8H 9H TH", ("run", "semi-clean", 150)),
        ("3H 4H JK 6H 7H 8H 9H", ("run", "dirty", 100)),
        ("JK QH QH QD QD QC QC", ("set", "dirty", 100)),
        ("2H 3H 4H 5H 6H 7H", ("run", "none", 0)),
    ],
)
def test_art8_the_other_classes(meld: str, expected: tuple[object, ...]) -> None:
    assert klass(meld) == expected


def test_art8_a_wild_inside_with_seven_in_a_row_beside_it_is_semi_clean_or_dirty_as_announced() -> None:
    inner = ["3H", "JK", "5H", "6H", "7H", "8H", "9H", "TH", "JH"]
    at_end = ["JK", "5H", "6H", "7H", "8H", "9H", "TH", "JH"]
    dirty = chosen(BOOK, {"inner_wild": "dirty"})
    assert [describe(book, inner)["burraco"] for book in (BOOK, dirty)] == ["semi-clean", "dirty"]
    assert [describe(book, at_end)["burraco"] for book in (BOOK, dirty)] == ["semi-clean", "semi-clean"]


def test_art7_a_set_holds_nine_equal_cards_of_one_suit_too() -> None:
    assert is_valid(BOOK, cards("KH KH KH JK"))
    assert not is_valid(FIBUR2024, cards("KH KH KH JK"))
    assert not is_valid(BOOK, cards("KH KH KD KD KC KC KS KS 2H JK"))
    ten = describe(BOOK, cards("KH KH KH KD KD KC KC KS KS JK"))
    assert ten["reason"] == "a set has at most nine natural cards"


# -- art. 10: wrong melds and additions --------------------------------------------------------------------------


def test_xb01_art10a_of_a_gap_of_two_the_three_is_excess() -> None:
    laid = "3C JK 6C 7C"
    assert excess(laid) == {"3C"}


def test_xb02_art10b_one_card_of_another_suit() -> None:
    laid = "4H 5S 6H"
    assert excess(laid) == set(laid.split())


def test_xb03_art10c_two_aces_and_a_king() -> None:
    assert BOOK.mending is not None
    assert BOOK.mending.one_of_several, "one of the two, not both"


def test_xb04_art10d_three_aces_stand_and_the_king_alone_is_excess() -> None:
    assert excess("AH AS AC KD") == {"KD"}


def test_xb05_art10e_of_two_halves_of_runs_neither_stands() -> None:
    laid = "9C TC JH QH"
    assert excess(laid) == set(laid.split()), "neither stands by itself"


def test_xb06_art10f_of_two_wilds_in_a_run_the_second_is_excess() -> None:
    assert excess("4C 2H 6C 2S") in ({"2H"}, {"2S"})
    assert not excess("4C 2H 6C")


def test_xb07_art10g_of_two_wilds_in_a_set_one_is_excess() -> None:
    assert excess("8C 8H JK 2S") in ({"JK"}, {"2S"})


def test_xb08_art10h_disorder_is_no_fault() -> None:
    assert is_valid(BOOK, cards("AC JK 3C 2C 5C"))
    assert not excess("AC JK 3C 2C 5C")


def test_xb09_art10i_a_run_linked_across_a_gap() -> None:
    base, now = "4H 5H 6H", "4H 5H 6H 8H 9H TH"
    assert excess(now, base) == {"8H", "9H", "TH"}
    assert is_valid(BOOK, cards("8H 9H TH")), "else it lies by itself, frozen for good"
    assert BOOK.pot.flight_by_fault == "lost"


def test_xb10_art10l_what_fits_stays_and_makes_the_burraco() -> None:
    assert excess("3H 4H 5H 6H 7H 7H 8H 9H", "3H 4H 5H 6H 7H") == {"7H"}
    assert klass("3H 4H 5H 6H 7H 8H 9H") == ("run", "clean", 200)


def test_xb11_art10m_what_is_added_across_a_gap_is_excess() -> None:
    base, now = "4H 5H 6H", "4H 5H 6H 8H 9H"
    assert excess(now, base) == {"8H", "9H"}


def test_xb12_art10o_a_wrong_addition_to_a_set_is_excess() -> None:
    base, now = "4H 4S 4C", "4H 4S 4C 3D"
    assert excess(now, base) == {"3D"}


def test_xb13_art10p_a_second_wild_is_excess() -> None:
    assert excess("4H 4S JK 2D", "4H 4S JK") == {"2D"}


def test_xb14_art10_found_later_the_part_that_stands_counts_and_the_rest_is_taken_off() -> None:
    assert excess("3H 4H 5H 7H 8H") == {"7H", "8H"}
    score = score_of("3H 4H 5H 7H 8H", "7H 8H")
    assert (score["melds"], score["penalised"], score["burraco"]) == (15, -15, 0)


def test_xb15_art10_found_later_where_no_part_is_a_meld_all_of_it_is_taken_off() -> None:
    assert excess("3H 4H 7H 8H") == {"3H", "4H", "7H", "8H"}
    score = score_of("3H 4H 7H 8H", "3H 4H 7H 8H")
    assert (score["melds"], score["penalised"]) == (0, -25)


def test_xb16_art10nb_the_longer_part_stands_and_the_burraco_is_void() -> None:
    assert excess("3H 4H 6H 7H 8H 9H TH") == {"3H", "4H"}
    score = score_of("3H 4H 6H 7H 8H 9H TH", "3H 4H")
    assert (score["melds"], score["penalised"], score["burraco"]) == (40, -10, 0)


# -- art. 21: going out wrongly ----------------------------------------------------------------------------------


def playing(seat: Seat = W) -> Deal:
    return acting.draw(acting.turn_up(Deal.begin(BOOK, 1, S), ("TD",)), seat, ("??",))


def test_xb18_art21c_a_single_card_linked_last_and_the_meld_before_it_are_two_plays() -> None:
    deal = acting.lay(acting.lay(playing(), W, 0, Line.EW, cards("7H 8H 9H")), W, 1, Line.EW, ("4C",))
    assert deal.last_play is not None
    assert deal.play_before is not None
    assert (deal.last_play.cards, deal.play_before.cards) == (("4C",), cards("7H 8H 9H"))


def test_xb19_art21c_two_cards_linked_together_are_one_play() -> None:
    deal = acting.change(
        acting.change(playing(), None, 5, Line.EW, cards("4S 5S 6S")), None, 6, Line.EW, cards("3C 3D 3S")
    )
    deal = acting.change(deal, None, 7, Line.EW, cards("7D 8D 9D"))
    deal = acting.lay(deal, W, 5, Line.EW, ("7S",))
    deal = acting.lay(deal, W, 6, Line.EW, ("3H",))
    deal = acting.lay(deal, W, 6, Line.EW, ("3D",))
    deal = acting.lay(deal, W, 7, Line.EW, ("6D",))
    assert deal.last_play is not None
    assert deal.play_before is not None
    assert (deal.last_play.cards, deal.play_before.cards) == (("6D",), ("3H", "3D"))


# -- arts. 4, 10, 13 to 15, 22, 23 -------------------------------------------------------------------------------


def test_art4_play_begins_with_the_turn_up() -> None:
    dealt = Deal.begin(BOOK, 1, S)
    assert (dealt.is_under_way, acting.turn_up(dealt, ("TD",)).is_under_way) == (False, True)
    other = acting.turn_up(Deal.begin(FIBUR2024, 1, S), ("TD",))
    assert (other.is_under_way, acting.draw(other, W, ("??",)).is_under_way) == (False, True)


def test_art10_penalised_cards_go_from_the_lowest_and_among_equals_he_chooses() -> None:
    assert discard_order(BOOK, cards("KH 4D AC 7S")) == cards("4D 7S KH AC")
    assert next_discards(BOOK, cards("KH 4D AC 7S")) == ("4D", "7S")
    assert discard_order(FIBUR2024, cards("KH 4D AC 7S")) == cards("AC KH 4D 7S")


def test_art15_a_second_set_of_a_rank_is_a_fault_and_equal_runs_are_none() -> None:
    deal = acting.change(
        acting.change(playing(), None, 3, Line.EW, cards("8H 8S 8C")), None, 4, Line.EW, cards("3H 4H 5H")
    )
    assert verify_open(deal, W, cards("8D 8D 8S"), Line.EW) == (ActFault.SECOND_SET,)
    assert verify_open(deal, W, cards("3H 4H 5H"), Line.EW) == ()
    assert verify_open(deal, W, cards("9D 9H 9S"), Line.EW) == ()
    assert verify_extend(deal, W, 3, cards("8H 8S 8C 8D")) == ()
    first = deal.equal_set(Line.EW, cards("8D JK 8S"))
    assert first is not None
    assert first.row == 3
    assert deal.equal_set(Line.NS, cards("8D 8D 8S")) is None, "of the other line it is no second one"
    assert deal.equal_set(Line.EW, cards("?? 8D 8S")) is None
    free = replace(deal, book=FIBUR2024)
    assert verify_open(free, W, cards("8D 8D 8S"), Line.EW) == ()


@pytest.mark.parametrize(("discards", "over"), [("WNES", False), ("WNESW", True)])
def test_art22_who_plays_at_the_time_out_plays_again_and_the_last_round_ends_with_him(
    discards: str, over: bool
) -> None:
    deal = playing().time_out()
    for seat in map(Seat, discards):
        if not (deal.begun and deal.to_play is seat):
            deal = acting.draw(deal, seat, ("??",))
        deal = acting.discard(deal, seat, ("??",))
    assert (deal.manner == "time-out") is over


def test_art22_between_two_turns_the_next_begins_the_last_round() -> None:
    deal = acting.discard(playing(), W, ("??",)).time_out()
    for seat in (N, E, S):
        deal = acting.discard(acting.draw(deal, seat, ("??",)), seat, ("??",))
        assert deal.manner is None
    assert acting.discard(acting.draw(deal, W, ("??",)), W, ("??",)).manner == "time-out"


def test_art23_a_pot_not_taken_costs_100_also_where_neither_line_took_one() -> None:
    assert items(LineCards(), LineCards())["pot"] == -100
    assert items(LineCards(pot="taken-unplayed", pot_cards=cards("2H AD 3C")))["pot"] == -40


def test_art10_penalised_cards_left_at_the_end_count_with_the_hand_where_that_was_announced() -> None:
    for option, where in (("negative", "penalised"), ("as_hand", "hand")):
        deal = Deal.begin(chosen(BOOK, {"penalised_at_end": option}), 1, S).correct(side(N), ("KS",))
        shown = dict.fromkeys(SEATS, ())
        for seat in SEATS:
            deal = deal.correct(hand(seat), ())
        counted = count_deal(deal.over("stock"), shown, {Line.NS: 0, Line.EW: 0})
        items_ = counted.ledger["NS"]["items"]
        assert {name: value for name, value in items_.items() if value} == {where: -10, "pot": -100}


def test_art21_of_a_line_whose_pot_the_other_has_taken_nothing_is_invented() -> None:
    deal = Deal.begin(BOOK, 1, S)
    taken = Pot(N, "in-flight", "pot-1", played=True, cards=11)
    deal = replace(deal, pots_taken={Line.NS: taken}, second={Line.NS: replace(taken, place="pot-2")})
    for seat in SEATS:
        deal = deal.correct(hand(seat), ())
    counted = count_deal(deal.over("stock"), dict.fromkeys(SEATS, ()), {Line.NS: 0, Line.EW: 0})
    assert counted.lines["EW"]["items"]["pot"] is None
    assert "EW.pot" in counted.doubtful
    assert deal.size == BURRACO.size


# -- art. 27 and the options -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("deals", "teams", "diff", "vp"),
    [
        (3, False, 100, (10, 10)),
        (3, False, 105, (11, 9)),
        (3, False, 1800, (19, 1)),
        (3, False, 1805, (20, 0)),
        (4, False, 450, (12, 8)),
        (4, False, -2005, (1, 19)),
        (3, True, 1055, (15, 5)),
        (4, True, 2800, (19, 1)),
        (4, True, 2805, (20, 0)),
    ],
)
def test_art27_victory_points(deals: int, teams: bool, diff: int, vp: tuple[int, int]) -> None:
    assert victory_points(BOOK, deals, diff, teams=teams) == vp


@pytest.mark.parametrize("teams", [False, True])
def test_art27_a_round_of_two_deals_has_no_table_and_the_arbitro_is_asked(teams: bool) -> None:
    with pytest.raises(NoTableError, match=r"2 deals.*3, 4.*arbitro"):
        victory_points(BOOK, 2, 100, teams=teams)


def test_an_option_that_is_none_is_named_with_those_there_are() -> None:
    with pytest.raises(OptionError, match="inner_wild must be one of semi-clean, dirty, not 'clean'"):
        chosen(BOOK, {"inner_wild": "clean"})
    assert chosen(BOOK, {"deals": 4, "screens": True}) is BOOK
    assert chosen(BOOK, {"stalemate_turns": 8}).stalemate_turns == 8
    assert chosen(BOOK, {"closing_bar_end": "last_discard"}).wrong_closing.bar.offender == "last-penalised-discard"
    assert all(option.default in {one.value for one in option.choices} for option in BOOK.options)


def test_art10_a_meld_is_read_by_its_own_book_and_not_by_that_of_another_code() -> None:
    eight = ["QH", "QH", "QD", "QD", "QC", "QC", "QS", "QS"]
    found = [reading_of(book, eight) for book in (BOOK, FIBUR2024, BOOK)]
    assert [one and one.bonus for one in found] == [250, 200, 250]
