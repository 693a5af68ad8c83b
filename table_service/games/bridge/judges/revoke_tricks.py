"""Revokes (laws 61 to 64): when one is established, and how many tricks it costs."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from hw.cards import suit
from hw.seats import Seat
from table_service.games.tricks.revokes import Revoke
from table_service.games.tricks.trick import Trick
from table_service.games.tricks.trick_play import Taken

TWELFTH: Final = 12
Exempt = Literal["", "dummy", "faced-card", "same-suit-again", "twelfth-trick", "too-late", "both-sides"]


@dataclass(frozen=True, slots=True)
class RevokeCost:
    """Cost of an established revoke. ``tricks``: given to the other side, None if the winner of one is unknown.

    ``exempt``: why law 64B takes none. The arbitro may give more if that restores equity (64C).
    """

    tricks: int | None
    exempt: Exempt = ""
    article: str = "64A"


def is_established(revoke: Revoke, tricks: Sequence[Trick], *, claimed: bool = False) -> bool:
    """Law 63A: the offending side has led or played to the following trick, or has claimed or conceded.

    ``tricks``: all of them in order, the open one last.
    """
    following = tricks[revoke.number : revoke.number + 1]
    return claimed or any(seat.line is revoke.seat.line for trick in following for seat, _ in trick.plays)


def cost(
    revoke: Revoke,
    taken: Sequence[Taken],
    *,
    dummy: Seat,
    before: Collection[Revoke] = (),
    others: Collection[Revoke] = (),
    faced: Collection[str] = (),
    too_late: bool = False,
) -> RevokeCost:
    """Cost of ``revoke``, established, by law 64A once all tricks are ``taken``.

    ``before``: earlier revokes; ``others``: established ones of the other side. ``faced``: cards of the offender that
    were face up and that he should have played then. ``too_late``: attention came after a call on the next board, or
    after the end of the round (64B).
    """
    exempt = _exempt(revoke, dummy, before, others, faced, too_late=too_late)
    if exempt:
        return RevokeCost(0 if exempt != "both-sides" else None, exempt, "64B")
    from_it = [one for one in taken if one.number >= revoke.number]
    if not from_it or from_it[0].number != revoke.number or any(one.by is None for one in from_it):
        return RevokeCost(None)
    won = [one.by is not None and one.by.line is revoke.seat.line for one in from_it]
    if from_it[0].by is revoke.seat:
        return RevokeCost(1 + any(won[1:]), article="64A1")
    return RevokeCost(int(any(won)), article="64A2")


def _exempt(
    revoke: Revoke,
    dummy: Seat,
    before: Collection[Revoke],
    others: Collection[Revoke],
    faced: Collection[str],
    *,
    too_late: bool,
) -> Exempt:
    if revoke.seat is dummy:
        return "dummy"
    if any(suit(card) == revoke.suit for card in faced):
        return "faced-card"
    if any(one.seat is revoke.seat and one.suit == revoke.suit and one.number < revoke.number for one in before):
        return "same-suit-again"
    if revoke.number == TWELFTH:
        return "twelfth-trick"
    if too_late:
        return "too-late"
    return "both-sides" if others else ""


def result_after(tricks: int, costs: Collection[tuple[bool, RevokeCost]]) -> int | None:
    """Return declarer's tricks after ``costs``, each with whether declarer's side revoked; None if one is unknown.

    >>> result_after(9, [(False, RevokeCost(2))]), result_after(9, [(True, RevokeCost(1))])
    (11, 8)
    """
    total = tricks
    for by_declarer, one in costs:
        if one.tricks is None:
            return None
        total += -one.tricks if by_declarer else one.tricks
    return min(13, max(0, total))
