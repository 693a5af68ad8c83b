"""Games as PBN text in the export format; what is written reads back as the same.

Four calls and one trick a line, and a row of a table: other programs count lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from table_service.games.bridge.pbn.reading import TABLES, PbnGame

MANDATORY: Final = (
    "Event", "Site", "Date", "Board", "West", "North", "East", "South", "Dealer", "Vulnerable", "Deal", "Scoring",
    "Declarer", "Contract", "Result",
)  # fmt: skip
"""The tags of every game, in this order (chapter 3.4)."""
_LINE: Final = 79
_IN_TURN: Final = 4
"""Calls or cards a line."""
_BACKSLASH: Final = re.compile(r'\\(?=["\\]|$)')
"""A backslash that would escape what follows it."""


def write_games(games: Iterable[PbnGame]) -> str:
    """``games`` as a file, each with all mandatory tags, inherited values written out."""
    return "% PBN 2.1\n% EXPORT\n" + "\n".join(map(_written, games))


def _written(game: PbnGame) -> str:
    values: Mapping[str, str] = game.values
    others = [name for name in dict.fromkeys((*values, *game.sections)) if name and name not in MANDATORY]
    lines = []
    for name in (*MANDATORY, *others):
        lines.append(f'[{name} "{_escaped(values.get(name, ""))}"]')
        words = [word.text for word in game.sections.get(name, ())]
        lines += _laid_out(name, values.get(name, ""), words)
        lines += [f'[Note "{_escaped(text)}"]' for section, text in game.notes if section == name]
    return "\n".join(lines) + "\n"


def _escaped(value: str) -> str:
    return _BACKSLASH.sub(r"\\\\", value).replace('"', '\\"')


def _laid_out(name: str, value: str, words: list[str]) -> list[str]:
    """Return the words of the section of ``name`` in lines."""
    if name in TABLES:
        columns = value.count(";") + 1
        return _in_rows(words, columns)
    if name in ("Auction", "Play"):
        units = _units(words)
        end = units[-1:] if units[-1:] in (["*"], ["+"]) and name == "Play" else []
        return [*_in_rows(units[: len(units) - len(end)], _IN_TURN), *end]
    return _wrapped(words)


def _in_rows(parts: list[str], width: int) -> list[str]:
    rows = [" ".join(parts[start : start + width]) for start in range(0, len(parts), width)]
    return _visible(rows)


def _units(words: list[str]) -> list[str]:
    """Each call or card with the marks before it and the remarks after it."""
    units, marks = list[str](), list[str]()
    for word in words:
        if word.startswith("^"):
            marks.append(word)
        elif word[0] in "=$!?" and units and not marks:
            units[-1] += f" {word}"
        else:
            units.append(" ".join([*marks, word]))
            marks = []
    return [*units, " ".join(marks)] if marks else units


def _visible(lines: list[str]) -> list[str]:
    """Return the same; a line that begins with the sign that hides one is moved by a blank."""
    return [f" {one}" if one.startswith("%") else one for one in lines]


def _wrapped(words: list[str]) -> list[str]:
    lines, line = [], ""
    for word in words:
        if line and len(line) + 1 + len(word) > _LINE:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return _visible([*lines, line] if line else lines)
