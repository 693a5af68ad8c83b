"""Opening and closing a camera whose driver may hang: in threads of their own, that are left behind when they do."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Final

from vision.errors import VisionError
from vision.source import FrameSource

OPENS_S: Final = 20.0
"""Seconds after which a camera that is not open hangs; Picamera2 takes two to four seconds on a Pi 4."""
CLOSES_S: Final = 12.0
"""Seconds after which a camera that is not closed hangs; V4L2 waits ten seconds for a frame before it can be let go."""
_LOOK_S: Final = 0.25


class HungSourceError(VisionError):
    """A camera hangs. ``is_held``: it can't be closed either, so that only a new process may open it."""

    def __init__(self, why: str, *, is_held: bool = False) -> None:
        super().__init__(why)
        self.is_held = is_held


class SourceHandles:
    """Opens and closes cameras. ``hung``: how often one did not answer."""

    def __init__(self) -> None:
        self.hung = 0

    @contextmanager
    def held(self, open_source: Callable[[], FrameSource], beat: Callable[[], None]) -> Iterator[FrameSource]:
        """Hold a camera open; ``beat`` is called while its driver is waited for.

        Raises HungSourceError if it neither opens nor closes, and what ``open_source`` raises.
        """
        source = self._opened(open_source, beat)
        try:
            yield source
        finally:
            answer = _aside("close", source.close)
            if _wait(answer, CLOSES_S, beat) is None:
                self.hung += 1
                raise HungSourceError(
                    "the camera does not let itself be closed: the table has to begin anew to have it", is_held=True
                )

    def _opened(self, open_source: Callable[[], FrameSource], beat: Callable[[], None]) -> FrameSource:
        kept: list[FrameSource] = []
        is_wanted = threading.Event()
        is_wanted.set()

        def open_it() -> None:
            source = open_source()
            kept.append(source)
            if not is_wanted.is_set():  # it came too late
                source.close()

        told = _wait(_aside("open", open_it), OPENS_S, beat)
        if told is None:
            is_wanted.clear()
            self.hung += 1
            raise HungSourceError(
                "the camera hangs while it is opened: the table has to begin anew to have it", is_held=True
            )
        if told:
            raise told[0]
        return kept[0]


def _aside(what: str, call: Callable[[], object]) -> queue.Queue[tuple[BaseException, ...]]:
    """Run ``call`` in a thread of its own; what it raised, if anything, is put into the answer once it has ended."""
    answer: queue.Queue[tuple[BaseException, ...]] = queue.Queue()

    def run() -> None:
        try:
            call()
        except Exception as error:  # noqa: BLE001 - raised again where it is waited for
            answer.put((error,))
        else:
            answer.put(())

    threading.Thread(target=run, name=f"tavolo-camera-{what}", daemon=True).start()
    return answer


def _wait(
    answer: queue.Queue[tuple[BaseException, ...]], seconds: float, beat: Callable[[], None]
) -> tuple[BaseException, ...] | None:
    """Return the answer; None if none came in time."""
    for _ in range(max(1, round(seconds / _LOOK_S))):
        beat()
        with suppress(queue.Empty):
            return answer.get(timeout=_LOOK_S)
    return None
