"""A table of bridge as its sensors show it: acts of players become observations, and these go through the fold."""

from __future__ import annotations

import json
import random
from dataclasses import dataclass, field
from typing import Any

from hw.bidding import compartment
from hw.cards import BRIDGE
from hw.observation_log import Header
from hw.observations import Button, Console, Observation, Reach, Said, Scale, Screen, Sight, SightedCard, Tray
from hw.seats import CLOCKWISE, Line, Seat
from hw.zones import board as pocket
from hw.zones import played
from table_service.events import Event, dumps
from table_service.games.bridge.fold.game import BridgeGame, open_fold
from table_service.games.bridge.judges.sides import Side, other_side, pusher, side_of
from table_service.table.game_fold import GameFold

N, E, S, W = Seat
HEADER = Header(table="T1", rules="bridge", started="2026-11-23T10:00:00Z", seats={str(seat): "x" for seat in Seat})


@dataclass
class TableOfBridge:
    """Makes observations; every one is fed at once. ``step``: seconds between acts."""

    step: float = 2.0
    t: float = 0.0
    side: Side = "NE"
    tray: dict[Seat, list[str]] = field(default_factory=lambda: {seat: [] for seat in Seat})
    up: dict[Seat, list[str]] = field(default_factory=lambda: {seat: [] for seat in Seat})
    backs: dict[Seat, list[float]] = field(default_factory=lambda: {seat: [] for seat in Seat})
    spread: dict[Seat, list[str]] = field(default_factory=lambda: {seat: [] for seat in Seat})
    aside: dict[Seat, list[str]] = field(default_factory=lambda: {seat: [] for seat in Seat})
    events: list[Event] = field(default_factory=list)
    log: list[Observation] = field(default_factory=list)
    fold: GameFold[BridgeGame] = field(default_factory=lambda: open_fold(HEADER))

    def feed(self, seen: Observation) -> list[Event]:
        self.log.append(seen)
        told = self.fold.feed(seen)
        self.events += told
        due = self.fold.next_deal()
        return told if due is None else told + self.feed(due.model_copy(update={"t": seen.t}).as_console())

    def wait(self, seconds: float | None = None) -> float:
        self.t = round(self.t + (self.step if seconds is None else seconds), 3)
        return self.t

    def console(self, do: str, **fields: Any) -> list[Event]:
        return self.feed(Console(self.wait(), "arbitro", do, fields))

    def begin(self, dealer: Seat = N, number: int = 1, side: Side | None = None, **fields: Any) -> None:
        if number == 1 and not self.log:
            self.console("start-round", deals=8)
        self.stand(dealer, side)
        self.console("deal", deal=number, dealer=str(dealer), **({"board": number} | fields))

    def stand(self, dealer: Seat, side: Side | None = None) -> None:
        """The tray stands where the board begins."""
        self.side = side or side_of(dealer)
        self.feed(Tray(self.wait(), self.side, None))

    def sight(
        self, hidden: tuple[str, ...] = (), missed: tuple[tuple[Seat, int], ...] = (), stands: Side | None = None
    ) -> list[Event]:
        """A picture; ``missed``: places in compartments of the tray that it does not show.

        ``stands``: bidding cards lie where they do with the tray there; None: where this harness always has them.
        """
        cards: list[SightedCard] = []
        for seat in Seat:
            for place, call in enumerate(self.tray[seat]):
                if (seat, place) in missed:
                    continue
                x, y = (20.0 * place, 0.0) if stands is None else compartment(seat, stands).centre
                cards.append(SightedCard(call, "tray", x, y, 0.0, "up", 0.99, None, place, seat))
            cards += [
                SightedCard("??", played(seat), 30.0 * n, -200.0, angle, "down", 0.9, None, n)
                for n, angle in enumerate(self.backs[seat])
            ]
            cards += [
                SightedCard(card, played(seat), 400.0 + 60.0 * n, 0.0, 0.0, "up", 0.99)
                for n, card in enumerate(self.up[seat])
            ]
            for zone, lying in (("hand", self.spread[seat]), ("side", self.aside[seat])):
                cards += [
                    SightedCard(card, f"{zone}-{seat}", 25.0 * n, 50.0, 0.0, "up", 0.99) for n, card in enumerate(lying)
                ]
        return self.feed(Sight(self.t, tuple(cards), hidden))

    # -- the auction ---------------------------------------------------------------------------------------------------

    def call(self, seat: Seat, call: str) -> list[Event]:
        self.wait()
        self.tray[seat].append(call)
        return self.sight()

    def take_call(self, seat: Seat) -> list[Event]:
        self.wait()
        self.tray[seat].pop()
        told = self.sight()
        self.wait(0.5)
        return told + self.sight()

    def push(self, by: Seat | None = None, *, known: bool = True) -> list[Event]:
        """The tray goes to the other side, pushed by who should, or by ``by``; ``known``: a beam names the hand."""
        hand = by or pusher(self.side)
        told = self.feed(Reach(self.wait(), hand, "tray", "in")) if known else []
        told = told + self.feed(Tray(self.wait(0.2), "moving", None))
        self.side = other_side(self.side)
        told += self.feed(Tray(self.wait(0.6), self.side, None))
        return told + (self.feed(Reach(self.wait(0.2), hand, "tray", "out")) if known else [])

    def auction(self, dealer: Seat, calls: str) -> None:
        """Calls in turn, as ``P 1N P P P``; the tray is pushed where it must go, and once all is called."""
        seat = dealer
        for call in calls.split():
            if side_of(seat) != self.side:
                self.push()
            self.call(seat, call)
            seat = CLOCKWISE.next(seat)
        self.push()

    def clear(self) -> None:
        self.wait()
        self.tray = {seat: [] for seat in Seat}
        self.sight()
        self.wait(0.5)
        self.sight()

    # -- the play ------------------------------------------------------------------------------------------------------

    def open(self, by: Seat | None) -> list[Event]:
        return self.feed(Screen(self.wait(), "aperture", "open", by))

    def shut(self) -> list[Event]:
        return self.feed(Screen(self.wait(), "aperture", "closed", None))

    def lead(self, seat: Seat, card: str, *, covered: bool = True) -> None:
        if covered:
            self.wait()
            self.backs[seat].append(0.0)
            self.sight()
            self.wait()
            self.backs[seat].pop()
        else:
            self.wait()
        self.up[seat].append(card)
        self.sight()

    def play(self, seat: Seat, card: str) -> list[Event]:
        self.wait()
        self.up[seat].append(card)
        return self.sight()

    def take_card(self, seat: Seat, card: str) -> list[Event]:
        self.wait()
        self.up[seat].remove(card)
        told = self.sight()
        self.wait(0.5)
        return told + self.sight()

    def quit(self, winner: Seat, *, wrong: tuple[Seat, ...] = ()) -> None:
        self.wait()
        for seat in Seat:
            if self.up[seat]:
                self.up[seat].pop(0)
                line = winner.line if seat not in wrong else next(one for one in Line if one is not winner.line)
                self.backs[seat].append(0.0 if line is Line.NS else 90.0)
        self.sight()

    def show(self, seat: Seat, cards: list[str]) -> list[Event]:
        self.wait()
        self.spread[seat] = list(cards)
        told = self.sight()
        self.wait(0.5)
        return told + self.sight()

    def put_back(self) -> None:
        for seat in Seat:
            self.feed(Scale(self.wait(0.3), pocket(seat), 13 * 1.8, settled=True))

    def said(self, seat: Seat, what: str) -> list[Event]:
        return self.feed(Said(self.wait(), seat, what))

    def press(self, seat: Seat, button: str) -> list[Event]:
        return self.feed(Button(self.wait(), seat, button))

    # -- what was told -------------------------------------------------------------------------------------------------

    def of(self, type_: str) -> list[dict[str, Any]]:
        return [one.data.model_dump(mode="json") for one in self.events if one.type == type_]

    @property
    def found(self) -> list[dict[str, Any]]:
        """The irregularities in their last state, by key."""
        latest = {one["key"]: one for one in self.of("irregularity")}
        return list(latest.values())

    def public(self) -> list[dict[str, Any]]:
        return [json.loads(dumps(one)) for one in self.events]


def deal_hands(chance: random.Random) -> dict[Seat, list[str]]:
    cards = sorted(BRIDGE.copies)
    chance.shuffle(cards)
    return {seat: sorted(cards[13 * n : 13 * n + 13]) for n, seat in enumerate(Seat)}


def pbn_of(hands: dict[Seat, list[str]]) -> str:
    """The record of a deal."""
    order = "AKQJT98765432"
    fans = [".".join("".join(rank for rank in order if rank + suit in hands[seat]) for suit in "SHDC") for seat in Seat]
    return f'[Deal "N:{" ".join(fans)}"]\n'
