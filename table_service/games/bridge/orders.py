"""The arbitro's orders at a table of bridge, beyond those of every table."""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import Field

from table_service.events import orders
from table_service.events.orders import Orders, Whole
from table_service.games.bridge.rules.contract import Vulnerable

Record = Annotated[str, Field(max_length=1_048_576, description="one board in PBN; secret")]


class StartRoundOfBoards(orders.StartRound):
    """Start a round. ``records``: by its number the record of each board that is played."""

    records: dict[str, Record] | None = None


class StartBoard(orders.StartDeal):
    """Begin a board; without ``vulnerable`` its record, or its number, says who is."""

    board: Annotated[Whole, Field(ge=1)] | None = None
    vulnerable: Vulnerable | None = None
    record: Record | None = None


class CorrectBoard(orders.Correct):
    """State the ``tricks`` of the result, penalty cards, or the card of a player in trick ``n``."""

    tricks: Annotated[Whole, Field(ge=0, le=13)] | None = None
    n: Whole | None = None


ORDERS: Final[Orders] = {**orders.ORDERS, **orders.by_name(StartRoundOfBoards, StartBoard, CorrectBoard)}
