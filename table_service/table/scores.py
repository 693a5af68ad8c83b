"""The count of one deal, made twice over, and the running score of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from hw.seats import LINES, Line


@dataclass(frozen=True, slots=True)
class Count:
    """The score of one deal. ``lines``: what both agree on or one alone knows, None if they differ."""

    lines: dict[str, Any]
    camera: dict[str, Any]
    ledger: dict[str, Any]
    agrees: bool
    doubtful: tuple[str, ...]
    differences: tuple[dict[str, Any], ...]


@dataclass(slots=True)
class Scores:
    """The running score of a round: totals by deal, None if a deal's total is not known.

    ``deals``: number of the round's deals, None if unknown. ``teams``: two tables make a match.
    """

    teams: bool = False
    deals: int | None = None
    totals: dict[int, dict[Line, int | None]] = field(default_factory=dict)

    def enter(self, number: int, lines: dict[str, Any]) -> dict[Line, int | None]:
        """Enter what ``lines`` have in deal ``number``; return the running totals after it."""
        self.totals[number] = {line: lines[str(line)]["total"] for line in LINES}
        return self.running

    def with_deal(self, number: int, lines: Mapping[str, Any]) -> Scores:
        """Return the scores if ``lines`` have these totals in deal ``number``; this one stays as it is."""
        fresh = {line: lines[str(line)]["total"] for line in LINES}
        return Scores(self.teams, self.deals, {**self.totals, number: fresh})

    @property
    def is_complete(self) -> bool:
        """True if every deal of the round has been counted."""
        return self.deals is not None and len(self.totals) >= self.deals

    @property
    def running(self) -> dict[Line, int | None]:
        """The totals of all deals so far."""
        sums: dict[Line, int | None] = dict.fromkeys(LINES, 0)
        for total in self.totals.values():
            for line in LINES:
                before, more = sums[line], total[line]
                sums[line] = None if before is None or more is None else before + more
        return sums

    @property
    def lead(self) -> int | None:
        """Points that the first line leads by in play; None if a total is not known."""
        one, other = (self.running[line] for line in LINES)
        return None if one is None or other is None else one - other
