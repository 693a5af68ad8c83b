"""``python -m vision.measure_votes``: thousands of rendered cards, one frame and several, pack unknown and enrolled.

Each table is rendered once by the twin's camera and shown in several frames that differ in noise and exposure; the
first sight counts as "one frame", the last as "voted". With ``--enrol`` the pack was shown once before, on other
tables, its cards named. ``--design`` takes a sheet that no training picture showed (from the folder ``--work`` of the
training); otherwise our own pack is drawn. The report is written after every table, and a run that was broken off goes
on.
"""

from __future__ import annotations

import argparse
import json
import math
import random
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import face
from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT
from hw.pack.style import STYLES as PACK_STYLES
from hw.twin.camera import Camera
from hw.twin.camera_cards import Artwork, pack_artwork
from hw.twin.camera_style import STYLES
from hw.twin.scene import Scene
from vision.calibration import Calibration, calibrate
from vision.measure import Count, compare, random_table, wilson
from vision.packs import PackFaces
from vision.reader import Reader
from vision.sightings import Watcher

NOISE: Final = 3.0
"""Grey levels (standard deviation) by which frames of one table differ, beside the camera's own noise."""
ENROL_TABLES: Final = 6
FIGURES: Final = ("true", "found", "false", "unknown", "frames")


def design_artwork(name: str, work: Path) -> Artwork:
    """The faces of a packaged sheet (see ``vision.train.artwork``); its back is our own."""
    from vision.train.artwork import sheet_decks

    deck = sheet_decks((name,), work)[0]
    own = pack_artwork()

    def picture(card: str, px_per_mm: float) -> NDArray[np.uint8]:
        printed, _, variety = card.partition("/")
        if printed not in deck.faces:
            return own(card, px_per_mm)
        pictures = deck.faces[printed]
        bgr = pictures[-1 if variety == "black" else 0]
        size = (round(CARD_WIDTH * px_per_mm), round(CARD_HEIGHT * px_per_mm))
        shape = own("AS", px_per_mm)[..., 3]  # the rounding of the corners
        drawn = cv2.resize(bgr, (shape.shape[1], shape.shape[0]) if shape.shape[:2] != size[::-1] else size)
        return np.dstack([drawn, shape]).astype(np.uint8)

    return picture


class Room:
    """One simulated camera with its calibration, and frames of scenes."""

    def __init__(self, number: int, artwork: Artwork) -> None:
        self.camera = Camera(DEFAULT_LAYOUT, STYLES[number % len(STYLES)], seed=7000 + number, artwork=artwork)
        self.empty = self.camera.render(Scene(0.0, ()))
        self.calibration: Calibration = calibrate(self.empty, DEFAULT_LAYOUT)
        noise = np.random.default_rng(number).standard_normal((1200, 1200, 3), np.float32) * NOISE
        tiles = -(-max(self.empty.shape[:2]) // 1200)
        self._noise = np.tile(noise, (tiles, tiles, 1))[: self.empty.shape[0], : self.empty.shape[1]].astype(np.int16)

    def again(self, frame: NDArray[np.uint8], rng: random.Random) -> NDArray[np.uint8]:
        """The frame as another moment shows it: other noise, slightly other exposure."""
        moved = np.roll(self._noise, (rng.randrange(1200), rng.randrange(1200)), axis=(0, 1))
        lit = cv2.convertScaleAbs(frame, alpha=rng.uniform(0.96, 1.04))
        return cv2.add(lit, moved, dtype=cv2.CV_8U).astype(np.uint8)


def enrolled(rooms: list[Room], reader: Reader, seed: int) -> PackFaces:
    """The pack as it is known after some tables of it were shown and every card of them named."""
    rng = random.Random(seed)  # noqa: S311 - reproducible scenes
    names: list[str] = []
    looks: list[NDArray[np.float32]] = []
    seen: Counter[str] = Counter()
    for n in range(ENROL_TABLES):
        room = rooms[n % len(rooms)]
        scene = Scene(1.0, random_table(rng, 26.0))
        frame = room.camera.render(scene)
        truth = [t.card for t in room.camera.camera_truth(scene) if t.card.face_up and t.readable]
        for reading in reader.read(frame, reader.finder.find(frame, room.calibration.px_per_mm() / 1.75)):
            x, y = room.calibration.to_table((reading.spot.x, reading.spot.y)).tolist()
            near = [c for c in truth if math.hypot(c.x - x, c.y - y) < 50 and face(c.card) == reading.face]
            if near and reading.feature is not None and seen[face(near[0].card)] < 6:
                seen[face(near[0].card)] += 1
                names.append(face(near[0].card))
                looks.append(reading.feature)
    return PackFaces("burraco", tuple(names), np.array(looks, np.float32))


def lines(done: dict[str, Any]) -> dict[str, Any]:
    """The report's counts with rates and 95 % intervals."""
    out: dict[str, Any] = {}
    for name, c in done["counts"].items():
        said = c["found"] + c["false"]
        out[name] = {
            **{k: c[k] for k in FIGURES},
            "recall": round(c["found"] / max(1, c["true"]), 5),
            "recall_95": wilson(c["found"], c["true"]),
            "precision": round(c["found"] / max(1, said), 5),
            "precision_95": wilson(c["found"], said),
            "missed": dict(Counter(c["missed"]).most_common(8)),
            "invented": dict(Counter(c["invented"]).most_common(8)),
        }
    return out


def _add(done: dict[str, Any], name: str, count: Count) -> None:
    kept = done["counts"].setdefault(name, {**dict.fromkeys(FIGURES, 0), "missed": {}, "invented": {}})
    for figure in FIGURES:
        kept[figure] += getattr(count, figure)
    for what in ("missed", "invented"):
        kept[what] = dict(Counter(kept[what]) + getattr(count, what))


def main() -> None:
    """Measure until ``--cards`` cards were shown, and print the report."""
    parser = argparse.ArgumentParser(prog="python -m vision.measure_votes", description=__doc__)
    parser.add_argument("--report", type=Path, required=True, help="JSON that is written after every table")
    parser.add_argument("--cards", type=int, default=30000)
    parser.add_argument("--frames", type=int, default=5, help="frames of each table")
    parser.add_argument("--pitch", type=float, nargs="+", default=[20.0, 16.0], help="mm from card to card")
    parser.add_argument("--style", type=int, default=0, help="style of our own pack")
    parser.add_argument("--design", help="a packaged sheet instead of our own pack")
    parser.add_argument("--work", type=Path, help="the training's folder, for --design")
    parser.add_argument("--enrol", action="store_true", help="the pack was enrolled before")
    parser.add_argument("--seed", type=int, default=5200)
    parser.add_argument("--weights", type=Path)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.design and options.work is None:
        parser.error("--design needs --work")
    artwork = (
        design_artwork(options.design, options.work) if options.design else pack_artwork(PACK_STYLES[options.style])
    )
    asked = {k: str(v) for k, v in vars(options).items() if k not in ("report", "cards", "work")}
    done: dict[str, Any] = {"asked": asked, "tables": 0, "counts": {}}
    if options.report.exists():
        done = json.loads(options.report.read_text())
        if done["asked"] != asked:
            parser.error(f"{options.report} is of another measurement")
    reader = Reader(options.weights) if options.weights else Reader()
    rooms = [Room(n, artwork) for n in range(len(STYLES))]
    if options.enrol:
        reader.pack = enrolled(rooms, reader, options.seed)
    while sum(c["true"] for name, c in done["counts"].items() if name.startswith("voted")) < options.cards:
        n = done["tables"]
        rng = random.Random(options.seed * 100_003 + n)  # noqa: S311 - reproducible scenes
        pitch, room = options.pitch[n % len(options.pitch)], rooms[n % len(rooms)]
        scene = Scene(1.0, random_table(rng, pitch))
        frame = room.camera.render(scene)
        truth = room.camera.camera_truth(scene)
        sure = [t.card for t in truth if t.card.face_up and t.readable]
        rest = [t.card for t in truth if t.card.face_up and not t.readable]
        watcher = Watcher(DEFAULT_LAYOUT, room.calibration, reader, empty=room.empty)
        watcher.second_looks = 400
        sight = None
        for k in range(options.frames):
            sight = watcher.look(room.again(frame, rng), 1.0 + 5.0 * k) or sight
            if sight is not None and k in (0, options.frames - 1):
                count = Count()
                compare(sight, sure, rest, count)
                _add(done, f"{'one frame' if k == 0 else 'voted'}, {pitch:g} mm", count)
        done["tables"] = n + 1
        fresh = options.report.with_suffix(".new")
        fresh.write_text(json.dumps(done))
        fresh.replace(options.report)
        print(f"{n + 1} tables", file=sys.stderr, flush=True)
    print(json.dumps(lines(done), indent=1))


if __name__ == "__main__":
    main()
