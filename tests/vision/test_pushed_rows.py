"""Rows that are pushed along: what lies where another card lay is neither an arm nor the other card."""

from __future__ import annotations

import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.observations import Sight
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.scene import Arm, PlacedCard, Scene
from vision.calibration import calibrate
from vision.index_reader import IndexReader
from vision.sightings import Watcher


@pytest.fixture(scope="module")
def eye() -> tuple[Camera, Watcher]:
    camera = Camera(seed=71)
    empty = camera.render(Scene(0.0, ()))
    return camera, Watcher(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), IndexReader(), empty=empty)


def look(eye: tuple[Camera, Watcher], t: float, cards: tuple[PlacedCard, ...], arms: tuple[Arm, ...] = ()) -> Sight:
    camera, watcher = eye
    sight = watcher.look(camera.render(Scene(t, cards, arms)), t)
    assert sight is not None
    return sight


def row(seat: str, *cards: str) -> tuple[PlacedCard, ...]:
    """A column as the players lay it: the first card nearest the edge and on top."""
    if seat == "E":
        placed = [PlacedCard(card, 314.0 - 18.5 * n, -322.0, 90.4, face_up=True) for n, card in enumerate(cards)]
    else:
        placed = [PlacedCard(card, -260.3, 312.0 - 18.0 * n, 179.6, face_up=True) for n, card in enumerate(cards)]
    return tuple(reversed(placed))


def faces(sight: Sight, zone: str) -> list[str]:
    return [card.card for card in sight.cards if card.zone == zone]


def test_a_pushed_row_at_the_rim_is_no_arm(eye: tuple[Camera, Watcher]) -> None:
    # The set of kings is pushed along and a two laid before it: nothing covers the zone afterwards.
    eye[1].new_deal()
    before = row("E", "KH#1", "KD#1", "KH#2")
    after = row("E", "2H#1", "KH#1", "KD#1", "KH#2")
    assert look(eye, 1.0, before).hidden == ()
    assert "melds-EW" in look(eye, 2.0, before, (Arm(Seat.EAST, 300.0, -320.0),)).hidden
    sight = look(eye, 3.0, after)
    assert faces(sight, "melds-EW") == ["2H", "KH", "KD", "KH"]
    assert sight.hidden == ()


def test_a_two_laid_where_the_three_was_is_a_two(eye: tuple[Camera, Watcher]) -> None:
    # Their indices differ by less than a coarse view shows; nothing else changes near them.
    eye[1].new_deal()
    for n in range(6):
        look(eye, 10.0 + 0.4 * n, row("N", "3S#1", "2C#2", "5S#2", "6S#2"))
    after = row("N", "2S#2", "3S#1", "2C#2", "5S#2", "6S#2")
    look(eye, 14.0, after)
    assert faces(look(eye, 14.4, after), "melds-NS") == ["2S", "3S", "2C", "5S", "6S"]
