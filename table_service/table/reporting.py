"""What the referee says, told as events and carried out where it changes the deal: frozen melds, forgiven draws."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from hw.seats import Seat
from table_service import telling
from table_service.events import payloads as say
from table_service.games.burraco.parts import Frozen
from table_service.referee.values import (
    Finding,
    Forgiven,
    Froze,
    Ignored,
    Irregularity,
    SanctionSaid,
    Warned,
)
from table_service.table.sitting import Sitting


def report(sitting: Sitting, findings: Iterable[Finding]) -> None:
    """Tell ``findings`` in order."""
    for finding in findings:
        match finding:
            case Irregularity():
                _irregularity(sitting, finding)
            case SanctionSaid(what=what, sanction=one, t=t, committed_t=committed, reason=reason):
                secret = None if one.seen else telling.secret_cards(one.cards)
                data = telling.sanction(one, reason)
                sitting.say(f"sanction.{what}", data, t, one.who, committed_t=committed, secret=secret)
            case Froze(row=row, how=how, t=t):
                _froze(sitting, row, how, t)
            case Forgiven(seat=seat):
                _forgive(sitting, seat)
            case Warned(line=line, count=count, row=row_name, t=t):
                warning = say.WarningGiven(line=line, count=count, row=row_name)
                sitting.say("warning.given", warning, t, line=line)
            case Ignored(note=note, t=t):
                sitting.ignored(note, t)


def _forgive(sitting: Sitting, seat: Seat) -> None:
    sitting.change(lambda deal: deal.forgive(seat))


def _irregularity(sitting: Sitting, one: Irregularity) -> None:
    sitting.say(
        "irregularity",
        telling.irregularity(one),
        one.t,
        one.offender,
        confidence=one.confidence,
        basis=one.basis,
        committed_t=one.committed_t,
        secret=None if one.seen else telling.secret_cards(one.cards),
    )


def _froze(sitting: Sitting, row: int, how: str, t: float) -> None:
    if sitting.deal is None or sitting.deal.meld(row) is None or how not in ("none", "temporary", "definitive"):
        return
    frozen = cast("Frozen", how)
    sitting.change(lambda deal: deal.freeze(row, frozen))
    lies = sitting.deal.meld(row)
    if lies is not None:
        data = say.MeldChanged(meld=telling.meld(sitting.book, lies), why="thawed" if how == "none" else "frozen")
        sitting.say("meld.changed", data, t, line=lies.line)
