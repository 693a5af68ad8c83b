"""One deal's score sheet as a value: what was written, the ledger's count, the camera's, photographs, side by side.

Pure. Nothing is chosen here: where two columns differ the row says so, and only a person's deed changes what counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from hw.seats import LINES
from table_service.console.storage import PhotographedDeal
from table_service.events.untrusted import as_list, as_map, as_whole, sum_of
from table_service.games.photographed import explained
from table_service.rulesets import rule_set_or_default
from table_service.table.score_items import ScoreSheet, sheet_told

TOTAL: Final = "total"
PHOTOGRAPHS: Final = "photographs"
"""The boot of a sheet that photographs alone made."""
URGENCY: Final = ("disputed", "differs", "unclear", "waiting", "done")
Event = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Signed:
    """A line's answer to a sheet: ``display``, ``paper``, ``disputed``, or empty; who entered it, and when."""

    how: str = ""
    by: str = ""
    time: str = ""


@dataclass(frozen=True, slots=True)
class CorrectedFigure:
    """One corrected figure."""

    line: str
    item: str
    old: int | None
    new: int | None


@dataclass(frozen=True, slots=True)
class SheetCorrection:
    """Correction by an arbitro, with its reason; ``agreed``: the lines that confirmed it."""

    time: str
    by: str
    reason: str
    changes: tuple[CorrectedFigure, ...]
    agreed: tuple[str, ...]
    countersigned: bool


@dataclass(frozen=True, slots=True)
class CameraDifference:
    """Difference between camera and ledger: whose cards, which, and how many each has."""

    item: str
    seat: str
    cards: tuple[str, ...]
    camera: int | None
    ledger: int | None


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One row of one line. ``counts``: what counts now; None is not known, ``written`` None also not written.

    ``sum``: it is a sum of others. ``photographs``: what pictures of the deal say; ``made_of``: the cards in them that
    tell it from what was written, each with what it counts.
    """

    name: str
    written: int | None
    ledger: int | None
    camera: int | None
    counts: int | None
    corrected: bool
    difference: CameraDifference | None = None
    sum: bool = False
    photographs: int | None = None
    made_of: tuple[tuple[str, int], ...] = ()

    @property
    def split(self) -> bool:
        """True if camera and ledger say different things."""
        return self.difference is not None or (
            self.camera is not None and self.ledger is not None and self.camera != self.ledger
        )

    @property
    def off(self) -> bool:
        """True if what was written is not what counts."""
        return self.written is not None and self.counts is not None and self.written != self.counts

    @property
    def unlike(self) -> bool:
        """True if photographs say something else than what counts, or than what was written."""
        others = (self.counts, self.written)
        return self.photographs is not None and any(one not in (None, self.photographs) for one in others)

    @property
    def choices(self) -> tuple[tuple[str, int], ...]:
        """The values that a person may choose between, by column, where the row is not settled."""
        if self.sum or not (self.counts is None or self.off or self.unlike):
            return ()
        columns = (
            ("written", self.written), ("ledger", self.ledger), ("camera", self.camera),
            ("photographs", self.photographs),
        )  # fmt: skip
        found: dict[int, str] = {}
        for column, value in columns:
            if value is not None and value != self.counts:
                found.setdefault(value, column)
        return tuple((column, value) for value, column in found.items())


@dataclass(slots=True)
class DealSheet:
    """The sheet of one deal, as its events tell it. ``score``: the event that told the count last."""

    place: str
    boot: str
    deal: int
    score: Event
    signed: dict[str, Signed] = field(default_factory=dict)
    written: dict[str, dict[str, int]] = field(default_factory=dict)
    written_by: Signed | None = None
    corrections: list[SheetCorrection] = field(default_factory=list)
    photographed: PhotographedDeal | None = None
    """Figures from photographs of the deal, the newest that was kept."""

    @property
    def by_table(self) -> bool:
        """True if a table reported it; else photographs alone made it."""
        return self.boot != PHOTOGRAPHS

    @property
    def data(self) -> Mapping[str, Any]:
        """The count."""
        return as_map(self.score.get("data"))

    @property
    def items(self) -> ScoreSheet:
        """The items of the count and the sums of the printed sheet."""
        return sheet_told(self.data.get("sheet"), rule_set_or_default(None).sheet)

    @property
    def figures(self) -> tuple[str, ...]:
        """Figures that a printed sheet has: the items, their sums, the total."""
        return (*self.items.names, *(part for part, _ in self.items.parts), TOTAL)

    def total(self, line: str) -> int | None:
        """Return what counts for a line."""
        return as_whole(as_map(as_map(self.data.get("lines")).get(line)).get("total"))

    @property
    def state(self) -> str:
        """State of the sheet: one of ``URGENCY``."""
        if any(one.how == "disputed" for one in self.signed.values()):
            return "disputed"
        agreed = all(self.how(line).how in ("display", "paper") for line in LINES)
        if self._has_second_figures and any(
            row.off or (row.unlike and not agreed) for line in LINES for row in self.rows(line)
        ):
            return "differs"
        if any(self.total(line) is None for line in LINES):
            return "unclear"
        return "done" if agreed else "waiting"

    @property
    def _has_second_figures(self) -> bool:
        """True if people or photographs have given figures beside the table's: without any, no row is made for this.

        An evening's pages ask for the state of every sheet, again at each event.
        """
        return any(self.written.values()) or self.photographed is not None

    def how(self, line: str) -> Signed:
        """Return how a line stands to it."""
        return self.signed.get(line, Signed())

    def rows(self, line: str) -> tuple[ScoreRow, ...]:
        """Return the rows of one line in the order of a printed sheet."""
        columns = [as_map(as_map(self.data.get(part)).get(line)) for part in ("ledger", "camera", "lines")]
        items = self.items
        ledger, camera, counts = (_column(one, items) for one in columns)
        written = _column_written(self.written.get(line, {}), items)
        told = {} if self.photographed is None else self.photographed.told
        seen = _column(as_map(as_map(told.get("lines")).get(line)), items)
        worth = as_map(as_map(told.get("worth")).get(line))
        order = [name for part, _ in items.parts for name in (*items.of_part(part), part)]
        touched = {one.item for fix in self.corrections for one in fix.changes if one.line == line}
        differs = self._differences(line)
        return tuple(
            ScoreRow(
                name,
                written.get(name),
                ledger.get(name),
                camera.get(name),
                counts.get(name),
                name in touched,
                differs.get(name),
                name not in items.names,
                seen.get(name),
                explained(worth.get(name), seen.get(name), _first(written.get(name), counts.get(name))),
            )
            for name in (*order, *items.of_part(""), TOTAL)
        )

    def _differences(self, line: str) -> dict[str, CameraDifference]:
        found = {}
        for one in as_list(self.data.get("differences")):
            told = as_map(one)
            if told.get("line") == line:
                counts = as_map(told.get("counts"))
                item = str(told.get("item"))
                cards = tuple(str(card) for card in as_list(told.get("cards")))
                sizes = (as_whole(counts.get("camera")), as_whole(counts.get("ledger")))
                found[item] = CameraDifference(item, str(told.get("seat") or ""), cards, *sizes)
        return found


def _first(*values: int | None) -> int | None:
    return next((value for value in values if value is not None), None)


def _column(own: Mapping[str, Any], sheet: ScoreSheet) -> dict[str, int | None]:
    items = as_map(own.get("items"))
    values: dict[str, int | None] = {name: as_whole(items.get(name)) for name in sheet.names}
    for part, _ in sheet.parts:
        values[part] = sum_of(values[name] for name in sheet.of_part(part))
    values[TOTAL] = as_whole(own.get("total"))
    return values


def _column_written(own: Mapping[str, int], sheet: ScoreSheet) -> dict[str, int | None]:
    """Return what was written; sums that follow from what was written are added, nothing else."""
    parts = tuple(part for part, _ in sheet.parts)
    values: dict[str, int | None] = {name: own.get(name) for name in (*sheet.names, *parts, TOTAL)}
    for part in parts:
        if values[part] is None:
            values[part] = sum_of(values[name] for name in sheet.of_part(part))
    if values[TOTAL] is None:
        values[TOTAL] = sum_of(values[name] for name in (*parts, *sheet.of_part("")))
    return values
