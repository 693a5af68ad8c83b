"""Games as PBN text in the export format; what is written reads back as the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from table_service.games.bridge.pbn.reading import Game

MANDATORY: Final = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring",
    "Declarer", "Contract", "Result",
)  # fmt: skip
"""The tags of every game, in this order (chapter 3.4)."""
_LINE: Final = 79
_BACKSLASH: Final = re.compile(r'\\(?=["\\]|$)')
"""A backslash that would escape what follows it."""


def write_games(games: Iterable[Game]) -> str:
    """``games`` as a file, each with all mandatory tags, inherited values written out."""
    return "% PBN 2.1\n% EXPORT\n" + "\n".join(map(_written, games))


def _written(game: Game) -> str:
    values: Mapping[str, str] = game.values
    others = [name for name in dict.fromkeys((*values, *game.sections)) if name and name not in MANDATORY]
    lines = []
    for name in (*MANDATORY, *others):
        lines.append(f'[{name} "{_escaped(values.get(name, ""))}"]')
        words = [word.text for word in game.sections.get(name, ())]
        lines += _wrapped(words)
        lines += [f'[Note "{_escaped(text)}"]' for section, text in game.notes if section == name]
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return _BACKSLASH.sub(r"\\\\", value).replace('"', '\\"')


def _wrapped(words: list[str]) -> list[str]:
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > _LINE:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    written = [*lines, line] if line else lines
    return [f" {one}" if one.startswith("%") else one for one in written]  # in the first column it hides the line
