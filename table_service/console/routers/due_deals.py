"""Tables that wait for a word of the direction: their next deal, or the start of its play."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hw.seats import Seat, seat_or_none
from table_service.console.access import Form
from table_service.console.pages import Pages
from table_service.console.results import OPEN, TableResult
from table_service.console.ruling_forms import FormError
from table_service.console.storage import Round
from table_service.console.tournament_book import known_tables
from table_service.events.orders import StartDeal, StartPlay
from table_service.events.untrusted import as_map, as_whole
from table_service.games.definition import RuleSet

Word = Literal["deal", "start-play"]
WORDS: Final[tuple[Word, ...]] = ("deal", "start-play")
_BETWEEN: Final = (None, "over")
_SET_OUT: Final = "dealt"


@dataclass(frozen=True, slots=True)
class Due:
    """A table that waits for ``word``.

    ``deal``: the number of that deal. ``dealer``: who deals it, None if the direction has to say. ``asks_more``: its
    game's order names more than the dealer, so it is given on the table's own page.
    """

    place: str
    word: Word
    deal: int
    dealer: Seat | None = None
    asks_more: bool = False


def due_tables(pages: Pages, round_: Round | None) -> list[Due]:
    """Return the tables of a running round that wait; none while the clock stands still or once time was called."""
    if (
        pages.settings.scripted
        or round_ is None
        or round_.ended is not None
        or round_.out is not None
        or round_.paused is not None
    ):
        return []
    asked = {(one.place, one.do) for one in pages.book.orders.open()}
    found = (_due(pages, round_, place) for place in known_tables(pages, round_))
    return [one for one in found if one is not None and (one.place, one.word) not in asked]


def by_word(due: Sequence[Due]) -> list[tuple[Word, list[Due]]]:
    """Return the same, by what they wait for."""
    return [(word, [one for one in due if one.word == word]) for word in WORDS]


def unfinished(pages: Pages, round_: Round | None, tables: Sequence[TableResult]) -> list[TableResult]:
    """Return the tables at which something is still to be played or confirmed.

    Once time was called no deal begins: a table between two deals, its sheets confirmed, has nothing left.
    """
    is_out = round_ is not None and round_.out is not None
    return [one for one in tables if not one.final and not (is_out and _has_stopped(pages, one))]


def stopped(pages: Pages, tables: Sequence[TableResult]) -> int:
    """Count of tables between two deals, with deals to come and all sheets confirmed."""
    return sum(_has_stopped(pages, one) for one in tables)


def playing(pages: Pages, tables: Sequence[TableResult], due: Sequence[Due]) -> int:
    """Count of tables that play: with deals to come, neither waiting nor between two deals."""
    waiting = {one.place for one in due}
    return sum(one.state == OPEN and one.place not in waiting and not _has_stopped(pages, one) for one in tables)


def _has_stopped(pages: Pages, table: TableResult) -> bool:
    view, held = pages.store.tables.get(table.place), table.held
    state = None if view is None else view.state
    if held is None or state is None or table.state != OPEN or state.get("phase") not in _BETWEEN:
        return False
    deal = as_whole(state.get("deal")) or 0
    return not deal or deal in held.sheets


def _due(pages: Pages, round_: Round, place: str) -> Due | None:
    held, view = pages.office.sheets.now(place, round_.begun), pages.store.tables[place]
    code, state = pages.rule_set(view), view.state
    if held is None or held.result is not None or code is None or state is None:
        return None
    if as_map(state.get("round")).get("running") is not True:
        return None
    deal = as_whole(state.get("deal")) or 0
    if state.get("phase") == _SET_OUT and as_map(state.get("round")).get("started") is False:
        return Due(place, "start-play", deal)
    planned, counted = held.deals or round_.deals, not deal or deal in held.sheets
    if state.get("phase") in _BETWEEN and counted and deal < planned:
        return Due(place, "deal", deal + 1, _dealer(code, state.get("dealer"), deal), code.pages.deal_order is not None)
    return None


def _dealer(code: RuleSet, before: object, deal: int) -> Seat | None:
    """Return who deals after ``before``; None before a round's first deal."""
    last = seat_or_none(before)
    return code.rotation.next(last) if deal and last is not None and code.rotation.holds(last) else None


def first_dealers(pages: Pages, due: Sequence[Due]) -> tuple[Seat, ...]:
    """Seats that may deal first at tables without a stated dealer; none if all are known."""
    unknown = [one for one in due if one.word == "deal" and one.dealer is None and not one.asks_more]
    codes = [pages.rule_set(pages.store.tables[one.place]) for one in unknown]
    seats = [set(code.rotation.seats) for code in codes if code is not None]
    return tuple(seat for seat in Seat if seats and all(seat in one for one in seats))


def give_due(pages: Pages, person: str, form: Form) -> None:
    """Begin the deal, or its play, at every table that waits for it, or at the one that is named. Raises FormError."""
    word, place = form.get("word"), form.get("place", "")
    due = [one for one in due_tables(pages, pages.book.rounds.running) if one.word == word and not one.asks_more]
    due = [one for one in due if place in ("", one.place)]
    if not due:
        raise FormError("due_none")
    chosen = seat_or_none(form.get("dealer"))
    if word == "deal" and any(one.dealer is None for one in due) and chosen not in first_dealers(pages, due):
        raise FormError("due_no_dealer")
    with pages.book.database.together():
        for one in due:
            begun = StartDeal(by=person, deal=one.deal, dealer=one.dealer or chosen)
            pages.office.give(one.place, begun if one.word == "deal" else StartPlay(by=person))
