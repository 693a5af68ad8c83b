"""Changes of gestures to stacks, piles, pockets and tricks, from the moment the table is set."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.twin.gestures import (
    CollectGesture,
    DiscardGesture,
    DrawGesture,
    PutBack,
    PutDown,
    ReturnGesture,
    ReturnHeap,
    SetTable,
    SlideBack,
    SlideOff,
    TakeFromPile,
    TakeHeap,
    TakeTrick,
    TurnUpGesture,
)
from hw.twin.world import (
    Changes,
    ImpossibleGesture,
    LayHeaps,
    LiftHeaps,
    World,
    from_hand,
    in_hand,
    known,
    put_on,
    top_heap,
    with_heaps,
    with_top,
    without,
)


def stack_of(world: World, zone: str) -> str:
    """Return the stack that a gesture means by ``zone``: the one that is drawn from if it names none."""
    return known(zone, world.table.stack, "stack")


def pile_of(world: World, zone: str) -> str:
    """Return the pile that a gesture means by ``zone``."""
    return known(zone, world.table.pile, "pile")


def mouth_of(world: World, stack: str) -> str:
    """Return the gate at the mouth of ``stack``. Raises ImpossibleGesture if it has none."""
    return known("", world.table.mouth(stack), f"mouth of {stack}")


def _lay_heaps(world: World, step: LayHeaps) -> World:
    left = without(world.box, [card for heap in step.heaps for card in heap], "the box")
    return with_heaps(replace(world, box=left), step.zone, step.heaps)


def _lift_heaps(world: World, step: LiftHeaps) -> World:
    return with_heaps(replace(world, box=(*world.box, *world.heap(step.zone))), step.zone, ())


def _set_table(world: World, step: SetTable) -> World:
    lying = {zone for zone, heaps in world.heaps.items() if step.heaps.get(zone) == heaps}
    if set(world.heaps) - lying or world.rows or any(world.hands.values()):
        raise ImpossibleGesture("the table must be cleared before it is set")
    here = world
    for zone, heaps in step.heaps.items():
        if zone not in lying:
            here = _lay_heaps(here, LayHeaps(zone, heaps))
    hands = {seat: tuple(step.hands.get(seat, ())) for seat in world.hands}
    dealt = [card for cards in hands.values() for card in cards]
    return replace(here, box=without(here.box, dealt, "the box"), hands=hands)


def _turn_up(world: World, step: TurnUpGesture) -> World:
    drawn = _draw(world, DrawGesture(step.seat))
    return _discard(drawn, DiscardGesture(step.seat, drawn.hands[step.seat][-1]))


def _draw(world: World, step: DrawGesture) -> World:
    stack = stack_of(world, step.zone)
    left, cards = _off_the_top(top_heap(world, stack), step.count)
    return in_hand(with_top(world, stack, left), step.seat, cards)


def _slide_off(world: World, step: SlideOff) -> World:
    stack = stack_of(world, step.zone)
    left, cards = _off_the_top(top_heap(world, stack), step.count)
    return put_on(with_top(world, stack, left), mouth_of(world, stack), cards)


def _slide_back(world: World, step: SlideBack) -> World:
    stack = stack_of(world, step.zone)
    mouth = mouth_of(world, stack)
    left = without(top_heap(world, mouth), step.cards, "the mouth of the stack")
    return put_on(with_top(world, mouth, left), stack, step.cards)


def _put_back(world: World, step: PutBack) -> World:
    return put_on(from_hand(world, step.seat, (step.card,)), stack_of(world, step.zone), (step.card,))


def _off_the_top(stack: tuple[str, ...], count: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the stack without its top ``count`` cards, and these in the order in which they lay."""
    if not 1 <= count <= len(stack):
        raise ImpossibleGesture(f"cannot lift {count} cards off a stack of {len(stack)}")
    return stack[:-count], stack[-count:]


def _discard(world: World, step: DiscardGesture) -> World:
    pile = pile_of(world, step.zone)
    cards = (step.card,) if step.under is None else (step.under, step.card)
    stuck = world.stuck if step.under is None else world.stuck | {step.under}
    aside = world.sides.get(step.seat, ())
    if step.card not in aside:
        return replace(put_on(from_hand(world, step.seat, cards), pile, cards), stuck=stuck)
    left = without(aside, (step.card,), f"the side of {step.seat}")
    after = put_on(from_hand(world, step.seat, cards[:-1]), pile, cards)
    return replace(after, sides={**world.sides, step.seat: left}, stuck=stuck)


def _return_to_pile(world: World, step: ReturnGesture) -> World:
    return put_on(from_hand(world, step.seat, step.cards), pile_of(world, step.zone), step.cards)


def _take_from_pile(world: World, step: TakeFromPile) -> World:
    pile = pile_of(world, step.zone)
    left = without(top_heap(world, pile), step.cards, "the pile")
    return in_hand(with_top(world, pile, left), step.seat, step.cards)


def _collect(world: World, step: CollectGesture) -> World:
    pile, leave = pile_of(world, step.zone), step.leave
    cards = top_heap(world, pile)
    if not 0 <= leave < len(cards):
        raise ImpossibleGesture(f"cannot leave {leave} of a pile of {len(cards)} cards")
    return in_hand(with_top(world, pile, cards[:leave]), step.seat, cards[leave:])


def _take_heap(world: World, step: TakeHeap) -> World:
    heap = top_heap(world, step.zone)
    if not heap:
        raise ImpossibleGesture(f"nothing lies at {step.zone}")
    count = step.count if 0 < step.count < len(heap) else len(heap)
    return in_hand(with_top(world, step.zone, heap[:-count]), step.seat, heap[-count:])


def _return_heap(world: World, step: ReturnHeap) -> World:
    heaps = (*world.heaps.get(step.zone, ()), step.cards)
    return with_heaps(from_hand(world, step.seat, step.cards), step.zone, heaps)


def _take_trick(world: World, step: TakeTrick) -> World:
    zone = known(step.zone, world.table.trick, "place for a trick")
    won = known(step.onto, world.table.won(step.seat), f"place for the tricks of {step.seat}")
    layout = world.table.layout
    trick = tuple(card for card in world.loose if layout.zone_at(card.x, card.y) == zone)
    if not trick:
        raise ImpossibleGesture(f"nothing lies at {zone}")
    loose = tuple(card for card in world.loose if card not in trick)
    return put_on(replace(world, loose=loose), won, tuple(card.card for card in trick))


CHANGES: Final[Changes] = {
    LayHeaps: _lay_heaps,
    LiftHeaps: _lift_heaps,
    SetTable: _set_table,
    TurnUpGesture: _turn_up,
    DrawGesture: _draw,
    SlideOff: _slide_off,
    SlideBack: _slide_back,
    PutBack: _put_back,
    PutDown: lambda world, step: put_on(from_hand(world, step.seat, step.cards), step.zone, step.cards),
    ReturnGesture: _return_to_pile,
    TakeFromPile: _take_from_pile,
    CollectGesture: _collect,
    DiscardGesture: _discard,
    TakeHeap: _take_heap,
    ReturnHeap: _return_heap,
    TakeTrick: _take_trick,
}
