"""Moves that the common online rules do not have, made at a table: each is taken back (seeds 002)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import PutBack, ReturnToPile, TakeFromRow
from table_service.games.burraco.rehearsal import acts, arbitro, mending, turns, wrong_melds
from table_service.games.burraco.rehearsal.deal import Deal
from table_service.games.burraco.rehearsal.fault import (
    Kind,
    Moment,
    caller,
    drawn_variant,
    keeps_order,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.oracle import is_wild, meld

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_MANY: Final = 4
"""With fewer cards nobody is bothered with a fault: he may be about to go out."""


def _calm(deal: Deal) -> bool:
    return settled(deal, 12) and all(len(deal.world.hands[seat]) >= _MANY for seat in deal.world.hands)


def _is_called(
    director: Director,
    deal: Deal,
    row: str,
    seat: Seat,
    cards: tuple[str, ...],
    cue: int,
    *,
    always: bool = False,
    option: str = "",
) -> bool:
    """Write the fault down; whether the arbitro is called and has the move taken back, which ``always`` he does."""
    variant = "ruled" if always else drawn_variant(director.rng, ruled=6, play_goes_on=3, dismissed=1)
    deal.inject(row, seat, variant, cards, cue)
    if variant == "play-goes-on":
        director.script.wait(director.rng.uniform(2.5, 6.0))
        return False
    arbitro.call(deal, caller(deal, seat))
    if variant == "dismissed":
        arbitro.dismiss(deal, row, seat)
        return False
    arbitro.rule(deal, row, seat, "take-back", cards, **({"option": option} if option else {}))
    return True


def _takes_out_of_turn(way: str, director: Director, deal: Deal, seat: Seat) -> bool:
    """O-20: another one than ``seat`` draws, or takes the pile."""
    pile = deal.pile
    if not _calm(deal) or (way == "collects" and not pile):
        return False
    others = deal.around(seat) if deal.turn else deal.around(seat)[:2]
    offender = director.rng.choice(others)
    if way == "collects":
        cue = acts.collect(deal, offender)
        deal.barred = None
        if _is_called(director, deal, "O-20", offender, pile, cue, option="collect"):
            director.script.do(ReturnToPile(offender, pile), deal.act("return-to-pile", offender, pile))
        return True
    card = deal.stock[-1]
    cue = acts.draw(deal, offender, "draw", out_of_turn=True)
    if _is_called(director, deal, "O-20", offender, (card,), cue, option="draw"):
        director.script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
    return True


def _draws_again(director: Director, deal: Deal, seat: Seat) -> bool:
    """O-21: ``seat`` draws a second card."""
    if not _calm(deal):
        return False
    acts.took(deal, seat, acts.draw(deal, seat))
    card = deal.stock[-1]
    cue = acts.draw(deal, seat, "draw", again=True)
    if _is_called(director, deal, "O-21", seat, (card,), cue, option="draw"):
        director.script.do(PutBack(seat, card), deal.act("return-to-stock", seat, (card,)))
    turns.play_cards(director, deal, seat)
    if deal.over is None and deal.turn_open:
        turns.end_turn(director, deal, seat)
    return True


def _lays_out_of_turn(director: Director, deal: Deal, seat: Seat) -> bool:
    """O-32: another one than ``seat`` opens or adds."""
    offender = director.rng.choice(deal.around(seat)[:2])
    plays = [play for play in plays_of(deal, offender, _MANY) if keeps_order(deal.melds, play)] if _calm(deal) else []
    if not plays:
        return False
    play = director.rng.choice(plays)
    cue = acts.lay(deal, offender, play)
    if _is_called(director, deal, "O-32", offender, play.cards, cue):
        mending.take_back(deal, offender)
    return True


def _lays_wrongly(director: Director, deal: Deal, seat: Seat) -> bool:
    """O-23: a meld that is none, or a card where it does not belong."""
    hand, own = tuple(deal.world.hands[seat]), dict(deal.view(seat).own)
    found = [*wrong_melds.openings(hand, wild=False), *wrong_melds.additions(hand, own)]
    found = [one for one in found if len(hand) - len(one.cards) >= _MANY]
    if not found or not _calm(deal):
        return False
    wrong = director.rng.choice(found)
    number = deal.next_row if wrong.row is None else wrong.row
    cue = acts.spoil(deal, seat, wrong.cards, wrong.row, wrong.result)
    _is_called(director, deal, "O-23", seat, wrong.cards, cue, always=True)
    director.script.do(TakeFromRow(seat, number, wrong.cards), deal.act("take-back", seat, wrong.cards, meld=number))
    turns.end_turn(director, deal, seat)
    return True


def _second_set(director: Director, deal: Deal, seat: Seat) -> bool:
    """O-24: ``seat`` opens a set of which its line has one."""
    hand = deal.world.hands[seat]
    found = []
    for lying in deal.rows(deal.line_of(seat)).values():
        same = [card for card in hand if card[0] == lying.cards[-1][0] and not is_wild(card)]
        fresh = meld(same) if lying.kind == "set" and len(same) >= 3 else None
        if fresh is not None and fresh.kind == "set" and len(hand) - len(same) >= _MANY:
            found.append(fresh)
    if not found or not _calm(deal):
        return False
    fresh = director.rng.choice(found)
    number = deal.next_row
    cue = acts.spoil(deal, seat, fresh.cards, None, fresh.cards)
    _is_called(director, deal, "O-24", seat, fresh.cards, cue, always=True)
    director.script.do(TakeFromRow(seat, number, fresh.cards), deal.act("take-back", seat, fresh.cards, meld=number))
    turns.end_turn(director, deal, seat)
    return True


ONLINE_KINDS: Final = {
    kind.name: kind
    for kind in (
        Kind("O-20", (Moment.BEFORE_TURN,), partial(_takes_out_of_turn, "draws")),
        Kind("O-20", (Moment.BEFORE_TURN,), partial(_takes_out_of_turn, "collects"), way="collects"),
        Kind("O-21", (Moment.INSTEAD_OF_TAKING,), _draws_again, (1, 16)),
        Kind("O-23", (Moment.BEFORE_DISCARD,), _lays_wrongly, (0, 14)),
        Kind("O-24", (Moment.BEFORE_DISCARD,), _second_set, (0, 14)),
        Kind("O-32", (Moment.BEFORE_TURN,), _lays_out_of_turn, (0, 14)),
    )
}
"""The rows that are staged under this code."""
ONLINE_REMEDIES: Final[dict[str, tuple[str, ...]]] = {kind.row: ("take-back",) for kind in ONLINE_KINDS.values()}
"""The text has every such move undone, and no penalty."""
