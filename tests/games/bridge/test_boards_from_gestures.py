"""Boards played by gestures at the simulated table: its sensors' log is read, and gives the board that was played."""

import json
import random
from collections import defaultdict
from typing import Any

import pytest

from hw.cards import BRIDGE, face
from hw.observation_log import Header
from hw.observations import Observation
from hw.seats import SEATS, Seat
from hw.twin.gestures import ConsoleGesture, Gesture, LayOut, PlayGesture, SetTable, TakeHeap, Wait
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.screen_gestures import (
    CallGesture,
    ClearTray,
    CloseAperture,
    FaceCards,
    LeadFaceDown,
    OpenAperture,
    PushTray,
    QuitGesture,
    ReturnHand,
)
from table_service.events import dumps
from table_service.games.bridge.fold.game import open_fold
from table_service.games.bridge.judges.card_play import CardPlay, trick_rules
from table_service.games.bridge.judges.sides import pusher, side_of
from table_service.games.bridge.rehearsal import SCREENED
from table_service.games.bridge.rules.auction import Auction
from tests.games.bridge.test_boards_observed import random_auction

TAGS = {f"E004{number:012X}": card for number, card in enumerate(BRIDGE.cards())}
HEADER = Header(
    table="T1", rules="bridge", started="2026-11-23T10:00:00Z", seats={str(seat): "x" for seat in Seat}, tags=TAGS
)


def played_board(seed: int, level: str) -> tuple[list[Observation], Auction, CardPlay | None]:
    """One board played lawfully: the log of its sensors, its auction and its play (None: passed out)."""
    chance = random.Random(seed)
    observer, log = Observer(TAGS, load_noise(level), random.Random(seed), SCREENED), list[Observation]()

    def act(*gestures: Gesture) -> None:
        for gesture in gestures:
            log.extend(observer.perform(gesture)[0])

    pack, dealer = list(BRIDGE.cards()), chance.choice(SEATS)
    chance.shuffle(pack)
    pockets = {f"board-{seat}": (tuple(pack[13 * n : 13 * n + 13]),) for n, seat in enumerate(SEATS)}
    auction = random_auction(chance, dealer)
    act(ConsoleGesture("start-round", fields={"deals": 1}), SetTable({}, pockets))
    act(ConsoleGesture("deal", fields={"deal": 1, "board": 1, "dealer": str(dealer), "vulnerable": "none"}))
    act(*(TakeHeap(seat, f"board-{seat}") for seat in SEATS), Wait(2.0))
    side = side_of(dealer)
    for seat, call in auction.calls:
        if side_of(seat) != side:
            act(PushTray(pusher(side)))
            side = side_of(seat)
        act(CallGesture(seat, call), Wait(2.0))
    act(PushTray(pusher(side)), Wait(2.0))
    contract = auction.contract()
    if contract is None:
        log.extend(observer.finish())
        return log, auction, None
    act(*(ClearTray(seat) for seat in SEATS), Wait(2.0))
    engine, rules, tricks = CardPlay.begun(contract), trick_rules(contract.strain), 0
    dummy = contract.declarer.partner
    while (turn := engine.turn()) is not None:
        trick = engine.play.open
        led = None if trick.is_full(rules) or not trick.plays else trick.led(rules)
        held = {face(card): card for card in observer.world.hands[turn]}
        if not held:
            break
        card = chance.choice(sorted(rules.allowed(set(held), led)))
        if tricks == 0 and not trick.plays:
            act(LeadFaceDown(turn, held[card]), Wait(2.0), FaceCards(turn), OpenAperture(turn), LayOut(dummy))
        else:
            act(PlayGesture(turn, held[card]))
        act(Wait(1.5))
        engine = engine.played(turn, card, observer.t)
        if engine.play.open.is_full(rules):
            winner, tricks = engine.play.open.winner(rules), tricks + 1
            assert winner is not None
            act(*(QuitGesture(one, across=one.line is not winner.line) for one in SEATS), Wait(1.5))
    act(CloseAperture(dummy), *(ReturnHand(seat) for seat in SEATS), Wait(2.0))
    log.extend(observer.finish())
    return log, auction, engine


def told_of(log: list[Observation]) -> dict[str, list[dict[str, Any]]]:
    """What the fold tells of ``log``, by type: its data, with the seat of the event as ``by``."""
    fold = open_fold(HEADER)
    told: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for event in (event for seen in log for event in fold.feed(seen)):
        one = json.loads(dumps(event))
        told[one["type"]].append(one["data"] | {"by": one.get("seat")})
    return told


def differences(told: dict[str, list[dict[str, Any]]], auction: Auction, play: CardPlay | None) -> list[str]:
    """In what the board that was told differs from the one that was played."""
    called = [(one["by"], one["call"]) for one in told["call.made"]]
    found = [] if called == [(str(seat), call) for seat, call in auction.calls] else [f"calls {called}"]
    won = [(one["winner"], one["cards"]) for one in told["trick.won"]]
    turned = [] if play is None else play.turned
    true = [(str(one.by), {str(seat): card for seat, card in one.trick.plays}) for one in turned]
    found += [] if won == true else [f"tricks {won} instead of {true}"]
    return found + [f"{one['row']} {one['offender']}" for one in told["irregularity"] if one["row"] != "NI-18.3"]


@pytest.mark.parametrize("seed", [0, 3])
def test_a_board_played_by_gestures_is_told_as_it_was_played_and_nobody_is_accused(seed: int) -> None:
    log, auction, play = played_board(seed, "none")
    assert play is not None
    told = told_of(log)
    assert differences(told, auction, play) == []
    (ended,) = told["deal.ended"]
    assert ended["manner"] == "played"
