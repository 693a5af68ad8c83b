"""Faults at going out: without a burraco, with a wild as the discard, without a discard (arts. 33 to 35)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from hw.seats import Seat
from hw.twin.gestures import LayGesture
from table_service.games.burraco.rehearsal import arbitro_acts, mending, scripted_acts, turns
from table_service.games.burraco.rehearsal.fault import (
    DealFaultKind,
    DealMoment,
    caller,
    keeps_order,
    plays_of,
    settled,
)
from table_service.games.burraco.rehearsal.oracle import is_wild, meld
from table_service.games.burraco.rehearsal.players import MeldPlay, additions, may_discard, new_melds
from table_service.games.burraco.rehearsal.simulated_deal import COLUMNS, Limit, SimulatedDeal

if TYPE_CHECKING:
    from table_service.games.burraco.rehearsal.director import Director


def _plays(deal: SimulatedDeal, seat: Seat) -> list[MeldPlay]:
    return [play for play in plays_of(deal, seat, 0) if keeps_order(deal.melds, play)]


def _rest(deal: SimulatedDeal, seat: Seat, play: MeldPlay) -> list[str]:
    return [card for card in deal.world.hands[seat] if card not in play.cards]


def _ready(deal: SimulatedDeal, seat: Seat) -> bool:
    """Return True if ``seat``'s line has had its pot, so that playing out the hand is closing."""
    nothing_owed = not (any(deal.owed.values()) or deal.limits or deal.frozen)
    goes_on = deal.end is not None or (deal.last_turn is None and len(deal.stock) > 3)
    return nothing_owed and goes_on and deal.pot_taken(seat.line)


def _call_and_rule(deal: SimulatedDeal, seat: Seat, row: str, remedy: str, cards: tuple[str, ...]) -> None:
    arbitro_acts.call(deal, deal.rng.choice(seat.line.other.seats))
    arbitro_acts.rule(deal, row, seat, remedy, cards)
    scripted_acts.turn_shield(deal, seat, "up")


def _closes_without_burraco(_director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-33: ``seat`` goes out though its line has no burraco; the cards of its last play are penalised (art. 33)."""
    if not _ready(deal, seat) or deal.has_burraco(seat.line):
        return False
    view = deal.view(seat)
    for play in _plays(deal, seat):
        rest = _rest(deal, seat, play)
        if len(rest) != 1 or is_wild(rest[0]) or play.result.burraco != "none" or rest[0][:2] == view.barred:
            continue
        scripted_acts.lay(deal, seat, play)
        cue = scripted_acts.discard(deal, seat, rest[0])
        scripted_acts.turn_shield(deal, seat, "over")
        deal.inject("F-33", seat, "ruled", (*play.cards, *rest), cue)
        _call_and_rule(deal, seat, "F-33", "penalise-last-play", play.cards)
        cards = mending.take_aside(deal, seat)
        deal.owed[seat] = dict.fromkeys(cards, cue)
        return True
    return False


def _in_two(first: MeldPlay, row: int) -> list[tuple[MeldPlay, MeldPlay, tuple[str, ...]]]:
    """Return the ways to open a run with three cards and make it longer with the others."""
    start = meld(first.cards[:3]) if first.row is None and len(first.cards) > 3 else None
    if start is None or first.result.kind != "run" or first.result.cards[:3] != start.cards:
        return []
    then = MeldPlay(row, first.result.cards[3:], first.result)
    return [(MeldPlay(None, start.cards, start), then, first.result.cards[-1:])]


def _two_plays(deal: SimulatedDeal, seat: Seat) -> list[tuple[MeldPlay, MeldPlay, tuple[str, ...]]]:
    """Return what ``seat`` could lay in two plays on end, none of them a burraco, to be left with one card.

    Each with the cards of the last play by its definition: those of a meld opened last, else the outermost one added.
    """
    found: list[tuple[MeldPlay, MeldPlay, tuple[str, ...]]] = []
    for first in _plays(deal, seat):
        row = deal.next_row if first.row is None else first.row
        rest = _rest(deal, seat, first)
        rows = {n: each for n, each in deal.rows(seat.line).items() if n not in deal.excess} | {row: first.result}
        more = additions(rest, rows) + (new_melds(rest) if len(rows) < COLUMNS[seat.line] else [])
        found += [(first, then, then.cards) for then in more if len(rest) - len(then.cards) == 1]
        found += _in_two(first, row) if len(rest) == 1 else []
    good = [(first, then, last) for first, then, last in found if "none" == first.result.burraco == then.result.burraco]
    return [one for one in good if keeps_order(deal.melds, one[1]) or one[1].row not in deal.melds]


def _closes_without_burraco_at_once(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-33: the last play follows the one before at once; only its cards are penalised (art. 33, def. of last play)."""
    if not _ready(deal, seat) or deal.has_burraco(seat.line):
        return False
    barred = deal.view(seat).barred
    hand = deal.world.hands[seat]
    plays = [
        (first, then, last, rest[0])
        for first, then, last in _two_plays(deal, seat)
        if len(rest := [card for card in hand if card not in (*first.cards, *then.cards)]) == 1
        and not is_wild(rest[0])
        and rest[0][:2] != barred
    ]
    if not plays:
        return False
    first, then, last, card = director.rng.choice(plays)
    scripted_acts.lay(deal, seat, first)
    scripted_acts.lay(deal, seat, then, at_once=True)
    cue = scripted_acts.discard(deal, seat, card)
    scripted_acts.turn_shield(deal, seat, "over")
    deal.inject("F-33", seat, "two plays at once, ruled", (*last, card), cue, penalised=last)
    _call_and_rule(deal, seat, "F-33", "penalise-last-play", last)
    _, row, cards, before = deal.plays.pop()
    left = tuple(one for one in then.result.cards if one not in last)
    mending.lay_aside(deal, seat, row, last)
    lying = before if len(last) == len(cards) else meld(left)
    if lying is None:
        del deal.melds[row]
    else:
        deal.melds[row] = lying
    deal.owed[seat] = dict.fromkeys(last, cue)
    return True


def _closes_with_wild(_director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-34: ``seat`` goes out with a wild as its discard and takes back its last play (art. 34)."""
    if not _ready(deal, seat):
        return False
    view = deal.view(seat)
    for play in _plays(deal, seat):
        rest = _rest(deal, seat, play)
        if len(rest) != 1 or not is_wild(rest[0]) or rest[0][:2] == view.barred:
            continue
        scripted_acts.lay(deal, seat, play)
        cue = scripted_acts.discard(deal, seat, rest[0])
        scripted_acts.turn_shield(deal, seat, "over")
        deal.inject("F-34", seat, "ruled", tuple(rest), cue)
        _call_and_rule(deal, seat, "F-34", "take-back-last-play", play.cards)
        mending.take_back(deal, seat)
        return True
    return False


def _closes_with_new_meld(_director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-35a: ``seat`` opens a meld with its last cards and has none to discard (art. 35).

    Laid card by card, what comes after the third card is added to a meld that lies there: then it is F-35b.
    """
    if not _ready(deal, seat):
        return False
    for play in _plays(deal, seat):
        if play.row is not None or _rest(deal, seat, play):
            continue
        cue = scripted_acts.lay(deal, seat, play)
        added = _added_last(deal, cue)
        if added:
            evident = scripted_acts.turn_shield(deal, seat, "over")
            deal.inject("F-35b", seat, "ruled", added, cue, evident)
            _call_and_rule(deal, seat, "F-35b", "take-back-last-play;discard-added-card", added)
            mending.take_back(deal, seat)
            scripted_acts.discard(deal, seat, added[0])
            return True
        evident = scripted_acts.turn_shield(deal, seat, "over")
        deal.inject("F-35a", seat, "ruled", play.cards, cue, evident)
        _call_and_rule(deal, seat, "F-35a", "discard-one-of-last-meld", play.cards)
        cards = mending.take_back(deal, seat)
        view = deal.view(seat)
        legal = [card for card in cards if may_discard(view, cards, card)]
        chosen = deal.rng.choice(legal or list(cards))
        scripted_acts.discard(deal, seat, chosen)
        deal.owed[seat] = dict.fromkeys([card for card in cards if card != chosen], cue)
        return True
    return False


def _added_last(deal: SimulatedDeal, cue: int) -> tuple[str, ...]:
    """Return the card of cue ``cue`` that was laid to a meld opened by the cards before it; empty if absent."""
    last, before = (each.gesture for each in deal.script.cues[cue : cue - 2 : -1])
    if (
        not isinstance(last, LayGesture)
        or not isinstance(before, LayGesture)
        or before.row != last.row
        or not meld(before.result)
    ):
        return ()
    return tuple(card for card in last.result if card not in before.result)


def _closes_adding_discard(_director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-35b: ``seat`` adds the card that it should discard; that card becomes the discard (art. 35)."""
    if not _ready(deal, seat):
        return False
    for first in _plays(deal, seat):
        rest = _rest(deal, seat, first)
        if len(rest) != 1:
            continue
        rows = {row: each for row, each in deal.rows(seat.line).items() if row not in deal.excess}
        rows[deal.next_row if first.row is None else first.row] = first.result
        last = next((play for play in additions(rest, rows) if keeps_order(rows, play)), None)
        if last is None:
            continue
        scripted_acts.lay(deal, seat, first)
        cue = scripted_acts.lay(deal, seat, last)
        evident = scripted_acts.turn_shield(deal, seat, "over")
        deal.inject("F-35b", seat, "ruled", last.cards, cue, evident)
        _call_and_rule(deal, seat, "F-35b", "take-back-last-play;discard-added-card", last.cards)
        mending.take_back(deal, seat)
        mending.take_back(deal, seat)
        scripted_acts.discard(deal, seat, last.cards[0])
        return True
    return False


def _goes_out_with_next(deal: SimulatedDeal, seat: Seat) -> list[MeldPlay]:
    """Return what ``seat``, who may close with his one card, could lay when he has drawn the stock's next but one."""
    hand = deal.world.hands[seat]
    if len(hand) != 1 or len(deal.hand(seat)) != 1 or seat in deal.unplayed:
        return []
    if not (deal.pot_taken(seat.line) and deal.has_burraco(seat.line)):
        return []
    own = {row: each for row, each in deal.rows(seat.line).items() if row not in deal.excess}
    two = (*hand, deal.stock[-2])
    return [play for play in additions(two, own) if not is_wild(next(card for card in two if card not in play.cards))]


def _closed_while_frozen(director: Director, deal: SimulatedDeal, seat: Seat) -> bool:
    """F-30c: ``seat`` plays without drawing, and while that is frozen the next player goes out (art. 30)."""
    rng, other, stock = director.rng, seat.next, deal.stock
    ends = _goes_out_with_next(deal, other) if settled(deal, 6) else []
    plays = [play for play in plays_of(deal, seat, 4) if keeps_order(deal.melds, play)] if ends else []
    if not plays:
        return False
    play, end = rng.choice(plays), rng.choice(ends)
    row = deal.next_row if play.row is None else play.row
    cue = scripted_acts.lay(deal, seat, play)
    deal.inject("F-30a", seat, "ruled", play.cards, cue, demanded=False)  # the same fact, until the closing
    arbitro_acts.call(deal, caller(deal, seat))
    arbitro_acts.rule(deal, "F-30a", seat, "draw-or-collect;discard;freeze", play.cards, meld=row, freeze="temporary")
    mending.freeze_undrawn(deal, seat, row, play.cards)
    turns.draw_or_collect(director, deal, seat, Limit("draw"))
    turns.end_turn(director, deal, seat)
    deal.kept("F-30a", seat, "served", len(director.script.cues) - 1)
    if deal.over is not None or stock[-2] != deal.stock[-1]:
        return True
    deal.turn += 1
    scripted_acts.took(deal, other, scripted_acts.draw(deal, other))
    scripted_acts.lay(deal, other, end)
    turns.finish_with(director, deal, other, deal.world.hands[other][0])
    if deal.over == "closed":
        deal.inject("F-30c", seat, "closed by an opponent", play.cards, cue, deal.end_cue)
    return True


CLOSE_KINDS: Final = (
    DealFaultKind("F-30c", (DealMoment.INSTEAD_OF_TAKING,), _closed_while_frozen, (0, 0)),
    DealFaultKind("F-33", (DealMoment.BEFORE_DISCARD,), _closes_without_burraco, (0, 0)),
    DealFaultKind("F-33", (DealMoment.BEFORE_DISCARD,), _closes_without_burraco_at_once, (0, 0), way="at-once"),
    DealFaultKind("F-34", (DealMoment.BEFORE_DISCARD,), _closes_with_wild, (0, 0)),
    DealFaultKind("F-35a", (DealMoment.BEFORE_DISCARD,), _closes_with_new_meld, (0, 0)),
    DealFaultKind("F-35b", (DealMoment.BEFORE_DISCARD,), _closes_adding_discard, (0, 0)),
)
