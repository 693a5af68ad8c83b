"""A round as a script: deals are dealt, the scarto made, combinations shown, tricks played, piles laid out.

Pure but for the ``random.Random`` that it is given: the same seed makes the same script.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from hw.cards import TAROCCO, face
from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.seats import ANTICLOCKWISE, LINES, SEATS, Line, Seat
from hw.twin.gestures import (
    ClearTable,
    ConsoleGesture,
    LayOut,
    Press,
    PutAside,
    PutDown,
    SetTable,
    TakeHeap,
    TakeUp,
    Tap,
)
from hw.twin.twin_table import TableKind
from hw.twin.world import ImpossibleGesture, boxed
from hw.zones import tricks
from table_service.games.tarocco.rehearsal.fault import TrickFault, TrickMoment, rules
from table_service.games.tarocco.rehearsal.faults import KINDS, MISDEALS
from table_service.games.tarocco.rehearsal.table_deal import FIVE, KEEPERS, TRICK, TableDeal
from table_service.games.tarocco.rules.card_points import MATTO, worth
from table_service.games.tarocco.rules.combinations import cricche, sequences
from table_service.games.tarocco.rules.score import LinePile, accuso_points, score_deal
from table_service.games.tarocco.rules.tricks import TRICKS, TRUMPS
from table_service.games.tricks.trick_play import TrickPlay
from table_service.rehearsal.game_rehearsal import Randoms, Unstageable, refuse_unknown
from table_service.rehearsal.script import LimitedTurn, Script, ScriptDealEnd

HABITS: Final = ("tidy", "lively")
"""How people handle the table: ``lively`` ones have each their own pace, knock for the fun of leading, wait."""
TRIES: Final = 60
"""So many deals are played in search of one in which a fault can happen."""
HAND: Final = 15
SHOWS: Final = 0.7
"""How often a player who holds a combination shows it."""
KNOCKS: Final = 0.15
"""How often a leader knocks where he may."""
PACES: Final = (0.75, 0.95)
STATES: Final = 0.03
"""How often, after a trick, the Giudice enters which cards it held; how often a signal is said and not knocked."""
NAMES: Final = 0.2
"""How often an accuso that was shown is entered as it was named as well."""


class Director:
    """Writes the script of one round; every fault of ``rows`` happens in one of the ``deals``, evenly spread."""

    def __init__(self, randoms: Randoms, deals: int, rows: Sequence[str], habits: str) -> None:
        self.randoms = randoms
        self.rng = randoms(1, 0)
        self.deals = deals
        self.rows = list(rows)
        self.lively = habits == "lively"
        self.script = Script(boxed(TAROCCO.cards(), TableKind(TAROCCO_TABLE, TAROCCO_LAYOUT, ANTICLOCKWISE)))
        people = randoms(1, -2)
        pace = people.uniform(*PACES)
        self.giudice = randoms(1, -3)
        """Chance of what the Giudice enters: apart, so that the cards are played as without it."""
        self.script.paces = {seat: people.uniform(*PACES) if self.lively else pace for seat in SEATS}
        self.running = {str(line): 0 for line in LINES}
        self.faults: list[TrickFault] = []

    def round(self) -> Script:
        """Return the whole round. Raises Unstageable."""
        self.script.do(ConsoleGesture("start-round", fields={"deals": self.deals}))
        dealer: Seat | None = None
        for number in range(1, self.deals + 1):
            dealer = ANTICLOCKWISE.next(self._fitting_deal(number, dealer))
        self.script.do(ConsoleGesture("end-round"))
        self.script.wait(3.0)
        return self.script

    def _fitting_deal(self, number: int, dealer: Seat | None) -> Seat:
        share = -(-len(self.rows) // (self.deals - number + 1))
        due = self.rows[:share]
        start, running = self.script.mark(), dict(self.running)
        for attempt in range(TRIES):
            self.rng = self.randoms(number, attempt)
            self.faults = [TrickFault(KINDS[row], self.rng.randint(*KINDS[row].tricks)) for row in due]
            who = dealer or self.rng.choice(SEATS)
            try:
                self._play_deal(number, who)
            except ImpossibleGesture:
                if not due:
                    raise
            if not self.faults and len(self.script.injected) - start.injected >= len(due):
                del self.rows[:share]
                return who
            self.script.back_to(start)
            self.running = dict(running)
        raise Unstageable(due, number, self.deals)

    def offer(self, moment: TrickMoment, deal: TableDeal, seat: Seat) -> bool:
        """Let a fault happen now where one is due; whether one did."""
        for fault in self.faults:
            if fault.is_due(moment, deal) and fault.kind.commit(deal, seat):
                self.faults.remove(fault)
                return True
        return False

    # -- a deal --------------------------------------------------------------------------------------------------------

    def _play_deal(self, number: int, dealer: Seat) -> None:
        if number > 1:
            self.script.do(ClearTable())
        deal = self._dealt(number, dealer, dealer)
        for fault in [one for one in self.faults if one.kind.misdeals]:
            deal = self._dealt_anew(deal, fault)
            self.faults.remove(fault)
        if not self.offer(TrickMoment.SCARTO, deal, deal.scartatore):
            self._scarto(deal)
        self.script.wait(self.rng.uniform(0.5, 2.0))
        while len(deal.play.taken) < HAND and not deal.over:
            self._trick(deal)
        for late in deal.rulings:
            late(deal.end_cue)
        self._count(deal)

    def _dealt_anew(self, deal: TableDeal, fault: TrickFault) -> TableDeal:
        """Return the deal that is played in the end, dealt anew after each row of ``fault`` (commas 7 and 8)."""
        rows, right = fault.kind.misdeals, ANTICLOCKWISE.next(deal.dealer)
        for place, row in enumerate(rows, start=1):
            MISDEALS[row](deal, deal.dealer)
            self.script.kept.append(
                LimitedTurn(row, deal.dealer, deal.number, "served", len(self.script.cues), "redeal")
            )
            lost = fault.kind.loses and place == len(rows)
            deal = self._dealt(deal.number, deal.dealer, right if lost else deal.dealer)
        return deal

    def _dealt(self, number: int, dealer: Seat, scartatore: Seat) -> TableDeal:
        rng = self.rng
        self.script.do(ConsoleGesture("deal", fields={"deal": number, "dealer": str(dealer)}))
        cards = list(TAROCCO.cards())
        rng.shuffle(cards)
        hands: dict[Seat, tuple[str, ...]] = {}
        seat, place = dealer, 0
        misdealt = self._misdealt(scartatore)
        for _ in ANTICLOCKWISE.seats:
            seat = ANTICLOCKWISE.next(seat)
            many = HAND + 2 * (seat is scartatore)
            if misdealt is not None and seat in misdealt:
                many += 1 if seat is misdealt[1] else -1
            hands[seat] = tuple(cards[place : place + many])
            place += many
        self.script.do(SetTable(hands))
        self.script.do(ConsoleGesture("start-play"))
        play = TrickPlay(TRICKS, ANTICLOCKWISE.next(dealer))
        return TableDeal(self.script, rng, number, dealer, scartatore, play, misdealt=misdealt)

    def _misdealt(self, scartatore: Seat) -> tuple[Seat, Seat] | None:
        """Seats that are dealt a card too few and one too many, if that is a fault of this deal."""
        if not any(fault.kind.misdealt for fault in self.faults):
            return None
        short, long = self.rng.sample([seat for seat in ANTICLOCKWISE.seats if seat is not scartatore], 2)
        return short, long

    def _scarto(self, deal: TableDeal) -> None:
        cheap = sorted(card for card in deal.hand(deal.scartatore) if worth(face(card)) != FIVE)
        make_scarto(deal, tuple(self.rng.sample(cheap, 2)))

    def _trick(self, deal: TableDeal) -> None:
        while (seat := deal.play.turn) is not None:
            if not deal.hand(seat):  # three cards were discarded: he has one too few
                self._without(deal, seat)
                break
            if not deal.play.taken:
                self._accuso(deal, seat)
            if self.offer(TrickMoment.TURN, deal, seat):
                if deal.over:
                    return
                continue
            leads = not deal.play.open.plays
            printed = self.choose(deal, seat)
            deal.lay(seat, printed)
            if leads:
                self._led(deal, seat, printed)
        self._gathered(deal)

    def _without(self, deal: TableDeal, seat: Seat) -> None:
        """Let the others lay to the last trick, to which ``seat`` has no card."""
        for other in (ANTICLOCKWISE.after(seat, turns) for turns in range(1, 4)):
            if deal.hand(other) and deal.play.open.card_of(other) is None:
                deal.lay(other, self.choose(deal, other))

    def _gathered(self, deal: TableDeal) -> None:
        """Gather the trick, with what the Giudice states and rules on it."""
        if self.lively and self.rng.random() < 0.1:
            self.script.wait(self.rng.uniform(0.3, 1.0))
        deal.gather()
        if self.lively and self.giudice.random() < STATES:
            last = deal.play.taken[-1]
            named = {"zone": TRICK, "row": last.number, "cards": [card for _, card in last.trick.plays]}
            self.script.do(ConsoleGesture("correct", fields=named))
        for row, seat in deal.to_rule:
            rules(deal, row, seat)
            deal.only_scartini.add(seat.line)
        deal.to_rule.clear()

    def choose(self, deal: TableDeal, seat: Seat) -> str:
        """Return a card that ``seat`` may play."""
        allowed = deal.allowed(seat)
        return self.rng.choice(allowed)

    def _led(self, deal: TableDeal, seat: Seat, printed: str) -> None:
        suit = TRICKS.suit(printed)
        lawful = suit == TRUMPS or (suit is not None and (deal.king_played(suit) or not deal.trumps_out()))
        if not lawful:
            return
        if self.lively and self.giudice.random() < STATES:
            said = self.giudice.choice(("busso", "striscio", "volo"))
            self.script.do(
                ConsoleGesture("said", fields={"seat": str(seat), "what": said}), deal.act("signal", seat, signal=said)
            )
        elif self.rng.random() < KNOCKS:
            self.script.do(Tap(seat, TRICK), deal.act("signal", seat, signal="busso"))

    def _accuso(self, deal: TableDeal, seat: Seat) -> None:
        if seat in deal.shown:
            return
        deal.shown.add(seat)
        shows = self.rng.random() < SHOWS and show_accuso(deal, seat) is not None
        if shows and self.lively and self.giudice.random() < NAMES:
            named = list(deal.accusi[seat.line][-1])
            self.script.do(ConsoleGesture("said", fields={"seat": str(seat), "what": "accuso", "cards": named}))

    def _count(self, deal: TableDeal) -> None:
        script, rng = self.script, self.rng
        script.wait(rng.uniform(2.0, 4.0))
        self.offer(TrickMoment.END, deal, deal.dealer)
        piles = {line: list(deal.won[line]) for line in LINES}
        piles[deal.scartatore.line] += map(face, deal.scarto)
        given = self._exchanged(deal, piles)
        lays = [(line, KEEPERS[line]) for line in LINES if deal.world.heap(tricks(line))]
        if not deal.over:
            for line, keeper in sorted(lays, key=lambda one: given is None or one[0] is not given[0]):
                script.do(TakeHeap(keeper, tricks(line)))
                if given is not None and line is given[0]:
                    script.do(PutDown(keeper, (f"{given[1]}#1",), tricks(line.other)))
            for _, keeper in lays:
                script.do(LayOut(keeper))
        script.wait(rng.uniform(4.0, 6.0))
        script.do(Press(rng.choice(SEATS), "count"), deal.act("count", deal.dealer))
        script.wait(rng.uniform(4.0, 8.0))
        self._ends(deal, piles)

    def _exchanged(self, deal: TableDeal, piles: dict[Line, list[str]]) -> tuple[Line, str] | None:
        """Return the Matto's exchange in ``piles``: which line gives which card, None if none is given."""
        if deal.matto is None or deal.over:
            return None
        owner, winner = deal.matto
        lines = {one.by.line for one in deal.play.taken if one.by is not None}
        if owner.line not in lines:  # without a trick the scarto and the Matto are the others'
            piles[owner.line.other] += piles[owner.line]
            piles[owner.line] = []
            return None
        if owner.line is winner.line:
            return None
        cheap = sorted(card for card in piles[owner.line] if card != MATTO and worth(card) == 1)
        if not cheap:
            raise ImpossibleGesture("no scartino to give for the Matto")
        given = self.rng.choice(cheap)
        piles[owner.line].remove(given)
        piles[owner.line.other].append(given)
        return owner.line, given

    def _ends(self, deal: TableDeal, piles: dict[Line, list[str]]) -> None:
        last = deal.play.taken[-1].by if deal.play.taken else None
        items: dict[str, dict[str, int]] = {str(line): {} for line in LINES}
        if deal.counts:
            score = score_deal(
                {
                    line: LinePile(
                        tuple(piles[line]),
                        last_trick=last is not None and last.line is line,
                        accusi=tuple(deal.accusi[line]),
                        only_scartini=line in deal.only_scartini,
                        penalty=deal.points[line],
                    )
                    for line in LINES
                }
            )
            items = {
                str(line): {name: value for name, value in score[line].items.items() if value is not None}
                for line in LINES
            }
        for line in LINES:
            self.running[str(line)] += sum(items[str(line)].values())
        self.script.ends.append(
            ScriptDealEnd(
                deal.number,
                deal.dealer,
                ANTICLOCKWISE.next(deal.dealer),
                deal.played,
                "played",
                last or deal.dealer,
                deal.end_cue,
                items,
                dict(self.running),
            )
        )


def make_scarto(deal: TableDeal, cards: tuple[str, ...], *, knocks: bool = True) -> int:
    """Discard ``cards`` to the pile of the scartatore's line and knock; return the cue of the discard."""
    who = deal.scartatore
    cue = deal.script.do(PutDown(who, cards, tricks(who.line)), deal.act("scarto", who, cards))
    deal.scarto = cards
    if knocks:
        deal.script.do(Tap(who))
    return cue


def combination_of(cards: Sequence[str]) -> tuple[str, ...]:
    """Return the faces of ``cards`` that make cricche or sequences, in a fixed order."""
    found = {card for one in (*cricche(cards).found, *sequences(cards).found) for card in one.cards}
    return tuple(sorted(found))


def show_accuso(deal: TableDeal, seat: Seat, *, counts: bool = True) -> int | None:
    """``seat`` shows its combinations and takes them back; the cue of the showing, None where it has none."""
    shown = combination_of(deal.faces(seat))
    if accuso_points(shown) == 0:
        return None
    cards = tuple(deal.physical(seat, printed) for printed in shown)
    cue = deal.script.do(PutAside(seat, cards), deal.act("accuso", seat, cards))
    deal.script.wait(deal.rng.uniform(2.0, 3.5))
    deal.script.do(TakeUp(seat, cards))
    if counts:
        deal.accusi[seat.line].append(shown)
    return cue


def direct(
    randoms: Randoms,
    deals: int,
    rows: Sequence[str],
    habits: str = "tidy",
    stage: str | None = None,  # noqa: ARG001
) -> Script:
    """Return the script of ``deals`` deals with one fault of each of ``rows``. Raises Unstageable, UnknownFault."""
    refuse_unknown(rows, KINDS)
    return Director(randoms, deals, rows, habits).round()


__all__ = ["HABITS", "direct"]
