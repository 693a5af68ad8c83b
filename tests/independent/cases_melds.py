"""Melds: right and wrong ones, wilds, penalised cards (arts. 5 NB, 10 to 14, 25, 29)."""

from __future__ import annotations

from tests.independent.casebook import case

WRONG = "F-29b F-29c F-25a"
ADDED = "F-29d F-25a"


# Art. 10: wilds


@case("F-10a", hands=("7C 8C TC 2D QC JK",), needs="beams")
def a_wild_between_two_cards_gives_way_to_another_wild(s):
    s.begin()
    row = s.laying_turn(0, "7C 8C 2D TC", result="7C 8C 2D TC")
    s.plain_turns(1, 2, 3)
    s.draw_as(0)
    s.take_up(0, "2D", row)
    s.down(0, "JK", row, "7C 8C JK TC")
    s.expect("F-10a F-29d F-25a", 0)


@case("F-10a", hands=("7C 8C TC 2D QC 9C",))
def a_wild_gives_way_to_its_own_card(s):
    s.begin()
    row = s.laying_turn(0, "7C 8C 2D TC", result="7C 8C 2D TC")
    s.plain_turns(1, 2, 3)
    s.laying_turn(0, "9C", row, "2D 7C 8C 9C TC")
    s.plain_turn(1)


@case("X-F04 X-F05", hands=("2S 3S 4S 5S 6S 8S JK",))
def a_natural_two_goes_up_for_the_seven(s):
    s.begin()
    row = s.laying_turn(0, "2S 3S 4S 5S 6S")
    s.plain_turns(1, 2, 3)
    s.draw_as(0)
    s.reorder(0, row, "3S 4S 5S 6S 2S")
    s.down(0, "8S", row, "3S 4S 5S 6S 2S 8S")
    s.throw(0)
    s.plain_turns(1, 2)


@case("X-F05", hands=("2S 3S 4S 5S 6S 8S JK",))
def a_natural_two_goes_up_and_back_and_a_joker_comes(s):
    s.begin()
    row = s.laying_turn(0, "2S 3S 4S 5S 6S")
    s.plain_turns(1, 2, 3)
    s.draw_as(0)
    s.reorder(0, row, "3S 4S 5S 6S 2S")
    s.reorder(0, row, "2S 3S 4S 5S 6S")
    s.down(0, "JK 8S", row, "2S 3S 4S 5S 6S JK 8S")
    s.throw(0)
    s.plain_turns(1, 2)


@case("X-F06", hands=("2D 2S 3D",))
def two_pinelle_and_a_three_are_a_run_in_disorder(s):
    s.begin()
    s.laying_turn(0, "2D 2S 3D", result="2D 2S 3D")
    s.plain_turns(1, 2)


@case("F-10b", hands=("2D 2S JK",), needs="beams")
def a_set_of_wilds(s):
    s.begin()
    s.draw_and_lay(0, "2D 2S JK")
    s.expect("F-10b F-29c F-25a", 0)


@case("F-10c", hands=("7C 8C 9C 2D",))
def a_free_wild_at_the_upper_end(s):
    s.begin()
    s.laying_turn(0, "7C 8C 9C 2D", result="7C 8C 9C 2D")
    s.plain_turns(1, 2)


@case("F-10c", hands=("8C 8D 8S 2D",))
def a_wild_in_the_middle_of_a_set(s):
    s.begin()
    s.laying_turn(0, "8C 8D 2D 8S", result="8C 8D 2D 8S")
    s.plain_turns(1, 2)


# Arts. 11 to 13


@case("F-11a", hands=("5D 4D 6D",))
def a_run_in_disorder(s):
    s.begin()
    row = s.laying_turn(0, "5D 4D 6D", result="5D 4D 6D")
    s.plain_turns(1, 2, 3)
    s.draw_as(0)
    s.reorder(0, row, "4D 5D 6D")
    s.throw(0)
    s.plain_turn(1)


@case("F-11b", hands=("5D 4D 6D",), needs="beams")
def a_run_put_in_order_in_the_partners_turn(s):
    s.begin()
    row = s.laying_turn(0, "5D 4D 6D", result="5D 4D 6D")
    s.plain_turn(1)
    s.draw_as(2)
    s.reorder(0, row, "4D 5D 6D")
    s.expect("F-11b", 0, do=("warn", "limit-turn"))


@case("F-11c X-F19", hands=("AD 2D 3D 4D 5D 6D 7D 8D 9D TD", "", "JD QD KD AD 2S"), needs="beams")
def a_run_with_two_aces(s):
    s.begin()
    row = s.laying_turn(0, "AD 2D 3D 4D 5D 6D 7D 8D 9D TD")
    s.plain_turn(1)
    s.draw_and_lay(2, "JD QD KD", row)
    s.down(2, "AD", row)
    s.expect("F-11c F-29d F-25a", 2)


@case("X-F19", hands=("AD 2D 3D 4D 5D 6D 7D 8D 9D TD", "", "JD QD KD 2S"))
def the_longest_run_has_fourteen_cards(s):
    s.begin()
    row = s.laying_turn(0, "AD 2D 3D 4D 5D 6D 7D 8D 9D TD")
    s.plain_turn(1)
    s.draw_and_lay(2, "JD QD KD", row)
    s.down(2, "2S", row)
    s.throw(2)
    s.plain_turns(3, 0)


@case("F-12 F-12b", hands=("6H 6D 6C 6S 2H", "", "6H 6D 6C 6S 2D"), needs="beams")
def a_set_of_eight_with_two_wilds(s):
    s.begin()
    row = s.laying_turn(0, "2H 6H 6D 6C 6S")
    s.plain_turn(1)
    s.draw_and_lay(2, "6H 6D 6C 6S", row)
    s.down(2, "2D", row)
    s.expect("F-12 F-12b F-29d F-25a", 2)


@case("F-12b", hands=("7H 7D JK 2S",), needs="beams")
def an_opening_with_two_wilds(s):
    s.begin()
    s.draw_and_lay(0, "JK 2S 7H 7D")
    s.expect("F-12b F-29c F-25a", 0)


@case("F-12b F-29d", hands=("7H 7D 2S 2C",), needs="beams")
def a_second_wild_is_added(s):
    s.begin()
    row = s.draw_and_lay(0, "2S 7H 7D")
    s.down(0, "2C", row)
    s.expect("F-12b F-29d F-25a", 0)


@case("F-05d X-F18", hands=("KH KH", "", "KH KD"), swapped={"KH#3": "QC#2"}, needs="beams")
def a_third_king_of_hearts(s):
    s.begin()
    s.allow("F-05a", "F-05b")
    s.draw_as(0)
    s.world.hands[s[0]].append(s.world.hands[s[2]].pop(s.world.hands[s[2]].index(s.card_held(s[2], "KD"))))
    row = s.down(0, "KH KH KD")
    s.throw(0)
    s.plain_turn(1)
    s.draw_and_lay(2, "KH", row)
    s.expect("F-05d F-29d F-25a", 2)


@case("F-13 F-13b X-F07", hands=("3S 4S 5S 6S 7S 8S 9S",))
def a_clean_burraco_marked_crosswise(s):
    s.begin()
    s.draw_and_lay(0, "3S 4S 5S 6S 7S 8S 9S")
    s.world.crossed = set(s.world.rows[0][1][-2:])
    s.show()
    s.throw(0)
    s.plain_turns(1, 2)
    s.tells("meld.changed meld.opened", None, burraco="clean")


@case("F-14", hands=("2S",))
def a_wild_is_discarded(s):
    s.begin()
    s.draw_as(0)
    s.throw(0, "2S")
    s.plain_turns(1, 2)


@case("F-07b", hands=("7H 7D 7C 9S TS JS",))
def two_melds_upon_each_other(s):
    s.begin()
    s.draw_and_lay(0, "7H 7D 7C")
    s.down(0, "9S TS JS")
    s.throw(0)
    s.plain_turns(1, 2)


# Art. 29: wrong melds, at each moment


@case("F-29a", hands=("7H 7D",), needs="beams")
def two_cards_are_laid_and_left(s):
    s.begin()
    s.draw_and_lay(0, "7H 7D")
    s.wait(2)
    s.throw(0)
    s.expect("F-29a", 0, do=("penalise",), within=8)


@case("F-29a", hands=("7H 7D 7C",))
def two_cards_are_laid_and_completed(s):
    s.begin()
    row = s.draw_and_lay(0, "7H 7D")
    s.wait(3)
    s.down(0, "7C", row)
    s.throw(0)
    s.plain_turns(1, 2)


@case("F-29b F-25a", hands=("7H 7D 8C",), needs="beams")
def a_wrong_opening_found_in_the_turn(s):
    s.begin()
    s.draw_and_lay(0, "7H 7D 8C")
    s.expect("F-29b F-25a", 0, do=("limit-turn",), found="during_turn")


@case("F-29b F-25b F-25c", hands=("7H 7D 7C 8C",), needs="beams")
def a_wrong_opening_at_three_moments(s):
    s.begin()
    s.draw_and_lay(0, "7H 7D 7C 8C")
    fault = s.expect("F-29b F-25a", 0, found="during_turn")
    s.throw(0)
    s.expect("F-25b", 0, same=fault, t=None, found="after_discard_before_next_draw", do=("penalise",), within=8)
    s.plain_turn(1)
    s.expect("F-25c", 0, same=fault, t=None, found="later", do=("freeze", "score"), severity="score")


@case("F-29c F-25b F-25c", hands=("7H 2D 8C 9S",), needs="beams")
def a_wrong_opening_with_a_wild_at_three_moments(s):
    s.begin()
    s.draw_and_lay(0, "2D 7H 9S")
    fault = s.expect("F-29c F-25a", 0, found="during_turn")
    s.throw(0)
    s.expect("F-25b", 0, same=fault, t=None, within=8)
    s.plain_turn(1)
    s.expect("F-25c", 0, same=fault, t=None, severity="score")


@case("F-29d F-25b F-25c", hands=("7H 7D 7C", "", "8C"), needs="beams")
def a_wrong_addition_at_three_moments(s):
    s.begin()
    row = s.laying_turn(0, "7H 7D 7C")
    s.plain_turn(1)
    s.draw_and_lay(2, "8C", row)
    fault = s.expect("F-29d F-25a", 2, found="during_turn")
    s.throw(2)
    s.expect("F-25b", 2, same=fault, t=None, within=8)
    s.plain_turn(3)
    s.expect("F-25c", 2, same=fault, t=None, severity="score")


@case("F-29b", hands=("7H 7D 8C 7S",), needs="beams")
def a_wrong_opening_mended_at_once(s):
    s.begin()
    row = s.draw_and_lay(0, "7H 7D 8C")
    fault = s.expect("F-29b", 0)
    s.rule("F-29b", 0, option="mend")
    s.take_up(0, "8C", row)
    s.down(0, "7S", row, "7H 7D 7S")
    s.throw(0, "8C")  # the card too many is penalised, and the first to go
    s.plain_turns(1, 2)
    s.expect("F-29b", 0, same=fault, state="ruled", t=None)


@case("F-29b F-25a", hands=("7H 7D 7S 8C KC",), needs="beams")
def the_excess_goes_aside_and_is_discarded(s):
    s.begin()
    row = s.draw_and_lay(0, "7H 7D 7S 8C")
    fault = s.expect("F-29b", 0)
    s.rule("F-29b", 0, option="penalise", cards=["8C"])
    s.aside(0, "8C", row)
    s.throw_penalised(0, "8C")
    s.plain_turns(1, 2, 3)
    s.plain_turn(0)
    s.plain_turn(1)
    s.expect("F-29b", 0, same=fault, state="ruled", t=None)


@case("F-25d F-29b", hands=("7H 7D 7S 8C QC KC",), needs="beams")
def penalised_cards_of_three_wait(s):
    s.begin()
    row = s.draw_and_lay(0, "8C QC KC 7S")
    s.expect("F-29b", 0)
    s.rule("F-29b", 0, option="penalise", cards=["8C", "QC", "KC", "7S"])
    s.aside(0, "KC QC 8C 7S", row)
    s.throw_penalised(0, "KC")
    s.plain_turns(1, 2, 3)
    s.draw_as(0)
    s.throw_penalised(0, "QC")
    s.plain_turn(1)


@case("F-29b", hands=("7H 7D 7S 8C QC KC",), needs="beams")
def a_lower_penalised_card_goes_first(s):
    s.begin()
    row = s.draw_and_lay(0, "8C QC KC 7S")
    s.expect("F-29b", 0)
    s.rule("F-29b", 0, option="penalise", cards=["8C", "QC", "KC", "7S"])
    s.aside(0, "KC QC 8C 7S", row)
    s.throw_penalised(0, "7S")
    s.wait(3)
    s.tells("sanction.broken")
    s.plain_turn(1)
    s.allow("F-29b")


@case("F-29e", hands=("7H 7D 7C 7S",), needs="beams")
def a_card_added_apart_from_the_meld(s):
    s.begin()
    row = s.draw_and_lay(0, "7H 7D 7C")
    line, slot, _ = s.world.slots[row]
    s.world.slots[row + 1] = (line, slot, 6)  # in the same column, 50 mm further on
    s.down(0, "7S")
    s.throw(0)
    s.expect("F-29e F-29a", 0, within=8)
