"""Pictures of the later parts of the training: drawn out one way, other threes and fives, jokers' words.

The second part is for both networks, the third for the reader alone, as is the fourth in its longer training: a joker's
index has no common form, so it takes many of them to know one that was never seen.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from hw.cards import JOKER
from lab.vision.train import joker_words, random_decks
from lab.vision.train.decks import Deck
from lab.vision.train.figures import figures
from lab.vision.train.fonts import font_files
from lab.vision.train.joker_words import word_index
from lab.vision.train.jokers import joker_index
from lab.vision.train.sampling_bias import EVEN, Lean

LEAN: Final = Lean(
    stretched=0.6,
    most=1.9,
    faces=("3H", "3D", "3C", "3S", "5H", "5D", "5C", "5S", JOKER, JOKER),
    share=0.18,
)
JOKERS: Final = Lean(LEAN.stretched, LEAN.most, (JOKER,), 0.4)
"""Bias of the pictures of the fourth part."""
MIXED: Final = Lean(LEAN.stretched, LEAN.most, (*LEAN.faces, JOKER, JOKER, JOKER), 0.45)
"""Bias of the pictures of the third part."""
LEANS: Final = {1: EVEN, 2: LEAN, 3: MIXED, 4: JOKERS}
"""Bias of the pictures, by part."""
EACH: Final = 10
"""Jokers of each pack of the third and fourth part."""


@dataclass(frozen=True)
class Stage:
    """One course of the reader's longer training: it learns from the pictures of ``part`` and of the first two."""

    part: int
    steps: int
    rate: float
    start: int | None = None
    """The stage, from 1 on, from which it continues."""
    share: float = 0.0
    """Share of the reader that is kept, which is a mean; chosen by the photographs' figures among some ten mixtures."""


LONGER: Final = (
    Stage(1, 7500, 2e-3),
    Stage(2, 3000, 8e-4, 1, 0.15),
    Stage(4, 1500, 6e-4, 2, 0.45),
    Stage(3, 3000, 6e-4, 2, 0.40),
)
"""The reader's longer training."""
WORDS: Final = 0.7
"""Share of the packs whose joker has its word across the corner; the others' are those of the first part."""


def second_decks(count: int, seed: int, work: Path) -> list[Deck]:
    """``count`` packs drawn at random, other ones than those of the first part."""
    fonts = font_files(work) + font_files(work, joker_words.DEBIAN_FONTS)
    rng = np.random.default_rng([seed, 3])
    decks = []
    for number in range(count):
        across = rng.random() < WORDS
        free = rng.uniform(0.6, 1.3) if across else 0.0
        manner = random_decks.Manner(figures(rng), word_index if across else joker_index, free)
        decks.append(random_decks.random_deck(rng, number, fonts, manner))
    return decks


def joker_decks(count: int, seed: int, work: Path) -> list[Deck]:
    """``count`` packs for the third or fourth part: drawn at random, each with ``EACH`` jokers."""
    fonts = font_files(work) + font_files(work, joker_words.DEBIAN_FONTS)
    rng = np.random.default_rng([seed, 4])
    decks = []
    for number in range(count):
        manner = random_decks.Manner(figures(rng), _any_index, rng.uniform(0.4, 1.3), EACH)
        decks.append(random_decks.random_deck(rng, number, fonts, manner))
    return decks


def _any_index(rng: np.random.Generator, x: float, y: float, height: float) -> str:
    """A joker's index of either kind."""
    return (word_index if rng.random() < WORDS else joker_index)(rng, x, y, height)
