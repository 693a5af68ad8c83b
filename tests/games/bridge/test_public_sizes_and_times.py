"""Nothing about hidden cards or the other side of the screen follows from sizes or times of what a table makes public.

The same board is played twice, before sensors without noise: once as it was, and once with other hidden cards, or with
other calls on the tray that has not been passed yet. Up to the moment at which the difference lies open, both tables
say the same bytes at the same observations, and their sealed messages are as long.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest
from nacl.public import PrivateKey
from nacl.signing import SigningKey

from hw.cards import face
from hw.seats import SEATS
from hw.twin.gestures import ConsoleGesture, Gesture, Press, SetTable
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.twin.screen_gestures import CallGesture, LeadFaceDown, PushTray
from table_service import rulesets
from table_service.events import event_to_json, public
from table_service.events.topics import Topics
from table_service.games.bridge.rehearsal import SCREENED
from table_service.games.bridge.rules.auction import Auction
from table_service.games.bridge.rules.contract import board_dealer
from table_service.publish import Sealing
from tests.games.bridge.boards_at_the_twin import HEADER, TAGS, scripted
from tests.games.bridge.table_of_bridge import pbn_of

SEEDS = range(3100, 3104)
ARBITRO, TABLE = PrivateKey(bytes(range(32))), SigningKey(bytes(range(32)))
Said = list[tuple[int, float, str, int]]
"""By message: the observation after which it was said, its time, its text, and the length of what is sealed in it."""


def gestures_of(seed: int, *, record: bool = False) -> list[Gesture]:
    begin = (ConsoleGesture("start-round", fields={"deals": 1}),)
    board = scripted(random.Random(seed), 1, record=record, begin=begin).gestures
    # a player calls the arbitro after each call: something is sealed while the tray still stands
    return [
        each for one in board for each in (one, *([Press(one.seat, "referee")] if isinstance(one, CallGesture) else []))
    ]


def said_by(gestures: Sequence[Gesture], seed: int) -> tuple[Said, list[str]]:
    """All that a table says of these gestures: events, and its state whenever it has changed; and what it seals."""
    observer = Observer(TAGS, load_noise("none"), random.Random(seed), SCREENED)
    fold, sealing, topics = rulesets.open_fold(HEADER), Sealing(bytes(ARBITRO.public_key), TABLE), Topics("sala", "T1")
    said, secrets, number, before = Said(), list[str](), 0, ""
    for gesture in gestures:
        for observation in observer.perform(gesture)[0]:
            number += 1
            for event in fold.feed(observation):
                block, sealed = event.data.SEALED_BYTES, 0
                if event.secret is not None:
                    secrets.append(json.dumps(event.secret))
                    sealed = len(sealing.seal(topics, event.id, event.deal, event.secret, block))
                said.append((number, event.t, json.dumps(event_to_json(public(event))), sealed))
            if (state := json.dumps(fold.state())) != before:
                before = state
                said.append((number, observation.t, state, 0))
    return said, secrets


def until(gestures: Sequence[Gesture], kind: type[Gesture], number: int = 1) -> list[Gesture]:
    """The gestures before the ``number``-th of that kind; all where there are not so many."""
    places = [n for n, one in enumerate(gestures) if isinstance(one, kind)]
    return list(gestures[: places[number - 1] if number <= len(places) else len(gestures)])


def with_other_cards(gestures: Sequence[Gesture], _chance: random.Random) -> list[Gesture]:
    """Every player has the cards that another one had, and the record of the deal, which the table is told, says so."""
    dealt = next(one for one in gestures if isinstance(one, SetTable)).heaps
    heaps = dict(zip(dealt, [*list(dealt.values())[1:], next(iter(dealt.values()))], strict=True))
    hands = {seat: [face(card) for card in heaps[f"board-{seat}"][0]] for seat in SEATS}

    def other(one: Gesture) -> Gesture:
        if isinstance(one, SetTable):
            return replace(one, heaps=heaps)
        if isinstance(one, ConsoleGesture) and "record" in one.fields:
            return replace(one, fields={**one.fields, "record": pbn_of(hands)})
        return one

    return [other(one) for one in gestures]


def with_other_calls(gestures: Sequence[Gesture], chance: random.Random) -> list[Gesture]:
    """What lies on the tray that has not been passed yet are other calls, as lawful."""
    fields = next(one.fields for one in gestures if isinstance(one, ConsoleGesture) and "board" in one.fields)
    auction, made = Auction(board_dealer(int(fields["board"]))), list[Gesture]()
    last = max((n for n, one in enumerate(gestures) if isinstance(one, PushTray)), default=-1)
    for n, one in enumerate(gestures):
        if isinstance(one, CallGesture):
            call = one.call
            if n > last:
                call = chance.choice([each for each in auction.lawful(one.seat) if each != one.call])
            auction = auction.called(one.seat, call)
            made.append(replace(one, call=call))
        else:
            made.append(one)
    return made


def check(gestures: list[Gesture], other: Callable[..., list[Gesture]], seed: int) -> bool:
    """Compare both tables; returns whether what they seal differs, as it should."""
    changed = other(gestures, random.Random(seed))
    assert changed != gestures
    (first, secret), (second, other_secret) = said_by(gestures, seed), said_by(changed, seed)
    assert len(first) == len(second)
    for one, two in zip(first, second, strict=True):
        assert one == two
    return secret != other_secret


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_said_until_the_lead_does_not_depend_on_the_cards(seed: int) -> None:
    assert check(until(gestures_of(seed, record=True), LeadFaceDown), with_other_cards, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_said_until_a_tray_is_passed_does_not_depend_on_the_calls_on_it(seed: int) -> None:
    gestures = gestures_of(seed)
    passes = sum(isinstance(one, PushTray) for one in gestures)
    sealed = [check(until(gestures, PushTray, number), with_other_calls, seed) for number in range(1, passes + 1)]
    assert all(sealed), "the table knows the other calls, and seals them"
