"""Faults with the pots (art. 23) and with the hand-shield that must be turned over (tables with screens)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import TakeFromPile
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts
from table_service.games.burraco.rehearsal.burraco_gestures import return_pot, take_pot
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    drawn_variant,
    keeps_order,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.oracle import is_wild
from table_service.games.burraco.rehearsal.players import MeldPlay, additions, may_discard, openings
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _fetches_pot(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-23b: the pot is not handed over by an opponent: the player, or its partner, fetches it (art. 23)."""
    rng = director.rng
    who = rng.choice([seat, seat, seat.partner])
    cue = scripted_acts.take_pot(deal, seat, "in-flight" if deal.flight else "discard", alone=who)
    variant = drawn_variant(rng, ruled=2, play_goes_on=2)
    deal.inject("F-23b", seat if who is seat else None, variant, (), cue)
    if variant == "ruled":
        arbitro_acts.call(deal, caller(deal, seat, seat if deal.flight else None))
        arbitro_acts.rule(deal, "F-23b", who, "warn")
    return True


def _plays_before_all(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-23p: part of the pot is in the hand and a card of it is played, while the rest still lies there (art. 23)."""
    rng, script = director.rng, director.script
    if not deal.flight or not settled(deal, 6) or deal.world.hands[seat]:
        return False
    pot = deal.pots[0]
    count = rng.randint(5, len(pot) - 2)
    part = pot[-count:]
    view = replace(deal.view(seat), hand=part)
    plays = additions(part, view.own) + openings(part, view)
    plays = [play for play in plays if count - len(play.cards) >= 2]
    if not plays:
        return False
    giver = rng.choice(seat.line.other.seats)
    deal.pot_taker[seat.line] = seat
    scripted_acts.turn_shield(deal, seat, "over")
    script.do(take_pot(seat, giver, count), deal.act("take-pot", seat, part, manner="in-flight"))
    scripted_acts.turn_shield(deal, seat, "up")
    script.wait(rng.uniform(0.5, 3.0))
    cue = scripted_acts.lay(deal, seat, rng.choice(plays))
    deal.inject("F-23p", seat, "play-goes-on", pot[:-count], cue)
    script.wait(rng.uniform(1.0, 3.0))
    script.do(take_pot(seat, rng.choice((giver, seat))), deal.act("take-rest", seat, pot[:-count]))
    return True


def _shield_stays(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-S1: a pot is taken and the hand-shield stays upright (tables with screens)."""
    cue = scripted_acts.take_pot(deal, seat, "in-flight" if deal.flight else "discard", shown=False)
    deal.inject("F-S1", seat, "play-goes-on", (), cue)
    director.script.wait(director.rng.uniform(0.5, 2.0))
    return True


def _pots_uneven(director: Director, deal: SimulatedDeal, _dealer: Seat) -> bool:
    """F-23c: the first pot has ten or twelve cards, the second the rest; it shows when the first is taken (art. 23)."""
    first = director.rng.choice([10, 12])
    deal.pot_sizes = (first, 22 - first)

    def taken(_seat: Seat, cue: int) -> bool:
        deal.inject("F-23c", None, "play-goes-on", (), cue)
        return True

    deal.on_pot.append(taken)
    return True


def _may_take_wrongly(deal: SimulatedDeal, seat: Seat) -> bool:
    """Return True if ``seat``'s line has had its pot and another one still lies there."""
    return settled(deal, 6) and deal.pot_taken(seat.line) and bool(deal.pots)


def _undo_last(deal: SimulatedDeal, seat: Seat, play: MeldPlay, cue: int) -> None:
    """Art. 35: the last meld is taken back; one card of it is the discard, the rest is exposed or in the hand again."""
    cards = mending.take_back(deal, seat)
    view = deal.view(seat)
    legal = [card for card in cards if may_discard(view, (*cards, "??"), card)] or list(cards)
    chosen = deal.rng.choice(legal)
    scripted_acts.discard(deal, seat, chosen)
    if play.row is None:
        deal.owed[seat] = dict.fromkeys([card for card in cards if card != chosen], cue)


def _second_pot(row: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-23h, F-23n, F-23o: ``seat`` lays its last cards and takes a pot that is not its due (art. 23)."""
    rng, script = director.rng, director.script
    if not _may_take_wrongly(deal, seat):
        return False
    hand = deal.world.hands[seat]
    plays = [play for play in plays_of(deal, seat, 0) if len(play.cards) == len(hand) and keeps_order(deal.melds, play)]
    # A new meld, so that he has cards again when it is undone; what stands (F-23o) may be anything without a wild.
    plays = [play for play in plays if not any(map(is_wild, play.cards)) and (play.row is None or row == "F-23o")]
    if not plays or len(hand) != len(deal.hand(seat)):
        return False
    play = rng.choice(plays)
    laid = scripted_acts.lay(deal, seat, play)
    pot = deal.pots[0]
    giver = rng.choice(seat.line.other.seats)
    cue = script.do(take_pot(seat, giver), deal.act("take-pot", seat, pot, manner="in-flight"))
    if row == "F-23h":
        deal.inject("F-23h", seat, "ruled", (), cue, also=())
        arbitro_acts.call(deal, caller(deal, seat, seat))
        arbitro_acts.rule(deal, "F-23h", seat, "return-pot;discard-one-of-last-meld", play.cards)
        script.do(return_pot(seat, pot), deal.act("return-pot", seat, pot))
        _undo_last(deal, seat, play, laid)
        return True
    script.wait(rng.uniform(1.0, 3.0))
    card = rng.choice([card for card in pot if not is_wild(card)])
    discarded = scripted_acts.discard(deal, seat, card)
    if row == "F-23o":
        _both_pots_played(director, deal, seat, cue)
        return True
    deal.inject("F-23n", seat, "ruled", (), cue, discarded)
    arbitro_acts.call(deal, caller(deal, seat))
    arbitro_acts.rule(deal, "F-23n", seat, "return-pot;discard-one-of-last-meld", play.cards)
    script.do(TakeFromPile(seat, (card,)), deal.act("take-up", seat, (card,)))
    script.do(return_pot(seat, pot), deal.act("return-pot", seat, pot))
    _undo_last(deal, seat, play, laid)
    return True


def _both_pots_played(director: Director, deal: SimulatedDeal, seat: Seat, cue: int) -> None:
    """Notice the fault only after the opponents drew: the gain of the second pot stands."""
    # No pot is left for the other line: who plays out its hand closes, and it has no malus (art. 23).
    deal.pot_taker[seat.line.other] = seat.next

    def opponent_took(_who: Seat, taken: int) -> bool:
        def ruled(_next: Seat) -> None:
            deal.inject("F-23o", seat, "ruled", (), cue, taken)
            arbitro_acts.call(deal, caller(deal, seat))
            arbitro_acts.rule(deal, "F-23o", seat, "score")

        director.put_off(deal, deal.turn, ruled)
        return True

    deal.on_take.append(opponent_took)


POT_KINDS: Final = (
    DealFaultKind("F-23b", (DealMoment.TAKING_POT,), _fetches_pot, (0, 0)),
    DealFaultKind("F-23c", (DealMoment.SET_UP,), _pots_uneven, (0, 0)),
    DealFaultKind("F-23h", (DealMoment.BEFORE_DISCARD,), partial(_second_pot, "F-23h"), (0, 0)),
    DealFaultKind("F-23n", (DealMoment.BEFORE_DISCARD,), partial(_second_pot, "F-23n"), (0, 0)),
    DealFaultKind("F-23p", (DealMoment.TAKING_POT,), _plays_before_all, (0, 0)),
    DealFaultKind("F-23o", (DealMoment.BEFORE_DISCARD,), partial(_second_pot, "F-23o"), (0, 0), late=True),
    DealFaultKind("F-S1", (DealMoment.TAKING_POT,), _shield_stays, (0, 0)),
)
