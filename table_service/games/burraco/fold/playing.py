"""Movements acted upon: read as actions, applied to the deal, told, judged by the referee. And how a deal begins."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from hw.cards import face
from hw.seats import SEATS, Seat, seat_or_none
from hw.zones import DISCARD, POTS, STOCK, is_melds, melds
from table_service.events import payloads as say
from table_service.games.burraco import event_payloads
from table_service.games.burraco.fold.deal_check import check_deal
from table_service.games.burraco.fold.ending import Ending
from table_service.games.burraco.fold.reporting import report
from table_service.games.burraco.fold.round_state import CATALOGUES, Sitting, Step
from table_service.games.burraco.reading import Reader
from table_service.games.burraco.rules import actions as act
from table_service.games.burraco.rules.deal import Deal, MeldRow, Phase
from table_service.games.burraco.rules.play import verify
from table_service.referee.values import Irregularity
from table_service.tracking import Tracker
from table_service.tracking.movements import FrameRef, Movement

_SIGN: Final = 30.0
"""Seconds before a pot is taken within which its taker has turned his hand-shield over."""
_SEVERAL: Final = 4
"""So many cards of the stock, or melds, are taken up at once by nobody who plays."""
_SURE: Final = 0.9
"""From this confidence on a draw tells that play goes on."""


class Playing:
    """Begins the deals of a sitting and plays what moves in them."""

    def __init__(self, sitting: Sitting, ending: Ending, tracker: Tracker) -> None:
        self._sitting = sitting
        self._ending = ending
        self._tracker = tracker

    # -- a deal begins -----------------------------------------------------------------------------------------------

    def start_deal(self, number: int, dealer: Seat, t: float) -> None:
        """Deal ``number`` begins; the book of the one before is closed."""
        sitting = self._sitting
        report(sitting, sitting.referee.new_deal(number, t))
        sitting.this, sitting.number, sitting.pot_sign = sitting.new_book(number), number, None
        sitting.deal = Deal.begin(sitting.book, number, dealer)
        sitting.say("deal.started", say.DealStarted(dealer=dealer, n=number), t)

    def start_play(self, t: float) -> None:
        """The arbitro has said that play may begin."""
        self._sitting.this.started = True
        self._sitting.referee.start_play()
        self.check(t, at_once=False)

    def check(self, t: float, *, at_once: bool) -> None:
        """The deal check (arts. 4, 5, 7): made as soon as stock and pots are known, at the first draw at the latest."""
        sitting, deal, this = self._sitting, self._sitting.deal, self._sitting.this
        if deal is None or this.checked or (not at_once and not {STOCK, POTS} <= this.counts.keys()):
            return
        this.checked = True
        book, stock, pots = sitting.book, this.counts.get(STOCK), this.counts.get(POTS)
        if stock == book.stock_cards - 1 and this.counts.get(DISCARD) == 1 and not deal.turned_up:
            sitting.change(lambda deal: deal.turn_up(()))  # before the order to start came (art. 7)
            deal = sitting.deal or deal
        if deal.turned_up and stock == book.stock_cards - 1:
            stock = book.stock_cards  # weighed without the card that was turned up
        sitting.change(lambda deal: _as_counted(deal, stock, pots))
        check = check_deal(book, {**this.counts, STOCK: stock, POTS: pots})
        sitting.say("deal.checked", check.told, t)
        if stock is None:
            self._unweighed(t)
        this.spare_pot = check.spare_pot
        if check.row is not None:
            self.pack_fault(check.row, t)

    def _unweighed(self, t: float) -> None:
        """Play begins and no scale has told of the stock: draws may go unnoticed, and nobody has missed one."""
        sitting, reason = self._sitting, "its scale has told of no cards yet"
        known = sitting.unverified.get(STOCK)
        sitting.unverified[STOCK] = reason
        sitting.change(lambda deal: deal.doubt(STOCK).cloud())
        if known is None:
            sitting.say("table.health", say.TableHealth(what=STOCK, state="unverified", note=reason), t)

    def pack_fault(self, row: str, t: float) -> None:
        """The pack, or how it was dealt, is found wrong (arts. 4, 5)."""
        sitting = self._sitting
        if sitting.book.name not in CATALOGUES:
            return
        before = sitting.deal is None or sitting.deal.phase is Phase.DEALT
        fault = Irregularity(
            key="",
            row=sitting.catalogue.row(row),
            offender=None,
            cards=(),
            t=t,
            committed_t=t,
            found="before_play" if before else "later",
            basis=("scale",),
        )
        said = sitting.referee.report(fault)
        sitting.this.pack_fault = said.key
        report(sitting, [said])

    def surplus(self, card: str, t: float, committed_t: float, frames: tuple[FrameRef, ...]) -> None:
        """More cards of the face ``card`` have lain open since ``committed_t`` than the pack holds (art. 5).

        Nobody is accused. Nothing is said where the pack is known to be irregular already.
        """
        sitting = self._sitting
        row = f"{sitting.book.prefix}-05b"
        known = any(one.row.id == row and one.state != "dismissed" for one in sitting.referee.irregularities)
        if known or sitting.book.name not in CATALOGUES:
            return
        fault = Irregularity(
            key="",
            row=sitting.catalogue.row(row),
            offender=None,
            cards=(card,),
            t=t,
            committed_t=committed_t,
            found="during_turn",
            seen=True,
            basis=("sight",),
            frames=frames,
        )
        report(sitting, [sitting.referee.report(fault)])

    def _suppose_deal(self, move: Movement) -> bool:
        """Cards are played although no deal was announced: who turns up a card is the dealer, who draws plays first."""
        if move.source != STOCK or self._sitting.number:
            return False
        seat = move.seat or seat_or_none((move.target or "")[-1:])
        turned = move.target == DISCARD
        dealer = Seat.WEST if seat is None else seat if turned else seat.previous
        counts = self._sitting.this.counts
        self.start_deal(self._sitting.number + 1, dealer, move.t)
        self._sitting.this.counts = counts
        return True

    # -- play --------------------------------------------------------------------------------------------------------

    def moved(self, move: Movement) -> None:
        """Cards have moved."""
        if self._sitting.deal is None and not self._suppose_deal(move):
            return
        deal = self._sitting.deal
        if deal is not None and not self._gathered(move, deal):
            if deal.phase is Phase.OVER and move.source != POTS and not self._sitting.is_settling:
                self._sitting.this.after_end.append(move)
            for one in self._sitting.this.turn_up.sift(move, deal):
                self._play(one)

    def catch_up(self) -> None:
        """The arbitro has ruled on a deal that is over: what was moved since its end carried that out already."""
        this = self._sitting.this
        if self._sitting.is_settling:
            moves, this.after_end = this.after_end, []
            for move in moves:
                self._play(move)

    def _gathered(self, move: Movement, deal: Deal) -> bool:
        """Whether cards are gathered, after the count or to be dealt anew (arts. 4, 5, 7): no play is meant.

        Before anything was played the whole stock or both pots go at once; with an order to deal anew, the card turned
        up as well.
        """
        if deal.phase is not Phase.DEALT:
            return self._sitting.this.is_gathered(move.committed_t) or self._clears(move, deal)
        if move.source in (STOCK, POTS):
            return 1 < _held(deal, move.source) <= len(move.cards)
        return move.source == DISCARD and move.seat is None and self._sitting.referee.deals_anew

    def _clears(self, move: Movement, deal: Deal) -> bool:
        """Whether the table is being cleared although no end was told: the whole stock goes at once, or all melds do.

        So it is where a gap in sensing has left open what the last player held. Nobody plays so.
        """
        sitting, this = self._sitting, self._sitting.this
        if deal.phase is not Phase.PLAYING or sitting.referee.sanctions.cards_owed("take-back"):
            return False
        if is_melds(move.source) and not move.result and len(move.cards) >= deal.book.meld_min:
            at, before = this.lifted
            this.lifted = (move.committed_t, before + 1 if at == move.committed_t else 1)
        whole = move.source == STOCK and len(move.cards) >= max(_SEVERAL, deal.stock)
        if not whole and this.lifted != (move.committed_t, _SEVERAL):
            return False
        this.cleared_t = move.committed_t
        note = "the cards are being gathered, and no end of the deal was seen"
        sitting.say("table.health", say.TableHealth(what="deal", state="unverified", note=note), move.t)
        return True

    def late(self, t: float) -> None:
        """Play what was held back as a turn-up and has turned out to be none by ``t``."""
        for move in self._sitting.this.turn_up.late(t):
            self._play(move)
        self.settle(t)

    def settle(self, t: float, *, called: bool = False) -> None:
        """Say what has shown itself by ``t``: melds that are none, come to rest; ``called``: the arbitro is called."""
        sitting = self._sitting
        said = sitting.referee.late(t, sitting.deal, self._history, called=called, unseen=self._unseen)
        report(sitting, said)
        if said and sitting.this.score_id is not None:
            self._ending.count(t)

    def _unseen(self, meld: MeldRow) -> bool:
        """Whether an arm covers the meld, or frames show it, or have begun to, otherwise than the ledger has it."""
        zone = melds(meld.line)
        return self._tracker.is_covered(zone) or self._tracker.is_in_question(
            zone, meld.row, tuple(map(face, meld.cards))
        )

    def _history(self) -> list[tuple[Deal, act.Action]]:
        return [(step.before, step.action) for step in self._sitting.this.steps if step.action is not None]

    def _play(self, move: Movement) -> None:
        sitting = self._sitting
        deal, sanctions = sitting.deal, sitting.referee.sanctions
        sitting.gates.crossed(move)
        if deal is None or self._ending.taken_back(move):
            return
        reader = Reader(
            deal,
            sitting.referee.returning,
            sitting.pot_sign,
            sanctions.owing("return-to-stock"),
            sanctions.cards_owed("take-back"),
            sanctions.owing("correct-count"),
            sitting.gates.answering,
            self._over(move),
            sanctions.in_force,
            sitting.referee.cards_ruled,
            settles=sitting.is_settling,
        )
        self.perform(move.id, tuple(map(self._as_ordered, reader.read(move))))

    def _as_ordered(self, action: act.Action) -> act.Action:
        """Cards that a ruling has told to take back are taken back, not misread."""
        if isinstance(action, act.TakeBack) and self._sitting.referee.sanctions.carries_out(action):
            return replace(action, ordered=True)
        if isinstance(action, act.TakePot):
            return replace(action, declared=self._declared(action))
        return action

    def _over(self, move: Movement) -> Seat | None:
        """Who has just turned his hand-shield over, the last who did."""
        sign = self._sitting.pot_sign
        if sign is None or move.committed_t - self._sitting.this.signs.get(sign, -_SIGN) >= _SIGN:
            return None
        return sign

    def _declared(self, action: act.TakePot) -> bool | None:
        """Whether who takes a pot had turned his hand-shield over; None where nobody asks for it or can tell.

        That he said so is not enough, and that he did not cannot be known.
        """
        sitting, seat = self._sitting, action.seat
        if not sitting.header.options.get("screens") or seat is None or seat not in sitting.shields:
            return None
        signs = sitting.this.signs
        own, other = (action.committed_t - signs.get(one, -_SIGN) < _SIGN for one in (seat, seat.partner))
        return None if other and not own else own  # the other one's shield is over: who takes it is not that plain

    def _thought_over(self, action: act.Action, before: Deal) -> None:
        """Play goes on although hands lay face up: who showed his thought that the deal was over (art. 24)."""
        this = self._sitting.this
        sure = action.seat is not None and action.confidence >= _SURE and not action.supposed
        if not sure or len(action.cards) != 1 or not isinstance(action, act.Draw | act.Collect):
            return
        for seat, cards in tuple(this.early.items()):
            if cards:
                shown = act.ShowHand(
                    t=action.t, committed_t=action.committed_t, seat=seat, cards=cards, basis=("sight",)
                )
                report(self._sitting, self._sitting.referee.judge(before, shown, (), before))

    def perform(self, movement: int, actions: tuple[act.Action, ...]) -> None:
        """Apply what a movement amounts to, one action after the other, and say what each is."""
        sitting = self._sitting
        if not actions:
            return
        self.check(actions[0].t, at_once=not isinstance(actions[0], act.TurnUp) or sitting.this.started)
        for action in actions:
            if sitting.deal is not None:
                self._act(action, movement, sitting.deal)

    def _act(self, action: act.Action, movement: int, before: Deal) -> None:
        """Apply one action and say what it is."""
        sitting = self._sitting
        faults = verify(before, action)
        self._thought_over(action, before)
        sitting.this.early.clear()
        step = Step(before, action, movement)
        sitting.this.steps.append(step)
        after = sitting.deal = step.done(before)
        if after.turn != before.turn:
            began = after.last_out if isinstance(action, act.Discard) and not after.begun else after.to_play
            sitting.say("turn.started", say.TurnStarted(), action.t, began, committed_t=action.committed_t)
        step.event = self._tell(action, before, after)
        if before.phase is Phase.DEALT and after.phase is not Phase.DEALT and sitting.this.pack_fault:
            self._pack_fault_in_play(action.t)
        report(sitting, sitting.referee.judge(before, action, faults, after))
        self._ending.acted(action)

    def _pack_fault_in_play(self, t: float) -> None:
        """Play has begun on a pack that was found wrong: art. 5 rules otherwise from the first draw on."""
        referee, key = self._sitting.referee, self._sitting.this.pack_fault or ""
        now = {"F-05a": "F-05b", "F-04d": "F-04k" if self._sitting.this.spare_pot else "F-04f"}
        for one in referee.open:
            if one.key == key and one.row.id in now:
                changed = referee.change(key, now[one.row.id], t)
                report(self._sitting, [changed] if changed else [])

    def _tell(self, action: act.Action, before: Deal, after: Deal) -> str | None:
        said = event_payloads.acted(action, before, after)
        if said is None:
            return None
        type_, data, secret = said
        return self._sitting.say(type_, data, action.t, action.seat, action=action, secret=secret).id


def _held(deal: Deal, zone: str) -> int:
    """Cards on the scale of ``zone`` by the ledger."""
    return deal.stock if zone == STOCK else sum(len(deal.at(place)) for place in deal.pots_left)


def _as_counted(deal: Deal, stock: int | None, pots: int | None) -> Deal:
    """``deal`` begun with the cards that were counted; what was turned up or announced before stays so."""
    fresh = Deal.begin(deal.book, deal.number, deal.dealer, stock, pots)
    if fresh.size != deal.book.pack_size:
        fresh = fresh.doubt_hands(SEATS)  # the cards that lack may have been dealt to a hand
    if deal.turned_up:
        fresh = fresh.turn_up(deal.pile)
    for zone in deal.places.unverified:
        fresh = fresh.doubt(zone)
    fresh = fresh.cloud() if deal.clouded else fresh
    return replace(fresh, dealer_discards_left=deal.dealer_discards_left)
