"""What a new arbitro or organiser does by mistake, or looks at twice."""

from __future__ import annotations

import sys
import time
from typing import Any

import pytest

from table_service.console import seating_lines
from table_service.console.archive import deal_sheet
from table_service.console.archive.paper import difference_in_words
from table_service.console.archive.shelf import Shelf
from table_service.console.ruling_forms import FormError
from table_service.console.times import deadline
from table_service.console.vocabulary import Words
from table_service.games.burraco.pages import PAGES

feed: Any = sys.modules["console_feed"]


async def test_a_second_start_takes_no_round_from_the_tables_that_play(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "organiser", deals="4", minutes="42")
    given = list(house.sent)
    again = await house.post("/round/start", "organiser", deals="2", minutes="25")
    assert again.status_code == 400
    assert "Un incontro è in corso" in again.text
    assert house.sent == given
    assert house.book.rounds.running.deals == 4


async def test_a_table_that_comes_late_is_started_and_the_others_are_left_alone(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "organiser", deals="3", minutes="32", call_at="800")
    for n in range(len(house.sent)):
        house.answer(n)
    house.at += 1
    stamp = time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(house.at))
    for name in ("T12", "T7"):
        told = feed.event(99_000, "round.started", deals=3, minutes=32) | {"id": f"{name}-1", "table": name}
        house.say(f"{name}/event/round.started", told | {"time": stamp})
    house.sent.clear()
    await house.post("/round/start-late", "organiser")
    assert not house.sent, "the table out of reach still has an order that waits for it"
    house.at += 300
    house.office.tick()
    house.say("T3/status", {"state": "ready", "boot": "000001", "version": "x"})
    assert not house.sent, "an order that was given up is not sent after all"
    await house.post("/round/start-late", "organiser")
    late = {topic.split("/")[3]: order for topic, order in house.sent}
    assert set(late) == {"T3"}
    assert {name: late["T3"][name] for name in ("do", "deals", "minutes", "call_at")} == {
        "do": "start-round", "deals": 3, "minutes": 32, "call_at": 800,
    }  # fmt: skip


async def test_the_halls_clock_follows_the_round_without_loading_the_page_again(house: Any) -> None:
    from table_service.console.pages import Viewer
    from table_service.console.routers.hall import hall_parts

    house.hear()
    pages = house.app.state.pages
    cookie, _ = house.cookie("arbitro")
    session = house.book.accounts.session(cookie, now=time.time())
    clock = next(p for p in hall_parts(pages, Viewer("it", "auto", session)) if p.name == "clock")
    before = clock.version()
    assert "tick" not in clock.html()
    await house.post("/round/start", "organiser", deals="4", minutes="42")
    running = clock.version()
    assert running != before
    assert "data-until" in clock.html()
    await house.post("/round/pause", "arbitro")
    assert clock.version() != running
    assert "data-fixed" in clock.html()
    assert 'sse-swap="clock"' in await house.page("/", "organiser")
    assert 'sse-swap="clock"' not in await house.page("/", "spectator")


def test_a_table_that_stands_twice_in_who_sits_where_is_not_taken() -> None:
    with pytest.raises(FormError) as refused:
        seating_lines.seating_of("T7 A / B\nT7 C / D", ("T7",))
    assert refused.value.word == "pairs_table_twice"


def test_a_link_that_ends_tomorrow_names_the_day() -> None:
    now = time.time()
    tomorrow = now + 24 * 3600
    assert deadline(tomorrow) == time.strftime("%d.%m.%Y %H:%M", time.localtime(tomorrow))
    assert deadline(now) == time.strftime("%H:%M", time.localtime(now))


async def test_a_new_deal_asks_first(house: Any) -> None:
    house.hear()
    html = await house.page("/table/T12", "arbitro")
    asking = html[html.index('id="act-deal"') :]
    assert asking.index("resta senza risultato") < asking.index('name="dealer"')


async def test_what_many_tables_did_not_answer_is_one_sentence_and_is_put_away_at_once(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "organiser", deals="4", minutes="42")
    house.at += 300
    house.office.tick()
    html = await house.page("/round", "organiser")
    assert html.count('class="warnbar"') == 2, "two were sent and not answered, one was never out of reach again"
    told = html[html.index('class="warnbar"') :]
    assert "ancora aperti" not in html, "what was given up is not open"
    assert told.index("/table/T7") < told.index("/table/T12"), "as people count"
    await house.post("/round/seen", "organiser")
    assert 'class="warnbar"' not in await house.page("/round", "organiser")


async def test_the_reason_of_a_figure_that_was_touched_is_said_in_the_readers_language(house: Any) -> None:
    house.hear()
    for told in (*feed.counted(), *feed.settled()):
        house.say(f"T12/event/{told['type']}", told)
    assert "gioco: -75" in await house.page("/sheets/T12", "arbitro")
    assert "ledger" not in await house.page("/sheets/T12", "arbitro")


async def test_the_deal_that_is_played_is_seen_again_from_the_tables_page(house: Any) -> None:
    house.hear()
    assert 'href="/archive/T12/now"' in await house.page("/table/T12", "arbitro")
    assert "/archive/" not in await house.page("/table/T12", "spectator")
    shown = await house.get("/archive/T12/now", "arbitro")
    assert shown.status_code == 303
    page = await house.get(shown.headers["location"], "arbitro")
    assert 'type="range"' in page.text
    assert (await house.get("/archive/T99/now", "arbitro")).status_code == 404
    assert (await house.get("/archive/T12/now", "spectator")).status_code == 403


async def test_a_deal_after_which_another_began_is_not_going_on(house: Any) -> None:
    house.hear()
    for seq, deal in ((900, 7), (901, 8)):
        house.say("T12/event/deal.started", {**feed.event(seq, "deal.started", n=deal, dealer="S"), "deal": deal})
    house.book.kept.flush()
    manners = {ref.deal: ref.manner for ref in Shelf(house.book.database).every("T12")}
    assert (manners[7], manners[8]) == ("broken", "")


@pytest.mark.parametrize("path", ["/reports", "/archive/T12/000a3f/abc", "/favicon.ico", "/table/T12/evidence/a/b"])
async def test_an_address_that_leads_nowhere_is_a_page_for_people(house: Any, path: str) -> None:
    house.hear()
    shown = await house.get(path, "arbitro", headers={"Accept": "text/html"})
    assert shown.status_code == 404
    assert "Questa pagina non c’è." in shown.text
    assert (await house.get(path, "arbitro", headers={"Accept": "*/*"})).json()


def test_differences_on_the_printed_sheet_are_in_words() -> None:
    started = {**feed.event(1, "deal.started", n=2, dealer="S"), "deal": 2}
    found = deal_sheet("T12", [started, feed.split(2, 2)], PAGES)
    said = [difference_in_words(one, found, Words("it")) for one in found.differences]
    assert len(said) == 1
    assert said[0].startswith("Est–Ovest, carte in mano: -60 / -75 (7<font")


async def test_a_table_that_has_counted_nothing_has_no_points_in_the_results_either(house: Any) -> None:
    house.hear()
    house.say("T7/event/round.started", {**feed.event(700, "round.started", deals=2), "table": "T7", "deal": None})
    rows = (await house.get("/reports/standing.csv", "chief")).text.splitlines()
    assert [row.split(";")[3] for row in rows if row.startswith("T7;")] == ["", ""]


async def test_without_its_broker_a_page_does_not_say_that_nothing_waits(house: Any) -> None:
    house.store.link(connected=True)
    assert "✓" in await house.page("/", "arbitro")
    house.store.link(connected=False)
    html = await house.page("/", "arbitro")
    assert "senza broker" in html
    assert 'class="chip calm"' not in html.split("<main")[0]
