"""The results of a tournament as a file for a federation: places, people with their numbers, who sat where. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from table_service.console.entrant import EntrantPerson
from table_service.console.storage import Round
from table_service.tournament import partners

VERSION = 1


def results_file(
    name: str,
    places: Mapping[str, int | None],
    people: Mapping[str, Sequence[EntrantPerson]],
    rounds: Iterable[tuple[Round, Mapping[tuple[str, str], str]]],
    ended: float,
) -> dict[str, Any]:
    """Return the document.

    ``places``: of each entry in the final ranking, None if it was not ranked; ``rounds``: with who sat where, the
    oldest first; ``ended``: when the last one ends if nobody has said so, seconds since 1970. People of whom the club
    has said nothing are known by the entry's name.
    """
    told = list(rounds)
    began = min((one.begun for one, _ in told), default=ended)
    entries = []
    for entry, place in places.items():
        own = people.get(entry) or [EntrantPerson(one) for one in partners(entry)]
        seats = [
            {"table": table, "line": line, "began": _stamp(one.begun), "ended": _stamp(one.ended or ended)}
            for one, seated in told
            for (table, line), name_of in seated.items()
            if name_of == entry or entry in partners(name_of)
        ]
        entries.append({
            "place": place, "people": [{"name": one.name, "member": one.member} for one in own], "seats": seats,
        })  # fmt: skip
    return {"v": VERSION, "tournament": name, "began": _stamp(began), "circuit": "", "level": "", "entries": entries}


def _stamp(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat()
