"""One stream for all pages of a browser: a browser opens six connections to a host, and each stream would hold one.

A browser's worker (``static/shared-worker.js``) holds the shared stream and says which pages it carries. Each page's
stream is asked for within the application, with the browser's own headers, so that whoever may not see a page gets
nothing of it here either. A message's first line is ``number event``: whose it is, and its name; ``open`` and
``closed`` say that a page's stream began and ended.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable, MutableMapping
from contextlib import suppress
from typing import Any, Final
from urllib.parse import unquote, urlsplit

from hw.errors import TavoloError
from table_service.console.streams import HERE, QUIET_S

log = logging.getLogger(__name__)
PATH: Final = "/shared/stream"
HELD_MOST: Final = 16
"""Shared streams of one browser: a page that is loaded again leaves one for a moment."""
CARRIED_MOST: Final = 32
"""Pages that one shared stream carries."""
_WAITING: Final = 8
"""Messages that wait for a browser that reads slowly; the pages' streams wait with them."""
_KEPT_HEADERS: Final = frozenset({b"cookie", b"accept-language", b"host", b"user-agent"})


class SharedStream:
    """One browser's stream and the pages that it carries. ``cookie``: whose it is."""

    def __init__(self, cookie: str) -> None:
        self.cookie = cookie
        self._waiting: asyncio.Queue[str] = asyncio.Queue(_WAITING)
        self._carried: dict[int, asyncio.Task[None]] = {}

    @property
    def is_full(self) -> bool:
        """True if it carries as many pages as it may."""
        return len(self._carried) >= CARRIED_MOST

    def follow(self, number: int, page: str, app: Any, scope: MutableMapping[str, Any]) -> None:
        """Carry ``page``, the address of a page's stream, as ``number``; ``scope`` is the request that asked for it."""
        self.leave(number)
        self._carried[number] = asyncio.create_task(self._carry(number, app, _asked(page, scope)))

    def leave(self, number: int) -> None:
        """Carry that page no longer."""
        if (task := self._carried.pop(number, None)) is not None:
            task.cancel()

    async def messages(self, is_valid: Callable[[], bool], is_closing: Callable[[], bool]) -> AsyncIterator[str]:
        """Yield what the pages' streams say, and every ten seconds a sign of life; then ``is_valid`` is asked too.

        They end within a second once ``is_closing``.
        """
        beat = 0.0
        try:
            while not is_closing():
                if (wait := beat - time.monotonic()) <= 0:
                    if not is_valid():
                        return
                    beat = time.monotonic() + QUIET_S
                    yield HERE
                    continue
                with suppress(TimeoutError):
                    yield await asyncio.wait_for(self._waiting.get(), min(wait, 1.0))
        finally:
            for number in list(self._carried):
                self.leave(number)

    async def _carry(self, number: int, app: Any, scope: dict[str, Any]) -> None:
        """Run one page's stream until it ends; nothing is read from it."""

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": b"", "more_body": False}

        async def send(message: MutableMapping[str, Any]) -> None:
            if message["type"] == "http.response.start":
                if message["status"] != 200:
                    raise _RefusedError
                await self._waiting.put(_message(number, "open"))
            elif body := bytes(message.get("body", b"")):
                await self._waiting.put(renamed(number, body.decode()))

        try:
            await app(scope, receive, send)
        except _RefusedError:
            pass
        except Exception:
            log.exception("a page's stream failed: %s", scope["path"])
        await self._waiting.put(_message(number, "closed"))


class SharedStreams:
    """The shared streams that are open, by the name that each browser's worker gave its own."""

    def __init__(self) -> None:
        self._open: dict[str, SharedStream] = {}

    def begin(self, name: str, cookie: str) -> SharedStream | None:
        """Open one; None if the name is taken or this browser holds as many as it may."""
        held = sum(one.cookie == cookie for one in self._open.values())
        if not name or len(name) > 64 or name in self._open or held >= HELD_MOST:
            return None
        made = self._open[name] = SharedStream(cookie)
        return made

    def find(self, name: str, cookie: str) -> SharedStream | None:
        """Return the one of that name; None if there is none, or it is somebody else's."""
        found = self._open.get(name)
        return found if found is not None and found.cookie == cookie else None

    def end(self, name: str) -> None:
        """Forget one that has ended."""
        self._open.pop(name, None)


class _RefusedError(TavoloError):
    """A page's stream was refused; what else its answer says is of no use here."""


def is_page_stream(page: str) -> bool:
    """Return whether ``page`` is the address of a page's stream on this console.

    >>> is_page_stream("/table/T12/stream?from=x"), is_page_stream("/people"), is_page_stream("//elsewhere/stream")
    (True, False, False)
    """
    path = page.partition("?")[0]
    return path.startswith("/") and not path.startswith("//") and path.endswith("/stream") and path != PATH


def renamed(number: int, messages: str) -> str:
    r"""Return a stream's messages as those of page ``number``.

    >>> renamed(3, "retry: 1000\n\nevent: bar\ndata: <p>\ndata: </p>\n\n")
    'data: 3 bar\ndata: <p>\ndata: </p>\n\n'
    """
    made = ""
    for message in messages.split("\n\n"):
        event, _, data = message.partition("\n")
        if event.startswith("event: "):
            made += f"data: {number} {event.removeprefix('event: ')}\n{data}\n\n"
    return made


def _message(number: int, event: str) -> str:
    return f"data: {number} {event}\ndata:\n\n"


def _asked(page: str, scope: MutableMapping[str, Any]) -> dict[str, Any]:
    parts = urlsplit(page)
    return {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.4"},  # so that nothing listens for a browser that goes
        "http_version": "1.1",
        "method": "GET",
        "scheme": scope["scheme"],
        "path": unquote(parts.path),
        "raw_path": parts.path.encode("utf-8", "replace"),
        "query_string": parts.query.encode("utf-8", "replace"),
        "root_path": scope.get("root_path", ""),
        "headers": [(b"accept", b"text/event-stream")] + [one for one in scope["headers"] if one[0] in _KEPT_HEADERS],
        "client": scope.get("client"),
        "server": scope.get("server"),
        "state": {},
    }
