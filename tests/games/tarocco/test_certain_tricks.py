"""What is uncertain is reported so, and accuses nobody: low readings, tricks that may be missing, cards seen twice."""

from __future__ import annotations

from dataclasses import replace

from hw.seats import Line, Seat
from table_service.games.tarocco.fold.certainty import certain_tricks, is_certainly_laid, is_numbered
from table_service.games.tarocco.fold.counting import CountRulings, saw_accusi
from table_service.games.tarocco.fold.course import GateRead
from table_service.games.tarocco.fold.course_of_moves import course_after
from table_service.games.tarocco.fold.game import open_fold
from table_service.tracking.movements import Movement, Named
from tests.games.tarocco.table_of_tarocco import hands_with, header, observations, opening
from tests.games.tarocco.test_missed_by_sensors import Table

N, W, S, E = Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST


def one_trick(sure: float = 0.99) -> Table:
    table = Table()
    for seat, card in ((N, "KD"), (W, "FD"), (S, "QD"), (E, "8D")):
        table.move(card, f"hand-{seat}", "trick", seat, sure)
    table.gathered(N)
    return table


def test_a_trick_of_which_a_card_was_read_badly_is_not_certain() -> None:
    assert 1 in certain_tricks(one_trick().course)
    assert 1 not in certain_tricks(one_trick(sure=0.6).course)


def test_after_a_trick_that_may_have_been_two_no_later_one_is_certain() -> None:
    """Seed 51017 of a rehearsal at rough: one movement of eight cards, and every later trick had another number."""
    table = Table()
    table.lay(N, "KD")
    table.lay(W, "FD")
    table.gathered(N, 8, 0.5)
    table.trick(N, "6C 7C 8C 9C")
    assert not is_numbered(table.course, 2)
    assert 2 not in certain_tricks(table.course)
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


def test_a_card_that_lay_there_already_gives_the_one_laid_no_other_name() -> None:
    """Seed 81049 of a rehearsal: a picture missed North's card, and with South's it came to light again."""
    fold = open_fold(header())
    for one in observations([*opening(hands_with({E: "6S 7S"}), "6S 7S")], "none", "named"):
        fold.feed(one)
    game = fold.game
    seen = ("sight", "reach", "tags")
    game.moved(Movement(900, 90.4, 90.0, ("6C",), "hand-N", "trick", N, 0.99, seen))
    game.moved(Movement(901, 93.4, 93.0, ("8C",), "hand-W", "trick", W, 0.99, seen))
    game.revised(Named(94.0, 901, ("6C", "8C"), 0.99, ("sight",)))
    assert [event.type for event in fold.drain()].count("card.named") == 0
    game.revised(Named(95.0, 901, ("9C",), 0.99, ("sight",)))
    (named,) = [event for event in fold.drain() if event.type == "card.named"]
    assert named.data.model_dump()["cards"] == ("9C",)


def test_two_cards_shown_before_the_own_first_card_leave_the_accusi_unknown() -> None:
    """Seed 2031000018 of a rehearsal at rough: pictures showed two of three trumps, and ten points were missing."""
    table = Table()
    table.lay(N, "KD")
    table.move("t17 t19", "hand-W", "side-W", W)
    table.move("t17 t19", "side-W", "hand-W", W)
    for seat, card in ((W, "FD"), (S, "QD"), (E, "8D")):
        table.lay(seat, card)
    assert not saw_accusi(table.course, Line.EW, CountRulings())
    assert saw_accusi(table.course, Line.NS, CountRulings())


def test_a_trick_while_which_a_gate_has_read_another_card_is_not_certain() -> None:
    """Seed 2031000036 of a rehearsal at rough: of two tricks under one covered camera one was made."""
    table = Table()
    table.lay(N, "KD")
    table.lay(W, "FD")
    table.course = course_after(table.course, GateRead(table.t + 0.5, S, "6C"))
    table.lay(S, "QD")
    table.lay(E, "8D")
    table.gathered(N)
    assert 1 not in certain_tricks(table.course)
