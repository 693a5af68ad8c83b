"""An event's results as the objects of the Bridgemate Data Connector, for scoring programs that read those. Pure.

Names and values are those of its ``ResultDTO`` and ``HandrecordDTO`` (Bridge Systems, version 5.0.1041). A score that
is neither a contract nor an average of that list (40, 50 or 60 % for either line) is left out, and named under
``left_out``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from typing import Any, Final

from hw.seats import Line, Seat
from table_service.games.bridge.norms.entered_scores import Adjusted
from table_service.games.bridge.pages.board_facts import BoardFacts
from table_service.games.bridge.pages.comparison import groups_of
from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.games.bridge.pages.event_results import EventResults, results_of
from table_service.games.bridge.pages.lin_files import is_whole
from table_service.games.bridge.pages.pbn_files import hands_of
from table_service.games.reports import RoundPlayed

_BOTH: Final = 3
_SECTION: Final = "A"
_SEATS: Final = {"N": ("North", 1), "E": ("East", 2), "S": ("South", 3), "W": ("West", 4)}
_STRAINS: Final = {"C": 1, "D": 2, "H": 3, "S": 4, "N": 5}
_SUITS: Final = ("Spades", "Hearts", "Diamonds", "Clubs")
_STAKES: Final = {"": 0, "X": 1, "XX": 2}
_RANKS: Final = {rank: value for value, rank in enumerate("23456789TJQKA", start=2)}
_AVERAGES: Final = (40, 50, 60)
"""Shares of an average minus, an average and an average plus; their pairs are the levels from -1 to -9."""


def bridgemate_json(rounds: Sequence[RoundPlayed]) -> str:
    """Results and hand records as one JSON object."""
    results = results_of(rounds)
    session = _guid(results)
    told, left_out = list[dict[str, Any]](), list[dict[str, Any]]()
    for number, every in results.boards:
        for one in every:
            found = _result(session, results, number, one.board)
            told += [] if found is None else [found]
            if found is None:
                left_out.append({"BoardNumber": number, "Table": one.board.place, "RoundNumber": one.board.round})
    records = [
        _record(session, number, hands)
        for number, every in results.boards
        for group in groups_of([one.board for one in every])[:1]
        if is_whole(hands := hands_of(group))
    ]
    document = {"SessionGuid": session, "Results": told, "Handrecords": records, "left_out": left_out}
    return json.dumps(document, ensure_ascii=False, indent=1)


def _guid(results: EventResults) -> str:
    """Thirty-two capital hexadecimal digits that name the event, the same ones every time."""
    named = f"{results.event}\n{results.site}\n{results.day}"
    return hashlib.sha256(named.encode()).hexdigest()[:32].upper()


def _result(session: str, results: EventResults, number: int, board: BoardFacts) -> dict[str, Any] | None:
    contract, table = board.contract, "".join(one for one in board.place if one.isdigit())
    pairs = {line: results.number(board, line) for line in Line}
    if not all(pairs.values()) or not table:
        return None
    found = {
        "SessionGuid": session, "SectionLetters": _SECTION, "TableNumber": int(table), "RoundNumber": board.round,
        "BoardNumber": number, "ScoringDirection": _BOTH, "IsDeleted": False, "PairNorthSouth": pairs[Line.NS],
        "PairEastWest": pairs[Line.EW], "DeclaringPair": pairs[Line.NS], "DeclarerDirection": 0, "Level": 0,
        "Denomination": 0, "Stake": 0, "TotalTricks": 0, "LeadCardRank": 0, "LeadCardSuit": 0,
    }  # fmt: skip
    if board.adjusted is not None:
        level = _average(board.adjusted)
        return None if level is None else found | {"Level": level}
    if board.points is None or (contract is None and not board.passed_out):
        return None
    if contract is None:
        return found
    declarer = contract.declarer
    return found | {
        "DeclaringPair": pairs[declarer.line],
        "DeclarerDirection": _SEATS[str(declarer)][1],
        "Level": contract.level,
        "Denomination": _STRAINS[contract.strain],
        "Stake": _STAKES[contract.doubled],
        "TotalTricks": board.result,
        **_lead(board.lead),
    }


def _average(adjusted: Adjusted) -> int | None:
    """Return the level that stands for an artificial score; None for what that list has not."""
    if adjusted.percent is None or not set(adjusted.percent) <= set(_AVERAGES):
        return None
    ns, ew = (_AVERAGES.index(int(share)) for share in adjusted.percent)
    return -1 - len(_AVERAGES) * ns - ew


def _lead(card: str | None) -> dict[str, int]:
    if card is None or card[0] not in _RANKS:
        return {}
    return {"LeadCardRank": _RANKS[card[0]], "LeadCardSuit": _STRAINS[card[1]]}


def _record(session: str, number: int, hands: dict[Seat, frozenset[str]]) -> dict[str, Any]:
    found: dict[str, Any] = {
        "SessionGuid": session, "ScoringGroupNumber": 1, "SectionLetters": _SECTION, "BoardNumber": number,
    }  # fmt: skip
    for seat, (name, _) in _SEATS.items():
        suits = pbn_hand(sorted(hands[Seat(seat)])).split(".")
        found |= {f"{name}{suit}": cards for suit, cards in zip(_SUITS, suits, strict=True)}
    return {**found, "HasHandEvaluationData": False}
