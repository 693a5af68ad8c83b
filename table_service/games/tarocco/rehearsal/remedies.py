"""Orders of the tournament rules for each row that is rehearsed, read from their text for the truth alone."""

from __future__ import annotations

from typing import Final

REMEDIES: Final[dict[str, tuple[str, ...]]] = {
    "T07b": ("referee",),
    "T08": ("redeal",),
    "T09": ("score",),
    "T09c": ("correct-count",),
    "T09b": ("referee",),
    "T10": ("score",),
    "T11a": ("score",),
    "T12": ("warn|score",),
    "T13b": ("referee",),
    "T14": ("score",),
    "T14b": ("referee",),
    "T15": ("score",),
    "T18": ("referee",),
}
