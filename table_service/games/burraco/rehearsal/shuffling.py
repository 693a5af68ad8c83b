"""The cards of a deal are shuffled and dealt: hands, pots, stock."""

from __future__ import annotations

import random
from typing import Final

from hw.cards import BURRACO
from hw.twin.gestures import ConsoleGesture
from table_service.games.burraco.rehearsal.burraco_gestures import set_table
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal
from table_service.rehearsal.script import Script

HAND: Final = 11
"""Cards dealt to a seat (art. 4)."""


def deal_out(script: Script, rng: random.Random, deal: SimulatedDeal) -> None:
    """Name the dealer as the arbitro does, shuffle and deal the cards, and let play start."""
    script.do(ConsoleGesture("deal", fields={"deal": deal.number, "dealer": str(deal.dealer)}))
    whole = set(script.world.box) == set(BURRACO.cards())
    cards = list(BURRACO.cards()) if whole else sorted(script.world.box)
    rng.shuffle(cards)
    _give(cards, deal)
    hands = {seat: tuple(cards[n * HAND : (n + 1) * HAND]) for n, seat in enumerate(deal.seats)}
    rest = cards[len(deal.seats) * HAND :]
    first, second = deal.pot_sizes
    pots: tuple[tuple[str, ...], ...] = (tuple(rest[:first]), tuple(rest[first : first + second]))
    if deal.old_pot:
        pots = (*pots, tuple(rest[first + second : first + second + deal.old_pot]))
    script.do(set_table(hands, pots, tuple(rest[first + second + deal.old_pot + deal.short :])))
    script.do(ConsoleGesture("start-play"))


def _give(cards: list[str], deal: SimulatedDeal) -> None:
    """Move the cards of ``deal.dealt`` into the part of ``cards`` that their seat is dealt; others make room."""
    for n, seat in enumerate(deal.seats):
        for place, card in enumerate(deal.dealt.get(seat, ()), start=n * HAND):
            now = cards.index(card)
            cards[now], cards[place] = cards[place], cards[now]
