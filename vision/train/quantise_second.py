"""``python -m vision.train.quantise_second``: the second reader from 32 bits to the 8 in which it is run.

As ``vision.train.quantise`` does it for the other two: weights and activations in 8 bits, the last layer and how the
light of a patch is evened out in 32, bytes (n, 56, 48, 3) BGR for input. Calibrated on a lot of pictures drawn as those
of its training.
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

from vision.finder import WEIGHTS, Finder
from vision.second_reader import WIDE
from vision.train.quantise import METHODS, bytes_input, nodes_using, quantised
from vision.train.samples import tint
from vision.train.wide_lots import RIM, draw_lot, load

SCENES: Final = 80
PATCHES: Final = 1500
BATCH: Final = 50


def calibration(stored: NDArray[np.uint8], rng: np.random.Generator) -> list[NDArray[np.float32]]:
    """Batches (n, 3, 56, 48) of stored patches (n, 72, 64, 3), each in a light of its own."""
    some = stored[rng.permutation(len(stored))[:PATCHES], RIM:-RIM, RIM:-RIM]
    lit = np.stack([tint(rng, patch) for patch in some]).transpose(0, 3, 1, 2)
    return [np.ascontiguousarray(part) for part in np.array_split(lit, -(-len(lit) // BATCH))]


def quantise_second(weights: Path, patches: list[NDArray[np.float32]]) -> Any:
    """The second reader of ``weights`` (32 bits) in 8 bits."""
    model = onnx.load(str(weights))
    names = [n.name for n in model.graph.node]
    light = names[: names.index(next(n.name for n in model.graph.node if n.op_type == "Conv"))]
    last = [n.name for n in model.graph.node if n.op_type == "Gemm"][-1]
    kinds = ["Conv", "Relu", "Add", "Gemm"]
    small = quantised(model, "picture", patches, kinds, [*light, last], METHODS["minmax"])
    for node, k in list(nodes_using(small.graph, "picture")):
        node.input[k] = "picture_float"
    bytes_input(small, "picture_float", ["n", WIDE[1], WIDE[0], 3], as_float=True)
    onnx.checker.check_model(small)
    return small


def main() -> None:
    """Draw calibration pictures, write the network, print its size."""
    parser = argparse.ArgumentParser(prog="python -m vision.train.quantise_second", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the training's folder, for its artwork")
    parser.add_argument("--weights", type=Path, default=WEIGHTS / "float" / "second.onnx")
    parser.add_argument("--out", type=Path, default=WEIGHTS / "second.onnx")
    parser.add_argument("--seed", type=int, default=20261126)
    options = parser.parse_args()
    if options.weights.resolve() == options.out.resolve():
        parser.error("--out would write over the network it reads; give another file")
    cv2.setNumThreads(1)
    with tempfile.TemporaryDirectory() as scratch:
        draw_lot(options.work, [options.seed, 78, 0], SCENES, Finder(), Path(scratch))
        stored = np.concatenate([load(path).patches for path in sorted(Path(scratch).glob("*.npz"))])
    batches = calibration(stored, np.random.default_rng([options.seed, 78]))
    onnx.save(quantise_second(options.weights, batches), str(options.out))
    print(json.dumps({options.out.name: options.out.stat().st_size}))


if __name__ == "__main__":
    main()
