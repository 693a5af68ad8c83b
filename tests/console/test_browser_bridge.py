"""A table of bridge under an arbitro's finger, in a real Chromium: the result in two touches, and what must be led."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from table_service.console import ConsoleSettings
from tests.console.test_browser import SIZES, SMALL
from tests.console.test_browser_desk import Served, pytest_conftest
from tests.games.bridge.test_ruled_duties import choice_of, easts_second_lead
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    module: Any = sys.modules[pytest_conftest()]
    house = module.House(ConsoleSettings(undo=0))
    house.office.clock = time.time
    house.at = time.time()
    table = easts_second_lead(record=True, aside=("4H", "3H"))
    table.console("rule", key=choice_of(table), option="forbid-H")
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**table.fold.state(), "table": "T8"})
    made = Served(house)
    yield made
    made.close()
    house.book.close()


@pytest.mark.parametrize(("size", "language"), rest_in_proof([("phone", "it"), ("tablet", "en"), ("wall", "it")]))
def test_the_result_is_stated_by_two_touches_and_axe_finds_nothing(
    served: Served, browser: Any, size: str, language: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe

    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.door)
    page.goto(served.url + f"table/T8?lang={language}")
    assert {"it": "Non può uscire a ♥", "en": "May not lead ♥"}[language] in page.inner_text(".won-tricks")
    if size == "phone":  # the table comes before the forms
        tops = page.evaluate("['.board-wrap', '#stated-result'].map(e => document.querySelector(e).offsetTop)")
        assert tops == sorted(tops)
    before = len(served.orders())
    page.locator("#stated-result > summary").tap()
    assert page.evaluate(SMALL) == []
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    page.locator("#stated-result-9").tap()
    for _ in range(500):
        if len(served.orders()) > before:
            break
        page.wait_for_timeout(20)
    order = served.orders()[-1]
    assert (order["do"], order["zone"], order["tricks"]) == ("correct", "result", 9)
    context.close()


def test_a_card_of_a_trick_is_picked_by_touch(served: Served, browser: Any) -> None:
    width, height = SIZES["phone"]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(served.door)
    page.goto(served.url + "table/T8?lang=it")
    before = len(served.orders())
    page.locator("#card-of-trick > summary").tap()
    picker = page.locator("#card-of-trick .picker")
    picker.get_by_role("button", name="7", exact=True).tap()
    picker.get_by_role("button", name="♦", exact=True).tap()
    assert page.evaluate(SMALL) == []
    page.locator("#trick-number").fill("1")
    page.locator("#card-of-trick-W").tap()
    for _ in range(500):
        if len(served.orders()) > before:
            break
        page.wait_for_timeout(20)
    order = served.orders()[-1]
    assert (order["do"], order["zone"], order["n"], order["cards"]) == ("correct", "played-W", 1, ["7D"])
    context.close()
