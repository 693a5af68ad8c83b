"""Access rights: every route names its people; sessions, forgery, guessing and the audit are checked in one place.

A route is declared with ``dependencies``/``Depends(only(...))``; ``permitted`` reads the declaration back for the test
that walks all routes.
"""

from __future__ import annotations

import hmac
import secrets
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final
from urllib.parse import parse_qs, quote, urlsplit

from fastapi import HTTPException, Request
from fastapi.responses import RedirectResponse, Response

from hw.errors import TavoloError
from table_service.console.storage import Book, Role, Session

COOKIE: Final = "tavolo"
DOOR_COOKIE: Final = "tavolo-door"
ALL: Final = frozenset(Role)
"""Everybody who is signed in."""
STAFF: Final = ALL - {Role.SPECTATOR}
ARBITRI: Final = frozenset({Role.CHIEF, Role.ARBITRO})
"""Who rules at tables."""
DIRECTION: Final = frozenset({Role.CHIEF, Role.ORGANISER})
"""Who runs the round and lets people in."""
ROUND: Final = ARBITRI | DIRECTION
CHIEF: Final = frozenset({Role.CHIEF})
LONGEST_FORM: Final = 32 * 1024
MOST_FIELDS: Final = 200
LONGEST_RECORDS: Final = 1024 * 1024
"""Of a form that brings a file of records."""
Form = dict[str, str]


class SignInWanted(Exception):  # noqa: N818 - no error: the page asks who is there
    """No session; the page ``wanted`` is opened after signing in."""

    def __init__(self, wanted: str) -> None:
        super().__init__(wanted)
        self.wanted = wanted


class Guard:
    """Dependency of a route. ``roles`` None: open to all, signed in or not. Gives the session, if there is one.

    ``page``: page name for the audit; None for parts and streams. ``longest``: most bytes of a form.
    """

    def __init__(self, roles: frozenset[Role] | None, page: str | None = None, longest: int = LONGEST_FORM) -> None:
        self.roles = roles
        self.page = page
        self.longest = longest

    async def __call__(self, request: Request) -> Session | None:
        """Let in or turn away: 303 to the door, 403 for a role that may not or a forged request."""
        book: Book = request.app.state.book
        program = for_programs(request.url.path)
        session = _program(book, request) if program else None
        if not program:
            session = book.accounts.session(request.cookies.get(COOKIE), now=time.time())
        request.state.session = session
        request.state.longest = self.longest if session is not None else LONGEST_FORM
        changing = request.method not in ("GET", "HEAD")
        if changing and not program:
            same_origin(request)
        if self.roles is None:
            return session
        if session is None:
            raise _nobody(request, program=program, changing=changing)
        if session.person.role not in self.roles:
            raise HTTPException(403, "This is not for your role.")
        if changing and not program:  # a browser sends no token by itself: there is nothing to forge
            await _not_forged(request, session)
        if self.page is not None and not changing:
            self._note_seen(request, session, self.page)
        return session

    def _note_seen(self, request: Request, session: Session, page: str) -> None:
        book: Book = request.app.state.book
        place, path = str(request.path_params.get("name", "")), request.url.path
        detail = path if path.count("/") >= 2 else page
        book.audit.note(session.person.name, session.person.role, "saw", at=time.time(), place=place, detail=detail)


def _nobody(request: Request, *, program: bool, changing: bool) -> Exception:
    """Answer to a request without a session: the door for a page, 401 for a program, a change, a part of a page."""
    if program:
        return HTTPException(401, "No token.", {"WWW-Authenticate": "Bearer"})
    part = request.headers.get("HX-Request") or "text/event-stream" in request.headers.get("Accept", "")
    return HTTPException(401, "Nobody is signed in.") if changing or part else SignInWanted(request.url.path)


def for_programs(path: str) -> bool:
    """Return True if a path is asked for with a token: the cookie of a browser opens nothing there."""
    return path.startswith("/api/") or path == "/metrics"


def _program(book: Book, request: Request) -> Session | None:
    kind, _, token = request.headers.get("Authorization", "").partition(" ")
    return book.accounts.program(token.strip(), now=time.time()) if kind.lower() == "bearer" and token else None


def only(roles: frozenset[Role] | None, page: str | None = None, longest: int = LONGEST_FORM) -> Guard:
    """Return the declaration of who may use a route."""
    return Guard(roles, page, longest)


def signed_in(request: Request) -> Session:
    """Return who is there, on a route that asks for it."""
    session: Session | None = getattr(request.state, "session", None)
    if session is None:
        raise SignInWanted(request.url.path)
    return session


def permitted(route: Any) -> Guard | None:
    """Return the declaration of ``route``; None if it has none, which is a mistake."""
    for dependency in getattr(getattr(route, "dependant", None), "dependencies", ()):
        if isinstance(dependency.call, Guard):
            return dependency.call
    return None


class OtherAddressError(HTTPException, TavoloError):
    """A changing request names another address than the one the console was asked for at: a proxy may be why."""

    def __init__(self, origin: str, host: str) -> None:
        said = (
            f"The request comes from {origin}, and the console is asked for as {host or 'nothing'}: a proxy in front "
        )
        super().__init__(403, said + "of it must pass the Host header on.")
        self.origin = origin
        self.host = host


def same_origin(request: Request) -> None:
    """Refuse a changing request that another site's page has made.

    Sec-Fetch-Site decides where the browser sends it (over TLS, and on this machine): it is the browser's own word,
    whatever a proxy has made of Host. Elsewhere Origin must be the host that was asked.
    """
    site = request.headers.get("Sec-Fetch-Site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise HTTPException(403, "The request comes from another site.")
        return
    origin, host = request.headers.get("Origin"), request.headers.get("Host", "")
    if origin is not None and origin != "null" and urlsplit(origin).netloc != host:
        raise OtherAddressError(origin[:80], host[:80])


async def form_of(request: Request) -> Form:
    """Return the fields of a form; of several of one name the last. Raises HTTPException 413 if it is too long."""
    kept: Form | None = getattr(request.state, "form", None)
    if kept is not None:
        return kept
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > getattr(request.state, "longest", LONGEST_FORM):
            raise HTTPException(413, "The form is too long.")
    try:
        fields = parse_qs(body.decode("utf-8", errors="replace"), keep_blank_values=True, max_num_fields=MOST_FIELDS)
    except ValueError:
        raise HTTPException(413, "The form has too many fields.") from None
    request.state.form = form = {name: values[-1] for name, values in fields.items()}
    return form


async def _not_forged(request: Request, session: Session) -> None:
    token = request.headers.get("X-CSRF") or (await form_of(request)).get("csrf", "")
    if not hmac.compare_digest(token.encode(), session.csrf.encode()):
        raise HTTPException(403, "The page is too old: open it again.")


# --- the door --------------------------------------------------------------------------------------------------------


def door_token(book: Book, request: Request) -> tuple[str, str]:
    """Return the nonce for the door's cookie, and what the sign-in form must send with it."""
    nonce = request.cookies.get(DOOR_COOKIE) or secrets.token_urlsafe(16)
    return nonce, book.accounts.sign(f"door {nonce}")


async def at_the_door(book: Book, request: Request) -> Form:
    """Return the fields of a form at the door. Raises HTTPException 403 if it was not opened by this browser."""
    form = await form_of(request)
    wanted = book.accounts.sign(f"door {request.cookies.get(DOOR_COOKIE, '')}")
    if not hmac.compare_digest(form.get("csrf", "").encode(), wanted.encode()):
        raise HTTPException(403, "The page is too old: open it again.")
    return form


def give_cookie(response: Response, request: Request, name: str, value: str, *, seconds: int) -> None:
    """Set a cookie that only this console reads; over https only if the page came that way."""
    secure = request.url.scheme == "https"
    response.set_cookie(name, value, max_age=seconds, httponly=True, samesite="lax", secure=secure, path="/")


def to_the_door(wanted: str) -> Response:
    """To the sign-in page, and back to ``wanted`` afterwards."""
    return RedirectResponse(f"/enter?to={quote(wanted)}", status_code=303)


def safe_path(wanted: str) -> str:
    """``wanted`` where it is a page of this console, else the hall."""
    parts = urlsplit(wanted)
    ours = wanted.startswith("/") and not wanted.startswith(("//", "/\\")) and not parts.scheme and not parts.netloc
    return wanted if ours and "\n" not in wanted and "\r" not in wanted else "/"


class Attempts:
    """Counts failed sign-ins by name and by address, and says when there were too many (five in a minute)."""

    def __init__(self, most: int = 5, seconds: float = 60.0, clock: Callable[[], float] = time.monotonic) -> None:
        self._most = most
        self._seconds = seconds
        self._clock = clock
        self._failed: dict[str, deque[float]] = {}

    def wait(self, *keys: str) -> float:
        """Seconds until one of ``keys`` may try again; 0 at once."""
        now = self._clock()
        longest = 0.0
        for key in keys:
            times = self._failed.get(key, deque())
            while times and times[0] <= now - self._seconds:
                times.popleft()
            if len(times) >= self._most:
                longest = max(longest, times[0] + self._seconds - now)
        return longest

    def failed(self, *keys: str) -> None:
        """Record that a sign-in failed."""
        if len(self._failed) > 5000:
            self._failed = {
                key: times for key, times in self._failed.items() if times and times[-1] > self._clock() - self._seconds
            }
        for key in keys:
            self._failed.setdefault(key, deque(maxlen=self._most)).append(self._clock())

    def worked(self, *keys: str) -> None:
        """Record that a sign-in worked: the name may err again."""
        for key in keys:
            self._failed.pop(key, None)
