"""The boards that the direction has sent to this table for a round, and when the next of them begins."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from hw.observations import Sight
from hw.seats import LINES
from table_service.games.bridge.orders import StartBoard, StartRoundOfBoards
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable
from table_service.table.table_parts import TableParts

BARE_S: Final = 1.5
"""Seconds for which pictures must show an empty table before the next board may begin."""
_MOST: Final = 999


class SessionBoards:
    """The round's boards at one table. It asks the table to begin the next one, as the arbitro's order would.

    A board that is over makes room for the next once its cards and calls are gone from the table, unless its result
    waits for somebody: then once both lines have answered. A player may name the board that lies there instead.
    """

    def __init__(self, table: TableParts) -> None:
        self._table = table
        self._records: Mapping[str, str] = {}
        self._begun: dict[int, int | None] = {}
        """By deal of this round the number of its board."""
        self._bare_since: float | None = None

    @property
    def numbers(self) -> tuple[int, ...]:
        """The boards of the round at this table; empty where the direction has named none."""
        return self._table.round.seated.boards

    @property
    def next(self) -> int | None:
        """The board that comes next, None where there is none.

        After a restart in which the boards before were lost, they are taken to be the first ones.
        """
        known = {one for one in self._begun.values() if one is not None}
        gone = known if self._begun else set(self.numbers[: self._table.round.number])
        return next((one for one in self.numbers if one not in gone), None)

    def is_elsewhere(self, number: int | None) -> bool:
        """Return True if board ``number`` was not sent to this table."""
        return bool(self.numbers) and number is not None and number not in self.numbers

    def round_begins(self, order: StartRoundOfBoards) -> None:
        """Take the order that begins a round."""
        self._records = order.records or {}
        self._begun, self._bare_since = {}, None
        self._ask(self.next)

    def placed(self, deal: int, number: int | None) -> None:
        """Deal ``deal`` is board ``number``."""
        self._begun[deal], self._bare_since = number, None

    def look(self, sight: Sight) -> None:
        """Note whether the table is empty."""
        if sight.cards or sight.hidden:
            self._bare_since = None
        elif self._bare_since is None:
            self._bare_since = sight.t

    def at(self, t: float, deal: int) -> None:
        """Ask for the next board where ``deal`` is over and may be left behind at ``t``."""
        if self.next is None or self._bare_since is None or t < self._bare_since + BARE_S:
            return
        sheet = self._table.sheets.by_deal.get(deal)
        if sheet is None:
            return
        are_answered = all(line in sheet.confirmed or line in sheet.disputed for line in LINES)
        if are_answered or not (sheet.doubtful or self._waits_for_arbitro()):
            self._bare_since = None
            self._ask(self.next)

    def named(self, word: str, deal: int | None = None) -> None:
        """Name the board that lies there, as a player does; ``deal``: the one begun in which nothing was done."""
        if not (word.isascii() and word.isdigit() and 1 <= int(word) <= _MOST):
            return
        number = int(word)
        if deal is None or self._begun.get(deal) != number:
            self._ask(number, deal)

    def _waits_for_arbitro(self) -> bool:
        return any((one.severity or one.row.severity) != "note" for one in self._table.referee.open)

    def _ask(self, number: int | None, deal: int | None = None) -> None:
        if number is None:
            return
        self._table.round.ask_for_deal(
            StartBoard(
                board=number,
                dealer=board_dealer(number),
                vulnerable=board_vulnerable(number),
                deal=deal,
                record=self._records.get(str(number)),
            )
        )
