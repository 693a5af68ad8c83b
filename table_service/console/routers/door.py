"""The door: pages before signing in, and the step in, whatever the way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from fastapi import Request
from fastapi.responses import RedirectResponse, Response

from table_service.console.access import COOKIE, DOOR_COOKIE, door_token, give_cookie, safe_path
from table_service.console.pages import Pages
from table_service.console.storage import PersonAccount

DAY_S: Final = 24 * 3600
_HASHING = asyncio.Semaphore(2)
"""Argon2 takes 64 MB each time: a crowd at the door must not take the console's memory."""
Answer = TypeVar("Answer")


class Door:
    """Base of the pages before signing in."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._book = pages.book

    def page(self, request: Request, template: str, *, status: int = 200, **values: Any) -> Response:
        """Serve a page with a form whose sender can be told from a stranger."""
        nonce, token = door_token(self._book, request)
        response = self._pages.page(request, template, status=status, door=token, **values)
        give_cookie(response, request, DOOR_COOKIE, nonce, seconds=DAY_S)
        return response

    def enter(
        self, request: Request, person: PersonAccount, to: str, *, how: str, expires: float | None = None
    ) -> Response:
        """``person`` is in, and goes on to the page ``to``."""
        now = time.time()
        cookie = self._book.accounts.begin(person, now=now, expires=expires)
        self._book.audit.note(person.name, person.role, "sign-in", at=now, detail=f"{how} {address(request)}")
        response = RedirectResponse(safe_path(to), status_code=303)
        give_cookie(response, request, COOKIE, cookie, seconds=DAY_S)
        return response

    @staticmethod
    async def slowly(work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Hash a password beside the event loop, a few at a time."""
        async with _HASHING:
            return await asyncio.to_thread(work, *arguments)


def address(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else "?"
