"""Faults at the discard pile and in the order of a row (arts. 9 to 11); a partner who calls too early (21, 30)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from hw.cards import face, rank, suit
from hw.seats import Seat
from hw.twin.gestures import LayGesture, Press, TakeFromPile, TakeFromRow
from table_service.games.burraco.rehearsal import arbitro_acts, mending, mistaken_melds, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.oracle import OracleMeld, is_wild, meld
from table_service.games.burraco.rehearsal.players import RANK_ORDER, choose_discard, may_discard
from table_service.games.burraco.rehearsal.simulated_deal import Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_RANKS: Final = ["JK", "2", "A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3"]


def _highest(cards: tuple[str, ...]) -> str:
    """Return the highest of ``cards`` by rank, then by suit (art. 1)."""
    return min(cards, key=lambda card: (RANK_ORDER.index(rank(card)), "HDCS".find(suit(card) or "H")))


def _leaves_several(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-09f: ``seat`` picks up the pile, leaves two or three cards of it and plays on (art. 9)."""
    rng = director.rng
    pile = deal.pile
    if not settled(deal, 12) or len(pile) < 5:
        return False
    leave = rng.choice([2, 2, 3])
    cue = scripted_acts.collect(deal, seat, leave)
    deal.barred = None
    scripted_acts.took(deal, seat, cue)
    director.script.wait(rng.uniform(1.0, 2.5))
    card = choose_discard(deal.view(seat), director.styles[seat], rng)
    discarded = scripted_acts.discard(deal, seat, card)
    variant = drawn_variant(rng, ruled=2, play_goes_on=2)
    left = pile[:leave]
    deal.inject("F-09f", seat, variant, left, cue, discarded)
    if variant == "ruled":
        stays = _highest(left)
        back = (*(other for other in left if other != stays), card)
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-09f", seat, "take-back;discard", back)
        director.script.do(TakeFromPile(seat, back), deal.act("take-up", seat, back))
    else:
        director.script.wait(rng.uniform(2.0, 4.0))
    return True


def _discards_sole_card(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-09g: ``seat`` picks up the sole card of the pile and discards it at once, holding no other like it (art. 9)."""
    rng = director.rng
    pile = deal.pile
    hand = deal.world.hands[seat]
    if not settled(deal, 8) or len(pile) != 1 or len(hand) < 4 or face(pile[0]) in map(face, hand):
        return False
    card = pile[0]
    cue = scripted_acts.collect(deal, seat)
    scripted_acts.took(deal, seat, cue)
    director.script.wait(rng.uniform(1.0, 4.0))
    discarded = scripted_acts.discard(deal, seat, card)
    variant = drawn_variant(rng, ruled=3, play_goes_on=2)
    deal.inject("F-09g", seat, variant, (card,), discarded)
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-09g", seat, "take-back;discard", (card,))
        discard_another(director, deal, seat, card)
    else:
        director.script.wait(rng.uniform(2.0, 4.0))
    return True


def _discards_penalised_sole_card(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-09h: the sole card of the pile is added wrongly, penalised, and discarded at once (arts. 9, 25)."""
    rng = director.rng
    pile, hand = deal.pile, deal.world.hands[seat]
    if not settled(deal, 10) or len(pile) != 1 or len(hand) < 5 or face(pile[0]) in map(face, hand):
        return False
    wrongs = mistaken_melds.additions(pile, dict(deal.view(seat).own))
    if not wrongs:
        return False
    wrong = rng.choice(wrongs)
    scripted_acts.took(deal, seat, scripted_acts.collect(deal, seat))
    number = wrong.row or 0
    cue = scripted_acts.spoil(deal, seat, wrong.cards, number, wrong.result)
    deal.inject("F-29d", seat, "ruled", wrong.excess, cue, also=("F-25a",))
    arbitro_acts.call(deal, caller(deal, seat, seat))
    arbitro_acts.rule(deal, "F-29d", seat, "penalise", wrong.excess, meld=number)
    mending.to_side(deal, seat, number, wrong.excess, cue)
    discarded = scripted_acts.discard(deal, seat, pile[0])
    deal.inject("F-09h", seat, "play-goes-on", pile, discarded)
    director.script.wait(rng.uniform(2.0, 4.0))
    return True


def changed_wilds(deal: SimulatedDeal, seat: Seat) -> list[tuple[int, str, str, OracleMeld]]:
    """Return the runs of ``seat``'s line whose inner wild its hand could replace: row, wild, card, what it reads."""
    wilds = [card for card in deal.world.hands[seat] if is_wild(card)]
    found = []
    for row, lying in deal.view(seat).own.items():
        if lying.kind != "run" or not lying.inner or lying.wild is None:
            continue
        for card in wilds:
            good = _with_another(lying, lying.wild, card)
            if good is not None:
                found.append((row, lying.wild, card, good))
    return found


def _with_another(run: OracleMeld, wild: str, card: str) -> OracleMeld | None:
    """``run`` with ``card`` where its ``wild`` lies; None where it would read otherwise, or no other."""
    if suit(card) == suit(run.naturals[0]) or face(card) == face(wild):
        return None
    reads = tuple(card if other == wild else other for other in run.cards)
    good = meld(reads)
    return good if good is not None and good.cards == reads else None


def exchange_wild(
    director: Director, deal: SimulatedDeal, seat: Seat, found: Sequence[tuple[int, str, str, OracleMeld]]
) -> tuple[int, OracleMeld, tuple[str, str], int, int]:
    """``seat`` lays another wild for one of those ``found`` (``changed_wilds``).

    Row, what it then reads, the wild taken and the one laid, and the cues of both.
    """
    row, wild, card, good = director.rng.choice(found)
    taken = director.script.do(TakeFromRow(seat, row, (wild,)), deal.act("take-back", seat, (wild,), meld=row))
    return row, good, (wild, card), taken, scripted_acts.spoil(deal, seat, (card,), row, good.cards)


def discard_another(director: Director, deal: SimulatedDeal, seat: Seat, card: str) -> None:
    """Have ``seat`` take up ``card`` by the ruling, which it may not discard, and discard another."""
    director.script.do(TakeFromPile(seat, (card,)), deal.act("take-up", seat, (card,)))
    deal.barred = face(card)
    view = deal.view(seat)
    scripted_acts.discard(
        deal, seat, director.rng.choice([one for one in view.hand if may_discard(view, view.hand, one)])
    )


def _changes_wild(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-10a: ``seat`` takes the wild out of the middle of a run and lays another wild in its place (art. 10)."""
    if not settled(deal, 12) or len(deal.world.hands[seat]) < 5:
        return False
    found = changed_wilds(deal, seat)
    if not found:
        return False
    row, good, both, taken, cue = exchange_wild(director, deal, seat, found)
    deal.melds[row] = good
    same = ("F-12b", "F-29c", "F-29d", "F-25a")
    deal.inject("F-10a", seat, "play-goes-on", both, taken, cue, also=same)
    turns.end_turn(director, deal, seat)
    return True


def _orders_in_partners_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-11b: ``seat`` lays a run in disorder, and puts it in order while its partner plays (art. 11)."""
    rng = director.rng
    plays = [
        play
        for play in plays_of(deal, seat, 5)
        if play.row is None and play.result.kind == "run" and play.result.wild is None
    ]
    if not settled(deal, 14) or not plays:
        return False
    play = rng.choice(plays)
    number = deal.next_row
    low, *middle, high = play.result.cards
    scripted_acts.spoil(deal, seat, play.cards, None, (*middle, low, high))
    deal.melds[number] = play.result
    deal.excess[number] = ()
    turns.end_turn(director, deal, seat)

    def orders(who: Seat) -> None:
        cue = director.script.do(LayGesture(seat, number, play.result.cards), deal.act("order", seat, (), meld=number))
        deal.excess.pop(number)
        deal.inject("F-11b", seat, "ruled", (), cue)
        arbitro_acts.call(deal, caller(deal, seat, who))
        arbitro_acts.rule(deal, "F-11b", seat, "warn;discard", ())

    director.plans[seat.partner] = orders
    return True


def _partner_calls(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-21a: the partner of the player in turn calls the arbitro before the discard (art. 21)."""
    if not settled(deal):
        return False
    script, rng = director.script, director.rng
    cue = script.do(Press(seat.partner, "referee"), deal.act("call", seat.partner))
    deal.inject("F-21a", seat.partner, "ruled", (), cue)
    script.wait(rng.uniform(6.0, 14.0))
    arbitro_acts.rule(deal, "F-21a", seat.partner, "stop-play;warn")
    turns.end_turn(director, deal, seat)
    return True


def _partner_notices(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-30b: ``seat`` plays without having drawn, and its partner is the one who says so (arts. 22, 30)."""
    rng = director.rng
    plays = plays_of(deal, seat, 3) if settled(deal) else []
    if not plays:
        return False
    play = rng.choice(plays)
    row = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, seat, play)
    called = arbitro_acts.call(deal, seat.partner)
    ruling = arbitro_acts.rule(
        deal, "F-30b", seat, "draw-or-collect;discard;freeze", play.cards, meld=row, freeze="temporary"
    )
    deal.inject("F-30b", seat, "ruled", play.cards, cue, ruling)
    deal.inject("F-21a", seat.partner, "ruled as F-30b", (), called, demanded=False)
    mending.freeze_undrawn(deal, seat, row, play.cards)
    freezes = dict(deal.frozen)
    turns.draw_or_collect(director, deal, seat, Limit("draw"))
    turns.end_turn(director, deal, seat)
    deal.frozen = freezes
    return True


PILE_KINDS: Final = (
    DealFaultKind("F-09f", (DealMoment.INSTEAD_OF_TAKING,), _leaves_several, (4, 24)),
    DealFaultKind("F-09g", (DealMoment.INSTEAD_OF_TAKING,), _discards_sole_card, (0, 12)),
    DealFaultKind("F-09h", (DealMoment.INSTEAD_OF_TAKING,), _discards_penalised_sole_card, (3, 30)),
    DealFaultKind("F-10a", (DealMoment.BEFORE_DISCARD,), _changes_wild, (3, 20)),
    DealFaultKind("F-11b", (DealMoment.BEFORE_DISCARD,), _orders_in_partners_turn, (0, 12), lead=2),
    DealFaultKind("F-21a", (DealMoment.BEFORE_DISCARD,), _partner_calls),
    DealFaultKind("F-30b", (DealMoment.INSTEAD_OF_TAKING,), _partner_notices, (1, 14)),
)
