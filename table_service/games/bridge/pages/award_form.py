"""The form by which an arbitro enters an adjusted score or a deduction (law 12, norms 4.3, 8, 12, 16, 87). Pure."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from hw.seats import Line, seat_or_none
from table_service.games.bridge.norms.entered_scores import (
    SHARES,
    TEAM_IMPS,
    ContractOutcome,
    Weighted,
    artificial,
    assigned,
    deduction,
    deduction_of,
)
from table_service.games.bridge.pages.award_text import award_sentence
from table_service.games.bridge.pages.deal_order import MOST_BOARDS
from table_service.games.bridge.rules.contract import BIDS, DOUBLINGS, TRICKS, Contract
from table_service.games.reports import AwardForm, Text, WrongFieldError

ROWS: Final = 3
"""So many outcomes may be weighed for each line."""
PASSED_OUT: Final = "pass"
_NAMES: Final = ("contract", "doubled", "by", "result", "weight")
_MOST: Final = 100


def fields_of(form: Mapping[str, str]) -> dict[str, Any]:
    """Fields of a form in their stored form. Raises WrongFieldError.

    >>> fields_of({"kind": "artificial", "fault-NS": "none", "fault-EW": "directly"})
    {'kind': 'artificial', 'NS': '60', 'EW': '40', 'imps-NS': '3', 'imps-EW': '-3'}
    """
    match form.get("kind"):
        case "artificial":
            return _artificial(form)
        case "result":
            return _result(form)
        case "deduction":
            return _deduction(form)
    raise WrongFieldError(("Scegli che cosa si assegna.", "Choose what is awarded."))


def _artificial(form: Mapping[str, str]) -> dict[str, Any]:
    shares: list[Fraction] = []
    imps: list[Fraction | None] = []
    for line in Line:
        typed = form.get(f"percent-{line}", "")
        fault = next((SHARES[one] for one in SHARES if one == form.get(f"fault-{line}")), None)
        share = _decimal(typed) if typed.strip() else None if fault is None else Fraction(fault)
        if share is None or not 0 <= share <= _MOST:
            raise WrongFieldError(
                ("Per ogni linea serve una percentuale da 0 a 100.", "Each line needs per cent from 0 to 100.")
            )
        given = form.get(f"imps-{line}", "")
        usual = TEAM_IMPS.get(int(share)) if share.denominator == 1 else None
        imps.append(_decimal(given) if given.strip() else None if usual is None else Fraction(usual))
        shares.append(share)
    return artificial(shares[0], shares[1], (imps[0], imps[1]))


def _result(form: Mapping[str, str]) -> dict[str, Any]:
    ns, ew = _outcomes(form, Line.NS), _outcomes(form, Line.EW)
    if not ns:
        raise WrongFieldError(
            ("Scrivi almeno un contratto con il suo risultato.", "Write one contract with its result.")
        )
    return assigned(ns, ew or ns)


def _outcomes(form: Mapping[str, str], line: Line) -> Weighted:
    found: list[tuple[ContractOutcome, int | None]] = []
    for row in range(1, ROWS + 1):
        typed = {name: form.get(f"{line}-{row}-{name}", "").strip() for name in _NAMES}
        if typed["contract"]:
            found.append((_outcome(typed), _weight(typed["weight"])))
        elif typed["by"] or typed["result"]:
            raise WrongFieldError(("Manca il contratto di un risultato.", "The contract of a result is missing."))
    if len(found) > 1 and any(weight is None for _, weight in found):
        raise WrongFieldError(("Di più risultati ognuno ha il suo peso.", "Of several results each has its weight."))
    return tuple((one, 1 if weight is None else weight) for one, weight in found)


def _outcome(typed: Mapping[str, str]) -> ContractOutcome:
    if typed["contract"] == PASSED_OUT:
        return ContractOutcome(None)
    seat, bid = seat_or_none(typed["by"]), typed["contract"]
    doubled = next((one for one in DOUBLINGS if one == typed["doubled"]), None)
    if seat is None or bid not in BIDS or doubled is None:
        raise WrongFieldError(
            ("Di ogni risultato serve il contratto e chi lo gioca.", "Each result needs its contract and who plays it.")
        )
    made = Contract(bid, seat, doubled)
    return ContractOutcome(made, _tricks(typed["result"], made))


def _tricks(typed: str, made: Contract) -> int:
    """Return declarer's tricks: ``=``, ``+1``, ``-2`` as against the contract, or their number."""
    text = typed.replace("−", "-").replace(" ", "")
    relative = text.startswith(("+", "-"))
    digits = text[1:] if relative else text
    if text == "=":
        return made.needed
    if digits.isascii() and digits.isdigit() and len(digits) <= 2:
        tricks = made.needed + int(text) if relative else int(digits)
        if 0 <= tricks <= TRICKS:
            return tricks
    raise WrongFieldError(
        (
            f"«{typed}» non è un risultato: =, +1, -2, o le prese da 0 a 13.",
            f"'{typed}' is no result: =, +1, -2, or tricks.",
        )
    )


def _weight(typed: str) -> int | None:
    text = typed.replace("%", "").strip()
    if not text:
        return None
    if text.isascii() and text.isdigit() and 1 <= int(text) <= _MOST:
        return int(text)
    raise WrongFieldError(("Il peso è un numero intero da 1 a 100.", "A weight is a whole number from 1 to 100."))


def _deduction(form: Mapping[str, str]) -> dict[str, Any]:
    line = next((one for one in Line if str(one) == form.get("line")), None)
    amount = _decimal(form.get("amount", ""))
    if line is None or not 0 < amount <= _MOST:
        raise WrongFieldError(("Scegli la linea e quanto si toglie.", "Choose the line and how much is taken off."))
    told = deduction(line, form.get("unit", ""), amount)
    if deduction_of(told) is None:
        raise WrongFieldError(("Scegli V.P., IMP o % del top.", "Choose V.P., IMPs or % of a top."))
    return told


def _decimal(typed: str) -> Fraction:
    text = typed.strip().replace("−", "-").replace("%", "").replace(",", ".").strip()
    bare = text.removeprefix("-").replace(".", "", 1)
    if not bare.isascii() or not bare.isdigit() or len(bare) > 6:
        raise WrongFieldError((f"«{typed}» non è un numero.", f"'{typed}' is no number."))
    return Fraction(text)


def of_board(fields: Mapping[str, Any]) -> bool:
    """Return True if the stored award concerns one board: every score, and per cent of a top."""
    off = deduction_of(fields)
    return off is None or off.unit == "percent"


def penalised_line(fields: Mapping[str, Any]) -> str | None:
    """Return the line that something is taken off; None for a score."""
    off = deduction_of(fields)
    return None if off is None else str(off.line)


_ARTICLES: Final[tuple[tuple[str, Text], ...]] = (
    ("12C1", ("punteggio assegnato", "assigned score")),
    ("12C1c", ("punteggio ponderato", "weighted score")),
    ("12C1f", ("punteggi diversi per le due linee", "scores that do not add up")),
    ("12C2", ("punteggio artificiale", "artificial score")),
    ("N.I. 16", ("score aperto, torneo locale: 60/40", "sheet opened, local event: 60/40")),
    ("N.I. 4.3", ("abbandono: 60/0", "abandonment: 60/0")),
    ("N.I. 8.2", ("gioco lento", "slow play")),
    ("N.I. 8.3", ("ritardo", "lateness")),
    ("N.I. 87.1", ("carte nello scomparto sbagliato: 10 o 20 %", "cards in a wrong pocket: 10 or 20 %")),
    ("90", ("penalità procedurale", "procedural penalty")),
    ("91", ("penalità disciplinare", "disciplinary penalty")),
)
AWARD_FORM: Final = AwardForm(
    template="award.html",
    fields_of=fields_of,
    of_deal=of_board,
    line_of=penalised_line,
    sentence=award_sentence,
    articles=_ARTICLES,
    number_title=("Board", "Board"),
    numbers=range(1, MOST_BOARDS + 1),
    named_by=("board.placed", "board"),
)
"""What an arbitro enters of a board, and what he takes off a line."""
