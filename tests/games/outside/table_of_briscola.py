"""A deal of Briscola as gestures at the twin of its table, written with a second reading of its rules."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hw.seats import ANTICLOCKWISE, Seat
from hw.twin.gestures import (
    ConsoleGesture,
    DrawGesture,
    Gesture,
    PlayGesture,
    SetTable,
    TakeFromPile,
    TakeTrick,
    TurnUpGesture,
)

FOLDER: Final = Path(__file__).parent / "installed"
ROUND: Final = ANTICLOCKWISE.seats
STRENGTH: Final = "2456 7FQK3A".replace(" ", "")
WORTH: Final = {"A": 11, "3": 10, "K": 4, "Q": 3, "F": 2}


def pack() -> list[str]:
    return [f"{rank}{suit}#1" for suit in "CDSB" for rank in "A234567FQK"]


def best(trick: list[tuple[Seat, str]], trump: str) -> Seat:
    """The highest trump, else the highest card of the suit that was led."""
    led = trick[0][1][1]
    return max(trick, key=lambda one: (one[1][1] == trump, one[1][1] == led, STRENGTH.index(one[1][0])))[0]


@dataclass
class Played:
    """A deal from its first gesture on, dealer East: what is played, and what must come of it."""

    seed: int = 3
    hands: dict[Seat, list[str]] = field(default_factory=dict)
    gestures: list[Gesture] = field(default_factory=list)
    cards: list[tuple[Seat, str, int]] = field(default_factory=list)
    """By whom, face, trick."""
    winners: list[Seat] = field(default_factory=list)
    points: dict[str, int] = field(default_factory=lambda: {"NS": 0, "EW": 0})
    won: dict[str, list[str]] = field(default_factory=lambda: {"NS": [], "EW": []})

    def __post_init__(self) -> None:
        self._chance = random.Random(self.seed)
        deck = pack()
        self._chance.shuffle(deck)
        self.hands = {seat: deck[3 * n : 3 * n + 3] for n, seat in enumerate(ROUND)}
        self.stock = deck[12:]
        dealt = {seat: tuple(cards) for seat, cards in self.hands.items()}
        self.gestures = [
            ConsoleGesture("start-round", fields={"deals": 1}),
            ConsoleGesture("deal", fields={"deal": 1, "dealer": "E"}),
            SetTable(dealt, {"stock": (tuple(self.stock),)}),
            TurnUpGesture(Seat.EAST),
            ConsoleGesture("start-play"),
        ]
        self.trump = self.stock.pop()
        self.leader = Seat.NORTH

    def card(self, seat: Seat) -> PlayGesture:
        """``seat`` plays a card by chance: nobody need follow."""
        chosen = self.hands[seat].pop(self._chance.randrange(len(self.hands[seat])))
        self.cards.append((seat, chosen[:2], len(self.winners) + 1))
        return PlayGesture(seat, chosen)

    def trick(self, *turns: Seat) -> Played:
        """One trick, of which ``turns`` (all) are still to play, and the cards that are drawn after it."""
        turns = turns or tuple(ANTICLOCKWISE.after(self.leader, n) for n in range(4))
        self.gestures += [self.card(seat) for seat in turns]
        laid = [(seat, card) for seat, card, _ in self.cards[-4:]]
        self.leader = best(laid, self.trump[1])
        self.winners.append(self.leader)
        line = str(self.leader.line)
        self.points[line] += sum(WORTH.get(card[0], 0) for _, card in laid)
        self.won[line] += [card for _, card in laid]
        self.gestures.append(TakeTrick(self.leader))
        if self.stock:
            for seat in [ANTICLOCKWISE.after(self.leader, n) for n in range(4)]:
                last = not self.stock
                self.hands[seat].append(self.trump if last else self.stock.pop())
                self.gestures.append(TakeFromPile(seat, (self.trump,)) if last else DrawGesture(seat))
        return self

    def whole(self) -> Played:
        """All ten tricks."""
        while len(self.winners) < 10:
            self.trick()
        return self
