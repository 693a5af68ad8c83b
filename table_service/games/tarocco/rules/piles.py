"""Cards in each line's pile, by the tricks that were played.

The Matto goes to its owner's pile, and one card of that pile to the line that won the trick (Barilli, p. 49). A line
without a trick has nothing: its scarto and its Matto are the others' (Pisarri, p. 121).
"""

from __future__ import annotations

from collections.abc import Mapping

from hw.cards import UNKNOWN
from hw.seats import LINES, Line
from table_service.games.tarocco.rules.card_points import MATTO, worth
from table_service.games.tarocco.rules.deal import TRICKS_OF_A_DEAL, TaroccoDeal


def piles(deal: TaroccoDeal) -> dict[Line, tuple[str, ...]]:
    """Return the cards in each line's pile; ``??`` for unknown ones.

    A card given for the Matto that was not seen is unknown on both sides: the winner has one more unknown card, and
    which of its own the owner has one less nobody knows, so that all of them become unknown but for those worth more
    than a scartino, of which none is given. Tricks whose winner is not known are in no pile.
    """
    lines: dict[Line, list[str]] = {line: [] for line in LINES}
    lines[deal.scartatore.line] += deal.scarto or ()
    matto: tuple[Line, Line] | None = None
    for one in deal.play.taken:
        won = one.line
        if won is None:
            continue
        for seat, card in one.trick.plays:
            if card == MATTO and matto is None:
                matto = seat.line, won
            else:
                lines[won].append(card)
    without = line_without_trick(deal)
    if without is not None:
        lines[without.other] += lines[without]
        lines[without] = []
    if matto is not None:
        owner, winner = matto
        if owner is without and deal.options.matto_lost_without_trick:
            lines[winner].append(MATTO)
        else:
            lines[owner].append(MATTO)
            if owner is not winner:
                _give(lines, owner, winner, deal)
    return {line: tuple(cards) for line, cards in lines.items()}


def _give(lines: Mapping[Line, list[str]], owner: Line, winner: Line, deal: TaroccoDeal) -> None:
    """Move the card given for the Matto, or, where nobody saw it, one that nobody knows.

    Who has no scartino at the end gives another card: Barilli (p. 49) has one given, whatever it is worth.
    """
    own, given = lines[owner], deal.given
    if given is not None and given in own:
        own.remove(given)
        lines[winner].append(given)
        return
    cheap = [one for one in own if one == UNKNOWN or (one != MATTO and worth(one) == 1)]
    if not cheap and deal.is_over:
        cheap = [one for one in own if one != MATTO]
    for one in cheap:
        own.remove(one)
    if cheap:  # else it has none yet, and gives one at the end
        own += [UNKNOWN] * (len(cheap) - 1)
        lines[winner].append(UNKNOWN)


def line_without_trick(deal: TaroccoDeal) -> Line | None:
    """Return the line that has won no trick of a whole deal; None if both have won one, or a winner is not known."""
    if len(deal.play.taken) < TRICKS_OF_A_DEAL or any(one.line is None for one in deal.play.taken):
        return None
    won = {one.line for one in deal.play.taken}
    return next((line for line in LINES if line not in won), None)


def last_trick(deal: TaroccoDeal) -> Line | None:
    """Return who has won the last trick; None before it is gathered, or where nobody knows."""
    if len(deal.play.taken) < TRICKS_OF_A_DEAL:
        return None
    return deal.play.taken[-1].line
