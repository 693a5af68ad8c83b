"""``python -m lab.vision.train.learn_context``: draw, teach and export the context reader, on a processor.

``--draw N`` draws N lots of pictures, packs of their own in each, some 75 processor seconds and 10 000 views a lot;
what is there already is kept. Then the network learns for ``--seconds`` by the clock from all lots that are there, also
from those that another process is still drawing. What is exported is a mean of the weights over the last steps (Polyak
and Juditsky, 1992). How many steps fit into the time hangs on the machine: the report says what was done.
"""
# mypy: disable-error-code="import-not-found,no-untyped-call,import-untyped,misc"

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from lab.vision.train.context_lots import RIM, draw_views, load_views
from lab.vision.train.context_net import ContextNet
from lab.vision.train.learn import export
from lab.vision.train.worsened import lit, moved, spoiled, uniform
from vision.context_reader import SIDE
from vision.finder import WEIGHTS, Finder

BATCH: Final = 256
GROUP: Final = 64
"""Views that share blur, size and packing in a step."""
WORSE: Final = 0.35
"""Share of the groups that are made worse than the drawn camera made them,"""
LEAST: Final = 7.5 / 16
"""to a view in which an index is no less than 7.5 px tall."""
RELIT: Final = 0.6
"""Share of the steps whose views are lit anew."""
RATES: Final = (2e-3, 1.2e-3)
"""Rates of a course that begins with nothing, and of one that continues from a network."""
WARM: Final = 200
"""Steps in which the rate rises."""
MEAN: Final = 0.998
"""Share of the mean weights that stays at each step."""


class Views:
    """All views so far."""

    def __init__(self, most: int) -> None:
        side = SIDE + 2 * RIM
        self._views = np.empty((most, side, side, 3), np.uint8)
        self._labels = np.empty((most, 2), np.int64)
        self._seen: set[Path] = set()
        self.count = 0

    def add_new(self, folder: Path) -> None:
        """Take in the lots that were finished since."""
        for path in sorted(folder.glob("*.npz")):
            if path not in self._seen:
                self._seen.add(path)
                lot = load_views(path)
                n = min(len(lot.labels), len(self._labels) - self.count)
                self._views[self.count : self.count + n] = lot.views[:n]
                self._labels[self.count : self.count + n] = lot.labels[:n]
                self.count += n

    def batch(self, rng: np.random.Generator, chance: Any) -> tuple[Any, Any]:
        """Views as a camera might give them, (BATCH, 3, 64, 64), and their labels."""
        chosen = rng.integers(0, self.count, BATCH)
        views = moved(torch.from_numpy(self._views[chosen]).permute(0, 3, 1, 2).float(), (SIDE, SIDE))
        groups = [spoiled(g, chance, LEAST) if uniform(chance, 0, 1) < WORSE else g for g in views.split(GROUP)]
        views = torch.cat(groups)
        return lit(views) if uniform(chance, 0, 1) < RELIT else views, torch.from_numpy(self._labels[chosen])


def _learn(views: Views, options: argparse.Namespace) -> tuple[Any, dict[str, Any]]:
    """Teach until the time is over; the mean network, and the report."""
    torch.manual_seed(options.seed)
    chance, rng = torch.Generator().manual_seed(options.seed), np.random.default_rng(options.seed)
    net = ContextNet()
    if options.start is not None:
        net.load_state_dict(torch.load(options.start, map_location="cpu", weights_only=True)["net"])
    net = net.to(memory_format=torch.channels_last)
    average = torch.optim.swa_utils.get_ema_multi_avg_fn(MEAN)
    mean = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=average, use_buffers=True)
    tuner = torch.optim.AdamW(net.parameters(), lr=RATES[0], weight_decay=1e-3)
    step, curve, begun, told = 0, [], time.monotonic(), time.monotonic()
    sums = [0.0, 0.0, 0]
    while (share := (time.monotonic() - begun) / options.seconds) < 1:
        if step % 200 == 0:
            views.add_new(options.work / "context")
        highest = RATES[options.start is not None]
        for group in tuner.param_groups:
            group["lr"] = highest * min(1.0, (step + 1) / WARM) * (0.5 + 0.5 * math.cos(math.pi * share)) + 1e-6
        pictures, labels = views.batch(rng, chance)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net(pictures.contiguous(memory_format=torch.channels_last))
        rank = nn.functional.cross_entropy(out[:, :13].float(), labels[:, 0])
        suit = nn.functional.cross_entropy(out[:, 13:].float(), labels[:, 1])
        tuner.zero_grad()
        (rank + suit).backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        tuner.step()
        mean.update_parameters(net)
        step += 1
        sums = [sums[0] + rank.item(), sums[1] + suit.item(), sums[2] + 1]
        if time.monotonic() - told > 60:
            told = time.monotonic()
            curve.append([step, views.count, *(round(part / sums[2], 4) for part in sums[:2])])
            line = f"[{told - begun:5.0f} s] step, views, loss of rank, of suit: {curve[-1]}"
            print(line, file=sys.stderr, flush=True)
            sums = [0.0, 0.0, 0]
            torch.save({"net": mean.module.state_dict()}, options.out / "context.pt")
    return mean.module, {"steps": step, "batch": BATCH, "views": views.count, "curve": curve}


def main() -> None:
    """Draw, teach for the time given; write network and report."""
    parser = argparse.ArgumentParser(prog="python -m lab.vision.train.learn_context", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for artwork and pictures")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "float")
    parser.add_argument("--seed", type=int, default=777)
    parser.add_argument("--draw", type=int, default=0, metavar="N", help="draw lots 0 to N - 1 first, if not there")
    parser.add_argument("--scenes", type=int, default=600, help="pictures of a lot")
    parser.add_argument("--seconds", type=float, default=3000.0, help="to learn for; 0: only draw")
    parser.add_argument("--views", type=int, default=420_000, help="at most so many are kept (17 kB each)")
    parser.add_argument("--start", type=Path, help="context.pt of a course that this one goes on from")
    parser.add_argument("--write", type=Path, metavar="PT", help="only write this context.pt as ONNX")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.write is not None:
        net = ContextNet()
        net.load_state_dict(torch.load(options.write, map_location="cpu", weights_only=True)["net"])
        _write(net, options.out)
        return
    folder = options.work / "context"
    folder.mkdir(parents=True, exist_ok=True)
    for lot in range(options.draw):
        path = folder / f"{options.seed}-{lot:03d}.npz"
        if not path.exists():
            draw_views(options.work, [options.seed, 77, lot], options.scenes, Finder(), path)
    if options.seconds <= 0:
        return
    views = Views(options.views)
    views.add_new(folder)
    if not views.count:
        parser.error(f"{folder.name} in the working folder holds no lots to learn from; draw some with --draw")
    torch.set_num_threads(1)
    net, report = _learn(views, options)
    torch.save({"net": net.state_dict()}, options.out / "context.pt")
    _write(net, options.out)
    report |= {"seed": options.seed, "torch": torch.__version__, "seconds": options.seconds}
    (options.out / "context.json").write_text(json.dumps(report, indent=1) + "\n")


def _write(net: Any, out: Path) -> None:
    """Write the network as ONNX for batches of any size."""
    export(net.float().cpu(), torch.zeros(1, 3, SIDE, SIDE), out / "context.onnx", {0: "n"})


if __name__ == "__main__":
    main()
