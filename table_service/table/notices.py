"""Calls for the arbitro, and the state of the sensors' nodes, as every game has them."""

from __future__ import annotations

from hw.observations import Button, Health, Observation, Other
from table_service.events import payloads as say
from table_service.table.table_parts import TableParts


class Notices:
    """Hears the observations that move no card, the console's apart."""

    def __init__(self, table: TableParts) -> None:
        self._table = table
        self._strange: set[str] = set()

    def hear(self, seen: Observation) -> None:
        """Hear one observation."""
        table = self._table
        match seen:
            case Button(button="referee"):
                table.referee.visited()
                table.voice.say("referee.called", say.RefereeCalled(), seen.t, seen.seat)
            case Health():
                table.health.hear(seen)
            case Other() if seen.kind not in self._strange:
                self._strange.add(seen.kind)
                note = f"an observation of the unknown kind '{seen.kind}' was kept and not acted on"
                table.voice.ignored(note, seen.t)
