"""The other tables of the demo's hall: each the service that `tavolo run` starts, fed with a rehearsed round.

They run in a process of their own, beside the first table, whose pictures keep this one busy.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from multiprocessing.synchronize import Event as StopEvent
from pathlib import Path
from typing import Final

import structlog

from hw.observations import Button, Console, Observation
from hw.seats import SEATS
from hw.twin.live import ScaledClock
from table_service.commands.demo.signing_lines import SigningLines
from table_service.commands.demo.visitor import HIS, LOOKS_S, OpenAlerts
from table_service.commands.demo.wall_dates import wall_dates
from table_service.publish import BrokerAddress
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.service import ServiceError, TableFiles, TableService

log = structlog.get_logger("tavolo")
ROWS: Final = ("F-31a", "F-24a", "F-27a", "F-30a", "F-25a", "F-34")
"""Rows that go wrong at them, one in each deal."""
SPEED: Final = 3.0
ENDS_S: Final = 15.0
"""Wall seconds that their process has to end."""

_NAMES: Final = (
    "Anna", "Bruno", "Carla", "Dario", "Elena", "Franco", "Giulia", "Ivo", "Laura", "Marco",
    "Nadia", "Oscar", "Paola", "Renato", "Silvia", "Tullio", "Ugo", "Vera", "Walter", "Zoe",
)  # fmt: skip
_SURNAMES: Final = ("Bassi", "Conti", "Fabbri", "Galli", "Longo", "Marini", "Rizzo", "Serra")


def begun_now(rehearsal: Rehearsal) -> Rehearsal:
    """Return ``rehearsal`` with a log that begins at this moment, and with people's names, none at two tables.

    The tables of a hall play on the same evening.
    """
    header = rehearsal.header
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return replace(rehearsal, header=replace(header, started=started, seats=names_at(header.table, header.seats)))


def names_at(table: str, taken: Collection[str]) -> dict[str, str]:
    """Return who sits at the ``taken`` seats of a table, as T7, by seat."""
    first = (int("".join(filter(str.isdecimal, table)) or 1) - 1) * len(SEATS)
    return {seat: _name(first + n) for n, seat in enumerate(map(str, SEATS)) if seat in taken}


def _name(number: int) -> str:
    """Return the name of a simulated player; 160 different ones, for 40 tables."""
    names = len(_NAMES)
    return f"{_NAMES[number % names]} {_SURNAMES[(number // names + number) % len(_SURNAMES)]}"


def _rows(rules: str) -> tuple[str, ...]:
    """Return the rows that go wrong by ``rules``: the usual ones, or by another code those the first table shows."""
    game = rehearsal_of(rules)
    return ROWS if all(row in game.kinds for row in ROWS) else game.shown


@dataclass(frozen=True, slots=True)
class OtherTables:
    """Settings of the other tables of a hall: how many play what, where, and whose orders they take.

    ``visited``: a person at the pages is the arbitro; play stops there at each alert until he has ruled.
    """

    rules: str
    seed: int
    count: int
    deals: int
    hall: str
    folder: Path
    broker: BrokerAddress
    console_key: str
    visited: bool
    speed: float = SPEED
    """Table seconds that pass there in a second."""

    @property
    def names(self) -> tuple[str, ...]:
        """Their names: T2 and on."""
        return tuple(f"T{n + 2}" for n in range(self.count))

    def rehearsal(self, name: str) -> Rehearsal:
        """Return the round that is played at table ``name``."""
        chance = random.Random(f"{self.seed}/{name}")  # noqa: S311 - a simulation
        known = _rows(self.rules)
        rows = tuple(chance.sample(known, min(self.deals, len(known))))
        seed = self.seed + self.names.index(name) + 1
        return begun_now(prepare(self.rules, seed, self.deals, rows, table=name))


@contextmanager
def other_tables(told: OtherTables) -> Iterator[None]:
    """Run the tables while the context lasts, each from when it is ready."""
    context = multiprocessing.get_context("spawn")
    stop = context.Event()
    hall = context.Process(target=run_tables, args=(told, stop), name="tavolo-hall", daemon=True)
    hall.start()
    try:
        yield
    finally:
        stop.set()
        hall.join(ENDS_S)
        if hall.is_alive():
            hall.kill()


def _of_the_arbitro(observation: Observation) -> bool:
    """Return True for a decision of the script's arbitro, or a call for him: the visitor is at the alert already."""
    match observation:
        case Console(do=do):
            return do in HIS
        case Button(button=button):
            return button == "referee"
    return False


def run_tables(told: OtherTables, stop: StopEvent) -> None:
    """Let the tables play until ``stop`` is set or the process that began this one has gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the key that ends the demo reaches both; the demo ends this one
    with suppress(OSError):
        os.nice(5)  # the first table, whose pictures are read, comes first
    playing: list[threading.Thread] = []
    ended = threading.Event()
    for name in told.names:
        if stop.is_set():
            break
        try:
            table = SimulatedTable(told, name)
        except ServiceError as error:
            log.warning("demo", table=name, problem=str(error))
            continue
        playing.append(threading.Thread(target=table.play, args=(ended,), name=f"tavolo-{name}", daemon=True))
        playing[-1].start()
    parent = multiprocessing.parent_process()
    while not stop.wait(1.0) and (parent is None or parent.is_alive()):
        pass
    ended.set()
    for thread in playing:
        thread.join(ENDS_S)


class SimulatedTable:
    """One of the other tables, fed with its round as its time comes.

    ``clock``, ``service`` and ``alerts`` are its parts, as far as others need them.
    """

    def __init__(self, told: OtherTables, name: str) -> None:
        self._rehearsal = told.rehearsal(name)
        self._visited = told.visited
        self.clock = ScaledClock(told.speed)
        self.service = TableService(
            self._rehearsal.header,
            told.hall,
            TableFiles.under(told.folder / name, name),
            told.broker,
            self.clock.now,
            console_keys={"*": told.console_key},
            keeps_deal=False,
            date_of=wall_dates(self.clock.now, told.speed),
        )
        self.alerts, self._lines = OpenAlerts(self.clock), SigningLines()
        self.service.listeners += [self.alerts.heard, self._lines.heard]

    def play(self, stop: threading.Event) -> None:
        """Play the round in its time; a table whose round is over stays, takes orders and signs its sheets."""
        self.service.start()
        try:
            for observation in self._rehearsal.observations():
                if not self._wait_for(observation.t, stop):
                    return
                if not (self._visited and _of_the_arbitro(observation)):
                    self.service.observe(observation)
            while self._wait_for(self.clock.now() + self.clock.speed, stop):
                pass
        except ServiceError:
            return
        finally:
            self.service.close(0.5)

    def _wait_for(self, t: float, stop: threading.Event) -> bool:
        """Wait for table second ``t`` and for the visitor if an alert waits for him. False if the demo ends.

        The clock never runs past ``t``: on a busy machine the table's time waits for what it has to read.
        """
        self.clock.allow(t)
        while not stop.is_set():
            if self._visited and self.alerts.waits:
                self.clock.hold()
                while self.alerts.waits and not stop.wait(LOOKS_S):
                    pass
                self.clock.release()
            for said in self._lines.due(self.clock.now()):
                self.service.observe(said)
            left = (t - self.clock.now()) / self.clock.speed
            if left <= 0:
                return not stop.is_set()
            stop.wait(min(left, LOOKS_S))
        return False
