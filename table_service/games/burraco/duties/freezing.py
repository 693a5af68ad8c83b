"""Melds that a ruling freezes for a time: at whose turn each thaws."""

from __future__ import annotations

from dataclasses import replace

from hw.seats import Seat
from table_service.events.orders import Freeze
from table_service.games.burraco.referee.findings import Froze, Thaw
from table_service.games.burraco.rules.card_ledger import matching
from table_service.games.burraco.rules.deal import Deal, Frozen
from table_service.referee.values import Irregularity


class Freezes:
    """The melds of one deal that are frozen for a time.

    ``thawed``: those that have thawed at the beginning of the running turn.
    """

    def __init__(self) -> None:
        self._thaws: dict[int, Thaw] = {}
        self.thawed: tuple[Thaw, ...] = ()

    @property
    def thaws(self) -> tuple[Thaw, ...]:
        """The melds that are frozen for a time."""
        return tuple(self._thaws.values())

    def freeze(self, ruled: Irregularity, named: Freeze | None, deal: Deal, t: float) -> list[Froze]:
        """Freeze the melds that the ruling freezes; what the arbitro has ``named`` goes before the row's way."""
        how: Frozen = named or (ruled.row.freeze_how if ruled.row.freezes else "none")
        if how == "none":
            return []
        said = []
        for row in ruled.melds:
            said.append(Froze(row, how, t))
            self._thaws.pop(row, None)
            if how == "temporary" and ruled.offender is not None:
                cards = _laid_to(deal, row, ruled)
                who, turns = _until(deal, ruled, ruled.offender)
                self._thaws[row] = Thaw(row, who, turns, by=ruled.row.id, cards=cards)
        return said

    def lift(self, ruled: Irregularity, t: float) -> list[Froze]:
        """Thaw the melds that were frozen for ``ruled``."""
        thawed = [row for row in ruled.melds if self._thaws.pop(row, None) is not None]
        return [Froze(row, "none", t) for row in thawed]

    def turn_began(self, who: Seat, t: float) -> list[Froze]:
        """Begin a turn of ``who``: what was to thaw at it thaws, or is one turn nearer to it."""
        self.thawed = tuple(thaw for thaw in self._thaws.values() if thaw.who is who and thaw.turns <= 1)
        for row, thaw in tuple(self._thaws.items()):
            if thaw.who is who and thaw.turns > 1:
                self._thaws[row] = replace(thaw, turns=thaw.turns - 1)
        for thaw in self.thawed:
            del self._thaws[thaw.row]
        return [Froze(thaw.row, "none", t) for thaw in self.thawed]


def _until(deal: Deal, ruled: Irregularity, offender: Seat) -> tuple[Seat, int]:
    """At whose turn, and at which of those to come, a meld thaws: the offender's, or who is in turn plays again."""
    if deal.book.table.temporary_freeze == "one-round":
        return deal.to_play, 1 if deal.begun else 2
    return offender, ruled.row.freeze_turns


def _laid_to(deal: Deal, row: int, ruled: Irregularity) -> tuple[str, ...]:
    """Return the cards that the fault laid to meld ``row``."""
    meld = deal.meld(row)
    if meld is None:
        return ()
    laid = matching(ruled.cards, meld.cards)
    return laid or meld.cards
