"""Lawful play under each code, read from its text for the rehearsal alone.

The truth beside a log must not come from the program that it is there to check: nothing here is taken from a rule book.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Literal

from table_service.games.burraco.rehearsal.oracle import Scoring


@dataclass(frozen=True, slots=True, kw_only=True)
class Customs:
    """Lawful play under one code.

    ``minutes``: of a round by its deals. ``scoring``: what deals count. ``equal_sets``: a line may open two sets of a
    rank. ``last_round_to``: with whose turn a deal ends after a time-out. ``exchanges``: number in a row, seen by the
    arbitro, that is a stalemate, which he enters by ``stalemate_row``; empty: the code knows none. ``left_row``:
    penalised cards that are left at the end. ``shields``: players have hand-shields, and turn them over.
    """

    minutes: Mapping[int, int]
    scoring: Scoring
    equal_sets: bool
    last_round_to: Literal["dealer", "playing"]
    exchanges: int
    stalemate_row: str
    left_row: str
    shields: bool
    lowest_first: bool = False
    """Penalised cards are discarded from the lowest value up."""
    closes_with_penalised: bool = True
    """Who has penalised cards to discard may go out with the last of them."""

    @property
    def stalls(self) -> bool:
        """True if the code knows a stalemate."""
        return bool(self.stalemate_row)


FIBUR2024: Final = Customs(
    minutes=MappingProxyType({2: 25, 3: 32, 4: 42}),  # art. 6
    scoring=Scoring(),
    equal_sets=True,
    last_round_to="dealer",  # art. 15
    exchanges=4,  # art. 16
    stalemate_row="F-16",
    left_row="F-25d",
    shields=True,
)
FEBURIT: Final = Customs(
    minutes=MappingProxyType({2: 25, 3: 35, 4: 45}),  # art. 5
    scoring=Scoring(whole_run=300, whole_set=250, always_malus=True),  # arts. 8, 23
    equal_sets=False,  # art. 15
    last_round_to="playing",  # art. 22
    exchanges=9,  # definition, art. 20: more than two rounds
    stalemate_row="B-20b",
    left_row="B-10i",
    shields=False,
    lowest_first=True,  # art. 10
    closes_with_penalised=False,  # arts. 10, 11; of the option closing_bar_end the default
)
ONLINE: Final = Customs(
    minutes=MappingProxyType({}),
    scoring=Scoring(always_malus=True),  # Punteggio
    equal_sets=False,  # Regole per aprire nuovi giochi
    last_round_to="dealer",  # rounds have no time
    exchanges=0,
    stalemate_row="",
    left_row="",
    shields=False,
)
