"""A round as a script: the arbitro opens it, four players play its deals, faults are slipped in, the cards are counted.

Pure but for the ``random.Random`` that it is given: the same seed makes the same script.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from hw.cards import BURRACO
from hw.errors import TavoloError
from hw.seats import LINES, SEATS, Seat
from hw.twin.gestures import ClearTable, Command, Press, Say, SetTable, TurnShield
from hw.twin.world import ImpossibleGesture
from table_service.rehearsal.deal import LAST_CARDS, Deal, Limit
from table_service.rehearsal.fault import Fault, Moment
from table_service.rehearsal.faults import KINDS, planned
from table_service.rehearsal.habits import Habits, Person, people
from table_service.rehearsal.players import (
    Declined,
    Style,
    additions,
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
STALLS: Final = 0.04
"""How often a deal without a fault ends in a stalemate (art. 16)."""
MANNERS: Final = {"closing": "closed", "stock": "stock", "time-out": "time-out", "stalemate": "stalemate"}
"""The ends in whose last turn the arbitro can be asked to rule, and how each is told."""
STAGES: Final = ("mid", *MANNERS)
"""When a ruling can be staged: in mid-deal, or in the last turn of each kind of end."""
LAST_DRAWS: Final = 3
"""The last draws of a deal that is to end with the stock: nobody collects the pile any more."""
FEW: Final = 5
"""With so many cards in somebody's hand a staged time-out is called, so that his last turn can be a closing."""
LATE: Final = 60
"""The turn after which it is called in any case."""
TURNS_AT_MOST: Final = 160
TRIES: Final = 250
"""How many deals are looked through before a fault is given up."""
PACES: Final = (1.0, 1.0, 0.8, 0.6, 0.45)
"""How readily the four play their cards, by deal: some deals are over soon, others go on till the stock ends."""


Late = Callable[[Seat], None]
"""Something put off to the start of a later turn, whose seat it is given."""


class Director:
    """Writes the script of one round.

    ``randoms``: a source of chance for each deal and each try at it. Every fault of ``rows`` happens in one of the
    ``deals``, evenly spread; a deal is played again with other cards until its faults have found their moments.
    ``stage``: one of ``STAGES``, when the arbitro is to rule on them; None: when, and whether, as it comes.
    """

    def __init__(
        self,
        randoms: Callable[[int, int], random.Random],
        deals: int,
        rows: Sequence[str],
        habits: str,
        stage: str | None = None,
    ) -> None:
        self.randoms = randoms
        self.rng = randoms(1, 0)
        self.deals = deals
        self.rows = list(rows)
        self.stage = stage
        self.faults: list[Fault] = []
        self.share = 0
        self.script = Script()
        self.people: dict[Seat, Person] | None = None
        if habits == "lively":
            self.people, self.script.paces = people(randoms(1, -2))
        self.styles: dict[Seat, Style] = {}
        self.pace = 1.0
        self.running = {str(line): 0 for line in LINES}
        self.plans: dict[Seat, Late] = {}
        """What a seat does in its next turn, once it has drawn, before it plays."""
        self.later: list[tuple[int, Late]] = []
        """What happens before the turn after the numbered one."""

    def round(self) -> Script:
        """The whole round, from ``start-round`` to ``end-round``. Raises Unstageable."""
        self.script.do(Command("start-round", fields={"deals": self.deals, "minutes": MINUTES.get(self.deals, 42)}))
        dealer: Seat | None = None
        for number in range(1, self.deals + 1):
            dealer = self.fitting_deal(number, dealer).next
        self.script.do(Command("end-round"))
        self.script.wait(3.0)
        return self.script

    def fitting_deal(self, number: int, dealer: Seat | None) -> Seat:
        """Deal ``number`` with its share of the faults that are still to happen; who dealt it. Raises Unstageable."""
        left = self.deals - number + 1
        self.share = -(-len(self.rows) // left)
        start, running = self.script.mark(), dict(self.running)
        for attempt in range(TRIES if self.stage is None else 2 * TRIES):
            self.rng = self.randoms(number, attempt)
            self.faults = planned(self.rows, self.rng)
            if self.deals > 1:
                self.rng.shuffle(self.faults)
            if number == 1:
                self.styles = dict(zip(SEATS, random_styles(self.rng), strict=True))
            who = dealer or self.rng.choice(SEATS)
            try:
                self.play_deal(number, who, attempt)
            except ImpossibleGesture:
                if not self.rows:
                    raise
                # What one fault has left on the table does not bear what follows: another deal may.
                self.script.back_to(start)
                self.running = dict(running)
                continue
            happened = self._happened({fault.row for fault in self.script.injected[start.injected :]})
            begun = len(self.rows) - len(self.faults)
            if begun == self.share and len(happened) >= self.share and self._as_staged(start.cues):
                self.rows = [row for row in self.rows if row not in happened]
                return who
            self.script.back_to(start)
            self.running = dict(running)
        raise Unstageable(self.rows, number, self.deals)

    def _as_staged(self, begun: int) -> bool:
        """Whether the arbitro has ruled when he was to, in the deal whose cues begin with ``begun``."""
        if self.stage is None:
            return True
        end = self.script.ends[-1]
        ruled = {action.turn for cue in self.script.cues[begun:] for action in cue.actions if action.type == "ruled"}
        if self.stage == "mid":
            return any(turn < end.turns - 1 for turn in ruled)
        return end.manner == MANNERS[self.stage] and any(turn >= end.turns - 1 for turn in ruled)

    def put_off(self, deal: Deal, turn: int, late: Late) -> None:
        """Something is found before the turn after ``turn``; where an end is staged, once the deal is over."""
        if deal.end is None:
            self.later.append((turn, late))
        else:
            deal.after_end.append(late)

    def _happened(self, injected: set[str]) -> set[str]:
        """Which of the faults asked for were begun in this deal, and have come about: their rows are ``injected``."""
        waiting = {fault.kind.name for fault in self.faults}
        return {name for name in self.rows if name not in waiting and KINDS[name].row in injected}

    def play_deal(self, number: int, dealer: Seat, attempt: int = 0) -> None:
        """Deal, play, lay out, count."""
        deal = Deal(self.script, self.rng, number, dealer)
        self.pace = self.rng.choice(PACES)
        deal.staged = self.stage is not None
        if self.stage in MANNERS:
            deal.end, self.pace = self.stage, PACES[0 if self.stage == "closing" else -1]
        self.plans, self.later = {}, []
        if self.people is not None:
            # A source of its own: the same cards are played the same way, however people handle them.
            self.script.habits = Habits(self.people, random.Random(f"{self.randoms(number, -3).random()}/{attempt}"))  # noqa: S311 - a simulation
        self._set_up(deal)
        self._play(deal)
        self._count(deal)

    def _set_up(self, deal: Deal) -> None:
        if deal.number > 1:
            self.script.do(ClearTable())
        self.offer(Moment.SET_UP, deal, deal.dealer)
        self.deal_out(deal)
        self.offer(Moment.DEALT, deal, deal.dealer)
        deal.turn_up()

    def deal_out(self, deal: Deal) -> None:
        """The arbitro names the dealer, the cards are shuffled and dealt, play may start."""
        script, rng = self.script, self.rng
        script.do(Command("deal", fields={"deal": deal.number, "dealer": str(deal.dealer)}))
        whole = set(script.world.box) == set(BURRACO.cards())
        cards = list(BURRACO.cards()) if whole else sorted(script.world.box)
        rng.shuffle(cards)
        _give(cards, deal.dealt)
        hands = {seat: tuple(cards[n * HAND : (n + 1) * HAND]) for n, seat in enumerate(SEATS)}
        rest = cards[4 * HAND :]
        first, second = deal.pot_sizes
        pots: tuple[tuple[str, ...], ...] = (tuple(rest[:first]), tuple(rest[first : first + second]))
        if deal.old_pot:
            pots = (*pots, tuple(rest[first + second : first + second + deal.old_pot]))
        script.do(SetTable(hands, pots, tuple(rest[first + second + deal.old_pot + deal.short :])))
        script.do(Command("start-play"))

    def _play(self, deal: Deal) -> None:
        seat = deal.dealer.next
        rng = self.rng
        chance = self.randoms(deal.number, -1)
        stalls = chance.randint(12, 40) if not self.rows and chance.random() < STALLS else None
        time_out = rng.randint(6, 30) if deal.number == self.deals and rng.random() < TIMES_OUT else None
        if deal.end is not None:
            stalls = rng.randint(12, 40) if deal.end == "stalemate" else None
            time_out = rng.randint(6, 30) if deal.end == "time-out" else None
        while deal.over is None and deal.turn < TURNS_AT_MOST:
            if time_out is not None and deal.turn >= time_out and deal.last_turn is None and self._is_late(deal):
                deal.time_out(seat)
            for turn, late in self.later[:]:
                if deal.turn >= turn:
                    self.later.remove((turn, late))
                    late(seat)
            if stalls is not None and deal.turn >= stalls and self.stalemate(deal, seat):
                return
            self.offer(Moment.BEFORE_TURN, deal, seat)
            deal.turn += 1
            self.play_turn(deal, seat)
            if deal.over is None:
                self.exhausted(deal, seat)
            seat = seat.next

    @staticmethod
    def _is_late(deal: Deal) -> bool:
        """Whether a time-out may come now: one that is staged does so when somebody has few cards left."""
        few = any(len(deal.world.hands[seat]) <= FEW for seat in SEATS)
        return deal.end is None or few or deal.turn > LATE

    def exhausted(self, deal: Deal, seat: Seat) -> bool:
        """End the deal where ``seat`` has played its last turn (arts. 15, 17); whether it had."""
        if len(deal.world.stock) <= LAST_CARDS:
            deal.ends("stock", seat, deal.last_discard)
        elif deal.last_turn == deal.turn:
            deal.ends("time-out", seat, deal.last_discard)
        return deal.over is not None

    def stalemate(self, deal: Deal, seat: Seat) -> bool:
        """All four only change a card; the arbitro is called, watches four more and stops the deal (art. 16).

        He enters that he has come, or nothing until he declares the stalemate.


        Whether it came to that: everybody needs a card to change, and nothing may be pending.
        """
        pending = any(deal.owed.values()) or deal.limits or deal.last_turn is not None
        if pending or len(deal.world.stock) < 8 or not all(deal.world.hands.values()):
            return False
        arrives = deal.turn % 2 == 0
        for change in range(8):
            if change == 4:
                deal.call(seat)
                if arrives:
                    deal.arrives(seat)
            deal.stalling = change == 7
            self.offer(Moment.BEFORE_TURN, deal, seat)
            deal.turn += 1
            deal.took(seat, deal.collect(seat))
            card = choose_discard(deal.view(seat), self.styles[seat], self.rng)
            cue = deal.discard(seat, card)
            seat = seat.next
        if not arrives:
            deal.stopped(seat)
        deal.ends("stalemate", seat, cue)
        return True

    def offer(self, moment: Moment, deal: Deal, seat: Seat) -> bool:
        """Let a fault happen now, where one is due and the deal has not had its share; whether one did."""
        for fault in self.faults:
            if len(self.rows) - len(self.faults) >= self.share:
                return False
            if fault.due(moment, deal, seat) and fault.commit(self, deal, seat):
                self.faults.remove(fault)
                return True
        return False

    # A turn

    def play_turn(self, deal: Deal, seat: Seat) -> None:
        """``seat`` plays its turn, by the rules and by what the arbitro has left it."""
        deal.taking = False
        limit = deal.limits.pop(seat, None)
        if limit is None and self.offer(Moment.INSTEAD_OF_TAKING, deal, seat):
            return
        ended = self.take(deal, seat, limit)
        broken = False
        if not ended:
            plan = self.plans.pop(seat, None)
            if plan is not None and (limit is None or not limit.row):
                plan(seat)
            elif limit is not None:
                broken = limit.breaks and self._breaks(deal, seat, limit)
            else:
                self.play_cards(deal, seat)
            self.thaw(deal, seat)
            if deal.over is None and deal.turn_open and not self.offer(Moment.BEFORE_DISCARD, deal, seat):
                self.end_turn(deal, seat)
        deal.turn_open = True
        if limit is not None and limit.row and not broken:
            deal.kept(limit.row, seat, "served", len(self.script.cues) - 1)

    def _breaks(self, deal: Deal, seat: Seat, limit: Limit) -> bool:
        """``seat`` plays though its turn is limited; whether it could."""
        view = deal.view(seat)
        plays = [play for play in additions(view.hand, view.own) if len(view.hand) - len(play.cards) >= 2]
        if not plays:
            return False
        deal.kept(limit.row, seat, "broken", deal.lay(seat, self.rng.choice(plays)))
        return True

    def thaw(self, deal: Deal, seat: Seat) -> None:
        """A turn of ``seat`` is over, as far as freezes count turns."""
        for row, freeze in tuple(deal.frozen.items()):
            if freeze.seat is seat:
                deal.frozen[row] = replace(freeze, turns=freeze.turns - 1)
        deal.frozen = {row: freeze for row, freeze in deal.frozen.items() if freeze.turns > 0}

    def take(self, deal: Deal, seat: Seat, limit: Limit | None) -> bool:
        """Draw or collect; True where that ended the turn."""
        rng = self.rng
        pile = deal.world.pile
        must = limit.must if limit else None
        if deal.end == "stock" and len(deal.world.stock) <= LAST_CARDS + LAST_DRAWS:
            must = must or "draw"
        may_draw = len(deal.world.stock) > LAST_CARDS
        collects = must == "collect" or (must is None and wants_pile(deal.view(seat), self.styles[seat], rng))
        deal.barred = None
        if pile and (collects or not may_draw) and must != "draw":
            leaves_one = len(pile) >= 3 and not limit and not deal.owed.get(seat) and rng.random() < LEAVES_ONE
            deal.took(seat, deal.collect(seat, 1 if leaves_one else 0))
            return leaves_one
        deal.took(seat, deal.draw(seat))
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
                self.take_pot(deal, seat, "in-flight")
                if not deal.turn_open or self.offer(Moment.AFTER_FLIGHT, deal, seat):
                    deal.turn_open = False
                    return
                declined.clear()

    def take_pot(self, deal: Deal, seat: Seat, manner: str) -> None:
        """``seat`` takes the pot that is its line's."""
        deal.flight = manner == "in-flight"
        if not self.offer(Moment.TAKING_POT, deal, seat):
            deal.take_pot(seat, manner)

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
        if not self.exhausted(deal, seat) and not deal.hand(seat):
            self.take_pot(deal, seat, "discard")

    # The count

    def _count(self, deal: Deal) -> None:
        script, rng = self.script, self.rng
        manner = deal.over or "stalemate"
        who = deal.closed_by or deal.dealer
        for seat in SEATS:
            if deal.world.sides[seat]:
                left = deal.world.sides[seat]
                deal.inject("F-25d", seat, "left at the side", left, deal.end_cue, demanded=False)
        script.wait(rng.uniform(2.0, 5.0))
        for late in deal.after_end:
            late(deal.dealer)
        self.offer(Moment.COUNT, deal, deal.dealer)
        deal.lay_out()
        script.wait(rng.uniform(3.0, 6.0))
        if rng.random() < 0.7:
            script.do(Press(rng.choice(SEATS), "count"), deal.act("count", who))
        script.wait(rng.uniform(6.0, 12.0))
        scored = deal.score()
        if script.habits is not None:
            for gesture in script.habits.gathers(script.world):
                script.do(gesture)
            script.wait(rng.uniform(2.0, 6.0))
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


def _give(cards: list[str], dealt: Mapping[Seat, Sequence[str]]) -> None:
    """Move the cards of ``dealt`` into the part of ``cards`` that their seat is dealt; others make room."""
    for n, seat in enumerate(SEATS):
        for place, card in enumerate(dealt.get(seat, ()), start=n * HAND):
            now = cards.index(card)
            cards[now], cards[place] = cards[place], cards[now]


class Unstageable(TavoloError, ValueError):  # noqa: N818 - it names what was asked for
    """Rows for which no deal was found in which they can happen; the message names them."""

    def __init__(self, rows: Sequence[str], number: int, deals: int) -> None:
        named = ", ".join(rows[:4]) + (f" and {len(rows) - 4} more" if len(rows) > 4 else "")
        advice = "take another seed" if len(rows) <= deals - number + 1 else "take more deals or another seed"
        super().__init__(f"no deal was found in which {named} can happen (deal {number} of {deals}): {advice}")
        self.rows = tuple(rows)


def direct(
    randoms: Callable[[int, int], random.Random],
    deals: int,
    rows: Sequence[str],
    habits: str = "tidy",
    stage: str | None = None,
) -> Script:
    """The script of a round of ``deals`` deals with one fault of each of ``rows``, spread over the deals.

    ``randoms`` gives the source of chance for a deal and a try at it; ``habits``: one of ``HABITS``; ``stage``: one of
    ``STAGES``, when the arbitro rules on them. Raises Unstageable, UnknownFault.
    """
    return Director(randoms, deals, rows, habits, stage).round()
