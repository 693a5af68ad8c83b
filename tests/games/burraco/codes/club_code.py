"""A made-up code of a club, as a third federation's would be written: one file of data.

It is nobody's: burracos begin at six cards, a set of eight is worth 500, sets of a rank may not stand twice, penalised
cards go from the lowest, the last round ends with who plays at the time-out.
"""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType
from typing import Final

from table_service.games.burraco.codes.edition import Edition
from table_service.games.burraco.codes.feburit.rule_book import BOOK as NEAREST
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.rules.options import CodeOption, OptionChoice
from table_service.games.burraco.rules.policies import NO_BAR, PenalisedRules, TimeRules, WarningAccount
from table_service.referee.catalogue import Row, Words, catalogue_of
from table_service.referee.outcomes import TournamentRules
from table_service.referee.row_writing import duty, holds, step

BOOK: Final = replace(
    NEAREST,
    name="club",
    edition="Circolo, 2026",
    prefix="H",
    burraco_length=6,
    semi_clean_run=6,
    semi_clean_set=7,
    bonuses=MappingProxyType({"none": 0, "dirty": 50, "semi-clean": 150, "clean": 200, "super-clean": 500}),
    equal_sets="refused",
    second_set_ban="unregulated",
    stalemate_row="H-9",
    stalemate_turns=4,
    pot_malus=50,
    round_minutes=MappingProxyType({3: 30}),
    vp_tables=MappingProxyType({3: (100, 200, 300, 400, 500, 600, 700, 800, 900, 1000)}),
    vp_teams=MappingProxyType({}),
    time=TimeRules(last_round="still-to-draw-to-playing", left="hidden", countdown=None),
    penalised=PenalisedRules(order="lowest-first", melds_before_them="free", bar=NO_BAR),
    warnings=(WarningAccount(name="ranking", scope="tournament", victory_points=2, rows=("H-1",)),),
    options=(
        CodeOption(
            "pot_malus",
            "3",
            "Quanto costa un pozzetto non preso",
            "What a pot not taken costs",
            (
                OptionChoice("50", "cinquanta", "fifty", {"pot_malus": 50}),
                OptionChoice("100", "cento", "a hundred", {"pot_malus": 100}),
            ),
            "50",
        ),
    ),
)

_DRAW_ONLY: Final = step(
    "limit-turn",
    "offender",
    "Al suo turno pesca e scarta soltanto.",
    "In his turn he only draws and discards.",
    until="end-of-own-next-turn",
)
_WARN: Final = step("warn", "line", "La coppia è ammonita.", "The pair is warned.")

CATALOGUE: Final = catalogue_of(
    "club",
    (
        Row(
            id="H-1",
            article="1",
            title=Words("Presa fuori turno", "Taken out of turn"),
            severity="play-stops",
            senses=("beam", "gate", "scale"),
            steps=(_DRAW_ONLY, _WARN),
            duties=(duty(_DRAW_ONLY, ("draw", "discard")),),
            warn=True,
        ),
        Row(
            id="H-2",
            article="2",
            title=Words("Chiusura senza burraco", "Going out without a burraco"),
            severity="score",
            senses=("scale", "camera", "derived"),
            steps=(step("referee", "arbitro", "Decide l'arbitro.", "The arbitro decides."),),
            needs_referee=True,
        ),
        holds(
            "H-9",
            "9",
            Words("Stallo", "Stalemate"),
            Words("Quattro turni di solo scambio.", "Four turns of exchange."),
        ),
    ),
    TournamentRules(defaults={3: (15, 600)}),
    {
        FaultKind.DRAWN_OUT_OF_TURN: "H-1",
        FaultKind.COLLECTED_OUT_OF_TURN: "H-1",
        FaultKind.CLOSED_WITHOUT_BURRACO: "H-2",
    },
)

EDITION: Final = Edition(BOOK, CATALOGUE)
