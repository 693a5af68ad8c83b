"""An evening of a Mitchell in a real Chromium, from the entries to the published ranking and USEBIO.

Three tables and nine boards in `make test`, nine tables and 27 boards in `make proof`.
"""

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
from tests.sweeps import rest_in_proof

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]
MINUTES = 25
BOARDS_A_ROUND = 3
WAIT_MS = 120_000


@pytest.fixture
def served() -> Iterator[Served]:
    module: Any = sys.modules[pytest_conftest()]
    house = module.House(ConsoleSettings(undo=0))
    house.at = time.time() - 9 * MINUTES * 60
    made = Served(house)
    yield made
    made.close()
    house.book.close()


@pytest.mark.timeout(900)
@pytest.mark.parametrize("tables", rest_in_proof([3, 9]))
def test_an_evening_from_the_entries_to_the_published_ranking(served: Served, browser: Any, tables: int) -> None:
    from playwright.sync_api import expect

    pairs = [f"Rossi {n}–Bianchi {n}" for n in range(1, 2 * tables + 1)]
    boards = BOARDS_A_ROUND * tables
    hall = HallOfBoards(served.house)
    served.do(lambda: hall.open(tables))
    width, height = SIZES["tablet"]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(WAIT_MS)
    page.goto(served.door)
    page.goto(served.url + "round?lang=it")
    page.locator("#session > summary").tap()
    page.locator("#session-entries").fill("\n".join(pairs))
    page.locator("#session-count").fill(str(boards))
    page.locator("#offer-movements").tap()
    expect(page.locator("#offers")).to_contain_text(
        f"{tables} tavoli, {tables} turni da 3 board; ognuna gioca {boards} board su {boards}", timeout=WAIT_MS
    )
    is_fit(page)
    page.locator("#offer-0").check()
    page.locator("#offers input[name=lot]").uncheck()
    page.locator("#choose-movement").tap()
    expect(page.locator("#session-name")).to_have_text("Mitchell", timeout=WAIT_MS)
    orders: list[dict[str, Any]] = []
    for number in range(1, tables + 1):
        page.goto(served.url + "round?lang=it")
        expect(page.locator("#session")).to_contain_text(f"Turno {number} di {tables}", timeout=WAIT_MS)
        if number == 1:
            is_fit(page)
        page.locator("#start-round details.act > summary").tap()
        page.locator("#start-round details.act button").tap()
        expect(page.locator("#act-end")).to_be_visible(timeout=WAIT_MS)
        page.goto("about:blank")  # else each event of all tables makes the open page anew
        orders += served.do(hall.carry)
        for place in hall.tables:
            assert len(served.do(lambda place=place: hall.play(place))) == BOARDS_A_ROUND
        page.goto(served.url + "round?lang=it")
        page.locator("#act-end > summary").tap()
        page.locator("#end-round").tap()
        expect(page.locator("#act-end")).to_have_count(0, timeout=WAIT_MS)
        served.do(hall.carry)
        served.house.at += MINUTES * 60
    assert [one["do"] for one in orders] == ["start-round"] * tables**2
    page.goto(served.url + "round?lang=it")
    page.locator("#publish").tap()
    expect(page.locator("#unpublish")).to_be_visible(timeout=WAIT_MS)
    everybody = browser.new_context(viewport={"width": SIZES["phone"][0], "height": SIZES["phone"][1]}).new_page()
    everybody.goto(served.url + "ranking?lang=it")
    rows = everybody.locator("table.standing tbody tr:not(.group)")
    expect(rows).to_have_count(len(pairs), timeout=WAIT_MS)
    expect(everybody.locator("table.standing tr.group")).to_have_count(2, timeout=WAIT_MS)
    is_fit(everybody)
    percent = [float(rows.nth(n).locator("b").inner_text().replace(",", ".")) for n in range(len(pairs))]
    for line in (percent[:tables], percent[tables:]):
        assert line == sorted(line, reverse=True)
        assert sum(line) / tables == pytest.approx(50, abs=0.01)
    root = ET.fromstring(page.request.get(served.url + "reports/event/standing.xml").text())  # noqa: S314 - our own file
    assert [len(board.findall("TRAVELLER_LINE")) for board in root.iter("BOARD")] == [tables] * boards
    assert sorted(float(one.findtext("PERCENTAGE", "")) for one in root.iter("PAIR")) == pytest.approx(sorted(percent))
    everybody.context.close()
    context.close()
