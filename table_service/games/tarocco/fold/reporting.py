"""Charges as irregularities with a life: entered once, known better, dismissed where they turn out to be none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from table_service.games.tarocco.codes.tournament import CATALOGUE, IN_TIME, TOO_LATE
from table_service.games.tarocco.judges.charge import Charge
from table_service.games.tarocco.referee import Referee
from table_service.games.tarocco.rules.card_points import SUIT_NAMES
from table_service.games.tarocco.rules.fault_kinds import Breach, TaroccoFault
from table_service.games.tarocco.rules.tricks import TRUMPS
from table_service.referee.catalogue import Words
from table_service.referee.values import Irregularity
from table_service.table.table_parts import Table

_MENDED: Final = frozenset({TaroccoFault.REVOKE, TaroccoFault.SCARTO_OF_OTHER_NUMBER})
"""Faults that play can put right: then they are healed."""


class Reporter:
    """Compares the charges of a deal with what was told of them."""

    def __init__(self, table: Table, referee: Referee) -> None:
        self._table = table
        self._referee = referee
        self._told: dict[tuple[object, ...], tuple[str, Charge]] = {}

    def begin(self) -> None:
        """A deal begins."""
        self._told.clear()

    def reconcile(self, charges: Iterable[Charge], t: float) -> None:
        """Tell what is new among ``charges``, what is known better, and what is none any more."""
        now = {one.key: one for one in charges}
        for key, (name, charge) in list(self._told.items()):
            if key not in now:
                self._gone(key, name, charge, t)
        for key, charge in now.items():
            if key not in self._told:
                self._new(key, charge, t)
            elif self._told[key][1] != charge:
                self._better(key, charge, t)

    def _new(self, key: tuple[object, ...], charge: Charge, t: float) -> None:
        breach = charge.breach
        row = CATALOGUE.answer(breach.kind)
        if row is None:
            return
        one = self._referee.enter(
            Irregularity(
                key="",
                row=row,
                offender=breach.seat,
                victim=charge.victim,
                cards=breach.cards,
                t=t,
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
        self._told[key] = one.key, charge
        self._table.reporting.tell(one)

    def _way(self, breach: Breach) -> str:
        """Return which of its row's steps the facts leave: by earlier cautions, or by when it is found."""
        if breach.kind is TaroccoFault.PAUSE and breach.seat is not None:
            return self._referee.way_of_pause(breach.seat)
        if breach.kind is TaroccoFault.REVOKE:
            return IN_TIME if breach.mends else TOO_LATE
        return ""

    def _better(self, key: tuple[object, ...], charge: Charge, t: float) -> None:
        name, before = self._told[key]
        self._told[key] = name, charge
        one = self._referee.get(name)
        if one is not None and one.state == "ruled" and before.breach.kind is not charge.breach.kind:
            self._new(key, charge, t)  # what was to be put right was not, and play went on
            return
        if one is None or one.state != "open":
            return
        if _told_of(before) == _told_of(charge):
            return
        changes: dict[str, Any] = {
            "cards": charge.breach.cards,
            "found": charge.found,
            "severity": "note" if charge.note else "",
        }
        if charge.breach.kind is TaroccoFault.REVOKE:
            changes["way"] = self._way(charge.breach)
        row = CATALOGUE.answer(charge.breach.kind)
        if row is not None and row is not one.row:
            changes |= {"row": row, "kind": charge.breach.kind, "committed_t": charge.committed_t}
            changes["needs_referee"] = row.needs_referee or charge.note
        changed = self._referee.change(one, t, **changes)
        self._table.reporting.tell(changed)

    def _gone(self, key: tuple[object, ...], name: str, charge: Charge, t: float) -> None:
        del self._told[key]
        one = self._referee.get(name)
        if one is None or one.state != "open":
            return
        mended = charge.breach.kind in _MENDED and charge.found in ("during_turn", "before_play")
        self._table.reporting.tell(self._referee.change(one, t, state="healed" if mended else "dismissed"))


def _words_of(suit: str | None) -> Words | None:
    """Return the name of ``suit``."""
    if suit is None:
        return None
    return Words("trionfi", "trumps") if suit == TRUMPS else Words(*SUIT_NAMES[suit])


def _told_of(charge: Charge) -> tuple[object, ...]:
    """Return what of ``charge`` its irregularity tells."""
    return charge.breach.kind, charge.breach.cards, charge.found, charge.note
