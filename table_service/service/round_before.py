"""The round that a table was playing when its service ended: found in the journal, and resumed.

Its age is taken from the wall clock, which on a Pi may be set while the table plays: events before then bear the wrong
day. Every jump is noted, so that a round that began under a wrong clock is not taken for an old one.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

import structlog

from hw.errors import place_of
from hw.observation_log import Header
from table_service.games.definition import Fold
from table_service.journal import Journal
from table_service.rulesets import open_fold, rule_set
from table_service.table.game_fold import GameFold
from table_service.table.recounts import KIND as RECOUNTS
from table_service.table.recounts import recounts_to_json
from table_service.table.resuming import as_begun, newest_round, resumed

log = structlog.get_logger("tavolo")
GOES_ON_S: Final = 12 * 3600.0
"""Seconds without an event after which a round is over, whatever its table was doing when it ended."""
ROUND_MOST: Final = 20_000
"""Most entries of a round that can be resumed: those of more than a hundred deals."""
CLOCK: Final = "clock"
"""The kind of the note that the wall clock was set."""
JUMP_S: Final = 60.0
"""A wall clock that goes away from the monotonic one by so much was set: none drifts so far between two looks."""


class ClockWatch:
    """Notices that the wall clock was set."""

    def __init__(self) -> None:
        self._ahead = time.time() - time.monotonic()

    def note(self, journal: Journal) -> None:
        """Note in the journal by how many seconds the clock was set since the last look. Raises JournalError."""
        ahead = time.time() - time.monotonic()
        by = ahead - self._ahead
        if abs(by) < JUMP_S:
            return
        journal.note(CLOCK, {"boot": journal.boot, "by": round(by, 1)})
        self._ahead = ahead
        log.warning("clock", problem=f"the machine's clock was set by {by:+.0f} s; times of this start go on as before")


def fold_of(header: Header, journal: Journal) -> tuple[Fold, Header, list[dict[str, Any]]]:
    """Return this start's fold, which resumes the earlier round; the header that says so; and the earlier events."""
    try:
        kept = kept_round(journal)
        before = [] if not kept else newest_round(kept)
        begun, said = as_begun(header, before, rule_set(header.rules).options)
        if said:
            log.warning("round", problem=said)
        gone_on = resumed(begun, before, newest_recounts(journal, round_of(kept)))
        return open_fold(gone_on, journal.boot), gone_on, kept
    except (LookupError, TypeError, ValueError) as error:
        fold = open_fold(header, journal.boot)
        log.error("round", problem=f"the round of before the start cannot be taken up again: {place_of(error)}")  # noqa: TRY400
        return fold, header, []


def newest_recounts(journal: Journal, round_: str | None) -> dict[str, Any]:
    """Return what each ruling of the round ``round_`` changes on its sheet, as it was noted last."""
    noted = journal.notes(RECOUNTS)
    return dict(noted[-1]["recounts"]) if noted and noted[-1]["round"] == round_ else {}


def note_recounts(journal: Journal, fold: Fold) -> None:
    """Note what each ruling of the round changes on its sheet: a start after the deal knows its cards no more.

    Raises JournalError.
    """
    recounts = recounts_to_json(fold.recounts()) if isinstance(fold, GameFold) else {}
    began = journal.newest("round.started", among=ROUND_MOST) if recounts else None
    if began is None:
        return
    (event,) = itertools.islice(journal.events(after=began - 1), 1)
    told = {"round": event.public["id"], "recounts": recounts}
    if journal.notes(RECOUNTS)[-1:] != [told]:
        journal.note(RECOUNTS, told)


def kept_round(journal: Journal) -> list[dict[str, Any]]:
    """Return all events since the newest round began; empty if the table no longer plays it."""
    began = journal.newest("round.started", among=ROUND_MOST)
    if began is None:
        return []
    kept = [one.public for one in journal.events(after=began - 1)]
    set_by = clock_set(journal)
    newest = max((moment_of(event, set_by) for event in newest_round(kept)), default=None)
    return [] if newest is None or time.time() - newest >= GOES_ON_S else kept


def round_of(kept: Sequence[Mapping[str, Any]]) -> str | None:
    """Return the event that began the round of ``kept``; None if there is none."""
    return next((str(event["id"]) for event in kept if event["type"] == "round.started"), None)


def moment_of(event: Mapping[str, Any], set_by: Mapping[str, float]) -> float:
    """Return the time of an event, in seconds since 1970, by the clock as it was when its start ended."""
    return datetime.fromisoformat(event["time"]).timestamp() + set_by.get(event["boot"], 0.0)


def clock_set(journal: Journal) -> dict[str, float]:
    """Return by boot the seconds by which the wall clock was set while it ran, in all."""
    found: dict[str, float] = {}
    for one in journal.notes(CLOCK):
        found[str(one["boot"])] = found.get(str(one["boot"]), 0.0) + float(one["by"])
    return found
