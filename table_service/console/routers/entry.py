"""The door: signing in with a password, signing out."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from fastapi import APIRouter, Depends, Request
from fastapi.responses import RedirectResponse, Response

from table_service.console.access import (
    ALL,
    COOKIE,
    DOOR_COOKIE,
    Attempts,
    at_the_door,
    door_token,
    give_cookie,
    only,
    safe_path,
    signed_in,
)
from table_service.console.pages import Pages
from table_service.console.storage import PersonAccount

_DAY: Final = 24 * 3600
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
        give_cookie(response, request, DOOR_COOKIE, nonce, seconds=_DAY)
        return response

    def enter(
        self, request: Request, person: PersonAccount, to: str, *, how: str, expires: float | None = None
    ) -> Response:
        """``person`` is in, and goes on to the page ``to``."""
        now = time.time()
        cookie = self._book.accounts.begin(person, now=now, expires=expires)
        self._book.audit.note(person.name, person.role, "sign-in", at=now, detail=f"{how} {address(request)}")
        response = RedirectResponse(safe_path(to), status_code=303)
        give_cookie(response, request, COOKIE, cookie, seconds=_DAY)
        return response

    @staticmethod
    async def slowly(work: Callable[..., Answer], *arguments: Any) -> Answer:
        """Hash a password beside the event loop, a few at a time."""
        async with _HASHING:
            return await asyncio.to_thread(work, *arguments)


def router(pages: Pages, attempts: Attempts | None = None) -> APIRouter:
    """Return the routes of the door."""
    made = APIRouter()
    book = pages.book
    tries = attempts or Attempts()
    door = Door(pages)

    @made.get("/enter", dependencies=[Depends(only(None))])
    async def sign_in(request: Request) -> Response:
        """Serve the sign-in page."""
        return door.page(request, "enter.html", to=safe_path(request.query_params.get("to", "/")), problem="", typed="")

    @made.post("/enter", dependencies=[Depends(only(None))])
    async def check(request: Request) -> Response:
        """Name and password."""
        form = await at_the_door(book, request)
        name, to = form.get("name", "").strip(), safe_path(form.get("to", "/"))
        keys = (f"name {name.lower()}", f"from {address(request)}")
        wait = tries.wait(*keys)
        if wait:
            problem = {"word": "too_many", "seconds": math.ceil(wait)}
            return door.page(request, "enter.html", status=429, to=to, problem=problem, typed=name)
        tries.failed(*keys)
        person = await door.slowly(book.accounts.check, name, form.get("password", ""))
        if person is None:
            book.audit.note(name[:60], "", "sign-in failed", at=time.time(), detail=address(request))
            return door.page(request, "enter.html", status=401, to=to, problem={"word": "wrong_password"}, typed=name)
        tries.worked(keys[0])  # an address keeps its count: one good name must not pay for guesses at others
        return door.enter(request, person, to, how="password")

    @made.post("/leave", dependencies=[Depends(only(ALL))])
    async def leave(request: Request) -> Response:
        """Sign out."""
        session = signed_in(request)
        book.audit.note(session.person.name, session.person.role, "sign-out", at=time.time())
        book.accounts.end(request.cookies.get(COOKIE))
        response = pages.go(request, "/enter")
        response.delete_cookie(COOKIE, path="/")
        return response

    return made


def address(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client else "?"
