"""Briscola for four in pairs: forty Italian cards, three each, the trump turned up under the stock.

It lies outside the project and stands on its public seam alone; no file of the project knows it.
"""

from __future__ import annotations

from typing import Final

from briscola.drawing import PACK, card_names, drawing
from hw.seats import ANTICLOCKWISE
from table_service.games.tricks.order import by_ranks
from table_service.games.tricks.trick_code import TrickCode, card_points, out_of_turn
from table_service.games.tricks.trick_rule_set import rule_set
from table_service.table.score_items import ScoreItem

CODE: Final = TrickCode(
    name="briscola",
    title="Briscola",
    edition="As it is played at home",
    pack=PACK,
    rotation=ANTICLOCKWISE,
    suits=by_ranks("CDSB", "A3KQF76542"),
    hand=3,
    draws=True,
    turned_up=True,
    items=(ScoreItem("points", ("punti", "points")),),
    count=card_points({"A": 11, "3": 10, "K": 4, "Q": 3, "F": 2}),
    out_of_turn=out_of_turn("B-1", "4"),
)
RULE_SETS: Final = (rule_set(CODE, drawing=drawing, card_names=card_names()),)
