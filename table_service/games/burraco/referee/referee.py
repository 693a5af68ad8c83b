"""The referee of one table: watches every action, proposes irregularities, follows what the arbitro orders.

It never stops or changes play. ``judge`` takes an action with the deal before and after it; ``late`` says what has
shown itself without a further act; ``order`` (``deciding``) takes an act at the arbitro's console. All answer with
findings, which say what is new. A pure fold: no clock, no chance.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from hw.cards import face
from hw.observations import Console
from hw.seats import Seat
from table_service.games.burraco.duties import SanctionBook
from table_service.games.burraco.judges import Facts, judge_action
from table_service.games.burraco.judges.closing import frozen_cards
from table_service.games.burraco.judges.ghosts import GHOSTS
from table_service.games.burraco.judges.pot import through_pot
from table_service.games.burraco.judges.resting_melds import (
    MELD_ROWS,
    PONDERS,
    RULED_AS,
    History,
    MeldWatch,
    judge_meld,
    laid_in,
    played_since,
)
from table_service.games.burraco.judges.turn import LAID_WRONGLY
from table_service.games.burraco.referee.deciding import Deciding, family
from table_service.games.burraco.referee.findings import Finding
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Fault, MeldRow, Phase
from table_service.games.burraco.rules.meld import reading_of
from table_service.games.burraco.rules.places import matching
from table_service.referee.catalogue import FOUND_FROM, Moment
from table_service.referee.round import RoundBook
from table_service.referee.values import Irregularity, Sanction

_PENALISES: Final = frozenset({"penalise", "complete-or-penalise"})
_SOON: Final = 60.0
"""Seconds after which a meld that is seen late is no longer taken for the one that the arbitro has ruled on."""


class Referee(Deciding):
    """Keeps the irregularities, sanctions and warnings of one round at one table."""

    # -- beginnings ------------------------------------------------------------------------------------------------

    def new_round(self, book: RoundBook | None = None) -> None:
        """A round begins; ``book`` says what it begins with, such as the warnings that the pairs bring."""
        self._round += 1
        self._deal = 0
        self.book = RoundBook(self._catalogue.tournament) if book is None else book

    def end_round(self, t: float) -> list[Finding]:
        """The round ends; where the arbitro had to be called and nobody has been seen to, that is a fact to judge."""
        row = self.book.rules.call_row
        told = any(one.row.id == row for one in self._found.values())
        if row is None or told or not self.book.must_call:
            return []
        missed = Irregularity(
            key="",
            row=self._catalogue.row(row),
            offender=None,
            cards=(),
            t=t,
            committed_t=t,
            found="hand_end",
            needs_referee=True,
            basis=("derived",),
        )
        return [self._enter(missed)]

    def counted(self, lead: int | None) -> None:
        """A deal was counted and NS leads by ``lead`` in the round."""
        self.book = self.book.counted(lead)

    def visited(self) -> None:
        """The arbitro was called, or has acted at this table."""
        self.book = self.book.visited()

    def new_deal(self, number: int, t: float) -> list[Finding]:
        """A deal begins: what was open and lapses with play is healed, sanctions of the old deal are dropped."""
        for one in self.open:
            row = one.row.becomes("deal-end")
            if row is not None and not _is_in_hand(one):
                self._turn(one, t, row=self._catalogue.row(row), found=FOUND_FROM["deal-end"])
        healed = [self._turn(one, t, state="healed") for one in self.open if _heals(one)]
        self._found = {one.key: one for one in self.open}
        self._sanctions, self._melds, self._last = SanctionBook(), MeldWatch(), None
        self._deal, self._number, self._dealt = number, 0, False
        self.book = self.book.next_deal()
        return [*healed]

    @property
    def deals_anew(self) -> bool:
        """Whether a ruling of this deal has the cards gathered and dealt anew (arts. 4, 5, 7)."""
        return any(
            one.state == "ruled" and "redeal" in {step.do for step in one.row.steps} for one in self._found.values()
        )

    def start_play(self) -> None:
        """The cards are dealt and the arbitro has said that play may begin."""
        self._dealt = True

    # -- play ------------------------------------------------------------------------------------------------------

    def judge(self, before: Deal, action: act.Action, faults: tuple[Fault, ...], after: Deal) -> list[Finding]:
        """What ``action`` tells; ``faults`` as the deal saw them before it."""
        said: list[Finding] = []
        remedy, owed = self._sanctions.carries_out(action), self._sanctions.in_force
        said += self._sanctions.watch(before, action, after)
        if not remedy:
            said += self._age_or_heal(before, action)
            for one in judge_action(self._catalogue, self._facts(before, action, faults, after, owed)):
                known = self._ruled_before(one, after)
                said += known or [self._enter(one)]
                said += [] if known else self._lapsed(before, action, said[-1])
        self._melds.note(action, after)
        return said

    def _ruled_before(self, one: Irregularity, deal: Deal) -> list[Finding]:
        """``one`` as the arbitro has ruled it already, before the table could see the meld: it is frozen from now on.

        Nothing where he has not: one fact is one irregularity.
        """
        if one.key or not one.melds or not one.row.freezes:
            return []
        for ruled in self._found.values():
            named = ruled.state == "ruled" and ruled.basis == ("console",) and not ruled.melds
            same = family(ruled.row.id) == family(one.row.id) and ruled.offender is one.offender
            if named and same and one.committed_t <= ruled.committed_t and one.t < ruled.committed_t + _SOON:
                about = self._turn(
                    ruled,
                    one.t,
                    melds=one.melds,
                    cards=one.cards,
                    committed_t=one.committed_t,
                    found=one.found,
                    seen=True,
                    basis=one.basis,
                    frames=one.frames,
                    movements=one.movements,
                )
                return [about, *self._sanctions.freeze(about, Console(one.t, "", "rule", {}), deal)]
        return []

    def _lapsed(self, before: Deal, action: act.Action, one: Finding) -> list[Finding]:
        """Cards laid after the own discard, told only once the opponent has drawn: that draw has healed them."""
        if not isinstance(one, Irregularity) or not isinstance(action, act.Open | act.Extend):
            return []
        lapses = one.state == "open" and one.row.heals == "opponent-draws"
        if not lapses or not before.is_between(one.offender, action.committed_t):
            return []
        return [self._turn(one, action.t, state="healed")]

    def _facts(
        self, before: Deal, action: act.Action, faults: tuple[Fault, ...], after: Deal, owed: tuple[Sanction, ...]
    ) -> Facts:
        book = self._sanctions
        wrong = frozenset(row for one in self.wrong_melds if one.row.id != "F-29e" for row in one.melds)
        return Facts(
            before,
            action,
            faults,
            after,
            open=self.open,
            sanctions=book.in_force,
            thawed=book.thawed,
            thaws=book.thaws,
            wrong=wrong,
            owed=owed,
            told=self.irregularities,
            dealt=self._dealt,
        )

    def late(
        self,
        t: float,
        deal: Deal | None,
        history: Callable[[], History],
        *,
        called: bool = False,
        unseen: Callable[[MeldRow], bool] | None = None,
    ) -> list[Finding]:
        """What has shown itself by ``t`` without a further act: melds that are none, come to rest (arts. 10 to 12, 29).

        ``history``: the actions of the deal so far; ``called``: the arbitro has been called; ``unseen``: whether an arm
        covers a meld now, or frames begin to show it otherwise, so that nobody knows whether more has come to it.
        """
        if deal is None or (not called and t < self._melds.due):
            return []
        said: list[Finding] = []
        wrongly = frozenset(row for one in self.open if one.row.id in LAID_WRONGLY for row in one.melds)
        for row in self._melds.settle(t, deal, called=called, unseen=unseen, wrongly=wrongly):
            said += self._rests(row, deal, history(), t)
        return said

    def _rests(self, row: int, deal: Deal, history: History, t: float) -> list[Finding]:
        about = [one for one in self._found.values() if row in one.melds]
        if self._sanctions.concerns(row) or any(one.state in ("ruled", "dismissed") for one in about):
            return []
        hidden = next((one for one in about if one.state == "open" and one.row.id in GHOSTS), None)
        if hidden is not None:
            return self._still_hidden(hidden, deal, row, t)
        wrong = (one for one in about if _may_right_itself(one) and one.melds[0] == row)
        known = next(wrong, None)
        laid = laid_in(deal, row, history)
        fault = None if laid is None else judge_meld(self._catalogue, deal, laid, t)
        if fault is not None and laid is not None and laid.wild and laid.rested(t) < PONDERS:
            self._melds.look_again(row, t + PONDERS - laid.rested(t))
        fault = fault and through_pot(self._catalogue, fault, deal)
        if fault is not None and any(_is_pushed_on(one, fault) for one in self.open):
            return []
        if known is None:
            return [] if fault is None else [self._entered_before(fault) or self._enter(fault)]
        if fault is None:
            return [self._turn(known, t, state="healed" if played_since(row, known.t, history) else "dismissed")]
        if (fault.row.id, fault.cards, fault.severity) == (known.row.id, known.cards, known.severity):
            return []
        return [self._enter(replace(fault, key=known.key, committed_t=known.committed_t))]

    def _entered_before(self, fault: Irregularity) -> Irregularity | None:
        """``fault`` as the arbitro has entered it already, before the table could see the meld; None where he has not.

        One fact is one irregularity: what he has ruled is about this meld from now on.
        """
        for one in self._found.values():
            named = one.state == "ruled" and one.row.id in RULED_AS and not one.melds
            if named and one.offender is fault.offender and fault.committed_t <= one.t and fault.t < one.t + _SOON:
                cards = one.cards if set(one.cards) & set(fault.cards) else fault.cards
                about = self._turn(one, fault.t, melds=fault.melds, cards=cards, seen=True)
                self._sanctions.is_about(about)
                return about
        return None

    def _still_hidden(self, one: Irregularity, deal: Deal, row: int, t: float) -> list[Finding]:
        """A card that came to light in meld ``row`` (art. 26): it lies there still, or it has been taken out."""
        meld = deal.meld(row)
        if meld is not None and not reading_of(deal.book, meld.cards):
            return []
        return [self._turn(one, t, state="healed")]

    def ended(self, deal: Deal, t: float) -> list[Finding]:
        """The deal has been closed: what follows for melds that are still frozen for a missed draw (art. 30)."""
        said: list[Finding] = []
        for one in tuple(self._found.values()):
            cards = tuple(card for row in one.melds for card in frozen_cards(one, deal, row))
            if cards:
                row = self._catalogue.row("F-30c")
                said.append(self._turn(one, t, row=row, found="hand_end", cards=cards, seen=True))
        return said

    def reopened(self, t: float) -> list[Finding]:
        """The end of the deal has been taken back, and what followed from it."""
        frozen = [one for one in self._found.values() if one.row.id == "F-30c" and one.state == "ruled"]
        return [self._turn(one, t, row=self._catalogue.row("F-30a")) for one in frozen]

    def counts_against(self, deal: Deal) -> dict[int, tuple[str, ...]]:
        """The cards by row that count against the line of their meld: by a ruling, or by a closing meanwhile."""
        rows = [(one, row) for one in self._found.values() for row in one.melds]
        return {
            row: cards for one, row in rows if (cards := frozen_cards(one, deal, row) or _left_there(one, deal, row))
        }

    def retract(self, movement: int, t: float) -> list[Finding]:
        """Movement ``movement`` did not happen: what rests on it alone is dismissed."""
        self._melds.stale()
        return [self._turn(one, t, state="dismissed") for one in self.open if set(one.movements) == {movement}]

    def rename(self, movement: int, cards: tuple[str, ...], t: float) -> list[Finding]:
        """The cards of ``movement`` are known better."""
        said: list[Finding] = []
        self._melds.stale()
        for one in self.open:
            if (
                one.row.id not in MELD_ROWS
                and one.movements == (movement,)
                and len(one.cards) == len(cards)
                and one.cards != cards
            ):
                self._found[one.key] = fresh = replace(one, cards=cards, t=t)
                said.append(fresh)
        return said

    def _age_or_heal(self, before: Deal, action: act.Action) -> list[Finding]:
        """An open fact is found later than it was: after the discard, or after the next draw or pick-up.

        There the right to a penalty lapses (general part, loss of the right) unless an article rules for what is found
        later, and then that row applies from now on.
        """
        who = before.actor(action.seat)
        match action:
            case act.Discard():
                mine = [one for one in self.open if one.offender is who]
                return self._age(mine, "discard", action)
            case act.Draw() | act.Collect():
                return self._age([one for one in self.open if _ends_for(one, who, before)], "next-draw", action)
        return []

    def _age(self, facts: list[Irregularity], at: Moment, action: act.Action) -> list[Finding]:
        said: list[Finding] = []
        for one in facts:
            if one.committed_t >= action.committed_t:
                continue
            row = one.row.becomes(at)
            if row is not None and not _is_in_hand(one):
                said.append(self._turn(one, action.t, row=self._catalogue.row(row), found=FOUND_FROM[at]))
            elif at == "next-draw" and _heals(one):
                said.append(self._turn(one, action.t, state="healed"))
        return said


def _left_there(one: Irregularity, deal: Deal, row: int) -> tuple[str, ...]:
    """The excess cards that were ruled out of meld ``row`` and that nobody has taken out of it (art. 25)."""
    meld = deal.meld(row)
    penalises = not _PENALISES.isdisjoint(duty.do for duty in one.row.duties)
    if meld is None or one.state != "ruled" or not penalises or reading_of(deal.book, meld.cards):
        return ()
    return matching(one.cards, meld.cards)


def _may_right_itself(one: Irregularity) -> bool:
    """Whether ``one`` is over once its meld is in order; that of a card pushed on to where it belongs is so at once."""
    return one.state == "open" and one.row.id in MELD_ROWS and (one.row.id != "F-29e" or len(one.melds) > 1)


def _is_pushed_on(one: Irregularity, fault: Irregularity) -> bool:
    """Whether ``one`` is about the cards of ``fault``, which lay apart and have been pushed on to their meld since."""
    same = sorted(map(face, one.cards)) == sorted(map(face, fault.cards))
    return one.row.id == "F-29e" and len(one.melds) == 1 and one.offender is fault.offender and same


def _is_in_hand(one: Irregularity) -> bool:
    """Whether the cards of half a meld have been taken back: nothing lies there to be found later (art. 25)."""
    return one.row.id == "F-29a" and bool(one.cards) and not one.melds


def _heals(one: Irregularity) -> bool:
    """Whether the right to a penalty for ``one`` lapses once an opponent plays on."""
    return one.row.heals == "opponent-draws" or _is_in_hand(one)


def _ends_for(one: Irregularity, who: Seat, before: Deal) -> bool:
    """Whether the draw of ``who`` is the moment at which the right to a penalty for ``one`` lapses.

    That is an opponent's draw; what was found before play, whoever draws first (art. 7).
    """
    if before.phase is Phase.DEALT and one.found == "before_play":
        return True
    return one.line is not None and one.line is not who.line
