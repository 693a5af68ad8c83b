"""Output of the demo: its progress while it plays, and the summary at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from table_service.commands.demo.texts import TEXTS, Language, text
from table_service.console.event_sentences import tell
from table_service.console.vocabulary import Words
from table_service.events import Event, event_to_json, public
from table_service.journal import OutboxCounts
from table_service.publish import LinkReport
from table_service.rehearsal.rehearse import Rehearsal
from table_service.rulesets import rule_set

_WORDED: Final = frozenset({"card.drawn", "pile.collected", "meld.opened", "meld.extended", "card.discarded"})
"""Moves that the summary describes in words of its own, a turn a line; other games' moves as their pages do."""

_SURE: Final = 0.9
"""Confidence from which on the summary counts a move as told surely."""


class Summary:
    """The end of the demo, line by line: only what was public."""

    def __init__(self, rehearsal: Rehearsal, events: Sequence[Event], lang: Language, *, visited: bool = False) -> None:
        """``visited``: a visitor has ruled, as he thought right."""
        self._rehearsal = rehearsal
        self._events = list(events)
        self._lang = lang
        self._ruled = {one.deal for one in self._events if visited and one.type == "irregularity"}
        self._pages = rule_set(rehearsal.rules).pages

    def lines(
        self,
        *,
        report: LinkReport,
        outbox: OutboxCounts | None,
        table_seconds: float,
        wall_seconds: float,
        whole_seconds: float,
        left_out: Sequence[str],
        modelled: bool = False,
        camera_only: bool = False,
        replayed: bool | None,
        link: Mapping[str, Mapping[str, Any]],
    ) -> Iterator[str]:
        """Yield the summary's lines."""
        yield ""
        yield self._text("turns")
        yield from self._turns() if self._pages.moves & _WORDED else self._by_game()
        yield ""
        yield self._text("alerts")
        yield from self._alerts() or [f"  {self._text('none')}"]
        staged = ", ".join(f"{fault.row} {fault.seat}" for fault in self._rehearsal.script.injected)
        yield f"  ({self._text('injected')}: {staged})"
        yield ""
        yield from self._sheets()
        yield ""
        if outbox is not None:
            waiting = outbox.unsent + outbox.sent
            yield self._text("events", made=len(self._events), acknowledged=outbox.acknowledged, waiting=waiting)
        for name, counters in link.items():
            yield f"  {name}: " + ", ".join(
                f"{key} {value}" for key, value in counters.items() if isinstance(value, int | float) and value
            )
        if report.retrying:
            yield f"  {report.retrying}"
        yield self._text(
            "speed",
            table=table_seconds,
            wall=wall_seconds,
            times=table_seconds / max(wall_seconds, 1e-9),
            whole=whole_seconds,
        )
        if replayed is not None:
            yield self._text("replay", answer=self._text("yes" if replayed else "no"))
        if modelled:
            yield self._text("modelled")
        if camera_only:
            yield self._by_camera()
        yield f"{self._text('left')}: " + ("; ".join(left_out) or self._text("nothing"))

    def _by_camera(self) -> str:
        """Count of the moves that a camera alone has told, and of those that are only likely."""
        told = [event for event in self._events if event.type in _WORDED]
        likely = [event for event in told if event.confidence < _SURE]
        draws = sum(event.type == "card.drawn" for event in likely)
        return self._text("camera-only", told=len(told), likely=len(likely), draws=draws)

    def _text(self, name: str, **values: object) -> str:
        return text(self._lang, name, **values)

    def _turns(self) -> Iterator[str]:
        place: tuple[int | None, int | None] = (None, None)
        parts: list[str] = []
        seat = ""
        for event in self._events:
            words = self._words(event)
            if event.type == "deal.started":
                words = ""
            if not words:
                continue
            if (event.deal, event.turn) != place or event.type == "deal.ended":
                if parts:
                    yield f"  {place[1] or '':>3} {seat:2} " + ", ".join(parts)
                if event.deal != place[0]:
                    yield f"  {self._text('deal', n=event.deal)}"
                place, parts, seat = (event.deal, event.turn), [], str(event.seat or "?")
            parts.append(words if str(event.seat or "?") == seat else f"[{event.seat or '?'}: {words}]")
        if parts:
            yield f"  {place[1] or '':>3} {seat:2} " + ", ".join(parts)

    def _sheets(self) -> Iterator[str]:
        """Yield the score sheet of each deal, item by item, as an arbitro would check it."""
        last = {event.deal: event for event in self._events if event.type == "score.counted"}
        for deal, event in last.items():
            yield self._text("sheet", n=deal)
            data = event.data.model_dump(mode="json", by_alias=True)
            yield from self._columns(data)
            yield from self._truth(deal, data["lines"])
            yield from map(self._difference, data["differences"])
        for event in self._events:
            if event.type == "round.ended":
                data = event.data.model_dump(mode="json", by_alias=True)
                yield result_line(self._rehearsal.rules, data, self._lang)

    def _columns(self, data: Mapping[str, Any]) -> Iterator[str]:
        """Yield the figures of camera, ledger and both together for each line, item by item; then the doubtful ones."""
        yield f"  {'':17}" + "".join(f"{line:>22}" for line in data["lines"])
        sources = [data["camera"] or {}, data["ledger"] or {}, data["lines"]]
        for item in (*next(iter(data["lines"].values()))["items"], "total"):
            cells = "".join(
                f"{' / '.join(_score(source.get(line), item) for source in sources):>22}" for line in data["lines"]
            )
            yield f"  {self._item(item):17}{cells}"
        running = "".join(f"{_shown(line['running']):>22}" for line in data["lines"].values())
        yield f"  {self._text('running'):17}{running}"
        if data["doubtful"]:
            doubts = (one.partition(".") for one in data["doubtful"])
            yield "  " + self._text("doubt", items=", ".join(f"{line} {self._item(of)}" for line, _, of in doubts))

    def _difference(self, one: Mapping[str, Any]) -> str:
        return self._text(
            "difference",
            line=one["line"],
            item=self._item(one["item"]),
            camera=_shown(one["camera"]),
            ledger=_shown(one["ledger"]),
            cards=f" ({' '.join(one['cards'])})" if one["cards"] else "",
        )

    def _item(self, item: str) -> str:
        """Return a row of the score sheet as the console names it."""
        words = Words(self._lang)
        title = words.title(rule_set(self._rehearsal.rules).sheet, item)
        return title.lower() if item == "total" else title

    def _truth(self, deal: int | None, lines: Mapping[str, Any]) -> Iterator[str]:
        """Return what the deal came to by the script, which the table never saw: a demo may know it."""
        for end in self._rehearsal.script.ends:
            if end.deal == deal:
                totals = {line: sum(items.values()) for line, items in end.items.items()}
                told = {line: lines[line]["total"] for line in totals}
                answer = truth_of(told, totals, ruled=deal in self._ruled)
                words = ", ".join(f"{line} {total}" for line, total in totals.items())
                yield self._text("truth", totals=words, answer=self._text(answer))

    def _words(self, event: Event) -> str:
        data = event.data.model_dump(mode="json", by_alias=True)
        match event.type:
            case "card.drawn":
                return self._text("draws")
            case "pile.collected":
                return self._text("collects", cards=" ".join(data["cards"]))
            case "meld.opened":
                return self._text("opens", cards=" ".join(data["meld"]["cards"]))
            case "meld.extended":
                return self._text("extends", cards=" ".join(data.get("added") or data["meld"]["cards"]))
            case "card.discarded":
                return self._text("discards", cards=data["card"])
            case "pot.taken":
                return self._text(
                    "pot", manner=self._text(data["manner"]) if data["manner"] in TEXTS else data["manner"]
                )
            case "deal.ended":
                return self._text("ended", manner=data["manner"])
        return ""

    def _by_game(self) -> Iterator[str]:
        """Yield the play in the sentences of a game whose moves this summary has no words for."""
        words, deal = Words(self._lang, self._pages), None
        told = self._pages.moves - self._pages.summed_up | {"deal.ended"}
        for event in self._events:
            if event.type not in told:
                continue
            if event.deal != deal:
                deal = event.deal
                yield f"  {self._text('deal', n=deal)}"
            document = event_to_json(public(event))
            line = tell(document, words)
            cards = ", ".join(map(words.card, line.cards))
            yield f"  {document['data'].get('n', ''):>3} {line.text}" + (f": {cards}" if cards else "")

    def _alerts(self) -> list[str]:
        last: dict[str, dict[str, Any]] = {}
        for event in self._events:
            if event.type == "irregularity":
                data = event.data.model_dump(mode="json")
                last[data["key"]] = data
        found = []
        article = Words(self._lang).choose(self._pages.article)
        for data in last.values():
            state = self._text(f"state-{data['state']}")
            cards = " ".join(data["cards"])
            found.append(
                f"  {data['row']} ({article} {data['article']}) {data['offender'] or '?'} {cards} "
                f"t={data['committed_t']:.1f} s: {data['title'][self._lang]} – {state}"
            )
            found.extend(f"      · {step['text'][self._lang]}" for step in data["remedy"])
        return found


def truth_of(told: Mapping[str, int | None], totals: Mapping[str, int], *, ruled: bool) -> str:
    """Return how a count stands to what the script alone came to; ``ruled``: what a visitor ruled may be in it.

    >>> truth_of({"NS": 64, "EW": 6}, {"NS": 64, "EW": 56}, ruled=True)
    'ruled'
    """
    if None in told.values():
        return "open"
    return "same" if told == totals else "ruled" if ruled else "other"


def result_line(rules: str, ended: Mapping[str, Any], lang: Language) -> str:
    """Return the result of a round that ``ended`` by ``rules``; no victory points if the code has none."""
    unknown = text(lang, "unknown")
    points = {name: _pair(ended[field], unknown) for name, field in (("mp", "match_points"), ("vp", "victory_points"))}
    has_vp = rule_set(rules).calculators.victory_points is not None
    return text(lang, "result" if has_vp else "result_mp", **points)


def _shown(value: int | None) -> str:
    return "?" if value is None else str(value)


def _score(line: Mapping[str, Any] | None, item: str) -> str:
    if line is None:
        return "–"
    return _shown(line["total"] if item == "total" else line["items"].get(item))


def _pair(lines: Mapping[str, int | None] | Sequence[int] | None, unknown: str) -> str:
    if not lines:
        return unknown
    values = list(lines.values()) if isinstance(lines, Mapping) else list(lines)
    return unknown if any(value is None for value in values) else " / ".join(map(str, values))
