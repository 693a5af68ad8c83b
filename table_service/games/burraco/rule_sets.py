"""The rule sets of Burraco: each code of the folder ``codes`` with what all of them share."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from hw.cards import BURRACO
from hw.equipment import BURRACO_TABLE
from hw.seats import CLOCKWISE
from table_service.games.burraco.codes.fibur2024 import tournament
from table_service.games.burraco.event_payloads import zone_of
from table_service.games.burraco.fold import CATALOGUES, TableFold
from table_service.games.burraco.fold.resuming import newest_round, resumed, scores_of
from table_service.games.burraco.pages import PAGES
from table_service.games.burraco.rules.meld import describe, described
from table_service.games.burraco.rules.rulebook import RULE_BOOKS, RuleBook
from table_service.games.burraco.rules.score import SHEET, count
from table_service.games.burraco.rules.vp import vp_result
from table_service.games.definition import Calculators, PaperRows, Resuming, RuleSet

_PAPER: Final[Mapping[str, PaperRows]] = {"fibur2024": tournament.PAPER}


def _victory_points(book: RuleBook, deals: int, diff: int, teams: bool) -> dict[str, Any]:
    return vp_result(book, deals, diff, teams=teams)


def _rule_set(book: RuleBook) -> RuleSet:
    return RuleSet(
        name=book.name,
        edition=book.edition,
        game="burraco",
        title=f"Burraco, {book.edition}",
        pack=BURRACO,
        equipment=BURRACO_TABLE,
        rotation=CLOCKWISE,
        catalogue=CATALOGUES[book.name],
        sheet=SHEET,
        calculators=Calculators(
            meld=partial(describe, book),
            describe_meld=described,
            count=partial(count, book),
            victory_points=partial(_victory_points, book),
        ),
        open_fold=TableFold,
        resuming=Resuming(newest_round, resumed, scores_of),
        pages=PAGES,
        zone_of=zone_of,
        round_minutes=book.round_minutes,
        paper=_PAPER.get(book.name),
    )


RULE_SETS: Final = tuple(map(_rule_set, RULE_BOOKS.values()))
