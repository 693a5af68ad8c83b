"""Real boards at the simulated table: auctions and plays of records instead of those that players make up."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hw.cards import BRIDGE, face
from hw.seats import SEATS, Seat
from table_service.games.bridge.pbn.check import check, is_bad, records_of
from table_service.games.bridge.pbn.reading import decoded
from table_service.games.bridge.pbn.record import Record
from table_service.games.bridge.rehearsal.director import Dealt, Director
from table_service.games.bridge.rehearsal.table_board import ScriptBoard
from table_service.games.bridge.rules.contract import TRICKS, board_vulnerable
from table_service.rehearsal.game_rehearsal import Randoms, RehearsalError
from table_service.rehearsal.script import Script

MOST_NUMBER: Final = 999


def playable(text: str) -> list[Record]:
    """Return the boards of ``text`` that can be played as they stand: a sound deal, a lawful auction, a lawful play.

    A play may end early, after a whole trick, where the record says how many tricks were made: by a claim.
    """
    return [one for one in records_of(text) if _is_playable(one)]


def _is_playable(record: Record) -> bool:
    answer = check(record)
    number = record.board
    if is_bad(answer) or record.deal != "ok" or not (number.isascii() and number.isdigit()):
        return False
    if not 1 <= int(number) <= MOST_NUMBER or not record.is_whole or answer["auction"]["legal"] is not True:
        return False
    if record.vulnerable not in (None, board_vulnerable(int(number))) or record.dealer is None:
        return False
    if answer["auction"]["contract"] == "pass":
        return True
    tricks = _whole_tricks(record)
    is_told = len(tricks) == TRICKS or record.result is not None
    return answer["play"]["legal"] is True and bool(tricks) and is_told and not record.irregular


def _whole_tricks(record: Record) -> list[dict[Seat, str]]:
    """Return the tricks that are recorded whole, up to the first that is not."""
    found: list[dict[Seat, str]] = []
    for row in record.tricks or ():
        laid = {one.seat: one.card for one in row if face(one.card) in BRIDGE.copies}
        if len(laid) < len(SEATS):
            break
        found.append(laid)
    return found


class RealDirector(Director):
    """Writes the script of a round of real boards."""

    def __init__(self, randoms: Randoms, records: Sequence[Record], habits: str) -> None:
        super().__init__(randoms, len(records), (), habits)
        self._records = records

    def _numbers(self) -> list[int]:
        return [int(one.board) for one in self._records]

    def _deal_of(self, place: int, number: int, rng: object) -> Dealt:  # noqa: ARG002
        record = self._records[place - 1]
        hands = {seat: tuple(sorted(record.hands[seat])) for seat in SEATS}
        return Dealt(hands, record.dealer or Seat.NORTH)

    def _call_of(self, board: ScriptBoard, seat: Seat) -> str:  # noqa: ARG002
        return (self._records[board.deal - 1].calls or ())[len(board.auction.calls)].call

    def _card_of(self, board: ScriptBoard) -> str:
        return face(_whole_tricks(self._records[board.deal - 1])[board.laid // len(SEATS)][board.turn])

    def _claims_now(self, board: ScriptBoard) -> bool:
        return board.laid == len(SEATS) * len(_whole_tricks(self._records[board.deal - 1]))

    def _claimed(self, board: ScriptBoard, won: int) -> int:
        result = self._records[board.deal - 1].result
        return won if result is None else result


def direct_real(randoms: Randoms, data: bytes, habits: str = "tidy") -> tuple[Script, int]:
    """Return the script of the playable boards in a file's ``data``, and their number. Raises RehearsalError."""
    records = playable(decoded(data))
    if not records:
        raise RehearsalError("the file has no board with a sound deal, a lawful auction and its play")
    return RealDirector(randoms, records, habits).round(), len(records)
