"""The one stream of a browser, which of its pages it carries, and the stream of pages that only have the bar."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from table_service.console.access import ALL, COOKIE, STAFF, form_of, only
from table_service.console.numbers import whole
from table_service.console.pages import Pages
from table_service.console.routers.common import BAR, bar
from table_service.console.shared_streams import PATH, SharedStream, SharedStreams, is_page_stream


def router(pages: Pages) -> APIRouter:
    """Return the routes of shared streams."""
    made = APIRouter()
    open_now = SharedStreams()

    @made.get(PATH, dependencies=[Depends(only(ALL))])
    async def stream(request: Request) -> Response:
        """One stream of the changes on all pages of the browser."""
        name, cookie = request.query_params.get("name", ""), request.cookies.get(COOKIE, "")
        begun = open_now.begin(name, cookie)
        if begun is None:
            return Response("Too many windows of this browser are open: close some.\n", status_code=429)
        return pages.streams.response(_messages(begun, name, cookie))

    async def _messages(begun: SharedStream, name: str, cookie: str) -> AsyncIterator[str]:
        def is_valid() -> bool:
            return pages.book.accounts.session(cookie, now=time.time()) is not None

        try:
            async for text in begun.messages(is_valid, lambda: pages.store.closed):
                yield text
        finally:
            open_now.end(name)

    @made.post("/shared/{stream}", dependencies=[Depends(only(ALL))])
    async def carry(request: Request, stream: str) -> Response:
        """Carry a page on that stream (``number`` and ``page``), or, without ``page``, no longer."""
        form = await form_of(request)
        found = open_now.find(stream, request.cookies.get(COOKIE, ""))
        number, page = whole(form.get("number", "")), form.get("page", "")
        if found is None:
            return Response(status_code=404)
        if number is None or (page and not is_page_stream(page)):
            return Response(status_code=400)
        if not page:
            found.leave(number)
        elif found.is_full:
            return Response(status_code=429)
        else:
            found.follow(number, page, request.app, request.scope)
        return Response(status_code=204, headers={"Connection": "close"})  # one less that may die without a word

    @made.get(BAR, dependencies=[Depends(only(STAFF))])
    async def of_bar(request: Request) -> Response:
        """Return what waits, as server-sent events."""
        return pages.stream(request, lambda viewer: bar(pages, viewer))

    return made
