"""The node's heap on a real MicroPython in an emulated RP2040: ``python -m lab.link.heap``.

``--docs`` writes the table into docs/firmware.md. Bytes in use after a garbage collection, at five points; the queue is
full of readings of the kind that the board sends most, with times beyond small integers (2^30 µs, 17.9 minutes).
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from lab.chips.emulated_pico import EmulatorError, find_image
from lab.link.emulated_node import EmulatedNode, provisioned

DOCS: Final = Path(__file__).parents[2] / "docs" / "firmware.md"
BEGIN: Final = "<!-- heap: python -m lab.link.heap --docs -->"
END: Final = "<!-- /heap -->"
STAYING: Final = {"stay": b"once"}
"""File that leaves a node at its prompt after its next start."""
POINTS: Final = ("prompt", "modules", "board", "queue", "snapshot")
SCRIPT: Final = """
import gc, json
def used():
    gc.collect()
    return gc.mem_alloc()
marks = [used()]
import board_rp2, program
marks.append(used())
board, hardware = program.make(board_rp2.Rp2)
marks.append(used())
link = board.node.link
link.is_open = True
kind = ("scale", (0, 500000, 1)) if board.cells else ("tags", (0, (b"12345678",)))
while len(link.queue) < link.capacity:
    link.send(kind[0], tuple(kind[1]), (1 << 30) + len(link.queue))
marks.append(used())
link.queue.clear()
board.node.introduce()
link.fill(0)
marks.append(used())
print(json.dumps((marks, gc.mem_alloc() + gc.mem_free())))
"""


@dataclass(frozen=True, slots=True)
class Heap:
    """Bytes in use at POINTS on one board, and the whole heap's size."""

    board: str
    used: tuple[int, ...]
    size: int

    @property
    def free_at_worst(self) -> int:
        """Bytes free at the fullest point."""
        return self.size - max(self.used)


def measure(node: EmulatedNode, board: str) -> Heap:
    """Take the figures on a node at its prompt. Raises EmulatorError if its memory does not suffice."""
    used, size = json.loads(node.execute(SCRIPT, 20.0))
    return Heap(board, tuple(used), size)


def boot_and_measure(image: Path, board: str) -> Heap:
    """The figures of a node that has just got power."""
    node = EmulatedNode(image, board, provisioned(board) | STAYING)
    node.host = False
    node.until(lambda: node.text.endswith(b">>> "), 5.0)
    return measure(node, board)


def table(heaps: list[Heap]) -> str:
    """The figures as a Markdown table, in bytes."""
    lines = [
        "| board | heap | used at prompt | modules loaded | board made | 512 readings queued | snapshot sent | free |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for heap in heaps:
        cells = [
            heap.board,
            *(f"{number:,}".replace(",", " ") for number in (heap.size, *heap.used, heap.free_at_worst)),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def main(arguments: list[str] | None = None) -> int:
    """The command: 0 measured, 1 it cannot be, 2 used wrongly."""
    parser = argparse.ArgumentParser(prog="python -m lab.link.heap", description="The node's heap.")
    parser.add_argument("--docs", action="store_true", help="write the table into docs/firmware.md")
    parser.add_argument("--json", action="store_true", help="answer in JSON, for programs")
    given = parser.parse_args(arguments)
    image = find_image()
    if image is None:
        sys.stderr.write("heap: no MicroPython image: name one with TAVOLO_UF2\n")
        return 1
    try:
        heaps = [boot_and_measure(image, board) for board in ("gates", "seats", "places")]
    except EmulatorError as error:
        sys.stderr.write(f"heap: {error}\n")
        return 1
    if given.json:
        points = [{"board": h.board, "size": h.size, "used": dict(zip(POINTS, h.used, strict=True))} for h in heaps]
        sys.stdout.write(json.dumps(points) + "\n")
    else:
        sys.stdout.write(table(heaps) + "\n")
    if given.docs:
        text = DOCS.read_text(encoding="utf-8")
        before, _, rest = text.partition(BEGIN)
        _, _, after = rest.partition(END)
        DOCS.write_text(f"{before}{BEGIN}\n{table(heaps)}\n{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
