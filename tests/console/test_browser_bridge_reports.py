"""Reports of bridge in a real Chromium: read at every size, in both languages and looks; a board ordered with a file.

What is sealed is opened with a key file that the page reads.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from table_service.console import ConsoleSettings
from tests.console.bridge_hall import arbitro_key, evening, table_key
from tests.console.test_browser import SIZES, SMALL
from tests.console.test_browser_desk import Served, pytest_conftest
from tests.games.bridge.test_deal_order import file_of
from tests.sweeps import rest_in_proof

WAIT_MS = 30_000
"""A page's own script is waited for with `expect`: `wait_for_function` asks the page to evaluate a string, which its
content security policy refuses at the second look."""

pytestmark = pytest.mark.slow
LOOKS = [("phone", "it", "dark"), ("tablet", "en", "light"), ("wall", "it", "light")]
"""Sizes, languages and looks; the first in `make test`, all in `make proof`."""


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    module: Any = sys.modules[pytest_conftest()]
    house = module.House(ConsoleSettings(undo=0))
    house.office.clock = time.time
    house.at = time.time() - 3600
    evening(house)
    made = Served(house)
    yield made
    made.close()
    house.book.close()


@pytest.fixture
def page(served: Served, browser: Any, request: pytest.FixtureRequest) -> Iterator[Any]:
    size, theme = getattr(request, "param", ("tablet", "light"))
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height}, has_touch=True, color_scheme=theme, accept_downloads=True
    )
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.goto(served.door)
    yield opened
    context.close()


def deal_of(served: Served) -> str:
    sql = "select boot, seq from event where place = 'T1' and deal = 1 and type = 'deal.started'"
    row = served.do(lambda: served.house.book.database.one(sql))
    return f"archive/T1/{row['boot']}/{row['seq']}"


def is_fit(page: Any) -> None:
    """No finding of axe, nothing that a finger misses, no page that is wider than the screen."""
    from axe_playwright_python.sync_playwright import Axe

    assert page.evaluate(SMALL) == []
    found = Axe().run(page).response["violations"]
    assert [(one["id"], one["nodes"][0]["html"][:160]) for one in found] == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def unseal(served: Served, page: Any, folder: Path, language: str) -> None:
    """Open the tempo log of the first board with a key file."""
    from playwright.sync_api import expect

    key = folder / "arbitro.key"
    key.write_text(arbitro_key() + "\n")
    page.goto(f"{served.url}{deal_of(served)}/report/tempo?lang={language}")
    page.fill("#unseal-reason", "protest of East")
    page.set_input_files("#unseal-file", str(key))
    expect(page.locator("#unseal-key")).to_have_value(re.compile(r"^\s*\S{64}\s*$"), timeout=WAIT_MS)
    page.fill("#unseal-table", table_key("T1"))
    page.click("#unseal-open")
    page.wait_for_selector("#report table.log")


@pytest.mark.parametrize(
    ("page", "language"),
    rest_in_proof([((size, theme), language) for size, language, theme in LOOKS]),
    indirect=["page"],
)
def test_every_report_can_be_read_at_every_size_in_both_languages_and_looks(
    served: Served, page: Any, language: str, tmp_path: Path
) -> None:
    deal = deal_of(served)
    page.goto(f"{served.url}{deal}")
    of_deal = page.evaluate("[...document.querySelectorAll('[id^=report-]')].map(e => e.getAttribute('href').slice(1))")
    page.goto(f"{served.url}standing")
    of_round = page.evaluate(
        "[...document.querySelectorAll('[id^=round-], [id^=event-]')].map(e => e.getAttribute('href').slice(1))"
    )
    paths = ["standing", *of_round, deal, *of_deal]
    assert len(paths) > 8, paths
    for path in paths:
        page.goto(f"{served.url}{path}{'&' if '?' in path else '?'}lang={language}")
        is_fit(page)
    unseal(served, page, tmp_path, language)
    assert {"it": "Le quattro mani", "en": "The four hands"}[language] in page.inner_text("#report")
    is_fit(page)


def test_a_board_is_ordered_with_a_file_whose_cards_the_page_never_shows(
    served: Served, page: Any, tmp_path: Path
) -> None:
    from playwright.sync_api import expect

    text, _ = file_of(3, 4, 5)
    (tmp_path / "boards.pbn").write_text(text)
    page.goto(f"{served.url}table/T1?lang=en")
    page.locator("#acts > summary").tap()
    page.locator("#act-deal > summary").tap()
    page.fill("#deal-board", "4")
    page.set_input_files("#deal-file", str(tmp_path / "boards.pbn"))
    expect(page.locator("#deal-record")).to_have_value(re.compile(r".{100}", re.DOTALL), timeout=WAIT_MS)
    is_fit(page)
    before = {one["id"] for one in served.orders()}
    page.locator("#give-deal").tap()
    for _ in range(500):
        if {one["id"] for one in served.orders()} - before:
            break
        page.wait_for_timeout(20)
    order = next(one for one in served.orders() if one["id"] not in before)
    assert (order["do"], order["board"], order["dealer"], order["vulnerable"]) == ("deal", 4, "W", "both")
    hands = [line.split('"')[1] for line in text.splitlines() if line.startswith("[Deal ")]
    assert hands[1] in order["record"]
    assert not any(hand in page.inner_text("body") for deal in hands for hand in deal.split())
    page.goto(f"{served.url}table/T2?lang=en")
    assert "3 boards (3, 4, 5)" in page.text_content("#order-deal")


def test_a_wrong_number_is_told_in_the_strip_and_nothing_is_ordered(served: Served, page: Any) -> None:
    page.goto(f"{served.url}table/T3?lang=it")
    page.locator("#acts > summary").tap()
    page.locator("#act-deal > summary").tap()
    page.fill("#deal-board", "abc")
    before = {one["id"] for one in served.orders()}
    page.locator("#give-deal").tap()
    page.wait_for_selector("#sorry .sorry")
    assert "non è il numero di un board" in page.inner_text("#sorry")
    assert {one["id"] for one in served.orders()} == before, "one that waits for its answer is sent again"


def test_papers_and_pbn_are_downloaded(served: Served, page: Any) -> None:
    page.goto(f"{served.url}reports/round/hands?lang=en")
    for button, ending in (("#report-pdf", "pdf"), ("#report-pbn", "pbn")):
        with page.expect_download() as waiting:
            page.locator(button).tap()
        assert waiting.value.suggested_filename == f"tavolo-hands-1.{ending}"
