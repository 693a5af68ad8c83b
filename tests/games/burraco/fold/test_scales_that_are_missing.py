"""Tables that lack a scale: what it would have told goes unnoticed there, and so nobody is accused of it."""

from __future__ import annotations

import random

import pytest

from hw.observation_log import Header
from hw.observations import Console, Observation, Scale
from hw.seats import Seat
from hw.twin.gestures import DiscardGesture, DrawGesture, Gesture, LayGesture, TurnUpGesture, Wait
from hw.twin.noise import load_noise
from hw.twin.observe import Observer
from hw.zones import DISCARD, POTS, STOCK
from table_service.games.burraco.fold import TableFold
from table_service.games.burraco.rehearsal.burraco_gestures import set_table
from tests.tracking.conftest import tags_of_pack

HANDS = {
    Seat.NORTH: "4S 5S 6S 9C 9D 9S JH AC 8C KD QD",
    Seat.EAST: "TC JC QC KC 4H 4D 4C 6H 8S QH JD",
    Seat.SOUTH: "AH AD AS 5H 5D TD 7C 8D 6C JS 3H",
    Seat.WEST: "7H 8H 9H TH 3C 3D 3S KS QS 5C 6D",
}
PLAY: tuple[Gesture, ...] = (
    TurnUpGesture(Seat.SOUTH),
    DrawGesture(Seat.WEST),
    LayGesture(Seat.WEST, 0, ("7H#1", "8H#1", "9H#1")),
    DiscardGesture(Seat.WEST, "KS#1"),
    DrawGesture(Seat.NORTH),
    LayGesture(Seat.NORTH, 1, ("9C#1", "9D#1", "9S#1")),
    DiscardGesture(Seat.NORTH, "KD#1"),
    DrawGesture(Seat.EAST),
    LayGesture(Seat.EAST, 2, ("4H#1", "4D#1", "4C#1")),
    DiscardGesture(Seat.EAST, "JD#1"),
)


def played(without: set[str]) -> list[str]:
    tags = tags_of_pack()
    hands = {seat: tuple(f"{card}#1" for card in cards.split()) for seat, cards in HANDS.items()}
    rest = [card for card in tags.values() if not any(card in hand for hand in hands.values())]
    observer = Observer(tags, load_noise("normal"), random.Random(5))
    seen: list[Observation] = [Console(0.0, "a", "start-round", {"deals": 1, "minutes": 42})]
    seen.append(Console(0.1, "a", "deal", {"deal": 1, "dealer": "S"}))
    seen += observer.perform(set_table(hands, (tuple(rest[:11]), tuple(rest[11:22])), tuple(rest[22:])))[0]
    seen.append(Console(seen[-1].t, "a", "start-play", {}))
    for gesture in PLAY:
        for one in (gesture, Wait(1.5)):
            seen += observer.perform(one)[0]
    fold = TableFold(Header("T1", "fibur2024", tags=tags))
    told = [e for one in seen if not (isinstance(one, Scale) and one.zone in without) for e in fold.feed(one)]
    return [e.data["row"] for e in (*told, *fold.close()) if e.type == "irregularity"]


@pytest.mark.parametrize("without", [(), (STOCK,), (DISCARD,), (POTS,), (STOCK, DISCARD, POTS)])
def test_clean_play_is_clean_whatever_scale_is_missing(without):
    assert played(set(without)) == []
