"""Lights of the nodes for the players: whose turn it is, and that play stops or the arbitro was called.

The light that stops play shines at all four seats: it accuses no player; the arbitro decides. What only concerns
the score or the arbitro shines nowhere. The time left is not shown, except when a time that the code provides for is
over: then the light of the player in turn calls, with a short sound.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from firmware_bridge import Lights
from hw.seats import SEATS

DARK: Final = Lights(0, 0, 0)
ALL: Final = (1 << len(SEATS)) - 1
SHORT: Final = 1


def lights_of(state: Mapping[str, Any], alerts: Iterable[Mapping[str, Any]]) -> Lights:
    """Return the lights for the public ``state`` of a table and the ``alerts`` for the arbitro, calls among them.

    Bits as in ``Lights``: 0 to 3 are N, E, S, W. No turn shines before the first deal, after its end, or where the
    seat is not known.
    """
    turn = state.get("turn") or {}
    playing = state.get("phase") in ("dealt", "playing") and state.get("round", {}).get("running", True)
    alert = 0
    for one in alerts:
        if one.get("call"):
            alert |= _bit(one.get("offender"))
        elif one.get("severity") == "play-stops":
            alert = ALL
    over = state.get("countdown") or {}
    if over.get("over"):
        alert |= _bit(over.get("seat"))
    return Lights(_bit(turn.get("seat")) if playing else 0, alert, SHORT if alert else 0)


def _bit(seat: object) -> int:
    """Return the bit of a seat; 0 for none."""
    return next((1 << number for number, one in enumerate(SEATS) if one == seat), 0)
