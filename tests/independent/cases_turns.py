"""Turns: the deal, the stock and the pile (arts. 4, 5, 7, 8, 9)."""

from __future__ import annotations

from tests.independent.casebook import case

SETS = "7H 7D 7C 8H 8D 8C 9H 9D"


# Arts. 4, 5 and 7: the deal


@case("F-05a F-04d", sizes={"hand": [12, 11, 11, 11]})
def a_card_too_many_in_a_hand_before_play(s):
    s.begin()
    s.expect("F-05a F-04d", None, t=s.t, found="before_play")


@case("F-05b F-04f", sizes={"hand": [12, 11, 11, 11]})
def a_card_too_many_in_a_hand_and_play_goes_on(s):
    s.begin()
    s.allow("F-05a", "F-04d", "F-04f", "F-05b")
    s.plain_turns(0, 1, 2)


@case("F-23c", sizes={"pot": [10, 11]}, hands=(SETS + " 9C TH TD",), stock="TC", needs="beams")
def a_first_pot_of_ten(s):
    s.begin()
    s.allow("F-05a", "F-04d", "F-05b", "F-04f")
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.expect("F-23c", "any")


@case("F-23d", sizes={"pot": [11, 10]}, hands=(SETS + " 9C TH TD",), stock="TC")
def a_second_pot_of_ten_is_told_with_the_first(s):
    s.begin()
    s.allow("F-05a", "F-04d", "F-05b", "F-04f", "F-23c")
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.throw(0)
    s.plain_turns(1, 2, 3)


@case("F-04k", sizes={"pot": [11, 22]})
def a_pot_of_the_deal_before_lies_under_the_two(s):
    s.begin()
    fault = s.expect("F-04d F-05a", None)
    s.plain_turns(0, 1, 2, 3)
    s.expect("F-04k F-05b", None, same=fault, t=None)


# Arts. 7 and 8: the stock


@case("F-08a X-F15", stock="4C 9D", needs="beams")
def two_cards_in_one_grip(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    s.grip_of_two(3)
    s.expect("F-08a", 3, do=("return-to-stock", "show"), found="during_turn")


@case("F-08a", needs="beams")
def two_cards_one_after_the_other(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw_as(2)
    s.stray_draw(2)
    s.expect("F-08a", 2, do=("return-to-stock",))


@case("F-08a", needs="beams")
def two_cards_and_nobody_calls(s):
    s.begin()
    s.plain_turns(0)
    s.grip_of_two(1)
    fault = s.expect("F-08a", 1)
    s.throw(1)
    s.plain_turn(2)
    s.expect("F-08a", 1, same=fault, state="healed", t=None)


@case("F-08c", needs="beams")
def the_stock_inspected_out_of_turn(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    s.hand_over(1, "stock", 3.5)
    s.expect("F-08c", 1, severity="note", within=10)


@case("F-08d")
def the_stock_inspected_in_turn(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    s.hand_over(3, "stock", 3.5)
    s.plain_turn(3)


@case("F-07a")
def a_card_is_lifted_and_put_back_and_lifted_again(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw_as(2)
    s.back_to_stock(2)
    s.actions[:] = s.actions[:-1]
    s.draw(s[2])
    s.throw(2)
    s.plain_turn(3)


# Art. 9: the pile


@case("F-09a")
def the_pile_is_only_inspected(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    s.hand_over(3, "discard", 3.0)
    s.plain_turn(3)
    s.plain_turn(0)


@case("F-09e", up="3S")
def one_card_is_left_behind(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    _collects_but(s, 3, 1)
    s.plain_turns(0, 1)


@case("F-09e", up="3S")
def the_topmost_card_is_left_behind(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    _collects_but(s, 3, 1, above=True)
    s.plain_turns(0, 1)


@case("F-09f", needs="beams")
def the_two_topmost_cards_are_left_behind(s):
    s.begin()
    s.plain_turns(0, 1, 2, 3)
    _collects_but(s, 0, 2, above=True)
    s.wait(6)
    s.draw_as(1)
    s.last_at = s.t - 12
    s.expect("F-09f", 0)


@case("F-09f", needs="beams")
def two_cards_are_left_behind(s):
    s.begin()
    s.plain_turns(0, 1, 2, 3)
    _collects_but(s, 0, 2)
    s.wait(6)
    s.draw_as(1)
    s.last_at = s.t - 12
    s.expect("F-09f", 0)


@case("F-09g", up="4C", hands=("5D 6D 8S TD QS KC 3H 9H JH 6C 8D",))
def the_sole_card_picked_up_and_discarded_at_once(s):
    s.begin()
    s.collect_as(0)
    s.throw(0, "4C")
    s.expect("F-09g", 0, t=s.actions[-1]["t"], found="after_discard_before_next_draw")


@case("F-09g", up="4C", hands=("4C 6D 8S TD QS KC 3H 9H JH 6C 8D",))
def the_sole_card_kept_and_another_discarded(s):
    s.begin()
    s.collect_as(0)
    s.throw(0, "8S")
    s.plain_turns(1, 2)


@case("F-09h", up="4C", hands=("5D 6D 8S TD QS KC 3H 9H JH 4H 4S", ""), needs="beams")
def the_sole_card_penalised_and_discarded_at_once(s):
    s.begin()
    s.collect_as(0)
    s.down(0, "4C 5D 8S")
    wrong = s.expect("F-29b", 0)
    s.rule("F-29b", 0, option="penalise")
    for name in ("8S", "5D", "4C"):
        s.aside(0, name, row=0)
    s.throw_penalised(0, "4C")
    s.expect("F-09h", 0, t=s.actions[-1]["t"])
    s.expect("F-29b", 0, same=wrong, state="ruled", t=None)
    s.tells("sanction.broken")  # an 8 goes before a 4


def _collects_but(s, number, left, above=False):
    """Takes the pile from above and leaves the lowest ``left`` cards; or from below, and leaves the topmost."""
    seat = s[number]
    s.turn += 1
    s.pause(1.5, 4.5)
    start = s.t
    s.pause(0.5, 0.9)
    pile = s.world.pile
    cards, s.world.pile = (pile[:-left], pile[-left:]) if above else (pile[left:], pile[:left])
    s.load("discard")
    s.show()
    s.last_at = s.t
    s.world.hands[seat] += cards
    s.pause(0.5, 0.8)
    s.touch.cross(f"gate-{seat}", cards, s.t)
    s.touch.reach(seat, "discard", start, s.t)
