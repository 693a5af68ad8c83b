"""The arbitro at a deal: called, arriving, ruling, dismissing, stopping it, saying that the time is up."""

from __future__ import annotations

from collections.abc import Sequence

from hw.cards import face
from hw.seats import SEATS, Seat
from hw.twin.gestures import (
    ConsoleGesture,
    Press,
)
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal


def time_out(deal: SimulatedDeal, seat: Seat) -> None:
    """Announce a time-out before ``seat`` plays: the last round goes from the first served to the dealer (art. 15).

    Or from ``seat``, who has not drawn yet, to who has just played, where the code has it so.
    """
    deal.script.do(ConsoleGesture("time-out"), deal.act("time-out", seat))
    if deal.customs.last_round_to == "playing":
        deal.last_turn = deal.turn + len(deal.seats)
        return
    left = 4 if seat is deal.dealer.next else 4 + (SEATS.index(deal.dealer) - SEATS.index(seat)) % 4 + 1
    deal.last_turn = deal.turn + left


def call(deal: SimulatedDeal, seat: Seat) -> int:
    """``seat`` calls the arbitro, who takes a while to come."""
    deal.script.wait(deal.rng.uniform(1.0, 4.0))
    cue = deal.script.do(Press(seat, "referee"), deal.act("call", seat))
    deal.script.wait(deal.rng.uniform(6.0, 14.0))
    return cue


def rule(deal: SimulatedDeal, row: str, seat: Seat, remedy: str, cards: Sequence[str] = (), **fields: object) -> int:
    """Have the arbitro rule on ``row`` of ``seat``."""
    what = {"row": row, "seat": str(seat), "remedy": remedy, "cards": [face(card) for card in cards], **fields}
    return deal.script.do(ConsoleGesture("rule", fields=what), deal.act("ruled", seat, row=row))


def stopped(deal: SimulatedDeal, seat: Seat) -> int:
    """Have the arbitro declare a stalemate before ``seat`` plays (art. 16)."""
    return deal.script.do(
        ConsoleGesture("rule", fields={"row": deal.customs.stalemate_row, "declared": True}),
        deal.act("stalemate", seat),
    )


def arrives(deal: SimulatedDeal, seat: Seat) -> int:
    """Have the arbitro come before ``seat`` plays: the exchanges are counted from now on (art. 16)."""
    return deal.script.do(ConsoleGesture("rule", fields={"row": deal.customs.stalemate_row}), deal.act("watches", seat))


def dismiss(deal: SimulatedDeal, row: str, seat: Seat) -> int:
    """Have the arbitro dismiss ``row`` of ``seat``."""
    return deal.script.do(
        ConsoleGesture("dismiss", fields={"row": row, "seat": str(seat)}), deal.act("dismissed", seat, row=row)
    )
