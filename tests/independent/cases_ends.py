"""Pots, closings and ends (arts. 15 to 18, 23, 30, 33 to 35, tables with screens)."""

from __future__ import annotations

from tests.independent.casebook import case

OUT = "7H 7D 7C 8H 8D 8C 9H 9D 9C TH TD"
"""Eleven cards that with TC are four sets."""
AGAIN = "3H 3D 3C 4H 4D 4C 5H 5D 5C 6H 6D"
"""Eleven cards that are three sets and two cards."""


@case("F-S5", hands=(OUT,), stock="TC")
def a_pot_in_flight(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.throw(0)
    s.plain_turns(1, 2)
    s.tells("pot.taken", 0, manner="in-flight")


@case("F-14", hands=(OUT,), stock="KC")
def three_sets_and_a_discard(s):
    s.begin()
    _three_sets(s)
    s.throw(0, "KC")
    s.plain_turns(1, 2, 3)


@case("F-S5", hands=("7H 7D 7C 8H 8D 8C 9H 9D 9C 9S KC",), stock="8S", pots=(AGAIN, ""))
def a_pot_with_the_discard_of_the_last_card(s):
    s.begin()
    _lays_all_but_king(s)
    s.throw(0, "KC")
    s.pot_for(0, "discard")
    s.plain_turns(1, 2, 3, 0)
    s.tells("pot.taken", 0, manner="discard")


@case("F-23b", hands=(OUT,), stock="TC", needs="beams")
def a_pot_that_he_takes_himself(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight", giver=0)
    s.expect("F-23b", 0, do=("warn",), severity="warning")


@case("F-23b", hands=(OUT,), stock="TC", needs="beams")
def a_pot_that_the_partner_hands_over(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight", giver=2)
    s.expect("F-23b", "line", do=("warn",), severity="warning")


@case("F-S1", hands=(OUT,), stock="TC", needs="shields beams")
def a_pot_without_turning_the_shield(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight", turn_over=False)
    s.expect("F-S1", 0, severity="note")


@case("F-23h F-35a", hands=(OUT, "", OUT), stock="TC 3C TC", needs="beams")
def the_partner_takes_the_second_pot_in_flight(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.throw(0)
    s.plain_turn(1)
    s.four_sets(2)
    s.pot_for(2, "in-flight")
    s.expect("F-23h F-35a", 2, severity="score")  # by art. 23 the same consequences
    s.allow("F-35a", "F-33")


@case("F-23i F-33", hands=(OUT, "", "7H 7D 7C 8H 8D 8C 9H 9D 9C 9S KC"), stock="TC 3C 8S", needs="beams")
def the_partner_takes_the_second_pot_with_the_discard(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.throw(0)
    s.plain_turn(1)
    _lays_all_but_king(s, 2)
    s.throw(2, "KC")
    s.pot_for(2, "discard")
    s.expect("F-23i F-33", 2)
    s.allow("F-33", "F-23i")


@case("F-23j", hands=("7H 7D 7C 8H 8D 8C 9H 9D 9C TH TD",), stock="KC", pots=(AGAIN, ""), needs="beams")
def a_pot_in_flight_through_a_wrong_meld(s):
    s.begin()
    s.draw_as(0)
    for letter in "789":
        s.down(0, " ".join(letter + suit for suit in "HDC"))
    s.down(0, "TH TD KC")
    wrong = s.last_at
    s.pot_for(0, "in-flight")
    s.down(0, "3H 3D 3C")
    s.expect("F-23j F-29b", 0, t=wrong, within=8)


@case("F-23k", hands=("7H 7D 7C 8H 8D 8C 9H 9D 9C TH TD",), stock="KC", pots=(AGAIN, ""), needs="beams")
def a_pot_in_flight_through_a_wrong_meld_found_later(s):
    s.begin()
    s.draw_as(0)
    for letter in "789":
        s.down(0, " ".join(letter + suit for suit in "HDC"))
    s.down(0, "TH TD KC")
    wrong = s.last_at
    s.pot_for(0, "in-flight")
    s.down(0, "3H 3D 3C")
    fault = s.expect("F-23j F-29b", 0, t=wrong, within=8)
    s.throw(0)
    s.plain_turn(1)
    s.expect("F-23k", 0, same=fault, t=None, severity="score")


@case(
    "F-23l F-23m",
    hands=("7H 7D 7C 8H 8D 8C 9H 9D 9C KS KC",),
    stock="TC",
    pots=(AGAIN, ""),
    needs="beams",
)
def a_pot_with_the_discard_through_a_wrong_meld(s):
    s.begin()
    s.draw_as(0)
    for letter in "78":
        s.down(0, " ".join(letter + suit for suit in "HDC"))
    s.down(0, "9H 9D 9C TC KS")
    wrong = s.last_at
    s.throw(0, "KC")
    s.pot_for(0, "discard")
    fault = s.expect("F-23l F-25b F-29b", 0, t=wrong, within=8)
    s.plain_turns(1, 2, 3)
    s.expect("F-23l", 0, same=fault, t=None)
    s.draw_as(0)
    s.expect("F-23m", 0, same=fault, t=None)
    s.throw(0)


@case(
    "F-23n",
    hands=(OUT, "", OUT),
    stock="TC 3C TC",
    pots=("", "JH JD JC"),
    needs="beams",
)
def the_second_pot_is_played(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.throw(0)
    s.plain_turn(1)
    s.four_sets(2)
    at = s.last_at
    s.pot_for(2, "in-flight")
    s.down(2, "JH JD JC")
    s.expect("F-23n F-23h", 2, t=at, within=8)
    s.allow("F-35a")


# Closings


@case("F-17b F-S1", hands=(OUT,), stock="TC", pots=("TS 7S 8S 9S 3S 4S 5S 6S JS QS KH", ""))
def going_out_with_a_burraco(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3S 4S 5S 6S 7S 8S 9S TS JS QS")
    s.throw(0, "KH")
    s.shield(0, "over")
    s.manner, s.closed = "closed", s[0]
    s.tells("deal.ended", None, manner="closed")
    s.score_now()


@case("F-17b", hands=(OUT,), stock="TC", pots=("TS 7S 8S 9S 3S 4S 5S 6S JS QS KH", ""))
def going_out_without_turning_the_shield(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3S 4S 5S 6S 7S 8S 9S TS JS QS")
    s.throw(0, "KH")
    s.manner, s.closed = "closed", s[0]
    s.tells("deal.ended", None, manner="closed")
    s.allow("F-S1")
    s.score_now()


@case("F-33", hands=(OUT,), stock="TC", pots=("3H 3D 3C 3S 4H 4D 4C 5H 5D 5C KH", ""), needs="beams")
def going_out_with_melds_of_three(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3H 3D 3C 3S")
    s.down(0, "4H 4D 4C")
    s.down(0, "5H 5D 5C")
    s.throw(0, "KH")
    s.last_at = s.actions[-1]["t"]
    s.shield(0, "over")
    s.expect("F-33", 0, do=("penalise",), severity="score")


@case("F-34", hands=(OUT,), stock="TC", pots=("TS 7S 8S 9S 3S 4S 5S 6S JS QS 2D", ""), needs="beams")
def going_out_with_a_wild(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3S 4S 5S 6S 7S 8S 9S TS JS QS")
    s.throw(0, "2D")
    s.last_at = s.actions[-1]["t"]
    s.shield(0, "over")
    s.expect("F-34", 0, do=("take-back",), severity="score")


@case("F-34", hands=(OUT,), stock="TC", pots=("3H 3D 3C 3S 4H 4D 4C 5H 5D 5C 2D", ""), needs="beams")
def going_out_with_a_wild_and_no_burraco(s):
    """Art. 35, last paragraph: whether there is a burraco does not matter."""
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3H 3D 3C 3S")
    s.down(0, "4H 4D 4C")
    s.down(0, "5H 5D 5C")
    s.throw(0, "2D")
    s.last_at = s.actions[-1]["t"]
    s.shield(0, "over")
    s.expect("F-34", 0, severity="score")


@case("F-35a", hands=(OUT,), stock="TC", pots=("3H 3D 3C 3S 4H 4D 4C 4S 5H 5D 5C", ""), needs="beams")
def going_out_without_a_discard_by_a_new_meld(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3H 3D 3C 3S")
    s.down(0, "4H 4D 4C 4S")
    s.down(0, "5H 5D 5C")
    s.shield(0, "over")
    s.expect("F-35a", 0, do=("discard", "expose"), severity="score", within=8)


@case("F-35b", hands=(OUT,), stock="TC", pots=("3H 3D 3C 3S 4H 4D 4C 5H 5D 5C 4S", ""), needs="beams")
def going_out_without_a_discard_by_an_added_card(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3H 3D 3C 3S")
    row = s.down(0, "4H 4D 4C")
    s.down(0, "5H 5D 5C")
    s.down(0, "4S", row)
    s.shield(0, "over")
    s.expect("F-35b", 0, do=("take-back", "discard"), severity="score", within=8)


# Ends


@case("F-17 F-18")
def the_stock_runs_out(s):
    s.begin()
    runs_down(s)
    s.tells("deal.ended", None, manner="stock")
    s.score_now()


@case("F-15a F-15d")
def time_out_in_the_turn_of_the_second(s):
    s.begin()
    s.plain_turns(0, 1, 2, 3)
    s.plain_turn(0)
    s.draw_as(1)
    s.console("time-out")
    s.throw(1)
    s.plain_turns(2, 3)
    s.plain_turns(0, 1, 2, 3)
    s.manner = "time-out"
    s.tells("deal.ended", None, manner="time-out")
    s.score_now()


@case("F-15a")
def time_out_before_the_first_has_drawn(s):
    s.begin()
    s.plain_turns(0, 1, 2, 3)
    s.console("time-out")
    s.plain_turns(0, 1, 2, 3)
    s.manner = "time-out"
    s.tells("deal.ended", None, manner="time-out")
    s.score_now()


@case("F-15b")
def time_out_before_the_first_draw_of_the_deal(s):
    s.begin()
    s.console("time-out")
    s.plain_turns(0, 1, 2, 3)
    s.manner = "time-out"
    s.tells("deal.ended", None, manner="time-out")
    s.score_now()


@case("F-16", up="3S")
def a_stalemate_before_the_arbitro(s):
    s.begin()
    s.plain_turns(0, 1, 2, 3)
    s.console("rule", row="F-16")
    for number in (0, 1, 2, 3):
        s.collect_as(number)
        s.throw(number)
    s.wait(6)
    s.allow("F-16")


@case("F-18b", hands=(OUT, OUT), stock="TC TC")
def both_lines_have_taken_a_pot_and_the_stock_runs_out(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.throw(0)
    s.four_sets(1)
    s.pot_for(1, "in-flight")
    s.throw(1)
    s.plain_turns(2, 3)
    runs_down(s)
    s.tells("deal.ended", None, manner="stock")
    s.score_now()


def runs_down(s):
    number = 0 if not s.actions else (s.order.index(s.actions[-1]["seat"]) + 1) % 4
    while len(s.world.stock) > 2:
        s.plain_turn(number)
        number += 1
    s.manner = "stock"


def _three_sets(s):
    s.draw_as(0)
    for letter in "789":
        s.down(0, " ".join(letter + suit for suit in "HDC"))


def _lays_all_but_king(s, number=0):
    """7, 8, 8S, 9, 9S in sets; the king is left."""
    s.draw_and_lay(number, "7H 7D 7C")
    s.down(number, "8H 8D 8C 8S")
    s.down(number, "9H 9D 9C 9S")


def _row_of(s, name):
    return next(row for row, (_, cards) in s.world.rows.items() if any(card.startswith(name) for card in cards))


@case("F-33 X-F01", hands=(OUT,), stock="TC", pots=("5S 6S 7S 8S 9S TS 4H 4D 4C 4S KH", ""), needs="beams")
def of_three_cards_added_one_by_one_the_last_is_the_last_play(s):
    """5 6 7, then 8 9 10 are added: the last play is the ten alone."""
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "4H 4D 4C 4S")
    row = s.down(0, "5S 6S 7S")
    s.down(0, "8S 9S TS", row)
    s.throw(0, "KH")
    s.last_at = s.actions[-1]["t"]
    s.shield(0, "over")
    s.expect("F-33", 0, severity="score", cards=["TS"])


@case("F-33 X-F02", hands=(OUT,), stock="TC", pots=("3H 3D 3C 3S 4H 4D 4C 4S 2D 3H KH", ""), needs="beams")
def of_cards_added_to_a_set_the_highest_is_the_last_play(s):
    s.begin()
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.down(0, "3H 3D 3C 3S 3H")
    row = s.down(0, "4H 4D 4C")
    s.down(0, "4S 2D", row, "2D 4H 4D 4C 4S")
    s.throw(0, "KH")
    s.last_at = s.actions[-1]["t"]
    s.shield(0, "over")
    s.expect("F-33", 0, severity="score", cards=["2D"])
