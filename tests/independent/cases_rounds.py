"""Whole rounds: deals one after another, their score by art. 18, victory points, bonuses."""

from __future__ import annotations

from tests.independent.cards import line_of
from tests.independent.casebook import case
from tests.independent.cases_ends import OUT, runs_down
from tests.independent.scoring import victory

LONG = "TS 7S 8S 9S 3S 4S 5S 6S JS QS KH"
CLEAN = {"hands": (OUT,), "stock": "TC", "pots": (LONG, "")}


def _quick(s):
    """The first player goes out in his first turn: two pots' worth of cards and a clean burraco."""
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3S 4S 5S 6S 7S 8S 9S TS JS QS")
    s.throw(0, "KH")
    s.shield(0, "over")
    s.manner, s.closed = "closed", s[0]


def _two_turns(s):
    """Both lines lay melds, the second line goes out: seen from number 1."""
    s.plain_turn(0)
    s.four_sets(1)
    s.pot_for(1, "in-flight")
    s.down(1, "3S 4S 5S 6S 7S 8S 9S TS JS QS")
    s.throw(1, "KH")
    s.shield(1, "over")
    s.manner, s.closed = "closed", s[1]


OTHER = {"hands": ("", OUT), "stock": "5H TC", "pots": (LONG, "")}


def _round(s, deals, event="pairs", plays=(_quick, _two_turns), cards=None):
    s.deals, s.event = deals, event
    s.minutes = {2: 25, 3: 32, 4: 42}.get(deals, 42)
    s.begin()
    kinds = [CLEAN if play is _quick else OTHER for play in plays]
    for number in range(1, deals + 1):
        play = plays[(number - 1) % len(plays)]
        play(s)
        s.score_now(last=number == deals)
        if number < deals:
            s.next_deal(number + 1, **kinds[number % len(plays)])
    s.allow("F-P2")


@case("F-18b F-18c F-17b F-04j", **CLEAN)
def a_round_of_two_deals(s):
    _round(s, 2)


@case("F-18c F-18b", **CLEAN)
def a_round_of_three_deals(s):
    _round(s, 3)


@case("F-18c F-06b", **CLEAN)
def a_round_of_four_deals(s):
    _round(s, 4)


@case("F-18c", **CLEAN)
def a_round_of_teams(s):
    _round(s, 4, "teams")


@case("F-18c", **CLEAN)
def a_round_that_one_line_wins_throughout(s):
    s.deals = 2
    s.minutes = 25
    s.begin()
    _quick(s)
    s.score_now(last=False)
    s.next_deal(2, **OTHER)  # the dealer moves on: the same line goes out
    _two_turns(s)
    s.score_now()
    s.allow("F-P2")


@case("F-18", **CLEAN)
def a_pot_not_taken_costs_a_hundred(s):
    s.begin()
    _quick(s)
    s.score_now()


@case("F-23f F-18b", hands=("7H 7D 7C 8H 8D 8C 9H 9D 9C 9S KC",), stock="8S", pots=("", ""))
def a_pot_taken_and_not_played(s):
    """The pot in the hand at the end counts against the line, and not as hand."""
    s.deals = 1
    s.begin()
    s.draw_and_lay(0, "7H 7D 7C")
    s.down(0, "8H 8D 8C 8S")
    s.down(0, "9H 9D 9C 9S")
    s.console("time-out")
    s.throw(0, "KC")
    s.pot_for(0, "discard")
    s.plain_turns(1, 2, 3)
    s.plain_turns(0, 1, 2, 3)
    s.manner = "time-out"
    s.score_now()


@case("F-25d F-18b", hands=("7H 7D 7S 8C QC KC",), needs="beams")
def penalised_cards_left_at_the_end(s):
    s.begin()
    row = s.draw_and_lay(0, "8C QC KC 7S")
    s.expect("F-29b", 0)
    s.rule("F-29b", 0, option="penalise", cards=["8C", "QC", "KC", "7S"])
    s.aside(0, "KC QC 8C 7S", row)
    s.throw_penalised(0, "KC")
    s.console("time-out")
    s.plain_turns(1, 2, 3)
    s.draw_as(0)
    s.throw_penalised(0, "QC")
    s.plain_turns(1, 2, 3)
    s.manner = "time-out"
    s.tells("deal.ended", None, manner="time-out")
    s.allow("F-25d")
    s.score_now()


@case("F-18b", **CLEAN)
def a_bonus_of_the_arbitro(s):
    s.begin()
    s.console("bonus", line="NS", points=150)
    s.bonus["NS"] = 150
    _quick(s)
    s.score_now()


@case("F-15c", **CLEAN)
def time_out_while_the_points_are_counted(s):
    """Two deals were meant; time-out comes after the first: the game ends there."""
    s.deals = 2
    s.begin()
    _quick(s)
    s.score_now(last=False)
    s.console("time-out")
    s.wait(5)
    s.console("end-round")
    s.course.until = s.t + 6
    s.tells("round.ended")


@case("F-17 F-18", up="3S")
def the_stock_runs_out_and_nobody_had_a_pot(s):
    s.begin()
    runs_down(s)
    s.score_now()


@case("F-13b X-F08 F-18b", hands=(OUT,), stock="TC", pots=("JK 7S 8S 9S TS JS QS KS 4H 4D KH", ""))
def a_semi_clean_run(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "JK 7S 8S 9S TS JS QS KS")
    s.throw(0, "KH")
    s.console("time-out")
    s.plain_turns(1, 2, 3)
    s.plain_turns(0, 1, 2, 3)
    s.manner = "time-out"
    s.tells("meld.opened meld.changed", None, burraco="semi-clean")
    s.score_now()


@case("F-13b F-18b", hands=(OUT,), stock="TC", pots=("JK 5S 6S 7S 9S TS JS QS KS 4D KH", ""))
def an_inner_wild_with_five_on_one_side_is_dirty(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "5S 6S 7S JK 9S TS JS QS KS", result="5S 6S 7S JK 9S TS JS QS KS")
    s.throw(0, "KH")
    s.console("time-out")
    s.plain_turns(1, 2, 3)
    s.plain_turns(0, 1, 2, 3)
    s.manner = "time-out"
    s.tells("meld.opened meld.changed", None, burraco="dirty")
    s.score_now()


@case("F-13b F-18b", hands=("3S 4S 5S 6S 7S 8S 9S 2S", "QH QD QC QS QH QD QC", "", ""), pots=("", ""))
def a_natural_two_keeps_the_run_clean(s):
    s.begin()
    s.console("time-out")
    s.laying_turn(0, "2S 3S 4S 5S 6S 7S 8S 9S")
    s.laying_turn(1, "QH QD QC QS QH QD QC")
    s.plain_turns(2, 3)
    s.manner = "time-out"
    s.score_now()


@case("F-13b F-18b", hands=("2D 4S 5S 6S 7S 8S 9S", "2H QH QD QC QS QH QD QC", "", ""))
def a_free_wild_below_six_is_dirty_and_below_a_set_of_seven_semi_clean(s):
    s.begin()
    s.console("time-out")
    s.laying_turn(0, "2D 4S 5S 6S 7S 8S 9S")
    s.laying_turn(1, "2H QH QD QC QS QH QD QC")
    s.plain_turns(2, 3)
    s.manner = "time-out"
    s.score_now()


@case("F-13b F-18b", hands=("AS KS QS JS TS 9S 8S", "AH 2H 3H 4H 5H 6H 7H 2C", "", ""))
def aces_high_and_low(s):
    s.begin()
    s.console("time-out")
    s.laying_turn(0, "8S 9S TS JS QS KS AS")
    s.laying_turn(1, "2C AH 2H 3H 4H 5H 6H 7H", result="AH 2H 3H 4H 5H 6H 7H 2C")
    s.plain_turns(2, 3)
    s.manner = "time-out"
    s.score_now()


@case("F-30c F-18b", hands=("JH JD JC", "", "", ""), needs="beams")
def a_frozen_meld_when_time_runs_out(s):
    """Nobody has closed: the melds that art. 30 froze count as they lie."""
    s.begin()
    s.lay_undrawn(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.rule("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.console("time-out")
    s.plain_turns(1, 2, 3)
    s.plain_turns(0, 1, 2, 3)
    s.manner = "time-out"
    s.score_now()


@case("F-30c F-30a", hands=("JH JD JC", OUT, "", ""), stock="3C TC", pots=(LONG, ""), needs="beams")
def an_opponent_goes_out_while_a_meld_is_frozen(s):
    s.begin()
    s.lay_undrawn(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.rule("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.four_sets(1)
    s.pot_for(1, "in-flight")
    s.down(1, "3S 4S 5S 6S 7S 8S 9S TS JS QS")
    s.throw(1, "KH")
    s.shield(1, "over")
    s.manner, s.closed = "closed", s[1]
    s.minus_melds[line_of(s[0])] = 30
    s.allow("F-30c")
    s.score_now()


@case("F-P2 X-F16 F-18c", **CLEAN)
def a_lead_of_eight_hundred_and_nobody_called(s):
    s.deals, s.minutes = 2, 25
    s.begin()
    _quick(s)
    s.score_now(last=False)
    s.next_deal(2, **OTHER)
    _two_turns(s)
    s.score_now(last=False)
    s.rule("F-P2", None, option="not-called")
    s.wait(3)
    s.console("end-round")
    s.course.until = s.t + 6
    lead = sum(sum(items["NS"].values()) - sum(items["EW"].values()) for items in s.counted)
    high, low = victory("2", abs(lead))
    s.result = {"victory_points": {"NS": min(7, high if lead > 0 else low), "EW": min(7, low if lead > 0 else high)}}
    s.allow("F-P2")


@case("F-P3", **CLEAN)
def an_arbitral_score(s):
    s.begin()
    _quick(s)
    s.console("bonus", line="EW", points=200)
    s.bonus["EW"] = 200
    s.score_now()
