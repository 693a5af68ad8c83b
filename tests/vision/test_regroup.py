"""The faster order of the networks' sums changes no result."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vision.finder import WEIGHTS

onnx = pytest.importorskip("onnx", reason="onnx is not installed")
quantise = pytest.importorskip("lab.vision.train.quantise", reason="onnx is not installed", exc_type=ImportError)
regroup = pytest.importorskip("lab.vision.train.regroup", reason="onnx is not installed", exc_type=ImportError)


def _answers(model: Any, pictures: np.ndarray) -> list[np.ndarray]:
    import onnxruntime

    quiet = onnxruntime.SessionOptions()
    quiet.log_severity_level = 3
    quiet.add_session_config_entry("session.x64quantprecision", "1")  # else sums overflow by their order without VNNI
    session = onnxruntime.InferenceSession(model.SerializeToString(), quiet, providers=["CPUExecutionProvider"])
    return [np.asarray(out) for out in session.run(None, {"picture": pictures})]


@pytest.mark.parametrize(
    ("name", "sizes"),
    [("finder", [(1, 8, 8, 4), (1, 64, 136, 4), (2, 120, 72, 4)]), ("reader", [(1, 48, 40, 3), (7, 48, 40, 3)])],
)
def test_regrouped_networks_answer_the_same_to_the_bit(name: str, sizes: list[tuple[int, ...]]) -> None:
    rng = np.random.default_rng(405)
    shape = (2, 3, 64, 64) if name == "finder" else (8, 3, 48, 40)
    batch = rng.integers(0, 256, shape).astype(np.float32)
    make = quantise.quantise_finder if name == "finder" else quantise.quantise_reader
    model = make(WEIGHTS / "float" / f"{name}.onnx", [batch], quantise.METHODS["minmax"])
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    regroup.regroup(changed)
    assert len(changed.graph.node) != len(model.graph.node)
    for size in sizes:
        pictures = rng.integers(0, 256, size, np.uint8)
        for one, other in zip(_answers(model, pictures), _answers(changed, pictures), strict=True):
            assert one.std() > 0
            np.testing.assert_array_equal(one, other)


def test_the_networks_of_the_package_are_regrouped() -> None:
    for name in ("finder", "reader"):
        model = onnx.load(str(WEIGHTS / f"{name}.onnx"))
        before = len(model.graph.node)
        regroup.regroup(model)
        assert len(model.graph.node) == before
        assert any(node.name.startswith(regroup.PREFIX) for node in model.graph.node)
