"""``python -m vision.train``: draw pictures, train finder and reader, export them, write a report.

One command makes both networks from nothing: decks, pictures for the finder, the finder; then pictures in which the
finder looks for indices, whose patches (what it found rightly, what it found wrongly, and what stands there) teach the
reader. Everything follows from ``--seed`` as long as the steps fit into the processor time allowed; where they do not,
the rest of that network's training is shortened, and the report says how many steps were done. A training that was
broken off goes on from its last part or checkpoint when started again with the same ``--work`` folder.
"""
# mypy: disable-error-code="import-not-found,no-untyped-call,import-untyped,misc"

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import torch

from vision.finder import Finder
from vision.train import artwork, clutter, kde, random_decks
from vision.train import samples as data
from vision.train.decks import Deck, Image, own_decks
from vision.train.learn import Budget, Course, Progress, check_reader, export, train_finder, train_reader
from vision.train.report import draw_report

PART: Final = 100
"""Pictures drawn at a time: the unit that is kept when a training is broken off."""
EARLY: Final = 2000
"""Steps after which the finder is good enough to show where the reader will be asked to read; then it learns on."""


class Art:
    """The decks of the training pictures, those held out, and clutter; made when first asked for."""

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._made: tuple[list[Deck], list[Image]] | None = None

    def train(self) -> tuple[list[Deck], list[Image]]:
        """Decks and clutter sheets of training pictures."""
        if self._made is None:
            o, own = self._options, own_decks()
            fonts = random_decks.font_files(o.work)
            decks = own + random_decks.random_decks(o.random_decks, o.seed, fonts)
            decks += artwork.sheet_decks(artwork.TRAIN_SHEETS, o.work)
            decks += artwork.npm_decks(artwork.NPM_TRAIN, o.work, own[0].backs[0])
            decks += kde.kde_decks(o.work, own[0].backs[0])
            self._made = decks, clutter.sheets(90, o.seed, fonts)
        return self._made

    def held_out(self) -> tuple[list[Deck], list[Image]]:
        """Decks of whole designs, and clutter, that no training picture shows."""
        o = self._options
        decks = artwork.sheet_decks(artwork.HELD_OUT_SHEETS, o.work)
        decks += artwork.npm_decks(artwork.NPM_HELD_OUT, o.work, own_decks()[0].backs[0])
        return decks, clutter.sheets(12, o.seed + 7, random_decks.font_files(o.work))


def _draw_part(job: tuple[str, Path, list[int], int, Path], decks: list[Deck], about: list[Image]) -> float:
    """Draw one part and keep it; answers the processor time that took."""
    name, path, seed, count, weights = job
    cv2.setNumThreads(1)
    begun = time.process_time()
    if name == "finder":
        data.save(data.draw_pictures(decks, about, seed, count), path)
    else:
        data.save(data.draw_patches(decks, about, seed, count, Finder(weights)), path)
    return time.process_time() - begun


def _drawn(name: str, count: int, art: Art, options: argparse.Namespace) -> tuple[data.Samples, float]:
    """The samples of one network, in parts drawn by two processes; what that took in seconds of processor time."""
    folder = options.work / f"{name}-{options.seed}-{count}"
    folder.mkdir(exist_ok=True)
    took = folder / "cpu_s.json"
    spent: dict[str, float] = json.loads(took.read_text()) if took.exists() else {}
    parts = [folder / f"{n:04d}.npz" for n in range(-(-count // PART))]
    jobs = [
        (
            name,
            path,
            [options.seed, 1 if name == "finder" else 2, n],
            min(PART, count - n * PART),
            _early(options),
        )
        for n, path in enumerate(parts)
        if not path.exists() or path.name not in spent
    ]
    if jobs:
        begun = time.process_time()
        decks, about = art.train()
        spent["decks"] = spent.get("decks", 0.0) + time.process_time() - begun
        tell, fork = Progress(), multiprocessing.get_context("fork")
        # one process a part: onnxruntime and a fork that already used it do not go together
        running: list[tuple[Any, Any, str]] = []
        waiting, done = list(jobs), 0
        while waiting or running:
            while waiting and len(running) < options.processes:
                job = waiting.pop(0)
                here, there = fork.Pipe(duplex=False)
                part = fork.Process(target=_send_part, args=(there, job, decks, about))
                part.start()
                running.append((part, here, job[1].name))
            part, here, part_name = running.pop(0)
            part.join()
            if part.exitcode:
                sys.exit(f"drawing {part_name} of the {name} broke off; start again with the same --work folder")
            spent[part_name] = here.recv()
            took.write_text(json.dumps(spent))
            done += 1
            tell(f"pictures of the {name}", done * PART, len(jobs) * PART)
    return data.load(parts), sum(spent.values())


def _send_part(there: Any, job: Any, decks: list[Deck], about: list[Image]) -> None:
    there.send(_draw_part(job, decks, about))


def _early(options: argparse.Namespace) -> Path:
    """Where the finder is kept as it is after EARLY steps."""
    return Path(options.work / f"finder-{options.seed}-early.onnx")


def _course(name: str, steps: int, rate: float, minutes: float, options: argparse.Namespace) -> Course:
    return Course(
        name, options.seed, steps, rate, options.work / f"{name}-{options.seed}.pt", Budget(minutes * 60, 0.0)
    )


def main() -> None:
    """Draw, train, export, report."""
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for artwork, pictures and checkpoints")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "weights" / "float")
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--finder-minutes", type=float, default=120.0, help="processor time of the finder's training")
    parser.add_argument("--reader-minutes", type=float, default=60.0, help="processor time of the reader's training")
    parser.add_argument("--random-decks", type=int, default=72)
    parser.add_argument("--pictures", type=int, default=5000, help="pictures for the finder")
    parser.add_argument("--scenes", type=int, default=1500, help="pictures whose indices become patches")
    parser.add_argument("--finder-steps", type=int, default=6500)
    parser.add_argument("--reader-steps", type=int, default=7500)
    parser.add_argument(
        "--only",
        choices=("finder", "reader"),
        help="learn one of the two, so that two processes can learn both at a time; run once more without it at last",
    )
    parser.add_argument("--processes", type=int, default=2, help="processes that draw")
    parser.add_argument("--threads", type=int, default=1, help="threads that learn; more only where cores are free")
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    begun, art = time.monotonic(), Art(options)
    report: dict[str, Any] = {"seed": options.seed, "torch": torch.__version__}

    samples, spent = _drawn("finder", options.pictures, art, options)
    course = _course("finder", options.finder_steps, 2.5e-3, options.finder_minutes, options)
    sizes = {0: "n", 2: "height", 3: "width"}
    if not _early(options).exists():
        course.until = min(EARLY, options.finder_steps)
        export(train_finder(samples, course), torch.zeros(1, 3, 64, 64), _early(options), sizes)
    if options.only != "reader":
        course = _course("finder", options.finder_steps, 2.5e-3, options.finder_minutes, options)
        finder = train_finder(samples, course)
        export(finder, torch.zeros(1, 3, 64, 64), options.out / "finder.onnx", sizes)
    report |= {"train_pictures": len(samples.pictures), "finder_steps": f"{course.done} of {options.finder_steps}"}
    report |= {
        "finder_cpu_minutes": round(course.budget.used / 60, 1),
        "finder_drawing_cpu_minutes": round(spent / 60, 1),
    }
    report["finder_curve"] = course.curve
    if options.only == "finder":
        return

    samples, spent = _drawn("reader", options.scenes, art, options)
    course = _course("reader", options.reader_steps, 2e-3, options.reader_minutes, options)
    reader = train_reader(samples, course)
    export(reader, torch.zeros(1, 3, 48, 40), options.out / "reader.onnx", {0: "n"})
    if options.only == "reader":
        return
    report |= {"train_patches": len(samples.labels), "reader_steps": f"{course.done} of {options.reader_steps}"}
    report |= {
        "reader_cpu_minutes": round(course.budget.used / 60, 1),
        "reader_drawing_cpu_minutes": round(spent / 60, 1),
    }
    report["reader_curve"] = course.curve

    held, sheets = art.held_out()
    check = data.draw_patches(held, sheets, [options.seed, 9], 250, Finder(options.out / "finder.onnx"))
    report["held_out_designs"] = check_reader(reader, check)
    report["wall_minutes_of_this_run"] = round((time.monotonic() - begun) / 60, 1)
    draw_report(report, np.asarray(report["held_out_designs"].pop("confusion")), options.work / "report.png")
    (options.out / "training.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({k: v for k, v in report.items() if "curve" not in k}))


if __name__ == "__main__":
    main()
