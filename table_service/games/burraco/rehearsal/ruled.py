"""Rows that can be ruled and remedied, by moment: in mid-deal, or in the last turn of each kind of end."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment


@dataclass(frozen=True, slots=True, kw_only=True)
class Rulable:
    """Rows of a code that the arbitro can rule on, by moment.

    ``never``: rows that are played on without a ruling of their own, or whose score the arbitro makes himself.
    ``stalemate``: rows that leave everybody exchanging cards; besides, those that are found once the deal is over.
    ``picks_up``: rows on picking up the pile: the last turn of the stock begins with a draw. ``in_mid_deal``: rows that
    need more turns than a last one leaves. ``closes``: rows besides those of the moment that a deal may go out in.
    """

    never: frozenset[str]
    stalemate: frozenset[str] = frozenset()
    picks_up: frozenset[str] = frozenset()
    in_mid_deal: frozenset[str] = frozenset()
    closes: frozenset[str] = frozenset()


FIBUR2024: Final = Rulable(
    never=frozenset(("F-08c", "F-10a", "F-23c", "F-23p", "F-S1", "F-04f", "F-04k", "F-05b", "F-30c", "F-36")),
    stalemate=frozenset(("F-24a", "F-24d")),
    picks_up=frozenset(("F-09f", "F-09g", "F-09h")),
    in_mid_deal=frozenset(("F-27d",)),
    closes=frozenset(("F-08a",)),
)
FEBURIT: Final = Rulable(
    never=frozenset(("B-04c", "B-04d", "B-07b", "B-10i", "B-10n", "B-17a", "B-17b", "B-18", "B-23a", "B-23b", "B-23c")),
    picks_up=frozenset(("B-16b", "B-16e")),
    in_mid_deal=frozenset(("B-11e",)),
    closes=frozenset(("B-06a",)),
)
ONLINE: Final = Rulable(
    never=frozenset(("O-31", "O-N1")), picks_up=frozenset(("O-27", "O-28")), closes=frozenset(("O-21",))
)
_BEFORE: Final = frozenset((DealMoment.SET_UP, DealMoment.DEALT))


def can_be_ruled(kind: DealFaultKind, stage: str, rows: Rulable = FIBUR2024) -> bool:
    """Return True if the arbitro can rule on a fault of ``kind`` in ``stage``, one of ``STAGES``."""
    if kind.row in rows.never:
        return False
    if stage == "mid" or kind.late:
        return True
    if set(kind.moments) <= _BEFORE or kind.row in rows.in_mid_deal:
        return False
    match stage:
        case "stalemate":
            return kind.row in rows.stalemate
        case "closing":
            plays_on = {DealMoment.BEFORE_TURN, DealMoment.AFTER_DRAW} & set(kind.moments)
            return (bool(plays_on) or kind.own or kind.row in rows.closes) and kind.lead == 0
        case "stock":
            return kind.row not in rows.picks_up
    return True
