"""Effects of rulings in a round: warnings, victory points and match points, a stopped deal; taking them back.

Holds the ``RoundBook`` and reports each change as a finding.
"""

from __future__ import annotations

from hw.seats import Line
from table_service.referee.catalogue import Catalogue, Row
from table_service.referee.round import RoundBook
from table_service.referee.rulings import shares_ruled
from table_service.referee.values import Awarded, Bonus, Finding, Ignored, Irregularity, Stopped, Warned


class Awards:
    """Writes in the book of the round; ``book`` is its present state."""

    def __init__(self, catalogue: Catalogue, book: RoundBook | None = None) -> None:
        self._catalogue = catalogue
        self.book = RoundBook(catalogue.tournament) if book is None else book

    def next_round(self, book: RoundBook | None = None) -> None:
        """Begin a round; ``book`` says what it begins with, such as the warnings that the pairs bring."""
        self.book = RoundBook(self._catalogue.tournament) if book is None else book

    def next_deal(self) -> None:
        """Begin a deal."""
        self.book = self.book.next_deal()

    def counted(self, lead: int | None) -> None:
        """Record that a deal was counted and the first line leads by ``lead`` in the round."""
        self.book = self.book.counted(lead)

    def visited(self) -> None:
        """Record that the arbitro was called, or has acted at this table."""
        self.book = self.book.visited()

    # -- warnings --------------------------------------------------------------------------------------------------

    def warn(self, line: Line, row: str | None, key: str, t: float) -> list[Finding]:
        """``line`` is warned by ``row``; once for the irregularity under ``key``, however often it is ruled."""
        if key and self.book.is_warned(line, key):
            return []
        book = self.book = self.book.warn(line, row, key)
        total = book.total(line)
        return [Warned(line, book.warned(line), row, t, total, book.latest_cost(line, row))]

    def warnings_of(self, ruled: Irregularity, t: float) -> list[Finding]:
        """Return the warnings that the row of ``ruled`` gives, by the way that was chosen."""
        row, option = ruled.row, ruled.option
        if not row.warn or row.warn_option not in (None, option):
            return []
        lines = tuple(Line) if row.warned == "both" else () if ruled.line is None else (ruled.line,)
        return [said for line in lines for said in self.warn(line, row.id, ruled.key, t)]

    # -- results ---------------------------------------------------------------------------------------------------

    def award(
        self, key: str, row: Row, line: Line | None, ruling: tuple[tuple[str, object], ...], t: float
    ) -> list[Finding]:
        """Return what the ruling under ``key`` changes in the round; what it changed before is taken back."""
        if not row.outcomes:
            return []
        said: list[Finding] = []
        before = self.book.bonuses(key)
        shares, stops = shares_ruled(row, line, dict(ruling))
        self.book = self.book.award(key, row, shares, ruling)
        said.append(Awarded(key, row, t, ruling))
        for one, some in shares.items():
            if any(share.do == "warn" for share in some):
                said += self.warn(one, row.id, key, t)
        said += self._bonus(key, before, t)
        return [*said, Stopped(stops, t)] if stops else said

    def lift(self, key: str, t: float) -> list[Finding]:
        """Take back what the ruling under ``key`` changed in the round, and the warnings for it."""
        old = self.book
        row = next((self._catalogue.rows.get(one.row) for one in old.awards if one.key == key), None)
        self.book = old.without(key)
        said: list[Finding] = [
            Warned(one.line, self.book.warned(one.line), one.row, t, self.book.total(one.line), withdrawn=True)
            for one in old.warnings
            if key and one.key == key
        ]
        if row is not None:
            said += [Awarded(key, row, t, lifted=True), *self._bonus(key, old.bonuses(key), t)]
        return said

    def _bonus(self, key: str, before: dict[Line, int], t: float) -> list[Finding]:
        """Return the change by a ruling on the score sheet; a team's bonus is entered on the open room's."""
        if self.book.teams and self.book.room == "closed":
            return [Ignored("the bonus of a team goes on the score sheet of the open room", t, in_part=True)]
        now = self.book.bonuses(key)
        return [Bonus(line, now[line] - before[line], t) for line in Line if now[line] != before[line]]
