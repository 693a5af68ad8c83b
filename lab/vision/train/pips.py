"""Shapes of the suits and places of pips for packs drawn at random."""

from __future__ import annotations

from typing import Final

PIPS: Final = {
    "H": (
        "M0,46 C-14,26 -46,4 -46,-18 C-46,-34 -34,-44 -22,-44 C-12,-44 -4,-38 0,-28 "
        "C4,-38 12,-44 22,-44 C34,-44 46,-34 46,-18 C46,4 14,26 0,46Z"
    ),
    "D": "M0,-48 Q16,-20 38,0 Q16,20 0,48 Q-16,20 -38,0 Q-16,-20 0,-48Z",
    "S": (
        "M0,-46 C10,-24 44,-4 44,18 C44,34 34,40 24,40 C16,40 8,36 4,26 Q6,40 16,48 L-16,48 Q-6,40 -4,26 "
        "C-8,36 -16,40 -24,40 C-34,40 -44,34 -44,18 C-44,-4 -10,-24 0,-46Z"
    ),
    "C": (
        "M-6,14 C-12,26 -22,30 -28,30 C-40,30 -46,20 -46,10 C-46,-4 -34,-12 -20,-8 C-28,-18 -24,-46 0,-46 "
        "C24,-46 28,-18 20,-8 C34,-12 46,-4 46,10 C46,20 40,30 28,30 C22,30 12,26 6,14 "
        "Q6,36 16,46 L-16,46 Q-6,36 -6,14Z"
    ),
}
SHARP: Final = {
    "H": "M0,48 L-44,-8 A23,23 0 0 1 0,-30 A23,23 0 0 1 44,-8Z",
    "D": "M0,-48 L34,0 L0,48 L-34,0Z",
    "S": "M0,-48 L40,6 A21,21 0 0 1 4,26 L14,48 L-14,48 L-4,26 A21,21 0 0 1 -40,6Z",
    "C": (
        "M-20,-24 a20,20 0 1 1 40,0 a20,20 0 0 1 -6,14 a20,20 0 1 1 -10,30 L14,46 L-14,46 L-4,20 "
        "a20,20 0 1 1 -10,-30 a20,20 0 0 1 -6,-14Z"
    ),
}
COUNTS: Final = {"A": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}


def pip(x: float, y: float, size: float, shape: str, colour: str, turned: bool = False) -> str:
    """SVG of one pip: centre and size in mm."""
    turn = "rotate(180)" if turned else ""
    return f'<path transform="translate({x:.2f},{y:.2f}) {turn} scale({size / 96:.4f})" d="{shape}" fill="{colour}"/>'


def pip_places(count: int, left: float = 0.32, top: float = 0.2) -> list[tuple[float, float]]:
    """Places of pips as fractions of the card; ``left`` and ``top`` are those of the first."""
    rows = {2: 0, 3: 0, 4: 2, 5: 2, 6: 3, 7: 3, 8: 3, 9: 4, 10: 4}.get(count, 0)
    span = 1 - 2 * top
    places = [(x, top + span * i / (rows - 1)) for i in range(rows) for x in (left, 1 - left)] if rows else []
    middle = count - 2 * rows
    spread = {1: [0.5], 2: [top, 1 - top] if not rows else [0.32, 0.68], 3: [top, 0.5, 1 - top]}.get(middle, [])
    return places + [(0.5, y) for y in spread]
