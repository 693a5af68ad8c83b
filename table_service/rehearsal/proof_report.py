"""Results of a proof: figures over many rehearsed rounds, as data and as text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any, Final

from table_service.rehearsal.game_rehearsal import RehearsedKind

Object = dict[str, Any]
SEVERITIES: Final = ("score", "play-stops", "warning", "note")


def summary(results: Sequence[Object], kinds: Mapping[str, RehearsedKind]) -> Object:
    """Figures over all ``results``: actions, false alarms by severity, faults by row, scores, speed.

    Rows come in the order of ``kinds``, which holds each of them.
    """
    clean = [result for result in results if result["row"] is None]
    played = [row for row in kinds if any(r["row"] == row for r in results)]
    rows = {row: _row_figures(kinds[row], results) for row in played if kinds[row].told}
    return {
        "clean": _figures(clean),
        "rows": rows,
        "untold": {row: _row_figures(kinds[row], results) for row in played if not kinds[row].told},
        "all_rows": {
            name: sum(found[name] for found in rows.values()) for name in ("injected", "told", "right_remedy", "ruled")
        },
        "observations_per_second": round(
            sum(r["observations"] for r in results) / max(1e-9, sum(r["seconds"] for r in results))
        ),
    }


_LISTS: Final = {
    "actions_wrong": "wrong",
    "unseated": "unseated",
    "draws_misnamed": "draws_misnamed",
    "ends_wrong": "ends_wrong",
    "broken_wrongly": "broken_wrongly",
    "items_wrong": "score_wrong",
}
"""Figures that count the entries of a list of the report."""
_COUNTS: Final = {
    "actions": "actions",
    "draws": "draws",
    "draws_named": "draws_named",
    "deals": "deals",
    "deals_counted": "counted",
    "items": "score_items",
    "items_right": "score_right",
    "items_doubtful": "score_doubtful",
}
"""Figures that add up a number of the report."""
_STOPS: Final = frozenset(("score", "play-stops"))


def _figures(results: Sequence[Object]) -> Object:
    reports = [result["report"] for result in results]
    alarms = [[alarm["severity"] for alarm in report["false"]] for report in reports]
    false = Counter(chain.from_iterable(alarms))
    kept = [kept for report in reports for kept in report["kept"]]
    return {
        "rounds": len(results),
        "rounds_stopped": sum(bool(_STOPS & set(severities)) for severities in alarms),
        "without_a_flaw": sum(result["clean"] for result in results),
        **{name: sum(len(report[field]) for report in reports) for name, field in _LISTS.items()},
        **{name: sum(report[field] for report in reports) for name, field in _COUNTS.items()},
        "told": told_in_all(report["told"] for report in reports),
        "deals_right": len(list(filter(_is_all_right, reports))),
        "false": {severity: false.get(severity, 0) for severity in SEVERITIES},
        "limits": len(kept),
        "limits_right": sum(one["right"] for one in kept),
    }


def _is_all_right(report: Object) -> bool:
    return bool(report["score_right"] == report["score_items"] > 0)


def told_in_all(each: Iterable[Mapping[str, Sequence[int]]]) -> dict[str, list[int]]:
    """Add up, by type of action, what was told with seat and cards and how many there were (``TruthReport.told``)."""
    told: dict[str, list[int]] = {}
    for one in each:
        for kind, (right, count) in one.items():
            sums = told.setdefault(kind, [0, 0])
            sums[0] += right
            sums[1] += count
    return told


def _those(faults: Sequence[Object], *names: str) -> list[Object]:
    """Return the ``faults`` of which all of ``names`` hold."""
    return [fault for fault in faults if all(fault[name] for name in names)]


def _row_figures(kind: RehearsedKind, results: Sequence[Object]) -> Object:
    """Return figures of the rounds in which ``kind`` was injected.

    ``told``: by the table itself, row and seat right, in time; ``ruled``: only with the arbitro's own ruling.
    """
    chosen = [result for result in results if result["row"] == kind.name]
    faults = [fault for result in chosen for fault in result["report"]["faults"] if fault["row"] == kind.row]
    found = _those(faults, "found")
    own = [fault for fault in found if not fault["by_ruling"]]
    right = _those(own, "right_row")
    delays = sorted(fault["delay"] for fault in right if fault["delay"] is not None)
    told = _those(right, "right_seat", "in_time")
    return _figures(chosen) | {
        "injected": len(faults),
        "found": len(own),
        "right_row": len(right),
        "right_seat": _count(right, "right_seat"),
        "in_time": _count(own, "in_time"),
        "told": len(told),
        "right_remedy": _count(told, "right_remedy"),
        "ruled": _count(found, "by_ruling"),
        "delay_median": delays[len(delays) // 2] if delays else None,
        "delay_worst": delays[-1] if delays else None,
    }


def _count(faults: Sequence[Object], what: str) -> int:
    return sum(fault[what] for fault in faults)


def table_of(figures: Object) -> str:
    """``summary`` as lines of text."""
    clean = figures["clean"]
    lines = []
    if clean["rounds"]:
        lines.append(
            f"clean: {clean['rounds']} rounds, {clean['without_a_flaw']} without a flaw, {clean['actions']} actions, "
            f"{clean['actions_wrong']} differences, {clean['draws_named']}/{clean['draws']} draws named, "
            f"{clean['draws_misnamed']} misnamed, {clean['ends_wrong']} ends wrong, "
            f"{clean['unseated']} without a seat as nothing sensed one"
        )
        lines.append(
            f"       false: {told_of(clean['false'])}; items {clean['items_right']} right, "
            f"{clean['items_doubtful']} doubtful, {clean['items_wrong']} wrong in {clean['deals_counted']} deals"
        )
        ends = [clean["deals"] - clean["ends_wrong"], clean["deals"]]
        shares = {**clean["told"], "end and manner": ends, "every item right": [clean["deals_right"], clean["rounds"]]}
        lines.append(f"       told with seat and cards: {shares_of(shares)}")
    if figures["rows"]:
        lines.append("row             injected told row seat remedy ruled  median  worst  limits  false")
    for row, found in figures["rows"].items():
        lines.append(
            f"{row:16}{found['injected']:8}{found['told']:5}{found['right_row']:4}{found['right_seat']:5}"
            f"{found['right_remedy']:7}{found['ruled']:6}{seconds(found['delay_median']):>8}"
            f"{seconds(found['delay_worst']):>7}{found['limits_right']:5}/{found['limits']:<3} {false_beside(found)}"
        )
    if figures["rows"]:
        whole = figures["all_rows"]
        lines.append(
            f"{'all':16}{whole['injected']:8}{whole['told']:5}         {whole['right_remedy']:7}{whole['ruled']:6}"
        )
    if figures["untold"]:
        lines.append("rows that no sensor tells: rounds, named all the same, false beside them")
        lines += [
            f"{row:8}{found['rounds']:8}{found['told']:5}  {false_beside(found)}"
            for row, found in figures["untold"].items()
        ]
    lines.append(f"{figures['observations_per_second']} observations a second")
    return "\n".join(lines)


def shares_of(told: Mapping[str, Sequence[int]]) -> str:
    """Return each kind with how many were right of how many there were."""
    return ", ".join(f"{kind} {right}/{count} ({right / max(1, count):.1%})" for kind, (right, count) in told.items())


def seconds(value: float | None) -> str:
    """Return ``value`` with two decimals, a dash if there is none."""
    return "-" if value is None else f"{value:.2f}"


def told_of(counts: Object) -> str:
    """Return the counts by name, those that are not nought."""
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count) or "none"


def false_beside(found: Object) -> str:
    """Return what was wrong beside the faults of a row."""
    broken = f", {found['broken_wrongly']} broken" if found["broken_wrongly"] else ""
    wrong = f", {found['items_wrong']} score items" if found["items_wrong"] else ""
    return told_of(found["false"]) + broken + wrong


def flaws(result: Object) -> list[str]:
    """Return what is wrong with one result, a line each."""
    if result.get("unstaged"):
        return []
    report = result["report"]
    lines = [*report["wrong"], *report["draws_misnamed"], *report["ends_wrong"], *report["score_wrong"]]
    lines += report["broken_wrongly"]
    lines += [
        f"false {alarm['row']} {alarm['seat']} at {alarm['t']:.2f} ({alarm['severity']}, {alarm['state']})"
        for alarm in report["false"]
    ]
    lines += [
        f"{kept['row']} {kept['seat']} at {kept['t']:.2f}: limited turn {kept['outcome']}, not told so"
        for kept in report["kept"]
        if not kept["right"]
    ]
    lines += filter(None, map(_flaw, report["faults"]))
    lost = ", ".join(f"{name} {start:.1f}-{end:.1f}" for name, start, end, _ in result.get("gaps", ()))
    staged = f" {result['stage']}" if result.get("stage") else ""
    where = f"seed {result['seed']} {result['row'] or 'clean'}{staged}" + (f" ({lost})" if lost else "")
    return [f"{where}: {line}" for line in lines]


def _flaw(fault: Object) -> str:
    """Return the error in the report of ``fault``, or that there was none; empty if it was right."""
    head = f"{fault['row']} {fault['seat']} at {fault['committed_t']:.2f} ({fault['variant']}): "
    if not fault["found"]:
        return f"{head}not found"
    told = fault["right_row"] and fault["right_seat"] and fault["in_time"] and not fault["by_ruling"]
    if told and fault["right_remedy"]:
        return ""
    ruled = ", only when ruled" if fault["by_ruling"] else ""
    remedy = "" if fault["right_remedy"] else ", another remedy"
    return f"{head}said {fault['said']}, delay {fault['delay']}{ruled}{remedy}"
