"""Turns: the deal, the stock, the pile, missed and wrong draws (arts. 4, 5, 7, 8, 9, 30, 31, 32)."""

from __future__ import annotations

from tests.independent.casebook import case

SETS = "7H 7D 7C 8H 8D 8C 9H 9D"
RUN = "4S 5S 6S"


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
    _goes_out_in_flight(s)
    s.pot_for(0, "in-flight")
    s.expect("F-23c", "any")


@case("F-23d", sizes={"pot": [11, 10]}, hands=(SETS + " 9C TH TD",), stock="TC")
def a_second_pot_of_ten_is_told_with_the_first(s):
    s.begin()
    s.allow("F-05a", "F-04d", "F-05b", "F-04f", "F-23c")
    _goes_out_in_flight(s)
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
    s.draw_as(3, 2)
    s.last_at = s.actions[-1]["t"]
    s.expect("F-08a", 3, do=("return-to-stock", "show"), found="during_turn")


@case("F-08a", needs="beams")
def two_cards_one_after_the_other(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw_as(2)
    s.draw(s[2])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-08a", 2, do=("return-to-stock",))


@case("F-08a", needs="beams")
def two_cards_and_nobody_calls(s):
    s.begin()
    s.plain_turns(0)
    s.draw_as(1, 2)
    s.last_at = s.actions[-1]["t"]
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


# Art. 30: no draw


@case("F-30a", hands=(SETS,), needs="beams")
def a_meld_without_a_draw(s):
    s.begin()
    s.turn += 1
    s.down(0, "7H 7D 7C")
    s.expect("F-30a", 0, do=("draw", "freeze"), found="during_turn")


@case("F-30a X-F17", hands=("", "", SETS), needs="beams")
def a_meld_without_a_draw_found_after_the_discard(s):
    s.begin()
    s.plain_turns(0, 1)
    s.turn += 1
    s.down(2, "7H 7D 7C")
    fault = s.expect("F-30a", 2)
    s.throw(2)
    s.expect("F-30a", 2, same=fault, t=None)
    s.plain_turn(3)
    s.expect("F-30a", 2, same=fault, state="healed", t=None)


@case("F-30a F-G02 X-F09", hands=("JH JD JC", "", "JS"), needs="beams")
def what_the_table_settles_itself_is_no_freeze(s):
    s.begin()
    s.turn += 1
    row = s.down(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.plain_turn(1)
    s.draw_as(2)
    s.down(2, "JS", row, "JH JD JC JS")
    s.throw(2)
    s.plain_turn(3)


@case("F-30a F-27c F-G06", hands=("JH JD JC", "", "JS"), needs="beams")
def what_the_arbitro_froze_stays_frozen_for_the_partner(s):
    s.begin()
    s.turn += 1
    row = s.down(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.rule("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.plain_turn(1)
    s.draw_as(2)
    s.down(2, "JS", row, "JH JD JC JS")
    s.expect("F-27c", 2, do=("penalise",))


@case("F-30a F-G06", hands=("JH JD JC JS",), needs="beams")
def a_frozen_meld_thaws_at_the_offenders_next_turn(s):
    s.begin()
    s.turn += 1
    row = s.down(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.rule("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.plain_turns(1, 2, 3)
    s.draw_as(0)
    s.down(0, "JS", row, "JH JD JC JS")
    s.throw(0)
    s.plain_turn(1)


@case("F-30a", needs="beams")
def a_discard_without_a_draw(s):
    s.begin()
    s.plain_turns(0, 1)
    s.turn += 1
    s.throw(2)
    s.expect("F-30a", 2, t=s.actions[-1]["t"])


# Art. 31: out of turn


@case("F-31a", needs="beams")
def a_draw_by_the_player_after_next(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw(s[3])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31a", 3, do=("show", "return-to-stock", "limit-turn"))


@case("F-31a", needs="beams")
def a_draw_in_the_partners_turn_is_not_shown(s):
    s.begin()
    s.plain_turns(0)
    s.draw(s[3])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31a", 3, do=("return-to-stock", "limit-turn"))
    s.expected[-1]["not"] = ("show",)


@case("F-31a", needs="beams")
def a_draw_before_play_has_begun(s):
    s.begin()
    s.draw(s[2])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31a", 2, do=("return-to-stock",))


@case("F-31a", needs="beams")
def a_draw_of_him_who_has_just_played(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw(s[1])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31a", 1)


@case("F-31a", needs="beams")
def a_draw_out_of_turn_ruled_and_served(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw(s[3])
    s.last_at = s.actions[-1]["t"]
    fault = s.expect("F-31a", 3)
    s.rule("F-31a", 3, option="drawn-card")
    s.back_to_stock(3)
    s.plain_turns(2, 3, 0, 1)
    s.expect("F-31a", 3, same=fault, state="ruled", t=None)
    s.tells("sanction.served")
    s.over()


@case("F-31a", hands=("", "", "", SETS), needs="beams")
def a_draw_out_of_turn_ruled_and_not_served(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw(s[3])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31a", 3)
    s.rule("F-31a", 3, option="drawn-card")
    s.back_to_stock(3)
    s.plain_turn(2)
    s.draw_as(3)
    s.down(3, "7H 7D 7C")
    s.throw(3)
    s.tells("sanction.broken")
    s.allow("F-31a")
    s.over()


@case("F-31b", hands=("", "", "", "4H 4D"), stock="3C 3D 4S", needs="beams")
def a_draw_out_of_turn_and_a_meld_with_the_card(s):
    s.begin()
    s.plain_turns(0, 1)
    s.draw(s[3])
    first = s.actions[-1]["t"]
    s.down(3, "4H 4D 4S")
    s.expect("F-31b", 3, t=first, do=("return-to-stock", "limit-turn", "freeze"))


@case("F-31c X-F14", hands=("4S 5S 6S", "", "8S 9S 3S"), stock="3C 3D 3H 3H 7S", needs="beams")
def a_draw_out_of_turn_and_the_card_added(s):
    s.begin()
    s.draw_as(0)
    row = s.down(0, "4S 5S 6S")
    s.throw(0)
    s.plain_turns(1, 2, 3)
    s.draw(s[2])
    first = s.actions[-1]["t"]
    s.down(2, "7S", row, "4S 5S 6S 7S")
    s.down(2, "8S 9S", row, "4S 5S 6S 7S 8S 9S")
    s.down(2, "3S", row, "3S 4S 5S 6S 7S 8S 9S")
    s.expect("F-31c", 2, t=first, do=("return-to-stock", "freeze"))


@case("F-31d", needs="beams")
def a_pick_up_out_of_turn(s):
    s.begin()
    s.plain_turns(0, 1)
    s.collect(s[3])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31d", 3, do=("return-to-pile", "limit-turn"))


@case("F-31d", needs="beams")
def a_pick_up_before_play_has_begun(s):
    s.begin()
    s.collect(s[3])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31d", 3)


@case("F-31e", hands=("", "4S", "", "4H 4D"), needs="beams")
def a_pick_up_out_of_turn_and_a_meld(s):
    s.begin()
    s.plain_turns(0)
    s.plain_turn(1, "4S")
    s.collect(s[3])
    first = s.actions[-1]["t"]
    s.down(3, "4H 4D 4S")
    s.expect("F-31e", 3, t=first, do=("return-to-pile", "freeze"))


@case("F-31f", hands=(SETS + " 9C TH TD",), stock="TC", needs="beams")
def a_second_draw_with_a_pot_in_flight(s):
    s.begin()
    _goes_out_in_flight(s)
    s.pot_for(0, "in-flight")
    s.draw(s[0])
    s.last_at = s.actions[-1]["t"]
    s.expect("F-31f", 0, do=("limit-turn",))


@case("F-32", hands=("", "", "", SETS), needs="beams")
def a_meld_in_an_opponents_turn(s):
    s.begin()
    s.plain_turns(0, 1)
    s.down(3, "7H 7D 7C")
    s.expect("F-32", 3, do=("freeze", "limit-turn"))


@case("F-32", hands=("7H 7D 7C", "", "7S"), needs="beams")
def a_card_added_in_an_opponents_turn(s):
    s.begin()
    s.draw_as(0)
    row = s.down(0, "7H 7D 7C")
    s.throw(0)
    s.down(2, "7S", row, "7H 7D 7C 7S")
    s.expect("F-32", 2, do=("freeze",))


@case("F-32", hands=("", "", "", SETS), needs="beams")
def a_meld_in_the_partners_turn(s):
    s.begin()
    s.plain_turns(0)
    s.draw_as(1)
    s.down(3, "7H 7D 7C")
    s.expect("F-32", 3, do=("freeze",))


# Art. 27: after the discard


@case("F-27a", hands=(SETS,), needs="beams")
def a_meld_after_the_discard(s):
    s.begin()
    s.plain_turn(0)
    s.down(0, "7H 7D 7C")
    s.expect("F-27a", 0, do=("freeze",), found="after_discard_before_next_draw")


@case("F-27a F-G01", hands=(SETS,), needs="beams")
def a_meld_after_the_discard_and_play_goes_on(s):
    s.begin()
    s.plain_turn(0)
    s.down(0, "7H 7D 7C")
    fault = s.expect("F-27a", 0)
    s.plain_turn(1)
    s.expect("F-27a", 0, same=fault, state="healed", t=None)


@case("F-26e X-F10", hands=("7H TS",), needs="beams")
def two_cards_discarded_together(s):
    s.begin()
    s.plain_turns(0, 1, 2, 3)
    s.draw_as(0)
    _two_on_the_pile(s, 0, "TS", "7H")
    s.expect("F-26e", 0, do=("take-back", "expose"), found="after_discard_before_next_draw")


def _two_on_the_pile(s, number, lower, upper):
    seat = s[number]
    s.pause(0.9, 2.0)
    start = s.t
    s.pause(0.3, 0.6)
    for name in (lower, upper):
        card = s._held(seat, name)
        s.world.hands[seat].remove(card)
        s.world.pile.append(card)
    s.load("discard")
    s.show()
    s.last_at = s.t
    s.pause(0.4, 0.7)
    s.touch.reach(seat, "discard", start, s.t)


def _collects_but(s, number, left):
    """Takes the pile from above and leaves the lowest ``left`` cards."""
    seat = s[number]
    s.turn += 1
    s.pause(1.5, 4.5)
    start = s.t
    s.pause(0.5, 0.9)
    cards, s.world.pile = s.world.pile[left:], s.world.pile[:left]
    s.load("discard")
    s.show()
    s.last_at = s.t
    s.world.hands[seat] += cards
    s.pause(0.5, 0.8)
    s.touch.cross(f"gate-{seat}", cards, s.t)
    s.touch.reach(seat, "discard", start, s.t)


def _goes_out_in_flight(s, number=0):
    """Lays twelve cards in four sets: no card is left."""
    s.draw_as(number)
    for letter in "789T":
        s.down(number, " ".join(letter + suit for suit in "HDC"))
