"""Being told outside the hall: what one wishes, the browsers that take pushes, a test, and what became of it all."""

from __future__ import annotations

import re
import time
from dataclasses import replace
from typing import Final

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ARBITRI, Form, form_of, only, signed_in
from table_service.console.pages import Pages
from table_service.console.remote.abroad import Abroad
from table_service.console.remote.courier import problem_text
from table_service.console.remote.notice import SEVERITIES
from table_service.console.remote.senders import may_reach
from table_service.console.remote.web_push import PushError, subscription
from table_service.console.routers.common import bar
from table_service.console.storage import Device, PersonAccount, Wishes
from table_service.console.streams import PagePart
from table_service.console.vocabulary import Words

HOLDS_S: Final = 60 * 24 * 3600.0
"""Wishes hold so long after they were saved;"""
DAY_S: Final = 24 * 3600.0
"""of somebody without a password, whose link is for the day, so long."""
TEST_S: Final = 10.0
_HOUR: Final = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)", re.ASCII)
_MAIL: Final = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})+", re.ASCII)


def router(pages: Pages, abroad: Abroad) -> APIRouter:
    """Return the routes of notices sent outside the hall."""
    made = APIRouter()
    away, office, remote = pages.book.away, pages.office, pages.settings.remote

    def history(request: Request) -> PagePart:
        viewer, person = pages.viewer(request), signed_in(request).person
        words = Words(viewer.language)

        def html() -> str:
            sent = [(one, problem_text(one.detail, words)) for one in away.sent(person.id)]
            return pages.render("part_away.html", viewer, sent=sent, devices=away.devices(person.id))

        return PagePart("away", lambda: away.version, html)

    @made.get("/away", dependencies=[Depends(only(ARBITRI, "away"))])
    async def page(request: Request) -> Response:
        """Return what one is told outside the hall."""
        person = signed_in(request).person
        return pages.live(
            request, "away.html", lambda viewer: [history(request), *bar(pages, viewer)],
            wishes=away.wishes(person.id), ways=remote.ways,
            severities=SEVERITIES, names=remote.names, topic=abroad.topic(person), key=abroad.public_key,
            saved=request.query_params.get("saved") == "1", hours=_hours(away.wishes(person.id)),
        )  # fmt: skip

    @made.get("/away/stream", dependencies=[Depends(only(ARBITRI))])
    async def stream(request: Request) -> Response:
        """Return what became of what was sent, as server-sent events."""
        return pages.stream(request, lambda viewer: [history(request), *bar(pages, viewer)])

    @made.post("/away", dependencies=[Depends(only(ARBITRI))])
    async def save(request: Request) -> Response:
        """Keep what one wishes."""
        session, form = signed_in(request), await form_of(request)
        wishes = _wished(form, session.person, remote.ways, away.wishes(session.person.id))
        if isinstance(wishes, str):
            return pages.sorry(request, wishes)
        base = str(request.base_url).rstrip("/")
        away.wish(replace(wishes, language=pages.language(request), address=base))
        office.deed(session, "away saved")
        return pages.go(request, "/away?saved=1")

    _devices(pages, made)
    _tests(pages, abroad, made)
    return made


def _devices(pages: Pages, made: APIRouter) -> None:
    """Add the routes of browsers that take pushes."""
    away, office, remote = pages.book.away, pages.office, pages.settings.remote

    @made.post("/away/device", dependencies=[Depends(only(ARBITRI))])
    async def add(request: Request) -> Response:
        """Add a browser, which takes pushes from now on."""
        session, form = signed_in(request), await form_of(request)
        try:
            to = subscription(form.get("endpoint", ""), form.get("p256dh", ""), form.get("auth", ""))
        except PushError:
            return pages.sorry(request, "away_bad_device")
        if not remote.push or not may_reach(to.service, remote.push_services):
            return pages.sorry(request, "away_bad_device")
        name = _device(request.headers.get("User-Agent", ""))
        kept = Device(to.endpoint, form.get("p256dh", ""), form.get("auth", ""), time.time(), name)
        _know(pages, request)
        away.add_device(session.person.id, kept)
        office.deed(session, "away device", detail=f"{name}, {to.service}")
        return pages.done(request, "/away")

    @made.post("/away/device/drop", dependencies=[Depends(only(ARBITRI))])
    async def drop(request: Request) -> Response:
        """Drop a browser, which takes no pushes any more."""
        session, form = signed_in(request), await form_of(request)
        away.drop_device(form.get("endpoint", ""), session.person.id)
        office.deed(session, "away device dropped")
        return pages.done(request, "/away")


def _tests(pages: Pages, abroad: Abroad, made: APIRouter) -> None:
    """Add the route of a test."""
    office, remote = pages.office, pages.settings.remote
    tested: dict[tuple[int, str], float] = {}

    @made.post("/away/test/{way}", dependencies=[Depends(only(ARBITRI))])
    async def test(request: Request, way: str) -> Response:
        """Send oneself a test."""
        session = signed_in(request)
        if way not in remote.ways:
            return pages.sorry(request, "bad_form")
        now, who = time.monotonic(), (session.person.id, way)
        if now - tested.get(who, -TEST_S) < TEST_S:
            return pages.sorry(request, "away_test_soon")
        tested[who] = now
        _know(pages, request)
        abroad.try_out(session.person, way)
        office.deed(session, "away test", detail={"kind": way})
        return pages.done(request, "/away")


def _know(pages: Pages, request: Request) -> None:
    """Keep in which language and at which address somebody is told who has saved nothing yet."""
    held = pages.book.away.wishes(signed_in(request).person.id)
    if not held.until:
        base = str(request.base_url).rstrip("/")
        pages.book.away.wish(replace(held, language=pages.language(request), address=base))


def _wished(form: Form, person: PersonAccount, ways: tuple[str, ...], before: Wishes) -> Wishes | str:
    """Return the wishes that a form says, or the word for what is wrong with it."""
    mail = form.get("mail", "").strip()
    wanted = frozenset(way for way in ways if form.get(f"way-{way}"))
    if not _is_address(mail) and (mail or "mail" in wanted):
        return "away_bad_mail"
    quiet = _quiet(form.get("quiet-from", "").strip(), form.get("quiet-to", "").strip())
    if isinstance(quiet, str):
        return quiet
    until = time.time() + (HOLDS_S if person.able else DAY_S)
    of = frozenset(one for one in SEVERITIES if form.get(f"of-{one}"))
    return replace(before, ways=wanted, severities=of, quiet=quiet, mail=mail, until=until)


def _is_address(mail: str) -> bool:
    return len(mail) <= 200 and _MAIL.fullmatch(mail) is not None


def _quiet(begin: str, end: str) -> tuple[int, int] | str | None:
    """Quiet hours in minutes of the day; None for none, a word for what is wrong with them."""
    if not begin and not end:
        return None
    first, last = _minute(begin), _minute(end)
    return "away_bad_hour" if first is None or last is None else (first, last)


def _minute(text: str) -> int | None:
    found = _HOUR.fullmatch(text)
    return None if found is None else 60 * int(found[1]) + int(found[2])


def _hours(wishes: Wishes) -> tuple[str, str]:
    if wishes.quiet is None:
        return "", ""
    begin, end = (f"{minute // 60:02d}:{minute % 60:02d}" for minute in wishes.quiet)
    return begin, end


def _device(agent: str) -> str:
    """Return a name for a browser, from what it says about itself."""
    browsers = (("Edg/", "Edge"), ("Firefox/", "Firefox"), ("Chrome/", "Chrome"), ("Safari/", "Safari"))
    systems = ("iPhone", "iPad", "Android", "Windows", "Mac OS", "Linux")
    browser = next((name for mark, name in browsers if mark in agent), "browser")
    return f"{browser}, {next((name for name in systems if name in agent), '?')}"
