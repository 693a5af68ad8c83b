"""What was sensed in earlier deals of the round in which a ruling was given, so that they can be counted once more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from hw.observations import Console, Health, Observation
from hw.seats import Seat

MOST: Final = 60_000
"""Observations of one deal at most; of a longer one nothing is kept."""


@dataclass(frozen=True, slots=True)
class DealLog:
    """One deal: the orders that began its round and itself, and all that was sensed until the next deal began."""

    began: Console
    observations: tuple[Observation, ...]


class DealLogs:
    """Keeps the observations of the deal that runs, and of those before it that a ruling was given in.

    In memory alone: they name hidden cards, so nothing of them is in the state that is kept of a fold.
    """

    def __init__(self) -> None:
        self._began: Console | None = None
        self._nodes: dict[str, Health] = {}
        self._running: list[Observation] | None = None
        self._kept: dict[int, DealLog] = {}

    def __getstate__(self) -> dict[str, Any]:
        """Everything but what was sensed."""
        return {**self.__dict__, "_running": None, "_kept": {}}

    def note(self, observation: Observation) -> None:
        """Keep ``observation`` as one of the deal that runs."""
        match observation:
            case Console(do="start-round"):
                self._began, self._running, self._kept = observation, None, {}
            case Health(node=node):
                self._nodes[node] = observation
        if self._running is not None:
            self._running.append(observation)
            if len(self._running) > MOST:
                self._running = None

    def end_deal(self, number: int, *, is_ruled: bool) -> None:
        """Deal ``number`` is over, as the next one begins; ``is_ruled``: a ruling was given in it."""
        running, self._running = self._running, None
        if is_ruled and running is not None and self._began is not None:
            self._kept[number] = DealLog(self._began, tuple(running))

    def begin_deal(self, order: Console, number: int, dealer: Seat | None) -> None:
        """The deal that ``order`` begins is ``number`` of the round, and dealt by ``dealer``."""
        exact = {**order.fields, "deal": number, "dealer": None if dealer is None else str(dealer)}
        self._running = [*(replace(one, t=order.t) for one in self._nodes.values()), replace(order, fields=exact)]

    def of(self, number: int) -> DealLog | None:
        """The observations of deal ``number``; None if they were not kept."""
        return self._kept.get(number)
