"""How a deal ends and how it is counted: closings told, shown or seen, hands laid out, the score."""

from __future__ import annotations

from typing import Final

from hw.seats import LINES, Line, Seat
from table_service.counting import count_deal
from table_service.events import payloads as say
from table_service.games.burraco import actions as act
from table_service.games.burraco.deal import Phase
from table_service.games.burraco.reading import card_of
from table_service.table.sitting import Sitting
from table_service.tracking.movements import Shown

_LAID_OUT: Final = 2
"""Hands of others that must lie face up before a deal is taken to be over."""
_SPARE: Final = 2
"""Up to so many cards too many in the ledger, who lays none out for the count is taken to have gone out."""
_SIGN: Final = 6.0
"""Seconds: so long before his last discard a player may say that he closes, and after it turn his shield over."""


class Ending:
    """Ends the deals of a sitting and counts them."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting

    # -- the end -----------------------------------------------------------------------------------------------------

    def tell_end(self, t: float, seat: Seat | None, committed_t: float) -> None:
        """Tell the end of the deal once it has come; ``seat``: who acted last, where nobody closed."""
        sitting, deal = self._sitting, self._sitting.deal
        if deal is None or deal.manner is None or sitting.this.over:
            return
        sitting.this.over = True
        sitting.say("deal.ended", say.DealEnded(manner=deal.manner), t, deal.closer or seat, committed_t=committed_t)

    def acted(self, action: act.Action) -> None:
        """``action`` may have ended the deal; who had said that he closes has perhaps done so with it."""
        self.tell_end(action.t, action.seat, action.committed_t)
        if isinstance(action, act.Discard):
            self.settle(action.t)

    def says_close(self, who: Seat, t: float) -> None:
        """A player says that he closes: where his number of cards is not sure, his word settles it."""
        self._sitting.this.closing = (who, t)
        self.settle(t)

    def settle(self, t: float) -> None:
        """Whether who discarded last has said that he closes, just before or after it."""
        deal, said = self._sitting.deal, self._sitting.this.closing
        if deal is not None and said is not None and said[0] is deal.last_out and said[1] >= deal.last_out_t - _SIGN:
            self._laid_out(t, self._spare())

    def shield_over(self, who: Seat, t: float) -> None:
        """A hand-shield turned over right after the own last discard is the sign that its player has closed."""
        deal = self._sitting.deal
        if deal is not None and who is deal.last_out and 0 <= t - deal.last_out_t <= _SIGN:
            self._laid_out(t, self._spare())

    def _spare(self) -> int:
        """How many cards too many the ledger may have for who discarded last: none where his number is sure."""
        deal = self._sitting.deal
        return 0 if deal is None or deal.last_out is None or deal.sure_of(deal.last_out) else _SPARE

    def shown(self, shown: Shown) -> None:
        """A hand lies face up: for the count, or before the end was seen."""
        deal, this = self._sitting.deal, self._sitting.this
        if this.over:
            this.shown[shown.seat] = tuple(map(card_of, shown.cards))
            if this.score_id is not None:
                self.count(shown.t)
        elif deal is not None and not deal.begun and shown.committed_t > deal.last_out_t:
            this.early[shown.seat] = tuple(map(card_of, shown.cards))
            out = deal.last_out
            if out is not None and not this.early.get(out) and sum(map(bool, this.early.values())) >= _LAID_OUT:
                self._laid_out(shown.t, _SPARE)

    def _laid_out(self, t: float, spare: int) -> None:
        """The hands are laid out for the count: a closing that the ledger could not be sure of has taken place."""
        sitting, deal = self._sitting, self._sitting.deal
        if deal is None or sitting.this.over:
            return
        after = sitting.deal = deal.end_by_showing(spare)
        if after.phase is Phase.OVER:
            sitting.this.shown.update(sitting.this.early)
            self.tell_end(t, after.closer, after.last_out_t)

    # -- the count ---------------------------------------------------------------------------------------------------

    def called_to_count(self, t: float) -> None:
        """A player's button asks for the count."""
        self._laid_out(t, self._spare())
        self.count(t)

    def flush(self, t: float) -> None:
        """The next deal begins, or the round ends: a deal that is over and was not counted is counted now."""
        self._laid_out(t, 0)
        if self._sitting.this.over and self._sitting.this.score_id is None:
            self.count(t)

    def bonus(self, line: Line, points: int, t: float) -> None:
        """The arbitro gives ``line`` points, or takes them."""
        self._sitting.this.bonus[line] += points
        if self._sitting.this.score_id is not None:
            self.count(t)

    def count(self, t: float) -> None:
        """Tell the score of the deal that is over, where it differs from what was told."""
        sitting, deal, this = self._sitting, self._sitting.deal, self._sitting.this
        if deal is None or deal.phase is not Phase.OVER:
            return
        unverified = [line for line in LINES if f"melds-{line}" in sitting.unverified]
        count = count_deal(deal, this.shown, this.bonus, unverified)
        key = (count.lines, count.differences)
        if this.score_key == key:
            return
        this.score_key = key
        scores = sitting.scores
        running = scores.enter(sitting.number, count)
        last = sitting.deals is not None and len(scores.totals) >= sitting.deals
        event = sitting.say(
            "score.counted",
            say.ScoreCounted(
                lines={str(line): {**count.lines[line], "running": running[line]} for line in LINES},
                camera=count.camera,
                ledger=count.ledger,
                agrees=count.agrees,
                doubtful=count.doubtful,
                differences=count.differences,
                supersedes=this.score_id,
                match_points=scores.match_points() if last else None,
                victory_points=scores.victory_points() if last else None,
            ),
            t,
        )
        this.score_id = event.id
