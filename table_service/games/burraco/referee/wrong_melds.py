"""Melds that are none, from when they come to rest: told, told otherwise as they change, healed, or ruled already."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hw.cards import face
from hw.seats import Line
from table_service.games.burraco.fault_kinds import GHOSTS, LAID_IN_NO_TURN, RULED_AS, WRONG_MELDS, FaultKind
from table_service.games.burraco.judges.facts import gone_back, still_there
from table_service.games.burraco.judges.laid_cards import History, LaidCards, laid_in, played_since
from table_service.games.burraco.judges.pot import through_pot
from table_service.games.burraco.judges.resting_melds import PONDERS, MeldWatch, judge_meld, then_others
from table_service.games.burraco.referee.burraco_rulings import BurracoRulings
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, MeldRow
from table_service.games.burraco.rules.meld import reading_of
from table_service.referee.ledger import Ledger
from table_service.referee.values import Irregularity

SOON: Final = 60.0
"""Seconds after which a meld that is seen late is no longer taken for the one that the arbitro has ruled on."""


class WrongMelds:
    """The melds of one deal that are in doubt, and the irregularities about them in the ``ledger``."""

    def __init__(self, ledger: Ledger, rulings: BurracoRulings) -> None:
        self._ledger = ledger
        self._rulings = rulings
        self._watch = MeldWatch()

    # -- views -----------------------------------------------------------------------------------------------------

    @property
    def known(self) -> tuple[Irregularity, ...]:
        """The melds known to be none that nobody has put right: open, or found too late and frozen for good."""
        return tuple(
            one
            for one in self._ledger
            if one.kind in WRONG_MELDS and (one.state == "open" or (one.state == "ruled" and one.row.negative))
        )

    @property
    def disputed(self) -> frozenset[Line]:
        """The lines whose melds no ruling has settled: what they count for is not known."""
        return frozenset(one.line for one in self._ledger.open if one.kind in WRONG_MELDS and one.line is not None)

    def laid_on_theirs(self, deal: Deal) -> frozenset[Line]:
        """Return the lines whose cards lie on melds of the other line without a ruling that lets them stay there."""
        laid = (one for one in self._ledger if one.kind == FaultKind.LAID_ON_OTHER_LINES_MELD)
        unsettled = (one for one in laid if one.state != "dismissed" and (one.state, one.option) != ("ruled", "stay"))
        return frozenset(one.line for one in unsettled if one.line is not None and still_there(one, deal))

    # -- play ------------------------------------------------------------------------------------------------------

    def note(self, action: act.Action, after: Deal) -> None:
        """Take an action that was judged: the row it touched is looked at again."""
        self._watch.note(action, after)

    def off_theirs(self, action: act.TakeBack, after: Deal) -> list[Irregularity]:
        """Cards on a meld of the other line are in a hand again: nothing is left to decide, or it is carried out."""
        said = []
        for one in [it for it in self._ledger if it.kind == FaultKind.LAID_ON_OTHER_LINES_MELD]:
            if gone_back(one, action, after):
                state = "healed" if one.state == "open" else one.state
                off = self._ledger.change(one, action.t, melds=(), state=state)
                said += [off] if one.state == "open" else []
        return said

    def stale(self) -> None:
        """Cards that were played are known otherwise: every row is looked at again."""
        self._watch.stale()

    def late(
        self,
        t: float,
        deal: Deal | None,
        history: Callable[[], History],
        *,
        called: bool = False,
        unseen: Callable[[MeldRow], bool] | None = None,
    ) -> list[Irregularity]:
        """Return what has shown itself by ``t`` without a further act: melds that are none, come to rest.

        ``history``: the actions of the deal so far; ``called``: the arbitro has been called; ``unseen``: whether an arm
        covers a meld now, or frames begin to show it otherwise, so that nobody knows whether more has come to it.
        """
        if deal is None or (not called and t < self._watch.due):
            return []
        wrongly = frozenset(row for one in self._ledger.open if one.kind in LAID_IN_NO_TURN for row in one.melds)
        rested = self._watch.settle(t, deal, called=called, unseen=unseen, wrongly=wrongly)
        return [said for row in rested for said in self._rests(row, deal, history(), t)]

    def _rests(self, row: int, deal: Deal, history: History, t: float) -> list[Irregularity]:
        about = [one for one in self._ledger if row in one.melds]
        if self._is_settled(row, about):
            return []
        hidden = next((one for one in about if one.state == "open" and one.kind in GHOSTS), None)
        if hidden is not None:
            return self._still_hidden(hidden, deal, row, t)
        fault = self._fault(row, deal, laid_in(deal, row, history), t)
        if fault is not None and self._is_told(fault, about):
            return []
        known = next((one for one in about if _may_right_itself(one, row, deal)), None)
        if known is not None:
            return self._seen_again(known, fault, t, mended=played_since(row, known.t, history))
        return [] if fault is None else [self._entered_before(fault) or self._ledger.enter(fault)]

    def _is_settled(self, row: int, about: list[Irregularity]) -> bool:
        """Return True if the arbitro has decided what is wrong with the meld, or something is still owed about it."""
        return self._rulings.sanctions.duties.concerns(row) or any(one.state in ("ruled", "dismissed") for one in about)

    def _is_told(self, fault: Irregularity, about: list[Irregularity]) -> bool:
        """Return True if ``fault`` is known: its cards lay apart and joined their meld, or nothing can right it."""
        again = fault.kind not in WRONG_MELDS and any(one.kind == fault.kind and one.state == "open" for one in about)
        return again or any(_is_pushed_on(one, fault) for one in self._ledger.open)

    def _fault(self, row: int, deal: Deal, laid: LaidCards | None, t: float) -> Irregularity | None:
        """Fault of the meld as it rests; if only its wild was moved, it is checked once more later."""
        fault = None if laid is None else judge_meld(self._ledger.catalogue, deal, laid, t)
        if fault is None or laid is None:
            return None
        if laid.wild and laid.rested(t) < PONDERS:
            self._watch.look_again(row, t + PONDERS - laid.rested(t))
        fault = then_others(self._ledger.catalogue, fault, deal, laid)
        return through_pot(self._ledger.catalogue, fault, deal)

    def _seen_again(
        self, known: Irregularity, fault: Irregularity | None, t: float, *, mended: bool
    ) -> list[Irregularity]:
        """Judge the meld of ``known``, which has come to rest again; ``fault`` is what is wrong with it now."""
        if fault is None:
            return [self._ledger.change(known, t, state="healed" if mended else "dismissed")]
        if (fault.row.id, fault.cards, fault.severity) == (known.row.id, known.cards, known.severity):
            return []
        return [self._ledger.enter(replace(fault, key=known.key, committed_t=known.committed_t))]

    def _entered_before(self, fault: Irregularity) -> Irregularity | None:
        """``fault`` as the arbitro has entered it already, before the table could see the meld; None where he has not.

        One fact is one irregularity: what he has ruled is about this meld from now on.
        """
        for one in self._ledger:
            named = one.state == "ruled" and one.kind in RULED_AS and not one.melds
            if named and one.offender is fault.offender and fault.committed_t <= one.t and fault.t < one.t + SOON:
                cards = one.cards if set(one.cards) & set(fault.cards) else fault.cards
                about = self._ledger.change(one, fault.t, melds=fault.melds, cards=cards, seen=True)
                self._rulings.sanctions.duties.is_about(about)
                return about
        return None

    def _still_hidden(self, one: Irregularity, deal: Deal, row: int, t: float) -> list[Irregularity]:
        """Keep a card that came to light in meld ``row`` (art. 26) while it lies there; heal it once taken out."""
        meld = deal.meld(row)
        if meld is not None and not reading_of(deal.book, meld.cards):
            return []
        return [self._ledger.change(one, t, state="healed")]


def _may_right_itself(one: Irregularity, row: int, deal: Deal) -> bool:
    """Return True if ``one`` is over once meld ``row`` is in order; a card pushed on to its place is over at once.

    Cards that were laid where they fit and none might be laid (``about`` says why) are wrong for as long as they lie.
    """
    if one.melds[:1] != (row,) or (one.about is not None and still_there(one, deal)):
        return False
    return one.state == "open" and one.kind in WRONG_MELDS and (one.kind != FaultKind.LAID_BESIDE or len(one.melds) > 1)


def _is_pushed_on(one: Irregularity, fault: Irregularity) -> bool:
    """Return True if ``one`` is about the cards of ``fault``, which lay apart and have joined their meld since."""
    same = sorted(map(face, one.cards)) == sorted(map(face, fault.cards))
    return one.kind == FaultKind.LAID_BESIDE and len(one.melds) == 1 and one.offender is fault.offender and same
