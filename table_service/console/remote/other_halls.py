"""Other halls' consoles, read over their JSON API with a token: what waits there, how old it is, what is cut off.

Each hall keeps its own broker, console and file; one that fails takes nothing from another. A thread of its own asks
each of them, so that none can hold up this hall.
"""

from __future__ import annotations

import http.client
import json
import ssl
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import quote, urlsplit

from table_service.console.alert_views import RANK
from table_service.console.remote.sharing import OtherHall
from table_service.events.untrusted import as_list, as_map, as_name

EVERY_S: Final = 2.0
PATIENCE_S: Final = 5.0
LONGEST_PAUSE_S: Final = 15.0
SLOW_S: Final = 2.0
"""An answer that took longer is said to be slow;"""
CUT_S: Final = 15.0
"""a hall that was heard of last longer ago is said to be cut off."""
ANSWER_MOST: Final = 4 * 1024 * 1024
ALERTS_MOST: Final = 200


@dataclass(frozen=True, slots=True)
class FarAlert:
    """An alert in another hall. ``link``: its page in that hall's console; ``taken_by``: who has it in hand there."""

    place: str
    title: Mapping[str, Any]
    call: bool
    severity: str
    since: float | None
    taken_by: str
    link: str


@dataclass(frozen=True, slots=True)
class HallView:
    """Another hall as it was heard of last.

    ``heard``: when (seconds since 1970); None: never. ``took``: seconds that the answer took. ``problem``: why the
    last question had no answer, for a technician. ``connected``: whether that console reaches its broker.
    """

    name: str
    url: str
    heard: float | None = None
    took: float = 0.0
    problem: str = ""
    connected: bool = True
    tables: int = 0
    lost: int = 0
    alerts: tuple[FarAlert, ...] = ()

    def state(self, now: float) -> str:
        """``never``, ``cut``, ``slow`` or ``live``."""
        if self.heard is None:
            return "never"
        if now - self.heard > CUT_S:
            return "cut"
        return "slow" if self.took > SLOW_S else "live"


class OtherHalls:
    """Asks the other halls again and again. Read from any thread; ``clock`` gives seconds since 1970."""

    def __init__(
        self, halls: tuple[OtherHall, ...], clock: Callable[[], float] = time.time, every: float = EVERY_S
    ) -> None:
        self._halls, self._clock, self._every = halls, clock, every
        self._views = [HallView(one.name, one.url) for one in halls]
        self._ended = threading.Event()
        self._told: object = None
        self.version = 0

    def start(self) -> None:
        """Begin to ask, in a thread for each hall."""
        for number in range(len(self._halls)):
            threading.Thread(target=self._ask, args=(number,), name="console-hall", daemon=True).start()

    def close(self) -> None:
        """Ask no more."""
        self._ended.set()

    def views(self) -> tuple[HallView, ...]:
        """Return the halls as they are known now, as configured."""
        return tuple(self._views)

    def show(self, number: int, view: HallView) -> None:
        """Show ``view`` of the hall ``number``, from 0, until it is asked again."""
        self._views[number] = view

    def tick(self, now: float) -> bool:
        """Advance the clock; return True if a page shows something else than at the last tick."""
        shown = [(replace(one, heard=None, took=0.0), one.state(now)) for one in self._views]
        if shown == self._told:
            return False
        self._told = shown
        self.version += 1
        return True

    def _ask(self, number: int) -> None:
        hall, pause = self._halls[number], self._every
        while not self._ended.is_set():
            held = self._views[number]
            began = time.monotonic()
            try:
                fresh = read_hall(hall, held)
            except (OSError, http.client.HTTPException, ValueError, RecursionError) as error:
                self.show(number, replace(held, problem=_why(error)))
                pause = min(LONGEST_PAUSE_S, pause * 2)
            else:
                self.show(number, replace(fresh, heard=self._clock(), took=time.monotonic() - began))
                pause = self._every
            self._ended.wait(pause)


def read_hall(hall: OtherHall, held: HallView) -> HallView:
    """Return the hall as its console answers now. Raises OSError, HTTPException, ValueError, RecursionError."""
    parts = urlsplit(hall.url)
    host, path = parts.hostname or "", parts.path.rstrip("/")
    link: http.client.HTTPConnection
    if parts.scheme == "https":
        context = hall.tls or ssl.create_default_context()
        link = http.client.HTTPSConnection(host, parts.port or 443, timeout=PATIENCE_S, context=context)
    else:
        link = http.client.HTTPConnection(host, parts.port or 80, timeout=PATIENCE_S)
    try:
        about, alerts = (_get(link, f"{path}/api/v1/{what}", hall.token) for what in ("hall", "alerts"))
    finally:
        link.close()
    tables = [as_map(one) for one in as_list(as_map(about).get("tables"))]
    found = [one for one in (_alert(hall.url, as_map(row)) for row in as_list(alerts)) if one is not None]
    found.sort(key=lambda one: (not one.call, RANK.get(one.severity, 3), one.since or 0.0))
    return replace(
        held,
        problem="",
        connected=as_map(about).get("connected") is True,
        tables=len(tables),
        lost=sum(one.get("status") in ("lost", "stopped") for one in tables),
        alerts=tuple(found[:ALERTS_MOST]),
    )


def _get(link: http.client.HTTPConnection, path: str, token: str) -> Any:
    link.request("GET", path, headers={"Authorization": f"Bearer {token}", "Accept": "application/json"})
    answer = link.getresponse()
    body = answer.read(ANSWER_MOST + 1)
    if answer.status != 200:
        raise ValueError(f"answered {answer.status}" + (": its token is not valid" if answer.status == 401 else ""))
    if len(body) > ANSWER_MOST:
        raise ValueError("the answer is too long")
    return json.loads(body)


def _alert(url: str, row: Mapping[str, Any]) -> FarAlert | None:
    place, key, document = as_name(row.get("table")), as_name(row.get("key")), as_map(row.get("document"))
    if place is None or key is None:
        return None
    hand = as_map(row.get("hand"))
    call = "row" not in document or document.get("call") is True
    seen = hand.get("seen")
    page = f"{url}/table/{quote(place, safe='')}" + ("" if call else f"/alert/{quote(key, safe='')}")
    return FarAlert(
        place=place[:60],
        title=as_map(document.get("title")),
        call=call,
        severity="call" if call else str(document.get("severity", "note")),
        since=float(seen) if isinstance(seen, (int, float)) else None,
        taken_by=as_name(hand.get("taken_by")) or "",
        link=page,
    )


def _why(error: BaseException) -> str:
    strerror = error.strerror if isinstance(error, OSError) else None
    return str(strerror or error or type(error).__name__)[:200]
