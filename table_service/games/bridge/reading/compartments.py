"""Bidding cards in the compartments of the tray, as one picture shows them. Pure."""

from __future__ import annotations

from typing import Final

from hw.bidding import TRAY_SIDES, compartment
from hw.observations import Sight, SightedCard
from hw.seats import Seat
from hw.zones import TABLE
from table_service.games.bridge.judges.sides import Side
from table_service.games.bridge.reading.acts import UNREAD
from table_service.games.bridge.rules.auction import CALLS

TRAY: Final = "tray"
ALERT: Final = "alert"
STOP: Final = "stop"
MARKS: Final = (ALERT, STOP)
READ: Final = 0.5
"""A bidding card that the camera is less sure of was not read."""
_NAMES: Final = frozenset({*CALLS, ALERT, STOP})

Placed = list[tuple[int | None, str]]
"""Names with their places in a compartment, None where a picture does not tell them."""


def new_ones(names: list[str], more: int, fresh: list[str]) -> list[str]:
    """Return the last ``more`` of ``names``, of those that are ``fresh`` if it is known which these are."""
    new = [name for name in names if name in fresh] if fresh else names
    return new[-more:] if more > 0 else []


def found_in(sight: Sight, seat: Seat) -> tuple[Placed, list[str], list[str]]:
    """Return what a picture shows of ``seat``: cards of its compartment in order, marks without order, calls beside."""
    shown: list[tuple[int, int | None, str]] = []
    loose: list[str] = []
    beside: list[str] = []
    for nth, card in enumerate(sight.cards):
        if card.seat is not seat or card.zone not in (TRAY, TABLE):
            continue
        name = card.card if is_read(card) else UNREAD
        if card.zone == TRAY and name in MARKS and card.order is None:
            loose.append(name)
        elif card.zone == TRAY:
            shown.append((card.order if card.order is not None else nth, card.order, name))
        elif name in CALLS:
            beside.append(name)
    return [(order, name) for _, order, name in sorted(shown, key=lambda one: one[0])], loose, beside


def with_loose(names: list[str], mark: str, known: list[str]) -> list[str]:
    """Return ``names`` with a mark whose order is not given: where it was before, else last."""
    place = known.index(mark) if mark in known else len(names)
    return [*names[:place], mark, *names[place:]]


def is_read(card: SightedCard) -> bool:
    """Return True if ``card`` is a bidding card, on tray or table, that the camera is sure enough of."""
    return card.zone in (TRAY, TABLE) and card.confidence >= READ and card.card in _NAMES


def side_shown(sight: Sight) -> Side | None:
    """Return the side on which the tray stands by where its cards are; None where they do not all say the same one."""
    lying = [card for card in sight.cards if card.zone == TRAY and card.seat is not None]
    fits = [
        side
        for side in TRAY_SIDES
        if all(card.seat is not None and compartment(card.seat, side).holds(card.x, card.y) for card in lying)
    ]
    return fits[0] if lying and len(fits) == 1 else None


def with_missed(found: Placed, known: list[str]) -> list[str]:
    """Return the names of ``found`` in order, with those ``known`` whose place was missed beneath a later card.

    A card that lies further on lies over it: it was missed by a picture, and not taken away.
    """
    shown = {place: name for place, name in found if place is not None}
    if len(shown) < len(found):
        return [name for _, name in found]
    beneath = {place: name for place, name in enumerate(known) if place < max(shown, default=0)}
    return [name for _, name in sorted((beneath | shown).items())]
