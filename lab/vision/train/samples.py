"""From training pictures to what the networks learn from, kept on disk so that a training can be continued."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from hw.cards import JOKER, RANKS, SUITS
from lab.vision.train.decks import Deck, Image
from lab.vision.train.sampling_bias import EVEN, Lean
from lab.vision.train.scenes import Corner, Picture, draw_scene, shelves
from vision.finder import Finder, Spot
from vision.patches import PATCH_HEIGHT, PATCH_WIDTH, cut_patch

FINDER_SIZE: Final = 256
FINDER_PER_MM: Final = (0.9, 3.2)
READER_SIZE: Final = 448
READER_PER_MM: Final = (1.15, 4.3)
MARGIN: Final = 8
"""Stored patches are wider by this on each side, so that learning can shift, turn and stretch them."""
SEEN: Final = 0.72
"""Share of an index that must show to be learnt as one; below LOST it counts as none, between it is left out."""
LOST: Final = 0.6
"""Share of an index in a column that shows when the next card lies over the suit: the rank alone is no card."""
INSIDE: Final = 0.4
"""Share of the empty patches cut from inside a card, along its edges: pips, figures, a joker's letters."""
NO_RANK: Final = 13
KINDS: Final = ("suited", "joker", "none")
MINED: Final = 14
"""Most false places of a picture that the finder takes for indices that are kept."""
WARM: Final = 0.12
"""Heat from which the finder's places are looked at when patches are mined; in use it is asked for more."""


@dataclass(frozen=True)
class Samples:
    """Pictures with corners as rows (picture, x, y, up x, up y, height, shown), and patches with their classes.

    ``labels`` rows are (rank, suit, kind); rank 13 and suit 4 if there is none.
    """

    pictures: NDArray[np.uint8]
    corners: NDArray[np.float32]
    patches: NDArray[np.uint8]
    labels: NDArray[np.int64]


def label_of(face: str) -> tuple[int, int, int]:
    """(rank, suit, kind) of a face."""
    return (NO_RANK, 4, 1) if face == JOKER else (RANKS.index(face[0]), SUITS.index(face[1]), 0)


STORED: Final = (PATCH_WIDTH + 2 * MARGIN, PATCH_HEIGHT + 2 * MARGIN)
"""Width and height of a stored patch of the reader."""


def _nothing(rng: np.random.Generator, picture: Picture, corner: Corner | None) -> tuple[float, ...]:
    """A place, direction and height that is not an index: beside one, askew of one, or anywhere."""
    if corner is None or rng.random() < 0.3:
        x, y = picture.loose[int(rng.integers(0, len(picture.loose)))]
        a = rng.uniform(0, 2 * np.pi)
        height = float(np.exp(rng.uniform(np.log(18), np.log(70))))
        near = [c for c in picture.corners if np.hypot(c.x - x, c.y - y) < 0.5 * c.height]
        return (x, y, np.cos(a), np.sin(a), height) if not near else ()
    a, far = rng.uniform(0, 2 * np.pi), rng.uniform(0.6, 1.6)
    if rng.random() < 0.35:  # askew: turned by 50 to 310 degrees in place
        a, far = 0.0, 0.0
        turn = np.deg2rad(rng.uniform(50, 310))
    else:
        turn = rng.normal(0, 0.5)
    c, s = np.cos(turn), np.sin(turn)
    ux, uy = corner.up[0] * c - corner.up[1] * s, corner.up[0] * s + corner.up[1] * c
    x, y = corner.x + np.cos(a) * far * corner.height, corner.y + np.sin(a) * far * corner.height
    if far and any(np.hypot(o.x - x, o.y - y) < 0.5 * o.height for o in picture.corners if o is not corner):
        return ()
    return (x, y, ux, uy, corner.height * rng.uniform(0.8, 1.3))


def _inside(rng: np.random.Generator, picture: Picture, corner: Corner) -> tuple[float, ...]:
    """A place on a card that is not its index, seen as its index would be or the other way up."""
    ux, uy = corner.up
    right, down = rng.uniform(0.0, 3.4), rng.uniform(-0.1, 4.6)
    if rng.random() < 0.6:  # the strip that shows of a card in a column
        down = rng.uniform(-0.1, 1.0)
    if corner.face == JOKER and rng.random() < 0.5:  # the letters below a joker's star
        right, down = rng.normal(0, 0.1), rng.uniform(0.55, 1.15)
    elif max(right, down) < 0.7:
        right += 0.8
    x = corner.x + (-uy * right - ux * down) * corner.height
    y = corner.y + (ux * right - uy * down) * corner.height
    if any(np.hypot(o.x - x, o.y - y) < 0.5 * o.height for o in picture.corners):
        return ()
    turn = rng.normal(0, 0.2) + (np.pi if rng.random() < 0.3 else 0.0)
    c, s = np.cos(turn), np.sin(turn)
    return (x, y, ux * c - uy * s, ux * s + uy * c, corner.height * float(np.exp(rng.normal(0, 0.25))))


class Patches:
    """Patches of ``size`` (width, height) and labels as they are gathered."""

    def __init__(self, size: tuple[int, int] = STORED) -> None:
        self._size = size
        self.patches: list[NDArray[np.uint8]] = []
        self.labels: list[tuple[int, int, int]] = []

    def add(
        self, picture: Picture, at: tuple[float, float], up: tuple[float, float], height: float, face: str | None
    ) -> None:
        """Cut one out; ``face`` None: there is no index."""
        self.patches.append(cut_patch(picture.image, *at, up, height, self._size))
        self.labels.append((NO_RANK, 4, 2) if face is None else label_of(face))


def _patches_of(rng: np.random.Generator, picture: Picture, out: Patches) -> None:
    """Cut patches of a picture's indices at their true places, and of places without an index."""
    seen = [c for c in picture.corners if c.shown >= SEEN]
    for c in seen:
        out.add(picture, (c.x, c.y), c.up, c.height, c.face)
    hidden = [c for c in picture.corners if c.shown < LOST]
    hidden.sort(key=lambda c: -c.shown)  # the most misleading first
    for c in hidden[: len(seen) // 3 + 3]:
        out.add(picture, (c.x, c.y), c.up, c.height, None)
    for n in range(len(seen) // 3 + 2):
        corner = seen[n] if n < len(seen) else None
        if corner is not None and rng.random() < INSIDE:
            spot = _inside(rng, picture, corner)
        else:
            spot = _nothing(rng, picture, corner)
        if spot:
            out.add(picture, (spot[0], spot[1]), (spot[2], spot[3]), spot[4], None)


def _mine(rng: np.random.Generator, picture: Picture, finder: Finder, out: Patches) -> None:
    """Patches where the finder sees indices: those that are, with its errors, and those that are not."""
    wrong: list[Spot] = []
    for shrink in (1.0, 2.0):
        for spot in finder.find(picture.image, shrink, WARM):
            if spot.height < 11.0:
                continue
            face = what_stands(picture, spot)
            if face == "":
                wrong.append(spot)
            elif face is not None and rng.random() < 0.6:
                out.add(picture, (spot.x, spot.y), spot.up, spot.height, face)
    for n in rng.permutation(len(wrong))[:MINED]:
        spot = wrong[int(n)]
        out.add(picture, (spot.x, spot.y), spot.up, spot.height, None)


def gather(rng: np.random.Generator, picture: Picture, finder: Finder, out: Patches) -> None:
    """Add to ``out`` patches of a picture's indices, of places without one, and of what ``finder`` sees in it."""
    _patches_of(rng, picture, out)
    _mine(rng, picture, finder, out)


def what_stands(picture: Picture, spot: Spot) -> str | None:
    """Return the face whose index the spot is; "" if it is not one; None if that cannot be decided."""
    near = [c for c in picture.corners if np.hypot(c.x - spot.x, c.y - spot.y) < 1.3 * max(c.height, spot.height)]
    for c in sorted(near, key=lambda c: float(np.hypot(c.x - spot.x, c.y - spot.y))):
        far = float(np.hypot(c.x - spot.x, c.y - spot.y)) / c.height
        along = c.up[0] * spot.up[0] + c.up[1] * spot.up[1]
        ratio = spot.height / c.height
        if along > 0.9 and far < 0.3 and 0.72 < ratio < 1.4:
            return c.face if c.shown >= SEEN else "" if c.shown < LOST else None
        if along > 0.6 and far < (1.2 if c.face == JOKER else 0.6) and 0.5 < ratio < 2.0:
            return None
    return ""


def draw_pictures(packs: list[Deck], about: list[Image], seed: list[int], count: int, lean: Lean = EVEN) -> Samples:
    """``count`` whole pictures for the finder, drawn from ``seed`` alone."""
    rng = np.random.default_rng(seed)
    shelf = shelves(packs)
    pictures = np.empty((count, FINDER_SIZE, FINDER_SIZE, 3), np.uint8)
    corners: list[tuple[float, ...]] = []
    for n in range(count):
        picture = draw_scene(rng, shelf, FINDER_SIZE, FINDER_PER_MM, about, lean)
        pictures[n] = picture.image
        corners += [(n, c.x, c.y, *c.up, c.height, c.shown) for c in picture.corners]
    none = np.empty((0, PATCH_HEIGHT + 2 * MARGIN, PATCH_WIDTH + 2 * MARGIN, 3), np.uint8)
    rows = np.array(corners, np.float32).reshape(-1, 7)
    return Samples(pictures, rows, none, np.empty((0, 3), np.int64))


def draw_patches(
    packs: list[Deck], about: list[Image], seed: list[int], count: int, finder: Finder, lean: Lean = EVEN
) -> Samples:
    """The patches of ``count`` pictures for the reader, drawn from ``seed`` and what ``finder`` sees in them."""
    rng = np.random.default_rng(seed)
    shelf = shelves(packs)
    out = Patches()
    for _ in range(count):
        picture = draw_scene(rng, shelf, READER_SIZE, READER_PER_MM, about, lean)
        gather(rng, picture, finder, out)
    none = np.empty((0, FINDER_SIZE, FINDER_SIZE, 3), np.uint8)
    return Samples(none, np.empty((0, 7), np.float32), np.array(out.patches), np.array(out.labels, np.int64))


def save(samples: Samples, path: Path) -> None:
    """Keep ``samples`` for a training that continues later; a break in between leaves no half file."""
    fresh = path.with_suffix(".new.npz")
    np.savez(
        fresh,
        pictures=samples.pictures,
        corners=samples.corners,
        patches=samples.patches,
        labels=samples.labels,
    )
    fresh.replace(path)


def load(paths: list[Path]) -> Samples:
    """Samples kept before, of several files one after another."""
    parts = []
    for path in paths:
        with np.load(path) as data:
            parts.append({name: data[name] for name in data.files})
    first = 0
    for part in parts:
        part["corners"][:, 0] += first
        first += len(part["pictures"])
    return Samples(*(np.concatenate([p[n] for p in parts]) for n in ("pictures", "corners", "patches", "labels")))


def finder_batch(
    rng: np.random.Generator, samples: Samples, rows: dict[int, NDArray[np.float32]], count: int
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Pictures (n, 3, s, s) and goals (n, 6, s/4, s/4): heat, up x, up y, log2 height/28, weight of heat, of pose."""
    size, cells = FINDER_SIZE, FINDER_SIZE // 4
    pictures = np.empty((count, 3, size, size), np.float32)
    goals = np.zeros((count, 6, cells, cells), np.float32)
    line, column = np.ogrid[0:cells, 0:cells]
    for n in range(count):
        k = int(rng.integers(0, len(samples.pictures)))
        turns = int(rng.integers(0, 4))
        pictures[n] = np.rot90(tint(rng, samples.pictures[k]), turns).transpose(2, 0, 1)
        goal = goals[n]
        goal[4] = 1
        for x0, y0, ux0, uy0, height, shown in rows.get(k, np.zeros((0, 6), np.float32)):
            x, y, ux, uy = x0, y0, ux0, uy0
            for _ in range(turns):  # np.rot90 turns anticlockwise
                x, y, ux, uy = y, size - 1 - x, uy, -ux
            cx, cy = (x - 1.5) / 4, (y - 1.5) / 4
            wide = max(0.8, 0.11 * height / 4)
            bump = np.exp(-((column - cx) ** 2) / (2 * wide * wide)) * np.exp(-((line - cy) ** 2) / (2 * wide * wide))
            if shown < SEEN:
                if shown >= LOST:
                    goal[4][bump > 0.1] = 0
                continue
            near = bump > np.maximum(goal[0], 0.5)
            goal[1][near], goal[2][near] = ux, uy
            goal[3][near] = np.log2(height / 28)
            goal[5][near] = 1
            goal[0] = np.maximum(goal[0], bump)
            ix, iy = round(float(cx)), round(float(cy))
            if 0 <= ix < cells and 0 <= iy < cells:
                goal[0, iy, ix] = 1
                goal[4, iy, ix] = 1
    return pictures, goals


def tint(rng: np.random.Generator, picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The picture in another light: gain, offset, cast, haze, sometimes grey or noisy; float 0..255."""
    gain = (float(np.exp(rng.uniform(np.log(0.6), np.log(1.3)))) * rng.uniform(0.93, 1.07, 3)).astype(np.float32)
    out = np.asarray(picture * gain, np.float32)
    out += np.float32(rng.uniform(-18, 18))
    if rng.random() < 0.1:
        out[:] = (out @ np.array([0.114, 0.587, 0.299], np.float32))[..., None]
    if rng.random() < 0.1:
        keep = np.float32(rng.uniform(0.4, 0.9))
        out = out * keep + (1 - keep) * np.float32(rng.uniform(60, 240))
    if rng.random() < 0.3:
        out += rng.standard_normal(out.shape, np.float32) * np.float32(rng.uniform(1, 7))
    np.clip(out, 0, 255, out=out)
    return out


def reader_batch(
    rng: np.random.Generator, samples: Samples, chosen: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Patches (n, 3, 48, 40), each a little shifted, turned, stretched, blurred and tinted, and their labels."""
    out = np.empty((len(chosen), 3, PATCH_HEIGHT, PATCH_WIDTH), np.float32)
    for n, k in enumerate(chosen):
        stored = samples.patches[k]
        turn, grow = np.deg2rad(rng.normal(0, 5)), np.exp(rng.normal(0, 0.1, 2))
        shift = rng.normal(0, 1.5, 2)
        c, s = np.cos(turn), np.sin(turn)
        linear = np.array([[c, -s], [s, c]]) @ np.array([[1, rng.normal(0, 0.12)], [0, 1]]) @ np.diag(grow)
        middle = np.array([(stored.shape[1] - 1) / 2, (stored.shape[0] - 1) / 2]) + shift
        origin = middle - linear @ np.array([(PATCH_WIDTH - 1) / 2, (PATCH_HEIGHT - 1) / 2])
        patch = cv2.warpAffine(
            stored,
            np.column_stack([linear, origin]),
            (PATCH_WIDTH, PATCH_HEIGHT),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        if rng.random() < 0.2:
            patch = cv2.GaussianBlur(patch, (0, 0), float(rng.uniform(0.4, 1.3)))
        out[n] = tint(rng, patch.astype(np.uint8)).transpose(2, 0, 1)
    return out, samples.labels[chosen]
