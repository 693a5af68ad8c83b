"""The rounds of a tournament as its game counts them: the deals of all tables, and the ranking that follows."""

from __future__ import annotations

from typing import Any

from hw.seats import LINES
from table_service.console import results
from table_service.console.archive.shelf import Shelf
from table_service.console.pages import Pages
from table_service.console.rankings import published
from table_service.console.routers.hall import order
from table_service.console.routers.offered_reports import game_of
from table_service.console.storage import Round
from table_service.console.times import day_of, time_of_day
from table_service.console.tournament_book import (
    awards_of,
    people_in,
    ranking_of,
    results_of,
    tournament_name,
    tournament_rounds,
    warned_before,
)
from table_service.games.game_pages import GamePages
from table_service.games.reports import DealPlayed, RoundPlayed


def rounds_over(pages: Pages, game: GamePages) -> list[RoundPlayed]:
    """Return the rounds of the tournament that are over, the oldest first."""
    return [round_played(pages, game, one) for one in tournament_rounds(pages) if one.ended is not None]


def ranking_of_game(pages: Pages) -> list[dict[str, Any]]:
    """Return the ranking as the tournament's game makes it of its deals; empty if table points are ranked."""
    rounds = tournament_rounds(pages)
    game = game_of(pages, rounds[-1]) if rounds else None
    ranked = None if game is None else next((one.ranked for one in game.event_reports if one.ranked), None)
    return [] if game is None or ranked is None else ranked(rounds_over(pages, game))


def ranking_for_all(pages: Pages) -> dict[str, Any]:
    """Return the public ranking of the tournament; without rows if no entry is ranked."""
    every, rounds, ranked = pages.book.tournaments.all(), tournament_rounds(pages), ranking_of(pages)
    extra = results.extra_title(results_of(pages, rounds[-1])) if rounds else {}
    body = published(every[0].name if every else "", ranked, extra, people_in(pages, ranked))
    by_game = ranking_of_game(pages)
    return body | ({"rows": by_game} if by_game else {})


def round_played(pages: Pages, game: GamePages, round_: Round) -> RoundPlayed:
    """Return the deals of a round at all tables that play ``game``, in a thread: the hall's pages go on meanwhile."""
    rounds, own = pages.book.rounds.all(), tournament_rounds(pages)
    begun, until = results.span(rounds, round_)
    seated = pages.book.rounds.seated(round_.id)
    places = [one for one in order(round_.places) if pages.words("it", pages.store.tables.get(one)).game is game]
    pages.book.kept.flush()
    played = []
    with pages.book.database.aside() as reader:
        shelf = Shelf(reader)
        for place, boot, first in shelf.begun_between(begun, until):
            if place in places:
                events = tuple(shelf.events(place, boot, first))
                pairs: dict[str, str] = {line: seated[place, line] for line in LINES if (place, line) in seated}
                played.append(DealPlayed(place, events, pairs, time_of_day))
    now = pages.office.clock() if round_.ended is None else round_.ended
    number = next((n for n, one in enumerate(own, start=1) if one.id == round_.id), 0)
    stood = round_.lost if round_.paused is None else round_.lost + max(0.0, now - round_.paused)
    return RoundPlayed(
        number=number, deals=round_.deals, minutes=round_.minutes, begun=round_.begun + stood, now=now,
        is_over=round_.ended is not None, played=tuple(played), places=tuple(places), pairs=dict(seated),
        awards=awards_of(pages, round_), warned=warned_before(pages, round_, seated, now),
        event=tournament_name(pages, round_), site=pages.store.hall, day=day_of(round_.begun),
    )  # fmt: skip
