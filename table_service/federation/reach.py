"""Extent of an account's rights: the whole federation, regions, clubs or halls.

What somebody may do is his account's role; of which halls, people and cases, is said here. Who was given nothing
reaches nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from table_service.federation.archive_pool import ArchivePool

ReachKind = Literal["federation", "region", "club", "hall"]
KINDS: Final[tuple[ReachKind, ...]] = get_args(ReachKind)


@dataclass(frozen=True, slots=True)
class HallPlace:
    """A hall of the federation with its club and region; both may be empty."""

    hall: str
    club: str = ""
    region: str = ""


@dataclass(frozen=True, slots=True)
class AccountReach:
    """Rights of one account. ``halls`` and ``clubs``: names, None for all of the federation.

    ``clubs`` are those whose members are shown; the right to a single hall shows the hall's own club's members.
    """

    halls: frozenset[str] | None = frozenset()
    clubs: frozenset[str] | None = frozenset()
    given: tuple[tuple[ReachKind, str], ...] = field(default=())

    @property
    def is_whole(self) -> bool:
        """True if it is the whole federation."""
        return self.halls is None

    def has_hall(self, hall: str) -> bool:
        """Return True if ``hall`` is within it."""
        return self.halls is None or hall in self.halls

    def has_club(self, club: str) -> bool:
        """Return True if the members of ``club`` are within it."""
        return self.clubs is None or club in self.clubs

    @property
    def sql_halls(self) -> list[str] | None:
        """The halls as a statement takes them; NULL for all."""
        return None if self.halls is None else sorted(self.halls)

    @property
    def sql_clubs(self) -> list[str] | None:
        """The clubs as a statement takes them; NULL for all."""
        return None if self.clubs is None else sorted(self.clubs)


def reach_of(given: Iterable[tuple[ReachKind, str]], places: Iterable[HallPlace]) -> AccountReach:
    """Return what ``given`` reaches among ``places``.

    >>> halls = [HallPlace("bologna", "Petronio", "Emilia"), HallPlace("milano", "Duomo", "Lombardia")]
    >>> found = reach_of([("region", "Emilia")], halls)
    >>> sorted(found.halls), sorted(found.clubs)
    (['bologna'], ['Petronio'])
    """
    told = tuple(given)
    if any(kind == "federation" for kind, _ in told):
        return AccountReach(None, None, told)
    named = {kind: {name for one, name in told if one == kind} for kind in KINDS}
    own = [
        one
        for one in places
        if one.hall in named["hall"] or (one.club and one.club in named["club"]) or one.region in named["region"] - {""}
    ]
    halls = {one.hall for one in own} | named["hall"]
    clubs = {one.club for one in own if one.club} | named["club"]
    return AccountReach(frozenset(halls), frozenset(clubs), told)


async def halls_of(pool: ArchivePool) -> list[HallPlace]:
    """Return every hall that was heard or is written down, with its club and region."""
    rows = await pool.rows(
        "select hall, coalesce(club, '') as club, coalesce(region, '') as region from place"
        " full join (select distinct hall from heard) known using (hall) order by hall"
    )
    return [HallPlace(row["hall"], row["club"], row["region"]) for row in rows]


async def set_place(pool: ArchivePool, place: HallPlace) -> None:
    """Write down the club and the region of a hall."""
    await pool.do(
        "insert into place values ($1, $2, $3) on conflict (hall) do update set club = $2, region = $3",
        place.hall, place.club, place.region,
    )  # fmt: skip


async def given_to(pool: ArchivePool, reader: str) -> list[tuple[ReachKind, str]]:
    """Return what an account was given."""
    rows = await pool.rows("select kind, name from reach where reader = $1 order by kind, name", reader)
    return [(row["kind"], row["name"]) for row in rows]


async def give(pool: ArchivePool, reader: str, kind: ReachKind, name: str) -> None:
    """Let an account reach further."""
    name = "" if kind == "federation" else name
    await pool.do("insert into reach values ($1, $2, $3) on conflict do nothing", reader, kind, name)


async def take_away(pool: ArchivePool, reader: str, kind: ReachKind, name: str) -> None:
    """Take a right away again."""
    await pool.do("delete from reach where reader = $1 and kind = $2 and name = $3", reader, kind, name)
