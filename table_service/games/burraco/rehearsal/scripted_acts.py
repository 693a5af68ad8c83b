"""Acts of play: each writes its gesture and its truth into the script of its deal, which changes accordingly.

Nothing here decides what is played: players and faults do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final, Literal

from hw.cards import face
from hw.seats import Seat
from hw.twin.gestures import (
    CollectGesture,
    DiscardGesture,
    DrawGesture,
    LayGesture,
    Say,
    TakeUp,
    TurnShield,
    TurnUpGesture,
)
from table_service.games.burraco.rehearsal.burraco_gestures import take_pot as take_pot_gesture
from table_service.games.burraco.rehearsal.mistaken_melds import MistakenMeld
from table_service.games.burraco.rehearsal.players import MeldPlay
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal
from table_service.rehearsal.script import ScriptAction

OVER_HAND: Final = 0.4
"""How often penalised cards go over their player's hand on their way to the side, and from there to the pile."""


def turn_up(deal: SimulatedDeal) -> None:
    """Turn the first card of the stock over, as the dealer does."""
    deal.script.do(TurnUpGesture(deal.dealer), deal.act("turn-up", deal.dealer, deal.stock[-1:]))


def draw(deal: SimulatedDeal, seat: Seat, kind: str = "draw", **more: object) -> int:
    """``seat`` draws; the cue."""
    card = deal.stock[-1]
    deal.unplayed.discard(seat)
    return deal.script.do(DrawGesture(seat), deal.act(kind, seat, (card,), **more))


def took(deal: SimulatedDeal, seat: Seat, cue: int) -> None:
    """``seat`` has begun its turn regularly with cue ``cue``: tell those who wait for it."""
    deal.taking = True
    deal.on_take = [waits for waits in deal.on_take if not waits(seat, cue)]


def collect(deal: SimulatedDeal, seat: Seat, leave: int = 0) -> int:
    """``seat`` takes the pile but for its ``leave`` lowest cards; a single one left is the discard (art. 9)."""
    pile = deal.pile
    deal.unplayed.discard(seat)
    deal.barred = face(pile[0]) if len(pile) == 1 else None
    acts = [deal.act("collect", seat, pile[leave:])]
    if leave == 1:
        acts.append(deal.act("discard", seat, pile[:1], left=True))
    return deal.script.do(CollectGesture(seat, leave), *acts)


def lay(deal: SimulatedDeal, seat: Seat, play: MeldPlay, through: Seat | None = None, *, at_once: bool = False) -> int:
    """``seat`` opens or extends a meld; ``through``: into whose hand it has passed the cards, to be laid.

    ``at_once``: it has just laid others, and its hand comes again without a pause.
    """
    row = deal.next_row if play.row is None else play.row
    kind = "open" if play.row is None else "extend"
    deal.next_row = max(deal.next_row, row + 1)
    action = ScriptAction(kind, seat, deal.number, deal.turn, play.cards, row, play.result.cards)
    if any(card not in deal.world.hands[seat] for card in play.cards):
        take_up(deal, seat, [card for card in play.cards if card not in deal.world.hands[seat]])
    cue = deal.script.do(LayGesture(seat, row, play.result.cards, through=through, at_once=at_once), action)
    deal.plays.append((seat, row, play.cards, deal.melds.get(row)))
    deal.melds[row] = play.result
    deal.lines.setdefault(row, deal.line_of(seat))
    deal.last_change[row] = (seat, cue)
    deal.changes[row, seat] = cue
    deal.unplayed.discard(seat)  # whenever it was laid: cards of the pot have been played
    _settled(deal, seat, play.cards)
    return cue


def take_up(deal: SimulatedDeal, seat: Seat, cards: Sequence[str]) -> int:
    """``seat`` takes its exposed ``cards`` back into its hand."""
    return deal.script.do(TakeUp(seat, tuple(cards)), deal.act("take-up", seat, cards))


def spoil(
    deal: SimulatedDeal,
    seat: Seat,
    cards: Sequence[str],
    row: int | None = None,
    result: Sequence[str] = (),
    seen: Sequence[str] = (),
) -> int:
    """``seat`` lays ``cards`` that make no meld as a new row, or into ``row``, which then reads ``result``.

    ``seen``: what of it shows, where a card lies hidden in it.
    """
    number = deal.next_row if row is None else row
    deal.next_row = max(deal.next_row, number + 1)
    reads = tuple(result or cards)
    action = deal.act("open" if row is None else "extend", seat, cards)
    action = replace(action, meld=number, row=tuple(seen) or reads)
    cue = deal.script.do(LayGesture(seat, number, reads), action)
    deal.lines.setdefault(number, deal.line_of(seat))
    deal.unplayed.discard(seat)
    _settled(deal, seat, cards)
    return cue


def discard(deal: SimulatedDeal, seat: Seat, card: str) -> int:
    """``seat`` discards ``card``."""
    straight = deal.staged and card in deal.world.sides[seat] and deal.rng.random() >= OVER_HAND
    if card not in deal.world.hands[seat] and not straight:
        take_up(deal, seat, (card,))
    cue = deal.last_discard = deal.script.do(DiscardGesture(seat, card), deal.act("discard", seat, (card,)))
    _settled(deal, seat, (card,))
    deal.barred = None
    return cue


def turn_shield(deal: SimulatedDeal, seat: Seat, pose: Literal["up", "over"]) -> int:
    """``seat`` turns its hand-shield, where players have such; the cue, or the newest one where they have none."""
    return deal.script.do(TurnShield(seat, pose)) if deal.customs.shields else len(deal.script.cues) - 1


def take_pot(deal: SimulatedDeal, seat: Seat, manner: str, *, alone: Seat | None = None, shown: bool = True) -> int:
    """Have an opponent hand ``seat`` the pot, which it has declared with its shield turned over.

    ``alone``: who of the line fetches it instead. ``shown`` False: the shield stays upright.
    """
    rng = deal.rng
    if rng.random() < 0.5:
        deal.script.do(Say(seat, "pot"))
    if shown:
        turn_shield(deal, seat, "over")
    giver = rng.choice(deal.opponents(seat))
    cards = deal.pots[0]
    deal.pot_taker[deal.line_of(seat)] = seat
    if manner == "discard":
        deal.unplayed.add(seat)
    cue = deal.script.do(take_pot_gesture(seat, alone or giver), deal.act("take-pot", seat, cards, manner=manner))
    if shown:
        turn_shield(deal, seat, "up")
    deal.on_pot = [waits for waits in deal.on_pot if not waits(seat, cue)]
    return cue


def _settled(deal: SimulatedDeal, seat: Seat, cards: Sequence[str]) -> None:
    for card in cards:
        deal.owed.get(seat, {}).pop(card, None)


def lay_wrongly(deal: SimulatedDeal, seat: Seat, wrong: MistakenMeld) -> tuple[int, int]:
    """``wrong`` is laid: its cue and its row."""
    number = deal.next_row if wrong.row is None else wrong.row
    cue = spoil(deal, seat, wrong.cards, wrong.row, wrong.result)
    if wrong.core is not None:
        deal.melds[number] = wrong.core
    deal.excess[number] = wrong.excess
    return cue, number
