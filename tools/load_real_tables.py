"""The real tables of ``console_load.py``: the service that ``tavolo run`` starts, over rehearsed deals.

Every alert's key, the moment of the observation that completed it, and the table's own time go to standard output.
"""

from __future__ import annotations

import sys
import threading
import time
from pathlib import Path
from typing import Final

from load_tables import HALL

from hw.observations import Observation
from table_service.events import Event
from table_service.events.payloads import Irregularity
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import prepare
from table_service.rulesets import open_fold
from table_service.service import TableFiles, TableService

REAL: Final = {"R": 0, "S": 1000}
"""The real tables: the first letter of their names, and what is added to the seed of their deals."""
FAULTS: Final = (
    "F-24a", "F-31a", "F-29b", "F-30a", "F-09f", "F-31b", "F-25b", "F-32",
    "F-26e", "F-31c", "F-29c", "F-24c", "F-10a", "F-31d", "F-29d", "F-34",
)  # fmt: skip
"""What goes wrong in its deals, one in each: told by camera, by melds, by the discard, by scale and beam."""
ROUND_S: Final = 70.0
"""Such a round takes about so long here."""
OWN_TIME_S: Final = 1.0
SHOWN_S: Final = 1.0
"""So long an alert stands before the deal goes on: the page has to have shown it."""


class RealTable:
    """A table's service over rehearsed deals; what it tells first, and when it was handed the observation for it."""

    def __init__(self, port: int, folder: Path, seed: int, name: str) -> None:
        self._rehearsal = prepare("fibur2024", seed, len(FAULTS), FAULTS, table=name)
        self._now = self._handed = 0.0
        self._told: set[str] = set()
        self._seen: list[str] = []
        self.service = TableService(
            self._rehearsal.header,
            HALL,
            TableFiles.under(folder / name, name),
            BrokerAddress("127.0.0.1", port),
            lambda: self._now,
        )
        self.service.listeners.append(self._hear)
        self._observations = list(self._rehearsal.observations())
        self._moments = self._foreseen()

    def _hear(self, event: Event) -> None:
        data = event.data
        if isinstance(data, Irregularity) and data.state == "open" and data.key not in self._told:
            self._told.add(data.key)
            self._seen.append(data.key)

    def _foreseen(self) -> list[float]:
        """When the deals' irregularities are completed, found beforehand: the fold is the same each time."""
        fold, known, found = open_fold(self._rehearsal.header), set[str](), []
        for observation in self._observations:
            for event in fold.feed(observation):
                data = event.data
                if isinstance(data, Irregularity) and data.state == "open" and data.key not in known:
                    known.add(data.key)
                    found.append(observation.t)
        return found

    def play(self, ended: threading.Event) -> None:
        """Play until the deals are over or ``ended``; each alert is printed with its key, moment and own time (ms)."""
        moments = self._moments
        self.service.start()
        for n, observation in enumerate(self._observations):
            if ended.is_set():
                break
            while moments and moments[0] < observation.t:
                moments.pop(0)
            if moments and observation.t > moments[0] - OWN_TIME_S and observation.t > self._now:
                time.sleep(observation.t - self._now)
            elif n % 40 == 0:
                time.sleep(0.02)  # the rest of the machine is being measured
            self._now = observation.t
            self._feed(observation)
        self.service.close(5.0)

    def _feed(self, observation: Observation) -> None:
        handed, began = time.time(), time.perf_counter()
        self.service.observe(observation)
        took = (time.perf_counter() - began) * 1000
        for key in self._seen:
            print(f"{self.service.header.table}-{key} {handed} {took:.2f}", flush=True)
        if self._seen:
            self._seen.clear()
            time.sleep(SHOWN_S)


def play_real(port: int, folder: Path, letter: str, seed: int, seconds: float) -> None:
    """Play one real table after the other, from the first line of standard input until it ends."""
    ended = threading.Event()
    wanted = 1 + int(seconds / ROUND_S)
    rounds = [RealTable(port, folder, seed + REAL[letter] + n, f"{letter}{n + 1}") for n in range(wanted)]
    print("ready", flush=True)
    sys.stdin.readline()
    threading.Thread(target=lambda: (sys.stdin.read(), ended.set()), daemon=True).start()
    for table in rounds:
        if not ended.is_set():
            table.play(ended)
