"""Victory points for a difference in match points (fibur2024, art. 18; feburit, art. 27)."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from hw.errors import TavoloError
from table_service.games.burraco.rules.rulebook import RuleBook, VpTable


class NoTableError(TavoloError, ValueError):
    """The code has no table of victory points for such a round."""


def vp_table(book: RuleBook, deals: int, *, teams: bool = False) -> VpTable:
    """Return the table for a round of ``deals`` deals. Raises NoTableError, which says which rounds have one."""
    if not book.vp_tables:
        raise NoTableError(f"{book.name} has no victory points")
    tables = book.vp_teams if teams else book.vp_tables
    table = tables.get(deals) or (tables.get(0) if deals in book.vp_tables else None)
    if table is None:
        known = ", ".join(str(n) for n in sorted(book.vp_tables))
        asked = "; the arbitro decides them" if deals in book.round_minutes else ""
        raise NoTableError(
            f"{book.name} has no table of victory points for {deals} deals: it has them for {known}{asked}"
        )
    return table


def victory_points(book: RuleBook, deals: int, diff: int, *, teams: bool = False) -> tuple[int, int]:
    """Victory points of the two lines when the first leads by ``diff`` match points (negative: it trails).

    Match points come in fives, so no difference falls between two steps of a table. Raises NoTableError.

    >>> from table_service.games.burraco.codes.fibur2024.rule_book import BOOK as FIBUR2024
    >>> victory_points(FIBUR2024, deals=4, diff=850), victory_points(FIBUR2024, deals=4, diff=-850)
    ((14, 6), (6, 14))
    """
    step = bisect_left(vp_table(book, deals, teams=teams), abs(diff))
    winner, loser = 10 + step, 10 - step
    return (winner, loser) if diff >= 0 else (loser, winner)


def vp_result(book: RuleBook, deals: int, diff: int, *, teams: bool = False) -> dict[str, Any]:
    """Answer of ``tavolo vp``: ``{"rules","deals","diff","vp":[first line, second line]}``. Raises NoTableError."""
    return {
        "rules": book.name,
        "deals": deals,
        "diff": diff,
        "vp": list(victory_points(book, deals, diff, teams=teams)),
    }
