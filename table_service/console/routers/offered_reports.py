"""Reports of its game that a deal or a round has, for a reader."""

from __future__ import annotations

from table_service.console.pages import Pages, Viewer
from table_service.console.storage import Round
from table_service.games.game_pages import GamePages
from table_service.games.reports import AwardForm, DealReport, EventReport, RoundReport


def deal_reports_of(pages: Pages, place: str, viewer: Viewer) -> list[DealReport]:
    """Return the reports on a deal of a table that this reader may have."""
    game = pages.words("it", pages.store.tables.get(place)).game
    return [one for one in game.deal_reports if viewer.rules or not one.sealed]


def round_reports_of(pages: Pages, round_: Round | None, viewer: Viewer) -> list[RoundReport]:
    """Return the reports on a round that this reader may have now."""
    if round_ is None:
        return []
    game = game_of(pages, round_)
    found = [] if game is None else list(game.round_reports)
    over = round_.ended is not None
    return [one for one in found if (over or not one.once_over) and (viewer.rules or not one.arbitri_only)]


def event_reports_of(pages: Pages, round_: Round | None) -> tuple[EventReport, ...]:
    """Return the reports on the whole tournament of the game that is played in a round."""
    game = None if round_ is None else game_of(pages, round_)
    return () if game is None else game.event_reports


def game_of(pages: Pages, round_: Round) -> GamePages | None:
    """Return the first game of a round's tables that has reports on rounds."""
    tables = (pages.store.tables.get(place) for place in round_.places)
    codes = (pages.rule_set(table) for table in tables if table is not None and table.state is not None)
    return next((code.pages for code in codes if code is not None and code.pages.round_reports), None)


def award_form_of(pages: Pages, round_: Round) -> AwardForm | None:
    """Return the form by which an arbitro enters scores of a round; None if its game has none."""
    game = game_of(pages, round_)
    return None if game is None else game.award_form
