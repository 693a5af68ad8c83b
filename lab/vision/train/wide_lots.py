"""Pictures that the second reader learns from: packs of their own for each lot, drawn by many processes at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from lab.vision.train import artwork, clutter, joker_words, kde, samples
from lab.vision.train.decks import Deck, Image, own_decks
from lab.vision.train.figures import figures
from lab.vision.train.fonts import font_files
from lab.vision.train.joker_words import word_index
from lab.vision.train.jokers import joker_index
from lab.vision.train.later_stages import LEAN, MIXED
from lab.vision.train.pip_shapes import HELD_OUT_FONTS, TRAIN_FONTS, font_files_of, shape_maker
from lab.vision.train.random_decks import Manner, random_deck
from lab.vision.train.sampling_bias import EVEN, Lean
from lab.vision.train.scenes import draw_scene, shelves
from vision.finder import Finder
from vision.second_reader import WIDE

RIM: Final = 8
"""Stored patches are wider by this on each side."""
PRESSED: Final = Lean(stretched=0.6, most=1.9)
OWN_WEIGHT: Final = 1.2
"""Weight of each style of our own pack; every other pack of a lot weighs 1."""
RANDOM: Final = 12
"""Packs of a lot that are drawn at random."""
PACKAGED: Final = 3
"""Designs of packages in a lot."""
SIZE: Final = samples.READER_SIZE
PER_MM: Final = (1.05, 4.3)


@dataclass(frozen=True)
class Lot:
    """Patches (n, 72, 64, 3) BGR uint8, and their classes (n, 3): rank, suit, kind as in ``samples.Samples``."""

    patches: NDArray[np.uint8]
    labels: NDArray[np.int64]


@dataclass(frozen=True)
class Stage:
    """Pictures of one course of the training: their biases with the shares of those, and threes and fives.

    ``own_figures``: share of the random packs with a 3 and a 5 of their own hand; serifs hang by ``hang`` at most.
    """

    leans: tuple[tuple[Lean, float], ...]
    own_figures: float
    hang: float


STAGES: Final = (
    Stage(((EVEN, 0.35), (LEAN, 0.3), (PRESSED, 0.25), (MIXED, 0.1)), 0.5, 27.0),
    Stage(((EVEN, 0.2), (LEAN, 0.5), (PRESSED, 0.2), (MIXED, 0.1)), 0.9, 38.0),
)
"""The first course, and the second, which shows more threes with a flat top: after the first, some were read as 5."""


def packs(work: Path, seed: list[int], stage: Stage = STAGES[0], *, held_out: bool = False) -> list[Deck]:
    """The packs of one lot of pictures. ``held_out``: of designs and signs that no training picture shows."""
    rng = np.random.default_rng([*seed, 11])
    fonts = font_files(work)
    words = fonts + font_files(work, joker_words.DEBIAN_FONTS)
    families = HELD_OUT_FONTS if held_out else TRAIN_FONTS
    shapes = shape_maker(font_files_of(fonts, families), families)
    decks = []
    for n in range(RANDOM):
        own_figures = figures(rng, stage.hang) if rng.random() < stage.own_figures else {}
        across = n % 4 == 3
        manner = Manner(
            own_figures,
            word_index if across else joker_index,
            float(rng.uniform(0.6, 1.3)) if across else 0.0,
            jokers=4 if across else 2,
            black=n % 6 == 0,
            shapes=shapes if rng.random() < 0.75 else None,
        )
        decks.append(random_deck(rng, n, words if across else fonts, manner))
    if held_out:
        decks += artwork.sheet_decks(artwork.HELD_OUT_SHEETS, work)
        return decks + artwork.npm_decks(artwork.NPM_HELD_OUT, work, decks[0].backs[0])
    return decks + _packaged(work, seed, decks[0].backs[0]) + [replace(d, weight=OWN_WEIGHT) for d in own_decks()]


def _packaged(work: Path, seed: list[int], back: Image) -> list[Deck]:
    """``PACKAGED`` designs of packages, other ones in each lot until all had their turn."""
    sheets, others = artwork.TRAIN_SHEETS, list(kde.SHEETS)
    decks = []
    for n in range(PACKAGED):
        k = (seed[-1] * PACKAGED + n) % (len(sheets) + len(artwork.NPM_TRAIN) + len(others))
        if k < len(sheets):
            decks += artwork.sheet_decks((sheets[k],), work)
        elif k < len(sheets) + len(artwork.NPM_TRAIN):
            decks += artwork.npm_decks((artwork.NPM_TRAIN[k - len(sheets)],), work, back)
        else:
            decks += kde.kde_decks(work, back, (others[k - len(sheets) - len(artwork.NPM_TRAIN)],))
    return decks


def draw_lot(
    work: Path,
    seed: list[int],
    scenes: int,
    finder: Finder,
    out: Path,
    stage: Stage = STAGES[0],
    *,
    held_out: bool = False,
) -> None:
    """Draw ``scenes`` pictures of the packs of ``seed``; write their patches, fifty pictures to a file, to ``out``."""
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    shelf = shelves(packs(work, seed, stage, held_out=held_out))
    about = clutter.sheets(8, int(np.random.default_rng([*seed, 12]).integers(0, 2**31)), font_files(work))
    leans, shares = [lean for lean, _ in stage.leans], [share for _, share in stage.leans]
    for part in range(0, scenes, 50):
        gathered = samples.Patches((WIDE[0] + 2 * RIM, WIDE[1] + 2 * RIM))
        for _ in range(min(50, scenes - part)):
            lean = leans[int(rng.choice(len(leans), p=shares))]
            picture = draw_scene(rng, shelf, SIZE, PER_MM, about, lean)
            samples.gather(rng, picture, finder, gathered)
        path = out / f"{'-'.join(map(str, seed))}-{part:05d}.npz"
        fresh = path.with_suffix(".new")
        with fresh.open("wb") as file:
            np.savez(file, patches=np.array(gathered.patches), labels=np.array(gathered.labels, np.int8))
        fresh.replace(path)


def load(path: Path) -> Lot:
    """One file of ``draw_lot``."""
    with np.load(path) as kept:
        return Lot(kept["patches"], kept["labels"].astype(np.int64))
