"""Server-sent events: a page's parts, each when it has changed, so that no page is ever loaded again to be true."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from fastapi.responses import StreamingResponse

from table_service.console.live_tables import ConsoleStore

QUIET_S: Final = 10.0
"""Seconds between signs of life of a stream, whatever happens: its rhythm reveals nothing that is not shown."""
HERE: Final = "event: here\ndata:\n\n"
"""The sign of life: a named event, by which a page distinguishes a silent stream from a dead one."""
GATHER_S: Final = 0.02
"""Changes that come together are shown together: a table sends an event, its state and an alert at once."""
SLOW_S: Final = 1.0
"""Parts of a hall that are not urgent are shown so often at most."""
SLICE_S: Final = 0.01
"""So long such parts are made at a stretch: then whatever else the console has heard has its turn."""
_TOKENS: Final = 200


@dataclass(frozen=True, slots=True)
class PagePart:
    """One part of a page. ``version`` changes with what it shows; ``html`` renders it.

    ``quick``: for a part that may wait, the version of that in it which may not. ``silent``: what is there when the
    stream begins is not sent (a bell that rang before is not rung again).
    """

    name: str
    version: Callable[[], Hashable]
    html: Callable[[], str]
    quick: Callable[[], Hashable] | None = None
    silent: bool = False


Parts = Callable[[], Sequence[PagePart]]
Shown = dict[str, tuple[Hashable, Hashable, str]]
"""By part: the quick version, the version, and what was sent."""


class Streams:
    """The streams of one console; remembers for a moment what a page was given, so that it is not sent twice."""

    def __init__(self, store: ConsoleStore) -> None:
        self._store = store
        self._given: OrderedDict[str, Shown] = OrderedDict()

    def first(self, parts: Parts) -> tuple[str, dict[str, str]]:
        """Return a page's parts as they are now, and the token with which its stream goes on from there."""
        shown = {part.name: _look(part) for part in parts()}
        token = secrets.token_urlsafe(9)
        self._given[token] = shown
        while len(self._given) > _TOKENS:
            self._given.popitem(last=False)
        return token, {name: html for name, (_, _, html) in shown.items()}

    async def run(
        self,
        parts: Parts,
        token: str = "",
        slow: float = 0.0,
        valid: Callable[[], bool] = lambda: True,
    ) -> AsyncIterator[str]:
        """Yield the messages of a stream.

        ``slow``: what is not urgent may wait so long; ``valid``: whether the
        reader may still see it, asked now and then.
        """
        shown = self._given.pop(token, {})
        _take_silent(parts(), shown)
        with self._store.watch() as watch:
            yield "retry: 1000\n\n"
            everything, last, beat = True, time.monotonic(), time.monotonic() + QUIET_S
            while not self._store.closed:
                now = parts()
                if pressing := "".join(_news(part, shown, everything=False) for part in now):
                    yield pressing
                if everything:
                    for news in slices(now, shown):
                        if news:
                            yield news
                        await asyncio.sleep(0)
                        if watch.urgent.is_set():
                            break
                    else:
                        everything, last = False, time.monotonic()
                if everything or watch.hurried:
                    watch.changed.set()
                changed = False
                while not changed:
                    changed = await watch.wait(max(0.0, beat - time.monotonic()), GATHER_S, slow)
                    if time.monotonic() >= beat:
                        beat = time.monotonic() + QUIET_S
                        yield HERE
                        if not valid():
                            return
                everything = everything or not watch.hurried or time.monotonic() - last >= slow

    def response(self, messages: AsyncIterator[str]) -> StreamingResponse:
        """Return a stream as an answer."""
        headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
        return StreamingResponse(messages, media_type="text/event-stream", headers=headers)


def _look(part: PagePart) -> tuple[Hashable, Hashable, str]:
    return (None if part.quick is None else part.quick(), part.version(), part.html())


def slices(parts: Sequence[PagePart], shown: Shown) -> Iterator[str]:
    """Yield the messages of all parts that show something else now, as many at once as are made in ``SLICE_S``."""
    news, began = "", time.perf_counter()
    for part in parts:
        news += _news(part, shown, everything=True)
        if time.perf_counter() - began > SLICE_S:
            yield news
            news, began = "", time.perf_counter()
    yield news


def _take_silent(parts: Sequence[PagePart], shown: Shown) -> None:
    """Parts that are told only when they change: what they show now counts as shown."""
    for part in parts:
        if part.silent and part.name not in shown:
            shown[part.name] = _look(part)


def _news(part: PagePart, shown: Shown, *, everything: bool) -> str:
    """Return the message for a part that shows something else now; empty if it does not.

    Unless ``everything`` is wanted, a part that may wait is looked at only where that in it which may not has changed.
    """
    held = shown.get(part.name)
    quick = None if part.quick is None else part.quick()
    if part.quick is not None and not everything and (held is None or held[0] == quick):
        return ""
    version = part.version()
    if held is not None and held[0] == quick and held[1] == version:
        return ""
    html = part.html()
    same = held is not None and held[2] == html
    shown[part.name] = (quick, version, html)
    return "" if same else message(part.name, html)


def message(event: str, html: str) -> str:
    """One server-sent event."""
    lines = "".join(f"data: {line}\n" for line in html.splitlines() or [""])
    return f"event: {event}\n{lines}\n"
