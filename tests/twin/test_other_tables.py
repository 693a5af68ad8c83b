"""The twin simulates any table whose equipment it is told: tricks, three seats, the other way round, rows, pockets."""

from __future__ import annotations

import ast
import random
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from hw.cards import BRIDGE, TAROCCO, face
from hw.equipment import BRIDGE_TABLE, TAROCCO_TABLE, Equipment, EquipmentZone
from hw.layout import BRIDGE_LAYOUT, CARD_WIDTH, DEFAULT_LAYOUT, TAROCCO_LAYOUT, Layout, Rect
from hw.observations import Knock, Observation, Reach, Scale, Shield, Sight, Tags
from hw.seats import ANTICLOCKWISE, CLOCKWISE, HEADS_UP, SEATS, Rotation, Seat
from hw.twin.camera import Camera
from hw.twin.card_places import places
from hw.twin.changes import apply
from hw.twin.gestures import (
    ConsoleGesture,
    DrawGesture,
    Gesture,
    LayGesture,
    PlayGesture,
    PutAside,
    PutDown,
    SetTable,
    TakeHeap,
    TakeTrick,
    Tap,
    TurnShield,
    Wait,
)
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.noise import LEVELS, load_noise
from hw.twin.observe import Observer
from hw.twin.raw import RawFrame
from hw.twin.twin_table import DRAWN, TableKind
from hw.twin.world import ImpossibleGesture, World, boxed
from hw.zones import TABLE, gate, hand, side

THREE = Rotation((Seat.SOUTH, Seat.EAST, Seat.NORTH))
TAROCCHI = TableKind(TAROCCO_TABLE, TAROCCO_LAYOUT, ANTICLOCKWISE, TAROCCO_TABLE.beside)
BRIDGE_AT = TableKind(BRIDGE_TABLE, BRIDGE_LAYOUT, CLOCKWISE, BRIDGE_TABLE.beside)
WON = {
    Seat.NORTH: Rect(60, 240, 170, 345),
    Seat.EAST: Rect(240, -170, 345, -60),
    Seat.SOUTH: Rect(-170, -345, -60, -240),
    Seat.WEST: Rect(-345, 60, -240, 170),
}


def trick_table(rotation: Rotation) -> TableKind:
    """A table for tricks that every player keeps for himself: one place in the middle, a plate at each seat."""
    seats = rotation.seats
    places = (
        EquipmentZone("trick", "trick", needed=True),
        *(EquipmentZone(f"won-{seat}", "stack", weighed=True, beamed=True) for seat in seats),
        *(EquipmentZone(gate(seat), "gate", gated=True) for seat in seats),
        *(EquipmentZone(hand(seat), "fan") for seat in seats),
        *(EquipmentZone(side(seat), "spot") for seat in seats),
        EquipmentZone(TABLE, "anywhere", beamed=True),
    )
    hands = {hand(seat): DEFAULT_LAYOUT.zones[hand(seat)] for seat in seats}
    zones = {**hands, "trick": Rect(-120, -120, 120, 120), **{f"won-{seat}": WON[seat] for seat in seats}}
    return TableKind(Equipment("tricks", places), Layout(zones, DEFAULT_LAYOUT.markers), rotation)


def tags_of(cards: tuple[str, ...]) -> dict[str, str]:
    return {f"E004{number:012X}": card for number, card in enumerate(cards)}


def dealt(table: TableKind, cards: tuple[str, ...], each: int) -> SetTable:
    return SetTable({seat: cards[n * each : (n + 1) * each] for n, seat in enumerate(table.rotation.seats)})


def one_trick(world: World, leads: Seat, takes: Seat) -> list[Gesture]:
    """Every seat plays its first card in turn, and one takes them."""
    rotation = world.table.rotation
    order = [rotation.after(leads, turns) for turns in range(len(rotation.seats))]
    return [*(PlayGesture(seat, world.hands[seat][0]) for seat in order), TakeTrick(takes)]


def settled(lines: list[Observation], zone: str) -> float:
    return [line.grams for line in lines if isinstance(line, Scale) and line.zone == zone and line.settled][-1]


def trick_seen(lines: list[Observation]) -> set[str]:
    """The faces at the trick in the newest picture that no hand hides."""
    sight = [line for line in lines if isinstance(line, Sight) and "trick" not in line.hidden][-1]
    return {card.card for card in sight.cards if card.zone == "trick"}


def test_a_trick_of_tarocco_is_read_at_the_gates_seen_in_the_middle_and_weighed_when_it_is_taken() -> None:
    cards = TAROCCO.cards()
    observer = Observer(tags_of(cards), load_noise("none"), random.Random(3), TAROCCHI, card_grams=2.3)
    scarto = cards[60:62]
    hands = {seat: cards[15 * n : 15 * n + 15] for n, seat in enumerate(ANTICLOCKWISE.seats)}
    hands[Seat.NORTH] = (*hands[Seat.NORTH], *scarto)
    lines: list[Observation] = []
    for gesture in (
        ConsoleGesture("deal"),
        SetTable(hands),
        PutDown(Seat.NORTH, scarto, "scarto"),
        Tap(Seat.WEST),
        Wait(1.0),
    ):
        lines += observer.perform(gesture)[0]
    assert settled(lines, "scarto") == pytest.approx(2 * 2.3)
    assert [line.seat for line in lines if isinstance(line, Knock)] == [Seat.WEST]

    *plays, taken = one_trick(observer.world, Seat.WEST, Seat.SOUTH)
    played = [line for gesture in (*plays, Wait(3.0)) for line in observer.perform(gesture)[0]]
    read = [(line.zone, observer_card(observer, line)) for line in played if isinstance(line, Tags) and line.tags]
    assert read == [(gate(seat), hands[seat][0]) for seat in ("W", "S", "E", "N")]
    assert trick_seen(played) == {face(hands[seat][0]) for seat in SEATS}

    after = [line for gesture in (taken, Wait(3.0)) for line in observer.perform(gesture)[0]]
    assert trick_seen(after) == set()
    assert settled(after, "tricks-NS") == pytest.approx(4 * 2.3)
    assert observer.world.heap("tricks-NS") == tuple(hands[seat][0] for seat in ("W", "S", "E", "N"))
    heard = {line.zone for line in (*lines, *played, *after) if isinstance(line, Scale | Tags)}
    assert heard <= {*TAROCCO_TABLE.weighed, *TAROCCO_TABLE.gated}
    assert {line.zone for line in played if isinstance(line, Reach)} == {TABLE}
    assert not [line for line in (*lines, *played, *after) if isinstance(line, Shield)]


def observer_card(observer: Observer, line: Tags) -> str:
    (uid,) = line.tags
    return tags_of(TAROCCO.cards())[uid]


def test_what_is_shown_for_a_declaration_is_seen_at_its_players_side() -> None:
    cards = TAROCCO.cards()
    observer = Observer(tags_of(cards), load_noise("none"), random.Random(4), TAROCCHI)
    lines: list[Observation] = []
    for gesture in (dealt(TAROCCHI, cards, 15), PutAside(Seat.WEST, cards[15:18]), Wait(3.0)):
        lines += observer.perform(gesture)[0]
    newest = [line for line in lines if isinstance(line, Sight)][-1]
    assert {card.card for card in newest.cards if card.zone == "side-W"} == {face(card) for card in cards[15:18]}


@pytest.mark.parametrize("rotation", [CLOCKWISE, ANTICLOCKWISE, THREE, HEADS_UP], ids=["4", "4 back", "3", "2"])
@pytest.mark.parametrize("level", LEVELS)
def test_tricks_go_round_any_table_and_every_card_stays_somewhere(rotation: Rotation, level: str) -> None:
    table, cards = trick_table(rotation), BRIDGE.cards()
    observer = Observer(tags_of(cards), load_noise(level), random.Random(5), table)
    observer.perform(ConsoleGesture("deal"))
    observer.perform(dealt(table, cards, 10))
    leads, lines = rotation.seats[0], list[Observation]()
    for _ in range(4):
        takes = rotation.next(leads)
        for gesture in one_trick(observer.world, leads, takes):
            lines += observer.perform(gesture)[0]
        leads = takes
    lines += observer.perform(Wait(4.0))[0]
    assert observer.world.cards() == tuple(sorted(cards))
    assert not observer.world.loose
    taken = {seat: len(observer.world.heap(f"won-{seat}")) for seat in rotation.seats}
    assert sum(taken.values()) == 4 * len(rotation.seats)
    assert {line.seat for line in lines if isinstance(line, Reach)} == set(rotation.seats)
    assert {line.zone for line in lines if isinstance(line, Scale)} == {f"won-{seat}" for seat in taken if taken[seat]}
    for seat in (seat for seat in rotation.seats if taken[seat] and level == "none"):
        assert settled(lines, f"won-{seat}") == pytest.approx(1.8 * taken[seat])


async def test_the_live_twin_of_three_tells_only_sensors_of_its_table_and_the_camera_draws_its_tricks() -> None:
    table, cards = trick_table(THREE), BRIDGE.cards()
    script = [ConsoleGesture("deal"), dealt(table, cards, 5)]
    world = boxed(cards, table)
    for gesture in script:
        world = apply(world, gesture)
    *plays, taken = one_trick(world, Seat.EAST, Seat.NORTH)
    player = LivePlayer(tags_of(cards), load_noise("none"), random.Random(1), ScaledClock(50_000.0), table)
    names: set[str] = set()
    pictures: list[Snapshot] = []
    async for played in player.play([*script, *plays, Wait(3.0), taken, Wait(3.0)]):
        if isinstance(played, RawFrame):
            names |= played.values.keys()
        elif isinstance(played, Snapshot) and played.why != "covered":
            pictures.append(played)
    assert names <= set(table.sensors)
    assert {f"scale:won-{seat}" for seat in THREE.seats} <= names
    most = max(pictures, key=lambda picture: sum(card.face_up for card in picture.scene.cards))
    shown = [card for card in most.scene.cards if card.face_up]
    assert {card.card for card in shown} == {world.hands[seat][0] for seat in THREE.seats}
    camera = Camera(table.layout, width=760, height=760, equipment=table.equipment)
    bare, frame = camera.render(pictures[0].scene).copy(), camera.render(most.scene)
    for card in shown:
        x, y = map(round, camera.project(card.x, card.y))
        spot = (slice(y - 8, y + 8), slice(x - 8, x + 8))
        assert np.abs(frame[spot].astype(int) - bare[spot]).mean() > 40


def test_rows_lie_along_the_edge_of_their_keeper_each_card_to_his_right_of_the_one_before() -> None:
    cards = BRIDGE.cards()
    world = apply(boxed(cards, BRIDGE_AT), dealt(BRIDGE_AT, cards, 13))
    for seat in SEATS:
        world = apply(world, LayGesture(seat, SEATS.index(seat), world.hands[seat], along="row"))
    to_right = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
    for n, seat in enumerate(SEATS):
        lying = [place for place in places(world) if place.row == n]
        assert [place.card for place in lying] == list(world.rows[n].cards)
        assert [place.order for place in lying] == list(range(13))
        assert {BRIDGE_LAYOUT.zone_at(place.x, place.y) for place in lying} == {f"played-{seat}"}
        dx, dy = to_right[seat]
        assert all((b.x - a.x) * dx + (b.y - a.y) * dy > 12 for a, b in pairwise(lying))


def test_columns_lie_in_any_zone_and_run_from_its_keeper_to_the_middle() -> None:
    cards = BRIDGE.cards()
    world = apply(boxed(cards, BRIDGE_AT), dealt(BRIDGE_AT, cards, 13))
    world = apply(world, LayGesture(Seat.SOUTH, 7, world.hands[Seat.SOUTH][:3], zone="tray"))
    world = apply(world, LayGesture(Seat.WEST, 8, world.hands[Seat.WEST][:3]))
    world = apply(world, LayGesture(Seat.WEST, 9, world.hands[Seat.WEST][:2]))
    assert {BRIDGE_LAYOUT.zone_at(place.x, place.y) for place in places(world) if place.row == 7} == {"tray"}
    first = {place.order: place for place in places(world) if place.row == 8}
    assert first[0].x < first[1].x < first[2].x
    other = next(place for place in places(world) if place.row == 9)
    assert abs(other.y - first[0].y) > CARD_WIDTH - 4


def test_a_pocket_weighs_what_lies_in_it_until_its_player_takes_it_out() -> None:
    cards = BRIDGE.cards()
    pockets = {f"board-{seat}": (cards[13 * n : 13 * n + 13],) for n, seat in enumerate(SEATS)}
    observer = Observer(tags_of(cards), load_noise("none"), random.Random(1), BRIDGE_AT)
    lines = [line for gesture in (SetTable({}, pockets), Wait(6.0)) for line in observer.perform(gesture)[0]]
    assert {zone: settled(lines, zone) for zone in pockets} == pytest.approx(dict.fromkeys(pockets, 13 * 1.8))
    lines = [line for gesture in (TakeHeap(Seat.EAST, "board-E"), Wait(6.0)) for line in observer.perform(gesture)[0]]
    assert settled(lines, "board-E") == pytest.approx(0.0)
    assert observer.world.hands[Seat.EAST] == cards[13:26]


@pytest.mark.parametrize(
    ("table", "gesture"),
    [
        (TAROCCHI, LayGesture(Seat.NORTH, 0, ("A",))),
        (BRIDGE_AT, DrawGesture(Seat.NORTH)),
        (BRIDGE_AT, PlayGesture(Seat.NORTH, "A")),
        (DRAWN, TakeTrick(Seat.NORTH)),
        (TAROCCHI, TakeTrick(Seat.NORTH)),
        (trick_table(THREE), PutDown(Seat.WEST, ("A",), "won-N")),
    ],
)
def test_what_a_table_has_no_place_for_is_refused_in_one_sentence(table: TableKind, gesture: Gesture) -> None:
    with pytest.raises(ImpossibleGesture, match=r"^[^\n]+$"):
        apply(boxed(("A", "B"), table), gesture)


def test_a_ghost_is_heard_only_beside_the_gate_that_a_card_crosses() -> None:
    assert DRAWN.hearing("gate-N") == ("gate-W", "gate-E")
    assert DRAWN.hearing("gate-stock") == ("discard",)
    assert trick_table(THREE).hearing("gate-S") == ("gate-E",)
    assert trick_table(HEADS_UP).hearing("gate-N") == ()


def test_no_module_of_the_twin_names_a_zone_that_only_one_game_has() -> None:
    shared = {"TABLE", "gate", "hand", "side", "zone_line", "zone_seat"}
    for path in (Path(__file__).parents[2] / "hw" / "twin").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module == "hw.zones":
                assert {name.name for name in node.names} <= shared, path.name


def test_shields_stand_upright_at_a_deal_where_the_table_has_some() -> None:
    for table, seats in ((DRAWN, list(SEATS)), (TAROCCHI, [])):
        observer = Observer(tags_of(BRIDGE.cards()), load_noise("none"), random.Random(1), table)
        lines = observer.perform(ConsoleGesture("deal"))[0]
        assert [line.seat for line in lines if isinstance(line, Shield)] == seats
        turned = observer.perform(TurnShield(Seat.NORTH, "over"))[0]
        assert [line.pose for line in turned if isinstance(line, Shield)] == ["over"] * bool(seats)
