"""A table of any rule set whose players make gestures: how a game is tried, from sensors to events."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import Final, Protocol

from hw.cards import Pack
from hw.equipment import Equipment
from hw.layout import Layout
from hw.observation_log import Header
from hw.observations import Observation
from hw.seats import Rotation
from hw.twin.gestures import Gesture
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.twin_table import TableKind
from table_service.events.envelope import Event
from table_service.rehearsal.game_rehearsal import JudgedFold

STARTED: Final = "2026-11-20T20:00:00Z"


class Tried(Protocol):
    """The parts of a rule set that a try needs."""

    @property
    def name(self) -> str:
        """The name in a log's header."""

    @property
    def pack(self) -> Pack:
        """The cards it is played with."""

    @property
    def equipment(self) -> Equipment:
        """The zones of its table."""

    @property
    def layout(self) -> Layout:
        """The layout of those zones."""

    @property
    def rotation(self) -> Rotation:
        """The seats, and who plays after whom."""

    @property
    def open_fold(self) -> Callable[[Header], JudgedFold]:
        """Opens the fold of a table."""


class Gestured:
    """A twin of the table that ``rules`` describe: gestures in, observations or events out.

    ``noise``: sensor errors, ``none``, ``normal`` or ``rough``, drawn by ``seed``.
    """

    def __init__(self, rules: Tried, noise: str = "none", seed: str = "gestures", table: str = "T1") -> None:
        tags = {f"E00401{number:010X}": card for number, card in enumerate(rules.pack.cards())}
        seats = {str(seat): f"Player {seat}" for seat in rules.rotation.seats}
        self.header = Header(table, rules.name, tags=tags, seats=seats, started=STARTED)
        twin = TableKind(rules.equipment, rules.layout, rules.rotation)
        self._observer = Observer(tags, load_noise(noise), random.Random(seed), twin)  # noqa: S311 - no secret
        self.fold = rules.open_fold(self.header)

    def sensed(self, *gestures: Gesture, finished: bool = True) -> Iterator[Observation]:
        """Yield what the sensors tell of ``gestures``; ``finished``: and of the seconds after the last one.

        Raises hw.twin's ImpossibleGesture.
        """
        for gesture in gestures:
            yield from self._observer.perform(gesture)[0]
        if finished:
            yield from self._observer.finish()

    def events(self, *gestures: Gesture) -> list[Event]:
        """Return what the table's fold tells of ``gestures``, which go on from those before."""
        return [event for observation in self.sensed(*gestures) for event in self.fold.feed(observation)]
