"""Gestures of a Burraco table by their names in the game: the table set, a pot handed over and laid back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from hw.seats import Seat
from hw.twin.gestures import ReturnHeap, SetTable, TakeHeap
from hw.zones import POTS, STOCK


def set_table(
    hands: Mapping[Seat, tuple[str, ...]],
    pots: tuple[tuple[str, ...], ...],
    stock: tuple[str, ...],
    manner: Literal["plain", "last-first", "counted", "again"] = "plain",
) -> SetTable:
    """Cards are dealt: hands, pots (the first to be played first), then the stock; heaps from below to above."""
    return SetTable(hands, {POTS: pots, STOCK: (stock,)}, manner)


def take_pot(seat: Seat, giver: Seat | None, count: int = 0) -> TakeHeap:
    """``giver`` hands ``seat`` the upper pot (art. 23), or ``count`` cards off its top; None: it takes it alone."""
    return TakeHeap(seat, POTS, giver, count)


def return_pot(seat: Seat, cards: tuple[str, ...]) -> ReturnHeap:
    """``seat`` lays ``cards`` from its hand back as the lowest pot, in this order from below."""
    return ReturnHeap(seat, POTS, cards)
