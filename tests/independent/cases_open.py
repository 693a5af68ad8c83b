"""Open cards: exposed and penalised ones, melds laid while they wait, calls before the discard (arts. 21, 24, 27)."""

from __future__ import annotations

from tests.independent.casebook import case

# Art. 24


@case("F-24a", hands=("KC",), needs="beams")
def a_card_falls_open_in_an_opponents_turn(s):
    s.begin()
    s.plain_turns(0, 1)
    s.open_on_table(0, "KC")
    s.expect("F-24a", 0, do=("expose",), within=3)


@case("F-24a", hands=("KC 7H 7D",), needs="beams")
def three_cards_fall_open(s):
    s.begin()
    s.plain_turns(0, 1)
    s.open_on_table(0, "KC 7H 7D")
    s.expect("F-24a", 0, do=("expose",), within=3)


@case("F-24a", hands=("KC KD KH",), needs="beams")
def an_exposed_card_is_played(s):
    s.begin()
    s.plain_turns(0, 1)
    fault = _exposed_and_ruled(s, "KC")
    s.plain_turns(2, 3)
    s.laying_turn(0, "KC KD KH")
    s.plain_turn(1)
    s.expect("F-24a", 0, same=fault, state="ruled", t=None)


@case("F-24a", hands=("KC",), needs="beams")
def an_exposed_card_is_discarded(s):
    s.begin()
    s.plain_turns(0, 1)
    _exposed_and_ruled(s, "KC")
    s.plain_turns(2, 3)
    s.draw_as(0)
    s.throw(0, "KC")
    s.plain_turn(1)


@case("F-24a", hands=("KC",), needs="beams")
def an_exposed_card_is_kept(s):
    s.begin()
    s.plain_turns(0, 1)
    _exposed_and_ruled(s, "KC")
    s.plain_turns(2, 3)
    s.plain_turn(0)
    s.tells("sanction.broken")
    s.plain_turn(1)
    s.allow("F-24a")


@case("F-24c", hands=("KC", "", "KH KD KS"), needs="beams")
def an_exposed_card_on_the_partners_new_meld(s):
    s.begin()
    s.plain_turns(0, 1)
    _exposed_and_ruled(s, "KC")
    row = s.laying_turn(2, "KH KD KS")
    s.plain_turn(3)
    s.draw_and_lay(0, "KC", row)
    s.expect("F-24c", 0, do=("penalise",))


@case("F-24d", needs="beams")
def a_whole_hand_is_laid_open(s):
    s.begin()
    s.plain_turns(0, 1)
    names = " ".join(card for card in s.world.hands[s[3]])
    s.open_on_table(3, names)
    s.expect("F-24d F-24a", 3, do=("expose",), within=3)


@case("F-24d", needs="beams")
def a_whole_hand_is_laid_out_for_the_count(s):
    s.begin()
    s.plain_turns(0, 1)
    seat = s[3]
    s.pause(1, 2)
    s.world.shown.add(seat)
    s.show()
    s.last_at = s.t
    s.wait(5)
    s.world.shown.discard(seat)
    s.show()
    s.plain_turns(2, 3)
    s.allow("F-24d")


# Art. 27


@case("F-27b F-29b", hands=("7H 7D 8C QC KC TC TH TD",), needs="beams")
def a_meld_before_the_penalised_card_is_discarded(s):
    s.begin()
    row = s.draw_and_lay(0, "7H 7D 8C")
    s.expect("F-29b", 0)
    s.rule("F-29b", 0, option="penalise", cards=["8C", "7H", "7D"])
    s.aside(0, "8C 7H 7D", row)
    s.down(0, "TC TH TD")
    s.expect("F-27b", 0, do=("freeze",))


@case("F-27b F-29b", hands=("7H 7D 8C QC KC TC TH TD",))
def a_meld_while_penalised_cards_wait_in_a_later_turn(s):
    s.begin()
    row = s.draw_and_lay(0, "7H 7D 8C")
    s.allow("F-29b")
    s.wait(6)
    s.rule("F-29b", 0, option="penalise", cards=["8C", "7H", "7D"])
    s.aside(0, "8C 7H 7D", row)
    s.throw_penalised(0, "8C")
    s.plain_turns(1, 2, 3)
    s.draw_and_lay(0, "TC TH TD")
    s.throw_penalised(0, "7H")
    s.plain_turn(1)


@case("F-27c F-25c", hands=("7H 7D 7C 8C 9C", "", "7S"), needs="beams")
def a_card_on_a_meld_that_is_frozen_for_good(s):
    s.begin()
    row = s.laying_turn(0, "7H 7D 7C 8C")
    s.plain_turn(1)
    fault = s.expect("F-25c", 0, t=None)
    s.rule("F-25c", 0, cards=["8C"])
    s.draw_and_lay(2, "7S", row)
    s.expect("F-27c", 2, do=("penalise",))
    s.expected[-1]["other"] = fault


@case("F-27c", hands=("7H 7D 7C 8C 7S",), needs="beams")
def a_card_on_a_wrong_meld_in_the_same_turn(s):
    s.begin()
    row = s.draw_and_lay(0, "7H 7D 7C 8C")
    s.expect("F-29b", 0)
    s.down(0, "7S", row)
    s.wait(5)
    s.allow("F-27c", "F-29b", "F-29d")


# Art. 21


@case("F-21a F-G03", hands=("7H 7D 8C",), needs="beams")
def the_partner_calls_before_the_discard(s):
    s.begin()
    s.draw_and_lay(0, "7H 7D 8C")
    s.button(2, "referee")
    s.expect("F-21a F-G03 F-21c", 2, t=s.t)
    s.allow("F-29b")


@case("F-21a", hands=("7H 7D 7C",))
def an_opponent_calls_before_the_discard(s):
    s.begin()
    s.draw_and_lay(0, "7H 7D 7C")
    s.button(1, "referee")
    s.tells("referee.called", 1)
    s.throw(0)
    s.plain_turn(1)


def _exposed_and_ruled(s, card):
    """A card of the first falls open out of his turn, and the arbitro rules it; the number of what is expected."""
    s.open_on_table(0, card)
    fault = s.expect("F-24a", 0, within=3)
    s.rule("F-24a", 0, cards=[card])
    return fault
