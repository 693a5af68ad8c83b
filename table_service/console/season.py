"""A season's ranking: final rankings of several evenings, points by place, the best evenings of each entry. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from table_service.console.ruling_forms import FormError

MOST_PLACES: Final = 200
MOST_POINTS: Final = 10_000
_PARTS: Final = re.compile(r"\s*[–—/&]\s*|\s-\s")


@dataclass(frozen=True, slots=True)
class EveningRanking:
    """One evening's final ranking: its name, and by entry the place in it; an entry without one was not ranked."""

    name: str
    places: Mapping[str, int | None]


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """An entry in the season. ``points``: by evening, None where it did not play; ``counted``: which of them count."""

    place: int
    entry: str
    total: int
    points: tuple[int | None, ...]
    counted: tuple[bool, ...]


def points_of(text: str) -> tuple[int, ...]:
    """Return the points of the first, second, … place, as somebody types them. Raises FormError.

    >>> points_of("10, 8; 6 5")
    (10, 8, 6, 5)
    """
    parts = [part for part in re.split(r"[\s,;]+", text.strip()) if part]
    if not parts or len(parts) > MOST_PLACES or not all(part.isascii() and part.isdigit() for part in parts):
        raise FormError("season_points_bad", most=MOST_PLACES)
    if any(len(part) > len(str(MOST_POINTS)) or int(part) > MOST_POINTS for part in parts):
        raise FormError("season_points_bad", most=MOST_PLACES)
    return tuple(map(int, parts))


def evening_of(name: str, rows: Iterable[Mapping[str, Any]]) -> EveningRanking:
    """Return an evening by the rows of its ranking; merit groups follow each other, the second after the first."""
    places: dict[str, int | None] = {}
    before, group = 0, None
    for count, row in enumerate(rows):
        if row.get("group") != group:
            before, group = count, row.get("group")
        place = row.get("place")
        places[str(row.get("pair"))] = before + place if isinstance(place, int) and place > 0 else None
    return EveningRanking(name, places)


def season_of(evenings: Sequence[EveningRanking], points: Sequence[int], best: int | None = None) -> list[SeasonRow]:
    """Return the season's ranking; ``best``: how many evenings of each entry count, None for all.

    A pair is the same in whichever order its names stand. Equal totals share a place.

    >>> first = EveningRanking("A", {"Rossi–Bianchi": 1, "Verdi–Neri": 2})
    >>> second = EveningRanking("B", {"Bianchi–Rossi": 2, "Conti–Serra": 1})
    >>> [(row.place, row.entry, row.total) for row in season_of((first, second), (10, 8))]
    [(1, 'Rossi–Bianchi', 18), (2, 'Conti–Serra', 10), (3, 'Verdi–Neri', 8)]
    """
    names: dict[tuple[str, ...], str] = {}
    got: dict[tuple[str, ...], list[int | None]] = {}
    for number, evening in enumerate(evenings):
        for entry, place in evening.places.items():
            who = _same(entry)
            names.setdefault(who, entry)
            row = got.setdefault(who, [None] * len(evenings))
            row[number] = points[place - 1] if place is not None and place <= len(points) else 0
    rows = [_row(names[who], tuple(own), best) for who, own in got.items()]
    rows.sort(key=lambda row: (-row.total, row.entry.casefold()))
    return [replace(row, place=place) for place, row in zip(shared_places([r.total for r in rows]), rows, strict=True)]


def shared_places(totals: Sequence[int]) -> list[int]:
    """Return the places of totals that fall: equal ones share a place.

    >>> shared_places([9, 7, 7, 3])
    [1, 2, 2, 4]
    """
    places: list[int] = []
    for n, total in enumerate(totals):
        places.append(places[-1] if n and total == totals[n - 1] else n + 1)
    return places


def best_of(points: Sequence[int | None], best: int | None = None) -> set[int]:
    """Return which of ``points`` count, by their index: the ``best`` of those that there are, None for all.

    >>> sorted(best_of([5, None, 9, 7], 2))
    [2, 3]
    """
    order = sorted((n for n, one in enumerate(points) if one is not None), key=lambda n: -(points[n] or 0))
    return set(order if best is None else order[:best])


def _row(entry: str, points: tuple[int | None, ...], best: int | None) -> SeasonRow:
    kept = best_of(points, best)
    counted = tuple(n in kept for n in range(len(points)))
    return SeasonRow(0, entry, sum(points[n] or 0 for n in kept), points, counted)


def _same(entry: str) -> tuple[str, ...]:
    """Key that two spellings of an entry share: its people, in any order and letters."""
    return tuple(sorted(part.casefold() for part in _PARTS.split(entry.strip()) if part))
