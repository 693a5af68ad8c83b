"""Cards added to a row of melds since it last was a meld, by whom and in which turn; or the move of its wild."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from hw.seats import Line, Seat
from table_service.games.burraco.judges.excess import wild_displaced
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.meld import readings

FRAME: Final = 0.5
"""Seconds between two frames: cards that are told have been seen to rest for that long already."""
History = Sequence[tuple[Deal, act.Action]]
"""The actions of the deal so far, each with the deal before it, as they are known now."""
Lay = act.Open | act.Extend


@dataclass(frozen=True, slots=True)
class LaidCards:
    """Cards added to a row since it last was a meld, or since it was not there: ``base`` was there then."""

    row: int
    line: Line
    base: tuple[str, ...]
    now: tuple[str, ...]
    lays: tuple[Lay | act.Change, ...]
    """What was laid; where nothing was, how the row was put otherwise."""
    turn: int
    """The turn in which the first of it was laid."""
    player: Seat | None
    """Whose turn that was, as far as it is known."""
    was: tuple[str, ...] = ()
    """What lay there before cards were taken out of it in the same turn, where that was a meld; else as ``base``."""
    wild: str | None = None
    """The wild that was moved though nothing was laid (art. 10)."""

    def rested(self, t: float) -> float:
        """Seconds at ``t`` since the last of it was seen done; infinite where the wild lies again where it lay."""
        return t - seen_since(self.lays[-1]) if self.now != self.was or not self.wild else math.inf


def seen_since(action: act.Action) -> float:
    """Since when what ``action`` has laid is seen to rest: what is told late was seen before it was told."""
    return min(action.t, max(action.committed_t, action.t - 2 * FRAME) + FRAME)


def is_meld(deal: Deal, cards: tuple[str, ...]) -> bool:
    """Return True if ``cards`` make a meld as they lie, all of them known."""
    return len(cards) >= deal.book.meld_min and bool(readings(deal.book, cards))


def laid_in(deal: Deal, row: int, history: History) -> LaidCards | None:
    """Cards added to ``row`` since it was last a meld, or the move of its wild; None if no hand did either."""
    meld = deal.meld(row)
    if meld is None:
        return None
    lays, base = _since_a_meld(deal, row, history if row >= 0 else ())
    if not lays:
        return _moved_alone(deal, row, history)
    first, lay = lays[0]
    late = _after_it(first, lay)
    turn = first.turn if first.begun or late else first.turn + 1
    player = first.last_out if late and first.last_out is not None else first.to_play
    was = _before_taking(row, first, history) or (base if _had_rested(lay, first, history) else ())
    laid = tuple(one for _, one in lays)
    return LaidCards(row, meld.line, base, meld.cards, laid, turn, player if first.known else None, was)


def _since_a_meld(deal: Deal, row: int, history: History) -> tuple[list[tuple[Deal, Lay]], tuple[str, ...]]:
    """Return what was laid to ``row``, each with the deal before it, since a meld lay there; and that meld."""
    lays: list[tuple[Deal, Lay]] = []
    for before, action in reversed(history):
        if not isinstance(action, Lay | act.TakeBack | act.Change) or action.row != row:
            continue
        lies = before.meld(row)
        if isinstance(action, Lay):
            lays.insert(0, (before, action))
        if lies is None:
            break
        if is_meld(deal, lies.cards):
            return lays, lies.cards
    return lays, ()


def _moved_alone(deal: Deal, row: int, history: History) -> LaidCards | None:
    """Move of the wild of ``row`` in this turn without a card being laid, even if it was moved back since (art. 10)."""
    found: LaidCards | None = None
    for before, action in reversed(history):
        if before.turn < deal.turn or (isinstance(action, Lay | act.TakeBack) and action.row == row):
            break
        lies, now = before.meld(row), deal.meld(row)
        if not isinstance(action, act.Change) or action.row != row or lies is None or now is None:
            continue
        wild = wild_displaced(deal.book, lies.cards, action.result)
        if wild is not None and _had_rested(action, before, history):
            player = before.to_play if before.begun else before.last_out
            whose = player if before.known else None
            found = LaidCards(row, now.line, (), now.cards, (action,), before.turn, whose, lies.cards, wild)
    return found


def _had_rested(lay: Lay | act.Change, first: Deal, history: History) -> bool:
    """Return True if what lay there was reported before ``lay`` was made: else frames saw it only between two gestures.

    A card may have been missed then, and a wild that stood in its place has not moved.
    """
    until = next((at for at, (before, _) in enumerate(history) if before is first), 0)
    earlier = (one for _, one in reversed(history[:until]) if isinstance(one, act.TakeBack | Lay | act.Change))
    last = next((one for one in earlier if one.row == lay.row), None)
    return last is None or last.t <= lay.committed_t


def _before_taking(row: int, first: Deal, history: History) -> tuple[str, ...]:
    """Return the meld that had lost cards just before those of ``first`` were laid, in the same turn (art. 10)."""
    until = next((at for at, (before, _) in enumerate(history) if before is first), 0)
    for before, action in reversed(history[:until]):
        if isinstance(action, act.Discard) or before.turn != first.turn:
            return ()
        if isinstance(action, act.TakeBack | Lay | act.Change) and action.row == row:
            lies = before.meld(row)
            taken = isinstance(action, act.TakeBack) and not action.ordered and lies is not None
            return lies.cards if taken and lies is not None and is_meld(before, lies.cards) else ()
    return ()


def played_since(row: int, t: float, history: History) -> bool:
    """Return True if cards have come to ``row`` or gone from it after ``t``; else it was only read otherwise."""
    return any(
        isinstance(action, Lay | act.TakeBack) and action.row == row and action.t > t for _, action in reversed(history)
    )


def _after_it(before: Deal, lay: Lay) -> bool:
    """Return True if the cards were laid before a discard reported first, or by the player who had just discarded."""
    return not before.begun and lay.seat is not None and lay.seat is before.last_out
