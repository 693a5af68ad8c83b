"""Row of the online rules for each kind of fault; None: the text has no such fault."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_service.games.burraco.fault_kinds import FaultKind

_ROWS: Final[Mapping[str, tuple[FaultKind, ...]]] = {
    "O-20": (
        FaultKind.DRAWN_OUT_OF_TURN,
        FaultKind.DRAWN_OUT_OF_TURN_THEN_OPENED,
        FaultKind.DRAWN_OUT_OF_TURN_THEN_EXTENDED,
        FaultKind.COLLECTED_OUT_OF_TURN,
        FaultKind.COLLECTED_OUT_OF_TURN_THEN_LAID,
    ),
    "O-21": (
        FaultKind.TWO_DRAWN_AT_ONCE,
        FaultKind.DRAWN_AGAIN,
        FaultKind.DRAWN_WITH_POT_IN_FLIGHT,
        FaultKind.COLLECTED_WITH_POT_IN_FLIGHT,
        FaultKind.LAID_AFTER_TAKING_WITH_POT,
    ),
    "O-22": (FaultKind.DISCARDED_WITHOUT_DRAWING, FaultKind.LAID_WITHOUT_DRAWING),
    "O-23": (
        FaultKind.WILDS_ALONE,
        FaultKind.RUN_TOO_LONG,
        FaultKind.SET_TOO_LONG,
        FaultKind.SEVERAL_WILDS,
        FaultKind.TOO_FEW_LAID,
        FaultKind.WRONG_OPENING,
        FaultKind.WRONG_OPENING_WITH_WILD,
        FaultKind.WRONG_RUN_ADDITION,
        FaultKind.WRONG_SET_ADDITION,
        FaultKind.EXCESS_CARDS,
        FaultKind.EXCESS_CARDS_AFTER_DISCARD,
        FaultKind.EXCESS_CARDS_LATER,
    ),
    "O-24": (FaultKind.SECOND_SET_OF_RANK, FaultKind.SECOND_SET_OF_RANK_LATER),
    "O-25": (FaultKind.WILD_MOVED,),
    "O-26": (FaultKind.LAID_ON_OTHER_LINES_MELD,),
    "O-27": (FaultKind.SOLE_PILE_CARD_DISCARDED,),
    "O-28": (FaultKind.PILE_PARTLY_LEFT,),
    "O-29": (
        FaultKind.CLOSED_WITHOUT_BURRACO,
        FaultKind.CLOSED_WITH_WILD,
        FaultKind.CLOSED_WITHOUT_DISCARD_OPENED,
        FaultKind.CLOSED_WITHOUT_DISCARD_ADDED,
    ),
    "O-30": (
        FaultKind.SECOND_POT_IN_FLIGHT,
        FaultKind.SECOND_POT_WITH_DISCARD,
        FaultKind.SECOND_POT_PLAYED,
        FaultKind.TWO_POTS_PLAYED,
    ),
    "O-31": (FaultKind.TIME_RUN_OUT,),
    "O-32": (
        FaultKind.LAID_OUT_OF_TURN,
        FaultKind.LAID_AFTER_DISCARD,
        FaultKind.DISCARDED_AGAIN,
        FaultKind.TWO_DISCARDED,
    ),
    "O-N1": (
        FaultKind.PACK_NOT_WHOLE,
        FaultKind.PACK_NOT_WHOLE_IN_PLAY,
        FaultKind.SURPLUS_CARD,
        FaultKind.DEALT_WRONGLY,
        FaultKind.DEALT_WRONGLY_IN_PLAY,
        FaultKind.POT_OF_LAST_DEAL_IN_PLAY,
        FaultKind.POT_SHORT,
        FaultKind.POT_LONG,
        FaultKind.OTHER_POT_SHORT,
        FaultKind.OTHER_POT_LONG,
    ),
}
# No sentence speaks of the others: cards are neither exposed, nor hidden, nor penalised, and no meld is frozen; the
# system turns up the first card; nobody has to hand over a pot, to call, or to keep from calling. A
# fact that is one of the rows in plainer words is told by that: a hidden card that comes to light as the invalid meld
# it makes, a wrong meld found later or at the count as O-23, what follows from one by itself.
ANSWERS: Final[Mapping[str, str | None]] = {
    **dict.fromkeys(FaultKind),
    **{kind: row for row, kinds in _ROWS.items() for kind in kinds},
}

NOT_REPORTED: Final[Mapping[str, str]] = {}
"""Rows that sensors can tell and that no kind of fault answers yet: the fact that a judge would have to report."""
