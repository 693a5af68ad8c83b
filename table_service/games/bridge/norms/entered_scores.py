"""Scores that the arbitro enters for a board: artificial, assigned, weighted, split (law 12).

Pure values, and how they are kept as JSON. A score of one line need not be the other's counterpart (12C1f).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil, floor
from types import MappingProxyType
from typing import Any, Final, Literal

from hw.seats import Line, seat_or_none
from table_service.events.untrusted import as_list, as_map, as_name, as_whole
from table_service.games.bridge.rules.contract import (
    BIDS,
    DOUBLINGS,
    TRICKS,
    BridgeError,
    Contract,
    Vulnerable,
    is_vulnerable,
)
from table_service.games.bridge.rules.match_points import Spread, imps, victory_points
from table_service.games.bridge.rules.score import score

Kind = Literal["artificial", "assigned", "weighted", "split"]
Fault = Literal["none", "partly", "directly", "abandoned"]
SHARES: Final[Mapping[Fault, int]] = MappingProxyType({"none": 60, "partly": 50, "directly": 40, "abandoned": 0})
"""Per cent of a top by a line's fault: not at fault, partly, directly (12C2a); one that has abandoned (norm 4.3a)."""
TEAM_IMPS: Final[Mapping[int, int]] = MappingProxyType({60: 3, 50: 0, 40: -3})
"""The same in a match of teams (12C2b), by per cent. Unconfirmed: the norms print no text of it."""


@dataclass(frozen=True, slots=True)
class ContractOutcome:
    """A contract and declarer's tricks; without a contract the board is passed out."""

    contract: Contract | None
    tricks: int = 0

    def points(self, vulnerable: Vulnerable) -> int:
        """Return the points of North and South."""
        if self.contract is None:
            return 0
        line = self.contract.declarer.line
        own = score(self.contract, self.tricks, vulnerable=is_vulnerable(line, vulnerable)).total
        return own if line is Line.NS else -own


Weighted = tuple[tuple[ContractOutcome, int], ...]
"""Outcomes, each with its weight; the weights add up to what they like, and one is positive."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An adjusted score. ``percent``: of North-South and East-West where it is artificial, else None.

    ``imps``: what each gets then in a match of teams, None where nobody has said. ``outcomes``: else, by line, what
    counts for it.
    """

    percent: tuple[Fraction, Fraction] | None = None
    imps: tuple[Fraction | None, Fraction | None] = (None, None)
    outcomes: Mapping[Line, Weighted] = field(default_factory=dict)

    @property
    def kind(self) -> Kind:
        """Name of its kind in the law; a split one may be weighted as well."""
        if self.percent is not None:
            return "artificial"
        if self.outcomes[Line.NS] != self.outcomes[Line.EW]:
            return "split"
        return "assigned" if len(self.outcomes[Line.NS]) == 1 else "weighted"

    def spread(self, line: Line, vulnerable: Vulnerable) -> Spread | None:
        """Points of North and South that count for ``line``, each with its share of 1; None for an artificial score."""
        if self.percent is not None:
            return None
        parts = self.outcomes[line]
        whole = sum(weight for _, weight in parts)
        return tuple((one.points(vulnerable), Fraction(weight, whole)) for one, weight in parts)


@dataclass(frozen=True, slots=True)
class Scored:
    """Score of a board at one table: points of North and South for either line, each None if unknown.

    ``given``: IMPs of North-South and East-West if an artificial score gives them, whatever was played.
    """

    ns: Spread | None = None
    ew: Spread | None = None
    given: tuple[Fraction | None, Fraction | None] | None = None


def scored(adjusted: Adjusted | None, points: int | None, vulnerable: Vulnerable | None) -> Scored:
    """Score that counts for a board: its adjusted score, else the ``points`` that North and South made."""
    if adjusted is None:
        played: Spread | None = None if points is None else ((points, Fraction(1)),)
        return Scored(played, played)
    if adjusted.percent is not None:
        return Scored(given=adjusted.imps)
    if vulnerable is None:
        return Scored()
    return Scored(adjusted.spread(Line.NS, vulnerable), adjusted.spread(Line.EW, vulnerable))


def board_imps(open_: Scored, closed: Scored) -> tuple[Fraction | None, Fraction | None]:
    """Return the IMPs of the team that sits North and South at the open table, and of the other; None: not known.

    Of a weighted score the mean of the IMPs that its parts give (12C1c); the two are opposite, but for artificial and
    split scores (12C1f). Two artificial scores that disagree leave it unknown.
    """
    told = {one for one in (open_.given, None if closed.given is None else closed.given[::-1]) if one is not None}
    if told:
        return told.pop() if len(told) == 1 else (None, None)
    home, away = _mean_of_imps(open_.ns, closed.ew), _mean_of_imps(open_.ew, closed.ns)
    return home, None if away is None else -away


def _mean_of_imps(open_: Spread | None, closed: Spread | None) -> Fraction | None:
    if open_ is None or closed is None:
        return None
    return sum((imps(a - b) * p * q for a, p in open_ for b, q in closed), Fraction(0))


def match_victory(boards: int, lead: Fraction) -> Fraction | None:
    """Return the victory points of a team that leads by so many IMPs (negative: it trails); None if no norm says.

    A lead that is no whole number has those that both whole numbers next to it have.
    """
    try:
        found = {victory_points(boards, whole)[0] for whole in (floor(lead), ceil(lead))}
    except BridgeError:
        return None
    return Fraction(found.pop()) if len(found) == 1 else None


def taken_off(deductions: Iterable[Deduction], unit: str) -> Fraction:
    """Sum of the deductions in one unit."""
    return sum((one.amount for one in deductions if one.unit == unit), Fraction(0))


@dataclass(frozen=True, slots=True)
class Deduction:
    """Deduction from a line: victory points, IMPs, or per cent of a top (norms 8.2, 8.3, 87.1; laws 90, 91)."""

    line: Line
    unit: Literal["vp", "imp", "percent"]
    amount: Fraction


def artificial(ns: Fraction, ew: Fraction, imps: tuple[Fraction | None, Fraction | None]) -> dict[str, Any]:
    """Return an artificial score as it is kept."""
    told: dict[str, Any] = {"kind": "artificial", "NS": str(ns), "EW": str(ew)}
    return told | {f"imps-{line}": str(one) for line, one in zip(Line, imps, strict=True) if one is not None}


def assigned(ns: Weighted, ew: Weighted) -> dict[str, Any]:
    """One or more outcomes for each line as they are kept."""
    return {
        "kind": "result",
        **{str(line): [_kept(*one) for one in parts] for line, parts in ((Line.NS, ns), (Line.EW, ew))},
    }


def _kept(one: ContractOutcome, weight: int) -> dict[str, Any]:
    if one.contract is None:
        return {"weight": weight}
    made = one.contract
    return {"bid": made.bid, "doubled": made.doubled, "by": str(made.declarer), "tricks": one.tricks, "weight": weight}


def deduction(line: Line, unit: str, amount: Fraction) -> dict[str, Any]:
    """Deduction from a line in its stored form."""
    return {"kind": "deduction", "line": str(line), "unit": unit, "amount": str(amount)}


def adjusted_of(fields: Mapping[str, Any]) -> Adjusted | None:
    """Return the adjusted score that was kept as ``fields``; None if they are something else."""
    match fields.get("kind"):
        case "artificial":
            ns, ew = (_fraction(fields.get(str(line))) for line in Line)
            given = _fraction(fields.get("imps-NS")), _fraction(fields.get("imps-EW"))
            return None if ns is None or ew is None else Adjusted((ns, ew), given)
        case "result":
            both = {line: _weighted(fields.get(str(line))) for line in Line}
            return Adjusted(outcomes=both) if all(both.values()) else None
    return None


def deduction_of(fields: Mapping[str, Any]) -> Deduction | None:
    """Return the deduction that was kept as ``fields``; None if they are something else."""
    line = next((one for one in Line if str(one) == fields.get("line")), None)
    unit, amount = fields.get("unit"), _fraction(fields.get("amount"))
    if fields.get("kind") != "deduction" or line is None or amount is None or unit not in ("vp", "imp", "percent"):
        return None
    return Deduction(line, unit, amount)


def _weighted(told: object) -> Weighted:
    found = [(_outcome(as_map(one)), as_whole(as_map(one).get("weight")) or 0) for one in as_list(told)]
    parts = tuple((one, weight) for one, weight in found if one is not None)
    sound = len(parts) == len(found) and all(weight > 0 for _, weight in parts)
    return parts if sound else ()


def _outcome(told: Mapping[str, Any]) -> ContractOutcome | None:
    if "bid" not in told:
        return ContractOutcome(None)
    bid, seat, tricks = as_name(told.get("bid")), seat_or_none(told.get("by")), as_whole(told.get("tricks"))
    doubled = next((one for one in DOUBLINGS if one == told.get("doubled")), None)
    if bid not in BIDS or seat is None or doubled is None or tricks is None or not 0 <= tricks <= TRICKS:
        return None
    return ContractOutcome(Contract(bid, seat, doubled), tricks)


def _fraction(told: object) -> Fraction | None:
    try:
        return Fraction(str(told)) if isinstance(told, str | int) and not isinstance(told, bool) else None
    except (ValueError, ZeroDivisionError):
        return None
