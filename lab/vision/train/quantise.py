"""``python -m lab.vision.train.quantise``: from the trained networks in 32 bits to those that are run, in 8.

Both networks are calibrated on pictures drawn for the training and written with 8-bit weights (a step for each kernel)
and activations: three times as fast on one thread. What needs fine steps stays in 32 bits: the last layer of each, and
how the reader evens out a patch's light. Inputs become bytes as OpenCV holds them: (n, height, width, 4) BGR and one
channel that counts nothing for the finder (four bytes are fetched faster than three; its width is a multiple of eight),
(n, 48, 40, 3) for the reader. At last both are put into a faster order (``lab.vision.train.regroup``).
``vision.finder.open_model`` asks onnxruntime for exact sums where a processor's products of bytes could overflow.

Measure how well the result reads: run ``measure.tables`` and ``measure.scenes`` with both.
"""
# mypy: disable-error-code="import-not-found,import-untyped,no-any-return,no-untyped-call,misc,unused-ignore"

from __future__ import annotations

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import CalibrationDataReader, CalibrationMethod, QuantFormat, QuantType, quantize_static

from lab.vision.train import samples as data
from lab.vision.train.clutter import sheets
from lab.vision.train.decks import own_decks
from lab.vision.train.fonts import font_files
from lab.vision.train.random_decks import random_decks
from lab.vision.train.regroup import drop_unused, regroup
from vision.finder import WEIGHTS, Finder

PICTURES: Final = 160
"""Calibration pictures of the finder; as many are drawn for the reader's patches, of which PATCHES are taken."""
PATCHES: Final = 1500
BATCH: Final = 20
CHANNELS: Final = 4
SCALE: Final = 1 / 127.5
MIDDLE: Final = 128
"""The finder sees a byte b as (b - 127.5) / 127.5; bytes have their zero at 128, the half goes into the bias."""


class _Batches(CalibrationDataReader):  # type: ignore[misc]
    """Calibration inputs, one batch at a time."""

    def __init__(self, name: str, batches: list[NDArray[np.float32]]) -> None:
        self._name, self._batches = name, iter(batches)

    def get_next(self) -> dict[str, NDArray[np.float32]] | None:
        batch = next(self._batches, None)
        return None if batch is None else {self._name: batch}


def calibration(work: Path, seed: int, finder: Finder) -> tuple[list[NDArray[np.float32]], list[NDArray[np.float32]]]:
    """Batches (n, 3, height, width) of pictures and of patches, drawn as those of the training are, another seed."""
    fonts = font_files(work)
    decks = own_decks() + random_decks(24, seed, fonts)
    about = sheets(20, seed, fonts)
    rng = np.random.default_rng([seed, 77])
    whole = data.draw_pictures(decks, about, [seed, 77, 1], PICTURES)
    cut = data.draw_patches(decks, about, [seed, 77, 2], PICTURES // 4, finder)
    rows: dict[int, NDArray[np.float32]] = {}
    pictures = [data.finder_batch(rng, whole, rows, BATCH)[0] for _ in range(PICTURES // BATCH)]
    chosen = rng.permutation(len(cut.labels))[:PATCHES]
    patches = [data.reader_batch(rng, cut, part)[0] for part in chosen[: len(chosen) // 50 * 50].reshape(-1, 50)]
    return pictures, patches


def nodes_using(graph: Any, name: str) -> Iterator[tuple[Any, int]]:
    """Nodes that read ``name``, and at which of their inputs."""
    for node in graph.node:
        for k, used in enumerate(node.input):
            if used == name:
                yield node, k


def _from_scaled(model: Any) -> str:
    """Cut off the finder's own scaling: its input is then ``scaled``, -1 to 1. Answers the first convolution's name."""
    graph = model.graph
    first = next(n for n in graph.node if n.op_type == "Conv")
    first.input[0] = "scaled"
    kernel = _weights(graph, first.input[1])
    wide = np.pad(numpy_helper.to_array(kernel), ((0, 0), (0, CHANNELS - 3), (0, 0), (0, 0)))
    kernel.CopyFrom(numpy_helper.from_array(wide, kernel.name))
    kind = helper.make_tensor_value_info("scaled", TensorProto.FLOAT, ["n", CHANNELS, "height", "width"])
    del graph.input[:]
    graph.input.append(kind)
    drop_unused(graph)
    return str(first.name)


def bytes_input(model: Any, into: str, shape: list[Any], *, as_float: bool) -> None:
    """Give the model the input ``picture`` (NHWC bytes); what was called ``into`` is made from it."""
    graph = model.graph
    turned = "picture_nchw" if as_float else into
    nodes = [helper.make_node("Transpose", ["picture"], [turned], name="bytes_nchw", perm=[0, 3, 1, 2])]
    if as_float:
        nodes.append(helper.make_node("Cast", [turned], [into], name="bytes_float", to=TensorProto.FLOAT))
    rest = list(graph.node)
    del graph.node[:]
    graph.node.extend([*nodes, *rest])
    del graph.input[:]
    graph.input.append(helper.make_tensor_value_info("picture", TensorProto.UINT8, shape))


def _weights(graph: Any, name: str) -> Any:
    return next(w for w in graph.initializer if w.name == name)


def quantised(
    model: Any, name: str, batches: list[NDArray[np.float32]], kinds: list[str], keep: list[str], method: Any
) -> Any:
    """The model with layers of ``kinds`` in 8 bits, those named in ``keep`` left as they are."""
    with tempfile.TemporaryDirectory() as scratch:
        whole, small = Path(scratch) / "whole.onnx", Path(scratch) / "small.onnx"
        onnx.save(model, str(whole))
        quantize_static(
            str(whole),
            str(small),
            _Batches(name, batches),
            quant_format=QuantFormat.QDQ,
            per_channel=True,
            reduce_range=False,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            op_types_to_quantize=kinds,
            nodes_to_exclude=keep,
            calibrate_method=method,
        )
        return onnx.load(str(small))


def quantise_finder(weights: Path, pictures: list[NDArray[np.float32]], method: Any) -> Any:
    """The finder of ``weights`` (32 bits) in 8 bits."""
    model = onnx.load(str(weights))
    first = _from_scaled(model)
    conv = next(n for n in model.graph.node if n.name == first)
    kernel = numpy_helper.to_array(_weights(model.graph, conv.input[1]))
    bias = _weights(model.graph, conv.input[2])
    moved = numpy_helper.to_array(bias) + kernel.sum(axis=(1, 2, 3)) * (MIDDLE - 127.5) * SCALE
    bias.CopyFrom(numpy_helper.from_array(moved.astype(np.float32), bias.name))
    last = [n.name for n in model.graph.node if n.op_type == "Conv"][-1]
    # the bytes stand for (b - 128) / 127.5 in this network
    more = ((0, 0), (0, CHANNELS - 3), (0, 0), (0, 0))
    scaled = [np.asarray(np.pad((batch - MIDDLE) * SCALE, more), np.float32) for batch in pictures]
    small = quantised(model, "scaled", scaled, ["Conv", "Relu", "Resize", "Add"], [last], method)
    graph = small.graph
    made = next(n for n in graph.node if n.op_type == "QuantizeLinear" and n.input[0] == "scaled")
    step, zero = _weights(graph, made.input[1]), _weights(graph, made.input[2])
    step.CopyFrom(numpy_helper.from_array(np.array(SCALE, np.float32), step.name))
    zero.CopyFrom(numpy_helper.from_array(np.array(MIDDLE, np.uint8), zero.name))
    into = str(made.output[0])
    graph.node.remove(made)
    bytes_input(small, into, ["n", "height", "width", CHANNELS], as_float=False)
    # the bias of the first convolution is kept in steps of the input's step times each kernel's
    _redo_bias(small, into, moved.astype(np.float64))
    return small


def _redo_bias(model: Any, into: str, bias: NDArray[np.float64]) -> None:
    graph = model.graph
    loose = next(n for n, _ in nodes_using(graph, into) if n.op_type == "DequantizeLinear")
    conv = next(n for n, _ in nodes_using(graph, loose.output[0]) if n.op_type == "Conv")
    kernels = next(n for n in graph.node if n.output[0] == conv.input[1])
    whole = next(n for n in graph.node if n.output[0] == conv.input[2])
    steps = SCALE * numpy_helper.to_array(_weights(graph, kernels.input[1])).astype(np.float64)
    for name, values in ((whole.input[0], np.rint(bias / steps).astype(np.int32)), (whole.input[1], np.float32(steps))):
        _weights(graph, name).CopyFrom(numpy_helper.from_array(np.asarray(values), name))


def quantise_reader(weights: Path, patches: list[NDArray[np.float32]], method: Any) -> Any:
    """The reader of ``weights`` (32 bits) in 8 bits."""
    model = onnx.load(str(weights))
    last = [n.name for n in model.graph.node if n.op_type == "Gemm"][-1]
    small = quantised(model, "picture", patches, ["Conv", "Relu", "MaxPool", "Gemm"], [last], method)
    for node, k in list(nodes_using(small.graph, "picture")):
        node.input[k] = "picture_float"
    bytes_input(small, "picture_float", ["n", 48, 40, 3], as_float=True)
    return small


METHODS: Final = {"minmax": CalibrationMethod.MinMax, "percentile": CalibrationMethod.Percentile}


def write(
    weights: Path, out: Path, pictures: list[NDArray[np.float32]], patches: list[NDArray[np.float32]], method: str
) -> dict[str, int]:
    """Write ``finder.onnx`` and ``reader.onnx`` of 8 bits to ``out``, calibrated on the given batches; their bytes."""
    out.mkdir(parents=True, exist_ok=True)
    made = {
        "finder.onnx": quantise_finder(weights / "finder.onnx", pictures, METHODS[method]),
        "reader.onnx": quantise_reader(weights / "reader.onnx", patches, METHODS[method]),
    }
    for name, model in made.items():
        regroup(model)
        onnx.checker.check_model(model)
        onnx.save(model, str(out / name))
    return {name: (out / name).stat().st_size for name in made}


def quantise(weights: Path, out: Path, work: Path, seed: int, method: str) -> dict[str, int]:
    """Write ``finder.onnx`` and ``reader.onnx`` of 8 bits to ``out``; answers their sizes in bytes."""
    return write(weights, out, *calibration(work, seed, Finder(weights / "finder.onnx")), method)


def main() -> None:
    """Draw calibration pictures, write both networks, print their sizes."""
    parser = argparse.ArgumentParser(prog="python -m lab.vision.train.quantise", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the training's folder, for its fonts")
    parser.add_argument("--weights", type=Path, default=WEIGHTS / "float")
    parser.add_argument("--out", type=Path, default=WEIGHTS)
    parser.add_argument("--seed", type=int, default=20261122)
    parser.add_argument("--method", choices=sorted(METHODS), default="minmax")
    options = parser.parse_args()
    if options.weights.resolve() == options.out.resolve():
        parser.error("--out would write over the networks it reads; give another folder")
    cv2.setNumThreads(1)
    print(json.dumps(quantise(options.weights, options.out, options.work, options.seed, options.method)))


if __name__ == "__main__":
    main()
