"""What may be chosen for a table in its ``[options]``: each choice's name, kind and values. A code may add its own."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hw.errors import WrongValueError


@dataclass(frozen=True, slots=True)
class Option:
    """A choice: one of ``words``; else yes or no where ``least`` is None; else a whole number from least to most."""

    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None

    def wrong(self, name: str, value: object) -> WrongValueError | None:
        """What is wrong with ``value``; None where nothing is.

        >>> print(Option(least=1, most=16).wrong("deals", "four"))
        'deals' must be a whole number from 1 to 16, not 'four'
        """
        if self.words:
            if value in self.words:
                return None
            said = ", ".join(f"'{word}'" for word in self.words)
            return WrongValueError(
                f"'{name}' must be one of {said}, not {value!r}", f"«{name}» è uno di {said}, non {value!r}"
            )
        if self.least is None:
            if isinstance(value, bool):
                return None
            return WrongValueError(
                f"'{name}' must be true or false, not {value!r}", f"«{name}» è true o false, non {value!r}"
            )
        whole = isinstance(value, int) and not isinstance(value, bool)
        if isinstance(value, int) and whole and self.least <= value <= (self.most or value):
            return None
        to_en, to_it = (f"from {self.least}", f"da {self.least}") if self.most is None else self._span()
        return WrongValueError(
            f"'{name}' must be a whole number {to_en}, not {value!r}",
            f"«{name}» è un numero intero {to_it}, non {value!r}",
        )

    def _span(self) -> tuple[str, str]:
        return f"from {self.least} to {self.most}", f"da {self.least} a {self.most}"


COMMON_OPTIONS: Final[Mapping[str, Option]] = MappingProxyType(
    {
        "deals": Option(least=1, most=16),
        "screens": Option(),
        "event": Option(("pairs", "teams", "individual")),
        "room": Option(("open", "closed")),
        "call_at": Option(least=1, most=10_000),
        "warning_count": Option(("every-second", "each-after-first")),
        "target": Option(least=1, most=100_000),
    }
)
"""The choices that every code knows."""


def option_faults(options: Mapping[str, object], known: Mapping[str, Option]) -> list[tuple[str, WrongValueError]]:
    """What is wrong with a table's ``options``, each with its name; ``known``: what may be chosen."""
    found = []
    for name, value in options.items():
        if name in known:
            wrong = known[name].wrong(name, value)
            if wrong is not None:
                found.append((name, wrong))
            continue
        near = difflib.get_close_matches(name, known, n=1)
        names = ", ".join(known)
        en = f"there is no option '{name}'" + (f": did you mean '{near[0]}'?" if near else f": there are {names}")
        it = f"non c’è l’opzione «{name}»" + (f": intendevi «{near[0]}»?" if near else f": ci sono {names}")
        found.append((name, WrongValueError(en, it)))
    return found
