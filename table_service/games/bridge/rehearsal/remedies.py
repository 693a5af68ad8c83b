"""What norms and Code order for each row that is rehearsed, read from their text for the truth alone."""

from __future__ import annotations

from typing import Final

REMEDIES: Final[dict[str, tuple[str, ...]]] = {
    "FIGB-1": ("take-back",),
    "FIGB-2": ("nothing|referee",),
    "FIGB-4": ("referee",),
    "FIGB-6": ("nothing",),
    "FIGB-7": ("referee",),
    "FIGB-8": ("nothing",),
    "FIGB-9": ("nothing",),
    "FIGB-10": ("referee",),
    "law-36": ("take-back",),
    "law-55": ("take-back",),
    "law-56": ("take-back",),
    "law-58": ("take-back",),
    "law-61": ("score",),
    "law-65": ("nothing",),
    "law-79": ("referee|nothing",),
}
