"""Under load: a reader slower than the camera gets the newest frame each time, and never falls behind."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np

from vision.newest import Newest
from vision.source import CameraFrame

PATIENCE_S = 20.0
FRAMES_A_LOOK = 9
LOOKS = 40


class FastCamera:
    """Gives ``FRAMES_A_LOOK`` frames each time it is let run: so many come while the reader is busy with one."""

    def __init__(self) -> None:
        self._due = threading.Semaphore(0)
        self._closed = False
        self.given = 0
        self.idle = threading.Event()

    def run(self) -> None:
        assert self.idle.wait(PATIENCE_S)
        self.idle.clear()
        self._due.release(FRAMES_A_LOOK)

    def frames(self) -> Iterator[CameraFrame]:
        while not self._closed:
            if not self._due.acquire(blocking=False):
                self.idle.set()  # it is asked for the next frame, so that it has the last one
                self._due.acquire()
            if self._closed:
                return
            self.given += 1
            yield CameraFrame(float(self.given), np.full((8, 8, 3), self.given % 256, np.uint8))

    def close(self) -> None:
        self._closed = True
        self._due.release()


def test_a_reader_slower_than_the_camera_reads_the_newest_frame_each_time_and_nothing_queues_up() -> None:
    camera = FastCamera()
    read = []
    with Newest(camera) as newest:
        for _ in range(LOOKS):
            camera.run()  # the reader is at work on one frame while these come
            assert camera.idle.wait(PATIENCE_S)
            frame = newest.get(PATIENCE_S)
            assert frame is not None
            assert frame.t == camera.given, "an older frame than the newest was given"
            assert int(frame.picture[0, 0, 0]) == camera.given % 256
            read.append(frame.t)
            assert newest.get(0.0) is None, "a frame was given twice, or one had queued up"
        assert newest.read == camera.given == LOOKS * FRAMES_A_LOOK
        assert newest.dropped == newest.read - len(read)
    assert read == [FRAMES_A_LOOK * (n + 1.0) for n in range(LOOKS)]
