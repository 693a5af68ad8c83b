"""Movements of pairs and of boards: which pair plays which set of boards at which table, in every round. Pure.

A set is the boards at one table in one round. Pairs, tables, sets and rounds are numbered from 1.

- Mitchell: North–South stay, East–West go up a table, boards down one; with an even number of tables East–West skip one
  after half the rounds (one set is played by no pair twice, and by each but one), or two tables share a set and one is
  at a bye stand (share and relay).
- Howell and three-quarter Howell: the moving pairs follow one another round the same places, some pairs stay. The
  places and the sets at them are found by search, so that no two meet twice and no pair has a set twice. With one
  round more than tables all but one stay at each table and one table has two that move: a hesitation Mitchell.
- A pair too many: half a table, at which its opponents rest; or a pair that takes the place of another North–South
  in each round, which rests (bump).

Mitchell, Howell and their kin are common knowledge of directors; the search for places and sets is that for a starter
with its adder, of which Room squares are made (Mullin and Nemeth, 1969).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, MutableSequence, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from typing import Any, Final, NamedTuple

LEAST_TABLES: Final = 3
MOST_TABLES: Final = 14
"""Most tables of a Howell; a Mitchell has any number from three."""
_STEPS: Final = 4000
_RESTARTS: Final = 6
"""Times that a search which takes too many steps begins anew: what exists is found in the first few."""
_NONE: Final = frozenset({(4, 6), (5, 8)})
"""Tables and rounds of which a long search found no Howell; nor one of an even number of tables and a round more."""
_BUMPS: Final = 20_000


class Sitting(NamedTuple):
    """Two pairs at a table with a set of boards."""

    table: int
    ns: int
    ew: int
    set: int


@dataclass(frozen=True, slots=True)
class BoardMovement:
    """A whole session. ``kind``: mitchell, skip, relay, hesitation, howell, three-quarter.

    ``bumped``: a pair takes places of others.

    ``rounds``: for each its sittings; a pair in none rests. ``sets``: how many are played. ``half``: by round the
    sitting at the half table, with the number of the pair that is not there; empty if there is no half table.
    """

    kind: str
    tables: int
    pairs: int
    sets: int
    rounds: tuple[tuple[Sitting, ...], ...]
    bumped: bool = False
    half: tuple[Sitting, ...] = ()

    def resting(self, number: int) -> tuple[int, ...]:
        """Return the pairs that rest in round ``number``, from 1."""
        seated = {pair for one in self.rounds[number - 1] for pair in (one.ns, one.ew)}
        return tuple(pair for pair in range(1, self.pairs + 1) if pair not in seated)

    @property
    def has_two_rankings(self) -> bool:
        """True if no pair sits in both lines."""
        ns = {one.ns for sittings in self.rounds for one in sittings}
        return ns.isdisjoint(one.ew for sittings in self.rounds for one in sittings)

    @property
    def is_shared(self) -> bool:
        """True if two tables have the same set in one round."""
        return any(len({one.set for one in sittings}) < len(sittings) for sittings in self.rounds)


# -- Mitchell ----------------------------------------------------------------------------------------------------------


def mitchell(tables: int, rounds: int = 0) -> BoardMovement:
    """Return a Mitchell of an odd number of tables: each meets the other line; ``rounds`` 0: as many as tables."""
    return _mitchell("mitchell", tables, rounds or tables, lambda table, number: table + number, lambda number: number)


def skip_mitchell(tables: int, rounds: int = 0) -> BoardMovement:
    """Return a Mitchell of an even number of tables: after half East–West skip one; a round less than tables."""
    half = tables // 2
    return _mitchell(
        "skip", tables, rounds or tables - 1, lambda table, number: table + number, lambda n: n + (n >= half)
    )


def relay_mitchell(tables: int) -> BoardMovement:
    """Return a Mitchell of an even number of tables: the first and the last share a set, one is at a bye stand."""
    half = tables // 2
    place = [*range(half), *range(half + 1, tables), 0]
    return _mitchell("relay", tables, tables, lambda table, number: place[table] + number, lambda number: number)


def _mitchell(
    kind: str, tables: int, rounds: int, set_at: Callable[[int, int], int], steps: Callable[[int], int]
) -> BoardMovement:
    def sitting(table: int, number: int) -> Sitting:
        ew = tables + (table - steps(number)) % tables + 1
        return Sitting(table + 1, table + 1, ew, set_at(table, number) % tables + 1)

    every = tuple(tuple(sitting(table, number) for table in range(tables)) for number in range(rounds))
    return BoardMovement(kind, tables, 2 * tables, tables, every)


def arrow_switched(movement: BoardMovement, rounds: int = 0) -> BoardMovement:
    """Return the movement with the lines exchanged in its last ``rounds``, so that all are compared in one ranking.

    ``rounds`` 0: as many as make the pairs' comparisons most alike (``imbalance``), at least one.
    """
    if rounds:
        kept, switched = movement.rounds[:-rounds], movement.rounds[-rounds:]
        turned = tuple(tuple(map(_exchanged, sittings)) for sittings in switched)
        half = (*movement.half[:-rounds], *map(_exchanged, movement.half[-rounds:]))
        return replace(movement, rounds=(*kept, *turned), half=half)
    every = [arrow_switched(movement, n) for n in range(1, len(movement.rounds) // 2 + 1)]
    return min(every, key=imbalance)


def _exchanged(one: Sitting) -> Sitting:
    return one._replace(ns=one.ew, ew=one.ns)


def imbalance(movement: BoardMovement) -> Fraction:
    """Return the variance of how much two pairs compete, over the square of its mean: 0 if all compete alike.

    On one set two pairs of one line compete by one result, two of different lines against it, and the two that meet
    by all other results at once.
    """
    size = movement.pairs + 1
    compete = [0] * (size * size)
    for sittings in _by_set(movement).values():
        for one, other in combinations(sittings, 2):
            for mine, theirs, much in (
                (one.ns, other.ns, 1), (one.ew, other.ew, 1), (one.ns, other.ew, -1), (one.ew, other.ns, -1),
            ):  # fmt: skip
                compete[min(mine, theirs) * size + max(mine, theirs)] += much
        for one in sittings:
            compete[min(one.ns, one.ew) * size + max(one.ns, one.ew)] += len(sittings) - 1
    every = [compete[one * size + other] for one, other in combinations(range(1, size), 2)]
    total, squares = sum(every), sum(one * one for one in every)
    return Fraction(squares * len(every), total * total) - 1 if total else Fraction(len(every))


def _by_set(movement: BoardMovement) -> dict[int, list[Sitting]]:
    found: dict[int, list[Sitting]] = {}
    for sittings in movement.rounds:
        for one in sittings:
            found.setdefault(one.set, []).append(one)
    return found


# -- Howell ------------------------------------------------------------------------------------------------------------


class HowellPlace(NamedTuple):
    """A table of a Howell in its first round: ``first`` None if a pair stays; the set at the table."""

    first: int | None
    second: int
    set: int


def howell_movement(tables: int, rounds: int = 0) -> BoardMovement | None:
    """Return a Howell in which all meet all, or one of fewer ``rounds`` (three-quarter); None if there is none.

    With three tables two of them share a set in each round.
    """
    rounds = rounds or 2 * tables - 1
    if not LEAST_TABLES <= tables <= MOST_TABLES or not tables < rounds < 2 * tables:
        return None
    places = howell_places(tables, rounds)
    if places is None:
        return None
    every = tuple(tuple(_sitting(places, table, number, rounds) for table in range(tables)) for number in range(rounds))
    kind = {2 * tables - 1: "howell", tables + 1: "hesitation"}.get(rounds, "three-quarter")
    return _turned(BoardMovement(kind, tables, 2 * tables, rounds, every))


def _sitting(places: Sequence[HowellPlace], table: int, number: int, rounds: int) -> Sitting:
    """Return the sitting at a table: pairs that stay are numbered after those that move up one place a round."""
    place = places[table]
    stays = rounds + 1 + sum(one.first is None for one in places[:table])
    first = stays if place.first is None else (place.first + number) % rounds + 1
    return Sitting(table + 1, first, (place.second + number) % rounds + 1, (place.set + number) % rounds + 1)


def _turned(movement: BoardMovement) -> BoardMovement:
    """Exchange the lines at some tables in all rounds, if that makes comparisons more alike."""
    best = imbalance(movement)
    is_better = True
    while is_better:
        is_better = False
        for table in range(1, movement.tables + 1):
            turned = replace(
                movement,
                rounds=tuple(
                    tuple(_exchanged(one) if one.table == table else one for one in sittings)
                    for sittings in movement.rounds
                ),
            )
            if (found := imbalance(turned)) < best:
                movement, best, is_better = turned, found, True
    return movement


@lru_cache(maxsize=128)
def howell_places(tables: int, rounds: int) -> tuple[HowellPlace, ...] | None:
    """Return the tables of a Howell by search, always the same ones; None if none was found.

    Sought are places 0 … rounds - 1 in pairs, each two apart by a distance of its own (so that no two meet twice), and
    sets whose distances to the places at their tables are all different (so that no pair has a set twice).
    """
    both = rounds - tables
    if (tables % 2 == 0 and rounds == tables + 1) or (tables, rounds) in _NONE:
        return None
    order = _Order(1000 * tables + rounds)
    shares = (tables, rounds) == (3, 5)  # three tables have no Howell of five sets without
    for _ in range(_RESTARTS):
        apart = list(range(1, (rounds - 1) // 2 + 1))
        order.mix(apart)
        search = _Search(rounds, tables, tuple(sorted(apart[:both], reverse=True)), order, shares=shares)
        if len(apart) >= both and search.extend():
            return tuple(search.found)
    return None


@dataclass(slots=True)
class _Order:
    """Orders in which a search tries, the same ones every time: a linear congruential sequence from ``state``."""

    state: int

    def mix(self, items: MutableSequence[Any]) -> None:
        """Change the order of ``items``."""
        for last in range(len(items) - 1, 0, -1):
            self.state = (self.state * 1_103_515_245 + 12_345) % 2**31
            other = (self.state >> 8) % (last + 1)
            items[last], items[other] = items[other], items[last]


@dataclass(slots=True)
class _Search:
    """A search in depth: tables at which two moving pairs sit first, by their distances ``apart``."""

    rounds: int
    tables: int
    apart: tuple[int, ...]
    order: _Order
    shares: bool
    found: list[HowellPlace] = field(default_factory=list)
    steps: int = _STEPS

    def extend(self) -> bool:
        """Add tables until all are there; False if that cannot be, or would take too long."""
        self.steps -= 1
        if len(self.found) == self.tables or self.steps < 0:
            return self.steps >= 0
        for place in self._next():
            self.found.append(place)
            if self.extend():
                return True
            self.found.pop()
        return False

    def _next(self) -> Iterator[HowellPlace]:
        """Yield the tables that may be added."""
        gone = {(place.set - one) % self.rounds for place in self.found for one in place[:2] if one is not None}
        lying = set() if self.shares else {place.set for place in self.found}
        for first, second in self._seats():
            at = (second,) if first is None else (first, second)
            lie = [
                one
                for one in range(self.rounds)
                if one not in lying and gone.isdisjoint((one - place) % self.rounds for place in at)
            ]
            self.order.mix(lie)
            yield from (HowellPlace(first, second, one) for one in lie)

    def _seats(self) -> list[tuple[int | None, int]]:
        """Return the places two moving pairs may have at the next table; the first free one beside a staying pair."""
        taken = {one for place in self.found for one in place[:2]}
        free = [one for one in range(self.rounds) if one not in taken]
        if len(self.found) >= len(self.apart):
            return [(None, free[0])]
        across = self.apart[len(self.found)]
        found: list[tuple[int | None, int]] = [(one, (one + across) % self.rounds) for one in free]
        found = [one for one in found if one[1] not in taken]
        self.order.mix(found)
        return found


# -- a pair too many ---------------------------------------------------------------------------------------------------


def without(movement: BoardMovement, pair: int) -> BoardMovement:
    """Return the movement for a pair less: who would meet ``pair`` rests; the pairs after it are numbered one less.

    The last pair may still come (``completed``).
    """

    def number(one: int) -> int:
        return one - (one > pair)

    rounds = tuple(
        tuple(one._replace(ns=number(one.ns), ew=number(one.ew)) for one in sittings if pair not in (one.ns, one.ew))
        for sittings in movement.rounds
    )
    is_last = pair == movement.pairs
    half = tuple(one for sittings in movement.rounds for one in sittings if pair in (one.ns, one.ew)) if is_last else ()
    return replace(movement, pairs=movement.pairs - 1, rounds=rounds, half=half)


def completed(movement: BoardMovement, number: int = 1) -> BoardMovement:
    """Return the movement with the pair that was missing at the half table, from round ``number`` on."""
    rounds = tuple(
        (*sittings, half) if n >= number else sittings
        for n, (sittings, half) in enumerate(zip(movement.rounds, movement.half, strict=False), start=1)
    )
    return replace(movement, pairs=movement.pairs + 1, rounds=rounds, half=())


def bumped(movement: BoardMovement, first: int = 2) -> BoardMovement | None:
    """Add a pair, which takes another North–South's place in each round from ``first`` on.

    No pair is bumped twice, and the pair that bumps meets no pair and no set twice. The movement may become shorter;
    None if not even two thirds of its rounds are left, or of those that were played before ``first``.
    """
    most, before = len(movement.rounds), movement.rounds[: first - 1]
    for last in range(most, max(2 * most // 3, first) - 1, -1):
        tables = _bump(movement.rounds[first - 1 : last], (), [_BUMPS])
        if tables is not None:
            taken = zip(tables, movement.rounds[first - 1 : last], strict=True)
            after = (
                tuple(one._replace(ns=movement.pairs + 1) if one.table == table else one for one in sittings)
                for table, sittings in taken
            )
            return replace(movement, pairs=movement.pairs + 1, bumped=True, rounds=(*before, *after), half=())
    return None


def _bump(rounds: Sequence[Sequence[Sitting]], before: tuple[Sitting, ...], steps: list[int]) -> tuple[int, ...] | None:
    """Return the tables at which the pair too many sits in ``rounds``; ``steps``: how many may still be tried."""
    steps[0] -= 1
    if steps[0] < 0:
        return None
    if len(before) == len(rounds):
        return tuple(one.table for one in before)
    for one in rounds[len(before)]:
        if all(one.ns != old.ns and one.ew != old.ew and one.set != old.set for old in before):
            found = _bump(rounds, (*before, one), steps)
            if found is not None:
                return found
    return None
