"""A round as a script: the arbitro opens it, four players play its deals, faults are slipped in, the cards are counted.

Pure but for the ``random.Random`` that it is given: the same seed makes the same script.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from math import inf
from typing import Final

from hw.cards import BURRACO
from hw.seats import LINES, SEATS, Seat
from hw.twin.gestures import ClearTable, ConsoleGesture, Press
from hw.twin.twin_table import DRAWN, TableKind
from hw.twin.world import ImpossibleGesture, boxed
from table_service.games.burraco.rehearsal import arbitro_acts, deal_end, scripted_acts, shuffling, turns
from table_service.games.burraco.rehearsal.customs import FIBUR2024, Customs
from table_service.games.burraco.rehearsal.fault import DealFaultKind, DealMoment, StagedFault
from table_service.games.burraco.rehearsal.faults import KINDS, planned
from table_service.games.burraco.rehearsal.habits import PlayerHabits, TableHabits, people
from table_service.games.burraco.rehearsal.players import (
    Style,
    choose_discard,
    random_styles,
)
from table_service.games.burraco.rehearsal.simulated_deal import SimulatedDeal
from table_service.games.burraco.rehearsal.unseen_cards import give
from table_service.games.burraco.rehearsal.unseen_hands import hide_some_hands
from table_service.games.burraco.rehearsal.wishes import IN_ANY_DEAL, WISHES
from table_service.rehearsal.game_rehearsal import Randoms, Unstageable
from table_service.rehearsal.script import Script, ScriptDealEnd

TIMES_OUT: Final = 0.06
"""How often the time of the round is up during its last deal (art. 15)."""
STALLS: Final = 0.04
"""How often a deal without a fault ends in a stalemate (art. 16)."""
MANNERS: Final = {"closing": "closed", "stock": "stock", "time-out": "time-out", "stalemate": "stalemate"}
"""The ends in whose last turn the arbitro can be asked to rule, and how each is told."""
STAGES: Final = ("mid", *MANNERS)
"""When a ruling can be staged: in mid-deal, or in the last turn of each kind of end."""
KEPT: Final = (2, 2, 3, 5, 8)
"""With how few cards players go on, by deal, where one is to end by its stock or its time and not by a closing."""
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
    ``customs``: how the code has people play; ``kinds``: the faults that can be staged under it; ``table``: with who
    sits at it.
    """

    def __init__(
        self,
        randoms: Randoms,
        deals: int,
        rows: Sequence[str],
        habits: str,
        stage: str | None = None,
        customs: Customs = FIBUR2024,
        kinds: Mapping[str, DealFaultKind] = KINDS,
        table: TableKind = DRAWN,
    ) -> None:
        self.customs = customs
        self.kinds = kinds
        self.randoms = randoms
        self.rng = randoms(1, 0)
        self.deals = deals
        self.rows = list(rows)
        self.stage = stage
        self.faults: list[StagedFault] = []
        self.share = 0
        self.script = Script(boxed(BURRACO.cards(), table))
        self.seats = table.rotation.seats
        self.habits: TableHabits | None = None
        self.people: dict[Seat, PlayerHabits] | None = None
        if habits == "lively":
            self.people, self.script.paces = people(randoms(1, -2), table.rotation.seats)
        self.styles: dict[Seat, Style] = {}
        self.pace = 1.0
        self.running = {str(line): 0 for line in LINES}
        self.plans: dict[Seat, Late] = {}
        """What a seat does in its next turn, once it has drawn, before it plays."""
        self.later: list[tuple[int, Late]] = []
        """What happens before the turn after the numbered one."""

    def round(self) -> Script:
        """Return the whole round, from ``start-round`` to ``end-round``. Raises Unstageable."""
        minutes = self.customs.minutes  # a single deal is given the longest time
        length = {"minutes": minutes.get(self.deals, max(minutes.values()))} if minutes else {}
        self.script.do(ConsoleGesture("start-round", fields={"deals": self.deals, **length}))
        dealer: Seat | None = None
        for number in range(1, self.deals + 1):
            dealer = self.script.world.table.rotation.next(self.fitting_deal(number, dealer))
        self.script.do(ConsoleGesture("end-round"))
        self.script.wait(3.0)
        return self.script

    def fitting_deal(self, number: int, dealer: Seat | None) -> Seat:
        """Deal ``number`` with its share of the faults that are still to happen; who dealt it. Raises Unstageable."""
        left = self.deals - number + 1
        self.share = -(-len(self.rows) // left)
        start, running = self.script.mark(), dict(self.running)
        for attempt in range(TRIES if self.stage is None else 2 * TRIES):
            self.rng = self.randoms(number, attempt)
            self.faults = planned(self.rows, self.rng, self.kinds)
            if self.deals > 1:
                self.rng.shuffle(self.faults)
            if number == 1:
                self.styles = dict(zip(SEATS, random_styles(self.rng), strict=True))
            who = dealer or self.rng.choice(self.seats)
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
                if self.stage is not None:
                    hide_some_hands(self.script, start.cues, self.randoms(number, -4))
                self.rows = [row for row in self.rows if row not in happened]
                return who
            self.script.back_to(start)
            self.running = dict(running)
        raise Unstageable(self.rows, number, self.deals)

    def _as_staged(self, begun: int) -> bool:
        """Return True if the arbitro has ruled when he was to, in the deal whose cues begin with ``begun``."""
        if self.stage is None:
            return True
        end = self.script.ends[-1]
        ruled = {action.turn for cue in self.script.cues[begun:] for action in cue.actions if action.type == "ruled"}
        if self.stage == "mid":
            return any(turn < end.turns - 1 for turn in ruled)
        if self.stage == "closing" and any(self.kinds[row].own for row in self.rows):
            return bool(ruled)  # what would have closed the deal has not: it ends as it comes
        return end.manner == MANNERS[self.stage] and any(turn >= end.turns - 1 for turn in ruled)

    def put_off(self, deal: SimulatedDeal, turn: int, late: Late) -> None:
        """Something is found before the turn after ``turn``; where an end is staged, once the deal is over."""
        if deal.end is None:
            self.later.append((turn, late))
        else:
            deal.after_end.append(late)

    def _happened(self, injected: set[str]) -> set[str]:
        """Names of the requested faults that were begun in this deal and have come about: rows in ``injected``."""
        waiting = {fault.kind.name for fault in self.faults}
        return {name for name in self.rows if name not in waiting and self.kinds[name].row in injected}

    def play_deal(self, number: int, dealer: Seat, attempt: int = 0) -> None:
        """Deal, play, lay out, count."""
        deal = SimulatedDeal(self.script, self.rng, number, dealer, self.customs)
        self.pace = self.rng.choice(PACES)
        deal.staged = self.stage is not None
        if self.stage in MANNERS:
            deal.end, self.pace = self.stage, PACES[0 if self.stage == "closing" else -1]
            deal.keeps = self.rng.choice(KEPT) if self.stage in ("stock", "time-out") else 0
            deal.leaves_pot = any(self.kinds[row].to_pot for row in self.rows)
        self.plans, self.later = {}, []
        if self.people is not None:
            # A source of its own: the same cards are played the same way, however people handle them.
            handling = random.Random(f"{self.randoms(number, -3).random()}/{attempt}")  # noqa: S311 - a simulation
            self.habits = self.script.habits = TableHabits(self.people, handling)
        self._set_up(deal)
        self._play(deal)
        self._count(deal)

    def _set_up(self, deal: SimulatedDeal) -> None:
        if deal.number > 1:
            self.script.do(ClearTable())
        self.offer(DealMoment.SET_UP, deal, deal.dealer)
        shuffling.deal_out(self.script, self.rng, deal)
        self.offer(DealMoment.DEALT, deal, deal.dealer)
        scripted_acts.turn_up(deal)

    def _play(self, deal: SimulatedDeal) -> None:
        seat = deal.next(deal.dealer)
        stalls, time_out = self._ends_from(deal)
        while deal.over is None and deal.turn < TURNS_AT_MOST:
            if deal.turn >= time_out and deal.last_turn is None and self._is_late(deal):
                arbitro_acts.time_out(deal, seat)
            self._come_to_light(deal, seat)
            if deal.turn >= stalls and self.stalemate(deal, seat):
                return
            self.offer(DealMoment.BEFORE_TURN, deal, seat)
            deal.turn += 1
            turns.play_turn(self, deal, seat)
            if deal.over is None:
                turns.exhausted(deal, seat)
            seat = deal.next(seat)

    def _ends_from(self, deal: SimulatedDeal) -> tuple[float, float]:
        """From which turns on a stalemate and a time-out may come; infinity where none does."""
        rng, chance = self.rng, self.randoms(deal.number, -1)
        stalls = chance.randint(12, 40) if not self.rows and chance.random() < STALLS and self.customs.stalls else inf
        time_out = rng.randint(6, 30) if deal.number == self.deals and rng.random() < TIMES_OUT else inf
        time_out = time_out if self.customs.minutes else inf
        if deal.end is not None:
            stalls = rng.randint(12, 40) if deal.end == "stalemate" else inf
            time_out = rng.randint(6, 30) if deal.end == "time-out" else inf
        return stalls, time_out

    def _come_to_light(self, deal: SimulatedDeal, seat: Seat) -> None:
        """Run what was put off to this turn, which ``seat`` is about to play."""
        for turn, late in self.later[:]:
            if deal.turn >= turn:
                self.later.remove((turn, late))
                late(seat)

    @staticmethod
    def _is_late(deal: SimulatedDeal) -> bool:
        """Return True if a time-out may come now: one that is staged does so when a player has few cards left."""
        few = any(len(deal.world.hands[seat]) <= FEW for seat in deal.seats)
        return deal.end is None or few or deal.turn > LATE

    def stalemate(self, deal: SimulatedDeal, seat: Seat) -> bool:
        """All four only change a card; the arbitro is called, watches them do so again and stops the deal (art. 16).

        He enters that he has come, or nothing until he declares the stalemate. Whether it came to that: everybody
        needs a card to change, and nothing may be pending.
        """
        pending = any(deal.owed.values()) or deal.limits or deal.last_turn is not None
        if pending or len(deal.stock) < 8 or not all(deal.world.hands.values()):
            return False
        arrives = deal.turn % 2 == 0
        exchanges = len(deal.seats) + self.customs.exchanges
        for change in range(exchanges):
            if change == len(deal.seats):
                arbitro_acts.call(deal, seat)
                if arrives:
                    arbitro_acts.arrives(deal, seat)
            deal.stalling = change == exchanges - 1
            self.offer(DealMoment.BEFORE_TURN, deal, seat)
            deal.turn += 1
            scripted_acts.took(deal, seat, scripted_acts.collect(deal, seat))
            card = choose_discard(deal.view(seat), self.styles[seat], self.rng)
            cue = scripted_acts.discard(deal, seat, card)
            seat = deal.next(seat)
        if not arrives:
            arbitro_acts.stopped(deal, seat)
        deal_end.ends(deal, "stalemate", seat, cue)
        return True

    def offer(self, moment: DealMoment, deal: SimulatedDeal, seat: Seat) -> bool:
        """Let a fault happen now, where one is due and the deal has not had its share; whether one did."""
        for fault in self.faults:
            if len(self.rows) - len(self.faults) >= self.share:
                return False
            if fault.due(moment, deal, seat) and (fault.commit(self, deal, seat) or self._granted(fault, deal, seat)):
                self.faults.remove(fault)
                return True
        return False

    def _granted(self, fault: StagedFault, deal: SimulatedDeal, seat: Seat) -> bool:
        """Deal ``seat`` the cards that a staged ``fault`` needs, where nobody can know of it; whether it came about.

        Where somebody is to go out later, the others keep what they hold.
        """
        wish = WISHES.get(fault.kind.name) or WISHES.get(fault.kind.row)
        if wish is None or not (deal.staged or fault.kind.name in IN_ANY_DEAL):
            return False
        others = [one for one in deal.seats if one is not seat] if deal.end == "closing" else []
        return any(
            give(self.script, seat, wanted, others) and fault.commit(self, deal, seat) for wanted in wish(deal, seat)
        )

    # The count

    def _count(self, deal: SimulatedDeal) -> None:
        script, rng = self.script, self.rng
        manner = deal.over or "stalemate"
        who = deal.closed_by or deal.dealer
        for seat in deal.seats:
            if deal.world.sides[seat]:
                left = deal.world.sides[seat]
                deal.inject(self.customs.left_row, seat, "left at the side", left, deal.end_cue, demanded=False)
        script.wait(rng.uniform(2.0, 5.0))
        for late in deal.after_end:
            late(deal.dealer)
        self.offer(DealMoment.COUNT, deal, deal.dealer)
        deal_end.lay_out(deal)
        script.wait(rng.uniform(3.0, 6.0))
        if rng.random() < 0.7:
            script.do(Press(rng.choice(deal.seats), "count"), deal.act("count", who))
        script.wait(rng.uniform(6.0, 12.0))
        scored = deal_end.score(deal)
        if self.habits is not None:
            for gesture in self.habits.gathers(script.world):
                script.do(gesture)
            script.wait(rng.uniform(2.0, 6.0))
        for line, found in scored.items():
            self.running[line] += sum(found.values())
        script.ends.append(
            ScriptDealEnd(
                deal.number,
                deal.dealer,
                deal.next(deal.dealer),
                deal.turn,
                manner,
                who,
                deal.end_cue,
                scored,
                dict(self.running),
            )
        )


def direct(
    randoms: Randoms,
    deals: int,
    rows: Sequence[str],
    habits: str = "tidy",
    stage: str | None = None,
    customs: Customs = FIBUR2024,
    kinds: Mapping[str, DealFaultKind] = KINDS,
    table: TableKind = DRAWN,
) -> Script:
    """Return the script of a round of ``deals`` deals with one fault of each of ``rows``, spread over the deals.

    ``randoms`` gives the source of chance for a deal and a try at it; ``habits``: one of ``HABITS``; ``stage``: one of
    ``STAGES``, when the arbitro rules on them. Raises Unstageable, UnknownFault.
    """
    return Director(randoms, deals, rows, habits, stage, customs, kinds, table).round()
