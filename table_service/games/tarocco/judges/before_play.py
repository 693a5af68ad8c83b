"""The scarto, cards turned up while dealing, and accusi (commas 6 to 10)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from hw.cards import UNKNOWN
from table_service.games.tarocco.fold.counting import scarto_of
from table_service.games.tarocco.fold.course import SURE, FacedCards
from table_service.games.tarocco.judges.charge import Charge, Watched
from table_service.games.tarocco.rules.deal import SCARTO
from table_service.games.tarocco.rules.deal_checks import scarto_faults
from table_service.games.tarocco.rules.fault_kinds import Breach, TaroccoFault
from table_service.tracking.movements import Movement

SEEN: Final = 0.85
LIES_S: Final = 2.0
"""A card that lies face up so long in all pictures was turned up also where no sensor tells who has let it fall."""
RESTS_S: Final = 4.0
"""So long a scarto lies that nobody has announced, or whose knock was not heard."""


def turned_up(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a card face up on the open table before the scarto lay (comma 8); no player's fault."""
    for one in watched.course.shown:
        if (
            one.before_scarto
            and one.move.target == "table"
            and UNKNOWN not in one.cards
            and _surely_lay_there(watched, one)
        ):
            deal = watched.course.deal
            breach = Breach(TaroccoFault.CARD_TURNED_UP, deal.dealer or deal.scartatore, 0, one.cards)
            yield Charge(
                breach,
                one.move.committed_t,
                "before_play",
                (one.move.id,),
                one.move.basis,
                one.move.frames,
                one.move.confidence,
            )


def _surely_lay_there(watched: Watched, one: FacedCards) -> bool:
    """Return True if cards lay face up beyond doubt: seen well, or for long. Whose hand it was does not matter here."""
    lay = (watched.t if one.until is None else one.until) - one.move.committed_t
    return one.move.confidence >= SURE or (one.move.confidence >= SEEN and lay >= LIES_S)


def scarto(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for a scarto of another number than two (comma 9), or with a five, by elimination at the end."""
    course = watched.course
    deal, move = course.deal, course.scarto_by
    if deal.scarto is None or move is None:
        return
    is_sure = _number_is_sure(watched, len(deal.scarto), move)
    known = replace(deal, scarto=scarto_of(course)) if course.is_over else deal
    for breach in scarto_faults(known):
        if breach.kind is TaroccoFault.SCARTO_HOLDS_A_FIVE:
            yield Charge(breach, move.committed_t, "hand_end", (move.id,), ("derived",), seen=False)
        elif is_sure and len(deal.scarto) != SCARTO:
            told = replace(breach, cards=())
            yield Charge(
                told,
                course.laid[0].move.committed_t if deal.has_begun and course.laid else move.committed_t,
                "later" if deal.has_begun else "before_play",
                (move.id,),
                move.basis,
                (),
                fact="number of the scarto",
            )


def _number_is_sure(watched: Watched, number: int, move: Movement) -> bool:
    """Return True if the scarto is made, and the scale says ``number`` beyond doubt: a lone step may have wavered.

    Nothing rests on a movement that is not sure: a trick that nobody saw may have come with it.
    """
    if move.confidence < SEEN:
        return False
    said = watched.scarto_said
    announced = said is not None and said >= move.committed_t
    if not (watched.course.deal.has_begun or announced or watched.t >= move.committed_t + RESTS_S):
        return False
    return watched.scarto_weighed == number and watched.scarto_counted in (None, number)


def accusi(watched: Watched) -> Iterator[Charge]:
    """Yield a charge for combinations shown after the own first card (comma 10)."""
    for one in watched.course.shown:
        if one.what == "accuso" and one.late and one.move.confidence >= SURE:
            breach = Breach(TaroccoFault.ACCUSO_LATE, one.seat, 0, one.cards)
            yield Charge(
                breach,
                one.move.committed_t,
                "later",
                (one.move.id,),
                one.move.basis,
                one.move.frames,
                one.move.confidence,
            )
