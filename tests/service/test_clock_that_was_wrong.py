"""A round goes on after a restart, though the table's clock was set while it was played; an old one does not."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from hw.observations import Console
from table_service.console.counted import CountedEvents
from table_service.console.times import local
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import header_for
from table_service.service import TableFiles, TableService
from table_service.service.round_before import clock_set

DAY = 86_400.0
YEARS = 56 * 365 * DAY


class Clock:
    """The machine's wall clock, and so many seconds more."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead = 0.0
        real = time.time
        monkeypatch.setattr(time, "time", lambda: real() + self.ahead)

    def service(self, folder: Path) -> TableService:
        header = header_for("fibur2024", 1, 4)
        header.options.pop("deals", None)
        started = datetime.fromtimestamp(time.time(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        broker = BrokerAddress("127.0.0.1", 1)
        return TableService(
            replace(header, started=started), "prova", TableFiles.under(folder, "T1"), broker, lambda: 1.0
        )


@pytest.mark.parametrize(
    ("at_first", "set_to", "at_the_restart", "goes_on"),
    [
        (0.0, [], 0.0, True),
        (-DAY, [0.0], 0.0, True),  # yesterday's time until the network told the right one
        (-YEARS, [0.0], 0.0, True),  # no clock at all
        (0.0, [2 * DAY], 2 * DAY, True),  # set wrongly in the middle of play
        (0.0, [2 * DAY, 0.0], 0.0, True),
        (0.0, [-YEARS], -YEARS, True),
        (0.0, [], 2 * DAY, False),  # nobody played for two days
        (-DAY, [0.0], 2 * DAY, False),
    ],
)  # fmt: skip
def test_a_round_goes_on_by_how_long_ago_it_was_played_not_by_what_a_wrong_clock_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, at_first: float, set_to: list[float], at_the_restart: float,
    goes_on: bool,
) -> None:  # fmt: skip
    clock = Clock(monkeypatch)
    clock.ahead = at_first
    table = clock.service(tmp_path)
    table.observe(Console(1.0, "Anna", "start-round", {"deals": 4}))
    table.health({})
    for ahead in set_to:
        clock.ahead = ahead
        table.health({})
    table.health({})  # the same clock: nothing to note
    assert len(table.journal.notes("clock")) == len(set_to)
    assert clock_set(table.journal).get(table.journal.boot, 0.0) == pytest.approx(
        (set_to[-1] if set_to else at_first) - at_first, abs=2.0
    )
    table.close(0.0)
    clock.ahead = at_the_restart
    again = clock.service(tmp_path)
    assert again.table.state()["round"]["running"] is goes_on
    again.close(0.0)


@pytest.mark.parametrize(
    ("change", "local_goes_back"),
    [("2026-10-25T01:00:00+00:00", True), ("2026-03-29T01:00:00+00:00", False)],
    ids=["an hour comes twice", "an hour is left out"],
)
def test_a_night_in_which_the_halls_time_changes_puts_nothing_out_of_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, *, local_goes_back: bool
) -> None:
    monkeypatch.setenv("TZ", "Europe/Rome")
    time.tzset()
    try:
        clock = Clock(monkeypatch)
        clock.ahead = datetime.fromisoformat(change).timestamp() - 600 - time.time()
        table = clock.service(tmp_path)
        table.observe(Console(1.0, "Anna", "start-round", {"deals": 4}))
        table.health({})
        table.close(0.0)
        clock.ahead += 1200  # ten minutes after the change: in autumn an earlier time of day than the first start's
        again = clock.service(tmp_path)
        again.health({})
        assert again.table.state()["round"]["running"]
        assert again.journal.notes("clock") == []
        again.observe(Console(1.0, "Anna", "end-round", {}))
        told = [one.public for one in again.journal.events()]
        times = [event["time"] for event in told]
        shown = [local(one, "%H:%M") for one in times]
        again.close(0.0)
        counted = CountedEvents()
        for event in reversed(told):
            counted.record("T1", event, datetime.fromisoformat(event["time"]).timestamp())
    finally:
        monkeypatch.undo()
        time.tzset()
    assert times == sorted(times)
    assert (shown[-1] < shown[0]) is local_goes_back, "the night was one in which the time of day changed"
    assert [one.deals for one in counted.sheets.rounds("T1")] == [4]
