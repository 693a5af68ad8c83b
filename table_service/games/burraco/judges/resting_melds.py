"""Melds in doubt: which rows read as none, since when, and when that may be said.

Cards are laid one after the other, seen by a camera that may err and may tell late. So a row is judged only when
nothing has come to it for a while: longer in a turn that still runs, where more cards could make a meld of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN, face, rank, suit
from hw.seats import Seat
from hw.zones import melds
from table_service.games.burraco.fault_kinds import EQUAL_SETS, LAID_APART, RULED_AS, WRONG_MELDS, FaultKind
from table_service.games.burraco.judges.excess import Wrong, wild_displaced, wild_moved, wrong_meld
from table_service.games.burraco.judges.facts import turned_out
from table_service.games.burraco.judges.laid_cards import FRAME, LaidCards, is_meld, seen_since
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.card_ledger import newcomers
from table_service.games.burraco.rules.deal import Deal, MeldRow, Phase
from table_service.games.burraco.rules.doubts import impossible_faces
from table_service.games.burraco.rules.meld import may_grow, readings
from table_service.referee.catalogue import Catalogue, Found, Row, Words
from table_service.referee.values import Irregularity

RESTS: Final = 1.5
"""Seconds for which a row must have rested: pictures may be told two seconds late."""
SHORT: Final = 1.0
"""Seconds for the same where the arbitro is called."""
GROWS: Final = 2.0
"""Seconds for the same in a running turn, where more cards could still make a meld of it."""
_COMPLETE: Final = RESTS - SHORT
"""Seconds sooner that a row is judged which was only put in another order: nothing more has to come to it."""
PONDERS: Final = 3.0
"""Seconds for which a wild that was moved alone must have rested to stop play: what it stood for may be laid next."""
_COLOUR: Final[dict[str | None, str]] = {"C": "black", "S": "black", "D": "red", "H": "red"}
_NO_FIRST: Final = Words(
    "La combinazione uguale congelata è di una mano già finita: non c'è a che cosa unirla, decide l'arbitro.",
    "The equal set that was frozen is of a deal that is over: there is nothing to join it to, the arbitro decides.",
)
_BESIDE: Final = Words(
    "Il testo non parla di carte posate accanto al gioco a cui vanno senza toccarlo: l'arbitro chiede a chi le ha "
    "posate se intendeva legarle.",
    "The text does not speak of cards laid beside the meld that they fit without touching it: the arbitro asks who "
    "laid them whether they were meant for it.",
)
PLAIN: Final = 0.9
"""From this confidence on the reading of laid cards, and whose hand laid them, may accuse."""


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
                self._look(row, after, seen_since(action) - _COMPLETE)
            case act.Open(row=row) | act.Extend(row=row) | act.Uncover(row=row) | act.Change(row=row):
                self._look(row, after, seen_since(action))
            case act.TakeBack(row=int(row)):
                self._look(row, after, seen_since(action))
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
        """Return the rows that may be judged at ``t``; those that turn out to be melds are in doubt no more.

        ``called``: somebody has called the arbitro, so that nobody is still laying. One that was misread is settled
        at once. One that is ``unseen`` now waits until it is seen to rest again. ``wrongly``: rows to which somebody
        lays cards out of his turn or after his discard, card by card as he may in his turn.
        """
        rests, grows = (SHORT, SHORT) if called else (RESTS, GROWS)
        ready = self._known_otherwise(t, deal) if self._stale else []
        self._stale = False
        for row, since in tuple(self._since.items()):
            if t - since < rests:
                continue
            lies = deal.meld(row)
            if lies is None or UNKNOWN in map(face, lies.cards):
                del self._since[row]
                continue
            if unseen is not None and unseen(lies):
                self._since[row] = t - FRAME
                continue
            running = row in wrongly or (deal.begun and deal.line_of(deal.to_play) is lies.line)
            if running and _still_laid(deal, lies.cards, t - since, grows):
                continue
            del self._since[row]
            self._told[row] = lies.cards
            ready.append(row)
        return ready

    def _known_otherwise(self, t: float, deal: Deal) -> list[int]:
        """Rows of reported melds that are valid with the cards as they are known now.

        The other changed rows are in doubt from ``t`` on.
        """
        changed = [meld for meld in deal.melds if self._told.get(meld.row, meld.cards) != meld.cards]
        ready = []
        for meld in changed:
            if is_meld(deal, meld.cards):
                self._told[meld.row] = meld.cards
                self._since.pop(meld.row, None)
                ready.append(meld.row)
            else:
                self._since.setdefault(meld.row, t)
        return ready


def _still_laid(deal: Deal, cards: tuple[str, ...], rested: float, grows: float) -> bool:
    """Return True if the player may still be laying ``cards``: too few, or such as more could make a meld of."""
    if is_meld(deal, cards):
        return False
    return len(cards) < deal.book.meld_min or (rested < grows and may_grow(deal.book, cards))


def is_of_meld(one: Irregularity, row: Row | None, meld: int | None) -> bool:
    """Return True if a ruling by ``row``, which may name a meld, is about the wrong meld ``one``."""
    return one.kind in WRONG_MELDS and row is not None and row.is_of(RULED_AS) and (meld is None or meld in one.melds)


def _thinks(laid: LaidCards, t: float) -> bool:
    """Return True if the player who laid a wild may still be about to move it."""
    return laid.wild is not None and laid.rested(t) < PONDERS


def judge_meld(catalogue: Catalogue, deal: Deal, laid: LaidCards, t: float) -> Irregularity | None:
    """Return the irregularity that the resting meld shows; None if it is in order, or its reading may be wrong."""
    wrong = _fault(deal, laid)
    if wrong is None or _is_misread(deal, laid, wrong):
        return None
    unsaid = wrong.kind is FaultKind.LAID_BESIDE and catalogue.answer(wrong.kind) is None
    wrong = replace(wrong, kind=FaultKind.TOO_FEW_LAID, sure=False) if unsaid else wrong
    row, found = catalogue.answer(wrong.kind), _found(wrong.kind, deal, laid)
    if row is None or found is None:
        return None
    return _shown(deal, laid, wrong, row, found, t, unsaid=unsaid).judged_by(catalogue.found(row, found))


def _shown(
    deal: Deal, laid: LaidCards, wrong: Wrong, row: Row, found: Found, t: float, *, unsaid: bool
) -> Irregularity:
    """Return what a meld as it rests shows. ``unsaid``: the code's text does not answer it, so a person must."""
    seat, sure = _who_laid(deal, laid)
    last = laid.lays[-1]
    return Irregularity(
        key="",
        row=row,
        kind=wrong.kind,
        offender=seat,
        cards=wrong.excess,
        t=t,
        committed_t=laid.lays[0].committed_t,
        found=found,
        victim=laid.player,
        melds=(laid.row,) if wrong.beside is None else (wrong.beside, laid.row),
        seen=True,
        needs_referee=not (sure and wrong.sure),
        severity="" if sure and not _thinks(laid, t) and not unsaid else "note",
        confidence=last.confidence,
        basis=last.basis,
        frames=tuple(dict.fromkeys(frame for one in laid.lays for frame in one.frames)),
        movements=tuple(one.id for one in laid.lays if one.id),
        against=laid.line if seat is None else None,
        way=_way(deal, laid, wrong.kind, seat),
        needs=_BESIDE if unsaid else _NO_FIRST if wrong.kind is FaultKind.SET_OF_BANNED_RANK else None,
    )


def _fault(deal: Deal, laid: LaidCards) -> Wrong | None:
    """Return what is wrong with the cards as they lie, with a wild that was moved, or with where they lie."""
    book = deal.book
    wrong = wrong_meld(book, laid.base, laid.now)
    if wrong is None:
        moved = laid.wild or wild_moved(book, laid.was, laid.now) or wild_displaced(book, laid.was, laid.now)
        return _second_set(deal, laid) if moved is None else Wrong(FaultKind.WILD_MOVED, (moved,), sure=False)
    towards = _towards(deal, laid) if wrong.kind is FaultKind.TOO_FEW_LAID else None
    return wrong if towards is None else replace(wrong, kind=FaultKind.LAID_BESIDE, beside=towards)


def _second_set(deal: Deal, laid: LaidCards) -> Wrong | None:
    """Return the fault of a set that was opened although its line has laid one of that rank before."""
    if not laid.base and deal.is_banned_set(laid.line, laid.now):
        return Wrong(FaultKind.SET_OF_BANNED_RANK, laid.now, sure=False)
    first = None if laid.base else deal.equal_set(laid.line, laid.now, laid.row)
    lays = () if first is None else deal.seen_lays(first.row)
    if first is None or not lays or lays[0].t >= laid.lays[0].committed_t:
        return None
    return Wrong(FaultKind.SECOND_SET_OF_RANK, laid.now, beside=first.row)


def _way(deal: Deal, laid: LaidCards, kind: FaultKind, seat: Seat | None) -> str:
    """Remedy of a second set that the facts leave: its player took the pot in flight by it, and loses the flight.

    Open if both sets hold a wild, which is a way of its own.
    """
    pot = None if seat is None else deal.pots_taken.get(deal.line_of(seat))
    if kind is not FaultKind.SECOND_SET_OF_RANK or pot is None or deal.book.pot.flight_by_fault != "lost":
        return ""
    first = deal.equal_set(laid.line, laid.now, laid.row)
    two_wilds = first is not None and all(any(map(deal.book.is_wild, one)) for one in (first.cards, laid.now))
    flown = pot.seat is seat and pot.manner == "in-flight" and pot.turn == laid.turn == deal.turn
    return "flight" if flown and pot.t > laid.lays[0].committed_t and not two_wilds else ""


def then_others(catalogue: Catalogue, one: Irregularity, deal: Deal, laid: LaidCards) -> Irregularity:
    """``one``, a wrong meld, as a code judges it after which its player has laid other cards in the same turn."""
    since = laid.lays[-1].committed_t
    others = (deal.seen_lays(row) for row in deal.changed if row != laid.row)
    after = any(lay.seat is one.offender and lay.t > since for lays in others for lay in lays)
    if one.found != "during_turn" or not after or one.kind in EQUAL_SETS:
        return one
    return next(iter(turned_out(one, FaultKind.WRONG_MELD_THEN_OTHERS, catalogue)), one)


def _is_misread(deal: Deal, laid: LaidCards, wrong: Wrong) -> bool:
    """Return True if the row may be misread: the other line laid to it, it is not vouched for, or no pack holds it.

    Or a card that lay in it reads as its like in the other suit of that colour.
    """
    others = any(one.seat is not None and deal.line_of(one.seat) is not laid.line for one in laid.lays)
    doubted = others or melds(laid.line) in deal.places.unverified
    return doubted or _seen_too_often(deal, wrong) or _reads_as_its_like(deal, laid)


def _reads_as_its_like(deal: Deal, laid: LaidCards) -> bool:
    """Return True if one card for another of its rank and colour is all that parts the row from a meld.

    The hand that laid to the row has pushed it on, and the camera reads that card anew. Nobody changes a card so.
    """
    gone, come = newcomers(laid.now, laid.was), newcomers(laid.was, laid.now)
    return any(
        is_meld(deal, tuple(old if card == new else card for card in laid.now))
        for old in gone
        for new in come
        if old != new and rank(old) == rank(new) and _COLOUR.get(suit(old)) == _COLOUR.get(suit(new)) is not None
    )


def _who_laid(deal: Deal, laid: LaidCards) -> tuple[Seat | None, bool]:
    """Return who answers for what was laid, as far as one of the line is known to, and whether that is sure."""
    certain = {one.seat for one in laid.lays if one.seat is not None and not one.supposed}
    seats = {seat for seat in certain if deal.line_of(seat) is laid.line}
    player = laid.player if laid.player is not None and deal.line_of(laid.player) is laid.line else None
    seat = seats.pop() if len(seats) == 1 else player
    least = min((0.0 if one.supposed else one.confidence for one in laid.lays), default=0.0)
    return seat, seat is not None and least >= PLAIN


def _towards(deal: Deal, laid: LaidCards) -> int | None:
    """Return the meld towards which the cards were laid, not touching it: in its column and fitting it (art. 29)."""
    first = laid.lays[0]
    beside = first.beside if isinstance(first, act.Open) else None
    other = None if beside is None else deal.meld(beside)
    if other is None or other.line is not laid.line or not readings(deal.book, (*other.cards, *laid.now)):
        return None
    return beside


def _seen_too_often(deal: Deal, wrong: Wrong) -> bool:
    """Return True if an excess card lies face up more often than the pack holds it: misread, not misplayed."""
    if wrong.kind is FaultKind.THIRD_TWIN:
        return False
    return not impossible_faces(deal).isdisjoint(map(face, wrong.excess))


def _found(kind: FaultKind, deal: Deal, laid: LaidCards) -> Found | None:
    """Return the moment at which it is found; None if it is too late or too early to say so.

    What was laid in the turn that ended the deal is found after its discard: no opponent has drawn since (art. 25).
    """
    over = deal.phase is Phase.OVER
    same_turn = deal.turn == laid.turn
    if kind is FaultKind.WILD_MOVED:
        return "during_turn" if same_turn and not over else None
    if same_turn and deal.begun and not over:
        return None if kind in LAID_APART else "during_turn"
    if deal.turn < laid.turn:
        return None
    at_count = deal.book.mending is not None and deal.book.mending.at_the_count == "by-itself"
    if same_turn and not (over and at_count):
        return "after_discard_before_next_draw"
    return "hand_end" if over else "later"
