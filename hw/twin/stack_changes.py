"""What gestures make of stock, discard pile and pots, from the moment the table is set."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.seats import SEATS
from hw.twin.gestures import (
    Collect,
    Discard,
    Draw,
    PutBack,
    ReturnPot,
    ReturnToPile,
    SetTable,
    SlideBack,
    SlideOff,
    TakeFromPile,
    TakePot,
    TurnUp,
)
from hw.twin.world import Changes, ImpossibleGesture, LayPots, LayStock, LiftStock, World, from_hand, in_hand, without


def _lay_pots(world: World, step: LayPots) -> World:
    dealt = [card for pot in step.pots for card in pot]
    return replace(world, box=without(world.box, dealt, "the box"), pots=step.pots)


def _lay_stock(world: World, step: LayStock) -> World:
    return replace(world, box=without(world.box, step.stock, "the box"), stock=step.stock)


def _lift_stock(world: World, _: LiftStock) -> World:
    return replace(world, box=world.box + world.stock, stock=())


def _set_table(world: World, step: SetTable) -> World:
    here = world if world.pots == step.pots else _lay_pots(world, LayPots(step.pots))
    if here.stock == step.stock:
        here = replace(here, box=here.box + here.stock, stock=())
    if here.stock or here.pile or here.rows or any(here.hands.values()):
        raise ImpossibleGesture("the table must be cleared before it is set")
    hands = {seat: tuple(step.hands.get(seat, ())) for seat in SEATS}
    dealt = [card for seat in SEATS for card in hands[seat]]
    return replace(here, box=without(here.box, [*dealt, *step.stock], "the box"), hands=hands, stock=step.stock)


def _turn_up(world: World, step: TurnUp) -> World:
    drawn = _draw(world, Draw(step.seat))
    return _discard(drawn, Discard(step.seat, drawn.hands[step.seat][-1]))


def _draw(world: World, step: Draw) -> World:
    stock, cards = _off_the_top(world.stock, step.count)
    return in_hand(replace(world, stock=stock), step.seat, cards)


def _slide_off(world: World, step: SlideOff) -> World:
    stock, cards = _off_the_top(world.stock, step.count)
    return replace(world, stock=stock, mouth=world.mouth + cards)


def _slide_back(world: World, step: SlideBack) -> World:
    left = without(world.mouth, step.cards, "the mouth of the stock")
    return replace(world, mouth=left, stock=world.stock + step.cards)


def _put_back(world: World, step: PutBack) -> World:
    return replace(from_hand(world, step.seat, (step.card,)), stock=(*world.stock, step.card))


def _off_the_top(stock: tuple[str, ...], count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The stock without its top ``count`` cards, and these in the order in which they lay."""
    if not 1 <= count <= len(stock):
        raise ImpossibleGesture(f"cannot lift {count} cards off a stock of {len(stock)}")
    return stock[:-count], stock[-count:]


def _discard(world: World, step: Discard) -> World:
    cards = (step.card,) if step.under is None else (step.under, step.card)
    stuck = world.stuck if step.under is None else world.stuck | {step.under}
    aside = world.sides[step.seat]
    if step.card not in aside:
        return replace(from_hand(world, step.seat, cards), pile=world.pile + cards, stuck=stuck)
    left = without(aside, (step.card,), f"the side of {step.seat}")
    after = from_hand(world, step.seat, cards[:-1])
    return replace(after, sides={**world.sides, step.seat: left}, pile=world.pile + cards, stuck=stuck)


def _return_to_pile(world: World, step: ReturnToPile) -> World:
    return replace(from_hand(world, step.seat, step.cards), pile=world.pile + step.cards)


def _take_from_pile(world: World, step: TakeFromPile) -> World:
    left = without(world.pile, step.cards, "the pile")
    return in_hand(replace(world, pile=left), step.seat, step.cards)


def _collect(world: World, step: Collect) -> World:
    leave = step.leave
    if not 0 <= leave < len(world.pile):
        raise ImpossibleGesture(f"cannot leave {leave} of a pile of {len(world.pile)} cards")
    return in_hand(replace(world, pile=world.pile[:leave]), step.seat, world.pile[leave:])


def _take_pot(world: World, step: TakePot) -> World:
    if not world.pots:
        raise ImpossibleGesture("no pot lies on the table")
    pot, *others = world.pots
    if step.count >= len(pot) or step.count <= 0:
        return in_hand(replace(world, pots=tuple(others)), step.seat, pot)
    return in_hand(replace(world, pots=(pot[: -step.count], *others)), step.seat, pot[-step.count :])


def _return_pot(world: World, step: ReturnPot) -> World:
    return replace(from_hand(world, step.seat, step.cards), pots=(*world.pots, step.cards))


CHANGES: Final[Changes] = {
    LayPots: _lay_pots,
    LayStock: _lay_stock,
    LiftStock: _lift_stock,
    SetTable: _set_table,
    TurnUp: _turn_up,
    Draw: _draw,
    SlideOff: _slide_off,
    SlideBack: _slide_back,
    PutBack: _put_back,
    Collect: _collect,
    TakeFromPile: _take_from_pile,
    ReturnToPile: _return_to_pile,
    Discard: _discard,
    TakePot: _take_pot,
    ReturnPot: _return_pot,
}
