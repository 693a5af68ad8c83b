"""Arts. 18 and 23: the pots (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Row

ROWS: Final[tuple[Row, ...]] = ()
