"""Results of tournaments, as a hall's console writes them into a file, and as other programs get them back."""

from __future__ import annotations

from datetime import UTC
from typing import Any, Final, Literal, Self

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, model_validator

from table_service.console.archive.tables_csv import list_csv
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.errors import FederationUseError
from table_service.federation.reach import AccountReach

MOST_ENTRIES: Final = 5000
_PLACED: Final = """
select t.id, t.hall, t.name, t.began, t.circuit, t.level, p.entry, p.place, array_agg(pl.member order by pl.nth) as
members, array_agg(coalesce(nullif(m.name, ''), pl.name) order by pl.nth) as names
from tournament t join ranked_entry p on p.tournament = t.id
join player pl on pl.tournament = t.id and pl.entry = p.entry
left join member m on m.number = pl.member and pl.member <> ''
where t.id > $1 and ($2::text[] is null or t.hall = any($2)) and t.id in (
  select id from tournament where id > $1 and ($2::text[] is null or hall = any($2)) order by id limit $3)
group by t.id, p.entry, p.place order by t.id, p.place nulls last, p.entry"""
_CSV: Final = ("tournament", "hall", "name", "began", "circuit", "level", "place", "members", "names")


class _Told(BaseModel):
    model_config = ConfigDict(extra="ignore", frozen=True)


class ResultPerson(_Told):
    """Somebody of an entry. ``member``: the number, empty where he has none."""

    name: str = Field("", max_length=60)
    member: str = Field("", max_length=60)


class ResultSeat(_Told):
    """Seat of an entry, from when to when."""

    table: str = Field(min_length=1, max_length=64)
    line: str = Field("", max_length=8)
    began: AwareDatetime
    ended: AwareDatetime


class ResultEntry(_Told):
    """One entry of the final ranking. ``place`` None: it was not ranked."""

    place: int | None = Field(None, ge=1, le=100_000)
    people: tuple[ResultPerson, ...] = Field(min_length=1, max_length=12)
    seats: tuple[ResultSeat, ...] = Field((), max_length=200)


class TournamentResults(_Told):
    """The results of one tournament. ``level``: which of the circuit's levels of points it has."""

    v: Literal[1] = 1
    tournament: str = Field(min_length=1, max_length=80)
    began: AwareDatetime
    circuit: str = Field("", max_length=60)
    level: str = Field("", max_length=40)
    entries: tuple[ResultEntry, ...] = Field(min_length=1, max_length=MOST_ENTRIES)

    @model_validator(mode="after")
    def _no_member_twice(self) -> Self:
        seen: set[str] = set()
        for one in self.entries:
            for person in one.people:
                if person.member and person.member in seen:
                    raise ValueError(f"member {person.member} is in two entries")
                seen.add(person.member)
        return self


def read_results(text: str | bytes) -> TournamentResults:
    """Return the results in a JSON file. Raises FederationUseError with one sentence: what is wrong, and where."""
    try:
        return TournamentResults.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(map(str, first["loc"])) or "the file"
        raise FederationUseError(f"the results cannot be taken: {place}: {first['msg']}") from None


async def take_results(pool: ArchivePool, hall: str, told: TournamentResults, sent_by: str) -> int:
    """Keep a tournament's results, in place of what was kept of the same; return their number.

    The same is what has this hall, name and beginning. Raises FederationUseError if the circuit is not known.
    """
    async with pool.together() as db:
        if told.circuit and await db.fetchval("select 1 from circuit where name = $1", told.circuit) is None:
            raise FederationUseError(f"no circuit is called '{told.circuit}'")
        began = told.began.astimezone(UTC)
        await db.execute(
            "delete from tournament where hall = $1 and name = $2 and began = $3", hall, told.tournament, began
        )
        number: int = await db.fetchval(
            "insert into tournament (hall, name, began, circuit, level, sent_by) values ($1, $2, $3, $4, $5, $6)"
            " returning id",
            hall, told.tournament, began, told.circuit or None, told.level, sent_by,
        )  # fmt: skip
        entries = list(enumerate(told.entries, start=1))
        await db.executemany(
            "insert into ranked_entry values ($1, $2, $3)", [(number, n, one.place) for n, one in entries]
        )
        people = [
            (number, n, nth, person.name, person.member)
            for n, one in entries
            for nth, person in enumerate(one.people, start=1)
        ]
        await db.executemany("insert into player values ($1, $2, $3, $4, $5)", people)
        seats = [(number, n, seat.table, seat.line, seat.began, seat.ended) for n, one in entries for seat in one.seats]
        await db.executemany("insert into seated values ($1, $2, $3, $4, $5, $6) on conflict do nothing", seats)
    return number


async def results_after(
    pool: ArchivePool, reach: AccountReach, after: int = 0, most: int = 100
) -> list[dict[str, Any]]:
    """Return the results of at most so many tournaments with a greater number than ``after``, the oldest first.

    An erased member is a number that says nothing of him, without a name.
    """
    found: dict[int, dict[str, Any]] = {}
    for row in await pool.rows(_PLACED, after, reach.sql_halls, most):
        tournament = found.setdefault(row["id"], {
            "tournament": row["id"], "hall": row["hall"], "name": row["name"],
            "began": row["began"].astimezone(UTC).isoformat(), "circuit": row["circuit"] or "", "level": row["level"],
            "entries": [],
        })  # fmt: skip
        people = [{"member": member, "name": name} for member, name in zip(row["members"], row["names"], strict=True)]
        tournament["entries"].append({"place": row["place"], "people": people})
    return list(found.values())


def results_csv(found: list[dict[str, Any]]) -> str:
    """Return the same as CSV, a line for each entry."""
    rows = [
        (
            *(one[name] for name in _CSV[:6]),
            entry["place"],
            *(" / ".join(person[name] for person in entry["people"]) for name in ("member", "name")),
        )
        for one in found
        for entry in one["entries"]
    ]
    return list_csv(_CSV, rows, programs=True)
