"""Orders of the arbitro one after another: ruled, dismissed, confirmed, corrected, warned, in any order."""

from __future__ import annotations

from tests.independent.cards import line_of
from tests.independent.casebook import case


@case("F-31a", needs="beams")
def an_irregularity_is_dismissed(s):
    s.begin()
    s.plain_turns(0, 1)
    s.stray_draw(3)
    fault = s.expect("F-31a", 3)
    s.console("dismiss", row="F-31a", seat=s[3])
    s.wait(2)
    s.expect("F-31a", 3, same=fault, state="dismissed", t=None)
    s.plain_turns(2)
    s.expect("F-31a", 3, same=fault, state="dismissed", t=None)
    s.never.append("sanction.imposed")


@case("F-31a", needs="beams")
def an_irregularity_is_dismissed_by_its_newest(s):
    """Without a key, row and seat mean the newest open irregularity."""
    s.begin()
    s.plain_turns(0, 1)
    s.stray_draw(3)
    first = s.expect("F-31a", 3)
    s.console("dismiss", row="F-31a", seat=s[3])
    s.stray_draw(1)
    second = s.expect("F-31a", 1)
    s.console("dismiss", row="F-31a", seat=s[1])
    s.wait(2)
    s.expect("F-31a", 3, same=first, state="dismissed", t=None)
    s.expect("F-31a", 1, same=second, state="dismissed", t=None)


@case("F-24a", hands=("KC",), needs="beams")
def an_irregularity_is_confirmed_and_then_ruled(s):
    s.begin()
    s.plain_turns(0, 1)
    s.open_on_table(0, "KC")
    fault = s.expect("F-24a", 0, within=3)
    s.console("confirm", row="F-24a", seat=s[0])
    s.rule("F-24a", 0, cards=["KC"])
    s.wait(2)
    s.expect("F-24a", 0, same=fault, state="ruled", t=None)


@case("F-24a", hands=("KC",), needs="beams")
def a_ruling_is_taken_back(s):
    """Ruled, then dismissed: nothing of it is left, and what was exposed need not be played."""
    s.begin()
    s.plain_turns(0, 1)
    s.open_on_table(0, "KC")
    fault = s.expect("F-24a", 0, within=3)
    s.rule("F-24a", 0, cards=["KC"])
    s.wait(2)
    s.console("dismiss", key="r1d1-1")
    s.plain_turns(2, 3, 0, 1)
    s.expect("F-24a", 0, same=fault, state="dismissed", t=None)


@case("F-G04")
def two_warnings_cost_a_victory_point(s):
    s.begin()
    s.plain_turns(0)
    s.console("warn", line="NS")
    s.tells("warning.given", None, line="NS", total=1)
    s.console("warn", line="NS")
    s.tells("warning.given", None, line="NS", total=2, victory_points=-1)
    s.console("warn", line="EW")
    s.tells("warning.given", None, line="EW", total=1)
    s.plain_turns(1)


@case("F-G04")
def warnings_of_earlier_rounds_count(s):
    s.header["options"] = {"warnings": {"NS": 1}}
    s.begin()
    s.plain_turns(0)
    s.console("warn", line="NS")
    s.tells("warning.given", None, line="NS", victory_points=-1)
    s.plain_turns(1)


@case("F-04a")
def the_same_ruling_twice_is_one(s):
    s.begin()
    s.plain_turns(0)
    s.rule("F-04a", 3)
    s.expect("F-04a", 3, state="ruled", t=None, within=1)
    s.plain_turns(1, 2)


@case("F-25c F-32", hands=("7H 7D 7C",), needs="beams")
def a_row_that_the_arbitro_corrects(s):
    s.begin()
    row = s.laying_turn(0, "7H 7D 7C")
    s.wait(4)
    s.console("correct", zone=f"melds-{line_of(s[0])}", row=row, cards=["7H", "7D", "7C"])
    s.plain_turns(1, 2, 3)


@case("F-29b", hands=("7H 7D 8C",), needs="beams")
def another_row_than_the_one_told_is_ruled(s):
    """F-25a is art. 25's name for the fault that art. 29 names F-29b: the same fact, the same key."""
    s.begin()
    s.draw_and_lay(0, "7H 7D 8C")
    fault = s.expect("F-29b", 0)
    s.rule("F-25a", 0, cards=["8C"], meld=0)
    s.wait(2)
    s.expect("F-25a", 0, same=fault, state="ruled", t=None)


@case("F-30b F-30a", hands=("JH JD JC",), needs="beams")
def f_30a_is_ruled_f_30b(s):
    s.begin()
    s.lay_undrawn(0, "JH JD JC")
    fault = s.expect("F-30a", 0)
    s.rule("F-30b", 0)
    s.wait(2)
    s.expect("F-30b", 0, same=fault, state="ruled", t=None)
    s.tells("warning.given", None, line=line_of(s[0]))


@case("F-S2")
def a_ruling_before_anything_has_begun(s):
    s.course.say(0.0, "console", by="arbitro-1", do="rule", row="F-S2", seat=s[0])
    s.begin()
    s.allow("F-S2")
    s.plain_turns(0, 1)


@case("F-01")
def play_starts_without_a_round(s):
    s.deal_out(1.0, 1)
    s.plain_turns(0, 1, 2)


@case("F-01")
def the_round_is_started_twice(s):
    s.course.say(0.0, "console", by="arbitro-1", do="start-round", deals=1, minutes=42)
    s.begin()
    s.plain_turns(0, 1, 2)


@case("F-01")
def the_deal_is_announced_twice(s):
    s.course.say(20.0, "console", by="arbitro-1", do="deal", deal=1, dealer=s.dealer)
    s.begin()
    s.plain_turns(0, 1, 2)


@case("F-01")
def play_is_started_twice(s):
    s.begin()
    s.console("start-play")
    s.plain_turns(0, 1, 2)


@case("F-01")
def the_turn_up_comes_before_the_start_of_play(s):
    """The dealer turns the first card; the arbitro's order arrives a little later."""
    s.begin(played=False)
    s.turn_up()
    s.console("start-play")
    s.plain_turns(0, 1, 2)


@case("F-19a F-B1")
def warnings_of_three_rows_add_up(s):
    s.begin()
    s.plain_turns(0)
    for row in ("F-19a", "F-B1", "F-04g"):
        s.rule(row, 3)
        s.expect(row, 3, state="ruled", t=None, within=1)
    s.plain_turns(1)
    s.tells("warning.given", None, line=line_of(s[3]), total=3)
