"""Several halls in one view: read over the other console's own API; what is old, slow or cut off is said."""

from __future__ import annotations

import http.server
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from table_service.console.console_server import serving
from table_service.console.remote.other_halls import CUT_S, FarAlert, HallView, OtherHalls, read_hall
from table_service.console.remote.sharing import OtherHall, RemoteSettings
from table_service.console.settings import ConsoleSettings
from table_service.console.storage import Role

feed: Any = sys.modules["console_feed"]


def until(wanted: Callable[[], Any], seconds: float = 30.0) -> Any:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if found := wanted():
            return found
        time.sleep(0.02)
    raise AssertionError("it never came")


@pytest.fixture
def far() -> Iterator[tuple[Any, str]]:
    """Another hall's console, really served, and a token for it."""
    with serving(ConsoleSettings(hall="ponente", undo=0)) as running:
        accounts = running.office.book.accounts
        person = accounts.add("la sala centrale", Role.TECHNICIAN, now=time.time())
        yield running, accounts.link(person.id, "api", expires=time.time() + 600)


def test_the_other_halls_alerts_are_shown_with_links_into_its_console(make_house: Any, far: Any) -> None:
    running, token = far
    for topic, payload in feed.evening():
        running.store.apply(topic.replace("/sala/", "/ponente/"), payload, now=time.time())
    hall = OtherHall("ponente", running.url.rstrip("/"), token)
    seen = read_hall(hall, HallView("ponente", hall.url))
    assert [(one.place, one.severity) for one in seen.alerts] == [("T12", "play-stops"), ("T12", "warning")]
    assert seen.alerts[0].link == f"{hall.url}/table/T12/alert/{feed.ALERT['key']}"
    assert (seen.tables, seen.lost) == (3, 1)


def test_a_token_that_is_not_valid_is_said(far: Any) -> None:
    running, _ = far
    with pytest.raises(ValueError, match="token is not valid"):
        read_hall(OtherHall("x", running.url.rstrip("/"), "wrong"), HallView("x", running.url))


def test_a_hall_that_stops_answering_keeps_what_it_said_and_is_said_to_be_cut_off(far: Any) -> None:
    running, token = far
    others = OtherHalls((OtherHall("ponente", running.url.rstrip("/"), token),), every=0.05)
    others.start()
    until(lambda: others.views()[0].heard)
    held = others.views()[0]
    running.office.book.accounts.forget_programs(running.office.book.accounts.named("la sala centrale").id)
    until(lambda: others.views()[0].problem)
    others.close()
    lost = others.views()[0]
    assert lost.heard is not None
    assert lost.tables == held.tables
    assert lost.state(lost.heard + CUT_S + 1) == "cut"
    assert lost.state(lost.heard) == "live"


def test_a_slow_hall_is_said_to_be_slow_and_one_never_reached_so() -> None:
    assert HallView("a", "u", heard=10.0, took=3.0).state(11.0) == "slow"
    assert HallView("a", "u").state(11.0) == "never"


@pytest.mark.parametrize("answer", [b"", b"[]", b'{"tables": 3}', b"[" * 100_000, b'[{"table": 1, "key": []}]'])
def test_nonsense_of_another_console_shows_nothing_and_breaks_nothing(answer: bytes) -> None:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, *_: Any) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    others = OtherHalls((OtherHall("x", f"http://127.0.0.1:{server.server_address[1]}", "t"),), every=0.05)
    others.start()
    until(lambda: others.views()[0].heard or others.views()[0].problem)
    others.close()
    server.shutdown()
    server.server_close()
    assert others.views()[0].alerts == ()


async def test_the_page_says_what_is_cut_off_and_escapes_what_another_console_says(make_house: Any) -> None:
    hall = OtherHall("ponente", "https://hall2.example:8080", "t")
    house = make_house(remote=RemoteSettings(halls=(hall,)))
    house.say(f"T12/alert/{feed.ALERT['key']}", feed.ALERT)
    others = house.app.state.others
    page = await house.page("/halls?lang=en")
    assert "never reached" in page
    assert "Draw out of turn" in page, "this hall's own"
    alert = FarAlert("T1", {"en": "<script>x"}, False, "score", house.at, "", "https://hall2.example:8080/table/T1")
    others.show(0, HallView("ponente", hall.url, house.at - 100, problem="timed out", alerts=(alert,)))
    page = await house.page("/halls?lang=en")
    assert "Out of reach: what you see is old." in page
    assert "timed out" in page
    assert "&lt;script&gt;x" in page
    assert 'href="https://hall2.example:8080/table/T1"' in page


def test_a_page_is_told_only_when_it_shows_something_else() -> None:
    others = OtherHalls((OtherHall("a", "http://127.0.0.1:1", "t"),))
    assert others.tick(1.0)
    assert not others.tick(2.0)
