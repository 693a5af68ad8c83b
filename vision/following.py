"""State that all followers of one camera over a table share: deals, masked hands, and when a sight is due."""

from __future__ import annotations

from typing import Final

import numpy as np

from hw.layout import Layout
from vision.calibration import Calibration
from vision.errors import CalibrationError
from vision.surface import MASK_GREY, Image, Surface

HEARTBEAT_S: Final = 4.5
"""Longest time between sights, changed or not (the contract asks for five seconds)."""
CONFIRM_S: Final = 2.2
"""Seconds after a change in which every frame is reported, so that two that agree can confirm the first one."""


class SightClock:
    """Decides when a sight is due: after a change for ``CONFIRM_S``, else every ``HEARTBEAT_S``."""

    def __init__(self) -> None:
        self.last_t: float | None = None
        """When a sight was last due."""
        self._changed_t = -CONFIRM_S

    def is_due(self, t: float, *, changed: bool, at_once: bool = False) -> bool:
        """Return True if a sight is due at ``t`` seconds; ``changed``: unlike the last; ``at_once``: due anyhow."""
        if changed:
            self._changed_t = t
        waited = self.last_t is None or t - self.last_t >= HEARTBEAT_S
        due = at_once or waited or t - self._changed_t <= CONFIRM_S
        if due:
            self.last_t = t
        return due


class Follower:
    """One table seen by one calibrated camera. Not shared between threads."""

    def __init__(self, layout: Layout, calibration: Calibration) -> None:
        self.layout, self.calibration = layout, calibration
        self._surface = Surface(layout, calibration)
        self._deal_over = False
        self.whole: Image | None = None
        """The view of the frame that was looked at last, hands and all: arms are looked for in it, nothing else."""

    def deal_over(self) -> None:
        """End the deal: cards laid out in the hand areas are read until ``new_deal``."""
        self._deal_over = True
        self._forget_view()

    def deal_goes_on(self) -> None:
        """Take back the end of the deal: hands are masked again; what is known of the rest stays."""
        self._deal_over = False
        self._forget_view()

    def _forget_view(self) -> None:
        """Look at the next frame as if there had been none before."""
        raise NotImplementedError

    def _view(self, frame: Image) -> Image:
        """Return the view of a frame, hands masked while the deal lasts. Raises CalibrationError for another size."""
        self._check(frame)
        view = self.whole = self._surface.view(frame)
        if not self._deal_over:
            view = view.copy()
            view[self._surface.hands] = MASK_GREY
        return view

    def _check(self, frame: Image) -> None:
        size = (self.calibration.height, self.calibration.width)
        if frame.ndim != 3 or frame.dtype != np.uint8 or frame.shape[:2] != size:
            wanted = f"{self.calibration.width}x{self.calibration.height}"
            raise CalibrationError(f"the camera was calibrated at {wanted} in colour, but this frame is {frame.shape}")
