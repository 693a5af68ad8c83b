"""``python -m vision.measure_scenes``: hands, rows, webcams and black packs, drawn, one frame, nothing known before.

Pictures of designs that no training picture showed (from the training's folder ``--work``), and of black packs drawn at
random with another seed than the training's, go through ``tavolo see``'s reader. Cards of one picture are distinct;
those with an index that shows whole must be read, the others may be.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.index_reader import Reader
from vision.measure import Count
from vision.see import draw_cards, see_picture
from vision.train import artwork, random_decks
from vision.train.decks import ALL_FACES, own_decks
from vision.train.fonts import font_files
from vision.train.scenes import Picture, draw_laid, shelves

Laid = list[tuple[str, float, float, float]]
WHOLE: Final = 0.9
"""Share of an index that must show for its card to be expected."""


def _faces(rng: np.random.Generator, count: int) -> list[str]:
    return [str(f) for f in rng.permutation(np.array([f for f in ALL_FACES if f != "JK"]))[:count]]


def hand(rng: np.random.Generator) -> Laid:
    """Thirteen cards held or laid as a fan."""
    radius, step, first = rng.uniform(110, 170), rng.uniform(0.105, 0.15), rng.uniform(0, 6.28)
    cards = []
    for n, face in enumerate(_faces(rng, 13)):
        a = first + (n - 6) * step
        cards.append((face, radius * (np.sin(a) - np.sin(first)), radius * (np.cos(first) - np.cos(a)), a))
    return cards


def rows(rng: np.random.Generator) -> Laid:
    """51 cards in two overlapped rows."""
    pitch, turn = rng.uniform(13, 17), rng.choice([0.0, np.pi]) + rng.normal(0, 0.03)
    cards = []
    for n, face in enumerate(_faces(rng, 51)):
        row, place = divmod(n, 26)
        cards.append((face, (place - 12.5) * pitch + rng.normal(0, 0.7), (row - 0.5) * 105 + rng.normal(0, 1.0), turn))
    return cards


def scattered(rng: np.random.Generator) -> Laid:
    """Six cards apart, turned any way."""
    faces = _faces(rng, 6)
    return [
        (f, (n % 3 - 1) * 105 + rng.normal(0, 6), (n // 3 - 0.5) * 110 + rng.normal(0, 6), rng.uniform(0, 6.28))
        for n, f in enumerate(faces)
    ]


KINDS: Final = {
    "hand of 13": (hand, 1000, (3.2, 4.2)),
    "51 in two rows": (rows, 1600, (3.3, 3.7)),
    "webcam, small indices": (scattered, 640, (1.3, 1.9)),
    "black pack": (scattered, 900, (2.0, 2.7)),
}
"""Layout, picture's side (px) and scale (px per mm)."""


def measure(reader: Reader, picture: Picture, count: Count) -> list[dict[str, Any]]:
    """Read one picture and add what was right and wrong to ``count``."""
    must = {c.face for c in picture.corners if c.shown >= WHOLE}
    may = {c.face for c in picture.corners}
    cards = see_picture(picture.image, reader)
    said = [c["card"] for c in cards]
    right = {f for f in said if f in may}
    count.frames += 1
    count.true += len(must)
    count.found += len(must & right)
    count.false += len(said) - len(right)
    count.missed.update(must - right)
    count.invented.update(f for f in said if f not in may)
    return cards


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(prog="python -m vision.measure_scenes", description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the training's folder, for its artwork")
    parser.add_argument("--pictures", type=int, default=40, help="of each kind")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--draw", type=Path, help="folder for the pictures that were not read right, marked")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader = Reader(options.weights) if options.weights else Reader()
    held = artwork.sheet_decks(artwork.HELD_OUT_SHEETS, options.work)
    held += artwork.npm_decks(artwork.NPM_HELD_OUT, options.work, own_decks()[0].backs[0])
    drawn = random_decks.random_decks(36, options.seed + 99, font_files(options.work))
    black = [d for d in drawn if float(d.faces["2H"][0][-40:-20, 150:170].mean()) < 70]
    report: dict[str, Any] = {"black packs": len(black)}
    for name, (layout, size, per_mm) in KINDS.items():
        packs, count = shelves(black if name.startswith("black") else held), Count()
        rng = np.random.default_rng([options.seed, len(name)])
        for n in range(options.pictures):
            shelf, ppm = packs[n % len(packs)], float(rng.uniform(*per_mm))
            picture = draw_laid(rng, shelf, layout(rng), size, ppm)
            before = (count.found - count.true, count.false)
            cards = measure(reader, picture, count)
            if options.draw is not None and (count.found - count.true, count.false) != before:
                options.draw.mkdir(parents=True, exist_ok=True)
                path = options.draw / f"{name.replace(' ', '-').replace(',', '')}-{n:03d}-{shelf.deck.name[:12]}.png"
                cv2.imwrite(str(path.with_name(path.name.replace("/", "-"))), draw_cards(picture.image, cards))
        report[name] = {k: v for k, v in count.lines().items() if k != "cpu_ms_median"}
    print(json.dumps(report, indent=1))


if __name__ == "__main__":
    main()
