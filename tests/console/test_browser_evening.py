"""A whole evening in Chromium, for each rule set: an empty hall, three rounds, the published ranking.

The tables are the service that `tavolo run` starts, on a real broker, fed with rehearsed deals. The direction knows
nothing: it does what the sentence on top of the round's page says, by touch. Beside it the hall has what evenings have:
a late pair, a pair that leaves, a dispute, an appeal on an earlier deal, a round that ends early. The pages that are
met are kept as pictures in the folder that TAVOLO_PICTURES names.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from hw.observation_log import Header
from hw.observations import Console, Observation, Said, Sight
from table_service.console import ConsoleSettings, RunningConsole, serving
from table_service.console.vocabulary import WORDS
from table_service.publish import Broker, BrokerAddress, BrokerError, start_broker
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService

pytestmark = [pytest.mark.slow(seconds=120), pytest.mark.timeout(900)]
SIZES = {"phone": (390, 844), "tablet": (1024, 768), "wall": (1920, 1080)}
PATIENCE_MS = int(os.environ.get("PATIENCE", "90000"))
FAULTS = {"fibur2024": "F-21a", "feburit": "B-10i", "online": "O-22", "tarocco": "T12", "bridge": "FIGB-8"}
"""By rule set the fault of the first deal that is ruled, and appealed against in the second one."""
PLANNED, PLAYED = 2, (2, 1, 1)
"""Deals of each of the three rounds, and how many are played: time runs out in the second and the third."""
PAIRS = ("Rossi–Bianchi", "Verdi–Neri", "Conti–Serra", "Longo–Marini", "Gialli–Blu")
LATE, LEAVES = "Viola–Rosa", "Conti–Serra"
SMALL = """() => [...document.querySelectorAll('button, a.btn, a.tile, summary, select, input, textarea')]
  .filter(e => e.type !== 'checkbox' && e.type !== 'radio' && e.type !== 'hidden' && e.checkVisibility())
  .filter(e => e.getBoundingClientRect().height < 43.5 && !document.body.classList.contains('wall'))
  .map(e => e.outerHTML.slice(0, 90))"""


@cache
def rehearsed(rules: str, seed: int, fault: str) -> tuple[Header, tuple[Observation, ...]]:
    round_ = prepare(rules, seed, sum(PLAYED), (fault,) if fault else ())
    return round_.header, tuple(round_.observations())


@dataclass
class Deal:
    """One rehearsed deal: how it was ordered, what is seen until play starts, and then."""

    order: Console
    set_out: list[Observation] = field(default_factory=list)
    play: list[Observation] = field(default_factory=list)
    has_start: bool = False


def deals_of(observations: tuple[Observation, ...]) -> tuple[list[Observation], list[Deal]]:
    """What is seen before the first deal, and the deals; the arbitro's orders are left out: they come from the page."""
    before: list[Observation] = []
    deals: list[Deal] = []
    for one in observations:
        if isinstance(one, Console):
            if one.do == "deal":
                deals.append(Deal(one))
            elif one.do == "start-play":
                deals[-1].has_start = True
            continue
        if not deals:
            before.append(one)
        else:
            (deals[-1].play if deals[-1].has_start else deals[-1].set_out).append(one)
    return before, deals


class Hall:
    """The tables of the hall, and what they have told the console."""

    def __init__(self, rules: str, broker: Broker, console: RunningConsole, folder: Path) -> None:
        self.rules, self.broker, self.console, self.folder = rules, broker, console, folder
        self.tables: dict[str, Table] = {}

    def open(self, place: str, seed: int, fault: str = "") -> None:
        header, observations = rehearsed(self.rules, seed, fault)
        self.tables[place] = Table(self, place, header, observations)

    def close(self) -> None:
        for table in self.tables.values():
            table.service.close(1.0)


class Table:
    """One table as `tavolo run` starts it, at which the rehearsed players sit."""

    def __init__(self, hall: Hall, place: str, header: Header, observations: tuple[Observation, ...]) -> None:
        self.hall, self.place, self.now, self.done = hall, place, 0.0, 0
        self.later = 0.0
        """Seconds by which all comes later than it was rehearsed: the direction took its time before a deal."""
        self.before, self.deals = deals_of(observations)
        self.service = TableService(
            replace(header, table=place, seats={}),
            "sala",
            TableFiles.under(hall.folder, place),
            BrokerAddress(hall.broker.host, hall.broker.port, embedded=hall.broker.kind == "embedded"),
            lambda: self.now,
            console_keys={"*": hall.console.office.public_key},
        )
        self.service.start()
        assert self.service.publisher.wait_connected(20)
        self.feed(self.before)

    def feed(self, observations: list[Observation], stop: Callable[[Any], bool] = lambda _event: False) -> int:
        """Show the table these; how many until an event at which to ``stop``, or all."""
        for n, one in enumerate(observations, start=1):
            self.now = max(self.now, one.t + self.later)
            if any(stop(event) for event in self.service.observe(replace(one, t=one.t + self.later))):
                return n
        return len(observations)

    def rest(self) -> None:
        """The cards lie as they lay: the camera says so every five seconds, until the deal is counted."""
        last = next(one for one in reversed([*self.next.set_out, *self.next.play]) if isinstance(one, Sight))
        number = self.service.table.state()["deal"]
        for _ in range(40):
            if number in self.sheets():
                return
            self.now += 5.0
            self.service.observe(replace(last, t=self.now))
        raise AssertionError(f"{self.place}: deal {number} is not counted")

    @property
    def next(self) -> Deal:
        return self.deals[self.done]

    @property
    def phase(self) -> tuple[object, object]:
        """Phase and whether play was started, as the console knows them."""
        state = self.hall.console.store.tables[self.place].state or {}
        return state.get("phase"), (state.get("round") or {}).get("started")

    def sheets(self) -> dict[int, Any]:
        return dict(self.service.table.table.sheets.by_deal)

    def says(self, deal: int, line: str, word: str = "ok") -> None:
        """A line touches the display under the sheet of ``deal``."""
        self.now += 1.0
        self.service.observe(Said(self.now, None, f"sheet-{word}:{line}:{self.sheets()[deal].event}"))


def until(true: Callable[[], object], page: Any, what: str | Callable[[], str]) -> None:
    """Wait for what a table and a broker take some time for; ``what`` says it where it does not come."""
    deadline = time.monotonic() + PATIENCE_MS / 1000
    while time.monotonic() < deadline:
        if true():
            return
        page.wait_for_timeout(50)
    raise AssertionError(what if isinstance(what, str) else what())


def named(sentence: str) -> str:
    """The name of the sentence that the page says, in either language."""
    for word, texts in WORDS.items():
        if word.startswith("next_"):
            for text in texts:
                if re.fullmatch(re.escape(text).replace(re.escape("{n}"), r"\d+"), sentence):
                    return word.removeprefix("next_")
    raise AssertionError(sentence)


class Direction:
    """Who directs the evening on a tablet, and knows nothing but what the top sentence says; a deed for each.

    ``arbitro``: a colleague's phone; ``wall``: the screen in the hall.
    """

    def __init__(self, hall: Hall, pages: dict[str, Any]) -> None:
        self.hall, self.page, self.pages = hall, pages["tablet"], pages
        self.url, self.round = hall.console.url, 0
        self.said: list[str] = []
        self.events: list[str] = []
        self.alert_at = ""

    # -- looking -------------------------------------------------------------------------------------------------------

    def look(self, path: str, name: str = "") -> None:
        """A page at each size: nothing wider than the screen, nothing too small to touch, no finding of axe."""
        for size, page in self.pages.items():
            page.goto(f"{self.url}{path}")
            page.wait_for_selector("main :is(h1, h2), .wall", state="attached")
            self.see(page, size, name or re.sub(r"\W+", "-", path) or "hall")
            found = self.axe(page)
            assert not found, (path, size, [(one["id"], one["nodes"][0]["html"][:160]) for one in found])

    def axe(self, page: Any) -> list[Any]:
        """Return what axe finds."""
        from axe_playwright_python.sync_playwright import Axe

        found: list[Any] = Axe().run(page).response["violations"]
        return found

    def see(self, page: Any, size: str, name: str) -> None:
        assert page.evaluate("document.documentElement.scrollWidth") <= SIZES[size][0], (name, size)
        small = page.evaluate(SMALL)
        assert not small, (name, size, small)
        if folder := os.environ.get("TAVOLO_PICTURES"):
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=f"{folder}/{self.hall.rules}-{self.round}-{name}-{size}.png", full_page=True)

    def sentence(self) -> str:
        """What the top of the round's page says now."""
        self.page.goto(f"{self.url}round")
        said = str(self.page.locator("#next-step").inner_text())
        return named(said.partition(":")[2].strip())

    def walk(self) -> None:
        """Do what the sentence says, until the tournament is closed."""
        for _ in range(60):
            self.early()
            word = self.sentence()
            self.said.append(word)
            if word == "start" and self.round == len(PLAYED):
                return
            if self.said[-2:-1] != [word]:
                self.look("round", f"{len(self.said):02d}-{word}")
            getattr(self, word)()
        raise AssertionError(self.said)

    def touch(self, *selectors: str) -> None:
        """Touch one thing after the other."""
        for selector in selectors:
            self.page.locator(selector).first.click()

    def sent(self, *selectors: str) -> None:
        """Touch, and wait until the page's order has been taken."""
        with self.page.expect_response(lambda answer: answer.request.method == "POST") as answer:
            self.touch(*selectors)
        assert answer.value.ok or answer.value.status == 303, (selectors, answer.value.text()[:400])

    def moved(self, *selectors: str) -> None:
        """Touch, and wait for the round's page anew: its forms follow what was done."""
        with self.page.expect_navigation(url="**/round"):
            self.touch(*selectors)

    # -- what the sentence says ----------------------------------------------------------------------------------------

    def start(self) -> None:
        page = self.page
        if self.round == 0:
            page.goto(f"{self.url}entries")
            page.locator("#list-text").fill("\n".join(PAIRS))
            self.touch("#entries-show")
            self.look_here("entries")
            self.touch("#entries-take")
            page.wait_for_selector("#to-seating")
            self.touch("#to-seating")
            page.wait_for_url("**/round**")
            if page.locator("#seating[open]").count() == 0:
                self.touch("#seating > summary")
            self.touch("#seating form button")
            page.wait_for_url("**/round?movement=**")
            self.look_here("proposal")
        assert page.locator("#start-details[open]").count() == 1
        if page.locator("#start-round input[name=deals]").count():
            page.locator(f"#start-round input[name=deals][value='{PLANNED}']").check(force=True)
        if not page.locator("#minutes").input_value():
            page.locator("#minutes").fill("30")
        if self.round == len(PLAYED) - 1:
            page.locator("#start-round input[name=kind][value=last]").check(force=True)
        self.touch("#start-round > details.act > summary")
        self.moved("#start-round > details.act button.primary")
        self.round += 1

    def silent(self) -> None:
        """The tables answer by themselves."""
        store = self.hall.console.store
        places = [one for one in self.hall.tables if one in self.seated()]
        until(
            lambda: all((store.tables[one].state or {}).get("round", {}).get("running") for one in places),
            self.page,
            "begun",
        )
        until(lambda: all(self.sheet_round(one) for one in places), self.page, "told")

    def sheet_round(self, place: str) -> Any:
        office = self.hall.console.office
        return office.sheets.now(place, office.book.rounds.current.begun)

    def seated(self) -> set[str]:
        rounds = self.hall.console.office.book.rounds
        return {place for place, _ in rounds.seated(rounds.current.id) if place in self.hall.tables}

    def deal(self) -> None:
        """Each table whose pack is ready; the players have drawn who deals."""
        for place in sorted(self.seated()):
            if not self.page.locator(f"#due-deal-{place}").count():
                continue
            table = self.hall.tables[place]
            order = table.next.order
            table.now = max(table.now, order.t + table.later)
            table.later = table.now - order.t
            if "board" in order.fields:
                self.touch(f"#due-deal-{place}")
                self.page.wait_for_selector("#acts")
                if not self.page.locator("#acts[open]").count():
                    self.touch("#acts > summary")
                if not self.page.locator("#act-deal[open]").count():
                    self.touch("#act-deal > summary")
                self.page.locator("#deal-board").fill(str(order.fields["board"]))
                if "record" in order.fields:
                    body = {"name": "board.pbn", "mimeType": "text/plain", "buffer": order.fields["record"].encode()}
                    self.page.locator("#deal-file").set_input_files(body)
                    until(self.page.locator("#deal-record").input_value, self.page, "the record is read")
                self.sent("#give-deal")
            else:
                first = self.page.locator(f"#due-deal input[value={order.fields['dealer']}]")
                if first.count():
                    first.check(force=True)
                self.sent(f"#due-deal-{place}")
            until(lambda table=table: table.phase[0] not in (None, "over"), self.page, f"{place} has its deal")
            if table.next.has_start:
                table.feed(table.next.set_out)
            else:
                self.played(table)
            self.page.goto(f"{self.url}round")
        if "late" not in self.events:
            self.late_pair()

    def late_pair(self) -> None:
        """A pair comes while the first round is played, and completes the table of the one that rests."""
        self.events.append("late")
        self.page.goto(f"{self.url}round")
        self.touch("#act-complete > summary")
        self.page.locator("#complete-entry").fill(LATE)
        self.page.locator("#complete-place").select_option("T3")
        self.sent("#complete")
        self.silent()

    def play(self) -> None:
        """The start of play, at all tables at once."""
        waiting = [one for one in self.seated() if self.page.locator(f"#due-start-play-{one}").count()]
        self.sent("#due-start-play-all")
        for place in waiting:
            table = self.hall.tables[place]
            until(lambda table=table: table.phase[1], self.page, f"{place} may play")
            self.played(table)

    def played(self, table: Table) -> None:
        """The players play their deal; what comes to pass is ruled."""
        deal = table.next
        fault = table.place == "T1" and table.done == 0
        rest = deal.play if deal.has_start else deal.set_out
        if fault:
            self.rule(table, rest)
        elif rest:
            if table.place == "T1" and table.done == 1:
                n = len(rest) // 2
                table.feed(rest[:n])
                self.appeal()
                rest = rest[n:]
            table.feed(rest)
        table.rest()
        table.done += 1
        until(lambda: table.phase[0] == "over", self.page, f"{table.place} has played")
        until(lambda: set(table.sheets()) <= set(self.sheet_round(table.place).sheets), self.page, "its count is heard")

    def rule(self, table: Table, rest: list[Observation]) -> None:
        """An alert comes to the arbitro's phone; he takes it and rules."""
        n = table.feed(rest, lambda event: event.type == "irregularity")
        assert n < len(rest), "the fault shows"
        store, phone = self.hall.console.store, self.pages["phone"]
        until(lambda: store.tables[table.place].alerts, phone, "the alert is there")
        phone.goto(self.url)
        self.look("", "hall-alert")
        phone.goto(self.url)
        phone.locator(".wait .acts button").first.click()
        phone.locator(".wait .acts a.btn").first.click()
        phone.wait_for_selector("#rule-form")
        self.alert_at = phone.url.removeprefix(self.url).partition("?")[0]
        self.look(self.alert_at, "alert")
        phone.goto(f"{self.url}{self.alert_at}")
        phone.locator("#rule-form button.option, #apply").first.click()
        until(lambda: not store.tables[table.place].alerts, phone, "it is ruled")
        self.events.append("ruled")
        table.feed(rest[n:])

    def appeal(self) -> None:
        """While the second deal is played a line appeals against the ruling of the first, and is right."""
        phone = self.pages["phone"]
        phone.goto(f"{self.url}{self.alert_at}")
        phone.locator("#act-reverse summary").click()
        phone.locator("#foresee").click()
        phone.wait_for_selector("#reason")
        self.look_at(phone, "phone", "appeal")
        phone.locator("#reason").fill("Ricorso accolto")
        phone.locator("#reverse").click()
        phone.wait_for_selector(".order.done")
        self.events.append("appeal")

    def wait(self) -> None:
        """Nothing but the players is waited for, who have played whenever this could be said."""
        raise AssertionError(
            [(one.place, one.phase, one.done, self.sheet_round(one.place)) for one in self.hall.tables.values()]
        )

    def last_turns(self) -> None:
        self.wait()

    def sheets(self) -> None:
        """Each line touches the display; what nobody knows the arbitro enters; one line does not agree first."""
        for place in sorted(self.seated()):
            table = self.hall.tables[place]
            for deal in table.sheets():
                if place == "T2" and "dispute" not in self.events:
                    self.dispute(table, deal)
                self.enter_unknown(table, deal)
                for line in ("NS", "EW"):
                    if line not in {str(one) for one in table.sheets()[deal].confirmed}:
                        table.says(deal, line)
        until(lambda: not self.open_sheets(), self.page, lambda: f"the sheets are closed, but {self.open_sheets()}")

    def open_sheets(self) -> list[Any]:
        """Sheets that wait for something, by table and deal, with it and how each line stands to them."""
        return [
            (one, deal, sheet.state, sheet.how("NS").how, sheet.how("EW").how)
            for one in sorted(self.seated())
            for deal, sheet in self.sheet_round(one).sheets.items()
            if sheet.state != "done"
        ]

    def dispute(self, table: Table, deal: int) -> None:
        """The line says no: it waits in the arbitro's list, and he goes through the sheet with both."""
        self.events.append("dispute")
        table.says(deal, "NS", "no")
        phone = self.pages["phone"]
        until(lambda: self.sheet_round(table.place).sheets[deal].how("NS").how == "disputed", phone, "disputed")
        phone.goto(self.url)
        phone.locator(".wait .acts button").first.click()
        phone.locator(".wait .acts a.btn").first.click()
        phone.wait_for_url("**/sheets/**")
        self.look(f"sheets/{table.place}", "dispute")
        known = self.sheet_round(table.place).sheets[deal]
        item = known.items.printed[0]
        value = next(row.counts for row in known.rows("NS") if row.name == item)
        self.correct(table, deal, "NS", item, (value or 0) + 10)

    def enter_unknown(self, table: Table, deal: int) -> None:
        """Figures that neither camera nor play can tell."""
        for line in ("NS", "EW"):
            for row in self.sheet_round(table.place).sheets[deal].rows(line):
                if row.counts is None and not row.sum:
                    self.correct(table, deal, line, row.name, 0)

    def correct(self, table: Table, deal: int, line: str, item: str, value: int) -> None:
        phone, before = self.pages["phone"], table.sheets()[deal].event
        phone.goto(f"{self.url}sheets/{table.place}")
        phone.locator(f"#act-correct-{deal} > summary").click()
        phone.locator(f"#c-line-{deal}").select_option(line)
        phone.locator(f"#c-item-{deal}").select_option(item)
        phone.locator(f"#c-value-{deal}").fill(str(value))
        phone.locator(f"#c-reason-{deal}").fill("visto al tavolo")
        for box in phone.locator(f"#act-correct-{deal} input[type=checkbox]").all():
            box.check()
        phone.locator(f"#act-correct-{deal} button.primary").click()
        until(lambda: table.sheets()[deal].event != before, phone, "corrected")
        until(
            lambda: self.sheet_round(table.place).sheets[deal].score["id"] == table.sheets()[deal].event, phone, "heard"
        )

    def end(self) -> None:
        self.touch("#act-end > summary")
        self.moved("#end-round")
        until(lambda: self.hall.console.office.book.rounds.running is None, self.page, "ended")
        for place in self.seated():
            until(lambda place=place: self.sheet_round(place).result is not None, self.page, "told its end")

    def early(self) -> None:
        """The time of a round is over while all its tables are between two deals."""
        played, early = sum(PLAYED[: self.round]), f"early {self.round}"
        places = self.seated() if self.round > 1 else set()
        if early not in self.events and places and {self.hall.tables[one].done for one in places} == {played}:
            self.events.append(early)
            self.page.goto(f"{self.url}round")
            self.touch("#act-out > summary")
            self.sent("#time-out")

    def points(self) -> None:
        """What no table can give."""
        self.page.goto(f"{self.url}standing")
        self.look("standing", "points")
        while (form := self.page.locator("#points form:has(button)")).count():
            todo = [
                n
                for n in range(form.count())
                if "dati da" not in form.nth(n).locator("xpath=..").inner_text()
                and "given by" not in form.nth(n).locator("xpath=..").inner_text()
            ]
            if not todo:
                break
            one = form.nth(todo[0])
            entry = one.locator("input[name=entry]").input_value()
            one.locator("input[name=vp]").fill("1")
            if one.locator("input[name=mp]").count():
                one.locator("input[name=mp]").fill("0")
            with self.page.expect_response(lambda answer: answer.request.method == "POST"):
                one.locator("button").click()
            self.page.goto(f"{self.url}standing")
            assert entry

    def post(self) -> None:
        """The movement is chosen; in the second round a pair has left."""
        page = self.page
        if not page.locator("#seating[open]").count():
            self.touch("#seating > summary")
        if self.round == 1:
            self.touch("#field-changes > summary")
            page.locator("#leaving").fill(LEAVES)
            self.events.append("leaves")
        self.touch("#seating form button")
        page.wait_for_url("**/round?**movement=**")
        refused = page.locator("#seating [role=alert]")
        assert not refused.count(), refused.first.inner_text()
        self.look_here("seating")
        self.moved("#send-seating")

    def alerts(self) -> None:
        """What was left until the end of the round is ruled as the table proposes, else found to be none."""
        phone, looked = self.pages["phone"], False
        while before := self.queued():
            phone.locator(".wait a.face").first.click()
            phone.wait_for_selector("#rule-form")
            if not looked:
                self.look_at(phone, "phone", "left-alert")
            looked = True
            phone.locator("#rule-form button.option, #apply, #rule-form button").first.click()
            until(lambda before=before: self.queued() < before, phone, "it is ruled")

    def queued(self) -> int:
        """How many wait in the arbitro's list."""
        phone = self.pages["phone"]
        phone.goto(self.url)
        return int(phone.locator(".wait").count())

    def protests(self) -> None:
        self.touch("details[id^=settle-] > summary")
        self.page.locator("details[id^=settle-] input[name=outcome]").fill("respinto")
        self.sent("details[id^=settle-] button")

    def ranking(self) -> None:
        self.sent("#ranking")

    def final(self) -> None:
        self.page.goto(f"{self.url}round")
        self.sent("#publish")
        self.look("ranking", "published")
        self.page.goto(f"{self.url}round")
        self.touch("#act-close > summary")
        self.moved("#close-tournament")

    def look_here(self, name: str) -> None:
        self.look_at(self.page, "tablet", name)

    def look_at(self, page: Any, size: str, name: str) -> None:
        page.wait_for_load_state("load")
        self.see(page, size, name)
        found = self.axe(page)
        assert not found, (name, size, [(one["id"], one["nodes"][0]["html"][:160]) for one in found])


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broker]:
    try:
        started = start_broker(tmp_path_factory.mktemp("broker"))
    except BrokerError as error:
        pytest.skip(str(error))
    yield started
    started.stop()


@pytest.fixture
def direction(request: pytest.FixtureRequest, broker: Broker, browser: Any, tmp_path: Path) -> Iterator[Direction]:
    rules = request.param
    address = {"broker_host": broker.host, "broker_port": broker.port, "embedded": broker.kind == "embedded"}
    lang = "it" if list(FAULTS).index(rules) % 2 == 0 else "en"
    with ExitStack() as stack:
        settings = ConsoleSettings(
            hall="sala",
            tables=("T1", "T2", "T3"),
            open_link=True,
            undo=0,
            language=lang,
            **address,  # type: ignore[arg-type]
        )
        console = stack.enter_context(serving(settings))
        hall = Hall(rules, broker, console, tmp_path)
        stack.callback(hall.close)
        for seed, place in enumerate(("T1", "T2", "T3"), start=7):
            hall.open(place, seed, FAULTS[rules] if place == "T1" else "")
        pages: dict[str, Any] = {}
        for size, (width, height) in SIZES.items():
            context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
            stack.callback(context.close)
            pages[size] = context.new_page()
            pages[size].set_default_timeout(PATIENCE_MS)
            pages[size].goto(console.door)
        yield Direction(hall, pages)


@pytest.mark.sweep
@pytest.mark.parametrize("direction", list(FAULTS), indirect=True)
def test_an_evening_is_walked_from_an_empty_hall_to_the_published_ranking(direction: Direction, browser: Any) -> None:
    direction.walk()
    assert set(direction.events) == {"late", "leaves", "ruled", "appeal", "dispute", "early 2", "early 3"}
    page = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
    page.goto(f"{direction.url}ranking")
    told = page.locator("table.standing").inner_text()
    assert all(pair in told for pair in (*PAIRS, LATE)), told
    assert "?" not in told
    page.context.close()
