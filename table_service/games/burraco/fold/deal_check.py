"""The deal check (arts. 4, 5, 7): what scales and gates have counted, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from hw.seats import Seat
from hw.zones import POTS, STOCK, hand
from table_service.games.burraco import payloads as own
from table_service.games.burraco.fault_kinds import FaultKind
from table_service.games.burraco.rules.rulebook import RuleBook


@dataclass(frozen=True, slots=True)
class DealCheck:
    """``told``: what the event says. ``kind``: what is wrong; None: nothing that anybody sensed.

    ``spare_pot``: the counts are those of a pot that was forgotten from the deal before (art. 4).
    """

    told: own.DealChecked
    kind: FaultKind | None = None
    spare_pot: bool = False


def check_deal(book: RuleBook, seats: Sequence[Seat], counts: Mapping[str, int | None]) -> DealCheck:
    """Check ``counts`` by zone, taken before the first card is turned up; a zone nobody counted may be left out.

    A pack that is not whole is art. 5's matter, one that is whole but wrongly dealt art. 4's. A gate's count of a hand
    is the least that was dealt (``seats``: who is served): it counts once it is a whole hand, and accuses only where
    stock or pots lack cards.
    """
    stock, pots = counts.get(STOCK), counts.get(POTS)
    due = {STOCK: book.stock_of(len(seats)), POTS: book.pots * book.pot_cards}
    lack = {zone: due[zone] - count for zone in due if (count := counts.get(zone)) is not None}
    hands = {seat: _whole(book, counts.get(hand(seat))) for seat in seats}
    faults = [_fault(zone, due[zone], due[zone] - less) for zone, less in lack.items() if less]
    over = {seat: count - book.hand_cards for seat, count in hands.items() if count is not None} if faults else {}
    faults += [_fault(hand(seat), book.hand_cards, book.hand_cards + more) for seat, more in over.items() if more]
    told = own.DealChecked(
        hands={str(seat): count for seat, count in hands.items()}, pots=pots, stock=stock, faults=tuple(faults)
    )
    if not faults:
        return DealCheck(told)
    complete = sum(lack.values()) == sum(over.values())
    spare = (lack.get(STOCK), lack.get(POTS)) == (book.pot_cards, -book.pot_cards)
    return DealCheck(told, FaultKind.DEALT_WRONGLY if complete else FaultKind.PACK_NOT_WHOLE, spare)


def _whole(book: RuleBook, seen: int | None) -> int | None:
    return seen if seen is not None and seen >= book.hand_cards else None


def _fault(zone: str, expected: int, counted: int) -> own.DealFault:
    return own.DealFault(zone=zone, expected=expected, counted=counted)


__all__ = ["DealCheck", "check_deal"]
