"""A node's prompt as a program uses it: MicroPython's raw REPL over a serial port.

Protocol as in MicroPython's reference, "REPL, raw mode and raw-paste mode". ``stop`` brings a node there from wherever
it is: running, crashed with its watchdog ticking, at either prompt, or just restarting.
"""

from __future__ import annotations

import ast
import contextlib
import time
from collections.abc import Callable
from typing import Any, Final, Self

from firmware_bridge.repl import ASK
from firmware_bridge.serial_line import LineError, SerialLine
from hw.errors import TavoloError

RAW: Final = b"raw REPL; CTRL-B to exit\r\n>"
PROMPT: Final = b"\r\n>>> "
STOP: Final = b"\r\x03"
"""A node without a host takes it for a technician's wish to stop (``KEYS`` in hw/node/board_rp2.py)."""
BREAK: Final = b"\x03\x03\x02"
"""Ends any other program, a half line and either REPL's mode."""
ASK_SECONDS: Final = 1.0
_HEAD: Final = 4
"""Bytes of the answer to a request for raw-paste mode: R, 1, and the window's size."""
WATCHDOG: Final = (
    "import machine,os\nb=0x400D8000 if 'RP2350' in os.uname().machine else 0x40058000\nprint(machine.mem32[b]>>30&1)"
)
"""Prints 1 if the watchdog runs (CTRL.ENABLE, RP2040 data sheet 4.7.6, RP2350 12.9.7): it cannot be stopped."""
START_ANEW: Final = "f=open('stay','w');f.write('once');f.close();import machine;machine.reset()"


class ReplError(TavoloError, OSError):
    """The node did not do what it was asked; the text is one sentence for a person."""


class LineBrokenError(ReplError):
    """The port went away in the middle of a command to the node."""


class RawRepl:
    """The raw REPL of the node at ``port``. Use as a context manager: it opens the port and closes it.

    ``patience``: seconds that one answer may take. ``open_line`` is for tests.
    """

    def __init__(self, port: str, patience: float = 10.0, open_line: Callable[[str], SerialLine] = SerialLine) -> None:
        self.port = port
        self.patience = patience
        self._open_line = open_line
        self._line: SerialLine | None = None
        self._heard = bytearray()

    def __enter__(self) -> Self:
        self._line = self._open_line(self.port)
        return self

    def __exit__(self, *_exception: object) -> None:
        self._drop()

    def _drop(self) -> None:
        if self._line is not None:
            self._line.close()
            self._line = None

    # the line, which goes and comes back with every reset of the node

    def _read(self) -> bytes:
        try:
            if self._line is None:
                self._line = self._open_line(self.port)
            data = self._line.read()
        except LineError:
            self._drop()
            time.sleep(0.2)
            return b""
        self._heard += data
        return data

    def _write(self, data: bytes) -> None:
        try:
            if self._line is not None:
                self._line.write(data)
        except LineError:
            self._drop()

    def _await(self, condition: Callable[[], bool], what: str) -> None:
        end = time.monotonic() + self.patience
        while not condition():
            if time.monotonic() > end:
                raise ReplError(f"The node at {self.port} {what} within {self.patience:.0f} s.")
            if self._line is not None:
                self._read()
            if self._line is None:
                raise LineBrokenError(
                    f"The line to the node at {self.port} broke while it was spoken to: give the command again."
                )

    # to the prompt and back

    def stop(self) -> None:
        """Bring the node to its raw REPL with no watchdog running. Raises ReplError, LineError."""
        for _ in range(3):
            self._find_prompt()
            with contextlib.suppress(LineBrokenError):  # the watchdog was faster
                self._heard.clear()
                self._write(b"\x01")
                self._await(lambda: self._heard.endswith(RAW), "does not enter its raw prompt")
                if self.execute(WATCHDOG).strip() != "1":
                    return
                self.execute(START_ANEW, follow=False)
        raise ReplError(f"The node at {self.port} starts its program again and again: unplug it and plug it in.")

    def _find_prompt(self) -> None:
        end = time.monotonic() + 3 * self.patience
        self._heard.clear()
        asked, unanswered = 0.0, 0
        while not (self._heard.endswith((PROMPT, b"\n>"))):
            now = time.monotonic()
            if now > end:
                raise ReplError(f"The node at {self.port} does not come to its prompt: is its program ours, and no "
                                "other program at its port?")  # fmt: skip
            data = self._read()
            if b"\0" in data and now - asked > ASK_SECONDS:  # frames: its program runs
                self._write(STOP)
                asked, unanswered = now, 0
            elif not data and now - asked > ASK_SECONDS:
                self._write(BREAK if unanswered % 4 == 3 else ASK)
                asked, unanswered = now, unanswered + 1

    def restart(self) -> None:
        """Let the node start anew, by its reset, and run its program. The port goes and comes back."""
        self.execute("import machine;machine.reset()", follow=False)

    # code

    def execute(self, code: str, *, follow: bool = True) -> str:
        """Run ``code`` at the raw prompt and return what it printed; ``follow`` False: don't wait for its end.

        Raises ReplError with the last line of the node's traceback if it fails, and at once if the line breaks:
        data under way is lost then, and the node may have got a part of the code.
        """
        self._heard.clear()
        self._write(b"\x05A\x01")
        self._await(lambda: len(self._heard) >= 2, "does not take code")
        if self._heard[:2] != b"R\x01":
            raise ReplError(f"The node at {self.port} does not speak MicroPython's raw-paste mode (1.14 or newer).")
        self._await(lambda: len(self._heard) >= _HEAD, "does not take code")
        self._paste(code.encode(), window=int.from_bytes(self._heard[2:4], "little"))
        if not follow:
            self._linger()
            return ""
        self._await(lambda: self._heard.count(b"\x04", _HEAD) >= 3 and self._heard.endswith(b">"), "does not answer")
        printed, error = bytes(self._heard[_HEAD:]).split(b"\x04")[1:3]
        if error:
            raise ReplError(f"The node says: {error.decode('utf-8', 'replace').strip().splitlines()[-1]}.")
        return printed.decode("utf-8", "replace")

    def _linger(self) -> None:
        """Wait until the node has taken the code whole, or has gone: closing a port too early may lose its end."""
        end = time.monotonic() + 1.0
        while self._line is not None and self._heard.find(b"\x04", _HEAD) < 0 and time.monotonic() < end:
            self._read()

    def _paste(self, code: bytes, window: int) -> None:
        """Send ``code`` no faster than the node takes it: it grants ``window`` bytes more with each byte 1."""
        taken, room = _HEAD, window
        at = 0
        while at < len(code):
            granted = self._heard.count(b"\x01", taken)
            taken, room = len(self._heard), room + granted * window
            if self._heard.find(b"\x04", _HEAD) >= 0:
                break  # the node gave up: its error follows
            if room <= 0:
                before = taken
                self._await(lambda seen=before: len(self._heard) > seen, "stopped taking code")  # type: ignore[misc]
                continue
            piece = code[at : at + room]
            self._write(piece)
            at, room = at + len(piece), room - len(piece)
        self._write(b"\x04")

    def evaluate(self, expression: str) -> Any:
        """Return the value of ``expression`` on the node: any literal."""
        text = self.execute(f"print(repr({expression}))").strip()
        try:
            return ast.literal_eval(text)
        except (ValueError, SyntaxError):
            raise ReplError(f"The node at {self.port} answered {text[:60]!r}.") from None
