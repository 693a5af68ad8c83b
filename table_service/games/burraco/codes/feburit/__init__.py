"""The FE.BUR.IT code (seeds 001): its rule book and its catalogue, one module for a group of articles."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.codes.edition import Edition
from table_service.games.burraco.codes.feburit import (
    answers,
    closing,
    dealing,
    exposure,
    melds,
    out_of_turn,
    principles,
    taking,
    tournament,
    turn,
)
from table_service.games.burraco.codes.feburit.rule_book import BOOK
from table_service.games.burraco.codes.silences import laid_on_theirs
from table_service.referee.catalogue import Catalogue, catalogue_of

FEBURIT: Final[Catalogue] = catalogue_of(
    "feburit",
    (
        *principles.ROWS,
        *dealing.ROWS,
        *turn.ROWS,
        *melds.ROWS,
        *exposure.ROWS,
        *out_of_turn.ROWS,
        *taking.ROWS,
        *closing.ROWS,
        *tournament.ROWS,
        laid_on_theirs("B-N1", "def. Legare una carta"),
    ),
    tournament.TOURNAMENT,
    answers.ANSWERS,
)

EDITION: Final = Edition(BOOK, FEBURIT, tournament.PAPER, tournament.EVENTS)

__all__ = ["EDITION", "FEBURIT"]
