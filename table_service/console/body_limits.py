"""Bodies of requests: bounded at the door, before anything is read into memory or a token is looked at."""

from __future__ import annotations

import contextlib
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hw.errors import TavoloError

MOST_OF_A_PROGRAM: Final = 64 * 1024
"""Bytes of a program's request: a list of awards of a large hall has less."""
MOST_OF_A_PAGE: Final = 1024 * 1024 + 64 * 1024
"""Bytes of a page's form; a form that brings a file of records is the longest."""
_LONGER: Final = ("/api/v1/scoring/", "/api/federation/v1/results/")
"""Paths where a program tells a whole movement or tournament at once: as long as a page's form."""
_OWN: Final = ("/photographs/", "/cases", "/api/federation/v1/cases/")
"""Paths that bound their bodies themselves, after they have looked who is there."""


class BodyLimits:
    """Middleware that answers 413 to a body that is too long and reads no more of it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        path = str(scope.get("path", ""))
        if scope["type"] != "http" or path.startswith(_OWN):
            await self._app(scope, receive, send)
            return
        is_short = path.startswith("/api/") and not path.startswith(_LONGER)
        most = MOST_OF_A_PROGRAM if is_short else MOST_OF_A_PAGE
        length = Headers(scope=scope).get("content-length", "0")
        if not length.isascii() or not length.isdigit() or int(length) > most:
            await _too_long(scope, receive, send)
            return
        read, is_over, has_begun = 0, False, False

        async def bounded() -> Message:
            nonlocal read, is_over
            message = await receive()
            read += len(message.get("body", b""))
            if read > most:
                is_over = True
                raise _TooLongError
            return message

        async def sent(message: Message) -> None:
            nonlocal has_begun
            if is_over and not has_begun:
                return  # what the application makes of half a body
            has_begun = True
            await send(message)

        with contextlib.suppress(_TooLongError):
            await self._app(scope, bounded, sent)
        if is_over and not has_begun:
            await _too_long(scope, receive, send)


class _TooLongError(TavoloError):
    """The body is longer than it may be."""


async def _too_long(scope: Scope, receive: Receive, send: Send) -> None:
    answer = JSONResponse(
        {"error": "too_long", "it": "La richiesta è troppo lunga.", "en": "The request is too long."},
        status_code=413,
        headers={"Connection": "close"},
    )
    await answer(scope, receive, send)
