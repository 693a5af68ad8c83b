"""The date of a table's second if its clock does not run at the wall's rate: a rehearsal faster than life."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta


def wall_dates(clock: Callable[[], float], speed: float) -> Callable[[float], datetime]:
    """Return what gives the moment (UTC) of a table second that has just passed.

    ``clock``: the table's seconds now; ``speed``: how many of them pass in a second while it runs.
    """

    def date_of(t: float) -> datetime:
        return datetime.now(UTC) - timedelta(seconds=max(0.0, clock() - t) / speed)

    return date_of
