"""The middle of Burraco's table as a page shows it, and the rows and counts on it: values from the public state. Pure.

Nothing is taken from the state but what is named here, so that a field that should not have been published is not
shown either.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from hw.cards import face
from hw.table_options import PAIR
from table_service.events.untrusted import as_cards, as_list, as_map, as_name, as_whole
from table_service.games.game_pages import Document, RowOnTable

_BURRACO: Final = ("dirty", "semi-clean", "clean", "super-clean", "over-the-top")
_LINES: Final = ("NS", "EW")
_SEATS: Final = ("N", "E", "S", "W")


@dataclass(frozen=True, slots=True)
class MeldView:
    """A meld as it lies, first card nearest its keeper. ``points`` None: not known."""

    id: str
    kind: str
    cards: tuple[str, ...]
    burraco: str | None
    points: int | None
    wild_at: int | None
    stands_for: str | None
    frozen: str | None
    valid: bool


@dataclass(frozen=True, slots=True)
class LineView:
    """One line: its melds, and whether it has taken its pot."""

    line: str
    melds: tuple[MeldView, ...]
    has_pot: bool


@dataclass(frozen=True, slots=True)
class Middle:
    """Cards in the middle of the table. ``stock`` in cards, ``pots`` in pots that are still there; None: not known.

    ``sides``: the penalised cards by seat, of seats that have any.
    """

    lines: dict[str, LineView]
    pile: tuple[str, ...]
    stock: int | None
    pots: int | None
    sides: dict[str, tuple[str, ...]]


def middle_of(state: Document) -> Middle:
    """Return the middle of the table according to ``state``."""
    sides = {seat: as_cards(as_map(state.get("sides")).get(seat)) for seat in _SEATS}
    return Middle(
        lines={line: _line(line, state) for line in _LINES},
        pile=as_cards(state.get("pile")),
        stock=as_whole(state.get("stock")),
        pots=as_whole(as_map(state.get("pots")).get("left")),
        sides={seat: cards for seat, cards in sides.items() if cards},
    )


def rows_of(state: Document) -> tuple[RowOnTable, ...]:
    """Return the melds, line by line."""
    lines = (_line(line, state) for line in _LINES)
    return tuple(RowOnTable(one.line, meld.id, meld.cards) for one in lines for meld in one.melds)


def counts_of(state: Document) -> dict[str, int | None]:
    """Cards in each hand and in the stock."""
    hands = as_map(state.get("hands"))
    return {
        **{seat: as_whole(hands.get(seat)) for seat in _SEATS if seat in hands or len(hands) != PAIR},
        "stock": as_whole(state.get("stock")),
    }


def awaited(turn: Document) -> str:
    """Return the word for what is awaited of the player on turn."""
    drawn = turn.get("drawn")
    return "on_turn" if not isinstance(drawn, bool) else "to_play" if drawn else "to_draw"


def _line(line: str, state: Document) -> LineView:
    melds = [_meld(m) for m in as_list(as_map(state.get("melds")).get(line)) if isinstance(m, Mapping)]
    pot = line in as_map(as_map(state.get("pots")).get("taken"))
    return LineView(line, tuple(melds), pot)


def _meld(meld: Document) -> MeldView:
    cards = as_cards(meld.get("cards"))
    wild = as_map(meld.get("wild"))
    burraco = meld.get("burraco")
    frozen = meld.get("frozen")
    return MeldView(
        id=str(meld.get("id")),
        kind=str(meld.get("kind")) if meld.get("kind") in ("set", "run") else "meld",
        cards=cards,
        burraco=burraco if burraco in _BURRACO else None,
        points=as_whole(meld.get("points")),
        wild_at=_place(as_name(wild.get("card")), cards),
        stands_for=as_name(wild.get("stands_for")),
        frozen=f"frozen_{frozen}" if frozen in ("temporary", "definitive") else None,
        valid=meld.get("valid") is not False,
    )


def _place(card: str | None, cards: tuple[str, ...]) -> int | None:
    """Position of ``card`` among ``cards``: the very card if it is named with its copy, else the first of its face."""
    if card is None:
        return None
    found = [i for i, other in enumerate(cards) if other == card] or [
        i for i, other in enumerate(cards) if face(other) == face(card)
    ]
    return found[0] if found else None
