"""Figures of the rulings that a proof staged (``--ruled``): what follows one is to be right, above all the score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

Object = dict[str, Any]
ASKED: Final = 30
"""Deals of each row and end that are asked for."""


def ruled_figures(results: Sequence[Object], rows: Iterable[str], stages: Sequence[str]) -> Object:
    """Figures of the staged rulings among ``results``, by row (in the order of ``rows``) and stage."""
    found: Object = {}
    for row in rows:
        for stage in stages:
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


def ruled_markdown(figures: Object, stages: Sequence[str]) -> list[str]:
    """``ruled_figures`` as a table of Markdown; ``stages``: in which order."""
    if not figures:
        return []
    stages = [stage for stage in stages if any(stage in cells for cells in figures.values())]
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
    enough = all(cell["deals"] >= ASKED for cells in figures.values() for cell in cells.values() if cell["deals"])
    return [*lines, "", _verdict(whole, enough=enough)]


def _verdict(whole: Object, *, enough: bool) -> str:
    """Return the ``whole`` in one line, and whether the goal is reached; ``enough``: in as many deals as asked."""
    share = 100 * whole["items_doubtful"] / max(1, whole["items"])
    deals = 100 * whole["deals_doubtful"] / max(1, whole["deals"])
    reached = not whole["items_wrong"] and deals <= 5
    return (
        f"{whole['items']} score items in {whole['deals']} deals: {whole['items_wrong']} silently wrong, "
        f"{whole['items_doubtful']} doubtful ({share:.1f} %), in {whole['deals_doubtful']} deals ({deals:.1f} %); "
        f"{whole['uncounted']} deals not counted. Asked for: none wrong, at most 5 % doubtful. "
        + ("**Not reached.**" if not reached else "Reached." if enough else f"Reached, in fewer than {ASKED} of each.")
    )


def _line(name: str, cells: Sequence[Object | None], whole: Object) -> str:
    told = [
        f"{cell['deals_wrong']} / {cell['deals_doubtful']} / {cell['deals']}" if cell and cell["deals"] else "–"
        for cell in cells
    ]
    return f"| {name} | {' | '.join(told)} | {whole['false']} | {whole['broken_wrongly']} | {whole['ends_wrong']} |"
