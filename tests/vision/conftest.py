"""What the tests of the camera's room share: one reader, one rendered table with its calibration."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from numpy.typing import NDArray

from hw.layout import DEFAULT_LAYOUT
from hw.twin.camera import Camera
from hw.twin.scene import Scene
from vision.calibration import Calibration, calibrate
from vision.index_reader import IndexReader
from vision.sightings import Watcher


@dataclass
class RenderedTable:
    """A simulated camera over a table, an empty frame of it and the calibration from that frame."""

    camera: Camera
    empty: NDArray[np.uint8]
    calibration: Calibration

    def watcher(self, reader: IndexReader) -> Watcher:
        return Watcher(DEFAULT_LAYOUT, self.calibration, reader, empty=self.empty)


@pytest.fixture(scope="session")
def reader() -> IndexReader:
    return IndexReader()


@pytest.fixture(scope="session")
def rendered() -> RenderedTable:
    camera = Camera(DEFAULT_LAYOUT, seed=4711)
    empty = camera.render(Scene(0.0, ()))
    return RenderedTable(camera, empty, calibrate(empty, DEFAULT_LAYOUT))
