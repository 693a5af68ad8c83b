"""Cases that halls send on: for a second opinion or as an appeal, with the whole signed case, and the answers."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from typing import Any, Final, Literal, get_args

from cryptography import x509

from table_service.console.archive.case_audit import CaseVerdict, audit_case
from table_service.console.archive.case_file import CaseFile, CasePicture, case_zip
from table_service.events.untrusted import as_list, as_map, as_whole
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.archive_status import ArchiveSearch, found_in
from table_service.federation.errors import FederationUseError
from table_service.federation.reach import AccountReach
from table_service.install.contents import table_user

CaseKind = Literal["opinion", "appeal"]
CASE_KINDS: Final[tuple[CaseKind, ...]] = get_args(CaseKind)
MOST: Final = 24 * 1024 * 1024
"""Bytes of a case that is sent."""
LONGEST: Final = 4000
_SHOWN: Final = (
    "id, kind, hall, table_name, boot, deal, key, rule_row, note, sent_by, sent, answer, answered_by, answered"
)
_DEAL_MOST: Final = 20_000


async def file_case(
    pool: ArchivePool, kind: CaseKind, hall: str, body: bytes, *, note: str, sent_by: str
) -> tuple[int, CaseVerdict]:
    """Keep a case's file that a hall's console has made, and return its number and what its verification says.

    Every event in it must be signed by a table of that hall: by the authority whose certificates the archive has.
    Raises FederationUseError with the reason if it is not.
    """
    authorities = await pool.rows(
        "select authority from certificate where hall = $1 group by 1 order by max(seen) desc", hall
    )
    if not authorities:
        raise FederationUseError(f"hall {hall} has shown no certificate here yet: the case cannot be verified")
    if len(body) > MOST:
        raise FederationUseError(f"the case has more than {MOST // 1024 // 1024} MB")
    # A hall may have made its authority anew: the case is of the newest, else of an earlier one.
    issuers = [x509.load_pem_x509_certificate(row["authority"].encode()) for row in authorities]
    verdicts = [audit_case(body, table_user, one) for one in issuers]
    verdict = next((one for one in verdicts if one.whole), verdicts[0])
    if not verdict.whole:
        raise FederationUseError(f"the case is not whole: {verdict.problems[0]}")
    with zipfile.ZipFile(io.BytesIO(body)) as archive:
        first = json.loads(next(iter((archive.read("events.jsonl") or archive.read("around.jsonl")).splitlines())))
        about = as_map(json.loads(archive.read("case.json")))
    named = as_map(first.get("data")).get("row") or as_map(about.get("alert")).get("row")
    number: int = await pool.value(
        "insert into filed_case (kind, hall, table_name, boot, deal, key, rule_row, note, sent_by, zip)"
        " values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) returning id",
        kind, hall, verdict.table, str(first.get("boot")), as_whole(first.get("deal")), verdict.key,
        named if isinstance(named, str) else "", note[:LONGEST], sent_by, body,
    )  # fmt: skip
    return number, verdict


async def cases_within(pool: ArchivePool, reach: AccountReach) -> list[Any]:
    """Return the cases of the halls within ``reach``: those without an answer first, then the newest."""
    return await pool.rows(
        f"select {_SHOWN} from filed_case where ($1::text[] is null or hall = any($1))"  # noqa: S608 - our columns
        " order by answered is not null, sent desc limit 500",
        reach.sql_halls,
    )


async def case_of(pool: ArchivePool, number: int, reach: AccountReach) -> Any:
    """Return one case with its file; None if ``reach`` has no such case."""
    return await pool.one(
        f"select {_SHOWN}, zip from filed_case where id = $1 and ($2::text[] is null or hall = any($2))",  # noqa: S608
        number, reach.sql_halls,
    )  # fmt: skip


async def answer_case(pool: ArchivePool, number: int, text: str, person: str) -> bool:
    """Answer a case that has no answer yet; False if it has one."""
    done = await pool.do(
        "update filed_case set answer = $2, answered_by = $3, answered = now() where id = $1 and answered is null",
        number, text[:LONGEST], person,
    )  # fmt: skip
    return done == 1


async def whole_case(pool: ArchivePool, case: Any) -> bytes:
    """Return the whole signed case: the hall's file, with the deal's events from the archive, note and answer.

    It is verified without a network: `tavolo audit CASE.zip`.
    """
    with zipfile.ZipFile(io.BytesIO(case["zip"])) as archive:
        names = set(archive.namelist())
        about = as_map(json.loads(archive.read("case.json")))
        told = [json.loads(line) for line in archive.read("events.jsonl").splitlines()]
        around = [json.loads(line) for line in archive.read("around.jsonl").splitlines()]
        text = archive.read("case.txt").decode("utf-8", "replace")
        pictures = [
            CasePicture(
                str(one.get("ref")), str(one.get("moment") or ""), str(one.get("sha256")),
                archive.read(one["file"]) if one.get("file") in names else None, str(one.get("why") or ""),
            )
            for one in map(as_map, as_list(about.get("pictures")))
        ]  # fmt: skip
    asked = ArchiveSearch(
        hall=case["hall"], table=case["table_name"], boot=case["boot"], deal=case["deal"], limit=_DEAL_MOST
    )
    archived = [one["event"] for one in await found_in(pool, asked)] if case["deal"] is not None else []
    federation = {
        "kind": case["kind"], "note": case["note"], "sent_by": case["sent_by"], "sent": case["sent"].isoformat(),
        "answer": case["answer"], "answered_by": case["answered_by"],
        "answered": case["answered"].isoformat() if case["answered"] else None,
    }  # fmt: skip
    whole = CaseFile(
        {**about, "hall": case["hall"], "federation": federation}, text, told, _merged(around, archived), pictures,
        await certificates_of(pool, case["hall"], case["table_name"]),
    )  # fmt: skip
    return case_zip(whole)


def _merged(*parts: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return events of one table in its order, each once."""
    found = {(str(one.get("boot")), as_whole(one.get("seq")) or 0): one for part in parts for one in part}
    return [found[key] for key in sorted(found)]


async def certificates_of(pool: ArchivePool, hall: str, table: str) -> dict[str, Any]:
    """Return the certificates that a table has shown, and the authority that issued the newest."""
    rows = await pool.rows(
        "select pem, authority from certificate where hall = $1 and table_name = $2 order by seen", hall, table
    )
    newest = rows[-1]["authority"] if rows else ""
    own = [row["pem"] for row in rows if row["authority"] == newest]
    return {"hall": hall, "table": table, "certificates": own, "authority": newest}
