"""The referee of bridge: what was found on a board, and what the arbitro has ruled of it."""

from __future__ import annotations

from dataclasses import dataclass

from hw.cards import BRIDGE
from table_service.games.bridge.codes.figb2010 import CATALOGUE
from table_service.games.bridge.fold.board_state import Board
from table_service.referee.irregularity_keeper import IrregularityKeeper, PlainRulings
from table_service.referee.round import RoundBook
from table_service.referee.values import Sanction


@dataclass(frozen=True, slots=True)
class NothingImposed:
    """Rulings of bridge impose no sanctions beside the play: what they oblige to stands in the board."""

    in_force: tuple[Sanction, ...] = ()


class Referee(IrregularityKeeper[Board]):
    """Keeps the irregularities of one round (``table.round_state.RoundReferee``)."""

    def __init__(self, book: RoundBook, *, mark: str = "") -> None:
        """``mark``: what sets the keys of this start of the table apart from those of others."""
        super().__init__(CATALOGUE, BRIDGE, PlainRulings[Board](BRIDGE, "no board is being played"), book, mark)
        self.sanctions = NothingImposed()
