"""Compare hands with the record, and bound a side's tricks by the cards that were turned."""

from __future__ import annotations

from typing import Final, Literal

from hw.seats import CLOCKWISE
from table_service.games.bridge.judges.card_play import CardPlay
from table_service.games.bridge.rules.contract import TRICKS

FEW_CARDS: Final = 4
"""So many cards that all come from the hand one, two or three places on show that the board was laid turned."""
MANY_CARDS: Final = 10
"""Of so many cards more than half from other hands show that they are not the record's."""


def _places_from_the_record(play: CardPlay) -> list[int]:
    """Count the places, clockwise, from the hand that each seen card came from to its hand in the record."""
    owner = {card: seat for seat, cards in (play.record or {}).items() for card in cards}
    seen = {one for trick in play.tricks for one in trick.plays}
    seen |= {(seat, card) for seat, cards in play.seen for card in cards}
    order = CLOCKWISE.seats
    return [(order.index(owner[card]) - order.index(seat)) % len(order) for seat, card in seen if card in owner]


def record_doubt(play: CardPlay) -> Literal["", "waits", "turned", "other"]:
    """Say whether the hands are those of the record.

    ``turned``: the board was laid turned, as each card comes from the hand that so many places on has it by the
    record. ``other``: most cards come from other hands. ``waits``: too few cards were seen to tell either from one card
    that its player did not hold.
    """
    turns = _places_from_the_record(play)
    wrong = sum(turn != 0 for turn in turns)
    if 2 * wrong <= len(turns):
        return ""
    if wrong == len(turns) and len(set(turns)) == 1 and len(turns) >= FEW_CARDS:
        return "turned"
    return "other" if len(turns) >= MANY_CARDS else "waits"


def possible_tricks(play: CardPlay) -> range:
    """Return how many tricks declarer's side can have in the end by those that were turned.

    A trick whose winner is not known may be either side's. A revoke can move two tricks to the other side, one that
    people have agreed on without the table as well: then the range is wider by as much.
    """
    line = play.contract.declarer.line
    won = [None if one.by is None else one.by.line is line for one in play.turned]
    moved = 2 * len(play.revokes())
    return range(max(0, won.count(True) - moved), min(TRICKS, TRICKS - won.count(False) + moved) + 1)
