"""Score sheets: both lines confirm or dispute a count, the written sheet is kept, the arbitro corrects.

Nothing here is taken for another: the count of camera and ledger stays as it was reported, a correction is kept above
it with its old value, its person and its reason, and a count that changes is to be confirmed anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from hw.observations import Said
from hw.seats import LINES, Line, line_or_none
from table_service.events import payloads as say
from table_service.events.orders import CorrectSheet, SheetOrder, WriteSheet
from table_service.table.round_state import RoundReferee, RoundState
from table_service.table.score_items import ScoreSheet
from table_service.table.scores import Count
from table_service.table.sheet_figures import Figured, add_to, corrected, shown, with_given, with_moved
from table_service.table.voice import Voice

SAYS: Final = {"sheet-ok": True, "sheet-no": False}
"""Answers of a line on the table's display to the count that it is shown, as ``sheet-ok:NS:EVENT``."""
_MOST: Final = 20_000
Figures = dict[str, dict[str, int | None]]


@dataclass(slots=True)
class Sheet:
    """The sheet of one deal: the count as last reported, and what people have done with it.

    ``counted``: by line the items and the total that camera and ledger agree on, before any correction.
    """

    event: str
    data: say.ScoreCounted
    counted: Mapping[str, Any]
    doubtful: tuple[str, ...]
    confirmed: dict[Line, str] = field(default_factory=dict)
    disputed: dict[Line, tuple[float, str]] = field(default_factory=dict)
    """Lines that dispute it: since when, in seconds of the table's clock and as wall time."""
    corrected: dict[tuple[Line, str], int] = field(default_factory=dict)

    def public(self) -> dict[str, Any]:
        """Return what anybody may know of it."""
        return {
            "score": self.event,
            "confirmed": {str(line): how for line, how in self.confirmed.items()},
            "disputed": {str(line): {"t": t, "time": time} for line, (t, time) in self.disputed.items()},
            "corrected": [f"{line}.{item}" for line, item in self.corrected],
        }


class DealSheets:
    """Takes counts from the game, lines' answers on the display, and the arbitro's entries for a score sheet.

    ``score``: the event that reported the count of the deal that runs, None before it was counted.
    """

    def __init__(self, items: ScoreSheet, voice: Voice, state: RoundState, referee: RoundReferee) -> None:
        self._items = items
        self._voice = voice
        self._round = state
        self._referee = referee
        self._sheets: dict[int, Sheet] = {}
        self._newest: object = None
        self.score: str | None = None

    @property
    def by_deal(self) -> Mapping[int, Sheet]:
        """The sheets of the round."""
        return self._sheets

    # -- the count -----------------------------------------------------------------------------------------------------

    def clear(self) -> None:
        """Clear the score sheets: a round begins."""
        self._sheets.clear()
        self.begin_deal()

    def begin_deal(self) -> None:
        """Begin a deal, which has not been counted."""
        self.score, self._newest = None, None

    def count(self, plain: Count, t: float) -> None:
        """Report the count of the deal that runs, with its sheet's corrections, unless it was reported already."""
        number = self._round.number
        count = self._with_corrections(number, plain)
        running = self._round.scores.enter(number, count.lines)
        self._referee.counted(self._round.scores.lead)
        result = self._round.standing() if self._round.scores.is_complete else self._round.match()
        key = (count.lines, count.differences, result)
        if self._newest == key:
            return
        self._newest = key
        data = say.ScoreCounted(
            lines={str(line): {**count.lines[line], "running": running[line]} for line in LINES},
            camera=count.camera,
            ledger=count.ledger,
            agrees=count.agrees,
            doubtful=count.doubtful,
            differences=count.differences,
            supersedes=self.score,
            must_call=self._referee.book.must_call,
            sheet=self._items.sheet_items,
            **result,
        )
        self.score = self._voice.say("score.counted", data, t).id
        self._open_sheet(number, Sheet(self.score, data, plain.lines, plain.doubtful))

    def take_back(self) -> None:
        """Take back the count of the deal that runs, which was not over, until it is counted anew."""
        self._newest = None
        self._round.scores.totals.pop(self._round.number, None)
        self._sheets.pop(self._round.number, None)

    def _with_corrections(self, number: int, count: Count) -> Count:
        sheet = self._sheets.get(number)
        if sheet is None or not sheet.corrected:
            return count
        lines, doubtful = corrected(count.lines, count.doubtful, sheet.corrected)
        return replace(count, lines=lines, doubtful=doubtful)

    def _open_sheet(self, number: int, sheet: Sheet) -> None:
        """Open the reported ``sheet`` of deal ``number``; corrections and confirmations of the last one carry over."""
        before = self._sheets.get(number)
        if before is not None and sheet.data.supersedes == before.event:
            sheet.corrected, sheet.disputed = before.corrected, before.disputed
            if shown(before.data) == shown(sheet.data):
                sheet.confirmed = before.confirmed
        self._sheets[number] = sheet

    # -- a round that goes on after a restart --------------------------------------------------------------------------

    def restore(self, number: int, sheet: Sheet) -> None:
        """Take up the sheet of deal ``number`` as it was before the table's restart."""
        self._sheets[number] = sheet
        self._round.scores.enter(number, sheet.data.lines)

    def withdraw(self, event: str) -> None:
        """Withdraw the count that ``event`` reported before the table's restart."""
        for number in [n for n, sheet in self._sheets.items() if sheet.event == event]:
            del self._sheets[number], self._round.scores.totals[number]

    def go_on(self) -> None:
        """Take up the score of the deal that was newest before the restart, if it was counted."""
        held = self._sheets.get(self._round.number)
        self.score = None if held is None else held.event

    def doubt(self, lines: Iterable[Line], t: float) -> None:
        """Doubt the score of the newest deal before the restart for ``lines``: a ruling on it has changed.

        Its cards are gone, so it cannot be counted anew: the arbitro looks at the sheet, and a correction of his holds.
        """
        number = self._round.number
        sheet = self._sheets.get(number)
        if sheet is None or self._round.is_dealt:
            return
        doubted = tuple(f"{line}.{item}" for line in lines for item in self._items.names)
        fresh = tuple(one for one in doubted if one not in sheet.doubtful)
        if not fresh:
            return
        sheet.doubtful = (*sheet.doubtful, *fresh)
        sheet.confirmed.clear()
        made, doubtful = corrected(sheet.counted, sheet.doubtful, sheet.corrected)
        self._tell(number, sheet, made, doubtful, t)

    def shown_with(self, number: int, counted: Figured) -> dict[str, Any]:
        """Return the lines of the sheet of deal ``number``, corrections included, if it were ``counted`` so."""
        return corrected(counted, (), self._sheets[number].corrected)[0]

    def recount(self, number: int, counted: Figured, doubtful: tuple[str, ...], t: float) -> None:
        """Enter the score of deal ``number`` after a ruling on it is lifted; ``doubtful``: items that cannot be known.

        Corrections stay above it; if its figures change, both lines confirm anew.
        """
        sheet = self._sheets[number]
        before = sheet.counted
        sheet.data = sheet.data.model_copy(update=with_moved(sheet.data, before, counted))
        sheet.counted = counted
        sheet.doubtful = (*sheet.doubtful, *(one for one in doubtful if one not in sheet.doubtful))
        if doubtful:
            sheet.confirmed.clear()
        made, left = corrected(counted, sheet.doubtful, sheet.corrected)
        same = all(made[line]["items"] == own["items"] for line, own in sheet.data.lines.items())
        if not same or left != sheet.data.doubtful:
            self._tell(number, sheet, made, left, t)

    def enter_owed(self, t: float) -> None:
        """Enter on the newest deal's sheet the points given since the restart, until another deal is dealt.

        If the sheet's bonus is unknown, the next deal's has it; if none can follow, it is reported to be on none.
        """
        number = self._round.number
        sheet = self._sheets.get(number)
        item = self._items.given
        if not item or sheet is None or self._round.is_dealt:
            return
        owed = {line: points for line, points in self._round.take_owed().items() if points}
        for line, points in owed.items():
            if sheet.counted[str(line)]["items"].get(item) is not None:
                add_to(sheet.counted[str(line)], item, points)
                sheet.data = sheet.data.model_copy(update=with_given(sheet.data, line, item, points))
            elif self._round.is_ended or self._round.scores.is_complete:
                self._voice.ignored(f"the sheet of deal {number} is not known: enter the bonus of {line} there", t)
            else:
                self._round.give_bonus(line, points)
        made, doubtful = corrected(sheet.counted, sheet.doubtful, sheet.corrected)
        if owed and {line: own["items"] for line, own in sheet.data.lines.items()} != {
            line: own["items"] for line, own in made.items()
        }:
            self._tell(number, sheet, made, doubtful, t)

    def leave_unknown(self, number: int) -> None:
        """Leave all figures of deal ``number`` unknown; the arbitro can enter them."""
        nothing = {str(line): {"items": dict.fromkeys(self._items.names), "total": None} for line in LINES}
        running = self._round.scores.enter(number, nothing)
        data = say.ScoreCounted(
            lines={str(line): {**nothing[str(line)], "running": running[line]} for line in LINES},
            camera=nothing,
            ledger=nothing,
            agrees=False,
            doubtful=tuple(f"{line}.{item}" for line in LINES for item in self._items.names),
            must_call=self._referee.book.must_call,
            sheet=self._items.sheet_items,
            **(self._round.standing() if self._round.scores.is_complete else self._round.match()),
        )
        event = self._voice.say("score.counted", data, 0.0, deal=number)
        self._sheets[number] = Sheet(event.id, data, nothing, data.doubtful)

    # -- what people do ------------------------------------------------------------------------------------------------

    def hear(self, said: Said) -> bool:
        """Follow ``said`` if it concerned a score sheet; return True if it did."""
        is_of_sheet = said.what.partition(":")[0] in SAYS
        if is_of_sheet:
            self._said(said)
        return is_of_sheet

    def follow(self, order: WriteSheet | CorrectSheet) -> None:
        """Follow an order about a sheet."""
        number, lines = order.deal, order.fields["lines"]
        sheet = self._sheets.get(number)
        if sheet is None or order.score not in (None, sheet.event):
            note = f"deal {number} is not counted, or its sheet has changed since it was shown: look at it again"
            self._voice.ignored(note, order.t)
        elif (wrong := self._wrong_figure(order)) is not None:
            self._voice.ignored(wrong, order.t)
        elif isinstance(order, WriteSheet):
            self._written(number, sheet, lines, order)
        else:
            self._correct(number, sheet, lines, order)

    def _said(self, said: Said) -> None:
        """Let a line confirm or dispute the count that was on the display; one that has changed since is not meant."""
        word, _, rest = said.what.partition(":")
        name, _, event = rest.partition(":")
        line = line_or_none(name)
        number = next((n for n, one in self._sheets.items() if one.event == event), None)
        if line is None or number is None:
            self._voice.ignored("the score has changed since it was shown: look at it again", said.t)
            return
        sheet = self._sheets[number]
        if SAYS[word] and any(own["total"] is None for own in sheet.data.lines.values()):
            self._voice.ignored("a count with figures that nobody knows cannot be confirmed", said.t)
        elif SAYS[word]:
            self._confirm(number, line, "display", None, said.t)
        elif line not in sheet.disputed:
            sheet.confirmed.pop(line, None)
            data = say.SheetDisputed(line=str(line), score=sheet.event)
            one = self._voice.say("sheet.disputed", data, said.t, line=line, deal=number)
            sheet.disputed[line] = (one.t, one.time)

    def _confirm(self, number: int, line: Line, how: str, by: str | None, t: float) -> None:
        sheet = self._sheets[number]
        sheet.disputed.pop(line, None)
        if sheet.confirmed.get(line) == how:
            return
        sheet.confirmed[line] = how
        data = say.SheetConfirmed(line=str(line), score=sheet.event, how=how, by=by)
        self._voice.say("sheet.confirmed", data, t, line=line, deal=number)

    def _wrong_figure(self, order: SheetOrder) -> str | None:
        """Return what is wrong with the figures of ``order``, in one sentence."""
        items = self._items.entries if isinstance(order, WriteSheet) else (*self._items.names, "total")
        for item, value in (one for figures in order.lines.values() for one in figures.items()):
            if item not in items:
                return f"the sheet has no item '{item}': it is one of {', '.join(items)}"
            if value is not None and abs(value) > _MOST:
                return f"no figure of a sheet is above {_MOST}"
        return None

    def _written(self, number: int, sheet: Sheet, lines: Figures, order: WriteSheet) -> None:
        """Enter the figures of the paper sheet, and the lines that have signed it, from the arbitro."""
        data = say.SheetWritten(lines=lines, score=sheet.event, by=order.by)
        self._voice.say("sheet.written", data, order.t, deal=number)
        for line in LINES:
            if line in (order.signed or ()):
                self._confirm(number, line, "paper", order.by, order.t)

    def _correct(self, number: int, sheet: Sheet, lines: Figures, order: CorrectSheet) -> None:
        """Correct items by the arbitro's order, or give a value to an unknown one; null takes a correction back."""
        reason = order.reason.strip()[:200]
        if not reason:
            self._voice.ignored("a correction must say its reason", order.t)
            return
        before = {line: dict(sheet.data.lines[line]["items"], total=sheet.data.lines[line]["total"]) for line in lines}
        for name, items in lines.items():
            for item, value in items.items():
                if value is None:
                    sheet.corrected.pop((Line(name), item), None)
                else:
                    sheet.corrected[Line(name), item] = value
        made, doubtful = corrected(sheet.counted, sheet.doubtful, sheet.corrected)
        changes = tuple(
            {
                "line": name,
                "item": item,
                "old": before[name].get(item),
                "new": made[name]["total"] if item == "total" else made[name]["items"][item],
            }
            for name, items in lines.items()
            for item in items
        )
        data = say.SheetCorrected(
            changes=changes,
            by=order.by,
            reason=reason,
            agreed=tuple(map(str, order.agreed or ())),
            countersigned=order.countersigned,
        )
        self._voice.say("sheet.corrected", data, order.t, deal=number)
        sheet.disputed.clear()
        self._tell(number, sheet, made, doubtful, order.t)

    def _tell(self, number: int, sheet: Sheet, lines: dict[str, Any], doubtful: tuple[str, ...], t: float) -> None:
        """Report the corrected count, and the end of the round again if it has changed."""
        running = self._round.scores.enter(number, lines)
        self._referee.counted(self._round.scores.lead)
        result = self._round.standing() if self._round.scores.is_complete else self._round.match()
        data = sheet.data.model_copy(
            update={
                "lines": {str(line): {**lines[str(line)], "running": running[line]} for line in LINES},
                "doubtful": doubtful,
                "supersedes": sheet.event,
                "must_call": self._referee.book.must_call,
                **result,
            }
        )
        event = self._voice.say("score.counted", data, t, deal=number)
        confirmed = sheet.confirmed if shown(sheet.data) == shown(data) else {}
        self._sheets[number] = replace(sheet, event=event.id, data=data, confirmed=confirmed)
        if number == self._round.number:
            self.score, self._newest = event.id, (lines, data.differences, result)
        self._round.tell_end_again(t)
