"""Alerts and meanings of calls in LIN as notes, which is how PBN has them (3.5.4)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from table_service.games.bridge.pbn.reading import Error, PbnGame, Word
from table_service.games.bridge.pbn.sections import MOST_NOTES

_ALERT: Final = "alert"
"""The note of a call that was alerted without a word."""


@dataclass(slots=True)
class Alerts:
    """The notes of an auction: an exclamation mark, which alerts in LIN, praises a call in PBN.

    ``is_open``: the last call was alerted, and nothing was said of it yet. Equal words are one note.
    """

    game: PbnGame
    words: list[Word]
    notes: dict[str, int] = field(default_factory=dict)
    is_open: bool = False

    def explain(self, meaning: str, line: int) -> None:
        """Give the last call its ``meaning``; an alert of which none is told is a note of its own."""
        text = _ALERT if meaning == "!" or (not meaning and self.is_open) else " ".join(meaning.split())
        self.is_open = False
        if not text or not self.words or self.words[-1].text.startswith("="):
            return
        number = self.notes.setdefault(text, len(self.notes) + 1)
        if number > MOST_NOTES:
            self.game.errors.append(Error(line, "an", f"more than {MOST_NOTES} meanings: PBN has no room for them"))
            return
        if number > len(self.game.notes):
            self.game.add_note("Auction", f"{number}:{text}", line)
        self.words.append(Word(f"={number}=", line))
