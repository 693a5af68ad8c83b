"""``python -m lab.vision.measure tables``: how well and how fast the reader works, in counts.

Without arguments it renders tables it has never seen (``hw.twin.camera``, seeds apart from the tests'), at several
pitches, and counts every card. ``--photos FOLDER`` measures photographs with an ``index.jsonl`` (one object a
photograph: file, cards with label), zero-shot, distinct cards per photograph. ``--whole N`` reads N rendered tables in
full HD as photographs, nothing known before: there indices are some 15 px tall. ``--press``, ``--jpeg`` and
``--inverted`` say how photographs are made anew before they are read (``lab.vision.remade``).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hw.cards import BURRACO, UNKNOWN, face
from hw.layout import CARD_HEIGHT, CARD_WIDTH, DEFAULT_LAYOUT, Layout, Rect
from hw.observations import Sight, SightedCard
from hw.twin.camera import Camera
from hw.twin.camera_style import STYLES
from hw.twin.scene import PlacedCard, Scene
from hw.zones import DISCARD
from lab.vision.measure.deal import measure_deal
from lab.vision.remade import Remake
from vision.calibration import calibrate
from vision.errors import PictureError
from vision.index_reader import IndexReader
from vision.pictures import open_picture
from vision.see import see_image, see_picture
from vision.sightings import Watcher

HALVES: Final = ("thresholds chosen here", "held out")
HD: Final = (1920, 1080)
NEAR_MM: Final = 8.0
"""A sighted card within this of a true card of the same face is that card."""


@dataclass(frozen=True, slots=True)
class Wrong:
    """A card that was missed, or one that was said and is not there (``what``: missed, false), at x, y on the table."""

    what: str
    card: str
    x: float
    y: float


@dataclass
class Count:
    """Cards that lay readable, those found right, those found wrongly, and where rows or orders were wrong."""

    true: int = 0
    found: int = 0
    false: int = 0
    unknown: int = 0
    """Said to be cards that cannot be read: neither found nor false."""
    twice: int = 0
    """Said once more of a card that was said already; counted where cards are distinct, and not false."""
    frames: int = 0
    ms: list[float] = field(default_factory=list)
    missed: Counter[str] = field(default_factory=Counter)
    invented: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)

    @property
    def recall(self) -> float:
        """Share of the true cards that were found."""
        return self.found / self.true if self.true else 1.0

    @property
    def precision(self) -> float:
        """Share of the found cards that are true."""
        said = self.found + self.false
        return self.found / said if said else 1.0

    def lines(self) -> dict[str, Any]:
        """The counts as plain values, with 95 % intervals (Wilson)."""
        return {
            "frames": self.frames,
            "cards": self.true,
            "found": self.found,
            "false": self.false,
            "unknown": self.unknown,
            "twice": self.twice,
            "recall": round(self.recall, 5),
            "recall_95": wilson(self.found, self.true),
            "precision": round(self.precision, 5),
            "precision_95": wilson(self.found, self.found + self.false),
            "cpu_ms_median": round(statistics.median(self.ms), 1) if self.ms else None,
            "missed": dict(self.missed.most_common(12)),
            "invented": dict(self.invented.most_common(12)),
        }


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share."""
    if not of:
        return 0.0, 1.0
    z, p = 1.96, hits / of
    middle = p + z * z / (2 * of)
    spread = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    return round((middle - spread) / (1 + z * z / of), 5), round((middle + spread) / (1 + z * z / of), 5)


def random_table(rng: random.Random, pitch: float, layout: Layout = DEFAULT_LAYOUT) -> tuple[PlacedCard, ...]:
    """Columns of both lines at ``pitch`` mm from card to card, a fanned pile, loose cards: from one Burraco pack."""
    pack = list(BURRACO.cards())
    rng.shuffle(pack)
    cards: list[PlacedCard] = []
    cards += _columns(rng, pack, pitch, layout.zones["melds-NS"], north=True)
    cards += _columns(rng, pack, pitch, layout.zones["melds-EW"], north=False)
    pile = layout.zones[DISCARD]
    step = max(pitch, 14.0)
    count = rng.randint(1, min(20, int((pile.x1 - pile.x0 - CARD_WIDTH - 8) / step)))
    left, y = pile.x0 + CARD_WIDTH / 2 + 4, pile.centre[1]
    cards += [_laid(rng, pack.pop(), left + n * step, y, 0.0) for n in range(count)]
    for zone in ("side-W", "side-S", "side-E"):
        if rng.random() < 0.5:
            x, y = layout.zones[zone].centre
            cards.append(_laid(rng, pack.pop(), x, y, rng.uniform(0, 360)))
    for zone, known in (("stock", False), ("pots", False)):
        x, y = layout.zones[zone].centre
        cards.append(PlacedCard(pack.pop(), x, y, 0.0, known))
    return tuple(cards)


def _columns(rng: random.Random, pack: list[str], pitch: float, rect: Rect, *, north: bool) -> list[PlacedCard]:
    low, high = (rect.x0, rect.x1) if north else (rect.y0, rect.y1)
    depth = (rect.y1 - rect.y0 if north else rect.x1 - rect.x0) - CARD_HEIGHT - 7
    columns = int((high - low - CARD_WIDTH) // 65) + 1
    cards = []
    for c in range(columns):
        if rng.random() < 0.2:
            continue
        length = min(rng.randint(3, max(3, int(depth / pitch) + 1)), len(pack) - 30)
        across = low + (high - low - (columns - 1) * 65) / 2 + c * 65
        outer = (rect.y1 if north else rect.x1) - CARD_HEIGHT / 2 - 3.5
        for order in range(length - 1, -1, -1):
            along = outer - order * pitch
            x, y = (across, along) if north else (along, across)
            cards.append(_laid(rng, pack.pop(), x, y, 180.0 if north else 90.0))
    return cards


def _laid(rng: random.Random, card: str, x: float, y: float, angle: float) -> PlacedCard:
    return PlacedCard(
        card, x + rng.uniform(-1.5, 1.5), y + rng.uniform(-1.5, 1.5), angle + rng.uniform(-2, 2), face_up=True
    )


def compare(sight: Sight, expected: Iterable[PlacedCard], allowed: Iterable[PlacedCard], count: Count) -> None:
    """Add one sight to ``count``: ``expected`` must be found, ``allowed`` (the half hidden too) may be."""
    left: list[SightedCard] = [c for c in sight.cards if c.face == "up"]
    sure = list(expected)
    for card in sure:
        count.true += 1
        match = _match(left, card)
        if match is None:
            count.missed[face(card.card)] += 1
            count.wrong.append(Wrong("missed", face(card.card), card.x, card.y))
        else:
            left.remove(match)
            count.found += 1
    for card in allowed:
        match = _match(left, card)
        if match is not None:
            left.remove(match)
    wrong = [c for c in left if c.card != UNKNOWN]
    count.unknown += len(left) - len(wrong)
    count.false += len(wrong)
    count.invented.update(c.card for c in wrong)
    count.wrong += [Wrong("false", c.card, c.x, c.y) for c in wrong]
    count.frames += 1


def _match(sighted: list[SightedCard], card: PlacedCard) -> SightedCard | None:
    near = [
        (math.hypot(s.x - card.x, s.y - card.y), n)
        for n, s in enumerate(sighted)
        if s.card == face(card.card) and math.hypot(s.x - card.x, s.y - card.y) <= NEAR_MM
    ]
    return sighted[min(near)[1]] if near else None


def measure_tables(reader: IndexReader, seed: int, tables: int, pitch: float, looks: int = 1) -> Count:
    """Render ``tables`` random tables at ``pitch`` in the twin's rooms and read each ``looks`` times."""
    count = Count()
    rng = random.Random(seed)  # noqa: S311 - reproducible scenes
    for n in range(tables):
        camera = Camera(DEFAULT_LAYOUT, STYLES[n % len(STYLES)], seed=seed * 1000 + n)
        empty = camera.render(Scene(0.0, ()))
        watcher = Watcher(DEFAULT_LAYOUT, calibrate(empty, DEFAULT_LAYOUT), reader, empty=empty)
        scene = Scene(1.0, random_table(rng, pitch), ())
        frame = camera.render(scene)
        truth = camera.camera_truth(scene)
        sure = [t.card for t in truth if t.card.face_up and t.readable]
        rest = [t.card for t in truth if t.card.face_up and not t.readable]
        sight = None
        for k in range(looks):
            begun = time.process_time()
            sight = watcher.look(frame, 1.0 + 5.0 * k) or sight
            if k == 0:
                count.ms.append((time.process_time() - begun) * 1000)
        if sight is not None:
            compare(sight, sure, rest, count)
    return count


def measure_whole(reader: IndexReader, seed: int, tables: int) -> Count:
    """Read ``tables`` random tables, drawn in full HD, as ``tavolo see`` reads a photograph; like cards count each."""
    count = Count()
    for n in range(tables):
        camera = Camera(DEFAULT_LAYOUT, STYLES[n % len(STYLES)], seed=seed + n, width=HD[0], height=HD[1])
        scene = Scene(1.0, random_table(random.Random(seed + n), 20.0))  # noqa: S311 - reproducible scenes
        frame, lying = camera.render(scene), [t for t in camera.camera_truth(scene) if t.card.face_up]
        must = Counter(face(t.card.card) for t in lying if t.readable)
        may = Counter(face(t.card.card) for t in lying)
        begun = time.process_time()
        said = Counter(c["card"] for c in see_picture(frame, reader))
        count.ms.append((time.process_time() - begun) * 1000)
        count.frames += 1
        count.true += must.total()
        count.found += (said & must).total()
        count.false += (said - may).total()
        count.missed.update(must - said)
        count.invented.update(said - may)
    return count


def half_of(name: str) -> str:
    """Return the half of the photographs that ``name`` is in: thresholds are chosen on the first only."""
    return HALVES[hashlib.sha256(name.encode()).digest()[0] % 2]


def measure_photos(
    reader: IndexReader, folder: Path, limit: int | None = None, remake: Remake | None = None
) -> dict[str, Any]:
    """Distinct cards per photograph against ``index.jsonl``, by sub-folder and half of it (``half_of``).

    Ranks only where labels say so (``K?``). Every photograph is read as ``remake`` makes it.
    """
    remake = remake or Remake()
    counts: dict[str, Count] = {}
    with (folder / "index.jsonl").open(encoding="utf-8") as lines:
        photos = [json.loads(line) for line in lines]
    done: Counter[str] = Counter()
    for photo in photos:
        name = photo["file"].split("/")[0]
        done[name] += 1
        if limit is not None and done[name] > limit:
            continue
        labels = {c["label"] for c in photo["cards"]} - {"BACK"}
        try:
            path = folder / photo["file"]
            seen = see_image(path, reader, picture=remake.of(open_picture(path)))
        except PictureError as problem:
            print(problem, file=sys.stderr)
            continue
        ranks = any(label.endswith("?") for label in labels)
        said = {c["card"][0] + "?" if ranks and c["card"] != "JK" else c["card"] for c in seen["cards"]}
        twice = len(seen["cards"]) - len({c["card"] for c in seen["cards"]})
        for part in (name, f"{name}, {half_of(photo['file'])}"):
            count = counts.setdefault(part, Count())
            count.frames += 1
            count.true += len(labels)
            count.found += len(labels & said)
            count.false += len(said - labels)
            count.twice += twice
            count.missed.update(labels - said)
            count.invented.update(said - labels)
            count.ms.append(seen["ms"])
    return {name: count.lines() for name, count in counts.items()}


def _size(word: str) -> tuple[int, int]:
    width, by, height = word.partition("x")
    if not (by and width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise argparse.ArgumentTypeError(f"'{word}' is no width and height, as in 640x640")
    return int(width), int(height)


def _quality(word: str) -> int:
    if not word.isdigit() or not 1 <= int(word) <= 100:
        raise argparse.ArgumentTypeError(f"'{word}' is no quality of a JPEG, 1 to 100")
    return int(word)


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, help="folder of photographs with an index.jsonl")
    parser.add_argument("--limit", type=int, help="at most so many photographs of each sub-folder")
    parser.add_argument("--press", type=_size, metavar="WxH", help="photographs pressed into so many pixels")
    parser.add_argument("--jpeg", type=_quality, metavar="Q", help="photographs stored anew as JPEG")
    parser.add_argument("--inverted", action="store_true", help="photographs with light and dark exchanged")
    parser.add_argument("--whole", type=int, metavar="N", help="whole tables in full HD, read as photographs")
    parser.add_argument("--tables", type=int, default=6, help="rendered tables per pitch")
    parser.add_argument("--deals", type=int, default=3, help="rendered deals that grow card by card")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--weights", type=Path, help="folder with other networks than the package's")
    options = parser.parse_args()
    remake = Remake(options.inverted, options.press, options.jpeg)
    if remake != Remake() and options.photos is None:
        parser.error("--press, --jpeg and --inverted make photographs anew: name their folder with --photos")
    reader = IndexReader(options.weights) if options.weights else IndexReader()
    report: dict[str, Any] = {}
    if options.photos is not None:
        if not (options.photos / "index.jsonl").is_file():
            parser.error(f"{options.photos} holds no index.jsonl")
        report["photos"] = measure_photos(reader, options.photos, options.limit, remake)
    elif options.whole is not None:
        report["whole tables in full HD"] = measure_whole(reader, options.seed, options.whole).lines()
    else:
        for pitch in (20.0, 18.0, 16.0, 14.0):
            count = measure_tables(reader, options.seed + int(pitch), options.tables, pitch)
            report[f"pitch {pitch:g} mm"] = count.lines()
        for n in range(options.deals):
            report[f"deal {n}"] = measure_deal(reader, options.seed + n).lines()
    print(json.dumps(report, indent=1))
