"""Threes with a flat top and fives, drawn anew for each pack: card makers letter them alike, and in many ways.

A drawing fills ``strokes.BOX`` (60 x 100 units) with strokes of several widths; its colour is called "@1".
"""

from __future__ import annotations

from typing import Final

import numpy as np

from lab.vision.train.strokes import BOX

THREE: Final = 0.65
"""Share of the packs whose 3 has a flat top of their own."""
FIVE: Final = 0.45
"""Share of the packs whose 5 is drawn so too; the others' are set in type or drawn as ``strokes`` has them."""


def figures(rng: np.random.Generator, most: float = 27.0) -> dict[str, str]:
    """Return what one pack draws in its own way: nothing, its 3, its 5 or both, in one hand.

    ``most``: so far, in hundredths of a rank's height, a serif may hang from the bar of a 3.
    """
    hand = _Hand(rng)
    drawn = {}
    if rng.random() < THREE:
        drawn["3"] = hand.three(rng, most)
    if rng.random() < FIVE:
        drawn["5"] = hand.five(rng)
    return drawn


class _Hand:
    """Thickness of a pack's strokes, and their ends."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.thick = rng.uniform(8, 25)
        self.bar = self.thick * rng.uniform(0.55, 1.15)
        self.thin = self.thick * rng.uniform(0.3, 1.0)
        self.join = "round" if rng.random() < 0.5 else "miter"
        self.end = str(rng.choice(["plain", "plain", "ball", "serif"]))

    def _stroke(self, path: str, width: float) -> str:
        return f'<path d="{path}" fill="none" stroke="@1" stroke-width="{width:.1f}" stroke-linejoin="{self.join}"/>'

    def _ending(self, x: float, y: float) -> str:
        """The lower left end of the bowl."""
        if self.end == "ball":
            return f'<circle cx="{x + 2:.1f}" cy="{y:.1f}" r="{self.thick * 0.72:.1f}" fill="@1"/>'
        if self.end == "serif":
            return self._stroke(f"M{x - 4:.1f},{y - 10:.1f} L{x + 3:.1f},{y + 8:.1f}", self.bar)
        return ""

    def three(self, rng: np.random.Generator, most: float = 27.0) -> str:
        """A bar, often with a serif that hangs from its left end by up to ``most``, a slant, a bowl."""
        left, right = rng.uniform(3, 10), rng.uniform(48, 57)
        mx, my = rng.uniform(17, 33), rng.uniform(33, 48)
        ex, ey = rng.uniform(2, 8), rng.uniform(74, 86)
        wide, top = rng.uniform(57, 66), my - rng.uniform(-2, 8)
        low = rng.uniform(98, 106)
        parts = [
            self._stroke(f"M{left:.1f},{self.bar / 2:.1f} L{right:.1f},{self.bar / 2:.1f}", self.bar),
            self._stroke(f"M{right - 2:.1f},{self.bar * 0.6:.1f} L{mx:.1f},{my:.1f}", self.thin),
            self._stroke(
                f"M{mx:.1f},{my:.1f} C{wide - 8:.1f},{top:.1f} {wide:.1f},{low:.1f} 28,{100 - self.thick * 0.1:.1f} "
                f"C15,{100 - self.thick * 0.1:.1f} {ex + 1:.1f},{ey + 12:.1f} {ex:.1f},{ey:.1f}",
                self.thick,
            ),
            self._ending(ex, ey),
        ]
        if rng.random() < 0.6:
            hang = rng.uniform(8, most)
            side = self.bar * rng.uniform(0.35, 1.0)
            parts.append(self._stroke(f"M{left + side / 2:.1f},0 l{rng.uniform(-4, 1):.1f},{hang:.1f}", side))
        return "".join(parts)

    def five(self, rng: np.random.Generator) -> str:
        """A bar or a flag, a stem, a bowl."""
        left, right = rng.uniform(8, 16), rng.uniform(46, 56)
        foot, my = left - rng.uniform(0, 7), rng.uniform(38, 52)
        ex, ey = rng.uniform(2, 8), rng.uniform(74, 86)
        wide, bulge = rng.uniform(55, 63), rng.uniform(5, 15)
        rise = rng.uniform(0, 9) if rng.random() < 0.3 else 0.0
        bar = f"M{left - self.thin / 2:.1f},{self.bar / 2:.1f} L{right:.1f},{self.bar / 2 - rise:.1f}"
        parts = [
            self._stroke(bar, self.bar),
            self._stroke(f"M{left:.1f},{self.bar * 0.4:.1f} L{foot:.1f},{my:.1f}", self.thin),
            self._stroke(
                f"M{foot:.1f},{my:.1f} C{foot + 14:.1f},{my - bulge:.1f} {wide - 1:.1f},{my - bulge:.1f} "
                f"{wide - 2:.1f},68 C{wide:.1f},106 {ex + 3:.1f},107 {ex:.1f},{ey:.1f}",
                self.thick,
            ),
            self._ending(ex, ey),
        ]
        if rng.random() < 0.4:
            parts.append(self._stroke(f"M{right - 2:.1f},0 l0,{rng.uniform(9, 18):.1f}", self.bar * 0.6))
        return "".join(parts)


def placed(figure: str, x: float, top: float, height: float, wide: float, colour: str) -> str:
    """SVG of a drawing: middle ``x``, upper edge ``top`` and ``height`` in mm, ``wide`` a factor."""
    share = height / BOX[1]
    across = share * wide
    return (
        f'<g transform="translate({x - BOX[0] / 2 * across:.2f},{top:.2f}) scale({across:.4f},{share:.4f})">'
        f"{figure.replace('@1', colour)}</g>"
    )
