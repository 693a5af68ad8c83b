"""A ruling of an earlier deal is reversed in a real Chromium, over a real broker, at a real table's service."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.publish import Broker, BrokerAddress, BrokerError, start_broker
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService
from tests.sweeps import rest_in_proof

pytestmark = pytest.mark.slow
SIZES = {"phone": (390, 844), "tablet": (1024, 768)}


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


@pytest.fixture(params=rest_in_proof(SIZES))
def page(request: pytest.FixtureRequest, console: RunningConsole, browser: Any) -> Iterator[Any]:
    width, height = SIZES[request.param]
    context = browser.new_context(viewport={"width": width, "height": height}, has_touch=True)
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.goto(console.door)
    yield opened
    context.close()


@pytest.fixture
def table(
    request: pytest.FixtureRequest, broker: Broker, console: RunningConsole, page: Any, tmp_path: Any
) -> Iterator[Any]:
    """A table at which a pause was ruled to cost points, by touch, and the next deal has been played since."""
    name = f"T-{request.node.callspec.params['page']}"
    rehearsal = prepare("tarocco", 7, 2, ("T12",), table=name)
    now, key = [0.0], ""
    service = TableService(
        rehearsal.header,
        "sala",
        TableFiles.under(tmp_path, name),
        BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded"),
        lambda: now[0],
        console_keys={"*": console.office.public_key},
    )
    service.start()
    assert service.publisher.wait_connected(20)
    for observation in rehearsal.observations():
        now[0] = observation.t
        for event in service.observe(observation):
            if event.type == "irregularity" and not key:
                key = event.data.key  # type: ignore[attr-defined]
                rule(console, page, name, key)
    yield service, name, key
    service.close(1.0)


def rule(console: RunningConsole, page: Any, name: str, key: str) -> None:
    """The alert is ruled: points."""
    for _ in range(3000):
        if name in console.store.tables and key in console.store.tables[name].alerts:
            break
        time.sleep(0.02)
    page.goto(f"{console.url}table/{name}/alert/{key}")
    page.locator("button.option[value=points]").tap()
    page.wait_for_selector("#act-reverse")


def test_what_a_reversal_changes_is_read_before_it_is_signed(console: RunningConsole, table: Any, page: Any) -> None:
    service, name, key = table
    before = service.table.table.sheets.by_deal[1].data.lines["NS"]["items"]["penalty"]
    assert before == -50
    page.goto(f"{console.url}table/{name}/alert/{key}")
    page.locator("#act-reverse summary").tap()
    assert page.locator("#reverse").count() == 0
    page.locator("#foresee").tap()
    page.wait_for_selector("#changes li")
    told = page.locator("#changes li").all_inner_texts()
    assert any("smazzata 1" in one and "da -50 a 0" in one for one in told), told
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing is wider than the screen"
    page.locator("#reason").fill("Ricorso accolto")
    page.locator("#reverse").tap()
    page.wait_for_selector("text=Ricorso accolto")
    for _ in range(1500):
        if service.table.table.sheets.by_deal[1].data.lines["NS"]["items"]["penalty"] == 0:
            break
        page.wait_for_timeout(20)
    assert service.table.table.sheets.by_deal[1].data.lines["NS"]["items"]["penalty"] == 0
    page.wait_for_selector(".order.done")
    page.wait_for_selector("text=archiviata")
