"""Findings of the referee as events, and their effects on the deal: frozen melds, forgiven draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from hw.seats import Seat
from table_service.games.burraco import action_events
from table_service.games.burraco import payloads as own
from table_service.games.burraco.fault_kinds import DRAWN_BESIDES
from table_service.games.burraco.fold.course import BurracoCourse
from table_service.games.burraco.referee.findings import Against, Barred, Finding, Forgiven, Froze, Passed
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal_parts import Frozen, Phase
from table_service.referee.values import Irregularity, SanctionSaid, Stopped
from table_service.table.table_parts import TableParts


class Reporter:
    """Tells what the referee says and carries it out in the deal that runs."""

    def __init__(self, table: TableParts, course: BurracoCourse) -> None:
        self._table = table
        self._course = course

    def report(self, findings: Iterable[Finding]) -> None:
        """Tell ``findings`` in order."""
        for finding in findings:
            self._table.reporting.tell(finding)
            self._carry_out(finding)

    def _carry_out(self, finding: Finding) -> None:
        change = self._course.change
        match finding:
            case Irregularity(state="healed" | "dismissed", offender=Seat() as seat) if _was_likely_only(finding):
                change(lambda deal: deal.doubt_hands((seat,)))
            case SanctionSaid(what="imposed", sanction=one) if one.duty.do == "bar-closing":
                change(lambda deal: deal.bar_closing(one.who))
            case Barred(seat=seat):
                change(lambda deal: deal.bar_closing(seat))
            case Froze(row=row, how=how, t=t):
                self._freeze(row, how, t)
            case Against(row=row, cards=cards):
                change(lambda deal: deal.count_against(row, cards))
            case Passed(giver=giver, taker=taker, count=count):
                change(lambda deal: deal.pass_over(giver, taker, count))
            case Forgiven(seat=seat):
                change(lambda deal: deal.forgive(seat))
            case Stopped(manner=manner):
                change(lambda deal: deal if deal.phase is Phase.OVER else deal.over(manner))

    def _freeze(self, row: int, how: str, t: float) -> None:
        course = self._course
        if course.deal is None or course.deal.meld(row) is None or how not in ("none", "temporary", "definitive"):
            return
        frozen = cast("Frozen", how)
        course.change(lambda deal: deal.freeze(row, frozen))
        lies = course.deal.meld(row)
        if lies is not None:
            meld = action_events.meld(course.deal.book, lies)
            data = own.MeldChanged(meld=meld, why="thawed" if how == "none" else "frozen")
            self._table.voice.say("meld.changed", data, t, line=lies.line)


def _was_likely_only(withdrawn: Irregularity) -> bool:
    """Return True if ``withdrawn`` reported a draw that was only likely, and that may not have happened."""
    return withdrawn.kind in DRAWN_BESIDES and withdrawn.confidence < act.ALONE
