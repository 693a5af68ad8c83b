"""The parts of a running table, watched: one that ends is begun again, one that hangs starves the watchdog.

systemd kills and restarts a service whose watchdog is not fed. It is fed only while every part moves.
"""

from __future__ import annotations

import signal
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Final

from hw.errors import place_of

STORM_S: Final = 300.0
STORM_MOST: Final = 5
"""A part that ends more often than this in ``STORM_S`` seconds is not begun again: the whole program ends."""
Beat = Callable[[], None]


def stop_event() -> threading.Event:
    """Set when the service manager or the person at the keyboard ends the program."""
    stop = threading.Event()

    def end(_number: int, _frame: FrameType | None) -> None:
        stop.set()

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    return stop


@dataclass(slots=True)
class _Part:
    name: str
    run: Callable[[Beat], None]
    patience: float
    on_restart: Callable[[str], None]
    beat: float
    thread: threading.Thread | None = None
    ends: deque[float] = field(default_factory=lambda: deque(maxlen=STORM_MOST + 1))
    problem: str = ""


class Supervisor:
    """Runs parts in threads of their own. ``say``: one sentence for the person at the terminal."""

    def __init__(
        self, stop: threading.Event, say: Callable[[str], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._stop = stop
        self._say = say
        self._clock = clock
        self._parts: list[_Part] = []
        self._watched: list[tuple[str, Callable[[], float], float]] = []
        self._stuck: frozenset[str] = frozenset()
        self.restarts = 0

    def add(
        self,
        name: str,
        run: Callable[[Beat], None],
        *,
        patience: float,
        on_restart: Callable[[str], None] = lambda _why: None,
    ) -> None:
        """Add a part that ``run`` does, calling its argument at least every ``patience`` seconds; begun by ``start``.

        ``on_restart`` is called, with the reason in one sentence, before it is begun again after an error.
        """
        self._parts.append(_Part(name, run, patience, on_restart, self._clock()))

    def watch(self, name: str, beat: Callable[[], float], *, patience: float) -> None:
        """Watch a part that runs elsewhere; ``beat`` gives the moment (``time.monotonic``) at which it last moved."""
        self._watched.append((name, beat, patience))

    def start(self) -> None:
        """Begin all parts."""
        for part in self._parts:
            self._begin(part)

    def join(self, timeout: float) -> None:
        """Wait for the parts to end."""
        for part in self._parts:
            if part.thread is not None:
                part.thread.join(timeout)

    def check(self) -> bool:
        """Restart parts that have ended. False if a part ends again and again: the program should end, too."""
        for part in self._parts:
            if part.thread is None or part.thread.is_alive() or self._stop.is_set():
                continue
            now = self._clock()
            part.ends.append(now)
            why = f"{part.name} stopped ({part.problem or 'it ended'})"
            if len(part.ends) > STORM_MOST and now - part.ends[0] < STORM_S:
                self._say(f"{why} {STORM_MOST + 1} times in {STORM_S:g} s: the table begins anew")
                return False
            self._say(f"{why}: it is begun again")
            self.restarts += 1
            part.on_restart(why)
            self._begin(part)
        return True

    def stuck(self) -> frozenset[str]:
        """Return the parts that have stood still for longer than they may; what changes is said."""
        now = self._clock()
        found = {part.name for part in self._parts if now - part.beat > part.patience}
        found |= {name for name, beat, patience in self._watched if now - beat() > patience}
        for name in sorted(found - self._stuck):
            self._say(f"{name} stands still: the watchdog is not fed until it moves")
        self._stuck = frozenset(found)
        return self._stuck

    def _begin(self, part: _Part) -> None:
        part.beat, part.problem = self._clock(), ""
        part.thread = threading.Thread(target=self._run, args=(part,), name=f"tavolo-{part.name}", daemon=True)
        part.thread.start()

    def _run(self, part: _Part) -> None:
        def beat() -> None:
            part.beat = self._clock()

        try:
            part.run(beat)
        except Exception as error:  # noqa: BLE001 - whatever it was: it is said, and the part is begun again
            part.problem = place_of(error)
