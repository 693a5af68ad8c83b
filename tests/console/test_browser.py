"""The console in a real Chromium, fed over a real broker: changed without a reload, at three sizes, by keyboard alone.

Both languages, no finding of axe; a ruling goes to a real table and back.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.console.remote.sharing import MailServer, OtherHall, RemoteSettings
from table_service.console.ruling_forms import offers
from table_service.console.storage import Role
from table_service.games.burraco.codes.fibur2024 import FIBUR2024
from table_service.publish import Broker, BrokerAddress, BrokerError, start_broker
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
feed: Any = sys.modules["console_feed"]

SIZES = {"phone": (390, 844), "portrait": (768, 1024), "tablet": (1024, 768), "wall": (1920, 1080)}
ALERT = f"table/T12/alert/{feed.ALERT['key']}"
PATIENCE_MS = 90_000
"""How long a page is waited for: on a machine that others keep busy thirty seconds are not enough."""
PAST = "archive/T12/000a3f/1"
PAGES = (
    "", "wall", "table/T12", ALERT, "table/T12/decide", "round", "sheets/T12", "standing", "archive", PAST, "people",
    "audit", "away", "halls",
)  # fmt: skip
SMALL = """() => [...document.querySelectorAll('button, a.btn, a.tile, summary, select, input')]
  .filter(e => e.type !== 'checkbox' && e.type !== 'radio' && e.type !== 'hidden' && e.checkVisibility())
  .filter(e => e.getBoundingClientRect().height < 43.5 && !document.body.classList.contains('wall'))
  .map(e => e.outerHTML.slice(0, 90))"""
"""What a finger would miss."""


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
        broker_host=broker.host,
        broker_port=broker.port,
        embedded=broker.kind == "embedded",
        tables=("T12",),
        open_link=True,
        undo=0,
        remote=RemoteSettings(
            push=True,
            mqtt=True,
            mail=MailServer("127.0.0.1", 25, "tavolo@hall.example"),
            halls=(OtherHall("ponente", "http://127.0.0.1:9", "t"),),
        ),
    )
    with serving(settings) as running:
        yield running


def _wait(met: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not met():
        assert time.monotonic() < end, "the console has not heard it"
        time.sleep(0.02)


@pytest.fixture(scope="module")
def table(broker: Broker, console: RunningConsole) -> Iterator[Any]:
    """Publishes as a table does, once ``console`` listens: a broker keeps no pictures and no events."""
    from paho.mqtt.client import Client
    from paho.mqtt.enums import CallbackAPIVersion

    client = Client(CallbackAPIVersion.VERSION2)
    client.connect(broker.host, broker.port)
    client.loop_start()
    _wait(lambda: console.store.connected)

    def publish(topic: str, document: Any, *, retain: bool = False) -> None:
        raw = document if isinstance(document, bytes) else json.dumps(document).encode()
        client.publish(feed.PREFIX + topic, raw, qos=1, retain=retain).wait_for_publish(10)

    for topic, payload in feed.evening():
        kind = topic.removeprefix(feed.PREFIX)
        if "/evidence/" in kind:  # it comes by another connection than the alert, and is not kept before that is known
            _wait(lambda: len(console.store.tables["T12"].digests) == len(feed.MOMENTS))
        publish(kind, payload, retain="/event/" not in kind and "/evidence/" not in kind)
    for event in feed.counted():
        publish(f"T12/event/{event['type']}", event)
    yield publish
    client.disconnect()
    client.loop_stop()


class Orders:
    """The table's end of the topic ``command``, where no table runs."""

    def __init__(self, broker: Broker) -> None:
        from paho.mqtt.client import Client
        from paho.mqtt.enums import CallbackAPIVersion

        self._heard: list[dict[str, Any]] = []
        self._changed = threading.Condition()
        ready = threading.Event()
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = self._take
        self.client.on_subscribe = lambda *_: ready.set()
        self.client.connect(broker.host, broker.port)
        self.client.subscribe(feed.PREFIX + "+/command", 1)
        self.client.loop_start()
        assert ready.wait(10)

    def _take(self, _client: Any, _data: Any, message: Any) -> None:
        with self._changed:
            self._heard.append({**json.loads(message.payload), "topic": message.topic})
            self._changed.notify_all()

    def next(self) -> dict[str, Any]:
        with self._changed:
            assert self._changed.wait_for(lambda: self._heard, 20)
            return self._heard.pop(0)

    def answer(self, order: dict[str, Any], **changes: Any) -> None:
        result = {"id": order["id"], "ok": True, "reason": None, "text": {"it": "Preso.", "en": "Taken."}, **changes}
        topic = f"{order['topic']}/{order['id']}/result"
        self.client.publish(topic, json.dumps(result).encode(), qos=1).wait_for_publish(10)


@pytest.fixture
def orders(broker: Broker) -> Iterator[Orders]:
    made = Orders(broker)
    yield made
    made.client.disconnect()
    made.client.loop_stop()


@pytest.fixture
def page(browser: Any, console: RunningConsole) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.problems = []
    opened.goto(console.door)
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
    until(page, "document.querySelector('.alert .evidence img').naturalWidth === 1080")
    assert "Il tavolo dall’alto, nel momento del fatto" in picture.get_attribute("alt")


@pytest.mark.parametrize(
    ("size", "look"),
    rest_in_proof(
        [("phone", "light"), ("tablet", "dark"), ("wall", "light"), ("phone", "dark"), ("portrait", "light")], 2
    ),
)
def test_the_pages_fit_the_screen_and_all_cards_are_drawn(
    console: RunningConsole, table: Any, browser: Any, size: str, look: str
) -> None:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=look)
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.goto(console.door)
    for path in (*PAGES, "table/T12"):
        opened.goto(console.url + path)
        opened.wait_for_selector("h1", state="attached")
        assert opened.evaluate("document.documentElement.scrollWidth") <= width, path
        small = opened.evaluate(SMALL)
        assert not small, (path, small)
    until(opened, "[...document.images].filter(i => i.loading !== 'lazy').every(i => i.naturalWidth > 0)")
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
    assert first["y"] <= board["y"] + 1
    context.close()


def test_a_long_pile_and_eleven_card_runs_stay_on_the_felt_of_a_phone(
    console: RunningConsole, table: Any, browser: Any
) -> None:
    pile = ["AD", "3C", "JH", "8S", "QS", "5C", "TD"] * 6
    run = feed.meld(9, "EW", "run", "3H 4H 5H 6H 7H 8H 9H TH JH QH KH", "clean", 300)
    table("T9/state", feed.state(pile=pile, melds={"NS": [run], "EW": [run]}), retain=True)
    context = browser.new_context(viewport={"width": 390, "height": 844})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.goto(console.door)
    opened.wait_for_selector("#tile-T9")
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
    page.focus("details.menu > summary")
    page.keyboard.press("Enter")
    page.focus("a[hreflang=en]")
    page.keyboard.press("Enter")
    page.wait_for_selector(".pile >> text=Discard pile")
    page.goto(console.url)
    assert "Tables" in page.inner_text(".filters h2")
    assert page.locator("html").get_attribute("lang") == "en"
    table("T12/state", feed.state(turn={"n": 19, "seat": "S", "begun": True, "drawn": False}), retain=True)
    page.goto(console.url + "table/T12")
    page.wait_for_selector(".seat-S.turn")
    assert "to draw" in page.inner_text(".seat-S")
    table("T12/state", feed.state(), retain=True)


def until(page: Any, wanted: str) -> None:
    """Wait until ``wanted`` (JavaScript) holds; the page's own rules forbid it to evaluate text, so it is asked."""
    for _ in range(4000):
        if page.evaluate(wanted):
            return
        page.wait_for_timeout(20)
    raise AssertionError(wanted)


def tab_to(page: Any, wanted: str, most: int = 60) -> None:
    """Press Tab until the focus is on what ``wanted`` (JavaScript, ``e`` the element) describes."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate(f"(() => {{ const e = document.activeElement; return Boolean({wanted}) }})()"):
            return
    raise AssertionError(f"the keyboard does not reach {wanted}")


def test_the_keyboard_alone_goes_from_the_hall_to_a_ruling(
    console: RunningConsole, table: Any, page: Any, orders: Any
) -> None:
    page.goto(console.url)
    page.wait_for_selector("#wait-T12-" + feed.ALERT["key"])
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.getAttribute('href')") == "#main"
    tab_to(page, f"e.id === 'take-T12-{feed.ALERT['key']}'")
    page.keyboard.press("Enter")
    page.wait_for_selector(f"#wait-T12-{feed.ALERT['key']}.taken")
    tab_to(page, f"e.matches('.acts a.btn[href=\"/{ALERT}\"]')")
    page.keyboard.press("Enter")
    page.wait_for_selector("#apply")
    tab_to(page, "e.matches('#act-dismiss > summary')")
    page.keyboard.press("Enter")
    tab_to(page, "e.id === 'dismiss'")
    page.keyboard.press("Enter")
    order = orders.next()
    assert (order["do"], order["key"], order["by"]) == ("dismiss", feed.ALERT["key"], "demo")
    page.wait_for_selector(".order.sent")
    orders.answer(order)
    page.wait_for_selector(".order.done")
    page.wait_for_selector(".hand.done")


def test_an_opened_detail_stays_open_when_the_part_is_swapped(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url + "table/T12")
    ended = feed.event(300, "irregularity", "E", **{**feed.ALERT, "key": "gone", "state": "dismissed"})
    table("T12/event/irregularity", ended)
    page.wait_for_selector("details.ended")
    # The evening's own alert may be minutes old by now: a call is of its moment for a minute and a half.
    table("T12/alert/k-near", {**feed.ALERT, "key": "k-near", "evidence": []}, retain=True)
    page.wait_for_selector("#alert-k-near")
    page.click("details.ended > summary")
    page.wait_for_selector("p.past", state="visible")
    table("T12/alert/call-W", {"key": "call-W", "call": True, "offender": "W", "t": 1.0}, retain=True)
    page.wait_for_selector(".alert .caller")  # a call of the same table and moment stands in the alert's row
    assert page.locator("p.past").first.is_visible()
    until(page, "document.title.startsWith('(' + document.querySelector('.status .chip b').textContent + ') ')")
    assert page.evaluate("document.body.dataset.rang")
    table("T12/alert/call-W", b"", retain=True)
    page.wait_for_selector(".alert .caller", state="detached")
    until(page, "document.querySelector('details.ended').open")
    table("T12/alert/k-near", b"", retain=True)
    page.wait_for_selector("#alert-k-near", state="detached")


def test_a_table_that_is_lost_is_said_at_once(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url + "table/T12")
    page.wait_for_selector(".dot.ready")
    table("T12/status", {"state": "lost", "boot": "000a3f", "version": "x"}, retain=True)
    page.wait_for_selector(".dot.lost")
    assert "non raggiungibile" in page.inner_text(".dot.lost")
    table("T12/status", {"state": "ready", "boot": "000a3f", "version": "x"}, retain=True)
    page.wait_for_selector(".dot.ready")


def test_a_table_out_of_reach_keeps_the_order_and_gets_it_when_it_is_back(
    console: RunningConsole, table: Any, page: Any, orders: Any
) -> None:
    status = {"state": "lost", "boot": "000a3f", "version": "x"}
    table("T12/status", status, retain=True)
    page.goto(f"{console.url}table/T12/alert/{feed.EXPOSED['key']}")
    page.wait_for_selector("text=Il tavolo non è raggiungibile")
    page.click("#apply")
    page.wait_for_selector(".order.waiting >> text=in attesa del tavolo")
    table("T12/status", {**status, "state": "ready"}, retain=True)
    order = orders.next()
    assert (order["do"], order["key"]) == ("rule", feed.EXPOSED["key"])
    page.wait_for_selector(".order.sent")
    orders.answer(order, ok=False, reason="stale", text={"it": "Il comando è scaduto.", "en": "Expired."})
    page.wait_for_selector(".order.refused >> text=Il comando è scaduto.")
    page.click(".order.refused button")  # what has just changed takes no touch for 0.4 s: Playwright waits for that
    page.wait_for_selector(".order.refused", state="detached")


def test_what_is_being_chosen_outlives_a_change_of_the_page(console: RunningConsole, table: Any, page: Any) -> None:
    page.goto(console.url + ALERT)
    page.click("#precise > summary")
    page.check("#freeze-definitive")
    page.fill("#cards", "7H QS")
    page.select_option("#meld", "4")
    page.focus("#cards")
    table(f"T12/alert/{feed.ALERT['key']}", {**feed.ALERT, "severity": "score"}, retain=True)
    page.wait_for_selector('.what-head[data-severity="score"]')
    until(page, "document.querySelector('#freeze-definitive').checked")
    assert page.input_value("#cards") == "7H QS"
    assert page.input_value("#meld") == "4"
    assert page.evaluate("document.querySelector('#precise').open")
    assert page.evaluate("document.activeElement.id") == "cards"
    table(f"T12/alert/{feed.ALERT['key']}", feed.ALERT, retain=True)


@pytest.mark.parametrize("turn", rest_in_proof(["E", "N", "S", "W"]))
def test_no_seat_lies_over_another_on_a_phone(console: RunningConsole, table: Any, page: Any, turn: str) -> None:
    page.set_viewport_size({"width": 360, "height": 780})
    awaited = {"n": 17, "seat": turn, "begun": True, "drawn": True}
    table("T12/state", feed.state(turn=awaited, dealer="W", hands={"N": 12, "E": None, "S": 11, "W": 11}), retain=True)
    page.goto(console.url + "table/T12")
    page.wait_for_selector(f".seat-{turn}.turn")
    over = page.evaluate(
        """() => { const r = [...document.querySelectorAll('.seat')].map(e => e.getBoundingClientRect());
        return r.some((a, i) => r.some((b, j) => i < j && a.left < b.right && b.left < a.right
          && a.top < b.bottom && b.top < a.bottom)); }"""
    )
    assert not over
    table("T12/state", feed.state(), retain=True)


def test_a_sheet_is_settled_with_the_keyboard_alone_and_shown_when_the_table_says_so(
    console: RunningConsole, table: Any, page: Any, orders: Any
) -> None:
    page.goto(console.url + "round")
    page.wait_for_selector("#sheet-T12")
    tab_to(page, "e.id === 'sheet-T12'")
    page.keyboard.press("Enter")
    page.wait_for_selector("#deal-2")
    assert page.locator("#deal-1").get_attribute("open") is None, "what is confirmed is folded"
    page.evaluate("window.notReloaded = true")
    tab_to(page, "e.id === 'take-2-EW-hand-ledger'")
    page.keyboard.press("Enter")
    order = orders.next()
    assert (order["do"], order["deal"], order["lines"]) == ("sheet-correct", 2, {"EW": {"hand": -75}})
    page.wait_for_selector(".order.sent")
    page.evaluate("document.querySelector('#s-2-NS').checked = false")
    for event in feed.settled():
        table(f"T12/event/{event['type']}", event)
    orders.answer(order)
    page.wait_for_selector(".order.done")
    page.wait_for_selector("#deal-2.waiting")
    assert "-75" in page.inner_text('#deal-2 [data-item="EW.hand"] td:last-child')
    assert page.evaluate("document.querySelector('#s-2-NS').checked") is False, "nobody has signed who was not ticked"
    tab_to(page, "e.id === 'signed-2'")
    page.keyboard.press("Enter")
    order = orders.next()
    assert (order["do"], order["signed"]) == ("sheet-written", ["NS", "EW"])
    orders.answer(order)
    for line, seq in (("NS", 520), ("EW", 521)):
        table("T12/event/sheet.confirmed", feed.sheet_event(seq, "sheet.confirmed", line=line, how="paper", by="demo"))
    page.wait_for_selector("#deal-2.done")
    assert page.evaluate("window.notReloaded") is True


def test_a_row_of_the_code_is_searched_and_ruled_with_two_clicks(
    console: RunningConsole, table: Any, page: Any, orders: Any
) -> None:
    page.goto(console.url + "table/T12/decide")
    listed = page.locator(".offer").count()
    plain = next(one for one in offers(FIBUR2024, "it") if one.asks == ("seat",))
    page.fill("#q", plain.title)
    until(page, f"document.querySelectorAll('.offer').length < {listed}")
    page.click(f"#offer-{plain.row} > summary")
    page.click(f"#offer-{plain.row} button[value=W]")
    order = orders.next()
    assert (order["do"], order["row"], order["seat"]) == ("rule", plain.row, "W")
    page.wait_for_url(console.url + "table/T12")
    orders.answer(order)
    page.wait_for_selector(".order.done")


LOOKS = (("it", "light"), ("en", "dark"), ("en", "light"))
"""Each page meets all three, one at each of three sizes: both languages and both looks. `make test` has the phone."""
WHO = {
    "nobody": ("enter", "ranking", "offline"),
    "spectator": ("", "table/T12", "wall"),
    "arbitro, play": PAGES[:7],
    "arbitro, the rest": (*PAGES[7:], "table/nowhere"),
}


@pytest.mark.parametrize("who", WHO)
@pytest.mark.parametrize(("turn", "size"), rest_in_proof([(0, "phone"), (1, "tablet"), (2, "wall")]))
def test_axe_finds_nothing_on_any_page(
    console: RunningConsole, table: Any, browser: Any, who: str, turn: int, size: str
) -> None:
    """Every page at every size, in both languages, light and dark; any finding counts, however small."""
    from axe_playwright_python.sync_playwright import Axe

    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    if who != "nobody":
        opened.goto(link_of(console, "spectator") if who == "spectator" else console.door)
    found = []
    for n, path in enumerate(WHO[who]):
        lang, look = LOOKS[(n + turn) % len(LOOKS)]
        opened.emulate_media(color_scheme=look)
        opened.goto(f"{console.url}{path}?lang={lang}")
        opened.wait_for_selector("main :is(h1, h2)", state="attached")
        found += findings(Axe().run(opened), f"{path} ({size}, {lang}, {look})")
    context.close()
    assert not found, "\n".join(found)


def link_of(console: RunningConsole, role: str) -> str:
    """The link for the day of somebody with ``role``."""
    accounts, now = console.office.book.accounts, time.time()
    person = accounts.named(f"one {role}") or accounts.add(f"one {role}", Role(role), now=now)
    assert person is not None
    return f"{console.url}enter/{accounts.link(person.id, 'day', expires=now + 86_400)}/"


def findings(results: Any, path: str) -> list[str]:
    return [
        f"/{path}: {v['id']} ({v['impact']}): {n['html'][:160]} {n['failureSummary'][:200]}"
        for v in results.response["violations"]
        for n in v["nodes"]
    ]


def test_the_console_starts_again_and_the_open_page_goes_on_by_itself(
    broker: Broker, table: Any, browser: Any, tmp_path: Path
) -> None:
    settings = ConsoleSettings(
        broker_host=broker.host,
        broker_port=broker.port,
        data=tmp_path / "console.sqlite",
        open_link=True,
        tables=("T12",),
    )
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    take = f"#take-{feed.EXPOSED['key']}"
    with serving(settings) as first:
        opened.goto(first.door + "table/T12")
        opened.wait_for_selector(take)
        opened.evaluate("window.notReloaded = true")
        opened.click(take)
        opened.wait_for_selector(f"#alert-{feed.EXPOSED['key']} .hand.mine")
        port = first.port
    opened.wait_for_selector("#stream-lost", state="visible")
    with serving(ConsoleSettings(**{**{f: getattr(settings, f) for f in settings.__slots__}, "port": port})):
        opened.wait_for_selector("#stream-lost", state="hidden", timeout=30_000)
        assert "demo" in opened.inner_text(f"#alert-{feed.EXPOSED['key']} .hand.mine")
        table("T12/alert/k-again", {**feed.ALERT, "key": "k-again", "offender": "W"}, retain=True)
        opened.wait_for_selector("#alert-k-again")
        assert opened.evaluate("window.notReloaded") is True
        table("T12/alert/k-again", b"", retain=True)
        opened.wait_for_selector("#alert-k-again", state="detached")
    context.close()


def test_a_ruling_goes_to_a_running_table_and_becomes_state_there(
    console: RunningConsole, broker: Broker, page: Any, tmp_path: Path
) -> None:
    """Nothing is played here but the sensors: journal, publisher, broker, gate and referee are the table's own."""
    from hw.observation_log import read_log
    from table_service.rehearsal.rehearse import rehearse
    from table_service.service import TableFiles, TableService

    log = tmp_path / "w.jsonl"
    rehearse("fibur2024", 7, log, None, ("F-31a",), "none")
    header, observations = read_log(log)
    clock = [0.0]
    told: list[Any] = []
    service = TableService(
        header,
        "sala",
        TableFiles.under(tmp_path / "table", header.table),
        BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded"),
        lambda: clock[0],
        console_keys={"*": console.office.public_key},
    )
    service.listeners.append(told.append)
    service.start()
    try:
        for observation in observations:
            clock[0] = max(clock[0], observation.t)
            service.observe(observation)
            if any(event.type == "irregularity" for event in told):
                break
        key = next(event.data.key for event in told if event.type == "irregularity")
        page.goto(f"{console.url}")
        page.click(f"#wait-{header.table}-{key} a.face")
        page.click("#apply, #option-1")
        page.wait_for_selector("text=Questo avviso è chiuso.")
        page.wait_for_selector(".order.done")
        ruled = [event for event in told if event.type == "irregularity" and event.data.state == "ruled"]
        assert ruled[-1].data.ruling["by"] == "demo"
        assert any(event.type == "sanction.imposed" for event in told)
        page.goto(f"{console.url}table/{header.table}")
        page.wait_for_selector(".sanctions li")
        page.wait_for_selector(".feed >> text=Decisa")
    finally:
        service.close(5.0)


def test_a_table_not_heard_of_yet_is_shown_once_it_speaks_and_the_page_stays_while_it_is_read(
    console: RunningConsole, table: Any, page: Any
) -> None:
    """No page is taken away from its reader every three seconds (WCAG 2.2.1); the focus stays where it is."""
    page.goto(console.url + "table/T31")
    page.evaluate("document.querySelector('main a.btn').focus(); window.notReloaded = true")
    with page.expect_response(lambda one: one.request.method == "HEAD" and one.status == 404, timeout=PATIENCE_MS):
        pass
    assert page.evaluate("[window.notReloaded, document.activeElement.className]") == [True, "btn"]
    table("T31/state", feed.state(table="T31"), retain=True)
    page.wait_for_selector(".board")
    assert "T31" in page.title()
    page.problems[:] = [one for one in page.problems if "404" not in one]  # that it was not found is what was asked
