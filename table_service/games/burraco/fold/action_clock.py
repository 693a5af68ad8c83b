"""The time for an action where the code has one, by the observations' clock: how long it lasts, and that it is over.

When it ends the table says so and waits: it never draws or discards for anybody.
"""

from __future__ import annotations

import math
from typing import Any, Final

from hw.zones import DISCARD, STOCK
from table_service.games.burraco import payloads as own
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.fold.course import BurracoCourse
from table_service.games.burraco.fold.reporting import Reporter
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.games.burraco.rules.policies import Countdown
from table_service.referee.catalogue import Catalogue
from table_service.referee.values import Irregularity
from table_service.table.table_parts import TableParts

_LATE: Final = 2.0
"""Seconds by which an act may be told after it was done: before them nobody is said to have been too slow."""


class ActionClock:
    """Watches the time of who is in turn. ``rules`` None: the code gives none, and nothing is told or shown."""

    def __init__(
        self,
        rules: Countdown | None,
        catalogue: Catalogue,
        table: TableParts,
        referee: Referee,
        course: BurracoCourse,
        reporter: Reporter,
    ) -> None:
        self._rules = rules
        self._row = catalogue.answer(FaultKind.TIME_RUN_OUT)
        self._table = table
        self._referee = referee
        self._course = course
        self._reporter = reporter
        self.begin()

    def begin(self) -> None:
        """Begin a deal."""
        self._key: tuple[object, ...] | None = None
        self._since = 0.0
        self._told = False

    def tick(self, t: float) -> None:
        """Time has come to ``t``."""
        deal = self._course.deal
        if self._rules is None or deal is None or not math.isfinite(t):
            return
        if not _is_running(deal) or self._stands or not self._table.round.running:
            self._key = None
            return
        key = self._what_runs(deal, self._rules)
        if key != self._key:
            acts = self._course.actions
            fresh = self._key is not None and acts
            self._key, self._told = key, False
            self._since = acts[-1][1].committed_t if fresh else t
        if not self._told and t >= self._until(deal, self._rules) + _LATE and _is_sure(deal):
            self._told = True
            self._tell(deal, self._until(deal, self._rules), t)

    def state(self) -> dict[str, Any]:
        """Countdown for the players: seat, end, and whether the end was reported; empty if there is no limit."""
        deal = self._course.deal
        if self._rules is None:
            return {}
        if deal is None or self._key is None:
            return {"countdown": None}
        until = round(self._until(deal, self._rules), 6)
        over = {"over": True} if self._told else {}
        return {"countdown": {"seat": str(deal.to_play), "until": until, **over}}

    @property
    def _stands(self) -> bool:
        """True if play has stopped for the arbitro: nobody's time runs."""
        return any(one.kind != FaultKind.TIME_RUN_OUT for one in self._referee.open)

    def _what_runs(self, deal: Deal, rules: Countdown) -> tuple[object, ...]:
        """Return what the time is for: it begins anew with another action, or only with another turn."""
        turn = (deal.to_play, deal.turn + (not deal.begun))
        return turn if rules.per == "turn" else (*turn, len(self._course.actions))

    def _until(self, deal: Deal, rules: Countdown) -> float:
        return self._since + rules.seconds + (rules.in_flight if deal.flown and deal.begun else 0)

    def _tell(self, deal: Deal, until: float, t: float) -> None:
        seat = deal.to_play
        self._table.voice.say("countdown.ended", own.CountdownEnded(), t, seat, committed_t=until)
        if self._row is None:
            return
        fault = Irregularity(
            key="",
            row=self._row,
            kind=FaultKind.TIME_RUN_OUT,
            offender=seat,
            cards=(),
            t=t,
            committed_t=until,
            found="during_turn",
            victim=seat,
            basis=("derived",),
        )
        self._reporter.report([self._referee.report(fault)])


def _is_running(deal: Deal) -> bool:
    return deal.phase is Phase.PLAYING or (deal.phase is Phase.DEALT and deal.turned_up)


def _is_sure(deal: Deal) -> bool:
    """Return True if it is known whose turn it is, and no draw or discard can have gone unnoticed."""
    return deal.known and not {STOCK, DISCARD} & set(deal.places.unverified)
