"""Tarocco on pages: its board, words and sentences, and a past deal folded from its events."""

from __future__ import annotations

from typing import Final

from table_service.games.game_pages import GamePages
from table_service.games.tarocco.pages.board import middle_of
from table_service.games.tarocco.pages.moments import moments
from table_service.games.tarocco.pages.words import (
    CARD_KEYS,
    CARD_NAMES,
    CARDS,
    DECLARATIONS,
    MOVES,
    SENTENCES,
    VARIANTS,
    WORDS,
)
from table_service.games.tricks.open_trick import counts_of, progress_of, rows_of

PAGES: Final = GamePages(
    name="tarocco",
    templates="table_service.games.tarocco.pages",
    middle="trick.html",
    middle_of=middle_of,
    head_of=lambda state: progress_of(state, ("dealt", "scarto", "over")),
    rows_of=rows_of,
    counts_of=counts_of,
    moments=moments,
    awaited=lambda _turn: "to_lay",
    words=WORDS,
    sentences=SENTENCES,
    variants=VARIANTS,
    cards=CARDS,
    moves=MOVES,
    summed_up=frozenset({"trick.played"}),
    marks={"accuso.shown": "accuso", "claim.made": "claim"},
    card_names=CARD_NAMES,
    pictures="tarocco",
    match_sheet="match.html",
    article=("comma", "comma"),
    card_keys=CARD_KEYS,
    declarations=DECLARATIONS,
)

__all__ = ["PAGES"]
