"""A line that is slow, stands still or breaks: nothing is lost silently, and nobody waits for what cannot come."""

from __future__ import annotations

import os
import threading
import time
import tty
from collections.abc import Iterator

import pytest

from firmware_bridge import serial_line
from firmware_bridge.raw_repl import LineBrokenError, RawRepl
from firmware_bridge.serial_line import LineError, SerialLine

SHORT = 0.05


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[int, str]]:
    """A pseudo-terminal: the far end's descriptor and the port's name. A port may take nothing for SHORT seconds."""
    monkeypatch.setattr(serial_line, "WRITE_SECONDS", SHORT)
    master, slave = os.openpty()
    tty.setraw(master)
    tty.setraw(slave)
    yield master, os.ttyname(slave)
    os.close(master)
    os.close(slave)


def test_a_machine_that_stands_still_after_writing_has_not_lost_its_line(
    terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    master, port = terminal
    line = SerialLine(port)
    write = os.write

    def slowly(descriptor: int, data: bytes | memoryview) -> int:
        taken = write(descriptor, data)
        time.sleep(3 * SHORT)  # the process is not given a processor
        return taken

    monkeypatch.setattr(os, "write", slowly)
    line.write(b"_f.write(b'...')\x04")
    assert os.read(master, 100) == b"_f.write(b'...')\x04"
    line.close()


def test_more_than_a_terminal_holds_arrives_whole(terminal: tuple[int, str], monkeypatch: pytest.MonkeyPatch) -> None:
    master, port = terminal
    monkeypatch.setattr(serial_line, "WRITE_SECONDS", 20.0)
    sent = bytes(range(256)) * 400
    got = bytearray()

    def hear() -> None:
        while len(got) < len(sent):
            got.extend(os.read(master, 1000))

    reader = threading.Thread(target=hear, daemon=True)
    reader.start()
    line = SerialLine(port)
    line.write(sent)
    reader.join(20.0)
    assert bytes(got) == sent
    line.close()


def test_a_port_that_takes_nothing_is_named(terminal: tuple[int, str]) -> None:
    _, port = terminal
    line = SerialLine(port)
    with pytest.raises(LineError, match=f"The serial device {port} takes no more bytes."):
        line.write(bytes(1_000_000))
    line.close()


def test_a_closed_port_has_gone(terminal: tuple[int, str]) -> None:
    _, port = terminal
    line = SerialLine(port)
    line.close()
    with pytest.raises(LineError, match="has gone"):
        line.write(b"x")


@pytest.mark.parametrize("takes", [0, 1], ids=["before_the_code", "within_the_code"])
def test_a_line_that_breaks_in_the_middle_is_told_at_once(takes: int) -> None:
    opened = 0

    class Breaking(SerialLine):
        """Answers a request for raw-paste mode; takes so many pieces."""

        def __init__(self, port: str) -> None:
            nonlocal opened
            opened += 1
            self.port = port
            self._written = 0

        def read(self) -> bytes:
            return b"R\x01\x80\x00"

        def write(self, _data: bytes) -> None:
            if self._written == takes:
                raise LineError(f"The serial device {self.port} takes no more bytes.")
            self._written += 1

        def close(self) -> None:
            return

    sentence = "ttyACM7 broke while it was spoken to: give the command again"
    with RawRepl("/dev/ttyACM7", 600.0, Breaking) as repl, pytest.raises(LineBrokenError, match=sentence):
        repl.execute("print(1)")
    assert opened == 1
