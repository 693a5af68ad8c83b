"""Verdict of a judge on one fact: row, procedure, articles, offender, who may learn of it, what to remember."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Literal

from hw.seats import Line, Seat
from table_service.games.bridge.judges.sides import Told

EDITION: Final = 2007
"""The Code on which the norms of 2010 stand; the one of 2017 numbers and rules otherwise."""
Watch = Line | Literal["both"]
"""Whose gain law 23 asks about after the play."""


class Procedure(StrEnum):
    """Procedure to follow now."""

    CORRECT_UNTOLD = "correct-untold"  # A4-2a, 4b: changed, no rectification, the other side told nothing
    CORRECT_ALWAYS = "correct-always"  # A4-4a(i): inadmissible, corrected though it was passed
    ACCEPTED_BY_PASSING = "accepted-by-passing"  # A4-4a(ii)
    ACCEPTED_BY_CALLING = "accepted-by-calling"  # the left-hand opponent has called (27A1, 29A)
    CONTINUE_BOTH_AT_FAULT = "continue-both-at-fault"  # examples 8 and 13
    LAW_27 = "law27"
    LAW_30 = "law30"
    LAW_31 = "law31"
    LAW_32 = "law32"
    ASK_WHO_PASSED = "ask-who-passed"
    LEAD_RETRACTED = "lead-retracted-no-rectification"  # A4-4c
    LEAD_ACCEPTED = "lead-accepted"  # A4-4c(ii)
    LAW_54_OPTIONS = "law54-options"  # A4-4c(i)
    MAJOR_PENALTY_CARD = "major-penalty-card"  # A4-4c(iii)
    ASK_WHO_OPENED = "ask-who-opened"
    LAW_24 = "law24"
    LAW_41 = "law41"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Proposed verdict on one fact; the arbitro decides.

    ``row``: of the catalogue. ``part``: of its law if the facts show it (``31A``). ``told``: who may be told now.
    ``watch_23``: whose gain is looked at after the play. ``options``: choices that the code or the facts leave.
    ``unconfirmed``: the law's text of 2007 was not read.
    """

    row: str
    procedure: Procedure
    articles: tuple[str, ...]
    offender: Seat | None
    shown: str
    t: float
    told: Told
    part: str = ""
    needs_referee: bool = False
    watch_23: Watch | None = None
    options: tuple[str, ...] = ()
    unconfirmed: bool = False
    edition: int = EDITION
