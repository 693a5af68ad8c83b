"""What takes too long for the test suite, on emulated chips: ``python -m firmware_bridge.proving.emulated``.

Each check boots the provisioned files under the real MicroPython: some twenty minutes of one core in all. ``--only``
does one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from firmware_bridge.codec import FrameError, Splitter, decode, encode
from firmware_bridge.frames import Ack, Frame
from firmware_bridge.maintenance import Wish, bench, update, verify
from firmware_bridge.proving.emulated_node import EmulatedNode, provisioned
from firmware_bridge.proving.emulated_port import EmulatedPort
from firmware_bridge.repl import LEAVE
from hw.errors import TavoloError
from hw.observations import Health, Observation, Tray
from hw.twin.emulated_board import EmulatedBoard
from hw.twin.emulated_pico import EmulatedPico, EmulatorError, find_image

SLOW: Final = 600.0
"""Seconds of patience over a port whose chip is so much slower than a real one."""
WIRING: Final = Path(__file__).parents[2] / "hw" / "node" / "pins.json"


def interrupted(image: Path, points: int = 6) -> str:
    """Ctrl-C at ``points`` moments of a soft reboot: the program runs all the same, or the host brings it back."""
    node = EmulatedNode(image, "seats", provisioned("seats") | {"stay": b"once"})
    node.host = False
    node.until(lambda: node.text.endswith(b">>> "), 5.0)
    alone = 0
    for point in range(points):
        joined, advised = len(node.joined()), len(node.advice)
        node.host = False
        node.pico.write(LEAVE)
        node.run(0.005 + 0.6 * point / points)
        node.pico.write(b"\x03" * 3)
        node.run(0.1)
        node.host = True
        node.watch.opened(node.pico.seconds)
        node.until(lambda before=joined: len(node.joined()) > before, 30.0)  # type: ignore[misc]
        alone += len(node.advice) == advised
        node.stop_for_maintenance()
    return f"{points} soft reboots with Ctrl-C in them: {alone} programs ran on, {points - alone} were brought back"


def overflowing(image: Path) -> str:
    """A host that acknowledges nothing: the full queue is dropped, counted and announced, and the node lives."""
    node = EmulatedNode(image, "seats")
    node.until(lambda: any(isinstance(one, Health) for one in node.observations), 10.0)
    last = _last_frame(bytes(node.text))
    node.host = False
    seen = len(node.observations)
    end = node.pico.seconds + 9.0
    while node.pico.seconds < end:
        node.pico.write(encode(Frame(last.seq, last.boot, last.session, 0, Ack())))
        node.run(0.5)
    node.host = True
    node.until(lambda: [one for one in node.observations[seen:] if _announced(one)], 10.0)
    if node.pico.resets:
        raise EmulatorError("the node was reset on the way")
    return next(one.note for one in node.observations[seen:] if isinstance(one, Health) and _announced(one))


def _announced(one: object) -> bool:
    return isinstance(one, Health) and "did not fit" in one.note


def _last_frame(text: bytes) -> Frame:
    frame = None
    for block in Splitter().feed(text):
        try:
            frame = decode(block)
        except FrameError:
            continue
    if frame is None:
        raise EmulatorError("the node has sent no frame")
    return frame


def third_board(image: Path) -> str:
    """The board at the places of tarocco and bridge: sensors announced, a moved tray told, no grams uncalibrated."""
    node = EmulatedNode(image, "places", provisioned("places", screens=True))
    node.until(lambda: any(isinstance(one, Health) for one in node.observations), 10.0)
    sensors = node.joined()[0].hello.sensors
    expander: Any = node.board.hardware.chips["inputs", 32]
    for closed, side in ((0b0100, "NE"), (0b0000, "moving"), (0b1000, "SW")):
        expander.closed = expander.closed & 0b0011 | closed
        node.until(lambda side=side: [one for one in node.observations if _stands(one, side)], 3.0)  # type: ignore[misc]
    node.until(lambda: len(node.readings.troubles) == len(node.board.hardware.cells), 5.0)
    said = set(node.readings.troubles.values())
    return f"{sensors} sensors; the tray went from NE to SW; of all {len(node.readings.troubles)} scales: {said}"


def _stands(one: Observation, side: str) -> bool:
    return isinstance(one, Tray) and one.side == side


def replugged(image: Path) -> str:
    """Power and bus taken away in the midst of a snapshot, and given back: the node joins again with its true state."""
    node = EmulatedNode(image, "gates")
    node.until(lambda: any(isinstance(one, Health) for one in node.observations), 10.0)
    for _ in range(2):
        seen = len(node.observations)
        node.session.request_snapshot()
        node.run(0.02)
        node.pico.unplug()
        node.until(lambda before=seen: _whole(node.observations[before:]), 10.0)  # type: ignore[misc]
        if node.joined()[-1].hello.cause != 1:
            raise EmulatorError("it does not say that power came")
    return f"{len(node.joined()) - 1} times, the last: {node.observations[-1]}"


def _whole(observations: list[Observation]) -> bool:
    return bool(observations) and isinstance(observations[-1], Health) and observations[-1].state == "ok"


def hanging(image: Path) -> str:
    """A program that hangs while it is loaded is ended by the watchdog, which runs before it."""
    hang = b"import time\nwhile True:\n    time.sleep_ms(500)\n"
    node = EmulatedNode(image, "seats", provisioned("seats") | {"program.py": hang})
    node.host = False
    node.until(lambda: node.pico.resets, 12.0)
    return f"ended by the watchdog after {node.pico.seconds:.1f} s"


def technician(image: Path) -> str:
    """A blank chip behind a pseudo-terminal: update, verify, update of one setting, bench."""
    steps: list[str] = []
    with EmulatedPort() as port:
        pico = EmulatedPico(image, None, port.hear)
        board = EmulatedBoard(pico, json.loads(WIRING.read_text(encoding="utf-8"))["boards"]["seats"])
        board.hardware.cells["stock"].counts = 52_000
        port.run(pico)
        first = update(port.port, Wish(board="seats", name="T1"), SLOW, steps.append)
        verdict = verify(port.port, SLOW)
        if verdict.problem or verdict.node != "T1":
            raise EmulatorError(f"verify says: {verdict}")
        again = update(port.port, Wish(quiet=True), SLOW, steps.append)
        if again.written or not again.configured:
            raise EmulatorError(f"the second update did: {again}")
        if bench(port.port, "tare", ("stock",), SLOW, steps.append) is not True:
            raise EmulatorError("the scale was not tared")
        board.hardware.cells["stock"].counts = 52_000 + 800_000
        bench(port.port, "calibrate", ("stock", "200"), SLOW, steps.append)
        grams = bench(port.port, "weigh", ("stock",), SLOW, steps.append)
    return (
        f"{len(first.written)} files written to a blank chip, verified; one setting changed; {grams} of 200 g weighed"
    )


CHECKS: Final[dict[str, Callable[[Path], str]]] = {
    "hanging": hanging,
    "places": third_board,
    "replugged": replugged,
    "overflowing": overflowing,
    "technician": technician,
    "interrupted": interrupted,
}


def main(arguments: list[str] | None = None) -> int:
    """The command: 0 all hold, 1 one does not (or no image), 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m firmware_bridge.proving.emulated", description="Long checks.")
    parser.add_argument("--only", choices=sorted(CHECKS), help="one check alone")
    given = parser.parse_args(arguments)
    image = find_image()
    if image is None:
        sys.stderr.write("emulated: no MicroPython image: name one with TAVOLO_UF2\n")
        return 1
    wrong = 0
    for name, check in CHECKS.items():
        if given.only not in (None, name):
            continue
        began = time.process_time()
        try:
            said = check(image)
        except TavoloError as error:
            wrong += 1
            said = f"DOES NOT HOLD: {error}"
        sys.stdout.write(f"{name}: {said} ({time.process_time() - began:.0f} s of processor time)\n")
        sys.stdout.flush()
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
