"""What the second part of the training shows: pictures drawn out one way, other threes and fives, jokers' words."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from hw.cards import JOKER
from vision.train import random_decks, words
from vision.train.decks import Deck
from vision.train.figures import figures
from vision.train.fonts import font_files
from vision.train.jokers import joker_index
from vision.train.lean import Lean

LEAN: Final = Lean(
    stretched=0.6,
    most=1.9,
    faces=("3H", "3D", "3C", "3S", "5H", "5D", "5C", "5S", JOKER, JOKER),
    share=0.18,
)
WORDS: Final = 0.7
"""Share of the packs whose joker has its word across the corner; the others' are those of the first part."""


def second_decks(count: int, seed: int, work: Path) -> list[Deck]:
    """``count`` packs drawn at random, other ones than those of the first part."""
    fonts = font_files(work) + font_files(work, words.DEBIAN_FONTS)
    rng = np.random.default_rng([seed, 3])
    decks = []
    for number in range(count):
        across = rng.random() < WORDS
        free = rng.uniform(0.6, 1.3) if across else 0.0
        manner = random_decks.Manner(figures(rng), words.word_index if across else joker_index, free)
        decks.append(random_decks.random_deck(rng, number, fonts, manner))
    return decks
