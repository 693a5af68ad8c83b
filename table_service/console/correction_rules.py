"""What may still be changed on a score sheet, by whom and with whose word (fibur2024, arts. 19 and 20). Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from table_service.console.sheet_book import TableRound
from table_service.console.storage import Round

KINDS: Final = ("plain", "last", "groups")
"""A round of the tournament: any; the last one with a single ranking; one with the ranking split in merit groups."""


@dataclass(frozen=True, slots=True)
class Allowed:
    """What art. 20 leaves open for one table's sheets now.

    ``correct``: figures may be corrected; ``agreed``: only if the opponents confirm; ``countersigned``: only if the
    arbitro was called first and signs; ``swap``: inverted scores may be exchanged; ``void``: the result may be voided.
    ``word`` names the sentence that says why.
    """

    word: str
    correct: bool = False
    agreed: bool = False
    countersigned: bool = False
    swap: bool = False
    void: bool = False


def allowed(round_: Round | None, sheets: TableRound, delivered: str, now: float) -> Allowed:
    """What is open: ``round_`` as the direction runs it, None where nobody does; ``delivered``: state of the paper.

    A sheet that both lines have confirmed deal by deal counts as handed in.
    """
    handed_in = delivered in ("delivered", "found") or sheets.closed
    kind = "plain" if round_ is None else round_.kind
    if round_ is not None and round_.final_at is not None and now >= round_.final_at:
        return Allowed("art20_final")
    if round_ is not None and round_.posted is not None:
        return Allowed("art20_posted", swap=True)
    strict = kind in ("last", "groups")
    if not handed_in:
        return Allowed("art20_strict" if strict else "art20_open", correct=True, countersigned=strict, void=strict)
    word = "art20_delivered_strict" if strict else "art20_delivered"
    return Allowed(word, correct=True, agreed=True, countersigned=strict, void=strict)
