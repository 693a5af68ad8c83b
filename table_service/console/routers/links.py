"""Links that open the door: for the day, and once to choose a password; the very first one makes the chief."""

from __future__ import annotations

import time
from typing import Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import at_the_door, only
from table_service.console.pages import Pages
from table_service.console.routers.door import Door
from table_service.console.storage import Role
from table_service.console.storage.accounts import SHORTEST_PASSWORD

FIRST: Final = "capo"
"""What the first chief is called until he has chosen his name."""


def router(pages: Pages) -> APIRouter:
    """Return the routes of links."""
    made = APIRouter()
    book = pages.book
    door = Door(pages)

    @made.get("/enter/{token}", dependencies=[Depends(only(None))])
    @made.get("/enter/{token}/{to:path}", dependencies=[Depends(only(None))])
    async def day_link(request: Request, token: str, to: str = "") -> Response:
        """Open a link for the day: the person who opens it is in; the rest of the path is the page to open."""
        query = f"?{request.url.query}" if request.url.query else ""
        return _opened(request, token, f"/{to}{query}")

    def _opened(request: Request, token: str, to: str) -> Response:
        person = book.accounts.behind(token, "day", now=time.time())
        if person is None:
            return door.page(request, "link_gone.html", status=410)
        return door.enter(request, person, to, how="day link", expires=book.accounts.link_ends(token))

    @made.get("/start/{token}", dependencies=[Depends(only(None))])
    async def start(request: Request, token: str) -> Response:
        """Open a link that works once, to choose a password (and, the very first time, a name)."""
        person = book.accounts.behind(token, "start", now=time.time())
        if person is None:
            return door.page(request, "link_gone.html", status=410)
        return door.page(request, "start.html", token=token, person=person, problem="")

    @made.post("/start/{token}", dependencies=[Depends(only(None))])
    async def begin(request: Request, token: str) -> Response:
        """Take the password that was chosen."""
        form = await at_the_door(book, request)
        now = time.time()
        person = book.accounts.behind(token, "start", now=now)
        if person is None:
            return door.page(request, "link_gone.html", status=410)
        name, password = form.get("name", "").strip(), form.get("password", "")
        first = person.role is Role.CHIEF and not person.able and person.name == FIRST
        if len(password) < SHORTEST_PASSWORD:
            return door.page(request, "start.html", status=400, token=token, person=person, problem="too_short")
        if first and not book.accounts.rename(person.id, name):
            return door.page(request, "start.html", status=400, token=token, person=person, problem="name_taken")
        if not book.accounts.use_up(token, now=now):
            return door.page(request, "link_gone.html", status=410)
        await door.slowly(book.accounts.set_password, person.id, password)
        return door.enter(request, book.accounts.person(person.id) or person, "/", how="first link")

    return made


def first_link(pages: Pages) -> str | None:
    """Return the path of the link that makes the first chief; None if somebody can sign in already."""
    accounts, now = pages.book.accounts, time.time()
    everybody = accounts.everybody()
    if any(one.role is Role.CHIEF and one.able and not one.disabled for one in everybody):
        return None
    chief = next((one for one in everybody if one.role is Role.CHIEF and not one.disabled), None)
    chief = (
        chief or accounts.add(FIRST, Role.CHIEF, now=now) or accounts.add(f"{FIRST}-{int(now)}", Role.CHIEF, now=now)
    )
    return None if chief is None else f"/start/{accounts.link(chief.id, 'start', expires=now + 24 * 3600)}"


def open_link(pages: Pages) -> str:
    """Return the path of a link for the day that opens the console as its chief (the demo)."""
    accounts, now = pages.book.accounts, time.time()
    chief = accounts.named("demo") or accounts.add("demo", Role.CHIEF, now=now)
    assert chief is not None  # noqa: S101 - it was just made
    return f"/enter/{accounts.link(chief.id, 'day', expires=now + 24 * 3600)}/"
