"""The round of the demo's hall, as the organiser would have entered it: who sits where, how long it lasts."""

from __future__ import annotations

import time
from typing import Final

from hw.seats import LINES
from hw.twin.gestures import ConsoleGesture
from table_service.commands.demo.other_tables import names_at
from table_service.console.storage import Book
from table_service.rehearsal.rehearse import Rehearsal
from table_service.rulesets import rule_set

BY: Final = "demo"
MINUTES: Final = 30.0
"""Minutes of a round by a code that gives none."""


def begin_hall_round(book: Book, first: Rehearsal, tables: int) -> None:
    """Begin the tournament and its only round at T1 and on, all of which sit as ``first``'s table does.

    The tables learn it from their own scripts, as by an arbitro's order.
    """
    asked = next((cue.gesture.fields for cue in first.script.cues if isinstance(cue.gesture, ConsoleGesture)), {})
    deals = int(asked.get("deals") or 1)
    minutes = asked.get("minutes") or rule_set(first.rules).round_minutes.get(deals) or MINUTES
    now, places = time.time(), tuple(f"T{n}" for n in range(1, tables + 1))
    book.tournaments.begin("Demo", now=now)
    begun = book.rounds.begin(deals, float(minutes), places, BY, now=now, kind="last")
    seated: dict[tuple[str, str], str] = {}
    for place in places:
        names = names_at(place, first.header.seats)
        seated |= {(place, str(line)): " – ".join(names[seat] for seat in line.seats) for line in LINES}
    book.rounds.seat(begun.id, seated)
