"""The newest frame of a live source: a thread reads on; frames not fetched in time are dropped, never queued."""

from __future__ import annotations

import threading
from types import TracebackType
from typing import Self

from vision.errors import SourceError
from vision.source import CameraFrame, FrameSource


class Newest:
    """Reads ``source`` in a thread of its own. ``get`` gives the newest frame not yet given.

    A camera that is read too slowly hands out old pictures: this reads at its pace, whatever the reader's.
    """

    def __init__(self, source: FrameSource) -> None:
        self._source = source
        self._frame: CameraFrame | None = None
        self._failure: SourceError | None = None
        self._ended = False
        self._changed = threading.Condition()
        self._thread = threading.Thread(target=self._read, name="tavolo-frames", daemon=True)
        self.read = 0
        """Frames that the source has given."""
        self.dropped = 0
        """Frames that were replaced by a newer one before they were fetched."""

    def start(self) -> None:
        """Begin to read; who holds the source closes it, which ends the reading."""
        self._thread.start()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()
        self._source.close()

    def get(self, timeout: float) -> CameraFrame | None:
        """Return the newest frame; None without one in ``timeout`` seconds. Raises SourceError for a failed source."""
        with self._changed:
            self._changed.wait_for(lambda: self._frame or self._failure or self._ended, timeout)
            frame, self._frame = self._frame, None
            if frame is not None:
                return frame
            if self._failure is not None:
                raise self._failure
            if self._ended:
                raise SourceError("the camera was closed")
            return None

    def _read(self) -> None:
        try:
            for frame in self._source.frames():
                with self._changed:
                    if self._ended:
                        return
                    self.read += 1
                    self.dropped += self._frame is not None
                    self._frame = frame
                    self._changed.notify_all()
            self._fail(SourceError("the camera gives no more pictures"))
        except SourceError as error:
            self._fail(error)
        except Exception as error:  # noqa: BLE001 - a driver may fail in any way; the table must hear of it, not hang
            self._fail(SourceError(f"the camera failed: {error}"))

    def _fail(self, error: SourceError) -> None:
        with self._changed:
            self._failure = error
            self._changed.notify_all()
