"""Tournaments of single players, whose partner changes from round to round. Pure.

Sources: fibur2024, art. 2 (tornei gialli) and feburit, art. 2 (tornei individuali): each is entered alone and changes
partner at every round, by an order that the arbitro sets. Three orders are known here: a whist tournament, in which all
are partners of all once and opponents twice (E. H. Moore, Tactical Memoranda, Amer. Journal of Mathematics 18, 1896),
by lot with as few repeats as can be, and by the standing, four by four.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final

from table_service.tournament.pairings import matched
from table_service.tournament.seating import Meeting, NoSeatingError, Seating, checked

PARTNERS: Final = " + "
"""Text between two single players who sit in one line."""
_FOUR: Final = 4
_EXACT: Final = 64
_INFINITY: Final = -1
_BASES: Final[Mapping[int, str]] = {
    4: "*,0-1,2",
    8: "*,0-2,3 1,5-4,6",
    12: "*,0-8,10 1,7-3,6 2,9-4,5",
    16: "*,0-3,14 1,4-10,11 2,9-5,7 6,12-8,13",
    20: "*,0-10,16 1,18-6,7 2,11-5,9 3,15-14,17 4,12-8,13",
    24: "*,0-2,6 1,21-5,16 3,12-8,15 4,14-7,13 9,11-17,22 10,18-19,20",
    28: "*,0-16,17 1,21-3,8 2,20-6,19 4,25-10,22 5,24-9,26 7,23-12,15 11,13-14,18",
    32: "*,0-16,27 1,14-5,17 2,7-19,28 3,4-6,10 8,24-15,25 9,11-22,30 12,26-13,20 18,21-23,29",
}
"""First rounds by number of players, found by search: the last (*) stays, each other takes the next number's place."""
_ROOTS: Final[Mapping[int, int]] = {5: 2, 13: 2, 17: 3, 29: 2, 37: 2}
"""A primitive root of each prime that leaves 1 when divided by four: Moore's tables, one player rests in each round."""
WHOLE: Final = frozenset({*_BASES, *_ROOTS})
"""For how many players there is a whist tournament here."""


def partners(line: str) -> tuple[str, ...]:
    """Return the players of a line; a line that is no two single players is one entry.

    >>> partners("Anna + Bea"), partners("Rossi–Bianchi")
    (('Anna', 'Bea'), ('Rossi–Bianchi',))
    """
    found = tuple(one.strip() for one in line.split(PARTNERS.strip()))
    return found if all(found) else (line,)


def players_of(seating: Seating) -> tuple[str, ...]:
    """Return the single players of a round, by tables; the resting player comes last."""
    return tuple(player for line in seating.entries for player in partners(line))


def whist(field: Sequence[str], number: int) -> Seating:
    """Round ``number`` of a tournament in which all are partners of all once and opponents of all twice.

    Raises NoSeatingError beyond the last round, and for a number of players of which no such order is kept here.

    >>> [(one.ns, one.ew) for one in whist("ABCD", 2).meetings]
    [('D + B', 'C + A')]
    """
    field = checked(field, _FOUR)
    size = len(field)
    if size not in WHOLE:
        known = ", ".join(map(str, sorted(WHOLE)))
        raise NoSeatingError("no_whist", f"all with all is known for {known} players, not {size}", n=size, known=known)
    moving = size - 1 if size in _BASES else size
    if not 1 <= number <= moving:
        raise NoSeatingError("all_met", f"round {number}: after {moving} rounds all have met", rounds=moving)
    resting = () if size in _BASES else (field[(number - 1) % size],)
    tables = [tuple(_who(field, moving, place, number) for place in four) for four in _base(size)]
    meetings = (Meeting(n, _line(a, b), _line(c, d)) for n, (a, b, c, d) in enumerate(tables, start=1))
    return Seating(tuple(meetings), resting)


def _base(size: int) -> list[tuple[int, int, int, int]]:
    if size in _BASES:
        fours = ([_INFINITY if one == "*" else int(one) for one in four.replace("-", ",").split(",")]
                 for four in _BASES[size].split())  # fmt: skip
        return [(a, b, c, d) for a, b, c, d in fours]
    root, quarter = _ROOTS[size], (size - 1) // 4
    powers = [pow(root, n, size) for n in range(2 * quarter)]
    return [(powers[n], -powers[n] % size, powers[n + quarter], -powers[n + quarter] % size) for n in range(quarter)]


def _who(field: Sequence[str], moving: int, place: int, number: int) -> str:
    return field[-1] if place == _INFINITY else field[(place + number - 1) % moving]


def whist_field(first: Seating) -> tuple[str, ...]:
    """Return the field whose first round by ``whist`` is ``first``, in its order; NoSeatingError if there is none."""
    players = players_of(first)
    size = len(players)
    if size not in WHOLE:
        whist(players, 1)  # says so
    places = [place for four in _base(size) for place in four] + ([] if size in _BASES else [0])
    return tuple(name for _, name in sorted(zip((place % size for place in places), players, strict=True)))


def drawn(order: Sequence[str], played: Sequence[Seating] = ()) -> Seating:
    """Return a round of the players in a drawn ``order``, with as few repeats as can be.

    First no player has a partner again while there is another way, then no player an opponent; those who have rested
    least rest, the last of the order first.
    """
    order = checked(order, _FOUR)
    rests = _who_rests(order, played)
    left = [one for one in order if one not in rests]
    with_, against = _together(played)
    lines = [_line(one, other) for one, other in _fewest(left, lambda one, other: with_[frozenset((one, other))])]

    def met(line: str, other: str) -> int:
        return sum(against[frozenset((a, b))] for a in partners(line) for b in partners(other))

    return _seated(_fewest(lines, met), rests)


def by_fours(ranked: Sequence[str], played: Sequence[Seating] = ()) -> Seating:
    """Return a round by the ranking, the best first: the first four at table 1, the first with the fourth, and so on.

    Within four the partners are changed if they have been partners before.
    """
    ranked = checked(ranked, _FOUR)
    rests = _who_rests(ranked, played)
    left = [one for one in ranked if one not in rests]
    with_, _ = _together(played)
    found = []
    for first in range(0, len(left), _FOUR):
        a, b, c, d = left[first : first + _FOUR]
        ways = (((a, d), (b, c)), ((a, c), (b, d)), ((a, b), (c, d)))
        one, other = min(ways, key=lambda way: sum(with_[frozenset(pair)] for pair in way))
        found.append((_line(*one), _line(*other)))
    return _seated(found, rests)


def _who_rests(order: Sequence[str], played: Sequence[Seating]) -> list[str]:
    """Return the players who rest, so that fours are left: those who have rested least, the last first."""
    before = Counter(player for one in played for line in one.resting for player in partners(line))
    places = {one: n for n, one in enumerate(order)}
    found = sorted(order, key=lambda one: (before[one], -places[one]))[: len(order) % _FOUR]
    return sorted(found, key=places.__getitem__)


def _together(played: Iterable[Seating]) -> tuple[Counter[frozenset[str]], Counter[frozenset[str]]]:
    """Return how often two were partners, and how often opponents."""
    with_: Counter[frozenset[str]] = Counter()
    against: Counter[frozenset[str]] = Counter()
    for meeting in (meeting for one in played for meeting in one.meetings):
        for line in (meeting.ns, meeting.ew):
            with_.update(frozenset(two) for two in pairwise(partners(line)))
        against.update(frozenset((a, b)) for a in partners(meeting.ns) for b in partners(meeting.ew))
    return with_, against


def _fewest(names: Sequence[str], times: Callable[[str, str], int]) -> list[tuple[str, str]]:
    """Pair ``names`` two by two, so that those most often together were so as seldom as can be.

    ``times``: how often two were. In a field beyond ``_EXACT`` the nearest free one is taken first, and every pairing
    looked at if one is left over.
    """
    points, most = dict.fromkeys(names, 0), 0
    while True:
        found = _nearest_free(names, times, most) if len(names) > _EXACT else None
        if found is None:
            too_often = (frozenset(two) for two in combinations(names, 2) if times(*two) > most)
            found = matched(names, points, frozenset(too_often))
        if found is not None:
            return found
        most += 1


def _nearest_free(names: Sequence[str], times: Callable[[str, str], int], most: int) -> list[tuple[str, str]] | None:
    left, found = list(names), []
    while left:
        one = left.pop(0)
        place = next((n for n, other in enumerate(left) if times(one, other) <= most), None)
        if place is None:
            return None
        found.append((one, left.pop(place)))
    return found


def _line(one: str, other: str) -> str:
    return f"{one}{PARTNERS}{other}"


def _seated(lines: Sequence[tuple[str, str]], rests: Sequence[str]) -> Seating:
    meetings = (Meeting(n, ns, ew) for n, (ns, ew) in enumerate(lines, start=1))
    return Seating(tuple(meetings), tuple(rests))
