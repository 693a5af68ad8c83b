"""The same sums in a faster order: a last pass over the networks in 8 bits.

A convolution over three or four channels spends its time on fetching. Four pixels side by side are therefore taken for
one of four times the channels (the bytes lie in that order already, so nothing is moved), and one convolution makes the
results of all of them, with zeros where a result does not look. A picture is doubled by copying rows and columns
instead of asking for each place where it comes from. Sums of whole numbers are exact, so no result changes by a bit.
"""
# mypy: disable-error-code="import-not-found,import-untyped,no-any-return,no-untyped-call,misc,unused-ignore"

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from onnx import helper, numpy_helper

TOGETHER: Final = 4
"""Pixels side by side that are taken for one; widths must be divisible by it. Two and eight were slower."""
PREFIX: Final = "regrouped_"
_TO_LAST: Final = {"perm": [0, 2, 3, 1]}
_TO_FIRST: Final = {"perm": [0, 3, 1, 2]}
Step = tuple[str, list[str | None], dict[str, Any]]
"""An operator, its inputs after the first (None: the first once more) and its attributes."""


def regroup(model: Any) -> None:
    """Change a network in 8 bits (``QuantizeLinear`` and ``DequantizeLinear`` around each layer) in place."""
    graph = _Graph(model.graph)
    if any(node.name.startswith(PREFIX) for node in model.graph.node):
        return
    _group_first(graph)
    for resize in [n for n in model.graph.node if n.op_type == "Resize"]:
        _copy_rows(graph, resize)
    drop_unused(model.graph)
    del model.graph.value_info[:]  # shapes that were noted before


def drop_unused(graph: Any) -> None:
    """Leave out nodes with unused results, and unused weights."""
    wanted = {o.name for o in graph.output}
    kept = []
    for node in reversed(graph.node):
        if any(o in wanted for o in node.output):
            kept.append(node)
            wanted |= set(node.input)
    del graph.node[:]
    graph.node.extend(reversed(kept))
    weights = [w for w in graph.initializer if w.name in wanted]
    del graph.initializer[:]
    graph.initializer.extend(weights)


def grouped_kernel(kernel: NDArray[np.int8], stride: int) -> NDArray[np.int8]:
    """A kernel (out, in, 3, 3), moved by ``stride`` and padded by 1, for TOGETHER pixels side by side taken for one.

    Answers (TOGETHER / stride * out, TOGETHER * in, 3, groups): the group before, the own and, where any result looks
    there, the next.
    """
    out, channels, tall, wide = kernel.shape
    results = TOGETHER // stride
    seen = [divmod(stride * result + k - 1, TOGETHER) for result in range(results) for k in range(wide)]
    groups = max(group for group, _ in seen) + 2
    made = np.zeros((results, out, TOGETHER, channels, tall, groups), np.int8)
    for n, (group, pixel) in enumerate(seen):
        made[n // wide, :, pixel, :, :, group + 1] = kernel[..., n % wide]
    return made.reshape(results * out, TOGETHER * channels, tall, groups)


class _Graph:
    """A graph while it is changed."""

    def __init__(self, graph: Any) -> None:
        self.graph = graph
        self._made = 0

    def maker(self, name: str) -> Any:
        """The node that makes ``name``."""
        return next(n for n in self.graph.node if name in n.output)

    def users(self, name: str) -> list[Any]:
        """The nodes that use ``name``."""
        return [n for n in self.graph.node if name in n.input]

    def values(self, name: str) -> NDArray[Any]:
        """The weights called ``name``."""
        return numpy_helper.to_array(next(w for w in self.graph.initializer if w.name == name))

    def change(self, name: str, values: NDArray[Any]) -> None:
        """Put other weights in place of ``name``."""
        next(w for w in self.graph.initializer if w.name == name).CopyFrom(numpy_helper.from_array(values, name))

    def shape(self, sizes: list[int]) -> str:
        """The name of a shape for ``Reshape``: 0 keeps a size, -1 takes what is left."""
        name = f"{PREFIX}shape_{len(self.graph.initializer)}"
        self.graph.initializer.append(numpy_helper.from_array(np.array(sizes, np.int64), name))
        return name

    def lead(self, name: str, steps: list[Step], users: list[Any]) -> str:
        """Lead ``name`` through ``steps`` to ``users``; answers the last step's result."""
        place = list(self.graph.node).index(self.maker(name)) + 1
        now = name
        for operator, more, attributes in steps:
            self._made += 1
            made = f"{PREFIX}{self._made}"
            inputs = [now, *(now if m is None else m for m in more)]
            self.graph.node.insert(place, helper.make_node(operator, inputs, [made], name=made, **attributes))
            place, now = place + 1, made
        for node in users:
            node.input[:] = [now if used == name else used for used in node.input]
        return now

    def as_if(self, name: str, sizes: list[int], users: list[Any]) -> None:
        """Give ``users`` the bytes of ``name``, in the order they lie in with the channels last, as of other sizes."""
        steps: list[Step] = [
            ("Transpose", [], _TO_LAST),
            ("Reshape", [self.shape(sizes)], {}),
            ("Transpose", [], _TO_FIRST),
        ]
        self.lead(name, steps, users)


def _group_first(graph: _Graph) -> None:
    """Let the first convolution see TOGETHER pixels as one."""
    conv = next(n for n in graph.graph.node if n.op_type == "Conv")
    ints = {a.name: a.ints for a in conv.attribute}
    stride = int(ints["strides"][0])
    scene, kernel, bias = (graph.maker(name) for name in conv.input)
    out, channels = graph.values(kernel.input[0]).shape[:2]
    made = grouped_kernel(graph.values(kernel.input[0]), stride)
    graph.change(kernel.input[0], made)
    for name in (*kernel.input[1:], *bias.input):  # the steps of each kernel
        graph.change(name, np.tile(graph.values(name), TOGETHER // stride))
    ints["kernel_shape"][:] = made.shape[2:]
    ints["strides"][:] = [stride, 1]
    ints["pads"][:] = [1, 1, 1, made.shape[3] - 2]
    graph.as_if(scene.input[0], [0, 0, -1, TOGETHER * channels], [scene])
    in_bytes = graph.users(conv.output[0])[0].output[0]
    graph.as_if(in_bytes, [0, 0, -1, out], graph.users(in_bytes))


def _copy_rows(graph: _Graph, resize: Any) -> None:
    """Double a picture by copying; what it is added to says how large it becomes."""
    before = graph.maker(resize.input[0])
    after = graph.users(resize.output[0])[0]
    scene = graph.users(after.output[0])[0]
    added = graph.users(scene.output[0])[0]
    other = next(graph.maker(name) for name in added.input if name != scene.output[0])
    size = graph.lead(other.input[0], [("Transpose", [], _TO_LAST), ("Shape", [], {})], [])
    scene.input[0] = before.input[0]
    for node in (before, resize, after):
        graph.graph.node.remove(node)
    steps: list[Step] = [
        ("Transpose", [], _TO_LAST),
        ("Concat", [None], {"axis": 3}),
        ("Reshape", [graph.shape([0, 0, 1, -1])], {}),
        ("Concat", [None], {"axis": 2}),
        ("Reshape", [size], {}),
        ("Transpose", [], _TO_FIRST),
    ]
    graph.lead(scene.input[0], steps, [scene])
