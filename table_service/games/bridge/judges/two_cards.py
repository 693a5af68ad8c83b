"""Two cards of one hand in a full trick (58), or the second of them a lead to the next one."""

from __future__ import annotations

from dataclasses import replace

from hw.cards import face
from hw.seats import Seat
from table_service.games.bridge.judges.card_play import CardPlay, PlayFault
from table_service.games.bridge.judges.penalty_cards import without


def with_second(play: CardPlay, seat: Seat, card: str, t: float) -> CardPlay:
    """Return the play after the hand of ``seat`` gives ``card`` to a full trick in which its own card lies (58)."""
    fault = PlayFault("second-card", seat, face(card), play.play.number, None, t, "58")
    return replace(
        play,
        play=play.play.played(seat, face(card)),
        faults=(*play.faults, fault),
        penalty_cards=without(play.penalty_cards, seat, card),
    )


def second_was_lead(play: CardPlay) -> CardPlay:
    """Return the play with the second card of a full trick as the lead to the next one, if there is such a card."""
    seats = [seat for seat, _ in play.play.open.plays]
    two = next((seat for seat in seats if seats.count(seat) > 1), None)
    if two is None or not play.play.open.is_full(play.play.rules):
        return play
    card = [card for seat, card in play.play.open.plays if seat is two][-1]
    fault = next(one for one in reversed(play.faults) if (one.wrong, one.seat) == ("second-card", two))
    return play.never_lay(two, card).played(two, card, fault.t)
