"""What is uncertain is reported so, and accuses nobody: low readings, tricks that may be missing, cards seen twice."""

from __future__ import annotations

from dataclasses import replace

from hw.seats import Seat
from table_service.games.tarocco.fold.certainty import is_certain, is_certainly_laid, is_numbered
from tests.games.tarocco.test_missed_by_sensors import Table

N, W, S, E = Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST


def one_trick(sure: float = 0.99) -> Table:
    table = Table()
    for seat, card in ((N, "KD"), (W, "FD"), (S, "QD"), (E, "8D")):
        table.move(card, f"hand-{seat}", "trick", seat, sure)
    table.gathered(N)
    return table


def test_a_trick_of_which_a_card_was_read_badly_is_not_certain() -> None:
    assert is_certain(one_trick().course, 1)
    assert not is_certain(one_trick(sure=0.6).course, 1)


def test_after_a_trick_that_may_have_been_two_no_later_one_is_certain() -> None:
    """Seed 51017 of a rehearsal at rough: one movement of eight cards, and every later trick had another number."""
    table = Table()
    table.lay(N, "KD")
    table.lay(W, "FD")
    table.gathered(N, 8, 0.5)
    table.trick(N, "6C 7C 8C 9C")
    assert not is_numbered(table.course, 2)
    assert not is_certain(table.course, 2)
    assert table.course.deal.play.taken[1].by is not None


def test_a_player_with_two_cards_in_a_trick_is_certain_of_none() -> None:
    table = Table()
    table.lay(N, "KD")
    table.lay(N, "QD")
    last = table.course.laid[-1]
    assert last.seat is N
    assert not is_certainly_laid(table.course, last)


def test_nobody_signals_too_early_or_leads_out_of_turn_after_a_trick_that_may_be_missing() -> None:
    """The King may lie in it, and its winner may lead."""
    table = Table()
    table.trick(N, "KD FD QD 8D")
    course = replace(table.course, gathered=(replace(table.course.gathered[0], cards=8),))
    table.course = course
    table.lay(W, "6C")
    assert table.faults() == []
