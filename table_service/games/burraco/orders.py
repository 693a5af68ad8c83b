"""The arbitro's orders at a table of Burraco, beyond those of every table."""

from __future__ import annotations

from typing import Final

from table_service.events import orders
from table_service.events.orders import Flag, Orders


class RuleAtBurraco(orders.Rule):
    """A ruling; by the row of the stalemate ``declared``: the players have said so, and it ends the deal at once."""

    declared: Flag = False


class ConfirmAtBurraco(orders.Confirm):
    """The same for a confirmation."""

    declared: Flag = False


ORDERS: Final[Orders] = {**orders.ORDERS, **orders.by_name(RuleAtBurraco, ConfirmAtBurraco)}
