"""Resolution of a scale: the noise of its converter against a card, and the error that a whole stack may have.

That one card came or went is a difference within seconds: only noise counts. The number of cards in a stack is an
absolute weight: corner load, creep and calibration count too, and all together must stay below half a card. The maker
of the listed cell gives none of these three; the bench measures them (docs/board/bench.md).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt


@dataclass(frozen=True, slots=True)
class Cell:
    """A load cell behind its converter: full load in grams, what it gives there, excitation, noise of one reading."""

    grams: float = 500.0
    millivolt_per_volt: float = 0.7
    """TAL221, from memory: 0.6 to 1.0."""
    volts: float = 4.3
    noise_nanovolt: float = 90.0
    """HX711 at 80 readings a second and gain 128 (data sheet, table of key electrical characteristics)."""

    @property
    def microvolt_per_gram(self) -> float:
        """Change of the bridge's output per gram."""
        return self.millivolt_per_volt * self.volts / self.grams * 1000

    def noise_grams(self, readings: int = 1) -> float:
        """Effective noise of the mean of this many readings."""
        return self.noise_nanovolt / 1000 / self.microvolt_per_gram / sqrt(readings)


def permitted_share(cards: int, card_grams: float) -> float:
    """Return the share of a stack's weight by which a scale may be wrong and still count its ``cards``: half a card."""
    return 0.5 / cards if cards > 0 and card_grams > 0 else float("inf")
