"""Art. 23: pots taken alone, counted wrongly, taken twice by one line, reached through a wrong meld."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.seats import Seat
from table_service.games.burraco.fault_kinds import (
    CLOSING_WAYS,
    CLOSINGS,
    LEADING_TO_POT,
    POT_MISCOUNTED,
    SECOND_POT,
    TWO_POTS,
    FaultKind,
)
from table_service.games.burraco.judges.closing import last_play_cards, without_discard_kind
from table_service.games.burraco.judges.facts import Facts, joined, new, turned_out, with_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import POTS_IN_ORDER
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.deal_parts import Pot
from table_service.games.burraco.rules.pots import AFTER_THE_END
from table_service.referee.catalogue import Catalogue, Found
from table_service.referee.values import Irregularity

COUNTED: Final = 0.9
"""From this confidence on, the number of cards that left the pots is a fact."""
_PARTLY: Final = 9
"""Up to so many cards of a pot in the hand, the rest is still to be taken; a miscounted pot has one more or less."""


def judge(facts: Facts) -> list[Irregularity]:
    """Return what art. 23 has against the action."""
    action = facts.action
    seat = action.seat
    if seat is None:
        return []
    match action:
        case act.TakePot():
            return _taking(facts, action, seat)
        case act.Open() | act.Extend() | act.Discard():
            return _playing(facts, action, seat)
        case act.Draw() | act.Collect():
            return _coming_back(facts, seat)
    return []


def judge_after_the_end(facts: Facts) -> list[Irregularity]:
    """Judge a pot taken after a wrong last discard of the deal by a player whose line has had one (art. 23).

    Without a wrong closing no player is accused: cards lifted after the end of a deal may be cleared away.
    """
    before, action = facts.before, facts.action
    seat = before.last_out
    if not isinstance(action, act.TakePot) or seat is None or action.seat not in (None, seat):
        return []
    closing = facts.open_of(seat, CLOSINGS)
    soon = action.committed_t - before.last_out_t <= AFTER_THE_END
    if closing is None or not soon or before.line_of(seat) not in before.pots_taken or not before.pots_left:
        return []
    return _through_closing(facts, closing, FaultKind.SECOND_POT_WITH_DISCARD)


def _through_closing(facts: Facts, closing: Irregularity, kind: FaultKind) -> list[Irregularity]:
    """Judge the wrong closing that led to a second pot with it; which closing it was stays known as its way."""
    said = turned_out(replace(closing, way=CLOSING_WAYS[closing.kind]), kind, facts.catalogue)
    return [joined(one, facts, cards=closing.cards) for one in said]


# -- a pot is taken ------------------------------------------------------------------------------------------------


def _taking(facts: Facts, action: act.TakePot, seat: Seat) -> list[Irregularity]:
    before, after = facts.before, facts.after
    line = after.line_of(seat)
    if line in after.second and line not in before.second:
        return _second(facts, seat, after.second[line])
    pot = after.pots_taken.get(line)
    if pot is None or pot.seat is not seat or line in after.second:
        return []
    said: list[Irregularity] = []
    first_grip = line not in before.pots_taken
    if first_grip:
        said += _alone(facts, action, seat)
        said += _with_discard(facts, seat)
    return [*said, *_number(facts, action, pot)]


def _alone(facts: Facts, action: act.TakePot, seat: Seat) -> list[Irregularity]:
    """Judge a pot at which the only hand seen was of its line, which must be certain; who goes to it answers."""
    if action.by is None or facts.before.line_of(action.by) is not facts.before.line_of(seat):
        return []
    if facts.before.count(seat) or not facts.before.sure_of(seat):
        return []
    return new(facts, FaultKind.POT_TAKEN_ALONE, seat, cards=())


def _with_discard(facts: Facts, seat: Seat) -> list[Irregularity]:
    """Judge a pot taken with the discard, the hand having been played out through a wrong meld."""
    wrong = facts.open_of(seat, LEADING_TO_POT)
    if wrong is None or facts.before.begun:
        return []
    said = turned_out(wrong, FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD, facts.catalogue)
    return [replace(one, found="later", t=facts.action.t) for one in said]


def _number(facts: Facts, action: act.TakePot, pot: Pot) -> list[Irregularity]:
    """Check the first pot, and what lies under it, by weight as it is handed over."""
    after = facts.after
    if len(after.pots_left) != 1 or "scale" not in action.basis or action.confidence < COUNTED:
        return []
    due = after.book.pot_cards
    rest = sum(len(after.at(place)) for place in POTS_IN_ORDER)  # twice a pot: one of the deal before lies there too
    wrong = pot.cards != due or rest not in (due, 2 * due)
    told = next((one for one in facts.open if one.kind in POT_MISCOUNTED), None)
    if not wrong:
        return [] if told is None else [replace(told, state="dismissed", t=action.t)]
    in_grips = pot.cards < due and (pot.cards <= _PARTLY or len(action.cards) < pot.cards)
    if told is not None or in_grips:
        return []
    return new(facts, _miscounted(pot.cards - due, rest - due), None, cards=())


def _miscounted(pot: int, rest: int) -> FaultKind:
    """Kind of fault of pots that hold too much or too little, by the surplus of ``pot`` and of the ``rest``."""
    if pot:
        return FaultKind.POT_LONG if pot > 0 else FaultKind.POT_SHORT
    return FaultKind.OTHER_POT_LONG if rest > 0 else FaultKind.OTHER_POT_SHORT


def _second(facts: Facts, seat: Seat, pot: Pot) -> list[Irregularity]:
    """Judge a second pot taken by a line: its closing is judged by arts. 33 to 35, and the pot goes back."""
    flown = pot.manner == "in-flight"
    kind = FaultKind.SECOND_POT_IN_FLIGHT if flown else FaultKind.SECOND_POT_WITH_DISCARD
    closing = facts.open_of(seat, CLOSINGS)
    if closing is not None:
        return _through_closing(facts, closing, kind)
    play = facts.before.last_play
    cards, sure = last_play_cards(facts.before, play)
    way = "" if play is None or not flown else CLOSING_WAYS[without_discard_kind(opened=play.opened)]
    melds = () if play is None else (play.row,)
    return new(facts, kind, seat, cards=cards, melds=melds, seen=True, way=way, needs_referee=not (sure and flown))


# -- its cards are played ------------------------------------------------------------------------------------------


def _playing(facts: Facts, action: act.Open | act.Extend | act.Discard, seat: Seat) -> list[Irregularity]:
    line = facts.before.line_of(seat)
    second = facts.before.second.get(line)
    if second is not None:
        return _second_played(facts, action, seat) if second.seat is seat else []
    pot = facts.before.pots_taken.get(line)
    if pot is None or pot.seat is not seat:
        return []
    return [*_through_wrong_meld(facts, seat, pot), *_too_soon(facts, seat, pot)]


def _second_played(facts: Facts, action: act.Open | act.Extend | act.Discard, seat: Seat) -> list[Irregularity]:
    if any(one.duty.do == "correct-count" and one.who is seat for one in facts.sanctions):
        return []
    melds = () if isinstance(action, act.Discard) else (action.row,)
    told = facts.open_of(seat, SECOND_POT)
    if told is None:
        if any(one.kind in TWO_POTS and one.offender is seat for one in facts.told):
            return []  # it has been told, and what the arbitro made of it holds
        pot = facts.before.second[facts.before.line_of(seat)]
        if action.committed_t < pot.t:
            return _seen_late(facts, action, seat, pot)
        return new(facts, FaultKind.SECOND_POT_PLAYED, seat, melds=melds, seen=True)
    rows = with_row(told.melds, melds[0]) if melds else told.melds
    said = turned_out(told, FaultKind.SECOND_POT_PLAYED, facts.catalogue)
    return [joined(one, facts, cards=told.cards, melds=rows) for one in said]


def _seen_late(facts: Facts, action: act.Open | act.Extend | act.Discard, seat: Seat, pot: Pot) -> list[Irregularity]:
    """Judge cards laid before the second pot was lifted but seen only after it: they led to it."""
    if isinstance(action, act.Discard) or (pot.manner != "in-flight" and facts.before.last_out is not seat):
        return []
    way = CLOSING_WAYS[without_discard_kind(opened=isinstance(action, act.Open))]
    kind = FaultKind.SECOND_POT_IN_FLIGHT
    return new(facts, kind, seat, melds=(action.row,), seen=True, way=way, needs_referee=True)


def _through_wrong_meld(facts: Facts, seat: Seat, pot: Pot) -> list[Irregularity]:
    """Judge a pot taken in flight in this turn after a wrong meld, now that a card of it is played."""
    wrong = facts.open_of(seat, LEADING_TO_POT)
    if wrong is None or pot.manner != "in-flight" or pot.turn != facts.before.turn or wrong.committed_t >= pot.t:
        return []
    action = facts.action
    melds = wrong.melds if isinstance(action, act.Discard) else with_row(wrong.melds, _row(action))
    said = turned_out(wrong, FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD, facts.catalogue)
    return [replace(one, t=action.t, melds=melds) for one in said]


def through_pot(catalogue: Catalogue, one: Irregularity, deal: Deal) -> Irregularity:
    """``one``, a wrong meld told only now, as art. 23 judges it where its player has gone to the pot through it."""
    seat = one.offender
    pot = None if seat is None else deal.pots_taken.get(deal.line_of(seat))
    if pot is None or pot.seat is not seat or one.committed_t >= pot.t:
        return one
    case = _led_to(deal, pot, seat)
    said = [] if case is None else turned_out(replace(one, found=case[1]), case[0], catalogue)
    return next(iter(said), one)


def _led_to(deal: Deal, pot: Pot, seat: Seat) -> tuple[FaultKind, Found] | None:
    """Return what a wrong meld of ``seat`` that led to ``pot`` is by now; None while nothing of the pot is played."""
    if pot.manner == "discard":
        drawn = FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD_LATER
        return drawn if pot.played else FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD, "later"
    if deal.turn > pot.turn:
        return FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD_LATER, "later"
    if not deal.begun:
        return FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD, "after_discard_before_next_draw"
    played = any(lay.seat is seat and lay.t > pot.t for row in deal.changed for lay in deal.seen_lays(row))
    return (FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD, "during_turn") if played else None


def _row(action: act.Action) -> int:
    return action.row if isinstance(action, act.Open | act.Extend) else -1


def _too_soon(facts: Facts, seat: Seat, pot: Pot) -> list[Irregularity]:
    """Cards are played while others of the same pot still lie on the table."""
    lies = len(facts.before.at(pot.place))
    if not lies or pot.cards > _PARTLY or facts.open_of(seat, (FaultKind.POT_PLAYED_TOO_SOON,)) is not None:
        return []
    if facts.before.places.unverified or pot.turn < facts.before.turn - 1:
        return []
    return new(facts, FaultKind.POT_PLAYED_TOO_SOON, seat, seen=True)


def _coming_back(facts: Facts, seat: Seat) -> list[Irregularity]:
    """Judge a draw after a pot reached through a wrong meld: from his own on the pot is played as usual."""
    told = facts.open_of(seat, (FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD,))
    drawn = FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD_LATER
    later = [] if told is None else [replace(one, t=facts.action.t) for one in turned_out(told, drawn, facts.catalogue)]
    return [*later, *(replace(one, melds=one.melds[:1]) for one in facts.open if _names_others(one))]


def _names_others(one: Irregularity) -> bool:
    """Return True if it still names melds that were only to be frozen for a turn, besides the wrong one."""
    return one.kind == FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD_LATER and len(one.melds) > 1
