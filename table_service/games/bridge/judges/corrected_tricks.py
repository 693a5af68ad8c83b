"""The arbitro's corrections of one card of a played trick: another was read, or it was missing (law 67)."""

from __future__ import annotations

from dataclasses import replace

from hw.seats import Seat
from table_service.games.bridge.judges.card_play import CardPlay, PlayFault
from table_service.games.tricks.trick import Trick
from table_service.games.tricks.trick_play import Taken, TrickPlay


def corrected(play: CardPlay, number: int, seat: Seat, card: str) -> CardPlay:
    """``play`` with ``card`` as the one that ``seat`` gave to trick ``number``; the same where there is no such trick.

    Where it gave none, this one is supplied. Who has won follows from the cards as they are now, and with it whether
    the next lead came in turn.
    """
    inner = play.play
    if not (1 <= number <= inner.number) or (number == inner.number and not inner.open.plays):
        return play
    if number == inner.number:
        now = replace(inner, open=_with(inner.open, seat, card))
    else:
        now = _retaken(inner, number, seat, card)
    kept = tuple(one for one in play.faults if not _is_mended(one, now, number, seat))
    return replace(play, play=now, faults=kept).released(seat, card)


def is_supplied(play: CardPlay, number: int, seat: Seat) -> bool:
    """Return True if trick ``number``, which is turned, lacks a card of ``seat``."""
    return any(one.number == number and one.trick.card_of(seat) is None for one in play.play.taken)


def _retaken(inner: TrickPlay, number: int, seat: Seat, card: str) -> TrickPlay:
    before = inner.taken[number - 1]
    trick = _with(before.trick, seat, card)
    one = Taken(number, trick, trick.winner(inner.rules), before.pile)
    taken = (*inner.taken[: number - 1], one, *inner.taken[number:])
    return replace(inner, taken=taken).settled()


def _with(trick: Trick, seat: Seat, card: str) -> Trick:
    if trick.card_of(seat) is None:
        return Trick((*trick.plays, (seat, card)), trick.may_lead)
    place = next(n for n, (who, _) in enumerate(trick.plays) if who is seat)
    return Trick((*trick.plays[:place], (seat, card), *trick.plays[place + 1 :]), trick.may_lead)


def _is_mended(fault: PlayFault, now: TrickPlay, number: int, seat: Seat) -> bool:
    """Return True if ``fault`` depended on the card's name, or on the winner of the trick."""
    if (fault.number, fault.seat) == (number, seat):
        return fault.wrong in ("card-missing", "not-held", "penalty-card-kept")
    by = now.taken[number - 1].by if number <= len(now.taken) else None
    return fault.wrong == "lead-out-of-turn" and fault.number == number + 1 and fault.seat is by
