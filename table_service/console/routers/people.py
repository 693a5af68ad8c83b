"""People: accounts, links for the day."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import DIRECTION, form_of, only, signed_in
from table_service.console.pages import Pages
from table_service.console.routers.common import bar
from table_service.console.storage import PersonAccount, Role, Session
from table_service.console.vocabulary import Words

DAY_S = 18 * 3600.0
TOKEN_S = 90 * 24 * 3600.0
"""So long a program's token is valid."""


def router(pages: Pages, direction: frozenset[Role] = DIRECTION) -> APIRouter:
    """Return the routes of people. ``direction``: who lets people in."""
    made = APIRouter()
    accounts = pages.book.accounts

    def shown(request: Request, *, problem: str = "", link: dict[str, Any] | None = None) -> Response:
        viewer = pages.viewer(request)
        token, parts = pages.streams.first(lambda: bar(pages, viewer))
        return pages.page(
            request, "people.html", status=400 if problem else 200, parts=parts, token=token,
            everybody=accounts.everybody(), roles=[role for role in Role if _may_make(signed_in(request), role)],
            problem=problem, link=link,
        )  # fmt: skip

    @made.get("/people", dependencies=[Depends(only(direction, "people"))])
    async def people(request: Request) -> Response:
        """Everybody who may sign in."""
        return shown(request)

    @made.get("/people/stream", dependencies=[Depends(only(direction))])
    async def stream(request: Request) -> Response:
        """Return what waits, as server-sent events."""
        viewer = pages.viewer(request)
        return pages.stream(request, lambda: bar(pages, viewer))

    @made.post("/people", dependencies=[Depends(only(direction))])
    async def add(request: Request) -> Response:
        """Add a new person."""
        session, form = signed_in(request), await form_of(request)
        try:
            role = Role(form.get("role", ""))
        except ValueError:
            return shown(request, problem="bad_form")
        if not _may_make(session, role):
            return shown(request, problem="not_allowed")
        made_now = accounts.add(form.get("name", ""), role, now=time.time())
        if made_now is None:
            return shown(request, problem="name_taken")
        pages.office.deed(session, "person added", detail=f"{made_now.name} ({role})")
        return shown(request, link=_link(pages, request, made_now, "day"))

    @made.post("/people/{number}/{deed}", dependencies=[Depends(only(direction))])
    async def change(request: Request, number: int, deed: str) -> Response:
        """Make a link for somebody, or shut him out, or let him in again."""
        session, person = signed_in(request), accounts.person(number)
        if person is None or not _may_change(session, person):
            return shown(request, problem="not_allowed")
        link = None
        match deed:
            case "day" | "start" | "api" if not person.disabled:
                link = _link(pages, request, person, deed)
            case "disable" if person.id != session.person.id:
                accounts.disable(number, disabled=True)
            case "no-api":
                accounts.forget_programs(number)
            case "enable":
                accounts.disable(number, disabled=False)
            case _:
                return shown(request, problem="bad_form")
        pages.office.deed(session, f"person {deed}", detail=person.name)
        return shown(request, link=link)

    return made


def _link(pages: Pages, request: Request, person: PersonAccount, kind: str) -> dict[str, Any]:
    """Return a new link or token for a person, shown once; a link as a QR code, too, for the phone beside."""
    accounts = pages.book.accounts
    until = time.time() + (TOKEN_S if kind == "api" else DAY_S)
    if kind == "api":
        return {"kind": kind, "name": person.name, "until": until,
                "url": accounts.link(person.id, "api", expires=until)}  # fmt: skip
    token = accounts.link(person.id, "day" if kind == "day" else "start", expires=until)
    door = "enter" if kind == "day" else "start"
    url = f"{request.base_url}{door}/{token}"
    words = Words(pages.language(request))
    from table_service.console.qr_code import qr_svg

    code = qr_svg(url, words.say("qr_of", name=person.name))
    return {"kind": kind, "name": person.name, "until": until, "url": url, "qr": code}


def _may_change(session: Session, person: PersonAccount) -> bool:
    """Return True if ``session`` may make links and tokens for ``person``: an organiser not for another organiser.

    Who opens such a link is that person, and what he does stands under that name.
    """
    is_equal = person.role is Role.ORGANISER and person.id != session.person.id
    return session.person.role is Role.CHIEF or (_may_make(session, person.role) and not is_equal)


def _may_make(session: Session, role: Role) -> bool:
    """Return True for the chief; for others if ``role`` is organiser, technician or spectator, none who rules."""
    return session.person.role is Role.CHIEF or role not in (Role.CHIEF, Role.ARBITRO)
