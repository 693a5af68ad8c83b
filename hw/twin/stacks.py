"""Gestures at stacks, piles, pockets and tricks → beats."""

from __future__ import annotations

from typing import Final

from hw.twin.gesture_timeline import GestureTimeline, Writers, carry, carry_home, lay_on, touch
from hw.twin.gestures import (
    CollectGesture,
    DiscardGesture,
    DrawGesture,
    PlayGesture,
    PullPile,
    PushPile,
    PutBack,
    PutDown,
    ReturnGesture,
    ReturnHeap,
    SlideBack,
    SlideOff,
    TakeFromPile,
    TakeHeap,
    TakeTrick,
    TurnUpGesture,
)
from hw.twin.stack_changes import pile_of, stack_of
from hw.twin.world import known, top_heap
from hw.zones import side


def _turn_up(score: GestureTimeline, gesture: TurnUpGesture) -> None:
    seat, stack, pile = gesture.seat, stack_of(score.world, ""), pile_of(score.world, "")
    score.arm_in(seat, stack)
    score.wait(0.35, 0.6)
    score.change(DrawGesture(seat))
    score.cards = score.world.hands[seat][-1:]
    score.over_mouth(stack, score.cards)
    score.wait(0.05, 0.1)
    score.arm_in(seat, pile, beam=False)
    score.wait(0.1, 0.2)
    score.change(DiscardGesture(seat, score.cards[0]))
    score.wait(0.5, 0.8)
    score.arm_out(seat, pile, beam=False)
    score.arm_out(seat, stack)


def _draw(score: GestureTimeline, gesture: DrawGesture) -> None:
    seat, stack = gesture.seat, stack_of(score.world, gesture.zone)
    score.arm_in(seat, stack)
    score.wait(0.3, 0.6)
    score.change(gesture)
    score.cards = score.world.hands[seat][-gesture.count :]
    score.over_mouth(stack, score.cards)
    score.wait(0.72, 0.9)
    score.edge(seat, score.cards)
    score.arm_out(seat, stack)


def _slide_off(score: GestureTimeline, gesture: SlideOff) -> None:
    stack = stack_of(score.world, gesture.zone)
    score.cards = top_heap(score.world, stack)[-gesture.count :]
    touch(score, gesture.seat, stack, gesture, ((0.3, 0.6), (0.4, 0.8)))


def _slide_back(score: GestureTimeline, gesture: SlideBack) -> None:
    score.cards = gesture.cards
    touch(score, gesture.seat, stack_of(score.world, gesture.zone), gesture, ((0.4, 0.7), (0.4, 0.8)))


def _put_back(score: GestureTimeline, gesture: PutBack) -> None:
    stack = stack_of(score.world, gesture.zone)
    score.cards = (gesture.card,)
    score.arm_in(gesture.seat, stack)
    score.edge(gesture.seat, score.cards)
    score.wait(0.3, 0.45)
    score.over_mouth(stack, score.cards)
    score.change(gesture)
    score.wait(0.6, 0.9)
    score.arm_out(gesture.seat, stack)


def _collect(score: GestureTimeline, gesture: CollectGesture) -> None:
    pile = pile_of(score.world, gesture.zone)
    score.arm_in(gesture.seat, pile)
    score.wait(0.6, 0.9)
    taken = top_heap(score.world, pile)[gesture.leave :]
    score.change(gesture)
    score.cards = taken
    score.wait(0.6, 0.8)
    score.edge(gesture.seat, taken)
    score.arm_out(gesture.seat, pile)


def _take_from_pile(score: GestureTimeline, gesture: TakeFromPile) -> None:
    carry_home(score, gesture.seat, pile_of(score.world, gesture.zone), gesture.cards, gesture)


def _return_to_pile(score: GestureTimeline, gesture: ReturnGesture) -> None:
    lay_on(score, gesture.seat, pile_of(score.world, gesture.zone), gesture.cards, gesture, (0.5, 0.8))


def _discard(score: GestureTimeline, gesture: DiscardGesture) -> None:
    cards = (gesture.card,) if gesture.under is None else (gesture.under, gesture.card)
    pile = pile_of(score.world, gesture.zone)
    if gesture.card in score.world.sides[gesture.seat]:
        carry(score, gesture.seat, side(gesture.seat), pile, cards, gesture)
        return
    lay_on(score, gesture.seat, pile, cards, gesture, (0.32, 0.55))


def _pile_aside(score: GestureTimeline, gesture: PullPile | PushPile) -> None:
    touch(score, gesture.seat, pile_of(score.world, gesture.zone), gesture)


def _take_heap(score: GestureTimeline, gesture: TakeHeap) -> None:
    giver = gesture.giver or gesture.seat
    score.arm_in(giver, gesture.zone)
    score.wait(0.5, 0.8)
    before = score.world.hands[gesture.seat]
    score.change(gesture)
    score.cards = score.world.hands[gesture.seat][len(before) :]
    score.wait(0.6, 1.0)
    score.arm_out(giver, gesture.zone)
    score.wait(0.8, 1.6)


def _play(score: GestureTimeline, gesture: PlayGesture) -> None:
    seat, table = gesture.seat, score.world.table
    zone = known(gesture.zone, table.trick or table.played(seat), "place for a trick")
    if seat in score.world.laid_out:  # out of the spread hand of a dummy: it crosses no gate
        score.cards = (gesture.card,)
        touch(score, seat, zone, gesture)
        return
    lay_on(score, seat, zone, (gesture.card,), gesture, (0.32, 0.55))


def _take_trick(score: GestureTimeline, gesture: TakeTrick) -> None:
    table = score.world.table
    trick = known(gesture.zone, table.trick, "place for a trick")
    won = known(gesture.onto, table.won(gesture.seat), f"place for the tricks of {gesture.seat}")
    cards = tuple(card.card for card in score.world.loose if table.layout.zone_at(card.x, card.y) == trick)
    carry(score, gesture.seat, trick, won, cards, gesture)


WRITERS: Final[Writers] = {
    TurnUpGesture: _turn_up,
    DrawGesture: _draw,
    SlideOff: _slide_off,
    SlideBack: _slide_back,
    PutBack: _put_back,
    PutDown: lambda score, step: lay_on(score, step.seat, step.zone, step.cards, step, (0.5, 0.8)),
    CollectGesture: _collect,
    TakeFromPile: _take_from_pile,
    ReturnGesture: _return_to_pile,
    DiscardGesture: _discard,
    TakeHeap: _take_heap,
    ReturnHeap: lambda score, step: lay_on(score, step.seat, step.zone, step.cards, step, (0.5, 0.8)),
    PlayGesture: _play,
    TakeTrick: _take_trick,
    PullPile: _pile_aside,
    PushPile: _pile_aside,
}
"""Writer of each gesture."""
