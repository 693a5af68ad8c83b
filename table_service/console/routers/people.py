"""People: accounts, links for the day."""

from __future__ import annotations

import time
from typing import Any

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import DIRECTION, Form, form_of, only, signed_in
from table_service.console.numbers import whole
from table_service.console.pages import Pages
from table_service.console.routers.common import with_bar
from table_service.console.storage import PersonAccount, Role, Session
from table_service.console.vocabulary import Words

DAY_S = 18 * 3600.0
SUBJECT_MOST = 255
TOKEN_S = 90 * 24 * 3600.0
"""So long a program's token is valid."""


def router(pages: Pages, direction: frozenset[Role] = DIRECTION) -> APIRouter:
    """Return the routes of people. ``direction``: who lets people in."""
    made = APIRouter()
    desk = PeopleDesk(pages)

    @made.get("/people", dependencies=[Depends(only(direction, "people"))])
    async def people(request: Request) -> Response:
        """Everybody who may sign in."""
        return desk.shown(request)

    @made.post("/people", dependencies=[Depends(only(direction))])
    async def add(request: Request) -> Response:
        """Add a new person."""
        made_now = desk.add(signed_in(request), await form_of(request))
        if isinstance(made_now, str):
            return desk.shown(request, problem=made_now)
        return desk.shown(request, link=_link(pages, request, made_now, "day"))

    @made.post("/people/waiting", dependencies=[Depends(only(direction))])
    async def known(request: Request) -> Response:
        """Decide about an unlinked account at the provider: link it to a person, to a new person, or refuse it."""
        return desk.shown(request, problem=desk.settle(signed_in(request), await form_of(request)))

    @made.post("/people/{number}/{deed}", dependencies=[Depends(only(direction))])
    async def change(request: Request, number: int, deed: str) -> Response:
        """Make a link for somebody, or shut him out, let him in again, link him to the provider or unlink him."""
        session, person = signed_in(request), pages.book.accounts.person(number)
        if person is None or not _may_change(session, person):
            return desk.shown(request, problem="not_allowed")
        link = None
        if deed in ("day", "start", "api") and not person.disabled:
            link = _link(pages, request, person, deed)
        elif problem := desk.change(session, person, deed, await form_of(request)):
            return desk.shown(request, problem=problem)
        pages.office.deed(session, f"person {deed}", detail=person.name)
        return desk.shown(request, link=link)

    return made


class PeopleDesk:
    """Changes to accounts; a text that a method returns is the word of the sentence on what did not work."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages
        self._accounts, self._vouched = pages.book.accounts, pages.book.vouched
        self._issuer = "" if pages.settings.openid is None else pages.settings.openid.issuer

    def shown(self, request: Request, *, problem: str = "", link: dict[str, Any] | None = None) -> Response:
        """Serve the page of everybody; ``link``: what was made now, shown once."""
        pages, session = self._pages, signed_in(request)
        everybody = self._accounts.everybody()
        return with_bar(
            pages, request, "people.html", status=400 if problem else 200, everybody=everybody,
            roles=[role for role in Role if _may_make(session, role)], problem=problem, link=link,
            subjects=self._vouched.subjects(self._issuer),
            waiting=self._vouched.waiting(self._issuer, now=time.time()),
            linkable=[one for one in everybody if not one.disabled and _may_change(session, one)],
        )  # fmt: skip

    def add(self, session: Session, form: Form) -> PersonAccount | str:
        """Add a person as a form says."""
        try:
            role = Role(form.get("role", ""))
        except ValueError:
            return "bad_form"
        if not _may_make(session, role):
            return "not_allowed"
        person = self._accounts.add(form.get("name", ""), role, now=time.time())
        if person is None:
            return "name_taken"
        self._pages.office.deed(session, "person added", detail=f"{person.name} ({role})")
        return person

    def change(self, session: Session, person: PersonAccount, deed: str, form: Form) -> str:
        """Change a person's account; return "" if that was done."""
        match deed:
            case "disable" if person.id != session.person.id:
                self._accounts.disable(person.id, disabled=True)
            case "no-api":
                self._accounts.forget_programs(person.id)
            case "enable":
                self._accounts.disable(person.id, disabled=False)
            case "unlink":
                self._vouched.unlink(person.id)
            case "link" if self._issuer and not person.disabled:
                return self._link(session, person, form.get("subject", "").strip())
            case _:
                return "bad_form"
        return ""

    def settle(self, session: Session, form: Form) -> str:
        """Settle who somebody is that waits; return "" if that was done."""
        waiting = self._vouched.waiting(self._issuer, now=time.time())
        entry = next((one for one in waiting if str(one.id) == form.get("entry")), None)
        if entry is None:
            return "bad_form"
        if form.get("do") == "forget":
            self._vouched.refuse(entry.id)
            self._pages.office.deed(session, "person forget", detail=entry.shown or entry.subject)
            return ""
        number = whole(form.get("account"))
        person = self._accounts.person(number) if number is not None else None
        if form.get("do") == "add":
            made = self.add(session, form)
            if isinstance(made, str):
                return made
            person = made
        if person is None or person.disabled or not _may_change(session, person):
            return "not_allowed"
        problem = self._link(session, person, entry.subject)
        if not problem:
            self._pages.office.deed(session, "person link", detail=person.name)
        return problem

    def _link(self, session: Session, person: PersonAccount, subject: str) -> str:
        if not 0 < len(subject) <= SUBJECT_MOST or not subject.isprintable():
            return "bad_form"
        done = self._vouched.link(self._issuer, subject, person.id, by=session.person.name, now=time.time())
        return "" if done else "openid_taken"


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
