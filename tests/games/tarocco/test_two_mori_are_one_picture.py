"""Two of the four Mori show one picture: what is known once both are in sight, where a camera names both alike."""

from __future__ import annotations

from hw.cards import TAROCCO, UNKNOWN
from hw.pack.tarocco import ALIKE as ONE_PICTURE
from hw.seats import Line, Seat
from table_service.games.tarocco.fold.counting import camera_piles
from table_service.games.tarocco.rules.card_points import ALIKE, told_apart
from table_service.games.tarocco.rules.score import accuso_points
from tests.games.tarocco.test_missed_by_sensors import Table

N, W, S, E = Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST


def test_the_rules_and_the_pack_name_the_same_two() -> None:
    assert ALIKE == ONE_PICTURE


def test_two_mori_in_one_trick_are_both_and_the_last_one_wins() -> None:
    table = Table()
    table.trick(W, "t9 m3 m3 m1")
    (taken,) = table.course.deal.play.taken
    assert taken.trick.cards == ("t9", "m3", "m4", "m1")
    assert taken.by is N  # the nine beats all Mori
    table.trick(E, "6D m2 KC QC")
    assert table.course.deal.hands.gone >= {"m1", "m2", "m3", "m4"}
    alone = Table()
    alone.trick(E, "6D m3 QC m3")
    assert alone.course.deal.play.taken[0].by is E  # of Mori the last played wins


def test_a_moro_seen_again_in_a_later_trick_is_the_other_and_a_third_is_unknown() -> None:
    table = Table()
    table.trick(W, "6D m3 QD KD")
    table.trick(W, "m3 t6 t7 t8", W)
    table.trick(E, "t5 t9 m3 t10", N)
    cards = [one.trick.cards for one in table.course.deal.play.taken]
    assert cards[1][0] == "m4"
    assert cards[2][2] == UNKNOWN
    assert table.faults() == []


def test_a_moro_that_a_picture_has_missed_is_no_second_card() -> None:
    table = Table()
    table.lay(N, "m3")
    table.lay(N, "m3")
    assert table.course.deal.play.open.plays == ((N, "m3"),)


def test_an_accuso_with_both_counts_all_four() -> None:
    table = Table()
    table.move("m1 m2 m3 m3", "hand-N", "side-N", N)
    table.move("m1 m2 m3 m3", "side-N", "hand-N", N)
    (accuso,) = table.course.deal.accusi
    assert set(accuso.cards) == {"m1", "m2", "m3", "m4"}
    assert accuso_points(accuso.cards) == accuso_points(["m1", "m2", "m3", "m4"]) == 15


def test_piles_that_show_the_picture_twice_are_a_whole_pack() -> None:
    cards = ["m3" if card == "m4" else card for card in TAROCCO.copies]
    shown = {N: tuple(cards[:30]), E: tuple(cards[30:])}
    piles = camera_piles(shown, dict.fromkeys(Line, (UNKNOWN,) * 31))
    assert sorted(card for own in piles.values() for card in own) == sorted(TAROCCO.copies)


def test_no_card_is_made_of_one_that_lies_elsewhere() -> None:
    assert told_apart(("m3", "m3"), {"m4"}) == ("m3", "m3")
    assert told_apart(("m1", "m1")) == ("m1", "m1")
