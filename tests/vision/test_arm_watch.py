"""Hands over the table told from frames: whose, where, when they come and go."""

from __future__ import annotations

from typing import Any

import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.observations import Reach
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.scene import Arm, PlacedCard, Scene
from vision.arm_watch import ArmWatch
from vision.calibration import calibrate

CARDS = tuple(PlacedCard(f"{rank}H#1", -320.0 + 22 * n, -60.0, 0.0, face_up=True) for n, rank in enumerate("456789"))


@pytest.fixture(scope="module")
def small() -> tuple[Camera, Any]:
    """A camera of few pixels, and its frame of the empty table."""
    camera = Camera(DEFAULT_LAYOUT, seed=12, width=720, height=720)
    return camera, camera.render(Scene(0.0, ()))


def _told(small: tuple[Camera, Any], *moments: tuple[Arm, ...], cards: tuple[PlacedCard, ...] = ()) -> list[Reach]:
    """What is told of frames, a tenth of a second apart, that show these arms over ``cards``."""
    camera, empty = small
    watch = ArmWatch(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), empty)
    told = []
    for n, arms in enumerate([(), *moments]):
        told += watch.look(camera.render(Scene(n / 10, cards, arms)), n / 10)
    return told


def _there_and_back(arm: Arm, stays: int = 4) -> list[tuple[Arm, ...]]:
    """The arm comes in two frames, stays, and goes."""
    x, y = {Seat.NORTH: (0, 450), Seat.EAST: (450, 0), Seat.SOUTH: (0, -450), Seat.WEST: (-450, 0)}[arm.seat]
    half = Arm(arm.seat, (arm.x + x) / 2, (arm.y + y) / 2)
    return [(half,), *[(arm,)] * stays, (half,), (), ()]


@pytest.mark.parametrize(
    ("seat", "zone", "x", "y"),
    [
        (Seat.NORTH, "melds-NS", 200.0, 200.0),
        (Seat.EAST, "stock", -40.0, 48.0),
        (Seat.SOUTH, "discard", -200.0, -60.0),
        (Seat.WEST, "pots", 55.0, 48.0),
    ],
)
def test_a_hand_that_comes_and_goes_is_told_with_its_seat_and_zone(
    small: tuple[Camera, Any], seat: Seat, zone: str, x: float, y: float
) -> None:
    told = _told(small, *_there_and_back(Arm(seat, x, y)), cards=CARDS)
    assert [(one.seat, one.zone, one.phase) for one in told] == [(seat, zone, "in"), (seat, zone, "out")]
    assert 0.1 < told[0].t < 0.4
    assert 0.6 <= told[1].t < 0.9


def test_two_hands_of_two_seats_at_once_are_told_apart(small: tuple[Camera, Any]) -> None:
    north = _there_and_back(Arm(Seat.NORTH, 200.0, 250.0))
    south = _there_and_back(Arm(Seat.SOUTH, -250.0, -60.0))
    told = _told(small, *[(*one, *other) for one, other in zip(north, south, strict=True)])
    assert {(one.seat, one.zone) for one in told} == {(Seat.NORTH, "melds-NS"), (Seat.SOUTH, "discard")}


def test_cards_that_are_laid_and_taken_are_no_hand(small: tuple[Camera, Any]) -> None:
    camera, empty = small
    watch = ArmWatch(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), empty)
    told = [*watch.look(camera.render(Scene(0.1, CARDS)), 0.1), *watch.look(camera.render(Scene(0.2, ())), 0.2)]
    assert told == []


def test_a_hand_that_has_rested_leaves_no_other_behind_when_it_goes(small: tuple[Camera, Any]) -> None:
    arm = (Arm(Seat.SOUTH, -200.0, -60.0),)
    told = _told(small, *[arm] * 45, (), (), (), cards=CARDS)
    assert {(one.seat, one.zone) for one in told} == {(Seat.SOUTH, "discard")}
    assert [one.phase for one in told] == ["in", "out"]


def test_an_arm_from_a_corner_is_nobodys(small: tuple[Camera, Any]) -> None:
    assert (
        ArmWatch(DEFAULT_LAYOUT, calibrate(small[1], DEFAULT_LAYOUT), small[1]).seat_at((360.0, 330.0), (-0.7, -0.7))
        is None
    )
