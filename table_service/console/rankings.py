"""The ranking of a tournament as values: entries by victory points, by matches won, in merit groups. Pure."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import accumulate, groupby
from types import MappingProxyType
from typing import Any, Final

from table_service.console.entrant import EntrantPerson
from table_service.console.results import ASSIGNED, RoundResult, TableResult
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import LETTERS
from table_service.console.sheet_book import LineMatchEnd
from table_service.events.untrusted import sum_of
from table_service.games.event_rules import Encounter, Ties
from table_service.tournament import partners


@dataclass(frozen=True, slots=True)
class Matches:
    """The matches of a pair. ``points``: in all of them; ``extra``: what is counted beside; None: not known."""

    won: int
    points: int | None
    extra: int | None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A pair in the ranking; ``rounds``: how many count.

    ``vp`` None where one of its rounds is not known, and ``matches`` as well where pairs are ranked by them.
    """

    place: int
    pair: str
    vp: int | None
    mp: int | None
    rounds: int
    deduction: int
    matches: Matches | None = None
    group: int = 0
    """The merit group, from 1; 0 where there are none."""
    left: bool = False
    """Whether it has left, and the code ranks it last for that."""
    tie: int | None = None
    """The place among those with equal victory points by what the code says of them; None where it says nothing."""

    @property
    def standing(self) -> tuple[object, ...]:
        """All that parts it from others: equal ones share a place."""
        return (
            (self.group, self.left, self.vp, self.tie) if self.tie is not None else (self.group, self.left, self.merit)
        )

    @property
    def merit(self) -> tuple[int, int] | None:
        """Figures that rank it, the first before the second; None if unknown.

        Victory points and match points, or matches won and the points in them.
        """
        if self.matches is None:
            return None if self.vp is None else (self.vp, self.mp or 0)
        return None if self.matches.points is None else (self.matches.won, self.matches.points)


def resting(entry: str, given: tuple[int, int | None] | None) -> RoundResult:
    """Return the round of an entry that sat nowhere: victory and match points as the code gives, unknown if none."""
    vp, mp = given or (None, None)
    return RoundResult("", "", entry, None, mp, vp, 0)


def of_players(result: RoundResult) -> list[RoundResult]:
    """Return the result of each single player of a line; of any other entry its own."""
    return [replace(result, pair=player) for player in partners(result.pair)]


def encounters(tables: Iterable[TableResult]) -> list[Encounter]:
    """Return the matches of which both results are known."""
    found = []
    for ns, ew in (one.lines for one in tables):
        if ns.pair and ew.pair and ns.vp is not None and ew.vp is not None and ns.mp is not None and ew.mp is not None:
            found.append(Encounter((ns.pair, ew.pair), (ns.vp, ew.vp), (ns.mp, ew.mp)))
    return found


def ranking(
    rounds: Iterable[Sequence[TableResult]],
    rests: Iterable[RoundResult] = (),
    *,
    ties: Ties | None = None,
    groups: Mapping[str, int] | None = None,
    withdrawn: Collection[str] = (),
) -> list[Ranked]:
    """Return the entries by merit; one with a round that is not known stands last, unranked.

    Merit are victory points, then match points, or what ``ties`` says of equal ones; where rounds are matches, the
    matches won, then points in all of them: a default, as no rules of a game name an order. What is counted beside them
    parts nobody, and equals share a place. ``rests``: the rounds in which somebody sat nowhere; ``groups``: the merit
    group of each, the first first, each ranked apart; ``withdrawn``: who stands last. Only lines that the club has
    entered are ranked, of single players each; a table that still plays has no result.
    """
    rounds = [tuple(one) for one in rounds]
    by_matches = _by_matches(rounds)
    rows = [_ranked(pair, own, by_matches=by_matches) for pair, own in _by_pair(rounds, rests).items()]
    rows = [replace(row, group=(groups or {}).get(row.pair, 0), left=row.pair in withdrawn) for row in rows]
    known = [row for row in rows if row.merit is not None]
    known.sort(key=lambda row: (row.group, row.left, *(-part for part in row.merit or ()), row.pair))
    if ties is not None:
        known = _parted(known, ties, [one for tables in rounds for one in encounters(tables)])
    return _placed(known) + [row for row in rows if row.merit is None]


def _by_matches(rounds: Iterable[Sequence[TableResult]]) -> bool:
    return any(line.match is not None for tables in rounds for one in tables for line in one.lines)


def _placed(known: Iterable[Ranked]) -> list[Ranked]:
    """``known``, in their order, each with its place in its group; equals share one."""
    found: list[Ranked] = []
    n = 0
    for row in known:
        n = 1 if not found or found[-1].group != row.group else n + 1
        same = found and found[-1].standing == row.standing
        found.append(replace(row, place=found[-1].place if same else n))
    return found


def _parted(known: Sequence[Ranked], ties: Ties, played: Sequence[Encounter]) -> list[Ranked]:
    """Order entries with equal victory points by the code's ties; only if all are ranked by them."""
    found: list[Ranked] = []
    for _, equal in groupby(known, key=lambda row: (row.group, row.left, row.vp)):
        rows = {row.pair: row for row in equal}
        if len(rows) == 1 or any(row.matches is not None for row in rows.values()):
            found += rows.values()
            continue
        for n, same in enumerate(ties(tuple(rows), played)):
            found += [replace(rows[name], tie=n) for name in same]
    return found


def _ranked(pair: str, own: Sequence[RoundResult], *, by_matches: bool) -> Ranked:
    """``pair`` by its results, without a place. Beside matches a round without one is known where 1 or 0 was given."""
    deduction = sum(one.deduction for one in own)
    points = sum_of(one.mp for one in own)
    if not by_matches:
        total = sum_of(one.vp for one in own)
        return Ranked(0, pair, None if total is None else total + deduction, points, len(own), deduction)
    ends = [one.match or _given_match(one) for one in own]
    won = sum_of(None if one.won is None else int(one.won) for one in ends)
    matches = None if won is None else Matches(won, sum_of(e.points for e in ends), sum_of(e.extra for e in ends))
    return Ranked(0, pair, None, points, len(own), deduction, matches)


def _given_match(result: RoundResult) -> LineMatchEnd:
    """Return a round without play among matches: won with 1, lost with 0 given for it; else not known."""
    given = result.vp in (0, 1) and result.mp is not None
    return LineMatchEnd(result.vp == 1, result.mp, 0) if given else LineMatchEnd()


def _by_pair(rounds: Iterable[Sequence[TableResult]], rests: Iterable[RoundResult]) -> dict[str, list[RoundResult]]:
    """Return the results of each entry, round by round; unknown if its table still plays."""
    sums: dict[str, list[RoundResult]] = {}
    for one in rests:
        for own in of_players(one):
            sums.setdefault(own.pair, []).append(own)
    told = (one for tables in rounds for one in tables)
    for table in (one for one in told if one.held is not None or one.rooms or one.state == ASSIGNED):
        for one in table.lines:
            if one.pair:
                known = (
                    one if table.state != "open" else replace(one, vp=None, mp=None, match=one.match and LineMatchEnd())
                )
                for own in of_players(known):
                    sums.setdefault(own.pair, []).append(own)
    return sums


_LEAST_GROUP: Final = 2


def split(ranked: Sequence[Ranked], sizes: str) -> dict[str, int]:
    """Return the merit group of each entry, from 1, by the ranking and the sizes as typed; empty if none are typed.

    Raises FormError where a size is odd or leaves nobody for the last group, or a result is not known yet.
    """
    typed = sizes.replace(",", " ").split()
    if not typed:
        return {}
    unknown = next((one.pair for one in ranked if one.merit is None), None)
    if unknown is not None:
        raise FormError("groups_unknown", entry=unknown)
    longest = len(str(len(ranked)))
    counts = [int(one) for one in typed if _is_number(one, longest)]
    if len(counts) < len(typed):
        raise FormError("groups_bad", most=len(ranked))
    if min(counts) < _LEAST_GROUP or any(one % 2 for one in counts):
        raise FormError("groups_bad", most=len(ranked))
    if sum(counts) > len(ranked) or len(counts) >= len(LETTERS):
        raise FormError("groups_bad", most=len(ranked))
    ends = list(accumulate(counts))
    return {one.pair: 1 + bisect_right(ends, n) for n, one in enumerate(ranked)}


def _is_number(text: str, longest: int) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= longest


def sizes_of(groups: Mapping[str, int]) -> str:
    """Return the sizes of all groups but the last, as they are typed."""
    counts = Counter(groups.values())
    return " ".join(str(counts[group]) for group in sorted(counts)[:-1])


def published(
    tournament: str,
    ranked: Iterable[Ranked],
    extra: Mapping[str, str] | None = None,
    people: Mapping[str, Sequence[EntrantPerson]] = MappingProxyType({}),
    *,
    members: bool = False,
) -> dict[str, Any]:
    """Return a ranking as everybody may see it: no warning, no deduction, only what each pair has.

    ``extra``: what is counted beside matches, by language. ``people``: of each entry, shown with their clubs;
    with ``members`` also by their member numbers and categories, which only those who run the hall see.
    """
    rows = [
        {
            "place": r.place or None,
            "pair": r.pair,
            "vp": r.vp,
            "mp": r.mp,
            "rounds": r.rounds,
            **({"group": r.group} if r.group else {}),
            **({} if r.matches is None else asdict(r.matches)),
            **({"people": [_shown(one, members=members) for one in people[r.pair]]} if r.pair in people else {}),
        }
        for r in ranked
    ]
    return {"tournament": tournament, "rows": rows, "extra": dict(extra or {})}


def _shown(person: EntrantPerson, *, members: bool) -> dict[str, str]:
    more = {"member": person.member, "category": person.category} if members else {}
    return {"name": person.name, "club": person.club, **more}
