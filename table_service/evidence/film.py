"""The film of a fact: the pictures of the seconds around it, small, on one sheet that is kept as a picture is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from table_service.evidence.picture import Picture

FILM_S: Final = 5.0
"""The film reaches so far before and behind the fact."""
MOST: Final = 20
"""Pictures of a film."""
COLUMNS: Final = 5
SIDE_PX: Final = 400
"""Side of each picture on the sheet, in pixels."""


@dataclass(frozen=True, slots=True)
class Film:
    """A sheet of ``columns`` by as many rows as ``moments`` need; ``moments``: seconds from the fact, in order."""

    jpeg: bytes
    moments: tuple[float, ...]
    columns: int


def film_of(pictures: Sequence[Picture], fact: float) -> Film | None:
    """Return the film of ``fact`` from pictures in order of time; None from fewer than two.

    Hand areas are painted out in it as in these. Of more than ``MOST`` that many are taken, evenly, and among them the
    one nearest to the fact.
    """
    chosen = _thinned(pictures, fact)
    if len(chosen) < 2:
        return None
    moments = tuple(round(one.t - fact, 2) for one in chosen)
    columns = min(COLUMNS, len(chosen))
    from vision.kept_pictures import sheet_of, to_jpeg  # a table without a camera loads none of it

    sheet = sheet_of([one.pixels() for one in chosen], [f"{moment:+.1f} s" for moment in moments], columns, SIDE_PX)
    return Film(to_jpeg(sheet), moments, columns)


def _thinned(pictures: Sequence[Picture], fact: float) -> list[Picture]:
    if len(pictures) <= MOST:
        return list(pictures)
    last = len(pictures) - 1
    taken = {round(n * last / (MOST - 1)) for n in range(MOST)}
    nearest = min(range(len(pictures)), key=lambda n: abs(pictures[n].t - fact))
    if nearest not in taken:
        taken.remove(min(taken - {0, last}, key=lambda n: abs(n - nearest)))
        taken.add(nearest)
    return [pictures[n] for n in sorted(taken)]
