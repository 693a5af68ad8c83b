"""A ruling as the console sends it: what of it is kept, whether it says enough, what it gives to each line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from hw.cards import UNKNOWN, CardError, Pack
from hw.seats import CLOCKWISE, LINES, Line, Rotation
from table_service.events.orders import Rule
from table_service.referee.catalogue import Row
from table_service.referee.outcomes import Share
from table_service.referee.round import outcome_of, shares_of

_KEPT: Final = (
    "by",
    "option",
    "remedy",
    "freeze",
    "meld",
    "cards",
    "added",
    "found",
    "line",
    "minutes",
    "lines",
    "points",
    "vp",
    "mp",
    "note",
)
"""The fields of a ruling that its event contains."""
_BY_LINE: Final = ("lines", "vp", "mp")
"""Those that give a figure to each line."""
_AS: Final = json.dumps(dict(zip(LINES, (3, 12), strict=True)))
"""Example of figures by line, for messages about other spellings."""
Shares = dict[Line, tuple[Share, ...]]
Stops = Literal["stalemate", "stopped"] | None


def against(order: Rule, rotation: Rotation = CLOCKWISE) -> Line | None:
    """Return the line that a ruling is against: the one it names, else that of the seat it names."""
    return order.line or (rotation.line(order.seat) if order.seat and rotation.holds(order.seat) else None)


def cards_named(pack: Pack, cards: Iterable[str] | None) -> tuple[str, ...]:
    """Return the cards of ``pack`` that a field of a ruling names; others are unknown."""
    found = []
    for card in cards or ():
        try:
            found.append(pack.parse(card))
        except CardError:
            found.append(UNKNOWN)
    return tuple(found)


def kept_of(order: Rule) -> tuple[tuple[str, object], ...]:
    """Return the fields of a ruling that are kept, as data that is the same after a journey through JSON."""
    said = {"by": order.by, **order.fields}
    return tuple((name, _plain(said[name], by_line=name in _BY_LINE)) for name in _KEPT if said.get(name) is not None)


def told_by_minutes(row: Row, ruling: tuple[tuple[str, object], ...]) -> tuple[tuple[str, object], ...]:
    """``ruling`` with the choice that its minutes make, where the row goes by minutes and none was named."""
    named = dict(ruling)
    if "minutes" not in row.form or named.get("option") is not None:
        return ruling
    outcome = outcome_of(row, None, _minutes(named.get("minutes")))
    return ruling if outcome is None or outcome.option is None else (*ruling, ("option", outcome.option))


def wanting(row: Row, order: Rule) -> str | None:
    """Return what a ruling that enters ``row`` lacks, in one sentence; None if it says enough."""
    if "line" in row.form and order.vp is None and order.mp is None and against(order) is None:
        return f"a ruling by {row.id} must name the line {' or '.join(LINES)} that it is against"
    if "lines" in row.form and not order.lines:
        return f'a ruling by {row.id} must name "lines", the minutes of each, as {_AS}'
    if "minutes" in row.form and order.option is None and order.minutes is None:
        return f"a ruling by {row.id} must name the minutes, or an option"
    return None


def shares_ruled(row: Row, line: Line | None, ruling: Mapping[str, Any]) -> tuple[Shares, Stops]:
    """Return what each line gets by a ruling, and whether it ends the deal."""
    option = ruling.get("option")
    if option not in {choice.key for choice in row.choices}:
        option = None
    shares: Shares = {}
    stops: Stops = None
    for against, minutes in _cases(row, line, ruling):
        outcome = outcome_of(row, option, minutes)
        if outcome is None:
            continue
        stops = stops or outcome.stops
        for one, some in shares_of(outcome, against).items():
            shares[one] = (*shares.get(one, ()), *some)
    return shares, stops


def _cases(row: Row, line: Line | None, ruling: Mapping[str, Any]) -> list[tuple[Line | None, float | None]]:
    """Return the line a ruling is against with its minutes of delay; if both are late each is judged apart."""
    if "lines" in row.form:
        return list(_delays(ruling.get("lines")).items())
    return [(line, _minutes(ruling.get("minutes")))]


def _delays(value: object) -> dict[Line | None, float | None]:
    if not isinstance(value, Mapping):
        return {}
    known = {line: _minutes(value.get(str(line))) for line in LINES}
    return {line: minutes for line, minutes in known.items() if minutes is not None}


def _minutes(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value >= 0 else None


def _plain(value: object, *, by_line: bool) -> object:
    if isinstance(value, list | tuple):
        return tuple(map(str, value))
    if by_line and isinstance(value, Mapping):
        return {str(line): _plain(value[str(line)], by_line=False) for line in LINES if str(line) in value}
    return value if isinstance(value, str | int | float | bool) else str(value)
