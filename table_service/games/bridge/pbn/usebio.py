"""USEBIO XML, in which federations take results → games as ``reading`` gives them: one for each table of each board.

Read are pairs and players, travellers (contract, who played it, tricks, score of North–South) and hands; a score that
begins with A is artificial. Other elements are left aside; nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Final
from xml.etree import ElementTree as ET

from table_service.games.bridge.pbn.reading import Error, PbnGame

_START: Final = re.compile(r"\s*(?:<\?xml[^>]*\?>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^\[>]*>\s*)*<USEBIO\b", re.DOTALL)
_HANDS: Final = ("NORTH", "EAST", "SOUTH", "WEST")
_SUITS: Final = ("SPADES", "HEARTS", "DIAMONDS", "CLUBS")
_CONTRACT: Final = re.compile(r"([1-7])\s*(NT|[SHDCN])\s*([X*]{0,2})", re.IGNORECASE)
_WHOLE: Final = re.compile(r"[+-]?\d{1,5}", re.ASCII)
_OUT: Final = ("PASS", "PASSED OUT", "ALL PASS", "AP", "P.O.", "PO")


def is_usebio(text: str) -> bool:
    """Return True if ``text`` is a USEBIO document."""
    return _START.match(text) is not None


def read_usebio(text: str) -> Iterator[PbnGame]:
    """Every table's result on every board, and boards of which the file has the hands alone."""
    try:
        root = ET.fromstring(text.removeprefix("\ufeff"))  # noqa: S314 - entities are refused: is_usebio
    except ET.ParseError as error:
        game = PbnGame(error.position[0])
        game.errors.append(Error(error.position[0], "", "this is no whole XML document"))
        yield game
        return
    names = _names(root)
    for event in root.iter("EVENT"):
        title = {"Event": _text(event, "EVENT_DESCRIPTION"), "Date": _date(_text(event, "DATE"))}
        deals = {_text(board, "BOARD_NUMBER"): deal for board in event.iter("BOARD") if (deal := _deal(board))}
        told = set[str]()
        for board in event.iter("BOARD"):
            number = _text(board, "BOARD_NUMBER")
            for line in board.iter("TRAVELLER_LINE"):
                told.add(number)
                yield _game({**title, "Board": number, "Deal": deals.get(number, "")}, line, names)
        for number, deal in deals.items():
            if number not in told:
                yield _with_values({**title, "Board": number, "Deal": deal})


def _with_values(values: Mapping[str, str]) -> PbnGame:
    game = PbnGame(1)
    for name, value in values.items():
        if value:
            game.own.append((name, value))
            game.values[name] = value
            game.lines[name] = 0
    return game


def _game(values: Mapping[str, str], line: ET.Element, names: Mapping[str, tuple[str, ...]]) -> PbnGame:
    pairs = {"NS": names.get(_text(line, "NS_PAIR_NUMBER"), ()), "EW": names.get(_text(line, "EW_PAIR_NUMBER"), ())}
    players = {
        name: pairs[side][place]
        for name, side, place in (("North", "NS", 0), ("South", "NS", 1), ("East", "EW", 0), ("West", "EW", 1))
        if place < len(pairs[side])
    }
    contract, score = _text(line, "CONTRACT"), _text(line, "SCORE")
    found = _CONTRACT.fullmatch(contract)
    result = {}
    if found is not None:
        suit = found[2].upper()
        doubled = found[3].upper().replace("*", "X")
        result["Contract"] = f"{found[1]}{'NT' if suit.startswith('N') else suit}{doubled}"
        result["Declarer"] = _text(line, "PLAYED_BY")[:1].upper()
        result["Result"] = _tricks(_text(line, "TRICKS"), int(found[1]))
    elif contract.upper() in _OUT:
        result["Contract"] = "Pass"
    if _WHOLE.fullmatch(score) and result:
        result["Score"] = f"NS {int(score)}"
    game = _with_values({**values, **players, **result})
    if contract and not result:
        game.errors.append(Error(0, "Contract", f"'{contract[:20]}' is no contract, as 3NTX"))
    return game


def _tricks(text: str, level: int) -> str:
    """Tricks as a number: ``=``, ``+1`` and ``-2`` are those of the contract, more or fewer."""
    if text == "=":
        return str(6 + level)
    if text[:1] in ("+", "-") and _WHOLE.fullmatch(text):
        return str(6 + level + int(text))
    return text


def _deal(board: ET.Element) -> str:
    """Return the four hands as PBN; empty if one is missing."""
    hands = {}
    for hand in board.iter("HAND"):
        direction = _text(hand, "DIRECTION").upper()
        seat = next((name for name in _HANDS if direction and name.startswith(direction)), "")
        suits = (_text(hand, suit).upper().replace("10", "T").replace(" ", "").replace("-", "") for suit in _SUITS)
        hands[seat] = ".".join(suits)
    return "N:" + " ".join(hands[name] for name in _HANDS) if all(name in hands for name in _HANDS) else ""


def _names(root: ET.Element) -> dict[str, tuple[str, ...]]:
    """Return the players of each pair by its number."""
    return {
        _text(pair, "PAIR_NUMBER"): tuple(_text(one, "PLAYER_NAME") for one in pair.iter("PLAYER"))
        for pair in root.iter("PAIR")
    }


def _date(text: str) -> str:
    """Return a day as PBN has it; empty if it is written otherwise than DD/MM/YYYY."""
    parts = text.split("/")
    if len(parts) != 3 or not all(one.isdecimal() for one in parts):
        return ""
    return f"{parts[2]:0>4}.{parts[1]:0>2}.{parts[0]:0>2}"


def _text(parent: ET.Element, name: str) -> str:
    return (parent.findtext(name) or "").strip()
