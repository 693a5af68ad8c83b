"""Players of any trick-taking code: by chance they play what they may, and one plays out of turn if that is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from hw.cards import face
from hw.equipment import Equipment
from hw.layout import Layout
from hw.seats import LINES, Seat
from hw.twin.gestures import (
    ClearTable,
    ConsoleGesture,
    DrawGesture,
    PlayGesture,
    Press,
    SetTable,
    TakeFromPile,
    TakeTrick,
    TakeUp,
    TurnUpGesture,
)
from hw.twin.twin_table import BUTTONS, TableKind
from hw.twin.world import boxed
from table_service.games.tricks.rehearsal.trick_moves import compare_moves
from table_service.games.tricks.trick_code import STOCK, TrickCode, total
from table_service.games.tricks.trick_deal import first
from table_service.rehearsal.game_rehearsal import GameRehearsal, Randoms, refuse_unknown
from table_service.rehearsal.script import Injected, Script, ScriptAction, ScriptDealEnd
from table_service.rehearsal.truth import Truth
from table_service.rehearsal.truth_check import TruthAction


@dataclass(frozen=True, slots=True)
class PlaysOutOfTurn:
    """The one fault that these players commit."""

    row: str
    told: bool = True
    way: str = ""

    @property
    def name(self) -> str:
        """The row, by which a command line asks for it."""
        return self.row


class TrickPlayers:
    """Writes the script of one round; so many of its ``faults`` happen in each deal."""

    def __init__(self, code: TrickCode, table: TableKind, randoms: Randoms) -> None:
        self._code = code
        self._randoms = randoms
        self._script = Script(boxed(code.pack.cards(), table))
        self._running = dict.fromkeys(LINES, 0)
        self._deal = first(code, None)
        self._number, self._cue = 0, 0
        self._turned = ""
        """The card turned up, as long as it lies under the stock."""
        self._rng = randoms(1, 0)

    def round(self, deals: int, faults: int) -> Script:
        """Write a round of ``deals`` deals with ``faults`` cards out of turn, spread evenly."""
        self._script.do(ConsoleGesture("start-round", fields={"deals": deals}))
        dealer = self._rng.choice(self._code.rotation.seats)
        for number in range(1, deals + 1):
            due = -(-faults // (deals - number + 1))
            faults -= due
            self._play_deal(number, dealer, due)
            dealer = self._code.rotation.next(dealer)
        self._script.do(ConsoleGesture("end-round"))
        self._script.wait(3.0)
        return self._script

    def _play_deal(self, number: int, dealer: Seat, faults: int) -> None:
        code, script, rng = self._code, self._script, self._randoms(number, 0)
        self._rng, self._number = rng, number
        if number > 1:
            script.do(ClearTable())
        script.do(ConsoleGesture("deal", fields={"deal": number, "dealer": str(dealer)}))
        cards = list(code.pack.cards())
        rng.shuffle(cards)
        seats = code.rotation.seats
        hands = {seat: tuple(cards[n * code.hand : (n + 1) * code.hand]) for n, seat in enumerate(seats)}
        rest = tuple(cards[len(seats) * code.hand :])
        script.do(SetTable(hands, {STOCK: (rest,)} if code.has_stock else {}))
        self._deal = first(code, code.rotation.next(dealer))
        if code.turned_up:
            script.do(TurnUpGesture(dealer))
            self._turned = rest[-1]
            self._deal = self._deal.with_trump(face(self._turned))
        script.do(ConsoleGesture("start-play"))
        wrong = sorted(rng.sample(range(code.tricks), min(faults, code.tricks)))
        while not self._deal.is_over:
            self._trick(len(self._deal.play.taken) in wrong)
        self._count(dealer)

    def _trick(self, wrong: bool) -> None:
        """Play a trick; in one that goes ``wrong`` somebody plays before his turn, is ruled on, and takes it back."""
        turns = len(self._code.rotation.seats)
        before = self._rng.randrange(turns - 1)
        for place in range(turns):
            seat = self._deal.play.turn
            assert seat is not None  # noqa: S101 - the winner of every trick is known to those who play it
            if wrong and place == before:
                self._out_of_turn(seat)
            self._lay(seat)
        winner = self._deal.winner
        assert winner is not None  # noqa: S101 - all its cards are known
        taken = self._act("trick", winner, n=self._deal.play.number)
        self._cue = self._script.do(TakeTrick(winner), taken)
        self._deal = replace(self._deal, play=self._deal.play.gathered(winner))
        if self._code.draws:
            self._draw(winner)

    def _draw(self, winner: Seat) -> None:
        """Everybody draws, the winner first; the last of all takes the card turned up."""
        for turns in range(len(self._code.rotation.seats)):
            seat = self._code.rotation.after(winner, turns)
            if self._script.world.heap(STOCK):
                self._script.do(DrawGesture(seat))
            elif self._turned:
                self._script.do(TakeFromPile(seat, (self._turned,)))
                self._turned = ""

    def _lay(self, seat: Seat) -> int:
        held = {face(card): card for card in self._script.world.hands[seat]}
        play = self._deal.play
        may = held if self._code.revoke is None else play.rules.allowed(held, play.open.led(play.rules))
        printed = self._rng.choice(sorted(may))
        cue = self._script.do(PlayGesture(seat, held[printed]), self._act("play", seat, (held[printed],)))
        self._deal = replace(self._deal, play=play.played(seat, printed))
        return cue

    def _out_of_turn(self, due: Seat) -> None:
        """Another than ``due`` who has not played yet plays; the arbitro comes and rules; the card goes back."""
        script, rng, row = self._script, self._rng, self._code.out_of_turn.id
        played = {seat for seat, _ in self._deal.play.open.plays}
        seat = rng.choice([one for one in self._code.rotation.seats if one is not due and one not in played])
        card = rng.choice(sorted(script.world.hands[seat]))
        cue = script.do(PlayGesture(seat, card), self._act("play", seat, (card,)))
        script.injected.append(Injected(row, seat, self._number, self._turn, f"before {due}", (card,), cue, cue))
        script.wait(rng.uniform(1.0, 3.0))
        script.do(Press(due, "referee"), self._act("call", due))
        script.wait(rng.uniform(5.0, 9.0))
        script.do(ConsoleGesture("rule", fields={"row": row, "seat": str(seat)}), self._act("ruled", seat, row=row))
        script.do(TakeUp(seat, (card,)))

    def _count(self, dealer: Seat) -> None:
        script, rng = self._script, self._rng
        script.wait(rng.uniform(4.0, 8.0))
        script.do(Press(rng.choice(self._code.rotation.seats), "count"), self._act("count", dealer))
        script.wait(rng.uniform(4.0, 8.0))
        figures = self._deal.figures()
        items = {str(line): {name: n for name, n in own.items() if n is not None} for line, own in figures.items()}
        for line in LINES:
            self._running[line] += total(figures[line]) or 0
        last = self._deal.play.taken[-1].by or dealer
        leads = self._code.rotation.next(dealer)
        running = {str(line): points for line, points in self._running.items()}
        end = ScriptDealEnd(self._number, dealer, leads, self._turn, "played", last, self._cue, items, running)
        script.ends.append(end)

    @property
    def _turn(self) -> int:
        return sum(len(one.trick.plays) for one in self._deal.play.taken) + len(self._deal.play.open.plays)

    def _act(self, type_: str, seat: Seat, cards: tuple[str, ...] = (), **more: object) -> ScriptAction:
        return ScriptAction(type_, seat, self._number, self._turn, cards, more=dict(more))


def steps_of_truth(truth: Truth) -> list[TruthAction]:
    """Each trick that was gathered, by its winner."""
    tricks = [action for action in truth.actions if action["type"] == "trick"]
    return [TruthAction(one["t"], one["deal"], "trick", one["seat"], row=one["n"]) for one in tricks]


def steps_of_events(events: Sequence[dict[str, Any]]) -> list[TruthAction]:
    """Return the comparable actions of events, as they were emitted last; retracted ones are left out."""
    gone = {event["data"]["event"] for event in events if event["type"] == "event.retracted"}
    won = [event for event in events if event["type"] == "trick.won" and event["id"] not in gone]
    return [
        TruthAction(float(event["t"]), event["deal"], "trick", event["data"]["by"], row=event["data"]["trick"])
        for event in sorted(won, key=lambda event: (event["deal"], event["data"]["trick"]))
    ]


def rehearsal(code: TrickCode, equipment: Equipment, layout: Layout) -> GameRehearsal:
    """Return the players of ``code`` at a table of ``equipment``, with the buttons that every table has."""
    buttons = tuple(f"button:{seat}:{name}" for seat in code.rotation.seats for name in BUTTONS)
    table = TableKind(equipment, layout, code.rotation, buttons)
    row = code.out_of_turn
    kinds = {row.id: PlaysOutOfTurn(row.id)}

    def direct(randoms: Randoms, deals: int, rows: Sequence[str], habits: str, stage: str | None) -> Script:  # noqa: ARG001
        refuse_unknown(rows, kinds)
        return TrickPlayers(code, table, randoms).round(deals, len(rows))

    return GameRehearsal(
        table=table,
        direct=direct,
        options=lambda deals: {"deals": deals},
        kinds=kinds,
        remedies={row.id: tuple(step.do for step in row.steps)},
        habits=("tidy",),
        stages=(),
        can_be_ruled=lambda _name, _stage: False,
        steps_of_truth=steps_of_truth,
        steps_of_events=steps_of_events,
        limits_turn="limit-turn",
        compare_moves=compare_moves,
        shown=(row.id,),
        sights="error model" if code.pack.by_whole_faces else "indices",
        frames="whole faces" if code.pack.by_whole_faces else "indices",
    )
