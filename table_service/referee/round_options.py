"""Beginning of a round: the options of the log, and the order that starts it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from hw.observation_log import Header
from hw.seats import LINES
from table_service.referee.outcomes import TournamentRules, WarningCount
from table_service.referee.round import RoundBook

_COUNTS: Final[dict[str, WarningCount]] = {
    "every-second": "every-second",
    "each-after-first": "each-after-first",
}
BOOT: Final = "boot"
"""The header's option that names the table's start."""


def opening(header: Header, rules: TournamentRules, fields: Mapping[str, Any]) -> RoundBook:
    """Return the book of a round that begins: the order's ``fields`` go before the log's ``options``.

    ``warnings``: how many each line brings from earlier rounds, as ``{"NS": 1}``; ``warning_count``: ``every-second``
    or ``each-after-first``; ``call_at``: the lead at which the arbitro must be called, if that was announced;
    ``room``: ``open`` or ``closed``, in a match of teams. Other values are ignored.
    """
    said = {**header.options, **fields}
    brought = said.get("warnings")
    room = {"open": "open", "closed": "closed"}.get(str(said.get("room")))
    warnings = brought if isinstance(brought, Mapping) else {}
    return RoundBook(
        replace(
            rules,
            warning_count=_COUNTS.get(str(said.get("warning_count")), rules.warning_count),
            call_at=_whole(said.get("call_at")) or rules.call_at,
        ),
        deals=_whole(fields.get("deals")) or _whole(header.options.get("deals")),
        teams=header.options.get("event") == "teams" or room is not None,
        room=room,
        before={line: _whole(warnings.get(str(line))) or 0 for line in LINES},
    )


def mark_of(header: Header) -> str:
    """Return the start of the table, with which the keys of its irregularities begin; empty if the log names none."""
    mark = header.options.get(BOOT)
    return mark if isinstance(mark, str) else ""


def _whole(value: object) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
