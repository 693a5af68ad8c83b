"""The public table for the topic ``state``: nothing in it that did not lie face up for all to see."""

from __future__ import annotations

from typing import Any

from table_service.events.payloads import RoundSeated
from table_service.table import finding_payloads as payloads
from table_service.table.game_protocol import Game
from table_service.table.round_state import RoundState
from table_service.table.scores import Scores
from table_service.table.table_parts import TableParts


def public_state(table: TableParts, game: Game) -> dict[str, Any]:
    """Return what anybody may know of ``table`` and of ``game`` now, as JSON values."""
    referee, state, rotation = table.referee, table.round, table.rules.rotation
    return {
        "table": table.header.table,
        "rules": table.header.rules,
        "seats": dict(table.header.seats),
        "keepers": {str(line): str(seat) for line, seat in table.header.keepers.items()},
        "round": _round(state),
        "score": _score(state.scores),
        "sheets": {str(number): sheet.public() for number, sheet in table.sheets.by_deal.items()},
        "warnings": {str(line): count for line, count in referee.warnings.items()},
        "irregularities": [
            payloads.irregularity(one, rotation).model_dump(mode="json", by_alias=True) for one in referee.open
        ],
        "sanctions": [
            payloads.sanction(one).model_dump(mode="json", by_alias=True) for one in referee.sanctions.in_force
        ],
        "unverified": dict(table.health.unverified),
        "nodes": dict(table.health.nodes),
        **_seated(state.seated),
        **game.state(),
    }


def _seated(seated: RoundSeated) -> dict[str, Any]:
    """Return the players seated here and where they go next, only as far as the direction has said so."""
    return {name: value for name, value in seated.model_dump(mode="json").items() if value}


def _round(state: RoundState) -> dict[str, Any]:
    """State of the round. ``given``: points of the arbitro that are yet to be counted; absent if there are none."""
    shown = {"running": state.running, "deals": state.deals, "started": state.is_started}
    given = {str(line): points for line, points in state.given.items()}
    return {**shown, "given": given} if any(given.values()) else shown


def _score(scores: Scores) -> dict[str, Any]:
    return {
        "running": {str(line): total for line, total in scores.running.items()},
        "deals": {
            str(number): {str(line): total for line, total in totals.items()}
            for number, totals in scores.totals.items()
        },
    }
