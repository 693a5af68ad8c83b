"""The results of a round's boards compared: matches of two tables in IMPs, pairs in match points. Pure values.

Boards whose cards were not those of the other tables are scored in groups (norm 87), boards that not every table has
a result for by Neuberg's formula (norm 12).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from hw.seats import SEATS
from table_service.games.bridge.norms.altered_boards import SMALL, Share, shares
from table_service.games.bridge.pages.board_facts import BoardFacts, newest_of_each
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.bridge.rules.match_points import imps, match_points, neuberg


@dataclass(frozen=True, slots=True)
class Compared:
    """One table's result on a board. ``points``: match points of North and South on ``top``; None: no comparison.

    ``share``: the same for both lines in per cent of a top. ``group``: which cards it was played with, from 0.
    """

    board: BoardFacts
    group: int
    share: Share | None = None
    points: Fraction | None = None
    top: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """Two tables of one match: North and South at ``open`` are the team of East and West at ``closed``."""

    open: str
    closed: str


def matches_of(places: Sequence[str], pairs: Mapping[tuple[str, str], str]) -> tuple[Match, ...]:
    """The matches between tables: two alone, or those at which the same two names sit crosswise; else none.

    >>> matches_of(("T1", "T2"), {})
    (Match(open='T1', closed='T2'),)
    """
    found, left = list[Match](), list(places)
    for place in places:
        names = pairs.get((place, "NS")), pairs.get((place, "EW"))
        other = next((one for one in left if one != place and _is_crossed(names, one, pairs)), None)
        if place in left and other is not None:
            found.append(Match(place, other))
            left = [one for one in left if one not in (place, other)]
    if found:
        return tuple(found) if not left else ()
    nobody_named = not any(pairs.get((place, line)) for place in places for line in ("NS", "EW"))
    return (Match(*places),) if len(places) == 2 and nobody_named else ()


def _is_crossed(names: tuple[str | None, str | None], other: str, pairs: Mapping[tuple[str, str], str]) -> bool:
    ns, ew = names
    return bool(ns and ew) and (pairs.get((other, "EW")), pairs.get((other, "NS"))) == (ns, ew)


def by_board(boards: Iterable[BoardFacts]) -> dict[int, list[BoardFacts]]:
    """The tables' results by board, boards in order; a board without a number is compared with none."""
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
    """Whether no card shows that the two were played with different hands."""
    for seat in SEATS:
        both = one.shown.get(seat, frozenset()) | other.shown.get(seat, frozenset())
        elsewhere = {card for who in SEATS if who is not seat for card in other.shown.get(who, ())}
        if len(both) > TRICKS or one.shown.get(seat, frozenset()) & elsewhere:
            return False
    return True


def compared(boards: Sequence[BoardFacts]) -> list[Compared]:
    """Every table's result on one board in match points. ``boards``: all tables at which it was played."""
    groups, expected = groups_of(boards), len(boards)
    found: list[Compared] = []
    for number, group in enumerate(groups):
        known = [one for one in group if one.points is not None]
        found += [Compared(one, number) for one in group if one.points is None]
        found += _of_group(known, number, expected, altered=len(groups) > 1)
    return sorted(found, key=lambda one: (one.group, -(one.board.points or 0), one.board.place))


def _of_group(known: Sequence[BoardFacts], number: int, expected: int, *, altered: bool) -> list[Compared]:
    points = [one.points for one in known if one.points is not None]
    if not points or expected < 2:
        return [Compared(one, number) for one in known]
    top = 2 * (expected - 1)
    if altered and len(points) < SMALL:
        given = shares(points, expected)
        return [Compared(one, number, share, None, top) for one, share in zip(known, given, strict=True)]
    scored = [neuberg(one, len(points), expected) for one in match_points(points)]
    percent = [100 * one / top for one in scored]
    return [
        Compared(one, number, Share(own, 100 - own), mp, top)
        for one, own, mp in zip(known, percent, scored, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class ImpsOfBoard:
    """One board of a match: the IMPs of the team that sits North and South at the open table; None: not known."""

    number: int
    open: BoardFacts | None
    closed: BoardFacts | None
    imps: int | None
    altered: bool


def in_imps(match: Match, boards: Mapping[int, Sequence[BoardFacts]]) -> list[ImpsOfBoard]:
    """A match board by board; a board that was not played with the same cards at both tables is not compared."""
    found = []
    for number, results in boards.items():
        one = next((held for held in results if held.place == match.open), None)
        other = next((held for held in results if held.place == match.closed), None)
        if one is None and other is None:
            continue
        altered = one is not None and other is not None and not _is_same_deal(one, other)
        found.append(ImpsOfBoard(number, one, other, None if altered else _imps(one, other), altered))
    return found


def _imps(one: BoardFacts | None, other: BoardFacts | None) -> int | None:
    if one is None or other is None or one.points is None or other.points is None:
        return None
    return imps(one.points - other.points)


def standing_of(boards: Mapping[int, Sequence[BoardFacts]]) -> list[tuple[str, str, str, Fraction, int]]:
    """Table, line, pair, mean per cent and boards of every pair that has a result, the best first."""
    got: dict[tuple[str, str, str], list[Fraction]] = {}
    for results in boards.values():
        for one in compared(results):
            if one.share is None:
                continue
            for line, share in (("NS", one.share.ns), ("EW", one.share.ew)):
                got.setdefault((one.board.place, line, one.board.pairs.get(line, "")), []).append(share)
    rows = [(*who, sum(every, Fraction(0)) / len(every), len(every)) for who, every in got.items()]
    return sorted(rows, key=lambda row: (-row[3], row[0], row[1]))
