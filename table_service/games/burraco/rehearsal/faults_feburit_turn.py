"""Faults in and about a turn by the FE.BUR.IT code: after the discard, at the pile, with a pot taken in flight.

Seeds 001, arts. 6, 11, 14 and 16.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.cards import face
from hw.seats import Seat
from hw.twin.gestures import (
    LayGesture,
    Press,
    PutAside,
    PutBack,
    ReturnGesture,
    TakeFromPile,
    TakeFromRow,
)
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.after_fault import (
    is_calm,
    is_ruled,
    limit_next_turn,
    what_follows,
    wrong_lays,
)
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    keeps_order,
    plays_of,
)
from table_service.games.burraco.rehearsal.faults_pile import changed_wilds, discard_another, exchange_wild
from table_service.games.burraco.rehearsal.faults_second_discard import second_discard
from table_service.games.burraco.rehearsal.oracle import extend, meld, points
from table_service.games.burraco.rehearsal.players import MeldPlay, may_discard, openings
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


# -- after the discard ----------


def _discards_another(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-11a: a card of ``seat`` is penalised, and it discards another one; that is taken back and penalised too."""
    wrongs = [one for row in ("B-10k", "B-10l") for one in wrong_lays(row, deal, seat)] if is_calm(deal, 24) else []
    if not wrongs or len(deal.world.hands[seat]) < deal.spare + 2:
        return False
    script, wrong = director.script, director.rng.choice(wrongs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    deal.inject("B-10l", seat, "ruled", wrong.cards, cue, also=("B-10j", "B-10k"))
    arbitro_acts.call(deal, caller(deal, seat, seat))
    arbitro_acts.rule(deal, "B-10l", seat, "penalise", wrong.excess, meld=number)
    mending.to_side(deal, seat, number, wrong.excess, cue)
    deal.may_not_close |= {seat, seat.partner}
    view = deal.view(seat)
    others = [card for card in deal.world.hands[seat] if may_discard(view, view.hand, card)]
    if not others:
        return False
    card = director.rng.choice(others)
    shown = scripted_acts.discard(deal, seat, card)
    deal.inject("B-11a", seat, "ruled", (card,), shown)
    deal.kept("B-10l", seat, "broken", shown, "discard")
    arbitro_acts.call(deal, caller(deal, seat))
    arbitro_acts.rule(deal, "B-11a", seat, "take-back;discard", (card,))
    script.do(TakeFromPile(seat, (card,)), deal.act("take-up", seat, (card,)))
    script.do(PutAside(seat, (card,)), deal.act("penalise", seat, (card,)))
    scripted_acts.discard(deal, seat, wrong.excess[0])
    deal.owed[seat] = {card: shown}
    return True


def _orders_for_the_pile(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-11e: ``seat`` lays a run in disorder and puts it right as its partner is to play: a card of the pile fits."""
    plays = [play for play in plays_of(deal, seat, 5) if play.row is None and play.result.kind == "run"]
    plays = [play for play in plays if play.result.wild is None]
    if not is_calm(deal, 14) or not plays:
        return False
    play = director.rng.choice(plays)
    number = deal.next_row
    low, *middle, high = play.result.cards
    scripted_acts.spoil(deal, seat, play.cards, None, (*middle, low, high))
    deal.melds[number], deal.excess[number] = play.result, ()
    turns.end_turn(director, deal, seat)

    def orders(who: Seat) -> None:
        useful = [card for card in deal.pile if extend(play.result, (card,)) is not None]
        if who is not seat.partner or not useful:
            return
        director.script.wait(director.rng.uniform(1.0, 2.0))
        cue = director.script.do(LayGesture(seat, number, play.result.cards), deal.act("order", seat, (), meld=number))
        deal.excess.pop(number)
        deal.inject("B-11e", seat, "ruled", (), cue)
        arbitro_acts.call(deal, caller(deal, seat, who))
        arbitro_acts.rule(deal, "B-11e", seat, "referee", useful, meld=number)
        deal.excess[number] = ()  # nobody adds to it any more: which card came from where nobody remembers

    director.put_off(deal, deal.turn + 1, orders)
    return True


def _changes_wild(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-07b: ``seat`` takes the wild out of the middle of a run and lays another one in its place; nobody calls."""
    found = changed_wilds(deal, seat) if is_calm(deal) else []
    if not found:
        return False
    row, good, both, taken, cue = exchange_wild(director, deal, seat, found)
    deal.melds[row] = good
    deal.inject("B-07b", seat, "play-goes-on", both, taken, cue, also=("B-10j", "B-10k"))
    turns.end_turn(director, deal, seat)
    return True


def _plays_on_after_wrong_addition(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-10n: ``seat`` adds wrongly and then lays others; nobody calls before the discard (then it is B-10m)."""
    wrongs = [one for row in ("B-10k", "B-10l") for one in wrong_lays(row, deal, seat)] if is_calm(deal, 20) else []
    pairs = [
        (wrong, play)
        for wrong in wrongs
        for play in plays_of(deal, seat, deal.spare + 1)
        if play.row != wrong.row and not set(wrong.cards) & set(play.cards)
    ]
    if not pairs:
        return False
    wrong, play = director.rng.choice(pairs)
    cue, number = scripted_acts.lay_wrongly(deal, seat, wrong)
    director.script.wait(director.rng.uniform(1.5, 4.0))
    laid = scripted_acts.lay(deal, seat, play)
    deal.inject("B-10n", seat, "found later", wrong.cards, cue, laid)
    director.script.wait(director.rng.uniform(2.0, 4.0))
    turns.end_turn(director, deal, seat)

    def ruled(_who: Seat) -> None:
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "B-10m", seat, "freeze;score", wrong.excess, meld=number, freeze="definitive")
        deal.frozen[number] = Freeze(None)

    director.put_off(deal, deal.turn, ruled)
    return True


# -- art. 14 ----------


def _plays_after_call(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14e: the arbitro has been called, and ``seat``, in turn, lays cards before he has come."""
    plays = [play for play in plays_of(deal, seat, deal.spare) if keeps_order(deal.melds, play)]
    if not is_calm(deal, 16) or not plays:
        return False
    rng, script, play = director.rng, director.script, director.rng.choice(plays)
    caller_ = caller(deal, seat)
    script.wait(rng.uniform(1.0, 3.0))
    script.do(Press(caller_, "referee"), deal.act("call", caller_))
    script.wait(rng.uniform(3.5, 6.0))
    number = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, seat, play)
    deal.inject("B-14e", seat, "ruled", play.cards, cue)
    script.wait(rng.uniform(5.0, 9.0))
    arbitro_acts.rule(deal, "B-14e", seat, "penalise;discard", play.cards, meld=number)
    cards = mending.take_aside(deal, seat)
    deal.owed[seat] = dict.fromkeys(cards, cue)
    deal.may_not_close |= {seat, seat.partner}
    turns.end_turn(director, deal, seat)
    return True


def _takes_with_pot(way: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14f: ``seat`` has taken its pot in flight, and draws or picks up once more before it plays it."""
    pile = deal.pile
    if not is_calm(deal) or (way == "collect" and not pile):
        return False
    cards, cue = _takes_again(deal, seat, way)
    variant = drawn_variant(director.rng, ruled=3, play_goes_on=1)
    deal.inject("B-14f", seat, variant, cards, cue, also=("B-14g",) if variant == "play-goes-on" else ())
    if is_ruled(deal, "B-14f", seat, variant, seat):
        arbitro_acts.rule(deal, "B-14f", seat, "return-to-stock;limit-turn", cards, option=way)
        _goes_back(director, deal, seat, way, cards)
        deal.may_not_close |= {seat, seat.partner}
    else:
        director.script.wait(director.rng.uniform(1.0, 3.0))
        turns.play_cards(director, deal, seat)
    if deal.over is None and deal.turn_open:
        turns.end_turn(director, deal, seat)
    return True


def _takes_again(deal: SimulatedDeal, seat: Seat, way: str) -> tuple[tuple[str, ...], int]:
    """Return what ``seat`` takes once more, and the cue."""
    if way == "collect":
        pile = deal.pile
        cue = scripted_acts.collect(deal, seat)
        deal.barred = None
        return pile, cue
    cards = deal.stock[-1:]
    return cards, scripted_acts.draw(deal, seat, "draw", again=True)


def _goes_back(director: Director, deal: SimulatedDeal, seat: Seat, way: str, cards: tuple[str, ...]) -> None:
    """Return the taken ``cards`` to the pile or the stock."""
    if way == "collect":
        director.script.do(ReturnGesture(seat, cards), deal.act("return-to-pile", seat, cards))
    else:
        director.script.do(PutBack(seat, cards[0]), deal.act("return-to-stock", seat, cards))


def _takes_and_lays_with_pot(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-14g: the same, and cards are laid: what stands without the card drawn is frozen, else it is penalised."""
    if not is_calm(deal, 16):
        return False
    view, card = deal.view(seat), deal.stock[-1]
    plays = [play for play in openings((*view.hand, card), view) if len(view.hand) + 1 - len(play.cards) >= deal.spare]
    plays = [play for play in plays if card not in play.cards or meld(_without(play, card)) is None]
    if not plays:
        return False
    play = director.rng.choice(plays)
    _, cue = _takes_again(deal, seat, "draw")
    number = deal.next_row
    laid = scripted_acts.lay(deal, seat, play)
    variant = drawn_variant(director.rng, ruled=3, play_goes_on=1)
    deal.inject("B-14g", seat, variant, play.cards, cue, laid, also=("B-14f",))
    if is_ruled(deal, "B-14g", seat, variant, seat):
        _restores(director, deal, seat, play, number, card, laid)
    elif deal.turn_open:
        director.script.wait(director.rng.uniform(1.0, 3.0))
    turns.end_turn(director, deal, seat)
    return True


def _without(play: MeldPlay, card: str) -> tuple[str, ...]:
    return tuple(one for one in play.cards if one != card)


def _restores(
    director: Director, deal: SimulatedDeal, seat: Seat, play: MeldPlay, number: int, card: str, laid: int
) -> None:
    """Carry out the ruling on B-14g."""
    rest = _without(play, card)
    used = card in play.cards
    order = "return-to-stock;penalise" if used else "return-to-stock;freeze"
    freeze = "none" if used else "temporary"
    penalised = rest if used else ()
    arbitro_acts.rule(deal, "B-14g", seat, order, penalised, option="draw", meld=number, freeze=freeze)
    if used:
        taken = deal.act("take-back", seat, (card,), meld=number)
        director.script.do(TakeFromRow(seat, number, (card,)), taken)
    director.script.do(PutBack(seat, card), deal.act("return-to-stock", seat, (card,)))
    if used:
        deal.plays.pop()
        del deal.melds[number]
        mending.lay_aside(deal, seat, number, rest)
        deal.owed[seat] = dict.fromkeys(rest, laid)
    else:
        deal.frozen[number] = Freeze(deal.next(seat), 2)
    limit_next_turn(deal, "B-14g", seat)


# -- art. 16 ----------


def _leaves_pile_open(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-16b: ``seat`` picks up the pile, leaves two or three of its cards lying and begins to play."""
    rng, pile = director.rng, deal.pile
    if not is_calm(deal) or len(pile) < 5:
        return False
    leave = rng.choice([2, 2, 3])
    taken = pile[leave:]
    lowest = min(taken, key=lambda card: (points([card]), card))
    view = deal.view(seat)
    hand = (*view.hand, *taken)
    plays = [
        play for play in openings(hand, view) if not {lowest} & set(play.cards) and len(play.cards) <= len(hand) - 5
    ]
    if not plays:
        return False
    cue = scripted_acts.collect(deal, seat, leave)
    deal.barred = None
    scripted_acts.took(deal, seat, cue)
    director.script.wait(rng.uniform(1.0, 2.5))
    laid = scripted_acts.lay(deal, seat, rng.choice(plays))
    deal.inject("B-16b", seat, "ruled", pile[:leave], cue, laid)
    arbitro_acts.call(deal, caller(deal, seat, seat))
    arbitro_acts.rule(deal, "B-16b", seat, "discard;limit-turn", (lowest,))
    turns.finish_with(director, deal, seat, lowest)
    return True


def _discards_sole_card(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """B-16e: ``seat`` picks up the only card of the pile and discards it at once, holding no other like it."""
    rng, pile, hand = director.rng, deal.pile, deal.world.hands[seat]
    if not is_calm(deal) or len(pile) != 1 or face(pile[0]) in map(face, hand):
        return False
    card = pile[0]
    scripted_acts.took(deal, seat, scripted_acts.collect(deal, seat))
    director.script.wait(rng.uniform(1.0, 4.0))
    cue = scripted_acts.discard(deal, seat, card)
    variant = what_follows(director)
    deal.inject("B-16e", seat, variant, (card,), cue)
    if is_ruled(deal, "B-16e", seat, variant):
        arbitro_acts.rule(deal, "B-16e", seat, "take-back", (card,), option="no-twin")
        discard_another(director, deal, seat, card)
    return True


FEBURIT_TURN_KINDS: Final = (
    second_discard("B-06h"),
    DealFaultKind("B-07b", (DealMoment.BEFORE_DISCARD,), _changes_wild, (3, 20)),
    DealFaultKind("B-10n", (DealMoment.BEFORE_DISCARD,), _plays_on_after_wrong_addition, (0, 14)),
    DealFaultKind("B-11a", (DealMoment.BEFORE_DISCARD,), _discards_another, (0, 14)),
    DealFaultKind("B-11e", (DealMoment.BEFORE_DISCARD,), _orders_for_the_pile, (0, 14), lead=2),
    DealFaultKind("B-14e", (DealMoment.BEFORE_DISCARD,), _plays_after_call, (0, 14)),
    DealFaultKind("B-14f", (DealMoment.AFTER_FLIGHT,), partial(_takes_with_pot, "draw"), (0, 0)),
    DealFaultKind("B-14f", (DealMoment.AFTER_FLIGHT,), partial(_takes_with_pot, "collect"), (0, 0), way="collects"),
    DealFaultKind("B-14g", (DealMoment.AFTER_FLIGHT,), _takes_and_lays_with_pot, (0, 0)),
    DealFaultKind("B-16b", (DealMoment.INSTEAD_OF_TAKING,), _leaves_pile_open, (4, 24)),
    DealFaultKind("B-16e", (DealMoment.INSTEAD_OF_TAKING,), _discards_sole_card, (0, 12)),
)
