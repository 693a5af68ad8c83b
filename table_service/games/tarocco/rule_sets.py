"""The tarocco's rule set, as far as it is there: deals are counted, no table is played by it yet."""

from __future__ import annotations

from typing import Final

from hw.cards import TAROCCO
from table_service.games.definition import Calculators, RuleBookOnly
from table_service.games.tarocco.rules.document import RULES, count
from table_service.games.tarocco.rules.score import SHEET

BOOKS: Final = (
    RuleBookOnly(
        name=RULES,
        edition="Regolamento applicato ai tornei",
        game="tarocco",
        title="Tarocco bolognese, tournament rules",
        pack=TAROCCO,
        sheet=SHEET,
        calculators=Calculators(count=count),
    ),
)
