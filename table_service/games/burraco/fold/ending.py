"""End and count of a deal: closings announced, shown or seen, hands laid out, the score."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from hw.seats import LINES, Seat
from hw.zones import DISCARD, STOCK, hand, melds
from table_service.events import payloads as say
from table_service.games.burraco import payloads as own
from table_service.games.burraco.fold.course import BurracoCourse
from table_service.games.burraco.fold.end_state import EndState
from table_service.games.burraco.fold.final_count import FinalCount
from table_service.games.burraco.fold.reporting import Reporter
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Manner, Phase
from table_service.table.finding_payloads import public
from table_service.table.history import Reported
from table_service.table.table_parts import TableParts
from table_service.tracking.movements import Movement, Shown

_LAID_OUT: Final = 2
"""Hands of others that must lie face up before a deal is taken to be over; of two players that of the other."""
_SPARE: Final = 2
"""Up to so many cards too many in the ledger, who lays none out for the count is taken to have gone out."""
_LIES: Final = 2.5
"""Seconds for which all hands must lie as the ledger counts them, to be counted without anybody's call."""
_COMES: Final = 7.5
"""The same where he may well hold cards and others lay out theirs still, or frames begin to show some before him."""
_SIGN: Final = 6.0
"""Seconds: so long before his last discard a player may say that he closes, and after it turn his shield over."""
_PLAYED_ON: Final = 2
"""Players who draw after the end that was told: one may want to see what he would have drawn."""
_END: Final = "end"
"""The key of the only fact that is reported here."""
Ended = tuple[Manner, Seat | None]
"""How a deal has ended, and who has closed it."""


class Ending:
    """Ends the deals of a table and has them counted; writes their ends as events (``table.history.Writer``)."""

    def __init__(
        self, table: TableParts, referee: Referee, course: BurracoCourse, reporter: Reporter, count: FinalCount
    ) -> None:
        self._table = table
        self._referee = referee
        self._course = course
        self._reporter = reporter
        self._count = count
        self._end = EndState()
        self._told: Reported[Ended, str] = Reported(self)
        self._t, self._why = 0.0, ""
        self._by: tuple[Seat | None, float] = (None, 0.0)

    def begin(self) -> None:
        """Begin a deal."""
        self._end = EndState()
        self._told.clear()

    @property
    def is_told(self) -> bool:
        """True if the end of the deal was told."""
        return _END in self._told

    def is_counted_before(self, t: float) -> bool:
        """Return True if the deal was over and counted before ``t``."""
        counted_t = self._count.counted_t
        return self.is_told and counted_t is not None and t > counted_t

    @property
    def laid_out_early(self) -> tuple[tuple[Seat, tuple[str, ...]], ...]:
        """The hands that lie face up although no end was told."""
        return tuple((seat, cards) for seat, cards in self._end.early.items() if cards)

    @property
    def were_laid_out(self) -> bool:
        """True if so many hands have lain face up since anybody played that the deal must be over."""
        deal = self._course.deal
        return deal is not None and len(self._end.early) >= min(_LAID_OUT, len(deal.seats) - 1)

    def play_goes_on(self) -> None:
        """Somebody has acted: hands laid out before that tell of no end."""
        self._end.early.clear()

    @property
    def _is_reopened(self) -> bool:
        """True if a closing was taken back and nothing has been done since."""
        return self._end.reopened is not None and self._end.reopened == self._course.last

    # -- the end -----------------------------------------------------------------------------------------------------

    def _follow(self, t: float, why: str = "", by: tuple[Seat | None, float] | None = None) -> None:
        """Tell at ``t`` by what the end differs from that which was told.

        ``why`` there may be none any more: then open hands may tell of another. ``by`` whom the first one comes, and
        when: else by who discarded last.
        """
        deal, was_told = self._course.deal, self.is_told
        if deal is None:
            return
        self._t, self._why = t, why or "what ended the deal has turned out otherwise"
        self._by = by if by is not None and not was_told else (deal.last_out, deal.last_out_t)
        self._told.compare({} if deal.manner is None else {_END: (deal.manner, deal.closer)})
        if was_told and not self.is_told:
            self._look_at_hands(t)

    def report(self, ended: Ended) -> str:
        """Tell that the deal is over."""
        end, (manner, closer), (seat, when) = self._end, ended, self._by
        end.shown = {**{who: cards for who, cards in end.early.items() if cards}, **end.shown}
        data = say.DealEnded(manner=manner)
        event = self._table.voice.say("deal.ended", data, self._t, closer or seat, committed_t=when)
        if self._course.deal is not None:
            self._reporter.report(self._referee.ended(self._course.deal, self._t))
        return event.id

    def correct(self, name: str, was: Ended, ended: Ended) -> str:
        """Correct the end of the deal, which has ended otherwise than was reported."""
        self.retract(name, was)
        return self.report(ended)

    def retract(self, name: str, ended: Ended) -> None:  # noqa: ARG002 - as `Writer`
        """Take back a reported end that did not happen, and the score with it."""
        end = self._end
        for told in (name, self._table.sheets.score):
            if told is not None:
                self._table.voice.say("event.retracted", say.EventRetracted(event=told, note=self._why), self._t)
        self._reporter.report(self._referee.reopened(self._t))
        end.drawn_after = set()
        end.early, end.shown = dict(end.shown), {}
        self._count.take_back()

    def revised(self, t: float, by: tuple[Seat | None, float] | None = None) -> None:
        """Better knowledge or the arbitro's order may have ended the deal, or not, or have changed its score."""
        self._follow(t, by=by)
        self.recount(t)

    def has_not_gone_out(self, who: Seat, t: float) -> bool:
        """Leave ``who``, the last to discard, with cards by a ruling; return True if he was reported to have closed.

        Then that end is taken back, and play goes on or has ended otherwise.
        """
        deal = self._course.deal
        closed = deal is not None and deal.closer is who
        self._course.change(lambda now: acting.keep_from_closing(now, who))
        if closed:
            self._end.shown.clear()
            self._follow(t, "by a ruling he who closed has cards left")
        return closed

    def taken_back(self, move: Movement) -> bool:
        """Return True if ``move`` is the last discard taken back by who closed with it, which reopens the deal.

        Only right after it, before any hand was laid out: then the cards are gathered.
        """
        deal = self._course.deal
        if deal is None or deal.manner != "closed" or self._end.shown or self._count.is_told:
            return False
        who, after = move.seat, move.committed_t - deal.last_out_t
        if who is None or who is not deal.closer or move.source != DISCARD or len(move.cards) != 1:
            return False
        if not 0 <= after <= _SIGN:
            return False
        back = public(deal.pile[-1:], ())
        self._end.reopened = self._course.change(acting.reopen)
        self._follow(move.t, "the last discard was taken back")
        data = own.CardReturned(cards=back, from_=DISCARD, to=hand(who))
        self._table.voice.say("card.returned", data, move.t, who, committed_t=move.committed_t)
        return True

    def acted(self, action: act.Action) -> None:
        """Follow ``action``, which may have ended the deal; a player who said he closes has perhaps done so with it.

        One that is told after the end may show that it was another.
        """
        self._follow(action.t, by=(action.seat, action.committed_t))
        if isinstance(action, act.Discard):
            self.settle(action.t)

    def stock_counted(self, t: float) -> None:
        """Take the stock as known again: it may have been used up at the last discard (art. 17)."""
        deal = self._course.deal
        if deal is None or deal.phase is not Phase.PLAYING or deal.begun or deal.last_out is None:
            return
        if deal.stock <= deal.book.unplayable_stock and STOCK not in deal.places.unverified:
            self.end("stock", t)

    def end(self, manner: Manner, t: float) -> None:
        """End the deal in this manner, if it is not over."""
        self._course.change(lambda deal: deal if deal.phase is Phase.OVER else deal.over(manner))
        self._follow(t)

    # -- signs of a closing ------------------------------------------------------------------------------------------

    def says_close(self, who: Seat, t: float) -> None:
        """Record that a player says that he closes: if his number of cards is uncertain, his word settles it."""
        self._end.closing = (who, t)
        self.settle(t)

    def settle(self, t: float) -> None:
        """Close the deal if the last player to discard announced it, just before or after."""
        if self._has_said_so():
            self._laid_out(t, self._spare())

    def _has_said_so(self) -> bool:
        deal, said = self._course.deal, self._end.closing
        return deal is not None and said is not None and said[0] is deal.last_out and said[1] >= deal.last_out_t - _SIGN

    def shield_over(self, who: Seat, t: float) -> None:
        """Take a hand-shield turned over right after the own last discard as the sign that its player has closed.

        Later, while nobody has acted since, it still is one for whoever sees the hands of the three others.
        """
        deal = self._course.deal
        if deal is None or who is not deal.last_out or deal.begun or t < deal.last_out_t:
            return
        self._end.closing = (who, t)
        if t - deal.last_out_t <= _SIGN:
            self.settle(t)

    def _spare(self) -> int:
        """Return how many cards too many the ledger may have for who discarded last: none where his number is sure."""
        deal = self._course.deal
        return 0 if deal is None or deal.last_out is None or deal.sure_of(deal.last_out) else _SPARE

    def shown(self, shown: Shown) -> None:
        """Take a hand that lies face up: for the count, or before the end was seen."""
        deal, end = self._course.deal, self._end
        if self.is_told:
            self._shown_for_the_count(shown)
        elif deal is not None and self._may_be_over(deal) and shown.committed_t > deal.last_out_t:
            end.early[shown.seat], end.early_t = tuple(map(card_of, shown.cards)), shown.t
            if deal.begun and self._are_laid_out(deal):
                pile = self._table.tracker.pile or (UNKNOWN,)
                self._course.change(lambda now: acting.discard_unseen(now, pile[-1]))
            self._judge_shown(shown, deal)
            self._look_at_hands(shown.t)

    def _may_be_over(self, deal: Deal) -> bool:
        """Return True if the last turn has ended, or may have ended while the pile was not watched."""
        return not deal.begun or self._is_reopened or acting.may_have_discarded(deal)

    def _judge_shown(self, shown: Shown, deal: Deal) -> None:
        """Judge a hand shown after an invalid closing: it may be a fault, even if no player plays on."""
        cards = tuple(map(card_of, shown.cards))
        if cards:
            hand_shown = act.ShowHand(
                t=shown.t,
                committed_t=shown.committed_t,
                seat=shown.seat,
                cards=cards,
                confidence=shown.confidence,
                basis=shown.basis,
                played_on=False,
            )
            self._reporter.report(self._referee.judge(deal, hand_shown, (), deal))

    def _shown_for_the_count(self, shown: Shown) -> None:
        """Replace the view before by a later one; a hand that shrinks is being gathered, counted yet or not."""
        end, cards, deal = self._end, tuple(map(card_of, shown.cards)), self._course.deal
        supposed = deal is not None and deal.closer is shown.seat and end.supposed == self._course.last
        if cards and supposed and end.supposed is not None:  # others alone, laying out their hands, had said so
            end.shown[shown.seat], end.early_t = cards, shown.t
            was_counted = self._count.is_told
            self._course.remove(end.supposed)
            self._follow(shown.t, "who was taken to have gone out lays out cards")
            if was_counted:  # the score went with that end, and nothing else will ask for it again
                self.count(shown.t)
            return
        if len(cards) < len(end.shown.get(shown.seat, ())):
            return
        end.shown[shown.seat], end.shown_t = cards, shown.t
        self.recount(shown.t)

    def tick(self, t: float) -> None:
        """Count a deal that is over once all its cards are in view: not everybody calls for the count.

        They are if every hand is as the ledger counts it, or if the sensors show every card without the ledger.

        Players gather the cards when they have counted them, and what is gathered can be counted no more.
        """
        end = self._end
        if end.early and not self.is_told:
            self._look_at_hands(t)
        deal = self._course.deal
        if deal is None or deal.phase is not Phase.OVER or self._count.is_told or not end.shown:
            return
        if t < end.shown_t + _LIES or any(melds(line) in self._table.health.unverified for line in LINES):
            return
        as_counted = all(len(end.shown.get(seat, ())) == deal.count(seat) for seat in deal.seats)
        if as_counted or self._count.is_complete(deal, end.shown):
            self._count_deal(deal, t)

    def _look_at_hands(self, t: float) -> None:
        """End the deal if the hands that are face up show that it is over.

        If the number of cards of the last player to discard is uncertain, his own hand may still be laid out: in the
        same frame, or a moment later. It is waited for, because it shows how the deal has ended.
        """
        deal, early, since = self._course.deal, self._end.early, self._end.early_t
        out = None if deal is None else deal.last_out
        if deal is None or out is None:
            return
        all_others = self._all_others_show()
        may_come = not deal.sure_of(out) and not early.get(out) and not self._has_said_so()
        settled = (all_others or not deal.count(out)) and not self._table.tracker.seems_changed(hand(out))
        waits = _LIES if settled else _COMES
        if may_come and t < since + waits:
            return
        if all_others and not early.get(out) and self._has_said_so():
            self._laid_out(t, deal.count(out))  # his sign and three open hands say so, whatever the ledger has
        elif self._are_laid_out(deal):
            self._laid_out(t, _SPARE)

    def _all_others_show(self) -> bool:
        """Return True if all hands but one lie face up, which has not been laid out."""
        deal, early = self._course.deal, self._end.early
        return deal is not None and len(early) == len(deal.seats) - 1 and all(early.values())

    def _are_laid_out(self, deal: Deal) -> bool:
        """Return True if so many hands lie face up that the deal must be over."""
        return sum(map(bool, self._end.early.values())) >= min(_LAID_OUT, len(deal.seats) - 1)

    def _laid_out(self, t: float, spare: int) -> None:
        """Take the hands as laid out for the count: an end that the ledger could not be certain of has come."""
        course, end = self._course, self._end
        if course.deal is None or self.is_told:
            return
        if course.deal.last_out in end.early:
            spare = -1  # he lays out cards, or has taken them away again: he has not gone out
        if end.reopened is not None and self._is_reopened:
            course.remove(end.reopened)  # nothing was played: he had closed after all
        else:
            alone = self._all_others_show()
            end.supposed = course.change(lambda deal: acting.end_by_showing(deal, spare, alone=alone))
        if course.deal.phase is Phase.OVER:
            end.shown.update(end.early)
            self._follow(t)

    def moved(self, move: Movement) -> None:
        """Cards have moved: where several go on drawing, the deal was not over."""
        if self.is_told and not self._count.is_told and move.source == STOCK and len(move.cards) == 1:
            self._end.drawn_after.add(move.seat)

    # -- the count ---------------------------------------------------------------------------------------------------

    def called_to_count(self, t: float) -> None:
        """Take a player's button as asking for the count: with hands laid out it says that the deal is over.

        Who discarded last has gone out then, however many cards too many a ledger has that was not sure of him.
        """
        deal = self._course.deal
        out = None if deal is None else deal.last_out
        spare = self._spare()
        if deal is not None and out is not None and spare and self._are_laid_out(deal):
            spare = deal.count(out)
        self._laid_out(t, spare)
        self.count(t)

    def flush(self, t: float, following: int | None = None) -> None:
        """Count a deal that is over and was not counted, as the next deal begins, or the round ends.

        ``following``: the number of the deal that begins; where it is the same one the cards are dealt anew, and
        nothing is counted. Of a deal whose end nobody saw no item is known: that the stock is gone tells nothing when
        the cards may have been gathered.
        """
        self._end.early_t = -1.0
        self._look_at_hands(t)
        deal = self._course.deal
        if deal is not None and acting.end_by_showing(deal, 0).manner != "stock":
            self._laid_out(t, 0)
        deal = self._course.deal
        if deal is None or self._count.is_told or following == deal.number:
            return
        if self.is_told or deal.phase is Phase.PLAYING:
            self._count_deal(deal, t, gathered=True)

    def recount(self, t: float) -> None:
        """Tell the score again where one was told and another follows now."""
        if self._count.is_told:
            self.count(t)

    def count(self, t: float) -> None:
        """Tell the score of the deal that is over, where it differs from what was told."""
        deal = self._course.deal
        if deal is not None and deal.phase is Phase.OVER:
            self._count_deal(deal, t)

    def _count_deal(self, deal: Deal, t: float, *, gathered: bool = False) -> None:
        """Count; where play went on after the end that was told, nobody can vouch for that end."""
        played_on = len(self._end.drawn_after) >= _PLAYED_ON
        self._count.count(deal, self._end.shown, t, ended=not played_on, gathered=gathered)
