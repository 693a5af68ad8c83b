"""The catalogue of the F.I.Bur. race code, edition of April 2024 (seeds 000), one module for a group of articles."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Catalogue, catalogue_of
from table_service.referee.fibur2024 import closing, exposure, melds, pack, pot, taking, tournament, turn

FIBUR2024: Final[Catalogue] = catalogue_of(
    "fibur2024",
    (
        *pack.ROWS,
        *taking.ROWS,
        *melds.ROWS,
        *pot.ROWS,
        *exposure.ROWS,
        *turn.ROWS,
        *closing.ROWS,
        *tournament.ROWS,
    ),
)

__all__ = ["FIBUR2024"]
