"""Common parts of the federation's pages: who asks, how far his rights reach, and pages that say what is away."""

from __future__ import annotations

import time
from typing import Any, Final

from fastapi import Request
from fastapi.responses import Response

from table_service.console.access import signed_in
from table_service.console.pages import Pages
from table_service.console.storage import Book, PersonAccount, Role
from table_service.federation.archive_pool import ArchivePool
from table_service.federation.archive_status import ArchiveStanding, standing_of
from table_service.federation.reach import AccountReach, HallPlace, ReachKind, give, given_to, halls_of, reach_of

ROOM: Final = "table_service.federation.site"
_FRESH_S: Final = 0.4
"""Seconds for which the halls' state is not asked again, however many look."""


def reader_of(book: Book, person: PersonAccount) -> str:
    """Return the name under which rights are kept: of this book's account, so that another book's has none of them."""
    return f"{book.name}:{person.id}"


class FederationSite:
    """The console's pages, and the archive beside them."""

    def __init__(self, pages: Pages, archive: ArchivePool) -> None:
        self.pages = pages
        self.archive = archive
        self._standing: tuple[float, ArchiveStanding, list[HallPlace]] | None = None

    async def reach(self, request: Request) -> AccountReach:
        """Return how far the rights of who asks reach."""
        person = signed_in(request).person
        reader = reader_of(self.pages.book, person)
        given = await given_to(self.archive, reader)
        if not given and person.role is Role.CHIEF:
            given = await self._given_first(reader)
        return reach_of(given, await halls_of(self.archive))

    async def _given_first(self, reader: str) -> list[tuple[ReachKind, str]]:
        """Let the first chief of this page reach the whole federation: there is nobody yet who could give it to him."""
        others = f"{self.pages.book.name}:%"
        if await self.archive.one("select 1 from reach where kind = 'federation' and reader like $1", others):
            return []
        await give(self.archive, reader, "federation", "")
        return await given_to(self.archive, reader)

    async def standing(self) -> tuple[ArchiveStanding, list[HallPlace]]:
        """Return the state of all halls, less than half a second old, and where they are."""
        now = time.monotonic()
        if self._standing is None or now - self._standing[0] >= _FRESH_S:
            self._standing = (now, await standing_of(self.archive), await halls_of(self.archive))
        return self._standing[1:]

    def page(self, request: Request, template: str, **values: Any) -> Response:
        """Return a page."""
        return self.pages.page(request, template, **values)

    def note(self, request: Request, deed: str, *, place: str = "", detail: str = "") -> None:
        """Note what somebody did, for the log."""
        self.pages.office.deed(signed_in(request), deed, place=place, detail=detail)

    def refused(self, request: Request, word: str, *, status: int = 400) -> Response:
        """Return one sentence about what did not work."""
        return self.pages.sorry(request, word, status=status)
