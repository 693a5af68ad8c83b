"""A node as it will be: MicroPython and the provisioned files in an emulated RP2040, and the host's session.

Both ends run in the emulated chip's time, so that the link's patience is neither strained nor spared by a slow machine.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from firmware_bridge.readings import Readings
from firmware_bridge.repl import ReplWatch
from firmware_bridge.session import Arrived, Event, Joined, LinkSession, LinkTime, Lost
from hw.observations import Observation
from hw.pins import load_boards
from hw.provision import configuration, firmware_files
from lab.chips.emulated_board import EmulatedBoard
from lab.chips.emulated_pico import EmulatedPico, EmulatorError

WIRING: Final = Path(__file__).parents[2] / "hw" / "node" / "pins.json"
STEP: Final = 0.002
"""Emulated seconds between two looks of the host at its port."""
HEARD: Final = 0.1
"""Emulated seconds within which a node's program has read what was sent to it."""


def provisioned(which: str, calibration: Mapping[str, Any] | None = None, *, screens: bool = False) -> dict[str, bytes]:
    """The files that ``hw.provision`` puts on a node of that board, by name; ``screens``: as bridge has them."""
    config = configuration(load_boards()[which], f"{which}-1", "usb", dict(calibration or {}), screens=screens)
    return firmware_files() | {"node.json": config.encode()}


class EmulatedNode:
    """One board, its simulated chips, and a host that listens as the bridge does (session, readings, prompt watch).

    ``text`` keeps what came over USB outside frames' reach: everything, in bytes.
    """

    def __init__(self, image: Path, which: str, files: Mapping[str, bytes] | None = None) -> None:
        """``files``: those on its flash, else what is provisioned for the board ``which``."""
        self.text = bytearray()
        self._inbox = bytearray()
        self.pico = EmulatedPico(image, provisioned(which) if files is None else files, self._hear)
        self.board = EmulatedBoard(self.pico, json.loads(WIRING.read_text(encoding="utf-8"))["boards"][which])
        self.session = LinkSession(1)
        self.readings = Readings(lambda: self.pico.seconds)
        self.watch = ReplWatch()
        self.watch.opened(0.0)
        self._host = True
        self.elsewhere: Callable[[bytes], None] | None = None
        """Receiver of what it sends in the host's place, while another program has its port."""
        self.line: Callable[[bytes], bytes] = bytes
        """Change of what it sends on the way to the host: none, unless a line is put here that loses something."""
        self.events: list[Event] = []
        self.observations: list[Observation] = []
        self.advice: list[str] = []
        self._was_connected = False

    def _hear(self, data: bytes) -> None:
        if self.elsewhere is not None:
            self.elsewhere(data)
            return
        self._inbox.extend(data)
        self.text.extend(data)

    @property
    def host(self) -> bool:
        """True if anybody listens. Who stops forgets the session, as a program that ends; who begins opens the port."""
        return self._host

    @host.setter
    def host(self, listens: bool) -> None:
        if listens and not self._host:
            self._was_connected = False
        elif self._host and not listens:
            self._note(self.session.unplugged("the program that listened has ended"))
        self._host = listens

    def run(self, seconds: float) -> None:
        """Let emulated time pass at both ends."""
        end = self.pico.seconds + seconds
        while self.pico.seconds < end:
            self.pico.run(STEP)
            data = self.line(bytes(self._inbox))
            self._inbox.clear()
            if self.host:
                self._listen(data)

    def until(self, condition: Callable[[], object], limit: float) -> None:
        """Run until ``condition`` holds. Raises EmulatorError after ``limit`` emulated seconds."""
        end = self.pico.seconds + limit
        while not condition():
            if self.pico.seconds > end:
                raise EmulatorError(f"after {limit} emulated seconds: {bytes(self.text[-300:])!r}")
            self.run(STEP)

    def _listen(self, data: bytes) -> None:
        now = LinkTime(self.pico.seconds, self.pico.seconds)
        if self._was_connected and not self.pico.connected:
            self._note(self.session.unplugged("the device has gone"))
        if self.pico.connected and not self._was_connected:
            self.watch.opened(now.wall)
        self._was_connected = self.pico.connected
        if not self.pico.connected:
            return
        frames = self.session.counters.frames
        self._note(self.session.receive(data, now))
        self._note(self.session.tick(now))
        if self.session.counters.frames > frames:
            self.watch.spoke(now.wall)
        if self.watch.heard(data.rpartition(b"\0")[2], now.wall):
            self._note(self.session.unplugged("a prompt answers"))
        advice = self.watch.tick(now.wall)
        if advice.sentence:
            self.advice.append(advice.sentence)
        self.pico.write(self.session.output() + advice.out)

    def _note(self, events: list[Event]) -> None:
        self.events += events
        for event in events:
            match event:
                case Joined():
                    self.observations += self.readings.joined(event)
                case Arrived(t=t, message=message):
                    self.observations += self.readings.message(t, message)
                case Lost(reason=reason):
                    self.observations += self.readings.lost(reason)

    def joined(self) -> list[Joined]:
        """The sessions that opened, in order."""
        return [event for event in self.events if isinstance(event, Joined)]

    def messages(self, kind: type[Any]) -> list[Any]:
        """The numbered messages of that kind that arrived, in order."""
        return [
            event.message for event in self.events if isinstance(event, Arrived) and isinstance(event.message, kind)
        ]

    def stop_for_maintenance(self) -> None:
        """Stop the node as a technician does: the host goes, Ctrl-C stops the program, the prompt comes back."""
        self.host = False
        self.run(HEARD)
        self.pico.set_forward(2.0)  # the node's patience with a silent host, at once
        self.run(0.2)
        resets = self.pico.resets
        self.pico.write(b"\r\x03")
        self.until(lambda: self.pico.resets > resets and b"stopped for maintenance" in self.text, 3.0)
        self.until(lambda: self.text.endswith(b">>> "), 3.0)

    def execute(self, code: str, limit: float) -> str:
        """Run ``code`` in the raw REPL and leave the node there; what it printed. Raises EmulatorError on its error."""
        self.pico.write(b"\x01")
        self.until(lambda: self.text.endswith(b"raw REPL; CTRL-B to exit\r\n>"), 1.0)
        begin = len(self.text)
        self.pico.write(code.encode() + b"\x04")
        self.until(lambda: self.text.endswith(b"\x04>") and self.text.count(b"\x04", begin) >= 2, limit)
        printed, error, _ = bytes(self.text[begin:]).removeprefix(b"OK").split(b"\x04", 2)
        if error:
            raise EmulatorError(f"the node's program failed: {error.decode().strip().splitlines()[-1]}")
        return printed.decode()
