"""Bridge's rule set, as far as it is there: boards are counted, no table is played by it yet."""

from __future__ import annotations

from typing import Any, Final

from hw.cards import BRIDGE
from table_service.games.bridge.pbn.check import check_file, is_bad
from table_service.games.bridge.rules.document import RULES, count
from table_service.games.bridge.rules.match_points import vp_answer
from table_service.games.bridge.rules.score import SHEET
from table_service.games.definition import Calculators, Records, RuleBookOnly


def _victory_points(boards: int, difference: int, teams: bool) -> dict[str, Any]:
    return vp_answer(boards, difference, teams=teams)


BOOKS: Final = (
    RuleBookOnly(
        name=RULES,
        edition="FIGB, norme integrative 2010",
        game="bridge",
        title="Bridge, FIGB norms of 2010",
        pack=BRIDGE,
        sheet=SHEET,
        calculators=Calculators(count=count, victory_points=_victory_points, records=Records(check_file, is_bad)),
    ),
)
