"""Scans of a coil by a real MicroPython in an emulated RP2040: ``python -m lab.link.emulated_scans``.

The board ``gates`` with its provisioned files, on the simulated readers. It gives what ``scan_times`` cannot: the time
that the interpreter takes, as far as the emulator counts a processor's cycles, and the bytes that a scan allocates.
"""

from __future__ import annotations

import json
import sys
from typing import Final

from lab.chips.emulated_pico import EmulatorError, find_image
from lab.chips.iso15693_sim import Tag
from lab.link.emulated_node import EmulatedNode, provisioned
from lab.link.heap import STAYING

COUNTS: Final = (0, 1, 2, 4)
PATIENCE_S: Final = 20.0
"""Emulated seconds for one piece of the program."""
BOARD: Final = """
import gc, json, time, board_rp2, program
board, hardware = program.make(board_rp2.Rp2)
def scan():
    gc.collect()
    before, began = gc.mem_alloc(), time.ticks_us()
    found = board.antennas.scan("gate-N")
    took = time.ticks_diff(time.ticks_us(), began)
    return took, gc.mem_alloc() - before, -1 if found is None else len(found)
scan()
"""
SCAN: Final = "print(json.dumps([scan(), scan()]))"


def main() -> int:
    """Print one row a number of cards: the first scan after they came, and the next."""
    image = find_image()
    if image is None:
        sys.stderr.write("emulated_scans: no MicroPython image: name one with TAVOLO_UF2\n")
        return 1
    try:
        node = EmulatedNode(image, "gates", provisioned("gates") | STAYING)
        node.host = False
        node.until(lambda: node.text.endswith(b">>> "), 5.0)
        node.execute(BOARD, PATIENCE_S)
        sys.stdout.write("| cards | first ms | bytes | next ms | bytes |\n|---|---|---|---|---|\n")
        for count in COUNTS:
            tags = [Tag(bytes((0xE0, 4, 1, 0, n, 77, n * 3, n * 17 & 255))) for n in range(count)]
            node.board.hardware.over("gate-N", tags)
            first, following = json.loads(node.execute(SCAN, PATIENCE_S))
            if (first[2], following[2]) != (count, count):
                raise EmulatorError(f"{count} cards over the coil, and {first[2]} and {following[2]} were read")
            cells = (f"{took / 1000:.1f} | {held}" for took, held, _ in (first, following))
            sys.stdout.write(f"| {count} | {' | '.join(cells)} |\n")
            sys.stdout.flush()
    except EmulatorError as error:
        sys.stderr.write(f"emulated_scans: {error}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
