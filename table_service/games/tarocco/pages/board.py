"""The middle of a table of tarocco as a page shows it: values from the public state. Pure.

Nothing is taken from the state but what is named here, so that a field that should not have been published is not
shown either.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table_service.events.untrusted import as_cards, as_list, as_map, as_whole
from table_service.games.game_pages import Document
from table_service.games.tricks.open_trick import SEATS, by_seat, one_of

_LINES: Final = ("NS", "EW")
_PHASES: Final = ("dealt", "scarto", "playing", "over")
_DECIDED: Final = ("points", "deals-won", "begati", "called-out", "wrong-call")
_FORMS: Final = ("quattro-scartate", "ottocento")


@dataclass(frozen=True, slots=True)
class ShownCards:
    """Cards that a seat has shown. ``late``: too late to count."""

    seat: str
    cards: tuple[str, ...]
    late: bool = False


@dataclass(frozen=True, slots=True)
class Middle:
    """Cards on the table. ``trick``: by seat; ``number``: of the trick; ``tricks``: won, by line; None: unknown."""

    number: int | None
    trick: dict[str, str]
    turn: str | None
    last: dict[str, str]
    last_winner: str | None
    tricks: dict[str, int | None]
    scartatore: str | None
    scarto: int | None
    phase: str | None
    accusi: tuple[ShownCards, ...]
    claims: tuple[ShownCards, ...]
    form: str | None
    deals_won: dict[str, int | None]
    begati: dict[str, int | None]
    match_winner: str | None
    total: dict[str, int | None]
    match_over: bool = False
    decided_by: str | None = None


def middle_of(state: Document) -> Middle:
    """Return the middle of the table according to ``state``."""
    trick, last, match = as_map(state.get("trick")), as_map(state.get("last_trick")), as_map(state.get("match"))
    won = as_map(state.get("tricks"))
    return Middle(
        number=as_whole(trick.get("n")),
        trick=by_seat(trick.get("cards")),
        turn=one_of(as_map(state.get("turn")).get("seat"), SEATS),
        last=by_seat(last.get("cards")),
        last_winner=one_of(last.get("winner"), SEATS),
        tricks={line: as_whole(won.get(line)) for line in _LINES},
        scartatore=one_of(state.get("scartatore"), SEATS),
        scarto=as_whole(state.get("scarto")),
        phase=one_of(state.get("phase"), _PHASES),
        accusi=_shown(state.get("accusi")),
        claims=_shown(state.get("claims")),
        form=one_of(match.get("form"), _FORMS),
        deals_won={line: as_whole(as_map(match.get("deals_won")).get(line)) for line in _LINES},
        begati={line: as_whole(as_map(match.get("begati")).get(line)) for line in _LINES},
        match_winner=one_of(match.get("winner"), _LINES),
        total={line: as_whole(as_map(match.get("total")).get(line)) for line in _LINES},
        match_over=match.get("is_over") is True,
        decided_by=one_of(match.get("decided_by"), _DECIDED),
    )


def _shown(value: object) -> tuple[ShownCards, ...]:
    return tuple(
        ShownCards(seat, as_cards(one.get("cards")), late=one.get("late") is True)
        for one in map(as_map, as_list(value))
        if (seat := one_of(one.get("seat"), SEATS)) is not None
    )
