"""The pages of a tournament in a real Chromium: proposals, matches of teams, who rested and who was absent."""

from __future__ import annotations

import asyncio
import json
import socket
import sys
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import uvicorn

from table_service.console import ConsoleSettings
from table_service.console.routers.links import open_link
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
feed: Any = sys.modules["console_feed"]
SIZES = {"phone": (390, 844), "tablet": (1024, 768), "wall": (1920, 1080)}
PATHS = (
    "round?movement=danese&leaving=Rossi%E2%80%93Bianchi",
    "standing",
    "standing?round=1",
    "ranking",
    "season?points=10+8+6",
)
PAIRS = "T12+T7 Rossi–Bianchi / Verdi–Neri\nriposa Gialli–Blu\nassente Viola–Rosa"
TOUCH = 43.5
SMALL = f"""() => [...document.querySelectorAll('button, a.btn, summary, select, input, textarea')]
  .filter(e => e.type !== 'checkbox' && e.type !== 'radio' && e.type !== 'hidden' && e.checkVisibility())
  .filter(e => e.getBoundingClientRect().height < {TOUCH}).map(e => e.outerHTML.slice(0, 90))"""
CUT = """() => [...document.querySelectorAll('table.standing')]
  .filter(e => e.scrollWidth > e.parentElement.clientWidth).map(e => e.innerText.slice(0, 90))"""


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[str, str]]:
    """A hall after a round of teams in which one rested and one was absent."""
    yield from _serving(_played)


def _serving(play: Callable[[Any], Coroutine[Any, Any, None]]) -> Iterator[tuple[str, str]]:
    """A hall in which ``play`` has happened, its address and its open link."""
    module: Any = next(m for name, m in sys.modules.items() if hasattr(m, "House") and "conftest" in name)
    house = module.House(ConsoleSettings(undo=0))
    house.office.clock = time.time
    house.at = time.time()
    house.hear()
    with ThreadPoolExecutor(1) as aside:  # a loop runs in this thread: Playwright's
        aside.submit(asyncio.run, play(house)).result()
    door = socket.socket()
    door.bind(("127.0.0.1", 0))
    door.listen(64)
    url = f"http://127.0.0.1:{door.getsockname()[1]}/"
    link = url.rstrip("/") + open_link(house.app.state.pages)
    server = uvicorn.Server(uvicorn.Config(house.app, log_level="warning"))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[door])), daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    yield url, link
    house.store.close()
    server.should_exit = True
    thread.join(10)
    house.book.close()


async def _played(house: Any) -> None:
    house.say("T7/status", {"state": "online"})
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs=PAIRS)
    for n, place in enumerate(("T12", "T7")):
        started = feed.event(400, "round.started", minutes=60, deals=2)
        for event in (started, *feed.settled()):
            told = {**event, "boot": f"{event['boot']}{n or ''}", "id": f"{event['id']}{n or ''}", "table": place}
            house.store.apply(f"{feed.PREFIX}{place}/event/{event['type']}", json.dumps(told).encode(), now=time.time())
    await house.post("/round/end", "chief", anyway="1")
    await house.post("/round/publish", "chief")
    rows = [{"pair": "Rossi–Bianchi", "place": 1, "vp": 20}, {"pair": "Conti–Serra", "place": 2, "vp": 0}]
    for number in (1, 2):
        final = {"tournament": f"Serata {number}", "rows": rows}
        house.book.choices.keep_final(number, final, "la chief", now=house.at)


def opened_at(browser: Any, served: tuple[str, str], size: str, look: str) -> Any:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme=look, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(90_000)
    page.goto(served[1])
    return page


@pytest.mark.parametrize(
    ("size", "lang", "look"),
    rest_in_proof([("phone", "it", "dark"), ("tablet", "en", "light"), ("wall", "en", "dark")]),
)
def test_every_page_of_a_tournament_fits_and_axe_finds_nothing(
    served: tuple[str, str], browser: Any, size: str, lang: str, look: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    page = opened_at(browser, served, size, look)
    for path in PATHS:
        page.goto(f"{served[0]}{path}{'&' if '?' in path else '?'}lang={lang}")
        page.wait_for_selector("main :is(h1, h2)", state="attached")
        found = Axe().run(page).response["violations"]
        assert not found, (path, [(one["id"], one["nodes"][0]["html"][:120]) for one in found])
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0], path
        small = page.evaluate(SMALL)
        assert not small, (path, small)
        cut = page.evaluate(CUT)
        assert not cut, (path, "a figure that is cut reads as another one")
    page.context.close()


def test_a_ranking_on_paper_is_black_on_white_without_anything_to_touch(served: tuple[str, str], browser: Any) -> None:
    from playwright.sync_api import expect

    page = opened_at(browser, served, "tablet", "dark")
    page.emulate_media(media="print", color_scheme="dark")
    for path in ("standing", "ranking"):
        page.goto(f"{served[0]}{path}?lang=en")
        expect(page.locator("table.standing").first).to_be_visible(timeout=30_000)
        for hidden in ("header.bar", ".crumb", "main a.btn"):
            for one in page.locator(hidden).all():
                expect(one).to_be_hidden(timeout=30_000)
        told = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
        assert page.evaluate(f"({told})(document.body)") == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
        assert page.locator(".scroll").first.evaluate("e => getComputedStyle(e).overflowX") == "visible"
    page.context.close()


def test_the_keyboard_alone_proposes_a_round_of_groups(served: tuple[str, str], browser: Any) -> None:
    from playwright.sync_api import expect

    page = opened_at(browser, served, "wall", "light")
    page.goto(f"{served[0]}round?lang=en")
    for wanted in ("#seating > summary", "#movement"):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
                break
        else:
            raise AssertionError(f"the keyboard does not reach {wanted}")
        if wanted.endswith("summary"):
            page.keyboard.press("Enter")
    page.keyboard.type("Danish, no")
    page.keyboard.press("Enter")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('#seating form button')"):
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/round?movement=**")
    expect(page.locator("#seating [role=status], #seating [role=alert]")).to_be_visible(timeout=30_000)
    page.context.close()


@pytest.fixture(scope="module")
def by_arbitro() -> Iterator[tuple[str, str]]:
    """A round of two deals by a code that has no victory points for it, played and confirmed at one table."""
    yield from _serving(_played_without_points)


async def _played_without_points(house: Any) -> None:
    house.say("T12/state", feed.state(rules="feburit"))
    house.say("T7/state", feed.state(table="T7", rules="feburit"))
    await house.post("/round/start", "chief", deals="2", minutes="25", pairs="T12 Rossi–Bianchi / Verdi–Neri")
    house.say("T12/event/round.started", {**feed.event(600, "round.started", minutes=25, deals=2), "deal": None})
    for alert in (feed.ALERT, feed.EXPOSED):  # what waits for the arbitro would come before the points
        house.say(f"T12/alert/{alert['key']}", None)
    for deal in (1, 2):
        house.say("T12/event/score.counted", feed.score(600 + deal, deal, match_points={"NS": 25, "EW": -25}))
        for n, line in enumerate(("NS", "EW"), start=610 + 2 * deal):
            told = feed.sheet_event(n, "sheet.confirmed", deal, line=line, how="display")
            house.say("T12/event/sheet.confirmed", told)


@pytest.mark.parametrize("size", ["phone", "wall"])
def test_points_left_to_the_arbitro_are_entered_by_touch_and_the_next_thing_leads_there(
    by_arbitro: tuple[str, str], browser: Any, size: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect

    page = opened_at(browser, by_arbitro, size, "light")
    page.goto(f"{by_arbitro[0]}round?lang=it")
    if page.locator("#act-end > summary").count():  # no other size has ended it yet
        page.locator("#act-end > summary").click()
        page.locator("#end-round").click()
    expect(page.locator("#next-step a")).to_have_attribute("href", "/standing#points", timeout=30_000)
    page.locator("#next-step a").click()
    first = page.locator("#points li").nth(0 if size == "phone" else 1)
    first.locator("input[name=vp]").fill("12" if size == "phone" else "8")
    assert not Axe().run(page).response["violations"]
    assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0]
    assert not page.evaluate(SMALL)
    first.locator("button").click()
    expect(page.locator("#points")).to_contain_text("dati da", timeout=30_000)
    page.context.close()


SHARES = """() => { window.given = [];
  navigator.canShare = whole => whole.files.every(f => f.type === 'image/png' && f.size > 1000);
  navigator.share = whole => { window.given.push([whole.text, whole.files && whole.files.length]);
    return Promise.reject(new DOMException('', 'NotAllowedError')); }; }"""
"""A device that shares, and says that the person's touch is too long ago."""


@pytest.mark.parametrize("shares", [False, True], ids=["a browser that cannot share", "a device that refuses"])
def test_a_list_that_cannot_be_shared_from_a_phone_is_copied_and_it_says_so_where_it_was_touched(
    served: tuple[str, str], browser: Any, shares: bool
) -> None:
    page = opened_at(browser, served, "phone", "light")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=served[0].rstrip("/"))
    if shares:
        page.add_init_script(f"({SHARES})()")
    page.goto(f"{served[0]}standing?lang=it")
    for kind in ("seating", "ranking"):
        page.evaluate("navigator.clipboard.writeText('')")
        button = page.locator(f"#share-{kind}")
        assert button.inner_text() == "Condividi"
        button.click()
        page.locator(f"#shared-{kind}").get_by_text("Testo copiato: incollalo nel gruppo.").wait_for()
        text = page.evaluate(f"fetch('/reports/lists/{kind}.txt').then(answer => answer.text())")
        assert page.evaluate("navigator.clipboard.readText()").replace("\r\n", "\n") == text
        assert "Rossi–Bianchi" in text
        said = page.locator(f"#shared-{kind}").bounding_box()
        assert 0 <= said["y"] <= SIZES["phone"][1] - said["height"], "it is seen without scrolling"
        if shares:
            assert page.evaluate("window.given.pop()") == [text, 1], "the picture goes with the text"
    page.context.close()
