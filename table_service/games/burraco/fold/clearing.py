"""Cards that are gathered, not played: after the count, to be dealt anew, or where no end of the deal was seen."""

from __future__ import annotations

from typing import Final

from hw.zones import DISCARD, POTS, STOCK, is_melds
from table_service.events import payloads as say
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules.deal import Deal, Phase
from table_service.table.voice import Voice
from table_service.tracking.movements import Movement

_SEVERAL: Final = 4
"""So many cards of the stock, or melds, are taken up at once by nobody who plays."""


class Clearing:
    """Tells cards that are gathered from cards that are played, in one deal."""

    def __init__(self, voice: Voice, referee: Referee, ending: Ending) -> None:
        self._voice = voice
        self._referee = referee
        self._ending = ending
        self._lifted: tuple[float, int] = (-1.0, 0)
        self._cleared_t: float | None = None

    def begin(self) -> None:
        """Begin a deal."""
        self._lifted, self._cleared_t = (-1.0, 0), None

    def is_gathered(self, t: float) -> bool:
        """Return True if what happens to cards at ``t`` comes after the count, or as the table is cleared."""
        if self._cleared_t is not None and t >= self._cleared_t:
            return True
        return self._ending.is_counted_before(t)

    def gathers(self, move: Movement, deal: Deal) -> bool:
        """Return True if ``move`` gathers cards, after the count or to be dealt anew (arts. 4, 5, 7): no play is meant.

        Before anything was played the whole stock or both pots go at once; with an order to deal anew, the card turned
        up as well.
        """
        if deal.phase is not Phase.DEALT:
            return self.is_gathered(move.committed_t) or self._clears(move, deal)
        if move.source in (STOCK, POTS):
            return 1 < _held(deal, move.source) <= len(move.cards)
        return move.source == DISCARD and move.seat is None and self._referee.deals_anew

    def _clears(self, move: Movement, deal: Deal) -> bool:
        """Return True if the table is being cleared with no end reported: the whole stock goes at once, or all melds.

        Or the whole pile, by who is not in turn, after hands lay open. So it is where a gap in sensing has left open
        what the last player held. Nobody plays so.
        """
        if deal.phase is not Phase.PLAYING or self._referee.sanctions.cards_owed("take-back"):
            return False
        if is_melds(move.source) and not move.result and len(move.cards) >= deal.book.meld_min:
            at, before = self._lifted
            self._lifted = (move.committed_t, before + 1 if at == move.committed_t else 1)
        whole = move.source == STOCK and len(move.cards) >= max(_SEVERAL, deal.stock)
        pile = move.source == DISCARD and len(move.cards) >= len(deal.pile) and move.seat not in (None, deal.to_play)
        whole |= pile and self._ending.were_laid_out
        if not whole and self._lifted != (move.committed_t, _SEVERAL):
            return False
        self._cleared_t = move.committed_t
        note = "the cards are being gathered, and no end of the deal was seen"
        self._voice.say("table.health", say.TableHealth(what="deal", state="unverified", note=note), move.t)
        return True


def _held(deal: Deal, zone: str) -> int:
    """Cards on the scale of ``zone`` by the ledger."""
    return deal.stock if zone == STOCK else sum(len(deal.at(place)) for place in deal.pots_left)
