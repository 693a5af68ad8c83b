"""Search over years, a deal's course, and both as files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ARBITRI, STAFF, only
from table_service.console.archive.tables_csv import list_csv
from table_service.console.event_sentences import tell
from table_service.console.http_answers import CSV, as_file
from table_service.console.settings import Language
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_map
from table_service.federation.archive_status import SEARCHED, ArchiveSearch, found_in
from table_service.federation.reach import AccountReach
from table_service.federation.site.federation_site import FederationSite

PAGE: Final = 50
MOST: Final = 20_000
"""Rows of a file at most."""
_CSV: Final = ("hall", "table", "boot", "seq", "deal", "time", "type", "row", "line", "state")


@dataclass(frozen=True, slots=True)
class FoundLine:
    """One event that was found, as the page shows it."""

    hall: str
    event: dict[str, Any]
    text: str
    when: str
    row: str


def asked_by(request: Request, reach: AccountReach) -> ArchiveSearch:
    """Return the question of an address's query, within ``reach``; what is no date is left out."""
    asked = request.query_params
    kind = asked.get("type", "irregularity")
    until = _day(asked.get("until", ""))
    return ArchiveSearch(
        type=kind if kind in SEARCHED else "irregularity",
        hall=asked.get("hall") or None,
        table=asked.get("table") or None,
        row=(asked.get("row") or "").strip().upper() or None,
        member=(asked.get("member") or "").strip() or None,
        since=_day(asked.get("since", "")),
        until=None if until is None else until + timedelta(days=1),
        halls=None if reach.halls is None else tuple(reach.sql_halls or ()),
        limit=PAGE + 1,
    )


def _day(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text).replace(tzinfo=UTC)
    except ValueError:
        return None


def _moment(text: str) -> datetime | None:
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def found_line(site: FederationSite, language: Language, hall: str, event: dict[str, Any]) -> FoundLine:
    """Return an event as a line."""
    row, told = as_map(event.get("data")).get("row"), str(event.get("time") or "")
    text = tell(event, words_for(site, language, [event])).text
    return FoundLine(hall, event, text, told[:16].replace("T", " "), row if isinstance(row, str) else "")


def words_for(site: FederationSite, language: Language, events: Sequence[dict[str, Any]]) -> Words:
    """Return the words of the game that knows most of these events; of the first where several know as many.

    The archive has no table's state, which names the rules.
    """
    kinds = {str(one.get("type")) for one in events}
    games = [one.pages for one in site.pages.settings.rule_sets.values()]
    return Words(language, max(games, key=lambda game: len(kinds & game.sentences.keys())))


def events_csv(found: Iterable[tuple[str, dict[str, Any]]]) -> str:
    r"""Return events as CSV (RFC 4180), a line each; the whole signed event is in the JSON.

    >>> events_csv([("roma", {"table": "T1", "boot": "00003f", "seq": 7, "type": "irregularity",
    ...                       "data": {"row": "F-03", "state": "open"}})]).splitlines()[1]
    'roma,T1,00003f,7,,,irregularity,F-03,,open'
    """
    rows = []
    for hall, event in found:
        data = as_map(event.get("data"))
        told = [event.get(name) for name in _CSV[1:7]]
        rows.append((hall, *told, data.get("row"), event.get("line"), data.get("state")))
    return list_csv(_CSV, rows, programs=True)


def events_json(found: Sequence[tuple[str, dict[str, Any]]]) -> str:
    """Return events as JSON lines: each whole, with its table's signature."""
    return "".join(json.dumps({"hall": hall, "event": event}, ensure_ascii=False) + "\n" for hall, event in found)


def events_file(found: Sequence[tuple[str, dict[str, Any]]], ending: str, name: str) -> Response:
    """Return events as a file that a browser keeps; ``ending``: csv or json."""
    file = f"tavolo-{name}.{ending}"
    if ending == "csv":
        return as_file(events_csv(found), CSV, file, store=False)
    return as_file(events_json(found), "application/jsonl; charset=utf-8", file, store=False)


def router(site: FederationSite) -> APIRouter:
    """Return the routes of the archive."""
    made = APIRouter()

    @made.get("/archive", dependencies=[Depends(only(STAFF, "archive"))])
    async def page(request: Request) -> Response:
        """Events that are looked for, the newest first."""
        viewer, reach = site.pages.viewer(request), await site.reach(request)
        asked = asked_by(request, reach)
        before = _moment(request.query_params.get("before", ""))
        found = await found_in(site.archive, asked if before is None else replace(asked, until=before))
        more = len(found) > PAGE
        lines = [found_line(site, viewer.language, one["hall"], one["event"]) for one in found[:PAGE]]
        fields = ("type", "hall", "table", "row", "member", "since", "until")
        query = {name: request.query_params.get(name, "") for name in fields}
        _, places = await site.standing()
        halls = [one.hall for one in places if reach.has_hall(one.hall)]
        return site.page(
            request, "fed_search.html", lines=lines, types=SEARCHED, halls=halls, asked=query,
            kind=asked.type, older=str(lines[-1].event.get("time")) if more and lines else "",
        )  # fmt: skip

    @made.get("/archive.{ending}", dependencies=[Depends(only(ARBITRI, "archive file"))])
    async def file(request: Request, ending: str) -> Response:
        """Serve the same as a file."""
        if ending not in ("csv", "json"):
            return site.refused(request, "list_unknown", status=404)
        asked = replace(asked_by(request, await site.reach(request)), limit=MOST)
        found = [(one["hall"], one["event"]) for one in await found_in(site.archive, asked)]
        return events_file(found, ending, "archive")

    async def deal_of(request: Request, place: tuple[str, str, str, int]) -> list[dict[str, Any]]:
        hall, table, boot, deal = place
        if not (await site.reach(request)).has_hall(hall):
            return []
        asked = ArchiveSearch(hall=hall, table=table, boot=boot, deal=deal, limit=MOST)
        return [one["event"] for one in await found_in(site.archive, asked)]

    @made.get("/deal/{hall}/{table}/{boot}/{deal}", dependencies=[Depends(only(STAFF, "deal"))])
    async def course(request: Request, hall: str, table: str, boot: str, deal: int) -> Response:
        """Return a deal's course, event by event."""
        events = await deal_of(request, (hall, table, boot, _whole(deal)))
        if not events:
            return site.refused(request, "archive_deal_gone", status=404)
        words = words_for(site, site.pages.viewer(request).language, events)
        lines = [tell(event, words) for event in events]
        return site.page(
            request, "fed_deal.html", of_hall=hall, table=table, boot=boot, deal=deal, lines=lines, w=words,
            when=str(events[0].get("time") or "")[:16].replace("T", " "),
            rows=[as_map(one.get("data")) for one in events if one.get("type") == "irregularity"],
        )  # fmt: skip

    @made.get("/deal/{hall}/{table}/{boot}/{deal}/events.{ending}", dependencies=[Depends(only(ARBITRI, "deal file"))])
    async def events(request: Request, hall: str, table: str, boot: str, deal: int, ending: str) -> Response:
        """Return a deal's events as a file."""
        found = await deal_of(request, (hall, table, boot, _whole(deal)))
        if not found or ending not in ("csv", "json"):
            return site.refused(request, "archive_deal_gone", status=404)
        return events_file([(hall, one) for one in found], ending, f"{hall}-{table}-{boot}-{deal}")

    return made


def _whole(number: int) -> int:
    """Return a number that PostgreSQL's column takes; one that is beyond it names nothing."""
    return number if 0 <= number < 2**31 else -1
