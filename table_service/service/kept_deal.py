"""The deal that is being played at a running table: kept while it may have to be taken up again after a power cut.

A start reads the state that was kept, folds the observations of the log since then, and compares the events with those
of the journal. What the journal lacks is emitted late, under the numbers that it would have had; what the journal has
and the log does not explain decides whether the deal can be taken up.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import structlog
from nacl.signing import VerifyKey

from hw.observation_log import Header, LogError, lines_after, parse_line
from hw.observations import Console, Observation
from table_service.events import Event, event_to_json, public
from table_service.events.orders import ORDERS
from table_service.games.definition import Fold
from table_service.journal import Journal, JournalError, is_sealed, sealed_lines_after
from table_service.journal.old_logs import newest_aside
from table_service.service.deal_beginning import as_read_again, beginning_of
from table_service.service.deal_file import DealFile, DealState, LogMark, OtherProgramError, RunningDealError
from table_service.service.round_before import GOES_ON_S
from table_service.table.fold_bytes import SnapshotError
from table_service.table.game_fold import GameFold

log = structlog.get_logger("tavolo")
EVERY: Final = 500
"""Observations after which the state is kept anew: a start has at most this many to fold."""
_MOST: Final = 1_000_000
_FACTS: Final = frozenset(
    {"irregularity", "sanction.imposed", "warning.given", "score.counted", "deal.started", "deal.ended"}
    | {"round.started", "round.ended", "round.ruled"}
)
"""Events that a state must know to continue: keys, numbers and scores would be given twice otherwise."""
_RULED: Final = frozenset({"score.counted", "irregularity", "round.ruled"})
"""Events after which a ruling may change something else on the sheet of its deal."""


class RunningDeal:
    """Follows the deal that is played, and keeps its state. Called by the service, one thread at a time."""

    def __init__(
        self,
        file: DealFile | None,
        fold: Fold,
        mark: Callable[[], LogMark | None],
        place: Callable[[], int],
        course: Mapping[str, Any] | None = None,
        *,
        is_on: bool = True,
        over: Callable[[], None] = lambda: None,
    ) -> None:
        """``file``: None, or ``is_on`` False, keeps nothing.

        ``mark`` syncs the log and gives its place, ``place`` that of the journal. ``over`` brings to the disk what is
        to be known of a deal that was counted, before its cards are forgotten.

        ``course``: what was known of the deal before the start.
        """
        self._file, self._fold, self._mark, self._place, self._over = file, fold, mark, place, over
        self._deal: int | None = None
        self._count: str | None = None
        self._newest: tuple[str, int] | None = None
        if course:
            self._deal, self._count, self._newest = course["deal"], course["count"], course["newest"]
        self._since = 0
        self._is_on = is_on
        self._due = False
        self._said = ""

    @property
    def is_kept(self) -> bool:
        """True if a start would take the deal up again."""
        return self._file is not None and self._file.path.exists()

    @property
    def course(self) -> dict[str, Any]:
        """Number of the deal, the event that counted it last, boot and number of the newest event."""
        return {"deal": self._deal, "count": self._count, "newest": self._newest}

    def follow(self, events: Sequence[Event]) -> None:
        """Follow an observation that was folded into ``events``, which are not in the journal yet."""
        self._since += 1
        if not events and self._since < EVERY:
            return
        for event in events:
            self._note(event)
        if self._is_wanted() and (self._due or self._since >= EVERY):
            self.keep(events)
        if events:
            self._newest = events[-1].boot, events[-1].seq

    def settle(self, events: Sequence[Event]) -> None:
        """Let go of a deal that is over, as the journal has ``events``: it needs not be taken up any more."""
        if self._is_wanted() or not (self.is_kept or any(event.type in _RULED for event in events)):
            return
        try:
            self._over()
        except JournalError as error:
            self._say(f"the deal that was counted is kept on: {error}")
        else:
            self.forget()

    def _note(self, event: Event) -> None:
        match event.type:
            case "deal.started":
                self._deal, self._count, self._due = event.deal, None, True
            case "score.counted" if event.deal == self._deal:
                self._count = event.id
            case "event.retracted" if self._count is not None and getattr(event.data, "event", "") == self._count:
                self._count, self._due = None, True
            case "round.started" | "round.ended":
                self._deal = self._count = None

    def _is_wanted(self) -> bool:
        """Return True if the deal runs, or was counted and something of it waits for the arbitro."""
        if self._deal is None or self._count is None:
            return self._deal is not None
        return any(one.get("state") == "open" for one in self._fold.state().get("irregularities", ()))

    def keep(self, told: Iterable[Event] = ()) -> None:
        """Keep the deal as it is now; ``told``: the newest events, which the journal does not have yet."""
        self._since = 0
        if self._file is None or not self._is_on:
            return
        mark = self._mark()
        if mark is None:
            return
        try:
            self._file.write(DealState(self._fold, list(told), self.course, mark, self._place()))
        except (OSError, SnapshotError) as error:
            self._say(f"the deal cannot be kept for a power cut: {error}")
            return
        self._due, self._said = False, ""

    def forget(self) -> None:
        """Destroy the deal's key: the deal needs not be taken up any more."""
        if not self.is_kept or self._file is None:
            return
        try:
            self._file.destroy()
        except OSError as error:
            self._say(f"the deal's key cannot be destroyed: {error}")

    def _say(self, problem: str) -> None:
        if problem != self._said:
            log.error("deal", problem=problem)
        self._said = problem


@dataclass(frozen=True, slots=True)
class ResumedDeal:
    """A deal that was taken up again: its fold, and what it emits beyond the journal. ``t``: its newest second.

    ``note``: what is to be said of how it was taken up; empty if nothing.
    """

    fold: GameFold[Any]
    late: list[Event]
    course: dict[str, Any]
    t: float
    note: str = ""


def resumed_deal(
    file: DealFile, journal: Journal, place: Path, table_key: VerifyKey, header: Header
) -> ResumedDeal | None:
    """Return the deal that was played when the service ended; None if there is none, or if it cannot be resumed.

    ``place``: where the observation log is written; ``header``: of the log that begins. Faults are
    reported in a sentence.
    """
    try:
        state = file.read(GOES_ON_S)
        if state is None:
            return None
        return _folded(state, journal, place, table_key, header)
    except OtherProgramError as error:
        return _of_other_program(error, journal, place, table_key, header)
    except RunningDealError as error:
        log.error("deal", problem=f"the deal that was being played is lost: {error}")  # noqa: TRY400 - one sentence
    return None


def _of_other_program(
    found: OtherProgramError, journal: Journal, place: Path, table_key: VerifyKey, header: Header
) -> ResumedDeal | None:
    """Return the deal of a log of another program, folded from its beginning; None if that tells something else.

    Its events are already published: where this program reads the log otherwise, numbers and keys would not go on.
    """
    try:
        observations, problem = _observed(replace(found.mark, position=None), place, table_key)
        beginning = beginning_of(journal, observations, header)
        told: list[Event] = []
        for observation in beginning.observations:
            told += beginning.fold.feed(observation)
        course = {"deal": beginning.deal, "count": None, "newest": beginning.newest}
        told = [event for event in told if event.seq > beginning.newest[1]]
        resumed = _told_on(
            beginning.fold, told, course, journal, found.place, beginning.observations, problem, as_read_again
        )
    except RunningDealError as error:
        log.error("deal", problem=f"the deal that was being played is lost: {found}, and from its log: {error}")  # noqa: TRY400
        return None
    note = f"{found}: the deal was folded again from its beginning, {len(beginning.observations)} observations"
    log.warning("deal", problem=note)
    return replace(resumed, note=note)


def _folded(state: DealState, journal: Journal, place: Path, table_key: VerifyKey, header: Header) -> ResumedDeal:
    fold = state.fold
    if not isinstance(fold, GameFold):
        raise RunningDealError("its state is no fold of a game")
    if changed := _changed(fold.table.header, header):
        raise RunningDealError(f"the table's {changed} are others than when the deal began")
    observations, problem = _observed(state.mark, place, table_key)
    told = list(state.told)
    for observation in observations:
        told += fold.feed(observation)
    return _told_on(fold, told, state.course, journal, state.place, observations, problem, _plain)


def _told_on(
    fold: GameFold[Any],
    told: list[Event],
    course: Mapping[str, Any],
    journal: Journal,
    place: int,
    observations: Sequence[Observation],
    problem: str,
    said: Callable[[Event], dict[str, Any]],
) -> ResumedDeal:
    """Take up the deal of ``fold``, which has ``told`` this since ``course``.

    ``said``: what of an event must stand in the journal.
    """
    for order in _unfolded(journal, place, observations, fold.latest):
        told += fold.feed(order)
    late, unexplained = _beyond(journal, course["newest"], told, said)
    if unexplained is not None:
        if unexplained in _FACTS:
            raise RunningDealError(f"the log does not explain an event of the journal ({unexplained})")
        problem = problem or "the newest events of the journal are not in it"
        late = []
    if problem:
        log.warning("deal", problem=f"the observation log of the running deal: {problem}; the rest of it is used")
    follower = RunningDeal(None, fold, lambda: None, lambda: 0, course)
    follower.follow(told)
    return ResumedDeal(fold, late, follower.course, fold.latest)


def _changed(before: Header, now: Header) -> str:
    """Return the first fact about the table that differs between both headers; empty if none does."""
    said = {
        "rules": (before.rules, now.rules),
        "seats": (before.seats.keys(), now.seats.keys()),
        "tags": (before.tags, now.tags),
        "nodes": (before.nodes, now.nodes),
        "sensors": (before.sensors, now.sensors),
    }
    return next((name for name, (old, new) in said.items() if old and new and old != new), "")


def _observed(mark: LogMark, place: Path, table_key: VerifyKey) -> tuple[list[Observation], str]:
    """Return the sound observations of the log after ``mark``, and what ended them before its end; or nothing.

    ``mark`` without a position: all whose key it has.
    """
    for path in (place, place.with_name(f"{place.name.partition('.')[0]}.sealed"), *newest_aside(place)):
        if path.is_file() and LogMark.first_of(path) == mark.first:
            break
    else:
        raise RunningDealError("the observation log that it was written into is not there")
    if is_sealed(path):
        lines, problem = sealed_lines_after(path, table_key, mark.position, mark.deal, mark.key)
    else:
        lines, problem = lines_after(path, mark.position or 1)
    found: list[Observation] = []
    for n, line in enumerate(lines, (mark.position or 1) + 1):
        try:
            found.append(parse_line(line, n))
        except LogError as error:
            return found, str(error)
    return found, problem


def _unfolded(journal: Journal, place: int, observations: Iterable[Observation], t: float) -> list[Console]:
    """Orders that the journal has taken since ``place`` and the log lacks, oldest first, for the second ``t``."""
    folded = [(one.by, one.do, one.fields) for one in observations if isinstance(one, Console)]
    lacking = []
    for order in journal.notes("command", after=place):
        taken = (str(order["by"]), str(order["do"]), dict(order["fields"]))
        if taken in folded:
            folded.remove(taken)
        elif taken[1] in ORDERS:
            lacking.append(Console(t, *taken))
    return lacking


def _beyond(
    journal: Journal,
    newest: tuple[str, int] | None,
    told: Sequence[Event],
    said: Callable[[Event], dict[str, Any]],
) -> tuple[list[Event], str | None]:
    """Return the events of ``told`` that the journal lacks; and a type of what it has besides, facts first.

    ``newest``: boot and number of the event before ``told``; ``said``: what of an event must stand in the journal.
    """
    late, kept = list[Event](), dict[str, dict[str, Any]]()
    first = {} if newest is None else {newest[0]: newest[1] + 1}
    for event in told:
        first.setdefault(event.boot, event.seq)
    for boot, seq in first.items():
        kept |= {one["id"]: one for one in journal.between(boot, seq, _MOST, _MOST)}
    for event in told:
        mine, theirs = said(event), kept.pop(event.id, None)
        if theirs is None:
            late.append(event)
        elif any(theirs.get(name) != value for name, value in mine.items()):
            raise RunningDealError(f"the log and the journal tell different things ({event.id})")
    if late and kept:
        raise RunningDealError("the journal has events after some that it lacks")
    return late, next((str(one["type"]) for one in kept.values() if one["type"] in _FACTS), None) or next(
        (str(one["type"]) for one in kept.values()), None
    )


def _plain(event: Event) -> dict[str, Any]:
    return dict(json.loads(json.dumps(event_to_json(public(event)))))
