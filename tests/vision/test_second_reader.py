"""The second reader: it reads more of what the reader doubts, in 8 bits as in 32, and is asked for by name if lost."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lab.vision.train.pip_shapes import random_shapes
from lab.vision.train.pips import pip
from tests.vision.pressed_frames import Drawn, pressed_frames
from vision.errors import ModelError
from vision.finder import WEIGHTS
from vision.index_reader import IndexReader
from vision.look import DOUBTED
from vision.second_reader import SecondReader


@pytest.fixture(scope="module")
def drawn() -> Drawn:
    return pressed_frames(611, 24, per_mm=1.15, quality=55)


@pytest.mark.slow(seconds=6)
def test_of_what_the_reader_doubts_both_together_read_more(drawn: Drawn) -> None:
    reader = IndexReader()
    doubted = before = after = 0
    for picture, spots, faces in drawn:
        readings = reader.read(picture, spots)
        unsure = [(r, face) for r, face in zip(readings, faces, strict=True) if r.confidence < DOUBTED]
        again = reader.read_again(picture, [r for r, _ in unsure])
        doubted += len(unsure)
        before += sum(r.face == face for r, face in unsure)
        after += sum(r.face == face for r, (_, face) in zip(again, unsure, strict=True))
    assert doubted > 80
    assert after > before + 0.05 * doubted


@pytest.mark.slow(seconds=4)
def test_eight_bits_read_what_thirty_two_do(drawn: Drawn) -> None:
    whole, small = SecondReader(WEIGHTS / "float" / "second.onnx"), SecondReader(WEIGHTS / "second.onnx")
    places = same = 0
    for picture, spots, _ in drawn:
        one, other = whole.answers(picture, spots), small.answers(picture, spots)
        places += len(spots)
        for heads in (slice(0, 13), slice(13, 17)):
            same += int((one[:, heads].argmax(1) == other[:, heads].argmax(1)).sum())
    assert places > 150
    assert same >= 0.96 * 2 * places


def test_nothing_asked_is_nothing_said() -> None:
    assert IndexReader().read_again(np.zeros((90, 90, 3), np.uint8), []) == []
    assert SecondReader(WEIGHTS / "second.onnx").answers(np.zeros((90, 90, 3), np.uint8), []).shape == (0, 20)


def test_weights_that_are_missing_are_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"second\.onnx are missing"):
        SecondReader(tmp_path / "second.onnx")


def test_pips_of_many_designs_are_whole_and_never_two_alike() -> None:
    """As many looks of a club as can be: of two shapes a network learns two."""
    rng = np.random.default_rng(5)
    designs = [random_shapes(rng) for _ in range(40)]
    for suit in "SCHD":
        shapes = [design[suit] for design in designs]
        assert len(set(shapes)) == len(shapes)
        assert all(shape.rstrip().endswith("Z") for shape in shapes)
        assert all('d="M' in pip(10, 10, 5, shape, "black") for shape in shapes)
