"""Moves that the common online rules do not have, made at a table: each is taken back (seeds 002)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.cards import face
from hw.seats import Seat
from hw.twin.gestures import PutBack, ReturnGesture, TakeFromPile, TakeFromRow
from table_service.games.burraco.rehearsal import arbitro_acts, mending, mistaken_melds, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    keeps_order,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.faults_feburit_deal import pots_uneven
from table_service.games.burraco.rehearsal.faults_on_theirs import added_to_theirs
from table_service.games.burraco.rehearsal.faults_online_close import ONLINE_CLOSE_KINDS
from table_service.games.burraco.rehearsal.faults_pile import changed_wilds, exchange_wild
from table_service.games.burraco.rehearsal.faults_second_discard import second_discard
from table_service.games.burraco.rehearsal.oracle import is_wild, meld
from table_service.games.burraco.rehearsal.players import choose_discard, openings
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_TIME: Final = 66.0
"""Seconds after which the minute of an action is over, whatever was told late."""
_MANY: Final = 4
"""With fewer cards nobody is bothered with a fault: he may be about to go out."""


def _calm(deal: SimulatedDeal) -> bool:
    return settled(deal, 12) and all(len(deal.world.hands[seat]) >= _MANY for seat in deal.world.hands)


def _is_called(
    director: Director,
    deal: SimulatedDeal,
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
    arbitro_acts.call(deal, caller(deal, seat))
    if variant == "dismissed":
        arbitro_acts.dismiss(deal, row, seat)
        return False
    arbitro_acts.rule(deal, row, seat, "take-back", cards, **({"option": option} if option else {}))
    return True


def _takes_out_of_turn(way: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-20: another one than ``seat`` draws, or takes the pile."""
    pile = deal.pile
    if not _calm(deal) or (way == "collects" and not pile):
        return False
    others = deal.around(seat) if deal.turn else deal.around(seat)[:2]
    offender = director.rng.choice(others)
    if way == "collects":
        cue = scripted_acts.collect(deal, offender)
        deal.barred = None
        if _is_called(director, deal, "O-20", offender, pile, cue, option="collect"):
            director.script.do(ReturnGesture(offender, pile), deal.act("return-to-pile", offender, pile))
        return True
    card = deal.stock[-1]
    cue = scripted_acts.draw(deal, offender, "draw", out_of_turn=True)
    if _is_called(director, deal, "O-20", offender, (card,), cue, option="draw"):
        director.script.do(PutBack(offender, card), deal.act("return-to-stock", offender, (card,)))
    return True


def _draws_again(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-21: ``seat`` draws a second card."""
    if not _calm(deal):
        return False
    scripted_acts.took(deal, seat, scripted_acts.draw(deal, seat))
    card = deal.stock[-1]
    cue = scripted_acts.draw(deal, seat, "draw", again=True)
    if _is_called(director, deal, "O-21", seat, (card,), cue, option="draw"):
        director.script.do(PutBack(seat, card), deal.act("return-to-stock", seat, (card,)))
    turns.play_cards(director, deal, seat)
    if deal.over is None and deal.turn_open:
        turns.end_turn(director, deal, seat)
    return True


def _lays_out_of_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-32: another one than ``seat`` opens or adds."""
    offender = director.rng.choice(deal.around(seat)[:2])
    plays = [play for play in plays_of(deal, offender, _MANY) if keeps_order(deal.melds, play)] if _calm(deal) else []
    if not plays:
        return False
    play = director.rng.choice(plays)
    cue = scripted_acts.lay(deal, offender, play)
    if _is_called(director, deal, "O-32", offender, play.cards, cue):
        mending.take_back(deal, offender)
    return True


def _lays_wrongly(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-23: a meld that is none, or a card where it does not belong."""
    hand, own = tuple(deal.world.hands[seat]), dict(deal.view(seat).own)
    found = [*mistaken_melds.openings(hand, wild=False), *mistaken_melds.additions(hand, own)]
    found = [one for one in found if len(hand) - len(one.cards) >= _MANY]
    if not found or not _calm(deal):
        return False
    wrong = director.rng.choice(found)
    number = deal.next_row if wrong.row is None else wrong.row
    cue = scripted_acts.spoil(deal, seat, wrong.cards, wrong.row, wrong.result)
    _is_called(director, deal, "O-23", seat, wrong.cards, cue, always=True)
    director.script.do(TakeFromRow(seat, number, wrong.cards), deal.act("take-back", seat, wrong.cards, meld=number))
    turns.end_turn(director, deal, seat)
    return True


def _second_set(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
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
    cue = scripted_acts.spoil(deal, seat, fresh.cards, None, fresh.cards)
    _is_called(director, deal, "O-24", seat, fresh.cards, cue, always=True)
    director.script.do(TakeFromRow(seat, number, fresh.cards), deal.act("take-back", seat, fresh.cards, meld=number))
    turns.end_turn(director, deal, seat)
    return True


def _plays_without_drawing(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-22: ``seat`` opens or adds before it has drawn or picked up."""
    plays = [play for play in plays_of(deal, seat, deal.spare) if keeps_order(deal.melds, play)]
    if not _calm(deal) or not plays:
        return False
    play = director.rng.choice(plays)
    cue = scripted_acts.lay(deal, seat, play)
    _is_called(director, deal, "O-22", seat, play.cards, cue, always=True)
    mending.take_back(deal, seat)
    _plays_its_turn(director, deal, seat)
    return True


def _plays_its_turn(director: Director, deal: SimulatedDeal, seat: Seat) -> None:
    """Have ``seat`` take, play and discard, as it should have done at once."""
    if turns.draw_or_collect(director, deal, seat, None):
        return
    turns.play_cards(director, deal, seat)
    if deal.over is None and deal.turn_open:
        turns.end_turn(director, deal, seat)


def _discards_without_drawing(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-22: ``seat`` discards and has taken nothing."""
    if not _calm(deal):
        return False
    card = choose_discard(deal.view(seat), director.styles[seat], director.rng)
    cue = scripted_acts.discard(deal, seat, card)
    _is_called(director, deal, "O-22", seat, (card,), cue, always=True)
    director.script.do(TakeFromPile(seat, (card,)), deal.act("take-up", seat, (card,)))
    _plays_its_turn(director, deal, seat)
    return True


def _changes_wild(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-25: ``seat`` takes the wild out of the middle of a run and lays another one in its place."""
    found = changed_wilds(deal, seat) if _calm(deal) else []
    if not found:
        return False
    row, _, (wild, card), taken, cue = exchange_wild(director, deal, seat, found)
    was = deal.melds[row]
    deal.inject("O-25", seat, "ruled", (wild, card), taken, cue, also=("O-23",))
    arbitro_acts.call(deal, caller(deal, seat, seat))
    arbitro_acts.rule(deal, "O-25", seat, "take-back", (card,), meld=row)
    director.script.do(TakeFromRow(seat, row, (card,)), deal.act("take-back", seat, (card,), meld=row))
    scripted_acts.spoil(deal, seat, (wild,), row, was.cards)
    turns.end_turn(director, deal, seat)
    return True


def _discards_sole_card(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-27: ``seat`` picks up the only card of the pile and discards it, holding no other like it."""
    pile, hand = deal.pile, deal.world.hands[seat]
    if not _calm(deal) or len(pile) != 1 or face(pile[0]) in map(face, hand):
        return False
    card = pile[0]
    scripted_acts.took(deal, seat, scripted_acts.collect(deal, seat))
    director.script.wait(director.rng.uniform(1.0, 4.0))
    cue = scripted_acts.discard(deal, seat, card)
    if _is_called(director, deal, "O-27", seat, (card,), cue):
        director.script.do(TakeFromPile(seat, (card,)), deal.act("take-up", seat, (card,)))
        deal.barred = face(card)
        turns.end_turn(director, deal, seat)
    return True


def _takes_part_of_pile(leaves: tuple[int, ...], director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-28: ``seat`` picks up the pile but for some of its cards, as many as one of ``leaves``, and lays cards."""
    rng, pile = director.rng, deal.pile
    if not _calm(deal) or len(pile) < 5:
        return False
    leave = rng.choice(leaves)
    view = deal.view(seat)
    hand = (*view.hand, *pile[leave:])
    plays = [play for play in openings(hand, view) if len(hand) - len(play.cards) >= _MANY]
    if not plays:
        return False
    cue = scripted_acts.collect(deal, seat, leave)
    deal.barred = None
    scripted_acts.took(deal, seat, cue)
    director.script.wait(rng.uniform(1.0, 2.5))
    laid = scripted_acts.lay(deal, seat, rng.choice(plays))
    deal.inject("O-28", seat, "ruled", pile[:leave], cue, laid)
    arbitro_acts.call(deal, caller(deal, seat, seat))
    taken = pile[leave:]
    arbitro_acts.rule(deal, "O-28", seat, "take-back", taken)
    mending.take_back(deal, seat)
    director.script.do(ReturnGesture(seat, taken), deal.act("return-to-pile", seat, taken))
    _plays_its_turn(director, deal, seat)
    return True


def _is_too_slow(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-31: ``seat`` lets its minute run out; nothing happens by itself, and it plays then."""
    if not settled(deal, 4):
        return False
    director.script.wait(director.rng.uniform(_TIME, _TIME + 30.0))
    cue = len(director.script.cues) - 1
    deal.inject("O-31", seat, "plays then", (), cue)
    return True


ONLINE_KINDS: Final = {
    kind.name: kind
    for kind in (
        DealFaultKind("O-20", (DealMoment.BEFORE_TURN,), partial(_takes_out_of_turn, "draws")),
        DealFaultKind("O-20", (DealMoment.BEFORE_TURN,), partial(_takes_out_of_turn, "collects"), way="collects"),
        DealFaultKind("O-21", (DealMoment.INSTEAD_OF_TAKING,), _draws_again, (1, 16)),
        DealFaultKind("O-22", (DealMoment.INSTEAD_OF_TAKING,), _plays_without_drawing, (1, 14)),
        DealFaultKind("O-22", (DealMoment.INSTEAD_OF_TAKING,), _discards_without_drawing, (1, 14), way="discards"),
        DealFaultKind("O-23", (DealMoment.BEFORE_DISCARD,), _lays_wrongly, (0, 14)),
        DealFaultKind("O-24", (DealMoment.BEFORE_DISCARD,), _second_set, (0, 14)),
        DealFaultKind("O-25", (DealMoment.BEFORE_DISCARD,), _changes_wild, (3, 20)),
        added_to_theirs("O-26"),
        DealFaultKind("O-27", (DealMoment.INSTEAD_OF_TAKING,), _discards_sole_card, (0, 12)),
        DealFaultKind("O-28", (DealMoment.INSTEAD_OF_TAKING,), partial(_takes_part_of_pile, (2, 2, 3)), (4, 24)),
        *ONLINE_CLOSE_KINDS,
        DealFaultKind("O-31", (DealMoment.BEFORE_TURN,), _is_too_slow, (0, 16)),
        DealFaultKind("O-32", (DealMoment.BEFORE_TURN,), _lays_out_of_turn, (0, 14)),
        second_discard("O-32", way="discards"),
        DealFaultKind("O-N1", (DealMoment.SET_UP,), partial(pots_uneven, "O-N1", (10, 12), 0.0), (0, 0)),
        DealFaultKind(
            "O-28", (DealMoment.INSTEAD_OF_TAKING,), partial(_takes_part_of_pile, (1,)), (4, 24), way="but-one"
        ),
    )
}
"""The rows that are staged under this code."""
ONLINE_REMEDIES: Final[dict[str, tuple[str, ...]]] = {
    **{kind.row: ("take-back",) for kind in ONLINE_KINDS.values()},
    "O-31": ("nothing",),
    "O-N1": ("referee",),
}
"""The text has every such move undone, and no penalty; whose time has run out is told so, and nothing else."""
