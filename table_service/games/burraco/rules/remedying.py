"""What a code's policies say of one fault, as pure answers: what goes back, what is penalised, what may be mended.

Nothing here changes a deal; judges and duties ask it. Cards are faces or physical cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from hw.cards import face
from hw.seats import CLOCKWISE, Rotation, Seat
from table_service.games.burraco.rules.card_ledger import newcomers
from table_service.games.burraco.rules.meld import discard_order, readings
from table_service.games.burraco.rules.rulebook import RuleBook

Cards = tuple[str, ...]
WrongClosing = Literal["without-burraco", "with-wild", "without-discard"]


@dataclass(frozen=True, slots=True)
class ClosingRemedy:
    """What becomes of the cards of the last plays once somebody has gone out who may not.

    ``back``: they go to the hand and are free; ``penalised``: they go to the side, in the order in which they are
    discarded; ``discard``: of these one is the discard of this turn (empty: the discard that was made stays);
    ``exposed``: the others of ``discard`` are exposed cards.
    """

    back: Cards = ()
    penalised: Cards = ()
    discard: Cards = ()
    exposed: bool = False


def closing_remedy(
    book: RuleBook, fault: WrongClosing, last: Cards, before: Cards = (), *, opened: bool = False
) -> ClosingRemedy:
    """Return what follows from a wrong closing whose last play was ``last``, the one before it ``before``.

    ``opened``: the last play opened a meld (D-05 to D-07; arts. 33 to 35, feburit 21).
    """
    rules = book.wrong_closing
    if fault == "without-discard":
        return _without_discard(book, last, before, opened=opened)
    fate = rules.without_burraco if fault == "without-burraco" else rules.with_wild
    return ClosingRemedy(penalised=discard_order(book, last)) if fate == "penalised" else ClosingRemedy(back=last)


def _without_discard(book: RuleBook, last: Cards, before: Cards, *, opened: bool) -> ClosingRemedy:
    match book.wrong_closing.without_discard:
        case "single-card-and-play-before" if len(last) == 1:
            return ClosingRemedy(penalised=discard_order(book, before), discard=last)
        case "single-card-and-play-before":
            order = discard_order(book, last)
            return ClosingRemedy(penalised=order[1:], discard=order[:1])
        case "new-meld-gives-discard" if opened:
            return ClosingRemedy(discard=last, exposed=True)
        case "new-meld-gives-discard":
            return ClosingRemedy(discard=last[-1:], back=last[:-1])
    return ClosingRemedy(back=last)


def may_mend(book: RuleBook, base: Cards, now: Cards, excess: Cards, added: Cards, *, other_play: bool = False) -> bool:
    """True if a meld that lies wrongly as ``now`` may be put right by ``added`` from the hand (D-37).

    ``base``: what lay there rightly before, empty where the meld was opened; ``excess``: those of ``now`` that have no
    place in it; ``other_play``: something else was laid since. It is put right where some of the excess, one card at
    least, makes a meld with ``added``, by itself or with what stands.
    """
    rules = book.mending
    stands = base or newcomers(excess, now)
    if rules is None or not added or not _makes_meld(book, stands, excess, added, apart=not base):
        return False
    if base:
        to_set = any(reading.kind == "set" for reading in readings(book, base))
        return rules.added_to_set if to_set else rules.after_other_play or not other_play
    limit = rules.opened_with_wild if any(map(book.is_wild, now)) else rules.opened_without_wild
    return limit is None or len(added) <= limit


def _makes_meld(book: RuleBook, stands: Cards, excess: Cards, added: Cards, *, apart: bool) -> bool:
    """True if ``added`` and some of ``excess`` are a meld together with ``stands``, or ``apart`` from it."""
    groups: list[Cards] = [()]
    for card in map(face, excess):
        groups += [(*group, card) for group in groups]
    fixed = tuple(map(face, stands))
    own = tuple(map(face, added))
    wholes = [(*fixed, *own), *([own] if apart else [])]
    return any(readings(book, (*whole, *group)) for group in groups if group for whole in wholes)


def returned_card(book: RuleBook, hand: Cards) -> str | None:
    """Return which card of ``hand`` goes back where nobody knows the one drawn out of turn (D-09); None: not by rule.

    By some codes one that is drawn at random, so that no rule names it.
    """
    if book.out_of_turn.unknown_card != "highest-value" or any(book.value(card) is None for card in hand):
        return None
    return max(hand, key=lambda card: book.value(card) or 0, default=None)


def right_is_lost(
    book: RuleBook, offender: Seat, drew: Seat, *, out_of_turn: bool, rotation: Rotation = CLOCKWISE
) -> bool:
    """True if the draw or pick-up of ``drew`` ends the right to a penalty against ``offender`` (D-45, D-56).

    ``out_of_turn``: the fault was a draw, a pick-up or a play out of turn, or a play without a draw. Whether a former
    state can be restored is nothing that a draw decides.
    """
    ends = book.out_of_turn.past if out_of_turn else book.table.right_lapses
    match ends:
        case "next-opponent-draws":
            return rotation.line(drew) is not rotation.line(offender)
        case "seat-after-offender-draws":
            return drew is rotation.next(offender)
        case "anybody-draws":
            return drew is not offender
    return False


__all__ = ["ClosingRemedy", "WrongClosing", "closing_remedy", "may_mend", "returned_card", "right_is_lost"]
