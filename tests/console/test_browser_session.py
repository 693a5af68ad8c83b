"""An evening of pairs in a real Chromium, from the entries to the published ranking and USEBIO, by several movements.

Three tables of a Mitchell in `make test`; in `make proof` nine tables and about 27 boards by a Mitchell of two
rankings, one of one ranking, a three-quarter Howell and a field with a pair that rests.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple
from xml.etree import ElementTree as ET

import pytest

from table_service.console import ConsoleSettings
from table_service.tournament import Offer, offers
from tests.console.evening_of_boards import HallOfBoards
from tests.console.test_browser import SIZES
from tests.console.test_browser_bridge_reports import is_fit
from tests.console.test_browser_desk import Served, pytest_conftest
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
MINUTES = 25
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


class Evening(NamedTuple):
    """A field and which of the movements that are offered it plays."""

    pairs: int
    boards: int
    one_ranking: bool = False
    choice: int = 0

    @property
    def offer(self) -> Offer:
        return offers(self.pairs, self.boards, one_ranking=self.one_ranking)[self.choice]


EVENINGS = {
    "3 tables, Mitchell": Evening(6, 9),
    "3 tables, hesitation": Evening(6, 9, choice=1),
    "9 tables, Mitchell": Evening(18, 27),
    "9 tables, Mitchell of one ranking": Evening(18, 27, one_ranking=True),
    "9 tables, three-quarter Howell": Evening(18, 27, choice=1),
    "9 tables, a pair rests": Evening(17, 27),
}


def moved(page: Any, button: str) -> None:
    """Touch a button whose answer is the round's page anew, and wait for that page.

    The open page's stream shows what was done before the answer has arrived: what it shows is no sign of the answer.
    """
    with page.expect_navigation(url="**/round", timeout=WAIT_MS):
        page.locator(button).tap()


@pytest.mark.timeout(1800)
@pytest.mark.parametrize("evening", rest_in_proof(([one] for one in EVENINGS.values()), ids=EVENINGS))
def test_an_evening_from_the_entries_to_the_published_ranking(
    served: Served, browser: Any, evening: list[Evening]
) -> None:
    from playwright.sync_api import expect

    (plan,) = evening
    offer = plan.offer
    movement, tables = offer.movement, offer.movement.tables
    pairs = [f"Rossi {n}–Bianchi {n}" for n in range(1, plan.pairs + 1)]
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
    page.locator("#session-count").fill(str(plan.boards))
    page.locator("#one-ranking").set_checked(plan.one_ranking)
    page.locator("#offer-movements").tap()
    expect(page.locator("#offers")).to_contain_text(offer.cost[0], timeout=WAIT_MS)
    is_fit(page)
    page.locator(f"#offer-{plan.choice}").check()
    page.locator("#offers input[name=lot]").uncheck()
    page.locator("#choose-movement").tap()
    expect(page.locator("#session-name")).to_have_text(offer.name[0], timeout=WAIT_MS)
    orders: list[dict[str, Any]] = []
    played: list[tuple[str, str, int]] = []
    for number, sittings in enumerate(movement.rounds, 1):
        page.goto(served.url + "round?lang=it")
        expect(page.locator("#session")).to_contain_text(f"Turno {number} di {len(movement.rounds)}", timeout=WAIT_MS)
        if number == 1:
            is_fit(page)
        page.locator("#start-round details.act > summary").tap()
        moved(page, "#start-round details.act button")
        expect(page.locator("#act-end")).to_be_visible(timeout=WAIT_MS)
        page.goto("about:blank")  # else each event of all tables makes the open page anew
        orders += served.do(hall.carry)
        for sitting in sittings:
            boards = served.do(lambda table=sitting.table: hall.play(f"T{table}"))
            assert boards == list(offer.boards(sitting.set))
            played += [(pairs[sitting.ns - 1], pairs[sitting.ew - 1], board) for board in boards]
        page.goto(served.url + "round?lang=it")
        page.locator("#act-end > summary").tap()
        moved(page, "#end-round")
        expect(page.locator("#act-end")).to_have_count(0, timeout=WAIT_MS)
        served.do(hall.carry)
        served.house.at += MINUTES * 60
    assert [one["do"] for one in orders] == ["start-round"] * sum(len(sittings) for sittings in movement.rounds)
    page.goto(served.url + "round?lang=it")
    page.locator("#publish").tap()
    expect(page.locator("#unpublish")).to_be_visible(timeout=WAIT_MS)
    everybody = browser.new_context(viewport={"width": SIZES["phone"][0], "height": SIZES["phone"][1]}).new_page()
    everybody.goto(served.url + "ranking?lang=it")
    rows = everybody.locator("table.standing tbody tr:not(.group)")
    rankings = 2 if movement.has_two_rankings else 1
    expect(rows).to_have_count(len(pairs), timeout=WAIT_MS)
    expect(everybody.locator("table.standing tr.group")).to_have_count(rankings if rankings > 1 else 0, timeout=WAIT_MS)
    is_fit(everybody)
    percent = [float(rows.nth(n).locator("b").inner_text().replace(",", ".")) for n in range(len(pairs))]
    halves = [percent] if rankings == 1 else [percent[:tables], percent[tables:]]
    for line in halves:
        assert line == sorted(line, reverse=True)
    if len(pairs) == 2 * tables:
        assert [sum(line) / len(line) for line in halves] == pytest.approx([50] * rankings, abs=0.01)
    root = ET.fromstring(page.request.get(served.url + "reports/event/standing.xml").text())  # noqa: S314 - our own file
    names = {
        one.findtext("PAIR_NUMBER"): " - ".join(it.text or "" for it in one.iter("PLAYER_NAME"))
        for one in root.iter("PAIR")
    }
    told = {
        (
            names[line.findtext("NS_PAIR_NUMBER")],
            names[line.findtext("EW_PAIR_NUMBER")],
            int(board.findtext("BOARD_NUMBER", "")),
        )
        for board in root.iter("BOARD")
        for line in board.findall("TRAVELLER_LINE")
    }
    assert told == {(ns.replace("–", " - "), ew.replace("–", " - "), board) for ns, ew, board in played}
    assert sorted(float(one.findtext("PERCENTAGE", "")) for one in root.iter("PAIR")) == pytest.approx(sorted(percent))
    everybody.context.close()
    context.close()
