"""A game of a PBN file as a board: deal, auction, play, contract, result and score, with every error."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from hw.cards import BRIDGE
from hw.seats import CLOCKWISE, Seat, seat_or_none
from table_service.games.bridge.pbn.forms import note_errors, sort_notes, stray_notes, tables_errors, tag_errors
from table_service.games.bridge.pbn.reading import Error, PbnGame
from table_service.games.bridge.pbn.sections import HAND, Awaited, Played, WrittenCall, read_auction, read_play
from table_service.games.bridge.rules.contract import (
    SUIT_LETTERS,
    BridgeError,
    Contract,
    Doubling,
    Vulnerable,
    board_dealer,
    board_vulnerable,
    parse_bid,
)

_SUITS: Final = "SHDC"
_PACK: Final = frozenset(BRIDGE.copies)
_VULNERABLE: Final[Mapping[str, Vulnerable]] = MappingProxyType(
    {"none": "none", "love": "none", "-": "none", "ns": "NS", "ew": "EW", "all": "both", "both": "both"}
)
_STRAINS: Final = frozenset({"C", "D", "H", "S", "NT"})
"""A contract of which only the denomination is told, as of an ending."""
_UNKNOWN: Final = ("", "?")
_BY_GAME: Final = ("rubber", "chicago")
"""Scorings by which the games that were won, or their order, say who is vulnerable."""
_NUMBERED: Final = 99
"""Boards above are numbered by match or set, and law 2 says nothing of them."""
_POINTS: Final = re.compile(r"[+-]?\d{1,9}(?:\.\d*)?", re.ASCII)
_SEATS: Final[Mapping[str, str]] = MappingProxyType({"NORTH": "N", "EAST": "E", "SOUTH": "S", "WEST": "W"})
"""Seats as some programs write them out."""
_SIDE: Final = re.compile(r"\b(NS|EW|N|E|S|W)\s*:?\s*([+-]?\d{1,9}(?:\.\d{1,9})?)", re.IGNORECASE | re.ASCII)


@dataclass(slots=True)
class Record:
    """One board. What is not told, or not sound, is None or empty, and ``errors`` says why.

    ``hands``: by seat, thirteen cards each where ``deal`` is ok; an ending is none. ``calls``: None without an
    auction; ``is_whole``: no call is missing; ``is_cut``: the record itself says that some are (``*``, ``+``).
    ``skipped``: seats over which the auction went by a call out of turn. ``tricks``: rows of cards, each by seat;
    ``leader``: of the opening lead; ``awaited``: the card to be played next; ``is_impossible``: a card that no board
    has, or a second one of a seat.
    ``irregular``: of declarer and result, those marked so (``^``). ``is_ending``: only the trump suit is told, as of an
    ending.
    """

    board: str = ""
    deal: str = "none"
    hands: dict[Seat, frozenset[str]] = field(default_factory=dict)
    dealer: Seat | None = None
    vulnerable: Vulnerable | None = None
    calls: tuple[WrittenCall, ...] | None = None
    is_whole: bool = False
    is_cut: bool = False
    skipped: int = 0
    leader: Seat | None = None
    tricks: tuple[tuple[Played, ...], ...] | None = None
    awaited: Awaited | None = None
    is_impossible: bool = False
    contract: Contract | None = None
    passed_out: bool = False
    is_ending: bool = False
    bid: str | None = None
    doubled: Doubling = ""
    declarer: Seat | None = None
    irregular: frozenset[str] = frozenset()
    result: int | None = None
    score: Mapping[str, float] = field(default_factory=dict)
    errors: list[Error] = field(default_factory=list)


def record_of(game: PbnGame) -> Record:
    """Return the board that ``game`` records."""
    reader = _RecordReader(game, Record(errors=list(game.errors)))
    reader.deal()
    reader.contract()
    reader.auction()
    reader.play()
    reader.notes()
    reader.score()
    record = reader.record
    record.errors += [*tag_errors(game), *stray_notes(game), *tables_errors(game, reader.counts, record.vulnerable)]
    return record


@dataclass(slots=True)
class _RecordReader:
    game: PbnGame
    record: Record
    counts: dict[str, tuple[int, ...]] = field(default_factory=dict)
    """How many calls and cards the sections have: all passes told one by one, as they are written, with the dashes."""
    used: dict[str, Mapping[int, int]] = field(default_factory=dict)
    """The notes that a section refers to, by its name: number and line."""

    def value(self, name: str) -> str:
        return self.game.values.get(name, "").strip()

    def wrong(self, name: str, text: str, line: int | None = None) -> None:
        at = self.game.lines.get(name, self.game.line) if line is None else line
        self.record.errors.append(Error(at, name, text))

    def seat(self, name: str, text: str) -> Seat | None:
        if text in _UNKNOWN:
            return None
        found = seat_or_none(_SEATS.get(text.upper(), text.upper()))
        if found is None:
            self.wrong(name, f"'{text}' is no seat: N, E, S or W")
        return found

    def deal(self) -> None:
        record = self.record
        record.board = self.value("Board")
        number = int(record.board) if record.board.isdecimal() and int(record.board) > 0 else None
        record.dealer = self.seat("Dealer", self.value("Dealer")) or (board_dealer(number) if number else None)
        named = self.value("Vulnerable").lower()
        if named in _UNKNOWN:
            record.vulnerable = board_vulnerable(number) if number else None
        elif named in _VULNERABLE:
            record.vulnerable = _VULNERABLE[named]
        else:
            self.wrong("Vulnerable", f"'{self.value('Vulnerable')}' is none of None, NS, EW, All")
        if number and named not in _UNKNOWN and self._is_other(number):
            text = f"'{self.value('Vulnerable')}' on board {number}: by its number that is {board_vulnerable(number)}"
            self.wrong("Vulnerable", text)
        text = self.value("Deal")
        if text not in _UNKNOWN:
            record.deal, record.hands = self._hands(text)

    def _is_other(self, number: int) -> bool:
        """Return True if the vulnerability is not that of board ``number`` (law 2), if boards have one by number."""
        told = self.record.vulnerable
        scoring = self.value("Scoring").split(";")[0].lower()
        return told not in (None, board_vulnerable(number)) and number <= _NUMBERED and scoring not in _BY_GAME

    def _hands(self, text: str) -> tuple[str, dict[Seat, frozenset[str]]]:
        first, colon, rest = text.partition(":")
        seat = seat_or_none(first.strip().upper())
        if not colon or seat is None:
            self.wrong("Deal", "a deal begins with a seat and a colon, as N:AKQ.J.T98.765432")
            return "bad", {}
        parts = rest.split()
        if len(parts) != len(CLOCKWISE.seats):
            self.wrong("Deal", f"a deal has four hands, not {len(parts)}")
            return "bad", {}
        if _is_ending(parts):
            return "none", {}
        hands: dict[Seat, frozenset[str]] = {}
        sound = True
        for number, part in enumerate(parts):
            if part == "-":
                continue
            cards = self._hand(part)
            sound = sound and cards is not None
            hands[CLOCKWISE.after(seat, number)] = frozenset(cards or ())
        return self._whole(hands) if sound else ("bad", {})

    def _hand(self, text: str) -> list[str] | None:
        suits = _suits_of(text)
        if len(suits) != len(_SUITS):
            self.wrong("Deal", f"the hand '{text}' is not four suits with points between them")
            return None
        cards = [rank + suit for suit, ranks in zip(_SUITS, suits, strict=True) for rank in ranks]
        own = set(cards)
        if len(own) == len(cards) == HAND and own <= _PACK:
            return cards
        foreign = [card for card in cards if card not in _PACK]
        if foreign:
            self.wrong("Deal", f"the hand '{text}' has what is no card: {foreign[0][0]}")
        elif len(own) != len(cards):
            twice = next(card for card in cards if cards.count(card) > 1)
            self.wrong("Deal", f"{twice} stands twice in the hand '{text}'")
        else:
            self.wrong("Deal", f"the hand '{text}' has {len(cards)} cards, not {HAND}")
        return None

    def _whole(self, hands: dict[Seat, frozenset[str]]) -> tuple[str, dict[Seat, frozenset[str]]]:
        dealt = [card for cards in hands.values() for card in cards]
        if len(dealt) == len(_PACK) == len(set(dealt)):
            return "ok", hands
        if len(set(dealt)) != len(dealt):
            twice = sorted({card for card in dealt if dealt.count(card) > 1})
            self.wrong("Deal", f"{', '.join(twice)}: in more than one hand")
            return "bad", {}
        missing = [seat for seat in CLOCKWISE.seats if seat not in hands]
        if len(missing) == 1:  # three whole hands leave one
            hands[missing[0]] = frozenset(BRIDGE.copies) - frozenset(dealt)
            missing = []
        return ("none" if missing else "ok"), hands

    def contract(self) -> None:
        record = self.record
        given = self.value("Declarer")
        irregular = {"Declarer"} if given.startswith("^") else set()
        record.declarer = self.seat("Declarer", given.lstrip("^"))
        text = self.value("Contract")
        if text.upper().rstrip("X") in ("PASS", "P"):
            record.passed_out = True
            if text.upper().endswith("X"):
                self.wrong("Contract", f"'{text}': a board that was passed out is not doubled")
            record.declarer = None  # some programs name the dealer, or who sat in the first column
        elif text.upper() in _STRAINS:
            record.is_ending = True
        elif text not in _UNKNOWN:
            self._bid(text)
        result = self.value("Result")
        if result.startswith("^"):
            irregular.add("Result")
        self._tricks(result.lstrip("^").strip())
        record.irregular = frozenset(irregular)
        if record.passed_out and record.result:
            self.wrong("Result", f"a board that was passed out has no tricks, not {record.result}")

    def _bid(self, text: str) -> None:
        record = self.record
        level = text.upper().rstrip("X")
        doubled = text.upper()[len(level) :]
        try:
            record.bid = parse_bid(level)
        except BridgeError as error:
            self.wrong("Contract", str(error))
            return
        if len(doubled) > 2:
            self.wrong("Contract", f"'{text}' is doubled more than twice")
            doubled = ""
        record.doubled = "XX" if doubled == "XX" else "X" if doubled == "X" else ""
        if record.declarer is not None:
            record.contract = Contract(record.bid, record.declarer, record.doubled)

    def _tricks(self, text: str) -> None:
        record = self.record
        if text in _UNKNOWN:
            return
        sides = {side.upper(): int(float(number)) for side, number in _SIDE.findall(text)}
        if {"NS", "EW"} <= sides.keys() and sides["NS"] + sides["EW"] != HAND:
            self.wrong("Result", f"'{text}': both sides together take {HAND} tricks")
        if text.isdecimal():
            record.result = int(text)
        elif sides and record.declarer is not None:
            line = record.declarer.line.value
            other = record.declarer.line.other.value
            record.result = sides.get(line, HAND - sides[other] if other in sides else None)
        elif not sides:
            self.wrong("Result", f"'{text}' is no number of tricks")
        if record.result is not None and not 0 <= record.result <= HAND:
            self.wrong("Result", f"{record.result} tricks: a board has {HAND}")
            record.result = None

    def auction(self) -> None:
        record = self.record
        words = self.game.sections.get("Auction")
        first = self.seat("Auction", self.value("Auction"))
        if not self.value("Dealer") and first is not None:
            record.dealer = first
        if words is None or first is None:
            if words:
                self.wrong("Auction", "who calls first is not told")
            return
        found = read_auction(words, first, lambda text, line: self.wrong("Auction", text, line))
        record.calls, record.is_whole, record.skipped = tuple(found.calls), found.is_whole, found.skipped
        record.is_cut = bool(found.ended) or found.is_broken
        self.counts["Auction"] = (len(found.calls), found.tokens, found.tokens + found.dashes)
        self.used["Auction"] = found.remarks.notes

    def play(self) -> None:
        record = self.record
        words = self.game.sections.get("Play")
        first = self.seat("Play", self.value("Play"))
        if words is None or first is None:
            if words:
                self.wrong("Play", "who leads is not told")
            return
        record.leader = first
        found = read_play(words, first, lambda text, line: self.wrong("Play", text, line))
        record.tricks, record.awaited = tuple(found.rows), found.awaited
        cards = sum(map(len, found.rows))
        record.is_impossible = found.is_impossible or self.game.is_impossible
        self.counts["Play"] = (cards, cards + found.dashes)
        self.used["Play"] = found.remarks.notes

    def notes(self) -> None:
        """Take what is wrong with the notes, each with the section that refers to it."""
        sort_notes(self.game, self.used)
        for section in ("Auction", "Play"):
            self.record.errors += note_errors(self.game, section, self.used.get(section, {}))

    def score(self) -> None:
        text = self.value("Score")
        if text in _UNKNOWN:
            return
        sides = {side.upper(): float(number) for side, number in _SIDE.findall(text)}
        record = self.record
        if not sides:
            if not _POINTS.fullmatch(text):
                self.wrong("Score", f"'{text[:20]}' is no score, as NS 420 or EW -50")
                return
            if record.declarer is None:
                return
            sides = {record.declarer.line.value: float(text)}
        record.score = sides


def _suits_of(hand: str) -> list[str]:
    """Return the ranks by suit, spades first; if each suit begins with its own letter or sign, these say which it is.

    >>> _suits_of("A7.864.QJT73.AKQ") == _suits_of("SA7.H864.DQJT73.CAKQ")
    True
    """
    suits = hand.translate(SUIT_LETTERS).upper().replace("10", "T").split(".")
    named = {suit[:1]: suit[1:] for suit in suits}
    return [named[suit] for suit in _SUITS] if named.keys() == set(_SUITS) else suits


def _is_ending(parts: Sequence[str]) -> bool:
    """Return True if these hands are an ending: as many cards in each, fewer than are dealt, none of them twice."""
    hands = [_suits_of(part) for part in parts]
    if any(len(suits) != len(_SUITS) for suits in hands):
        return False
    held = [[rank + suit for suit, ranks in zip(_SUITS, suits, strict=True) for rank in ranks] for suits in hands]
    dealt = [card for cards in held for card in cards]
    alike = {len(cards) for cards in held}
    return len(alike) == 1 and alike < {*range(1, HAND)} and len(set(dealt)) == len(dealt) and set(dealt) <= _PACK
