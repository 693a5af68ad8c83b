"""An alert's pictures in a real Chromium, from a real table's disk over a real broker: fetched, checked, enlarged."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.observations import SightedCard
from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.console.vocabulary import Words
from table_service.evidence import Picture
from table_service.publish import Broker, BrokerAddress, BrokerError, start_broker
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
LOADED = (
    "[...document.querySelectorAll('.pictures img')].filter(i => i.complete && i.naturalWidth === 1080).length === 3"
)
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
    address = {"broker_host": broker.host, "broker_port": broker.port, "embedded": broker.kind == "embedded"}
    with serving(ConsoleSettings(open_link=True, undo=0, **address)) as running:  # type: ignore[arg-type]
        yield running


def until(page: Any, wanted: str) -> None:
    """Wait until ``wanted`` (JavaScript) holds."""
    for _ in range(1500):
        if page.evaluate(wanted):
            return
        page.wait_for_timeout(20)
    raise AssertionError(wanted)


def film(service: TableService, t: float) -> None:
    """A picture of the table every half second around ``t``: a felt, and a card where it was exposed."""
    for n in range(-12, 13):
        pixels = np.full((1080, 1080, 3), (60, 90, 20), np.uint8)
        pixels[400:520, 300 + 20 * n : 390 + 20 * n] = 240
        seen = (SightedCard("6H", "table", -80.0, 30.0, 0.0, "up", 0.99),)
        service.frame(Picture.of(f"000001-{n + 12:06d}", t + n / 2, pixels, seen, (), DEFAULT_LAYOUT))


@pytest.fixture(scope="module")
def table(broker: Broker, console: RunningConsole, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A real table's service in the moment after a card was exposed, and the alert's key."""
    rehearsal = prepare("fibur2024", 53, 1, ("F-24a",), table="T1")
    folder, now = tmp_path_factory.mktemp("table"), [0.0]
    service = TableService(
        rehearsal.header,
        "sala",
        TableFiles.under(folder, "T1"),
        BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded"),
        lambda: now[0],
        console_keys={"*": console.office.public_key},
    )
    service.start()
    assert service.publisher.wait_connected(20)
    key = ""
    for observation in rehearsal.observations():
        now[0] = observation.t
        for event in service.observe(observation):
            if event.type == "irregularity":
                key, fact = event.data.key, event.data.committed_t  # type: ignore[attr-defined]
        if key:
            break
    assert key
    film(service, fact)
    for _ in range(3000):  # what was played in a moment takes the broker longer
        if key in console.store.tables["T1"].alerts:
            break
        time.sleep(0.02)
    yield service, key, folder
    service.close(1.0)


@pytest.fixture(params=rest_in_proof(["phone", "tablet", "wall"]))
def page(request: pytest.FixtureRequest, console: RunningConsole, browser: Any) -> Iterator[Any]:
    width, height = SIZES[request.param]
    dark = "dark" if request.param == "tablet" else "light"
    context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=dark, has_touch=True)
    opened = context.new_page()
    opened.goto(console.door)
    yield opened
    context.close()


def test_pictures_come_from_the_table_when_somebody_looks_and_are_enlarged_by_touch_and_keyboard(
    console: RunningConsole, table: Any, page: Any
) -> None:
    service, key, _ = table
    page.goto(f"{console.url}table/T1/alert/{key}")
    until(page, LOADED)
    alts = page.eval_on_selector_all(".pictures img", "all => all.map(i => i.alt)")
    assert [alt.split(",")[0] for alt in alts] == ["Il tavolo dall’alto"] * 3
    assert page.locator(".pictures figcaption b").all_inner_texts() == ["Prima", "Al fatto", "Dopo"]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    box = page.locator("a.zoom").nth(1)
    box.scroll_into_view_if_needed()
    box.tap()
    image = page.locator("dialog.zoom-box img")
    image.wait_for()
    assert page.evaluate("document.querySelector('.zoom-box img').alt").startswith("Il tavolo dall’alto")
    page.wait_for_selector(".zoom-box img.large")  # it begins at the fact
    image.tap()
    page.wait_for_selector(".zoom-box img:not(.large)")
    image.tap()
    page.wait_for_selector(".zoom-box img.large")
    page.keyboard.press("ArrowLeft")
    assert "Prima" in page.inner_text(".zoom-box p[role=status]")
    assert page.locator(".zoom-prev").is_disabled()
    page.keyboard.press("0")
    page.wait_for_selector(".zoom-box img:not(.large)")
    page.keyboard.press("+")
    page.wait_for_selector(".zoom-box img.large")
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.zoom-box", state="hidden")
    assert page.evaluate("document.activeElement.matches('a.zoom')"), "the keyboard is back where it was"
    asked = [note for note in service.journal.notes("command") if note["do"] == "evidence"]
    assert len(asked) == 3, "each once, however many look"
    assert {note["by"] for note in asked} == {"demo"}


def test_the_film_is_stepped_and_played_by_keyboard_and_moves_nothing_beside_it(
    console: RunningConsole, table: Any, page: Any
) -> None:
    page.goto(f"{console.url}table/T1/alert/{table[1]}?lang=en")
    until(page, LOADED)
    page.locator("details.film summary").press("Enter")
    until(page, "document.querySelector('.film-window img').naturalWidth > 1080")
    top = "document.querySelector('{}').getBoundingClientRect().top"
    assert page.evaluate(f"{top.format('.film')} > {top.format('.pictures')}"), "it stands under the stills"
    below = "document.querySelector('.film-acts').getBoundingClientRect().top + scrollY"
    stood = page.evaluate(below)
    slider = page.locator("details.film input")
    assert page.inner_text("details.film output") == "at the moment of the fact"
    slider.press("ArrowRight")
    assert page.inner_text("details.film output") == "0.5 s after the fact"
    assert slider.get_attribute("aria-valuetext") == "0.5 s after the fact"
    moved = page.evaluate("document.querySelector('.film-window img').style.transform")
    slider.press("End")
    page.locator("details.film button").press("Enter")
    until(page, "document.querySelector('details.film input').value > 0")
    page.locator("details.film button").press("Enter")
    at = slider.input_value()
    page.wait_for_timeout(900)
    assert slider.input_value() == at, "it stands where it was stopped"
    assert page.evaluate("document.querySelector('.film-window img').style.transform") != moved
    assert page.evaluate(below) == stood
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    for part in ("details.film summary", "details.film button", "details.film input"):
        assert page.locator(part).bounding_box()["height"] >= 43.5, part


def test_axe_finds_nothing_with_the_pictures_open(console: RunningConsole, table: Any, page: Any) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for language in ("it", "en"):
        page.goto(f"{console.url}table/T1/alert/{table[1]}?lang={language}")
        until(page, LOADED)
        page.locator("details.film summary").press("Enter")
        until(page, "document.querySelector('.film-window img').naturalWidth > 1080")
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found] == []
        page.locator("a.zoom").first.press("Enter")
        page.wait_for_selector("dialog.zoom-box[open]")
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found] == []


def test_pruned_and_tampered_pictures_and_a_table_out_of_reach_are_said_in_the_pictures_place(
    console: RunningConsole, table: Any, browser: Any
) -> None:
    service, _, folder = table
    words = Words("it")
    told = {"key": "other", "boot": service.journal.boot, "done": True, "missing": []}
    shots = []
    for n, moment in enumerate(("before", "at", "after")):
        jpeg = bytes([n]) * 50
        about = {"moment": moment, "dt": float(n - 1), "covered": False}
        note = service.evidence.keep(jpeg, ref=f"o-{n}", at=1.8e9, about=about)
        shots.append({"kind": "frame", **note})
    (folder / "evidence" / "o-0.jpg").write_bytes(b"another")
    (folder / "evidence" / "o-1.jpg").unlink()
    service.publisher.pictures("other", {**told, "pictures": shots})
    service.publisher.alerts({"other": {"key": "other", "row": "F-24a", "severity": "note", "title": {"it": "Prova"}}})
    context = browser.new_context()
    page = context.new_page()
    page.goto(console.door)
    try:
        for _ in range(40):
            page.goto(f"{console.url}table/T1/alert/other")
            if page.locator(".pictures figure").count() == 3:
                break
            page.wait_for_timeout(100)
        page.get_by_text(words["why_changed"]).wait_for(timeout=20_000)
        page.get_by_text(words["why_gone"]).wait_for(timeout=20_000)
    finally:
        service.tell_state()
        context.close()
