"""The fold of one table: every observation goes through tracking, and what that says to the game and to the table."""

from __future__ import annotations

import math
from collections.abc import Iterable
from copy import deepcopy
from typing import Any, Generic, TypeVar

from hw.observations import Button, Console, Knock, Observation, Said, Shield
from table_service.events import Event
from table_service.events import payloads as say
from table_service.events.orders import Dismiss, EndRound, StartDeal
from table_service.table.console_orders import Answer, ConsoleOrders
from table_service.table.deferral import Deferral
from table_service.table.fold_bytes import SnapshotError, copied
from table_service.table.game_protocol import Game, Now, Sensed
from table_service.table.notices import Notices
from table_service.table.public_state import public_state
from table_service.table.recounts import Recount, recounts_of
from table_service.table.resuming import OPTION, resume
from table_service.table.reversals import Reversals
from table_service.table.seated import as_seated
from table_service.table.table_parts import TableParts
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

G = TypeVar("G", bound=Game)


class GameFold(Generic[G]):
    """Folds the observations of one log into events. Feed every observation in order of arrival, then close.

    ``game`` must have been opened at ``table``. A round in the table's header (``resuming``) continues, which the
    first call reports. Nothing that players or sensors do raises.
    """

    def __init__(self, table: TableParts, game: G) -> None:
        self._table = table
        self._game = game
        self._recounts = recounts_of(table.header.options.get(OPTION) or ())
        self._orders = ConsoleOrders(table, game, Reversals(table, self._recounts))
        self._notices = Notices(table)
        self._deferral = Deferral(game.doubts, self._track)
        resume(table)

    def feed(self, observation: Observation) -> list[Event]:
        """Take one observation; the events that it completes."""
        table, t = self._table, observation.t
        table.voice.latest = t
        seated = as_seated(observation, table.rules.rotation)
        if seated is None:
            return table.voice.drain()
        observation = seated
        if self._orders.needs_no_card(observation):  # no card has moved, and nothing that waits is hurried
            return table.voice.drain()
        match observation:
            case Console(do="start-round"):
                self._recounts.clear()
            case Console(do="deal"):
                self._recounts |= self._recounted()
        table.tag_trust.hear(observation)
        for track in table.tracker.feed(observation):
            self._deferral.pass_on(track, t)
        self._game.at(Now(t))
        self._deferral.look_at_time(t)
        self._game.sensed(Sensed(observation, waiting=self._deferral.waiting))
        return table.voice.drain()

    def close(self) -> list[Event]:
        """End the log: return the events that still waited."""
        for track in self._table.tracker.close():
            self._deferral.pass_on(track, track.t)
        self._deferral.flush()
        self._game.at(Now(math.inf))
        return self._table.voice.drain()

    @property
    def latest(self) -> float:
        """The second of the newest observation."""
        return self._table.voice.latest

    def go_on(self, boot: str, started: str, round_: str | None) -> None:
        """Continue after a restart as ``boot`` in the middle of a deal, whose fold this is; report it.

        ``started``: the UTC moment of the log's second 0; ``round_``: the event that began the round, None if no
        event did.
        """
        table = self._table
        table.voice.enter_boot(boot, started)
        if round_ is not None:
            waiting = tuple(one.key for one in table.referee.open)
            resumed = say.RoundResumed(round=round_, deals=table.round.deals, open=waiting)
            table.voice.say("round.resumed", resumed, table.voice.latest)

    def note(self, what: str, note: str) -> None:
        """Report something of the table itself that is well, and why it is told."""
        voice = self._table.voice
        voice.say("table.health", say.TableHealth(what=what, state="ok", note=note), voice.latest)

    def drain(self) -> list[Event]:
        """Return the events that wait to be emitted: that a round is resumed, before anything is fed."""
        return self._table.voice.drain()

    def next_deal(self) -> StartDeal | None:
        """Return the fields of the order ``deal`` that the table is to give itself now, once; None if none is due.

        The caller that runs the table writes that order into its log, so that a log alone says when each deal began.
        """
        return self._table.round.take_due()

    def answers(self) -> list[Answer]:
        """Return the outcomes of the orders that were decided since the last call.

        An order waits, like any act, until nothing that was sensed before it can still come.
        """
        return self._orders.answers()

    def recounts(self) -> dict[str, Recount]:
        """Return the changes that each ruling of the round makes on the sheet of its deal, as far as known.

        That of a deal whose cards are gone was worked out before the next one began. Each ruling of the deal that runs
        costs some 50 ms.
        """
        return self._recounts | self._recounted()

    def _recounted(self) -> dict[str, Recount]:
        """Return the recounts of the deal whose cards are on the table, as if it were over."""
        state, ruled = self._table.round, self._table.referee.liftable
        if not ruled or not state.is_dealt:
            return {}
        try:
            ended = copied(self)
        except SnapshotError:  # a game from outside whose state cannot be written
            return {}
        end = EndRound(t=self.latest)
        ended.feed(end.as_console())
        ended.close()
        ended.answers()
        found = {}
        for one in ruled if state.number in ended.table.sheets.by_deal else ():
            lifted = copied(ended)
            lifted.feed(Dismiss(t=end.t, key=one.key).as_console())
            lifted.close()
            if any(answer.why for answer in lifted.answers()):
                continue
            before, after = (fold.table.sheets.by_deal[state.number] for fold in (ended, lifted))
            doubtful = tuple(name for name in after.doubtful if name not in before.doubtful)
            found[one.key] = Recount(state.number, deepcopy(before.counted), after.counted, doubtful)
        return found

    def follow(self, tracks: Iterable[Track]) -> list[Event]:
        """Follow what tracking says, as ``feed`` does with that of its own tracker."""
        for track in tracks:
            self._track(track)
        return self._table.voice.drain()

    def _track(self, track: Track) -> None:
        game, health = self._game, self._table.health
        game.at(Now(track.t))
        match track:
            case Movement():
                game.moved(track)
            case Notice(observation=Console() as console):
                self._orders.follow(console)
            case Notice(observation=seen):
                self._notice(seen)
            case Touched() | Shown():
                game.signalled(track)
            case Unverified():
                game.revised(track)
                health.doubt(track.zone, track.t, track.reason)
            case Verified():
                game.revised(track)
                health.trust(track.zone, track.t)
            case RowChanged() | Named() | Retracted() | Counted():
                game.revised(track)

    def _notice(self, seen: Observation) -> None:
        if isinstance(seen, Button) and seen.button == "referee":
            self._game.at(Now(seen.t, called=True))
        self._notices.hear(seen)
        if isinstance(seen, Button | Said | Shield | Knock):
            self._game.signalled(seen)

    def state(self) -> dict[str, Any]:
        """Return the public table for the topic ``state``: nothing in it that did not lie face up for all to see."""
        return public_state(self._table, self._game)

    @property
    def table(self) -> TableParts:
        """The parts of the table, to look at; a caller who changes them between observations answers for the events."""
        return self._table

    @property
    def game(self) -> G:
        """The game that is played, hidden cards and all; as ``table``."""
        return self._game
