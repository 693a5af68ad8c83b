"""A pair that comes while the first round is played, against the one that rests, where a code lets it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

from hw.seats import LINES
from table_service.console.access import Form
from table_service.console.pages import Pages
from table_service.console.routers.hall import order
from table_service.console.ruling_forms import FormError
from table_service.console.seating_lines import LONGEST_NAME, RESTS, nowhere
from table_service.console.storage import Round
from table_service.console.tournament_book import event_rules, heard_tables, tournament_rounds
from table_service.games.event_rules import LateEntry
from table_service.tournament import partners

MINUTE_S: Final = 60.0


@dataclass(frozen=True, slots=True)
class OpenTable:
    """The table that may be completed: who waits there, where there is room, what the code says, how late it is."""

    waiting: str
    places: tuple[str, ...]
    rule: LateEntry | None
    minutes: float

    @property
    def plays(self) -> bool:
        """True if the two still play; else both get points without play."""
        return self.rule is None or self.minutes <= self.rule.minutes


def open_table(pages: Pages) -> OpenTable | None:
    """Return the table that a late pair may complete now; None after the first round, or if none or several rest."""
    running = pages.book.rounds.running
    if running is None or len(tournament_rounds(pages)) > 1:
        return None
    seated = pages.book.rounds.seated(running.id)
    waiting = nowhere(seated, RESTS)
    taken = {place for place, _ in seated}
    places = tuple(one for one in order(tuple(heard_tables(pages, running))) if one not in taken)
    if len(waiting) != 1 or not places or len(partners(waiting[0])) > 1:
        return None
    return OpenTable(waiting[0], places, event_rules(pages).late_entry, _minutes(pages, running))


def _minutes(pages: Pages, running: Round) -> float:
    """Minutes since the start, without those in which the clock stood."""
    return running.minutes - running.left(pages.office.clock()) / MINUTE_S


def _named(form: Form, others: Collection[str]) -> str:
    """Return the late pair's name, which none of ``others`` has. Raises FormError."""
    entry = " ".join(form.get("entry", "").split())
    if not entry or len(partners(entry)) > 1:
        raise FormError("bad_form")
    if len(entry) > LONGEST_NAME:
        raise FormError("pairs_long", n=1, most=LONGEST_NAME, pair=entry[:LONGEST_NAME])
    if entry.casefold() in {name.casefold() for name in others}:
        raise FormError("pairs_twice", pair=entry)
    return entry


def completed(pages: Pages, person: str, form: Form, begin: Callable[[str], None]) -> None:
    """Seat the late pair that ``form`` names against the one that rests; ``begin`` starts the round at their table.

    Past the code's minutes nobody plays there, and both get what the code says. Raises FormError.
    """
    found, running = open_table(pages), pages.book.rounds.running
    if found is None or running is None:
        raise FormError("complete_not_now")
    seated = pages.book.rounds.seated(running.id)
    entry, place = _named(form, seated.values()), form.get("place", "")
    if place not in found.places:
        raise FormError("bad_form")
    sat = {at: name for at, name in seated.items() if at[0] != RESTS}
    sat |= {(place, line): name for line, name in zip(LINES, (entry, found.waiting), strict=True)}
    if found.rule is not None and not found.plays:
        now, reason = pages.office.clock(), f"{found.rule.article}: {found.minutes:.1f}"
        for who, points in ((entry, found.rule.late), (found.waiting, found.rule.waiting)):
            pages.book.adjustments.late(running.id, who, points, reason, person, now=now)
    pages.book.rounds.seat(running.id, sat)
    if found.plays:
        begin(place)
