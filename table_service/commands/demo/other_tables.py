"""The other tables of the demo's hall: each the service that `tavolo run` starts, fed with a rehearsed round."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import structlog

from hw.observations import Observation
from hw.seats import SEATS
from table_service.publish import BrokerAddress
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.service import Places, ServiceError, TableService

log = structlog.get_logger("tavolo")
ROWS: Final = ("F-31a", "F-24a", "F-27a", "F-30a", "F-25a", "F-34")
"""What goes wrong at them, one row in each deal."""
SPEED: Final = 3.0
DEALS: Final = 2


_NAMES: Final = (
    "Anna", "Bruno", "Carla", "Dario", "Elena", "Franco", "Giulia", "Ivo", "Laura", "Marco",
    "Nadia", "Oscar", "Paola", "Renato", "Silvia", "Tullio", "Ugo", "Vera", "Walter", "Zoe",
)  # fmt: skip
_SURNAMES: Final = ("Bassi", "Conti", "Fabbri", "Galli", "Longo", "Marini", "Rizzo", "Serra")


def begun_now(rehearsal: Rehearsal) -> Rehearsal:
    """``rehearsal`` with a log that begins at this moment, and with people's names, nobody at two tables of a hall.

    The tables of a hall play on the same evening.
    """
    header = rehearsal.header
    started = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    first = (int("".join(filter(str.isdecimal, header.table)) or 1) - 1) * len(SEATS)
    seats = {seat: _name(first + n) for n, seat in enumerate(map(str, SEATS)) if seat in header.seats}
    return replace(rehearsal, header=replace(header, started=started, seats=seats))


def _name(number: int) -> str:
    """The name of a simulated player; 160 different ones, for 40 tables."""
    names = len(_NAMES)
    return f"{_NAMES[number % names]} {_SURNAMES[(number // names + number) % len(_SURNAMES)]}"


def _rows(rules: str) -> tuple[str, ...]:
    """The rows that go wrong by ``rules``: the usual ones, or by another code those that the first table shows."""
    game = rehearsal_of(rules)
    return ROWS if all(row in game.kinds for row in ROWS) else game.shown


def _some(chance: random.Random, rows: Sequence[str]) -> tuple[str, ...]:
    return tuple(chance.sample(rows, min(DEALS, len(rows))))


@contextmanager
def other_tables(
    rules: str, seed: int, count: int, hall: str, folder: Path, broker: BrokerAddress, console_key: str
) -> Iterator[None]:
    """``count`` tables, T2 and on, play while the context lasts; ``console_key`` may give them orders.

    They are made one after the other, beside whatever else goes on, and each plays as soon as it is there.
    """
    stop = threading.Event()
    playing: list[threading.Thread] = []

    def make() -> None:
        for n in range(count):
            name = f"T{n + 2}"
            chance = random.Random(f"{seed}/{name}")  # noqa: S311 - a simulation
            rehearsal = begun_now(prepare(rules, seed + n + 1, DEALS, _some(chance, _rows(rules)), table=name))
            observations = tuple(rehearsal.observations())
            if stop.is_set():
                return
            began = time.monotonic()

            def clock(began: float = began) -> float:
                return (time.monotonic() - began) * SPEED

            try:
                places = Places.under(folder / name, name)
                keys = {"*": console_key}
                service = TableService(
                    rehearsal.header, hall, places, broker, clock, console_keys=keys, keeps_deal=False
                )
            except ServiceError as error:
                log.warning("demo", table=name, problem=str(error))
                continue
            told = (service, observations, clock, stop)
            playing.append(threading.Thread(target=_play, args=told, name=f"tavolo-{name}", daemon=True))
            playing[-1].start()

    maker = threading.Thread(target=make, name="tavolo-hall", daemon=True)
    maker.start()
    try:
        yield
    finally:
        stop.set()
        for thread in (maker, *playing):
            thread.join(15)


def _play(
    service: TableService, observations: Sequence[Observation], clock: Callable[[], float], stop: threading.Event
) -> None:
    """One table's round in its time; a round that is over leaves the table standing."""
    service.start()
    try:
        for observation in observations:
            left = (observation.t - clock()) / SPEED
            if left > 0 and stop.wait(left):
                return
            if stop.is_set():
                return
            service.observe(observation)
        stop.wait()
    except ServiceError:
        return
    finally:
        service.close(0.5)
