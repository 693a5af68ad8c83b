"""Arts. 2, 3, 19, 20, 37 to 40, powers of the arbitro, conduct: what concerns a round, not a card (own wording)."""

from __future__ import annotations

from typing import Final

from table_service.referee.catalogue import Row

ROWS: Final[tuple[Row, ...]] = ()
