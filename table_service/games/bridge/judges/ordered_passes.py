"""Players who are ordered to pass once, at their next turn (law 24 of 2007), and calls against that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hw.seats import Seat
from table_service.games.bridge.judges.tray import TrayAuction, TrayCall
from table_service.games.bridge.rules.auction import CALLS, NO_BID


@dataclass(frozen=True, slots=True)
class OrderedPass:
    """``seat`` passes at its next turn; ``since``: how many calls of it lay on the tray when that was ordered."""

    seat: Seat
    since: int


def ordered_now(tray: TrayAuction, seat: Seat) -> OrderedPass:
    """Return the order that ``seat`` passes at its next turn from now on."""
    return OrderedPass(seat, sum(one.seat is seat for one in tray.calls))


def broken_passes(tray: TrayAuction, orders: Iterable[OrderedPass]) -> Iterator[TrayCall]:
    """Yield calls other than a pass by a player who was to pass at that turn; an unread one accuses no player."""
    for order in orders:
        own = [one for one in tray.calls if one.seat is order.seat]
        if len(own) > order.since and own[order.since].call in CALLS and own[order.since].call != NO_BID:
            yield own[order.since]
