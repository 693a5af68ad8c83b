"""Reversal of a ruling of an earlier deal of the round: its effects are worked out first, then done and reported.

The cards of that deal are gone, but not its score without the ruling: that was worked out before the next one
began (``recounts``), and the difference of the two counts is entered on its sheet. If it is not known, or the deal was
counted differently since, its figures become doubtful for the lines concerned, and the arbitro enters them. Nothing is
entered that was not seen.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hw.seats import LINES, Line
from table_service.events import payloads as say
from table_service.events.orders import Dismiss, Foresee
from table_service.referee.round import RoundBook
from table_service.referee.values import Bonus, Irregularity
from table_service.table.deal_sheets import DealSheets
from table_service.table.recounts import Recounts
from table_service.table.sheet_figures import Figured
from table_service.table.table_parts import TableParts

Changes = tuple[dict[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Reversal:
    """Effects of lifting the ruling on ``one`` of ``deal``. ``counted``: the deal's sheet then, before corrections.

    ``doubtful``: names on it that can no longer be counted; ``changes``: all that differs, as the event reports it.
    """

    one: Irregularity
    deal: int
    counted: Figured | None
    doubtful: tuple[str, ...]
    changes: Changes

    def as_data(self, sheets: DealSheets) -> dict[str, Any]:
        """Return its effects for display, as JSON values; ``score``: the sheet that it is based on."""
        sheet = sheets.by_deal.get(self.deal)
        row, score = self.one.row, None if sheet is None else sheet.event
        return {"key": self.one.key, "row": row.id, "deal": self.deal, "score": score, "changes": list(self.changes)}


class Reversals:
    """Works out what reversing a ruling of an earlier deal changes, and does it."""

    def __init__(self, table: TableParts, recounts: Recounts) -> None:
        """``recounts``: of rulings of earlier deals; more are entered as deals end."""
        self._table = table
        self._recounts = recounts

    def concerns(self, order: Dismiss) -> bool:
        """Return True if ``order`` is about an irregularity that was settled in an earlier deal of the round.

        A ruling before the first deal has no sheet of its own: the game lifts it like a ruling of the present deal.
        """
        found = None if order.key is None else self._table.referee.earlier(order.key)
        return found is not None and found[0] > 0

    def foresee(self, order: Foresee | Dismiss) -> Reversal | str:
        """Return what ``order`` would change; one sentence if it cannot be followed."""
        key = order.key or ""
        found = self._table.referee.earlier(key)
        if found is None:
            if self._table.referee.is_of_another_round(key):
                return f"the ruling {key} is of another round, whose result stands"
            return f"no ruling of an earlier deal of this round has the key '{key}'"
        deal, one = found
        if one.state != "ruled":
            return f"the ruling on {one.row.id} ({one.key}) has been reversed already"
        sheet = self._table.sheets.by_deal.get(deal)
        if sheet is not None and order.score not in (None, sheet.event):
            return f"the sheet of deal {deal} has changed since it was shown: look at it again"
        return self._worked_out(deal, one)

    def reverse(self, order: Dismiss) -> str:
        """Follow ``order``; return why it cannot be followed, in one sentence, or nothing."""
        foreseen = self.foresee(order)
        if isinstance(foreseen, str):
            return foreseen
        table, t = self._table, order.t
        for finding in table.referee.reverse(foreseen.one.key, t):
            if not isinstance(finding, Bonus):  # it is on the sheet of its deal, which is entered below
                table.reporting.tell(finding, foreseen.deal)
        if foreseen.counted is not None:
            table.sheets.recount(foreseen.deal, foreseen.counted, foreseen.doubtful, t)
        row = foreseen.one.row
        data = say.RulingReversed(
            key=foreseen.one.key,
            row=row.id,
            title=say.Text(it=row.title.it, en=row.title.en),
            by=order.by,
            reason=(order.note or "")[:300],
            changes=foreseen.changes,
        )
        table.voice.say("ruling.reversed", data, t, line=foreseen.one.line, deal=foreseen.deal)
        table.round.tell_end_again(t)
        return ""

    def _worked_out(self, deal: int, one: Irregularity) -> Reversal:
        table, key = self._table, one.key
        sheet = table.sheets.by_deal.get(deal)
        book = table.referee.book
        counted: Figured | None = None
        doubtful: tuple[str, ...] = ()
        if sheet is not None:
            counted, doubtful = self._counted_without(deal, one, sheet.counted, book.bonuses(key))
        changes = [*self._of_sheet(deal, counted, doubtful)]
        bonuses = {} if counted is not None else book.bonuses(key)
        changes += self._of_round(book, book.without(key), deal, counted, bonuses)
        return Reversal(one, deal, counted, doubtful, tuple(changes))

    def _counted_without(
        self, deal: int, one: Irregularity, counted: Figured, bonuses: Mapping[Line, int]
    ) -> tuple[Figured, tuple[str, ...]]:
        """Return the sheet of ``deal`` without the ruling on ``one``, and the items of it that cannot be known."""
        fresh = {line: {**own, "items": dict(own["items"])} for line, own in counted.items()}
        recount = self._recounts.get(one.key)
        moved = {} if recount is None else _moved(recount.before, recount.after)
        if (
            recount is not None
            and recount.deal == deal
            and all(counted[line]["items"].get(item) == old for (line, item), (old, _) in moved.items())
        ):
            for (line, item), (_, new) in moved.items():
                fresh[line]["items"][item] = new
            return _totalled(fresh), recount.doubtful
        _take_off(fresh, self._table.rules.sheet.given, bonuses)
        lines = () if not one.row.touches_score else LINES if one.line is None else (one.line,)
        return _totalled(fresh), tuple(f"{line}.{name}" for line in lines for name in self._table.rules.sheet.names)

    def _of_sheet(self, deal: int, counted: Figured | None, doubtful: tuple[str, ...]) -> Iterator[dict[str, Any]]:
        """Yield the changes on the sheet of ``deal``: items, totals, what becomes doubtful, who is to confirm anew."""
        if counted is None:
            return
        sheet = self._table.sheets.by_deal[deal]
        then = self._table.sheets.shown_with(deal, counted)
        changed = False
        for line in map(str, LINES):
            own = sheet.data.lines[line]
            for item, old in own["items"].items():
                if then[line]["items"][item] != old:
                    changed = True
                    yield _change("item", line, old, then[line]["items"][item], deal=deal, item=item)
            if then[line]["total"] != own["total"]:
                changed = True
                yield _change("total", line, own["total"], then[line]["total"], deal=deal)
        for name in doubtful:
            if name not in sheet.doubtful:
                line, _, item = name.partition(".")
                yield _change("doubtful", line, False, True, deal=deal, item=item)
        for line in LINES if changed or doubtful else ():
            if line in sheet.confirmed:
                yield _change("confirmed", str(line), True, False, deal=deal)

    def _of_round(
        self, book: RoundBook, lifted: RoundBook, deal: int, counted: Figured | None, bonuses: Mapping[Line, int]
    ) -> Iterator[dict[str, Any]]:
        """Yield the changes beside the sheet: running totals, warnings and their costs, match and victory points."""
        state, scores = self._table.round, self._table.round.scores
        then = scores if counted is None else scores.with_deal(deal, self._table.sheets.shown_with(deal, counted))
        running = {line: _less(then.running[line], bonuses.get(line, 0)) for line in LINES}
        ours, theirs = (bonuses.get(line, 0) for line in LINES)
        lead = _less(then.lead, ours - theirs)
        for line in LINES:
            name = str(line)
            pairs = {
                "running": (scores.running[line], running[line]),
                "warnings": (book.warned(line), lifted.warned(line)),
                "deduction": (book.deductions()[line], lifted.deductions()[line]),
            }
            if scores.is_complete or book.awards:
                now, later = state.results_of(book, scores.lead)[line], state.results_of(lifted, lead)[line]
                pairs |= {"match_points": (now.mp, later.mp), "victory_points": (now.vp, later.vp)}
            for what, (old, new) in pairs.items():
                if old != new:
                    yield _change(what, name, old, new)


def _less(value: int | None, points: int) -> int | None:
    return None if value is None else value - points


def _moved(before: Figured, after: Figured) -> dict[tuple[str, str], tuple[int | None, int | None]]:
    """Return by line and item the score of a deal before and after, if it differs."""
    pairs = {
        (line, item): (old, after[line]["items"][item])
        for line, own in before.items()
        for item, old in own["items"].items()
    }
    return {place: (old, new) for place, (old, new) in pairs.items() if old != new}


def _take_off(counted: dict[str, Any], item: str, bonuses: Mapping[Line, int]) -> None:
    """Take off what a ruling gave to each line on the sheet, where ``item`` has it and is known."""
    for line, points in bonuses.items():
        items = counted[str(line)]["items"]
        if points and items.get(item) is not None:
            items[item] -= points


def _totalled(counted: dict[str, Any]) -> dict[str, Any]:
    for own in counted.values():
        values = list(own["items"].values())
        own["total"] = None if None in values else sum(values)
    return counted


def _change(what: str, line: str, old: object, new: object, **more: object) -> dict[str, Any]:
    return {"what": what, "line": line, **more, "old": old, "new": new}
