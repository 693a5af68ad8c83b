"""Closings that are barred: until the next discard, for a round, or until penalised cards are gone."""

from __future__ import annotations

from typing import Final

from hw.zones import side
from table_service.games.burraco.duties.family import Broken, Family, Kept, Look, Served, Verdict
from table_service.games.burraco.duties.returning import without
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.referee.values import Sanction

_PENALISED: Final = frozenset({"turn-after-last-penalised", "closing-bar-end", "none-left"})
"""Ends that hang on penalised cards: the turn after the last of them; as the rule book has it for a wrong closing; the
last of them itself."""
LASTING: Final = frozenset({*_PENALISED, "round-of-the-fault"})
"""Ends of bars that outlast a draw."""


def still_barred(one: Sanction, deal: Deal) -> bool:
    """Return True if ``one`` bars its player who has drawn since: a bar of another kind ends with his draw."""
    return one.duty.do == "bar-closing" and one.duty.until in LASTING and one.who not in deal.barred


def _barred(one: Sanction, look: Look) -> Verdict:
    """Until a discard of his that ends nothing; where penalised cards wait, until none does."""
    if look.who is not one.who:
        return Kept(one)
    left = _penalised_left(one, look) if one.duty.until in _PENALISED else ()
    if isinstance(look.action, act.Discard):
        if one.duty.until in LASTING and _has_gone_out(one, look):
            return Broken("he went out and might not")
        return Kept(one) if left else Served()
    takes = isinstance(look.action, act.Draw | act.Collect)
    return Served() if takes and _may_close_with_the_last(one, look) and len(left) <= 1 else Kept(one)


def _may_close_with_the_last(one: Sanction, look: Look) -> bool:
    """Return True if he may go out by discarding his last penalised card."""
    if one.duty.until == "closing-bar-end":
        return look.before.book.wrong_closing.bar.offender == "last-penalised-discard"
    return one.duty.until == "none-left"


def _penalised_left(one: Sanction, look: Look) -> tuple[str, ...]:
    """Return the penalised cards of its player that are still to be discarded after the action."""
    gone = look.action.cards if isinstance(look.action, act.Discard) else ()
    owed = [it for it in look.owed if it.who is one.who and it.duty.do == "discard"]
    left = tuple(card for it in owed for card in without(it.cards, gone))
    return left or look.after.at(side(one.who))


def _has_gone_out(one: Sanction, look: Look) -> bool:
    """Return True if he has surely discarded the last card that he had, and no pot is his line's to take."""
    deal = look.after
    return not deal.owns(one.who) and deal.sure_of(one.who) and not deal.pot_is_open(deal.line_of(one.who))


FAMILIES: Final = (Family(("bar-closing",), _barred),)
