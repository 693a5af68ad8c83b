"""Members of the federation: number, name, club, category; taken in from a list, searched, and erased on request."""

from __future__ import annotations

import io
import re
import secrets
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from table_service.console.entry_columns import NUMBER, heads_and_rows, recognised
from table_service.console.ruling_forms import FormError
from table_service.console.spreadsheet import SpreadsheetRow, UnreadableFileError, rows_of_text
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.errors import FederationUseError
from table_service.federation.reach import AccountReach

MOST: Final = 200_000
"""Lines of a list at most."""
LONGEST: Final = 60
ERASED: Final = "erased-"
"""Beginning of the name under which an erased person's results are counted."""
_TEXTS: Final = ("case.txt", "case.json", "events.jsonl", "around.jsonl")
"""Files of a case in which a person may be named."""
_TAKE: Final = (
    "insert into member (number, name, club, category) select * from unnest($1::text[], $2::text[], $3::text[],"
    " $4::text[]) on conflict (number) do update set name = excluded.name, club = excluded.club,"
    " category = excluded.category, at = now()"
)


@dataclass(frozen=True, slots=True)
class Member:
    """Somebody of the federation; what is not known is empty. ``line``: of the list that he is from."""

    number: str
    name: str
    club: str = ""
    category: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class MemberList:
    """A list as it was read. ``refused``: a sentence for each line that cannot be taken."""

    members: tuple[Member, ...] = ()
    refused: tuple[FormError, ...] = ()


def read_members(text: str) -> MemberList:
    r"""Return the members of a list: CSV with any usual separator, columns known by their heads.

    >>> found = read_members("Tessera;Cognome;Nome;Circolo\n1001;Rossi;Anna;Duomo\n;Neri;Ugo;Duomo")
    >>> found.members
    (Member(number='1001', name='Rossi Anna', club='Duomo', category='', line=2),)
    >>> [(one.word, one.terms["n"]) for one in found.refused]
    [('fed_member_no_number', 3)]
    """
    try:
        rows = rows_of_text(text, MOST)
    except UnreadableFileError as error:
        return MemberList(refused=(FormError(error.word),))
    head, below = heads_and_rows(rows)
    roles = recognised(head, below)
    if head is None or not {"member1", NUMBER} & set(roles):
        return MemberList(refused=(FormError("fed_members_heads"),))
    found: list[Member] = []
    refused: list[FormError] = []
    lines: dict[str, int] = {}
    for row in below:
        one = _member(row, roles)
        wrong = _wrong(one, lines)
        if wrong is None:
            lines[one.number] = one.line
            found.append(one)
        else:
            refused.append(wrong)
    return MemberList(tuple(found), tuple(refused))


def _member(row: SpreadsheetRow, roles: Sequence[str]) -> Member:
    told = {role.rstrip("1"): cell.strip() for role, cell in zip(roles, row.cells, strict=False) if role and cell}
    name = " ".join(told[part] for part in ("player", "surname", "given") if part in told)
    number = told.get("member") or told.get(NUMBER, "")
    return Member(number, name, told.get("club", ""), told.get("category", ""), row.number)


def _wrong(one: Member, lines: dict[str, int]) -> FormError | None:
    """Return why a line cannot be taken; None if it can."""
    if not one.number:
        return FormError("fed_member_no_number", n=one.line, name=one.name[:LONGEST])
    if not one.name:
        return FormError("fed_member_no_name", n=one.line, member=one.number[:LONGEST])
    if one.number.startswith(ERASED):
        return FormError("fed_member_reserved", n=one.line, member=one.number[:LONGEST])
    if max(map(len, (one.number, one.name, one.club, one.category))) > LONGEST:
        return FormError("fed_member_long", n=one.line, most=LONGEST)
    if one.number in lines:
        return FormError("fed_member_double", n=one.line, member=one.number, before=lines[one.number])
    return None


def within(reach: AccountReach, read: MemberList) -> MemberList:
    """Return ``read`` without the members of clubs beyond ``reach``, each refused by its line."""
    own = tuple(one for one in read.members if reach.has_club(one.club))
    beyond = (one for one in read.members if not reach.has_club(one.club))
    refused = [FormError("fed_member_beyond", n=one.line, member=one.number, club=one.club or "–") for one in beyond]
    return MemberList(own, (*read.refused, *refused))


async def take_members(pool: ArchivePool, members: Sequence[Member], reach: AccountReach) -> tuple[int, int]:
    """Take ``members`` in; return how many are new and how many were known. Who is in no list stays.

    Members of clubs beyond ``reach`` are not moved out of them.
    """
    numbers = [one.number for one in members]
    async with pool.together() as db:
        known = {row["number"]: row["club"] for row in await db.fetch(
            "select number, club from member where number = any($1::text[]) for update", numbers
        )}  # fmt: skip
        own = [one for one in members if one.number not in known or reach.has_club(known[one.number])]
        columns = zip(*((one.number, one.name, one.club, one.category) for one in own), strict=True) if own else ()
        if own:
            await db.execute(_TAKE, *map(list, columns))
    new = sum(one.number not in known for one in own)
    return new, len(own) - new


async def find_members(
    pool: ArchivePool, reach: AccountReach, text: str = "", *, skip: int = 0, most: int = 100
) -> list[Any]:
    """Return members within ``reach``, by name: those whose number is ``text`` or whose name holds it."""
    return await pool.rows(
        "select number, name, club, category, at from member where erased is null"
        " and ($1::text[] is null or club = any($1)) and ($2 = '' or number = $2 or strpos(lower(name), lower($2)) > 0)"
        " order by lower(name), number offset $3 limit $4",
        reach.sql_clubs, text.strip(), skip, most,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Erasure:
    """Outcome of an erasure. ``alias``: under which the results are counted from now on.

    ``cases``: appeals and opinions that name the person; ``removed``: whether they were removed.
    """

    alias: str
    results: int
    cases: tuple[int, ...] = field(default=())
    removed: bool = False


async def erase(pool: ArchivePool, number: str, *, with_cases: bool = False) -> Erasure:
    """Erase a member: number, name, club and category go, results stay under an alias that says nothing of him.

    ``with_cases``: appeals and opinions in which the name stands go, too. Raises FederationUseError if nobody has that
    number.
    """
    alias = f"{ERASED}{secrets.token_hex(6)}"
    async with pool.together() as db:
        name = await db.fetchval("delete from member where number = $1 returning name", number)
        names = {name} if name else set()
        names |= {row["name"] for row in await db.fetch("select distinct name from player where member = $1", number)}
        if (name is None and not names) or number.startswith(ERASED):
            raise FederationUseError(f"no member has the number '{number[:LONGEST]}'")
        done = await db.execute("update player set member = $2, name = '' where member = $1", number, alias)
        results = int(str(done).rpartition(" ")[2])
        await db.execute("insert into member (number, name, erased) values ($1, '', current_date)", alias)
        cases = [
            row["id"]
            for row in await db.fetch("select id, note, answer, zip from filed_case order by id")
            if _names_one(row, number, names)
        ]
        if with_cases:
            await db.execute("delete from filed_case where id = any($1::bigint[])", cases)
    return Erasure(alias, results, tuple(cases), with_cases)


def _names_one(row: Any, number: str, names: Iterable[str]) -> bool:
    """Return True if a case names one of ``names``, words in any order and letters, or people wrote the number.

    The number alone is sought only in what people wrote: elsewhere it may be any figure.
    """
    written = f"{row['note']}\n{row['answer']}".casefold()
    if _is_in(number, written):
        return True
    texts = [written]
    with zipfile.ZipFile(io.BytesIO(row["zip"])) as archive:
        texts += [
            archive.read(one).decode("utf-8", "replace").casefold() for one in _TEXTS if one in archive.namelist()
        ]
    whole = "\n".join(texts)
    return any(all(_is_in(part, whole) for part in name.split()) for name in names if name.strip())


def _is_in(word: str, text: str) -> bool:
    """Return True if ``word`` is a word of its own in ``text``, which is in small letters."""
    return re.search(rf"(?<!\w){re.escape(word.casefold())}(?!\w)", text) is not None
