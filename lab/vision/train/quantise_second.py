"""``python -m lab.vision.train.quantise_second``: the second or context reader from 32 bits to 8.

As ``train.quantise`` does it for the other two: weights and activations in 8 bits, the last layer and how the
light of a patch is evened out in 32, bytes (n, height, width, 3) BGR for input. Calibrated on a lot of pictures drawn
as those of its training.
"""
# mypy: disable-error-code="import-not-found,import-untyped,no-any-return,no-untyped-call,misc,unused-ignore"

from __future__ import annotations

import argparse
import json
import tempfile
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray

from lab.vision.train import context_lots
from lab.vision.train.context_lots import draw_views, load_views
from lab.vision.train.quantise import METHODS, bytes_input, nodes_using, quantised
from lab.vision.train.samples import tint
from lab.vision.train.wide_lots import RIM, draw_lot, load
from vision.finder import WEIGHTS, Finder

SCENES: Final = 80
PATCHES: Final = 1500
BATCH: Final = 50


def calibration(stored: NDArray[np.uint8], rng: np.random.Generator, rim: int = RIM) -> list[NDArray[np.float32]]:
    """Batches (n, 3, height, width) of stored patches, which are wider by ``rim`` all round, each in its own light."""
    some = stored[rng.permutation(len(stored))[:PATCHES], rim:-rim, rim:-rim]
    lit = np.stack([tint(rng, patch) for patch in some]).transpose(0, 3, 1, 2)
    return [np.ascontiguousarray(part) for part in np.array_split(lit, -(-len(lit) // BATCH))]


def quantise_second(weights: Path, patches: list[NDArray[np.float32]]) -> Any:
    """The second or context reader of ``weights`` (32 bits) in 8 bits; ``patches``: batches (n, 3, height, width)."""
    model = onnx.load(str(weights))
    names = [n.name for n in model.graph.node]
    light = names[: names.index(next(n.name for n in model.graph.node if n.op_type == "Conv"))]
    last = [n.name for n in model.graph.node if n.op_type == "Gemm"][-1]
    kinds = ["Conv", "Relu", "Add", "Gemm"]
    small = quantised(model, "picture", patches, kinds, [*light, last], METHODS["minmax"])
    for node, k in list(nodes_using(small.graph, "picture")):
        node.input[k] = "picture_float"
    bytes_input(small, "picture_float", ["n", *patches[0].shape[2:], 3], as_float=True)
    onnx.checker.check_model(small)
    return small


def main() -> None:
    """Draw calibration pictures, write the network, print its size."""
    parser = argparse.ArgumentParser(prog="python -m lab.vision.train.quantise_second", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the training's folder, for its artwork")
    parser.add_argument("--context", action="store_true", help="the context reader, not the second")
    parser.add_argument("--weights", type=Path, help="the network in 32 bits; float/second.onnx or float/context.onnx")
    parser.add_argument("--out", type=Path, help="second.onnx or context.onnx beside the others")
    parser.add_argument("--seed", type=int, default=20261126)
    options = parser.parse_args()
    name = "context.onnx" if options.context else "second.onnx"
    weights = options.weights or WEIGHTS / "float" / name
    out = options.out or WEIGHTS / name
    if weights.resolve() == out.resolve():
        parser.error("--out would write over the network it reads; give another file")
    cv2.setNumThreads(1)
    seed = [options.seed, 78, 0]
    with tempfile.TemporaryDirectory() as scratch:
        if options.context:
            path = Path(scratch) / "views.npz"
            draw_views(options.work, seed, SCENES, Finder(), path)
            stored, rim = load_views(path).views, context_lots.RIM
        else:
            draw_lot(options.work, seed, SCENES, Finder(), Path(scratch))
            stored, rim = np.concatenate([load(path).patches for path in sorted(Path(scratch).glob("*.npz"))]), RIM
    batches = calibration(stored, np.random.default_rng([options.seed, 78]), rim)
    onnx.save(quantise_second(weights, batches), str(out))
    print(json.dumps({out.name: out.stat().st_size}))


if __name__ == "__main__":
    main()
