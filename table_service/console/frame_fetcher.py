"""Pictures are fetched from their table when somebody looks: asked for by a signed order, checked by their hash.

A table sends a picture to nobody who has not asked, and notes in its journal who has.
"""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Mapping
from typing import Any, Final

from nacl.signing import SigningKey

from table_service.console.live_tables import ConsoleStore
from table_service.console.storage import Book
from table_service.events.commands import sign_command
from table_service.events.orders import SendEvidence
from table_service.events.topics import Topics

ANSWER_S: Final = 8.0
"""So long a table has to send a picture."""
PASSING: Final = frozenset({"out-of-reach", "no-answer"})
"""Reasons that may have gone when somebody looks again."""
Send = Callable[[str, bytes], None]


class Fetcher:
    """Fetches the pictures of one hall. Used from the console's event loop."""

    def __init__(self, hall: str, store: ConsoleStore, book: Book, key: SigningKey, clock: Callable[[], float]) -> None:
        self._hall, self._store, self._book, self._key, self._clock = hall, store, book, key, clock
        self._waiting: dict[tuple[str, str], asyncio.Future[None]] = {}
        self._asked: dict[str, tuple[str, str]] = {}

    async def fetch(self, place: str, ref: str, person: str, send: Send | None) -> bytes | None:
        """Return the picture ``ref`` of a table, from here or from there; None if unavailable (``why`` of the table).

        ``person`` asks; ``send`` is None while the table cannot be reached.
        """
        held = self.held(place, ref)
        table = self._store.tables.get(place)
        if held is not None or table is None or ref not in table.digests:
            return held
        waiting = self._waiting.get((place, ref))
        if waiting is None:
            if send is None:
                self._fail(place, ref, "out-of-reach")
                return None
            waiting = self._waiting[place, ref] = asyncio.get_running_loop().create_future()
            self._ask(place, ref, person, send)
        try:
            await asyncio.wait_for(asyncio.shield(waiting), ANSWER_S)
        except TimeoutError:
            self._settle(place, ref)
            if ref not in table.why:
                self._fail(place, ref, "no-answer")
        return self.held(place, ref)

    def held(self, place: str, ref: str) -> bytes | None:
        """Return the picture if the console has it."""
        table = self._store.tables.get(place)
        if table is None:
            return None
        return table.evidence.get(ref) or (
            self._book.pictures.picture(place, ref) if ref in table.kept_frames else None
        )

    def arrived(self, place: str, ref: str, jpeg: bytes, now: float) -> None:
        """Keep a picture that has come and whose hash is right."""
        self._book.pictures.keep(place, ref, self._store.tables[place].digests[ref], jpeg, now=now)
        self._settle(place, ref)

    def wrong(self, place: str, ref: str) -> None:
        """Settle a picture that has come and is not the one in the table's journal."""
        self._settle(place, ref)

    def answered(self, place: str, name: str, document: Mapping[str, Any]) -> None:
        """Record what became of an order that may have asked a table for a picture."""
        asked = self._asked.pop(name, None)
        if asked is not None and asked[0] == place and document.get("ok") is not True:
            self._fail(*asked, str(document.get("reason") or "unknown"))

    def retry(self, place: str) -> None:
        """Retry the frames that failed for a passing reason, when somebody looks."""
        table = self._store.tables.get(place)
        gone = [] if table is None else [ref for ref, why in table.why.items() if why in PASSING]
        for ref in gone:
            del self._store.tables[place].why[ref]
        if gone:
            self._store.tables[place].changed("alerts")
            self._store.tell(urgent=False)

    def _ask(self, place: str, ref: str, person: str, send: Send) -> None:
        name = uuid.uuid4().hex
        self._asked[name] = (place, ref)
        while len(self._asked) > 500:
            del self._asked[next(iter(self._asked))]
        asked = SendEvidence(ref=ref)
        order = sign_command(
            self._key,
            id=name,
            by=person,
            table=place,
            do=asked.do,
            issued=self._clock(),
            life=2 * ANSWER_S,
            fields=asked.fields,
        )
        send(Topics(self._hall, place).command, json.dumps(order, ensure_ascii=False).encode())

    def _fail(self, place: str, ref: str, why: str) -> None:
        table = self._store.tables[place]
        self._settle(place, ref)
        if table.why.get(ref) != why:
            table.why[ref] = why
            table.changed("alerts")
            self._store.tell(urgent=False)

    def _settle(self, place: str, ref: str) -> None:
        waiting = self._waiting.pop((place, ref), None)
        if waiting is not None and not waiting.done():
            waiting.set_result(None)
