"""How a deal ends and how it is counted: closings told, shown or seen, hands laid out, the score."""

from __future__ import annotations

from typing import Final

from hw.cards import face
from hw.seats import LINES, SEATS, Seat
from hw.zones import DISCARD, STOCK, hand, melds
from table_service.events import payloads as say
from table_service.games.burraco import event_payloads
from table_service.games.burraco.counting import count_deal
from table_service.games.burraco.event_payloads import SCORE_SHEET
from table_service.games.burraco.fold import rounds, sheets
from table_service.games.burraco.fold.lying import Lying, lying
from table_service.games.burraco.fold.reporting import report
from table_service.games.burraco.fold.round_state import Sitting
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Manner, Phase
from table_service.games.burraco.rules.doubts import impossible_faces
from table_service.tracking import Tracker
from table_service.tracking.movements import Movement, Shown

_LAID_OUT: Final = 2
"""Hands of others that must lie face up before a deal is taken to be over."""
_SPARE: Final = 2
"""Up to so many cards too many in the ledger, who lays none out for the count is taken to have gone out."""
_LIES: Final = 2.5
"""Seconds for which all hands must lie as the ledger counts them, to be counted without anybody's call."""
_SIGN: Final = 6.0
"""Seconds: so long before his last discard a player may say that he closes, and after it turn his shield over."""


class Ending:
    """Ends the deals of a sitting and counts them."""

    def __init__(self, sitting: Sitting, tracker: Tracker) -> None:
        self._sitting = sitting
        self._tracker = tracker
        self._ended: tuple[Manner | None, Seat | None] = (None, None)

    # -- the end -----------------------------------------------------------------------------------------------------

    def tell_end(self, t: float, seat: Seat | None, committed_t: float) -> None:
        """Tell the end of the deal once it has come; ``seat``: who acted last, where nobody closed."""
        sitting, deal = self._sitting, self._sitting.deal
        if deal is None or deal.manner is None or sitting.this.over:
            return
        sitting.this.over = True
        data = say.DealEnded(manner=deal.manner)
        sitting.this.end_id = sitting.say("deal.ended", data, t, deal.closer or seat, committed_t=committed_t).id
        self._ended = (deal.manner, deal.closer)
        report(sitting, sitting.referee.ended(deal, t))

    def replayed(self, t: float) -> None:
        """Play was gone through again with better knowledge: an end that came of it, or is none any more, is told."""
        sitting, deal = self._sitting, self._sitting.deal
        if deal is None:
            return
        if sitting.this.over and (deal.manner, deal.closer) != self._ended:
            self._reopen(t, "what ended the deal has turned out otherwise")
            self._look_at_hands(t)
        if deal.phase is Phase.OVER:
            self.tell_end(t, deal.last_out, deal.last_out_t)
            if sitting.this.score_id is not None:
                self.count(t)

    def _reopen(self, t: float, why: str) -> None:
        """The end that was told was none: it is taken back, and the score with it."""
        sitting, this = self._sitting, self._sitting.this
        for told in (this.end_id, this.score_id):
            if told is not None:
                sitting.say("event.retracted", say.EventRetracted(event=told, note=why), t)
        report(sitting, sitting.referee.reopened(t))
        this.over, this.end_id, this.score_key, this.counted_t = False, None, None, None
        this.drawn_after = set()
        this.early, this.shown = dict(this.shown), {}
        sitting.scores.totals.pop(sitting.number, None)
        sitting.sheets.pop(sitting.number, None)

    def taken_back(self, move: Movement) -> bool:
        """Whether ``move`` is the last discard taken back by who closed with it, which reopens the deal.

        Only right after it, before any hand was laid out: then the cards are gathered.
        """
        sitting, deal, this = self._sitting, self._sitting.deal, self._sitting.this
        if deal is None or deal.manner != "closed" or this.shown or this.score_id:
            return False
        who, after = move.seat, move.committed_t - deal.last_out_t
        if who is None or who is not deal.closer or move.source != DISCARD or len(move.cards) != 1:
            return False
        if not 0 <= after <= _SIGN:
            return False
        back = event_payloads.public(deal.pile[-1:], ())
        self._reopen(move.t, "the last discard was taken back")
        sitting.change(lambda over: over.reopen())
        this.reopened = len(this.steps)
        data = say.CardReturned(cards=back, from_=DISCARD, to=hand(who))
        sitting.say("card.returned", data, move.t, who, committed_t=move.committed_t)
        return True

    def acted(self, action: act.Action) -> None:
        """``action`` may have ended the deal; who had said that he closes has perhaps done so with it."""
        self.tell_end(action.t, action.seat, action.committed_t)
        if isinstance(action, act.Discard):
            self.settle(action.t)
            self._stalled(action.t)

    def stock_counted(self, t: float) -> None:
        """The stock is known again: it may have been used up at the last discard (art. 17)."""
        deal = self._sitting.deal
        if deal is None or deal.phase is not Phase.PLAYING or deal.begun or deal.last_out is None:
            return
        if deal.stock <= deal.book.unplayable_stock and STOCK not in deal.places.unverified:
            self._end("stock", t)

    # -- stalemate (art. 16) -----------------------------------------------------------------------------------------

    def watch(self, t: float, *, declared: bool = False) -> None:
        """The arbitro has come to see whether it is a stalemate; ``declared``: he says that it is one.

        What was before he came does not count: the deal ends when the four exchange cards in turns that he sees from
        their beginning, or as he declares it.
        """
        sitting, deal = self._sitting, self._sitting.deal
        if deal is None or deal.phase is Phase.OVER:
            sitting.ignored("there is no deal in play that could be stopped for a stalemate", t)
            return
        if declared:
            self._end("stalemate", t)
            return
        sitting.this.watched_from = deal.turn + 1
        note = f"{deal.book.stalemate_turns} turns in a row, from the next on, end the deal if cards are only exchanged"
        sitting.say("table.health", say.TableHealth(what="order", state="ok", note=note), t)

    def _stalled(self, t: float) -> None:
        deal, since = self._sitting.deal, self._sitting.this.watched_from
        if deal is None or since is None or deal.phase is not Phase.PLAYING or deal.begun:
            return
        turns = deal.book.stalemate_turns
        if deal.swaps >= turns and deal.turn - turns + 1 >= since:
            self._end("stalemate", t)

    def _end(self, manner: Manner, t: float) -> None:
        self._sitting.change(lambda deal: deal if deal.phase is Phase.OVER else deal.over(manner))
        deal = self._sitting.deal
        if deal is not None:
            self.tell_end(t, deal.last_out, deal.last_out_t)

    # -- signs of a closing ------------------------------------------------------------------------------------------

    def says_close(self, who: Seat, t: float) -> None:
        """A player says that he closes: where his number of cards is not sure, his word settles it."""
        self._sitting.this.closing = (who, t)
        self.settle(t)

    def settle(self, t: float) -> None:
        """Whether who discarded last has said that he closes, just before or after it."""
        if self._has_said_so():
            self._laid_out(t, self._spare())

    def _has_said_so(self) -> bool:
        deal, said = self._sitting.deal, self._sitting.this.closing
        return deal is not None and said is not None and said[0] is deal.last_out and said[1] >= deal.last_out_t - _SIGN

    def shield_over(self, who: Seat, t: float) -> None:
        """A hand-shield turned over right after the own last discard is the sign that its player has closed.

        Later, while nobody has acted since, it still is one for whoever sees the hands of the three others.
        """
        deal = self._sitting.deal
        if deal is None or who is not deal.last_out or deal.begun or t < deal.last_out_t:
            return
        self._sitting.this.closing = (who, t)
        if t - deal.last_out_t <= _SIGN:
            self.settle(t)

    def _spare(self) -> int:
        """How many cards too many the ledger may have for who discarded last: none where his number is sure."""
        deal = self._sitting.deal
        return 0 if deal is None or deal.last_out is None or deal.sure_of(deal.last_out) else _SPARE

    def shown(self, shown: Shown) -> None:
        """A hand lies face up: for the count, or before the end was seen."""
        deal, this = self._sitting.deal, self._sitting.this
        if this.over:
            self._shown_for_the_count(shown)
        elif deal is not None and (not deal.begun or this.is_reopened) and shown.committed_t > deal.last_out_t:
            this.early[shown.seat], this.early_t = tuple(map(card_of, shown.cards)), shown.t
            self._look_at_hands(shown.t)

    def _shown_for_the_count(self, shown: Shown) -> None:
        """A later view replaces the one before; a hand that shrinks is being gathered, whether counted yet or not."""
        this, cards = self._sitting.this, tuple(map(card_of, shown.cards))
        if len(cards) < len(this.shown.get(shown.seat, ())):
            return
        this.shown[shown.seat], this.shown_t = cards, shown.t
        if this.score_id is not None:
            self.count(shown.t)

    def look(self, t: float) -> None:
        """Count a deal that is over once every hand lies as the ledger counts it: not everybody calls for the count.

        Players gather the cards when they have counted them, and what is gathered can be counted no more.
        """
        if self._sitting.this.early and not self._sitting.this.over:
            self._look_at_hands(t)
        sitting, deal, this = self._sitting, self._sitting.deal, self._sitting.this
        if deal is None or deal.phase is not Phase.OVER or this.score_id is not None or not this.shown:
            return
        if t < this.shown_t + _LIES or any(melds(line) in sitting.unverified for line in LINES):
            return
        if all(len(this.shown.get(seat, ())) == deal.count(seat) for seat in SEATS):
            self._count(deal, t)

    def _look_at_hands(self, t: float) -> None:
        """Whether so many hands lie face up that the deal must be over.

        Where the number of cards of who discarded last is not sure, his own may still be laid out: in the same frame,
        or a moment later. He is waited for, as what he lays out says how the deal has ended.
        """
        deal, early, since = self._sitting.deal, self._sitting.this.early, self._sitting.this.early_t
        out = None if deal is None else deal.last_out
        if deal is None or out is None:
            return
        laid_out = sum(map(bool, early.values()))
        may_come = not deal.sure_of(out) and not early.get(out) and not self._has_said_so()
        if may_come and t < since + _LIES:
            return
        if laid_out == len(SEATS) - 1 and not early.get(out) and self._has_said_so():
            self._laid_out(t, deal.count(out))  # his sign and three open hands say so, whatever the ledger has
        elif laid_out >= _LAID_OUT:
            self._laid_out(t, _SPARE)

    def _laid_out(self, t: float, spare: int) -> None:
        """The hands are laid out for the count: an end that the ledger could not be sure of has come."""
        sitting, this = self._sitting, self._sitting.this
        if sitting.deal is None or this.over:
            return
        if sitting.deal.last_out is not None and this.early.get(sitting.deal.last_out):
            spare = -1  # he lays out cards: he has not gone out
        if this.is_reopened:
            sitting.deal = this.steps.pop().before  # nothing was played: he had closed after all
        else:
            sitting.change(lambda deal: deal.end_by_showing(spare))
        if sitting.deal.phase is Phase.OVER:
            this.shown.update(this.early)
            self.tell_end(t, sitting.deal.last_out, sitting.deal.last_out_t)

    def moved(self, move: Movement) -> None:
        """Cards have moved: where several go on drawing, the deal was not over."""
        this = self._sitting.this
        if this.over and this.score_id is None and move.source == STOCK and len(move.cards) == 1:
            this.drawn_after.add(move.seat)

    # -- the count ---------------------------------------------------------------------------------------------------

    def called_to_count(self, t: float) -> None:
        """A player's button asks for the count: with hands laid out it says that the deal is over.

        Who discarded last has gone out then, however many cards too many a ledger has that was not sure of him.
        """
        deal, early = self._sitting.deal, self._sitting.this.early
        out = None if deal is None else deal.last_out
        spare = self._spare()
        if deal is not None and out is not None and spare and sum(map(bool, early.values())) >= _LAID_OUT:
            spare = deal.count(out)
        self._laid_out(t, spare)
        self.count(t)

    def flush(self, t: float, following: int | None = None) -> None:
        """The next deal begins, or the round ends: a deal that is over and was not counted is counted now.

        ``following``: the number of the deal that begins; where it is the same one the cards are dealt anew, and
        nothing is counted. Of a deal whose end nobody saw no item is known: that the stock is gone tells nothing when
        the cards may have been gathered.
        """
        self._sitting.this.early_t = -1.0
        self._look_at_hands(t)
        deal, this = self._sitting.deal, self._sitting.this
        if deal is not None and deal.end_by_showing(0).manner != "stock":
            self._laid_out(t, 0)
        deal = self._sitting.deal
        if deal is None or this.score_id is not None or following == deal.number:
            return
        if this.over or deal.phase is Phase.PLAYING:
            self._count(deal, t, gathered=True)

    def ordered(self, t: float) -> None:
        """The arbitro has given an order: it may have ended the deal, or changed a score that was told."""
        deal, this = self._sitting.deal, self._sitting.this
        if deal is not None and deal.phase is Phase.OVER:
            self.tell_end(t, None, t)
            if this.score_id is not None:
                self._count(deal, t)

    def count(self, t: float) -> None:
        """Tell the score of the deal that is over, where it differs from what was told."""
        deal = self._sitting.deal
        if deal is not None and deal.phase is Phase.OVER:
            self._count(deal, t)

    def _count(self, deal: Deal, t: float, *, gathered: bool = False) -> None:
        sitting, this = self._sitting, self._sitting.this
        disputed = sitting.referee.disputed
        doubted = frozenset(line for line in LINES if f"melds-{line}" in sitting.unverified)
        if this.counted_t is None:
            this.counted_t, this.doubted = t, doubted
            this.lying = Lying() if gathered else lying(deal, self._tracker)
        impossible = impossible_faces(deal)
        misread = {meld.line for meld in deal.melds if not impossible.isdisjoint(map(face, meld.cards))}
        unverified = [line for line in LINES if line in disputed or line in doubted & this.doubted or line in misread]
        against = sitting.referee.counts_against(deal)
        plain = count_deal(
            deal,
            this.shown,
            this.bonus,
            unverified,
            against,
            ended=not this.is_played_on,
            disputed=disputed,
            exposed=sitting.referee.sanctions.cards_owed("expose"),
            seen=this.lying.seen(deal),
        )
        count = sheets.with_corrections(sitting, sitting.number, plain)
        scores = sitting.scores
        running = scores.enter(sitting.number, count)
        sitting.referee.counted(rounds.lead(sitting))
        last = sitting.deals is not None and len(scores.totals) >= sitting.deals
        result = rounds.standing(sitting) if last else {}
        key = (count.lines, count.differences, result)
        if this.score_key == key:
            return
        this.score_key = key
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
                must_call=sitting.referee.book.must_call,
                sheet=SCORE_SHEET,
                **result,
            ),
            t,
        )
        this.score_id = event.id
        sheets.told(sitting, sitting.number, event, plain)
