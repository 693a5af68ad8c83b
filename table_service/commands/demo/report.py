"""What the demo says: its progress while it plays, and the summary at the end."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, Final, Literal, Self

import typer
from rich.console import Console
from rich.live import Live
from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table

from hw.twin.timed_events import Performed
from table_service.console.event_sentences import tell
from table_service.console.vocabulary import Words
from table_service.events import Event, event_to_json, public
from table_service.journal import OutboxCounts
from table_service.publish import LinkReport
from table_service.rehearsal.rehearse import Rehearsal
from table_service.rulesets import rule_set

Language = Literal["it", "en"]
TEXTS: Final[dict[str, tuple[str, str]]] = {
    "micropython": ("preparo MicroPython per il nodo", "preparing MicroPython for the node"),
    "broker": ("avvio il broker MQTT", "starting the MQTT broker"),
    "table": ("apparecchio il tavolo", "setting the table"),
    "display": ("lo schermo dei giocatori è qui: {url}", "the players' screen is here: {url}"),
    "page": ("la pagina dell'arbitro è qui: {url}", "the arbitro's page is here: {url}"),
    "tables": ("apparecchio gli altri tavoli della sala", "setting the hall's other tables"),
    "door": (
        "apri questa pagina: l'arbitro sei tu, e il gioco comincia quando guardi: {url}",
        "open this page: you are the arbitro, and play begins when you look: {url}",
    ),
    "look": ("aspetto che tu apra la pagina", "waiting for you to open the page"),
    "decide": ("il gioco si ferma: decidi tu, sulla pagina", "play stops: you decide, on the page"),
    "goes-on": ("il gioco riprende con la tua decisione", "play goes on with your ruling"),
    "playing": ("si gioca", "playing"),
    "interrupt": ("la pagina resta aperta su {url}; Ctrl-C per finire", "the page stays at {url}; Ctrl-C ends"),
    "turns": ("Il gioco, come l'ha visto il tavolo", "The play, as the table saw it"),
    "draws": ("pesca", "draws"),
    "collects": ("raccoglie {cards}", "collects {cards}"),
    "opens": ("apre {cards}", "opens {cards}"),
    "extends": ("lega {cards}", "adds {cards}"),
    "discards": ("scarta {cards}", "discards {cards}"),
    "pot": ("pozzo {manner}", "pot {manner}"),
    "in-flight": ("in diretta", "in flight"),
    "discard": ("con lo scarto", "with the discard"),
    "ended": ("Fine: {manner}", "End: {manner}"),
    "alerts": ("Segnalazioni", "Alerts"),
    "none": ("nessuna", "none"),
    "injected": ("errori messi in scena", "faults that were staged"),
    "sheet": (
        "Segnapunti, smazzata {n} (letto dalla camera / dal registro del gioco / vale)",
        "Score sheet, deal {n} (by the camera / by the ledger of play / counts)",
    ),
    "doubt": ("da controllare: {items}", "to be checked: {items}"),
    "difference": (
        "    {line} {item}: la camera dice {camera}, il registro {ledger}{cards}",
        "    {line} {item}: the camera says {camera}, the ledger {ledger}{cards}",
    ),
    "truth": ("  giocato davvero: {totals} – {answer}", "  really played: {totals} – {answer}"),
    "same": ("uguale", "the same"),
    "other": ("DIVERSO", "DIFFERENT"),
    "open": ("resta da controllare", "left to be checked"),
    "running": ("progressivo", "running"),
    "result": (
        "Risultato del turno: match points {mp}, victory points {vp}",
        "Result of the round: match points {mp}, victory points {vp}",
    ),
    "result_mp": ("Risultato del turno: match points {mp}", "Result of the round: match points {mp}"),
    "unknown": ("non noti", "not known"),
    "deal": ("Smazzata {n}", "Deal {n}"),
    "events": (
        "Eventi: {made} pubblicati, {acknowledged} confermati dal broker, {waiting} in attesa",
        "Events: {made} published, {acknowledged} acknowledged by the broker, {waiting} waiting",
    ),
    "speed": (
        "Tempo: {table:.0f} s di gioco in {wall:.0f} s, {times:.1f} volte il vero ({whole:.0f} s in tutto)",
        "Time: {table:.0f} s of play in {wall:.0f} s, {times:.1f} times real speed ({whole:.0f} s in all)",
    ),
    "replay": (
        "Il registro, riletto, dà gli stessi eventi: {answer}",
        "The log, replayed, gives the same events: {answer}",
    ),
    "yes": ("sì", "yes"),
    "no": ("NO", "NO"),
    "modelled": (
        "Carte viste: fotogrammi veri, letti secondo il modello d'errore del tavolo simulato (mazzo senza indici)",
        "Cards seen: real frames, yet read by the simulated table's error model (a pack without indices)",
    ),
    "left": ("Mancava su questa macchina", "What this machine did not have"),
    "nothing": ("nulla", "nothing"),
    "state-open": ("aperta", "open"),
    "state-healed": ("sanata", "healed"),
    "state-ruled": ("decisa", "ruled"),
    "state-dismissed": ("archiviata", "dismissed"),
}

_WORDED: Final = frozenset({"card.drawn", "pile.collected", "meld.opened", "meld.extended", "card.discarded"})
"""Moves that the summary tells in words of its own, a turn a line; other games' moves are told as their pages do."""


def text(lang: str, name: str, **values: object) -> str:
    """The text called ``name`` in ``lang`` (``it`` or ``en``)."""
    both = TEXTS[name]
    return both[1 if lang == "en" else 0].format(**values)


class Progress:
    """Shows how far the demo is: bars on a terminal, a line now and then in a pipe. A context manager."""

    def __init__(self, lang: str, rules: str) -> None:
        self._lang = lang
        self._moves = rule_set(rules).pages.moves
        self._console = Console()
        self._live: Live | None = None
        self._bars: Bars | None = None
        self._task: Any = None
        self._total = 1
        self._done = 0
        self._told = 0
        self._began = time.monotonic()
        self._counts: Counter[str] = Counter()
        self._last = ""
        self.played_wall = 0.0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()

    def step(self, name: str) -> None:
        """Say which part is being prepared."""
        typer.echo(f"· {text(self._lang, name)}")

    def say_page(self, url: str) -> None:
        """Say where the console page is."""
        typer.echo(f"· {text(self._lang, 'page', url=url)}")

    def say_door(self, url: str) -> None:
        """Say where the visitor, who is the arbitro, looks on."""
        typer.echo(f"· {text(self._lang, 'door', url=url)}")
        sys.stdout.flush()

    def say_visitor(self, what: str) -> None:
        """Say what play waits for, or that it goes on."""
        typer.echo(f"· {text(self._lang, what)}")
        sys.stdout.flush()

    def say_display(self, url: str) -> None:
        """Say where the table's small screen is."""
        typer.echo(f"· {text(self._lang, 'display', url=url)}")

    def begin(self, total: int) -> None:
        """The deal begins; it has ``total`` gestures."""
        self._total = max(1, total)
        self._began = time.monotonic()
        if self._console.is_terminal:
            self._bars = Bars(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f}%"),
                TimeElapsedColumn(),
            )
            self._task = self._bars.add_task(text(self._lang, "playing"), total=self._total)
            self._live = Live(self._view(), console=self._console, refresh_per_second=4)
            self._live.start()

    def advance(self, table_seconds: float) -> None:
        """One gesture is over."""
        self._done += 1
        if self._live is not None and self._bars is not None:
            self._bars.update(self._task, completed=self._done)
            self._live.update(self._view())
            return
        percent = 100 * self._done // self._total
        if percent >= self._told + 10:
            self._told = percent - percent % 10
            wall = time.monotonic() - self._began
            typer.echo(
                f"  {self._told:3d} %  {table_seconds:5.0f} s / {wall:4.0f} s  "
                f"{sum(self._counts.values())} events, {self._counts['irregularity']} alerts  {self._last}"
            )
            sys.stdout.flush()

    def event(self, event: Event) -> None:
        """The table has told something."""
        self._counts[event.type] += 1
        if event.type in self._moves:
            self._last = f"{event.seat or '?'} {event.type}"
        elif event.type == "irregularity":
            data = event.data.model_dump(mode="json")
            self._last = f"! {data['row']} {data['offender'] or '?'}: {data['title'][self._lang]} ({data['state']})"

    def end(self) -> None:
        """The deal is over."""
        self.played_wall = time.monotonic() - self._began
        self._stop()

    def wait_for_interrupt(self, url: str) -> None:
        """Keep the page open until somebody ends it."""
        typer.echo(text(self._lang, "interrupt", url=url))
        try:
            while True:
                time.sleep(3600)
        except KeyboardInterrupt:
            return

    def _view(self) -> Table:
        grid = Table.grid(padding=(0, 2))
        if self._bars is not None:
            grid.add_row(self._bars)
        grid.add_row(f"{sum(self._counts.values())} events   {self._counts['irregularity']} alerts   {self._last}")
        return grid

    def _stop(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None


class Summary:
    """The end of the demo, line by line: only what was public."""

    def __init__(
        self, rehearsal: Rehearsal, events: Sequence[Event], performed: Sequence[Performed], lang: Language
    ) -> None:
        self._rehearsal = rehearsal
        self._events = list(events)
        self._performed = list(performed)
        self._lang = lang
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
        replayed: bool | None,
        link: Mapping[str, Mapping[str, Any]],
    ) -> Iterator[str]:
        """The summary's lines."""
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
        yield f"{self._text('left')}: " + ("; ".join(left_out) or self._text("nothing"))

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
        """The score sheet of each deal, item by item, as an arbitro would check it."""
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
        """What camera, ledger and both together have for each line, item by item; then which of it is doubtful."""
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
        """A row of the score sheet as the console names it."""
        words = Words(self._lang)
        title = words.title(rule_set(self._rehearsal.rules).sheet, item)
        return title.lower() if item == "total" else title

    def _truth(self, deal: int | None, lines: Mapping[str, Any]) -> Iterator[str]:
        """What the deal came to by the script, which the table never saw: a demo may know it."""
        for end in self._rehearsal.script.ends:
            if end.deal == deal:
                totals = {line: sum(items.values()) for line, items in end.items.items()}
                told = {line: lines[line]["total"] for line in totals}
                answer = "open" if None in told.values() else "same" if told == totals else "other"
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
        """The play in the sentences of a game whose moves this summary has no words for."""
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


def result_line(rules: str, ended: Mapping[str, Any], lang: Language) -> str:
    """What a round that ``ended`` comes to by ``rules``; no victory points where the code knows none."""
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
