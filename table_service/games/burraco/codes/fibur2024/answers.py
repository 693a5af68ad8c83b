"""Row of the code for each kind of fault; None: no fault by the code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_service.games.burraco.fault_kinds import FaultKind

ANSWERS: Final[Mapping[str, str | None]] = {
    FaultKind.PACK_NOT_WHOLE: "F-05a",
    FaultKind.PACK_NOT_WHOLE_IN_PLAY: "F-05b",
    FaultKind.SURPLUS_CARD: "F-05b",
    FaultKind.DEALT_WRONGLY: "F-04d",
    FaultKind.DEALT_WRONGLY_IN_PLAY: "F-04f",
    FaultKind.POT_OF_LAST_DEAL_IN_PLAY: "F-04k",
    FaultKind.CARD_SEEN_BEFORE_PLAY: "F-04d",
    FaultKind.DRAWN_BEFORE_TURN_UP: None,  # art. 7: the first draw puts right what was irregular before it
    # Drawing and collecting.
    FaultKind.TWO_DRAWN_AT_ONCE: "F-08a",
    FaultKind.DRAWN_AGAIN: "F-08a",
    FaultKind.STOCK_INSPECTED: "F-08c",
    FaultKind.PILE_PARTLY_LEFT: "F-09f",
    FaultKind.SOLE_PILE_CARD_DISCARDED: "F-09g",
    FaultKind.SOLE_PILE_CARD_PENALISED: "F-09h",
    FaultKind.DRAWN_OUT_OF_TURN: "F-31a",
    FaultKind.DRAWN_OUT_OF_TURN_THEN_OPENED: "F-31b",
    FaultKind.DRAWN_OUT_OF_TURN_THEN_EXTENDED: "F-31c",
    FaultKind.COLLECTED_OUT_OF_TURN: "F-31d",
    FaultKind.COLLECTED_OUT_OF_TURN_THEN_LAID: "F-31e",
    FaultKind.DRAWN_WITH_POT_IN_FLIGHT: "F-31f",
    FaultKind.COLLECTED_WITH_POT_IN_FLIGHT: "F-31f",
    FaultKind.LAID_AFTER_TAKING_WITH_POT: None,  # what F-31f limits holds
    FaultKind.DISCARDED_WITHOUT_DRAWING: "F-30a",
    FaultKind.LAID_WITHOUT_DRAWING: "F-30a",
    FaultKind.LAID_WITHOUT_DRAWING_LATER: None,  # art. 30 does not tell it apart: judged as in the turn
    FaultKind.MISSED_DRAW_TOLD_BY_PARTNER: "F-30b",
    FaultKind.CLOSED_WHILE_FROZEN: "F-30c",
    # Laying out of order.
    FaultKind.LAID_OUT_OF_TURN: "F-32",
    FaultKind.LAID_AFTER_DISCARD: "F-27a",
    FaultKind.LAID_AFTER_CALL: None,  # the procedure has them call, and does not say that play stops before he comes
    FaultKind.DISCARDED_AGAIN: "F-N2",
    FaultKind.ANOTHER_DISCARDED: None,  # a duty that is not kept, without a row of its own
    FaultKind.LAID_BEFORE_PENALISED_DISCARD: "F-27b",
    FaultKind.LAID_ON_FROZEN_MELD: "F-27c",
    FaultKind.LAID_ON_WRONG_MELD: "F-27c",
    FaultKind.LAID_ON_OTHER_LINES_MELD: "F-N1",
    FaultKind.WILD_LEFT_BY_FROZEN_MELD: "F-27d",
    FaultKind.PASSED_OPENING: "F-28f",
    FaultKind.PASSED_ADDITION: "F-28g",
    FaultKind.PASSED_LAST_PLAY: "F-28h",
    FaultKind.PASSED_DECLARED: "F-28j",
    # Melds that are none.
    FaultKind.THIRD_TWIN: "F-05d",
    FaultKind.WILD_MOVED: "F-10a",
    FaultKind.FREE_WILD_ON_TOP: None,  # arts. 10, 29: it counts as lying low (F-10c)
    FaultKind.WILDS_ALONE: "F-10b",
    FaultKind.RUN_TOO_LONG: "F-11c",
    FaultKind.SET_TOO_LONG: "F-12",
    FaultKind.SEVERAL_WILDS: "F-12b",
    FaultKind.TOO_FEW_LAID: "F-29a",
    FaultKind.LAID_BESIDE: "F-29e",
    FaultKind.WRONG_OPENING: "F-29b",
    FaultKind.WRONG_OPENING_WITH_WILD: "F-29c",
    FaultKind.WRONG_RUN_ADDITION: "F-29d",
    FaultKind.WRONG_SET_ADDITION: "F-29d",
    FaultKind.WRONG_MELD_THEN_OTHERS: None,  # each is judged by what is wrong with it
    FaultKind.SECOND_SET_OF_RANK: None,  # two sets of one rank are allowed
    FaultKind.SECOND_SET_OF_RANK_LATER: None,
    FaultKind.SET_OF_BANNED_RANK: None,
    FaultKind.EXCESS_CARDS: "F-25a",
    FaultKind.EXCESS_CARDS_AFTER_DISCARD: "F-25b",
    FaultKind.EXCESS_CARDS_LATER: "F-25c",
    FaultKind.EXCESS_CARDS_AT_COUNT: None,  # art. 25 has no such case: as after the discard or later
    FaultKind.WRONG_MELD_TOLD_BY_PARTNER: "F-G03",
    FaultKind.WRONG_OPENING_TOLD_BY_PARTNER: "F-21c",
    FaultKind.WRONG_ADDITION_TOLD_BY_PARTNER: "F-21d",
    FaultKind.THROWN_ON_WRONG_MELD: "F-28d",
    FaultKind.RUN_REORDERED_BY_PARTNER: "F-11b",
    FaultKind.RUN_REORDERED_FOR_PILE_CARD: "F-11b",
    # Hidden, exposed and penalised cards.
    FaultKind.GHOST_IN_OWN_TURN: "F-26a",
    FaultKind.GHOST_AFTER_DISCARD: "F-26b",
    FaultKind.GHOST_IN_OLD_MELD: "F-26c",
    FaultKind.GHOST_FOUND_BY_ADDING: "F-26d",
    FaultKind.TWO_DISCARDED: "F-26e",
    FaultKind.SHOWN_IN_OWN_TURN: "F-24a",
    FaultKind.SHOWN_IN_PARTNERS_TURN: "F-24a",
    FaultKind.SHOWN_OUT_OF_TURN: "F-24a",
    FaultKind.SHOWN_BY_SOMEBODY: "F-24a",
    FaultKind.NAMED_IN_OWN_TURN: "F-24a",
    FaultKind.NAMED_OUT_OF_TURN: "F-24a",
    FaultKind.HAND_SHOWN: "F-24d",
    FaultKind.HAND_SHOWN_AFTER_WRONG_CLOSING: None,  # art. 24: as any hand that is shown, once play goes on
    FaultKind.EXPOSED_CARD_ADDED: "F-24c",
    FaultKind.PENALISED_LEFT_AT_END: "F-25d",
    # Pots.
    FaultKind.POT_TAKEN_ALONE: "F-23b",
    FaultKind.POT_SHORT: "F-23c",
    FaultKind.POT_LONG: "F-23c",
    FaultKind.OTHER_POT_SHORT: "F-23c",
    FaultKind.OTHER_POT_LONG: "F-23c",
    FaultKind.POT_PLAYED_TOO_SOON: "F-23p",
    FaultKind.POT_WITHOUT_SIGN: "F-S1",
    FaultKind.SECOND_POT_IN_FLIGHT: "F-23h",
    FaultKind.SECOND_POT_WITH_DISCARD: "F-23i",
    FaultKind.SECOND_POT_PLAYED: "F-23n",
    FaultKind.TWO_POTS_PLAYED: "F-23o",
    FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD: "F-23j",
    FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD_LATER: "F-23k",
    FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD: "F-23l",
    FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD_LATER: "F-23m",
    # Going out, conduct.
    FaultKind.CLOSED_WITHOUT_BURRACO: "F-33",
    FaultKind.CLOSED_WITH_WILD: "F-34",
    FaultKind.CLOSED_WITHOUT_DISCARD_OPENED: "F-35a",
    FaultKind.CLOSED_WITHOUT_DISCARD_ADDED: "F-35b",
    FaultKind.CALLED_BY_PARTNER: "F-21a",
    FaultKind.TIME_RUN_OUT: None,  # a turn has no time
    FaultKind.LEAD_UNTOLD: "F-P2",
}
