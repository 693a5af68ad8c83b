"""Charges as irregularities with a life: entered once, known better, healed, or dismissed where they are none."""

from __future__ import annotations

from typing import Any, Final

from table_service.games.tarocco.codes.tournament import CATALOGUE, IN_TIME, TOO_LATE
from table_service.games.tarocco.judges.charge import Charge
from table_service.games.tarocco.referee import Referee
from table_service.games.tarocco.rules.card_points import SUIT_NAMES
from table_service.games.tarocco.rules.fault_kinds import Breach, TaroccoFault
from table_service.games.tarocco.rules.tricks import TRUMPS
from table_service.referee.catalogue import Words
from table_service.referee.values import Irregularity
from table_service.table.table_parts import TableParts

_MENDED: Final = frozenset({TaroccoFault.REVOKE, TaroccoFault.SCARTO_OF_OTHER_NUMBER})
"""Faults that play can put right: then they are healed."""


class ChargeWriter:
    """Writes charges as irregularities (``table.history.Writer``), named by their keys. ``t``: when, as log time."""

    def __init__(self, table: TableParts, referee: Referee) -> None:
        self._table = table
        self._referee = referee
        self.t = 0.0

    def report(self, charge: Charge) -> str | None:
        """Enter ``charge``; None where the code has no row for it."""
        breach = charge.breach
        row = CATALOGUE.answer(breach.kind)
        if row is None:
            return None
        one = self._referee.enter(
            Irregularity(
                key="",
                row=row,
                offender=breach.seat,
                victim=charge.victim,
                cards=breach.cards,
                t=self.t,
                committed_t=charge.committed_t,
                found=charge.found,
                seen=charge.seen,
                needs_referee=row.needs_referee or charge.note,
                severity="note" if charge.note else "",
                confidence=charge.confidence,
                basis=charge.basis,
                frames=charge.frames,
                movements=charge.movements,
                way=self._way(breach),
                kind=breach.kind,
                trick=breach.number or None,
                about=_words_of(breach.suit),
            )
        )
        self._table.reporting.tell(one)
        return one.key

    def _way(self, breach: Breach) -> str:
        """Return which of its row's steps the facts leave: by earlier cautions, or by when it is found."""
        if breach.kind is TaroccoFault.PAUSE and breach.seat is not None:
            return self._referee.way_of_pause(breach.seat)
        if breach.kind is TaroccoFault.REVOKE:
            return IN_TIME if breach.mends else TOO_LATE
        return ""

    def correct(self, name: str, was: Charge, charge: Charge) -> str | None:
        """Correct the open finding ``name``; a ruled one is kept, and another kind is a new one."""
        one = self._referee.get(name)
        if one is not None and one.state == "ruled" and was.breach.kind is not charge.breach.kind:
            return self.report(charge)  # what was to be put right was not, and play went on
        if one is None or one.state != "open" or _told_of(was) == _told_of(charge):
            return name
        changes: dict[str, Any] = {
            "cards": charge.breach.cards,
            "found": charge.found,
            "severity": "note" if charge.note else "",
        }
        if charge.breach.kind is TaroccoFault.REVOKE:
            changes["way"] = self._way(charge.breach)
        row = CATALOGUE.answer(charge.breach.kind)
        if row is not None and row != one.row:
            changes |= {"row": row, "kind": charge.breach.kind, "committed_t": charge.committed_t}
            changes["needs_referee"] = row.needs_referee or charge.note
        self._table.reporting.tell(self._referee.change(one, self.t, **changes))
        return name

    def retract(self, name: str, charge: Charge) -> None:
        """Dismiss what turns out to be none, or was put right in time: then it is healed."""
        one = self._referee.get(name)
        if one is None or one.state != "open":
            return
        mended = charge.breach.kind in _MENDED and charge.found in ("during_turn", "before_play")
        self._table.reporting.tell(self._referee.change(one, self.t, state="healed" if mended else "dismissed"))


def _words_of(suit: str | None) -> Words | None:
    """Return the name of ``suit``."""
    if suit is None:
        return None
    return Words("trionfi", "trumps") if suit == TRUMPS else Words(*SUIT_NAMES[suit])


def _told_of(charge: Charge) -> tuple[object, ...]:
    """Return what of ``charge`` its irregularity tells."""
    return charge.breach.kind, charge.breach.cards, charge.found, charge.note
