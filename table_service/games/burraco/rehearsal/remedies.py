"""Orders of the F.I.Bur. code for each row that is rehearsed, read from its text for the truth alone.

Words are those of the contract (``remedy[].do``); alternatives of which one must be proposed are parted by ``|``. A row
without an entry has no penalty of its own in the text, or leaves it wholly to the arbitro.
"""

from __future__ import annotations

from typing import Final

REMEDIES: Final[dict[str, tuple[str, ...]]] = {
    "F-N1": ("referee",),  # no sentence speaks of it
    "F-N2": ("referee",),  # art. 7 has the discard end the turn, and no more
    # Pack and deal: arts. 4, 5, 7
    "F-04d": ("redeal",),
    "F-04f": ("nothing",),
    "F-04k": ("nothing",),
    "F-05a": ("replace-pack",),
    "F-05b": ("replace-pack",),
    "F-05d": ("penalise", "replace-pack"),
    # Stock and pile: arts. 8, 9
    "F-08a": ("return-to-stock", "show"),
    "F-09f": ("take-back|collect|discard|limit-turn",),
    "F-09g": ("take-back", "discard"),
    # Melds: arts. 10, 11, 25 to 29
    "F-10a": ("take-back",),
    "F-11c": ("complete-or-penalise|penalise",),
    "F-12": ("complete-or-penalise|penalise",),
    "F-11b": ("warn", "discard|limit-turn"),
    "F-21a": ("warn",),
    "F-23b": ("warn",),
    "F-23c": ("correct-count",),
    "F-23j": ("freeze", "penalise|discard"),
    "F-23k": ("freeze", "score"),
    "F-23l": ("freeze", "score", "limit-turn"),
    "F-23m": ("freeze", "score"),
    "F-23p": ("collect",),
    "F-24a": ("expose",),
    "F-24c": ("penalise",),
    "F-24d": ("expose",),
    "F-25b": ("penalise|discard",),
    "F-25c": ("freeze", "score"),
    "F-25d": ("score",),
    "F-26a": ("penalise",),
    "F-26b": ("penalise",),
    "F-26c": ("freeze", "penalise|discard"),
    "F-26d": ("freeze", "score", "discard|penalise"),
    "F-26e": ("take-back", "expose"),
    "F-27a": ("freeze",),
    "F-27b": ("freeze",),
    "F-27c": ("penalise",),
    "F-27d": ("bar-closing", "freeze"),
    "F-29a": ("penalise",),
    "F-29b": ("complete-or-penalise|penalise",),
    "F-29c": ("complete-or-penalise|penalise",),
    "F-29d": ("complete-or-penalise|penalise",),
    "F-29e": ("freeze",),
    # Turns: arts. 30 to 32
    "F-30a": ("draw|collect", "freeze"),
    "F-30b": ("draw|collect", "freeze", "warn"),
    "F-30c": ("score",),
    "F-31a": ("return-to-stock", "limit-turn"),
    "F-31b": ("return-to-stock", "limit-turn", "freeze"),
    "F-31c": ("return-to-stock", "limit-turn", "freeze"),
    "F-31d": ("return-to-pile", "limit-turn"),
    "F-31e": ("return-to-pile", "limit-turn", "freeze"),
    "F-31f": ("return-to-stock|return-to-pile", "discard|limit-turn"),
    "F-32": ("freeze", "limit-turn"),
    # Closings: arts. 33 to 35
    "F-33": ("penalise",),
    "F-34": ("take-back",),
    "F-35a": ("discard", "expose"),
    "F-35b": ("take-back", "discard"),
}
