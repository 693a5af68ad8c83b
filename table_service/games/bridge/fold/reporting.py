"""Charges as irregularities with a life: entered once all four may know, known better, healed or dismissed."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Sequence
from dataclasses import replace
from typing import Any

from table_service.games.bridge.codes.figb2010 import CATALOGUE
from table_service.games.bridge.fold.charges import Charge
from table_service.games.bridge.fold.ruled_questions import LEADS
from table_service.games.bridge.referee import Referee
from table_service.referee.values import Irregularity
from table_service.table.history import Reported
from table_service.table.table_parts import TableParts


class Reporter:
    """Reports by what the charges of a board that may be told differ from what was told of them."""

    def __init__(self, table: TableParts, referee: Referee) -> None:
        self._referee = referee
        self._writer = ChargeWriter(table, referee)
        self._told: Reported[Charge, str] = Reported(self._writer)
        self._since: dict[Hashable, float] = {}

    def begin(self) -> None:
        """Begin a board."""
        self._told.clear()
        self._since.clear()

    def key_of(self, charge: Charge) -> str | None:
        """Return the key under which ``charge`` was reported; None: it was not."""
        return self._told.name_of(charge.key)

    def state_of(self, charge: Charge) -> str | None:
        """Return what has become of ``charge``: open, ruled, dismissed, healed; None: it was not told."""
        key = self.key_of(charge)
        one = None if key is None else self._referee.get(key)
        return None if one is None else one.state

    def option_of(self, charge: Charge) -> str | None:
        """Return how ``charge`` was ruled, where its row leaves a choice; None: it was not, or by no option."""
        key = self.key_of(charge)
        one = None if key is None else self._referee.get(key)
        return None if one is None or one.state != "ruled" else one.option

    def reconcile(
        self,
        charges: Sequence[Charge],
        t: float,
        *,
        borne_out: Container[tuple[object, ...]],
        is_over: bool,
        is_closed: bool = False,
    ) -> None:
        """Tell what is new among ``charges`` and may be told by ``t``, what is known better, what is none any more.

        ``borne_out``: keys of those for which pictures have shown enough; the others wait, whatever the time.
        ``is_over``: all four may know everything. ``is_closed``: nothing more can come, so nothing waits any longer.
        """
        keys = {one.key for one in charges}
        self._since = {key: since for key, since in self._since.items() if key in keys}
        told: dict[Hashable, Charge] = {}
        for charge in charges:
            may_be_told = is_over or charge.told == "both"
            since = self._since.setdefault(charge.key, t) if may_be_told else t
            is_due = is_closed or (may_be_told and since + charge.settles <= t)
            if charge.key in self._told:
                told[charge.key] = charge
            elif is_due and charge.key in borne_out:
                told[charge.key] = replace(charge, t=max(charge.t, since)) if charge.arises else charge
        self._writer.t = t
        self._told.compare(told)


class ChargeWriter:
    """Writes charges as irregularities (``table.history.Writer``), named by their keys. ``t``: when, as log time."""

    def __init__(self, table: TableParts, referee: Referee) -> None:
        self._table = table
        self._referee = referee
        self.t = 0.0

    def report(self, charge: Charge) -> str:
        """Enter ``charge``, unless the arbitro has ruled that lead before any sensor told of it."""
        known = next((one.key for one in self._referee.liftable if _is_ruled_lead(charge, one)), None)
        if known is not None:
            return known
        one = self._referee.enter(_irregularity(charge, self.t))
        self._table.reporting.tell(one)
        return one.key

    def correct(self, name: str, was: Charge, charge: Charge) -> str:  # noqa: ARG002 - as `Writer`
        """Correct the open finding ``name`` with better knowledge or its repair; a decided one is kept."""
        one = self._referee.get(name)
        if one is None or one.state != "open":
            return name
        fresh = _irregularity(charge, self.t)
        changes: dict[str, Any] = {
            field: getattr(fresh, field)
            for field in (
                "offender",
                "cards",
                "found",
                "needs_referee",
                "readings",
                "unconfirmed",
                "way",
                "side",
                "trick",
                "confidence",
            )
            if getattr(fresh, field) != getattr(one, field)
        }
        if fresh.row != one.row:
            changes["row"] = fresh.row
        if charge.is_mended:
            changes["state"] = "healed"
        if changes:
            self._table.reporting.tell(self._referee.change(one, self.t, **changes))
        return name

    def retract(self, name: str, charge: Charge) -> None:
        """Dismiss what turns out to be none, or was corrected: then it is healed."""
        one = self._referee.get(name)
        if one is None or one.state != "open":
            return
        state = "healed" if charge.key[0] in ("call", "lead") or charge.way == "corrected" else "dismissed"
        self._table.reporting.tell(self._referee.change(replace(one, needs_referee=False), self.t, state=state))


def _is_ruled_lead(charge: Charge, ruled: Irregularity) -> bool:
    """Return True if ``charge`` is the lead out of turn that ``ruled`` states: one lead is not reported twice."""
    stated = ruled.basis == ("console",) and ruled.offender is charge.seat
    return stated and charge.key[0] == "lead" and ruled.row.id in LEADS


def _irregularity(charge: Charge, t: float) -> Irregularity:
    row = CATALOGUE.row(charge.row)
    return Irregularity(
        key="",
        row=row,
        offender=charge.seat,
        cards=charge.cards,
        t=t,
        committed_t=charge.t,
        found=charge.found,
        state="healed" if charge.is_mended else "open",
        seen=bool(charge.cards),
        confidence=charge.confidence,
        needs_referee=charge.needs_referee or row.needs_referee,
        basis=("sight",),
        against=charge.against,
        way=charge.way,
        side="both",
        unconfirmed=charge.unconfirmed,
        readings=charge.readings,
        trick=charge.trick,
        severity="note" if charge.note else "",
    )


def sealed_charges(charges: Iterable[Charge]) -> dict[str, Any]:
    """Return what is wrong behind the screens, for the arbitro alone: row, remedy, and the side he may tell of it."""
    return {"irregularities": [_sealed_charge(one) for one in charges]}


def _sealed_charge(charge: Charge) -> dict[str, Any]:
    row = CATALOGUE.row(charge.row)
    return {
        "row": row.id,
        "article": row.article,
        "title": {"it": row.title.it, "en": row.title.en},
        "offender": None if charge.seat is None else str(charge.seat),
        "side": charge.told,
        "cards": list(charge.cards),
        "remedy": [
            {"do": step.do, "who": step.who, "text": {"it": step.text.it, "en": step.text.en}} for step in row.steps
        ],
        "options": list(charge.readings or (*row.options, *(choice.key for choice in row.choices))),
    }
