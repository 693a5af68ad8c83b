"""The archive: any moment of a past deal is what the table was then; sheets, logs, search, the page in a browser."""

from __future__ import annotations

import csv
import io
import json
import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import uvicorn

from hw.observation_log import read_log
from table_service.console.archive import deal_sheet
from table_service.console.archive.paper import card_markup, deal_pdf
from table_service.console.archive.shelf import Shelf
from table_service.console.archive.tables_csv import scores_csv
from table_service.console.archive.timeline import WIDTH, timeline
from table_service.console.vocabulary import Words
from table_service.events import event_to_json
from table_service.games.burraco.fold import TableFold
from table_service.games.burraco.pages import PAGES
from table_service.games.burraco.pages.moments import moments
from table_service.rehearsal.rehearse import rehearse

WAIT_S = 20.0
Told = list[tuple[dict[str, Any], dict[str, Any] | None]]


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> Told:
    """Two rehearsed deals with a fault: every event, and the table's own state after those that came last at once."""
    log = Path(tmp_path_factory.mktemp("archive")) / "deal.jsonl"
    rehearse("fibur2024", 4407, log, deals=2, faults=("F-31a",))
    header, observations = read_log(log)
    fold = TableFold(header)
    found: Told = []

    def take(events: list[Any]) -> None:
        found.extend((json.loads(json.dumps(event_to_json(event), default=str)), None) for event in events)
        if events:
            found[-1] = (found[-1][0], json.loads(json.dumps(fold.state(), default=str)))

    for observation in observations:
        take(fold.feed(observation))
    take(fold.close())
    return found


def _deal(told: Told, number: int) -> Told:
    return [(event, state) for event, state in told if event["deal"] == number]


@pytest.mark.slow(seconds=7)
def test_every_moment_of_a_past_deal_is_what_the_table_was_then(told: Told) -> None:
    compared = 0
    for number in (1, 2):
        deal = _deal(told, number)
        for moment, (_, state) in zip(moments([event for event, _ in deal]), deal, strict=True):
            if state is None or state["deal"] != number:
                continue
            for name in ("pile", "stock", "sides", "phase", "manner"):
                assert moment.state[name] == state[name], (moment.event, name)
            known = {seat: held for seat, held in state["hands"].items() if held is not None}
            assert {seat: moment.state["hands"][seat] for seat in known} == known, moment.event
            for line in ("NS", "EW"):
                mine = [(meld["id"], list(meld["cards"]), meld["frozen"]) for meld in moment.state["melds"][line]]
                assert mine == [(meld["id"], meld["cards"], meld["frozen"]) for meld in state["melds"][line]]
            compared += 1
    assert compared > 100


def test_an_event_that_was_taken_back_is_gone_from_every_later_moment() -> None:
    def event(seq: int, type_: str, **data: Any) -> dict[str, Any]:
        return {"id": f"e{seq}", "seq": seq, "t": seq, "deal": 1, "turn": 1, "type": type_, "seat": "N", "data": data}

    events = [
        event(1, "deal.started", dealer="W", n=1),
        event(2, "card.drawn", count=1),
        event(3, "card.discarded", card="??"),
        event(4, "card.named", event="e3", cards=["7H"]),
        event(5, "event.retracted", event="e2"),
    ]
    found = moments(events)
    assert found[2].state["pile"] == ["??"]
    assert found[3].state["pile"] == ["7H"]
    assert (found[1].state["stock"], found[4].state["stock"]) == (41, 42)
    assert (found[3].state["hands"]["N"], found[4].state["hands"]["N"]) == (11, 10)


def test_a_count_that_nobody_knows_stays_unknown() -> None:
    drawn = {"id": "e2", "t": 2, "type": "card.drawn", "seat": None, "data": {"count": 1}}
    state = moments([{"id": "e1", "t": 1, "type": "deal.started", "data": {"n": 1}}, drawn])[-1].state
    assert state["hands"] == dict.fromkeys("NESW")
    assert state["stock"] == 41


@pytest.mark.parametrize(
    "event", [{}, {"type": "meld.opened", "data": {"meld": 5}}, {"type": "card.returned", "data": 3}]
)
def test_events_of_any_shape_are_taken(event: dict[str, Any]) -> None:
    assert len(moments([event, event])) == 2


@pytest.mark.slow(seconds=7)
def test_no_moment_names_a_card_that_no_event_named(told: Told) -> None:
    events = [event for event, _ in told]
    public = json.dumps([{k: v for k, v in event.items() if k != "secret"} for event in events])
    for moment in moments([event for event, _ in _deal(told, 1)]):
        for card in moment.state["pile"]:
            assert card == "??" or f'"{card}' in public


def test_the_line_of_time_holds_every_moment_in_its_frame(told: Told) -> None:
    found = moments([event for event, _ in _deal(told, 1)])
    line = timeline(found, PAGES)
    assert len(line.xs) == len(found)
    assert list(line.xs) == sorted(line.xs) or max(line.xs) <= WIDTH
    assert {curve.name for curve in line.curves} == {"N", "E", "S", "W", "stock"}
    assert any(mark.kind == "alert" and mark.label == "F-31a" for mark in line.marks) or any(
        mark.label == "F-31a" for mark in timeline(moments([e for e, _ in _deal(told, 2)]), PAGES).marks
    )
    assert timeline([], PAGES).curves == ()


def _score(told: Told, number: int) -> dict[str, Any]:
    data = [event["data"] for event, _ in _deal(told, number) if event["type"] == "score.counted"][-1]
    assert isinstance(data, dict)
    return data


def test_the_sheet_says_what_was_counted_item_by_item(told: Told) -> None:
    sheet = deal_sheet("T1", [event for event, _ in _deal(told, 1)], PAGES)
    score = _score(told, 1)
    assert sheet.counted
    for line in sheet.lines:
        assert line.total == score["lines"][line.line]["total"]
        assert {item.name: item.counted for item in line.items} == score["lines"][line.line]["items"]
        assert {item.name: item.camera for item in line.items} == score["camera"][line.line]["items"]


def test_a_deal_without_a_count_says_so(told: Told) -> None:
    uncounted = [event for event, _ in _deal(told, 1) if event["type"] != "score.counted"]
    sheet = deal_sheet("T1", uncounted, PAGES)
    assert not sheet.counted
    assert [line.total for line in sheet.lines] == [None, None]
    text = _pdf_text(deal_pdf(sheet, Words("it"), hall="sala", printed="oggi"))
    assert "non è ancora" in text


def _pdf_text(pdf: bytes) -> str:
    document = pypdfium2.PdfDocument(pdf)
    return "\n".join(page.get_textpage().get_text_range() for page in document)


@pytest.mark.parametrize(("language", "word"), [("it", "Combinazioni"), ("en", "Melds of")])
def test_the_printed_sheet_holds_the_scores_in_both_languages(told: Told, language: Any, word: str) -> None:
    sheet = deal_sheet("T1", [event for event, _ in _deal(told, 2)], PAGES)
    text = _pdf_text(deal_pdf(sheet, Words(language), hall="sala", printed="oggi"))
    assert word in text
    for line in sheet.lines:
        assert str(line.total) in text
    assert deal_pdf(sheet, Words(language), hall="sala", printed="oggi") == deal_pdf(
        sheet, Words(language), hall="sala", printed="oggi"
    )


def test_a_card_on_paper_has_its_suit_and_an_unknown_one_none() -> None:
    assert "♥" in card_markup("TH#2")
    assert card_markup("TH").startswith("10")
    assert card_markup("??") == "?"
    assert "JK" in card_markup("JK#1")


def test_a_spreadsheet_takes_no_text_for_a_formula(told: Told) -> None:
    sheet = deal_sheet("=HYPERLINK(1)", [event for event, _ in _deal(told, 1)], PAGES)
    rows = list(csv.reader(io.StringIO(scores_csv([sheet], Words("en")).removeprefix("\ufeff")), delimiter=";"))
    assert rows[0][:3] == ["table", "deal", "line"]
    assert rows[1][0] == "'=HYPERLINK(1)"


def _keep(house: Any, told: Told, place: str = "T12") -> None:
    for event, _ in told:
        house.book.kept.event(place, event, json.dumps(event), now=time.time())
    house.book.kept.flush()


def _deals(page: str) -> set[str]:
    """The past deals that a page leads to; each may have several links."""
    return set(re.findall(r'href="/archive/T12/replay/(\d+)', page))


async def test_past_deals_are_found_by_table_and_by_irregularity(house: Any, told: Told) -> None:
    _keep(house, told)
    page = await house.page("/archive")
    assert len(_deals(page)) == 2
    assert "F-31a" in page
    assert len(_deals(await house.page("/archive?row=f-31"))) == 1
    assert "Nessuna smazzata" in await house.page("/archive?table=T99")
    assert "Nessuna smazzata" in await house.page("/archive?row=F-99")


async def test_a_past_deal_opens_at_its_end_and_at_any_moment(house: Any, told: Told) -> None:
    _keep(house, told)
    first = next(event["seq"] for event, _ in told if event["type"] == "deal.started")
    end = await house.page(f"/archive/T12/replay/{first}")
    assert "time-line" in end
    part = await house.get(f"/archive/T12/replay/{first}/at?n=3")
    assert "<b>4</b>" in part.text
    assert (await house.get(f"/archive/T12/replay/{first}/at?n=-7")).status_code == 200
    assert (await house.get("/archive/T12/replay/999999")).status_code == 404
    sheet = await house.get(f"/archive/T12/replay/{first}/sheet.pdf")
    assert sheet.content[:5] == b"%PDF-"
    assert "attachment" in sheet.headers["content-disposition"]


async def test_a_spectator_sees_no_archive_and_the_log_is_for_those_who_run_the_round(house: Any, told: Told) -> None:
    _keep(house, told)
    assert (await house.get("/archive", "spectator")).status_code == 403
    assert (await house.get("/reports/log.csv", "technician")).status_code == 403
    log = await house.get("/reports/log.csv", "arbitro")
    assert "F-31a" in log.text
    assert (await house.get("/reports/log.pdf", "arbitro")).content[:5] == b"%PDF-"
    scores = (await house.get("/reports/scores.csv", "organiser")).text
    assert scores.count("\r\n") == 5


@pytest.fixture
def served(house: Any, told: Told) -> Iterator[tuple[str, str]]:
    """The console on a port of its own, with the two deals in its archive: its address and a cookie."""
    _keep(house, told)
    server = uvicorn.Server(uvicorn.Config(house.app, host="127.0.0.1", port=0, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    deadline = time.monotonic() + WAIT_S
    while not (server.started and server.servers and server.servers[0].sockets):
        assert time.monotonic() < deadline
        time.sleep(0.02)
    port = server.servers[0].sockets[0].getsockname()[1]
    yield f"http://127.0.0.1:{port}", house.cookie("arbitro")[0]
    server.should_exit = True
    thread.join(WAIT_S)


@pytest.mark.slow
def test_dragging_the_line_of_time_shows_another_moment_without_a_reload(browser: Any, served: tuple[str, str]) -> None:
    from playwright.sync_api import expect

    address, cookie = served
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    context.add_cookies([{"name": "tavolo", "value": cookie, "url": address}])
    page = context.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    page.goto(f"{address}/archive")
    page.locator(".shelf a.btn").first.click()
    page.wait_for_selector(".past-now")
    page.evaluate("window.sameDocument = true")
    before = page.inner_text(".past-now")
    page.locator(".scrub").focus()
    where = "(() => { const r = document.querySelector('.scrub'); return r.dataset.xs.split(' ')[r.value]; })()"
    shown = "document.querySelector('.time-line .now').getAttribute('x1')"
    for _ in range(5):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".past-now")).not_to_have_text(before, use_inner_text=True, timeout=1000 * WAIT_S)
    assert page.evaluate("window.sameDocument") is True
    assert page.locator(".board").count() == 1
    assert page.evaluate(shown) == page.evaluate(where), "the line of time shows which moment it is"
    # A newer moment breaks off the asking for the one before, which htmx writes down twice as if it were an error;
    # a request that failed leaves another line (responseError, sendError) and is none of these pairs.
    aborted = [line for line in wrong if line.startswith("htmx:sendAbort")]
    ended = [line for line in wrong if line.startswith("htmx:afterRequest")]
    assert len(wrong) == len(aborted) + len(ended), wrong
    assert len(ended) == len(aborted) <= 4, wrong
    context.close()


@pytest.mark.slow
def test_a_past_deal_plays_by_itself_by_keyboard_at_a_speed_and_its_moment_can_be_shared(
    browser: Any, served: tuple[str, str]
) -> None:
    from playwright.sync_api import expect

    address, cookie = served
    context = browser.new_context(viewport={"width": 1024, "height": 768})
    context.add_cookies([{"name": "tavolo", "value": cookie, "url": address}])
    page = context.new_page()
    page.goto(f"{address}/archive?lang=en")
    page.locator(".shelf a.btn").first.click()
    page.wait_for_selector(".past-now")
    at = "Number(document.querySelector('.scrub').value)"
    page.select_option("#replay-speed", "30")
    page.evaluate("document.activeElement.blur()")
    page.keyboard.press("Space")  # at the end: from the beginning
    expect(page.locator(".scrub")).to_have_value(re.compile(r"^([3-9]|[1-5]\d)$"), timeout=1000 * WAIT_S)
    assert page.get_attribute("#replay-play", "aria-pressed") == "true"
    assert page.inner_text("#replay-play") == "Pause"
    page.keyboard.press("-")
    assert page.input_value("#replay-speed") == "10"
    page.keyboard.press("Space")
    assert page.get_attribute("#replay-play", "aria-pressed") == "false"
    stands = page.evaluate(at)
    page.keyboard.press("ArrowRight")
    assert page.evaluate(at) == stands + 1
    expect(page.locator(".past-now b")).to_have_text(str(stands + 2), timeout=1000 * WAIT_S)
    shown, link = page.inner_text(".past-now"), page.input_value("#moment-link")
    assert page.url.endswith(f"?n={stands + 1}")
    other = context.new_page()
    other.goto(link)
    other.wait_for_selector(".past-now")
    assert other.inner_text(".past-now") == shown, "the link leads to the moment that was shown"
    other.set_viewport_size({"width": 390, "height": 844})
    assert other.evaluate("document.documentElement.scrollWidth <= innerWidth")
    context.close()


@pytest.mark.slow
def test_the_scores_of_an_evening_are_those_of_its_deals_gone_through_whole(make_house: Any) -> None:
    """The list reads four kinds of events only; it must say what the whole deals say, also where one was broken off."""
    from table_service.console.archive.printed_sheet import scored_deal
    from table_service.events import event_to_json
    from table_service.rehearsal.rehearse import prepare
    from table_service.rulesets import open_fold, rule_set

    house = make_house("day.sqlite")
    for n, boot in enumerate(("000001", "000002")):
        place = "T1"
        rehearsal = prepare("fibur2024", 40 + n, 2, table=place)
        fold = open_fold(rehearsal.header, boot)
        events = [event for one in rehearsal.observations() for event in fold.feed(one)] + fold.close()
        told = [event_to_json(event) for event in events]
        for event in told if n else told[: len(told) * 3 // 4]:
            house.book.kept.event(place, event, json.dumps(event), now=house.at + n)
    house.book.kept.flush()
    shelf = Shelf(house.book.database)
    pages = rule_set("fibur2024").pages
    whole = [deal_sheet(one.place, shelf.events(one.place, one.boot, one.first), pages) for one in shelf.every()]
    light = [scored_deal(place, events) for place, events in shelf.scored()]
    assert len(whole) == 4
    assert scores_csv(light, Words("it")) == scores_csv(whole, Words("it"))
    assert sum(sheet.counted for sheet in light) == 3
