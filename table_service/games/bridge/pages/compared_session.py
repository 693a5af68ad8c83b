"""The boards of a session over all its rounds: a board is one in whichever round a table plays it (law 78A). Pure.

Boards travel from table to table, so that a round alone may have one result of each. Tops go by the board that was
played most often, the others' match points by Neuberg's formula (norm 12). Where numbers begin anew (a second
session, or rounds that each have their own boards), most pairs meet the same numbers again: another session begins.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from table_service.games.bridge.pages.board_facts import BoardFacts, boards_of
from table_service.games.bridge.pages.comparison import Compared, by_board, compared
from table_service.games.reports import RoundPlayed

_LINES = ("NS", "EW")


@dataclass(frozen=True, slots=True)
class Repeated:
    """A pair that played a board a second time, which counts for nobody until the arbitro gives a score (law 15)."""

    pair: str
    board: BoardFacts


@dataclass(frozen=True, slots=True)
class ComparedSession:
    """Rounds whose boards are compared with each other. ``boards``: every table's result by the board's number."""

    rounds: tuple[RoundPlayed, ...]
    boards: Mapping[int, Sequence[BoardFacts]]
    repeated: tuple[Repeated, ...]

    @property
    def most(self) -> int:
        """Number of times the board played most often was played, as far as its results count."""
        void = {id(one.board) for one in self.repeated if one.board.adjusted is None}
        return max((sum(id(one) not in void for one in results) for results in self.boards.values()), default=0)

    def compared(self) -> dict[int, list[Compared]]:
        """Every result of every board in match points."""
        most = self.most
        return {number: compared(results, most) for number, results in self.boards.items()}


def who(board: BoardFacts, line: str) -> str:
    """Return the pair that sat there; its table and line if it was not named."""
    return board.pairs.get(line) or f"{line} {board.place}"


def sessions_of(rounds: Sequence[RoundPlayed]) -> list[ComparedSession]:
    """Return the sessions of ``rounds``, in order."""
    found: list[list[tuple[RoundPlayed, list[BoardFacts]]]] = []
    known: set[tuple[str, int]] = set()
    for played in rounds:
        boards = [one for results in by_board(boards_of(played)).values() for one in results]
        met = {(who(one, line), one.board) for one in boards for line in _LINES if one.board is not None}
        if not found or 2 * len(met & known) > len(met):
            found.append([])
            known = set()
        found[-1].append((played, boards))
        known |= met
    return [_session(one) for one in found]


def _session(rounds: Sequence[tuple[RoundPlayed, list[BoardFacts]]]) -> ComparedSession:
    by_number = by_board(one for _, boards in rounds for one in boards)
    repeated: list[Repeated] = []
    for results in by_number.values():
        seen: set[str] = set()
        for place, one in enumerate(results):
            pairs = [who(one, line) for line in _LINES]
            again = [pair for pair in pairs if pair in seen]
            if again and one.adjusted is None:
                results[place] = replace(one, points=None)
            repeated += [Repeated(pair, results[place]) for pair in again]
            seen.update(pairs)
    return ComparedSession(tuple(played for played, _ in rounds), by_number, tuple(repeated))


# -- what is missing ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Missing:
    """Gaps of a session: boards that no table played, short tables, unknown results.

    ``tables``: those with fewer boards than a round has: round, table, boards, of how many.
    """

    never: tuple[int, ...] = ()
    tables: tuple[tuple[int, str, int, int], ...] = ()
    unknown: tuple[BoardFacts, ...] = ()


def missing_of(session: ComparedSession) -> Missing:
    """Gaps of ``session``; a table planned for no pair, or for one pair alone, has none."""
    numbers = sorted(session.boards)
    never = tuple(number for one, other in pairwise(numbers) for number in range(one + 1, other))
    results = [one for boards in session.boards.values() for one in boards]
    void = {id(one.board) for one in session.repeated}
    unknown = tuple(one for one in results if one.points is None and one.adjusted is None and id(one) not in void)
    short = tuple(one for played in session.rounds for one in _short_tables(played, results))
    return Missing(never, short, unknown)


def _short_tables(played: RoundPlayed, results: Sequence[BoardFacts]) -> Iterator[tuple[int, str, int, int]]:
    """Yield the tables of a round with fewer boards than it has."""
    is_named = any(place for place, _ in played.pairs)
    for place in played.places:
        sits = not is_named or all((place, line) in played.pairs for line in _LINES)
        count = sum((one.round, one.place) == (played.number, place) for one in results)
        if sits and count < played.deals:
            yield played.number, place, count, played.deals


def fields_of(rounds: Sequence[RoundPlayed]) -> tuple[frozenset[str], ...]:
    """Return the pairs ranked together: those of each line if none ever sat in the other, else all of them."""
    sat: dict[str, set[str]] = {}
    for played in rounds:
        for (place, line), name in played.pairs.items():
            sat.setdefault(name, set()).update({line} if place else ())
    each = [frozenset(name for name, lines in sat.items() if lines == {line}) for line in _LINES]
    is_split = len(rounds) > 1 and all(len(one) > 1 for one in each) and all(len(lines) < 2 for lines in sat.values())
    return tuple(each) if is_split else (frozenset(sat),)
