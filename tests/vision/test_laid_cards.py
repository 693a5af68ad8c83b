"""A card that is laid: found where the picture has changed, and nothing is told of a place until it was read again."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from hw.cards import TAROCCO
from hw.equipment import TAROCCO_TABLE
from hw.layout import TAROCCO_LAYOUT
from hw.observations import Sight
from hw.pack.drawn import tarocco_drawing
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.scene import PlacedCard, Scene
from table_service.commands.demo.drawn_pack import drawn_pack
from vision.calibration import Calibration, calibrate
from vision.faces.face_follower import FaceWatcher
from vision.faces.index import FaceIndex
from vision.faces.view_outlines import laid_cards
from vision.surface import VIEW_MM

KNIGHT = PlacedCard("CD#1", -51.6, 0.3, 269.4, face_up=True)


@dataclass
class Table:
    """A simulated camera over a table of tarocco, and the whole pack."""

    camera: Camera
    empty: NDArray[np.uint8]
    calibration: Calibration
    index: FaceIndex

    def watcher(self, *scenes: tuple[PlacedCard, ...]) -> tuple[FaceWatcher, list[Sight]]:
        """A watcher that has seen ``scenes``, each in three pictures; its sights."""
        watcher = FaceWatcher(TAROCCO_LAYOUT, self.calibration, self.index, self.empty, TAROCCO_TABLE)
        watcher.look(self.empty, 0.0)
        sights = []
        for number, cards in enumerate(scenes, 1):
            frame = self.camera.render(Scene(float(number), cards))
            sights += [watcher.look(frame, number + part) for part in (0.0, 0.2, 0.4)]
        return watcher, [sight for sight in sights if sight is not None]


@pytest.fixture(scope="module")
def table() -> Table:
    camera = Camera(TAROCCO_LAYOUT, seed=104, artwork=artwork_of(tarocco_drawing), equipment=TAROCCO_TABLE)
    empty = camera.render(Scene(0.0, ()))
    enrolled = drawn_pack(TAROCCO, tarocco_drawing).faces
    assert enrolled is not None
    return Table(camera, empty, calibrate(empty, TAROCCO_LAYOUT), enrolled)


@pytest.mark.parametrize(
    ("x", "y", "angle"), [(0.75, -51.2, 180.3), (0.8, -54.4, 359.7), (-1.3, -52.8, 180.0), (2.4, -52.2, 1.0)]
)
def test_a_card_of_pips_in_rows_is_read_though_its_pips_fit_one_row_further_on(
    table: Table, x: float, y: float, angle: float
) -> None:
    six = PlacedCard("6D#1", x, y, angle, face_up=True)
    _, sights = table.watcher((KNIGHT,), (KNIGHT, six))
    told = sorted(card.card for card in sights[-1].cards)
    assert told == ["6D", "CD"]
    assert sights[-1].hidden == ()


def test_where_the_picture_has_changed_nothing_is_told_until_it_was_read_again(table: Table) -> None:
    watcher, sights = table.watcher((KNIGHT,))
    assert [card.card for card in sights[-1].cards] == ["CD"]
    gathered = watcher.look(table.camera.render(Scene(3.0, ())), 3.0)
    assert gathered is not None
    assert gathered.cards == ()
    assert "trick" in gathered.hidden
    after = watcher.look(table.camera.render(Scene(3.2, ())), 3.2)
    assert after is not None
    assert (after.cards, after.hidden) == ((), ())


def rectangle(width: float, height: float, x: int = 60, y: int = 60) -> NDArray[np.bool_]:
    mask = np.zeros((200, 200), np.bool_)
    mask[y : y + round(height / VIEW_MM), x : x + round(width / VIEW_MM)] = True
    return mask


def test_what_changed_in_the_size_of_a_card_may_be_one_and_its_corners_are_those_of_the_change() -> None:
    (ring,) = laid_cards(rectangle(60.0, 87.5), (79.0, 119.0), 0.7)
    sides = np.hypot(*(np.roll(ring, -1, axis=0) - ring).T)
    assert sides == pytest.approx([60.0, 87.5, 60.0, 87.5], abs=VIEW_MM)
    middle = ring.mean(axis=0)
    assert middle == pytest.approx([(60 + 12) * VIEW_MM - 250.0, 250.0 - (60 + 17.5) * VIEW_MM], abs=VIEW_MM)


@pytest.mark.parametrize(
    "changed",
    [rectangle(60.0, 150.0), rectangle(20.0, 87.5), rectangle(5.0, 87.5), np.zeros((200, 200), np.bool_)],
)
def test_what_changed_in_another_size_is_no_single_card(changed: NDArray[np.bool_]) -> None:
    assert laid_cards(changed, (79.0, 119.0), 0.7) == []
