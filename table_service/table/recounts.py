"""Score of a deal with and without a ruling that was given in it: worked out while its cards are known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final

from table_service.table.sheet_figures import Figured

KIND: Final = "recounts"
"""Kind of the journal's note that holds recounts, and of their entry among the events of a resumed round."""


@dataclass(frozen=True, slots=True)
class Recount:
    """The sheet of ``deal`` by camera and ledger, before corrections.

    ``before``, ``after``: with the ruling and without it; ``doubtful``: what is certain with it and not without.
    """

    deal: int
    before: Figured
    after: Figured
    doubtful: tuple[str, ...] = ()


Recounts = Mapping[str, Recount]
"""Recounts by the key of the ruling."""


def recounts_to_json(recounts: Recounts) -> dict[str, Any]:
    """Return ``recounts`` as the journal notes them."""
    return {key: asdict(one) for key, one in recounts.items()}


def recounts_of(events: Iterable[Mapping[str, Any]]) -> dict[str, Recount]:
    """Return the recounts noted among the ``events`` of a resumed round."""
    return {
        str(key): Recount(one["deal"], one["before"], one["after"], tuple(one["doubtful"]))
        for event in events
        if event["type"] == KIND
        for key, one in event["data"].items()
    }
