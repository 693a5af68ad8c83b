"""Configuration files in TOML: read, validated by a pydantic model, and every problem placed on its line."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from hw.errors import TavoloError

Model = TypeVar("Model", bound=BaseModel)
Location = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a file: where (``line`` from 1, 0 for the whole), what, and what would be right."""

    path: str
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.path}:{self.line}: {self.message}" if self.line else f"{self.path}: {self.message}"


class ConfigError(TavoloError, ValueError):
    """A configuration file that cannot be used; ``problems`` lists all that is wrong with it."""

    def __init__(self, problems: list[Problem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


def load(path: Path, model: type[Model], context: Mapping[str, Any] | None = None) -> Model:
    """The configuration in the TOML file at ``path`` as a ``model``; ``context``: what its validators may ask.

    Raises ConfigError with every problem found.
    """
    text = read_text(path)
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError([_syntax_problem(path, text, error)]) from None
    try:
        return model.model_validate(data, context=None if context is None else dict(context))
    except ValidationError as error:
        lines = line_index(text)
        problems = [_problem(path, lines, model, details) for details in error.errors()]
        raise ConfigError(sorted(problems, key=lambda problem: problem.line)) from None


def read_text(path: Path) -> str:
    """The text of the file at ``path``. Raises ConfigError where it cannot be read."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError([Problem(str(path), 0, f"cannot be read: {error.strerror or error}")]) from None
    except UnicodeDecodeError as error:
        raise ConfigError([Problem(str(path), 0, f"is no text in UTF-8 (byte {error.start})")]) from None


def _syntax_problem(path: Path, text: str, error: tomllib.TOMLDecodeError) -> Problem:
    message = str(error)
    found = re.search(r"\(at line (\d+), column (\d+)\)", message)
    line = int(found[1]) if found else text.count("\n") + 1
    what = message.partition(" (at ")[0]
    return Problem(str(path), line, f"is not TOML: {what[0].lower()}{what[1:]}")


_TABLE = re.compile(r"^\s*\[\[?\s*([^\[\]]+?)\s*\]\]?\s*(#.*)?$")
_KEY = re.compile(r"^\s*((?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*(?:[A-Za-z0-9_-]+|\"[^\"]*\"|'[^']*'))*)\s*=")
_PART = re.compile(r"\"([^\"]*)\"|'([^']*)'|([A-Za-z0-9_-]+)")


def line_index(text: str) -> dict[tuple[str, ...], int]:
    """For each table and key path in a TOML text, the line (from 1) where it is first written."""
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


def _problem(path: Path, lines: dict[tuple[str, ...], int], model: type[BaseModel], details: ErrorDetails) -> Problem:
    location = details["loc"]
    name = ".".join(map(str, location))
    match details["type"]:
        case "extra_forbidden":
            known = _known_keys(model, location[:-1])
            near = difflib.get_close_matches(str(location[-1]), known, n=1)
            hint = f"; did you mean '{near[0]}'?" if near else f"; known here are {', '.join(known)}" if known else ""
            message = f"'{name}' is not a known key{hint}"
        case "missing":
            message = f"'{name}' is missing"
        case "value_error":
            said = str(details.get("ctx", {}).get("error", details["msg"]))
            message = f"'{name}': {said}" if name else said
        case _:
            said = details["msg"]
            message = f"'{name}': {said[0].lower()}{said[1:]}, not {details['input']!r}"
    return Problem(str(path), _line(lines, location), message)


def _known_keys(model: type[BaseModel], location: Location) -> list[str]:
    """The keys that the model at ``location`` below ``model`` knows; none where that is no model."""
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
