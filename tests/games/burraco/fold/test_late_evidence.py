"""Late evidence at a table of Burraco: what turns out to be none takes with it what it made, and nothing besides."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from table_service.tracking.movements import Unverified, Verified
from tests.games.burraco.conftest import Script

PLAYED = {"card.turned", "card.drawn", "card.discarded", "pile.collected", "meld.opened", "meld.extended"}


def test_a_scale_that_wavered_takes_back_its_doubt_and_no_act_that_was_played_since(script: Script) -> None:
    """There may be as many steps again after a movement was retracted; the last of them is another one."""
    script.turn("W")
    draw = script.moves - 1
    script.take(Unverified(script.later(), "stock", "it swings"))
    script.retracted(draw)
    script.draw("N")
    script.take(Verified(script.later(), "stock"))
    deal = script.fold.deal
    assert deal is not None
    assert (deal.to_play, deal.drawn) == ("N", True)


def test_a_scale_that_wavered_while_a_movement_was_retracted_leaves_no_doubt(script: Script) -> None:
    script.turn("W")
    script.take(Unverified(script.later(), "stock", "it swings"))
    script.retracted(script.moves - 1)
    assert script.fold.deal is not None
    assert not script.fold.deal.known
    script.take(Verified(script.later(), "stock"))
    assert script.fold.deal.known


@given(st.lists(st.tuples(st.integers(1, 10), st.sampled_from(["", "QH", "2S", "??"])), max_size=12))
def test_what_is_told_less_what_is_retracted_is_what_was_played(late: list[tuple[int, str]]) -> None:
    """Whichever movements turn out to be none, or of other cards, and in whatever order that is heard."""
    script = Script()
    script.turn_up()
    script.turn("W", "4H")
    script.collect("N", "TD 4H")
    script.lay("N", 1, "7C 8C 9C")
    script.discard("N", "KD")
    script.draw("E", "5S")
    script.lay("E", 2, "JH JS JD")
    script.lay("E", 2, "JC", "JH JS JD")
    script.discard("E", "3H")
    for movement, card in late:
        script.named(movement, card) if card else script.retracted(movement)
    gone = {one.data.event for one in script.of("event.retracted")}  # type: ignore[attr-defined]
    stands = [one.type for one in script.events if one.type in PLAYED and one.id not in gone]
    played = [one.told[0] for one in script.fold.game.parts.course.played if one.told is not None]
    assert sorted(stands) == sorted(played)


def test_what_a_draw_healed_is_open_again_where_that_draw_was_none(script: Script) -> None:
    """F-31a lapses with the next opponent's draw: with one that nobody made it does not."""
    script.draw("N")
    script.draw("W")
    script.retracted(script.moves)
    assert script.verdicts() == [("F-31a", "N", "open"), ("F-31a", "N", "healed"), ("F-31a", "N", "open")]
    script.draw("W")
    assert script.verdicts()[-1] == ("F-31a", "N", "healed")


def test_what_a_draw_healed_stays_so_where_another_has_followed_or_the_fault_itself_was_none(script: Script) -> None:
    script.draw("N")
    fault = script.moves
    script.draw("W")
    healing = script.moves
    script.discard("W", "3S")
    script.retracted(healing)
    assert script.verdicts()[-1] == ("F-31a", "N", "healed")
    other = Script()
    other.turn_up()
    other.draw("N")
    other.draw("W")
    other.retracted(fault)
    other.retracted(healing)
    assert other.verdicts()[-1] == ("F-31a", "N", "healed")
