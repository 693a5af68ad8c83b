"""A step → the world after it. No card is lost, and no rule is known."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.twin import screen_changes, spread_changes, stack_changes
from hw.twin.gestures import ClearTable, Gather, LayOut, SwapCard, Tidy, TurnShield
from hw.twin.world import Changes, Step, World, boxed, with_heaps, without
from hw.zones import hand


def apply(world: World, step: Step) -> World:
    """Return the world after ``step``; what moves no card leaves it as it is. Raises ImpossibleGesture."""
    change = _CHANGES.get(type(step))
    return change(world, step) if change else world


def _lay_out(world: World, step: LayOut) -> World:
    return world if step.seat in world.laid_out else replace(world, laid_out=(*world.laid_out, step.seat))


def _tidy(world: World, step: Tidy) -> World:
    return replace(world, tidied={**world.tidied, step.zone: world.tidied.get(step.zone, 0) + 1})


def _gather(world: World, step: Gather) -> World:
    zone = step.zone
    hands, rows = dict(world.hands), dict(world.rows)
    gone: list[str] = []
    for seat, cards in world.hands.items():
        if zone == hand(seat):
            gone.extend(cards)
            hands[seat] = ()
    for number, row in world.rows.items():
        if row.zone == zone:
            gone.extend(row.cards)
            del rows[number]
    gone.extend(world.heap(zone))
    return replace(
        with_heaps(world, zone, ()),
        box=(*world.box, *gone),
        hands=hands,
        rows=rows,
        laid_out=tuple(seat for seat in world.laid_out if hands[seat]),
        stuck=world.stuck - set(gone),
    )


_CHANGES: Final[Changes] = {
    **stack_changes.CHANGES,
    **spread_changes.CHANGES,
    **screen_changes.CHANGES,
    Tidy: _tidy,
    Gather: _gather,
    LayOut: _lay_out,
    TurnShield: lambda world, step: replace(world, shields={**world.shields, step.seat: step.pose}),
    SwapCard: lambda world, step: replace(world, box=(*without(world.box, (step.gone,), "the box"), step.came)),
    ClearTable: lambda world, _: replace(boxed(world.cards(), world.table), shields=world.shields, tray=world.tray),
}
