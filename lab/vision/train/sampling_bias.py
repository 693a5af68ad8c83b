"""Biases of training pictures: what they show more of than they would by chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Lean:
    """Bias of pictures: what they show more of than they would by chance."""

    stretched: float = 0.0
    """Share of the pictures that were drawn out one way, as when a photograph is pressed into another format."""
    most: float = 1.0
    """By so much at most."""
    faces: tuple[str, ...] = ()
    share: float = 0.0
    """Share of the cards that are one of ``faces``."""


EVEN: Final = Lean()
