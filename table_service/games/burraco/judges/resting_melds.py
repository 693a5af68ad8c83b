"""Melds in doubt: which rows read as none, since when, and when that may be said.

Cards are laid one after the other, seen by a camera that may err and may tell late. So a row is judged only when
nothing has come to it for a while: longer in a turn that still runs, where more cards could make a meld of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from hw.cards import UNKNOWN, face
from hw.seats import Line, Seat
from hw.zones import melds
from table_service.games.burraco.judges.excess import Wrong, may_grow, wild_displaced, wild_moved, wrong_meld
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, MeldRow, Phase
from table_service.games.burraco.rules.doubts import impossible_faces
from table_service.games.burraco.rules.meld import readings
from table_service.referee.catalogue import Catalogue
from table_service.referee.values import Irregularity

RESTS: Final = 1.5
"""Seconds for which a row must have rested: pictures may be told two seconds late."""
_FRAME: Final = 0.5
"""Seconds between two frames: cards that are told have been seen to rest for that long already."""
SHORT: Final = 1.0
"""Seconds for the same where the arbitro is called."""
GROWS: Final = 2.0
"""Seconds for the same in a running turn, where more cards could still make a meld of it."""
_COMPLETE: Final = RESTS - SHORT
"""Seconds sooner that a row is judged which was only put in another order: nothing more has to come to it."""
PONDERS: Final = 3.0
"""Seconds for which a wild that was moved alone must have rested to stop play: what it stood for may be laid next."""
PLAIN: Final = 0.9
"""From this confidence on the reading of laid cards, and whose hand laid them, may accuse."""

MELD_ROWS: Final = frozenset(
    (
        *("F-05d", "F-10a", "F-10b", "F-11c", "F-12", "F-12b"),
        *("F-29a", "F-29b", "F-29c", "F-29d", "F-29e"),
        *("F-25a", "F-25b", "F-25c", "F-G03"),
        *("F-23j", "F-23k", "F-23l", "F-23m"),
    )
)
"""The rows that one wrong meld can be judged by, one after the other."""

RULED_AS: Final = MELD_ROWS | {"F-21c", "F-21d", "F-26a", "F-26b", "F-26c", "F-26d", "F-28d"}
"""The rows that a ruling may name for it: what a sensor cannot tell, such as who has seen it or how it came there."""
_APART: Final = ("F-29a", "F-29e")
"""One or two cards that lie apart: what they were meant for shows when the turn is over."""
History = Sequence[tuple[Deal, act.Action]]
"""The actions of the deal so far, each with the deal before it, as they are known now."""
Lay = act.Open | act.Extend


@dataclass(frozen=True, slots=True)
class Laid:
    """What has come to a row since it last was a meld, or since it was not there: ``base`` lay there then."""

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
        return t - _seen_since(self.lays[-1]) if self.now != self.was or not self.wild else math.inf


class MeldWatch:
    """The rows in doubt of one deal, and since when each has rested."""

    def __init__(self) -> None:
        self._since: dict[int, float] = {}
        self._told: dict[int, tuple[str, ...]] = {}
        self._stale = False

    def note(self, action: act.Action, after: Deal) -> None:
        """Take an action that was judged: the row it touched is looked at again; a discard sets the time for all."""
        match action:
            case act.Change(row=row, why="reordered"):
                self._look(row, after, _seen_since(action) - _COMPLETE)
            case act.Open(row=row) | act.Extend(row=row) | act.Uncover(row=row) | act.Change(row=row):
                self._look(row, after, _seen_since(action))
            case act.TakeBack(row=int(row)):
                self._look(row, after, _seen_since(action))
            case act.Discard():
                for meld in after.melds:
                    self._look(meld.row, after, action.t)

    def _look(self, row: int, deal: Deal, t: float) -> None:
        meld = deal.meld(row)
        if meld is None or meld.negative:
            self._since.pop(row, None)
        elif self._told.get(row) != meld.cards:
            self._since[row] = t

    def look_again(self, row: int, t: float) -> None:
        """Have row ``row`` judged once more at ``t``, though nothing happens to it."""
        self._since.setdefault(row, t - RESTS)

    def stale(self) -> None:
        """Cards that were played are known otherwise: every row is looked at again."""
        self._stale = True

    @property
    def due(self) -> float:
        """The earliest time at which a row may be judged; infinite where none is in doubt."""
        return -1.0 if self._stale else min(self._since.values(), default=float("inf")) + RESTS

    def settle(
        self,
        t: float,
        deal: Deal,
        *,
        called: bool = False,
        unseen: Callable[[MeldRow], bool] | None = None,
        wrongly: frozenset[int] = frozenset(),
    ) -> list[int]:
        """The rows that may be judged at ``t``; those that turn out to be melds are in doubt no more.

        ``called``: somebody has called the arbitro, so that nobody is still laying. One that was misread is settled
        at once. One that is ``unseen`` now waits until it is seen to rest again. ``wrongly``: rows to which somebody
        lays cards out of his turn or after his discard, card by card as he may in his turn.
        """
        rests, grows = (SHORT, SHORT) if called else (RESTS, GROWS)
        ready = []
        if self._stale:
            self._stale = False
            for meld in deal.melds:
                if self._told.get(meld.row, meld.cards) == meld.cards:
                    continue
                if _is_meld(deal, meld.cards):
                    self._told[meld.row] = meld.cards
                    self._since.pop(meld.row, None)
                    ready.append(meld.row)
                else:
                    self._since.setdefault(meld.row, t)
        for row, since in tuple(self._since.items()):
            lies = deal.meld(row)
            if t - since < rests:
                continue
            if lies is None or UNKNOWN in map(face, lies.cards):
                del self._since[row]
                continue
            if unseen is not None and unseen(lies):
                self._since[row] = t - _FRAME
                continue
            running = row in wrongly or (deal.begun and deal.to_play.line is lies.line)
            if running and not _is_meld(deal, lies.cards) and _still_laid(deal, lies.cards, t - since, grows):
                continue
            del self._since[row]
            self._told[row] = lies.cards
            ready.append(row)
        return ready


def _seen_since(action: act.Action) -> float:
    """Since when what ``action`` has laid is seen to rest: what is told late was seen before it was told."""
    return min(action.t, max(action.committed_t, action.t - 2 * _FRAME) + _FRAME)


def _is_meld(deal: Deal, cards: tuple[str, ...]) -> bool:
    return len(cards) >= deal.book.meld_min and bool(readings(deal.book, cards))


def _still_laid(deal: Deal, cards: tuple[str, ...], rested: float, grows: float) -> bool:
    """Whether the player may still be laying ``cards``: too few, or such as more could make a meld of."""
    return len(cards) < deal.book.meld_min or (rested < grows and may_grow(deal.book, cards))


def is_of_meld(one: Irregularity, row: str, meld: object) -> bool:
    """Whether a ruling by ``row``, which may name a meld, is about the wrong meld ``one``."""
    return one.row.id in MELD_ROWS and row in RULED_AS and (meld is None or meld in one.melds)


def laid_in(deal: Deal, row: int, history: History) -> Laid | None:
    """What has come to ``row`` since it was last a meld, or how its wild was moved; None where no hand did either."""
    meld = deal.meld(row)
    if meld is None:
        return None
    lays: list[Lay] = []
    base: tuple[str, ...] = ()
    first: Deal | None = None
    for before, action in reversed(history if row >= 0 else ()):
        if not isinstance(action, Lay | act.TakeBack | act.Change) or action.row != row:
            continue
        lies = before.meld(row)
        if isinstance(action, Lay):
            lays.insert(0, action)
            first = before
        if lies is None:
            break
        base = ()
        if _is_meld(deal, lies.cards):
            base = lies.cards
            break
    if first is None or not lays:
        return _moved_alone(deal, row, history)
    turn = first.turn if first.begun or _after_it(first, lays[0]) else first.turn + 1
    player = first.last_out if _after_it(first, lays[0]) and first.last_out is not None else first.to_play
    was = _before_taking(row, first, history) or (base if _had_rested(lays[0], first, history) else ())
    return Laid(row, meld.line, base, meld.cards, tuple(lays), turn, player if first.known else None, was)


def _moved_alone(deal: Deal, row: int, history: History) -> Laid | None:
    """How the wild of ``row`` was moved in this turn without a card being laid, be it moved back since (art. 10)."""
    found: Laid | None = None
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
            found = Laid(row, now.line, (), now.cards, (action,), before.turn, whose, lies.cards, wild)
    return found


def _had_rested(lay: Lay | act.Change, first: Deal, history: History) -> bool:
    """Whether what lay there was told before ``lay`` was made: else frames saw it only between two gestures.

    A card may have been missed then, and a wild that stood in its place has not moved.
    """
    until = next((at for at, (before, _) in enumerate(history) if before is first), 0)
    earlier = (one for _, one in reversed(history[:until]) if isinstance(one, act.TakeBack | Lay | act.Change))
    last = next((one for one in earlier if one.row == lay.row), None)
    return last is None or last.t <= lay.committed_t


def _before_taking(row: int, first: Deal, history: History) -> tuple[str, ...]:
    """The meld of which cards had been taken just before those of ``first`` were laid, in the same turn (art. 10)."""
    until = next((at for at, (before, _) in enumerate(history) if before is first), 0)
    for before, action in reversed(history[:until]):
        if isinstance(action, act.Discard) or before.turn != first.turn:
            return ()
        if isinstance(action, act.TakeBack | Lay | act.Change) and action.row == row:
            lies = before.meld(row)
            taken = isinstance(action, act.TakeBack) and not action.ordered and lies is not None
            return lies.cards if taken and lies is not None and _is_meld(before, lies.cards) else ()
    return ()


def played_since(row: int, t: float, history: History) -> bool:
    """Whether cards have come to ``row`` or gone from it after ``t``; else it was only read otherwise."""
    return any(
        isinstance(action, Lay | act.TakeBack) and action.row == row and action.t > t for _, action in reversed(history)
    )


def _after_it(before: Deal, lay: Lay) -> bool:
    """Whether the cards were laid before a discard that was told first, or by who had just discarded."""
    return not before.begun and lay.seat is not None and lay.seat is before.last_out


def judge_meld(catalogue: Catalogue, deal: Deal, laid: Laid, t: float) -> Irregularity | None:
    """The irregularity that the meld as it rests shows; None where it is in order, or its reading may be wrong."""
    wrong = wrong_meld(deal.book, laid.base, laid.now)
    if wrong is None:
        moved = laid.wild or wild_moved(deal.book, laid.was, laid.now) or wild_displaced(deal.book, laid.was, laid.now)
        if moved is None:
            return None
        wrong = Wrong("F-10a", (moved,), sure=False)
    if any(one.seat is not None and one.seat.line is not laid.line for one in laid.lays):
        return None
    rows: tuple[int, ...] = (laid.row,)
    towards = _towards(deal, laid) if wrong.row == "F-29a" else None
    if towards is not None:
        wrong, rows = replace(wrong, row="F-29e"), (towards, laid.row)
    if melds(laid.line) in deal.places.unverified or _seen_too_often(deal, wrong):
        return None
    thinks = laid.wild is not None and laid.rested(t) < PONDERS
    sure = min((0.0 if one.supposed else one.confidence for one in laid.lays), default=0.0)
    seats = {one.seat for one in laid.lays if one.seat is not None and not one.supposed and one.seat.line is laid.line}
    player = laid.player if laid.player is not None and laid.player.line is laid.line else None
    seat = seats.pop() if len(seats) == 1 else player
    doubt = seat is None or sure < PLAIN
    row, found = _when(wrong.row, deal, laid)
    if row is None:
        return None
    last = laid.lays[-1]
    return Irregularity(
        key="",
        row=catalogue.row(row),
        offender=seat,
        cards=wrong.excess,
        t=t,
        committed_t=laid.lays[0].committed_t,
        found=found,  # type: ignore[arg-type]
        victim=laid.player,
        melds=rows,
        seen=True,
        needs_referee=doubt or not wrong.sure,
        severity="note" if doubt or thinks else "",
        confidence=last.confidence,
        basis=last.basis,
        frames=tuple(dict.fromkeys(frame for one in laid.lays for frame in one.frames)),
        movements=tuple(one.id for one in laid.lays if one.id),
        against=laid.line if seat is None else None,
    )


def _towards(deal: Deal, laid: Laid) -> int | None:
    """The meld towards which the cards were laid without touching it: they lie in its column and fit it (art. 29)."""
    first = laid.lays[0]
    beside = first.beside if isinstance(first, act.Open) else None
    other = None if beside is None else deal.meld(beside)
    if other is None or other.line is not laid.line or not readings(deal.book, (*other.cards, *laid.now)):
        return None
    return beside


def _seen_too_often(deal: Deal, wrong: Wrong) -> bool:
    """Whether an excess card lies face up more often than the pack holds it: then it is misread, not misplayed."""
    if wrong.row == "F-05d":
        return False
    return not impossible_faces(deal).isdisjoint(map(face, wrong.excess))


def _when(row: str, deal: Deal, laid: Laid) -> tuple[str | None, str]:
    """The row by the moment at which it is found (contract; art. 25)."""
    over = deal.phase is Phase.OVER
    if row == "F-10a":
        return (row if deal.turn == laid.turn and not over else None), "during_turn"
    running = deal.begun and deal.turn == laid.turn and not over
    if running:
        return (None, "") if row in _APART else (row, "during_turn")
    if deal.turn < laid.turn:
        return None, ""
    if deal.turn == laid.turn and not deal.begun and not over:
        return (row if row in _APART else "F-25b"), "after_discard_before_next_draw"
    return "F-29e" if row == "F-29e" else "F-25c", "hand_end" if over else "later"
