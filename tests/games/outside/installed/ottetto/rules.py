"""The rules of Ottetto as data: cards, table, order of tricks, catalogue of irregularities, score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from hw.cards import Pack
from hw.equipment import Equipment, Place
from hw.seats import ANTICLOCKWISE, LINES, SEATS
from hw.zones import gate, hand, tricks
from table_service.games.definition import Calculators
from table_service.games.tricks.order import TrickRules, by_ranks
from table_service.referee.catalogue import Row, StepRule, Words, catalogue_of
from table_service.table.score_items import ScoreItem, ScoreSheet

NAME: Final = "ottetto"
EDITION: Final = "First edition"
TRICK: Final = "trick"
TRICKS: Final = 2
"""Tricks of a deal."""
PACK: Final = Pack("ottetto", {rank + suit: 1 for suit in "HS" for rank in "AKQJ"}, "AKQJ then H or S")
ORDER: Final = TrickRules(ANTICLOCKWISE, by_ranks("HS", "AKQJ"))
EQUIPMENT: Final = Equipment(
    "Ottetto",
    (
        Place(TRICK, "trick", needed=True),
        *(Place(tricks(line), "stack", weighed=True) for line in LINES),
        *(Place(gate(seat), "gate", gated=True) for seat in SEATS),
        *(Place(hand(seat), "fan", needed=True) for seat in SEATS),
        Place("table", "anywhere", beamed=True),
    ),
)
OUT_OF_TURN: Final = "O-1"
CATALOGUE: Final = catalogue_of(
    NAME,
    (
        Row(
            id=OUT_OF_TURN,
            article="1",
            title=Words("Carta giocata fuori turno", "Card played out of turn"),
            severity="play-stops",
            senses=("gate", "camera"),
            steps=(
                StepRule(
                    "take-back",
                    "offender",
                    Words("Chi ha giocato riprende la carta.", "Who played takes the card back."),
                    cards=True,
                ),
                StepRule("play", "next-opponent", Words("Gioca chi segue.", "The next player plays.")),
            ),
            heals="never",
        ),
    ),
)
SHEET: Final = ScoreSheet((ScoreItem("tricks", ("prese", "tricks")),))


def count(document: Mapping[str, Any]) -> dict[str, Any]:
    """A point a trick: ``{"tricks": {"NS": 1, "EW": 1}}`` gives the totals."""
    return {"rules": NAME, "lines": {line: {"total": won} for line, won in dict(document["tricks"]).items()}}


CALCULATORS: Final = Calculators(count=count)
