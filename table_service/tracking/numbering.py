"""Numbers of rows. The contract numbers a deal's rows once; a camera may number those of each line's melds apart."""

from __future__ import annotations

from typing import Final

_APART: Final = 1_000_000


class RowNumbers:
    """One number for each row of a deal, whatever zone it lies in: the game knows a meld by it alone."""

    def __init__(self) -> None:
        self._zone: dict[int, str] = {}
        self._apart: dict[tuple[str, int], int] = {}

    def of(self, zone: str, row: int) -> int:
        """Return the number of the row that ``zone`` calls ``row``: its own, or another if that is taken elsewhere."""
        if row >= _APART or self._zone.setdefault(row, zone) == zone:
            return row
        return self._apart.setdefault((zone, row), _APART + len(self._apart))
