"""The tray's time on either side, of each call, alerts and the stop card: a log for the arbitro, never an accusation.

Up to twenty seconds for the passing of the tray mean nothing; a longer one is evidence that the side which receives it
may bring up until the opening lead, before the aperture opens (app. 4, 4e to 4g).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.judges.sides import Side, other_side, side_of
from table_service.games.bridge.judges.tray import TrayAuction
from table_service.games.bridge.rules.contract import BIDS, LEVELS

NOTHING_S: Final = 20.0
"""Seconds for the passing of the tray that mean nothing (app. 4, 4g)."""
COMPETITIVE_S: Final = 30.0
"""The same in highly competitive auctions, where an event has chosen so (a note of the norms, not their text)."""
STOP_S: Final = 10.0
"""The pause after a jump, about (18.3)."""


@dataclass(frozen=True, slots=True)
class Stay:
    """The tray stood on ``side`` from ``since`` to ``until``; ``calls``: who called what there, and when."""

    side: Side
    since: float
    until: float
    calls: tuple[tuple[Seat, str, float], ...]

    @property
    def seconds(self) -> float:
        """Seconds that it stayed there."""
        return self.until - self.since

    @property
    def received_by(self) -> Side:
        """The side that it then came to, which may bring its time up."""
        return other_side(self.side)

    def thought(self) -> tuple[tuple[Seat, float], ...]:
        """Each call with the seconds since the tray came, or since the call before it there."""
        found, last = [], self.since
        for seat, _, t in self.calls:
            found.append((seat, t - last))
            last = max(last, t)
        return tuple(found)


def stays(tray: TrayAuction, since: float) -> tuple[Stay, ...]:
    """Every stay of the tray that has ended; it stood with the dealer from ``since`` on.

    A stay that began after the auction was over and in which nobody called is the tray's being put away: none.
    """
    found = []
    over = tray.calls[-1].t if tray.auction.is_over else math.inf
    side, begun = side_of(tray.dealer), since
    for one in tray.passings:
        if one.to == side:
            continue  # it was drawn back, or its way was not sensed: no stay has ended
        calls = tuple(
            (call.seat, call.call, call.t)
            for call in tray.calls
            if side_of(call.seat) == side and begun <= call.t <= one.t
        )
        if calls or begun <= over:
            found.append(Stay(side, begun, one.t, calls))
        side, begun = one.to, one.t
    return tuple(found)


def evidence(found: Iterable[Stay], *, limit: float = NOTHING_S) -> tuple[Stay, ...]:
    """Return the stays longer than ``limit`` seconds: evidence for the side that received the tray."""
    return tuple(one for one in found if one.seconds > limit)


Haste = Literal["no-stop", "too-soon"]


@dataclass(frozen=True, slots=True)
class Jump:
    """A jump by ``seat`` without the stop card, or a call by ``seat`` too soon after one: a note (18.3)."""

    what: Haste
    seat: Seat
    call: str
    t: float


def is_jump(bid: str, over: str | None) -> bool:
    """Return True if ``bid`` is higher than its strain needs to be over ``over``.

    >>> is_jump("2H", "1S"), is_jump("3H", "1S"), is_jump("2C", None)
    (False, True, True)
    """
    least = next((level for level in LEVELS if over is None or BIDS.index(level + bid[1]) > BIDS.index(over)), None)
    return least is not None and bid[0] > least


def jumps(tray: TrayAuction, stops: Sequence[tuple[Seat, float]], *, pause: float = STOP_S) -> tuple[Jump, ...]:
    """Jumps without the stop card, and calls on the same side before the pause was over.

    ``stops``: who has shown the card when. Of a call across the screen nobody can say when the jump was seen.
    """
    found: list[Jump] = []
    over: str | None = None
    last: tuple[Seat, float] | None = None
    for one in tray.calls:
        if last is not None and _is_mate_in_turn(one.seat, last[0]) and one.t - last[1] < pause:
            found.append(Jump("too-soon", one.seat, one.call, one.t))
        last = None
        if one.call not in BIDS:
            continue
        if is_jump(one.call, over):
            last = one.seat, one.t
            if not any(seat is one.seat and t <= one.t for seat, t in stops):
                found.append(Jump("no-stop", one.seat, one.call, one.t))
        over = one.call
    return tuple(found)


def _is_mate_in_turn(seat: Seat, after: Seat) -> bool:
    return seat is CLOCKWISE.next(after) and side_of(seat) == side_of(after)


@dataclass(frozen=True, slots=True)
class CallAlert:
    """``by`` laid the alert card over a call of ``seat`` at ``t`` and got it back at ``returned`` (None: not yet)."""

    by: Seat
    seat: Seat
    t: float
    returned: float | None = None

    @property
    def side(self) -> Side:
        """On which side it was shown: on one side only is no fault by itself (app. 3, 1c)."""
        return side_of(self.by)
