"""The catalogue of the F.I.Bur. race code, edition of April 2024 (seeds 000), one module for a group of articles."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.edition import Edition
from table_service.games.burraco.codes.fibur2024 import (
    absences,
    answers,
    closing,
    dealing,
    exposure,
    melds,
    pack,
    penalised,
    pot,
    principles,
    taking,
    throwing,
    timing,
    tournament,
    turn,
)
from table_service.games.burraco.codes.fibur2024.rule_book import BOOK
from table_service.games.burraco.codes.silences import discarded_again, laid_on_theirs
from table_service.referee.catalogue import Catalogue, catalogue_of

FIBUR2024: Final[Catalogue] = catalogue_of(
    "fibur2024",
    (
        *principles.ROWS,
        *pack.ROWS,
        *dealing.ROWS,
        *timing.ROWS,
        *taking.ROWS,
        *melds.ROWS,
        *pot.ROWS,
        *exposure.ROWS,
        *penalised.ROWS,
        *throwing.ROWS,
        *turn.ROWS,
        *closing.ROWS,
        *tournament.ROWS,
        *absences.ROWS,
        laid_on_theirs("F-N1", "def. Legare"),
        discarded_again("F-N2", "7"),
    ),
    tournament.TOURNAMENT,
    answers.ANSWERS,
)

EDITION: Final = Edition(BOOK, FIBUR2024, tournament.PAPER, tournament.EVENTS)

__all__ = ["EDITION", "FIBUR2024"]
