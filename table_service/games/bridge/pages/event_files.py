"""The results of an event for other programs: percentages as CSV and JSON, pairs and every board as USEBIO XML. Pure.

USEBIO is what federations take results in (version 1.2): pairs by number with their percentage, travellers by board.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final
from xml.etree import ElementTree as ET

from hw.seats import SEATS, Line
from table_service.games.bridge.pages.board_facts import BoardFacts
from table_service.games.bridge.pages.bridgemate import bridgemate_json
from table_service.games.bridge.pages.comparison import Compared, groups_of
from table_service.games.bridge.pages.deal_order import pbn_hand
from table_service.games.bridge.pages.event_results import EventResults, PairResult, results_of
from table_service.games.bridge.pages.event_standing import event_standing
from table_service.games.bridge.pages.pbn_files import hands_of
from table_service.games.bridge.rules.contract import TRICKS
from table_service.games.reports import EventReport, ReportFile, RoundPlayed

_SEATS = {"N": "North", "E": "East", "S": "South", "W": "West"}
_OF_PLAY: Final = ("CONTRACT", "PLAYED_BY", "LEAD", "TRICKS")
_SUITS = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
WHOLE_BOARD: Final = 100
"""Per cent."""
_PARTNERS: Final = re.compile(r"\s*[–—&+/]\s*|\s+-\s+")
"""Signs between the two names of a pair; a hyphen without spaces is part of a name."""


def percentages_csv(rounds: Sequence[RoundPlayed]) -> str:
    """Return the rankings as a table: line (if each has its own), place, number, pair, per cent, boards."""
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\r\n")
    rows.writerow(("line", "place", "number", "pair", "percent", "boards"))
    for one in results_of(rounds).pairs:
        rows.writerow((one.line, one.place or "", one.number, _harmless(one.name), _decimal(one.percent), one.boards))
    return text.getvalue()


def _harmless(name: str) -> str:
    """Return a name that no spreadsheet takes for a formula."""
    return f"'{name}" if name[:1] in ("=", "+", "-", "@") else name


def percentages_json(rounds: Sequence[RoundPlayed]) -> str:
    """Return the rankings and every board's results as one JSON object."""
    results = results_of(rounds)
    document = {
        "event": results.event,
        "site": results.site,
        "day": results.day,
        "pairs": [
            {
                "line": one.line or None,
                "place": one.place or None,
                "number": one.number,
                "pair": one.name,
                "percent": _rounded(one.percent),
                "boards": one.boards,
            }
            for one in results.pairs
        ],
        "boards": [
            {"board": number, "results": [_result(one, results) for one in every]} for number, every in results.boards
        ],
    }
    return json.dumps(document, ensure_ascii=False, indent=1)


def ranked(rounds: Sequence[RoundPlayed]) -> list[dict[str, Any]]:
    """Return the rankings of pairs as everybody may see them; empty for teams, which are ranked by victory points."""
    return [
        {
            "place": one.place,
            "pair": one.name,
            "percent": _rounded(one.percent),
            "boards": one.boards,
            **({"line": one.line} if one.line else {}),
        }
        for one in results_of(rounds).pairs
    ]


def _result(one: Compared, results: EventResults) -> dict[str, Any]:
    board, share = one.board, one.share
    return {
        "round": board.round,
        "table": board.place,
        **{line.value: results.number(board, line) or None for line in Line},
        "contract": "pass" if board.passed_out else None if board.contract is None else str(board.contract),
        "declarer": None if board.contract is None else board.contract.declarer.value,
        "tricks": board.result,
        "score": None if board.adjusted is not None else board.points,
        "adjusted": board.adjusted is not None,
        "percent": None if share is None else {"NS": _rounded(share.ns), "EW": _rounded(share.ew)},
    }


def _rounded(number: Fraction | None) -> float | None:
    return None if number is None else round(float(number), 2)


def _decimal(number: Fraction | None) -> str:
    return "" if number is None else f"{float(number):.2f}"


# -- USEBIO ------------------------------------------------------------------------------------------------------------


def usebio(rounds: Sequence[RoundPlayed]) -> str:
    """Return the event as USEBIO XML: pairs of match points; hands as far as all four are known."""
    results = results_of(rounds)
    root = ET.Element("USEBIO", Version="1.2")
    _add(_add(root, "CLUB"), "CLUB_NAME", results.site)
    event = _add(root, "EVENT")
    event.set("EVENT_TYPE", "MP_PAIRS")
    has_two = any(one.line for one in results.pairs)
    boards = {number for number, _ in results.boards}
    for name, value in (
        ("EVENT_DESCRIPTION", results.event),
        ("DATE", "/".join(reversed(results.day.split("-")))),
        ("BOARD_SCORING_METHOD", "MATCH_POINTS"),
        ("WINNER_TYPE", "2" if has_two else "1"),
        ("PROGRAM_NAME", "Tavolo"),
        ("BOARDS_PLAYED", str(len(boards))),
    ):
        _add(event, name, value)
    participants = _add(event, "PARTICIPANTS")
    for one in results.pairs:
        _pair(participants, one)
    for number, every in results.boards:
        board = _add(event, "BOARD")
        _add(board, "BOARD_NUMBER", str(number))
        for result in every:
            _traveller_line(_add(board, "TRAVELLER_LINE"), result, results)
    _hands(event, results)
    ET.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ET.tostring(root, encoding="unicode")}\n'


def _add(parent: ET.Element, name: str, text: str = "") -> ET.Element:
    found = ET.SubElement(parent, name)
    found.text = "".join(letter for letter in text if letter.isprintable()) or None
    return found


def _pair(participants: ET.Element, one: PairResult) -> None:
    pair = _add(participants, "PAIR")
    _add(pair, "PAIR_NUMBER", str(one.number))
    if one.line:
        _add(pair, "DIRECTION", one.line)
    _add(pair, "PERCENTAGE", _decimal(one.percent))
    _add(pair, "PLACE", str(one.place or ""))
    _add(pair, "BOARDS_PLAYED", str(one.boards))
    names = [name for name in _PARTNERS.split(one.name.strip()) if name]
    for name in names if len(names) == 2 else [one.name] * 2:
        _add(_add(pair, "PLAYER"), "PLAYER_NAME", name)


def _traveller_line(line: ET.Element, one: Compared, results: EventResults) -> None:
    board = one.board
    for name, value in (
        ("NS_PAIR_NUMBER", str(results.number(board, Line.NS) or "")),
        ("EW_PAIR_NUMBER", str(results.number(board, Line.EW) or "")),
        *(_adjusted(one) if board.adjusted is not None else _played(board)).items(),
        ("NS_MATCH_POINTS", _decimal(one.points)),
        ("EW_MATCH_POINTS", _decimal(one.ew)),
    ):
        _add(line, name, value)


def _played(board: BoardFacts) -> dict[str, str]:
    """Fields of the play; empty if unknown."""
    told = dict.fromkeys(_OF_PLAY, "")
    if board.contract is not None:
        told["CONTRACT"], told["PLAYED_BY"] = str(board.contract), board.contract.declarer.value
        told["LEAD"] = "".join(reversed(board.lead or ""))
        told["TRICKS"] = "" if board.result is None else str(board.result)
    elif board.passed_out:
        told["CONTRACT"] = "Pass"
    return {**told, "SCORE": "" if board.points is None else str(board.points)}


def _adjusted(one: Compared) -> dict[str, str]:
    """Return an adjusted score in per cent, two digits a line, as A6040; the whole board has no room and is left out.

    Readers of others cut it after the second digit, so the match points are what tells it then.
    """
    share = one.share
    told = () if share is None else tuple(round(float(line)) for line in (share.ns, share.ew))
    return {
        **dict.fromkeys(_OF_PLAY, ""),
        "SCORE": "A" + "".join(f"{line:02d}" for line in told) if told and max(told) < WHOLE_BOARD else "",
    }


def _hands(event: ET.Element, results: EventResults) -> None:
    handset = _add(event, "HANDSET")
    for number, every in results.boards:
        group = groups_of([one.board for one in every])[0]
        hands = hands_of(group)
        if any(len(hands[seat]) != TRICKS for seat in SEATS):
            continue
        board = _add(handset, "BOARD")
        _add(board, "BOARD_NUMBER", str(number))
        for seat in SEATS:
            hand = _add(board, "HAND")
            _add(hand, "DIRECTION", _SEATS[seat.value])
            for suit, ranks in zip(_SUITS, pbn_hand(sorted(hands[seat])).split("."), strict=True):
                _add(hand, suit, ranks)
    if not len(handset):
        event.remove(handset)


EVENT_RESULTS: Final = EventReport(
    "standing",
    ("Classifica della gara", "Standing of the event"),
    event_standing,
    files=(
        ReportFile("csv", "text/csv; charset=utf-8", percentages_csv),
        ReportFile("json", "application/json", percentages_json),
        ReportFile("xml", "application/xml", usebio),
        ReportFile("bridgemate.json", "application/json", bridgemate_json),
    ),
    ranked=ranked,
)
