"""The results of an event for the files of other programs: numbered pairs, their ranking, every board. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from hw.seats import Line
from table_service.games.bridge.pages.board_facts import BoardFacts
from table_service.games.bridge.pages.compared_session import fields_of, sessions_of
from table_service.games.bridge.pages.comparison import Compared, matches_of
from table_service.games.bridge.pages.event_standing import pairs_standing
from table_service.games.reports import RoundPlayed


@dataclass(frozen=True, slots=True)
class PairResult:
    """A pair: its number in the files, its place (0: nothing is known of it) and per cent of its ranking.

    ``line``: of which it is ranked, where the lines have rankings of their own; else empty.
    """

    number: int
    name: str
    place: int
    percent: Fraction | None
    boards: int
    line: str = ""


@dataclass(frozen=True, slots=True)
class EventResults:
    """Results of an event. ``day``: as 2026-11-27. ``pairs``: in the order of the rankings.

    ``boards``: every board with every table's result; a number comes twice if two sessions have it.
    """

    event: str
    site: str
    day: str
    is_teams: bool
    pairs: tuple[PairResult, ...]
    boards: tuple[tuple[int, Sequence[Compared]], ...]
    numbers: Mapping[str, int] = field(default_factory=dict)

    def number(self, board: BoardFacts, line: Line) -> int:
        """Return the number of the pair that sat there; 0 if it was not named."""
        return self.numbers.get(board.pairs.get(line.value, ""), 0)


def results_of(rounds: Sequence[RoundPlayed]) -> EventResults:
    """Return the results of the rounds that are over."""
    over = [one for one in rounds if one.is_over]
    is_teams = any(matches_of(one.places, one.pairs) for one in over)
    numbers = _numbers(over)
    fields = fields_of(over)
    pairs = [
        PairResult(
            numbers[one.pair], one.pair, one.place, one.percent, one.boards, line.value if len(fields) > 1 else ""
        )
        for line, own in zip(Line, fields, strict=False)
        for one in ([] if is_teams else pairs_standing(over, own))
        if one.pair in numbers
    ]
    boards = [(number, every) for session in sessions_of(over) for number, every in session.compared().items()]
    about = ("", "", "") if not over else (over[0].event, over[0].site, over[0].day)
    return EventResults(*about, is_teams, tuple(pairs), tuple(boards), numbers)


def _numbers(rounds: Sequence[RoundPlayed]) -> dict[str, int]:
    """Return a number for each pair: as they sit in the first round, North-South before East-West; then latecomers."""
    names: dict[str, None] = {}
    for played in rounds:
        at = {place: number for number, place in enumerate(played.places)}
        sat = sorted(played.pairs, key=lambda where: (where[1] != Line.NS.value, at.get(where[0], len(at))))
        names |= dict.fromkeys(played.pairs[where] for where in sat)
    return {name: number for number, name in enumerate(names, start=1)}
