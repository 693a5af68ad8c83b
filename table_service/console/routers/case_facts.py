"""Everything that the console knows of one alert, standing or long ended: taken from memory, else from its file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from table_service.console.pages import Pages
from table_service.console.storage import Case, StoredOrder
from table_service.console.table_view import TableView
from table_service.events.untrusted import as_list, as_map

_SLACK_S: Final = 120.0
"""An alert and its event come by two connections: the event may be heard so long before."""
_AFTER_S: Final = 24 * 3600.0
"""A ruling may be reversed so long after its alert has ended."""
_SPAN_S: Final = 30.0
"""So many seconds of the table around a fact are looked through for what it rests on."""


@dataclass(frozen=True, slots=True)
class CaseFacts:
    """One life of an alert. ``told``: its events, oldest first; ``moves``: what the table told around the fact.

    ``pictured``: which pictures there are; None where the table's newest word of that key holds. ``replay``: the path
    of the moment of the fact in the archive; empty where no event was heard. ``live``: it still waits.
    """

    document: Mapping[str, Any]
    case: Case | None
    told: tuple[dict[str, Any], ...]
    moves: tuple[dict[str, Any], ...]
    orders: tuple[StoredOrder, ...]
    pictured: Mapping[str, Any] | None
    replay: str
    live: bool
    current: bool
    """True if its table still plays the round in which it was found: only then can the ruling change."""

    @property
    def pending(self) -> StoredOrder | None:
        """The ruling that is on its way, or may still be undone."""
        found = (one for one in reversed(self.orders) if one.do in ("rule", "dismiss"))
        return next((one for one in found if one.state in ("waiting", "sent")), None)

    @property
    def is_foreseen(self) -> bool:
        """True if a table has been asked what a reversal would change, and has not answered yet."""
        return any(one.do == "foresee" and one.state in ("waiting", "sent") for one in self.orders)

    def is_earlier(self, table: TableView) -> bool:
        """Return True if the ruling is of an earlier deal than the newest of ``table``."""
        own = [int(event["deal"]) for event in self.told if event.get("deal")]
        newest = max((int(event["deal"]) for event in list(table.events)[-50:] if event.get("deal")), default=0)
        return bool(own) and own[-1] < newest


def case_facts(pages: Pages, table: TableView, key: str, number: int | None = None) -> CaseFacts | None:
    """Return what is known of the alert ``key`` of a table; of the life with that number, else of the newest one."""
    book = pages.book
    case = book.desk.life(table.name, key, number)
    live = key in table.alerts and (case is None or case.ended is None)
    document = table.alerts[key] if live else _document(table.ended.get(key), case)
    if document is None:
        return None
    told = _told(pages, table, document, case)
    boot = str(told[-1]["boot"]) if told else str(table.boot)
    pictured = _pictured(pages, table, key, str(as_map(document.get("pictures")).get("boot") or boot))
    begun = 0.0 if case is None else case.seen - _SLACK_S
    until = float("inf") if case is None or case.ended is None else case.ended + _AFTER_S
    orders = [one for one in book.orders.about(table.name, key, begun) if one.given <= until]
    return CaseFacts(
        document, case, told, _moves(pages, table, document, boot, told), tuple(orders), pictured,
        _replay(table.name, document, told), live, boot == table.boot or _is_of_this_round(table, told),
    )  # fmt: skip


def _is_of_this_round(table: TableView, told: Sequence[Mapping[str, Any]]) -> bool:
    """Return True if the events ``told`` are of the round that ``table`` plays, from any of its starts."""
    return bool(told) and bool(table.round_at[0]) and (str(told[-1]["boot"]), int(told[-1]["seq"])) > table.round_at


def _document(ended: Mapping[str, Any] | None, case: Case | None) -> Mapping[str, Any] | None:
    """Return an alert that no longer waits: as the case keeps it, with what the table said last of the same fact."""
    if case is None:
        return ended
    same = ended is not None and ended.get("committed_t") == case.document.get("committed_t")
    return {**(ended or {}), **case.document} if same else case.document


def _told(pages: Pages, table: TableView, document: Mapping[str, Any], case: Case | None) -> tuple[dict[str, Any], ...]:
    key, fact = str(document.get("key")), document.get("committed_t")
    found: dict[tuple[str, int], dict[str, Any]] = {}
    if case is not None:
        until = (case.ended or pages.office.clock()) + _AFTER_S
        for event in pages.book.kept.irregularity(table.name, key, case.seen - _SLACK_S, until):
            found[event["boot"], event["seq"]] = event
    for event in table.events:  # the newest are not in the file yet
        if event["type"] == "irregularity" and as_map(event["data"]).get("key") == key:
            found[event["boot"], event["seq"]] = event
    same = [event for event in found.values() if as_map(event["data"]).get("committed_t") == fact]
    newest = max((event["boot"] for event in same), default="")
    return tuple(sorted((one for one in same if one["boot"] == newest), key=lambda one: int(one["seq"])))


def _moves(
    pages: Pages, table: TableView, document: Mapping[str, Any], boot: str, told: tuple[dict[str, Any], ...]
) -> tuple[dict[str, Any], ...]:
    first = document.get("committed_t")
    if not isinstance(first, (int, float)):
        return ()
    last = max([float(first), *(float(event["t"]) for event in told[:1])])
    kept = pages.book.kept.between(table.name, boot, first - _SPAN_S, last + _SPAN_S)
    found = {(event["boot"], event["seq"]): event for event in (*kept, *table.events)}
    return tuple(found[at] for at in sorted(found) if at[0] == boot)


def _pictured(pages: Pages, table: TableView, key: str, boot: str) -> Mapping[str, Any] | None:
    """Return what the table of that boot said of the pictures; its hashes are known from then on."""
    newest = table.pictured.get(key)
    if newest is not None and newest.get("boot") in (boot, None):
        return newest
    about = pages.book.pictures.about(table.name, boot, key)
    for one in (*as_list((about or {}).get("pictures")), as_map((about or {}).get("film"))):
        sha256 = as_map(one).get("sha256")
        if isinstance(sha256, str):
            table.digests.setdefault(str(as_map(one).get("ref")), sha256)
    return about


def _replay(place: str, document: Mapping[str, Any], told: tuple[dict[str, Any], ...]) -> str:
    if not told or told[0].get("deal") is None:
        return ""
    fact = document.get("committed_t")
    at = f"?t={fact:g}" if isinstance(fact, (int, float)) else ""
    return f"/archive/{quote(place)}/{quote(str(told[0]['boot']))}/moment/{told[0]['seq']}{at}"
