"""Times of the firmware's scan of one coil on the simulated PN5180: ``python -m lab.link.scan_times``.

Simulated milliseconds. What an interpreter adds is not known before a Pico has run it; ``--transfer-us`` charges so
many microseconds for the code around every SPI transfer and so shows how much that matters.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lab.chips.iso15693_sim import Tag
from lab.chips.pn5180_sim import PN5180Sim, SimBus, SimClock
from lab.link.node_firmware import firmware

SEEDS: Final = 40
HIGHEST_MS: Final = 300.0
"""No scan may last longer; the link to the host falls silent after 1500, the watchdog bites after 4000."""


class SlowBus(SimBus):
    """The bus, and the time that the code around a transfer takes."""

    def __init__(self, chip: PN5180Sim, transfer_us: int) -> None:
        """``transfer_us``: that time."""
        super().__init__([chip])
        self.clock = chip.clock
        self.transfer_us = transfer_us

    def write(self, data: bytes) -> None:
        """Send one transfer to the chip."""
        self.clock.now += self.transfer_us
        super().write(data)

    def readinto(self, buffer: bytearray, fill: int = 0xFF) -> None:
        """Fetch one transfer from the chip."""
        self.clock.now += self.transfer_us
        super().readinto(buffer, fill)


class Bench:
    """One simulated reader with one coil, driven by the firmware."""

    def __init__(self, tags: Sequence[Tag], transfer_us: int = 0, rng: random.Random | None = None) -> None:
        """``tags``: those over the coil. ``rng``: for what is left to chance."""
        self.clock = SimClock()
        self.chip = PN5180Sim(self.clock, None if rng is None else rng.random)
        self.chip.field.tags = list(tags)
        bus = SlowBus(self.chip, transfer_us)
        reader = firmware("pn5180").PN5180(bus, self.chip.cs, self.chip.busy, self.chip.reset, self.clock)
        self.antennas = firmware("antenna").Antennas([reader], ("coil",), ())
        reader.start()
        self.antennas.stations[0].version = True

    def scan(self) -> tuple[Any, float]:
        """Scan once: (UIDs or None, milliseconds)."""
        began = self.clock.now
        found = self.antennas.scan("coil")
        return found, (self.clock.now - began) / 1000


def random_tags(rng: random.Random, count: int) -> list[Tag]:
    """Make ``count`` tags with random serial numbers of ICODE SLIX2."""
    return [Tag(b"\xe0\x04\x01" + rng.randbytes(5)) for _ in range(count)]


def _break(**faults: object) -> Callable[[Bench], None]:
    def apply(bench: Bench) -> None:
        for name, value in faults.items():
            setattr(bench.chip, name, value)

    return apply


FAULTS: Final[dict[str, Callable[[Bench], None]]] = {
    "a collision in every slot": _break(jam="collision"),
    "a wrong checksum in every slot": _break(jam="integrity"),
    "an answer without end in every slot": _break(jam="endless"),
    "sending refused (state 5)": _break(refusals=-1),
    "nothing leaves": _break(deaf=True),
    "BUSY stays high": _break(broken="stuck"),
    "BUSY never rises": _break(broken="mute"),
    "FF on MISO": _break(miso=lambda _value: 0xFF),
    "too hot": lambda bench: bench.chip.overheat(),
    "silent reset": lambda bench: bench.chip.forget(),
}


@dataclass(frozen=True, slots=True)
class Row:
    """Times of one case over all seeds, in milliseconds."""

    case: str
    times: tuple[float, ...]

    def __str__(self) -> str:
        mean = sum(self.times) / len(self.times)
        return f"| {self.case} | {min(self.times):.1f} | {mean:.1f} | {max(self.times):.1f} |"


def measure(transfer_us: int = 0, seeds: int = SEEDS) -> list[Row]:
    """Times of every case. Each fault strikes a reader that has scanned before, with one card over the coil."""
    rows = []
    for name, count, times in (("nobody", 0, 1), ("one card", 1, 1), ("two cards", 2, 1), ("four", 4, 1)):
        rows.append(_row(f"{name}, the first time", count, times, transfer_us, seeds))
        if count:
            rows.append(_row(f"{name}, still there", count, times + 1, transfer_us, seeds))
    rows += [_row(f"{count}, still there", count, 2, transfer_us, seeds) for count in (11, 13)]
    for case, fault in FAULTS.items():
        taken = []
        for seed in range(seeds):
            bench = Bench(random_tags(random.Random(seed), 1), transfer_us)  # noqa: S311
            bench.scan()
            fault(bench)
            taken.append(bench.scan()[1])
        rows.append(Row(case, tuple(taken)))
    return rows


def _row(case: str, count: int, scans: int, transfer_us: int, seeds: int) -> Row:
    taken = []
    for seed in range(seeds):
        bench = Bench(random_tags(random.Random(1000 * count + seed), count), transfer_us)  # noqa: S311
        for _ in range(scans):
            _, ms = bench.scan()
        taken.append(ms)
    return Row(case, tuple(taken))


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the times; exit 1 if a scan lasted longer than it may."""
    parser = argparse.ArgumentParser(prog="python -m lab.link.scan_times", description=__doc__)
    parser.add_argument("--transfer-us", type=int, default=0, help="microseconds of code around every SPI transfer")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    given = parser.parse_args(arguments)
    rows = measure(given.transfer_us, given.seeds)
    sys.stdout.write("| over the coil | least ms | mean | most |\n|---|---|---|---|\n")
    sys.stdout.write("\n".join(map(str, rows)) + "\n")
    return 1 if max(max(row.times) for row in rows) > HIGHEST_MS else 0


if __name__ == "__main__":
    sys.exit(main())
