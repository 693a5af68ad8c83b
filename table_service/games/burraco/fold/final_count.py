"""The count of a deal that is over: what lies there then, what nobody can vouch for, the score that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hw.cards import face
from hw.seats import LINES, Line, Seat
from table_service.games.burraco.counting import count_deal, is_complete
from table_service.games.burraco.fold.lying import LedgerDifferences, lying
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules.deal import Deal
from table_service.games.burraco.rules.doubts import impossible_faces
from table_service.table.table_parts import TableParts


class FinalCount:
    """Counts the deal of a table, anew as often as something changes.

    ``counted_t``: when it was first counted; from then on its cards are gathered, and what goes away tells nothing.
    """

    def __init__(self, table: TableParts, referee: Referee) -> None:
        self._table = table
        self._referee = referee
        self._doubted: frozenset[Line] = frozenset()
        self._lying = LedgerDifferences()
        self._stacks: dict[str, int] = {}
        self.counted_t: float | None = None

    @property
    def is_told(self) -> bool:
        """True if a count of this deal was told."""
        return self._table.sheets.score is not None

    def begin(self) -> None:
        """Begin a deal."""
        self._doubted, self._lying, self.counted_t = frozenset(), LedgerDifferences(), None
        self._stacks = {}

    def take_back(self) -> None:
        """Take the count back: the deal was not over."""
        self.counted_t, self._stacks = None, {}
        self._table.sheets.take_back()

    def is_complete(self, deal: Deal, shown: Mapping[Seat, tuple[str, ...]]) -> bool:
        """Return True if the sensors show every card of ``deal`` that is over, with the hands ``shown``."""
        now = self._look(deal)
        return is_complete(deal, shown, now.outside_hands(now.seen(deal)))

    def _look(self, deal: Deal) -> LedgerDifferences:
        """Cards on the table now; a scale that is uncertain at this moment counts as it last was since the end."""
        now = lying(deal, self._table.tracker)
        self._stacks = {**self._stacks, **now.stacks}
        return replace(now, stacks=self._stacks)

    def count(
        self, deal: Deal, shown: Mapping[Seat, tuple[str, ...]], t: float, *, ended: bool = True, gathered: bool = False
    ) -> None:
        """Tell the score of ``deal`` where it differs from what was told.

        ``shown``: the hands laid out; ``ended``: somebody can vouch for its end; ``gathered``: its cards may not lie
        there any more.
        """
        referee, unverified = self._referee, self._table.health.unverified
        doubted = frozenset(line for line in LINES if f"melds-{line}" in unverified)
        if self.counted_t is None:
            self.counted_t, self._doubted = t, doubted
            self._lying = LedgerDifferences() if gathered else self._look(deal)
        impossible = impossible_faces(deal)
        misread = {meld.line for meld in deal.melds if not impossible.isdisjoint(map(face, meld.cards))}
        disputed, guests = referee.disputed, referee.laid_on_theirs(deal)
        doubted = (doubted & self._doubted) | disputed | {line.other for line in guests} | misread
        seen = self._lying.seen(deal)
        plain = count_deal(
            deal,
            shown,
            self._table.round.bonus,
            doubted,
            referee.counts_against(deal),
            ended=ended,
            disputed=disputed | guests,
            exposed=referee.sanctions.cards_owed("expose"),
            seen=seen,
            outside_hands=self._lying.outside_hands(seen),
        )
        self._table.round.manner = deal.manner
        self._table.sheets.count(plain, t)
