"""The line of time of one deal as a drawing: hands and stock as they grow and shrink, alerts, pots and the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from table_service.games.game_pages import GamePages, Moment

WIDTH: Final = 1000.0
HEIGHT: Final = 180.0
_TOP: Final = 14.0
_FOOT: Final = 26.0
_MOST: Final = 44.0
"""Cards that the height of the drawing stands for."""


@dataclass(frozen=True, slots=True)
class Curve:
    """One count over the deal: its name and its steps as points of an SVG polyline. Gaps where it was not known."""

    name: str
    pieces: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """Something to see on the line: where (x in the drawing), what kind, which moment it is."""

    x: float
    kind: str
    index: int
    label: str


@dataclass(frozen=True, slots=True)
class Timeline:
    """The drawing of one deal in units of a ``WIDTH`` x ``HEIGHT`` box. ``turns``: x of every turn's beginning."""

    curves: tuple[Curve, ...]
    marks: tuple[Mark, ...]
    turns: tuple[float, ...]
    xs: tuple[float, ...]
    """x of every moment."""
    seconds: float


def timeline(found: Sequence[Moment], pages: GamePages) -> Timeline:
    """Return the line of time of the moments of one deal of the game that ``pages`` shows; empty for none."""
    if not found:
        return Timeline((), (), (), (), 0.0)
    start, end = found[0].t, max(one.t for one in found)
    span = max(end - start, 1.0)
    xs = tuple(round((one.t - start) / span * WIDTH, 1) for one in found)
    counts = [pages.counts_of(one.state) for one in found]
    curves = [Curve(name, _steps(xs, [one.get(name) for one in counts])) for name in counts[0]]
    marks = [mark for n, one in enumerate(found) if (mark := _mark(xs[n], n, one, pages.marks)) is not None]
    turns = tuple(xs[n] for n, one in enumerate(found) if one.event.get("type") == "turn.started")
    return Timeline(tuple(curves), tuple(marks), turns, xs, round(end - start, 1))


def _y(count: int) -> float:
    return round(HEIGHT - _FOOT - min(count, _MOST) / _MOST * (HEIGHT - _FOOT - _TOP), 1)


def _steps(xs: Sequence[float], counts: Sequence[int | None]) -> tuple[str, ...]:
    pieces: list[str] = []
    points: list[str] = []
    before: int | None = None
    for x, count in zip(xs, counts, strict=True):
        if count is None:
            if points:
                pieces.append(" ".join(points))
            points = []
        else:
            if before is not None and before != count and points:
                points.append(f"{x:g},{_y(before):g}")
            points.append(f"{x:g},{_y(count):g}")
        before = count
    if points:
        pieces.append(" ".join(points))
    return tuple(pieces)


def _mark(x: float, index: int, one: Moment, own: Mapping[str, str]) -> Mark | None:
    data = one.event.get("data")
    data = data if isinstance(data, dict) else {}
    kind = str(one.event.get("type"))
    if kind in own:
        return Mark(x, own[kind], index, str(one.event.get("line") or ""))
    match kind:
        case "irregularity" if data.get("state") == "open":
            return Mark(x, "alert", index, str(data.get("row") or ""))
        case "deal.ended":
            return Mark(x, "end", index, "")
        case "referee.called":
            return Mark(x, "call", index, str(one.event.get("seat") or ""))
    return None
