"""What an arbitro's finger meets: pictures at the fact, lists that keep still, a ruling that may be undone.

In a real Chromium, on one console that hears only what the tests tell it.
"""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn

from table_service.console import ConsoleSettings, frame_fetcher
from table_service.console.routers.links import open_link

pytestmark = pytest.mark.slow
feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
ALERT = f"table/T12/alert/{KEY}"


class Served:
    """A console in a thread of its own; what a test says to it is said in its loop."""

    def __init__(self, house: Any) -> None:
        self.house = house
        door = socket.socket()
        door.bind(("127.0.0.1", 0))
        door.listen(64)
        self.url = f"http://127.0.0.1:{door.getsockname()[1]}/"
        self.door = self.url.rstrip("/") + open_link(house.app.state.pages)
        self.server = uvicorn.Server(uvicorn.Config(house.app, log_level="warning"))
        self.thread = threading.Thread(target=self._run, args=(door,), daemon=True)
        self.thread.start()
        while not self.server.started:
            time.sleep(0.01)

    def _run(self, door: socket.socket) -> None:
        self.loop = asyncio.new_event_loop()
        self.loop.run_until_complete(self.server.serve(sockets=[door]))

    def do(self, what: Callable[[], Any]) -> Any:
        async def done() -> Any:
            return what()

        return asyncio.run_coroutine_threadsafe(done(), self.loop).result(20)

    def say(self, topic: str, document: Any) -> None:
        self.do(lambda: self.house.say(topic, document))

    def orders(self) -> list[dict[str, Any]]:
        return self.do(lambda: [order for _, order in self.house.sent])

    def close(self) -> None:
        self.house.store.close()
        self.server.should_exit = True
        self.thread.join(10)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(frame_fetcher, "ANSWER_S", 0.1)  # no table is there to send a picture
        yield from console_of_one_hall()


def console_of_one_hall() -> Iterator[Served]:
    module: Any = sys.modules[pytest_conftest()]
    house = module.House(ConsoleSettings(undo=1.5))
    house.office.clock = time.time
    house.at = time.time()
    house.hear()
    for event in feed.counted():
        house.store.apply(feed.PREFIX + f"T12/event/{event['type']}", json.dumps(event).encode(), now=time.time())
    made = Served(house)
    yield made
    made.close()
    house.book.close()


def pytest_conftest() -> str:
    """The name under which pytest has loaded the rooms' conftest."""
    return next(name for name, module in sys.modules.items() if hasattr(module, "House") and "conftest" in name)


@pytest.fixture
def page(served: Served, browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1024, "height": 768}, has_touch=True)
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.goto(served.door)
    yield opened
    context.close()


def until(page: Any, wanted: str) -> None:
    """Wait until ``wanted`` (JavaScript) holds."""
    for _ in range(1500):
        if page.evaluate(wanted):
            return
        page.wait_for_timeout(20)
    raise AssertionError(wanted)


@pytest.mark.parametrize("path", ["table/T12", ALERT])
def test_no_picture_of_an_alert_is_stretched(served: Served, page: Any, path: str) -> None:
    page.goto(served.url + path)
    page.locator(".evidence img").first.scroll_into_view_if_needed()
    until(page, "document.querySelector('.evidence img').naturalWidth > 0")
    for box in page.evaluate(
        "[...document.querySelectorAll('.evidence img')].map(i => [i.getBoundingClientRect().width, "
        "i.getBoundingClientRect().height, i.naturalWidth / i.naturalHeight])"
    ):
        if box[2]:
            assert box[0] / box[1] == pytest.approx(box[2], rel=0.02)


def test_pictures_are_cropped_at_the_fact_and_the_large_one_begins_there(served: Served, page: Any) -> None:
    card = next(f["box"] for f in feed.pictures("at")[0]["frames"] if f["kind"] == "card")
    page.goto(f"{served.url}{ALERT}?lang=en")
    until(page, "[...document.querySelectorAll('.pictures img')].every(i => i.naturalWidth > 0)")
    where = """([img, frame, box]) => { const i = document.querySelector(img).getBoundingClientRect(),
      f = document.querySelector(frame).getBoundingClientRect();
      return [(i.left + i.width * (box[0] + box[2]) / 2 - f.left) / f.width,
              (i.top + i.height * (box[1] + box[3]) / 2 - f.top) / f.height, i.width * (box[2] - box[0]) / f.width] }"""
    x, y, wide = page.evaluate(where, [".fact img", ".fact .crop", card])
    assert 0.3 < x < 0.7
    assert 0.3 < y < 0.7
    assert wide > 0.15, "the card is large enough to be read"
    page.locator(".fact a.zoom").click()
    page.wait_for_selector(".zoom-box img.large")
    x, y, _ = page.evaluate(where, [".zoom-box img", ".zoom-box", card])
    assert 0.35 < x < 0.65
    assert 0.35 < y < 0.65
    said = page.inner_text(".zoom-box p[role=status]")
    assert "7 of hearts" in said
    assert "discard pile" in said
    page.keyboard.press("Escape")


def test_a_strip_of_pictures_on_a_phone_begins_at_the_fact(served: Served, page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(served.url + ALERT)
    fact = page.locator(".pictures .fact").bounding_box()
    assert fact["x"] >= 0
    assert fact["x"] + fact["width"] <= 390


def test_dragging_the_replay_is_no_lost_connection_and_a_real_loss_is_said(served: Served, page: Any) -> None:
    served.do(served.house.book.kept.flush)
    page.goto(served.url + "archive/T12/now")
    page.route("**/at?*", lambda route: (page.wait_for_timeout(150), route.continue_()))
    slide = "n => { const s = document.querySelector('.scrub'); s.value = n; s.dispatchEvent(new Event('input')) }"
    for n in range(6):
        page.evaluate(slide, n)
        page.wait_for_timeout(70)
    until(page, "document.querySelector('.past-now b').textContent === '6'")
    assert page.locator("#stream-lost").is_hidden()
    page.unroute("**/at?*")
    page.route("**/at?*", lambda route: route.abort())
    page.evaluate(slide, 2)
    page.wait_for_selector("#stream-lost", state="visible")
    page.unroute("**/at?*")
    page.evaluate(slide, 3)
    page.wait_for_selector("#stream-lost", state="hidden")


def waits(page: Any) -> list[str]:
    return page.evaluate("[...document.querySelectorAll('.waits > li')].map(e => e.id)")


def more_alerts(served: Served) -> list[str]:
    keys = [f"m-{n}" for n in range(3)]
    for n, key in enumerate(keys):
        served.say(f"T7/alert/{key}", {**feed.ALERT, "key": key, "offender": "N", "committed_t": float(n)})
    return keys


def gone(served: Served, keys: list[str]) -> None:
    for key in keys:
        served.say(f"T7/alert/{key}", None)


def test_two_quick_taps_take_one_alert_and_no_row_moves(served: Served, page: Any) -> None:
    keys = more_alerts(served)
    page.goto(served.url)
    page.wait_for_selector("#wait-T7-m-2")
    before = waits(page)
    place = page.locator("#take-T7-m-0").bounding_box()
    x, y = place["x"] + place["width"] / 2, place["y"] + place["height"] / 2
    page.clock.set_fixed_time(1_800_000_000_000)  # however long this machine takes between the taps, they are quick
    page.touchscreen.tap(x, y)
    page.wait_for_selector("#wait-T7-m-0.taken[data-fresh]")
    page.touchscreen.tap(x, y)
    page.wait_for_timeout(300)
    assert waits(page) == before
    taken = served.do(lambda: [case.key for case in served.house.book.desk.live() if case.taken_by])
    assert taken == ["m-0"]
    assert page.url == served.url, "the second tap did not open what has come under the finger"
    page.clock.set_fixed_time(1_800_000_001_000)
    page.wait_for_selector("#wait-T7-m-0:not([data-fresh])")
    page.touchscreen.tap(x, y)
    page.wait_for_url("**/table/T7/alert/m-0")  # a second later it is a touch like any other
    gone(served, keys)


def test_a_row_that_ends_leaves_its_place_while_the_list_is_in_use_and_new_ones_come_last(
    served: Served, page: Any
) -> None:
    keys = more_alerts(served)
    page.goto(served.url)
    page.wait_for_selector("#wait-T7-m-2")
    order = waits(page)
    last = page.locator("#wait-T7-m-2").bounding_box()
    page.mouse.move(last["x"] + 30, last["y"] + 20)
    page.mouse.move(last["x"] + 32, last["y"] + 21)
    served.say("T7/alert/m-0", None)
    page.wait_for_selector("#wait-T7-m-0.gone")
    served.say("T3/alert/call-S", {"key": "call-S", "call": True, "offender": "S", "t": 1.0})
    page.wait_for_selector("#wait-T3-call-S")
    assert waits(page) == [*order, "wait-T3-call-S"]
    assert page.locator("#wait-T7-m-2").bounding_box()["y"] == pytest.approx(last["y"], abs=2)
    page.mouse.move(5, 5)
    page.wait_for_selector("#wait-T7-m-0", state="detached")
    until(page, "document.querySelector('.waits > li').id === 'wait-T3-call-S'")
    served.say("T3/alert/call-S", None)
    gone(served, keys)


def test_the_keyboard_stays_in_the_row_it_has_acted_on(served: Served, page: Any) -> None:
    keys = more_alerts(served)
    page.goto(served.url)
    page.wait_for_selector("#take-T7-m-1")
    page.focus("#take-T7-m-1")
    page.keyboard.press("Enter")
    page.wait_for_selector("#wait-T7-m-1.taken")
    until(page, "document.activeElement.closest('#wait-T7-m-1') !== null")
    page.goto(f"{served.url}table/T7/alert/m-1")
    page.focus("#let-go")
    page.keyboard.press("Enter")
    page.wait_for_selector("#take")
    until(page, "document.activeElement.closest('.decision') !== null")
    gone(served, keys)


def test_a_ruling_can_be_undone_and_the_next_alert_is_one_touch_away(served: Served, page: Any) -> None:
    keys = more_alerts(served)
    page.goto(f"{served.url}table/T7/alert/m-0")
    sent = len(served.orders())
    page.click("#option-1, #apply")
    page.wait_for_selector("#undo")
    assert page.locator("#apply, #option-1").count() == 0
    page.click("#undo")  # what has just changed takes no touch: Playwright waits for that
    page.wait_for_selector("#option-1, #apply")
    assert not [order for order in served.orders()[sent:] if "do" in order]
    page.click("#option-1, #apply")
    for _ in range(200):
        served.do(served.house.office.tick)
        if any("do" in order for order in served.orders()[sent:]):  # besides the questions for pictures
            break
        page.wait_for_timeout(50)
    assert [order["do"] for order in served.orders()[sent:] if "do" in order] == ["rule"]
    served.do(served.house.answer)
    served.say("T7/alert/m-0", None)
    page.wait_for_selector("#next.primary")
    page.click("#next")
    page.wait_for_url("**/alert/**")
    assert not page.url.endswith("m-0")
    gone(served, keys)


SMALL = """() => [...document.querySelectorAll('main a, main button, main summary, main select, main input')]
  .filter(e => !['checkbox', 'radio', 'hidden'].includes(e.type) && e.checkVisibility() && !e.closest('.sr'))
  .filter(e => { const r = e.getBoundingClientRect(); return r.width > 0 && r.height < 43.5 })
  .map(e => e.outerHTML.slice(0, 90))"""


@pytest.mark.parametrize("path", ["audit?all=1", "standing", "archive", "table/T12", ALERT])
def test_no_link_on_a_phone_is_smaller_than_a_finger(served: Served, page: Any, path: str) -> None:
    served.do(served.house.book.kept.flush)
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(served.url + path)
    assert page.evaluate(SMALL) == []
    if path == "archive":
        link = page.locator(".shelf a.when").first.bounding_box()
        assert link["x"] + link["width"] <= 390, "the way to a deal is on the screen"


def test_the_slider_says_the_moment_that_it_stands_at(served: Served, page: Any) -> None:
    served.do(served.house.book.kept.flush)
    page.goto(served.url + "archive/T12/now?n=3")
    page.wait_for_selector(".scrub")
    page.focus(".scrub")
    before = page.get_attribute(".scrub", "aria-valuetext")
    page.keyboard.press("ArrowLeft")
    until(page, f"document.querySelector('.scrub').getAttribute('aria-valuetext') !== {before!r}")
    assert "Momento" in page.get_attribute(".scrub", "aria-valuetext")


def test_cards_are_picked_by_touch_in_the_readers_letters(served: Served, page: Any) -> None:
    served.say("T7/alert/p-1", {**feed.ALERT, "key": "p-1", "committed_t": 5.0})
    page.goto(f"{served.url}table/T7/alert/p-1")
    page.click("#precise > summary")
    picker = page.locator("#precise .picker")
    picker.get_by_role("button", name="D", exact=True).click()
    picker.get_by_role("button", name="♣").click()
    picker.get_by_role("button", name="JK").click()
    assert page.input_value("#cards") == "D♣ JK"
    page.click("#apply")
    page.wait_for_selector("#undo")
    (order,) = served.do(lambda: served.house.book.orders.about("T7", "p-1", 0.0))
    assert order.fields["cards"] == ["QC", "JK"]
    served.do(lambda: served.house.office.cancel(order.id))
    served.say("T7/alert/p-1", None)


def test_a_browser_that_does_not_reach_the_console_is_told_so(served: Served, page: Any) -> None:
    page.goto(served.url)
    page.evaluate("navigator.serviceWorker.ready.then(() => true)")
    page.context.set_offline(True)
    page.goto(served.url + "table/T12")
    assert "La console non risponde" in page.inner_text("#offline")
    page.context.set_offline(False)
