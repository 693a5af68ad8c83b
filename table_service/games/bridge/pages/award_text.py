"""Adjusted scores and deductions as sentences, in both languages. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from hw.seats import Line
from table_service.games.bridge.norms.entered_scores import (
    Adjusted,
    ContractOutcome,
    Deduction,
    Weighted,
    adjusted_of,
    deduction_of,
)
from table_service.games.bridge.pages.words import STRAINS
from table_service.games.reports import Text

_KINDS: Final[Mapping[str, Text]] = {
    "artificial": ("punteggio artificiale", "artificial score"),
    "assigned": ("punteggio assegnato", "assigned score"),
    "weighted": ("punteggio ponderato", "weighted score"),
    "split": ("punteggi diversi per le due linee (split score)", "split score"),
}
_UNITS: Final[Mapping[str, Text]] = {
    "vp": ("V.P.", "V.P."),
    "imp": ("IMP", "IMPs"),
    "percent": ("% del top", "% of a top"),
}
_SEATS: Final = {"N": ("N", "N"), "E": ("E", "E"), "S": ("S", "S"), "W": ("O", "W")}


def number_text(number: Fraction, column: int) -> str:
    """Return a number with two decimals at most, in the language of ``column``.

    >>> number_text(Fraction(125, 2), 0), number_text(Fraction(60), 1)
    ('62,5', '60')
    """
    text = f"{float(number):.2f}".rstrip("0").rstrip(".")
    return text.replace(".", ",") if column == 0 else text


def outcome_text(one: ContractOutcome, column: int) -> str:
    """Return a contract with its declarer and result.

    >>> from hw.seats import Seat
    >>> from table_service.games.bridge.rules.contract import Contract
    >>> outcome_text(ContractOutcome(Contract("3N", Seat.WEST, "X"), 7), 0)
    '3 SA X O -2'
    """
    made = one.contract
    if made is None:
        return ("passo generale", "passed out")[column]
    over = one.tricks - made.needed
    bid = f"{made.level}{STRAINS[made.strain][column]} {made.doubled}".strip()
    return f"{bid} {_SEATS[str(made.declarer)][column]} {'=' if over == 0 else f'{over:+d}'}"


def _weighted_text(parts: Weighted, column: int) -> str:
    if len(parts) == 1:
        return outcome_text(parts[0][0], column)
    whole = sum(weight for _, weight in parts)
    shares = (
        f"{number_text(Fraction(100 * weight, whole), column)} % {outcome_text(one, column)}" for one, weight in parts
    )
    return ", ".join(shares)


def adjusted_text(one: Adjusted, column: int) -> str:
    """Text of an adjusted score, without its name."""
    if one.percent is not None:
        ns, ew = (number_text(share, column) for share in one.percent)
        text = f"{ns} % – {ew} %"
        if None not in one.imps:
            home, away = (number_text(imps or Fraction(0), column) for imps in one.imps)
            text += f" (IMP {home} / {away})" if column == 0 else f" (IMPs {home} / {away})"
        return text
    ns, ew = (_weighted_text(one.outcomes[line], column) for line in Line)
    return ns if one.kind != "split" else f"NS: {ns}; EO: {ew}" if column == 0 else f"NS: {ns}; EW: {ew}"


def kind_text(one: Adjusted, column: int) -> str:
    """Name of an adjusted score's kind in the law."""
    return _KINDS[one.kind][column]


def deduction_text(one: Deduction, column: int) -> str:
    """Text of a penalty: line and amount."""
    line = ("EO", "EW")[column] if one.line is Line.EW else "NS"
    return f"{line}: −{number_text(one.amount, column)} {_UNITS[one.unit][column]}"


def _sentence(fields: Mapping[str, Any], column: int) -> str:
    if (score := adjusted_of(fields)) is not None:
        return f"{kind_text(score, column)}: {adjusted_text(score, column)}"
    if (off := deduction_of(fields)) is not None:
        return f"{('penalità', 'penalty')[column]}: {deduction_text(off, column)}"
    return "?"


def award_sentence(fields: Mapping[str, Any]) -> Text:
    """Sentence on an award, in both languages."""
    return _sentence(fields, 0), _sentence(fields, 1)
