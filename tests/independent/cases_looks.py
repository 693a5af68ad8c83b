"""What looks like play and is none: the pile drawn near on the table and pushed back (art. 9)."""

from __future__ import annotations

from tests.independent.casebook import case

SPOTS = {"N": (-40, 250), "S": (-40, -250), "E": (250, -40), "W": (-250, -40)}


def _near(s, number, span, leaves=True):
    """``number`` draws the pile near, looks at it for so many seconds, and pushes it back; no card is lifted."""
    seat, pile = s[number], list(s.world.pile)
    x, y = SPOTS[seat]
    s.pause(0.8, 1.6)
    start = s.t
    s.pause(0.4, 0.7)
    s.world.pile.clear()
    s.world.loose += [(card, x + (22 * n if y < -40 or y > 0 else 0), y, seat) for n, card in enumerate(pile)]
    s.load("discard")
    s.show()
    s.pause(0.3, 0.6)
    if leaves:
        s.touch.reach(seat, "discard", start, s.t)
    s.t += span
    again = s.t if leaves else start
    s.pause(0.4, 0.7)
    s.world.loose.clear()
    s.world.pile += pile
    s.load("discard")
    s.show()
    s.last_at = s.t
    s.pause(0.3, 0.6)
    s.touch.reach(seat, "discard", again, s.t)


@case("F-09a")
def the_pile_is_drawn_near_and_he_draws(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    _near(s, 3, 2.5)
    s.plain_turn(3)
    s.plain_turn(0)


@case("F-09a")
def the_pile_is_drawn_near_under_his_hand(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    _near(s, 3, 3.0, leaves=False)
    s.plain_turn(3)
    s.plain_turn(0)


@case("F-09a")
def the_only_card_of_the_pile_is_drawn_near(s):
    s.begin()
    _near(s, 0, 4.0)
    s.plain_turns(0, 1)


@case("F-09a", up="3S")
def the_pile_is_drawn_near_and_then_taken_up(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    _near(s, 3, 2.0)
    s.collect_as(3)
    s.throw(3)
    s.plain_turn(0)


@case("F-09a")
def the_pile_is_drawn_near_twice_in_a_deal(s):
    s.begin()
    s.plain_turns(0, 1)
    _near(s, 2, 1.2)
    s.plain_turns(2, 3, 0)
    _near(s, 1, 5.0)
    s.plain_turns(1, 2)


@case("F-30a X-F17", hands=("", "", "", "KC KD KH"), needs="beams")
def the_pile_is_drawn_near_and_an_own_meld_is_laid(s):
    s.begin()
    s.plain_turns(0, 1, 2)
    _near(s, 3, 2.0)
    s.lay_undrawn(3, "KC KD KH")
    s.expect("F-30a F-09b", 3, do=("freeze",), within=8)
