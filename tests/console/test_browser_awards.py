"""The form of adjusted scores in a real Chromium: chosen by touch, entered, undone; axe finds nothing."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from table_service.console import ConsoleSettings
from tests.console.bridge_hall import evening
from tests.console.test_browser import SIZES, SMALL
from tests.console.test_browser_desk import Served, pytest_conftest
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
WAIT = 30_000


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    module: Any = sys.modules[pytest_conftest()]
    house = module.House(ConsoleSettings(undo=60))
    house.office.clock = time.time
    house.at = time.time()
    evening(house)
    made = Served(house)
    yield made
    made.close()
    house.book.close()


@pytest.mark.parametrize(("size", "language"), rest_in_proof([("phone", "it"), ("tablet", "en")]))
def test_an_artificial_score_is_chosen_entered_and_undone(
    served: Served, browser: Any, size: str, language: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import expect

    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.door)
    page.goto(served.url + f"awards?table=T2&number=3&lang={language}")
    expect(page.locator("#award-table")).to_have_value("T2", timeout=WAIT)
    expect(page.locator("#award-number")).to_have_value("3", timeout=WAIT)
    expect(page.locator("#NS-1-contract")).to_be_hidden(timeout=WAIT)
    page.locator("#fault-EW").select_option("directly")
    page.locator("#award-article").fill("12C2")
    page.locator("#award-reason").fill("score aperto")
    assert page.evaluate(SMALL) == []
    assert Axe().run(page).response["violations"] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.locator("#enter-award").tap()
    row = page.locator(".awards > li").first
    expect(row).to_contain_text("60 % – 40 %", timeout=WAIT)
    row.get_by_role("button").tap()
    expect(row).to_have_class(re.compile(r"\bgone\b"), timeout=WAIT)
    context.close()


def test_a_weighted_score_has_its_rows_and_what_is_wrong_is_said(served: Served, browser: Any) -> None:
    from playwright.sync_api import expect

    width, height = SIZES["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.door)
    page.goto(served.url + "awards?table=T1&number=1&lang=it")
    page.locator("label:has(#kind-result)").tap()
    expect(page.locator("#fault-NS")).to_be_hidden(timeout=WAIT)
    for row, result, weight in ((1, "=", "60"), (2, "-1", "")):
        page.locator(f"#NS-{row}-contract").select_option("4S")
        page.locator(f"#NS-{row}-by").select_option("S")
        page.locator(f"#NS-{row}-result").fill(result)
        page.locator(f"#NS-{row}-weight").fill(weight)
    assert page.evaluate(SMALL) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.locator("#award-article").fill("12C1c")
    page.locator("#award-reason").fill("danno")
    page.locator("#enter-award").tap()
    expect(page.locator("#sorry")).to_contain_text("ognuno ha il suo peso", timeout=WAIT)
    page.locator("#NS-2-weight").fill("40")
    page.locator("#enter-award").tap()
    expect(page.locator(".awards > li").first).to_contain_text("60 % 4♠ S =, 40 % 4♠ S -1", timeout=WAIT)
    context.close()
