"""Going out without what it needs, and a second pot, by the common online rules: both are taken back (seeds 002)."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from hw.cards import face
from hw.seats import Seat
from hw.twin.gestures import TakeFromPile
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.burraco_gestures import return_pot, take_pot
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, keeps_order, plays_of
from table_service.games.burraco.rehearsal.oracle import is_wild
from table_service.games.burraco.rehearsal.players import MeldPlay
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director

_STOCK: Final = 8


def _may_go_out(deal: SimulatedDeal, seat: Seat) -> bool:
    """Return True if ``seat``'s line has had its pot and the deal would go on for a while."""
    goes_on = deal.end is not None or len(deal.stock) >= _STOCK
    return goes_on and deal.pot_taken(deal.line_of(seat)) and seat not in deal.unplayed


def _ruled(deal: SimulatedDeal, row: str, seat: Seat, cards: tuple[str, ...]) -> None:
    arbitro_acts.call(deal, deal.rng.choice(deal.opponents(seat)))
    arbitro_acts.rule(deal, row, seat, "take-back", cards)


def _goes_out(row_without: str, director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-29: ``seat`` goes out without a burraco or with a wild; its last play and its discard go back to its hand."""
    if not _may_go_out(deal, seat) or (row_without == "burraco") is deal.has_burraco(deal.line_of(seat)):
        return False
    for play in plays_of(deal, seat, 0):
        rest = [card for card in deal.world.hands[seat] if card not in play.cards]
        if len(rest) != 1 or is_wild(rest[0]) is not (row_without == "natural") or face(rest[0]) == deal.barred:
            continue
        if not keeps_order(deal.melds, play) or (row_without == "burraco" and play.result.burraco != "none"):
            continue
        scripted_acts.lay(deal, seat, play)
        cue = scripted_acts.discard(deal, seat, rest[0])
        deal.inject("O-29", seat, f"without a {row_without}", (*play.cards, *rest), cue)
        _ruled(deal, "O-29", seat, (*play.cards, *rest))
        director.script.do(TakeFromPile(seat, tuple(rest)), deal.act("take-up", seat, rest))
        mending.take_back(deal, seat)
        turns.end_turn(director, deal, seat)
        return True
    return False


def _lays_all(director: Director, deal: SimulatedDeal, seat: Seat, row: str) -> MeldPlay | None:
    """``seat`` opens with all that it holds: what it laid; None where it cannot."""
    hand = deal.world.hands[seat]
    plays = plays_of(deal, seat, 0) if _may_go_out(deal, seat) else []
    plays = [play for play in plays if len(play.cards) == len(hand) > 1 and play.row is None]
    if not plays or (row == "O-30" and not deal.pots):
        return None
    play = director.rng.choice(plays)
    scripted_acts.lay(deal, seat, play)
    return play


def _has_no_discard(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-29: ``seat`` lays its last cards and has none to discard."""
    play = _lays_all(director, deal, seat, "O-29")
    if play is None:
        return False
    deal.inject("O-29", seat, "without a discard", play.cards, len(director.script.cues) - 1)
    _ruled(deal, "O-29", seat, play.cards)
    mending.take_back(deal, seat)
    turns.end_turn(director, deal, seat)
    return True


def _takes_second_pot(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """O-30: ``seat`` lays its last cards and takes a pot, though its line has had one."""
    play = _lays_all(director, deal, seat, "O-30")
    if play is None:
        return False
    pot, giver = deal.pots[0], director.rng.choice(deal.opponents(seat))
    cue = director.script.do(take_pot(seat, giver), deal.act("take-pot", seat, pot, manner="in-flight"))
    deal.inject("O-30", seat, "ruled", (), cue, also=("O-29",))
    _ruled(deal, "O-30", seat, play.cards)
    director.script.do(return_pot(seat, pot), deal.act("return-pot", seat, pot))
    mending.take_back(deal, seat)
    turns.end_turn(director, deal, seat)
    return True


ONLINE_CLOSE_KINDS: Final = (
    DealFaultKind("O-29", (DealMoment.BEFORE_DISCARD,), partial(_goes_out, "burraco"), (0, 0)),
    DealFaultKind("O-29", (DealMoment.BEFORE_DISCARD,), partial(_goes_out, "natural"), (0, 0), way="wild"),
    DealFaultKind("O-29", (DealMoment.BEFORE_DISCARD,), _has_no_discard, (0, 0), way="no-discard"),
    DealFaultKind("O-30", (DealMoment.BEFORE_DISCARD,), _takes_second_pot, (0, 0)),
)
