"""Forms of a record's tags (PBN 2.1, chapters 3.4, 3.5 and 4), with its notes and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from table_service.games.bridge.pbn.reading import TABLES, Error, PbnGame
from table_service.games.bridge.pbn.sections import MOST_NOTES
from table_service.games.bridge.pbn.tables import table_errors
from table_service.games.bridge.rules.contract import Vulnerable

_DATE: Final = re.compile(r"([\d?]{4})\.([\d?]{2})\.([\d?]{2})", re.ASCII)
_TIME: Final = re.compile(r"(?:[01?][\d?]|2[0-3?]):[0-5?][\d?]:[0-5?][\d?]", re.ASCII)
_DATE_TEXT: Final = "no date: YYYY.MM.DD, with ? for a digit that is not known"
_TIME_TEXT: Final = "no time of day: HH:MM:SS"
_NUMBER: Final = r"[+-]?\d+(?:\.\d*)?"
_SHARE: Final = r"(?:100(?:\.0*)?|\d{1,2}(?:\.\d*)?)"
_RUBBER: Final = r"\d+\s*/\s*\d+"


def _sides(one: str) -> re.Pattern[str]:
    """Return the pattern of a score in the five ways of 4.2.1: of declarer's side, of one side, of both."""
    return re.compile(rf"\s*(?:{one}|EW\s+{one}(?:\s+NS\s+{one})?|NS\s+{one}(?:\s+EW\s+{one})?)\s*", re.ASCII)


_FORMS: Final[Mapping[str, tuple[re.Pattern[str], str]]] = {
    **dict.fromkeys(("Date", "EventDate", "UTCDate"), (_DATE, _DATE_TEXT)),
    **dict.fromkeys(("Time", "UTCTime"), (_TIME, _TIME_TEXT)),
    **dict.fromkeys(("TimeCall", "TimeCard"), (re.compile(r"\d+", re.ASCII), "no number of seconds")),
    **dict.fromkeys(("ScoreIMP", "ScoreMP"), (_sides(_NUMBER), "no score, as NS 4.5")),
    "Board": (re.compile(r"0*[1-9]\d*", re.ASCII), "no number of a board, from 1"),
    "FrenchMP": (re.compile(r"Yes|No"), "neither Yes nor No"),
    "Hidden": (re.compile(r"[NESW]{1,4}"), "no seats to be hidden, as WE"),
    "OptimumScore": (
        re.compile(rf"(?:NS|EW)\s+{_NUMBER}(?:\s+(?:NS|EW)\s+{_NUMBER})?"),
        "no score of a side, as EW 90",
    ),
    "Room": (re.compile(r"Open|Closed"), "neither Open nor Closed"),
    "Round": (re.compile(r"\w+(?:\.\w+)*"), "no round: letters, digits and _, with points between its parts"),
    "ScorePercentage": (_sides(_SHARE), "no per cent, from 0 to 100"),
    "ScoreRubber": (_sides(_RUBBER), "no score above and below the line, as 300/40"),
    "ScoreRubberHistory": (
        re.compile(r"NS\s+\d+\s+\d+\s*/(?:\s*\d+){1,3}\s+EW\s+\d+\s+\d+\s*/(?:\s*\d+){1,3}\s*", re.ASCII),
        "no history of a rubber, as NS 0 0 / 100 0 EW 0 0 / 0 0",
    ),
    "TimeControl": (re.compile(r"\d+/\d+", re.ASCII), "no number of boards and of minutes, as 4/30"),
}
DESCRIBING: Final = frozenset(_FORMS)
"""Tags that only describe a game: what is wrong with one leaves its board sound."""
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_NOTE: Final = re.compile(r"\s*(\d{1,3})\s*:", re.ASCII)
_SECTIONS_WITH_NOTES: Final = ("Auction", "Play")


def tag_errors(game: PbnGame) -> Iterator[Error]:
    """Everything that is wrong with how the tags of ``game`` are written; what it inherits was told where it stands."""
    for name, text in game.own:
        wrong = _wrong(name, text)
        if wrong:
            yield Error(game.lines.get(name, game.line), name, wrong)


def _wrong(name: str, text: str) -> str:
    """Fault of the value ``text`` of the tag ``name``; empty if there is none."""
    if not name[0].isupper():
        return f"a tag begins with a capital letter: {name.capitalize()}"
    if _CONTROL.search(text):
        return "a tab, or another letter that is not printed, stands in the value"
    form = _FORMS.get(name)
    value = text.removeprefix("##").strip() if form is not None else ""
    if form is None or value in ("", "?", "#"):
        return ""
    if not form[0].fullmatch(value):
        return f"'{value[:30]}' is {form[1]}"
    return "" if form[0] is not _DATE or _is_day(value) else f"there is no {value} in the calendar"


def _is_day(value: str) -> bool:
    """Return True if the calendar has a day ``value``; what is not known of it may be any."""
    year, month, day = value.split(".")
    try:
        date(
            int(year) if year.isdigit() else 2000,
            int(month) if month.isdigit() else 1,
            int(day) if day.isdigit() else 1,
        )
    except ValueError:
        return False
    return True


def sort_notes(game: PbnGame, used: Mapping[str, Mapping[int, int]]) -> None:
    """Give a note after a section that has no use for it to the other, which refers to its number and has none.

    Some programs write the notes of the auction after the play.
    """
    told = {(section, _note_number(text)) for section, text in game.notes}
    for place, (section, text) in enumerate(game.notes):
        number = _note_number(text)
        owners = [name for name, numbers in used.items() if number in numbers and (name, number) not in told]
        if section in _SECTIONS_WITH_NOTES and len(owners) == 1 and number not in used.get(section, ()):
            game.notes[place] = (owners[0], text)
            told.add((owners[0], number))


def _note_number(text: str) -> int:
    found = _NOTE.match(text)
    return int(found[1]) if found is not None else 0


def note_errors(game: PbnGame, section: str, used: Mapping[int, int]) -> Iterator[Error]:
    """Yield the errors of the notes of ``section``: missing, unused, repeated, misnumbered. ``used``: number → line."""
    told: set[int] = set()
    for (place, text), line in zip(game.notes, game.note_lines, strict=False):
        if place != section:
            continue
        number = _note_number(text)
        if not 1 <= number <= MOST_NOTES:
            yield Error(line, "Note", f"'{text[:20]}' is no note: a number from 1 to {MOST_NOTES}, a colon, a text")
        elif number in told:
            yield Error(line, "Note", f"note {number} of {section} is told a second time")
        elif number not in used:
            yield Error(line, "Note", f"nothing in {section} refers to note {number}")
        told.add(number)
    yield from (
        Error(line, section, f"there is no note {number}") for number, line in used.items() if number not in told
    )


def stray_notes(game: PbnGame) -> Iterator[Error]:
    """Yield an error for each note that is after neither calls nor cards."""
    for (place, _), line in zip(game.notes, game.note_lines, strict=False):
        if place not in _SECTIONS_WITH_NOTES:
            yield Error(line, "Note", "a note stands after the calls or the cards that it belongs to")


def tables_errors(game: PbnGame, counts: Mapping[str, Sequence[int]], vulnerable: Vulnerable | None) -> Iterator[Error]:
    """Everything that is wrong with the tables of ``game`` (``tables.table_errors``)."""
    for name, value in game.own:
        if name in TABLES and (value or name in game.sections):
            yield from table_errors(game, name, counts, vulnerable)
