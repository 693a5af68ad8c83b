"""Art. 23: pots taken alone, counted wrongly, taken twice by one line, reached through a wrong meld."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.seats import Seat
from table_service.games.burraco.codes.fibur2024.closings import KEYS
from table_service.games.burraco.judges.closing import last_play_cards
from table_service.games.burraco.judges.facts import Facts, joined, new, with_row
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.parts import Pot
from table_service.games.burraco.rules.places import POTS_IN_ORDER
from table_service.referee.catalogue import Catalogue, Found
from table_service.referee.values import Irregularity

COUNTED: Final = 0.9
"""From this confidence on, the number of cards that left the pots is a fact."""
_PARTLY: Final = 9
"""Up to so many cards of a pot in the hand, the rest is still to be taken; a miscounted pot has one more or less."""
_WRONG_MELDS: Final = ("F-29b", "F-29c", "F-29d", "F-25a", "F-25b", "F-05d", "F-10b", "F-12", "F-12b")
_CLOSINGS: Final = ("F-35a", "F-35b", "F-33", "F-34")
_SECOND: Final = ("F-23h", "F-23i", "F-23n")


def judge(catalogue: Catalogue, facts: Facts) -> list[Irregularity]:
    """What art. 23 has against the action."""
    action = facts.action
    seat = action.seat
    if seat is None:
        return []
    match action:
        case act.TakePot():
            return _taking(catalogue, facts, action, seat)
        case act.Open() | act.Extend() | act.Discard():
            return _playing(catalogue, facts, action, seat)
        case act.Draw() | act.Collect():
            return _coming_back(catalogue, facts, seat)
    return []


# -- a pot is taken ------------------------------------------------------------------------------------------------


def _taking(catalogue: Catalogue, facts: Facts, action: act.TakePot, seat: Seat) -> list[Irregularity]:
    before, after = facts.before, facts.after
    if seat.line in after.second and seat.line not in before.second:
        return _second(catalogue, facts, seat, after.second[seat.line])
    pot = after.pots_taken.get(seat.line)
    if pot is None or pot.seat is not seat or seat.line in after.second:
        return []
    said: list[Irregularity] = []
    first_grip = seat.line not in before.pots_taken
    if first_grip:
        said += _alone(catalogue, facts, action, seat)
        said += _with_discard(catalogue, facts, seat)
    return [*said, *_number(catalogue, facts, action, pot)]


def _alone(catalogue: Catalogue, facts: Facts, action: act.TakePot, seat: Seat) -> list[Irregularity]:
    """The only hand seen at the pots was of the line that took it, which must be certain; who goes to it answers."""
    if action.by is None or action.by.line is not seat.line:
        return []
    if facts.before.count(seat) or not facts.before.sure_of(seat):
        return []
    return [new(catalogue, facts, "F-23b", seat, cards=())]


def _with_discard(catalogue: Catalogue, facts: Facts, seat: Seat) -> list[Irregularity]:
    """A pot after the discard, the hand having been played out through a wrong meld."""
    wrong = facts.open_of(seat, _WRONG_MELDS)
    if wrong is None or facts.before.begun:
        return []
    return [replace(wrong, row=catalogue.row("F-23l"), found="later", t=facts.action.t)]


def _number(catalogue: Catalogue, facts: Facts, action: act.TakePot, pot: Pot) -> list[Irregularity]:
    """The first pot, and what lies under it, are counted by weight as it is handed over."""
    after = facts.after
    if len(after.pots_left) != 1 or "scale" not in action.basis or action.confidence < COUNTED:
        return []
    due = after.book.pot_cards
    rest = sum(len(after.at(place)) for place in POTS_IN_ORDER)  # twice a pot: one of the deal before lies there too
    wrong = pot.cards != due or rest not in (due, 2 * due)
    told = next((one for one in facts.open if one.row.id == "F-23c"), None)
    if not wrong:
        return [] if told is None else [replace(told, state="dismissed", t=action.t)]
    in_grips = pot.cards < due and (pot.cards <= _PARTLY or len(action.cards) < pot.cards)
    if told is not None or in_grips:
        return []
    return [new(catalogue, facts, "F-23c", None, cards=())]


def _second(catalogue: Catalogue, facts: Facts, seat: Seat, pot: Pot) -> list[Irregularity]:
    """A line that has had its pot takes the other: its closing is judged by arts. 33 to 35, and the pot goes back."""
    row = "F-23h" if pot.manner == "in-flight" else "F-23i"
    closing = facts.open_of(seat, _CLOSINGS)
    if closing is not None:
        way = KEYS[closing.row.id]  # type: ignore[index]
        return [joined(replace(closing, way=way), facts, row=catalogue.row(row), cards=closing.cards)]
    play = facts.before.last_play
    cards, sure = last_play_cards(facts.before, play)
    way = "" if play is None or row == "F-23i" else KEYS["F-35a" if play.opened else "F-35b"]
    melds = () if play is None else (play.row,)
    one = new(catalogue, facts, row, seat, cards=cards, melds=melds, seen=True, way=way)
    return [replace(one, needs_referee=not sure or row == "F-23i")]


# -- its cards are played ------------------------------------------------------------------------------------------


def _playing(
    catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend | act.Discard, seat: Seat
) -> list[Irregularity]:
    second = facts.before.second.get(seat.line)
    if second is not None:
        return _second_played(catalogue, facts, action, seat) if second.seat is seat else []
    pot = facts.before.pots_taken.get(seat.line)
    if pot is None or pot.seat is not seat:
        return []
    return [*_through_wrong_meld(catalogue, facts, seat, pot), *_too_soon(catalogue, facts, seat, pot)]


def _second_played(
    catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend | act.Discard, seat: Seat
) -> list[Irregularity]:
    if any(one.duty.do == "correct-count" and one.who is seat for one in facts.sanctions):
        return []
    melds = () if isinstance(action, act.Discard) else (action.row,)
    told = facts.open_of(seat, _SECOND)
    if told is None:
        if any(one.row.id in (*_SECOND, "F-23o") and one.offender is seat for one in facts.told):
            return []  # it has been told, and what the arbitro made of it holds
        pot = facts.before.second[seat.line]
        if action.committed_t < pot.t:
            return _seen_late(catalogue, facts, action, seat, pot)
        return [new(catalogue, facts, "F-23n", seat, melds=melds, seen=True)]
    rows = with_row(told.melds, melds[0]) if melds else told.melds
    return [joined(told, facts, row=catalogue.row("F-23n"), cards=told.cards, melds=rows)]


def _seen_late(
    catalogue: Catalogue, facts: Facts, action: act.Open | act.Extend | act.Discard, seat: Seat, pot: Pot
) -> list[Irregularity]:
    """What was laid before the second pot was lifted, and is seen only after it, plays no card of it: it led there."""
    if isinstance(action, act.Discard) or (pot.manner != "in-flight" and facts.before.last_out is not seat):
        return []
    way = KEYS["F-35a" if isinstance(action, act.Open) else "F-35b"]
    return [new(catalogue, facts, "F-23h", seat, melds=(action.row,), seen=True, way=way, needs_referee=True)]


def _through_wrong_meld(catalogue: Catalogue, facts: Facts, seat: Seat, pot: Pot) -> list[Irregularity]:
    """A pot taken in flight in this turn after a wrong meld, and now a card of it is played."""
    wrong = facts.open_of(seat, _WRONG_MELDS)
    if wrong is None or pot.manner != "in-flight" or pot.turn != facts.before.turn or wrong.committed_t >= pot.t:
        return []
    action = facts.action
    melds = wrong.melds if isinstance(action, act.Discard) else with_row(wrong.melds, _row(action))
    return [replace(wrong, row=catalogue.row("F-23j"), t=action.t, melds=melds)]


def through_pot(catalogue: Catalogue, one: Irregularity, deal: Deal) -> Irregularity:
    """``one``, a wrong meld told only now, as art. 23 judges it where its player has gone to the pot through it."""
    seat = one.offender
    pot = None if seat is None else deal.pots_taken.get(seat.line)
    if pot is None or pot.seat is not seat or one.committed_t >= pot.t:
        return one
    if pot.manner == "discard":
        return replace(one, row=catalogue.row("F-23m" if pot.played else "F-23l"), found="later")
    if deal.turn > pot.turn:
        return replace(one, row=catalogue.row("F-23k"), found="later")
    played = any(lay.seat is seat and lay.t > pot.t for laid in deal.changed.values() for lay in laid)
    if not played and deal.begun:
        return one
    found: Found = "during_turn" if deal.begun else "after_discard_before_next_draw"
    return replace(one, row=catalogue.row("F-23j"), found=found)


def _row(action: act.Action) -> int:
    return action.row if isinstance(action, act.Open | act.Extend) else -1


def _too_soon(catalogue: Catalogue, facts: Facts, seat: Seat, pot: Pot) -> list[Irregularity]:
    """Cards are played while others of the same pot still lie on the table."""
    lies = len(facts.before.at(pot.place))
    if not lies or pot.cards > _PARTLY or facts.open_of(seat, ("F-23p",)) is not None:
        return []
    if facts.before.places.unverified or pot.turn < facts.before.turn - 1:
        return []
    return [new(catalogue, facts, "F-23p", seat, seen=True)]


def _coming_back(catalogue: Catalogue, facts: Facts, seat: Seat) -> list[Irregularity]:
    """A draw after a pot reached through a wrong meld: from his own on the pot is played as usual."""
    told = facts.open_of(seat, ("F-23l",))
    later = [] if told is None else [replace(told, row=catalogue.row("F-23m"), t=facts.action.t)]
    return [*later, *(replace(one, melds=one.melds[:1]) for one in facts.open if _names_others(one))]


def _names_others(one: Irregularity) -> bool:
    """Whether it still names melds that were only to be frozen for a turn, besides the wrong one."""
    return one.row.id == "F-23k" and len(one.melds) > 1
