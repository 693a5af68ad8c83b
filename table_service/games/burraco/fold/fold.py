"""The fold of one table: every observation goes through tracking, and what that says goes to the part it concerns."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from hw.observation_log import Header
from hw.observations import Button, Console, Observation
from table_service.events import Event
from table_service.events.envelope import REPLAY_BOOT
from table_service.games.burraco.fold.corrections import Knowing
from table_service.games.burraco.fold.deferral import Patience
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.fold.orders import Orders
from table_service.games.burraco.fold.playing import Playing
from table_service.games.burraco.fold.public_state import public_state
from table_service.games.burraco.fold.reconcile import Conserving
from table_service.games.burraco.fold.resuming import resume
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.fold.sheets import Sheets
from table_service.games.burraco.fold.signals import Signs
from table_service.games.burraco.fold.surplus import Surplus
from table_service.games.burraco.rules.deal import Deal
from table_service.tracking import Tracker
from table_service.tracking.movements import (
    Counted,
    Movement,
    Named,
    Notice,
    Retracted,
    RowChanged,
    Shown,
    Touched,
    Track,
    Unverified,
    Verified,
)


class TableFold:
    """Folds the observations of one log into events. Feed every observation in order of arrival, then close.

    ``header`` as in the log, with the round that goes on after a restart (``resuming``), of which the first call tells;
    ``boot`` and ``first`` number the events. Raises UnknownRulesError for rules that are not
    Burraco's; after that nothing that players or sensors do raises.
    """

    def __init__(self, header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> None:
        self._sitting = Sitting(header, boot, first)
        resume(self._sitting)
        self._tracker = Tracker(header)
        self._ending = Ending(self._sitting, self._tracker)
        self._playing = Playing(self._sitting, self._ending, self._tracker)
        self._knowing = Knowing(self._sitting, self._playing, self._ending, self._tracker)
        self._orders = Orders(self._sitting, self._playing, self._ending)
        self._signs = Signs(self._sitting, self._ending)
        self._sheets = Sheets(self._sitting)
        self._patience = Patience(self._sitting, self._track, self._tracker)
        self._conserving = Conserving(self._sitting, self._knowing, self._tracker)
        self._surplus = Surplus(self._sitting, self._playing, self._tracker)

    def feed(self, observation: Observation) -> list[Event]:
        """Take one observation; the events that it completes."""
        self._sitting.latest = observation.t
        if self._sheets.take(observation):  # paper and figures: no card has moved, and nothing that waits is hurried
            return self._sitting.told()
        for track in self._tracker.feed(observation):
            self._patience.take(track, observation.t)
        self._playing.late(observation.t)
        self._patience.look_at_time(observation.t)
        self._surplus.take(observation)
        if not self._patience.waiting:
            self._conserving.look(observation.t)
            self._ending.look(observation.t)
        return self._sitting.told()

    def close(self) -> list[Event]:
        """The log has ended: the events that still waited."""
        for track in self._tracker.close():
            self._patience.take(track, track.t)
        self._patience.flush()
        self._playing.late(math.inf)
        return self._sitting.told()

    def drain(self) -> list[Event]:
        """The events that wait to be told: that a round goes on, before anything is fed."""
        return self._sitting.told()

    def take(self, tracks: Iterable[Track]) -> list[Event]:
        """Take what tracking says, as ``feed`` does with that of its own tracker."""
        for track in tracks:
            self._track(track)
        return self._sitting.told()

    def _track(self, track: Track) -> None:
        self._playing.late(track.t)
        match track:
            case Movement():
                self._playing.moved(track)
                self._ending.moved(track)
                self._surplus.moved(track)
            case Notice(observation=Console() as console):
                self._orders.follow(console)
            case Notice(observation=seen):
                if isinstance(seen, Button) and seen.button == "referee":
                    self._playing.settle(seen.t, called=True)
                self._signs.take(seen)
            case RowChanged():
                self._knowing.row_changed(track)
            case Named():
                self._knowing.named(track)
            case Retracted():
                self._knowing.retracted(track)
            case Counted():
                self._knowing.counted(track)
            case Touched():
                self._signs.touched(track)
            case Shown():
                self._ending.shown(track)
            case Unverified():
                self._knowing.doubt(track.zone, track.t, track.reason, missed=track.missed)
            case Verified():
                self._knowing.trust(track.zone, track.t)

    def state(self) -> dict[str, Any]:
        """The public table for the topic ``state``: nothing in it that did not lie face up for all to see."""
        return public_state(self._sitting)

    @property
    def sitting(self) -> Sitting:
        """What the parts of the fold share: deal, referee, sheets. To look at, and to set up a position to start from.

        Whoever changes it while observations are folded answers for what is told.
        """
        return self._sitting

    @property
    def deal(self) -> Deal | None:
        """The deal as it stands, hidden cards and all; None before the first."""
        return self._sitting.deal
