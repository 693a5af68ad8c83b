"""Signing in by an OpenID provider beside the console's own accounts, and linking one's account there to oneself.

The provider says who somebody is and nothing else: role and rights are the console's. An account there is a person
here only if that person has linked it himself, with his password, or somebody who lets people in has (``people``).
"""

from __future__ import annotations

import hmac
import logging
import math
import time
from typing import TYPE_CHECKING, Final
from urllib.parse import quote, urlsplit

from fastapi import APIRouter, Depends, HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from table_service.console.access import (
    ALL,
    COOKIE,
    door_token,
    form_of,
    give_cookie,
    only,
    safe_path,
    signed_in,
)
from table_service.console.openid_flows import (
    FLOW_S,
    NotVouchedError,
    OpenIdFlow,
    OpenIdFlows,
    ProviderAwayError,
    VouchedSubject,
)
from table_service.console.pages import Pages
from table_service.console.routers.door import Door, address
from table_service.console.settings import OpenIdSettings
from table_service.console.storage import Session

if TYPE_CHECKING:
    from table_service.console.openid_provider import OpenIdProvider

log = logging.getLogger(__name__)
FLOW_COOKIE: Final = "tavolo-openid"
SENTENCES: Final = frozenset(
    {
        "openid_address",
        "openid_away",
        "openid_denied",
        "openid_not_anew",
        "openid_refused",
        "openid_stale",
        "openid_taken",
        "openid_too_many",
        "openid_unknown",
        "openid_waits",
    }
)
"""Why it did not work; the page that says so names one of these in its address, and neither code nor state."""


def router(pages: Pages) -> APIRouter:
    """Return the routes of signing in by a provider; without one in the settings none of them is there (404)."""
    made = APIRouter()
    if pages.settings.openid is None:
        return made
    desk = OpenIdDesk(pages, pages.settings.openid)

    @made.get("/openid/begin", dependencies=[Depends(only(None))])
    async def begin(request: Request) -> Response:
        """Send a browser that has the sign-in page open to the provider."""
        _, token = door_token(pages.book, request)
        asked = request.query_params.get("csrf", "")
        if request.headers.get("Sec-Fetch-Site", "none") not in ("same-origin", "none") or not hmac.compare_digest(
            asked.encode("utf-8", "replace"), token.encode()
        ):
            raise HTTPException(403, "The page is too old: open it again.")
        to = safe_path(request.query_params.get("to", "/"))
        return await desk.leave_for_provider(request, to)

    @made.get("/openid/back", dependencies=[Depends(only(None))])
    async def back(request: Request) -> Response:
        """Take somebody in who comes back from the provider, or link his account there to him."""
        return await desk.come_back(request)

    @made.get("/openid", dependencies=[Depends(only(ALL))])
    async def mine(request: Request) -> Response:
        """Serve one's own page: linked or not, and how to link."""
        why = request.query_params.get("why", "")
        return desk.own_page(request, signed_in(request), why if why in SENTENCES else "")

    @made.post("/openid/link", dependencies=[Depends(only(ALL))])
    async def link(request: Request) -> Response:
        """Take the password of who wants to link his account, and show the way to the provider."""
        return await desk.begin_link(request, signed_in(request))

    @made.post("/openid/unlink", dependencies=[Depends(only(ALL))])
    async def unlink(request: Request) -> Response:
        """Take one's account at the provider from oneself; the sessions end."""
        person = signed_in(request).person
        if pages.book.vouched.unlink(person.id):
            pages.office.deed(signed_in(request), "openid unlinked", detail=person.name)
        return pages.go(request, "/enter")

    return made


class OpenIdDesk:
    """The sign-ins of one console at its provider."""

    def __init__(self, pages: Pages, settings: OpenIdSettings) -> None:
        self._pages = pages
        self._book = pages.book
        self._door = Door(pages)
        self._flows = OpenIdFlows()
        self._settings = settings
        self._asked: OpenIdProvider | None = None

    @property
    def _provider(self) -> OpenIdProvider:
        if self._asked is None:
            from table_service.console.openid_provider import OpenIdProvider

            self._asked = OpenIdProvider(self._settings)
        return self._asked

    async def leave_for_provider(self, request: Request, to: str) -> Response:
        """Begin a flow, and answer with the way to the provider."""
        if not self._at_own_address(request):
            return _said("openid_address", to)
        flow, cookie = self._flows.begin(address(request), to, now=time.time())
        try:
            where = await self._provider.authorization(flow)
        except ProviderAwayError as error:
            log.warning("nobody can sign in by the OpenID provider: %s", error)
            return _said("openid_away", to)
        response = RedirectResponse(where, status_code=303)
        give_cookie(response, request, FLOW_COOKIE, cookie, seconds=int(FLOW_S))
        return response

    async def begin_link(self, request: Request, session: Session) -> Response:
        """Check the password of somebody signed in, and show him the way to the provider.

        The way is a link: by the pages' Content Security Policy no form leads to another site, not even redirected.
        """
        if not self._at_own_address(request):
            return self.own_page(request, session, "openid_address", status=400)
        keys = (f"name {session.person.name.lower()}", f"from {address(request)}")
        if wait := self._pages.attempts.wait(*keys):
            return self.own_page(request, session, "too_many", seconds=math.ceil(wait), status=429)
        self._pages.attempts.failed(*keys)
        password = (await form_of(request)).get("password", "")
        person = await self._door.slowly(self._book.accounts.check, session.person.name, password)
        if person is None or person.id != session.person.id:
            detail = f"openid_link {address(request)}"
            self._book.audit.note(session.person.name, "", "sign-in failed", at=time.time(), detail=detail)
            return self.own_page(request, session, "openid_wrong_password", status=401)
        self._pages.attempts.worked(keys[0])
        flow, cookie = self._flows.begin(address(request), "/openid", now=time.time(), session=session.id)
        try:
            where = await self._provider.authorization(flow)
        except ProviderAwayError as error:
            log.warning("no account can be linked at the OpenID provider: %s", error)
            return self.own_page(request, session, "openid_away", status=503)
        response = self.own_page(request, session, where=where)
        give_cookie(response, request, FLOW_COOKIE, cookie, seconds=int(FLOW_S))
        return response

    async def come_back(self, request: Request) -> Response:
        """Answer somebody whom the provider has sent back."""
        asked, now = request.query_params, time.time()
        if self._pages.attempts.wait(f"openid {address(request)}"):
            return _said("openid_too_many", "/")
        flow = self._flows.take(asked.get("state", ""), request.cookies.get(FLOW_COOKIE, ""), now=now)
        session: Session | None = request.state.session
        if flow is None:
            return self._failed(request, session, None, "openid_stale")
        if flow.session and (session is None or session.id != flow.session):
            return self._failed(request, session, flow, "openid_stale")
        if "error" in asked or "code" not in asked:
            word = "openid_denied" if asked.get("error") == "access_denied" else "openid_refused"
            return self._failed(request, session, flow, word)
        try:
            found = await self._provider.vouched(flow, asked["code"], asked.get("iss"))
        except ProviderAwayError as error:
            log.warning("nobody can sign in by the OpenID provider: %s", error)
            return self._failed(request, session, flow, "openid_away", guess=False)
        except NotVouchedError as error:
            log.warning("a sign-in by the OpenID provider was refused: %s", error)
            return self._failed(request, session, flow, error.word)
        if flow.session and session is not None:
            return self._linked(request, session, found)
        return self._signed_in(request, flow, found, now)

    def _signed_in(self, request: Request, flow: OpenIdFlow, found: VouchedSubject, now: float) -> Response:
        """Let in the person to whom the account at the provider is linked."""
        issuer = self._settings.issuer
        number = self._book.vouched.account(issuer, found.subject)
        person = None if number is None else self._book.accounts.person(number)
        if person is None or person.disabled:
            if person is None and self._settings.waits:
                self._book.vouched.ask(issuer, found.subject, found.shown, now=now)
                return self._failed(request, None, flow, "openid_waits", guess=False, name=found.shown)
            name = found.shown if person is None else person.name
            return self._failed(request, None, flow, "openid_unknown", guess=False, name=name)
        self._book.accounts.end(request.cookies.get(COOKIE))  # whoever was signed in here before is not any more
        response = self._door.enter(request, person, flow.to, how="openid")
        response.delete_cookie(FLOW_COOKIE, path="/")
        return response

    def _linked(self, request: Request, session: Session, found: VouchedSubject) -> Response:
        """Link the account at the provider to the person who began it here with his password."""
        name = session.person.name
        done = self._book.vouched.link(
            self._settings.issuer, found.subject, session.person.id, by=name, now=time.time()
        )  # fmt: skip
        if not done:
            return self._failed(request, session, None, "openid_taken", guess=False)
        self._pages.office.deed(session, "openid linked", detail=name)
        response = RedirectResponse("/openid", status_code=303)
        response.delete_cookie(FLOW_COOKIE, path="/")
        return response

    def own_page(
        self, request: Request, session: Session, word: str = "", *, where: str = "", status: int = 200,
        seconds: int = 0,
    ) -> Response:  # fmt: skip
        """Serve the page of somebody signed in: ``word`` a sentence on what did not work.

        ``where``: the provider's address, once the password was right.
        """
        return self._pages.page(
            request, "openid.html", status=status, word=word, seconds=seconds,
            linked=session.person.id in self._book.vouched.subjects(self._settings.issuer), where=where,
            able=session.person.able,
        )  # fmt: skip

    def _failed(
        self, request: Request, session: Session | None, flow: OpenIdFlow | None, word: str, *, guess: bool = True,
        name: str = "",
    ) -> Response:  # fmt: skip
        """Note why it did not work, and go on to the page that says it; ``guess``: an attempt of its address."""
        if guess:
            self._pages.attempts.failed(f"openid {address(request)}")
        who = session.person.name if session is not None else name
        self._book.audit.note(who, "", "sign-in failed", at=time.time(), detail=f"{word} {address(request)}")
        if session is not None:
            return RedirectResponse(f"/openid?why={word}", status_code=303)
        return _said(word, "/" if flow is None else flow.to)

    def _at_own_address(self, request: Request) -> bool:
        """Return True if the page was asked for at the address to which the provider sends people back."""
        return request.headers.get("Host", "").lower() == urlsplit(self._settings.address).netloc.lower()


def _said(word: str, to: str) -> Response:
    """Go to the sign-in page, which says the sentence ``word``."""
    return RedirectResponse(f"/enter?why={word}&to={quote(to, safe='')}", status_code=303)
