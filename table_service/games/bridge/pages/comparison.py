"""The results of a round's boards compared: matches of two tables in IMPs, pairs in match points. Pure values.

Boards whose cards were not those of the other tables are scored in groups (norm 87), boards that not every table has
a result for by Neuberg's formula (norm 12).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hw.seats import SEATS, Line
from table_service.games.bridge.norms.altered_boards import SMALL, BoardShare, shares
from table_service.games.bridge.norms.entered_scores import (
    Deduction,
    Scored,
    board_imps,
    deduction_of,
    match_victory,
    taken_off,
)
from table_service.games.bridge.pages.board_facts import BoardFacts, newest_of_each
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.bridge.rules.match_points import (
    Spread,
    neuberg,
    weighted_match_points,
)
from table_service.games.reports import RoundPlayed


@dataclass(frozen=True, slots=True)
class Compared:
    """One table's result on a board. ``points``: match points of North and South on ``top``; None: no comparison.

    ``ew``: those of East and West. ``share``: the same for both lines in per cent of a top. ``group``: which
    cards it was played with, from 0.
    """

    board: BoardFacts
    group: int
    share: BoardShare | None = None
    points: Fraction | None = None
    top: int = 0
    ew: Fraction | None = None


@dataclass(frozen=True, slots=True)
class TeamMatch:
    """Two tables of one match: North and South at ``open`` are the team of East and West at ``closed``."""

    open: str
    closed: str


def matches_of(places: Sequence[str], pairs: Mapping[tuple[str, str], str]) -> tuple[TeamMatch, ...]:
    """Return the matches between tables: two alone, or those at which the same two names sit crosswise; else none.

    >>> matches_of(("T1", "T2"), {})
    (TeamMatch(open='T1', closed='T2'),)
    """
    found, left = list[TeamMatch](), list(places)
    for place in places:
        names = pairs.get((place, "NS")), pairs.get((place, "EW"))
        other = next((one for one in left if one != place and _is_crossed(names, one, pairs)), None)
        if place in left and other is not None:
            found.append(TeamMatch(place, other))
            left = [one for one in left if one not in (place, other)]
    if found:
        return tuple(found) if not left else ()
    nobody_named = not any(pairs.get((place, line)) for place in places for line in ("NS", "EW"))
    return (TeamMatch(*places),) if len(places) == 2 and nobody_named else ()


def _is_crossed(names: tuple[str | None, str | None], other: str, pairs: Mapping[tuple[str, str], str]) -> bool:
    ns, ew = names
    return bool(ns and ew) and (pairs.get((other, "EW")), pairs.get((other, "NS"))) == (ns, ew)


def by_board(boards: Iterable[BoardFacts]) -> dict[int, list[BoardFacts]]:
    """Return the tables' results by board, boards in order; a board without a number is compared with none."""
    found: dict[int, list[BoardFacts]] = {}
    for one in newest_of_each(boards):
        if one.board is not None:
            found.setdefault(one.board, []).append(one)
    return {number: found[number] for number in sorted(found)}


def groups_of(boards: Sequence[BoardFacts]) -> list[list[BoardFacts]]:
    """Tables that played a board with the same cards, as far as all have seen them."""
    groups: list[list[BoardFacts]] = []
    for one in boards:
        own = next((group for group in groups if all(_is_same_deal(one, other) for other in group)), None)
        if own is None:
            groups.append([one])
        else:
            own.append(one)
    return sorted(groups, key=len, reverse=True)


def _is_same_deal(one: BoardFacts, other: BoardFacts) -> bool:
    """Return True if no card shows that the two were played with different hands."""
    for seat in SEATS:
        both = one.shown.get(seat, frozenset()) | other.shown.get(seat, frozenset())
        elsewhere = {card for who in SEATS if who is not seat for card in other.shown.get(who, ())}
        if len(both) > TRICKS or one.shown.get(seat, frozenset()) & elsewhere:
            return False
    return True


def compared(boards: Sequence[BoardFacts], most: int = 0) -> list[Compared]:
    """Every table's result on one board in match points. ``boards``: all tables at which it was to be played.

    ``most``: how often the board that was played most often was; tops go by it (norm 12).

    Each line is compared with its own: a split score gives the two lines what need not add up to a top (12C1f). An
    artificial score is its own per cent, and one result less for the others (Neuberg, norm 12).
    """
    groups, expected = groups_of(boards), max(most, len(boards))
    found: list[Compared] = []
    for number, group in enumerate(groups):
        known = [one for one in group if one.is_scored]
        found += [_unscored(one, number, expected) for one in group if not one.is_scored]
        found += _of_group(known, number, expected, altered=len(groups) > 1)
    return sorted(found, key=lambda one: (one.group, -(one.board.mean(Line.NS) or 0), one.board.round, one.board.place))


def _unscored(one: BoardFacts, number: int, expected: int) -> Compared:
    """Return a board without points: what an artificial score gives, else nothing that is known."""
    if one.adjusted is None or one.adjusted.percent is None:
        return Compared(one, number)
    ns, ew = one.adjusted.percent
    top = 2 * (expected - 1)
    return Compared(
        one, number, BoardShare(ns, ew), ns * top / 100 if top else None, top, ew * top / 100 if top else None
    )


def _of_group(known: Sequence[BoardFacts], number: int, expected: int, *, altered: bool) -> list[Compared]:
    if not known or expected < 2:
        return [Compared(one, number) for one in known]
    top, count = 2 * (expected - 1), len(known)
    if altered and count < SMALL:
        ns, ew = (_small_shares(known, line, expected) for line in (Line.NS, Line.EW))
        given = [BoardShare(own.ns, other.ew) for own, other in zip(ns, ew, strict=True)]
        return [Compared(one, number, share, None, top) for one, share in zip(known, given, strict=True)]
    ns_points, ew_points = (
        [neuberg(one, count, expected) for one in weighted_match_points(_spreads(known, line))]
        for line in (Line.NS, Line.EW)
    )
    return [
        Compared(one, number, BoardShare(100 * ns / top, 100 - 100 * ew / top), ns, top, top - ew)
        for one, ns, ew in zip(known, ns_points, ew_points, strict=True)
    ]


def _spreads(known: Sequence[BoardFacts], line: Line) -> list[Spread]:
    return [spread for one in known if (spread := one.spread(line)) is not None]


def _small_shares(known: Sequence[BoardFacts], line: Line, expected: int) -> tuple[BoardShare, ...]:
    """Shares of a small group of other cards, by the mean of what counts for ``line``."""
    return shares([mean for one in known if (mean := one.mean(line)) is not None], expected)


@dataclass(frozen=True, slots=True)
class ImpsOfBoard:
    """One board of a match: the IMPs of the team that sits North and South at the open table, and of the other.

    None: not known. The two are opposite, but for artificial and split scores (12C1f).
    """

    number: int
    open: BoardFacts | None
    closed: BoardFacts | None
    imps: Fraction | None
    away: Fraction | None
    altered: bool

    @property
    def is_balanced(self) -> bool:
        """True if one team has what the other lacks."""
        return self.imps is None or self.away is None or self.imps == -self.away


def in_imps(match: TeamMatch, boards: Mapping[int, Sequence[BoardFacts]]) -> list[ImpsOfBoard]:
    """Return a match board by board; one that was not played with the same cards at both tables is not compared.

    An artificial score is what it gives in IMPs, whatever the other table's result.
    """
    found = []
    for number, results in boards.items():
        one = next((held for held in results if held.place == match.open), None)
        other = next((held for held in results if held.place == match.closed), None)
        if one is None and other is None:
            continue
        both = [Scored() if board is None else board.scored for board in (one, other)]
        is_given = any(board.given is not None for board in both)
        altered = not is_given and one is not None and other is not None and not _is_same_deal(one, other)
        home, away = (None, None) if altered else board_imps(both[0], both[1])
        found.append(ImpsOfBoard(number, one, other, home, away, altered))
    return found


@dataclass(frozen=True, slots=True)
class MatchScore:
    """A match: the lead of home and of away in IMPs, each by its own scores; None: not known.

    ``known``: the boards that are compared. ``deductions``: of each team.
    """

    home: Fraction | None
    away: Fraction | None
    known: int
    deductions: tuple[tuple[Deduction, ...], tuple[Deduction, ...]]

    @property
    def fines(self) -> tuple[Fraction, Fraction]:
        """IMPs that were taken off home and away."""
        return taken_off(self.deductions[0], "imp"), taken_off(self.deductions[1], "imp")

    @property
    def on_boards(self) -> tuple[Fraction, Fraction] | None:
        """Points of home and away from the boards alone; None: not known."""
        if self.home is None or self.away is None:
            return None
        return self.home + self.fines[0], self.away + self.fines[1]


def match_score(match: TeamMatch, every: Sequence[ImpsOfBoard], played: RoundPlayed) -> MatchScore:
    """Return the sum of a match with what was taken off either team: IMPs of the lead that it has itself (norm 8.3)."""
    known = [one for one in every if one.imps is not None and one.away is not None]
    off = deductions_of(played, match)
    leads = [
        sum((one or Fraction(0) for one in imps), Fraction(0))
        for imps in zip(*((o.imps, o.away) for o in known), strict=True)
    ]
    home, away = leads or (Fraction(0), Fraction(0))
    return MatchScore(home - taken_off(off[0], "imp"), away - taken_off(off[1], "imp"), len(known), off)


def deductions_of(played: RoundPlayed, match: TeamMatch) -> tuple[tuple[Deduction, ...], tuple[Deduction, ...]]:
    """Deductions from home and away: off a line of either of their tables."""
    found: tuple[list[Deduction], list[Deduction]] = ([], [])
    for one in played.awards:
        off = deduction_of(one.fields)
        if off is not None and one.place in (match.open, match.closed):
            is_home = (one.place == match.open) == (off.line is Line.NS)
            found[not is_home].append(off)
    return tuple(found[0]), tuple(found[1])


def victory(deals: int, score: MatchScore) -> tuple[Fraction | None, Fraction | None]:
    """Return the victory points of home and away, less what was taken off; None if unknown, or no norm says.

    A lead that is no whole number of IMPs has those that both whole numbers next to it have. What is taken off
    goes below nothing: no norm says that it stops there.
    """
    own = (None if lead is None else match_victory(deals, lead) for lead in (score.home, score.away))
    home, away = (
        None if one is None else one - taken_off(off, "vp") for one, off in zip(own, score.deductions, strict=True)
    )
    return home, away


def percent_off(board: BoardFacts, line: str) -> Fraction:
    """Per cent of a top that was taken off a line for this board (norms 8.3a, 87.1)."""
    told = (deduction_of(one.fields) for one in board.entered)
    return taken_off([one for one in told if one is not None and str(one.line) == line], "percent")


def standing_of(boards: Mapping[int, Sequence[BoardFacts]]) -> list[tuple[str, str, str, Fraction, int]]:
    """Table, line, pair, mean per cent and boards of every pair that has a result, the best first."""
    got: dict[tuple[str, str, str], list[Fraction]] = {}
    for results in boards.values():
        for one in compared(results):
            if one.share is None:
                continue
            for line, share in (("NS", one.share.ns), ("EW", one.share.ew)):
                off = percent_off(one.board, line)
                got.setdefault((one.board.place, line, one.board.pairs.get(line, "")), []).append(share - off)
    rows = [(*who, sum(every, Fraction(0)) / len(every), len(every)) for who, every in got.items()]
    return sorted(rows, key=lambda row: (-row[3], row[0], row[1]))
