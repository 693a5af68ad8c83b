"""A hand over the bidding tray that has the tray's own colour, or the cloth's: calls beneath it are not taken away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hw.bidding import TraySide
from hw.cards import UNKNOWN
from hw.equipment import BRIDGE_TABLE
from hw.layout import BRIDGE_LAYOUT
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.camera_style import BLUE_ROOM, CameraStyle, TrayLook
from hw.twin.scene import Arm, PlacedCard, Scene
from lab.vision.measure.bidding import Compartments, laid
from lab.vision.train.bidding_boxes import drawn_box
from lab.vision.train.bidding_trays import drawn_tray, with_arms_like_the_tray
from vision.calibration import calibrate
from vision.faces.box import BiddingFaces
from vision.faces.tray_ground import GroundMemory
from vision.faces.tray_reader import TrayPictureReader

from .tray_calls import BOX, CALLS, NONE, box_faces

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("kept-box")]
"""The box is enrolled once a process."""

PATIENCE = 2
WOOD = replace(BLUE_ROOM, tray=TrayLook((110, 140, 190), (60, 90, 140), 6.0, None, 0.05))


@pytest.fixture(scope="module")
def faces() -> BiddingFaces:
    return box_faces()


def _camera(style: CameraStyle, width: int = 1500) -> Camera:
    return Camera(BRIDGE_LAYOUT, style, 3, width, width, artwork=drawn_box(BOX), equipment=BRIDGE_TABLE)


def _reader(camera: Camera, faces: BiddingFaces) -> TrayPictureReader:
    frame = camera.render(Scene(0.0, ()))
    return TrayPictureReader(BRIDGE_LAYOUT, calibrate(frame, BRIDGE_LAYOUT), faces, frame, PATIENCE)


def _cards(calls: Compartments = CALLS, side: TraySide = "NE") -> list[PlacedCard]:
    return laid(calls, side, np.random.default_rng(5))


def _told(
    reader: TrayPictureReader,
    camera: Camera,
    cards: list[PlacedCard],
    *arms: Arm,
    side: TraySide = "NE",
    looks: int = 2,
) -> Compartments | None:
    """What a tray at rest shows after so many looks; None: it is hidden."""
    for _ in range(looks):
        seen = reader.look(camera.render(Scene(1.0, tuple(cards), arms, tray=side)))
    return None if seen.hidden else {seat: [one.card for one in seen.cards if one.seat is seat] for seat in Seat}


def test_a_hand_of_the_trays_colour_that_comes_over_the_cloth_hides_the_tray_however_long_it_stays(
    faces: BiddingFaces,
) -> None:
    camera = _camera(with_arms_like_the_tray(WOOD, 3))
    reader = _reader(camera, faces)
    assert _told(reader, camera, _cards()) == CALLS
    for arm in (Arm(Seat.NORTH, 20.0, 60.0), Arm(Seat.EAST, 75.0, 60.0), Arm(Seat.WEST, -60.0, -10.0)):
        assert _told(reader, camera, _cards(), arm, looks=PATIENCE + 4) is None
        reader.forget()
        assert _told(reader, camera, _cards(), arm) is None
        assert _told(reader, camera, _cards()) == CALLS


def test_calls_under_a_hand_that_neither_tray_nor_cloth_parts_from_it_are_unknown_until_they_are_seen_again(
    faces: BiddingFaces,
) -> None:
    camera = _camera(with_arms_like_the_tray(BLUE_ROOM, 3))
    reader = _reader(camera, faces)
    told = []
    for arm in (Arm(Seat.WEST, 68.0, 115.0), Arm(Seat.EAST, 43.0, -23.0)):
        assert _told(reader, camera, _cards()) == CALLS
        assert _told(reader, camera, _cards(), arm) is None
        told.append(_told(reader, camera, _cards(), arm, looks=PATIENCE + 2))
    assert _told(reader, camera, _cards()) == CALLS
    assert any(one is not None for one in told)
    for one in filter(None, told):
        for seat, names in CALLS.items():
            assert len(one[seat]) == len(names)
            assert all(name in (own, UNKNOWN) for name, own in zip(one[seat], names, strict=True))


def test_calls_that_were_taken_away_are_told_so_one_from_above_or_all_at_once(faces: BiddingFaces) -> None:
    camera = _camera(with_arms_like_the_tray(WOOD, 3))
    reader = _reader(camera, faces)
    fewer = {**CALLS, Seat.NORTH: CALLS[Seat.NORTH][:-1]}
    left = [card for card in _cards() if not card.card.endswith("4N")]
    told = [_told(reader, camera, cards) for cards in (_cards(), left, [], _cards(), [])]
    assert told == [CALLS, fewer, NONE, CALLS, NONE]


def test_an_empty_tray_with_printed_lines_is_no_hidden_one(faces: BiddingFaces) -> None:
    camera = _camera(replace(BLUE_ROOM, tray=drawn_tray(15204)), 2400)
    reader = _reader(camera, faces)
    assert [_told(reader, camera, [], side=side) for side in ("NE", "SW", "NE")] == [NONE] * 3


def test_ground_is_known_again_in_other_light_and_a_patch_a_tenth_darker_is_none() -> None:
    middle, nowhere, place = (np.zeros((40, 40), np.bool_) for _ in range(3))
    middle[:8, :8], place[14:34, 14:34] = True, True
    memory = GroundMemory({"NE": middle}, {"NE": nowhere})
    tray = np.full((40, 40, 3), (110.0, 140.0, 190.0), np.float32)
    tray[:, 25] *= 1.3  # a printed line
    memory.learn(tray, "NE", np.ones((40, 40), np.bool_))
    covered = tray.copy()
    covered[14:34, 14:34] *= 0.9
    told = [memory.is_ground(one, "NE", place) for one in (tray, tray * np.float32(0.8), covered)]
    assert told == [True, True, False]
    assert memory.unlike(covered, "NE")[place].mean() > 0.5
    memory.learn(covered, "NE", place, anew=True)  # it stays, and may be the ground now: or was a hand
    assert [memory.is_ground(one, "NE", place) for one in (tray, covered)] == [True, True]


@pytest.mark.filterwarnings("error")
def test_black_ground_is_remembered_as_ground_and_a_hand_on_it_is_none() -> None:
    nowhere = np.zeros((60, 60), np.bool_)
    middle, bare = nowhere.copy(), ~nowhere
    middle[20:40, 20:40] = True
    memory = GroundMemory({"NE": middle}, {"NE": nowhere})
    black = np.zeros((60, 60, 3), np.float32)
    memory.learn(black, "NE", bare)
    assert memory.is_ground(black, "NE", bare)
    hand = black.copy()
    hand[45:] = (40.0, 60.0, 90.0)
    assert not memory.is_ground(hand, "NE", bare)
    assert memory.unlike(hand, "NE")[50:].all()
