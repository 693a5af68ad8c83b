"""Properties of every answer of the console: HEAD as GET without a body, compressed text, headers that protect."""

from __future__ import annotations

import re
from typing import Final

from fastapi.responses import Response
from starlette.datastructures import MutableHeaders
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "manifest-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
}
CSV: Final = "text/csv; charset=utf-8"
LEAST: Final = 1000
"""Answers below so many bytes are not worth the work."""


def as_file(body: bytes | str, kind: str, name: str, *, store: bool = True) -> Response:
    """Return an answer that a browser keeps as a file; ``store``: a cache may keep it too."""
    headers = {"Content-Disposition": f'attachment; filename="{re.sub(r"[^A-Za-z0-9_.-]", "_", name)}"'}
    headers |= {} if store else {"Cache-Control": "no-store"}
    data = body if isinstance(body, bytes) else body.encode("utf-8", "backslashreplace")
    return Response(data, media_type=kind, headers=headers)


class Answers:
    """Wraps an application. A stream of server-sent events goes through as it is, message by message."""

    def __init__(self, app: ASGIApp) -> None:
        self._plain = app
        self._packed = GZipMiddleware(app, minimum_size=LEAST, compresslevel=5)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            await self._plain(scope, receive, send)
            return
        head = scope["method"] == "HEAD"

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            elif head and message["type"] == "http.response.body":
                message = {**message, "body": b""}
            await send(message)

        path = str(scope["path"])
        if path.endswith(("/stream", ".pdf")) or "/evidence/" in path:
            if head:
                await _nothing(sent)
                return
            await self._plain(scope, receive, sent)
            return
        await self._packed({**scope, "method": "GET"} if head else scope, receive, sent)


async def _nothing(send: Send) -> None:
    """Send the head of an answer that has no end, or is made only when somebody looks."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})
