"""One frame's cards → what each zone shows, row by row, and where on the table it lies."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Final

from hw.cards import UNKNOWN, face
from hw.observations import SightedCard
from table_service.tracking.columns import Spot
from table_service.tracking.numbering import RowNumbers
from table_service.tracking.row_filter import RowKey
from table_service.tracking.sequences import Faces

Looks = dict[str, dict[RowKey, Faces]]
"""By zone and row the faces in order: from the keeper's edge, in the pile from the bottom up, elsewhere sorted."""
READ: Final = 0.65
"""Confidence below which a reading proves a card there, but not which; from it on vision names a card."""
_MOST_GAPS: Final = 6


class Frames:
    """Sorts frames. Rows bear lasting numbers, so that a row is the same one from frame to frame.

    ``in_rows``: the zones with cards in rows; ``pile``: the zone with cards upon each other in order.
    """

    def __init__(self, in_rows: Collection[str], pile: str) -> None:
        self._pile = pile
        self._in_rows = in_rows
        self._where: dict[tuple[str, str], Spot] = {}
        self._spots: dict[str, dict[int, list[Spot]]] = {}
        self._numbers = RowNumbers()

    def forget(self) -> None:
        """Forget everything: the table is cleared."""
        self._where = {}
        self._numbers = RowNumbers()

    def row(self, zone: str, row: int) -> int:
        """Return the lasting number of the row that the camera calls ``row``."""
        return self._numbers.of(zone, row)

    def spots(self, zone: str) -> Mapping[int, list[Spot]]:
        """Return the places of the cards of each row of ``zone`` in the newest frame."""
        return self._spots.get(zone, {})

    def spot(self, zone: str, card: str) -> Spot:
        """Return the place where ``card``, outside rows, was last seen in ``zone``; the table's centre if never."""
        return self._where.get((zone, card), (0.0, 0.0))

    def sort(self, cards: Iterable[SightedCard]) -> tuple[Looks, dict[str, int]]:
        """Return the frame's face-up cards by zone and row, each in order, and how many each zone shows."""
        rough: dict[str, dict[RowKey, list[tuple[int, str]]]] = {}
        counts: dict[str, int] = {}
        self._spots = {}
        groups: dict[tuple[str, int | None], tuple[list[tuple[int, str]], list[Spot] | None]] = {}
        for card in cards:  # most of a deal's time goes by here
            if card.face != "up":
                continue
            zone = card.zone
            group = groups.get((zone, card.row))
            if group is None:
                group = groups[zone, card.row] = self._group(zone, card.row, rough)
            found, spots = group
            printed = face(card.card) if card.confidence >= READ else UNKNOWN
            found.append((card.order or 0, printed))
            if spots is not None:
                spots.append((card.x, card.y))
            elif zone != self._pile:
                self._where[zone, printed] = (card.x, card.y)
        for zone, rows in rough.items():
            counts[zone] = sum(map(len, rows.values()))
        looks: Looks = {
            zone: {row: _in_order(found, ordered=row is not None or zone == self._pile) for row, found in rows.items()}
            for zone, rows in rough.items()
        }
        return looks, counts

    def _group(
        self, zone: str, called: int | None, rough: dict[str, dict[RowKey, list[tuple[int, str]]]]
    ) -> tuple[list[tuple[int, str]], list[Spot] | None]:
        """Return the lists for the cards of one row: one of ``rough``, and, in a row, one of spots."""
        here = rough.setdefault(zone, {})
        if called is None or zone not in self._in_rows:
            return here.setdefault(None, []), None
        row = self._numbers.of(zone, called)
        return here.setdefault(row, []), self._spots.setdefault(zone, {}).setdefault(row, [])


def _in_order(found: list[tuple[int, str]], *, ordered: bool) -> Faces:
    """Return the faces found, each with its place, in their order; sorted if places mean nothing."""
    found.sort()
    if ordered and found[-1][0] >= len(found):
        return _with_gaps(found)
    faces = [printed for _, printed in found]
    return tuple(faces if ordered else sorted(faces))


def _with_gaps(found: list[tuple[int, str]]) -> Faces:
    """Fill the places left out in a row: a card is there that the frame does not show."""
    if found[-1][0] - len(found) >= _MOST_GAPS or len({order for order, _ in found}) < len(found) or found[0][0] < 0:
        return tuple(printed for _, printed in found)
    faces = [UNKNOWN] * (found[-1][0] + 1)
    for order, printed in found:
        faces[order] = printed
    return tuple(faces)
