"""A pack that holds a card of another one: its face comes to light a third time in the course of play (art. 5)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.cards import RANKS, SUITS
from hw.seats import SEATS, Seat
from hw.twin.gestures import SwapCard
from hw.twin.world import World
from hw.zones import DISCARD
from table_service.games.burraco.rehearsal import arbitro_acts
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, caller, drawn_variant, settled
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_MELD_RANKS: Final = RANKS.replace("2", "")
_AT_TABLE: Final = (2.0, 6.0)
"""Seconds that players take to see what lies before them."""


def _company(director: Director, card: str) -> tuple[str, ...]:
    """Two cards with which ``card`` makes a set or a run, or none: then it is discarded, or waits for others."""
    rng, rank, suit = director.rng, card[0], card[1]
    way = rng.choice(("set", "run", "none"))
    if way == "set":
        others = rng.sample([one for one in SUITS if one != suit], 2)
        return tuple(f"{rank}{one}#{rng.choice((1, 2))}" for one in others)
    place = RANKS.index(rank)
    if way == "run" and 2 <= place <= len(RANKS) - 3:
        return tuple(f"{RANKS[place + step]}{suit}#{rng.choice((1, 2))}" for step in rng.choice(((-1, 1), (1, 2))))
    return ()


def lie_in_view(world: World, cards: tuple[str, ...]) -> bool:
    """Return True if all ``cards`` lie face up where everybody can see them: in melds, on the pile, beside a player."""
    seen = [*world.heap(DISCARD), *(card for row in world.rows.values() for card in row.cards)]
    seen += [card for side in world.sides.values() for card in side]
    return set(cards) <= set(seen) - world.stuck


def _foreign(director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-05b: a card of another pack has taken the place of one of this (art. 5).

    Nobody can know before the third card of its face lies open; the deal is played out and counts.
    """
    rng, script = director.rng, director.script
    rank, suit = rng.choice(_MELD_RANKS), rng.choice(SUITS)
    cards = tuple(f"{rank}{suit}#{copy}" for copy in (1, 2, 3))
    if cards[2] in script.world.box:
        return False
    holders = rng.sample(SEATS, 3)
    dealt: dict[Seat, tuple[str, ...]] = {}
    for seat, card in zip(holders, rng.sample(cards, 3), strict=True):
        taken = {one for hand in dealt.values() for one in hand}
        mine = (card, *_company(director, card)) if rng.random() < 0.8 else ()
        dealt[seat] = mine if not set(mine) & taken else (card,)
    used = {*cards, *(card for hand in dealt.values() for card in hand)}
    gone = rng.choice(sorted(card for card in script.world.box if card not in used))
    script.do(SwapCard(gone, cards[2], f"E00402{rng.getrandbits(40):010X}"))
    deal.dealt = dealt
    begun = len(script.cues)

    def looks(who: Seat) -> None:
        if not lie_in_view(deal.world, cards) or not settled(deal):
            director.later.append((deal.turn, looks))
            return
        shown = max(
            n
            for n, cue in enumerate(script.cues)
            for action in cue.actions
            if n > begun and action.type in ("open", "extend", "discard") and set(action.cards) & set(cards)
        )
        variant = drawn_variant(rng, play_goes_on=2, ruled=1)
        deal.inject("F-05b", None, f"foreign card, {variant}", (cards[2],), begun, shown)
        script.wait(rng.uniform(*_AT_TABLE))
        if variant == "ruled":
            arbitro_acts.call(deal, caller(deal, who))
            arbitro_acts.rule(deal, "F-05b", who, "nothing;replace-pack", (cards[2],))

    director.later.append((0, looks))
    return True


FOREIGN_KINDS: Final = (DealFaultKind("F-05b", (DealMoment.SET_UP,), _foreign, (0, 0), way="foreign"),)
