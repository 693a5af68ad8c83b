"""Which rows can be ruled when: in mid-deal, or in the last turn of each kind of end, and the remedy is carried out.

What the proof plays with ``--ruled``, and its figures: what follows a ruling is to be right, above all the score.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from table_service.rehearsal.director import STAGES
from table_service.rehearsal.fault import Kind, Moment
from table_service.rehearsal.faults import KINDS

Object = dict[str, Any]
ASKED: Final = 30
"""Deals of each row and end that are asked for."""
_NEVER: Final = frozenset(("F-08c", "F-10a", "F-23c", "F-23p", "F-S1", "F-04f", "F-04k", "F-05b", "F-30c", "F-36"))
"""Rows that are played on without a ruling of their own, or whose score the arbitro makes himself (art. 36)."""
_STALEMATE: Final = frozenset(("F-24a", "F-24d"))
"""Rows that leave the four exchanging cards (art. 16); besides, those that are found once the deal is over."""
_PICKS_UP: Final = frozenset(("F-09f", "F-09g", "F-09h"))
"""Rows of who picks up the pile: the last turn of the stock begins with a draw (art. 17)."""
_BEFORE: Final = frozenset((Moment.SET_UP, Moment.DEALT))


def can_be_ruled(kind: Kind, stage: str) -> bool:
    """Whether the arbitro can rule on a fault of ``kind`` in ``stage``, one of ``STAGES``."""
    if kind.row in _NEVER:
        return False
    if stage == "mid" or kind.late:
        return True
    if set(kind.moments) <= _BEFORE or kind.row == "F-27d":
        return False
    match stage:
        case "stalemate":
            return kind.row in _STALEMATE
        case "closing":
            plays_on = {Moment.BEFORE_TURN, Moment.AFTER_DRAW} & set(kind.moments)
            return (bool(plays_on) or kind.row == "F-08a") and kind.lead == 0
        case "stock":
            return kind.row not in _PICKS_UP
    return True


def rows_ruled(rows: Sequence[str], stage: str) -> tuple[str, ...]:
    """Those of ``rows`` that can be ruled in ``stage``."""
    return tuple(row for row in rows if can_be_ruled(KINDS[row], stage))


def ruled_figures(results: Sequence[Object]) -> Object:
    """Figures of the staged rulings among ``results``, by row and stage."""
    found: Object = {}
    for row in KINDS:
        for stage in STAGES:
            chosen = [one for one in results if one.get("stage") == stage and one["row"] == row]
            if chosen:
                found.setdefault(row, {})[stage] = _figures(chosen)
    return found


def _figures(results: Sequence[Object]) -> Object:
    played = [one for one in results if not one.get("unstaged")]
    reports = [one["report"] for one in played]
    serious = [alarm for report in reports for alarm in report["false"] if alarm["severity"] in ("score", "play-stops")]
    return {
        "deals": len(played),
        "unstaged": len(results) - len(played),
        "items": sum(report["score_items"] for report in reports),
        "items_wrong": sum(len(report["score_wrong"]) for report in reports),
        "items_doubtful": sum(report["score_doubtful"] for report in reports),
        "deals_wrong": sum(bool(report["score_wrong"]) for report in reports),
        "deals_doubtful": sum(bool(report["score_doubtful"]) for report in reports),
        "uncounted": sum(report["counted"] < report["deals"] for report in reports),
        "ends_wrong": sum(len(report["ends_wrong"]) for report in reports),
        "false": len(serious),
        "broken_wrongly": sum(len(report["broken_wrongly"]) for report in reports),
    }


def _sum(cells: Sequence[Object]) -> Object:
    return {name: sum(cell[name] for cell in cells) for name in cells[0]} if cells else {}


def ruled_markdown(figures: Object) -> list[str]:
    """``ruled_figures`` as a table of Markdown."""
    if not figures:
        return []
    stages = [stage for stage in STAGES if any(stage in cells for cells in figures.values())]
    lines = [
        (
            "**Ruled rows**, remedy carried out before the count. In each cell: deals with a score item wrong / "
            "with a doubtful one / played."
        ),
        "",
        "| row | " + " | ".join(stages) + " | false stops | told broken wrongly | ends wrong |",
        "|---" * (len(stages) + 4) + "|",
    ]
    for row, cells in figures.items():
        lines.append(_line(row, [cells.get(stage) for stage in stages], _sum(list(cells.values()))))
    columns = [_sum([cells[stage] for cells in figures.values() if stage in cells]) for stage in stages]
    whole = _sum(columns)
    lines.append(_line("all", columns, whole))
    share = 100 * whole["items_doubtful"] / max(1, whole["items"])
    deals = 100 * whole["deals_doubtful"] / max(1, whole["deals"])
    enough = all(cell["deals"] >= ASKED for cells in figures.values() for cell in cells.values() if cell["deals"])
    reached = not whole["items_wrong"] and deals <= 5
    lines += [
        "",
        f"{whole['items']} score items in {whole['deals']} deals: {whole['items_wrong']} silently wrong, "
        f"{whole['items_doubtful']} doubtful ({share:.1f} %), in {whole['deals_doubtful']} deals ({deals:.1f} %); "
        f"{whole['uncounted']} deals not counted. Asked for: none wrong, at most 5 % doubtful. "
        + ("**Not reached.**" if not reached else "Reached." if enough else f"Reached, in fewer than {ASKED} of each."),
    ]
    return lines


def _line(name: str, cells: Sequence[Object | None], whole: Object) -> str:
    told = [
        f"{cell['deals_wrong']} / {cell['deals_doubtful']} / {cell['deals']}" if cell and cell["deals"] else "–"
        for cell in cells
    ]
    return f"| {name} | {' | '.join(told)} | {whole['false']} | {whole['broken_wrongly']} | {whole['ends_wrong']} |"
