"""A table of bridge with screens: what people do there can be read again from what its sensors log."""

from __future__ import annotations

import random

import pytest

from hw.bidding import BIDDING_BOX, BIDS, CALLS, TRAY_SIDES, compartment, compartment_at, other_side, side_of
from hw.cards import BRIDGE, UNKNOWN, face
from hw.layout import BRIDGE_LAYOUT
from hw.observation_json import observation_from_json, observation_to_json
from hw.observations import Console, Observation, Reach, Scale, Screen, Sight, SightedCard, Tags, Tray
from hw.seats import SEATS, Seat
from hw.twin.card_places import places
from hw.twin.gestures import ConsoleGesture, Gesture, LayOut, PlayGesture, Press, SetTable, TakeHeap, Wait
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.noise import LEVELS, load_noise
from hw.twin.observe import Observer
from hw.twin.raw import RawFrame
from hw.twin.scene import BID
from hw.twin.screen_gestures import (
    AlertGesture,
    CallGesture,
    ClearTray,
    CloseAperture,
    FaceCards,
    GiveBack,
    HoldCall,
    LeadFaceDown,
    OpenAperture,
    PushTray,
    QuitGesture,
    ReturnHand,
    TakeBackCall,
    TakeBackCard,
)
from hw.twin.unheard_sensors import SensingGap, through
from hw.twin.world import ImpossibleGesture
from table_service.games.bridge.rehearsal import SCREENED

PACK = BRIDGE.cards()
TAGS = {f"E004{number:012X}": card for number, card in enumerate(PACK)}


def observer_of(seed: int, level: str = "none") -> Observer:
    return Observer(TAGS, load_noise(level), random.Random(seed), SCREENED)


def logged(observer: Observer, *gestures: Gesture) -> list[Observation]:
    return [line for gesture in gestures for line in observer.perform(gesture)[0]]


def shuffled(seed: int) -> dict[Seat, tuple[str, ...]]:
    cards = list(PACK)
    random.Random(seed).shuffle(cards)
    return {seat: tuple(cards[13 * n : 13 * n + 13]) for n, seat in enumerate(SEATS)}


def board_of(hands: dict[Seat, tuple[str, ...]]) -> SetTable:
    return SetTable({}, {f"board-{seat}": (cards,) for seat, cards in hands.items()})


def newest(lines: list[Observation], zone: str) -> list[SightedCard]:
    """What the newest picture that nothing hides shows of ``zone``, in its order."""
    sight = [line for line in lines if isinstance(line, Sight) and zone not in line.hidden][-1]
    cards = [card for card in sight.cards if card.zone == zone]
    return sorted(cards, key=lambda card: -1 if card.order is None else card.order)


def on_tray(lines: list[Observation]) -> dict[Seat | None, list[str]]:
    found: dict[Seat | None, list[str]] = {}
    for card in newest(lines, "tray"):
        found.setdefault(card.seat, []).append(card.card)
    return found


def auction(seed: int) -> tuple[Seat, list[tuple[Seat, str]]]:
    """A dealer and some calls in turn, of bids that rise."""
    rng = random.Random(seed)
    seat = dealer = rng.choice(SEATS)
    bids, calls = iter(sorted(rng.sample(BIDS, rng.randint(2, 9)), key=BIDS.index)), []
    for bid in bids:
        for call in (bid, *rng.choice([(), ("P",), ("X",), ("X", "P"), ("X", "XX")])):
            calls.append((seat, call))
            seat = seat.next
    return dealer, calls


@pytest.mark.parametrize("seed", range(12))
def test_every_call_lies_in_its_players_compartment_in_order_and_the_contacts_tell_each_passing(seed: int) -> None:
    observer, (dealer, calls) = observer_of(seed), auction(seed)
    lines = logged(observer, ConsoleGesture("deal", fields={"deal": 1, "dealer": dealer}))
    laid: dict[Seat | None, list[str]] = {}
    stands = [side_of(dealer)]
    for seat, call in calls:
        if side_of(seat) != stands[-1]:
            lines += logged(observer, PushTray(seat.previous))
            stands.append(side_of(seat))
        lines += logged(observer, CallGesture(seat, call), Wait(2.5))
        laid.setdefault(seat, []).append(call)
        assert on_tray(lines) == laid
        for card in newest(lines, "tray"):
            assert compartment_at(card.x, card.y, stands[-1]) is card.seat
            assert BRIDGE_LAYOUT.zone_at(card.x, card.y) == "tray"
    told = [line.side for line in lines if isinstance(line, Tray)]
    assert [side for side in told if side != "moving"] == stands
    assert told[1:] == [side for to in stands[1:] for side in ("moving", to)]


def test_the_log_keeps_whose_compartment_a_bidding_card_lies_in() -> None:
    observer = observer_of(1)
    lines = logged(observer, ConsoleGesture("deal", fields={"dealer": "E"}), CallGesture(Seat.EAST, "7C"), Wait(3.0))
    assert [observation_from_json(observation_to_json(line)) for line in lines] == lines
    assert on_tray(lines) == {Seat.EAST: ["7C"]}
    playing = SightedCard("7C", "played-E", 0.0, 0.0, 0.0, "up", 1.0)
    assert "seat" not in observation_to_json(Sight(1.0, (playing,)))["cards"][0]


def test_no_sensor_but_the_camera_tells_one_call_from_another() -> None:
    """What a device near the other side could pass on before the tray comes is the same whatever was called."""
    logs = []
    for call in ("1C", "7N", "P", "alert", "stop"):
        observer = observer_of(5, "normal")
        lines = logged(
            observer, ConsoleGesture("deal", fields={"dealer": "N"}), CallGesture(Seat.NORTH, call), PushTray(Seat.EAST)
        )
        logs.append([line for line in lines if not isinstance(line, Sight)])
    assert all(log == logs[0] for log in logs)
    assert {type(line) for line in logs[0]} <= {Console, Screen, Tray, Reach}
    assert {line.zone for line in logs[0] if isinstance(line, Reach)} == {"table"}


def test_a_call_shown_beside_the_tray_is_not_on_it_until_it_is_laid_and_may_be_taken_back() -> None:
    observer = observer_of(2)
    lines = logged(observer, ConsoleGesture("deal", fields={"dealer": "S"}), HoldCall(Seat.SOUTH, "2H"), Wait(3.0))
    assert on_tray(lines) == {}
    assert [(card.card, card.seat) for card in newest(lines, "table")] == [("2H", Seat.SOUTH)]
    lines += logged(observer, CallGesture(Seat.SOUTH, "2H"), Wait(3.0))
    assert on_tray(lines) == {Seat.SOUTH: ["2H"]}
    assert newest(lines, "table") == []
    lines += logged(observer, TakeBackCall(Seat.SOUTH), CallGesture(Seat.SOUTH, "3H"), Wait(3.0))
    assert on_tray(lines) == {Seat.SOUTH: ["3H"]}
    lines += logged(observer, ClearTray(Seat.SOUTH), Wait(3.0))
    assert on_tray(lines) == {}


def test_an_alert_lies_over_the_call_until_it_is_given_back() -> None:
    observer = observer_of(3)
    lines = logged(observer, ConsoleGesture("deal", fields={"dealer": "N"}), CallGesture(Seat.NORTH, "2C"))
    lines += logged(observer, AlertGesture(Seat.NORTH, Seat.NORTH), Wait(3.0))
    assert on_tray(lines) == {Seat.NORTH: ["2C", "alert"]}
    lines += logged(
        observer,
        GiveBack(Seat.EAST, Seat.NORTH),
        CallGesture(Seat.EAST, "stop"),
        CallGesture(Seat.EAST, "3S"),
        Wait(3.0),
    )
    assert on_tray(lines) == {Seat.NORTH: ["2C"], Seat.EAST: ["stop", "3S"]}


def test_a_tray_that_is_pushed_half_way_and_back_has_passed_to_nobody() -> None:
    observer = observer_of(4)
    lines = logged(observer, ConsoleGesture("deal", fields={"dealer": "W"}), PushTray(Seat.WEST, back=True))
    assert [line.side for line in lines if isinstance(line, Tray)] == ["SW", "moving", "SW"]
    hidden = [line for line in lines if isinstance(line, Sight) and "tray" in line.hidden]
    assert hidden
    assert not [card for line in hidden for card in line.cards if card.zone == "tray"]


@pytest.mark.parametrize("seed", range(6))
def test_a_whole_play_is_read_again_lead_tricks_quitted_backs_dummy_and_pockets(seed: int) -> None:
    rng, hands = random.Random(seed), shuffled(seed)
    observer = observer_of(seed)
    dealer = rng.choice(SEATS)
    lines = logged(observer, board_of(hands), ConsoleGesture("deal", fields={"dealer": dealer}), Wait(6.0))
    lines += logged(observer, *(TakeHeap(seat, f"board-{seat}") for seat in SEATS), Wait(6.0))
    leader = rng.choice(SEATS)
    dummy = leader.next.partner
    lines += logged(observer, LeadFaceDown(leader, hands[leader][0]), Wait(3.0))
    (covered,) = newest(lines, f"played-{leader}")
    assert (covered.card, covered.face) == (UNKNOWN, "down")
    lines += logged(observer, FaceCards(leader), OpenAperture(leader), LayOut(dummy), Wait(3.0))
    assert {card.card for card in newest(lines, f"hand-{dummy}")} == {face(card) for card in hands[dummy]}
    across: dict[Seat, list[bool]] = {seat: [] for seat in SEATS}
    for trick in range(13):
        wins = rng.choice(("NS", "EW"))
        for seat in SEATS:
            if (trick, seat) != (0, leader):
                lines += logged(observer, PlayGesture(seat, hands[seat][trick]))
        lines += logged(observer, Wait(3.0))
        for seat in SEATS:
            (up,) = [card for card in newest(lines, f"played-{seat}") if card.face == "up"]
            assert up.card == face(hands[seat][trick])
        for seat in SEATS:
            across[seat].append(seat.line != wins)
            lines += logged(observer, QuitGesture(seat, across=across[seat][-1]))
    lines += logged(observer, CloseAperture(leader), Wait(3.0))
    for seat in SEATS:
        backs = newest(lines, f"played-{seat}")
        assert [card.card for card in backs] == [UNKNOWN] * 13
        points_ew = [abs(card.angle - 90.0) < 30.0 for card in backs]
        assert points_ew == [(seat.line == "EW") != crossed for crossed in across[seat]]
    assert [line.pose for line in lines if isinstance(line, Screen) and line.part == "aperture"] == [
        "closed",
        "open",
        "closed",
    ]
    read = {TAGS[uid] for line in lines if isinstance(line, Tags) for uid in line.tags}
    assert read >= {card for seat in SEATS if seat is not dummy for card in hands[seat]}
    assert not read & set(hands[dummy][1:])  # out of the spread hand no card crosses a gate
    lines += logged(observer, *(ReturnHand(seat) for seat in SEATS), Wait(6.0))
    for seat in SEATS:
        weighed = [line.grams for line in lines if isinstance(line, Scale) and line.zone == f"board-{seat}"]
        assert weighed[-1] == pytest.approx(13 * 1.8)
        assert newest(lines, f"played-{seat}") == []
    assert observer.world.cards() == tuple(sorted(PACK))


def test_thirteen_cards_lie_within_the_place_before_their_player_and_a_card_may_be_taken_back() -> None:
    hands, observer = shuffled(7), observer_of(7)
    logged(observer, SetTable(hands), ConsoleGesture("deal", fields={"dealer": "N"}))
    for seat in SEATS:
        for n, card in enumerate(hands[seat]):
            logged(observer, PlayGesture(seat, card), QuitGesture(seat, across=bool(n % 2)))
    for place in places(observer.world):
        rect = BRIDGE_LAYOUT.zones[place.zone]
        half_x, half_y = (44.0, 31.5) if abs(place.angle % 180 - 90) < 45 else (31.5, 44.0)
        assert rect.x0 - 3 < place.x - half_x
        assert place.x + half_x < rect.x1 + 3
        assert rect.y0 - 3 < place.y - half_y
        assert place.y + half_y < rect.y1 + 3
    other = observer_of(8)
    logged(other, SetTable(hands), PlayGesture(Seat.WEST, hands[Seat.WEST][4]), TakeBackCard(Seat.WEST))
    assert sorted(other.world.hands[Seat.WEST]) == sorted(hands[Seat.WEST])


@pytest.mark.parametrize(
    "gesture",
    [
        PushTray(Seat.NORTH),
        GiveBack(Seat.NORTH, Seat.SOUTH),
        AlertGesture(Seat.NORTH, Seat.SOUTH),
        TakeBackCall(Seat.EAST),
        FaceCards(Seat.EAST),
        QuitGesture(Seat.EAST),
        TakeBackCard(Seat.EAST),
        ReturnHand(Seat.EAST),
        LeadFaceDown(Seat.EAST, "7H#1"),
    ],
    ids=lambda gesture: type(gesture).__name__,
)
def test_what_nobody_can_do_is_refused_in_one_sentence(gesture: Gesture) -> None:
    with pytest.raises(ImpossibleGesture, match=r"^[^\n]+$"):
        observer_of(1).perform(gesture)
    with pytest.raises(ImpossibleGesture, match="no card 1C is left in the bidding box of N"):
        logged(observer_of(1), CallGesture(Seat.NORTH, "1C"), CallGesture(Seat.NORTH, "1C"))


def test_compartments_lie_apart_inside_the_place_of_the_tray_on_either_side() -> None:
    tray = BRIDGE_LAYOUT.zones["tray"]
    for side in TRAY_SIDES:
        assert other_side(other_side(side)) == side
        rects = [compartment(seat, side) for seat in SEATS]
        for n, a in enumerate(rects):
            assert tray.holds(a.x0, a.y0)
            assert tray.holds(a.x1, a.y1)
            for b in rects[n + 1 :]:
                assert max(a.x0 - b.x1, b.x0 - a.x1, a.y0 - b.y1, b.y0 - a.y1) >= 0


def test_a_box_has_the_names_of_the_contract() -> None:
    assert len(BIDS) == 35
    assert {*CALLS, "stop", "alert"} == set(BIDDING_BOX.copies)
    assert [BIDDING_BOX.parse(text) for text in ("1c", "7n", "p", "xx", "STOP", "alert")] == [
        "1C",
        "7N",
        "P",
        "XX",
        "stop",
        "alert",
    ]


async def test_node_and_camera_get_the_same_table_as_the_log() -> None:
    player = LivePlayer(TAGS, load_noise("none"), random.Random(1), ScaledClock(50_000.0), SCREENED)
    script = [
        ConsoleGesture("deal", fields={"dealer": "N"}),
        CallGesture(Seat.NORTH, "7C"),
        PushTray(Seat.NORTH),
        Wait(2.0),
    ]
    contacts: list[tuple[str, object]] = []
    pictures: list[Snapshot] = []
    async for played in player.play([*script, OpenAperture(Seat.EAST), Wait(2.0)]):
        if isinstance(played, RawFrame):
            contacts += [(name, value) for name, value in played.values.items() if name.startswith(("tray", "screen"))]
        elif isinstance(played, Snapshot):
            pictures.append(played)
    first = {"screen:panel": 1, "screen:aperture": 0, "tray:NE": 0, "tray:SW": 0}
    assert dict(contacts[:4]) == first
    moved = [one for one in contacts[4:] if one[0].startswith("tray")]
    assert moved == [("tray:NE", 1), ("tray:NE", 0), ("tray:SW", 1)]
    assert contacts[-1] == ("screen:aperture", 1)
    (card,) = pictures[-1].scene.cards
    assert card.card == f"{BID}7C"
    assert compartment(Seat.NORTH, "SW").holds(card.x, card.y)


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(4))
def test_whatever_people_do_no_card_is_lost_and_what_the_table_refuses_changes_nothing(seed: int, level: str) -> None:
    rng, hands = random.Random(seed), shuffled(seed)
    observer = observer_of(seed, level)
    logged(observer, SetTable(hands), ConsoleGesture("deal", fields={"dealer": "W"}))
    done = set()
    for _ in range(150):
        seat, other = rng.choice(SEATS), rng.choice(SEATS)
        card = rng.choice(observer.world.hands[seat] or ("none",))
        gesture = rng.choice(
            [
                CallGesture(seat, rng.choice(CALLS)),
                HoldCall(seat, rng.choice(CALLS)),
                TakeBackCall(seat),
                AlertGesture(seat, other),
                GiveBack(seat, other),
                PushTray(seat, back=rng.random() < 0.2),
                OpenAperture(seat),
                CloseAperture(seat),
                LeadFaceDown(seat, card),
                FaceCards(seat),
                PlayGesture(seat, card),
                QuitGesture(seat, across=rng.random() < 0.5),
                TakeBackCard(seat),
                ReturnHand(seat),
                TakeHeap(seat, f"board-{seat}"),
            ]
        )
        before = observer.world
        try:
            logged(observer, gesture)
            done.add(type(gesture))
        except ImpossibleGesture:
            assert observer.world == before
        assert observer.world.cards() == tuple(sorted(PACK))
        assert observer.world.tray is not None
    assert len(done) >= 12


def test_a_tray_and_a_screen_that_were_not_heard_say_where_they_are_when_they_are_heard_again() -> None:
    observer = observer_of(6)
    lines = logged(observer, ConsoleGesture("deal", fields={"dealer": "N"}), Wait(2.0))
    start = observer.t
    lines += logged(observer, PushTray(Seat.NORTH), OpenAperture(Seat.EAST), Wait(2.0))
    gap = SensingGap(start, observer.t, ("tray:NE", "tray:SW", "screen:panel", "screen:aperture"), ("places",))
    lines += logged(observer, Press(Seat.WEST, "ready"), Wait(2.0))
    heard = [line for line in through(gap, lines) if isinstance(line, Screen | Tray)]
    assert not [line for line in heard if gap.start <= line.t < gap.end]
    told = {(line.t, line.side if isinstance(line, Tray) else line.pose) for line in heard if line.t >= gap.end}
    assert told == {(gap.end, "SW"), (gap.end, "open")}
