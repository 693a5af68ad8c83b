"""A round as a script: the arbitro opens it, four players play its deals, faults are slipped in, the cards are counted.

Pure but for the ``random.Random`` that it is given: the same seed makes the same script.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from hw.cards import BURRACO
from hw.seats import LINES, SEATS, Seat
from hw.twin.gestures import ClearTable, Command, Press, Say, SetTable, TurnShield
from table_service.rehearsal.deal import LAST_CARDS, Deal, Limit
from table_service.rehearsal.fault import Fault, Moment
from table_service.rehearsal.faults import planned
from table_service.rehearsal.players import (
    Declined,
    Style,
    choose_discard,
    choose_play,
    random_styles,
    wants_pile,
)
from table_service.rehearsal.script import DealEnd, Script

MINUTES: Final = {1: 42, 2: 25, 3: 32, 4: 42}
"""How long a round of so many deals lasts (art. 6); a single deal is given the longest."""
HAND, POT = 11, 11
LEAVES_ONE: Final = 0.01
"""How often a player who collects leaves one card as his discard (art. 9)."""
TIMES_OUT: Final = 0.06
"""How often the time of the round is up during its last deal (art. 15)."""
TURNS_AT_MOST: Final = 160
PACES: Final = (1.0, 1.0, 0.8, 0.6, 0.45)
"""How readily the four play their cards, by deal: some deals are over soon, others go on till the stock ends."""


class Director:
    """Writes the script of one round."""

    def __init__(self, rng: random.Random, deals: int, faults: Sequence[Fault]) -> None:
        """``faults``: one list for the round; each knows in which deal and from which turn on it may happen."""
        self.rng = rng
        self.deals = deals
        self.faults = list(faults)
        self.script = Script()
        self.styles: dict[Seat, Style] = dict(zip(SEATS, random_styles(rng), strict=True))
        self.pace = 1.0
        self.running = {str(line): 0 for line in LINES}

    def round(self) -> Script:
        """The whole round, from ``start-round`` to ``end-round``."""
        script, rng = self.script, self.rng
        script.do(Command("start-round", fields={"deals": self.deals, "minutes": MINUTES.get(self.deals, 42)}))
        dealer = rng.choice(SEATS)
        for number in range(1, self.deals + 1):
            self.play_deal(number, dealer)
            dealer = dealer.next
        script.do(Command("end-round"))
        script.wait(3.0)
        return script

    def play_deal(self, number: int, dealer: Seat) -> None:
        """Deal, play, lay out, count."""
        deal = Deal(self.script, self.rng, number, dealer)
        self.pace = self.rng.choice(PACES)
        self._set_up(deal)
        self._play(deal)
        self._count(deal)

    def _set_up(self, deal: Deal) -> None:
        script, rng = self.script, self.rng
        if deal.number > 1:
            script.do(ClearTable())
        script.do(Command("deal", fields={"deal": deal.number, "dealer": str(deal.dealer)}))
        cards = list(BURRACO.cards())
        rng.shuffle(cards)
        hands = {seat: tuple(cards[n * HAND : (n + 1) * HAND]) for n, seat in enumerate(SEATS)}
        rest = cards[4 * HAND :]
        pots = (tuple(rest[:POT]), tuple(rest[POT : 2 * POT]))
        script.do(SetTable(hands, pots, tuple(rest[2 * POT :])))
        script.do(Command("start-play"))
        deal.turn_up()

    def _play(self, deal: Deal) -> None:
        seat = deal.dealer.next
        rng = self.rng
        time_out = rng.randint(6, 30) if deal.number == self.deals and rng.random() < TIMES_OUT else None
        while deal.over is None and deal.turn < TURNS_AT_MOST:
            if time_out is not None and deal.turn >= time_out and deal.last_turn is None:
                deal.time_out(seat)
            self.offer(Moment.BEFORE_TURN, deal, seat)
            deal.turn += 1
            self.play_turn(deal, seat)
            seat = seat.next

    def offer(self, moment: Moment, deal: Deal, seat: Seat) -> bool:
        """Let a fault happen now, where one is due; whether one did."""
        for fault in self.faults:
            if fault.due(moment, deal) and fault.commit(self, deal, seat):
                self.faults.remove(fault)
                return True
        return False

    # A turn

    def play_turn(self, deal: Deal, seat: Seat) -> None:
        """``seat`` plays its turn, by the rules and by what the arbitro has left it."""
        limit = deal.limits.pop(seat, None)
        if limit is None and self.offer(Moment.INSTEAD_OF_TAKING, deal, seat):
            return
        ended = self.take(deal, seat, limit)
        if ended:
            return
        if limit is None:
            self.play_cards(deal, seat)
        self._thaw(deal, seat)
        if deal.over is None and not self.offer(Moment.BEFORE_DISCARD, deal, seat):
            self.end_turn(deal, seat)

    def _thaw(self, deal: Deal, seat: Seat) -> None:
        deal.frozen = {row: who for row, who in deal.frozen.items() if who is not seat}

    def take(self, deal: Deal, seat: Seat, limit: Limit | None) -> bool:
        """Draw or collect; True where that ended the turn."""
        rng = self.rng
        pile = deal.world.pile
        must = limit.must if limit else None
        may_draw = len(deal.world.stock) > LAST_CARDS
        collects = must == "collect" or (must is None and wants_pile(deal.view(seat), self.styles[seat], rng))
        deal.barred = None
        if pile and (collects or not may_draw) and must != "draw":
            leaves_one = len(pile) >= 3 and not limit and not deal.owed.get(seat) and rng.random() < LEAVES_ONE
            deal.collect(seat, 1 if leaves_one else 0)
            return leaves_one
        deal.draw(seat)
        self.offer(Moment.AFTER_DRAW, deal, seat)
        return False

    def play_cards(self, deal: Deal, seat: Seat) -> None:
        """Open and extend as long as ``seat`` likes, taking the pot in flight where the hand is played out."""
        declined: Declined = set()
        own = self.styles[seat]
        style = replace(own, opens=own.opens * self.pace, extends=own.extends * self.pace)
        while True:
            play = choose_play(deal.view(seat), style, self.rng, declined)
            if play is None:
                return
            deal.lay(seat, play)
            if not deal.hand(seat):
                deal.take_pot(seat, "in-flight")
                declined.clear()

    def end_turn(self, deal: Deal, seat: Seat) -> None:
        """Discard, and what follows from it: pot, closing, the end of the stock."""
        card = choose_discard(deal.view(seat), self.styles[seat], self.rng)
        self.finish_with(deal, seat, card)

    def finish_with(self, deal: Deal, seat: Seat, card: str) -> None:
        """``seat`` discards ``card`` and that has its consequences."""
        closes = len(deal.hand(seat)) == 1 and deal.pot_taken(seat.line)
        if closes and self.rng.random() < 0.4:
            self.script.do(Say(seat, "close"))
        cue = deal.discard(seat, card)
        if closes:
            self.script.do(TurnShield(seat, "over"))
            deal.ends("closed", seat, cue)
            return
        if len(deal.world.stock) <= LAST_CARDS:
            deal.ends("stock", seat, cue)
        elif deal.last_turn == deal.turn:
            deal.ends("time-out", seat, cue)
        elif not deal.hand(seat):
            deal.take_pot(seat, "discard")

    # The count

    def _count(self, deal: Deal) -> None:
        script, rng = self.script, self.rng
        manner = deal.over or "stalemate"
        who = deal.closed_by or deal.dealer
        script.wait(rng.uniform(2.0, 5.0))
        deal.lay_out()
        script.wait(rng.uniform(3.0, 6.0))
        if rng.random() < 0.7:
            script.do(Press(rng.choice(SEATS), "count"), deal.act("count", who))
        script.wait(rng.uniform(6.0, 12.0))
        scored = deal.score()
        for line, found in scored.items():
            self.running[line] += sum(found.values())
        script.ends.append(
            DealEnd(
                deal.number,
                deal.dealer,
                deal.dealer.next,
                deal.turn,
                manner,
                who,
                deal.end_cue,
                scored,
                dict(self.running),
            )
        )


def direct(rng: random.Random, deals: int, rows: Sequence[str]) -> Script:
    """The script of a round of ``deals`` deals with one fault of each of ``rows``, spread over the deals.

    Where a fault finds no suitable moment the script has none of that row: ``Script.injected`` tells.
    """
    return Director(rng, deals, planned(rows, deals, rng)).round()
