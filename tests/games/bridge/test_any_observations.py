"""Whatever sensors say, nothing raises, no card that lies there is lost, and nothing of the other side gets out."""

import json
import math
import random

from hypothesis import given, settings
from hypothesis import strategies as st

from hw.observations import Button, Console, Observation, Reach, Said, Scale, Screen, Sight, SightedCard, Tray
from hw.seats import Seat
from table_service.events import dumps
from table_service.games.bridge.fold.game import open_fold
from table_service.games.bridge.reading import BoardReader
from table_service.games.bridge.rules.auction import CALLS
from tests.games.bridge.table_of_bridge import HEADER, TableOfBridge, deal_hands

SEATS = st.sampled_from(list(Seat))
T = st.floats(0, 500)
ZONES = st.sampled_from(
    [f"{kind}-{seat}" for kind in ("played", "hand", "side", "board") for seat in Seat] + ["tray", "table"]
)
NAMES = st.sampled_from([*CALLS, "stop", "alert", "??", "AS", "KS", "2H", "3H", "TD", "9C", "8C", "zz"])
CARD = st.builds(
    SightedCard,
    NAMES,
    ZONES,
    st.floats(-500, 500),
    st.floats(-500, 500),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(["up", "down"]),
    st.floats(0, 1),
    st.none(),
    st.one_of(st.none(), st.integers(0, 12)),
    st.one_of(st.none(), SEATS),
)
POSES = st.sampled_from(["up", "down", "open", "closed"])
SAID = st.sampled_from(["claim", "claim:9", "result:99", "result:", "concede", "x"])
SEEN = st.one_of(
    st.builds(Sight, T, st.lists(CARD, max_size=8).map(tuple), st.lists(ZONES, max_size=3).map(tuple)),
    st.builds(Tray, T, st.sampled_from(["NE", "SW", "moving"]), st.one_of(st.none(), SEATS)),
    st.builds(Screen, T, st.sampled_from(["panel", "aperture"]), POSES, st.none()),
    st.builds(Reach, T, st.one_of(st.none(), SEATS), st.one_of(st.none(), ZONES), st.sampled_from(["in", "out"])),
    st.builds(Scale, T, ZONES, st.one_of(st.just(math.nan), st.floats(-100, 100)), st.booleans()),
    st.builds(Button, T, SEATS, st.sampled_from(["referee", "ready", "count", "x"])),
    st.builds(Said, T, st.one_of(st.none(), SEATS), SAID),
    st.builds(
        Console,
        T,
        st.just("a"),
        st.sampled_from(["deal", "rule", "dismiss", "correct", "end-round", "start-round"]),
        st.fixed_dictionaries(
            {},
            optional={
                "dealer": st.sampled_from(["N", "E", 7]),
                "board": st.sampled_from([1, 0, "x", None]),
                "record": st.sampled_from(["", "[Deal", '[Deal "N:AKQJT98765432... ... ... ..."]', 3]),
                "vulnerable": st.sampled_from(["NS", "all", 1]),
                "row": st.sampled_from(["FIGB-12", "law-61", "FIGB-1", "nothing", 4]),
                "seat": st.sampled_from(["N", "W", "Q"]),
                "option": st.sampled_from(["31", "27B2", "established", 2]),
                "zone": st.sampled_from(["result", "side-N", "tray", None]),
                "tricks": st.sampled_from([0, 13, 14, True, "x"]),
                "cards": st.sampled_from([["AS"], [], "AS", [3]]),
            },
        ),
    ),
)  # fmt: skip


@settings(max_examples=120, deadline=None)
@given(st.lists(SEEN, max_size=25))
def test_no_sequence_of_observations_raises_in_reading_or_fold(seen: list[Observation]) -> None:
    reader, fold = BoardReader("NE"), open_fold(HEADER)
    fold.feed(Console(0.0, "a", "start-round", {}))
    fold.feed(Console(0.0, "a", "deal", {"deal": 1, "dealer": "N", "board": 1}))
    for one in seen:
        reader.feed(one)
        for event in fold.feed(one):
            dumps(event)
        json.dumps(fold.state())
    fold.close()


def test_no_card_that_lies_there_is_lost_whatever_is_played_taken_back_and_turned() -> None:
    chance = random.Random(7)
    for _ in range(40):
        table = TableOfBridge()
        hands = deal_hands(chance)
        table.begin(Seat.WEST, vulnerable="none")
        table.auction(Seat.WEST, "1S P 2S P 4S P P P")
        table.clear()
        table.shut()
        table.lead(Seat.NORTH, hands[Seat.NORTH].pop())
        table.open(Seat.NORTH)
        for _ in range(40):
            seat = chance.choice(list(Seat))
            roll = chance.random()
            if roll < 0.55 and hands[seat]:
                table.play(seat, hands[seat].pop())
            elif roll < 0.7 and table.up[seat]:
                card = table.up[seat][-1]
                table.take_card(seat, card)
                hands[seat].append(card)
            elif roll < 0.85:
                table.quit(seat)
            else:
                table.wait(0.5)
                table.sight()
            running = table.fold.game.running
            assert running is not None
            play = running.board.play
            assert play is not None
            lying = {one for trick in play.tricks for one in trick.plays}
            if play.count < 13:
                assert {(who, card) for who in Seat for card in table.up[who]} <= lying
            assert all(sum(one == other for trick in play.tricks for other in trick.plays) == 1 for one in lying)


def test_the_same_observations_give_the_same_bytes() -> None:
    table = TableOfBridge()
    table.begin(Seat.WEST, vulnerable="none")
    table.auction(Seat.WEST, "1S 2C P 3C P 3N P P P")
    table.clear()
    table.lead(Seat.EAST, "8S")
    table.open(Seat.EAST)
    table.press(Seat.SOUTH, "referee")
    again = open_fold(HEADER)
    told = [dumps(event, secret=True) for one in table.log for event in again.feed(one)]
    assert told == [dumps(event, secret=True) for event in table.events]
