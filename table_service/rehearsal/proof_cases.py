"""A list of cases, each a name with its rehearsal, and in how many deals each was reported and counted right."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Object = dict[str, Any]
_FLAWS: Final = ("doubtful", "silent", "stops", "notes", "late")


@dataclass(frozen=True, slots=True)
class ListedCase:
    """One case of a list: its ``name``, and what is rehearsed for it. ``row`` None: deals without a fault."""

    name: str
    rules: str
    row: str | None = None
    noise: str = "normal"
    gaps: str = ""
    stage: str | None = None


def listed(path: Path) -> tuple[ListedCase, ...]:
    """Return the cases of the TOML file at ``path``, its ``[[case]]`` tables; ``rows`` names several of one name.

    Raises OSError, ValueError (also for TOML that cannot be read) and TypeError if a table has unknown fields.
    """
    tables: list[Object] = tomllib.loads(path.read_text(encoding="utf-8")).get("case", [])
    found: list[ListedCase] = []
    for one in tables:
        fields = dict(one)
        rows: list[str | None] = fields.pop("rows", [None])
        found += [ListedCase(row=row, **fields) for row in rows]
    return tuple(found)


def table_of_cases(results: Mapping[str, Iterable[Object]]) -> str:
    """Return the deals of each name: those wholly right, with a doubtful item, with one or an end silently wrong.

    ``stops``, ``notes``: with a false accusation; ``late``: with a fault not reported in time with row and seat.
    """
    lines = [f"{'case':34}{'deals':>6}{'right':>6}" + "".join(f"{flaw:>9}" for flaw in _FLAWS)]
    for name, each in results.items():
        found = [_flaws_of(one["report"]) for one in each if "report" in one]
        counts = "".join(f"{sum(flaw in one for one in found):9}" for flaw in _FLAWS)
        lines.append(f"{name:34}{len(found):6}{sum(not one for one in found):6}{counts}")
    return "\n".join(lines)


def _flaws_of(report: Object) -> set[str]:
    """Return what of ``_FLAWS`` one deal has."""
    severities = {one["severity"] for one in report["false"]}
    has = {
        "doubtful": report["score_doubtful"] > 0,
        "silent": report["score_wrong"] or report["ends_wrong"],
        "stops": severities - {"note"},
        "notes": "note" in severities,
        "late": not all(map(_is_told, report["faults"])),
    }
    return {flaw for flaw, whether in has.items() if whether}


def _is_told(fault: Object) -> bool:
    """Return True if the table reported ``fault`` in time, or only a person can report it, and did."""
    return bool(fault["by_ruling"] or (fault["right_row"] and fault["right_seat"] and fault["in_time"]))
