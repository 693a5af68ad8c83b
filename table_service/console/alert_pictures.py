"""Pictures beside an alert: those around the moment, with the part of each that shows the fact."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from table_service.console.frame_fetcher import PASSING
from table_service.console.table_view import TableView
from table_service.console.times import local
from table_service.console.vocabulary import Words
from table_service.events.untrusted import as_list, as_map, as_name, as_whole

_MOMENTS: Final = ("before", "at", "after")
CROP_LEAST: Final = 0.36
"""A picture is never cropped to less than this part of its side: what lies beside a card says where it lies."""
CROP_AIR: Final = 1.5
"""A crop is so much wider than what is framed in it."""


@dataclass(frozen=True, slots=True)
class Framed:
    """Meaning of a frame in a picture: ``kind`` card, unsure or zone, ``code`` as the table names it."""

    kind: str
    code: str
    box: tuple[float, float, float, float]


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture of an alert, or why there is none.

    ``moment`` before, at, after, or empty where nobody says; ``dt`` seconds from the fact; ``covered``: something
    covers the place in it; ``marked``: no or unsure where the card it concerns is not, or not surely, the marked one;
    ``why``: a word where it cannot be shown, else empty; ``passing``: it may be had later; ``checked``: it is here and
    its hash is right. ``frames``: what is framed in it.
    """

    moment: str
    ref: str = ""
    dt: float | None = None
    covered: bool = False
    marked: str = ""
    why: str = ""
    passing: bool = False
    checked: bool = False
    frames: tuple[Framed, ...] = ()

    @property
    def crop(self) -> str:
        """Return the fact's place as "left top side" of a square in parts of the picture; empty if unknown.

        Cards that the fact concerns go before uncertain ones, these before the zone.
        """
        for kind in ("card", "unsure", "zone"):
            boxes = [one.box for one in self.frames if one.kind == kind]
            if boxes:
                return _square(boxes)
        return ""


@dataclass(frozen=True, slots=True)
class FilmSheet:
    """The film of an alert: small pictures on one sheet, ``columns`` in a row. ``moments``: seconds from the fact.

    ``why``: a word where there is none, or where it cannot be shown.
    """

    ref: str = ""
    columns: int = 1
    moments: tuple[float, ...] = ()
    why: str = ""
    passing: bool = False

    @property
    def at_fact(self) -> int:
        """The number of the picture nearest to the fact."""
        return min(range(len(self.moments)), key=lambda n: abs(self.moments[n]))


def film(key: str, table: TableView, about: Mapping[str, Any] | None = None) -> FilmSheet | None:
    """Return the film of an irregularity; None from a table that makes none. ``about`` as for ``shots``."""
    about = about if about is not None else table.pictured.get(key)
    told = as_map((about or {}).get("film"))
    if not told:
        return None
    ref, columns, moments = as_name(told.get("ref")), as_whole(told.get("columns")), as_list(told.get("moments"))
    known = tuple(float(one) for one in moments if isinstance(one, (int, float)))
    if ref is None or columns is None or columns < 1 or len(known) != len(moments) or not known:
        return FilmSheet(why=str(told.get("why") or "unknown"))
    why = "" if ref in table.evidence or ref in table.kept_frames else table.why.get(ref, "")
    return FilmSheet(ref, columns, known, why, why in PASSING)


def _square(boxes: list[tuple[float, float, float, float]]) -> str:
    x0, y0 = min(box[0] for box in boxes), min(box[1] for box in boxes)
    x1, y1 = max(box[2] for box in boxes), max(box[3] for box in boxes)
    side = min(1.0, max(CROP_LEAST, CROP_AIR * (x1 - x0), CROP_AIR * (y1 - y0)))
    left, top = (min(max((a + b - side) / 2, 0.0), 1.0 - side) for a, b in ((x0, x1), (y0, y1)))
    return f"{left:.4f} {top:.4f} {side:.4f}"


def moment(table: TableView, t: object) -> str:
    """Return the table's second ``t`` as the clock at the console's place; empty if no event says when that was.

    The event beside it says so, as the table's clock may have stood still since.
    """
    if not isinstance(t, (int, float)):
        return ""
    told = table.beside(t) or {}
    at, time = told.get("t"), told.get("time")
    if told.get("boot") != table.boot or not isinstance(time, str) or not isinstance(at, (int, float)):
        return ""
    try:
        return local((datetime.fromisoformat(time) + timedelta(seconds=t - at)).isoformat())
    except (ValueError, OverflowError):
        return ""


def named(framed: Framed, words: Words) -> str:
    """Return what a frame stands for, in the reader's words."""
    name = words.zone(framed.code) if framed.kind == "zone" else words.card(framed.code)
    return words.say(f"frame_{framed.kind}", name=name)


def shots(key: str, table: TableView, about: Mapping[str, Any] | None = None) -> tuple[Shot, ...]:
    """Return the pictures of an irregularity in the order of their moments, and why others are missing.

    ``about``: what the table said of them, where that is not its newest word of ``key``.
    """
    about = about if about is not None else table.pictured.get(key)
    if about is None:
        return ()
    found = [_shot(as_map(one), table) for one in as_list(about.get("pictures"))]
    missing = map(as_map, as_list(about.get("missing")))
    found += [Shot(str(one.get("moment")), why=str(one.get("why"))) for one in missing]
    if about.get("done") is False:
        there = {shot.moment for shot in found}
        found += [Shot(moment, why="coming") for moment in _MOMENTS if moment not in there]
    return tuple(sorted(found, key=lambda shot: _MOMENTS.index(shot.moment) if shot.moment in _MOMENTS else 1))


def _shot(one: Mapping[str, Any], table: TableView) -> Shot:
    ref, dt = str(one.get("ref")), one.get("dt")
    here = ref in table.evidence or ref in table.kept_frames
    why = "" if here else table.why.get(ref, "")
    return Shot(
        moment=str(one.get("moment") or ""),
        ref=ref,
        dt=float(dt) if isinstance(dt, (int, float)) else None,
        covered=one.get("covered") is True,
        marked=str(one.get("marked") or ""),
        why=why,
        passing=why in PASSING,
        checked=here,
        frames=tuple(framed for item in as_list(one.get("frames")) if (framed := _framed(as_map(item))) is not None),
    )


def _framed(one: Mapping[str, Any]) -> Framed | None:
    """Return a frame as a table reported it; None for anything else."""
    box = as_list(one.get("box"))
    if one.get("kind") not in ("card", "unsure", "zone") or len(box) != 4:
        return None
    if not all(isinstance(side, (int, float)) and 0 <= side <= 1 for side in box) or box[0] > box[2] or box[1] > box[3]:
        return None
    return Framed(str(one["kind"]), str(one.get("name")), (float(box[0]), float(box[1]), float(box[2]), float(box[3])))
