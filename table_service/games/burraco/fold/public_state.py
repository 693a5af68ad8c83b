"""The public table for the topic ``state``: nothing in it that did not lie face up for all to see."""

from __future__ import annotations

from typing import Any

from hw.seats import LINES, SEATS
from hw.zones import side
from table_service.games.burraco import event_payloads
from table_service.games.burraco.counting import Scores
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.rules.deal import Deal, Pot
from table_service.games.burraco.rules.rulebook import RuleBook


def public_state(sitting: Sitting) -> dict[str, Any]:
    """What anybody may know of ``sitting`` now, as JSON values."""
    referee, deal = sitting.referee, sitting.deal
    common = {
        "table": sitting.header.table,
        "rules": sitting.book.name,
        "seats": dict(sitting.header.seats),
        "keepers": {str(line): str(seat) for line, seat in sitting.header.keepers.items()},
        "round": {"running": sitting.running, "deals": sitting.deals},
        "score": _score(sitting.scores),
        "sheets": {str(number): sheet.public() for number, sheet in sitting.sheets.items()},
        "warnings": {str(line): count for line, count in referee.warnings.items()},
        "irregularities": [
            event_payloads.irregularity(one).model_dump(mode="json", by_alias=True) for one in referee.open
        ],
        "sanctions": [
            event_payloads.sanction(one).model_dump(mode="json", by_alias=True) for one in referee.sanctions.in_force
        ],
        "unverified": dict(sitting.unverified),
        "nodes": dict(sitting.nodes),
    }
    return {**common, **({"deal": None} if deal is None else _deal(sitting.book, deal))}


def _deal(book: RuleBook, deal: Deal) -> dict[str, Any]:
    shown = {line: [m for m in deal.melds if m.line is line] for line in LINES}
    return {
        "deal": deal.number,
        "dealer": deal.dealer,
        "phase": str(deal.phase),
        "manner": deal.manner,
        "turn": {"n": deal.turn, "seat": deal.to_play, "begun": deal.begun, "drawn": deal.drawn},
        "hands": event_payloads.hand_counts(deal),
        "stock": deal.stock,
        "pile": list(event_payloads.public(deal.pile, ())),
        "pots": _pots(deal),
        "melds": {
            str(line): [event_payloads.meld(book, m).model_dump(mode="json", by_alias=True) for m in rows]
            for line, rows in shown.items()
        },
        "sides": {
            str(seat): list(event_payloads.public(deal.at(side(seat)), ())) for seat in SEATS if deal.at(side(seat))
        },
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


def _score(scores: Scores) -> dict[str, Any]:
    return {
        "running": {str(line): total for line, total in scores.running.items()},
        "deals": {
            str(number): {str(line): total for line, total in totals.items()}
            for number, totals in scores.totals.items()
        },
    }
