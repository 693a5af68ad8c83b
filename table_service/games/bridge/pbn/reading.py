"""PBN files → games: tags and the words of their sections, with lines; what is wrong is noted, nothing raises.

PBN 2.1, chapters 2 and 3: ``%`` in the first column hides a line, ``;`` and ``{…}`` are comments, an empty line ends a
game. A tag's value "#" is that of the nearest earlier game, "##…" stands for all later ones (4.8). A game that begins
with its players is another table's of the board before it, which it does not repeat (paired records).
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

NOT_INHERITED: Final = frozenset({"Dealer", "Vulnerable", "Deal", "Declarer", "Contract", "Auction", "Play", "Note"})
"""Tags that may not take their value from another game (4.8)."""
_OF_BOARD: Final = ("Event", "Site", "Date", "Board", "Dealer", "Vulnerable", "Deal", "Scoring")
"""Tags that a board's tables share."""
_PLAYERS: Final = frozenset({"West", "North", "East", "South"})
TABLES: Final = frozenset(
    {
        "ActionTable", "AuctionTimeTable", "InstantScoreTable", "OptimumPlayTable", "OptimumResultTable",
        "PlayTimeTable", "ScoreTable", "TotalScoreTable",
    }
)  # fmt: skip
"""Tags whose section is a table (chapter 5)."""

_TOKEN: Final = re.compile(
    r"""
      (?P<hidden>^%[^\n]*)
    | (?P<plain>^(?![ \t]*\n)[^\n;{}\["\]%]+\n)
    | (?P<line>;[^\n]*)
    | (?P<block>\{[^}]*\}?)
    | \[\s*(?P<name>\w+)\s*"(?P<value>(?:[^"\\\n]|\\.)*)"\s*\](?:[ \t]*\n)?
    | (?P<broken>\[[^\]\n]*\]?)
    | (?P<empty>^[ \t]*\n)
    | (?P<end>\n)
    | (?P<text>"(?:[^"\\\n]|\\.)*")
    | (?P<word>[^\s;{}\["]+)
    | (?P<stray>[}"\]])
    """,
    re.VERBOSE | re.MULTILINE,
)
_TOO_EARLY: Final = "stands before the first tag"
_BROKEN_NAME: Final = re.compile(r"\[\s*(\w+)")
_ESCAPED: Final = re.compile(r'\\(["\\])')
"""A quote and a backslash are escaped; before another letter a backslash is itself, as in a column's width."""


class Word(NamedTuple):
    """A word of a section and its line."""

    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Error:
    """Error in a file: its line, its tag (empty if there is none), and a sentence for a person."""

    line: int
    tag: str
    text: str


@dataclass(slots=True)
class PbnGame:
    """One game of a file. ``values``: the tags by name, what is inherited included; ``sections``: the words after them.

    ``own``: the tags as they are written, in order. ``lines``: where each tag stands; 0 for an inherited one.
    ``notes``: the texts of note tags, each with the tag of the section it belongs to; ``note_lines``: where they stand.
    ``is_impossible``: the file has a card that cannot have been played.
    """

    line: int
    own: list[tuple[str, str]] = field(default_factory=list)
    values: dict[str, str] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    sections: dict[str, list[Word]] = field(default_factory=dict)
    notes: list[tuple[str, str]] = field(default_factory=list)
    note_lines: list[int] = field(default_factory=list)
    errors: list[Error] = field(default_factory=list)
    is_impossible: bool = False

    def add_note(self, section: str, text: str, line: int) -> None:
        """Add a note to the section of the tag ``section``."""
        self.notes.append((section, text))
        self.note_lines.append(line)


def decoded(data: bytes) -> str:
    """Return the text of a file: UTF-8, UTF-16 if it says so, else a byte a letter (ISO 8859-1, chapter 2.2)."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        text = data.decode("utf-16", "replace") if is_wide else data.decode("latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\x1a", "")


def read_games(text: str) -> Iterator[PbnGame]:
    """Yield the games of ``text``, inheritance worked out."""
    before: dict[str, str] = {}
    header: dict[str, str] = {}
    board: dict[str, str] = {}
    for game in _written(text):
        _inherit(game, before, header)
        before.update(game.values)
        if _is_paired(game):
            game.values.update(board)
        else:
            board = {name: game.values[name] for name in _OF_BOARD if name in game.values}
        yield game


def _is_paired(game: PbnGame) -> bool:
    """Return True for another table's record of the board before: it names players and nothing of a board."""
    own = {name for name, _ in game.own}
    return own >= _PLAYERS and own.isdisjoint(_OF_BOARD)


def _begins_another(game: PbnGame, name: str, *, ended: bool) -> bool:
    """Return True if tag ``name`` belongs to the next game; ``ended``: an empty line stood before it."""
    return bool(game.own) and (ended or (name in game.values and name in ("Event", "Board")))


def _add(game: PbnGame, tag: str, word: Word, kind: str) -> None:
    """Add a file part of ``kind`` (a name of ``_TOKEN``) that is no tag: a word of ``tag``'s section, or wrong."""
    wrong = {
        "broken": f"'{word.text[:30]}' is no tag: write [Name \"value\"]",
        "stray": f"'{word.text[:30]}' is no tag: write [Name \"value\"]",
        "block": "" if word.text.endswith("}") else "a comment is not closed: '}' is missing",
    }.get(kind)
    if kind in ("block", "line") and tag in TABLES and game.sections.get(tag):
        wrong = wrong or "a comment stands after an element of a table: one may only follow the tag"
    if wrong:
        named = _BROKEN_NAME.match(word.text)
        game.errors.append(Error(word.line, tag if named is None else named.group(1), wrong))
    elif kind in ("word", "text") and game.own:
        game.sections.setdefault(tag, []).append(word)
    elif kind in ("word", "text") and not any(one.text.endswith(_TOO_EARLY) for one in game.errors):
        game.errors.append(Error(word.line, "", f"'{word.text[:20]}' {_TOO_EARLY}"))


def _written(text: str) -> Iterator[PbnGame]:
    game = PbnGame(1)
    tag = ""
    line = 1
    ended = False
    for found in _TOKEN.finditer(text):
        kind, part = found.lastgroup, found.group()
        if kind == "plain" and game.own:
            game.sections.setdefault(tag, []).extend([Word(word, line) for word in part.split()])
        elif kind == "plain":
            _add(game, tag, Word(part.split()[0], line), "word")
        elif kind == "empty":
            ended = bool(game.own)
        elif kind == "value":
            name = found.group("name")
            if name != "Note" and _begins_another(game, name, ended=ended):
                yield game
                game = PbnGame(line)
            ended = ended and name == "Note"
            tag = _take(game, tag, name, found.group("value"), line)
        else:
            _add(game, tag, Word(part, line), str(kind))
        line += part.count("\n")
    if game.own or game.errors or game.notes:
        yield game


def _take(game: PbnGame, tag: str, name: str, value: str, line: int) -> str:
    """Take the tag ``name``, or a note of the section of ``tag``; the tag whose section follows."""
    if "\\" in value:
        value = _ESCAPED.sub(r"\1", value)
    if name == "Note":
        game.add_note(tag, value, line)
        return tag
    game.own.append((name, value))
    if name in game.values:
        if game.values[name] != value:
            game.errors.append(Error(line, name, f"the tag stands twice in a game; '{value}' is left aside"))
        return name
    game.values[name] = value
    game.lines[name] = line
    return name


def _inherit(game: PbnGame, before: Mapping[str, str], header: dict[str, str]) -> None:
    for name, value in list(game.values.items()):
        if value != "#" and not value.startswith("##"):
            if name in header:
                header[name] = value
            continue
        if name in NOT_INHERITED:
            game.errors.append(Error(game.lines[name], name, "this tag may not be inherited"))
            del game.values[name]
        elif value.startswith("##"):
            header[name] = game.values[name] = value[2:]
        else:
            game.values[name] = before.get(name, "")
    for name, value in header.items():
        if name not in game.values:
            game.values[name] = value
            game.lines[name] = 0
