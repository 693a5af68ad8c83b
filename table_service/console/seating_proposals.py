"""Who might sit where in the round to come, by a movement: from the list of entries, or from the rounds before. Pure.

What is proposed stands as text in the form that begins a round, where the arbitro changes what he likes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from hw.seats import LINES
from table_service.console.entry_list import drawn_pairs, field_after
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

FIRST: Final = ("lot", "lot-pairs", "listed", "howell", "round-robin")
"""Movements of a first round: neighbours of a list drawn by lot, or as it stands; all against all in two orders.

``lot-pairs``: the list is of single players, whom the lot makes pairs first.
"""
NEXT: Final = ("danese", "danese-new", "swiss", "mitchell", "howell", "round-robin")
"""Those of the rounds after it."""
_BY_RANKING: Final = ("danese", "danese-new", "swiss")
"""Those whose field may change between rounds."""


def seating_of_round(seated: Seats, places: Sequence[str]) -> Seating:
    """A round as the club has entered it, its tables numbered in the order of ``places``."""
    at = [place for place in places if all((place, line) in seated for line in LINES)]
    meetings = (Meeting(n, *(seated[place, line] for line in LINES)) for n, place in enumerate(at, start=1))
    return Seating(tuple(meetings), tuple(name for (place, _), name in seated.items() if place == RESTS))


def propose(
    movement: str,
    entries: Sequence[str],
    played: Sequence[Seating],
    ranked: Sequence[Ranked],
    lot: Callable[[list[str]], None],
    *,
    leaving: Sequence[str] = (),
    joining: Sequence[str] = (),
) -> Seating:
    """The next round by ``movement`` after the rounds ``played``; of a first one from ``entries``, drawn with ``lot``.

    ``leaving``: who plays no more, ``joining``: who comes late, with no points; both only where a later round goes by
    the ranking.

    Raises FormError with the sentence that says why nobody can be seated so.
    """
    if movement not in (NEXT if played else FIRST):
        raise FormError("movement_not_now")
    try:
        if played:
            return _next(movement, played, ranked, joining, leaving)
        field = list(entries)
        if movement == "lot-pairs":
            field = drawn_pairs(field, lot)
        elif movement == "lot":
            lot(field)
        return {"howell": lambda: howell(field, 1), "round-robin": lambda: round_robin(field, 1)}.get(
            movement, lambda: in_order(field)
        )()
    except NoSeatingError as error:
        raise FormError(f"seating_{error.reason}", **error.terms) from None


def _next(
    movement: str, played: Sequence[Seating], ranked: Sequence[Ranked], joining: Sequence[str], leaving: Sequence[str]
) -> Seating:
    if movement not in _BY_RANKING and (joining or leaving):
        raise FormError("field_is_fixed")
    number, first = len(played) + 1, played[0]
    match movement:
        case "mitchell":
            return mitchell(first, number)
        case "howell":
            return howell(howell_field(first), number)
        case "round-robin":
            return round_robin(round_robin_field(first), number)
    names = field_after([one.pair for one in ranked], played[-1].entries, leaving, joining)
    unknown = next((one.pair for one in ranked if one.merit is None and one.pair in names), None)
    if unknown is not None:
        raise NoSeatingError("no_points", "", entry=unknown)
    if movement == "swiss":
        points = {one.pair: (one.merit or (0,))[0] for one in ranked}
        return swiss(names, dict.fromkeys(joining, 0) | points, played)
    return danese(names, played, repeats=movement == "danese")


def as_seats(seating: Seating, places: Sequence[str]) -> Mapping[tuple[str, str], str]:
    """The seating at the hall's tables, in their order.

    Raises FormError where there are too few of them, or where more rest than a round can name.
    """
    if len(seating.meetings) > len(places):
        raise FormError("seating_few_tables", n=len(seating.meetings), have=len(places))
    if len(seating.resting) > len(LINES):
        raise FormError("seating_many_rest", n=len(seating.resting), most=len(LINES))
    found: dict[tuple[str, str], str] = {}
    for meeting in seating.meetings:
        found |= {
            (places[meeting.table - 1], line): name for line, name in zip(LINES, (meeting.ns, meeting.ew), strict=True)
        }
    return found | {(RESTS, line): name for line, name in zip(LINES, seating.resting, strict=False)}
