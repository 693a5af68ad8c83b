"""``measure scenes``: hands, rows, webcams and black packs, drawn, one frame, nothing known before.

Pictures of designs that no training picture showed (from the training's folder ``--work``), and of black packs drawn at
random with another seed than the training's, go through ``tavolo see``'s reader. Cards with an index that shows whole
must be read, the others may be; those of one picture are distinct, but for fans of two packs. Cards whose index is seen
plainly are also counted by themselves: some drawn pictures are nearly black, or white, where cards lie. ``--hard``
draws four fans to a picture, of one pack and of two, frames pressed to a square, black packs with indices from a tenth
of the card on, and things that are no cards.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from lab.vision.measure.tables import Count
from lab.vision.train import artwork, random_decks
from lab.vision.train.camera_effects import photograph
from lab.vision.train.clutter import SIZE, hard_sheets
from lab.vision.train.decks import ALL_FACES, Deck, Image, own_decks
from lab.vision.train.fonts import font_files
from lab.vision.train.jokers import joker_index
from lab.vision.train.scenes import Corner, Picture, Shelf, draw_laid, shelves
from vision.index_reader import IndexReader
from vision.see import draw_cards, see_picture

Laid = list[tuple[str, float, float, float]]
WHOLE: Final = 0.9
"""Share of an index that must show for its card to be expected."""
AT: Final = 0.6
"""Distance from an index, in index heights, within which a card of its face counts as reported there."""
PLAIN: Final = 20.0
"""Levels (of 255, CIE Lab) by which the ink of an index must stand out from its card to be seen plainly. In four fans
of seed 5203 three of 1122 cards above it were missed and 51 of 64 below: too dark, too bright or smeared."""


def _faces(rng: np.random.Generator, count: int, packs: int = 1) -> list[str]:
    return [str(f) for f in rng.permutation(np.array([f for f in ALL_FACES if f != "JK"] * packs))[:count]]


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


def four_hands(rng: np.random.Generator, packs: int = 1) -> Laid:
    """Four fans of thirteen, a whole pack or half of two, each facing its own side."""
    faces, cards = iter(_faces(rng, 52, packs)), []
    for quarter in range(4):
        radius, step = rng.uniform(110, 160), rng.uniform(0.068, 0.11)
        first = quarter * np.pi / 2 + rng.normal(0, 0.25)
        a = quarter * np.pi / 2 + np.pi / 4
        x, y = 165 * np.sin(a) + rng.normal(0, 8), -165 * np.cos(a) + rng.normal(0, 8)
        for n in range(13):
            b = first + (n - 6) * step + rng.normal(0, 0.012)
            r = radius + rng.normal(0, 1.5)
            cards.append(
                (next(faces), x + r * np.sin(b) - radius * np.sin(first), y - r * np.cos(b) + radius * np.cos(first), b)
            )
    return cards


def four_hands_of_two_packs(rng: np.random.Generator) -> Laid:
    """Four fans of thirteen from two packs, as they are played with in Burraco."""
    return four_hands(rng, 2)


def nothing(_rng: np.random.Generator) -> Laid:
    """No card at all."""
    return []


@dataclass(frozen=True)
class Kind:
    """One kind of picture: layout, side (px), scale (px per mm), how it was pressed, what its pack and ground are."""

    layout: Callable[[np.random.Generator], Laid]
    size: int
    per_mm: tuple[float, float]
    pressed: tuple[float, ...] = (1.0,)
    """Width over height of frames before they were made square."""
    black: bool = False
    quality: tuple[int, int] | None = None
    """Quality of a JPEG of the whole picture, after what the drawn camera did."""


KINDS: Final = {
    "hand of 13": Kind(hand, 1000, (3.2, 4.2)),
    "51 in two rows": Kind(rows, 1600, (3.3, 3.7)),
    "webcam, small indices": Kind(scattered, 640, (1.3, 1.9)),
    "black pack": Kind(scattered, 900, (2.0, 2.7), black=True),
}
HARD: Final = {
    "four fans of 13, phone": Kind(four_hands, 1280, (1.9, 2.5), quality=(60, 88)),
    "fans of two packs, phone": Kind(four_hands_of_two_packs, 1280, (1.9, 2.5), quality=(60, 88)),
    "frames pressed to a square": Kind(scattered, 640, (1.25, 1.85), pressed=(4 / 3, 16 / 9), quality=(45, 80)),
    "black packs of many indices": Kind(scattered, 800, (1.5, 2.4), black=True, quality=(55, 90)),
    "keyboards, remotes, boxes, print, cloth": Kind(nothing, 900, (1.0, 1.0), quality=(55, 90)),
}
"""As hard as the pictures in which most is lost (``--hard``)."""


def draw(rng: np.random.Generator, kind: Kind, shelf: Shelf, number: int, things: list[Image]) -> Picture:
    """Picture ``number`` of a kind; one without cards shows the ``things``, one after the other."""
    ppm, cards = float(rng.uniform(*kind.per_mm)), kind.layout(rng)
    if cards:
        pressed = kind.pressed[number % len(kind.pressed)]
        picture = draw_laid(rng, shelf, cards, kind.size, ppm, pressed)
    else:
        sheet = things[number % len(things)]
        turn, grow = rng.uniform(0, 360), float(rng.uniform(0.9, 2.4))
        view = np.asarray(cv2.getRotationMatrix2D((SIZE / 2, SIZE / 2), turn, grow), np.float64)
        view[:, 2] += kind.size / 2 - SIZE / 2
        seen = cv2.warpAffine(sheet, view, (kind.size, kind.size), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
        picture = Picture(photograph(rng, seen.astype(np.float32), kind.size), (), ())
    if kind.quality is not None:
        packed = cv2.imencode(".jpg", picture.image, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(*kind.quality))])[1]
        picture = replace(picture, image=np.asarray(cv2.imdecode(packed, cv2.IMREAD_COLOR), np.uint8))
    return picture


def black_decks(count: int, seed: int, fonts: tuple[str, ...]) -> list[Deck]:
    """``count`` packs drawn at random that print light on dark, with indices from a tenth of the card on."""
    rng = np.random.default_rng([seed, 7])
    manner = random_decks.Manner({}, joker_index, 0.0, black=True)
    return [random_decks.random_deck(rng, n, fonts, manner) for n in range(count)]


def stands_out(lab: Image, corner: Corner) -> float:
    """Levels by which rank and suit of an index, whichever is fainter, stand out from the card around them.

    ``lab`` (high, wide, 3): the picture, CIE Lab as OpenCV scales it; the channel counts in which they do most.
    """
    ranges, half = [], max(2, int(corner.height / 4))
    for way in (0.25, -0.25):
        x, y = (int(v + way * corner.height * u) for v, u in zip((corner.x, corner.y), corner.up, strict=True))
        part = lab[max(0, y - half) : y + half + 1, max(0, x - half) : x + half + 1].reshape(-1, 3)
        low, high = np.percentile(part, (5, 95), axis=0) if len(part) else (np.zeros(3), np.zeros(3))
        ranges.append(float((high - low).max()))
    return min(ranges)


def measure(reader: IndexReader, picture: Picture, count: Count, plain: Counter[str]) -> list[dict[str, Any]]:
    """Read one picture and add what was right and wrong to ``count``; of plain indices alone to ``plain``."""
    # the corners of one card follow each other; of two packs two cards of one face may lie beside each other
    indices = [list(corners) for _, corners in groupby(picture.corners, lambda c: c.card)]
    shown = [(corners[0].face, max(c.shown for c in corners)) for corners in indices]
    must, may = Counter(f for f, share in shown if share >= WHOLE), Counter(f for f, _ in shown)
    cards = see_picture(picture.image, reader)
    said = Counter(c["card"] for c in cards)
    lab = np.asarray(cv2.cvtColor(picture.image, cv2.COLOR_BGR2LAB), np.uint8)
    seen = Counter(
        corners[0].face for corners in indices if any(c.shown >= WHOLE and stands_out(lab, c) >= PLAIN for c in corners)
    )
    plain.update({"cards": seen.total(), "found": (seen & said).total()})
    count.frames += 1
    count.true += must.total()
    count.found += (must & said).total()
    count.false += (said - may).total()
    count.missed.update(must - said)
    count.invented.update(f for f in said.elements() if f not in may)
    return cards


def misplaced(cards: list[dict[str, Any]], picture: Picture) -> int:
    """Count cards reported where their index is not, though the picture has one; the list alone hides this."""
    places: dict[str, list[tuple[float, float, float]]] = {}
    for c in picture.corners:
        places.setdefault(c.face, []).append((c.x, c.y, c.height * AT))
    told = [(places[c["card"]], c["corner"]) for c in cards if c["card"] in places]
    return sum(all(math.hypot(x - px, y - py) > near for px, py, near in there) for there, (x, y) in told)


def main() -> None:
    """Measure and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True, help="the training's folder, for its artwork")
    parser.add_argument("--pictures", type=int, default=40, help="of each kind")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--hard", action="store_true", help="the hardest kinds instead of the usual ones")
    parser.add_argument("--only", help="only kinds whose name begins so")
    parser.add_argument("--draw", type=Path, help="folder for the pictures that were not read right, marked")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    reader = IndexReader(options.weights) if options.weights else IndexReader()
    held = artwork.sheet_decks(artwork.HELD_OUT_SHEETS, options.work)
    held += artwork.npm_decks(artwork.NPM_HELD_OUT, options.work, own_decks()[0].backs[0])
    fonts = font_files(options.work)
    things: list[Image] = []
    if options.hard:
        black, things = black_decks(12, options.seed + 99, fonts), hard_sheets(40, options.seed + 99, fonts)
    else:
        drawn = random_decks.random_decks(36, options.seed + 99, fonts)
        black = [d for d in drawn if float(d.faces["2H"][0][-40:-20, 150:170].mean()) < 70]
    report: dict[str, Any] = {"black packs": len(black)}
    for name, kind in (HARD if options.hard else KINDS).items():
        if options.only and not name.startswith(options.only):
            continue
        packs, count, plain, elsewhere = shelves(black if kind.black else held), Count(), Counter[str](), 0
        rng = np.random.default_rng([options.seed, len(name)])
        for n in range(options.pictures):
            shelf = packs[n % len(packs)]
            picture = draw(rng, kind, shelf, n, things)
            before = (count.found - count.true, count.false)
            cards = measure(reader, picture, count, plain)
            elsewhere += misplaced(cards, picture)
            if options.draw is not None and (count.found - count.true, count.false) != before:
                options.draw.mkdir(parents=True, exist_ok=True)
                path = options.draw / f"{name.replace(' ', '-').replace(',', '')}-{n:03d}-{shelf.deck.name[:12]}.png"
                cv2.imwrite(str(path.with_name(path.name.replace("/", "-"))), draw_cards(picture.image, cards))
        figures = {k: v for k, v in count.lines().items() if k != "cpu_ms_median"}
        report[name] = figures | {"misplaced": elsewhere, "indices seen plainly": dict(plain)}
    print(json.dumps(report, indent=1))
