"""Faults at the discard pile and in the order of a row (arts. 9 to 11); a partner who calls too early (21, 30)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.cards import face, rank, suit
from hw.seats import Seat
from hw.twin.gestures import Lay, Press, TakeFromPile, TakeFromRow
from table_service.rehearsal import wrong_melds
from table_service.rehearsal.deal import Deal, Limit
from table_service.rehearsal.fault import Kind, Moment, caller, drawn_variant, plays_of, settled
from table_service.rehearsal.oracle import is_wild, meld
from table_service.rehearsal.players import RANK_ORDER, choose_discard, may_discard

if TYPE_CHECKING:
    from table_service.rehearsal.director import Director

_RANKS: Final = ["JK", "2", "A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3"]


def _highest(cards: tuple[str, ...]) -> str:
    """The highest of ``cards`` by rank, then by suit (art. 1)."""
    return min(cards, key=lambda card: (RANK_ORDER.index(rank(card)), "HDCS".find(suit(card) or "H")))


def _leaves_several(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-09f: ``seat`` picks up the pile, leaves two or three cards of it and plays on (art. 9)."""
    rng = director.rng
    pile = deal.world.pile
    if not settled(deal, 12) or len(pile) < 5:
        return False
    leave = rng.choice([2, 2, 3])
    cue = deal.collect(seat, leave)
    deal.barred = None
    deal.took(seat, cue)
    director.script.wait(rng.uniform(1.0, 2.5))
    card = choose_discard(deal.view(seat), director.styles[seat], rng)
    discarded = deal.discard(seat, card)
    variant = drawn_variant(rng, ruled=2, play_goes_on=2)
    left = pile[:leave]
    deal.inject("F-09f", seat, variant, left, cue, discarded)
    if variant == "ruled":
        stays = _highest(left)
        back = (*(other for other in left if other != stays), card)
        deal.call(caller(deal, seat))
        deal.rule("F-09f", seat, "take-back;discard", back)
        director.script.do(TakeFromPile(seat, back), deal.act("take-up", seat, back))
    else:
        director.script.wait(rng.uniform(2.0, 4.0))
    return True


def _discards_sole_card(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-09g: ``seat`` picks up the sole card of the pile and discards it at once, holding no other like it (art. 9)."""
    rng = director.rng
    pile = deal.world.pile
    hand = deal.world.hands[seat]
    if not settled(deal, 8) or len(pile) != 1 or len(hand) < 4 or face(pile[0]) in map(face, hand):
        return False
    card = pile[0]
    cue = deal.collect(seat)
    deal.took(seat, cue)
    director.script.wait(rng.uniform(1.0, 4.0))
    discarded = deal.discard(seat, card)
    variant = drawn_variant(rng, ruled=3, play_goes_on=2)
    deal.inject("F-09g", seat, variant, (card,), discarded)
    if variant == "ruled":
        deal.call(caller(deal, seat))
        deal.rule("F-09g", seat, "take-back;discard", (card,))
        director.script.do(TakeFromPile(seat, (card,)), deal.act("take-up", seat, (card,)))
        deal.barred = face(card)
        view = deal.view(seat)
        deal.discard(seat, rng.choice([other for other in view.hand if may_discard(view, view.hand, other)]))
    else:
        director.script.wait(rng.uniform(2.0, 4.0))
    return True


def _discards_penalised_sole_card(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-09h: the sole card of the pile is added wrongly, penalised, and discarded at once (arts. 9, 25)."""
    rng = director.rng
    pile, hand = deal.world.pile, deal.world.hands[seat]
    if not settled(deal, 10) or len(pile) != 1 or len(hand) < 5 or face(pile[0]) in map(face, hand):
        return False
    wrongs = wrong_melds.additions(pile, dict(deal.view(seat).own))
    if not wrongs:
        return False
    wrong = rng.choice(wrongs)
    deal.took(seat, deal.collect(seat))
    number = wrong.row or 0
    cue = deal.spoil(seat, wrong.cards, number, wrong.result)
    deal.inject("F-29d", seat, "ruled", wrong.excess, cue, also=("F-25a",))
    deal.call(caller(deal, seat, seat))
    deal.rule("F-29d", seat, "penalise", wrong.excess, meld=number)
    deal.to_side(seat, number, wrong.excess, cue)
    discarded = deal.discard(seat, pile[0])
    deal.inject("F-09h", seat, "play-goes-on", pile, discarded)
    director.script.wait(rng.uniform(2.0, 4.0))
    return True


def _changes_wild(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-10a: ``seat`` takes the wild out of the middle of a run and lays another wild in its place (art. 10)."""
    rng = director.rng
    hand = deal.world.hands[seat]
    if not settled(deal, 12) or len(hand) < 5:
        return False
    rows = [(row, lying) for row, lying in deal.view(seat).own.items() if lying.kind == "run" and lying.inner]
    pairs = [
        (row, lying, card)
        for row, lying in rows
        for card in hand
        if is_wild(card) and suit(card) != suit(lying.naturals[0]) and lying.wild and face(card) != face(lying.wild)
    ]
    if not pairs:
        return False
    row, lying, card = rng.choice(pairs)
    wild = lying.wild or ""
    reads = tuple(card if other == wild else other for other in lying.cards)
    good = meld(reads)
    if good is None or good.cards != reads:
        return False
    taken = director.script.do(TakeFromRow(seat, row, (wild,)), deal.act("take-back", seat, (wild,), meld=row))
    cue = deal.spoil(seat, (card,), row, reads)
    deal.melds[row] = good
    same = ("F-12b", "F-29c", "F-29d", "F-25a")
    deal.inject("F-10a", seat, "play-goes-on", (wild, card), taken, cue, also=same)
    director.end_turn(deal, seat)
    return True


def _orders_in_partners_turn(director: Director, deal: Deal, seat: Seat) -> bool:
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
    deal.spoil(seat, play.cards, None, (*middle, low, high))
    deal.melds[number] = play.result
    deal.excess[number] = ()
    director.end_turn(deal, seat)

    def orders(who: Seat) -> None:
        cue = director.script.do(Lay(seat, number, play.result.cards), deal.act("order", seat, (), meld=number))
        deal.excess.pop(number)
        deal.inject("F-11b", seat, "ruled", (), cue)
        deal.call(caller(deal, seat, who))
        deal.rule("F-11b", seat, "warn;discard", ())

    director.plans[seat.partner] = orders
    return True


def _partner_calls(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-21a: the partner of the player in turn calls the arbitro before the discard (art. 21)."""
    if not settled(deal):
        return False
    script, rng = director.script, director.rng
    cue = script.do(Press(seat.partner, "referee"), deal.act("call", seat.partner))
    deal.inject("F-21a", seat.partner, "ruled", (), cue)
    script.wait(rng.uniform(6.0, 14.0))
    deal.rule("F-21a", seat.partner, "stop-play;warn")
    director.end_turn(deal, seat)
    return True


def _partner_notices(director: Director, deal: Deal, seat: Seat) -> bool:
    """F-30b: ``seat`` plays without having drawn, and its partner is the one who says so (arts. 22, 30)."""
    rng = director.rng
    plays = plays_of(deal, seat, 3) if settled(deal) else []
    if not plays:
        return False
    play = rng.choice(plays)
    row = deal.next_row if play.row is None else play.row
    cue = deal.lay(seat, play)
    called = deal.call(seat.partner)
    ruling = deal.rule("F-30b", seat, "draw-or-collect;discard;freeze", play.cards, meld=row, freeze="temporary")
    deal.inject("F-30b", seat, "ruled", play.cards, cue, ruling)
    deal.inject("F-21a", seat.partner, "ruled as F-30b", (), called, demanded=False)
    deal.freeze_undrawn(seat, row, play.cards)
    freezes = dict(deal.frozen)
    director.take(deal, seat, Limit("draw"))
    director.end_turn(deal, seat)
    deal.frozen = freezes
    return True


PILE_KINDS: Final = (
    Kind("F-09f", (Moment.INSTEAD_OF_TAKING,), _leaves_several, (4, 24)),
    Kind("F-09g", (Moment.INSTEAD_OF_TAKING,), _discards_sole_card, (0, 12)),
    Kind("F-09h", (Moment.INSTEAD_OF_TAKING,), _discards_penalised_sole_card, (3, 30)),
    Kind("F-10a", (Moment.BEFORE_DISCARD,), _changes_wild, (3, 20)),
    Kind("F-11b", (Moment.BEFORE_DISCARD,), _orders_in_partners_turn, (0, 12), lead=2),
    Kind("F-21a", (Moment.BEFORE_DISCARD,), _partner_calls),
    Kind("F-30b", (Moment.INSTEAD_OF_TAKING,), _partner_notices, (1, 14)),
)
