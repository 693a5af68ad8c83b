"""``python -m lab.link``: the claims of docs/measured/link.md about the link, measured anew.

Each claim is proven in pieces with seeds of their own; finished pieces are kept in the report file, so that a stopped
run continues where it was. Exit 0: all claims hold; 1: one does not; 2: used wrongly.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Final

from lab.link import real_pty, simulated

PIECE: Final = 20_000
SPOILS: Final = (0.0, 0.0001, 0.001, 0.005)


@dataclass(frozen=True, slots=True)
class Options:
    """Amount of work: readings at each rate of spoiled bytes, garbage frames, resets and re-plugs; the first seed."""

    readings: int
    frames: int
    breaks: int
    seed: int


Piece = tuple[str, Callable[[], dict[str, Any]]]


def once(options: Options) -> Iterator[Piece]:
    """Exactly once and in order, and how late, at each rate of spoiled bytes."""
    for spoil in SPOILS:
        wanted = options.readings if spoil == SPOILS[-1] else min(options.readings, 200_000)
        for number in range(-(-wanted // PIECE)):
            count = min(PIECE, wanted - number * PIECE)
            yield (
                f"once {spoil} {number}",
                lambda spoil=spoil, number=number, count=count: _once(  # type: ignore[misc]
                    spoil, count, options.seed + number
                ),
            )


def _once(spoil: float, count: int, seed: int) -> dict[str, Any]:
    done = simulated.delivered(spoil, count, seed)
    late = sorted(done.late_ms)
    return {
        "sensed": done.sensed,
        "arrived": done.arrived,
        "lost": done.lost,
        "p50_ms": round(late[len(late) // 2], 1),
        "p99_ms": round(late[int(len(late) * 0.99)], 1),
        "max_ms": round(late[-1], 1),
    }


def back(options: Options) -> Iterator[Piece]:
    """Whole again after a reset or a re-plug, with the true state of every sensor of a table."""
    for how in ("reset", "unplug"):
        for spoil in (0.0, 0.001):
            for start in range(0, options.breaks, 50):
                seeds = range(options.seed + start, options.seed + min(start + 50, options.breaks))
                yield (
                    f"back {how} {spoil} {start}",
                    lambda how=how, spoil=spoil, seeds=seeds: _back(  # type: ignore[misc]
                        how, spoil, seeds
                    ),
                )


def _back(how: str, spoil: float, seeds: range) -> dict[str, Any]:
    runs = [simulated.rejoined(how, spoil, seed) for seed in seeds]
    wrong = sum(len(run.wrong) for run in runs)
    return {"runs": len(runs), "slowest_s": round(max(run.seconds for run in runs), 3), "sensors_wrong": wrong}


def garbage(options: Options) -> Iterator[Piece]:
    """Garbage of six kinds at both ends of a live link."""
    for number in range(-(-options.frames // 50_000)):
        count = min(50_000, options.frames - number * 50_000)
        yield f"garbage {number}", lambda number=number, count=count: _fuzzed(count, options.seed + number)  # type: ignore[misc]


def _fuzzed(count: int, seed: int) -> dict[str, Any]:
    done = simulated.fuzzed(count, seed)
    return {
        "frames": done.frames,
        "refused_by_host": done.refused_by_host,
        "refused_by_node": done.refused_by_node,
        "fabricated": done.fabricated,
    }


def overflow(options: Options) -> Iterator[Piece]:
    """More than the line carries: every missing reading was announced, and the state doubted before it showed."""
    for number in range(3):
        yield f"overflow {number}", lambda number=number: _overflow(options.seed + number)  # type: ignore[misc]


def _overflow(seed: int) -> dict[str, Any]:
    done = simulated.overflowed(seed)
    return {"dropped": done.dropped, "told": done.told, "doubted_first": done.doubted_before_the_gap}


def pty(options: Options) -> Iterator[Piece]:
    """Ten thousand readings over a real pseudo-terminal."""
    for spoil in SPOILS:
        yield f"pty {spoil}", lambda spoil=spoil: _pty(spoil, options.seed)  # type: ignore[misc]


def _pty(spoil: float, seed: int) -> dict[str, Any]:
    done = real_pty.over_pty(10_000, spoil, seed)
    return {
        "arrived": done.arrived,
        "in_order": done.in_order,
        "lost": done.lost,
        "broken_frames": done.broken,
        "seconds": round(done.seconds, 2),
    }


def cost(_options: Options) -> Iterator[Piece]:
    """Processor time of the receiving thread at 3 Mbit/s, for short and for longer frames."""
    for uids in (0, 4):
        yield f"cost {uids}", lambda uids=uids: _cost(uids)  # type: ignore[misc]


def _cost(uids: int) -> dict[str, Any]:
    done = real_pty.cost(6.0, uids)
    return {
        "bytes": done.received,
        "bytes_a_frame": round(done.received / done.frames, 1),
        "microseconds_a_frame": round(done.cpu_seconds / done.frames * 1e6, 2),
        "share_of_a_core_at_3_mbit": round(done.share_at_3_mbit, 4),
    }


CLAIMS: Final[dict[str, Callable[[Options], Iterator[Piece]]]] = {
    "once": once,
    "back": back,
    "garbage": garbage,
    "overflow": overflow,
    "pty": pty,
    "cost": cost,
}


@dataclass(frozen=True, slots=True)
class Verdict:
    """One claim: what was measured, in a line, and whether it holds."""

    claim: str
    holds: bool
    said: str


Done = dict[str, dict[str, Any]]
"""The results of the pieces by name; the claim is the name's beginning."""


def verdicts(done: Done) -> list[Verdict]:
    """Return what the pieces that are done say of each claim."""
    return [verdict for judge in _JUDGES for verdict in judge(done)]


def _of(done: Done, prefix: str) -> list[dict[str, Any]]:
    return [result for name, result in done.items() if name.startswith(prefix + " ")]


def _sum(runs: list[dict[str, Any]], figure: str) -> int:
    return sum(run[figure] for run in runs)


def _on_spoiled_lines(done: Done) -> Iterator[Verdict]:
    clean_p99 = max((run["p99_ms"] for run in _of(done, "once 0.0")), default=0.0)
    for spoil in SPOILS:
        runs = _of(done, f"once {spoil}")
        if not runs:
            continue
        sensed, arrived = _sum(runs, "sensed"), _sum(runs, "arrived")
        extra = max(run["p99_ms"] for run in runs) - clean_p99
        whole = arrived == sensed and not _sum(runs, "lost")
        text = f"{arrived} of {sensed} once and in order; p99 {extra:.1f} ms later than on a clean line"
        worst = max(run["max_ms"] for run in runs)
        yield Verdict(
            f"bytes spoiled {spoil:.2%}", whole and (spoil != 0.001 or extra <= 250), f"{text}, worst {worst} ms"
        )


def _back_again(done: Done) -> Iterator[Verdict]:
    for how, spoil in product(("reset", "unplug"), (0.0, 0.001)):
        if runs := _of(done, f"back {how} {spoil}"):
            slowest, wrong = max(run["slowest_s"] for run in runs), _sum(runs, "sensors_wrong")
            text = f"{_sum(runs, 'runs')} runs, slowest {slowest} s, {wrong} sensors wrong"
            yield Verdict(f"back after {how}, {spoil:.2%} spoiled", slowest <= 1.0 and not wrong, text)


def _in_garbage(done: Done) -> Iterator[Verdict]:
    if runs := _of(done, "garbage"):
        frames, made = _sum(runs, "frames"), _sum(runs, "fabricated")
        yield Verdict("garbage", made == 0, f"{frames} blocks at each end, {made} taken for something")


def _in_overflow(done: Done) -> Iterator[Verdict]:
    if runs := _of(done, "overflow"):
        dropped, told = _sum(runs, "dropped"), _sum(runs, "told")
        holds = dropped == told > 0 and all(run["doubted_first"] for run in runs)
        yield Verdict("overflow", holds, f"{dropped} readings dropped, {told} announced, state unverified before")


def _over_a_pty(done: Done) -> Iterator[Verdict]:
    for spoil in SPOILS:
        run = done.get(f"pty {spoil}")
        if run is not None:
            text = f"{run['arrived']} readings in {run['seconds']} s, {run['broken_frames']} frames broken"
            yield Verdict(f"real pty, {spoil:.2%} spoiled", run["arrived"] == 10_000 and run["in_order"], text)


def _at_full_rate(done: Done) -> Iterator[Verdict]:
    for uids in (0, 4):
        run = done.get(f"cost {uids}")
        if run is not None:
            share, size = run["share_of_a_core_at_3_mbit"], run["bytes_a_frame"]
            text = f"{share:.1%} of a core, {run['microseconds_a_frame']} µs a frame of {size} bytes"
            yield Verdict(f"3 Mbit/s, {size:.0f}-byte frames", share <= 0.15, text)


_JUDGES: Final[tuple[Callable[[Done], Iterator[Verdict]], ...]] = (
    _on_spoiled_lines,
    _back_again,
    _in_garbage,
    _in_overflow,
    _over_a_pty,
    _at_full_rate,
)


def main(arguments: list[str] | None = None) -> int:
    """The command."""
    parser = argparse.ArgumentParser(prog="python -m lab.link", description=__doc__)
    parser.add_argument("--readings", type=int, default=1_020_000, help="readings at 0.5 %% of bytes spoiled")
    parser.add_argument("--frames", type=int, default=1_000_000, help="garbage blocks at each end")
    parser.add_argument("--breaks", type=int, default=200, help="resets, and re-plugs, at each rate")
    parser.add_argument("--seed", type=int, default=7_000_000)
    parser.add_argument("--only", help="claims with commas between: " + ", ".join(CLAIMS))
    parser.add_argument("--json", type=Path, default=Path("proof/link.json"), help="the report, and where to go on")
    given = parser.parse_args(arguments)
    if min(given.readings, given.frames, given.breaks) < 1:
        parser.error("a proof of less than one says nothing")
    chosen = given.only.split(",") if given.only else list(CLAIMS)
    for name in chosen:
        if name not in CLAIMS:
            parser.error(f"'{name}' is no claim; claims are {', '.join(CLAIMS)}")
    options = Options(given.readings, given.frames, given.breaks, given.seed)
    settings = {"readings": given.readings, "frames": given.frames, "breaks": given.breaks, "seed": given.seed}
    done = _begun(given.json, settings)
    for name in chosen:
        for piece, measure in CLAIMS[name](options):
            if piece not in done:
                try:
                    done[piece] = measure()
                except AssertionError as error:
                    sys.stdout.write(f"FAILED {piece}: {error}\n")
                    return 1
                _keep(given.json, settings, done)
    found = verdicts(done)
    for verdict in found:
        sys.stdout.write(f"{'holds' if verdict.holds else 'FAILS'}  {verdict.claim}: {verdict.said}\n")
    return 0 if all(verdict.holds for verdict in found) else 1


def _begun(path: Path, settings: dict[str, int]) -> dict[str, dict[str, Any]]:
    """The pieces that an earlier run with the same settings has done."""
    try:
        report = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    done: dict[str, dict[str, Any]] = report.get("done", {}) if report.get("settings") == settings else {}
    return done


def _keep(path: Path, settings: dict[str, int], done: dict[str, dict[str, Any]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(json.dumps({"settings": settings, "done": done}, indent=1) + "\n", encoding="utf-8")
    fresh.replace(path)


if __name__ == "__main__":
    sys.exit(main())
