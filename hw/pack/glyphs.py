"""Outlines of ranks, letters and suits as SVG path data, so that a card looks alike on every machine.

Ranks are strokes in a box 66 wide and 100 high (``10``: 88 wide), y downwards; suits are filled shapes in a box
100 by 100.
"""

from __future__ import annotations

from typing import Final

RANK_STROKES: Final[dict[str, str]] = {
    "A": "M9 96L33 8L57 96M17 66H49",
    "2": "M8 31C8 15 19 7.5 33 7.5C48 7.5 58 17 58 31C58 45 47 55 33 67L10 92.5H61",
    "3": "M8 22C12 12 21 7.5 32 7.5C47 7.5 56 16 56 28C56 40 47 46.5 31 46.5C48 46.5 59 55 59 70"
    "C59 84 48 92.5 32 92.5C19 92.5 10 87 7 76",
    "4": "M46 98V2M44 6L10 70H64",
    "5": "M56 7.5H15L11 46C18 40 25 37 33 37C49 37 59 48 59 64.5C59 82 48 92.5 32 92.5C20 92.5 11 87.5 7 77",
    "6": "M55 18C50 11 43 7.5 36 7.5C18 7.5 8 25 8 54C8 80 18 92.5 34 92.5C49 92.5 59 81 59 66"
    "C59 50 49 40 35 40C20 40 9 49 8 62",
    "7": "M5 7.5H60C43 34 33 62 29 98",
    "8": "M33 47C20 47 11 39 11 27C11 15 20 7.5 33 7.5C46 7.5 55 15 55 27C55 39 46 47 33 47C17 47 7 56 7 70"
    "C7 84 17 92.5 33 92.5C49 92.5 59 84 59 70C59 56 49 47 33 47Z",
    "9": "M11 82C16 89 23 92.5 30 92.5C48 92.5 58 75 58 46C58 20 48 7.5 32 7.5C17 7.5 7 19 7 34"
    "C7 50 17 60 31 60C46 60 57 51 58 38",
    "T": "M2 25L17 9V98M61 7.5C47 7.5 39 24 39 50C39 76 47 92.5 61 92.5C75 92.5 83 76 83 50C83 24 75 7.5 61 7.5Z",
    "J": "M45 4V70C45 85 37 92.5 25 92.5C14 92.5 7 85 6 72",
    "Q": "M33 7.5C17 7.5 7 24 7 50C7 76 17 92.5 33 92.5C49 92.5 59 76 59 50C59 24 49 7.5 33 7.5ZM33 66L63 99",
    "K": "M13 2V98M58 4L15 58M28 43L60 97",
}
"""Stroke paths of the ranks; ``T`` is written 10."""

RANK_SLABS: Final[dict[str, str]] = {
    "A": "M0 94H19M47 94H66",
    "J": "M26 6H62",
    "K": "M2 6H25M2 94H25M46 6H66M48 94H68",
}
"""Serifs that a style may add."""

RANK_WIDTH: Final[dict[str, float]] = {"T": 88.0}
"""Widths of boxes other than 66."""

LETTER_STROKES: Final[dict[str, str]] = {
    "J": RANK_STROKES["J"],
    "O": "M33 7.5C17 7.5 7 24 7 50C7 76 17 92.5 33 92.5C49 92.5 59 76 59 50C59 24 49 7.5 33 7.5Z",
    "K": RANK_STROKES["K"],
    "E": "M60 8H13V92H60M13 49H52",
    "R": "M13 99V8H35C50 8 58 16 58 30C58 44 50 52 35 52H13M36 52L60 99",
}
"""The letters of JOKER."""

SUIT_FILLS: Final[dict[str, str]] = {
    "H": "M50 95C23 69 4 52 4 30C4 14 15 5 28 5C38 5 46 11 50 22C54 11 62 5 72 5C85 5 96 14 96 30C96 52 77 69 50 95Z",
    "D": "M50 0C58 19 71 37 87 50C71 63 58 81 50 100C42 81 29 63 13 50C29 37 42 19 50 0Z",
    "C": "M50 3C62 3 72 12 72 24C72 31 69 36 64 41C67 39 71 38 75 38C87 38 97 47 97 60C97 72 87 81 75 81"
    "C66 81 58 76 54 68C54 82 59 91 68 97H32C41 91 46 82 46 68C42 76 34 81 25 81C13 81 3 72 3 60"
    "C3 47 13 38 25 38C29 38 33 39 36 41C31 36 28 31 28 24C28 12 38 3 50 3Z",
    "S": "M50 1C62 25 96 40 96 63C96 76 87 84 75 84C66 84 58 79 54 71C55 84 60 92 69 98H31C40 92 45 84 46 71"
    "C42 79 34 84 25 84C13 84 4 76 4 63C4 40 38 25 50 1Z",
}
"""Filled paths of the suits."""


def star(points: int, outer: float, inner: float) -> str:
    """Path of a star with ``points`` tips around the origin, the first tip upwards."""
    from math import cos, pi, sin

    corners = []
    for step in range(2 * points):
        radius = inner if step % 2 else outer
        turn = pi * step / points - pi / 2
        corners.append(f"{radius * cos(turn):.2f} {radius * sin(turn):.2f}")
    return "M" + "L".join(corners) + "Z"
