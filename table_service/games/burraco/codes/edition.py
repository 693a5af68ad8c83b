"""Parts of a code of Burraco: everything that its folder gives to the rest."""

from __future__ import annotations

from dataclasses import dataclass, field

from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.definition import SheetRules
from table_service.games.event_rules import EventRules
from table_service.referee.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class Edition:
    """One edition of one code: its figures and choices, its irregularities, what it says about the score sheet.

    ``events``: what it says of tournaments, but for the result of a match of teams, which its tables give.
    ``is_played``: tables can play it; without that it is there for the calculators alone.
    """

    book: RuleBook
    catalogue: Catalogue
    paper: SheetRules = field(default_factory=SheetRules)
    events: EventRules = field(default_factory=EventRules)
    is_played: bool = True

    @property
    def name(self) -> str:
        """Name in headers of logs and in configurations."""
        return self.book.name
