"""A table of tarocco under an arbitro's finger, in a real Chromium: two touches for what was said, cards by keys."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any

import pytest

from table_service.console import ConsoleSettings
from tests.console.test_browser import SIZES, SMALL
from tests.console.test_browser_desk import Served, pytest_conftest, until
from tests.games.tarocco.table_of_tarocco import N, hands_with, opening, told, trick
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
feed: Any = sys.modules["console_feed"]
ALERT = {**feed.ALERT, "key": "r1d1-1", "row": "T13b", "article": "13, 17", "evidence": [], "remedy": []}


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    module: Any = sys.modules[pytest_conftest()]
    house = module.House(ConsoleSettings(undo=0))
    house.office.clock = time.time
    house.at = time.time()
    state = told([*opening(hands_with({N: "KC t18"})), *trick("KC")]).fold.state()
    house.say("T8/status", {"state": "ready", "boot": "00000a"})
    house.say("T8/state", {**state, "table": "T8"})
    house.say("T8/alert/r1d1-1", ALERT)
    made = Served(house)
    yield made
    made.close()
    house.book.close()


@pytest.fixture(params=rest_in_proof(["phone", "tablet"]))
def page(served: Served, browser: Any, request: Any) -> Iterator[Any]:
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.goto(served.door)
    yield opened
    context.close()


def test_what_was_said_is_entered_by_two_touches(served: Served, page: Any) -> None:
    page.goto(served.url + "table/T8?lang=it")
    before = len(served.orders())
    page.locator("#said > summary").tap()
    page.locator("#said-busso-N").tap()
    for _ in range(500):
        if len(served.orders()) > before:
            break
        page.wait_for_timeout(20)
    order = served.orders()[-1]
    assert (order["do"], order["what"], order["seat"]) == ("said", "busso", "N")
    assert page.evaluate(SMALL) == []


def test_cards_are_picked_by_the_keys_of_the_pack_and_nothing_is_wider_than_the_page(served: Served, page: Any) -> None:
    page.goto(served.url + "table/T8/alert/r1d1-1?lang=it")
    page.locator("#precise > summary").tap()
    page.locator(".picker button", has_text="R").first.tap()
    page.locator(".picker button", has_text="coppe").tap()
    page.locator(".picker button", has_text="Matto").tap()
    assert page.input_value("#cards") == "KC mat"
    until(page, "document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    assert page.evaluate(SMALL) == []
