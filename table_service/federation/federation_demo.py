"""`tavolo federation demo`: everything on this machine, with a line that is cut and a worker that is killed."""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final
from urllib.request import urlopen

from table_service.federation.local_federation import ArchiveCount, LocalFederation

NAMES: Final = ("bologna", "milano", "roma", "torino", "napoli", "genova", "verona", "parma", "modena", "lecce")
PATIENCE_S: Final = 120.0
_ANSWER_S: Final = 20.0
WORKERS: Final = ("1", "2")


@dataclass(frozen=True, slots=True)
class FederationDemo:
    """Number of halls, tables in each, events a second of each table, seconds of play."""

    halls: int
    tables: int
    rate: float
    seconds: float


@dataclass(frozen=True, slots=True)
class DemoResult:
    """Outcome of the demo: the archive beside the journals, and how long it took until nothing was missing."""

    count: ArchiveCount
    seconds: float
    behind_s: float
    page: bool
    """Whether the page answered at the end."""

    @property
    def is_whole(self) -> bool:
        """True if nothing is lost, nothing is there twice, and the page answers."""
        return self.count.is_whole and self.page

    def as_dict(self) -> dict[str, Any]:
        """Return it as JSON has it."""
        return asdict(self)


def run_demo(asked: FederationDemo, say: Callable[[str], None]) -> DemoResult:
    """Run it, telling each step with ``say``. Raises FederationError, BrokerError if a part does not start."""
    names = tuple(f"{NAMES[n % len(NAMES)]}{n // len(NAMES) or ''}" for n in range(asked.halls))
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="tavolo-federation-") as folder:
        say(f"starting PostgreSQL, the federation's broker, {asked.halls} halls with {asked.tables} tables each")
        with LocalFederation(Path(folder), names, asked.tables) as federation:
            return _play(asked, federation, say, began)


def _play(asked: FederationDemo, federation: LocalFederation, say: Callable[[str], None], began: float) -> DemoResult:
    for name in WORKERS:
        federation.begin_worker(name)
    say(f"the federation's page, as its first chief while the demo runs: {federation.begin_page()}")
    tables = [table for hall in federation.halls.values() for table in hall.tables]
    stop = threading.Event()
    players = [threading.Thread(target=table.play, args=(asked.rate, stop), daemon=True) for table in tables]
    for player in players:
        player.start()
    part, first = asked.seconds / 4, next(iter(federation.halls))
    say(f"{len(tables)} tables say {asked.rate:g} events a second each; workers {' and '.join(WORKERS)} archive them")
    time.sleep(part)
    federation.lines[first].cut()
    say(f"the line of {first} is cut: its broker keeps what its tables say")
    time.sleep(part)
    federation.kill_worker("1")
    say("worker 1 is killed")
    time.sleep(part)
    federation.begin_worker("1")
    federation.lines[first].restore()
    say(f"worker 1 and the line of {first} are there again")
    time.sleep(part)
    stop.set()
    for player in players:
        player.join()
    for table in tables:
        table.drain()
    ended = time.monotonic()
    found = federation.wait_whole(PATIENCE_S)
    on_page = _answers(f"{federation.page}enter")
    behind = time.monotonic() - ended
    say(
        f"journals: {found.said} events; archive: {found.archived} rows; lost {found.lost}, doubled {found.doubled}, "
        f"altered {found.altered}, foreign {found.foreign}; whole {behind:.1f} s after the last event; page "
        f"{'answers' if on_page else 'does not answer'}"
    )
    return DemoResult(found, round(time.monotonic() - began, 1), round(behind, 1), on_page)


def _answers(url: str) -> bool:
    """Return True if a page is served at ``url``."""
    try:
        with urlopen(url, timeout=_ANSWER_S) as answer:  # noqa: S310 - on this machine
            return bool(answer.status == 200)
    except OSError:
        return False
