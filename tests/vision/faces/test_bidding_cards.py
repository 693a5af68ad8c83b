"""Bidding cards read in the tray: a box of which nothing was built with, enrolled from one photograph."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from hw.bidding import BIDDING_BOX, TraySide
from hw.cards import UNKNOWN
from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.observations import SightedCard
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.camera_style import BLUE_ROOM
from hw.twin.scene import BID, Arm, Scene
from lab.vision.measure.bidding import Compartments, laid
from lab.vision.train.bidding_boxes import drawn_box
from table_service.camera.table_camera import Eye, sightings_of
from tests.sweeps import rest_in_proof
from vision.calibration import calibrate
from vision.enrolment import enrolled_faces
from vision.faces.box import BiddingFaces
from vision.faces.edges import all_at_their_edges, at_its_edges
from vision.faces.ground import unlike_ground
from vision.faces.tray_reader import TrayPictureReader
from vision.packs import PackError, PackFaces

pytestmark = pytest.mark.slow
BOX = 1007
CALLS: Compartments = {
    Seat.NORTH: ["P", "2S", "alert", "P", "4N", "6H"],
    Seat.EAST: ["1D", "X", "P"],
    Seat.SOUTH: ["stop", "2H", "3C", "5D", "XX"],
    Seat.WEST: ["1S", "7N"],
}


@pytest.fixture(scope="module")
def box() -> PackFaces:
    """Box BOX, enrolled from one picture of its cards in rows on a grey ground."""
    artwork = drawn_box(BOX)
    picture = np.full((5 * 240 + 40, 8 * 180 + 40, 3), 90, np.uint8)
    for n, name in enumerate(BIDDING_BOX.copies):
        row, column = divmod(n, 8)
        card = artwork(f"{BID}{name}", 2.4).astype(np.float32)
        place = picture[40 + row * 240 :, 40 + column * 180 :][: card.shape[0], : card.shape[1]]
        share = card[..., 3:] / 255.0
        place[:] = card[..., :3] * share + place * (1.0 - share)
    return enrolled_faces("box.jpg", picture, list(BIDDING_BOX.copies))


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera(BRIDGE_LAYOUT, BLUE_ROOM, 3, 1700, 1700, artwork=drawn_box(BOX), equipment=BRIDGE_TABLE)


@pytest.fixture(scope="module")
def empty(camera: Camera) -> np.ndarray:
    return camera.render(Scene(0.0, ()))


@pytest.fixture(scope="module")
def unused(empty: np.ndarray, box: PackFaces) -> TrayPictureReader:
    """Takes more than a second to make; nothing is looked at with it."""
    return TrayPictureReader(BRIDGE_LAYOUT, calibrate(empty, BRIDGE_LAYOUT), BiddingFaces(box), empty)


@pytest.fixture
def tray(unused: TrayPictureReader) -> TrayPictureReader:
    return copy.deepcopy(unused)


def told(cards: Iterable[SightedCard], seat: Seat) -> list[str]:
    return [card.card for card in cards if card.seat is seat and card.zone == "tray"]


def scene(calls: Compartments, side: TraySide, prefix: str = BID) -> Scene:
    return Scene(1.0, tuple(laid(calls, side, np.random.default_rng(5), prefix)))


@pytest.mark.parametrize("side", rest_in_proof(["NE", "SW"]))
def test_calls_that_lie_on_each_other_are_read_in_their_order_on_either_side_of_the_screen(
    tray: TrayPictureReader, camera: Camera, side: TraySide
) -> None:
    seen = tray.look(camera.render(scene(CALLS, side)))
    assert not seen.hidden
    assert {seat: told(seen.cards, seat) for seat in Seat} == CALLS
    assert [card.order for card in seen.cards if card.seat is Seat.NORTH] == [0, 1, 2, 3, 4, 5]


def test_no_card_is_told_while_a_hand_is_over_the_tray_and_all_are_once_it_is_gone(
    tray: TrayPictureReader, camera: Camera
) -> None:
    lying = scene(CALLS, "NE")
    before = tray.look(camera.render(lying))
    reaching = Scene(2.0, lying.cards, (Arm(Seat.NORTH, 10.0, 90.0),))
    frame = camera.render(reaching)
    for _ in range(2):
        seen = tray.look(frame)
        assert seen.hidden
        assert not seen.cards
    frame = camera.render(lying)
    tray.look(frame)
    after = tray.look(frame)
    assert [card.card for card in after.cards] == [card.card for card in before.cards]


def test_the_tray_on_its_way_gives_no_cards(tray: TrayPictureReader, camera: Camera) -> None:
    lying = scene(CALLS, "NE").cards
    moved = tuple(type(card)(card.card, card.x - 35.0, card.y - 35.0, card.angle, card.face_up) for card in lying)
    seen = tray.look(camera.render(Scene(1.0, moved)))
    assert seen.hidden
    assert not seen.cards


@pytest.mark.parametrize(
    "playing",
    [
        {Seat.NORTH: ["7C"], Seat.EAST: ["2H", "KD"], Seat.SOUTH: ["AS", "3S"], Seat.WEST: ["4D"]},
        {Seat.NORTH: ["6D"], Seat.EAST: ["3S", "3C"], Seat.SOUTH: ["8H", "9S", "7D"], Seat.WEST: ["5D", "5H", "2C"]},
    ],
)
def test_playing_cards_in_the_tray_are_not_named(
    tray: TrayPictureReader, camera: Camera, playing: Compartments
) -> None:
    seen = tray.look(camera.render(scene(playing, "SW", "")))
    assert {card.card for card in seen.cards} <= {UNKNOWN}


def test_a_running_table_with_an_enrolled_box_tells_the_calls_and_keeps_no_picture_of_them(
    camera: Camera, empty: np.ndarray, box: PackFaces
) -> None:
    eye = Eye(BRIDGE_LAYOUT, {}, "000001", sightings_of(BRIDGE_LAYOUT, BRIDGE_TABLE, {}, box=box))
    eye.calibrate(empty)
    frame = camera.render(scene(CALLS, "NE"))
    sight = eye.look(frame, 1.0)
    assert sight is not None
    assert {seat: told(sight.cards, seat) for seat in Seat} == CALLS
    kept = eye.picture(frame, 1.0)
    assert kept is not None
    assert not [card for card in kept.cards if card.zone == "tray"]
    assert kept.pixels()[440:640, 440:640].std() < 3.0


def test_many_calls_of_one_player_pushed_together_are_read(tray: TrayPictureReader, camera: Camera) -> None:
    long: Compartments = {
        Seat.NORTH: ["P", "1S", "alert", "2C", "2N", "X", "3S", "P", "stop", "4S", "4N"],
        Seat.EAST: ["1C", "stop", "2H", "P", "2S", "alert", "X", "3C", "P", "4D", "XX", "5D", "7N"],
        Seat.WEST: ["P"],
    }
    seen = tray.look(camera.render(scene(long, "NE")))
    assert {seat: told(seen.cards, seat) for seat in long} == long


def test_a_box_that_was_saved_is_read_as_before(
    camera: Camera, empty: np.ndarray, box: PackFaces, tmp_path: Path
) -> None:
    box.save(tmp_path / "box.pack")
    faces = BiddingFaces(PackFaces.load(tmp_path / "box.pack"))
    tray = TrayPictureReader(BRIDGE_LAYOUT, calibrate(empty, BRIDGE_LAYOUT), faces, empty)
    seen = tray.look(camera.render(scene(CALLS, "SW")))
    assert {seat: told(seen.cards, seat) for seat in Seat} == CALLS


def test_a_box_that_was_not_enrolled_whole_names_no_card(camera: Camera, empty: np.ndarray, box: PackFaces) -> None:
    """What was not enrolled would be told as a bid that looks like it: 2H as 2D or 3H."""
    some = {name: pictures for name, pictures in box.pictures.items() if name != "2H"}
    faces = BiddingFaces(replace(box, pictures=some))
    tray = TrayPictureReader(BRIDGE_LAYOUT, calibrate(empty, BRIDGE_LAYOUT), faces, empty)
    seen = [tray.look(camera.render(scene(CALLS, side))) for side in ("NE", "SW")]
    names = {card.card for look in seen for card in look.cards}
    assert names == {UNKNOWN}


def test_a_box_without_finer_pictures_has_to_be_enrolled_again(box: PackFaces) -> None:
    with pytest.raises(PackError, match="enrol it again"):
        BiddingFaces(replace(box, pictures={}))


def test_a_card_is_cut_out_at_its_edges_though_a_shadow_lies_beside_it() -> None:
    picture = np.full((400, 300, 3), (190, 150, 185), np.uint8)
    true = np.array([(70.0, 60.0), (212.0, 64.0), (206.0, 262.0), (64.0, 258.0)])
    cv2.fillConvexPoly(picture, np.rint(true + 9).astype(np.int32), (110, 87, 107))
    cv2.fillConvexPoly(picture, np.rint(true).astype(np.int32), (235, 245, 248))
    rough = true + np.array([(-3.0, -8.0), (6.0, 4.0), (8.0, 7.0), (-2.0, 8.0)])
    found = at_its_edges(unlike_ground(cv2.GaussianBlur(picture, (5, 5), 1.0)), rough)
    assert np.abs(found - true).max() < 1.2


def test_a_call_laid_on_others_is_read_and_those_beneath_stay_known_under_a_playing_card_too(
    tray: TrayPictureReader, camera: Camera
) -> None:
    lying = laid({Seat.NORTH: ["P", "2S", "4N"]}, "NE", np.random.default_rng(5))
    strange = laid({Seat.NORTH: ["P", "2S", "4N", "7C"]}, "NE", np.random.default_rng(5), "")[3:]
    told_of = []
    for cards in (lying[:2], lying, [*lying, *strange], lying, lying[:2]):
        frame = camera.render(Scene(1.0, tuple(cards)))
        tray.look(frame)
        told_of.append([one for one in told(tray.look(frame).cards, Seat.NORTH) if one != UNKNOWN])
    assert told_of == [["P", "2S"], ["P", "2S", "4N"], ["P", "2S", "4N"], ["P", "2S", "4N"], ["P", "2S"]]


def test_a_row_that_was_pushed_aside_is_read_again_and_no_call_is_told_twice(
    tray: TrayPictureReader, camera: Camera
) -> None:
    cards = laid({Seat.SOUTH: ["1H", "P"], Seat.EAST: ["P", "P"]}, "NE", np.random.default_rng(5))
    for dx in (-2.0, 0.5):
        moved = tuple(replace(card, x=card.x + dx, y=card.y + dx) for card in cards)
        frame = camera.render(Scene(1.0, moved))
        tray.look(frame)
        seen = tray.look(frame)
        assert [told(seen.cards, seat) for seat in (Seat.SOUTH, Seat.EAST)] == [["1H", "P"], ["P", "P"]]


def test_the_first_call_is_read_on_whichever_side_the_tray_stands(
    tray: TrayPictureReader, camera: Camera, empty: np.ndarray
) -> None:
    for side in ("NE", "SW", "NE"):
        frame = camera.render(scene({Seat.NORTH: ["P"]}, side))
        for shown in (empty, empty, frame):
            tray.look(shown)
        assert told(tray.look(frame).cards, Seat.NORTH) == ["P"]


def test_cards_that_lie_together_are_cut_out_equally_large_whatever_their_borders() -> None:
    picture = np.full((3 * 260 + 40, 4 * 190 + 40, 3), (190, 150, 185), np.uint8)
    true = []
    for n in range(12):
        row, column = divmod(n, 4)
        left, top = 40 + 190 * column, 40 + 260 * row
        corners = np.array([(left, top), (left + 142, top + 2), (left + 140, top + 202), (left - 2, top + 200)], float)
        # beside the ground, grey is as its shadow; green is not
        border = (110, 110, 110) if n % 3 else (60, 160, 40)
        cv2.fillConvexPoly(picture, np.rint(corners + 5).astype(np.int32), (110, 87, 107))
        cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), (235, 245, 248))
        inner = corners + np.array([(2, 2), (-2, 2), (-2, -2), (2, -2)])
        cv2.polylines(picture, [np.rint(inner).astype(np.int32)], isClosed=True, color=border, thickness=3)
        true.append(corners)
    found = all_at_their_edges(unlike_ground(cv2.GaussianBlur(picture, (5, 5), 1.0)), [one + 3.0 for one in true])
    off = np.array(found) - np.array(true)
    assert np.abs(off).max() < 3.0
    assert (off.max(axis=0) - off.min(axis=0)).max() < 1.5


def test_a_pack_of_playing_cards_is_no_bidding_box(box: PackFaces) -> None:
    with pytest.raises(PackError, match="holds no bidding cards"):
        BiddingFaces(PackFaces("tarocco", (), np.zeros((0, 0), np.float32), box.whole))
