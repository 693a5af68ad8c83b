"""Kinds of faults: what may be wrong with play at a Burraco table, in plain terms and by no code.

Judges report a ``FaultKind``; the catalogue of a code says which of its rows answers it (``Catalogue.answer``). A kind
is a fact of play, not an article: two facts are two kinds as soon as one code of the reference treats them differently.
A kind for which a code has no row is no fault there, and nothing is found.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, auto
from typing import Final


class FaultKind(StrEnum):
    """One fact against some code. Kinds by persons are those that no sensor tells; the arbitro enters their rows."""

    # -- the pack and the deal -------------------------------------------------------------------------------------
    PACK_NOT_WHOLE = auto()
    """Before play: stock, pots and hands do not add up to the pack."""
    PACK_NOT_WHOLE_IN_PLAY = auto()
    SURPLUS_CARD = auto()
    """A face lies open more often than the pack holds it."""
    DEALT_WRONGLY = auto()
    """Before play: the pack is whole, and stock, pots or hands hold other numbers than they should."""
    DEALT_WRONGLY_IN_PLAY = auto()
    POT_OF_LAST_DEAL_IN_PLAY = auto()
    """What was miscounted is a pot that was left from the deal before, and play has begun."""
    CARD_SEEN_BEFORE_PLAY = auto()
    DRAWN_BEFORE_TURN_UP = auto()
    """Play has begun and no card of the stock was turned up."""

    # -- drawing and collecting ------------------------------------------------------------------------------------
    TWO_DRAWN_AT_ONCE = auto()
    DRAWN_AGAIN = auto()
    """A second draw in the same turn."""
    STOCK_INSPECTED = auto()
    """The hand of a player not in turn rested at the stock."""
    PILE_PARTLY_LEFT = auto()
    """More than one card of the pile was left at the pick-up, and play went on."""
    SOLE_PILE_CARD_DISCARDED = auto()
    """The only card of the pile was picked up and discarded at once, or its twin, which nobody can tell apart."""
    SOLE_PILE_CARD_PENALISED = auto()
    """The same, the card having become a penalised one in between."""
    DRAWN_OUT_OF_TURN = auto()
    DRAWN_OUT_OF_TURN_THEN_OPENED = auto()
    DRAWN_OUT_OF_TURN_THEN_EXTENDED = auto()
    COLLECTED_OUT_OF_TURN = auto()
    COLLECTED_OUT_OF_TURN_THEN_LAID = auto()
    DRAWN_WITH_POT_IN_FLIGHT = auto()
    """A further draw by a player who has the pot to play that he took in flight in this turn."""
    COLLECTED_WITH_POT_IN_FLIGHT = auto()
    LAID_AFTER_TAKING_WITH_POT = auto()
    """Cards were laid after one of both."""
    DISCARDED_WITHOUT_DRAWING = auto()
    """Nothing was drawn and nothing laid in the turn."""
    LAID_WITHOUT_DRAWING = auto()
    """Cards were laid by the player in turn, who had not drawn, whether or not he has discarded since."""
    LAID_WITHOUT_DRAWING_LATER = auto()
    """The same, found after the discard."""
    MISSED_DRAW_TOLD_BY_PARTNER = auto()
    """By persons: the partner has pointed the missed draw out."""
    CLOSED_WHILE_FROZEN = auto()
    """The deal was closed while melds were frozen for a missed draw."""

    # -- laying out of order ---------------------------------------------------------------------------------------
    LAID_OUT_OF_TURN = auto()
    """Cards were laid out of turn, nothing having been drawn before."""
    LAID_AFTER_DISCARD = auto()
    LAID_AFTER_CALL = auto()
    """Cards were laid in the turn in which somebody had called the arbitro, who had not ruled yet."""
    DISCARDED_AGAIN = auto()
    """A second discard after the turn's own."""
    ANOTHER_DISCARDED = auto()
    """Another card was discarded than the penalised or exposed one that was due."""
    LAID_BEFORE_PENALISED_DISCARD = auto()
    """Cards were laid in the turn of a fault before its penalised card was discarded."""
    LAID_ON_FROZEN_MELD = auto()
    LAID_ON_WRONG_MELD = auto()
    LAID_ON_OTHER_LINES_MELD = auto()
    WILD_LEFT_BY_FROZEN_MELD = auto()
    """His last meld was frozen, he held nothing more, and he has drawn and discarded a wild."""
    PASSED_OPENING = auto()
    """By persons: the partner has passed a new meld into the hand of who lays it."""
    PASSED_ADDITION = auto()
    """By persons: the same with cards to add, undeclared."""
    PASSED_LAST_PLAY = auto()
    """By persons: the same as the last play before going out."""
    PASSED_DECLARED = auto()
    """By persons: cards passed over and clearly declared, which is no fault."""

    # -- melds that are none ---------------------------------------------------------------------------------------
    THIRD_TWIN = auto()
    WILD_MOVED = auto()
    """A wild was moved, or its place given to another card than the one that it stood for."""
    FREE_WILD_ON_TOP = auto()
    """A free wild was laid at the upper end of a run and nothing beyond it, though its player holds such a card."""
    WILDS_ALONE = auto()
    RUN_TOO_LONG = auto()
    """A run of more cards, or more aces, than one can hold."""
    SET_TOO_LONG = auto()
    SEVERAL_WILDS = auto()
    TOO_FEW_LAID = auto()
    """One or two cards laid to open and not completed."""
    LAID_BESIDE = auto()
    """Cards laid towards a meld that they fit, without touching it and undeclared."""
    WRONG_OPENING = auto()
    WRONG_OPENING_WITH_WILD = auto()
    WRONG_RUN_ADDITION = auto()
    WRONG_SET_ADDITION = auto()
    WRONG_MELD_THEN_OTHERS = auto()
    """A wrong meld, whatever is wrong with it, and other cards laid after it in the same turn."""
    SECOND_SET_OF_RANK = auto()
    """A set was opened though its line has one of that rank."""
    SECOND_SET_OF_RANK_LATER = auto()
    """The same, found after the discard."""
    SET_OF_BANNED_RANK = auto()
    """A set was opened of a rank that a ruling of an earlier deal has forbidden its line."""
    EXCESS_CARDS = auto()
    """A wrong meld, whatever is wrong with it, found in the turn in which it was laid."""
    EXCESS_CARDS_AFTER_DISCARD = auto()
    """The same, found after the discard and before the next draw."""
    EXCESS_CARDS_LATER = auto()
    EXCESS_CARDS_AT_COUNT = auto()
    """The same, found when the deal is over."""
    WRONG_MELD_TOLD_BY_PARTNER = auto()
    """By persons: the partner has pointed a wrong meld out before the discard."""
    WRONG_OPENING_TOLD_BY_PARTNER = auto()
    """By persons: the partner has noticed a wrong or incomplete opening."""
    WRONG_ADDITION_TOLD_BY_PARTNER = auto()
    """By persons: the partner has noticed a wrong addition."""
    THROWN_ON_WRONG_MELD = auto()
    """By persons: a card thrown on a meld that cannot hold it."""
    RUN_REORDERED_BY_PARTNER = auto()
    """The partner of the player in turn has put a run in order."""
    RUN_REORDERED_FOR_PILE_CARD = auto()
    """The same, while a card of the pile would go on that run."""

    # -- hidden, exposed and penalised cards -----------------------------------------------------------------------
    GHOST_IN_OWN_TURN = auto()
    """A card came to light in a meld where it lay hidden since the running turn."""
    GHOST_AFTER_DISCARD = auto()
    """The same, since the turn that has just ended."""
    GHOST_IN_OLD_MELD = auto()
    GHOST_FOUND_BY_ADDING = auto()
    """The card has lain hidden since earlier turns, and came to light as cards were added in the running one."""
    TWO_DISCARDED = auto()
    SHOWN_IN_OWN_TURN = auto()
    """A card of the hand of the player in turn was seen by somebody who counts by the code."""
    SHOWN_IN_PARTNERS_TURN = auto()
    SHOWN_OUT_OF_TURN = auto()
    """The same of a player while an opponent is in turn, or nobody yet."""
    SHOWN_BY_SOMEBODY = auto()
    """A card of a hand was seen, and nobody knows of whose."""
    NAMED_IN_OWN_TURN = auto()
    """A card of the own hand was named aloud by the player in turn."""
    NAMED_OUT_OF_TURN = auto()
    HAND_SHOWN = auto()
    """A whole hand was laid face up and play went on."""
    HAND_SHOWN_AFTER_WRONG_CLOSING = auto()
    """A hand was laid face up right after a closing that was none."""
    EXPOSED_CARD_ADDED = auto()
    """An exposed card was added to a meld that the partner has opened or changed since."""
    PENALISED_LEFT_AT_END = auto()

    # -- pots ------------------------------------------------------------------------------------------------------
    POT_TAKEN_ALONE = auto()
    """The only hand at the pots was of the line that took one."""
    POT_SHORT = auto()
    POT_LONG = auto()
    OTHER_POT_SHORT = auto()
    """The pot that was handed over is whole, and what lies under it lacks cards."""
    OTHER_POT_LONG = auto()
    POT_PLAYED_TOO_SOON = auto()
    """Cards of the pot were played while others of it still lay on the table."""
    POT_WITHOUT_SIGN = auto()
    """Behind a screen: a pot was taken and the hand-shield not turned over."""
    SECOND_POT_IN_FLIGHT = auto()
    SECOND_POT_WITH_DISCARD = auto()
    SECOND_POT_PLAYED = auto()
    TWO_POTS_PLAYED = auto()
    """The cards of a second pot were played, and it is found later."""
    POT_IN_FLIGHT_BY_WRONG_MELD = auto()
    """A pot was reached in flight through a wrong meld, and a card of it was played."""
    POT_IN_FLIGHT_BY_WRONG_MELD_LATER = auto()
    """The same, found after the next draw."""
    POT_WITH_DISCARD_BY_WRONG_MELD = auto()
    POT_WITH_DISCARD_BY_WRONG_MELD_LATER = auto()
    """The same, its player having drawn since."""

    # -- going out -------------------------------------------------------------------------------------------------
    CLOSED_WITHOUT_BURRACO = auto()
    CLOSED_WITH_WILD = auto()
    CLOSED_WITHOUT_DISCARD_OPENED = auto()
    """A meld was opened as the last play, and nothing was left to discard."""
    CLOSED_WITHOUT_DISCARD_ADDED = auto()
    """Cards were added as the last play, and nothing was left to discard."""

    # -- conduct ---------------------------------------------------------------------------------------------------
    CALLED_BY_PARTNER = auto()
    """The partner of the player in turn called the arbitro before the discard, and nothing waited for him."""
    TIME_RUN_OUT = auto()
    """The time for an action has run out."""
    LEAD_UNTOLD = auto()
    """The lead at which the arbitro had to be called was reached, and nobody called him."""


Kinds = frozenset[FaultKind]
"""Kinds that somebody treats alike."""

_K: Final = FaultKind

MISSED_DRAWS: Final = Kinds(
    (
        *(_K.DISCARDED_WITHOUT_DRAWING, _K.LAID_WITHOUT_DRAWING, _K.LAID_WITHOUT_DRAWING_LATER),
        _K.MISSED_DRAW_TOLD_BY_PARTNER,
    )
)
TAKEN_OUT_OF_TURN: Final = Kinds(
    (
        _K.DRAWN_OUT_OF_TURN,
        _K.DRAWN_OUT_OF_TURN_THEN_OPENED,
        _K.DRAWN_OUT_OF_TURN_THEN_EXTENDED,
        _K.COLLECTED_OUT_OF_TURN,
        _K.COLLECTED_OUT_OF_TURN_THEN_LAID,
    )
)
DRAWN_BESIDES: Final = Kinds(
    (
        *(_K.TWO_DRAWN_AT_ONCE, _K.DRAWN_AGAIN, _K.DRAWN_WITH_POT_IN_FLIGHT, _K.DRAWN_OUT_OF_TURN),
        *(_K.DRAWN_OUT_OF_TURN_THEN_OPENED, _K.DRAWN_OUT_OF_TURN_THEN_EXTENDED),
    )
)
"""A card drawn too many, or out of turn."""
LAID_IN_NO_TURN: Final = Kinds(
    (
        _K.LAID_AFTER_DISCARD,
        _K.DRAWN_OUT_OF_TURN_THEN_OPENED,
        _K.DRAWN_OUT_OF_TURN_THEN_EXTENDED,
        _K.COLLECTED_OUT_OF_TURN_THEN_LAID,
        _K.LAID_OUT_OF_TURN,
    )
)
"""Cards laid out of turn or after the discard: these say what becomes of a meld left incomplete, no other."""
EQUAL_SETS: Final = Kinds((_K.SECOND_SET_OF_RANK, _K.SECOND_SET_OF_RANK_LATER, _K.SET_OF_BANNED_RANK))
LAID_APART: Final = Kinds((_K.TOO_FEW_LAID, _K.LAID_BESIDE))
"""One or two cards that lie apart: what they were meant for shows when the turn is over."""
WRONG_ADDITIONS: Final = Kinds((_K.WRONG_RUN_ADDITION, _K.WRONG_SET_ADDITION))
THROUGH_WRONG_MELD: Final = Kinds(
    (
        _K.POT_IN_FLIGHT_BY_WRONG_MELD,
        _K.POT_IN_FLIGHT_BY_WRONG_MELD_LATER,
        _K.POT_WITH_DISCARD_BY_WRONG_MELD,
        _K.POT_WITH_DISCARD_BY_WRONG_MELD_LATER,
    )
)
WRONG_MELDS: Final = Kinds(
    (
        *(_K.THIRD_TWIN, _K.WILD_MOVED, _K.WILDS_ALONE, _K.RUN_TOO_LONG, _K.SET_TOO_LONG, _K.SEVERAL_WILDS),
        *(_K.WRONG_OPENING, _K.WRONG_OPENING_WITH_WILD, *WRONG_ADDITIONS, *LAID_APART),
        *(_K.EXCESS_CARDS, _K.EXCESS_CARDS_AFTER_DISCARD, _K.EXCESS_CARDS_LATER, _K.WRONG_MELD_TOLD_BY_PARTNER),
        _K.EXCESS_CARDS_AT_COUNT,
        *(_K.WRONG_MELD_THEN_OTHERS, *THROUGH_WRONG_MELD),
    )
)
"""What one wrong meld can be judged as, one after the other."""
GHOSTS: Final = Kinds((_K.GHOST_IN_OWN_TURN, _K.GHOST_AFTER_DISCARD, _K.GHOST_IN_OLD_MELD, _K.GHOST_FOUND_BY_ADDING))
RULED_AS: Final = Kinds(
    (
        *WRONG_MELDS,
        *GHOSTS,
        *(_K.WRONG_OPENING_TOLD_BY_PARTNER, _K.WRONG_ADDITION_TOLD_BY_PARTNER, _K.THROWN_ON_WRONG_MELD),
    )
)
"""What a ruling may name for a wrong meld: what a sensor cannot tell, such as who has seen it or how it came there."""
PASSED: Final = Kinds((_K.PASSED_OPENING, _K.PASSED_ADDITION, _K.PASSED_LAST_PLAY, _K.PASSED_DECLARED))
EXPOSURES: Final = Kinds(
    (
        *(_K.SHOWN_IN_OWN_TURN, _K.SHOWN_IN_PARTNERS_TURN, _K.SHOWN_OUT_OF_TURN, _K.SHOWN_BY_SOMEBODY),
        *(_K.NAMED_IN_OWN_TURN, _K.NAMED_OUT_OF_TURN, _K.HAND_SHOWN),
    )
)
"""What makes cards exposed cards."""
PENALISING: Final = Kinds(
    (
        *(_K.EXCESS_CARDS, _K.EXCESS_CARDS_AFTER_DISCARD, _K.TOO_FEW_LAID),
        *(_K.WRONG_OPENING, _K.WRONG_OPENING_WITH_WILD, *WRONG_ADDITIONS),
        *(_K.GHOST_IN_OWN_TURN, _K.THIRD_TWIN, _K.SET_TOO_LONG, _K.SEVERAL_WILDS),
    )
)
"""What makes cards penalised cards in the turn in which they were laid."""
POT_MISCOUNTED: Final = Kinds((_K.POT_SHORT, _K.POT_LONG, _K.OTHER_POT_SHORT, _K.OTHER_POT_LONG))
LEADING_TO_POT: Final = Kinds(
    (
        *(_K.WRONG_OPENING, _K.WRONG_OPENING_WITH_WILD, *WRONG_ADDITIONS),
        *(_K.EXCESS_CARDS, _K.EXCESS_CARDS_AFTER_DISCARD),
        *(_K.THIRD_TWIN, _K.WILDS_ALONE, _K.SET_TOO_LONG, _K.SEVERAL_WILDS),
    )
)
"""Wrong melds through which a player may have played out his hand and gone to the pot."""
SECOND_POT: Final = Kinds((_K.SECOND_POT_IN_FLIGHT, _K.SECOND_POT_WITH_DISCARD, _K.SECOND_POT_PLAYED))
TWO_POTS: Final = SECOND_POT | {_K.TWO_POTS_PLAYED}
NO_DISCARD: Final = Kinds((_K.CLOSED_WITHOUT_DISCARD_OPENED, _K.CLOSED_WITHOUT_DISCARD_ADDED))
CLOSINGS: Final = Kinds((_K.CLOSED_WITHOUT_BURRACO, _K.CLOSED_WITH_WILD, *NO_DISCARD))

CLOSING_WAYS: Final[Mapping[str, str]] = {
    _K.CLOSED_WITHOUT_BURRACO: "no-burraco",
    _K.CLOSED_WITH_WILD: "wild",
    _K.CLOSED_WITHOUT_DISCARD_OPENED: "opened",
    _K.CLOSED_WITHOUT_DISCARD_ADDED: "added",
}
"""How a ruling names a wrong closing where several may apply (``option``)."""
