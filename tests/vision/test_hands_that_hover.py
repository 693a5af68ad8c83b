"""A hand that stays beside what it has laid, at ten frames a second: once it is gone, nothing hides the zone."""

from __future__ import annotations

import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.seats import Seat
from hw.twin.camera import Camera
from hw.twin.scene import Arm, PlacedCard, Scene
from vision.calibration import calibrate
from vision.index_reader import IndexReader
from vision.sightings import Watcher


@pytest.mark.parametrize(
    "hand",
    [Arm(Seat.SOUTH, -325.0, 240.0), Arm(Seat.NORTH, -325.0, 229.5), Arm(Seat.NORTH, -325.0, 250.0)],
    ids=["beside the cards", "over them", "across them"],
)
def test_a_meld_laid_beneath_a_hovering_hand_hides_no_zone_once_the_hand_is_gone(
    reader: IndexReader, hand: Arm
) -> None:
    laid = tuple(
        PlacedCard(card, -326.0, y, angle, face_up=True)
        for card, y, angle in (("3S#1", 276.6, 180.7), ("3C#1", 294.3, 178.8), ("3H#2", 312.0, 181.3))
    )
    camera = Camera(seed=36, width=1080, height=1080)
    empty = camera.render(Scene(0.0, ()))
    watcher = Watcher(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), reader, empty=empty)
    watcher.look(empty, 0.0)
    arm = (hand,)
    for n in range(8):
        watcher.look(camera.render(Scene(1.0 + n / 10, laid if n > 1 else (), arm)), 1.0 + n / 10)
    gone = [watcher.look(camera.render(Scene(2.0 + n / 10, laid)), 2.0 + n / 10) for n in range(3)]
    last = next(sight for sight in reversed(gone) if sight is not None)
    assert last.hidden == ()
    assert sorted(card.card for card in last.cards if card.zone == "melds-NS") == ["3C", "3H", "3S"]
