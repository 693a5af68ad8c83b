"""``python -m lab.vision.train``: draw pictures, train finder and reader, export them, write a report.

One command makes both networks from nothing: decks, pictures for the finder, the finder, which then learns on from the
same and from other pictures; then pictures in which the finder looks for indices, whose patches (right findings, wrong
findings, and the true indices) teach the reader, in one course over the pictures of three parts
(``train.later_stages``). With ``--longer`` it learns in four stages instead, of which the last two continue from
the second with more and other jokers, and the mean of three is kept: it reads small indices better. Everything follows
from ``--seed`` and the number of threads as long as the steps fit into the processor time allowed; if they do not,
the rest of that network's training is shortened, and the report says how many steps were done. An interrupted training
continues from its last lot or checkpoint when started again with the same ``--work`` folder.
"""
# mypy: disable-error-code="import-not-found,no-untyped-call,import-untyped,misc"

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch

from lab.vision.train import artwork, clutter, kde, random_decks
from lab.vision.train import samples as data
from lab.vision.train.decks import Deck, Image, own_decks
from lab.vision.train.fonts import font_files
from lab.vision.train.later_stages import LEANS, LONGER, joker_decks, second_decks
from lab.vision.train.learn import Progress, blend, check_reader, export, train_finder, train_reader
from lab.vision.train.learning_schedule import Budget, Course
from lab.vision.train.report import draw_report
from vision.finder import WEIGHTS, Finder

LOT: Final = 100
"""Pictures drawn at a time: the unit that is kept when a training is broken off."""
EARLY: Final = 2000
"""Steps after which the finder is good enough to show what the reader will be asked to read; then it learns on."""


@dataclass(frozen=True)
class Part:
    """One of the parts of the training: what is drawn for it, and how the finder learns from it."""

    number: int
    scenes: int
    """Pictures whose indices become the reader's patches."""
    pictures: int = 0
    """For the finder; 0: it has no such part."""
    steps: int = 0
    """Steps of the finder."""
    rate: float = 0.0

    def name(self, network: str) -> str:
        """Return how files of this part are called."""
        return network + ("", "-second", "-third", "-fourth")[self.number - 1]

    @property
    def stream(self) -> int:
        """Source of its random numbers: the third part begins with the packs of the fourth."""
        return min(self.number, 3)


class Art:
    """The decks of the training pictures, those held out, and clutter; made when first asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._made: dict[int, tuple[list[Deck], list[Image]]] = {}

    def train(self, part: int) -> tuple[list[Deck], list[Image]]:
        """Decks and clutter sheets of one part's training pictures."""
        if part not in self._made:
            o, own = self._options, own_decks()
            fonts = font_files(o.work)
            match part:
                case 1:
                    decks = own + random_decks.random_decks(o.random_decks, o.seed, fonts)
                case 2:
                    decks = own + second_decks(o.random_decks, o.seed, o.work)
                case 3:
                    decks = joker_decks(o.third_decks, o.seed, o.work)
                case _:
                    decks = joker_decks(o.fourth_decks, o.seed, o.work)
            if part <= 2:
                decks += artwork.sheet_decks(artwork.TRAIN_SHEETS, o.work)
                decks += artwork.npm_decks(artwork.NPM_TRAIN, o.work, own[0].backs[0])
                decks += kde.kde_decks(o.work, own[0].backs[0])
            # in the fourth part nothing lies about
            self._made[part] = decks, clutter.sheets(90, o.seed + part - 1, fonts) if part <= 3 else []
        return self._made[part]

    def held_out(self) -> tuple[list[Deck], list[Image]]:
        """Decks of whole designs, and clutter, that no training picture shows."""
        o = self._options
        decks = artwork.sheet_decks(artwork.HELD_OUT_SHEETS, o.work)
        decks += artwork.npm_decks(artwork.NPM_HELD_OUT, o.work, own_decks()[0].backs[0])
        return decks, clutter.sheets(12, o.seed + 7, font_files(o.work))


@dataclass(frozen=True)
class Job:
    """One lot of pictures to draw: ``count`` from ``seed`` to ``path``, patches as the finder ``weights`` sees them."""

    network: str
    part: int
    path: Path
    seed: list[int]
    count: int
    weights: Path


def _draw_lot(job: Job, decks: list[Deck], about: list[Image]) -> float:
    """Draw one lot and keep it; answers the processor time that took."""
    cv2.setNumThreads(1)
    begun = time.process_time()
    lean = LEANS[job.part]
    if job.network == "finder":
        data.save(data.draw_pictures(decks, about, job.seed, job.count, lean), job.path)
    else:
        data.save(data.draw_patches(decks, about, job.seed, job.count, Finder(job.weights), lean), job.path)
    return time.process_time() - begun


def _drawn(network: str, part: Part, art: Art, options: argparse.Namespace) -> tuple[list[Path], float]:
    """Files of one network's samples, drawn by two processes; what that took in seconds of processor time."""
    count = part.pictures if network == "finder" else part.scenes
    folder = options.work / f"{network}-{options.seed}-{count}"
    if part.number > 1:
        folder = folder.with_name(f"{part.name(network)}-{options.seed}-{count}")
    folder.mkdir(exist_ok=True)
    took = folder / "cpu_s.json"
    spent: dict[str, float] = json.loads(took.read_text()) if took.exists() else {}
    lots = [folder / f"{n:04d}.npz" for n in range(-(-count // LOT))]
    stream = 1 if network == "finder" else 2
    seed = [options.seed, stream] if part.number == 1 else [options.seed, stream, part.stream]
    weights = _early(options) if part.number == 1 else _first(options)
    jobs = [
        Job(network, part.number, path, [*seed, n], min(LOT, count - n * LOT), weights)
        for n, path in enumerate(lots)
        if not path.exists() or path.name not in spent
    ]
    if jobs:
        begun = time.process_time()
        decks, about = art.train(part.number)
        spent["decks"] = spent.get("decks", 0.0) + time.process_time() - begun
        tell = Progress()
        for done, (lot, seconds) in enumerate(
            _draw_lots(jobs, decks, about, options.processes, part.name(network)), start=1
        ):
            spent[lot] = seconds
            took.write_text(json.dumps(spent))
            tell(f"pictures of the {part.name(network)}", done * LOT, len(jobs) * LOT)
    return lots, sum(spent.values())


def _draw_lots(
    jobs: list[Job], decks: list[Deck], about: list[Image], processes: int, name: str
) -> Iterator[tuple[str, float]]:
    """Draw each lot in a process of its own, as many at once as ``processes``: its name, its processor seconds."""
    fork = multiprocessing.get_context("fork")
    # one process a lot: onnxruntime and a fork that already used it do not go together
    running: list[tuple[Any, Any, str]] = []
    waiting = list(jobs)
    while waiting or running:
        while waiting and len(running) < processes:
            job = waiting.pop(0)
            here, there = fork.Pipe(duplex=False)
            drawing = fork.Process(target=_send_lot, args=(there, job, decks, about))
            drawing.start()
            running.append((drawing, here, job.path.name))
        drawing, here, lot = running.pop(0)
        drawing.join()
        if drawing.exitcode:
            sys.exit(f"drawing {lot} of the {name} broke off; start again with the same --work folder")
        yield lot, here.recv()


def _send_lot(there: Any, job: Job, decks: list[Deck], about: list[Image]) -> None:
    there.send(_draw_lot(job, decks, about))


def _early(options: argparse.Namespace) -> Path:
    """Return the path of the finder as it is after EARLY steps."""
    return Path(options.work / f"finder-{options.seed}-early.onnx")


def _first(options: argparse.Namespace) -> Path:
    """Return the path of the finder as it is after the first part."""
    return Path(options.work / f"finder-{options.seed}-first.onnx")


def _kept(name: str, options: argparse.Namespace) -> Path:
    """The checkpoint of the course ``name``."""
    return Path(options.work / f"{name}-{options.seed}.pt")


def _finder_course(part: Part, options: argparse.Namespace) -> Course:
    return Course(
        "finder",
        options.seed + part.number - 1,
        part.steps,
        part.rate,
        _kept(part.name("finder"), options),
        Budget(options.finder_minutes * 60, 0.0),
        start=None if part.number == 1 else _kept("finder", options),
    )


def _parts(options: argparse.Namespace) -> tuple[Part, Part, Part]:
    """The parts of the training."""
    o = options
    return (
        Part(1, o.scenes, o.pictures, o.finder_steps, 2.5e-3),
        Part(2, o.second_scenes, o.second_pictures, o.second_finder_steps, 1e-3),
        Part(3, o.third_scenes),
    )


_SIZES: Final = {0: "n", 2: "height", 3: "width"}


def _learn_finder(options: argparse.Namespace, art: Art) -> tuple[Any, dict[str, Any]]:
    """The finder after its parts, and what there is to report of it."""
    begun = time.monotonic()
    # its hour is long enough for one, and more threads add numbers up in another order
    torch.set_num_threads(1)
    report: dict[str, Any] = {}
    parts = _parts(options)
    example, net = torch.zeros(1, 3, 64, 64), None
    lots: list[Path] = []
    for part in (p for p in parts if p.pictures):
        new, spent = _drawn("finder", part, art, options)
        # as many of the earlier pictures as of the new ones, so that nothing is forgotten
        lots = new if part.number == 1 else new + lots[: len(new)]
        samples = data.load(lots)
        if part.number == 1 and not _early(options).exists():
            course = _finder_course(part, options)
            course.until = min(EARLY, part.steps)
            export(train_finder(samples, course), example, _early(options), _SIZES)
        course = _finder_course(part, options)
        net = train_finder(samples, course)
        if part.number == 1:
            export(net, example, _first(options), _SIZES)
        report |= _told(part.name("finder"), "pictures", len(samples.pictures), course, spent)
    return net, report | {"finder_wall_minutes_of_this_run": _minutes_since(begun)}


def _minutes_since(begun: float) -> float:
    return round((time.monotonic() - begun) / 60, 1)


def _learn_reader(options: argparse.Namespace, art: Art) -> tuple[Any, dict[str, Any]]:
    """The reader, and what there is to report of it."""
    begun = time.monotonic()
    torch.set_num_threads(options.threads)
    lots: list[Path] = []
    spent = 0.0
    for part in _parts(options):
        new, took = _drawn("reader", part, art, options)
        lots, spent = lots + new, spent + took
    samples = data.load(lots)
    budget = Budget(options.reader_minutes * 60, 0.0)
    course = Course("reader", options.seed, options.reader_steps, 2e-3, _kept("reader", options), budget)
    net = train_reader(samples, course)
    report = _told("reader", "patches", len(samples.labels), course, spent)
    return net, report | {"reader_wall_minutes_of_this_run": _minutes_since(begun)}


def _learn_reader_longer(options: argparse.Namespace, art: Art) -> tuple[Any, dict[str, Any]]:
    """The reader after the stages of ``LONGER``, and what there is to report of it."""
    begun = time.monotonic()
    torch.set_num_threads(options.threads)
    parts = {part.number: part for part in (*_parts(options), Part(4, options.fourth_scenes))}
    kept = [_kept(f"reader-longer-{n}", options) for n in range(1, len(LONGER) + 1)]
    report: dict[str, Any] = {}
    lots: list[Path] = []
    net = None
    for n, stage in enumerate(LONGER):
        new, spent = _drawn("reader", parts[stage.part], art, options)
        samples = data.load(lots + new)
        if stage.part <= 2:
            lots = lots + new
        budget = Budget(options.reader_minutes * 60, 0.0)
        start = None if stage.start is None else kept[stage.start - 1]
        course = Course("reader", options.seed + min(n, 2), stage.steps, stage.rate, kept[n], budget, start=start)
        net = train_reader(samples, course)
        report |= _told(f"reader-longer-{n + 1}", "patches", len(samples.labels), course, spent)
    blend(net, [(path, stage.share) for path, stage in zip(kept, LONGER, strict=True) if stage.share])
    report["reader_curve"] = [point for n in range(1, len(LONGER) + 1) for point in report[f"reader_longer_{n}_curve"]]
    return net, report | {"reader_wall_minutes_of_this_run": _minutes_since(begun)}


def _told(name: str, things: str, count: int, course: Course, drawing_s: float) -> dict[str, Any]:
    name = name.replace("-", "_")
    return {
        f"{name}_{things}": count,
        f"{name}_steps": f"{course.done} of {course.steps}",
        f"{name}_cpu_minutes": round(course.budget.used / 60, 1),
        f"{name}_drawing_cpu_minutes": round(drawing_s / 60, 1),
        f"{name}_curve": course.curve,
    }


def main() -> None:
    """Draw, train, export, report."""
    parser = argparse.ArgumentParser(prog="python -m lab.vision.train", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for artwork, pictures and checkpoints")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "float")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--finder-minutes", type=float, default=120.0, help="processor time of each of its parts")
    parser.add_argument("--reader-minutes", type=float, default=120.0, help="processor time of its course")
    parser.add_argument("--random-decks", type=int, default=72, help="packs drawn at random, for each part")
    parser.add_argument("--pictures", type=int, default=5000, help="pictures for the finder")
    parser.add_argument("--scenes", type=int, default=1500, help="pictures whose indices become patches")
    parser.add_argument("--finder-steps", type=int, default=6500)
    parser.add_argument("--reader-steps", type=int, default=12000)
    parser.add_argument("--second-pictures", type=int, default=2500, help="more of them for the second part")
    parser.add_argument("--second-scenes", type=int, default=1000)
    parser.add_argument("--second-finder-steps", type=int, default=2000)
    parser.add_argument("--third-decks", type=int, default=45, help="packs drawn at random for the reader's third part")
    parser.add_argument("--third-scenes", type=int, default=1200)
    parser.add_argument("--longer", action="store_true", help="the reader learns in four stages")
    parser.add_argument("--fourth-decks", type=int, default=30, help="packs of the fourth part (--longer)")
    parser.add_argument("--fourth-scenes", type=int, default=600)
    parser.add_argument("--processes", type=int, default=2, help="processes that draw")
    parser.add_argument("--threads", type=int, default=2, help="threads with which the reader learns")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    art = Art(options)
    report: dict[str, Any] = {"seed": options.seed, "torch": torch.__version__, "threads": options.threads}

    finder, told = _learn_finder(options, art)
    report |= told
    export(finder, torch.zeros(1, 3, 64, 64), options.out / "finder.onnx", _SIZES)
    reader, told = (_learn_reader_longer if options.longer else _learn_reader)(options, art)
    report |= told
    export(reader, torch.zeros(1, 3, 48, 40), options.out / "reader.onnx", {0: "n"})
    held, sheets = art.held_out()
    check = data.draw_patches(held, sheets, [options.seed, 9], 250, Finder(options.out / "finder.onnx"))
    report["held_out_designs"] = check_reader(reader, check)
    draw_report(report, np.asarray(report["held_out_designs"].pop("confusion")), options.work / "report.png")
    (options.out / "training.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({k: v for k, v in report.items() if "curve" not in k}))


if __name__ == "__main__":
    main()
