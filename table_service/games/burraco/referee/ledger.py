"""The irregularities of one deal, each under its key, with the sanctions in force and the book of the round."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from hw.observations import Console
from hw.seats import Line, Seat
from table_service.games.burraco.duties import SanctionBook
from table_service.games.burraco.judges.resting_melds import MELD_ROWS, MeldWatch
from table_service.referee.catalogue import Catalogue
from table_service.referee.round import RoundBook
from table_service.referee.values import Irregularity


class Ledger:
    """Holds what has been found and gives out keys; those who judge and those who decide write in it."""

    def __init__(self, catalogue: Catalogue, book: RoundBook | None = None) -> None:
        self._catalogue = catalogue
        self._round = 0
        self._deal = 0
        self._number = 0
        self._dealt = False
        self._found: dict[str, Irregularity] = {}
        self._sanctions = SanctionBook()
        self._melds = MeldWatch()
        self._last: Console | None = None
        self.book = RoundBook(catalogue.tournament) if book is None else book

    # -- views -----------------------------------------------------------------------------------------------------

    @property
    def open(self) -> tuple[Irregularity, ...]:
        """The irregularities that wait for the arbitro, oldest first."""
        return tuple(one for one in self._found.values() if one.state == "open")

    @property
    def irregularities(self) -> tuple[Irregularity, ...]:
        """All irregularities of the deal, oldest first."""
        return tuple(self._found.values())

    @property
    def sanctions(self) -> SanctionBook:
        """What has been imposed and is watched."""
        return self._sanctions

    @property
    def warnings(self) -> dict[Line, int]:
        """Warnings by line in this round."""
        return {line: self.book.warned(line) for line in Line}

    @property
    def cards_ruled(self) -> tuple[str, ...]:
        """The cards that rulings of this deal were about."""
        return tuple(card for one in self._found.values() if one.state == "ruled" for card in one.cards)

    @property
    def returning(self) -> frozenset[Seat]:
        """The seats that have been told to put pile cards back."""
        return self._sanctions.owing("return-to-pile")

    @property
    def wrong_melds(self) -> tuple[Irregularity, ...]:
        """The melds known to be none that nobody has put right: open, or found too late and frozen for good."""
        return tuple(
            one
            for one in self._found.values()
            if one.row.id in MELD_ROWS and (one.state == "open" or (one.state == "ruled" and one.row.negative))
        )

    @property
    def disputed(self) -> frozenset[Line]:
        """The lines whose melds no ruling has settled: what they count for is not known."""
        return frozenset(one.line for one in self.open if one.row.id in MELD_ROWS and one.line is not None)

    # -- entries ---------------------------------------------------------------------------------------------------

    def corrected(self) -> None:
        """The arbitro has said what lies somewhere: melds that were told wrong are looked at again."""
        self._melds.stale()

    def report(self, fault: Irregularity) -> Irregularity:
        """Enter an irregularity that no single action shows, such as a short pack; its key is given here."""
        return self._enter(fault)

    def change(self, key: str, row: str, t: float) -> Irregularity | None:
        """An open irregularity turns out to be ``row``; None where ``key`` is not open."""
        one = self._found.get(key)
        if one is None or one.state != "open":
            return None
        self._found[key] = fresh = replace(one, row=self._catalogue.row(row), t=t)
        return fresh

    def _enter(self, one: Irregularity) -> Irregularity:
        if one.key:
            self._found[one.key] = one
            return one
        fresh = replace(one, key=self._new_key())
        self._found[fresh.key] = fresh
        return fresh

    def _new_key(self) -> str:
        self._number += 1
        return f"r{self._round}d{self._deal}-{self._number}"

    def _turn(self, one: Irregularity, t: float, **changes: Any) -> Irregularity:
        fresh = replace(one, t=t, **changes)
        self._found[one.key] = fresh
        return fresh
