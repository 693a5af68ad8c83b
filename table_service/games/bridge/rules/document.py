"""The document of ``tavolo count`` for a board of bridge (interfaces, section 5), and its answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from hw.seats import LINES, Line, Seat, seat_or_none
from table_service.games.bridge.pbn.check import check, records_of
from table_service.games.bridge.pbn.forms import DESCRIBING
from table_service.games.bridge.rules.contract import (
    DOUBLINGS,
    TRICKS,
    VULNERABLE,
    BridgeError,
    Contract,
    Doubling,
    Vulnerable,
    board_vulnerable,
    is_vulnerable,
    parse_bid,
)
from table_service.games.bridge.rules.score import SHEET, BoardScore, score

RULES: Final = "bridge"
_PASSED: Final = ("P", "PASS", "PASSED", "AP")
_FIELDS: Final = ("rules", "board", "contract", "doubled", "declarer", "vulnerable", "tricks")
_RECORDED: Final = ("rules", "record")


def count(document: Mapping[str, Any]) -> dict[str, Any]:
    """Answer ``tavolo count`` for a board: ``contract``, ``doubled``, ``declarer``, ``vulnerable``, ``tricks``.

    A board that was passed out has ``"contract":"pass"`` and nothing of declarer, doubling and tricks. ``board``, its
    number, gives the vulnerability if that is not given. Or ``record``: the board in PBN or LIN. The answer:
    ``{"rules","contract","declarer","vulnerable","tricks","lines":{"NS":{"items","total"},"EW":…},"score","warnings"}``,
    every item with its sign; ``score`` is NS's; ``warnings``: faults of a record's tags that only describe the game.
    Raises BridgeError, which names every fault of the document.
    """
    if "record" in document:
        return _count_record(document)
    faults = [
        f"there is no field '{name}': the fields are {', '.join(_FIELDS)}" for name in document if name not in _FIELDS
    ]
    usual = _usual(document, faults)
    vulnerable = _one_of(document.get("vulnerable", usual or "none"), VULNERABLE, "vulnerable", faults)
    if usual is not None and vulnerable != usual:
        faults.append(f"on board {document['board']} {usual} is vulnerable, not {vulnerable}")
    if str(document.get("contract", "")).strip().upper() in _PASSED:
        faults += _said_of_nothing(document)
        if faults:
            raise BridgeError("; ".join(faults))
        return _answer("pass", None, cast("Vulnerable", vulnerable), 0, BoardScore(), None)
    return _count_played(document, cast("Vulnerable", vulnerable), faults)


def _count_played(document: Mapping[str, Any], vulnerable: Vulnerable, faults: list[str]) -> dict[str, Any]:
    bid, doubled = _bid(document, faults)
    declarer = seat_or_none(document.get("declarer"))
    if declarer is None:
        faults.append(f"declarer must be N, E, S or W, not {document.get('declarer')!r}")
    tricks = document.get("tricks")
    if isinstance(tricks, bool) or not isinstance(tricks, int) or not 0 <= tricks <= TRICKS:
        faults.append(f"tricks must be a whole number from 0 to {TRICKS}, not {tricks!r}")
    if faults or bid is None or declarer is None or not isinstance(tricks, int):
        raise BridgeError("; ".join(faults))
    contract = Contract(bid, declarer, doubled)
    points = score(contract, tricks, vulnerable=is_vulnerable(declarer.line, vulnerable))
    return _answer(str(contract), declarer, vulnerable, tricks, points, declarer.line)


def _usual(document: Mapping[str, Any], faults: list[str]) -> Vulnerable | None:
    """Return who is vulnerable by the number of the board; None where it is not told."""
    number = document.get("board")
    if number is None:
        return None
    if isinstance(number, bool) or not isinstance(number, int) or number < 1:
        faults.append(f"board must be a whole number from 1, not {number!r}")
        return None
    return board_vulnerable(number)


def _count_record(document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answer for a board that is given as a record. Raises BridgeError, which names every fault of it."""
    faults = [f"beside a record there is no field '{name}'" for name in document if name not in _RECORDED]
    text = document["record"]
    boards = list(records_of(text)) if isinstance(text, str) else []
    if len(boards) != 1:
        faults.append(f"record must be the text of one board in PBN or LIN, not of {len(boards)}")
        raise BridgeError("; ".join(faults))
    (record,) = boards
    told = check(record)
    wrong = [(one["tag"], f"line {one['line']} [{one['tag']}]: {one['text']}") for one in told["errors"]]
    faults += [text for tag, text in wrong if tag not in DESCRIBING]
    auction, tricks = told["auction"], told["tricks"]
    faults += _lacking(auction["contract"], record.vulnerable, tricks)
    if faults:
        raise BridgeError("; ".join(faults))
    board: dict[str, Any] = {"rules": RULES, "contract": auction["contract"], "vulnerable": record.vulnerable}
    played = auction["contract"] != "pass"
    answer = count({**board, "declarer": auction["declarer"], "tricks": tricks} if played else board)
    return {**answer, "warnings": [text for tag, text in wrong if tag in DESCRIBING]}


def _lacking(contract: str | None, vulnerable: str | None, tricks: int | None) -> list[str]:
    """First item a count needs that a record does not give; empty if it gives all."""
    if contract is None:
        return ["the record tells no contract"]
    if vulnerable is None:
        return ["the record does not tell who is vulnerable"]
    return ["the record tells no tricks"] if contract != "pass" and tricks is None else []


def _one_of(value: object, words: tuple[str, ...], name: str, faults: list[str]) -> str:
    if value not in words:
        faults.append(f"{name} must be {', '.join(repr(word) for word in words[:-1])} or {words[-1]!r}, not {value!r}")
        return words[0]
    return str(value)


def _bid(document: Mapping[str, Any], faults: list[str]) -> tuple[str | None, Doubling]:
    doubled = _one_of(document.get("doubled", ""), DOUBLINGS, "doubled", faults)
    given = document.get("contract")
    if not isinstance(given, str):
        faults.append(f'contract must be a text such as "3NT" or "pass", not {given!r}')
        return None, ""
    text = given.strip().upper()
    level = text.rstrip("X")
    written = text[len(level) :]
    if written and document.get("doubled", "") not in ("", written):
        faults.append(f"the contract says {written}, doubled says {document['doubled']!r}")
    try:
        bid = parse_bid(level)
    except BridgeError as error:
        faults.append(f"contract: {error}")
        return None, ""
    if len(written) > len("XX"):
        faults.append(f"contract: '{given}' is doubled more than twice")
    return bid, cast("Doubling", written or doubled)


def _said_of_nothing(document: Mapping[str, Any]) -> list[str]:
    """Return what ``document`` says of a board that was passed out though such a board has none of it."""
    empty: Mapping[str, tuple[object, ...]] = {"doubled": ("", None), "declarer": ("", None), "tricks": (0, None)}
    return [
        f"a board that was passed out has no {name}, not {document[name]!r}"
        for name, values in empty.items()
        if name in document and not any(document[name] is value or document[name] == value for value in values)
    ]


def _answer(
    contract: str, declarer: Seat | None, vulnerable: Vulnerable, tricks: int, points: BoardScore, line: Line | None
) -> dict[str, Any]:
    items = {name: int(getattr(points, name)) for name in SHEET.names}
    return {
        "rules": RULES,
        "contract": contract,
        "declarer": declarer,
        "vulnerable": vulnerable,
        "tricks": tricks,
        "lines": {
            str(one): {
                "items": {name: value if one is line else -value for name, value in items.items()},
                "total": points.total if one is line else -points.total,
            }
            for one in LINES
        },
        "score": -points.total if line is Line.EW else points.total,
        "doubtful": [],
        "warnings": [],
    }
