"""A technician's work on one node: put files on it, ask what it runs, calibrate its sensors.

The table's program must not run meanwhile. Every function talks to one serial port and gives it back. Errors are one
sentence (``ReplError``, ``LineError``, ``ProvisionError``).
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from firmware_bridge.codec import SCHEMA, FrameError, Splitter, decode
from firmware_bridge.frames import Hello
from firmware_bridge.node_files import NodeFiles, NodeUpdate
from firmware_bridge.raw_repl import RawRepl, ReplError
from firmware_bridge.repl import MARKS
from firmware_bridge.serial_line import LineError, SerialLine
from hw.pins import NodeBoard, load_boards
from hw.provision import (
    FIRMWARE,
    ProvisionError,
    configuration,
    files_checksum,
    firmware_files,
    sensors_for,
    unseal,
)

PICO_VENDOR: Final = 0x2E8A
"""Raspberry Pi's USB vendor number, which MicroPython keeps on a Pico."""
ACTIONS: Final[dict[str, tuple[str, int, int]]] = {
    "weigh": ("grams on a scale, over a second: ZONE", 1, 1),
    "tare": ("what lies on a scale now is nothing: ZONE", 1, 1),
    "calibrate": ("a weight of so many grams lies there now: ZONE GRAMS", 2, 2),
    "upright": ("the shield of a seat stands upright now: SEAT", 1, 1),
    "scan": ("the tags over a coil, and what the inventory met: ZONE", 1, 1),
    "inputs": ("every barrier, button and contact that is closed now", 0, 0),
    "knocks": ("highest peak of each knock sensor, in milli-g: [SECONDS]", 0, 1),
    "lights": ("turn and alert lights, bits 1 N, 2 E, 4 S, 8 W: TURN ALERT", 2, 2),
}
"""The bench's verbs: what each does, and how many arguments it takes at least and at most."""

NUMBERS: Final[dict[str, tuple[tuple[int, str, int, int], ...]]] = {
    "calibrate": ((1, "grams", 1, 5000),),
    "knocks": ((0, "seconds", 1, 60),),
    "lights": ((0, "turn", 0, 15), (1, "alert", 0, 15)),
}
"""Arguments of the bench's verbs that are numbers: position, name, least, most. Those of lights are whole."""


def misused(action: str, arguments: tuple[str, ...]) -> str:
    """Return one sentence on arguments that ``action`` cannot take; empty if it can.

    >>> misused("calibrate", ("stock", "heavy"))
    "grams: a number from 1 to 5000, not 'heavy'"
    """
    what, fewest, most_words = ACTIONS[action]
    if not fewest <= len(arguments) <= most_words:
        return f"{action}: {what}"
    for position, name, least, most in NUMBERS.get(action, ()):
        for word in arguments[position : position + 1]:
            value = _value(word)
            fits = isinstance(value, int) or (isinstance(value, float) and action != "lights")
            if not fits or not least <= float(value) <= most:
                return f"{name}: a number from {least} to {most}, not '{word}'"
    return ""


@dataclass(frozen=True, slots=True)
class NodeWish:
    """Wanted configuration of a node. None: as it is on the node, else as ``hw.provision`` makes it."""

    board: str | None = None
    name: str | None = None
    link: str | None = None
    quiet: bool | None = None
    inverted: tuple[str, ...] | None = None
    screens: bool | None = None
    calibration: Mapping[str, Any] | None = None
    table: Path | None = None
    """The table's file: only the sensors that it names are there."""


@dataclass(frozen=True, slots=True)
class NodeReport:
    """A node's report about itself; ``problem`` is one sentence, or empty if it runs what this program brings."""

    node: str = ""
    firmware: str = ""
    files: str = ""
    cause: int = 0
    resets: int = 0
    brownouts: int = 0
    problem: str = ""
    expected: str = field(default_factory=files_checksum)


def ports() -> list[str]:
    """Return the serial devices of Picos that are plugged in."""
    from serial.tools import list_ports

    return sorted(port.device for port in list_ports.comports() if port.vid == PICO_VENDOR)


def inputs_of(board: str) -> tuple[str, ...]:
    """Return the expander's inputs of a board by name: those that can be inverted."""
    wiring = json.loads((FIRMWARE / "pins.json").read_text(encoding="utf-8"))["boards"][board]
    return tuple(sensor for group in wiring["inputs"] for sensor in group["sensors"] if sensor)


def wanted_configuration(there: Mapping[str, Any] | None, wish: NodeWish) -> dict[str, Any]:
    """Return the configuration that ``wish`` makes of the one on the node. Raises ProvisionError."""
    before = there or {}
    board = _known_board(wish.board or before.get("board"))
    same = before if before.get("board") == board.name else {}
    config = unseal(
        configuration(
            board,
            wish.name or str(same.get("name", board.name)),
            wish.link or str(same.get("link", "usb")),
            {**same.get("calibration", {}), **(wish.calibration or {})},
            screens=_has_screens(same, wish),
            plugged=_plugged(board, same, wish),
        )
    )
    config["quiet"] = same.get("quiet", False) if wish.quiet is None else wish.quiet
    config["inverted"] = same.get("inverted", []) if wish.inverted is None else list(wish.inverted)
    _check_inverted(board.name, config["inverted"])
    return config


def _known_board(name: str | None) -> NodeBoard:
    boards = load_boards()
    if name is None:
        raise ProvisionError(f"the node has no configuration yet: say which board it is, {', '.join(sorted(boards))}")
    if name not in boards:
        raise ProvisionError(f"there is no board '{name}': boards are {', '.join(sorted(boards))}")
    return boards[name]


def _has_screens(same: Mapping[str, Any], wish: NodeWish) -> bool:
    if wish.screens is not None:
        return wish.screens
    return any(kind == "screen" for kind, _ in same.get("sensors", []))


def _plugged(board: NodeBoard, same: Mapping[str, Any], wish: NodeWish) -> Iterable[tuple[str, str]] | None:
    """Return the sensors that shall be there: those of the wish's table, else of the node; None: the board's own."""
    if wish.table is not None:
        return sensors_for(board, wish.table)
    if wish.screens is not None or not same.get("sensors"):
        return None
    has = set(board.sensors())
    return [(kind, sensor) for kind, sensor in same["sensors"] if (kind, sensor) in has]


def _check_inverted(board: str, inverted: Iterable[str]) -> None:
    inputs = inputs_of(board)
    for sensor in inverted:
        if sensor not in inputs:
            raise ProvisionError(f"board '{board}' has no input '{sensor}' to invert: it has {', '.join(inputs)}")


def update(port: str, wish: NodeWish, patience: float, told: Callable[[str], None]) -> NodeUpdate:
    """Make the node at ``port`` run this program's files and ``wish``'s configuration, and start it."""
    if wish.board is not None:
        _check_inverted(wish.board, wish.inverted or ())  # before the node is stopped
    files = firmware_files()
    with RawRepl(port, patience) as repl:
        told("stopping the node's program")
        repl.stop()
        flash = NodeFiles(repl)
        there = flash.configuration()
        config = wanted_configuration(there, wish)
        change = flash.update(files, told)
        if config != there:
            told("writing node.json")
            flash.configure(config)
        told("starting it")
        repl.restart()
    return NodeUpdate(change.written, change.removed, configured=config != there)


def verify(port: str, seconds: float) -> NodeReport:
    """Listen until the node at ``port`` says who it is. Raises LineError if the port cannot be opened."""
    heard, splitter = b"", Splitter()
    end = time.monotonic() + seconds
    line: SerialLine | None = SerialLine(port)
    try:
        while time.monotonic() < end:
            try:
                if line is None:
                    line = SerialLine(port)
                data = line.read()
            except LineError:  # it has just been started anew
                if line is not None:
                    line.close()
                line = None
                time.sleep(0.2)
                continue
            heard = (heard + data)[-2000:]
            hello = _hello(splitter.feed(data))
            if hello is not None:
                return _judged(hello)
    finally:
        if line is not None:
            line.close()
    if any(mark in heard for mark in MARKS):
        return NodeReport(problem="It stands at MicroPython's prompt: run 'tavolo node update'.")
    return NodeReport(problem=f"Nobody said hello within {seconds:.0f} s: is it a node, and its program not stopped?")


def _hello(blocks: list[bytes]) -> Hello | None:
    for block in blocks:
        try:
            message = decode(block).message
        except FrameError:
            continue
        if isinstance(message, Hello):
            return message
    return None


def _judged(hello: Hello) -> NodeReport:
    problem = ""
    if hello.schema != SCHEMA.hash:
        problem = f"It speaks another version of the link ({hello.firmware}): run 'tavolo node update'."
    elif hello.files != files_checksum():
        problem = f"Its files ({hello.files or 'not told'}) are not those of this program: run 'tavolo node update'."
    return NodeReport(hello.node, hello.firmware, hello.files, hello.cause, hello.resets, hello.brownouts, problem)


def bench(port: str, action: str, arguments: tuple[str, ...], patience: float, told: Callable[[str], None]) -> Any:
    """Do one of ACTIONS on the node at ``port`` and start its program again; what the bench returned."""
    call = f"_bench.{action}({', '.join(repr(_value(word)) for word in arguments)})"
    with RawRepl(port, patience) as repl:
        told("stopping the node's program")
        repl.stop()
        told("loading the bench")
        repl.execute("import bench\n_bench = bench.Bench()")
        found = repl.evaluate(call)
        told("starting the node's program")
        repl.restart()
    if found is False:
        raise ReplError(f"The scale '{arguments[0]}' does not answer, has no zero yet, or hardly moves.")
    if action == "weigh" and isinstance(found, str):
        raise ReplError(f"The scale '{arguments[0]}' gives no weight: {found}.")
    return found


def _value(word: str) -> int | float | str:
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word
