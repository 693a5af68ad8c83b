"""Recognition of MicroPython's prompt in a node's place, by its text, and the bytes that restart the program.

A node whose program was stopped (Ctrl-C, an error, a technician who left it) sends REPL text instead of frames, or
nothing at all. Pure: bytes and seconds in, bytes out. Control bytes as in MicroPython's ``shared/runtime/pyexec.c``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

MARKS: Final = (
    b"\r\n>>> ",
    b"raw REPL; CTRL-B to exit\r\n",
    b"paste mode; Ctrl-C to cancel, Ctrl-D to finish\r\n",
    b"Traceback (most recent call last):\r\n",
    b"KeyboardInterrupt:",
    b'Type "help()" for more information.',
)
"""Texts that only MicroPython's REPL sends. Each has six bytes or more, so that no frame holds one by chance."""
LEAVE: Final = b"\x03\x03\x02\x04"
"""Ctrl-C twice (ends a line, paste mode), Ctrl-B (leaves the raw REPL), Ctrl-D (soft reboot: runs main.py)."""
ASK: Final = b"\x02"
"""Ctrl-B: either REPL answers with its banner; a node's program takes it for noise, a booting one is not stopped."""
ASK_AFTER: Final = 3.0
"""Seconds without a frame after which the line is asked whether a REPL is there; again after as many."""
SETTLE: Final = 0.5
"""Seconds that a REPL's text is let run on, so that an error is read to its end."""
PATIENCE: Final = 10.0
"""Seconds within which a node that was started again must speak a frame; then the next try."""
TRIES: Final = 3
"""Restarts of a node before a person is needed."""
RUNS: Final = 60.0
"""Seconds of frames after which earlier tries no longer count."""
_KEPT: Final = 4096


@dataclass(slots=True)
class Advice:
    """Data to write to the line now, and one sentence to report, or empty."""

    out: bytes = b""
    sentence: str = ""


class ReplWatch:
    """Watches one port. ``opened`` when it opens, ``heard`` for bytes, ``spoke`` for frames, ``tick`` for what to do.

    Times are seconds of any monotonic clock. Tries are counted over re-openings: a node that dies again and again
    leaves the bus each time.
    """

    def __init__(self) -> None:
        self._text = b""
        self._seen_at: float | None = None
        self._quiet_since = 0.0
        self._tried_at: float | None = None
        self._runs_since: float | None = None
        self._given_up = False
        self._tries = 0
        self.restarts = 0

    def opened(self, now: float) -> None:
        """Start anew: the port has just been opened."""
        self._text = b""
        self._seen_at = self._tried_at = self._runs_since = None
        self._quiet_since = now

    def spoke(self, now: float) -> None:
        """Record that a whole frame has come: the node's program runs."""
        self._text = b""
        self._seen_at = self._tried_at = None
        self._quiet_since = now
        if self._runs_since is None:
            self._runs_since = now
        elif now - self._runs_since >= RUNS:
            self._tries = 0
            self._given_up = False

    def heard(self, data: bytes, now: float) -> bool:
        """Take what came after the last frame's closing zero; True at the first sign of a REPL since that frame."""
        if not data:
            return False
        self._text = (self._text + data)[-_KEPT:]
        if self._seen_at is not None or not any(mark in self._text for mark in MARKS):
            return False
        self._seen_at = now
        self._runs_since = None
        return True

    def tick(self, now: float) -> Advice:
        """Return what to do about a node that does not run."""
        if self._given_up:
            return Advice()
        if self._tried_at is not None:
            if now - self._tried_at < PATIENCE:
                return Advice()
            return self._start_again(now)
        if self._seen_at is not None:
            return self._start_again(now) if now - self._seen_at >= SETTLE else Advice()
        if now - self._quiet_since >= ASK_AFTER:
            self._quiet_since = now
            return Advice(ASK)
        return Advice()

    def _start_again(self, now: float) -> Advice:
        why = self._error()
        why = f" after '{why}'" if why else ""
        if self._tries >= TRIES:
            self._given_up = True
            return Advice(b"", f"The node stands at MicroPython's prompt{why} and {TRIES} restarts did not help: "
                               "run 'tavolo node verify', then unplug it and plug it in again.")  # fmt: skip
        self._tries += 1
        self.restarts += 1
        self._tried_at = now
        self._text = b""
        self._seen_at = None
        return Advice(LEAVE, f"The node stood at MicroPython's prompt{why}: started again, try {self._tries} "
                             f"of {TRIES}.")  # fmt: skip

    def _error(self) -> str:
        """Return the last line of the last traceback, as ``MemoryError: …``; empty if there was none."""
        _, found, rest = self._text.rpartition(b"Traceback (most recent call last):")
        if not found:
            return ""
        lines = rest.partition(b"\r\n>>> ")[0].splitlines()
        told = [line for line in lines if line.strip() and not line.startswith((b" ", b"MicroPython", b'Type "help'))]
        return told[-1].decode("utf-8", "replace")[:120].strip() if told else ""
