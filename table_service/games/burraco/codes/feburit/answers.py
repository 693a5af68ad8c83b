"""Row of the FE.BUR.IT code for each kind of fault; None: no fault by the code, or the code is silent."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from table_service.games.burraco.fault_kinds import FaultKind

ANSWERS: Final[Mapping[str, str | None]] = {
    FaultKind.PACK_NOT_WHOLE: "B-03",
    FaultKind.PACK_NOT_WHOLE_IN_PLAY: None,  # art. 12: the deal is played on
    FaultKind.SURPLUS_CARD: None,  # art. 12, as well
    FaultKind.DEALT_WRONGLY: "B-04b",
    FaultKind.DEALT_WRONGLY_IN_PLAY: "B-04c",
    FaultKind.POT_OF_LAST_DEAL_IN_PLAY: "B-18",
    FaultKind.CARD_SEEN_BEFORE_PLAY: "B-04a",
    FaultKind.DRAWN_BEFORE_TURN_UP: "B-04d",
    # Drawing and collecting.
    FaultKind.TWO_DRAWN_AT_ONCE: "B-06a",
    FaultKind.DRAWN_AGAIN: "B-06a",
    FaultKind.STOCK_INSPECTED: None,  # art. 6: that it stays compact is a person's to say (B-06j)
    FaultKind.PILE_PARTLY_LEFT: "B-16b",
    FaultKind.SOLE_PILE_CARD_DISCARDED: "B-16e",
    FaultKind.SOLE_PILE_CARD_PENALISED: "B-16e",
    FaultKind.DRAWN_OUT_OF_TURN: "B-14a",
    FaultKind.DRAWN_OUT_OF_TURN_THEN_OPENED: "B-14b",
    FaultKind.DRAWN_OUT_OF_TURN_THEN_EXTENDED: "B-14b",
    FaultKind.COLLECTED_OUT_OF_TURN: "B-14a",
    FaultKind.COLLECTED_OUT_OF_TURN_THEN_LAID: "B-14b",
    FaultKind.DRAWN_WITH_POT_IN_FLIGHT: "B-14f",
    FaultKind.COLLECTED_WITH_POT_IN_FLIGHT: "B-14f",
    FaultKind.LAID_AFTER_TAKING_WITH_POT: "B-14g",
    FaultKind.DISCARDED_WITHOUT_DRAWING: "B-13c",
    FaultKind.LAID_WITHOUT_DRAWING: "B-13a",
    FaultKind.LAID_WITHOUT_DRAWING_LATER: "B-13b",
    FaultKind.MISSED_DRAW_TOLD_BY_PARTNER: "B-13a",  # anybody at the table may tell
    FaultKind.CLOSED_WHILE_FROZEN: "B-13a",  # art. 13 has it in the remedy of that row
    # Laying out of order.
    FaultKind.LAID_OUT_OF_TURN: "B-14c",
    FaultKind.LAID_AFTER_DISCARD: "B-14d",
    FaultKind.LAID_AFTER_CALL: "B-14e",
    FaultKind.DISCARDED_AGAIN: "B-06h",
    FaultKind.ANOTHER_DISCARDED: "B-11a",
    FaultKind.LAID_BEFORE_PENALISED_DISCARD: None,  # arts. 10, 11: his play has ended, so that he breaks the ruling
    FaultKind.LAID_ON_FROZEN_MELD: None,  # wrongly added: B-10k, B-10l
    FaultKind.LAID_ON_WRONG_MELD: None,  # art. 10 N.B.: the meld is judged as it is found, with what was added
    FaultKind.LAID_ON_OTHER_LINES_MELD: "B-N1",
    FaultKind.WILD_LEFT_BY_FROZEN_MELD: None,  # art. 21 B judges the closing: B-21b
    FaultKind.PASSED_OPENING: None,  # no sentence on passing or throwing cards
    FaultKind.PASSED_ADDITION: None,
    FaultKind.PASSED_LAST_PLAY: None,
    FaultKind.PASSED_DECLARED: None,
    # Melds that are none.
    FaultKind.THIRD_TWIN: None,  # art. 7: equal cards of one suit may lie together; the pack by art. 12
    FaultKind.WILD_MOVED: "B-07b",
    FaultKind.FREE_WILD_ON_TOP: "B-06g",
    FaultKind.WILDS_ALONE: "B-10j",
    FaultKind.RUN_TOO_LONG: "B-10k",
    FaultKind.SET_TOO_LONG: "B-10l",
    FaultKind.SEVERAL_WILDS: "B-10j",
    FaultKind.TOO_FEW_LAID: "B-10j",
    FaultKind.LAID_BESIDE: None,  # no sentence on cards that touch no meld: too few cards laid, as a note
    FaultKind.WRONG_OPENING: "B-10j",
    FaultKind.WRONG_OPENING_WITH_WILD: "B-10j",
    FaultKind.WRONG_RUN_ADDITION: "B-10k",
    FaultKind.WRONG_SET_ADDITION: "B-10l",
    FaultKind.WRONG_MELD_THEN_OTHERS: "B-10n",
    FaultKind.SECOND_SET_OF_RANK: "B-15a",
    FaultKind.SECOND_SET_OF_RANK_LATER: "B-15b",
    FaultKind.SET_OF_BANNED_RANK: "B-15a",
    FaultKind.EXCESS_CARDS: "B-10j",
    FaultKind.EXCESS_CARDS_AFTER_DISCARD: "B-10m",
    FaultKind.EXCESS_CARDS_LATER: "B-10m",
    FaultKind.EXCESS_CARDS_AT_COUNT: "B-23a",
    FaultKind.WRONG_MELD_TOLD_BY_PARTNER: None,  # premise: anybody at the table may point it out
    FaultKind.WRONG_OPENING_TOLD_BY_PARTNER: None,
    FaultKind.WRONG_ADDITION_TOLD_BY_PARTNER: None,
    FaultKind.THROWN_ON_WRONG_MELD: None,  # a card wrongly added, however it came there
    FaultKind.RUN_REORDERED_BY_PARTNER: None,  # art. 11: only where a card of the pile fits
    FaultKind.RUN_REORDERED_FOR_PILE_CARD: "B-11e",
    # Hidden, exposed and penalised cards.
    FaultKind.GHOST_IN_OWN_TURN: "B-10c",
    FaultKind.GHOST_AFTER_DISCARD: "B-10f",
    FaultKind.GHOST_IN_OLD_MELD: "B-10f",
    FaultKind.GHOST_FOUND_BY_ADDING: "B-10f",
    FaultKind.TWO_DISCARDED: "B-10f",
    FaultKind.SHOWN_IN_OWN_TURN: "B-10a",
    FaultKind.SHOWN_IN_PARTNERS_TURN: "B-10h",
    FaultKind.SHOWN_OUT_OF_TURN: "B-10e",
    FaultKind.SHOWN_BY_SOMEBODY: "B-10e",
    FaultKind.NAMED_IN_OWN_TURN: "B-10a",
    FaultKind.NAMED_OUT_OF_TURN: "B-10e",
    FaultKind.HAND_SHOWN: "B-10e",
    FaultKind.HAND_SHOWN_AFTER_WRONG_CLOSING: "B-23b",
    FaultKind.EXPOSED_CARD_ADDED: None,  # it finds no place there (B-10e): wrongly added, B-10k or B-10l
    FaultKind.PENALISED_LEFT_AT_END: "B-10i",
    # Pots.
    FaultKind.POT_TAKEN_ALONE: None,  # nobody has to hand it over
    FaultKind.POT_SHORT: "B-17a",
    FaultKind.POT_LONG: "B-17b",
    FaultKind.OTHER_POT_SHORT: "B-17a",
    FaultKind.OTHER_POT_LONG: "B-17b",
    FaultKind.POT_PLAYED_TOO_SOON: None,  # no sentence on how its cards are taken up
    FaultKind.POT_WITHOUT_SIGN: None,  # no screens
    FaultKind.SECOND_POT_IN_FLIGHT: "B-21a",
    FaultKind.SECOND_POT_WITH_DISCARD: "B-21a",
    FaultKind.SECOND_POT_PLAYED: "B-21a",
    FaultKind.TWO_POTS_PLAYED: None,  # the former state cannot be restored (premise)
    FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD: None,  # what the fault has brought stands (art. 10 N.B.)
    FaultKind.POT_IN_FLIGHT_BY_WRONG_MELD_LATER: None,
    FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD: None,
    FaultKind.POT_WITH_DISCARD_BY_WRONG_MELD_LATER: None,
    # Going out, conduct.
    FaultKind.CLOSED_WITHOUT_BURRACO: "B-21a",
    FaultKind.CLOSED_WITH_WILD: "B-21b",
    FaultKind.CLOSED_WITHOUT_DISCARD_OPENED: "B-21c",
    FaultKind.CLOSED_WITHOUT_DISCARD_ADDED: "B-21c",
    FaultKind.CALLED_BY_PARTNER: None,  # premise: anybody at the table may call
    FaultKind.TIME_RUN_OUT: None,  # a turn has no time
    FaultKind.LEAD_UNTOLD: None,  # no lead at which the arbitro has to be called
}

NOT_REPORTED: Final[Mapping[str, str]] = {}
"""Rows that sensors can tell and that no kind of fault answers yet: the fact that a judge would have to report."""
