"""Meetings of a tournament: movements as pure functions of the field and of the rounds played."""

from __future__ import annotations

from table_service.tournament.fixed_movements import (
    howell,
    howell_field,
    knock_out,
    knock_out_field,
    mitchell,
    round_robin,
    round_robin_field,
)
from table_service.tournament.individual import by_fours, drawn, partners, players_of, whist, whist_field
from table_service.tournament.movement_choice import Offer, offers
from table_service.tournament.pairings import danese, swiss
from table_service.tournament.seating import Meeting, NoSeatingError, Seating, at_tables, in_order
from table_service.tournament.session_plan import SessionPlan, plan_of, planned

__all__ = [
    "Meeting",
    "NoSeatingError",
    "Offer",
    "Seating",
    "SessionPlan",
    "at_tables",
    "by_fours",
    "danese",
    "drawn",
    "howell",
    "howell_field",
    "in_order",
    "knock_out",
    "knock_out_field",
    "mitchell",
    "offers",
    "partners",
    "plan_of",
    "planned",
    "players_of",
    "round_robin",
    "round_robin_field",
    "swiss",
    "whist",
    "whist_field",
]
