"""Gestures at stock, discard pile and pots → beats."""

from __future__ import annotations

from typing import Final

from hw.twin.gesture_timeline import Score, Writers, carry, lay_on, take, touch
from hw.twin.gestures import (
    Collect,
    Discard,
    Draw,
    PullPile,
    PushPile,
    PutBack,
    ReturnPot,
    ReturnToPile,
    SlideBack,
    SlideOff,
    TakeFromPile,
    TakePot,
    TurnUp,
)
from hw.zones import DISCARD, GATE_STOCK, POTS, STOCK, side


def _turn_up(score: Score, gesture: TurnUp) -> None:
    seat = gesture.seat
    score.arm_in(seat, STOCK)
    score.wait(0.35, 0.6)
    score.change(Draw(seat))
    score.cards = score.world.hands[seat][-1:]
    score.crossing(GATE_STOCK, score.cards)
    score.wait(0.05, 0.1)
    score.arm_in(seat, DISCARD, beam=False)
    score.wait(0.1, 0.2)
    score.change(Discard(seat, score.cards[0]))
    score.wait(0.5, 0.8)
    score.arm_out(seat, DISCARD, beam=False)
    score.arm_out(seat, STOCK)


def _draw(score: Score, gesture: Draw) -> None:
    seat = gesture.seat
    score.arm_in(seat, STOCK)
    score.wait(0.3, 0.6)
    score.change(gesture)
    score.cards = score.world.hands[seat][-gesture.count :]
    score.crossing(GATE_STOCK, score.cards)
    score.wait(0.72, 0.9)
    score.edge(seat, score.cards)
    score.arm_out(seat, STOCK)


def _slide_off(score: Score, gesture: SlideOff) -> None:
    score.arm_in(gesture.seat, STOCK)
    score.wait(0.3, 0.6)
    score.change(gesture)
    score.cards = score.world.mouth[-gesture.count :]
    score.wait(0.4, 0.8)
    score.arm_out(gesture.seat, STOCK)


def _slide_back(score: Score, gesture: SlideBack) -> None:
    score.arm_in(gesture.seat, STOCK)
    score.wait(0.4, 0.7)
    score.change(gesture)
    score.cards = gesture.cards
    score.wait(0.4, 0.8)
    score.arm_out(gesture.seat, STOCK)


def _put_back(score: Score, gesture: PutBack) -> None:
    score.cards = (gesture.card,)
    score.arm_in(gesture.seat, STOCK)
    score.edge(gesture.seat, score.cards)
    score.wait(0.3, 0.45)
    score.crossing(GATE_STOCK, score.cards)
    score.change(gesture)
    score.wait(0.6, 0.9)
    score.arm_out(gesture.seat, STOCK)


def _collect(score: Score, gesture: Collect) -> None:
    score.arm_in(gesture.seat, DISCARD)
    score.wait(0.6, 0.9)
    taken = score.world.pile[gesture.leave :]
    score.change(gesture)
    score.cards = taken
    score.wait(0.6, 0.8)
    score.edge(gesture.seat, taken)
    score.arm_out(gesture.seat, DISCARD)


def _take_from_pile(score: Score, gesture: TakeFromPile) -> None:
    take(score, gesture.seat, DISCARD, gesture.cards, gesture)


def _return_to_pile(score: Score, gesture: ReturnToPile) -> None:
    lay_on(score, gesture.seat, DISCARD, gesture.cards, gesture, (0.5, 0.8))


def _discard(score: Score, gesture: Discard) -> None:
    cards = (gesture.card,) if gesture.under is None else (gesture.under, gesture.card)
    if gesture.card in score.world.sides[gesture.seat]:
        carry(score, gesture.seat, side(gesture.seat), DISCARD, cards, gesture)
        return
    lay_on(score, gesture.seat, DISCARD, cards, gesture, (0.32, 0.55))


def _pile_aside(score: Score, gesture: PullPile | PushPile) -> None:
    touch(score, gesture.seat, DISCARD, gesture)


def _take_pot(score: Score, gesture: TakePot) -> None:
    giver = gesture.giver or gesture.seat
    score.arm_in(giver, POTS)
    score.wait(0.5, 0.8)
    before = score.world.hands[gesture.seat]
    score.change(gesture)
    score.cards = score.world.hands[gesture.seat][len(before) :]
    score.wait(0.6, 1.0)
    score.arm_out(giver, POTS)
    score.wait(0.8, 1.6)


def _return_pot(score: Score, gesture: ReturnPot) -> None:
    lay_on(score, gesture.seat, POTS, gesture.cards, gesture, (0.5, 0.8))


WRITERS: Final[Writers] = {
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
    PullPile: _pile_aside,
    PushPile: _pile_aside,
}
"""How each gesture is written down."""
