"""State of its match at a table that was started again, by the counts reported before."""

from __future__ import annotations

from hw.observation_log import Header
from hw.seats import LINES, Line, line_or_none
from table_service.table.resuming import OPTION


def begati_of(header: Header) -> dict[int, Line | None]:
    """Deal → line that had the Begato in its pile, by counts reported before the table's restart."""
    found: dict[int, Line | None] = {}
    for event in header.options.get(OPTION, ()):
        lines = event["data"].get("lines", {}) if event["type"] == "score.counted" else {}
        held = {line: lines[str(line)]["begato"] for line in LINES if "begato" in lines.get(str(line), {})}
        if held:  # a sheet that was corrected does not tell of it again
            found[event["deal"]] = next((line for line in LINES if held.get(line)), None)
    return found


def called_out_in(header: Header) -> Line | None:
    """Return the line that had rightly called itself out, according to counts of before the table's restart."""
    told = [one["data"].get("match") or {} for one in header.options.get(OPTION, ()) if one["type"] == "score.counted"]
    newest = told[-1] if told else {}
    return line_or_none(newest.get("winner")) if newest.get("decided_by") == "called-out" else None
