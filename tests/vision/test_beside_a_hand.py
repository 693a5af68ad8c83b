"""An index that is looked at beside a hand: found faintly and a little off, or darkened by its shadow."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hw.layout import DEFAULT_LAYOUT
from hw.twin.camera import Camera
from hw.twin.scene import PlacedCard, Scene
from vision.calibration import Calibration, calibrate
from vision.finder import Spot
from vision.index_reader import FACES, IndexReader, IndexReading
from vision.sightings import Watcher


class _BesideAHand:
    """A reader that finds and reads one index, at ``at`` (px), as it does beside a hand while ``there``."""

    def __init__(self, reader: IndexReader, at: Any, *, off: float = 0.0, reads: str = "") -> None:
        self._reader, self._at, self._off, self._reads = reader, np.asarray(at), off, reads
        self.finder, self.pack, self.there = self, None, False

    def _is_it(self, spot: Spot) -> bool:
        return self.there and float(np.hypot(*(self._at - (spot.x, spot.y)))) < spot.height / 2

    def find(self, picture: Any, shrink: float, least: float) -> list[Spot]:
        found = self._reader.finder.find(picture, shrink, least)
        if not self._off or picture.shape[0] < 1000:  # a part of the frame has pixels of its own
            return found
        return [replace(s, heat=0.5, y=s.y + self._off) if self._is_it(s) else s for s in found]

    def read(self, picture: Any, spots: list[Spot]) -> list[IndexReading]:
        return [self._said(reading) for reading in self._reader.read(picture, spots)]

    def read_again(self, picture: Any, readings: list[IndexReading], context: list[float]) -> list[IndexReading]:
        return [self._said(reading) for reading in self._reader.read_again(picture, readings, context)]

    def _said(self, reading: IndexReading) -> IndexReading:
        if not self._reads or not self._is_it(reading.spot):
            return reading
        scores = np.full(len(FACES) + 1, 1e-4)
        scores[FACES.index(self._reads)], scores[FACES.index("QC")] = 0.92, 0.07
        return IndexReading(reading.spot, scores / scores.sum())


@pytest.fixture(scope="module")
def camera() -> Camera:
    return Camera(DEFAULT_LAYOUT, seed=11, width=1080, height=1080)


@pytest.fixture(scope="module")
def empty(camera: Camera) -> Any:
    return camera.render(Scene(0.0, ()))


@pytest.fixture(scope="module")
def calibration(empty: Any) -> Calibration:
    return calibrate(empty, DEFAULT_LAYOUT)


def column(*cards: str) -> tuple[PlacedCard, ...]:
    return tuple(
        PlacedCard(f"{card}#1", -65.0, 313 - 18.0 * n, 180.0, face_up=True)
        for n, card in reversed(list(enumerate(cards)))
    )


def names(watcher: Watcher, camera: Camera, cards: tuple[PlacedCard, ...], t: float) -> list[str]:
    """What five frames of ``cards`` show in the end."""
    told: list[str] = []
    for n in range(5):
        sight = watcher.look(camera.render(Scene(t + n / 10, cards)), t + n / 10)
        told = told if sight is None else [card.card for card in sight.cards if card.zone == "melds-NS"]
    return told


def test_a_shadow_makes_no_spade_of_a_club_that_was_well_seen(
    camera: Camera, empty: Any, calibration: Calibration, reader: IndexReader
) -> None:
    middle = (-65.0 + 25.75, 295.0 - 34.25)
    eyes = _BesideAHand(reader, calibration.to_pixel(middle), reads="QS")
    watcher = Watcher(DEFAULT_LAYOUT, calibration, eyes, empty=empty)  # type: ignore[arg-type]
    one = column("QH", "QC", "QD")
    assert names(watcher, camera, one, 1.0) == ["QH", "QC", "QD"]
    eyes.there = True
    moved = tuple(replace(card, x=card.x + 1.0) for card in one)
    assert names(watcher, camera, moved, 2.0) == ["QH", "QC", "QD"]


def test_an_index_that_was_placed_beside_a_hand_is_placed_anew_once_it_shows(
    camera: Camera, empty: Any, calibration: Calibration, reader: IndexReader
) -> None:
    seven = (-65.0 + 25.75, 295.0 - 34.25)
    eyes = _BesideAHand(reader, calibration.to_pixel(seven), off=7.0)
    watcher = Watcher(DEFAULT_LAYOUT, calibration, eyes, empty=empty)  # type: ignore[arg-type]
    eyes.there = True
    names(watcher, camera, column("JK", "7C", "8C", "9C"), 1.0)
    eyes.there = False
    # only what lies beside it changes
    assert names(watcher, camera, column("6H", "7C", "8D", "9C"), 2.0) == ["6H", "7C", "8D", "9C"]
