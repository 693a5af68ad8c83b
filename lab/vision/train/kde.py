"""Decks of Debian's ``kdegames-card-data-kf5``: sheets of thirteen columns, rendered whole and cut."""

from __future__ import annotations

import gzip
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER
from lab.vision.train.artwork import index_of, unpack
from lab.vision.train.decks import FACE_SIZE, Deck, Image, flatten, render

PACKAGE: Final = "kdegames-card-data-kf5"
UP: Final = "A23456789TJQK"
DOWN: Final = "AKQJT98765432"


@dataclass(frozen=True)
class _Sheet:
    """Suits of the first four rows, ranks of the columns, and whether cards touch (then: rows of the sheet)."""

    suits: str
    ranks: str
    rows: int = 0
    joker: bool = False
    four_corners: bool = False


SHEETS: Final = {
    "dondorf": _Sheet("CDHS", UP, joker=True, four_corners=True),
    "jolly-royal": _Sheet("CHDS", UP),
    "konqi-modern": _Sheet("CSHD", DOWN, rows=5),
    "penguins": _Sheet("CSHD", DOWN),
    "standard": _Sheet("SHCD", DOWN, rows=4),
    "xskat-french": _Sheet("CSHD", DOWN, rows=5, four_corners=True),
}
"""Designs that other packages have too, held out or not, and those without rank and suit in the corner are left out."""


def kde_decks(work: Path, own_back: Image, names: tuple[str, ...] = tuple(SHEETS)) -> list[Deck]:
    """The decks of SHEETS with these names, all with ``own_back``; faces are kept in ``work`` once rendered."""
    return [_deck(name, SHEETS[name], work, own_back) for name in names]


def _deck(name: str, sheet: _Sheet, work: Path, own_back: Image) -> Deck:
    kept = work / "kde" / f"{name}.npy"
    if not kept.exists():
        kept.parent.mkdir(exist_ok=True)
        fresh = kept.with_name(f"{name}-{os.getpid()}.new")
        with fresh.open("wb") as file:  # several processes may make the same one
            np.save(file, np.stack(_cut(name, sheet, work)))
        fresh.replace(kept)
    cells = np.load(kept)
    names = [rank + suit for suit in sheet.suits for rank in sheet.ranks]
    faces: dict[str, tuple[Image, ...]] = {face: (cells[n],) for n, face in enumerate(names)}
    if sheet.joker:
        faces[JOKER] = (cells[52],)
    return Deck(f"kde-{name}", faces, (own_back,), index_of(faces), four_corners=sheet.four_corners)


def _cut(name: str, sheet: _Sheet, work: Path) -> list[Image]:
    """Cut out the 52 faces row by row, and the joker if there is one."""
    folder = unpack(PACKAGE, work) / f"usr/share/carddecks/svg-{name}"
    svg = gzip.decompress(next(folder.glob("*.svgz")).read_bytes()).decode()
    head = re.search(r"<svg[^>]*>", svg, re.DOTALL)
    if head is None:
        raise ValueError(f"{name} is no drawing")
    # resvg wants sizes without units
    svg = svg.replace(head[0], re.sub(r'(\s(?:width|height)=")([0-9.]+)pt"', r'\1\2"', head[0]), 1)
    picture = render(svg, 14 * FACE_SIZE[0])
    solid = picture[..., 3] > 20
    if sheet.rows:
        edges = np.linspace(0, len(picture), sheet.rows + 1).round().astype(int)
        lines = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
    else:
        lines = _runs(solid.mean(axis=1) > 0.02, FACE_SIZE[1] // 2)
    cells: list[Image] = []
    for y0, y1 in lines[:4]:
        row = solid[y0:y1].mean(axis=0) > 0.2
        parts = _runs(row, FACE_SIZE[0] // 2)
        if len(parts) != 13 or sheet.rows:
            edges = np.linspace(0, picture.shape[1], 14).round().astype(int)
            parts = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        cells += [_face(picture[y0:y1, x0:x1]) for x0, x1 in parts]
    if sheet.joker:
        y0, y1 = lines[4]
        x0, x1 = _runs(solid[y0:y1].mean(axis=0) > 0.2, FACE_SIZE[0] // 2)[0]
        cells.append(_face(picture[y0:y1, x0:x1]))
    return cells


def _face(picture: NDArray[np.uint8]) -> Image:
    rows, columns = np.nonzero(picture[..., 3] > 128)
    return flatten(picture[rows.min() : rows.max() + 1, columns.min() : columns.max() + 1])


def _runs(filled: NDArray[Any], least: int) -> list[tuple[int, int]]:
    """Beginnings and ends of the stretches of true values at least ``least`` long."""
    edges = np.flatnonzero(np.diff(np.concatenate([[0], filled.astype(int), [0]])))
    return [(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a >= least]
