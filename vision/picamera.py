"""The Pi's own camera through Picamera2, which comes with the system (python3-picamera2) and not from PyPI.

Written after the Picamera2 manual and tried against a stand-in only: no Pi was at hand.
"""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from vision.errors import SourceError
from vision.source import Frame


class PiCamera:
    """The camera on the Pi's ribbon cable; frames of ``width`` x ``height``, BGR. Raises SourceError.

    ``clock``: the table's seconds. Exposure and white balance settle for two seconds and are then held, so that a
    player's white sleeve does not darken the cards.
    """

    def __init__(self, width: int = 4056, height: int = 3040, clock: Callable[[], float] = time.monotonic) -> None:
        try:
            picamera2: Any = importlib.import_module("picamera2")
        except ImportError:
            raise SourceError(
                "Picamera2 is not installed: apt install python3-picamera2, and make the environment with "
                "--system-site-packages"
            ) from None
        self._clock = clock
        try:
            self._camera = picamera2.Picamera2()
            # "RGB888" is libcamera's name for what numpy holds as B, G, R.
            self._camera.configure(
                self._camera.create_video_configuration(
                    main={"size": (width, height), "format": "RGB888"}, buffer_count=3, queue=False
                )
            )
            self._camera.start()
        except Exception as error:
            raise SourceError(
                f"the Pi's camera cannot be opened: {error}; is its cable in, and no other program at it?"
            ) from error
        self._open = True
        self._settled_at = clock() + 2.0
        self._held = False

    def frames(self) -> Iterator[Frame]:
        """Frames until the camera is closed. Raises SourceError when it stops answering."""
        while self._open:
            try:
                picture = self._camera.capture_array("main")
            except Exception as error:
                if not self._open:
                    return
                raise SourceError(f"the Pi's camera gives no more pictures: {error}") from error
            t = self._clock()
            if not self._held and t >= self._settled_at:
                self._hold()
            yield Frame(t, np.ascontiguousarray(picture[:, :, :3], dtype=np.uint8))

    def _hold(self) -> None:
        self._held = True
        seen = self._camera.capture_metadata()
        fixed = {"AeEnable": False, "AwbEnable": False}
        for name in ("ExposureTime", "AnalogueGain", "ColourGains"):
            if name in seen:
                fixed[name] = seen[name]
        self._camera.set_controls(fixed)

    def close(self) -> None:
        """Let go of the camera. May be called twice."""
        if self._open:
            self._open = False
            self._camera.stop()
            self._camera.close()
