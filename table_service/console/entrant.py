"""An entry of a tournament and its people, as values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EntrantPerson:
    """Somebody of an entry; what is not known is empty."""

    name: str
    club: str = ""
    member: str = ""
    category: str = ""
    email: str = ""


@dataclass(frozen=True, slots=True)
class Entrant:
    """One entry: its name as it is seated and ranked, its people, the line of the list that it is from."""

    name: str
    people: tuple[EntrantPerson, ...]
    line: int


def people_of(
    entry: str, known: Mapping[str, tuple[EntrantPerson, ...]], players: Sequence[str]
) -> tuple[EntrantPerson, ...]:
    """Return the people of ``entry``, or of each of the single ``players`` partnered in it; empty if not known."""
    whole = known.get(entry.casefold(), ())
    return whole or tuple(who for one in players for who in known.get(one.casefold(), ()))
