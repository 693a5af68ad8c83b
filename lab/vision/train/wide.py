"""``python -m lab.vision.train.wide``: draw, teach and export the second reader, which reads what is in doubt again.

Processes draw pictures all the while (``train.wide_lots``: packs of their own for each lot), and what they have
drawn so far is learnt from, on a GPU where PyTorch has one: a processor is far too slow. Only finished files are
read, in the order of their names. Light, blur and packing are drawn anew at each step (``train.worsened``). What
is exported is a mean of the weights over the last steps (Polyak and Juditsky, 1992). Neither the pictures there are
at a step nor a GPU's sums are the same in a second run: the report says what was done, not what another run would give.
"""
# mypy: disable-error-code="import-not-found,no-untyped-call,import-untyped,misc"

from __future__ import annotations

import argparse
import json
import math
import multiprocessing
import sys
import time
from pathlib import Path
from typing import Any, Final

import torch

from lab.vision.train.learn import blend, export, reader_loss
from lab.vision.train.wide_lots import RIM, STAGES, draw_lot, load
from lab.vision.train.wide_net import WideReaderNet
from lab.vision.train.worsened import lit, moved, spoiled
from vision.finder import WEIGHTS, Finder
from vision.second_reader import WIDE

GROUP: Final = 128
"""Patches that share blur, size and packing in a step."""
RATES: Final = (2e-3, 6e-4)
"""Rates of the first course, and of one that continues from its weights."""
WARM: Final = 500
"""Steps in which the rate rises."""
MEANS: Final = (0.9995, 0.998)
"""Share of the mean weights that stays at each step, in either course."""


class Patches:
    """All patches so far, kept on the network's device."""

    def __init__(self, most: int, device: str) -> None:
        tall, wide = WIDE[1] + 2 * RIM, WIDE[0] + 2 * RIM
        self._pictures = torch.empty((most, tall, wide, 3), dtype=torch.uint8, device=device)
        self._labels = torch.empty((most, 3), dtype=torch.int64, device=device)
        self.count = 0

    def add_new(self, folder: Path) -> None:
        """Take in the files that were finished since."""
        for path in sorted(folder.glob("*.npz")):
            lot = load(path)
            n = min(len(lot.labels), len(self._labels) - self.count)
            self._pictures[self.count : self.count + n] = torch.from_numpy(lot.patches[:n]).to(self._pictures.device)
            self._labels[self.count : self.count + n] = torch.from_numpy(lot.labels[:n]).to(self._labels.device)
            self.count += n
            path.unlink()  # what it held is here now, or there is no room for it

    def batch(self, size: int, chance: Any) -> tuple[Any, Any]:
        """``size`` patches as a camera might give them, and their labels."""
        chosen = torch.randint(0, self.count, (size,), device=self._labels.device)
        stored = self._pictures[chosen].permute(0, 3, 1, 2).float()
        patches = moved(stored, WIDE)
        worse = torch.cat([spoiled(part, chance) for part in patches.split(GROUP)])
        return lit(worse), self._labels[chosen]


def _draw(options: argparse.Namespace, worker: int, until: float) -> None:
    """Draw lot after lot until ``until`` (time.time)."""
    finder = Finder(options.finder)
    lot = worker
    while time.time() < until:
        draw_lot(
            options.work,
            [options.seed, 21 + options.course, lot],
            options.scenes,
            finder,
            options.work / "wide",
            STAGES[options.course],
        )
        lot += options.processes


def _learn(patches: Patches, options: argparse.Namespace, begun: float) -> tuple[Any, dict[str, Any]]:
    """Teach until the time is over; the mean network, and the report."""
    device = options.device
    torch.manual_seed(options.seed)
    chance = torch.Generator().manual_seed(options.seed)
    net = WideReaderNet()
    if options.start is not None:
        net.load_state_dict(torch.load(options.start, map_location="cpu", weights_only=True)["net"])
    net = net.to(device, memory_format=torch.channels_last)
    mean = torch.optim.swa_utils.AveragedModel(
        net, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(MEANS[options.course]), use_buffers=True
    )
    tuner = torch.optim.AdamW(net.parameters(), lr=RATES[options.course], weight_decay=1e-3)
    step, curve, told, loss_sum = 0, [], time.monotonic(), 0.0
    start = time.monotonic()
    allowed = options.seconds - (start - begun)
    counted = 0
    while True:
        share = (time.monotonic() - start) / allowed
        if share >= 1:
            break
        if step % 200 == 0:
            patches.add_new(options.work / "wide")
        rate = RATES[options.course] * min(1.0, (step + 1) / WARM) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
        for group in tuner.param_groups:
            group["lr"] = rate
        pictures, labels = patches.batch(options.batch, chance)
        with torch.autocast(device, dtype=torch.bfloat16):
            out = net(pictures.contiguous(memory_format=torch.channels_last))
        loss = reader_loss(out.float(), labels)
        tuner.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        tuner.step()
        mean.update_parameters(net)
        step += 1
        if step % 20 == 0:
            loss_sum, counted = loss_sum + loss.item(), counted + 1
        if time.monotonic() - told > 10:
            told = time.monotonic()
            curve.append([step, patches.count, round(loss_sum / max(1, counted), 4)])
            print(f"[{told - begun:5.0f} s] step {step} patches {patches.count} loss {curve[-1][2]}", flush=True)
            loss_sum, counted = 0.0, 0
            if len(curve) % 12 == 0:  # a machine that is lent can be taken back
                torch.save({"net": mean.module.state_dict()}, options.out / "second.pt")
    report = {"steps": step, "batch": options.batch, "patches": patches.count, "curve": curve}
    return mean.module, report


def _write(net: Any, out: Path) -> None:
    """Write the network as ONNX for batches of any size."""
    export(net.float().cpu(), torch.zeros(1, 3, WIDE[1], WIDE[0]), out / "second.onnx", {0: "n"})


def main() -> None:
    """Draw and teach for the time given; write network and report."""
    parser = argparse.ArgumentParser(prog="python -m lab.vision.train.wide", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for artwork and pictures")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "float")
    parser.add_argument("--finder", type=Path, default=WEIGHTS / "finder.onnx", help="says where places are mined")
    parser.add_argument("--seed", type=int, default=20261126)
    parser.add_argument("--seconds", type=float, default=500.0, help="by the clock, drawing included")
    parser.add_argument("--scenes", type=int, default=600, help="pictures of a lot, which has packs of its own")
    parser.add_argument("--processes", type=int, default=2, help="processes that draw")
    parser.add_argument("--patches", type=int, default=400_000, help="at most so many are kept")
    parser.add_argument("--first", type=int, default=20_000, help="so many are waited for before learning begins")
    parser.add_argument("--batch", type=int, default=1024)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--start", type=Path, help="second.pt of the first course: the second goes on from it")
    parser.add_argument("--mean", type=Path, nargs="+", help="only write the mean of these second.pt, as is kept")
    options = parser.parse_args()
    if options.mean:
        options.out.mkdir(parents=True, exist_ok=True)
        net = WideReaderNet()
        blend(net, [(path, 1 / len(options.mean)) for path in options.mean])
        _write(net, options.out)
        return
    options.course = 0 if options.start is None else 1
    begun = time.monotonic()
    folder = options.work / "wide"
    folder.mkdir(parents=True, exist_ok=True)
    for left in folder.iterdir():  # of a run that was broken off, whose packs may be of the other course
        left.unlink()
    options.out.mkdir(parents=True, exist_ok=True)
    spawn = multiprocessing.get_context("spawn")
    drawing = [
        spawn.Process(target=_draw, args=(options, n, time.time() + options.seconds * 0.9), daemon=True)
        for n in range(options.processes)
    ]
    for process in drawing:
        process.start()
    patches = Patches(options.patches, options.device)
    while patches.count < options.first:
        if not any(p.is_alive() for p in drawing):
            sys.exit("the processes that draw have ended before there was enough to learn from; see above")
        time.sleep(0.5)
        patches.add_new(folder)
    print(f"[{time.monotonic() - begun:5.0f} s] {patches.count} patches: learning begins", flush=True)
    net, report = _learn(patches, options, begun)
    for process in drawing:
        process.terminate()
    torch.save({"net": net.state_dict()}, options.out / "second.pt")
    _write(net, options.out)
    report |= {"seed": options.seed, "torch": torch.__version__, "device": options.device, "seconds": options.seconds}
    if options.device == "cuda":
        report["device"] = torch.cuda.get_device_name()
    (options.out / "second.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({k: v for k, v in report.items() if k != "curve"}))


if __name__ == "__main__":
    main()
