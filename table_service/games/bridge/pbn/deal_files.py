"""Deals of dealing machines → games as ``reading`` gives them: DUP, DLM.

- DUP: 156 bytes a board without line ends: 78 digits (13 cards each of North, East, South, two digits a card: 01 is the
  ace of spades, 14 of hearts, 27 of diamonds, 40 of clubs), 68 that show the same, 10 with the set's first board.
- DLM: ``Board 01=`` with a letter for each two cards from the ace of spades down (a is North North, p West West) and
  three digits: the number and all letters, XORed. Boards out of ``From board`` to ``To board`` are fillers.

What is wrong is noted, nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from hw.seats import Seat
from table_service.games.bridge.pbn.reading import Error, PbnGame
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable

_SUITS: Final = "SHDC"
_RANKS: Final = "AKQJT98765432"
_CARDS: Final = 52
_HAND: Final = 13
_DUP_BOARD: Final = 156
_DUP_DIGITS: Final = 78
_DUP_FIRST: Final = slice(148, 151)
_DUP: Final = re.compile(r"\s*\d{78}", re.ASCII)
_DLM: Final = re.compile(r"\s*\[Document\]\s", re.IGNORECASE)
_DLM_BOARD: Final = re.compile(r"Board\s+(\d{1,3})=([a-p]{26})(\d{3})\s*", re.IGNORECASE | re.ASCII)
_DLM_SPAN: Final = re.compile(r"(From|To) board=(\d{1,3})\s*", re.IGNORECASE | re.ASCII)
_IN_PBN: Final[Mapping[str, str]] = {"none": "None", "NS": "NS", "EW": "EW", "both": "All"}


def reader_of(text: str) -> Callable[[str], Iterator[PbnGame]] | None:
    """Reader of ``text`` if it is in one of these formats; else None."""
    for starts, reads in ((_DLM, read_dlm), (_DUP, read_dup)):
        if starts.match(text):
            return reads
    return None


def read_dup(text: str) -> Iterator[PbnGame]:
    """Yield the boards of a DUP file."""
    text = text.lstrip()
    boards = [text[n : n + _DUP_BOARD] for n in range(0, len(text) - _DUP_DIGITS + 1, _DUP_BOARD)]
    named = boards[0][_DUP_FIRST].strip() if boards else ""
    for number, board in enumerate(boards, start=max(1, _whole(named))):
        owners = _dup_owners(board[:_DUP_DIGITS])
        game = _game(number, owners, 1)
        if owners is None:
            game.errors.append(Error(1, "Deal", f"board {number}: three hands of 13 different cards are not there"))
        yield game
    if rest := len(text.rstrip("\x1a\r\n")) % _DUP_BOARD:
        game = PbnGame(1)
        game.errors.append(Error(1, "", f"the file ends within a board: {rest} of {_DUP_BOARD} bytes"))
        yield game


def _whole(text: str) -> int:
    """Return the number that ``text`` is; 0 if it is not a number."""
    return int(text) if text.isascii() and text.isdigit() else 0


def _dup_owners(digits: str) -> list[int] | None:
    """Return the owner (North 0) of each card; None unless three whole hands are there."""
    if not (digits.isascii() and digits.isdigit()):
        return None
    cards = [int(digits[n : n + 2]) for n in range(0, _DUP_DIGITS, 2)]
    owners = {card: place // _HAND for place, card in enumerate(cards)}
    if len(owners) < 3 * _HAND or not all(1 <= one <= _CARDS for one in owners):
        return None
    return [owners.get(card, 3) for card in range(1, _CARDS + 1)]


def read_dlm(text: str) -> Iterator[PbnGame]:
    """Yield the boards of a DLM file from its first to its last."""
    span = {match[1].lower(): int(match[2]) for line in text.splitlines() if (match := _DLM_SPAN.fullmatch(line))}
    for line, told in enumerate(text.splitlines(), start=1):
        match = _DLM_BOARD.fullmatch(told)
        if match is None:
            continue
        number, letters = int(match[1]), match[2].lower()
        if not span.get("from", 1) <= number <= span.get("to", number):
            continue
        pairs = [ord(one) - ord("a") for one in letters]
        game = _game(number, [owner for pair in pairs for owner in divmod(pair, 4)], line)
        found = number
        for one in letters:
            found ^= ord(one)
        if found != int(match[3]):
            game.errors.append(
                Error(line, "Deal", f"board {number}: the check number is {match[3]} and not {found:03d}")
            )
        yield game


def _game(number: int, owners: Sequence[int] | None, line: int) -> PbnGame:
    """Return a board by the owner (North 0) of each card, from the ace of spades to the two of clubs; None: unknown."""
    hands = [[""] * len(_SUITS) for _ in Seat]
    for card, owner in enumerate(owners or ()):
        suit, rank = divmod(card, len(_RANKS))
        hands[owner][suit] += _RANKS[rank]
    deal = "N:" + " ".join(".".join(hand) for hand in hands) if owners else ""
    return _told(
        {
            "Board": str(number),
            "Dealer": str(board_dealer(number)),
            "Vulnerable": _IN_PBN[board_vulnerable(number)],
            "Deal": deal,
        },
        line,
    )


def _told(values: Mapping[str, str], line: int) -> PbnGame:
    game = PbnGame(line)
    for name, value in values.items():
        if value:
            game.own.append((name, value))
            game.values[name] = value
            game.lines[name] = line
    return game
