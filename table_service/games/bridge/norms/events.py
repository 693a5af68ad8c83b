"""Matches of teams and equal teams as a tournament asks for them (law 78B, norms 78.3 and 78.6, app. 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Final

from hw.seats import Line
from table_service.games.bridge.norms.adjusted_scores import bye_of_team, knockout_margin
from table_service.games.bridge.norms.entered_scores import (
    Deduction,
    Scored,
    adjusted_of,
    board_imps,
    deduction_of,
    match_victory,
    scored,
    taken_off,
)
from table_service.games.bridge.norms.ties import PlayedMatch, by_teams
from table_service.games.bridge.rules.contract import VULNERABLE, board_vulnerable
from table_service.games.bridge.rules.match_points import VP_BOUNDS
from table_service.games.event_rules import Encounter, EventRules, Room, TeamResult


def team_match(boards: int, open_: Room, closed: Room) -> TeamResult:
    """IMPs won by each team, board by board, and victory points for its lead, less what was taken off it.

    What an arbitro has entered of a board counts instead of what was played. Unknown while a board of either room is;
    IMPs that are no whole number as well; victory points for a number of boards without a column. A knock-out goes by
    the lead in IMPs, one is enough (78.2b).
    """
    one, other = _counting(open_, home=Line.NS), _counting(closed, home=Line.EW)
    every = [board_imps(one.get(n, Scored()), other.get(n, Scored())) for n in sorted(one.keys() | other.keys())]
    known = [(home, away) for home, away in every if home is not None and away is not None]
    if len(every) != boards or len(known) < boards:
        return TeamResult()
    off = _deductions(open_, closed)
    home, away = (sum(lead, Fraction(0)) for lead in zip(*known, strict=True))
    fines = taken_off(off[0], "imp"), taken_off(off[1], "imp")
    leads = [lead - fine for lead, fine in zip((home, away), fines, strict=True)]
    won = [sum((_won(pair, team) for pair in known), Fraction(0)) for team in (0, 1)]
    vp = [
        _whole(None if p is None else p - taken_off(own, "vp"))
        for p, own in zip((match_victory(boards, lead) for lead in leads), off, strict=True)
    ]
    return TeamResult((_whole(won[0]), _whole(won[1])), (vp[0], vp[1]), -knockout_margin(home, away, fines))


def _counting(room: Room, *, home: Line) -> dict[int, Scored]:
    """Board → score that counts in a room. ``home``: the line of the team that ``room`` names first."""
    found = {}
    for number, both in room.deals.items():
        points = both[0] if home is Line.NS else both[1]
        found[number] = scored(None, points, None)
    for one in room.awards:
        adjusted = adjusted_of(one.fields)
        if adjusted is not None and one.number is not None:
            told = room.named.get(one.number, {}).get("vulnerable")
            vulnerable = next((known for known in VULNERABLE if known == told), board_vulnerable(one.number))
            found[one.number] = scored(adjusted, None, vulnerable)
    return found


def _won(pair: tuple[Fraction, Fraction], team: int) -> Fraction:
    """Return a team's gain on a board; if the two do not balance, its own figure with its sign."""
    return max(pair[team], Fraction(0)) if pair[0] == -pair[1] else pair[team]


def _deductions(open_: Room, closed: Room) -> tuple[list[Deduction], list[Deduction]]:
    """Deductions from the home team and from the other."""
    found: tuple[list[Deduction], list[Deduction]] = ([], [])
    for room, home in ((open_, Line.NS), (closed, Line.EW)):
        for one in room.awards:
            if (off := deduction_of(one.fields)) is not None:
                found[off.line is not home].append(off)
    return found


def _whole(number: Fraction | None) -> int | None:
    return int(number) if number is not None and number.denominator == 1 else None


def ties(tied: Collection[str], played: Sequence[Encounter]) -> tuple[tuple[str, ...], ...]:
    """Teams with equal victory points, by 78.6: as in a round robin once all have met all equally often, else Swiss."""
    matches = [PlayedMatch(one.entries, one.vp, one.won) for one in played]
    met = Counter(frozenset(one.entries) for one in played)
    field = {team for one in played for team in one.entries}
    times = {met[frozenset(two)] for two in combinations(field, 2)}
    return by_teams(tied, matches, "round-robin" if len(times) == 1 and 0 not in times else "swiss")


EVENTS: Final = EventRules(
    movements={"mitchell": "4.3", "howell": "4.3", "swiss": "4.4", "danese": "4.4", "round-robin": "5.2"},
    withdrawn="4.4",
    team_byes={boards: bye_of_team(boards) for boards in VP_BOUNDS},
    team_match=team_match,
    ties=ties,
    boards=True,
)
"""The movements are named where the norms speak of withdrawals, late teams and wrong seats."""
