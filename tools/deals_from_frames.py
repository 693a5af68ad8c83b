"""``python tools/deals_from_frames.py fibur2024 --seed 36``: whole deals read from drawn frames, against the truth.

The twin plays and draws in a process of its own; this one is the camera's chain of a table with a camera alone: reader
with arms, then the fold. Its processor time and its highest memory are therefore what such a table needs, the fold
included; what it takes to hand frames over is left out. ``--log DIR`` keeps each deal's
log and truth; ``--again DIR`` folds such logs anew and reads no frame. People call for the count by a word, as no
button stands there; no ruling waits for a person. Its cost counts for a table with ``OPENBLAS_NUM_THREADS=1`` alone,
as the table's service sets it: threads that wait for each other take a second core.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import random
import resource
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hw.observation_log import Header, LogWriter, read_log
from hw.observations import Console, Observation, Said
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.gestures import ConsoleGesture, Gesture, Press, Say
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.noise import load_noise
from hw.twin.scene import Scene
from hw.twin.stage import Entered
from hw.twin.timed_events import Performed
from lab.vision.measure.bidding import FACES, photograph
from table_service.camera.camera_loop import DealCourse
from table_service.camera.table_camera import Eye, sightings_of
from table_service.commands.demo.demo_run import WEBCAM_PX
from table_service.commands.demo.drawn_pack import drawn_pack
from table_service.commands.demo.play_round import HANDS_S, PICTURES
from table_service.events import Event, event_to_json
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.proof_report import shares_of, told_in_all
from table_service.rehearsal.rehearse import Rehearsal, prepare, truth_path
from table_service.rehearsal.truth import Truth, read_truth, write_truth
from table_service.rehearsal.truth_check import TruthReport, compare
from table_service.rulesets import open_fold, rule_set
from vision.enrolment import enrolled_faces
from vision.packs import PackFaces
from vision.surface import TRAY

QUEUED: Final = 4
"""Most frames that are drawn ahead of the reader."""
BOX_SEED: Final = 1
BOX_PX: Final = 3000
"""The photograph from which a bidding box is enrolled, and its side in pixels."""


@dataclass(frozen=True)
class Asked:
    """One deal; ``px``: side of the square of a picture that shows the table."""

    rules: str
    seed: int
    faults: tuple[str, ...] = ()
    px: int = WEBCAM_PX

    def rehearsal(self) -> Rehearsal:
        """Return the deal, ready to be performed."""
        game = rehearsal_of(self.rules)
        habits = game.shown_habits or game.habits[0]
        return prepare(self.rules, self.seed, 1, self.faults, "normal", habits=habits, step=1)


@dataclass
class Found:
    """The outcome of one deal."""

    header: Header
    truth: Truth
    observations: list[Observation]
    events: list[Event]
    cost: dict[str, float] = field(default_factory=dict)

    def report(self) -> TruthReport:
        """Compare with the truth."""
        told = [event_to_json(event, secret=True) for event in self.events]
        return compare(self.truth, told, observations=self.observations)


class _AtOnce(ScaledClock):
    """The table's clock where nobody waits: it is always as late as what is due."""

    async def wait(self, t: float) -> bool:
        self._base = max(self._base, t)
        return True

    def now(self) -> float:
        return self._base


def _gestures(rehearsal: Rehearsal) -> Iterator[Gesture]:
    for one in rehearsal.script.gestures():
        yield Say(one.seat, "count") if isinstance(one, Press) and one.button == "count" else one


def play(asked: Asked, out: Any) -> None:
    """Play and draw the deal into the queue ``out``: frames with their times, what is entered, at last the truth."""
    rehearsal, game = asked.rehearsal(), rehearsal_of(asked.rules)
    camera = Camera(
        game.table.layout, seed=asked.seed, width=asked.px, height=asked.px,
        artwork=artwork_of(rule_set(asked.rules).drawing), equipment=game.table.equipment,
    )  # fmt: skip
    out.put((0.0, camera.render(Scene(0.0, ()))))
    pictures, settled = PICTURES[game.frames]
    chance = random.Random(f"{asked.seed}/live")  # noqa: S311 - a simulation
    player = LivePlayer(
        rehearsal.tags or rehearsal.header.tags, load_noise("normal"), chance, _AtOnce(), game.table,
        pictures=pictures, settled_s=settled, paces=rehearsal.script.paces, hands_s=HANDS_S,
    )  # fmt: skip

    async def all_of_it() -> None:
        async for one in player.play(_gestures(rehearsal)):
            match one:
                case Snapshot():
                    out.put((one.scene.t, camera.render(one.scene)))
                case Entered(t=t, what=Say() as said):
                    out.put(Said(round(t, 6), said.seat, said.what))
                case Entered(t=t, what=ConsoleGesture() as act):
                    out.put(Console(round(t, 6), act.by, act.do, dict(act.fields)))
                case Performed():
                    rehearsal.performed.append(one)

    asyncio.run(all_of_it())
    rehearsal.until = player.t
    out.put(rehearsal.truth())


def enrolled(asked: Asked) -> tuple[PackFaces | None, PackFaces | None]:
    """Return the pack and the bidding box that a table of these rules has had enrolled, where it needs them."""
    played, game = rule_set(asked.rules), rehearsal_of(asked.rules)
    pack = box = None
    if game.frames == "whole faces" and played.drawing is not None:
        pack = drawn_pack(played.pack, played.drawing)
    if TRAY in game.table.layout.zones:  # as by ``tavolo enrol``, from one photograph
        box = enrolled_faces("box", photograph(artwork_of(played.drawing), BOX_SEED, BOX_PX), list(FACES))
    return pack, box


def read(asked: Asked) -> Found:
    """Read the deal from its frames."""
    header, game = asked.rehearsal().header, rehearsal_of(asked.rules)
    layout, equipment = game.table.layout, game.table.equipment
    context = multiprocessing.get_context("spawn")
    queue = context.Queue(QUEUED)
    twin = context.Process(target=play, args=(asked, queue), daemon=True)
    # in a process of its own: to enrol takes more memory than to read
    with ProcessPoolExecutor(1, context) as pool:
        pack, box = pool.submit(enrolled, asked).result()
    watch = sightings_of(layout, equipment, header.keepers, pack, box)
    eye = Eye(layout, header.keepers, "boot", watch, sees_hands=True)
    fold, course = open_fold(header, "boot"), DealCourse()
    found = Found(header, Truth(asked.rules, asked.seed, "normal", 0.0, ()), [], [])
    twin.start()

    def feed(observation: Observation) -> None:
        found.observations.append(observation)
        for event in fold.feed(observation):
            found.events.append(event)
            course.heard(event)

    eye.calibrate(queue.get()[1])
    frames, reading, chain = 0, 0.0, 0.0
    one: Any
    while not isinstance(one := queue.get(), Truth):
        began = time.process_time()
        if not isinstance(one, tuple):
            feed(one)
            chain += time.process_time() - began
            continue
        course.apply_pending(eye)
        sight = eye.look(one[1], one[0])
        eye.picture(one[1], one[0])
        reading += time.process_time() - began
        frames += 1
        for observation in (*eye.reaches(), *([] if sight is None else [sight])):
            feed(observation)
        chain += time.process_time() - began
    found.truth = one
    found.events += fold.close()
    found.cost = {
        "frames": frames, "table_s": one.until_t, "reading_s": reading, "chain_s": chain,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }  # fmt: skip
    twin.join()
    return found


def folded(log: Path) -> Found:
    """Fold the log of a deal anew."""
    header, observations = read_log(log)
    lines = list(observations)
    fold = open_fold(header, "boot")
    events = [event for one in lines for event in fold.feed(one)] + list(fold.close())
    return Found(header, read_truth(truth_path(log)), lines, events)


def lines_of(name: str, report: TruthReport, cost: dict[str, float]) -> Iterator[str]:
    """Yield the lines of the outcome, for people."""
    yield f"{name}: {shares_of(report.told)}"
    marked = f"{report.score_right} right, {report.score_doubtful} marked, {len(report.score_wrong)} wrong"
    yield f"  end {'; '.join(report.ends_wrong) or 'right'}; items {marked} of {report.score_items}"
    for kind, lines in (("wrong item", report.score_wrong), ("action", report.wrong)):
        yield from (f"  {kind}: {line}" for line in lines)
    yield from (f"  false: {alarm}" for alarm in report.false)
    yield from (f"  fault: {fault}" for fault in report.faults)
    if cost:
        share = cost["chain_s"] / (cost["frames"] / 10)
        yield (
            f"  {cost['frames']:.0f} frames of {cost['table_s']:.0f} s: {cost['reading_s']:.1f} s reading,"
            f" {cost['chain_s']:.1f} s with the fold, {share:.2f} of a core at 10 frames a second;"
            f" at most {cost['peak_mb']:.0f} MB"
        )


def main(arguments: Iterable[str] | None = None) -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rules", nargs="?", default="fibur2024")
    parser.add_argument("--seed", type=int, nargs="+", default=[36])
    parser.add_argument("--faults", default="")
    parser.add_argument("--px", type=int, default=WEBCAM_PX)
    parser.add_argument("--log", type=Path)
    parser.add_argument("--again", type=Path)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args(None if arguments is None else list(arguments))
    rows = tuple(filter(None, args.faults.split(",")))
    told: list[dict[str, Any]] = []

    def deals() -> Iterator[tuple[str, Found]]:
        if args.again is not None:
            for log in sorted(args.again.glob("*.jsonl")):
                yield log.stem, folded(log)
            return
        for seed in args.seed:
            yield f"{args.rules}-{seed}", read(Asked(args.rules, seed, rows, args.px))

    for name, found in deals():
        if args.log is not None and args.again is None:
            args.log.mkdir(parents=True, exist_ok=True)
            with LogWriter(args.log / f"{name}.jsonl", found.header) as writer:
                writer.write_all(found.observations)
            write_truth(truth_path(args.log / f"{name}.jsonl"), found.truth)
        report = found.report()
        print("\n".join(lines_of(name, report, found.cost)), flush=True)
        told.append({"deal": name, "report": report.to_json(), "cost": found.cost})
    print(f"all: {shares_of(told_in_all(one['report']['told'] for one in told))}")
    if args.json is not None:
        args.json.write_text(json.dumps(told, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
