"""Where cards are: none is lost by anything hands can do, and what hands cannot do is refused."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hw.cards import BURRACO
from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT
from hw.seats import SEATS, Seat
from hw.twin.card_places import places
from hw.twin.changes import apply
from hw.twin.gestures import (
    ClearTable,
    CollectGesture,
    Cross,
    DiscardGesture,
    DrawGesture,
    ExposeGesture,
    Gesture,
    LayGesture,
    LayOut,
    PullPile,
    PushPile,
    PutAside,
    PutBack,
    ReturnGesture,
    SetTable,
    ShiftRow,
    SlideBack,
    SlideOff,
    TakeFromRow,
    TakeUp,
    Tidy,
    TurnUpGesture,
    Wait,
)
from hw.twin.world import ImpossibleGesture, World, boxed
from hw.zones import is_melds
from table_service.games.burraco.rehearsal.burraco_gestures import set_table, take_pot

PACK = BURRACO.cards()


def fresh_deal(draw: st.DrawFn) -> SetTable:
    cards = list(draw(st.permutations(PACK)))
    hands = {seat: tuple(cards[11 * n : 11 * n + 11]) for n, seat in enumerate(SEATS)}
    return set_table(hands, (tuple(cards[44:55]), tuple(cards[55:66])), tuple(cards[66:]))


def possible(world: World, draw: st.DrawFn) -> Gesture:
    """Any gesture that physics allows in ``world``."""
    seat = draw(st.sampled_from(SEATS))
    hand = world.hands[seat]
    some = tuple(draw(st.lists(st.sampled_from(hand), unique=True, min_size=1, max_size=5))) if hand else ()
    choices: list[Gesture] = [Wait(1.0)]
    if world.box:
        choices = [fresh_deal(draw)] if len(world.box) == len(PACK) else choices
    if world.heap("stock"):
        count = draw(st.integers(1, min(3, len(world.heap("stock")))))
        choices += [TurnUpGesture(seat), DrawGesture(seat, count), SlideOff(seat, count)]
    if world.heap("discard"):
        choices.append(CollectGesture(seat, draw(st.integers(0, len(world.heap("discard")) - 1))))
    if world.heaps.get("pots", ()):
        choices.append(take_pot(seat, draw(st.sampled_from((None, *SEATS))), draw(st.sampled_from((0, 0, 4)))))
        choices.append(Tidy(seat, "discard"))
    if world.heap("discard"):
        choices.append(PullPile(seat))
    if world.loose:
        choices.append(PushPile(seat))
    if world.heap("gate-stock"):
        choices += [SlideBack(seat, world.heap("gate-stock")), TakeUp(seat, world.heap("gate-stock")[:1])]
    if some:
        number = draw(st.integers(0, 6))
        old = world.rows[number].cards if number in world.rows else ()
        result = tuple(draw(st.permutations(old + some)))
        x, y = draw(st.floats(-300, 300)), draw(st.floats(-300, 300))
        choices += [
            PutBack(seat, some[0]),
            DiscardGesture(seat, some[0]),
            ReturnGesture(seat, some),
            LayGesture(seat, number, result),
        ]
        choices += [ExposeGesture(seat, some, x, y), PutAside(seat, some)]
    if hand:
        choices.append(LayOut(seat))
    for number, row in world.rows.items():
        choices += [ShiftRow(seat, number), Cross(seat, number, row.cards[:2]), Tidy(seat, row.zone)]
        choices.append(TakeFromRow(seat, number, row.cards[: draw(st.integers(1, len(row.cards)))]))
    lying = tuple(card.card for card in world.loose) + world.sides[seat]
    if lying:
        choices.append(TakeUp(seat, lying))
    return draw(st.sampled_from([*choices, ClearTable()] if draw(st.integers(0, 40)) == 0 else choices))


@pytest.mark.slow(seconds=6)
@settings(max_examples=60)
@given(st.data())
def test_no_sequence_of_possible_gestures_loses_or_doubles_a_card(data: st.DataObject) -> None:
    world = boxed(PACK)
    for _ in range(25):
        world = apply(world, possible(world, data.draw))
        assert world.cards() == tuple(sorted(PACK))
        lying = [place.card for place in places(world)]
        assert len(lying) == len(set(lying))


@pytest.mark.parametrize(
    "gesture",
    [
        DiscardGesture(Seat.NORTH, "no such card"),
        DrawGesture(Seat.NORTH, 43),
        DrawGesture(Seat.NORTH, 0),
        CollectGesture(Seat.NORTH),
        LayGesture(Seat.NORTH, 0, ()),
        TakeFromRow(Seat.NORTH, 3, ("7H#1",)),
        TakeUp(Seat.NORTH, ("7H#1",)),
        SlideBack(Seat.NORTH, ("7H#1",)),
    ],
)
def test_what_hands_cannot_do_is_refused_in_one_sentence(table: World, gesture: Gesture) -> None:
    with pytest.raises(ImpossibleGesture, match=r"^[^\n]+$"):
        apply(table, gesture)


def test_a_row_keeps_its_cards_when_more_are_laid(table: World) -> None:
    first, second, third, fourth = table.hands[Seat.NORTH][:4]
    laid = apply(table, LayGesture(Seat.NORTH, 0, (first, second, third)))
    with pytest.raises(ImpossibleGesture, match="would lose"):
        apply(laid, LayGesture(Seat.NORTH, 0, (first, second, fourth)))
    assert apply(laid, LayGesture(Seat.NORTH, 0, (fourth, first, second, third))).rows[0].cards[0] == fourth


def test_the_first_pot_is_taken_first_and_the_last_card_of_the_stock_is_on_top(table: World) -> None:
    assert apply(table, take_pot(Seat.EAST, None)).hands[Seat.EAST][-11:] == table.heaps["pots"][0]
    assert apply(table, DrawGesture(Seat.EAST)).hands[Seat.EAST][-1] == table.heap("stock")[-1]


def with_rows(table: World, count: int, each: int) -> World:
    """``count`` rows of ``each`` cards for both lines, out of hands that were given the cards first."""
    world = table
    for seat in (Seat.NORTH, Seat.EAST):
        world = apply(world, DrawGesture(seat, 21))
    for number in range(count):
        for offset, seat in ((0, Seat.NORTH), (100, Seat.EAST)):
            world = apply(world, LayGesture(seat, offset + number, world.hands[seat][:each]))
    return world


def test_every_card_lies_within_its_zone(table: World) -> None:
    world = with_rows(table, 7, 4)
    for seat in SEATS:
        world = apply(world, LayOut(seat))
    slack = 3.0  # jitter and turn carry a corner over the edge of a strip that is hardly higher than a card
    for place in places(world):
        rect = DEFAULT_LAYOUT.zones[place.zone]
        across = place.angle % 180 > 45 and place.angle % 180 < 135
        half_x, half_y = (CARD_HEIGHT / 2, CARD_WIDTH / 2) if across else (CARD_WIDTH / 2, CARD_HEIGHT / 2)
        assert rect.x0 - slack <= place.x - half_x, place
        assert place.x + half_x <= rect.x1 + slack, place
        assert rect.y0 - slack <= place.y - half_y, place
        assert place.y + half_y <= rect.y1 + slack, place


def test_a_long_pile_and_a_long_column_are_pushed_together_to_fit(table: World) -> None:
    world = apply(apply(table, DrawGesture(Seat.NORTH, 40)), LayGesture(Seat.NORTH, 0, table.hands[Seat.NORTH][:1]))
    world = apply(world, LayGesture(Seat.NORTH, 0, (*world.rows[0].cards, *world.hands[Seat.NORTH][:13])))
    world = apply(world, ReturnGesture(Seat.NORTH, world.hands[Seat.NORTH][:36]))
    for place in places(world):
        if place.zone == "discard" or is_melds(place.zone):
            assert DEFAULT_LAYOUT.zone_at(place.x, place.y) == place.zone


def covered_points(world: World, corner: tuple[float, float], turned: dict[str, int]) -> list[str]:
    """Cards of rows whose index corner (mm from the centre of an upright card) lies under a later card."""
    lying = [place for place in places(world) if is_melds(place.zone)]
    hidden = []
    for n, place in enumerate(lying):
        x, y = corner
        for _ in range(turned[place.zone]):
            x, y = -y, x
        x, y = place.x + x, place.y + y
        for above in lying[n + 1 :]:
            half_x, half_y = (CARD_WIDTH / 2, CARD_HEIGHT / 2)
            if above.zone == "melds-EW":
                half_x, half_y = half_y, half_x
            if abs(above.x - x) < half_x and abs(above.y - y) < half_y:
                hidden.append(place.card)
                break
    return hidden


@pytest.mark.parametrize("rows", [3, 9])
def test_every_card_of_a_column_shows_its_keeper_an_upright_index(table: World, rows: int) -> None:
    world = with_rows(table, rows, 3)
    turned = {"melds-NS": 2, "melds-EW": 1}  # quarter turns anticlockwise of a card upright for North, for East
    assert covered_points(world, (-26.0, 38.0), turned) == []
    assert covered_points(world, (26.0, -38.0), turned) != []


def test_rows_keep_their_column_when_another_goes(table: World) -> None:
    world = with_rows(table, 3, 3)
    before = {place.card: (place.x, place.y) for place in places(world) if place.row in (0, 2)}
    without = apply(world, TakeFromRow(Seat.NORTH, 1, world.rows[1].cards))
    after = {place.card: (place.x, place.y) for place in places(without) if place.row in (0, 2)}
    assert {card: after[card] for card in before if card in after} == before
    again = apply(without, LayGesture(Seat.NORTH, 50, without.hands[Seat.NORTH][:2]))
    assert again.rows[50].slot == world.rows[1].slot
    assert again.rows[50].zone == "melds-NS"
