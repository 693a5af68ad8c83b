"""The common online rules (seeds 002): melds, score, the end of the match, and their examples (X-O01 to X-O04)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hw.cards import BURRACO
from hw.seats import HEADS_UP, SEATS, Line, Seat
from hw.zones import hand
from table_service.games.burraco.codes.online.rule_book import BOOK
from table_service.games.burraco.counting import count_deal
from table_service.games.burraco.judges.excess import wild_moved
from table_service.games.burraco.rules import acting, pots
from table_service.games.burraco.rules.deal import ActFault, Deal
from table_service.games.burraco.rules.deal_parts import Manner
from table_service.games.burraco.rules.match import MatchState, match_state
from table_service.games.burraco.rules.meld import describe, is_valid, reading_of
from table_service.games.burraco.rules.options import OptionError, chosen
from table_service.games.burraco.rules.score import LineCards, score_deal
from table_service.games.burraco.rules.verifying import verify_draw, verify_extend, verify_open, verify_take_pot
from table_service.games.burraco.rules.vp import NoTableError, victory_points

N, E, S, W = SEATS


def test_xo01_a_run_of_four_clubs() -> None:
    assert describe(BOOK, ["7C", "8C", "9C", "TC"])["kind"] == "run"


def test_xo02_four_fives_two_of_them_of_hearts() -> None:
    assert describe(BOOK, ["5H", "5H", "5C", "5D"])["kind"] == "set"


def test_xo03_the_two_between_ace_and_three_is_natural() -> None:
    reading = reading_of(BOOK, ["AH", "2H", "3H", "4H"])
    assert reading is not None
    assert reading.wild is None


def test_xo04_a_wild_is_replaced_by_the_card_it_stands_for_alone() -> None:
    assert is_valid(BOOK, ["2H", "3H", "2C", "5H"]), "laid at once it would be a meld"
    assert wild_moved(BOOK, ("3H", "2H", "5H"), ("2H", "3H", "2C", "5H")) == "2H"
    assert wild_moved(BOOK, ("3H", "2H", "5H"), ("3H", "4H", "5H", "2H")) is None


@pytest.mark.parametrize("cards", ["KH AH 2H 3H", "JK 2H 2C", "5H 6H 8H", "5H 5C", "5H 5C JK 2S"])
def test_o03_o12_what_is_no_meld(cards: str) -> None:
    assert not is_valid(BOOK, cards.split())


def test_o12_two_aces_in_one_run_only_where_that_was_announced() -> None:
    run = ["AH", "2H", "3H", "4H", "5H", "6H", "7H", "8H", "9H", "TH", "JH", "QH", "KH", "AH"]
    allowed = chosen(BOOK, {"target": 1000, "two_aces_in_run": "true"})
    assert (is_valid(BOOK, run), is_valid(allowed, run)) == (False, True)
    assert describe(allowed, run)["burraco"] == "clean"
    assert is_valid(allowed, [*run[:4], "JK", *run[5:]])
    assert not is_valid(allowed, ["AH", "AH", "2H", "3H"])
    assert is_valid(allowed, ["AH", "2H", "3H"])


@pytest.mark.parametrize(
    ("cards", "burraco", "bonus"),
    [
        ("3H 4H 5H 6H 7H 8H 9H", "clean", 200),
        ("AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "clean", 200),
        ("QH QH QD QD QC QC QS QS", "clean", 200),
        ("JK 4H 5H 6H 7H 8H 9H TH", "semi-clean", 150),
        ("3H JK 5H 6H 7H 8H 9H TH JH", "semi-clean", 150),
        ("JK QH QH QD QD QC QC QS", "semi-clean", 150),
        ("JK QH QH QD QD QC QC", "dirty", 100),
        ("3H 4H JK 6H 7H 8H 9H", "dirty", 100),
    ],
)
def test_o13_the_three_classes_of_burraco(cards: str, burraco: str, bonus: int) -> None:
    answer = describe(BOOK, cards.split())
    assert (answer["burraco"], answer["bonus"]) == (burraco, bonus)


def test_o08_o13_the_score() -> None:
    melds = (("3H", "4H", "5H"), ("KH", "KD", "JK"))
    ns = LineCards(melds=melds, hands=(("AS",), ()), pot="taken", closed=True)
    scores = score_deal(BOOK, {Line.NS: ns, Line.EW: LineCards()})
    assert scores[Line.NS].total == 15 + 50 - 15 + 100
    neither = score_deal(BOOK, {Line.NS: LineCards(), Line.EW: LineCards()})
    assert [neither[line].total for line in Line] == [-100, -100]


def test_o02_a_second_set_of_a_rank_is_a_fault() -> None:
    deal = acting.turn_up(Deal.begin(BOOK, 1, S), ("TD",))
    deal = acting.draw(deal, W, ("??",))
    deal = acting.change(deal, None, 3, Line.EW, ("AH", "AS", "AC"))
    assert verify_open(deal, W, ("AD", "AD", "AS"), Line.EW) == (ActFault.SECOND_SET,)


def test_o15_heads_up_leaves_sixty_four_cards_in_the_stock() -> None:
    assert (BOOK.stock_of(2), BOOK.stock_of(4), BURRACO.size) == (64, 42, 108)


@pytest.mark.parametrize(
    ("ns", "ew", "manner", "expected"),
    [
        (1005, 900, "closed", MatchState(over=True, winner=Line.NS)),
        (1005, 1200, "closed", MatchState(over=True, winner=Line.EW)),
        (1200, 1200, "closed", MatchState(over=False)),
        (995, 900, "stock", MatchState(over=False)),
        (0, -50, "stock", MatchState(over=True, drawn=True)),
        (0, -50, "closed", MatchState(over=False)),
        (5, -50, "stock", MatchState(over=False)),
        (1000, -50, "stock", MatchState(over=True, winner=Line.NS)),
        (None, 1200, "closed", None),
    ],
)
def test_o06_o10_the_end_of_the_match(ns: int | None, ew: int | None, manner: Manner, expected: object) -> None:
    rules = chosen(BOOK, {"target": 1000}).match
    assert rules is not None
    assert match_state(rules, {Line.NS: ns, Line.EW: ew}, manner) == expected


def test_o10_the_target_must_be_named() -> None:
    with pytest.raises(OptionError, match="online needs the option target"):
        chosen(BOOK, {})
    for value in ("1000", 0, -5, True, 10.5):
        with pytest.raises(OptionError, match="target must be a whole number above zero"):
            chosen(BOOK, {"target": value})


def test_there_are_no_victory_points() -> None:
    with pytest.raises(NoTableError, match="online has no victory points"):
        victory_points(BOOK, 4, 100)


# -- two players (Partite Heads Up) ------------------------------------------------------------------------------


def heads_up() -> Deal:
    return acting.turn_up(Deal.begin(BOOK, 1, S, rotation=HEADS_UP), ("TD",))


def test_o15_two_players_have_two_hands_two_pots_and_a_pot_each() -> None:
    deal = heads_up()
    assert (deal.seats, deal.to_play, deal.size) == ((N, S), N, 108)
    assert (deal.stock, len(deal.at("pot-1")), len(deal.at("pot-2"))) == (63, 11, 11)
    assert [deal.count(seat) for seat in SEATS] == [11, 0, 11, 0]
    assert [deal.line_of(seat) for seat in (N, S)] == [Line.NS, Line.EW]
    assert [deal.seats_of(line) for line in Line] == [(N,), (S,)]


def test_o15_they_play_in_turn_and_each_meld_is_one_player_s() -> None:
    deal = acting.lay(acting.draw(heads_up(), N, ("4C",)), N, 1, Line.NS, ("4C", "4D", "4S"))
    assert verify_extend(deal, N, 1, ("4C", "4D", "4S", "4H")) == ()
    deal = acting.discard(deal, N, ("KS",))
    assert (deal.to_play, verify_draw(deal, N), verify_draw(deal, S)) == (S, (ActFault.OUT_OF_TURN,), ())
    deal = acting.draw(deal, S, ("5C",))
    assert verify_extend(deal, S, 1, ("4C", "4D", "4S", "4H")) == (ActFault.OTHER_LINE,)
    assert verify_open(deal, S, ("4H", "4D", "4S"), Line.EW) == (), "the other's set is none of his"
    assert acting.discard(deal, S, ("5C",)).to_play is N


def test_o15_one_player_s_pot_leaves_the_other_his() -> None:
    deal = pots.take_pot(heads_up().correct(hand(N), ()), N, "in-flight")
    assert (deal.pot_is_open(Line.NS), deal.pot_is_open(Line.EW), deal.count(N)) == (False, True, 11)
    assert verify_take_pot(deal, N) == (ActFault.POT_TAKEN_BEFORE,)


def test_o15_the_deal_is_counted_for_the_two_who_play() -> None:
    deal = (
        acting.lay(heads_up(), N, 1, Line.NS, ("4C", "4D", "4S"))
        .correct(hand(N), ("KS",))
        .correct(hand(S), ("AD", "3C"))
    )
    counted = count_deal(deal.over("stock"), {N: ("KS",), S: ("AD", "3C")}, {Line.NS: 0, Line.EW: 0})
    totals = {line: one["total"] for line, one in counted.ledger.items()}
    assert totals == {"NS": 15 - 10 - 100, "EW": -20 - 100}


@given(st.lists(st.sampled_from(["draw N", "draw S", "discard N", "discard S", "lay N", "lay S", "pot N", "pot S"])))
def test_no_play_of_two_loses_a_card_or_brings_a_third_to_the_table(acts: list[str]) -> None:
    deal = heads_up()
    for number, one in enumerate(acts):
        what, seat = one.split()[0], Seat(one.split()[1])
        match what:
            case "draw":
                deal = acting.draw(deal, seat, ("??",))
            case "discard":
                deal = acting.discard(deal, seat, ("??",))
            case "lay":
                deal = acting.lay(deal, seat, number, deal.line_of(seat), ("??", "??", "??"))
            case _:
                deal = pots.take_pot(deal, seat, "discard")
        assert deal.size == BURRACO.size
        assert deal.to_play in (N, S)
        assert [deal.count(seat) for seat in (E, W)] == [0, 0]
