"""Checks that take too long for the test suite, on emulated chips: ``python -m lab.link.emulated``.

Each check boots the provisioned files under the real MicroPython: some twenty minutes of one core in all. ``--only``
does one.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from firmware_bridge.codec import FrameError, Splitter, decode, encode, is_numbered
from firmware_bridge.frames import Heartbeat
from firmware_bridge.maintenance import NodeWish, bench, update, verify
from firmware_bridge.repl import LEAVE
from firmware_bridge.session import Arrived
from hw.errors import TavoloError
from hw.observations import Health, Observation, Scale, Tray
from lab.chips.emulated_board import EmulatedBoard
from lab.chips.emulated_pico import EmulatedPico, EmulatorError, find_image
from lab.link.emulated_node import EmulatedNode, provisioned
from lab.link.emulated_port import EmulatedPort

SLOW: Final = 600.0
"""Seconds of patience over a port whose chip is so much slower than a real one."""
COUNTS_PER_KG: Final = 4_000_000
REST: Final = 400_000
"""Counts of a load cell under 100 g."""
PLATES: Final = {"stock", "discard", "pots"}
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


class LosingLine:
    """A line on which every numbered message is lost while ``loses``; heartbeats and clock answers pass.

    Noise that hits each longer frame does that. The host says so with Nak all the time, so the session stays open.
    """

    def __init__(self) -> None:
        self.loses = False
        self.lost = 0
        self.beats: list[Heartbeat] = []
        self._splitter = Splitter()

    def __call__(self, data: bytes) -> bytes:
        """Return what arrives of ``data``."""
        arrives = bytearray()
        for block in self._splitter.feed(data):
            try:
                frame = decode(block)
            except FrameError:
                continue
            if isinstance(frame.message, Heartbeat):
                self.beats.append(frame.message)
            if self.loses and is_numbered(frame.message):
                self.lost += 1
            else:
                arrives += encode(frame)
        return bytes(arrives)


def _weighing(image: Path) -> EmulatedNode:
    """Start the board with the three plates, calibrated, at rest, its state reported."""
    plates = {f"scale:{zone}": {"zero": 0, "counts_per_kg": COUNTS_PER_KG} for zone in sorted(PLATES)}
    node = EmulatedNode(image, "seats", provisioned("seats", plates))
    node.until(lambda: any(isinstance(one, Health) for one in node.observations), 10.0)
    return node


def _swing(node: EmulatedNode) -> bool:
    """Move the load of every plate: up and down by 75 g in 1.6 s, as a hand that leans on it."""
    for cell in node.board.hardware.cells.values():
        cell.counts = REST + round(300_000 * abs(node.pico.seconds / 0.8 % 2 - 1))
    return True


def _rest(node: EmulatedNode) -> None:
    """Let every plate lie still under 100 g until the host has heard so. Raises EmulatorError if it does not."""
    for cell in node.board.hardware.cells.values():
        cell.counts = REST
    since = len(node.observations)
    node.until(lambda: _at_rest(node.observations[since:]) >= PLATES, 12.0)


def _at_rest(observations: list[Observation]) -> set[str]:
    """Return the plates that were reported as settled under 100 g."""
    weights = [one for one in observations if isinstance(one, Scale) and one.settled]
    return {one.zone for one in weights if abs(one.grams - 1000 * REST / COUNTS_PER_KG) < 0.5}


def overflowing(image: Path) -> str:
    """Move plates on a line that loses every reading: the full queue is dropped, counted and announced.

    The node lives, its session stays open, and once the line is whole all reports are in order and counted right.
    """
    node = _weighing(image)
    line = node.line = LosingLine()
    since, began = len(node.observations), node.pico.seconds
    line.loses = True
    node.until(lambda: _swing(node) and line.beats and line.beats[-1].dropped, 120.0)
    full, fullest = node.pico.seconds - began, max(beat.queued for beat in line.beats)
    node.until(lambda end=node.pico.seconds + 1.0: _swing(node) and node.pico.seconds > end, 2.0)  # type: ignore[misc]
    line.loses = False
    node.until(lambda: [one for one in node.observations[since:] if _whole([one])], 15.0)
    _rest(node)
    node.run(1.0)  # a heartbeat with the last count
    announced = _announced(node.observations[since:])
    _all_told_in_order(node, announced, line.beats[-1].dropped)
    return (
        f"{fullest} readings waited, full after {full:.1f} s of three plates in motion; {announced} dropped "
        "and announced; same session, in order, weights right at the end"
    )


def _announced(observations: list[Observation]) -> int:
    """Count the readings announced to the host as dropped."""
    notes = [one.note for one in observations if isinstance(one, Health)]
    return sum(int(note.split()[0]) for note in notes if "did not fit" in note)


def _all_told_in_order(node: EmulatedNode, announced: int, dropped: int) -> None:
    if node.pico.resets or len(node.joined()) != 1:  # first: after a reset the clock begins anew, which is no disorder
        said = bytes(node.text).rpartition(b"Traceback")
        why = f": {said[2].decode(errors='replace')[:300]}" if said[1] else ""
        raise EmulatorError(f"{node.pico.resets} resets and {len(node.joined())} sessions on the way{why}")
    if announced != dropped:
        raise EmulatorError(f"it dropped {dropped} readings, and the host was told of {announced}")
    arrived = [event for event in node.events if isinstance(event, Arrived)]
    for before, after in pairwise(arrived):
        if after.micros < before.micros:
            raise EmulatorError(f"{after.message} of {after.micros} us came after {before.message} of {before.micros}")


def moving(image: Path) -> str:
    """A plate that moves for longer than a burst is never called settled, and is again soon after it lies still."""
    node = _weighing(image)
    _rest(node)
    node.until(lambda end=node.pico.seconds + 1.0: _swing(node) and node.pico.seconds > end, 2.0)  # type: ignore[misc]
    since = len(node.observations)
    node.until(lambda end=node.pico.seconds + 6.0: _swing(node) and node.pico.seconds > end, 7.0)  # type: ignore[misc]
    told = [one for one in node.observations[since:] if isinstance(one, Scale)]
    if any(one.settled for one in told) or len(told) < 100:
        raise EmulatorError(f"of {len(told)} weights in motion {sum(one.settled for one in told)} are called settled")
    began = node.pico.seconds
    _rest(node)
    return (
        f"{len(told)} weights of three plates in 6 s of motion, none settled; "
        f"all at rest {node.pico.seconds - began:.1f} s after"
    )


def third_board(image: Path) -> str:
    """Check the board at the places of tarocco and bridge: sensors, a moved tray, no grams without calibration."""
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
        first = update(port.port, NodeWish(board="seats", name="T1"), SLOW, steps.append)
        verdict = verify(port.port, SLOW)
        if verdict.problem or verdict.node != "T1":
            raise EmulatorError(f"verify says: {verdict}")
        again = update(port.port, NodeWish(quiet=True), SLOW, steps.append)
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
    "moving": moving,
    "technician": technician,
    "interrupted": interrupted,
}


def main(arguments: list[str] | None = None) -> int:
    """The command: 0 all hold, 1 one does not (or no image), 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m lab.link.emulated", description="Long checks.")
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
