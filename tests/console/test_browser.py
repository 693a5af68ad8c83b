"""The console in a real Chromium: fed over a real broker, changed without a reload, at three sizes, by keyboard."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.publish import Broker, BrokerError, start_broker

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
HERE = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("console_feed", HERE / "console_feed.py")
assert _spec is not None
assert _spec.loader is not None
feed: Any = importlib.util.module_from_spec(_spec)
sys.modules["console_feed"] = feed
_spec.loader.exec_module(feed)

SIZES = {"phone": (390, 844), "tablet": (1024, 768), "wall": (1920, 1080)}


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    try:
        started = start_broker(tmp_path_factory.mktemp("broker"))
    except BrokerError as error:
        pytest.skip(str(error))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def console(broker: Broker) -> Iterator[RunningConsole]:
    settings = ConsoleSettings(
        broker_host=broker.host, broker_port=broker.port, embedded=broker.kind == "embedded", tables=("T12",)
    )
    with serving(settings) as running:
        yield running


@pytest.fixture(scope="module")
def table(broker: Broker) -> Iterator[Any]:
    """Publishes as a table does."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2)
    client.connect(broker.host, broker.port)
    client.loop_start()

    def publish(topic: str, document: Any, *, retain: bool = False) -> None:
        raw = document if isinstance(document, bytes) else json.dumps(document).encode()
        client.publish(feed.PREFIX + topic, raw, qos=1, retain=retain).wait_for_publish(10)

    for topic, payload in feed.evening():
        kind = topic.removeprefix(feed.PREFIX)
        publish(kind, payload, retain="/event/" not in kind)
    yield publish
    client.disconnect()
    client.loop_stop()


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("no Chromium on this machine")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--headless"])
        yield started
        started.close()


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    opened = context.new_page()
    opened.problems = []
    opened.on("console", lambda m: opened.problems.append(m.text) if m.type == "error" else None)
    opened.on("pageerror", lambda error: opened.problems.append(str(error)))
    yield opened
    assert opened.problems == []
    context.close()


def test_the_turn_moves_and_an_alert_appears_and_goes_without_a_reload(
    console: RunningConsole, table: Any, page: Any
) -> None:
    page.goto(console.url + "table/T12")
    page.wait_for_selector(".seat-N.turn")
    page.evaluate("window.notReloaded = true")
    table("T12/state", feed.state(turn={"n": 18, "seat": "E", "begun": True, "drawn": False}, pile=["7C"]), retain=True)
    page.wait_for_selector(".seat-E.turn")
    assert "deve pescare" in page.inner_text(".seat-E")
    assert page.locator(".seat.turn").count() == 1
    assert page.locator(".pile img").get_attribute("alt") == "7 di fiori"
    alert = {**feed.ALERT, "key": "k-new", "offender": "W", "title": {"it": "Prova viva", "en": "Live"}}
    table("T12/alert/k-new", alert, retain=True)
    page.wait_for_selector("#alert-k-new")
    assert "Prova viva" in page.inner_text("#alert-k-new")
    table("T12/alert/k-new", b"", retain=True)
    page.wait_for_selector("#alert-k-new", state="detached")
    table("T12/state", feed.state(), retain=True)
    page.wait_for_selector(".seat-N.turn")
    assert page.evaluate("window.notReloaded") is True


def test_the_picture_of_an_alert_loads(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url + "table/T12")
    picture = page.locator(".alert .evidence img").first
    picture.scroll_into_view_if_needed()
    page.wait_for_function("document.querySelector('.alert .evidence img').naturalWidth === 960")
    assert "mostra" in picture.get_attribute("alt")


@pytest.mark.parametrize(
    ("size", "look"), [("phone", "light"), ("phone", "dark"), ("tablet", "dark"), ("wall", "light")]
)
def test_the_pages_fit_the_screen_and_all_cards_are_drawn(
    console: RunningConsole, table: Any, browser: Any, size: str, look: str
) -> None:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)
    opened = context.new_page()
    for path in ("", "table/T12"):
        opened.goto(console.url + path)
        opened.wait_for_selector("h1")
        assert opened.evaluate("document.documentElement.scrollWidth") <= width
    opened.wait_for_function("[...document.images].filter(i => i.loading !== 'lazy').every(i => i.naturalWidth > 0)")
    outside = opened.evaluate(
        """() => { const felt = document.querySelector('.felt').getBoundingClientRect();
        return [...document.querySelectorAll('.felt img')].map(i => i.getBoundingClientRect())
          .filter(r => r.right > felt.right + 1 || r.left < felt.left - 1 || r.bottom > felt.bottom + 1).length }"""
    )
    assert outside == 0
    card = opened.locator(".melds .c img").first.bounding_box()
    assert card["width"] >= 42
    first = opened.locator(".alerts").bounding_box()
    board = opened.locator(".board-wrap").bounding_box()
    assert first["y"] <= board["y"]
    context.close()


def test_a_long_pile_and_eleven_card_runs_stay_on_the_felt_of_a_phone(
    console: RunningConsole, table: Any, browser: Any
) -> None:
    pile = ["AD", "3C", "JH", "8S", "QS", "5C", "TD"] * 6
    run = feed.meld(9, "EW", "run", "3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "clean", 300)
    table("T9/state", feed.state(pile=pile, melds={"NS": [run], "EW": [run]}), retain=True)
    context = browser.new_context(viewport={"width": 390, "height": 844})
    opened = context.new_page()
    opened.goto(console.url)
    opened.wait_for_selector("text=T9")
    opened.goto(console.url + "table/T9")
    assert opened.locator(".pile img").count() == 42
    assert opened.evaluate("document.documentElement.scrollWidth") <= 390
    assert opened.evaluate(
        """() => { const felt = document.querySelector('.felt').getBoundingClientRect();
        return [...document.querySelectorAll('.felt img')].map(i => i.getBoundingClientRect())
          .every(r => r.right <= felt.right) }"""
    )
    context.close()


def test_english_is_one_key_press_away_and_stays(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url + "table/T12")
    page.focus("a[hreflang=en]")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Discard pile")
    page.goto(console.url)
    assert "Tables" in page.inner_text("h1")
    assert page.locator("html").get_attribute("lang") == "en"
    table("T12/state", feed.state(turn={"n": 19, "seat": "S", "begun": True, "drawn": False}), retain=True)
    page.goto(console.url + "table/T12")
    page.wait_for_selector(".seat-S.turn")
    assert "to draw" in page.inner_text(".seat-S")
    table("T12/state", feed.state(), retain=True)


def test_the_keyboard_reaches_a_table_and_its_alerts(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url)
    page.wait_for_selector('a.tile[href="/table/T12"]')
    reached = []
    for _ in range(12):
        page.keyboard.press("Tab")
        reached.append(page.evaluate("document.activeElement.getAttribute('href')"))
        if reached[-1] == "/table/T12":
            break
    assert reached[0] == "#main"
    assert reached[-1] == "/table/T12"
    page.keyboard.press("Enter")
    page.wait_for_selector(".alert")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('alert')"):
            break
    assert page.evaluate("document.activeElement.classList.contains('alert')")


def test_an_opened_detail_stays_open_when_the_part_is_swapped(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url + "table/T12")
    ended = feed.event(300, "irregularity", "E", **{**feed.ALERT, "key": "gone", "state": "dismissed"})
    table("T12/event/irregularity", ended)
    page.wait_for_selector("details.ended")
    page.click("details.ended > summary")
    page.wait_for_selector("details.past", state="visible")
    table("T12/alert/call-W", {"key": "call-W", "call": True, "offender": "W", "t": 1.0}, retain=True)
    page.wait_for_selector("#alert-call-W")
    assert page.locator("details.past").first.is_visible()
    assert page.title().startswith("(3) ")
    table("T12/alert/call-W", b"", retain=True)
    page.wait_for_selector("#alert-call-W", state="detached")
    page.wait_for_function("document.querySelector('details.ended').open")


def test_a_table_that_is_lost_is_said_at_once(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url + "table/T12")
    page.wait_for_selector(".dot.ready")
    table("T12/status", {"state": "lost", "boot": "000a3f", "version": "x"}, retain=True)
    page.wait_for_selector(".dot.lost")
    assert "non raggiungibile" in page.inner_text(".dot.lost")
    table("T12/status", {"state": "ready", "boot": "000a3f", "version": "x"}, retain=True)
    page.wait_for_selector(".dot.ready")
