"""``measure small``: indices as a webcam shows them, 18 pixels tall, each named by one look, in counts.

``alone``: by the reader alone; ``table``: as a table's watcher reads them, those in doubt by what is beside them too
(``vision.sightings.SMALL_DOUBTED``). Counted are indices that the finder finds and nothing covers; ``unnamed`` are told
with less confidence than a table reports.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter

import numpy as np

from hw.cards import face
from hw.layout import DEFAULT_LAYOUT
from hw.twin.camera import Camera
from hw.twin.camera_style import STYLES
from hw.twin.scene import Scene
from lab.vision.measure.tables import random_table
from vision.calibration import calibrate
from vision.index_reader import IndexReader, IndexReading
from vision.look import doubted_again
from vision.sightings import FIND_PX_PER_MM, SMALL_DOUBTED
from vision.votes import MIN_CONFIDENCE


def outcome(reading: IndexReading, card: str) -> str:
    """Return what a table would make of one look at an index of ``card``."""
    if reading.face is None or reading.confidence < MIN_CONFIDENCE:
        return "unnamed"
    if reading.face == card:
        return "right"
    return "wrong, suit" if reading.face[0] == card[0] else "wrong"


def measure_table(reader: IndexReader, seed: int, px: int) -> dict[str, Counter[str]]:
    """Count one rendered table."""
    camera = Camera(DEFAULT_LAYOUT, STYLES[seed % len(STYLES)], seed=seed, width=px, height=px)
    calibration = calibrate(camera.render(Scene(0.0, ())), DEFAULT_LAYOUT)
    rng = random.Random(seed)  # noqa: S311 - reproducible scenes
    scene = Scene(1.0, random_table(rng, rng.choice((18.0, 26.0))))
    frame = camera.render(scene)
    shown = [(face(one.card.card), index) for one in camera.camera_truth(scene) for index in one.readable]
    middles = np.array([index.quad.mean(axis=0) for _, index in shown])
    spots = reader.finder.find(frame, max(1.0, calibration.px_per_mm() / FIND_PX_PER_MM))
    alone = reader.read(frame, spots)
    ways = {"alone": alone, "table": doubted_again(frame, alone, reader, SMALL_DOUBTED)}
    counts: dict[str, Counter[str]] = {way: Counter() for way in ways}
    for n, spot in enumerate(spots):
        away = np.hypot(*(middles - (spot.x, spot.y)).T)
        if away.min() < 0.3 * spot.height:
            for way, readings in ways.items():
                counts[way][outcome(readings[n], shown[int(away.argmin())][0])] += 1
    return counts


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=30)
    parser.add_argument("--seed", type=int, default=2500)
    parser.add_argument("--px", type=int, default=1080, help="pixels of the frame's side")
    args = parser.parse_args()
    reader, sums = IndexReader(), {"alone": Counter[str](), "table": Counter[str]()}
    for n in range(args.tables):
        for way, counts in measure_table(reader, args.seed + n, args.px).items():
            sums[way] += counts
    print(json.dumps({way: dict(sorted(counts.items())) for way, counts in sums.items()}, indent=1))
