"""The words of an auction and of a play → calls and tricks, with every mark and remark that does not hold.

PBN 2.1, 3.5 to 3.9: ``*`` ends a section early, ``+`` stands for the next call or card; ``^I`` and ``^S`` mark calls,
``^R`` and ``^L`` cards; after each at most one suffix (``!?``), one note (``=n=``) and glyphs (``$n``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, Seat
from table_service.games.bridge.pbn.reading import Word
from table_service.games.bridge.rules.auction import DOUBLE, NO_BID, REDOUBLE
from table_service.games.bridge.rules.contract import BIDS, SUIT_LETTERS, BridgeError, parse_bid

HAND: Final = 13
MOST_NOTES: Final = 32
_MOST_GLYPHS: Final = 255
_CALLS: Final[Mapping[str, str]] = MappingProxyType(
    {"pass": NO_BID, "p": NO_BID, "x": DOUBLE, "d": DOUBLE, "xx": REDOUBLE, "r": REDOUBLE}
)
_PLAIN_CALLS: Final[Mapping[str, str]] = MappingProxyType(
    {"Pass": NO_BID, "X": DOUBLE, "XX": REDOUBLE, **{bid.replace("N", "NT"): bid for bid in BIDS}}
)
"""The calls as a record writes them."""
_CARDS: Final[Mapping[str, str]] = MappingProxyType({card[1] + card[0]: card for card in BRIDGE.copies})
"""The cards as a record writes them, suit before rank."""
_TOKEN: Final = re.compile(r"\^.?|[!?]+|=[^=]*=?|\$\w*|[*+]|[^\^!?=$*+]+")
_OF_CALLS: Final = frozenset({*range(1, 7), 13})
_OF_CARDS: Final = frozenset({*range(7, 13), 14})
"""Glyphs that only one of the two sections may have (3.7)."""

Wrong = Callable[[str, int], None]
"""Takes what is wrong, as a sentence, and its line."""


class WrittenCall(NamedTuple):
    """A call as written: ``marked`` "I" where it is said to be insufficient; its line."""

    seat: Seat
    call: str
    line: int
    marked: str = ""


class Played(NamedTuple):
    """A card of a trick as written: ``marked`` "R" for a revoke, "L" for a lead out of turn; its line."""

    seat: Seat
    card: str
    line: int
    marked: str = ""


class Awaited(NamedTuple):
    """A card that is to be played next (``+``): the number of its trick, whose it is, its line."""

    trick: int
    seat: Seat
    line: int


def _round(first: Seat) -> tuple[Seat, ...]:
    return tuple(CLOCKWISE.after(first, place) for place in range(len(CLOCKWISE.seats)))


ROUND: Final[Mapping[Seat, tuple[Seat, ...]]] = MappingProxyType({seat: _round(seat) for seat in CLOCKWISE.seats})
"""The seats in turn from each on."""


@dataclass(slots=True)
class _Remarks:
    """Marks after calls or cards; ``notes``: each number that is referred to, with the line of its first."""

    wrong: Wrong
    of_others: frozenset[int]
    notes: dict[int, int] = field(default_factory=dict)
    place: int = -1
    kinds: str = ""

    def take(self, text: str, place: int, line: int) -> bool:
        """Take ``text`` after the call or card number ``place``; False where it is no remark."""
        kind = text[0]
        if kind not in "!?=$":
            return False
        if place != self.place:
            self.place, self.kinds = place, ""
        kind = "!" if kind == "?" else kind
        if kind in self.kinds and kind != "$":
            self.wrong(f"'{text}': only one {'note' if kind == '=' else 'suffix'} may follow a call or a card", line)
        self.kinds += kind
        if kind == "=":
            self._note(text, line)
        elif kind == "$":
            self._glyph(text[1:], line)
        elif len(text) > 2:
            self.wrong(f"'{text}' is no suffix: one of ! ? !! ?? !? ?!", line)
        return True

    def _note(self, text: str, line: int) -> None:
        number = _number(text[1:-1], MOST_NOTES) if len(text) > 2 and text.endswith("=") else None
        if not number:
            self.wrong(f"'{text}' refers to no note: a number from 1 to {MOST_NOTES} stands between =", line)
        else:
            self.notes.setdefault(number, line)

    def _glyph(self, text: str, line: int) -> None:
        number = _number(text, _MOST_GLYPHS)
        if number is None:
            self.wrong(f"'${text}' is no glyph: a number from 0 to {_MOST_GLYPHS} follows $", line)
        elif number in self.of_others:
            self.wrong(f"'${text}' says something of a {'card' if number in _OF_CARDS else 'call'}", line)


def _number(text: str, most: int) -> int | None:
    found = int(text) if text.isascii() and text.isdigit() and len(text) <= len(str(most)) else -1
    return found if 0 <= found <= most else None


# -- auction -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Auctioned:
    """The calls of a section. ``is_whole``: none is missing. ``skipped``: seats passed over (``^S``).

    ``is_broken``: something is no call; what follows it is only looked at for its form.
    """

    seat: Seat
    wrong: Wrong
    remarks: _Remarks
    calls: list[WrittenCall] = field(default_factory=list)
    is_whole: bool = False
    skipped: int = 0
    marked: str = ""
    dashes: int = 0
    tokens: int = 0
    ended: str = ""
    is_broken: bool = False
    _late: bool = False

    def take(self, text: str, line: int) -> None:
        """Take one token of the section."""
        if self.remarks.take(text, len(self.calls), line):
            return
        if self.ended:
            if not self._late:
                self.wrong(f"'{text}' stands after '{self.ended}', which ends the auction", line)
            self._late = True
        elif text in ("*", "+"):
            self._unmarked(line)
            self.ended = text
        elif text.startswith("^"):
            self._mark(text, line)
        elif text == "-":
            self.dashes += 1
            self.seat = ROUND[self.seat][1]
        elif text.upper() == "AP":
            if not self.is_broken:
                self._all_pass(line)
        else:
            self._call(text, line)

    def _call(self, text: str, line: int) -> None:
        call = _CALLS.get(text.lower()) or _bid_or_none(text)
        if call is None:
            self.wrong(f"'{text}' is no call", line)
            self.is_broken = True
        elif not self.is_broken:
            self.add(call, line)

    def add(self, call: str, line: int) -> None:
        """Add the next call."""
        self.calls.append(WrittenCall(self.seat, call, line, self.marked.strip("S")))
        self.tokens += 1
        self.marked, self.seat = "", ROUND[self.seat][1]

    def _all_pass(self, line: int) -> None:
        self._unmarked(line)
        self.tokens += 1
        while not is_over(self.calls):
            self.calls.append(WrittenCall(self.seat, NO_BID, line))
            self.seat = ROUND[self.seat][1]

    def _mark(self, text: str, line: int) -> None:
        mark = text[1:].upper()
        if mark not in ("I", "S"):
            self.wrong(f"'{text}' marks no call: ^I one that is insufficient, ^S a seat that was passed over", line)
        elif "I" in self.marked:
            self.wrong(f"'{text}' stands between a mark and its call", line)
        elif mark == "S":
            self.seat, self.skipped, self.marked = ROUND[self.seat][1], self.skipped + 1, "S"
        else:
            self.marked += mark

    def _unmarked(self, line: int) -> None:
        if self.marked:
            self.wrong(f"no call follows '^{self.marked[-1]}'", line)
        self.marked = ""


def read_auction(words: Sequence[Word], first: Seat, wrong: Wrong) -> Auctioned:
    """Return the calls of ``words``, the first of them for ``first``."""
    found = Auctioned(first, wrong, _Remarks(wrong, _OF_CARDS))
    for word in words:
        plain = _PLAIN_CALLS.get(word.text)
        if plain is not None and not found.ended and not found.is_broken:
            found.add(plain, word.line)
            continue
        for token in _TOKEN.findall(word.text):
            found.take(token, word.line)
    if found.marked and not found.is_broken:
        wrong(f"no call follows '^{found.marked[-1]}'", words[-1].line)
    found.is_whole = is_over(found.calls) and not found.is_broken
    return found


def is_over(calls: Sequence[WrittenCall]) -> bool:
    """Return True if three passes follow a bid, or four calls were passes."""
    last = [call.call for call in calls[-3:]]
    return len(calls) >= 4 and last == [NO_BID] * 3


def _bid_or_none(text: str) -> str | None:
    try:
        return parse_bid(text)
    except BridgeError:
        return None


# -- play --------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class PlayedCards:
    """The tricks of a section: a row each, a column a seat from the opening leader on. ``awaited``: the next card.

    ``is_broken``: something is no card; what follows it is only looked at for its form. ``is_impossible``: no board has
    such a card, or so many tricks.
    """

    seats: tuple[Seat, ...]
    wrong: Wrong
    remarks: _Remarks
    rows: list[tuple[Played, ...]] = field(default_factory=list)
    row: list[Played] = field(default_factory=list)
    column: int = 0
    marked: str = ""
    dashes: int = 0
    awaited: Awaited | None = None
    is_ended: bool = False
    is_broken: bool = False
    is_impossible: bool = False
    _late: bool = False

    def take(self, text: str, line: int) -> None:
        """Take one token of the section."""
        if self.remarks.take(text, len(self.rows) * len(self.seats) + self.column, line):
            return
        if self.is_ended:
            self._too_late(f"'{text}' stands after '*', which ends the play", line)
        elif text == "*":
            self._unmarked(line)
            self.is_ended = True
        elif text.startswith("^"):
            self._mark(text, line)
        elif text == "+":
            self._await(line)
        elif text in ("-", "--"):
            self._unmarked(line)
            self.dashes += 1
            self._next()
        else:
            self._card(text, line)

    def add(self, card: str, line: int) -> None:
        """Add the card of the next column."""
        if len(self.rows) == HAND:
            self.is_impossible = True
            self._too_late(f"a board has {HAND} tricks: there is a card of another", line)
        if self.awaited is not None and self.awaited.trick <= len(self.rows):
            self._too_late("a card stands in a trick after the card that is to be played next ('+')", line)
        self.row.append(Played(self.seats[self.column], card, line, self.marked))
        self.marked = ""
        self._next()

    def close(self) -> None:
        """End the last row."""
        if self.row:
            self.rows.append(tuple(self.row))
        self.row = []

    def _next(self) -> None:
        self.column += 1
        if self.column == len(self.seats):
            self.rows.append(tuple(self.row))
            self.row, self.column = [], 0

    def _card(self, text: str, line: int) -> None:
        card = _CARDS.get(text.translate(SUIT_LETTERS).upper().replace("10", "T"))
        if card is None:
            self.wrong(f"'{text}' is no card, as SA or H7", line)
            self.is_broken = self.is_impossible = True
        elif not self.is_broken:
            self.add(card, line)

    def _await(self, line: int) -> None:
        self._unmarked(line)
        if self.awaited is not None:
            self._too_late("'+' stands twice: one card is to be played next", line)
        else:
            self.awaited = Awaited(len(self.rows) + 1, self.seats[self.column], line)
        self._next()

    def _mark(self, text: str, line: int) -> None:
        mark = text[1:].upper()
        if mark not in ("R", "L"):
            self.wrong(f"'{text}' marks no card: ^R a revoke, ^L a lead out of turn", line)
        elif self.marked:
            self.wrong(f"'{text}' stands between a mark and its card", line)
        else:
            self.marked = mark

    def _unmarked(self, line: int) -> None:
        if self.marked:
            self.wrong(f"no card follows '^{self.marked}'", line)
        self.marked = ""

    def _too_late(self, text: str, line: int) -> None:
        if not self._late:
            self.wrong(text, line)
        self._late = True


def read_play(words: Sequence[Word], first: Seat, wrong: Wrong) -> PlayedCards:
    """Return the tricks of ``words``, whose first column is that of ``first``."""
    found = PlayedCards(ROUND[first], wrong, _Remarks(wrong, _OF_CALLS))
    for word in words:
        card = _CARDS.get(word.text)
        if card is not None and not found.is_ended and not found.is_broken:
            found.add(card, word.line)
            continue
        for token in _TOKEN.findall(word.text):
            found.take(token, word.line)
    if found.marked and not found.is_broken:
        wrong(f"no card follows '^{found.marked}'", words[-1].line)
    found.close()
    return found
