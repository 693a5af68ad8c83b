"""A tray with a surface and an edge of its own: calls are read on it, and a hand over it is seen all the same."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hw.bidding import TraySide
from hw.cards import UNKNOWN
from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.camera_style import BLUE_ROOM, RED_ROOM, TrayLook
from hw.twin.scene import Arm, Scene
from lab.vision.measure.bidding import Compartments, laid
from lab.vision.train.bidding_boxes import drawn_box
from lab.vision.train.bidding_trays import drawn_tray
from tests.sweeps import rest_in_proof
from vision.calibration import calibrate
from vision.faces.box import BiddingFaces
from vision.faces.box_rows import ReadRow
from vision.faces.bridge_follower import BridgeWatcher
from vision.faces.tray_reader import PATIENCE, TrayPictureReader
from vision.index_reader import IndexReader
from vision.see_tray import draw_calls, read_tray

from .tray_calls import BOX, CALLS, NONE, box_faces

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kept-box")]
"""The box is enrolled once a process."""

Picture = np.ndarray[Any, np.dtype[np.uint8]]
LOOKS = {
    "blue as the cloth": TrayLook((112, 70, 30), (112, 70, 30)),
    "green baize, wooden edge": TrayLook((70, 120, 60), (40, 70, 120)),
    "grey plastic, lines": TrayLook((120, 120, 125), (60, 60, 60), 5.0, (175, 175, 178)),
    "pale wood": TrayLook((150, 185, 205), (60, 90, 140), 11.0, None, 0.06),
    "black, narrow edge": TrayLook((32, 30, 31), (90, 90, 92), 2.5),
}


@pytest.fixture(scope="module")
def faces() -> BiddingFaces:
    return box_faces()


def _camera(look: TrayLook, width: int = 1500) -> Camera:
    style = replace(BLUE_ROOM, tray=look)
    return Camera(BRIDGE_LAYOUT, style, 3, width, width, artwork=drawn_box(BOX), equipment=BRIDGE_TABLE)


def _scene(calls: Compartments, side: TraySide, *arms: Arm) -> Scene:
    return Scene(1.0, tuple(laid(calls, side, np.random.default_rng(5))), arms, tray=side)


def _reader(camera: Camera, faces: BiddingFaces, first: Scene, patience: int = PATIENCE) -> TrayPictureReader:
    frame = camera.render(first)
    return TrayPictureReader(BRIDGE_LAYOUT, calibrate(frame, BRIDGE_LAYOUT), faces, frame, patience)


def _told(reader: TrayPictureReader, camera: Camera, scene: Scene) -> Compartments | None:
    """What a tray at rest shows; None: it is hidden."""
    reader.look(camera.render(scene))
    seen = reader.look(camera.render(scene))
    if seen.hidden:
        return None
    return {seat: [card.card for card in seen.cards if card.seat is seat] for seat in Seat}


@pytest.mark.parametrize("look", rest_in_proof(LOOKS.values(), 2, LOOKS))
def test_calls_are_read_on_a_tray_of_any_look_which_stood_there_when_the_camera_was_calibrated(
    look: TrayLook, faces: BiddingFaces
) -> None:
    camera = _camera(look)
    reader = _reader(camera, faces, _scene(NONE, "NE"))
    told = [_told(reader, camera, _scene(calls, side)) for calls in (NONE, CALLS) for side in ("NE", "SW")]
    assert told == [NONE, NONE, CALLS, CALLS]


@pytest.mark.parametrize("look", rest_in_proof(list(LOOKS.values())[1:4], 1, list(LOOKS)[1:4]))
def test_a_hand_over_the_tray_and_the_tray_on_its_way_hide_it(look: TrayLook, faces: BiddingFaces) -> None:
    camera = _camera(look)
    reader = _reader(camera, faces, Scene(0.0, ()))
    assert _told(reader, camera, _scene(CALLS, "NE")) == CALLS
    for arm in (Arm(Seat.NORTH, 10.0, 90.0), Arm(Seat.EAST, 120.0, 20.0), Arm(Seat.SOUTH, -20.0, -60.0)):
        assert _told(reader, camera, _scene(CALLS, "NE", arm)) is None
    on_its_way = tuple(replace(card, x=card.x - 35, y=card.y - 35) for card in _scene(CALLS, "NE").cards)
    assert _told(reader, camera, Scene(2.0, on_its_way, tray="moving")) is None
    assert _told(reader, camera, _scene(CALLS, "SW")) == CALLS


def test_the_trays_edge_is_no_arm_over_the_places_of_penalty_cards(faces: BiddingFaces) -> None:
    camera = _camera(LOOKS["green baize, wooden edge"])
    frame = camera.render(_scene(NONE, "NE"))
    watcher = BridgeWatcher(BRIDGE_LAYOUT, calibrate(frame, BRIDGE_LAYOUT), IndexReader(), faces, frame)
    for t, side in ((1.0, "NE"), (2.0, "SW"), (3.0, "SW")):
        sight = watcher.look(camera.render(_scene(NONE, side)), t)
    assert sight is not None
    assert sight.hidden == ()


@pytest.mark.parametrize("seed", rest_in_proof([2, 7]))
def test_one_picture_of_the_table_is_enough_on_a_tray_that_was_never_seen(seed: int, faces: BiddingFaces) -> None:
    style = replace(RED_ROOM, tray=drawn_tray(seed))
    camera = Camera(BRIDGE_LAYOUT, style, 4, 2400, 2400, artwork=drawn_box(BOX), equipment=BRIDGE_TABLE)
    seen = read_tray(camera.render(_scene(CALLS, "SW")), faces).seen
    assert {seat: [card.card for card in seen.cards if card.seat is seat] for seat in Seat} == CALLS


def test_names_of_calls_are_painted_beside_the_tray_and_cover_no_other(
    faces: BiddingFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = _camera(LOOKS["green baize, wooden edge"], 2000)
    picture = camera.render(_scene(CALLS, "NE"))
    tray = read_tray(picture, faces).listed()
    plates: list[tuple[str, tuple[int, int]]] = []
    monkeypatch.setattr("vision.see_tray.label", lambda _, text, at, *__: plates.append((text, at)))
    painted = picture.copy()
    draw_calls(painted, tray)
    assert (painted != picture).any()
    assert sorted(text for text, _ in plates) == sorted(name for names in CALLS.values() for name in names)
    apart = [max(abs(a[0] - b[0]), abs(a[1] - b[1])) for n, (_, a) in enumerate(plates) for _, b in plates[:n]]
    assert min(apart) > 18


@pytest.mark.parametrize(
    ("angle", "corner", "foot"),
    [(0.0, (100, 100), (0, 1)), (90.0, (100, 300), (1, 0)), (180.0, (300, 300), (0, -1)), (-90.0, (300, 100), (-1, 0))],
)
def test_names_of_calls_that_lie_straight_stand_at_their_feet_too(
    angle: float, corner: tuple[int, int], foot: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    plates: list[tuple[int, int]] = []
    monkeypatch.setattr("vision.see_tray.label", lambda _, __, at, *___: plates.append(at))
    card = {"card": "P", "confidence": 1.0, "box": [100.0, 100.0, 300.0, 300.0], "corner": list(corner)}
    for off in (0.1, 0.0, -0.1):  # corners and boxes are rounded, each by itself
        listed = {**card, "corner": [corner[0] + off, corner[1] + off], "angle": angle, "order": 0}
        draw_calls(np.zeros((400, 400, 3), np.uint8), {"cards": [listed]})
    ends = np.array(corner) + 200 * np.array(foot)
    assert np.abs(np.array(plates) - ends).max() < 25


def test_calls_that_turn_unknown_under_cards_of_no_box_are_hidden_and_after_a_while_told_as_unknown(
    faces: BiddingFaces, monkeypatch: pytest.MonkeyPatch
) -> None:
    camera = _camera(LOOKS["grey plastic, lines"])
    reader = _reader(camera, faces, Scene(0.0, ()), 3)
    lying = _scene(CALLS, "NE")
    assert _told(reader, camera, lying) == CALLS
    known = {seat: list(calls) for seat, calls in reader.calls.items()}

    def all_unknown(picture: Picture, _: BiddingFaces, before: ReadRow | None = None) -> ReadRow:
        """As a hand that looks like cards, lying as the calls of East do."""
        return ReadRow([replace(call, name=UNKNOWN, apart=0.5) for call in known[Seat.EAST]], picture)

    strange = laid({Seat.EAST: ["7H", "KD", "2H"]}, "NE", np.random.default_rng(5), "")
    with monkeypatch.context() as while_over:
        while_over.setattr("vision.faces.tray_reader.read_row", all_unknown)
        over = Scene(2.0, (*lying.cards, *strange), tray="NE")
        looks = [reader.look(camera.render(over)).hidden for _ in range(9)]
    assert looks[:4] == [True] * 4  # moving, then three looks of patience
    assert looks[-1] is False
    assert [call.name for call in reader.calls[Seat.EAST]] == [UNKNOWN] * 3


def test_a_tray_is_drawn_where_it_stands_and_leaves_no_trace() -> None:
    camera, bare = _camera(LOOKS["grey plastic, lines"], 500), _camera(LOOKS["grey plastic, lines"], 500)
    empty = bare.render(Scene(0.0, ())).astype(int)
    (x, y) = (round(v) for v in camera.project(130.0, 130.0))
    shown = [camera.render(Scene(0.0, (), tray=side)).astype(int) for side in ("NE", "SW", None)]
    apart = [np.abs(one - empty)[y - 3 : y + 4, x - 3 : x + 4].mean() for one in shown]
    assert apart[0] > 25.0
    assert max(apart[1:]) < 5.0
