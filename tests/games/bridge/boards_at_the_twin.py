"""Boards that simulated people play at the twin of a table with screens: gestures, sensors, fold, and the truth.

``python -m tests.games.bridge.boards_at_the_twin NOISE FIRST LAST`` plays a board for each seed and counts what came
out.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import dataclass
from typing import Any

from hw.cards import BRIDGE, face
from hw.observation_log import Header
from hw.seats import CLOCKWISE, SEATS, Line, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, LayOut, PlayGesture, SetTable, TakeHeap, Wait
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.screen_gestures import CallGesture, ClearTray, FaceCards, LeadFaceDown, OpenAperture, PushTray, QuitGesture
from table_service import rulesets
from table_service.events import Event
from table_service.games.bridge.judges.card_play import CardPlay, trick_rules
from table_service.games.bridge.judges.sides import other_side, pusher, side_of
from table_service.games.bridge.rehearsal import SCREENED
from table_service.games.bridge.rules.auction import Auction
from table_service.games.bridge.rules.contract import board_dealer, board_vulnerable, is_vulnerable
from table_service.games.bridge.rules.score import score
from tests.games.bridge.table_of_bridge import deal_hands, pbn_of

CARDS = BRIDGE.cards()
TAGS = {f"E004{number:012X}": card for number, card in enumerate(CARDS)}
COPY = {face(card): card for card in CARDS}
HEADER = Header(table="T1", rules="bridge", started="2026-11-23T10:00:00Z", tags=TAGS, seats=dict.fromkeys(SEATS, "x"))


@dataclass
class Played:
    """A board: its events, and what really happened."""

    events: list[Event]
    auction: Auction
    play: CardPlay | None
    points: int
    """For North and South."""

    @property
    def calls(self) -> list[tuple[Seat, str]]:
        gone = {one.data.model_dump()["event"] for one in self.events if one.type == "event.retracted"}
        told = [one for one in self.events if one.type == "call.made" and one.id not in gone]
        return [(Seat(one.data.model_dump()["seat"]), one.data.model_dump()["call"]) for one in told]

    @property
    def tricks(self) -> dict[int, Any]:
        won = [one.data.model_dump() for one in self.events if one.type == "trick.won"]
        return {one["n"]: (one["winner"], one["cards"]) for one in won}

    @property
    def total(self) -> int | None:
        counted = [one.data.model_dump() for one in self.events if one.type == "score.counted"]
        total = counted[-1]["lines"]["NS"]["total"]
        assert total is None or isinstance(total, int)
        return total

    @property
    def found(self) -> list[tuple[str, str | None, str]]:
        """Irregularities in their last state; missing stop cards apart, as these people use none."""
        told = [one.data.model_dump() for one in self.events if one.type == "irregularity"]
        latest = {one["key"]: (one["row"], one["offender"], one["state"]) for one in told}
        return [one for one in latest.values() if one[0] != "NI-18.3"]


def auction_of(chance: random.Random, dealer: Seat) -> tuple[Auction, list[Gesture]]:
    """A lawful auction; the tray is pushed by who should, the last time once all is called."""
    auction, side = Auction(dealer), side_of(dealer)
    gestures: list[Gesture] = []
    while (seat := auction.turn) is not None:
        if side_of(seat) != side:
            gestures += [Wait(chance.uniform(0.3, 2.0)), PushTray(pusher(side))]
            side = other_side(side)
        call = chance.choice(auction.lawful(seat)[:8]) if chance.random() < 0.35 else "P"
        gestures += [Wait(chance.uniform(0.5, 5.0)), CallGesture(seat, call)]
        auction = auction.called(seat, call)
    return auction, [*gestures, Wait(1.0), PushTray(pusher(side)), Wait(2.0)]


def play_of(chance: random.Random, start: CardPlay, hands: dict[Seat, list[str]]) -> tuple[CardPlay, list[Gesture]]:
    """A lawful play to the last trick."""
    rules = trick_rules(start.contract.strain)
    held = {seat: set(cards) for seat, cards in hands.items()}
    play, gestures = start, list[Gesture]()
    for place in range(52):
        seat, trick = play.turn(), play.play.open
        assert seat is not None
        led = None if trick.is_full(rules) or not trick.plays else trick.led(rules)
        card = chance.choice(sorted(rules.allowed(held[seat], led)))
        held[seat].discard(card)
        if place:
            gestures += [Wait(chance.uniform(0.2, 2.0)), PlayGesture(seat, COPY[card])]
        else:
            gestures += [LeadFaceDown(seat, COPY[card]), Wait(1.5), FaceCards(seat), Wait(0.5)]
            gestures += [OpenAperture(seat), LayOut(play.dummy), Wait(1.0)]
        play = play.played(seat, card, 0.0)
        winner = play.play.open.winner(rules) if play.play.open.is_full(rules) else None
        if winner is not None:
            turns: list[Gesture] = [QuitGesture(who, across=who.line is not winner.line) for who in CLOCKWISE.seats]
            gestures += [Wait(0.8), *turns]
    return play, gestures


@dataclass
class Scripted:
    """A board before it is played: what people do, and what comes of it. ``points``: for North and South."""

    gestures: list[Gesture]
    auction: Auction
    play: CardPlay | None
    points: int


def scripted(chance: random.Random, deal: int, *, record: bool, begin: tuple[Gesture, ...] = ()) -> Scripted:
    """Deal ``deal`` as chance has it, played lawfully; ``begin``: what is done before the board lies there."""
    number = chance.randint(1, 16)
    dealer, hands = board_dealer(number), deal_hands(chance)
    fields: dict[str, Any] = {"deal": deal, "dealer": str(dealer), "board": number}
    fields |= {"record": pbn_of(hands)} if record else {}
    pockets = {f"board-{seat}": (tuple(COPY[card] for card in hands[seat]),) for seat in SEATS}
    gestures: list[Gesture] = [*begin, SetTable({}, pockets)]
    gestures += [ConsoleGesture("deal", fields=fields), Wait(2.0)]
    gestures += [TakeHeap(seat, f"board-{seat}") for seat in SEATS]
    auction, calling = auction_of(chance, dealer)
    gestures += [Wait(1.0), *calling]
    contract, play, points = auction.contract(), None, 0
    if contract is not None:
        play, playing = play_of(chance, CardPlay.begun(contract), hands)
        gestures += [*(ClearTray(seat) for seat in SEATS), *playing]
        tricks, line = play.result(), contract.declarer.line
        assert tricks is not None
        points = score(contract, tricks, vulnerable=is_vulnerable(line, board_vulnerable(number))).total
        points = points if line is Line.NS else -points
    return Scripted(gestures, auction, play, points)


def board(seed: int, noise: str, *, record: bool) -> Played:
    """The board of ``seed`` before sensors with errors of the level ``noise``."""
    begin = (ConsoleGesture("start-round", fields={"deals": 1}),)
    one = scripted(random.Random(seed), 1, record=record, begin=begin)
    observer = Observer(TAGS, load_noise(noise), random.Random(seed), SCREENED)
    gestures = (*one.gestures, Wait(2.0), ConsoleGesture("end-round"))
    seen = [seen for gesture in gestures for seen in observer.perform(gesture)[0]]
    fold = rulesets.open_fold(HEADER)
    events = [event for seen in (*seen, *observer.finish()) for event in fold.feed(seen)]
    return Played([*events, *fold.close()], one.auction, one.play, one.points)


def main(noise: str, first: int, last: int) -> None:
    """Play the boards of the seeds from ``first`` to ``last``, every second one with a record."""
    counts: Counter[str] = Counter()
    for seed in range(first, last + 1):
        one = board(seed, noise, record=seed % 2 == 0)
        told = "right" if one.total == one.points else "unknown" if one.total is None else "WRONG"
        counts[f"score {told}"] += 1
        counts["auction right" if one.calls == list(one.auction.calls) else "auction otherwise"] += 1
        counts["boards with an accusation"] += bool(one.found)
        if told != "right" or one.found or one.calls != list(one.auction.calls):
            print(seed, one.total, one.points, one.found[:4])
    print(noise, dict(counts))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
