"""Burraco on pages: its board, words and sentences, and a past deal folded from its events."""

from __future__ import annotations

from typing import Final

from table_service.games.burraco.pages.board import awaited, counts_of, middle_of, rows_of
from table_service.games.burraco.pages.moments import moments
from table_service.games.burraco.pages.words import CARDS, MOVES, SENTENCES, VARIANTS, WORDS
from table_service.games.game_pages import Declaration, GamePages

PAGES: Final = GamePages(
    name="burraco",
    templates="table_service.games.burraco.pages",
    middle="middle.html",
    middle_of=middle_of,
    rows_of=rows_of,
    counts_of=counts_of,
    moments=moments,
    awaited=awaited,
    words=WORDS,
    sentences=SENTENCES,
    variants=VARIANTS,
    cards=CARDS,
    moves=MOVES,
    marks={"pot.taken": "pot"},
    declarations=(Declaration("count", ("Chiede il conteggio", "Calls for the count")),),
)

__all__ = ["PAGES"]
