"""Photographs pressed, stored anew and turned from light to dark, and what is asked of whoever has them made."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from hw.pack.raster import face_bgra
from lab.vision.remade import Remake
from vision.index_reader import IndexReader
from vision.see import see_picture


def cards_on_cloth() -> np.ndarray:
    """A 7H and a TC, 600 by 600 px."""
    cloth = np.full((600, 600, 3), (60, 110, 40), np.uint8)
    for name, left in (("7H", 40), ("TC", 320)):
        card = face_bgra(name, px_per_mm=4)
        cloth[100 : 100 + card.shape[0], left : left + card.shape[1]] = card[..., :3]
    return cloth


@pytest.mark.parametrize(
    "remake",
    [
        Remake(),
        Remake(size=(420, 600)),
        Remake(size=(600, 450), jpeg=60),
        Remake(inverted=True),
        Remake(inverted=True, size=(450, 600), jpeg=75),
    ],
    ids=["as_it_is", "narrowed", "lowered", "black", "black_narrowed"],
)
def test_cards_are_read_in_a_picture_however_it_was_remade(remake: Remake) -> None:
    picture = remake.of(cards_on_cloth())
    assert picture.shape[:2] == (remake.size or (600, 600))[::-1]
    assert sorted(c["card"] for c in see_picture(picture, IndexReader())) == ["7H", "TC"]


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (["--photos", ".", "--press", "416"], "'416' is no width and height, as in 640x640"),
        (["--photos", ".", "--jpeg", "0"], "'0' is no quality of a JPEG, 1 to 100"),
        (["--inverted"], "name their folder with --photos"),
    ],
    ids=["form", "quality", "no_photographs"],
)
def test_what_cannot_be_made_is_named(asked: list[str], sentence: str) -> None:
    call = [sys.executable, "-m", "lab.vision.measure", "tables", *asked]
    done = subprocess.run(call, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert sentence in " ".join(done.stderr.split())
