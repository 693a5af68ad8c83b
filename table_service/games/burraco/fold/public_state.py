"""The public part of a deal for the topic ``state``: nothing in it that did not lie face up for all to see."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hw.seats import LINES, Line, Seat
from hw.zones import side
from table_service.games.burraco import action_events
from table_service.games.burraco.rules.deal import Deal, Pot
from table_service.table.finding_payloads import public


def deal_state(deal: Deal) -> dict[str, Any]:
    """Return what anybody may know of ``deal`` now, as JSON values."""
    shown = {line: [m for m in deal.melds if m.line is line] for line in LINES}
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        "phase": str(deal.phase),
        "manner": deal.manner,
        "turn": {"n": deal.turn, "seat": deal.to_play, "begun": deal.begun, "drawn": deal.drawn},
        "hands": action_events.hand_counts(deal),
        "stock": deal.stock,
        "pile": list(public(deal.pile, ())),
        "pots": _pots(deal),
        "melds": {
            str(line): [action_events.meld(deal.book, m).model_dump(mode="json", by_alias=True) for m in rows]
            for line, rows in shown.items()
        },
        "sides": {str(seat): list(public(deal.at(side(seat)), ())) for seat in deal.seats if deal.at(side(seat))},
    }


def keepers_of(deal: Deal | None, named: Mapping[Line, Seat]) -> dict[str, str | None]:
    """Before whom the melds of each line lie where the code has them lie before who opens first (feburit, art. 6).

    A keeper that the players have ``named`` goes before; None where nobody has opened, or nobody saw who did.
    """
    first = {line: named.get(line) or (None if deal is None else _first_to_open(deal, line)) for line in LINES}
    return {str(line): None if seat is None else str(seat) for line, seat in first.items()}


def _first_to_open(deal: Deal, line: Line) -> Seat | None:
    lays = [lays[0] for meld in deal.melds if meld.line is line and (lays := deal.changed.get(meld.row, ()))]
    first = min(lays, key=lambda lay: lay.t, default=None)
    return first.seat if first is not None and first.seen else None


def _pots(deal: Deal) -> dict[str, Any]:
    """Return the pots that lie there with the cards in each, who took which, how; ``second``: beyond a line's own."""
    return {
        "left": len(deal.pots_left),
        "cards": [len(deal.at(place)) for place in deal.pots_left],
        "taken": {str(line): pot.seat for line, pot in deal.pots_taken.items()},
        "how": {str(line): _pot(pot) for line, pot in deal.pots_taken.items()},
        "second": {str(line): _pot(pot) for line, pot in deal.second.items()},
    }


def _pot(pot: Pot) -> dict[str, Any]:
    return {"seat": pot.seat, "manner": pot.manner, "by": pot.by, "cards": pot.cards, "played": pot.played}
