"""A game from outside in a hall: from gestures over journal and MQTT to a page in Chromium, and a ruling back."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from hw.seats import Seat
from hw.twin.gestures import ConsoleGesture, Gesture, TakeUp
from table_service import rulesets
from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.events import Event
from table_service.games.definition import RuleSet
from table_service.journal.chain_audit import audit
from table_service.publish import Broker, BrokerAddress, BrokerError, start_broker
from table_service.rehearsal.gestured import Gestured
from table_service.service import TableFiles, TableService
from tests.games.outside.table_of_briscola import Played

pytestmark = pytest.mark.slow
PATIENCE_MS: Final = 90_000
N, W, S, E = Seat.NORTH, Seat.WEST, Seat.SOUTH, Seat.EAST


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    try:
        started = start_broker(tmp_path / "broker")
    except BrokerError as error:
        pytest.skip(str(error))
    yield started
    started.stop()


@pytest.fixture
def console(broker: Broker, briscola: RuleSet) -> Iterator[RunningConsole]:
    settings = ConsoleSettings(
        broker_host=broker.host,
        broker_port=broker.port,
        embedded=broker.kind == "embedded",
        tables=("T8",),
        open_link=True,
        rule_sets=rulesets.named(*rulesets.RULE_SETS.values()),
    )
    assert briscola.name in settings.rule_sets
    with serving(settings) as running:
        yield running


class Hall:
    """A table of Briscola whose twin makes gestures, and what its service tells."""

    def __init__(self, rules: RuleSet, folder: Path, broker: Broker, console: RunningConsole) -> None:
        self.tried = Gestured(rules, table="T8")
        self.places = TableFiles.under(folder, "T8")
        self.told: list[Event] = []
        self.clock = 0.0
        self.service = TableService(
            self.tried.header,
            "sala",
            self.places,
            BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded"),
            lambda: self.clock,
            console_keys={"*": console.office.public_key},
        )
        self.service.listeners.append(self.told.append)
        self.service.start()

    def make(self, *gestures: Gesture) -> None:
        for observation in self.tried.sensed(*gestures):
            self.clock = max(self.clock, observation.t)
            self.service.observe(observation)

    def keys(self) -> set[str]:
        return {event.data.key for event in self.told if event.type == "irregularity"}  # type: ignore[attr-defined]

    def states(self) -> list[str]:
        return [event.data.state for event in self.told if event.type == "irregularity"]  # type: ignore[attr-defined]


@pytest.fixture
def hall(briscola: RuleSet, tmp_path: Path, broker: Broker, console: RunningConsole) -> Iterator[Hall]:
    made = Hall(briscola, tmp_path / "table", broker, console)
    yield made
    if not made.service.delivered:
        made.service.close(5)


@pytest.fixture
def page(browser: Any, console: RunningConsole) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    opened = context.new_page()
    opened.set_default_timeout(PATIENCE_MS)
    opened.goto(console.door)
    yield opened
    context.close()


def test_a_card_played_out_of_turn_is_shown_ruled_and_kept(hall: Hall, console: RunningConsole, page: Any) -> None:
    played = Played()
    wrong = played.card(S)
    played.hands[S].append(wrong.card)
    played.cards.clear()
    lead = played.card(N)
    hall.make(*played.gestures, lead, wrong)
    page.goto(f"{console.url}table/T8")
    page.wait_for_selector("section.trick .played:nth-of-type(2)")
    assert page.get_attribute("section.trick", "aria-label") == "Presa"
    shown = [one.get_attribute("src") for one in page.locator("section.trick img").all()]
    assert [one.rpartition("/")[2] for one in shown] == [
        f"{card[:2]}.svg" for card in (lead.card, wrong.card, played.trump)
    ]
    assert all("/cards/briscola/" in one for one in shown)
    assert (
        page.evaluate("Array.from(document.querySelectorAll('section.trick img'), one => one.naturalWidth > 0)")
        == [True] * 3
    )
    (key,) = hall.keys()
    alert = page.inner_text(f"#alert-{key}")
    assert "Carta giocata fuori turno" in alert
    assert "Chi ha giocato riprende la carta." in alert
    assert "Sud gioca una carta" in page.content()

    page.click(f"#decide-{key}")
    page.click("#apply, #option-1")
    page.wait_for_selector("text=Questo avviso è chiuso.")
    page.wait_for_selector(".order.done")
    assert hall.states() == ["open", "ruled"]

    done = len(played.gestures)
    rest = played.trick(W, S, E).whole().gestures[done:]
    hall.make(TakeUp(S, (wrong.card,)), *rest, ConsoleGesture("end-round"))
    page.goto(f"{console.url}table/T8")
    tricks = [sum(str(one.line) == line for one in played.winners) for line in ("NS", "EW")]
    page.wait_for_selector(f"text=Prese fatte: {tricks[0]} – {tricks[1]}")
    page.goto(f"{console.url}sheets/T8")
    page.wait_for_selector("text=punti")

    hall.service.close(20)
    assert hall.service.delivered is not None
    assert hall.service.delivered.unsent == 0
    verdict = audit(hall.places.journal)
    assert verdict.whole, str(verdict)
