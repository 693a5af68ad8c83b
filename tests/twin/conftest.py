"""A table for the twin's tests: a shuffled pack with tags, dealt as for Burraco, and scripts that only obey physics."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from hw.cards import BURRACO
from hw.seats import SEATS, Seat
from hw.twin.changes import apply
from hw.twin.gestures import (
    CollectGesture,
    ConsoleGesture,
    DiscardGesture,
    DrawGesture,
    Gesture,
    LayGesture,
    SetTable,
    TurnUpGesture,
)
from hw.twin.world import World, boxed
from table_service.games.burraco.rehearsal.burraco_gestures import set_table

TAGS = {f"E004{number:012X}": card for number, card in enumerate(BURRACO.cards())}


def dealt(seed: int) -> SetTable:
    cards = list(BURRACO.cards())
    random.Random(seed).shuffle(cards)
    hands = {seat: tuple(cards[11 * n : 11 * n + 11]) for n, seat in enumerate(SEATS)}
    return set_table(hands, (tuple(cards[44:55]), tuple(cards[55:66])), tuple(cards[66:]))


def some_deal(seed: int, turns: int = 24) -> list[Gesture]:
    """A deal in which every seat draws or collects, sometimes lays three cards, and discards."""
    script: list[Gesture] = [
        ConsoleGesture("deal", fields={"deal": 1, "dealer": "S"}),
        dealt(seed),
        ConsoleGesture("start-play"),
    ]
    script.append(TurnUpGesture(Seat.SOUTH))
    world: World = boxed(TAGS.values())
    for gesture in script:
        world = apply(world, gesture)
    seat = Seat.WEST
    for turn in range(turns):
        steps: list[Gesture] = [CollectGesture(seat) if turn % 5 == 4 else DrawGesture(seat)]
        hand = apply(world, steps[0]).hands[seat]
        if turn % 2 == 0 and len(hand) > 5:
            steps.append(LayGesture(seat, turn, hand[:3]))
            hand = hand[3:]
        steps.append(DiscardGesture(seat, hand[0]))
        for step in steps:
            world = apply(world, step)
        script += steps
        seat = seat.next
    return script


@pytest.fixture
def tags() -> dict[str, str]:
    return dict(TAGS)


@pytest.fixture
def deal() -> Callable[..., list[Gesture]]:
    return some_deal


@pytest.fixture
def table() -> World:
    return apply(boxed(TAGS.values()), dealt(1))
