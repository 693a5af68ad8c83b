"""The demo's hall: alerts at every table wait for the visitor, its round is known, its times are those of the wall."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from hw.observations import Console
from hw.twin.live import ScaledClock
from table_service.cli import app
from table_service.commands.console_process import serve_console
from table_service.commands.demo import demo_run
from table_service.commands.demo.demo_settings import DemoSettings, playable
from table_service.commands.demo.hall_round import begin_hall_round
from table_service.commands.demo.other_tables import OtherTables, SimulatedTable
from table_service.commands.demo.signing_lines import SigningLines
from table_service.commands.demo.visitor import Visitor
from table_service.console import ConsoleSettings
from table_service.console.storage import Book
from table_service.events import Event
from table_service.events.topics import Topics
from table_service.publish import BrokerAddress
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold

NOBODY = BrokerAddress("127.0.0.1", 1)
PATIENCE_S = 60.0


def told(folder: Path, rules: str = "fibur2024", deals: int = 1) -> OtherTables:
    return OtherTables(rules, 388, 1, deals, "demo", folder, NOBODY, "00" * 32, visited=True, speed=400.0)


@contextmanager
def playing(table: SimulatedTable) -> Iterator[list[Event]]:
    """The table plays in a thread of its own while the context lasts; what it emits."""
    events: list[Event] = []
    table.service.listeners.append(events.append)
    stop = threading.Event()
    thread = threading.Thread(target=table.play, args=(stop,), daemon=True)
    thread.start()
    try:
        yield events
    finally:
        stop.set()
        thread.join(PATIENCE_S)


def until(reached: object, what: str) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not reached():  # type: ignore[operator]
        assert time.monotonic() < deadline, what
        time.sleep(0.01)


def test_another_table_stands_at_its_alert_until_the_visitor_has_ruled(tmp_path: Path) -> None:
    table = SimulatedTable(told(tmp_path), "T2")
    with playing(table) as events:
        until(lambda: table.clock.rate == 0, "the table's clock stands")
        stood, fault = table.clock.now(), next(one for one in events if one.type == "irregularity")
        data = fault.data.model_dump(mode="json")
        assert data["state"] == "open"
        assert table.clock.now() == stood
        order = Console(stood, "visitor", "dismiss", {"key": data["key"], "row": data["row"], "seat": data["offender"]})
        table.service.observe(order)
        until(lambda: table.clock.now() > stood + 5, "play goes on")
        until(lambda: any(one.type == "sheet.confirmed" for one in events) or table.alerts.waits, "to the end")
    assert not [one for one in events if one.type == "table.health"], "no order of the script is given beside his"


def test_events_of_a_table_that_runs_faster_than_life_are_dated_by_the_wall(tmp_path: Path) -> None:
    table = SimulatedTable(told(tmp_path), "T2")
    began = datetime.now(UTC)
    with playing(table) as events:
        until(lambda: table.clock.rate == 0, "the table's clock stands")
    assert table.clock.now() > 30
    dates = [datetime.fromisoformat(one.time) for one in events]
    assert dates == sorted(dates)
    assert began - timedelta(seconds=1) <= dates[0]
    assert dates[-1] <= datetime.now(UTC)


def test_both_lines_sign_a_sheet_without_a_doubt_and_leave_another_to_the_arbitro() -> None:
    rehearsal = prepare("fibur2024", 7, 1, ())
    table, lines = open_fold(rehearsal.header, "boot"), SigningLines()
    events = [event for one in rehearsal.observations() for event in table.feed(one)] + table.close()
    counted = [event for event in events if event.type == "score.counted"][-1]
    assert not counted.data.model_dump()["doubtful"]
    lines.heard(counted)
    assert lines.due(counted.t) == []
    said = lines.due(counted.t + 60)
    assert [one.what.split(":")[:2] for one in said] == [["sheet-ok", "NS"], ["sheet-ok", "EW"]]
    signed = [event.type for one in said for event in table.feed(one)]
    assert signed == ["sheet.confirmed", "sheet.confirmed"]
    lines.heard(counted.model_copy(update={"data": counted.data.model_copy(update={"doubtful": ("NS.melds",)})}))
    assert lines.due(counted.t + 60) == []


@pytest.mark.parametrize("rules", playable())
def test_the_round_page_knows_the_round_and_its_pairs_in_every_games_demo(rules: str) -> None:
    game = rehearsal_of(rules)
    first = prepare(rules, game.shown_seed, game.shown_deals, game.shown)
    book = Book(None)
    begin_hall_round(book, first, 12)
    running = book.rounds.running
    assert running is not None
    assert running.places == tuple(f"T{n}" for n in range(1, 13))
    assert running.deals == game.shown_deals
    assert running.minutes > 0
    seated = book.rounds.seated(running.id)
    assert len(set(seated.values())) == len(seated) == 24
    book.close()


@pytest.mark.parametrize("rules", playable())
def test_the_first_fault_of_a_demo_comes_early_and_only_play_is_in_the_list_before_it(rules: str) -> None:
    """Within 70 s of the table: six seconds at the demo's speed, and less from where play waits to be looked at."""
    game = rehearsal_of(rules)
    rehearsal = prepare(
        rules, game.shown_seed, game.shown_deals, game.shown, habits=game.shown_habits or game.habits[0]
    )
    table = open_fold(rehearsal.header, "boot")
    types: list[str] = []
    first: Event | None = None
    for one in rehearsal.observations():
        for event in table.feed(one):
            types.append(event.type)
            first = first or (event if event.type == "irregularity" else None)
        if first is not None:
            break
    assert first is not None
    assert first.t < 70.0
    assert "table.health" not in types
    assert not [name for name in types if "unverified" in name]


def test_the_terminal_is_spoken_to_in_its_own_language(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[DemoSettings] = []

    def run(settings: DemoSettings) -> int:
        asked.append(settings)
        return 0

    monkeypatch.setattr(demo_run, "run_demo", run)
    for locale in ("it_IT.UTF-8", "de_DE.UTF-8"):
        monkeypatch.setenv("LC_ALL", locale)
        assert CliRunner().invoke(app, ["demo"]).exit_code == 0
    assert [one.lang for one in asked] == ["it", "en"]


@pytest.mark.parametrize("rules", playable())
def test_points_by_the_arbitro_have_their_place_in_every_games_demo(rules: str) -> None:
    """The page of awards where the game has one; else it says that points are given at the table."""
    game = rehearsal_of(rules)
    first = prepare(rules, game.shown_seed, game.shown_deals, game.shown)
    with serve_console("demo", NOBODY, ConsoleSettings(open_link=True, tables=("T1",))) as console:
        begin_hall_round(console.office.book, first, 1)
        table = open_fold(first.header, "boot")
        table.feed(next(iter(first.observations())))
        told_state = json.dumps({**table.state(), "table": "T1"}).encode()
        console.store.apply(Topics("demo", "T1").state, told_state, now=time.time())
        with httpx.Client(follow_redirects=True) as browser:
            browser.get(console.door)
            answer = browser.get(f"{console.url}awards", headers={"Accept-Language": "en"})
    assert (answer.status_code == 200) == (rules == "bridge"), answer.text
    assert ('id="award"' in answer.text) == (rules == "bridge")
    assert ("si danno al tavolo" in answer.text) == (rules != "bridge")


def test_play_waits_for_no_page_where_any_of_the_console_is_open() -> None:
    """A visitor who had gone on to the hall's page was waited for at the table's, for good."""
    clock, said = ScaledClock(1.0), list[str]()
    with (
        serve_console("demo", NOBODY, ConsoleSettings(open_link=True, tables=("T1",))) as console,
        httpx.Client(follow_redirects=True, timeout=60) as browser,
    ):
        browser.get(console.door)
        with browser.stream("GET", f"{console.url}round/stream") as page:
            next(page.iter_raw())
            asyncio.run(asyncio.wait_for(Visitor(console, clock, said.append).looks(), 20))
    assert said == []
