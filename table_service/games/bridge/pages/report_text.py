"""Calls, contracts, cards, times and pairs as reports of bridge write them, in either language. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from hw.seats import Seat
from table_service.games.bridge.norms.entered_scores import adjusted_of, deduction_of
from table_service.games.bridge.pages.award_text import adjusted_text, award_sentence
from table_service.games.bridge.pages.board_facts import BoardFacts
from table_service.games.bridge.pages.words import STRAINS, WORDS, bid_in_words
from table_service.games.bridge.rules.auction import DOUBLE, NO_BID, REDOUBLE
from table_service.games.bridge.rules.contract import BIDS, Contract
from table_service.games.reports import ArbitroAward, DealPlayed, Language, RoundPlayed
from table_service.games.tricks.order import FRENCH_RANKS

SUITS: Final = "SHDC"
_SEATS: Final = {"N": ("Nord", "North"), "E": ("Est", "East"), "S": ("Sud", "South"), "W": ("Ovest", "West")}
_LINES: Final = {"NS": ("Nord-Sud", "North-South"), "EW": ("Est-Ovest", "East-West")}
_SIDES: Final = {"NE": ("Nord e Est", "North and East"), "SW": ("Sud e Ovest", "South and West")}
_CALLS: Final = {NO_BID: ("passo", "pass"), DOUBLE: ("contro", "double"), REDOUBLE: ("surcontro", "redouble")}


class Speech:
    """Says things in one language: ``say("Licita", "Auction")``."""

    def __init__(self, language: Language) -> None:
        self.column = 0 if language == "it" else 1

    def __call__(self, italian: str, english: str) -> str:
        """Whichever is this language."""
        return (italian, english)[self.column]

    def word(self, key: str) -> str:
        """Return a word that the game's pages know."""
        return WORDS[key][self.column]

    def seat(self, seat: object) -> str:
        """Return a seat's name; ``?`` for anything else."""
        return _SEATS.get(str(seat), ("?", "?"))[self.column]

    def line(self, line: object) -> str:
        """Return a line's name."""
        return _LINES.get(str(line), ("?", "?"))[self.column]

    def side(self, side: object) -> str:
        """Return a side of the screen."""
        return _SIDES.get(str(side), ("?", "?"))[self.column]

    def call(self, call: str) -> str:
        """Return a call; ``?`` for one that could not be read."""
        if call in BIDS:
            return bid_in_words(call)[self.column]
        return _CALLS.get(call, ("?", "?"))[self.column]

    def contract(self, board: BoardFacts) -> str:
        """Return a board's contract without its declarer."""
        if board.passed_out:
            return self.word("bridge_passed_out")
        return "?" if board.contract is None else self.of_contract(board.contract)

    def of_contract(self, contract: Contract) -> str:
        """Return a contract as people write it.

        >>> Speech("it").of_contract(Contract("3N", Seat.NORTH, "X"))
        '3 SA X'
        """
        return f"{contract.level}{STRAINS[contract.strain][self.column]} {contract.doubled}".strip()

    def result(self, board: BoardFacts) -> str:
        """Made, over or under, as ``=``, ``+1``, ``-2``."""
        if board.contract is None or board.result is None:
            return "" if board.passed_out else "?"
        over = board.result - board.contract.needed
        return "=" if over == 0 else f"{over:+d}"

    def decimal(self, number: float | Fraction, places: int = 1) -> str:
        """Return a number with the language's decimal sign."""
        text = f"{float(number):.{places}f}"
        return text.replace(".", ",") if self.column == 0 else text

    def minutes(self, seconds: float) -> str:
        """Return a time as minutes and seconds; with a sign if it is less than nothing.

        >>> Speech("en").minutes(-61).strip('"')
        "-1'01"
        """
        whole = round(abs(seconds))
        return f"{'-' if seconds < 0 and whole else ''}{whole // 60}'{whole % 60:02d}\""

    def where(self, board: BoardFacts) -> str:
        """Return the table, with its round if several are shown together."""
        return f"{board.place} ({self('turno', 'round')} {board.round})"

    def pair(self, board: BoardFacts, line: str) -> str:
        """Return who sat there, the line's name where nobody said."""
        return board.pairs.get(line) or self.line(line)


def card_text(card: str | None) -> str:
    """Return a card with the sign of its suit; ``?`` for one that is not known.

    >>> card_text("TH"), card_text("??")
    ('10♥', '?')
    """
    if card is None or len(card) != 2 or card[1] not in SUITS:
        return "?"
    return ("10" if card[0] == "T" else card[0]) + STRAINS[card[1]][0]


def hand_text(cards: Iterable[str]) -> str:
    """Return a hand in four lines, spades first; a dash for a suit of which it has none that is known."""
    held = list(cards)
    lines = []
    for suit in SUITS:
        ranks = sorted((card[0] for card in held if card[1] == suit), key=FRENCH_RANKS.index)
        lines.append(f"{STRAINS[suit][0]} {' '.join('10' if rank == 'T' else rank for rank in ranks) or '–'}")
    return "\n".join(lines)


def clock_text(played: DealPlayed, seconds: float | None) -> str:
    """Return a moment as hours, minutes and seconds of the place; ``?`` if it is not known."""
    return "?" if seconds is None else played.clock(seconds)


def seat_order(first: Seat | None) -> tuple[Seat, ...]:
    """Return the four seats clockwise from ``first``, from West if none is named."""
    seats = tuple(Seat)
    start = seats.index(first or Seat.WEST)
    return seats[start:] + seats[:start]


def result_text(board: BoardFacts, say: Speech) -> str:
    """Return a board's contract and result, or the score that was entered instead."""
    if board.adjusted is not None:
        return adjusted_text(board.adjusted, say.column)
    return f"{say.contract(board)} {say.result(board)}".strip()


def adjusted_lines(board: BoardFacts, say: Speech) -> list[str]:
    """Return the scores that arbitri entered of a board: what, by which article, why, who; and what was played."""
    scores = [one for one in board.entered if adjusted_of(one.fields) is not None]
    lines = [f"{board.place}, board {board.board}: {entered_text(one, say)}" for one in scores]
    if board.adjusted is not None and (board.contract is not None or board.passed_out):
        made = f"{say.contract(board)} {say.result(board)}".strip()
        lines.append(say(f"{board.place}: al tavolo {made}.", f"{board.place}: at the table {made}."))
    return lines


def entered_text(one: ArbitroAward, say: Speech) -> str:
    """Return an arbitro's act as one line."""
    what = award_sentence(one.fields)[say.column]
    about = [f"art. {one.article}" if one.article else "", one.reason, one.person]
    return f"{what} ({'; '.join(part for part in about if part)})"


def deduction_lines(played: RoundPlayed, say: Speech) -> tuple[str, ...]:
    """Lines on the deductions of a round, and who entered them."""
    return tuple(
        f"{one.place}{'' if one.number is None else f', board {one.number}'}: {entered_text(one, say)}"
        for one in played.awards
        if deduction_of(one.fields) is not None
    )
