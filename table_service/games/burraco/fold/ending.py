"""How a deal ends and how it is counted: closings told, shown or seen, hands laid out, the score."""

from __future__ import annotations

from typing import Final

from hw.cards import UNKNOWN
from hw.seats import LINES, Seat
from hw.zones import DISCARD, STOCK, hand, melds
from table_service.events import payloads as say
from table_service.games.burraco import payloads as own
from table_service.games.burraco.fold.course import Course
from table_service.games.burraco.fold.end_state import EndState
from table_service.games.burraco.fold.final_count import FinalCount
from table_service.games.burraco.fold.reporting import Reporter
from table_service.games.burraco.reading import card_of
from table_service.games.burraco.referee.referee import Referee
from table_service.games.burraco.rules import acting
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, Manner, Phase
from table_service.table.finding_payloads import public
from table_service.table.table_parts import Table
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


class Ending:
    """Ends the deals of a table and has them counted."""

    def __init__(self, table: Table, referee: Referee, course: Course, reporter: Reporter, count: FinalCount) -> None:
        self._table = table
        self._referee = referee
        self._course = course
        self._reporter = reporter
        self._count = count
        self._end = EndState()

    def begin(self) -> None:
        """A deal begins."""
        self._end = EndState()

    @property
    def is_told(self) -> bool:
        """True if the end of the deal was told."""
        return self._end.is_told

    def is_counted_before(self, t: float) -> bool:
        """True if the deal was over and counted before ``t``."""
        counted_t = self._count.counted_t
        return self._end.is_told and counted_t is not None and t > counted_t

    @property
    def laid_out_early(self) -> tuple[tuple[Seat, tuple[str, ...]], ...]:
        """The hands that lie face up although no end was told."""
        return tuple((seat, cards) for seat, cards in self._end.early.items() if cards)

    def play_goes_on(self) -> None:
        """Somebody has acted: hands laid out before that tell of no end."""
        self._end.early.clear()

    @property
    def _is_reopened(self) -> bool:
        """True if a closing was taken back and nothing has been done since."""
        return self._end.reopened > 0 and self._end.reopened == self._course.length

    # -- the end -----------------------------------------------------------------------------------------------------

    def tell_end(self, t: float, seat: Seat | None, committed_t: float) -> None:
        """Tell the end of the deal once it has come; ``seat``: who acted last, where nobody closed."""
        deal, end = self._course.deal, self._end
        if deal is None or deal.manner is None or end.is_told:
            return
        end.is_told, end.manner = True, (deal.manner, deal.closer)
        end.shown = {**{who: cards for who, cards in end.early.items() if cards}, **end.shown}
        data = say.DealEnded(manner=deal.manner)
        end.id = self._table.voice.say("deal.ended", data, t, deal.closer or seat, committed_t=committed_t).id
        self._reporter.report(self._referee.ended(deal, t))

    def replayed(self, t: float) -> None:
        """Play was gone through again with better knowledge: an end that came of it, or is none any more, is told."""
        deal = self._course.deal
        if deal is None:
            return
        if self._ended_otherwise():
            self._reopen(t, "what ended the deal has turned out otherwise")
            self._look_at_hands(t)
        if deal.phase is Phase.OVER:
            self.tell_end(t, deal.last_out, deal.last_out_t)
            self.recount(t)

    def _ended_otherwise(self) -> bool:
        """True if the end that was told is not the one that is known now."""
        deal = self._course.deal
        return deal is not None and self._end.is_told and (deal.manner, deal.closer) != self._end.manner

    def _reopen(self, t: float, why: str) -> None:
        """The end that was told was none: it is taken back, and the score with it."""
        end = self._end
        for told in (end.id, self._table.sheets.score):
            if told is not None:
                self._table.voice.say("event.retracted", say.EventRetracted(event=told, note=why), t)
        self._reporter.report(self._referee.reopened(t))
        end.is_told, end.id = False, None
        end.drawn_after = set()
        end.early, end.shown = dict(end.shown), {}
        self._count.take_back()

    def has_not_gone_out(self, who: Seat, t: float) -> bool:
        """A ruling leaves ``who``, the last to discard, with cards; whether he was told to have closed.

        Then that end is taken back, and play goes on or has ended otherwise.
        """
        deal = self._course.deal
        closed = deal is not None and deal.closer is who
        if closed:
            self._reopen(t, "by a ruling he who closed has cards left")
            self._end.early.clear()
        self._course.change(lambda now: acting.keep_from_closing(now, who))
        deal = self._course.deal
        if closed and deal is not None and deal.phase is Phase.OVER:
            self.tell_end(t, deal.last_out, deal.last_out_t)
        return closed

    def taken_back(self, move: Movement) -> bool:
        """True if ``move`` is the last discard taken back by who closed with it, which reopens the deal.

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
        self._reopen(move.t, "the last discard was taken back")
        self._course.change(acting.reopen)
        self._end.reopened = self._course.length
        data = own.CardReturned(cards=back, from_=DISCARD, to=hand(who))
        self._table.voice.say("card.returned", data, move.t, who, committed_t=move.committed_t)
        return True

    def acted(self, action: act.Action) -> None:
        """``action`` may have ended the deal; who had said that he closes has perhaps done so with it.

        One that is told after the end may show that it was another.
        """
        if self._ended_otherwise():
            self.replayed(action.t)
        self.tell_end(action.t, action.seat, action.committed_t)
        if isinstance(action, act.Discard):
            self.settle(action.t)

    def stock_counted(self, t: float) -> None:
        """The stock is known again: it may have been used up at the last discard (art. 17)."""
        deal = self._course.deal
        if deal is None or deal.phase is not Phase.PLAYING or deal.begun or deal.last_out is None:
            return
        if deal.stock <= deal.book.unplayable_stock and STOCK not in deal.places.unverified:
            self.end("stock", t)

    def end(self, manner: Manner, t: float) -> None:
        """The deal ends in this manner, if it is not over."""
        self._course.change(lambda deal: deal if deal.phase is Phase.OVER else deal.over(manner))
        deal = self._course.deal
        if deal is not None:
            self.tell_end(t, deal.last_out, deal.last_out_t)

    # -- signs of a closing ------------------------------------------------------------------------------------------

    def says_close(self, who: Seat, t: float) -> None:
        """A player says that he closes: where his number of cards is not sure, his word settles it."""
        self._end.closing = (who, t)
        self.settle(t)

    def settle(self, t: float) -> None:
        """Whether who discarded last has said that he closes, just before or after it."""
        if self._has_said_so():
            self._laid_out(t, self._spare())

    def _has_said_so(self) -> bool:
        deal, said = self._course.deal, self._end.closing
        return deal is not None and said is not None and said[0] is deal.last_out and said[1] >= deal.last_out_t - _SIGN

    def shield_over(self, who: Seat, t: float) -> None:
        """A hand-shield turned over right after the own last discard is the sign that its player has closed.

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
        """A hand lies face up: for the count, or before the end was seen."""
        deal, end = self._course.deal, self._end
        if end.is_told:
            self._shown_for_the_count(shown)
        elif deal is not None and self._may_be_over(deal) and shown.committed_t > deal.last_out_t:
            end.early[shown.seat], end.early_t = tuple(map(card_of, shown.cards)), shown.t
            if deal.begun and self._are_laid_out(deal):
                pile = self._table.tracker.pile or (UNKNOWN,)
                self._course.change(lambda now: acting.discard_unseen(now, pile[-1]))
            self._judge_shown(shown, deal)
            self._look_at_hands(shown.t)

    def _may_be_over(self, deal: Deal) -> bool:
        """True if the last turn has ended, or may have ended while nobody watched the pile."""
        return not deal.begun or self._is_reopened or acting.may_have_discarded(deal)

    def _judge_shown(self, shown: Shown, deal: Deal) -> None:
        """A hand shown after a closing that was none may be a fault by itself, whether or not anybody plays on."""
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
        """A later view replaces the one before; a hand that shrinks is being gathered, whether counted yet or not."""
        end, cards = self._end, tuple(map(card_of, shown.cards))
        if cards and self._is_supposed_to_have_closed(shown.seat):
            self._reopen(shown.t, "who was taken to have gone out lays out cards")
            self._course.undo()
            end.early[shown.seat], end.early_t = cards, shown.t
            self._look_at_hands(shown.t)
            return
        if len(cards) < len(end.shown.get(shown.seat, ())):
            return
        end.shown[shown.seat], end.shown_t = cards, shown.t
        self.recount(shown.t)

    def _is_supposed_to_have_closed(self, who: Seat) -> bool:
        """True if it is told that ``who`` has closed for no other reason than that others laid out their hands."""
        deal, end = self._course.deal, self._end
        return deal is not None and deal.closer is who and end.supposed == self._course.length > 0

    def tick(self, t: float) -> None:
        """Count a deal that is over once all its cards are in view: not everybody calls for the count.

        They are if every hand is as the ledger counts it, or if the sensors show every card without the ledger.

        Players gather the cards when they have counted them, and what is gathered can be counted no more.
        """
        end = self._end
        if end.early and not end.is_told:
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
        """Whether the deal must be over by the hands that lie face up.

        Where the number of cards of who discarded last is not sure, his own may still be laid out: in the same frame,
        or a moment later. He is waited for, as what he lays out says how the deal has ended.
        """
        deal, early, since = self._course.deal, self._end.early, self._end.early_t
        out = None if deal is None else deal.last_out
        if deal is None or out is None:
            return
        all_others = sum(map(bool, early.values())) == len(deal.seats) - 1
        may_come = not deal.sure_of(out) and not early.get(out) and not self._has_said_so()
        settled = (all_others or not deal.count(out)) and not self._table.tracker.seems_changed(hand(out))
        waits = _LIES if settled else _COMES
        if may_come and t < since + waits:
            return
        if all_others and not early.get(out) and self._has_said_so():
            self._laid_out(t, deal.count(out))  # his sign and three open hands say so, whatever the ledger has
        elif self._are_laid_out(deal):
            self._laid_out(t, _SPARE)

    def _are_laid_out(self, deal: Deal) -> bool:
        """True if so many hands lie face up that the deal must be over."""
        return sum(map(bool, self._end.early.values())) >= min(_LAID_OUT, len(deal.seats) - 1)

    def _laid_out(self, t: float, spare: int) -> None:
        """The hands are laid out for the count: an end that the ledger could not be sure of has come."""
        course, end = self._course, self._end
        if course.deal is None or end.is_told:
            return
        if course.deal.last_out is not None and end.early.get(course.deal.last_out):
            spare = -1  # he lays out cards: he has not gone out
        if self._is_reopened:
            course.undo()  # nothing was played: he had closed after all
        else:
            course.change(lambda deal: acting.end_by_showing(deal, spare))
            end.supposed = course.length
        if course.deal.phase is Phase.OVER:
            end.shown.update(end.early)
            self.tell_end(t, course.deal.last_out, course.deal.last_out_t)

    def moved(self, move: Movement) -> None:
        """Cards have moved: where several go on drawing, the deal was not over."""
        if self._end.is_told and not self._count.is_told and move.source == STOCK and len(move.cards) == 1:
            self._end.drawn_after.add(move.seat)

    # -- the count ---------------------------------------------------------------------------------------------------

    def called_to_count(self, t: float) -> None:
        """A player's button asks for the count: with hands laid out it says that the deal is over.

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
        """The next deal begins, or the round ends: a deal that is over and was not counted is counted now.

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
        if self._end.is_told or deal.phase is Phase.PLAYING:
            self._count_deal(deal, t, gathered=True)

    def ordered(self, t: float) -> None:
        """The arbitro has given an order: it may have ended the deal, or changed a score that was told."""
        deal = self._course.deal
        if deal is not None and deal.phase is Phase.OVER:
            self.tell_end(t, None, t)
            self.recount(t)

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
