"""The open trick of a public state as a page reads it: cards by seat, and what a ruling may name. Pure."""

from __future__ import annotations

from typing import Final

from table_service.events.untrusted import as_cards, as_list, as_map, as_name, as_whole
from table_service.games.game_pages import Document, RowOnTable

SEATS: Final = ("N", "E", "S", "W")


def one_of(value: object, known: tuple[str, ...]) -> str | None:
    """Return ``value`` where it is a name among ``known``, else None.

    >>> one_of("E", SEATS), one_of("X", SEATS), one_of(7, SEATS)
    ('E', None, None)
    """
    named = as_name(value)
    return named if named in known else None


def by_seat(value: object) -> dict[str, str]:
    """Return the cards of a trick by the seats that played them, in the order in which they were played."""
    found: dict[str, str] = {}
    for one in map(as_map, as_list(value)):
        seat, cards = one_of(one.get("seat"), SEATS), as_cards([one.get("card")])
        if seat is not None and cards:
            found[seat] = cards[0]
    return found


def rows_of(state: Document) -> tuple[RowOnTable, ...]:
    """Return the open trick as a row: a ruling may name its cards."""
    cards = tuple(by_seat(as_map(state.get("trick")).get("cards")).values())
    return (RowOnTable("NS", "trick", cards),) if cards else ()


def progress_of(state: Document, phases: tuple[str, ...] = ()) -> tuple[tuple[str, str], ...]:
    """Return the head's fact of a game of tricks: the trick in play, else which of ``phases`` the deal is in."""
    phase, number = one_of(state.get("phase"), ("playing", *phases)), as_whole(as_map(state.get("trick")).get("n"))
    if phase == "playing":
        return () if number is None else (("trick", str(number)),)
    return () if phase is None else (("", f"phase_{phase}"),)


def counts_of(state: Document) -> dict[str, int | None]:
    """Cards in each hand; None where the table does not know."""
    hands = as_map(state.get("hands"))
    return {seat: as_whole(hands.get(seat)) for seat in SEATS}
