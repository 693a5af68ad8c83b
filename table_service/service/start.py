"""A start of the service: with the deal that was being played, with the round of before, or with neither."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Final

from nacl.signing import SigningKey

from hw.coverage import CAMERA
from hw.observation_log import Header
from hw.observations import Health
from table_service.events import Event
from table_service.games.definition import Fold
from table_service.journal import Journal
from table_service.publish import Sealing
from table_service.referee.round_options import BOOT
from table_service.service.deal_file import DealFile, program
from table_service.service.kept_deal import RunningDeal, resumed_deal
from table_service.service.kept_log import KeptLog
from table_service.service.round_before import fold_of, note_recounts, round_of
from table_service.service.table_files import TableFiles

PAUSE_S: Final = 1.0
"""Seconds of the table that pass while it is off, however long that is: no player's time runs meanwhile."""
_ALL_NODES: Final = "nodes"
"""The name under which the gap of all nodes is reported if the table map names none."""


@dataclass(frozen=True, slots=True)
class Begun:
    """Beginning of a start.

    ``before``: the events of the round that continues. ``ahead``: seconds of the table before this start; those of its
    sources begin anew. ``late``: events that the start itself emits: of before, if the journal lacks them, and that the
    round continues.
    """

    fold: Fold
    header: Header
    before: list[dict[str, Any]]
    ahead: float
    late: list[Event]
    log: KeptLog
    deal: RunningDeal


def begin(
    header: Header,
    journal: Journal,
    places: TableFiles,
    key: SigningKey,
    sealing: Sealing | None,
    clock: Callable[[], float],
    *,
    keeps_deal: bool,
) -> Begun:
    """Begin a start of the table whose journal is open. ``clock``: seconds since this start. Raises OSError."""
    header = replace(header, options={**header.options, BOOT: journal.boot})
    fold, header, before = fold_of(header, journal)
    ahead, late, again = 0.0, list[Event](), None
    file = None if places.log is None else DealFile(places.journal, header.table, program())
    if keeps_deal and file is not None and places.log is not None:
        again = resumed_deal(file, journal, places.log, key.verify_key, header)
    if again is not None:
        ahead = again.t + PAUSE_S - clock()
        header = replace(header, started=_started(header.started, ahead))
        again.fold.go_on(journal.boot, header.started, round_of(before))
        if again.note:
            again.fold.note("deal", again.note)
        fold, late = again.fold, [*again.late, *again.fold.drain()]
    log = KeptLog(places.log, header, journal.boot, key, sealing)
    course = None if again is None else again.course

    def over() -> None:
        note_recounts(journal, fold)
        journal.sync()

    deal = RunningDeal(file, fold, log.mark, lambda: journal.head()[0], course, is_on=keeps_deal, over=over)
    if again is None:
        deal.forget()
    else:
        deal.keep(late)
    return Begun(fold, header, before, ahead, late, log, deal)


def gap_of(header: Header, t: float) -> list[Health]:
    """Return the observations that nothing was sensed while the table was off: changes are to be verified."""
    watched = not header.sensors or any(CAMERA in sensors for sensors in header.sensors.values())
    nodes = (*(header.nodes or (_ALL_NODES,)), *((CAMERA,) if watched else ()))
    return [Health(round(t, 6), node, "reset", "the table was off") for node in nodes]


def _started(started: str, ahead: float) -> str:
    """Return the UTC moment of the table's second 0, where a start at ``started`` begins ``ahead`` seconds after it."""
    try:
        moment = datetime.fromisoformat(started) - timedelta(seconds=ahead)
    except (ValueError, OverflowError):
        return started
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
