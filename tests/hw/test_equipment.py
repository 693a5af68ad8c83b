"""A table's equipment, packs that read their own cards, and rotations either way round."""

from __future__ import annotations

import doctest

import pytest
from hypothesis import given
from hypothesis import strategies as st

import hw.bidding
import hw.cards
import hw.equipment
import hw.seats
from hw.cards import BRIDGE, BURRACO, FRENCH, TAROCCO, UNKNOWN, CardError, Pack
from hw.equipment import BURRACO_TABLE
from hw.layout import DEFAULT_LAYOUT
from hw.seats import ANTICLOCKWISE, CLOCKWISE, HEADS_UP, SEATS, Line, Rotation, Seat
from hw.zones import ZONES

PACKS = (BURRACO, BRIDGE, FRENCH, TAROCCO)


@pytest.mark.parametrize("module", [hw.bidding, hw.cards, hw.equipment, hw.seats], ids=lambda module: module.__name__)
def test_the_examples_of_the_docstrings_are_true(module: object) -> None:
    result = doctest.testmod(module)  # type: ignore[arg-type]
    assert (result.failed, result.attempted > 0) == (0, True)


def test_every_zone_of_the_equipment_is_in_the_contract_once_and_drawn_where_cards_lie_in_it() -> None:
    zones = [place.zone for place in BURRACO_TABLE.places]
    assert len(set(zones)) == len(zones)
    assert set(zones) <= ZONES
    lying = [place.zone for place in BURRACO_TABLE.places if place.lies not in ("gate", "anywhere")]
    assert set(lying) <= set(DEFAULT_LAYOUT.zones)


def test_the_packs_have_the_cards_of_the_contract() -> None:
    assert [pack.size for pack in PACKS] == [108, 52, 54, 62]
    assert len(set(TAROCCO.copies)) == 62
    assert {"QD", "t20", "t5", "m1", "m4", "beg", "mat", "TB"} <= set(TAROCCO.copies)


@given(st.sampled_from(PACKS), st.data(), st.booleans(), st.integers(1, 9) | st.none())
def test_a_pack_reads_each_of_its_cards_in_any_case_with_or_without_a_copy(
    pack: Pack, data: st.DataObject, upper: bool, copy: int | None
) -> None:
    card = data.draw(st.sampled_from([*pack.copies, UNKNOWN]))
    written = card.upper() if upper else card.lower()
    mark = "" if copy is None else f"#{copy}"
    assert pack.parse(f" {written}{mark} ") == f"{card}{mark}"


@pytest.mark.parametrize("pack", PACKS, ids=lambda pack: pack.name)
@pytest.mark.parametrize("text", ["", "1H", "7X", "7H#", "7H#x", "t21", "t4", "m5", "10", "7H 8H", "JKK"])
def test_what_is_no_card_is_refused_with_how_to_write_one(pack: Pack, text: str) -> None:
    with pytest.raises(CardError, match=r"write|stands the number"):
        pack.parse(text)


def test_a_pack_reads_no_card_of_another() -> None:
    for pack, card in ((BRIDGE, "JK"), (BURRACO, "t20"), (TAROCCO, "2C"), (TAROCCO, "7H")):
        with pytest.raises(CardError, match=f"'{card}' is no card: write"):
            pack.parse(card)


def test_clockwise_is_the_order_of_the_seats() -> None:
    assert [CLOCKWISE.next(seat) for seat in SEATS] == [seat.next for seat in SEATS]
    assert [CLOCKWISE.previous(seat) for seat in SEATS] == [seat.previous for seat in SEATS]
    assert [CLOCKWISE.partner(seat) for seat in SEATS] == [seat.partner for seat in SEATS]


def test_the_turn_goes_the_other_way_or_to_and_fro() -> None:
    around = [ANTICLOCKWISE.after(Seat.NORTH, turns) for turns in range(5)]
    assert around == [Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST, Seat.NORTH]
    assert HEADS_UP.next(Seat.SOUTH) is HEADS_UP.previous(Seat.SOUTH) is Seat.NORTH
    assert (HEADS_UP.line(Seat.NORTH), HEADS_UP.line(Seat.SOUTH)) == (Line.NS, Line.EW)
    assert HEADS_UP.partner(Seat.NORTH) is None
    three = Rotation((Seat.NORTH, Seat.EAST, Seat.SOUTH))
    assert [three.after(Seat.EAST, turns) for turns in (-1, 0, 1, 2)] == ["N", "E", "S", "N"]
    assert three.partner(Seat.EAST) is None


def test_seats_that_no_rotation_has_are_refused() -> None:
    for seats in ((), (Seat.NORTH,), (Seat.NORTH, Seat.NORTH)):
        with pytest.raises(ValueError, match="two to four seats"):
            Rotation(seats)
    with pytest.raises(ValueError, match="nobody plays at E"):
        HEADS_UP.next(Seat.EAST)
