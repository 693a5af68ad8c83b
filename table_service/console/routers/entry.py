"""Signing in with a password, signing out."""

from __future__ import annotations

import math
import time

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ALL, COOKIE, at_the_door, only, safe_path, signed_in
from table_service.console.pages import Pages
from table_service.console.routers.door import Door, address
from table_service.console.routers.openid import SENTENCES


def router(pages: Pages) -> APIRouter:
    """Return the routes of the door."""
    made = APIRouter()
    book = pages.book
    tries = pages.attempts
    door = Door(pages)

    @made.get("/enter", dependencies=[Depends(only(None))])
    async def sign_in(request: Request) -> Response:
        """Serve the sign-in page."""
        why = request.query_params.get("why", "")
        problem = {"word": why} if pages.settings.openid is not None and why in SENTENCES else ""
        to = safe_path(request.query_params.get("to", "/"))
        return door.page(request, "enter.html", to=to, problem=problem, typed="")

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
