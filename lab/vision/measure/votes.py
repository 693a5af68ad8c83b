"""``measure votes``: thousands of rendered cards, one frame and several, pack unknown and enrolled.

Each table is rendered once by the twin's camera and shown in several frames that differ in noise and exposure; the
first sight counts as "one frame", the last as "voted". With ``--enrol`` every table is read with the pack enrolled too:
it was shown once before, on other tables, its cards named. ``--design`` takes a sheet that no training picture showed
(from the folder ``--work`` of the training); otherwise our own pack is drawn. The report is written after every few
tables, and a run that was broken off goes on, unless the networks have become others. It lists every wrong card;
``--crops`` keeps a picture of each. The tables do not depend on ``--jobs``, the noise does.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import multiprocessing
import random
import signal
import sys
from collections import Counter
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import face
from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT
from hw.observations import Sight
from hw.pack.style import STYLES as PACK_STYLES
from hw.twin.camera import Camera
from hw.twin.camera_cards import Artwork, pack_artwork
from hw.twin.camera_style import STYLES
from hw.twin.scene import Scene
from lab.vision.measure.tables import Count, Wrong, compare, random_table, wilson
from vision.calibration import Calibration, calibrate
from vision.finder import WEIGHTS
from vision.index_reader import IndexReader
from vision.packs import PackFaces
from vision.sightings import Watcher

NOISE: Final = 3.0
"""Grey levels (standard deviation) by which frames of one table differ, beside the camera's own noise."""
ENROL_TABLES: Final = 6
BATCH: Final = 4
"""Tables read a job between two writings of the report."""
FIGURES: Final = ("true", "found", "false", "unknown", "frames")
CROP_MM: Final = 60.0
"""Half the side of a wrong card's picture."""


def design_artwork(name: str, work: Path) -> Artwork:
    """The faces of a packaged sheet (see ``lab.vision.train.artwork``); its back is our own."""
    from lab.vision.train.artwork import sheet_decks

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


def enrolled(rooms: list[Room], reader: IndexReader, seed: int) -> PackFaces:
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


def table(done: dict[str, Any]) -> str:
    """The report's counts as a Markdown table: one frame and voted, the pack unknown and enrolled."""
    out = [
        "| from card to card | frames | pack | cards | found | false | `??` | recall | precision |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for name, c in lines(done).items():
        pack, frames, pitch = name.split(", ")
        rates = [
            f"{c[rate]:.4f} ({low:.4f} – {high:.4f})".replace("0.", ".")
            for rate, (low, high) in (("recall", c["recall_95"]), ("precision", c["precision_95"]))
        ]
        out.append(f"| {pitch} | {frames} | {pack} | {c['true']} | {c['found']} | {c['false']} | {c['unknown']} | ")
        out[-1] += " | ".join(rates) + " |"
    return "\n".join(out)


def _networks(weights: Path) -> str:
    """Return which networks these are."""
    content = b"".join((weights / name).read_bytes() for name in ("finder.onnx", "reader.onnx"))
    return hashlib.sha256(content).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Asked:
    """Parameters of a measurement; see the options of the same names."""

    frames: int
    pitch: tuple[float, ...]
    style: int
    design: str | None
    work: Path | None
    enrol: bool
    seed: int
    weights: Path
    crops: Path | None


class Bench:
    """The rooms, the reader and the pack of one process."""

    def __init__(self, asked: Asked) -> None:
        cv2.setNumThreads(1)
        self._asked = asked
        if asked.design is not None and asked.work is not None:
            artwork = design_artwork(asked.design, asked.work)
        else:
            artwork = pack_artwork(PACK_STYLES[asked.style])
        self._reader = IndexReader(asked.weights)
        self._rooms = [Room(n, artwork) for n in range(len(STYLES))]
        self._packs: dict[str, PackFaces | None] = {"pack unknown": None}
        if asked.enrol:
            self._packs["enrolled"] = enrolled(self._rooms, self._reader, asked.seed)

    def table(self, n: int) -> list[tuple[str, Count]]:
        """Return what was read on table ``n``, by pack, number of frames and pitch."""
        asked = self._asked
        rng = random.Random(asked.seed * 100_003 + n)  # noqa: S311 - reproducible scenes
        pitch, room = asked.pitch[n % len(asked.pitch)], self._rooms[n % len(self._rooms)]
        scene = Scene(1.0, random_table(rng, pitch))
        frame = room.camera.render(scene)
        up = [t for t in room.camera.camera_truth(scene) if t.card.face_up]
        sure = [t.card for t in up if t.readable]
        rest = [t.card for t in up if not t.readable]
        watchers = {name: self._watcher(room) for name in self._packs}
        counts = []
        sights: dict[str, Sight] = {}
        for k in range(asked.frames):
            moment = room.again(frame, rng)
            for name, watcher in watchers.items():
                self._reader.pack = self._packs[name]
                sight = watcher.look(moment, 1.0 + 5.0 * k)
                if sight is not None:
                    sights[name] = sight
                if name in sights and k in (0, asked.frames - 1):
                    count = Count()
                    compare(sights[name], sure, rest, count)
                    shown = "one frame" if k == 0 else "voted"
                    counts.append((f"{name}, {shown}, {pitch:g} mm", count))
                    self._keep_wrong(room, moment, count, f"{n:04d} {pitch:g} {name}, {shown}")
        return counts

    def _watcher(self, room: Room) -> Watcher:
        watcher = Watcher(DEFAULT_LAYOUT, room.calibration, self._reader, empty=room.empty)
        watcher.second_looks = 400
        return watcher

    def _keep_wrong(self, room: Room, moment: NDArray[np.uint8], count: Count, name: str) -> None:
        """Keep pictures of what was read wrongly, where a folder for them was named."""
        if self._asked.crops is not None:
            for wrong in count.wrong:
                self._keep(self._asked.crops, room, moment, wrong, name)

    @staticmethod
    def _keep(folder: Path, room: Room, frame: NDArray[np.uint8], wrong: Wrong, about: str) -> None:
        """A picture of a wrong card and what lies around it."""
        corners = [(wrong.x - CROP_MM, wrong.y + CROP_MM), (wrong.x + CROP_MM, wrong.y - CROP_MM)]
        (x0, y0), (x1, y1) = (room.camera.project(*corner) for corner in corners)
        part = frame[max(0, round(y0)) : round(y1), max(0, round(x0)) : round(x1)]
        name = f"{about} {wrong.what} {wrong.card} {wrong.x:.0f} {wrong.y:.0f}.png".replace("/", "-")
        if part.size:
            cv2.imwrite(str(folder / name), part)


_bench: list[Bench] = []


def _set_up(asked: Asked) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process ends the others
    _bench.append(Bench(asked))


def _table(n: int) -> list[tuple[str, Count]]:
    return _bench[0].table(n)


def _shown(done: dict[str, Any]) -> int:
    return sum(c["true"] for name, c in done["counts"].items() if name.startswith("pack unknown, one frame"))


def _measure(asked: Asked, done: dict[str, Any], cards: int, jobs: int, report: Path) -> None:
    """Measure until ``cards`` cards were shown; ``done`` grows, and is written to ``report`` after every few tables."""
    with multiprocessing.get_context("spawn").Pool(jobs, _set_up, (asked,)) as pool:
        while _shown(done) < cards:
            first, many = done["tables"], BATCH * jobs
            for n, counts in enumerate(pool.map(_table, range(first, first + many), 1), first):
                for name, count in counts:
                    _add(done, name, count)
                    done["wrong"] += [[n, name, *astuple(wrong)] for wrong in count.wrong]
            done["tables"] = first + many
            fresh = report.with_suffix(".new")
            fresh.write_text(json.dumps(done))
            fresh.replace(report)
            print(f"{done['tables']} tables, {_shown(done)} cards", file=sys.stderr, flush=True)


def main() -> None:
    """Measure until ``--cards`` cards were shown, and print the report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--report", type=Path, required=True, help="JSON that is written after every few tables")
    parser.add_argument("--cards", type=int, default=30000)
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--frames", type=int, default=5, help="frames of each table")
    parser.add_argument("--pitch", type=float, nargs="+", default=[20.0, 16.0], help="mm from card to card")
    parser.add_argument("--style", type=int, default=0, help="style of our own pack")
    parser.add_argument("--design", help="a packaged sheet instead of our own pack")
    parser.add_argument("--work", type=Path, help="the training's folder, for --design")
    parser.add_argument("--enrol", action="store_true", help="read with the pack enrolled, too")
    parser.add_argument("--seed", type=int, default=5200)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    parser.add_argument("--crops", type=Path, help="folder for a picture of every wrong card")
    parser.add_argument("--markdown", type=Path, help="file for the counts as a table, too")
    options = parser.parse_args()
    if options.design and options.work is None:
        parser.error("--design needs --work")
    if options.crops is not None:
        options.crops.mkdir(parents=True, exist_ok=True)
    aside = ("report", "cards", "jobs", "markdown")
    plain = {k: str(v) for k, v in vars(options).items() if k not in (*aside, "work", "weights", "crops")}
    plain["networks"] = _networks(options.weights)
    done: dict[str, Any] = {"asked": plain, "tables": 0, "counts": {}, "wrong": []}
    if options.report.exists():
        done = json.loads(options.report.read_text())
        if done["asked"] != plain:
            parser.error(f"{options.report} is of another measurement, or of other networks")
    fields = {k: v for k, v in vars(options).items() if k not in aside}
    asked = Asked(**{**fields, "pitch": tuple(options.pitch)})
    if _shown(done) < options.cards:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        try:
            _measure(asked, done, options.cards, options.jobs, options.report)
        except KeyboardInterrupt:
            sys.exit(f"broken off after {done['tables']} tables; the same command goes on from there")
    if options.markdown is not None:
        options.markdown.write_text(table(done) + "\n", encoding="utf-8")
    print(json.dumps(lines(done), indent=1))
