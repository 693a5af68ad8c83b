"""Rounds that a table of the fault suite plays: their logs and true scores on the disk, and where the play stands.

A table that is killed and begun again goes on where its players are: what they did while nobody watched is lost to it,
orders of the arbitro are not (they wait for the table). Used by ``living_hall.py`` and ``faults.py``.
"""

from __future__ import annotations

import itertools
import json
import mmap
import pickle
import sqlite3
import struct
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from hw.observation_log import Header
from hw.observations import Console, Observation, Scale, Sight, Tags

ROUNDS: Final = 2
DEALS: Final = 8
"""Deals of a round: more than a table plays during one fault."""
MISSED: Final = 100
"""So many observations are made while a killed table is away."""
LEFT: Final = 0.2
"""Where less of a round is left, a table that begins plays the next."""
PIECE: Final = 50
"""So many observations are read at once: some 0.2 MB, of which a table with hardly any memory left has room for."""
_STANDS: Final = struct.Struct("<qq")
Standing = dict[tuple[str, str], Observation]
Items = dict[str, dict[str, dict[str, int]]]
"""By deal, line and item, what was really played."""


def write_rounds(folder: Path, seed: int, table: str, rounds: int = ROUNDS, deals: int = DEALS) -> None:
    """Rehearse rounds: for each its log and its true scores, the same pack of cards in all."""
    from table_service.rehearsal.rehearse import prepare

    folder.mkdir()
    header: Header | None = None
    for number in range(rounds):
        rehearsal = prepare("fibur2024", seed * 1000 + number, deals, table=table)
        header = rehearsal.header = header or rehearsal.header
        _write(folder / str(number), header, list(rehearsal.observations()))
        ends = {
            str(end.deal): {str(line): dict(items) for line, items in end.items.items()}
            for end in rehearsal.script.ends
        }
        (folder / f"{number}.json").write_text(json.dumps(ends), encoding="ascii")


def _write(folder: Path, header: Header, observations: list[Observation]) -> None:
    """Lay a round down in pieces, so that a start in its middle reads no more of it than it plays."""
    folder.mkdir()
    (folder / "header").write_bytes(pickle.dumps((header, len(observations))))
    standing: Standing = {}
    for first in range(0, len(observations), PIECE):
        piece = observations[first : first + PIECE]
        (folder / str(first // PIECE)).write_bytes(pickle.dumps((standing, piece)))
        standing = _after(standing, piece)


def _after(standing: Standing, observations: Iterable[Observation]) -> Standing:
    """Return the newest word of each scale, of each coil and of the camera after ``observations``."""
    newest = dict(standing)
    for one in observations:
        match one:
            case Scale(zone=zone) | Tags(zone=zone):
                newest[type(one).__name__, zone] = one
            case Sight():
                newest["Sight", ""] = one
            case _:
                pass
    return newest


class Play:
    """The play at one table, which goes on where the start before this one left it.

    ``rounds``: the folder of ``write_rounds``; ``own``: where it is noted how far the play is, and which start played
    which round.
    """

    def __init__(self, rounds: Path, own: Path) -> None:
        own.mkdir(exist_ok=True)
        self._own = own
        self._file = own / "stands"
        if fresh := not self._file.exists():
            self._file.write_bytes(_STANDS.pack(0, 0))
        number, at = _STANDS.unpack(self._file.read_bytes())
        self._folder = rounds / str(number)
        header, count = self._header()
        self._from, self._at = at, at if fresh else at + MISSED
        if count - self._at < LEFT * count:
            number, self._from, self._at = (number + 1) % len(list(rounds.glob("*.json"))), 0, 0
            self._folder = rounds / str(number)
            header, count = self._header()
        self.number, self._count = number, count
        self.begins = not self._at
        self.header = replace(header, started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))

    def _header(self) -> tuple[Header, int]:
        told: tuple[Header, int] = pickle.loads((self._folder / "header").read_bytes())  # noqa: S301 - our own file
        return told

    def _piece(self, number: int) -> tuple[Standing, list[Observation]]:
        told: tuple[Standing, list[Observation]] = pickle.loads((self._folder / str(number)).read_bytes())  # noqa: S301
        return told

    def note(self, boot: str) -> None:
        """Note which round this start of the table plays."""
        told = {"round": self.number, "begins": self.begins}
        (self._own / f"{boot}.json").write_text(json.dumps(told), encoding="ascii")

    def observations(self) -> Iterator[Observation]:
        """Yield what the sensors say from now on, first how everything stands; ``t`` from the start of the table."""
        standing, piece = self._piece(self._from // PIECE)
        missed = list(itertools.islice(self._after_place(self._from), self._at - self._from))
        standing = _after(standing, [*piece[: self._from % PIECE], *missed])
        for one in standing.values():
            yield replace(one, t=0.5)
        for one in missed:
            if isinstance(one, Console):
                yield replace(one, t=0.6)
        base: float | None = None
        with self._file.open("r+b") as file, mmap.mmap(file.fileno(), _STANDS.size) as stands:
            for n, one in enumerate(self._after_place(self._at), start=self._at + 1):
                base = one.t - 1.0 if base is None else base
                stands[:] = _STANDS.pack(self.number, n)  # a killed process loses nothing of it, a full disk neither
                yield replace(one, t=round(max(0.7, one.t - base), 6))

    def _after_place(self, first: int) -> Iterator[Observation]:
        """All observations of the round from the ``first`` on."""
        for number in range(first // PIECE, (self._count + PIECE - 1) // PIECE):
            piece = self._piece(number)[1]
            yield from piece[max(0, first - number * PIECE) :]


@dataclass(frozen=True, slots=True)
class Scores:
    """Items of the scores in an archive: right; not known or named as doubtful; and those that are wrong unmarked."""

    right: int
    marked: int
    wrong: tuple[str, ...]


def judge(archive: Path, rounds: Path, notes: Iterable[Path]) -> Scores:
    """Compare what the console's file has of the newest scores of each start with what was really played.

    ``notes``: what the starts of the tables noted of themselves.
    """
    sql = "SELECT body FROM event WHERE place = 'T1'"
    with closing(sqlite3.connect(f"{archive.as_uri()}?mode=ro", uri=True, timeout=30)) as db:
        told = sorted((json.loads(body) for (body,) in db.execute(sql)), key=lambda one: (one["boot"], one["seq"]))
    plays = {file.stem: json.loads(file.read_text(encoding="ascii")) for file in notes}
    newest: dict[tuple[str, int], dict[str, Any]] = {}
    for event in told:
        boot = event["boot"]
        if event["type"] == "round.started":  # what came before was of the round before
            newest = {place: one for place, one in newest.items() if place[0] != boot}
            plays[boot]["begins"] = False
        elif event["type"] == "score.counted" and not plays[boot]["begins"]:
            newest[boot, event["deal"]] = event
        elif event["type"] == "event.retracted":
            newest = {place: one for place, one in newest.items() if one["id"] != event["data"]["event"]}
    right, marked, wrong = 0, 0, list[str]()
    for (boot, deal), event in newest.items():
        really: Items = json.loads((rounds / f"{plays[boot]['round']}.json").read_text(encoding="ascii"))
        for line, items in really[str(deal)].items():
            own_items, doubtful = event["data"]["lines"][line]["items"], event["data"].get("doubtful", ())
            for item, value in items.items():
                said = own_items.get(item)
                if said is None or f"{line}.{item}" in doubtful:
                    marked += 1
                elif said == value:
                    right += 1
                else:
                    wrong.append(f"{boot} deal {deal} {line}.{item}: {said}, really {value}")
    return Scores(right, marked, tuple(wrong))
