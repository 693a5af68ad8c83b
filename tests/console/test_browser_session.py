"""An evening of 9 tables and 27 boards in a real Chromium, from the entries to the published ranking and USEBIO."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from table_service.console import ConsoleSettings
from tests.console.evening_of_boards import HallOfBoards
from tests.console.test_browser import SIZES
from tests.console.test_browser_bridge_reports import is_fit
from tests.console.test_browser_desk import Served, pytest_conftest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
PAIRS = [f"Rossi {n}–Bianchi {n}" for n in range(1, 19)]
ROUNDS, BOARDS, MINUTES = 9, 27, 25
WAIT_MS = 120_000


@pytest.fixture
def served() -> Iterator[Served]:
    module: Any = sys.modules[pytest_conftest()]
    house = module.House(ConsoleSettings(undo=0))
    house.at = time.time() - ROUNDS * MINUTES * 60
    made = Served(house)
    yield made
    made.close()
    house.book.close()


@pytest.mark.timeout(900)
def test_an_evening_from_the_entries_to_the_published_ranking(served: Served, browser: Any) -> None:
    from playwright.sync_api import expect

    hall = HallOfBoards(served.house)
    served.do(lambda: hall.open(9))
    width, height = SIZES["tablet"]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(served.door)
    page.goto(served.url + "round?lang=it")
    page.locator("#session > summary").tap()
    page.locator("#session-entries").fill("\n".join(PAIRS))
    page.locator("#session-count").fill(str(BOARDS))
    page.locator("#offer-movements").tap()
    expect(page.locator("#offers")).to_contain_text(
        "9 tavoli, 9 turni da 3 board; ognuna gioca 27 board su 27", timeout=WAIT_MS
    )
    is_fit(page)
    page.locator("#offer-0").check()
    page.locator("#offers input[name=lot]").uncheck()
    page.locator("#choose-movement").tap()
    expect(page.locator("#session-name")).to_have_text("Mitchell", timeout=WAIT_MS)
    orders: list[dict[str, Any]] = []
    for number in range(1, ROUNDS + 1):
        page.goto(served.url + "round?lang=it")
        expect(page.locator("#session")).to_contain_text(f"Turno {number} di {ROUNDS}", timeout=WAIT_MS)
        if number == 1:
            is_fit(page)
        page.locator("#start-round details.act > summary").tap()
        page.locator("#start-round details.act button").tap()
        expect(page.locator("#act-end")).to_be_visible(timeout=WAIT_MS)
        page.goto("about:blank")  # else each event of 9 tables makes the open page anew
        orders += served.do(hall.carry)
        for place in hall.tables:
            assert len(served.do(lambda place=place: hall.play(place))) == 3
        page.goto(served.url + "round?lang=it")
        page.locator("#act-end > summary").tap()
        page.locator("#end-round").tap()
        expect(page.locator("#act-end")).to_have_count(0, timeout=WAIT_MS)
        served.do(hall.carry)
        served.house.at += MINUTES * 60
    assert [one["do"] for one in orders] == ["start-round"] * ROUNDS * 9
    page.goto(served.url + "round?lang=it")
    page.locator("#publish").tap()
    expect(page.locator("#unpublish")).to_be_visible(timeout=WAIT_MS)
    everybody = browser.new_context(viewport={"width": SIZES["phone"][0], "height": SIZES["phone"][1]}).new_page()
    everybody.goto(served.url + "ranking?lang=it")
    rows = everybody.locator("table.standing tbody tr:not(.group)")
    expect(rows).to_have_count(len(PAIRS), timeout=WAIT_MS)
    expect(everybody.locator("table.standing tr.group")).to_have_count(2, timeout=WAIT_MS)
    is_fit(everybody)
    percent = [float(rows.nth(n).locator("b").inner_text().replace(",", ".")) for n in range(len(PAIRS))]
    for line in (percent[:9], percent[9:]):
        assert line == sorted(line, reverse=True)
        assert sum(line) / 9 == pytest.approx(50, abs=0.01)
    root = ET.fromstring(page.request.get(served.url + "reports/event/standing.xml").text())  # noqa: S314 - our own file
    assert [len(board.findall("TRAVELLER_LINE")) for board in root.iter("BOARD")] == [9] * BOARDS
    assert sorted(float(one.findtext("PERCENTAGE", "")) for one in root.iter("PAIR")) == pytest.approx(sorted(percent))
    everybody.context.close()
    context.close()
