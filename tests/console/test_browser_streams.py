"""A page's stream in a real Chromium behind a line that falls silent: the page notices, and begins anew by itself."""

from __future__ import annotations

import json
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from table_service.console import ConsoleSettings, serving

pytestmark = pytest.mark.slow
feed: Any = sys.modules["console_feed"]
PATIENCE_MS = 90_000


class Line:
    """A way to the console that can fall silent: open connections stay open, and nothing comes through any more."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._generation = 0
        self.opened = 0
        self.streams: list[str] = []
        """Addresses of the streams that were asked for."""
        self.holds: tuple[bytes, ...] = ()
        """Beginnings of requests that get no answer."""
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._door.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def fall_silent(self) -> None:
        """Every connection of now carries nothing more; new ones are good."""
        self._generation += 1

    def close(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._door.accept()
                self.opened += 1
                far = socket.create_connection(("127.0.0.1", self._to))
                for one, other in ((near, far), (far, near)):
                    threading.Thread(target=self._carry, args=(one, other, self._generation), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket, generation: int) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if data.startswith(b"GET ") and b"/stream" in (asked := data.split(b" ", 2)[1]):
                    self.streams.append(asked.decode())
                if self.holds and data.startswith(self.holds):
                    continue
                if generation == self._generation:
                    other.sendall(data)
            if generation == self._generation:
                other.shutdown(socket.SHUT_WR)


@contextmanager
def a_page(browser: Any, script: str = "") -> Iterator[tuple[Any, Line, Any]]:
    """A hall's page behind a line, its clock in the test's hands; ``script`` runs in it before its own."""
    with serving(ConsoleSettings(tables=("T12",), open_link=True)) as console:
        for topic, payload in feed.evening():
            console.store.apply(topic, payload, now=1_800_000_000.0)
        console.store.link(connected=True)
        line = Line(console.port)
        context = browser.new_context(viewport={"width": 1024, "height": 768})
        context.set_default_timeout(PATIENCE_MS)
        if script:
            context.add_init_script(script)
        page = context.new_page()
        page.clock.install()
        page.goto(console.door.replace(f":{console.port}/", f":{line.port}/"))
        page.wait_for_selector("#queue")
        page.wait_for_function("() => document.body.dataset.stream === 'open'")
        yield page, line, console
        context.close()
        line.close()


HIDE = """hidden => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event('visibilitychange'));
}"""


def shows(page: Any, text: str) -> None:
    page.wait_for_function("text => document.body.innerHTML.includes(text)", arg=text)


def alarm(console: Any, key: str) -> None:
    alert = {**feed.ALERT, "key": key, "title": {"it": f"Fatto {key}", "en": f"Fact {key}"}}
    payload = json.dumps(alert).encode()
    console.store.apply(f"{feed.PREFIX}T12/alert/{key}", payload, now=1_800_000_100.0)


def test_a_stream_that_dies_silently_is_noticed_and_the_page_begins_anew(browser: Any) -> None:
    with a_page(browser) as (page, line, console):
        before = line.opened
        line.fall_silent()
        alarm(console, "silent-1")
        page.clock.run_for(20_000)
        assert "silent-1" not in page.content()
        page.clock.run_for(15_000)  # 25 s of silence are over, and the next try half a second later
        shows(page, "silent-1")
        assert line.opened > before
        page.wait_for_function("() => document.getElementById('stream-lost').hidden")


def test_a_page_that_is_online_again_begins_anew_at_once(browser: Any) -> None:
    with a_page(browser) as (page, line, console):
        line.fall_silent()
        page.evaluate("() => window.dispatchEvent(new Event('offline'))")
        assert page.locator("#stream-lost").is_visible()
        alarm(console, "online-1")
        page.evaluate("() => window.dispatchEvent(new Event('online'))")
        page.clock.run_for(1_000)
        shows(page, "online-1")


def test_a_hidden_page_holds_no_stream_and_has_all_that_changed_when_it_is_shown(browser: Any) -> None:
    with a_page(browser) as (page, _line, console):
        page.evaluate(HIDE, True)
        page.clock.run_for(6_000)
        alarm(console, "hidden-1")
        assert "hidden-1" not in page.content()
        page.evaluate(HIDE, False)
        page.clock.run_for(1_000)
        shows(page, "hidden-1")


def test_ten_pages_of_one_browser_hold_one_stream_and_a_deed_is_answered(browser: Any) -> None:
    with a_page(browser) as (page, line, console):
        paths = (
            "table/T12",
            f"table/T12/alert/{feed.ALERT['key']}",
            "sheets/T12",
            "round",
            "archive",
            "people",
            "audit",
        )
        others = []
        for path in (*paths, "table/T12", "round"):
            others.append(page.context.new_page())
            others[-1].goto(f"http://127.0.0.1:{line.port}/{path}")
            others[-1].wait_for_function("() => document.body.dataset.stream === 'open'")
        alarm(console, "shared-1")
        for one in (page, *others):
            shows(one, "shared-1")
        with others[1].expect_response(lambda answer: answer.request.method == "POST") as answered:
            others[1].get_by_role("button", name="Me ne occupo io").first.click()
        assert answered.value.status == 204
        assert [asked.partition("?")[0] for asked in line.streams] == ["/shared/stream"]


def test_without_shared_workers_one_hidden_page_alone_keeps_its_stream_to_ring(browser: Any) -> None:
    with a_page(browser, "delete window.SharedWorker; localStorage.setItem('bell', 'on')") as (page, line, console):
        assert line.streams[0].startswith("/stream?")
        other = page.context.new_page()
        other.clock.install()
        other.goto(f"http://127.0.0.1:{line.port}/round")
        other.wait_for_function("() => document.body.dataset.stream === 'open'")
        for one in (page, other):
            one.evaluate(HIDE, True)
            one.clock.run_for(6_000)
        # Which page hears of the other first is the browser's affair: one closes, the other keeps its stream.
        still = "() => document.body.dataset.stream"
        until = time.monotonic() + PATIENCE_MS / 1000
        while {one.evaluate(still) for one in (page, other)} != {"open", "closed"} and time.monotonic() < until:
            page.wait_for_timeout(50)
        ringing, silent = (page, other) if page.evaluate(still) == "open" else (other, page)
        alarm(console, "ring-1")
        shows(ringing, "ring-1")
        assert ringing.evaluate(still) == "open"
        assert "ring-1" not in silent.content()


def test_a_hidden_page_that_has_closed_takes_the_bell_from_no_other(browser: Any) -> None:
    with a_page(browser, "delete window.SharedWorker; localStorage.setItem('bell', 'on')") as (page, _line, _console):
        page.evaluate(HIDE, True)
        page.evaluate(
            "() => { localStorage.setItem('bell-page', 'another');"
            " window.dispatchEvent(new StorageEvent('storage', { key: 'bell-page', newValue: 'another' })); }"
        )
        assert page.evaluate("() => document.body.dataset.stream") == "closed"
        page.clock.run_for(6_000)
        assert page.evaluate("() => localStorage.getItem('bell-page')") == "another"


def test_two_hidden_pages_that_take_the_bell_at_once_do_not_both_fall_silent(browser: Any) -> None:
    with a_page(browser, "delete window.SharedWorker; localStorage.setItem('bell', 'on')") as (page, _line, _console):
        page.evaluate(HIDE, True)
        page.clock.run_for(6_000)
        # The other's word is heard late: this page has written since.
        page.evaluate(
            "() => window.dispatchEvent(new StorageEvent('storage', { key: 'bell-page', newValue: 'another' }))"
        )
        assert page.evaluate("() => document.body.dataset.stream") == "open"


def test_a_deed_without_an_answer_within_five_seconds_says_so(browser: Any) -> None:
    with a_page(browser) as (page, line, _console):
        page.goto(f"http://127.0.0.1:{line.port}/table/T12/alert/{feed.ALERT['key']}")
        line.holds = (b"POST /table/",)
        page.get_by_role("button", name="Me ne occupo io").first.click()
        page.clock.run_for(4_000)
        assert page.locator("#sorry").inner_text() == ""
        page.clock.run_for(2_000)
        assert "non ha ancora risposto" in page.locator("#sorry").inner_text()
