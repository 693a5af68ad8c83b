"""A round at one table told by the arbitro's console alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hw.observation_log import Header
from hw.observations import Console, Observation
from table_service.games.burraco.fold import TableFold
from table_service.tracking.movements import Notice


class Round:
    """Deals that end at once with the points wanted; ``events`` keeps all that is told."""

    def __init__(self, deals: int = 4, start: dict[str, Any] | None = None, **options: Any) -> None:
        self.fold = TableFold(Header("T1", "fibur2024", options={"keepers": {"NS": "N", "EW": "E"}, **options}))
        self.events: list[Any] = []
        self.t = 0.0
        self.n = 0
        self.console("start-round", deals=deals, minutes=42, **(start or {}))

    def console(self, do: str, **fields: Any) -> list[Any]:
        self.t += 1.0
        return self.notice(Console(self.t, "arbitro-1", do, fields))

    def notice(self, observation: Observation) -> list[Any]:
        said = self.fold.follow([Notice(observation.t, observation)])
        self.events += said
        return said

    def rule(self, row: str, **fields: Any) -> list[Any]:
        return self.console("rule", row=row, **fields)

    def deal(self, ns: int = 0, ew: int = 0) -> None:
        """A deal that counts ``ns`` to ``ew``: dealt, stopped before a card is played, the points as a bonus."""
        self.n += 1
        self.console("deal", deal=self.n, dealer="S")
        for seat in "NESW":
            self.console("correct", zone=f"hand-{seat}", cards=[])
        self.console("rule", row="F-P1", option="stop")
        if ns:
            self.console("bonus", line="NS", points=ns)
        if ew:
            self.console("bonus", line="EW", points=ew)

    def play(self, lead: int, deals: int = 4) -> None:
        """A whole round in which NS leads by ``lead``."""
        self.deal(max(lead, 0), max(-lead, 0))
        for _ in range(deals - 1):
            self.deal()

    def forget_visits(self) -> None:
        """As if the points had been played: that the arbitro gave them in these tests is no call to the table."""
        referee = self.fold.table.referee
        referee.book = replace(referee.book, called=False)

    def end(self) -> Any:
        self.console("end-round")
        return self.of("round.ended")[-1].data

    def of(self, type_: str) -> list[Any]:
        return [event for event in self.events if event.type == type_]


def result(ended: Any) -> tuple[Any, Any]:
    return ended.match_points, ended.victory_points


def both(ns: Any, ew: Any) -> dict[str, Any]:
    return {"NS": ns, "EW": ew}
