"""The public part of a deal for the topic ``state``: nothing in it that did not lie face up for all to see."""

from __future__ import annotations

from typing import Any

from hw.seats import LINES
from hw.zones import side
from table_service.games.burraco import action_events
from table_service.games.burraco.rules.deal import Deal, Pot
from table_service.table.finding_payloads import public


def deal_state(deal: Deal) -> dict[str, Any]:
    """What anybody may know of ``deal`` now, as JSON values."""
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


def _pots(deal: Deal) -> dict[str, Any]:
    """The pots that lie there with the cards in each, who took which, and how; ``second``: beyond a line's own."""
    return {
        "left": len(deal.pots_left),
        "cards": [len(deal.at(place)) for place in deal.pots_left],
        "taken": {str(line): pot.seat for line, pot in deal.pots_taken.items()},
        "how": {str(line): _pot(pot) for line, pot in deal.pots_taken.items()},
        "second": {str(line): _pot(pot) for line, pot in deal.second.items()},
    }


def _pot(pot: Pot) -> dict[str, Any]:
    return {"seat": pot.seat, "manner": pot.manner, "by": pot.by, "cards": pot.cards, "played": pot.played}
