"""``make bench``: how fast the rules and the replay are on one core, beside two engines that everybody knows.

Everything is measured in one run, several times over, by wall clock and by the process's own CPU time: where other
programs share the core only the second tells what the code costs. A fixed loop of plain Python, timed between the
measurements, tells how fast the core itself was meanwhile, so that runs can be compared. All input is seeded.
"""

from __future__ import annotations

import argparse
import cProfile
import gc
import json
import platform
import pstats
import random
import statistics
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

import instructions
import older_tree
from bench_bridge import call_boards, check_record, play_boards, played_board, record_of
from bench_engines import (
    Loaded,
    actions_of,
    chess_game,
    count_tarocco,
    play,
    play_chess,
    play_poker,
    play_tarocco,
    poker_hand,
    tarocco_deal,
    track,
)

from hw.observation_log import LogWriter, read_log
from table_service.events import dumps
from table_service.games.burraco.fold import TableFold
from table_service.rehearsal.rehearse import rehearse

TARGETS: Final = {
    "engine": ("Tavolo, verify and apply", 20_000.0),
    "replay": ("Tavolo, replay from file to events", 5_000.0),
    "tarocco's engine": ("tarocco, verify and play", 20_000.0),
    "tarocco's count": ("tarocco, count", 1_000.0),
    "bridge's auction": ("bridge, judge and call", 50_000.0),
    "bridge's engine": ("bridge, judge and play", 50_000.0),
    "bridge's records": ("bridge, check of records", 2_000.0),
}
"""By which line, and how many a second on one core: actions of the pure engine and observations of the replay
(issue 3), cards played and piles counted of tarocco (issue 17), calls, cards and boards of bridge (issue 18)."""
FEATURES: Final = {
    "avx2": "AVX2", "avx512f": "AVX-512", "avx512_vnni": "VNNI", "avx_vnni": "AVX-VNNI", "amx_int8": "AMX",
    "asimd": "NEON", "asimddp": "dot products", "i8mm": "matrices of 8 bits",
}  # fmt: skip
"""What decides how fast the networks are in 8 bits, by the kernel's word."""
BUILDS: Final = {"--enable-optimizations": "PGO", "--with-lto": "LTO"}
_SEED: Final = 2024


@dataclass(frozen=True, slots=True)
class Measured:
    """One line of the table: ``count`` things of the kind ``unit`` done in each of the timed passes.

    Rates are per second. ``cpu``: median over the passes by process CPU time, ``low`` and ``high`` its extremes;
    ``wall``: median by wall clock. ``loops``: the core's pace meanwhile in calibration loops per CPU second.
    """

    name: str
    unit: str
    count: int
    cpu: float
    low: float
    high: float
    wall: float
    loops: float

    @property
    def spread(self) -> float:
        """Half the distance of the extremes as a part of the median."""
        return (self.high - self.low) / 2 / self.cpu


def calibration() -> int:
    """Run a fixed piece of plain Python: small dictionaries, tuples, calls and integers, as the rules use them."""
    total = 0
    for n in range(4_000):
        held = {"a": n, "b": n + 1}
        pair = (*held.values(), n & 7)
        total += len(pair) + held["b"] % 5
    return total


def _loops(passes: int = 15) -> float:
    times = []
    for _ in range(passes):
        start = time.process_time()
        calibration()
        times.append(time.process_time() - start)
    return 1.0 / statistics.median(times)


def measure(name: str, unit: str, once: Callable[[], int], passes: int) -> Measured:
    """Time ``once``, which returns how many things it did, ``passes`` times after one pass that does not count."""
    count = once()
    before = _loops()
    cpu, wall = [], []
    for _ in range(passes):
        gc.collect()
        wall_start, cpu_start = time.perf_counter(), time.process_time()
        count = once()
        cpu.append(count / (time.process_time() - cpu_start))
        wall.append(count / (time.perf_counter() - wall_start))
    pace = (before + _loops()) / 2
    return Measured(name, unit, count, statistics.median(cpu), min(cpu), max(cpu), statistics.median(wall), pace)


# -- replay ------------------------------------------------------------------------------------------------------------


def replay(logs: Sequence[Path]) -> int:
    """Replay ``logs`` from the file to the lines of their events, which are not stored. How many observations."""
    count = 0
    for path in logs:
        header, observations = read_log(path)
        table = TableFold(header)
        size = 0
        for observation in observations:
            count += 1
            for event in table.feed(observation):
                size += len(dumps(event))
        for event in table.close():
            size += len(dumps(event))
    return count


def read(logs: Sequence[Path]) -> int:
    """Only read ``logs``: JSON lines to observations. How many."""
    return sum(1 for path in logs for _ in read_log(path)[1])


def feed(loaded: Loaded) -> int:
    """Run the whole fold over observations already read: ``TableFold.feed``. Return how many observations."""
    for header, observations in loaded:
        table = TableFold(header)
        for observation in observations:
            table.feed(observation)
        table.close()
    return sum(len(observations) for _, observations in loaded)


def write(loaded: Loaded, folder: Path) -> int:
    """Write observations as a running table's own log does, without waiting for the disk. How many."""
    for header, observations in loaded:
        with LogWriter(folder / "own.jsonl", header) as log:
            for observation in observations:
                log.write(observation)
    return sum(len(observations) for _, observations in loaded)


def make_logs(folder: Path, seeds: Sequence[int]) -> list[Path]:
    """Rehearsed clean deals, one a log, with the assumed noise of the sensors."""
    logs = [folder / f"clean-{seed}.jsonl" for seed in seeds]
    for seed, path in zip(seeds, logs, strict=True):
        rehearse("fibur2024", seed, path)
    return logs


# -- the command -------------------------------------------------------------------------------------------------------


def run(passes: int, deals: int, folder: Path) -> list[Measured]:
    """All measurements, the neighbours between ours so that a busy minute hits everybody alike."""
    rng = random.Random(_SEED)  # noqa: S311 - a fixed workload
    played = [actions_of(seed) for seed in range(1, deals + 1)]
    hands = [poker_hand(rng) for _ in range(10 * deals)]
    games = [chess_game(rng) for _ in range(5 * deals)]
    tarocco = [tarocco_deal(rng) for _ in range(5 * deals)]
    boards = [played_board(rng) for _ in range(20 * deals)]
    record = record_of(boards)
    logs = make_logs(folder, range(1, deals + 1))
    loaded = [(header, list(observations)) for header, observations in map(read_log, logs)]
    return [
        measure("Tavolo, verify and apply", "actions", lambda: play(played, cold=True), passes),
        measure("  melds read before", "actions", lambda: play(played, cold=False), passes),
        measure("pokerkit, State, verified", "actions", lambda: play_poker(hands), passes),
        measure("chess, push alone", "moves", lambda: play_chess(games, "none"), passes),
        measure("chess, is_legal and push", "moves", lambda: play_chess(games, "move"), passes),
        measure("chess, all legal moves and push", "moves", lambda: play_chess(games, "all"), passes),
        measure("Tavolo, replay from file to events", "observations", lambda: replay(logs), passes),
        measure("  reading the log alone", "observations", lambda: read(logs), passes),
        measure("  tracking alone", "observations", lambda: track(loaded), passes),
        measure("  the whole fold without files", "observations", lambda: feed(loaded), passes),
        measure("  writing the log alone", "observations", lambda: write(loaded, folder), passes),
        measure("tarocco, verify and play", "cards", lambda: play_tarocco(tarocco), passes),
        measure("tarocco, count", "piles", lambda: count_tarocco(tarocco), passes),
        measure("bridge, judge and call", "calls", lambda: call_boards(boards), passes),
        measure("bridge, judge and play", "cards", lambda: play_boards(boards), passes),
        measure("bridge, check of records", "boards", lambda: check_record(record), passes),
    ]


def table(lines: Sequence[Measured]) -> str:
    """Return the measurements as a Markdown table."""
    rows = [
        "| what | counted | a pass | per CPU second | spread | per wall second | the core's pace |",
        "|---|---|--:|--:|--:|--:|--:|",
    ]
    rows += [
        f"| {one.name.replace('  ', '… ')} | {one.unit} | {one.count} "
        f"| {one.cpu:,.0f} | ±{one.spread:.0%} | {one.wall:,.0f} | {one.loops:,.0f} |"
        for one in lines
    ]
    rows += ["", *machine(), "The core's pace: calibration loops a CPU second meanwhile."]
    return "\n".join(rows)


def machine() -> list[str]:
    """Sentences on what the figures depend on besides the code: the processor, and how its Python was built."""
    told = Path("/proc/cpuinfo").read_text(encoding="utf-8") if sys.platform == "linux" else ""
    facts = dict[str, str]()
    for line in told.splitlines():
        name, _, value = line.partition(":")
        facts.setdefault(name.strip(), value.strip())
    flags = facts.get("flags", facts.get("Features", "")).split()
    there = ", ".join(word for flag, word in FEATURES.items() if flag in flags) or "none of those that matter here"
    built = " ".join(str(sysconfig.get_config_var(name) or "") for name in ("CONFIG_ARGS", "PY_CORE_CFLAGS"))
    ways = [word for flag, word in BUILDS.items() if flag in built]
    return [
        f"Processor: {facts.get('model name', platform.machine())}; {there}.",
        f"Python {platform.python_version()}, built with {' and '.join(ways) or 'neither PGO nor LTO'}.",
    ]


def verdict(lines: Sequence[Measured]) -> int:
    """Say whether the targets are met by CPU time; 1 where one is not."""
    found = {one.name: one for one in lines}
    missed = 0
    for name, (line, target) in TARGETS.items():
        one, met = found[line], found[line].cpu >= target
        missed += not met
        print(f"{name}: {one.cpu:,.0f} {one.unit} a second, {'at least' if met else 'below'} {target:,.0f}")
    return 1 if missed else 0


def profile(folder: Path, deals: int) -> None:
    """Print where a replay's time goes."""
    logs = make_logs(folder, range(1, deals + 1))
    replay(logs[:1])
    watch = cProfile.Profile()
    watch.enable()
    replay(logs)
    watch.disable()
    stats = pstats.Stats(watch, stream=sys.stdout).strip_dirs()
    stats.sort_stats("tottime").print_stats(45)
    stats.sort_stats("cumtime").print_stats(45)


def count_instructions(folder: Path, deals: int, revision: str | None) -> int:
    """Print the instructions that each part costs, beside those of ``revision``; 1 where one costs too much more."""
    logs = make_logs(folder, range(1, deals + 1))
    try:
        tree = None if revision is None else older_tree.checked_out(revision)
        older = [] if tree is None else instructions.count(tree, logs, instructions.parts_of(tree))
        now = instructions.count(instructions.ROOT, logs)
    except (instructions.InstructionsError, older_tree.TreeError) as error:
        print(error, file=sys.stderr)
        return 2
    print(instructions.page(now, older, revision or ""))
    missed = instructions.worse(now, older)
    for part in missed:
        print(f"{instructions.PARTS[part][0]}: more than {instructions.ALLOWED:.0%} above {revision}")
    return 1 if missed else 0


def main() -> int:
    """Measure, print, and exit 1 where a target is missed, 2 where it was asked wrongly."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path, metavar="OUT", help="write the figures to OUT too")
    parser.add_argument("--passes", type=int, default=7, help="timed passes of each measurement (7)")
    parser.add_argument("--deals", type=int, default=10, help="rehearsed deals in a pass (10)")
    parser.add_argument("--profile", action="store_true", help="only say where a replay's time goes")
    parser.add_argument("--instructions", action="store_true", help="only count instructions, under valgrind")
    parser.add_argument("--tree", metavar="REV", help="with --instructions: beside those of this commit")
    given = parser.parse_args()
    if given.passes < 1 or given.deals < 1:
        parser.error("--passes and --deals must be at least 1")
    with tempfile.TemporaryDirectory() as name:
        if given.profile:
            profile(Path(name), given.deals)
            return 0
        if given.instructions or given.tree:
            return count_instructions(Path(name), given.deals, given.tree)
        lines = run(given.passes, given.deals, Path(name))
    print(table(lines))
    print()
    if given.json is not None:
        figures = {"python": platform.python_version(), "targets": TARGETS, "measured": [asdict(one) for one in lines]}
        given.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return verdict(lines)


if __name__ == "__main__":
    sys.exit(main())
