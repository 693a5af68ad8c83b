"""Learning: losses, the loop with its budget of processor time and its checkpoints, the check, the export."""
# mypy: disable-error-code="import-not-found,no-untyped-call,import-untyped,misc"

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from lab.vision.train import samples as data
from lab.vision.train.learning_schedule import Course
from lab.vision.train.nets import FinderNet, ReaderForUse, ReaderNet
from lab.vision.train.samples import Samples

SAVE_EVERY_S: Final = 120.0
BATCH: Final = (12, 128)
"""Pictures of a finder's step, patches of a reader's."""


class Progress:
    """Lines of progress on standard error, at most one every five seconds."""

    def __init__(self) -> None:
        self._last = 0.0
        self._start = time.monotonic()

    def __call__(self, what: str, done: int, of: int, note: str = "") -> None:
        """Say that ``done`` of ``of`` are done, unless it was said just now."""
        now = time.monotonic()
        if now - self._last >= 5 or done >= of:
            self._last = now
            print(f"[{now - self._start:6.0f} s] {what} {done}/{of} {note}", file=sys.stderr, flush=True)


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
    """Cross entropies of the three heads; rank and suit only for places that have any."""
    suited = label[:, 2] == 0
    loss = nn.functional.cross_entropy(out[:, 17:], label[:, 2])
    if bool(suited.any()):
        loss = loss + nn.functional.cross_entropy(out[suited, :13], label[suited, 0], label_smoothing=0.02)
        loss = loss + nn.functional.cross_entropy(out[suited, 13:17], label[suited, 1], label_smoothing=0.02)
    return loss


Batch = Callable[[np.random.Generator], tuple[Any, Any]]


def learn(net: Any, loss_of: Any, batch: Batch, course: Course) -> None:
    """Train ``net`` along ``course``, continuing from its checkpoint if there is one."""
    if course.start is not None:
        net.load_state_dict(torch.load(course.start, weights_only=True)["net"])
    tuner = torch.optim.AdamW(net.parameters(), lr=course.rate, weight_decay=1e-4)
    if course.keep.exists():
        state = torch.load(course.keep, weights_only=True)
        net.load_state_dict(state["net"])
        tuner.load_state_dict(state["tuner"])
        course.done, course.curve = state["step"], state["curve"]
        course.budget.resume(state["cpu_s"])
    net.train()
    tell, saved, mean, counted = Progress(), time.monotonic(), 0.0, 0
    share = course.share(course.done)
    batches = _ahead(batch, course)
    while share < 1 and (course.until is None or course.done < course.until):
        for group in tuner.param_groups:
            group["lr"] = course.rate_at(share)
        pictures, goals = next(batches)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            out = net.raw(pictures) if course.name == "finder" else net(pictures)
        loss = loss_of(out.float(), goals)
        tuner.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        tuner.step()
        counted += 1
        mean += (loss.item() - mean) / counted
        course.done += 1
        if course.done % 50 == 0:
            course.curve.append(round(mean, 4))
            counted = 0
        share = course.share(course.done)
        tell(course.name, course.done, course.steps, f"loss {mean:.4f} cpu {course.budget.used:.0f} s")
        if time.monotonic() - saved > SAVE_EVERY_S or share >= 1 or course.done == course.until:
            saved = time.monotonic()
            _save(net, tuner, course)


def _ahead(batch: Batch, course: Course) -> Iterator[tuple[Any, Any]]:
    """The batches of a course from its next step on, each from numbers of its own; the next is made meanwhile."""
    with ThreadPoolExecutor(1) as beside:
        step = course.done
        coming = beside.submit(batch, np.random.default_rng([course.seed, step, len(course.name)]))
        while True:
            ready, step = coming.result(), step + 1
            coming = beside.submit(batch, np.random.default_rng([course.seed, step, len(course.name)]))
            yield ready


def _save(net: Any, tuner: Any, course: Course) -> None:
    """Write the checkpoint so that a break in between leaves the last one whole."""
    state = {"net": net.state_dict(), "tuner": tuner.state_dict(), "step": course.done, "curve": course.curve}
    fresh = course.keep.with_suffix(".new")
    torch.save({**state, "cpu_s": course.budget.used}, fresh)
    fresh.replace(course.keep)


def train_finder(drawn: Samples, course: Course) -> Any:
    """The trained finder."""
    torch.manual_seed(course.seed)
    net = FinderNet().to(memory_format=torch.channels_last)
    number = drawn.corners[:, 0].astype(int)
    rows = {int(k): drawn.corners[number == k, 1:] for k in np.unique(number)}

    def batch(rng: np.random.Generator) -> tuple[Any, Any]:
        pictures, goals = data.finder_batch(rng, drawn, rows, BATCH[0])
        return torch.from_numpy(pictures).to(memory_format=torch.channels_last), torch.from_numpy(goals)

    learn(net, finder_loss, batch, course)
    return net


def train_reader(drawn: Samples, course: Course) -> Any:
    """The trained reader."""
    torch.manual_seed(course.seed + 1)
    net = ReaderNet().to(memory_format=torch.channels_last)

    def batch(rng: np.random.Generator) -> tuple[Any, Any]:
        patches, labels = data.reader_batch(rng, drawn, rng.integers(0, len(drawn.labels), BATCH[1]))
        return torch.from_numpy(patches).to(memory_format=torch.channels_last), torch.from_numpy(labels)

    learn(net, reader_loss, batch, course)
    return net


def blend(net: Any, ends: list[tuple[Path, float]]) -> None:
    """Make ``net`` the mean of the checkpoints ``ends``, each with its share; they go back to one beginning.

    What each course taught mostly stays in the mean, and less of what was known before is lost (Wortsman et al., Model
    soups, 2022).
    """
    states = [(torch.load(path, map_location="cpu", weights_only=True)["net"], share) for path, share in ends]
    first = states[0][0]
    net.load_state_dict(
        {
            name: sum(state[name] * share for state, share in states) if value.is_floating_point() else value
            for name, value in first.items()
        }
    )


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
    stood = np.where(labels[:, 2] == 0, labels[:, 0] * 4 + labels[:, 1], 51 + labels[:, 2])
    read = np.where(kind == 0, rank * 4 + suit, 51 + kind)
    confusion = np.zeros((54, 54), int)
    np.add.at(confusion, (stood, read), 1)
    return {
        "confusion": confusion.tolist(),
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
    net = net.to(memory_format=torch.contiguous_format)
    outputs = ["out"]
    if isinstance(net, ReaderNet):
        net, outputs = ReaderForUse(net).eval(), ["out", "feature"]
    axes = {"picture": names} | {name: names if len(names) > 1 else {0: "n"} for name in outputs}
    torch.onnx.export(
        net, example, path, input_names=["picture"], output_names=outputs, dynamic_axes=axes, dynamo=False
    )
