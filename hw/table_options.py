"""Choices for a table in its ``[options]``: each one's name, kind and values. A code may add its own."""

from __future__ import annotations

import difflib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from hw.errors import WrongValueError


@dataclass(frozen=True, slots=True)
class Option:
    """A choice: one of ``words``; else yes or no if ``least`` is None; else a whole number from least to most.

    A word may be written as the number or the truth value that it names. ``needed``: it must be made.
    """

    words: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None
    needed: bool = False

    def wrong(self, name: str, value: object) -> WrongValueError | None:
        """Return the fault of ``value``; None if it is valid.

        >>> print(Option(least=1, most=16).wrong("deals", "four"))
        'deals' must be a whole number from 1 to 16, not 'four'
        """
        if self.words:
            if word_of(value) in self.words:
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


def word_of(value: object) -> str:
    """``value`` of a configuration or a header as the word that names a choice.

    >>> word_of(True), word_of(9), word_of("hand")
    ('true', '9', 'hand')
    """
    return str(value).lower() if isinstance(value, bool) else str(value)


PAIR: Final = 2
"""Seats of a table at which one plays against one."""
COMMON_OPTIONS: Final[Mapping[str, Option]] = MappingProxyType(
    {
        "deals": Option(least=1, most=16),
        "screens": Option(),
        "event": Option(("pairs", "teams", "individual")),
        "room": Option(("open", "closed")),
        "call_at": Option(least=1, most=10_000),
        "warning_count": Option(("every-second", "each-after-first")),
    }
)
"""The choices that every code knows."""


def option_faults(options: Mapping[str, object], known: Mapping[str, Option]) -> list[tuple[str, WrongValueError]]:
    """Return what is wrong with a table's ``options``, each with its name; ``known``: what may be chosen."""
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


def missing_options(options: Mapping[str, object], known: Mapping[str, Option], rules: str) -> list[WrongValueError]:
    """Return the choices of ``known`` that must be made by ``rules``, and that ``options`` lack."""
    return [
        WrongValueError(f"{rules} needs the option '{name}'", f"{rules} vuole l’opzione «{name}»")
        for name, one in known.items()
        if one.needed and name not in options
    ]


def players_fault(seats: Collection[str], players: tuple[int, ...], rules: str) -> WrongValueError | None:
    """Return the fault of naming just these ``seats`` when ``rules`` allow these numbers of ``players``; None: none.

    Of four players some may be unknown by name; two seats that are named are a table of two. If two may play as well
    as four, the names decide the number: either every player is named, or none is and there are four.
    """
    if PAIR in players and seats:
        return _pair_fault(seats, players, rules)
    if len(seats) != PAIR or PAIR in players:
        return None
    said = " or ".join(map(str, players))
    return WrongValueError(
        f"{rules} is played by {said}, and two seats are named ({', '.join(seats)})",
        f"a {rules} si gioca in {' o '.join(map(str, players))}, e i posti nominati sono due ({', '.join(seats)})",
    )


HEADS_UP_SEATS: Final = ("N", "S")
"""Seats of two players: opposite each other."""


def _pair_fault(seats: Collection[str], players: tuple[int, ...], rules: str) -> WrongValueError | None:
    named, said = ", ".join(seats), " or ".join(map(str, players))
    if len(seats) not in players:
        return WrongValueError(
            f"{rules} is played by {said}, and the seats named are {len(seats)} ({named}): name all who play",
            f"a {rules} si gioca in {' o '.join(map(str, players))}, e i posti nominati sono {len(seats)} ({named}): "
            "nominate tutti quelli che giocano",
        )
    if len(seats) == PAIR and set(seats) != set(HEADS_UP_SEATS):
        return WrongValueError(
            f"two players sit at N and S, not at {named}", f"in due si siede in N e S, non in {named}"
        )
    return None
