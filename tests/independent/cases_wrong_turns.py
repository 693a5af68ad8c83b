"""Turns that are not as they should be: no draw, out of turn, after the discard (arts. 26, 27, 30, 31, 32)."""

from __future__ import annotations

from tests.independent.casebook import case

SETS = "7H 7D 7C 8H 8D 8C 9H 9D"


# Art. 30: no draw


@case("F-30a", hands=(SETS,), needs="beams")
def a_meld_without_a_draw(s):
    s.begin()
    s.lay_undrawn(0, "7H 7D 7C")
    s.expect("F-30a", 0, do=("draw", "freeze"), found="during_turn")


@case("F-30a X-F17", hands=("", "", SETS), needs="beams")
def a_meld_without_a_draw_found_after_the_discard(s):
    s.begin()
    s.plain_turns(0, 1)
    s.lay_undrawn(2, "7H 7D 7C")
    fault = s.expect("F-30a", 2)
    s.throw(2)
    s.expect("F-30a", 2, same=fault, t=None)
    s.plain_turn(3)
    s.expect("F-30a", 2, same=fault, state="healed", t=None)


@case("F-30a F-G02 X-F09", hands=("JH JD JC", "", "JS"), needs="beams")
def what_the_table_settles_itself_is_no_freeze(s):
    s.begin()
    row = s.lay_undrawn(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.plain_turn(1)
    s.laying_turn(2, "JS", row, "JH JD JC JS")
    s.plain_turn(3)


@case("F-30a F-27c F-G06", hands=("JH JD JC", "", "JS"), needs="beams")
def what_the_arbitro_froze_stays_frozen_for_the_partner(s):
    s.begin()
    row = s.lay_undrawn(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.rule("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.plain_turn(1)
    s.draw_and_lay(2, "JS", row, "JH JD JC JS")
    s.expect("F-27c", 2, do=("penalise",))


@case("F-30a F-G06", hands=("JH JD JC JS",), needs="beams")
def a_frozen_meld_thaws_at_the_offenders_next_turn(s):
    s.begin()
    row = s.lay_undrawn(0, "JH JD JC")
    s.expect("F-30a", 0)
    s.rule("F-30a", 0)
    s.draw(s[0])
    s.throw(0)
    s.plain_turns(1, 2, 3)
    s.laying_turn(0, "JS", row, "JH JD JC JS")
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
    s.stray_draw(3)
    s.expect("F-31a", 3, do=("show", "return-to-stock", "limit-turn"))


@case("F-31a", needs="beams")
def a_draw_in_the_partners_turn_is_not_shown(s):
    s.begin()
    s.plain_turns(0)
    s.stray_draw(3)
    s.expect("F-31a", 3, do=("return-to-stock", "limit-turn"))
    s.expected[-1]["not"] = ("show",)


@case("F-31a", needs="beams")
def a_draw_before_play_has_begun(s):
    s.begin()
    s.stray_draw(2)
    s.expect("F-31a", 2, do=("return-to-stock",))


@case("F-31a", needs="beams")
def a_draw_of_him_who_has_just_played(s):
    s.begin()
    s.plain_turns(0, 1)
    s.stray_draw(1)
    s.expect("F-31a", 1)


@case("F-31a", needs="beams")
def a_draw_out_of_turn_ruled_and_served(s):
    s.begin()
    s.plain_turns(0, 1)
    s.stray_draw(3)
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
    s.stray_draw(3)
    s.expect("F-31a", 3)
    s.rule("F-31a", 3, option="drawn-card")
    s.back_to_stock(3)
    s.plain_turn(2)
    s.laying_turn(3, "7H 7D 7C")
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
    row = s.laying_turn(0, "4S 5S 6S")
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
    s.stray_collect(3)
    s.expect("F-31d", 3, do=("return-to-pile", "limit-turn"))


@case("F-31d", needs="beams")
def a_pick_up_before_play_has_begun(s):
    s.begin()
    s.stray_collect(3)
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
    s.four_sets()
    s.pot_for(0, "in-flight")
    s.stray_draw(0)
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
    row = s.laying_turn(0, "7H 7D 7C")
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
        card = s.card_held(seat, name)
        s.world.hands[seat].remove(card)
        s.world.pile.append(card)
    s.load("discard")
    s.show()
    s.last_at = s.t
    s.pause(0.4, 0.7)
    s.touch.reach(seat, "discard", start, s.t)
