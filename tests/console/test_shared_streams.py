"""One stream carries what a browser's pages are told, and nothing that its reader may not see."""

from __future__ import annotations

import http.client
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode

import pytest

from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.console.shared_streams import CARRIED_MOST, HELD_MOST
from table_service.console.storage import Role

feed: Any = sys.modules["console_feed"]


class Browser:
    """A browser of somebody with a role, as far as streams go."""

    def __init__(self, console: RunningConsole, role: str, name: str) -> None:
        accounts, now = console.office.book.accounts, 1_800_000_000.0
        person = accounts.add(name, Role(role), now=now)
        assert person is not None
        self._port, self.cookie = console.port, accounts.begin(person, now=now)
        session = accounts.session(self.cookie, now=now)
        assert session is not None
        self.csrf = session.csrf

    def listen(self, name: str) -> http.client.HTTPResponse:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        line.request("GET", f"/shared/stream?name={name}", headers={"Cookie": f"tavolo={self.cookie}"})
        return line.getresponse()

    def carry(self, name: str, number: int, page: str = "", **changes: str) -> int:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=20)
        headers = {"Cookie": f"tavolo={self.cookie}", "X-CSRF": self.csrf, **changes}
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        line.request("POST", f"/shared/{name}", urlencode({"number": number, "page": page}), headers)
        status = line.getresponse().status
        line.close()
        return status


def told(stream: http.client.HTTPResponse, number: int, event: str) -> str:
    """Read on to that event of that page; return its data."""
    data, wanted = "", f"data: {number} {event}"
    while line := stream.readline().decode():
        if data and not line.strip():
            return data
        if data or line.strip() == wanted:
            data += line.removeprefix("data: ")
    raise AssertionError(f"the stream ended before {wanted}")


@contextmanager
def a_console() -> Iterator[RunningConsole]:
    with serving(ConsoleSettings(tables=("T12",))) as console:
        for topic, payload in feed.evening():
            console.store.apply(topic, payload, now=1_800_000_000.0)
        yield console


def test_each_page_is_told_its_own_under_its_number_until_it_is_left() -> None:
    with a_console() as console:
        browser = Browser(console, "chief", "Anna")
        stream = browser.listen("mine")
        assert browser.carry("mine", 1, "/stream?from=none") == 204
        assert "T12" in told(stream, 1, "queue")
        assert browser.carry("mine", 2, "/table/T12/stream") == 204
        told(stream, 2, "open")
        assert browser.carry("mine", 1) == 204
        alert = json.dumps({**feed.ALERT, "key": "new-1", "title": {"it": "Nuovo", "en": "New"}}).encode()
        console.store.apply(f"{feed.PREFIX}T12/alert/new-1", alert, now=1_800_000_100.0)
        while "new-1" not in told(stream, 2, "alerts"):
            pass
        stream.close()


def test_a_page_that_its_reader_may_not_see_is_closed_and_no_other_browser_takes_part() -> None:
    with a_console() as console:
        spectator, chief = Browser(console, "spectator", "Bea"), Browser(console, "chief", "Anna")
        stream = spectator.listen("hers")
        for number, page in enumerate(("/round/stream", "/bar/stream", "/no/such/stream"), start=1):
            assert spectator.carry("hers", number, page) == 204
            assert "event:" not in told(stream, number, "closed")
        assert chief.carry("hers", 9, "/round/stream") == 404
        assert spectator.carry("hers", 4, "/wall/stream", **{"X-CSRF": "x"}) == 403
        for page in ("/people", "//elsewhere/stream", "http://elsewhere/stream", "/shared/stream"):
            assert spectator.carry("hers", 5, page) == 400
        stream.close()


def test_shared_streams_and_what_they_carry_are_bounded() -> None:
    with a_console() as console:
        browser = Browser(console, "chief", "Anna")
        held = [browser.listen(f"s{n}") for n in range(HELD_MOST)]
        assert {one.status for one in held} == {200}
        assert browser.listen("more").status == 429
        answers = [browser.carry("s0", n, "/no/such/stream") for n in range(CARRIED_MOST + 1)]
        assert answers[-1] == 429
        for one in held:
            one.close()


@pytest.mark.parametrize("ending", ["session", "console"])
def test_a_shared_stream_ends_with_its_session_and_with_the_console(
    ending: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_service.console.shared_streams.QUIET_S", 0.05)
    with a_console() as console:
        browser = Browser(console, "chief", "Anna")
        stream = browser.listen("mine")
        if ending == "session":
            console.office.book.accounts.end(browser.cookie)
        else:
            console.store.close()
        while stream.readline():
            pass
