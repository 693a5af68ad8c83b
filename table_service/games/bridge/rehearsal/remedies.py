"""Orders of norms and Code for each row that is rehearsed, read from their text for the truth alone."""

from __future__ import annotations

from typing import Final

REMEDIES: Final[dict[str, tuple[str, ...]]] = {
    "FIGB-1": ("take-back",),
    "FIGB-2": ("nothing|referee",),
    "FIGB-4": ("referee",),
    "FIGB-5": ("expose",),
    "FIGB-6": ("nothing",),
    "FIGB-7": ("referee",),
    "FIGB-8": ("nothing",),
    "FIGB-9": ("nothing",),
    "FIGB-10": ("referee",),
    "FIGB-11": ("nothing",),
    "FIGB-12": ("referee",),
    "FIGB-13": ("nothing",),
    "FIGB-14": ("nothing",),
    "FIGB-15": ("nothing",),
    "FIGB-16": ("referee",),
    "law-30": ("referee",),
    "law-32": ("referee",),
    "law-36": ("take-back",),
    "law-37": ("take-back",),
    "law-39": ("take-back",),
    "law-44": ("referee",),
    "law-50D2": ("referee",),
    "law-52": ("take-back|referee",),
    "law-55": ("take-back",),
    "law-56": ("take-back",),
    "law-57": ("take-back|expose",),
    "law-58": ("take-back",),
    "law-61": ("score",),
    "law-65": ("nothing",),
    "law-67": ("referee",),
    "law-79": ("referee|nothing",),
}
