"""A pot reached through a wrong meld, and a second pot taken with the discard (art. 23)."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from table_service.games.burraco.rehearsal import arbitro_acts, deal_end, mending, mistaken_melds, scripted_acts, turns
from table_service.games.burraco.rehearsal.burraco_gestures import return_pot, take_pot
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    keeps_order,
    limited,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.mistaken_melds import MistakenMeld
from table_service.games.burraco.rehearsal.oracle import is_wild
from table_service.games.burraco.rehearsal.players import MeldPlay, may_discard
from table_service.games.burraco.rehearsal.simulated_deal import Freeze, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _last_cards_wrong(deal: SimulatedDeal, seat: Seat, hand_size: int) -> list[MistakenMeld]:
    """Wrong additions with which ``seat``, holding ``hand_size`` cards and no pot yet, gets to its pot."""
    hand = deal.world.hands[seat]
    ready = settled(deal, 14) and deal.pots and not deal.pot_taken(seat.line)
    if not ready or len(hand) != hand_size or len(deal.hand(seat)) != hand_size:
        return []
    return mistaken_melds.additions(hand, dict(deal.view(seat).own))


def _down_to_one(deal: SimulatedDeal, seat: Seat) -> MeldPlay | None:
    """Return a play that leaves ``seat``, about to end the deal, with one card that it could add wrongly."""
    hand, own = deal.world.hands[seat], dict(deal.view(seat).own)
    for play in plays_of(deal, seat, 1):
        rest = [card for card in hand if card not in play.cards]
        rows = {**own, deal.next_row if play.row is None else play.row: play.result}
        if len(rest) == 1 and mistaken_melds.additions(rest, rows):
            return play
    return None


def _lay(deal: SimulatedDeal, seat: Seat, wrong: MistakenMeld) -> tuple[int, int]:
    number = wrong.row or 0
    cue = scripted_acts.spoil(deal, seat, wrong.cards, number, wrong.result)
    deal.excess[number] = wrong.excess
    return cue, number


def _frozen_for_good(deal: SimulatedDeal, row: str, seat: Seat, wrong: MistakenMeld, number: int) -> None:
    """Have the arbitro rule: the wrong meld is frozen and counts negative, the whole of it."""
    arbitro_acts.call(deal, caller(deal, seat))
    arbitro_acts.rule(deal, row, seat, "freeze;score", wrong.excess, meld=number, freeze="definitive")
    deal.frozen[number] = Freeze(None)
    deal.melds.pop(number, None)
    deal.excess[number] = deal.world.rows[number].cards


def _in_flight(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-23j, F-23k: the last card is added wrongly, the pot taken in flight and played (art. 23)."""
    before = (
        _down_to_one(deal, seat) if deal.end is not None and row == "F-23j" and not deal.pot_taken(seat.line) else None
    )
    if before is not None and deal.pots and settled(deal, 14):
        scripted_acts.lay(deal, seat, before)
    wrongs = _last_cards_wrong(deal, seat, 1)
    if not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = _lay(deal, seat, wrong)
    scripted_acts.take_pot(deal, seat, "in-flight")
    turns.end_turn(director, deal, seat)
    discarded = len(director.script.cues) - 1
    if row == "F-23j":
        deal.inject("F-23j", seat, "ruled", wrong.excess, cue, discarded)
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-23j", seat, "freeze;penalise", wrong.excess, meld=number, freeze="temporary")
        mending.to_side(deal, seat, number, wrong.excess, cue)
        deal.frozen[number] = Freeze(seat)
        return True

    def opponent_took(_who: Seat, taken: int) -> bool:
        def ruled(_next: Seat) -> None:
            deal.inject("F-23k", seat, "ruled", wrong.excess, cue, taken)
            _frozen_for_good(deal, "F-23k", seat, wrong, number)

        director.put_off(deal, deal.turn + director.rng.randint(0, 2), ruled)
        return True

    deal.on_take.append(opponent_took)
    return True


def _with_discard(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-23l, F-23m: a card is added wrongly, the last one discarded, the pot taken (art. 23)."""
    hand = deal.world.hands[seat]
    view = deal.view(seat)
    wrongs = [
        wrong
        for wrong in _last_cards_wrong(deal, seat, 2)
        if all(may_discard(view, hand, card) for card in hand if card not in wrong.cards)
    ]
    if not wrongs:
        return False
    wrong = director.rng.choice(wrongs)
    cue, number = _lay(deal, seat, wrong)
    scripted_acts.discard(deal, seat, deal.world.hands[seat][0])
    taken = scripted_acts.take_pot(deal, seat, "discard")
    if row == "F-23l":

        def before_his_turn(_next: Seat) -> None:
            deal.inject("F-23l", seat, "ruled", wrong.excess, cue, taken)
            _frozen_for_good(deal, "F-23l", seat, wrong, number)
            deal.limits[seat] = limited(director.rng, "any", "F-23l")

        director.put_off(deal, deal.turn + director.rng.randint(0, 2), before_his_turn)
        return True

    def has_drawn(who: Seat, drawn: int) -> bool:
        if who is not seat:
            return False

        def ruled(_next: Seat) -> None:
            deal.inject("F-23m", seat, "ruled", wrong.excess, cue, drawn)
            _frozen_for_good(deal, "F-23m", seat, wrong, number)

        director.put_off(deal, deal.turn, ruled)
        return True

    deal.on_take.append(has_drawn)
    return True


def _all_but_one(deal: SimulatedDeal, seat: Seat) -> Iterator[tuple[MeldPlay, str]]:
    """Yield the plays that leave ``seat`` one card, with the card, which it may discard."""
    view = deal.view(seat)
    for play in plays_of(deal, seat, 0):
        rest = [card for card in deal.world.hands[seat] if card not in play.cards]
        if len(rest) != 1 or is_wild(rest[0]) or rest[0][:2] == view.barred or not keeps_order(deal.melds, play):
            continue
        yield play, rest[0]


def _second_with_discard(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-23i: ``seat`` plays out its hand with a discard and takes a pot that its line has had already (art. 23)."""
    script, rng = director.script, director.rng
    if not settled(deal, 6) or not deal.pot_taken(seat.line) or not deal.pots:
        return False
    for play, last in _all_but_one(deal, seat):
        burraco = deal.has_burraco(seat.line) or play.result.burraco != "none"
        scripted_acts.lay(deal, seat, play)
        cue = scripted_acts.discard(deal, seat, last)
        if burraco:
            deal_end.ends(deal, "closed", seat, cue)
        pot = deal.pots[0]
        scripted_acts.turn_shield(deal, seat, "over")
        taken = script.do(
            take_pot(seat, rng.choice(seat.line.other.seats)), deal.act("take-pot", seat, pot, manner="discard")
        )
        also = () if burraco else ("F-33",)
        deal.inject("F-23i", seat, "with a burraco" if burraco else "without", (), cue, taken, also=also)
        arbitro_acts.call(deal, caller(deal, seat))
        arbitro_acts.rule(deal, "F-23i", seat, "return-pot" if burraco else "return-pot;penalise-last-play", play.cards)
        script.do(return_pot(seat, pot), deal.act("return-pot", seat, pot))
        if not burraco:
            scripted_acts.turn_shield(deal, seat, "up")
            cards = mending.take_aside(deal, seat)
            deal.owed[seat] = dict.fromkeys(cards, cue)
        return True
    return False


POT_WRONGLY_KINDS: Final = (
    DealFaultKind("F-23i", (DealMoment.BEFORE_DISCARD,), _second_with_discard, (0, 0)),
    DealFaultKind("F-23j", (DealMoment.BEFORE_DISCARD,), partial(_in_flight, "F-23j"), (0, 0), to_pot=True),
    DealFaultKind("F-23k", (DealMoment.BEFORE_DISCARD,), partial(_in_flight, "F-23k"), (0, 0), late=True),
    DealFaultKind("F-23l", (DealMoment.BEFORE_DISCARD,), partial(_with_discard, "F-23l"), (0, 0), late=True),
    DealFaultKind("F-23m", (DealMoment.BEFORE_DISCARD,), partial(_with_discard, "F-23m"), (0, 0), late=True),
)
