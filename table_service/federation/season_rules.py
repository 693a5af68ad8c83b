"""Rules of points of a circuit, as data (TOML), and the season's ranking of all its members by them."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Self

from pydantic import Field, ValidationError, model_validator

from hw.errors import WrongValueError
from hw.table_sections import Strict
from table_service.console.season import MOST_PLACES, MOST_POINTS, best_of, shared_places
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.errors import FederationError, FederationUseError

_PLAYED: Final = """
select pl.member, array_agg(coalesce(p.place, 0)) as places, array_agg(t.level) as levels
from tournament t join ranked_entry p on p.tournament = t.id
join player pl on pl.tournament = t.id and pl.entry = p.entry
where t.circuit = $1 and pl.member <> '' group by pl.member"""
_VERSION: Final = """
select count(*) as n, coalesce(max(id), 0) as newest, (select rules from circuit where name = $1) as rules,
(select count(*) from member where erased is not null) as erased from tournament where circuit = $1"""


class LevelPoints(Strict):
    """Points of one level of tournaments. ``places``: of the first, second, … place; ``taking_part``: of all others.

    Whoever was not ranked has the points of taking part.
    """

    places: tuple[int, ...] = Field(min_length=1, max_length=MOST_PLACES)
    taking_part: int = Field(0, ge=0, le=MOST_POINTS)

    @model_validator(mode="after")
    def _in_order(self) -> Self:
        """Check that a better place has no fewer points."""
        points = (*self.places, self.taking_part)
        if any(not 0 <= one <= MOST_POINTS for one in points):
            raise WrongValueError(f"points are from 0 to {MOST_POINTS}", f"i punti vanno da 0 a {MOST_POINTS}")
        if any(later > before for before, later in pairwise(points)):
            raise WrongValueError(
                "a later place has more points than one before it",
                "un posto successivo ha più punti di uno che lo precede",
            )
        return self


class SeasonRules(Strict):
    """Rules of a circuit's season. ``best``: how many tournaments of each member count, the best ones; 0: all.

    ``least``: how many he must have played to be ranked. A tournament that names no level has the first.
    """

    name: str = Field(min_length=1, max_length=60)
    best: int = Field(0, ge=0, le=1000)
    least: int = Field(1, ge=1, le=1000)
    levels: dict[str, LevelPoints] = Field(min_length=1, max_length=20)

    def points(self, level: str, place: int) -> int:
        """Return the points of a place; 0 is no place."""
        own = self.levels.get(level) or next(iter(self.levels.values()))
        return own.places[place - 1] if 0 < place <= len(own.places) else own.taking_part


@dataclass(frozen=True, slots=True)
class MemberSeason:
    """A member in the season. ``played``: tournaments; ``counted``: how many of them count."""

    place: int
    member: str
    total: int
    played: int
    counted: int


def read_rules(text: str) -> SeasonRules:
    r"""Return the rules in a TOML text. Raises FederationUseError with one sentence.

    >>> rules = read_rules('name = "2026"\nbest = 8\n[levels.club]\nplaces = [20, 17, 15]\ntaking_part = 2')
    >>> rules.points("club", 2), rules.points("", 9), rules.points("club", 0)
    (17, 2, 2)
    """
    try:
        return SeasonRules.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise FederationUseError(f"the rules are no TOML: {error}") from None
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise FederationUseError(
            f"the rules cannot be taken: {'.'.join(map(str, first['loc'])) or 'the file'}: {first['msg']}"
        ) from None


def season_by(rules: SeasonRules, played: Iterable[tuple[str, Sequence[int], Sequence[str]]]) -> list[MemberSeason]:
    r"""Return the ranking of members who played enough; equal totals share a place.

    ``played``: for each member the places, 0 for none, and the levels of the tournaments.

    >>> rules = read_rules('name = "x"\nbest = 2\n[levels.a]\nplaces = [5, 3]\ntaking_part = 1')
    >>> found = season_by(rules, [("7", (1, 2, 9), ("a",) * 3), ("8", (1, 2), ("a", ""))])
    >>> [(one.place, one.member, one.total) for one in found]
    [(1, '7', 8), (1, '8', 8)]
    """
    rows = []
    for member, places, levels in played:
        if len(places) >= rules.least:
            points = [rules.points(level, place) for place, level in zip(places, levels, strict=True)]
            kept = best_of(points, rules.best or None)
            rows.append(MemberSeason(0, member, sum(points[n] for n in kept), len(points), len(kept)))
    rows.sort(key=lambda one: (-one.total, one.member))
    ranks = shared_places([one.total for one in rows])
    return [
        MemberSeason(rank, one.member, one.total, one.played, one.counted)
        for rank, one in zip(ranks, rows, strict=True)
    ]


async def set_circuit(pool: ArchivePool, text: str) -> SeasonRules:
    """Keep a circuit by its rules, in place of an earlier one of the same name. Raises FederationUseError."""
    rules = read_rules(text)
    await pool.do(
        "insert into circuit (name, rules) values ($1, $2) on conflict (name) do update set rules = $2, at = now()",
        rules.name, text,
    )  # fmt: skip
    return rules


async def circuits(pool: ArchivePool) -> list[Any]:
    """Return every circuit with its number of tournaments, the newest first."""
    return await pool.rows(
        "select c.name, c.at, (select count(*) from tournament t where t.circuit = c.name) as tournaments"
        " from circuit c"
        " order by c.at desc, c.name"
    )


class Seasons:
    """The rankings of circuits, made again only when a tournament, the rules or the members changed."""

    def __init__(self, pool: ArchivePool) -> None:
        self._pool = pool
        self._kept: dict[str, tuple[Mapping[str, object], list[MemberSeason]]] = {}

    async def ranking(self, circuit: str) -> tuple[SeasonRules, list[MemberSeason]] | None:
        """Return a circuit's rules and ranking; None if there is no such circuit. Raises FederationError."""
        version = dict(await self._pool.one(_VERSION, circuit))
        if version["rules"] is None:
            return None
        try:
            rules = read_rules(str(version["rules"]))
        except FederationUseError as error:
            raise FederationError(f"circuit {circuit}: {error}") from None
        kept = self._kept.get(circuit)
        if kept is None or kept[0] != version:
            rows = await self._pool.rows(_PLAYED, circuit)
            made = season_by(rules, ((row["member"], row["places"], row["levels"]) for row in rows))
            kept = self._kept[circuit] = (version, made)
        return rules, kept[1]
