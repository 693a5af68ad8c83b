"""``python -m vision.train``: draw pictures, train finder and reader, export them, write a report.

Everything follows from ``--seed``. A training that was broken off goes on from its last checkpoint when started again
with the same ``--work`` folder.
"""
# mypy: disable-error-code="import-not-found,no-untyped-call,import-untyped,misc"

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from vision.train import decks as art
from vision.train import samples as data
from vision.train.nets import FinderNet, ReaderNet
from vision.train.samples import Samples

SAVE_EVERY_S = 120.0


class Progress:
    """Lines of progress on standard error, at most one every two seconds."""

    def __init__(self) -> None:
        self._last = 0.0
        self._start = time.monotonic()

    def __call__(self, what: str, done: int, of: int, note: str = "") -> None:
        """Say that ``done`` of ``of`` are done, unless it was said just now."""
        now = time.monotonic()
        if now - self._last >= 2 or done >= of:
            self._last = now
            print(f"[{now - self._start:6.0f} s] {what} {done}/{of} {note}", file=sys.stderr, flush=True)


def build_decks(options: argparse.Namespace) -> list[art.Deck]:
    """The decks of the training pictures."""
    decks = art.own_decks() + art.random_decks(options.random_decks, options.seed, options.work)
    return decks + art.sheet_decks(art.TRAIN_SHEETS, options.work)


def finder_loss(out: Any, goal: Any) -> Any:
    """Penalty-reduced focal loss of the heat, and distance of the pose near the peaks."""
    logit, heat, weight = out[:, 0], goal[:, 0], goal[:, 4]
    chance = torch.sigmoid(logit).clamp(1e-4, 1 - 1e-4)
    peak = (heat > 0.999).float()
    hit = -torch.log(chance) * (1 - chance) ** 2 * peak
    miss = -torch.log(1 - chance) * chance**2 * (1 - heat) ** 4 * (1 - peak)
    focal = ((hit + miss) * weight).sum() / peak.sum().clamp(min=1)
    near = goal[:, 5:6]
    pose = (torch.abs(out[:, 1:4] - goal[:, 1:4]) * near).sum() / near.sum().clamp(min=1)
    return focal + 2.0 * pose


def reader_loss(out: Any, label: Any) -> Any:
    """Cross entropies of the three heads; rank and suit only where there are any."""
    suited = label[:, 2] == 0
    loss = nn.functional.cross_entropy(out[:, 17:], label[:, 2])
    if bool(suited.any()):
        loss = loss + nn.functional.cross_entropy(out[suited, :13], label[suited, 0], label_smoothing=0.02)
        loss = loss + nn.functional.cross_entropy(out[suited, 13:17], label[suited, 1], label_smoothing=0.02)
    return loss


Batch = Callable[[np.random.Generator], tuple[Any, Any]]


def learn(
    name: str, net: Any, loss_of: Any, batch: Batch, steps: int, rate: float, options: argparse.Namespace
) -> list[float]:
    """Train ``net`` for ``steps`` (going on from a checkpoint); the curve of its loss."""
    keep = options.work / f"{name}-{options.seed}{'-refined' if options.refine is not None else ''}.pt"
    tuner = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=1e-4)
    plan = torch.optim.lr_scheduler.OneCycleLR(tuner, max_lr=rate, total_steps=steps + 1, pct_start=0.15)
    curve: list[float] = []
    start = 0
    if keep.exists():
        state = torch.load(keep, weights_only=True)
        if state["steps"] == steps:
            net.load_state_dict(state["net"])
            tuner.load_state_dict(state["tuner"])
            plan.load_state_dict(state["plan"])
            start, curve = state["step"], state["curve"]
    net.train()
    if options.refine is not None:  # what the exported weights knew of the pictures' spread stays
        for part in net.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()
    tell, saved, mean = Progress(), time.monotonic(), 0.0
    for step in range(start, steps):
        pictures, goals = batch(np.random.default_rng([options.seed, step, len(name)]))
        loss = loss_of(net.raw(pictures) if name == "finder" else net(pictures), goals)
        tuner.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        tuner.step()
        plan.step()
        mean += (loss.item() - mean) / (1 + step % 50)
        if step % 50 == 49:
            curve.append(round(mean, 4))
        tell(name, step + 1, steps, f"loss {mean:.4f}")
        if time.monotonic() - saved > SAVE_EVERY_S or step + 1 == steps:
            saved = time.monotonic()
            state = {"net": net.state_dict(), "tuner": tuner.state_dict(), "plan": plan.state_dict()}
            torch.save({**state, "step": step + 1, "steps": steps, "curve": curve}, keep)
    return curve


def begin(net: Any, name: str, options: argparse.Namespace) -> None:
    """With ``--refine`` give ``net`` the weights of an earlier export, in which normalisation is folded in."""
    if options.refine is None:
        return
    import onnx
    from onnx import numpy_helper

    graph = onnx.load(options.refine / f"{name}.onnx").graph
    stored = {i.name: torch.from_numpy(numpy_helper.to_array(i).copy()) for i in graph.initializer}
    folded = [value for key, value in stored.items() if key.startswith("onnx::Conv")]
    own = dict(net.named_parameters())
    with torch.no_grad():
        for key, value in stored.items():
            if key in own:
                own[key].copy_(value)
        blocks = [
            m for m in net.modules() if isinstance(m, nn.Sequential) and isinstance(m[-1], nn.ReLU) and len(m) == 3
        ]
        for block, weight, bias in zip(blocks, folded[::2], folded[1::2], strict=True):
            block[0].weight.copy_(weight)
            block[1].weight.fill_(1.0)
            block[1].bias.copy_(bias)
            block[1].running_mean.zero_()
            block[1].running_var.fill_(1.0 - block[1].eps)


def train_finder(drawn: Samples, options: argparse.Namespace) -> tuple[Any, list[float]]:
    """The finder and its curve."""
    torch.manual_seed(options.seed)
    net = FinderNet().to(memory_format=torch.channels_last)
    begin(net, "finder", options)
    number = drawn.corners[:, 0].astype(int)
    rows = {int(k): drawn.corners[number == k, 1:] for k in np.unique(number)}

    def batch(rng: np.random.Generator) -> tuple[Any, Any]:
        pictures, goals = data.finder_batch(rng, drawn, rows, 12)
        return torch.from_numpy(pictures).to(memory_format=torch.channels_last), torch.from_numpy(goals)

    return net, learn("finder", net, finder_loss, batch, options.finder_steps, options.rate * 2.5e-3, options)


def train_reader(drawn: Samples, options: argparse.Namespace) -> tuple[Any, list[float]]:
    """The reader and its curve."""
    torch.manual_seed(options.seed + 1)
    net = ReaderNet().to(memory_format=torch.channels_last)
    begin(net, "reader", options)

    def batch(rng: np.random.Generator) -> tuple[Any, Any]:
        patches, labels = data.reader_batch(rng, drawn, rng.integers(0, len(drawn.labels), 128))
        return torch.from_numpy(patches).to(memory_format=torch.channels_last), torch.from_numpy(labels)

    return net, learn("reader", net, reader_loss, batch, options.reader_steps, options.rate * 2e-3, options)


def check_reader(net: Any, held: Samples) -> dict[str, Any]:
    """Counts of the reader on patches of designs it never saw."""
    net.eval()
    rng = np.random.default_rng(1)
    patches, labels = data.reader_batch(rng, held, np.arange(len(held.labels)))
    with torch.no_grad():
        out = np.concatenate([net(torch.from_numpy(part)).numpy() for part in np.array_split(patches, 40)])
    rank, suit, kind = out[:, :13].argmax(1), out[:, 13:17].argmax(1), out[:, 17:].argmax(1)
    suited = labels[:, 2] == 0
    right = (rank == labels[:, 0]) & (suit == labels[:, 1]) & (kind == 0)
    return {
        "patches": len(labels),
        "suited": int(suited.sum()),
        "suited_right": int((right & suited).sum()),
        "rank_right": int((rank == labels[:, 0])[suited].sum()),
        "suit_right": int((suit == labels[:, 1])[suited].sum()),
        "jokers": int((labels[:, 2] == 1).sum()),
        "jokers_right": int(((labels[:, 2] == 1) & (kind == 1)).sum()),
        "nothing": int((labels[:, 2] == 2).sum()),
        "nothing_taken_for_a_card": int(((labels[:, 2] == 2) & (kind != 2)).sum()),
    }


def export(net: Any, example: Any, path: Path, names: dict[int, str]) -> None:
    """Write ``net`` as ONNX with free batch size (and picture size where ``names`` says so)."""
    net.eval()
    axes = {"picture": names, "out": names if len(names) > 1 else {0: "n"}}
    net = net.to(memory_format=torch.contiguous_format)
    torch.onnx.export(
        net, example, path, input_names=["picture"], output_names=["out"], dynamic_axes=axes, dynamo=False
    )


def main() -> None:
    """Draw, train, export, report."""
    parser = argparse.ArgumentParser(prog="python -m vision.train", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="folder for artwork, pictures and checkpoints")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent.parent / "weights")
    parser.add_argument("--refine", type=Path, help="folder with exported weights to go on from")
    parser.add_argument("--rate", type=float, default=1.0, help="learning rate over the usual one; 0.3 to refine")
    parser.add_argument("--seed", type=int, default=20261120)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--random-decks", type=int, default=32)
    parser.add_argument("--pictures", type=int, default=2500, help="pictures for the finder")
    parser.add_argument("--scenes", type=int, default=1600, help="pictures whose indices become patches")
    parser.add_argument("--finder-steps", type=int, default=2200)
    parser.add_argument("--reader-steps", type=int, default=3000)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.use_deterministic_algorithms(mode=True, warn_only=True)
    options.work.mkdir(parents=True, exist_ok=True)
    tell, begun = Progress(), time.monotonic()
    kept = options.work / f"samples-{options.seed}-{options.pictures}-{options.scenes}.npz"
    if not kept.exists():
        data.save(data.draw_samples(build_decks(options), options.seed, options.pictures, options.scenes, tell), kept)
    drawn = data.load(kept)
    held_at = options.work / f"held-{options.seed}.npz"
    if not held_at.exists():
        held = art.sheet_decks(art.HELD_OUT_SHEETS, options.work)
        data.save(data.draw_samples(held, options.seed + 7, 1, 150, tell), held_at)
    report: dict[str, Any] = {"seed": options.seed, "train_patches": len(drawn.labels)}
    options.out.mkdir(parents=True, exist_ok=True)
    finder, report["finder_curve"] = train_finder(drawn, options)
    export(finder, torch.zeros(1, 3, 64, 64), options.out / "finder.onnx", {0: "n", 2: "height", 3: "width"})
    reader, report["reader_curve"] = train_reader(drawn, options)
    report["held_out_designs"] = check_reader(reader, data.load(held_at))
    export(reader, torch.zeros(1, 3, 48, 40), options.out / "reader.onnx", {0: "n"})
    report["train_pictures"] = len(drawn.pictures)
    report["minutes_of_this_run"] = round((time.monotonic() - begun) / 60, 1)
    report["torch"] = torch.__version__
    (options.out / "training.json").write_text(json.dumps(report, indent=1) + "\n")
    print(json.dumps({k: v for k, v in report.items() if "curve" not in k}))


if __name__ == "__main__":
    main()
