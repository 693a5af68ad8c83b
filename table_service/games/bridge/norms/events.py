"""Matches of teams and equal teams as a tournament asks for them (law 78B, norms 78.3 and 78.6, app. 7)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from itertools import combinations
from typing import Final

from table_service.games.bridge.norms.adjusted_scores import bye_of_team
from table_service.games.bridge.norms.ties import Match, by_teams
from table_service.games.bridge.rules.contract import BridgeError
from table_service.games.bridge.rules.match_points import VP_BOUNDS, imps, victory_points
from table_service.games.event_rules import Encounter, EventRules, Room, TeamResult


def team_match(boards: int, open_: Room, closed: Room) -> TeamResult:
    """IMPs won by each team, board by board, and victory points for their difference.

    Unknown while a board of either room is; victory points as well for a number of boards without a column.
    """
    won = [0, 0]
    if len(open_.deals) < boards or open_.deals.keys() != closed.deals.keys():
        return TeamResult()
    for board, (home, away) in open_.deals.items():
        other_home, other_away = closed.deals[board]
        if home is None or away is None or other_home is None or other_away is None:
            return TeamResult()
        swing = imps(home - away + other_home - other_away)
        won[swing < 0] += abs(swing)
    both = (won[0], won[1])
    try:
        return TeamResult(both, victory_points(boards, won[0] - won[1]))
    except BridgeError:
        return TeamResult(both)


def ties(tied: Collection[str], played: Sequence[Encounter]) -> tuple[tuple[str, ...], ...]:
    """Teams with equal victory points, by 78.6: as in a round robin once all have met all equally often, else Swiss."""
    matches = [Match(one.entries, one.vp, one.won) for one in played]
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
)
"""The movements are named where the norms speak of withdrawals, late teams and wrong seats."""
