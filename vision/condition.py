"""Condition of a camera: covered, dark, glaring, frozen, out of focus or silent, reported within two seconds.

A fold over frames: no clock of its own, times are passed in. A fault is reported when it has lasted ``LASTS_S``, and
over when it has been gone for ``GONE_S``: a hand close to the lens or one flash changes nothing.
"""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

LASTS_S: Final = 1.2
GONE_S: Final = 0.5
SILENT_S: Final = 1.2
"""Seconds without a frame after which a camera is silent; at ten frames a second that is twelve of them."""
DARK: Final = 14.0
"""Mean brightness, of 255, of a lens with its cap on or a hall without light."""
GLARE: Final = 0.5
"""Share of pixels at the top of the range that leaves too little to read."""
FLAT: Final = 5.0
"""Standard deviation, of 255, of a picture that shows a cloth or a palm and no table."""
SOFT: Final = 0.2
"""Sharpness at the printed markers, as a share of what it was at calibration."""

Image = NDArray[np.uint8]
Box = tuple[int, int, int, int]
"""A piece of a frame in its pixels: left, top, right, bottom."""


@dataclass(frozen=True, slots=True)
class ConditionChange:
    """The camera has become unreliable, or well again. ``note``: why, in one sentence."""

    t: float
    well: bool
    note: str = ""


@dataclass(frozen=True, slots=True)
class _Trouble:
    """Fault of a frame; ``lasted``: it could only be noticed after it had lasted long enough."""

    note: str
    lasted: bool = False


class Condition:
    """Follows one camera. ``markers``: where the printed markers are in its frames, for the focus; empty: unchecked.

    ``still_s``: seconds for which its picture may stay the same to the last pixel before it is taken for frozen.
    """

    def __init__(self, markers: Sequence[Box] = (), still_s: float = LASTS_S) -> None:
        self._markers = tuple(markers)
        self._still_s = still_s
        self._sharp: float | None = None
        self._print: int | None = None
        self._still_since: float | None = None
        self._last: float | None = None
        self._suspect: float | None = None
        self._clear_since: float | None = None
        self._told = ""

    @property
    def well(self) -> bool:
        """True if no fault is reported: frames may be used."""
        return not self._told

    def focus_on(self, markers: Sequence[Box], picture: Image) -> None:
        """Note the markers' sharpness in ``picture``, on which the camera was calibrated: it must stay about so."""
        self._markers = tuple(markers)
        self._sharp = _sharpness(picture, self._markers)

    def frame(self, t: float, picture: Image) -> ConditionChange | None:
        """Judge a frame taken at ``t`` (seconds, BGR uint8); return what has changed with it."""
        self._last = t
        return self._judge(t, self._trouble(t, picture))

    def tick(self, t: float) -> ConditionChange | None:
        """Time has come to ``t`` without a frame; what has changed with it."""
        if self._last is None:
            self._last = t
        if t - self._last < SILENT_S:
            return None
        self._clear_since = None
        return self._tell(t, "the camera gives no pictures")

    def _trouble(self, t: float, picture: Image) -> _Trouble | None:
        few = picture[::8, ::8]
        if self._is_frozen(t, few):
            return _Trouble("the camera's picture does not change any more, not even by its noise", lasted=True)
        grey = cv2.cvtColor(np.ascontiguousarray(few), cv2.COLOR_BGR2GRAY)
        if float(grey.mean()) < DARK:
            return _Trouble("the camera sees black: is its cap on, the lamp off?")
        if float((grey >= 250).mean()) > GLARE:
            return _Trouble("the camera is blinded: is the exposure locked too long, a lamp in its view?")
        if float(grey.std()) < FLAT:
            return _Trouble("the camera is covered: it sees one colour only")
        if self._sharp and _sharpness(picture, self._markers) < SOFT * self._sharp:
            return _Trouble("the camera is out of focus, or its markers are covered")
        return None

    def _is_frozen(self, t: float, few: Image) -> bool:
        now = zlib.crc32(np.ascontiguousarray(few).tobytes())
        if now != self._print:
            self._print, self._still_since = now, t
        return self._still_since is not None and t - self._still_since >= self._still_s

    def _judge(self, t: float, trouble: _Trouble | None) -> ConditionChange | None:
        if trouble is None:
            self._suspect = None
            if self._clear_since is None:
                self._clear_since = t
            return self._tell(t, "") if t - self._clear_since >= GONE_S else None
        self._clear_since = None
        if self._suspect is None:  # one trouble that turns into another continues
            self._suspect = t
        return self._tell(t, trouble.note) if trouble.lasted or t - self._suspect >= LASTS_S else None

    def _tell(self, t: float, trouble: str) -> ConditionChange | None:
        if bool(trouble) == bool(self._told):
            return None
        self._told = trouble
        return ConditionChange(t, not trouble, trouble)


def _sharpness(picture: Image, boxes: Sequence[Box]) -> float:
    """Return how much fine detail the pieces hold: the mean variance of their Laplacian; 0 without pieces."""
    found = [picture[y0:y1, x0:x1] for x0, y0, x1, y1 in boxes]
    values = [cv2.Laplacian(cv2.cvtColor(one, cv2.COLOR_BGR2GRAY), cv2.CV_64F).var() for one in found if one.size]
    return float(np.mean(values)) if values else 0.0
