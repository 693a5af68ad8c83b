"""Configuration files in TOML: read, validated by a pydantic model, and every problem placed on its line."""

from __future__ import annotations

import difflib
import itertools
import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from hw.errors import TavoloError, WrongValueError

Model = TypeVar("Model", bound=BaseModel)
Location = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class ConfigProblem:
    """One thing that is wrong in a file: where (``line`` from 1, 0 for the whole), what, and what would be right.

    ``message`` is English, ``it`` Italian.
    """

    path: str
    line: int
    message: str
    it: str = ""

    def said(self, language: str) -> str:
        """Return the problem with its place, in ``it`` or ``en``."""
        message = self.it if language == "it" and self.it else self.message
        return f"{self.path}:{self.line}: {message}" if self.line else f"{self.path}: {message}"

    def __str__(self) -> str:
        return self.said("en")


class ConfigError(TavoloError, ValueError):
    """A configuration file that cannot be used; ``problems`` lists all that is wrong with it."""

    def __init__(self, problems: list[ConfigProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems

    def said(self, language: str) -> str:
        """Every problem on a line of its own, in ``it`` or ``en``."""
        return "\n".join(problem.said(language) for problem in self.problems)


class WrongValuesError(TavoloError, ValueError):
    """Several things that are wrong below one place of a configuration, each with the key that it concerns."""

    def __init__(self, found: Sequence[tuple[str, WrongValueError]]) -> None:
        super().__init__("; ".join(str(fault) for _, fault in found))
        self.found = tuple(found)


def load(path: Path, model: type[Model], context: Mapping[str, Any] | None = None) -> Model:
    """Return the configuration in the TOML file at ``path`` as a ``model``; ``context``: what its validators may ask.

    What is wrong is left out and the rest looked at again, so that no problem hides another. Raises ConfigError with
    every problem found.
    """
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([_syntax_problem(path, text, error)]) from None
    lines, problems, left_out = line_index(text), list[ConfigProblem](), set[Location]()
    while True:
        try:
            found = model.model_validate(data, context=None if context is None else dict(context))
        except ValidationError as error:
            fresh = [one for one in error.errors() if one["loc"] not in left_out]
            problems += [problem for details in fresh for problem in _problems(path, lines, model, details)]
            places = {place for details in fresh for place in _places(details)}
            gone = {place for place in places if _leave_out(data, place)}
            if gone:
                left_out |= gone
                continue
        else:
            if not problems:
                return found
        raise ConfigError(sorted(problems, key=lambda problem: problem.line)) from None


def _places(details: ErrorDetails) -> list[Location]:
    """Return the places of the values that pydantic found wrong; of one in a list, the whole list."""
    fault, place = details.get("ctx", {}).get("error"), details["loc"]
    keys = [key for key, _ in fault.found] if isinstance(fault, WrongValuesError) else []
    places = [(*place, *key.split(".")) for key in keys] or [place]
    return [tuple(itertools.takewhile(lambda part: isinstance(part, str), one)) for one in places]


def _leave_out(data: dict[str, Any], place: Location) -> bool:
    """Take the value at ``place`` out of ``data``; False if there is none."""
    for part in place[:-1]:
        data = data.get(str(part), {}) if isinstance(data, dict) else {}
    return bool(place) and isinstance(data, dict) and data.pop(str(place[-1]), None) is not None


def read_text(path: Path) -> str:
    """Return the text of the file at ``path``. Raises ConfigError if it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(
            [
                ConfigProblem(
                    str(path),
                    0,
                    f"cannot be read: {error.strerror or error}",
                    f"non si può leggere: {error.strerror or error}",
                )
            ]
        ) from None
    except UnicodeDecodeError as error:
        raise ConfigError(
            [
                ConfigProblem(
                    str(path),
                    0,
                    f"is no text in UTF-8 (byte {error.start})",
                    f"non è testo UTF-8 (byte {error.start})",
                )
            ]
        ) from None


def _syntax_problem(path: Path, text: str, error: tomllib.TOMLDecodeError) -> ConfigProblem:
    message = str(error)
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(found[1]) if found else text.count("\n") + 1
    what = message.partition(" (at ")[0]
    what = f"{what[0].lower()}{what[1:]}"
    return ConfigProblem(str(path), line, f"is not TOML: {what}", f"non è TOML: {what}")


_TABLE = re.compile(r"^\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)")


def line_index(text: str) -> dict[tuple[str, ...], int]:
    """Map each table and key path in a TOML text to the line (from 1) that first contains it."""
    lines: dict[tuple[str, ...], int] = {}
    prefix: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), start=1):
        if table := _TABLE.match(line):
            prefix = _parts(table[1])
            key = prefix
        elif assignment := _KEY.match(line):
            key = prefix + _parts(assignment[1])
        else:
            continue
        for length in range(1, len(key) + 1):
            lines.setdefault(key[:length], number)
    return lines


def _parts(dotted: str) -> tuple[str, ...]:
    return tuple(next(group for group in match.groups() if group is not None) for match in _PART.finditer(dotted))


def _line(lines: dict[tuple[str, ...], int], location: Location) -> int:
    names = tuple(str(part) for part in location if not isinstance(part, int))
    for length in range(len(names), 0, -1):
        if names[:length] in lines:
            return lines[names[:length]]
    return 1


def _problems(
    path: Path, lines: dict[tuple[str, ...], int], model: type[BaseModel], details: ErrorDetails
) -> list[ConfigProblem]:
    """Return what pydantic found, as one problem; several where a validator of ours found several at once."""
    found = details.get("ctx", {}).get("error")
    if not isinstance(found, WrongValuesError):
        return [_problem(path, lines, model, details)]
    place = details["loc"]
    return [
        ConfigProblem(str(path), _line(lines, (*place, *key.split("."))), str(one), one.it) for key, one in found.found
    ]


def _problem(
    path: Path, lines: dict[tuple[str, ...], int], model: type[BaseModel], details: ErrorDetails
) -> ConfigProblem:
    location = details["loc"]
    name = ".".join(map(str, location))
    match details["type"]:
        case "extra_forbidden":
            en, it = _unknown(model, location, name)
        case "missing":
            en, it = f"'{name}' is missing", f"manca «{name}»"
        case "value_error":
            fault = details.get("ctx", {}).get("error")
            said = str(fault or details["msg"])
            italian = fault.it if isinstance(fault, WrongValueError) else said
            en, it = (f"'{name}': {said}", f"«{name}»: {italian}") if name else (said, italian)
        case _:
            words, parole = _wanted(details)
            en = f"'{name}': must be {words}, not {details['input']!r}"
            it = f"«{name}»: deve essere {parole}, non {details['input']!r}"
    return ConfigProblem(str(path), _line(lines, location), en, it)


def _unknown(model: type[BaseModel], location: Location, name: str) -> tuple[str, str]:
    known = _known_keys(model, location[:-1])
    near = difflib.get_close_matches(str(location[-1]), known, n=1)
    if near:
        return (
            f"'{name}' is not a known key; did you mean '{near[0]}'?",
            f"«{name}» non è una voce conosciuta; intendevi «{near[0]}»?",
        )
    here = f"; known here are {', '.join(known)}" if known else ""
    qui = f"; qui ci sono {', '.join(known)}" if known else ""
    return f"'{name}' is not a known key{here}", f"«{name}» non è una voce conosciuta{qui}"


_WANTED: dict[str, tuple[str, str]] = {
    "int": ("a whole number (an integer)", "un numero intero"),
    "float": ("a number", "un numero"),
    "bool": ("true or false", "true o false"),
    "string": ("a text in quotes", "un testo tra virgolette"),
    "tuple": ("a list in brackets", "un elenco tra parentesi quadre"),
    "list": ("a list in brackets", "un elenco tra parentesi quadre"),
    "dict": ("a table of keys", "una tabella di voci"),
    "model": ("a table of keys", "una tabella di voci"),
    "path": ("the path of a file in quotes", "il percorso di un file tra virgolette"),
}
"""Wording of the value wanted, by the family of pydantic's error."""
_BOUNDS: dict[str, Callable[[Mapping[str, Any]], tuple[str, str]]] = {
    "greater_than_equal": lambda c: (f"{c['ge']:g} or more", f"almeno {c['ge']:g}"),
    "greater_than": lambda c: (f"more than {c['gt']:g}", f"più di {c['gt']:g}"),
    "less_than_equal": lambda c: (f"{c['le']:g} or less", f"al massimo {c['le']:g}"),
    "less_than": lambda c: (f"less than {c['lt']:g}", f"meno di {c['lt']:g}"),
    "literal_error": lambda c: (
        f"one of {str(c['expected']).replace(' or ', ', ')}",
        f"uno di {str(c['expected']).replace(' or ', ', ')}",
    ),
    "string_too_short": lambda c: (f"{c['min_length']} letters or more", f"di almeno {c['min_length']} lettere"),
    "too_short": lambda c: (f"a list of {c['min_length']} or more", f"un elenco di almeno {c['min_length']}"),
    "too_long": lambda c: (f"a list of {c['max_length']} at most", f"un elenco di al massimo {c['max_length']}"),
}


def _wanted(details: ErrorDetails) -> tuple[str, str]:
    """Return what a value should have been, in people's words, English and Italian."""
    kind, context = details["type"], details.get("ctx", {})
    if kind in _BOUNDS:
        return _BOUNDS[kind](context)
    if kind == "string_pattern_mismatch":
        return _pattern(str(context.get("pattern", "")))
    family = kind.split("_")[0]
    said = details["msg"]
    return _WANTED.get(family, (f"right ({said[0].lower()}{said[1:]})", f"giusto ({said[0].lower()}{said[1:]})"))


def _pattern(pattern: str) -> tuple[str, str]:
    if "fA-F" in pattern:
        return "64 hexadecimal digits (0-9, a-f)", "di 64 cifre esadecimali (0-9, a-f)"
    if ".." in pattern.replace("\\", ""):
        return "a table's name or a run such as T1..T40", "il nome di un tavolo o una serie come T1..T40"
    return "a short name of letters, digits, - and _", "un nome corto di lettere, cifre, - e _"


def _known_keys(model: type[BaseModel], location: Location) -> list[str]:
    """Return the keys of the model at ``location`` below ``model``; none if there is no model."""
    here: Any = model
    for part in location:
        if isinstance(here, type) and issubclass(here, BaseModel) and part in here.model_fields:
            here = here.model_fields[str(part)].annotation
        elif get_args(here):
            here = get_args(here)[-1]
        else:
            return []
        candidates = [here, *get_args(here)]
        here = next((c for c in candidates if isinstance(c, type) and issubclass(c, BaseModel)), here)
    return list(here.model_fields) if isinstance(here, type) and issubclass(here, BaseModel) else []
