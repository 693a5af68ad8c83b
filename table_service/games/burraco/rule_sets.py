"""The rule sets of Burraco: each code of the folder ``codes`` with what all of them share.

A code that no table plays yet is there for the calculators: its melds, its counts, its victory points.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pkgutil import resolve_name
from typing import Any, Final

from hw.cards import BURRACO
from hw.equipment import BURRACO_TABLE
from hw.observation_log import Header
from hw.seats import CLOCKWISE
from hw.table_options import option_faults
from table_service.events.envelope import REPLAY_BOOT
from table_service.events.untrusted import sum_of
from table_service.games.burraco.action_events import zone_of
from table_service.games.burraco.codes import EDITIONS
from table_service.games.burraco.codes.edition import Edition
from table_service.games.burraco.orders import ORDERS
from table_service.games.burraco.pages import PAGES
from table_service.games.burraco.payloads import PAYLOADS
from table_service.games.burraco.photographed import photograph_rules
from table_service.games.burraco.rules.meld import describe, described
from table_service.games.burraco.rules.options import OptionError, chosen, described_choices, table_options_of
from table_service.games.burraco.rules.rulebook import RuleBook
from table_service.games.burraco.rules.score import SHEET, count
from table_service.games.burraco.rules.vp import NoTableError, victory_points, vp_result
from table_service.games.definition import Calculators, Fold, RuleBookOnly, RuleSet
from table_service.games.event_rules import EventRules, Room, TeamResult

_PLAYERS: Final = {"fibur2024": "FIBUR2024", "feburit": "FEBURIT", "online": "ONLINE"}
"""Rule set → its simulated players in ``games/burraco/rehearsal``."""


def _victory_points(book: RuleBook, deals: int, diff: int, teams: bool) -> dict[str, Any]:
    return vp_result(book, deals, diff, teams=teams)


def _team_match(book: RuleBook, deals: int, open_: Room, closed: Room) -> TeamResult:
    """Match points of both rooms together, and the victory points of teams for their difference.

    Unknown where a room is, and victory points where rulings gave the two teams what is no difference between them.
    """
    home, away = (sum_of(both) for both in zip(open_.points, closed.points, strict=True))
    if home is None or away is None or home != -away:
        return TeamResult((home, away))
    try:
        return TeamResult((home, away), victory_points(book, deals, home, teams=True))
    except NoTableError:
        return TeamResult((home, away))


def _events(edition: Edition) -> EventRules:
    """Return what the code says of tournaments, with the result of a match of teams and of a team that rests."""
    rest: dict[int, tuple[int, int]] = {
        deals: points for deals, points in edition.catalogue.tournament.defaults.items() if not deals
    }
    match = partial(_team_match, edition.book) if edition.book.vp_teams else None
    return replace(edition.events, team_byes=rest, team_match=match)


def _count(book: RuleBook, document: Mapping[str, Any]) -> dict[str, Any]:
    """Return the score of a deal, by the choices in ``options`` of ``document``; the answer names those that hold.

    Raises OptionError where ``options`` name what the code does not have.
    """
    options = document.get("options", {})
    if not isinstance(options, dict):
        raise OptionError("'options' must be an object, such as {\"deals\": 4}")
    faults = option_faults(options, table_options_of(book))
    if faults:
        raise OptionError("; ".join(str(fault) for _, fault in faults))
    held = described_choices(book, options)
    return {**count(chosen(book, options) if options else book, document), **({"options": held} if held else {})}


def _calculators(book: RuleBook) -> Calculators:
    return Calculators(
        meld=partial(describe, book),
        describe_meld=described,
        count=partial(_count, book),
        victory_points=partial(_victory_points, book) if book.vp_tables else None,
    )


def _open_fold(header: Header, boot: str = REPLAY_BOOT, first: int = 1) -> Fold:
    from table_service.games.burraco.fold import TableFold  # a console knows the rules and plays none of them

    return TableFold(header, boot, first)


def _rehearsal(rules: str) -> Callable[[], Any] | None:
    players = _PLAYERS.get(rules)
    return partial(resolve_name, f"table_service.games.burraco.rehearsal:{players}") if players else None


def _rule_set(edition: Edition) -> RuleSet:
    book = edition.book
    return RuleSet(
        name=book.name,
        edition=book.edition,
        game="burraco",
        title=f"Burraco, {book.edition}",
        pack=BURRACO,
        equipment=BURRACO_TABLE,
        rotation=CLOCKWISE,
        catalogue=edition.catalogue,
        sheet=SHEET,
        calculators=_calculators(book),
        open_fold=_open_fold,
        pages=PAGES,
        zone_of=zone_of,
        payloads=PAYLOADS,
        orders=ORDERS,
        round_minutes=book.round_minutes,
        byes={deals: points for deals, points in edition.catalogue.tournament.defaults.items() if deals},
        events=_events(edition),
        paper=edition.paper,
        rehearsal=_rehearsal(book.name),
        keepers_are_named=book.table.keepers != "first-to-open",
        options=table_options_of(book),
        players=book.table.seats,
        photographs=photograph_rules(book),
    )


def _book(edition: Edition) -> RuleBookOnly:
    book = edition.book
    return RuleBookOnly(
        name=book.name,
        edition=book.edition,
        game="burraco",
        title=f"Burraco, {book.edition}",
        pack=BURRACO,
        sheet=SHEET,
        calculators=_calculators(book),
    )


RULE_SETS: Final = tuple(_rule_set(one) for one in EDITIONS.values() if one.is_played)
BOOKS: Final = tuple(_book(one) for one in EDITIONS.values() if not one.is_played)
