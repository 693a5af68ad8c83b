"""An untrained network with the layers and size of YOLOv8-nano, as ONNX: something to time ours beside, nothing more.

Needs the package ``onnx``.
"""
# mypy: disable-error-code="import-not-found,import-untyped,no-any-return,unused-ignore"

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper


class _Net:
    """Nodes and weights as they are added; names of tensors are handed on."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.parameters = 0
        self._rng = np.random.default_rng(1)

    def add(self, kind: str, inputs: list[str], **settings: Any) -> str:
        name = f"t{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, inputs, [name], **settings))
        return name

    def keep(self, values: np.ndarray) -> str:  # type: ignore[type-arg]
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(values, name))
        return name

    def conv(self, x: str, inputs: int, outputs: int, size: int = 3, stride: int = 1, *, bent: bool = True) -> str:
        shape = (outputs, inputs, size, size)
        values = (self._rng.standard_normal(shape) * (2 / (inputs * size * size)) ** 0.5).astype(np.float32)
        self.parameters += values.size
        pad = size // 2
        y = self.add("Conv", [x, self.keep(values)], strides=[stride] * 2, pads=[pad] * 4)
        return self.add("Mul", [y, self.add("Sigmoid", [y])]) if bent else y

    def c2f(self, x: str, inputs: int, outputs: int, times: int, *, add: bool = True) -> str:
        half = outputs // 2
        whole = self.conv(x, inputs, outputs, 1)
        sizes = self.keep(np.array([half, half], np.int64))
        first, last = f"s{len(self.nodes)}a", f"s{len(self.nodes)}b"
        self.nodes.append(helper.make_node("Split", [whole, sizes], [first, last], axis=1))
        parts = [first, last]
        for _ in range(times):
            y = self.conv(self.conv(parts[-1], half, half), half, half)
            parts.append(self.add("Add", [parts[-1], y]) if add else y)
        return self.conv(self.add("Concat", parts, axis=1), (2 + times) * half, outputs, 1)

    def up(self, x: str) -> str:
        scales = self.keep(np.array([1, 1, 2, 2], np.float32))
        return self.add("Resize", [x, "", scales], mode="nearest")


def yolo_nano_sized(path: Path, side: int) -> int:
    """Write the network for pictures of ``side`` pixels; answers how many parameters it has."""
    n = _Net()
    x = n.conv(n.conv("picture", 3, 16, 3, 2), 16, 32, 3, 2)
    x = n.conv(n.c2f(x, 32, 32, 1), 32, 64, 3, 2)
    fine = n.c2f(x, 64, 64, 2)
    middle = n.c2f(n.conv(fine, 64, 128, 3, 2), 128, 128, 2)
    x = n.c2f(n.conv(middle, 128, 256, 3, 2), 256, 256, 1)
    x = n.conv(x, 256, 128, 1)
    pools = [x]
    for _ in range(3):
        pools.append(n.add("MaxPool", [pools[-1]], kernel_shape=[5, 5], pads=[2] * 4, strides=[1, 1]))
    coarse = n.conv(n.add("Concat", pools, axis=1), 512, 256, 1)
    middle = n.c2f(n.add("Concat", [n.up(coarse), middle], axis=1), 384, 128, 1, add=False)
    fine = n.c2f(n.add("Concat", [n.up(middle), fine], axis=1), 192, 64, 1, add=False)
    middle = n.c2f(n.add("Concat", [n.conv(fine, 64, 64, 3, 2), middle], axis=1), 192, 128, 1, add=False)
    coarse = n.c2f(n.add("Concat", [n.conv(middle, 128, 128, 3, 2), coarse], axis=1), 384, 256, 1, add=False)
    outputs = []
    for y, width in ((fine, 64), (middle, 128), (coarse, 256)):
        box = n.conv(n.conv(n.conv(y, width, 64), 64, 64), 64, 64, 1, bent=False)
        kind = n.conv(n.conv(n.conv(y, width, 80), 80, 80), 80, 53, 1, bent=False)
        outputs.append(n.add("Concat", [box, kind], axis=1))
    graph = helper.make_graph(
        n.nodes,
        "untrained",
        [helper.make_tensor_value_info("picture", TensorProto.FLOAT, [1, 3, side, side])],
        [helper.make_tensor_value_info(o, TensorProto.FLOAT, None) for o in outputs],
        n.weights,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.save(model, str(path))
    return n.parameters
