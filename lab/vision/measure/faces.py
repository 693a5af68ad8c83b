"""``measure faces``: whole faces without an index: in tricks that cross, half covered, in rows, apart.

The packs are Debian's drawn sheets that no reader was trained on, with their corner indices painted out, or with
``--designs`` tarocchi drawn at random (``own``: our own), each enrolled from one picture a face. The pictures are drawn
on cloth, wood and white, from a little aside, unevenly lit, with a camera's noise, as JPEG. Counted are cards of which
two thirds show. With ``--unknown`` every third face is not enrolled and only those lie there: none may be named. With
``--numerals`` only sixes to tens lie there, whose pips are arranged alike.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER, TAROCCO, UNKNOWN
from hw.pack.drawn import tarocco_drawing
from hw.twin.camera_cards import artwork_of
from lab.vision.train.artwork import HELD_OUT_SHEETS, sheet_decks
from lab.vision.train.decks import SCALE, Deck
from lab.vision.train.tarocchi import drawn_tarocchi
from vision.faces.decisions import FaceFound
from vision.faces.finding import find_faces
from vision.faces.geometry import Image
from vision.faces.index import FaceIndex
from vision.faces.outlines import TALL
from vision.faces.prints import face_print

SIZE: Final = (1600, 1200)
PER_MM: Final = 3.4
"""Pixels a millimetre, as the table's camera gives them."""
GROUNDS: Final = ("cloth", "wood", "white")
LAYOUTS: Final = {"trick": 4, "covered": 2, "touching": 6, "apart": 8}
"""Cards of each layout's picture."""
SHOWN: Final = 2 / 3
"""Share of a card that must show for it to count."""
Faces = dict[str, Image]


@dataclass(frozen=True)
class Laid:
    """A card of a scene: its face, its middle in px, degrees anticlockwise."""

    name: str
    x: float
    y: float
    degrees: float


@dataclass(frozen=True)
class Scene:
    """A picture, the corners of each card (4, 2) px, and the share of it that shows."""

    picture: Image
    corners: list[NDArray[np.float64]]
    shown: list[float]


def without_index(deck: Deck) -> Faces:
    """The faces of a deck at 5 px a millimetre, both corner indices painted out; no jokers."""
    x0, y0, x1, y1 = (round(v * SCALE) for v in deck.index)
    faces: Faces = {}
    for name, looks in deck.faces.items():
        if name == JOKER:
            continue
        face = looks[0].copy()
        paper = np.median(face[4:10].reshape(-1, 3), axis=0)
        for way in (face, face[::-1, ::-1]):
            way[max(0, y0 - 4) : y1 + 5, max(0, x0 - 4) : x1 + 5] = paper
        faces[name] = face
    return faces


def tarocchi(design: str) -> Faces:
    """The 62 faces of a pack drawn at random by its number, or of our ``own``, at 5 px a millimetre."""
    artwork = artwork_of(tarocco_drawing) if design == "own" else drawn_tarocchi(int(design))
    return {
        name: np.asarray(cv2.cvtColor(artwork(name, float(SCALE)), cv2.COLOR_BGRA2BGR), np.uint8)
        for name in TAROCCO.copies
    }


def numerals(names: Sequence[str]) -> list[str]:
    """Select the ``names`` that are sixes to tens of a suit: their pips are in rows, and alike in all suits."""
    return [name for name in names if len(name) == 2 and name[0] in "6789T" and name[1].isupper()]


def ground(kind: str, size: tuple[int, int], rng: np.random.Generator) -> NDArray[np.float32]:
    """A table's surface (BGR)."""
    wide, high = size
    plain = {"cloth": (60, 96, 34), "white": (228, 232, 235), "wood": (70, 110, 160)}[kind]
    out = np.full((high, wide, 3), plain, np.float32)
    if kind == "wood":
        grain = cv2.GaussianBlur(rng.normal(0, 1, (high, wide)).astype(np.float32), (0, 0), sigmaX=60, sigmaY=2)
        gaps = np.where(np.sin(np.arange(high) / (high / 7) * 2 * np.pi) > 0.995, -40.0, 0.0)
        out += (grain / grain.std() * 14)[..., None] + gaps[:, None, None]
    weave = cv2.GaussianBlur(rng.normal(0, 6, (high, wide)).astype(np.float32), (0, 0), 1.2)
    return np.asarray(out + weave[..., None], np.float32)


def scene(cards: list[Laid], faces: Faces, seed: int, kind: str, size: tuple[int, int] = SIZE) -> Scene:
    """A photograph of ``cards``, the first at the bottom."""
    rng = np.random.default_rng(seed)
    out = ground(kind, size, rng)
    rings: list[NDArray[np.float64]] = []
    masks: list[NDArray[np.bool_]] = []
    full: list[float] = []
    for card in cards:
        face = cv2.GaussianBlur(faces[card.name], (0, 0), 0.35 * SCALE / PER_MM)
        high, wide = face.shape[:2]
        view = cv2.getRotationMatrix2D((wide / 2, high / 2), card.degrees, PER_MM / SCALE)
        view[:, 2] += [card.x - wide / 2, card.y - high / 2]
        mask = cv2.warpAffine(np.full((high, wide), 255, np.uint8), view, size)
        drawn = cv2.warpAffine(face, view, size, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
        out *= 1 - 0.25 * cv2.GaussianBlur(mask, (0, 0), 5)[..., None].astype(np.float32) / 255
        alpha = mask[..., None].astype(np.float32) / 255
        out = np.asarray(out * (1 - alpha) + drawn * alpha * rng.uniform(0.9, 1.0), np.float32)
        masks = [one & (mask < 128) for one in masks] + [mask >= 128]
        full.append(wide * high * (PER_MM / SCALE) ** 2)
        corners = np.array([[[0.0, 0.0], [wide, 0.0], [wide, high], [0.0, high]]])
        rings.append(cv2.transform(corners, view)[0])
    frame = np.array([[0, 0], [size[0], 0], [size[0], size[1]], [0, size[1]]], np.float32)
    aside = cv2.getPerspectiveTransform(frame, frame + rng.uniform(-0.03, 0.03, (4, 2)).astype(np.float32) * size[0])
    out = np.asarray(cv2.warpPerspective(out, aside, size, borderMode=cv2.BORDER_REFLECT_101), np.float32)
    out *= np.linspace(rng.uniform(0.65, 0.9), 1.05, size[0], dtype=np.float32)[None, :, None]
    out *= np.array([rng.uniform(0.85, 1.0), 1.0, rng.uniform(0.9, 1.05)], np.float32)
    out = np.asarray(cv2.GaussianBlur(out, (0, 0), 0.8) + rng.normal(0, 4, out.shape), np.float32)
    code = cv2.imencode(".jpg", np.clip(out, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    picture = np.asarray(cv2.imdecode(code, cv2.IMREAD_COLOR), np.uint8)
    moved = [np.asarray(cv2.perspectiveTransform(ring[None], aside)[0], np.float64) for ring in rings]
    return Scene(picture, moved, [float(m.sum() / f) for m, f in zip(masks, full, strict=True)])


def laid(layout: str, names: list[str], wide_mm: float, rng: np.random.Generator) -> list[Laid]:
    """Cards laid as a trick that crosses, one across half of another, in a row that touches, or apart."""
    if layout == "touching":
        return [Laid(n, 200 + wide_mm * PER_MM * k, 600 + rng.uniform(-4, 4), 0.0) for k, n in enumerate(names)]
    if layout == "apart":
        spots = [(220 + 380 * (k % 4), 320 + 560 * (k // 4)) for k in range(len(names))]
        return [
            Laid(n, x + rng.uniform(-20, 20), y + rng.uniform(-30, 30), rng.uniform(-40, 40) + 180 * rng.integers(2))
            for n, (x, y) in zip(names, spots, strict=True)
        ]
    if layout == "covered":
        way, far = rng.uniform(0, 2 * np.pi), rng.uniform(30, 75) * PER_MM
        x, y = SIZE[0] / 2, SIZE[1] / 2
        under = Laid(names[0], x, y, rng.uniform(0, 360))
        return [under, Laid(names[1], x + far * np.cos(way), y + far * np.sin(way), rng.uniform(0, 360))]
    x, y = SIZE[0] / 2 + rng.uniform(-150, 150), SIZE[1] / 2 + rng.uniform(-80, 80)
    out = []
    for k, name in enumerate(names):
        way = np.radians(90 * k + rng.uniform(-20, 20))
        far = rng.uniform(20, 40) * PER_MM
        out.append(Laid(name, x + far * np.sin(way), y + far * np.cos(way), -90 * k + rng.uniform(-35, 35)))
    return [out[k] for k in rng.permutation(len(out))]


def enrolled(faces: Faces, seed: int) -> FaceIndex:
    """The faces enrolled from one photograph each."""
    prints = {}
    for k, (name, face) in enumerate(faces.items()):
        photo = scene([Laid(name, 350, 330, (k * 37) % 30 - 15)], faces, seed + k, "cloth", (700, 660))
        wide = round(TALL * face.shape[1] / face.shape[0])
        goal = np.array([[0, 0], [wide, 0], [wide, TALL], [0, TALL]], np.float32)
        view = cv2.getPerspectiveTransform(photo.corners[0].astype(np.float32), goal)
        straight = cv2.warpPerspective(photo.picture, view, (wide, TALL))
        prints[name] = (face_print(np.asarray(straight, np.uint8)),)
    return FaceIndex.of(prints, TAROCCO.copies)


def judged(found: list[FaceFound], cards: list[Laid], seen: Scene) -> Counter[str]:
    """Count cards that matter (``cards``) and were named (``named``), all that were reported, and the wrong ones."""
    right: set[int] = set()
    count = Counter({"cards": 0, "named": 0, "told": 0, "wrong": 0})
    for one in found:
        if one.name == UNKNOWN:
            continue
        count["told"] += 1
        middle = one.corners.mean(axis=0)
        far = [float(np.hypot(*(ring.mean(axis=0) - middle))) for ring in seen.corners]
        near = int(np.argmin(far))
        tall = float(np.hypot(*(seen.corners[near][3] - seen.corners[near][0])))
        is_it = cards[near].name in (one.name, *one.alike)
        if is_it and far[near] < 0.15 * tall and near not in right:
            right.add(near)
        else:
            count["wrong"] += 1
    counts = [k for k, share in enumerate(seen.shown) if share >= SHOWN]
    count["cards"], count["named"] = len(counts), len(right.intersection(counts))
    return count


def measure(
    faces: Faces, index: FaceIndex, names: list[str], pictures: int, seed: int, layouts: Sequence[str] = tuple(LAYOUTS)
) -> dict[str, Any]:
    """Measure by layout and ground: counts, and the median processor milliseconds of a picture."""
    report: dict[str, Any] = {}
    wide_mm = next(iter(faces.values())).shape[1] / SCALE
    for layout in layouts:
        number = LAYOUTS[layout]
        for kind in GROUNDS:
            total: Counter[str] = Counter()
            spent = []
            for k in range(pictures):
                rng = np.random.default_rng((seed, k))
                cards = laid(layout, [str(n) for n in rng.choice(names, number, replace=False)], wide_mm, rng)
                seen = scene(cards, faces, seed + k, kind)
                begun = time.process_time()
                found = find_faces(seen.picture, index)
                spent.append((time.process_time() - begun) * 1000)
                total.update(judged(found, cards, seen))
            report[f"{layout}, {kind}"] = {**total, "ms": round(float(np.median(spent)))}
    return report


def _packs(options: argparse.Namespace) -> Iterator[tuple[str, Faces]]:
    if options.designs:
        yield from ((f"tarocchi {design}", tarocchi(design)) for design in options.designs)
    else:
        yield from ((deck.name, without_index(deck)) for deck in sheet_decks(tuple(options.sheets), options.work))


def main() -> None:
    """Measure and print, one JSON object a pack."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pictures", type=int, default=10, help="pictures of each layout and ground")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--sheets", nargs="+", default=list(HELD_OUT_SHEETS))
    parser.add_argument("--designs", nargs="+", help="tarocchi instead: numbers of packs drawn at random, or own")
    parser.add_argument("--numerals", action="store_true", help="lay only sixes to tens")
    parser.add_argument("--unknown", action="store_true", help="lay only faces that were not enrolled")
    parser.add_argument("--layouts", nargs="+", choices=list(LAYOUTS), default=list(LAYOUTS))
    parser.add_argument("--work", type=Path, default=Path(".work/train"), help="where the artwork is fetched to")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    for pack, faces in _packs(options):
        names = list(faces)
        known = {n: f for k, (n, f) in enumerate(faces.items()) if not (options.unknown and k % 3 == 0)}
        index = enrolled(known, options.seed + 50_000)
        lie = names[::3] if options.unknown else names
        lie = numerals(lie) if options.numerals else lie
        figures = measure(faces, index, lie, options.pictures, options.seed, options.layouts)
        alike = sorted({" ".join(sorted({one, *more})) for one, more in index.alike.items()})
        print(json.dumps({"pack": pack, "alike": alike, **figures}), flush=True)
