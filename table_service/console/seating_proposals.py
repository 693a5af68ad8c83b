"""Who might sit where in the round to come, by a movement: from the list of entries, or from the rounds before. Pure.

What is proposed stands as text in the form that begins a round, where the arbitro changes what he likes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hw.seats import LINES
from table_service.console.results import Ranked
from table_service.console.round_page import RESTS, Seats
from table_service.console.ruling_forms import FormError
from table_service.tournament import (
    Meeting,
    NoSeatingError,
    Seating,
    danese,
    howell,
    howell_field,
    in_order,
    mitchell,
    round_robin,
    round_robin_field,
    swiss,
)

FIRST: Final = ("lot", "listed", "howell", "round-robin")
"""Movements of a first round: neighbours of a list drawn by lot, or as it stands; all against all in two orders."""
NEXT: Final = ("danese", "danese-new", "swiss", "mitchell", "howell", "round-robin")
"""Those of the rounds after it."""


def seating_of_round(seated: Seats, places: Sequence[str]) -> Seating:
    """A round as the club has entered it, its tables numbered in the order of ``places``."""
    at = [place for place in places if all((place, line) in seated for line in LINES)]
    meetings = (Meeting(n, *(seated[place, line] for line in LINES)) for n, place in enumerate(at, start=1))
    return Seating(tuple(meetings), tuple(name for (place, _), name in seated.items() if place == RESTS))


def entries_of(text: str) -> tuple[str, ...]:
    """The entries of a list, one a line."""
    return tuple(" ".join(line.split()) for line in text.splitlines() if line.strip())


def propose(
    movement: str,
    entries: Sequence[str],
    played: Sequence[Seating],
    ranked: Sequence[Ranked],
    lot: Callable[[list[str]], None],
) -> Seating:
    """The next round by ``movement`` after the rounds ``played``; of a first one from ``entries``, drawn with ``lot``.

    Raises FormError with the sentence that says why nobody can be seated so.
    """
    if movement not in (NEXT if played else FIRST):
        raise FormError("movement_not_now")
    try:
        if played:
            return _next(movement, played, ranked)
        field = list(entries)
        if movement == "lot":
            lot(field)
        return {"howell": lambda: howell(field, 1), "round-robin": lambda: round_robin(field, 1)}.get(
            movement, lambda: in_order(field)
        )()
    except NoSeatingError as error:
        raise FormError(f"seating_{error.reason}", **error.terms) from None


def _next(movement: str, played: Sequence[Seating], ranked: Sequence[Ranked]) -> Seating:
    number, first = len(played) + 1, played[0]
    match movement:
        case "mitchell":
            return mitchell(first, number)
        case "howell":
            return howell(howell_field(first), number)
        case "round-robin":
            return round_robin(round_robin_field(first), number)
    unknown = next((one.pair for one in ranked if one.merit is None), None)
    if unknown is not None:
        raise NoSeatingError("no_points", "", entry=unknown)
    names = [one.pair for one in ranked]
    if movement == "swiss":
        return swiss(names, {one.pair: (one.merit or (0,))[0] for one in ranked}, played)
    return danese(names, played, repeats=movement == "danese")


def as_seats(seating: Seating, places: Sequence[str]) -> Mapping[tuple[str, str], str]:
    """The seating at the hall's tables, in their order. Raises FormError where there are too few of them."""
    if len(seating.meetings) > len(places):
        raise FormError("seating_few_tables", n=len(seating.meetings), have=len(places))
    found: dict[tuple[str, str], str] = {}
    for meeting in seating.meetings:
        found |= {
            (places[meeting.table - 1], line): name for line, name in zip(LINES, (meeting.ns, meeting.ew), strict=True)
        }
    return found | {(RESTS, line): name for line, name in zip(LINES, seating.resting, strict=False)}
