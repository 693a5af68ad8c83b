"""``python -m vision.train``: draw pictures, train finder and reader, export them, write a report.

One command makes both networks from nothing, one process for each, one thread a process. Everything follows from
``--seed`` as long as the steps fit into ``--cpu-minutes`` (processor time of both processes, drawing included, so that
other work on the machine does not matter); where they do not, the rest of the training is shortened, and the report
says how many steps were done. A training that was broken off goes on from its last checkpoint when started again with
the same ``--work`` folder.
"""
# mypy: disable-error-code="import-not-found,no-untyped-call,import-untyped,misc"

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import torch

from vision.train import decks as art
from vision.train import samples as data
from vision.train.learn import Budget, Course, Progress, check_reader, export, train_finder, train_reader


def build_decks(options: argparse.Namespace) -> list[art.Deck]:
    """The decks of the training pictures."""
    decks = art.own_decks() + art.random_decks(options.random_decks, options.seed, options.work)
    return decks + art.sheet_decks(art.TRAIN_SHEETS, options.work)


def make(name: str, decks: list[art.Deck], shared_s: float, options: argparse.Namespace) -> None:
    """Draw the samples of one network, train and export it, and leave ``part-NAME.json`` in the work folder."""
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    budget = Budget(options.cpu_minutes * 30, shared_s)
    drawn = _drawn(name, decks, budget, options)
    steps, rate = (options.finder_steps, 2.5e-3) if name == "finder" else (options.reader_steps, 2e-3)
    course = Course(name, options.seed, steps, rate, options.work / f"{name}-{options.seed}.pt", budget)
    report: dict[str, Any] = {}
    if name == "finder":
        net = train_finder(drawn, course)
        report["train_pictures"] = len(drawn.pictures)
        export(net, torch.zeros(1, 3, 64, 64), options.out / "finder.onnx", {0: "n", 2: "height", 3: "width"})
    else:
        net = train_reader(drawn, course)
        report["train_patches"] = len(drawn.labels)
        export(net, torch.zeros(1, 3, 48, 40), options.out / "reader.onnx", {0: "n"})
    report |= {f"{name}_steps": f"{course.done} of {steps}", f"{name}_cpu_minutes": round(budget.used / 60, 2)}
    report[f"{name}_curve"] = course.curve
    if name == "reader":  # not counted: it measures, and teaches nothing
        held = data.draw_patches(art.sheet_decks(art.HELD_OUT_SHEETS, options.work), options.seed + 7, 150, Progress())
        report["held_out_designs"] = check_reader(net, held)
    (options.work / f"part-{name}.json").write_text(json.dumps(report))


def _samples_at(name: str, options: argparse.Namespace) -> Path:
    count = options.pictures if name == "finder" else options.scenes
    return Path(options.work / f"{name}-{options.seed}-{count}.npz")


def _drawn(name: str, decks: list[art.Deck], budget: Budget, options: argparse.Namespace) -> data.Samples:
    """The samples of one network: drawn, or drawn before; then what that took is counted still."""
    kept = _samples_at(name, options)
    took = kept.with_suffix(".cpu")
    if not kept.exists():
        if name == "finder":
            drawn = data.draw_pictures(decks, options.seed, options.pictures, Progress())
        else:
            drawn = data.draw_patches(decks, options.seed, options.scenes, Progress())
        fresh = kept.with_suffix(".new.npz")
        data.save(drawn, fresh)
        took.write_text(f"{budget.used:.1f}\n")
        fresh.replace(kept)
        return drawn
    budget.resume(float(took.read_text()))
    return data.load(kept)


def main() -> None:
    """Draw, train, export, report."""
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for artwork, pictures and checkpoints")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "weights")
    parser.add_argument("--seed", type=int, default=20261120)
    parser.add_argument("--cpu-minutes", type=float, default=26.0, help="processor time for both networks together")
    parser.add_argument("--random-decks", type=int, default=20)
    parser.add_argument("--pictures", type=int, default=1800, help="pictures for the finder")
    parser.add_argument("--scenes", type=int, default=1300, help="pictures whose indices become patches")
    parser.add_argument("--finder-steps", type=int, default=2000)
    parser.add_argument("--reader-steps", type=int, default=1300)
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    options.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    begun, decks = time.monotonic(), []
    if not all(_samples_at(name, options).exists() for name in ("finder", "reader")):
        decks = build_decks(options)
    shared = time.process_time() / 2
    print(f"decks: {2 * shared:.0f} s of processor time", file=sys.stderr, flush=True)
    fork = multiprocessing.get_context("fork")
    parts = [fork.Process(target=make, args=(name, decks, shared, options)) for name in ("finder", "reader")]
    for part in parts:
        part.start()
    for part in parts:
        part.join()
    if any(part.exitcode for part in parts):
        sys.exit("the training broke off; start it again with the same --work folder to go on")
    report: dict[str, Any] = {"seed": options.seed, "cpu_minutes_allowed": options.cpu_minutes}
    for name in ("finder", "reader"):
        report |= json.loads((options.work / f"part-{name}.json").read_text())
    report["cpu_minutes"] = round(report["finder_cpu_minutes"] + report["reader_cpu_minutes"], 1)
    report["wall_minutes_of_this_run"] = round((time.monotonic() - begun) / 60, 1)
    report["torch"] = torch.__version__
    (options.out / "training.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({k: v for k, v in report.items() if "curve" not in k}))


if __name__ == "__main__":
    main()
