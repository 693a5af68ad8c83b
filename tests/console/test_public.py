"""What everybody may see: play without accusation or clock, later by what the organiser sets; a published ranking."""

from __future__ import annotations

import asyncio
import re
import sys
from typing import Any

import pytest

feed: Any = sys.modules["console_feed"]
SECOND = re.compile(r"\d{1,2}:\d\d(:\d\d)?")
ACCUSING = ("non valid", "❄", "In vigore", "Pescata fuori", "Carta esposta", "da verificare", "Da decidere", "flag")


def bad_state(**changes: Any) -> dict[str, Any]:
    melds = feed.state()["melds"]
    melds["EW"][0] = {**melds["EW"][0], "valid": False, "frozen": "definitive"}
    return feed.state(melds=melds, unverified={"stock": "covered"}, **changes)


def main_of(html: str) -> str:
    return html[html.index("<main") :]


@pytest.mark.parametrize("path", ["/", "/table/T12", "/wall"])
async def test_a_spectator_sees_no_accusation_and_no_time(house: Any, path: str) -> None:
    house.hear()
    house.say("T12/state", bad_state())
    html = main_of(await house.page(path, "spectator"))
    for word in ACCUSING:
        assert word not in html, word
    assert SECOND.search(html) is None
    assert "data-since" not in html
    assert "Tavolo" in html or "T12" in html


async def test_the_feed_of_a_spectator_holds_play_and_nothing_else(house: Any) -> None:
    house.hear()
    house.say("T12/event/card.exposed", feed.event(70, "card.exposed", "S", cards=["7C"], visible_to=["N"]))
    house.say("T12/event/brand.new", feed.event(71, "brand.new", "S"))
    html = await house.page("/table/T12", "spectator")
    assert "Nord scarta" in html
    assert "Espone" not in html
    assert "brand.new" not in html


async def test_the_wall_signed_in_as_chief_shows_what_a_spectator_sees(house: Any) -> None:
    house.hear()
    html = await house.page("/wall", "chief")
    for word in ("Pescata fuori turno", 'sse-swap="queue"', 'sse-swap="bell"', "chip alarm", 'class="tile calls'):
        assert word not in html, word
    assert 'sse-connect="/wall/stream' in html


async def test_what_spectators_see_is_later_by_what_the_organiser_has_set(house: Any) -> None:
    house.hear()
    await house.post("/round/delay", "organiser", seconds="300")
    public = house.app.state.pages.public
    html = await house.page("/table/T12", "spectator")
    assert "In attesa dello stato del tavolo" in html, "nothing of before is old enough"
    assert "Nord scarta" not in html
    house.at += 10
    house.say("T12/state", feed.state(pile=["6S"]))
    house.say("T12/event/card.discarded", feed.event(90, "card.discarded", "W", card="6S"))
    house.at += 299
    public.tick(house.at)
    house.book.kept.flush()
    assert "6 di picche" not in await house.page("/table/T12", "spectator")
    assert "6 di picche" in await house.page("/table/T12", "arbitro")
    house.at += 2
    public.tick(house.at)
    html = await house.page("/table/T12", "spectator")
    assert "6 di picche" in html
    assert "Ovest scarta" in html


async def test_an_open_page_of_a_spectator_is_delayed_from_the_moment_it_is_set(house: Any) -> None:
    from table_service.console.pages import Viewer
    from table_service.console.routers.table import table_parts

    house.hear()
    pages = house.app.state.pages
    parts = lambda: {part.name: part.html() for part in table_parts(pages, "T12", Viewer("it", "auto"))}  # noqa: E731
    assert "6 di picche" not in parts()["board"]
    await house.post("/round/delay", "organiser", seconds="60")
    house.say("T12/state", feed.state(pile=["6S"]))
    assert "6 di picche" not in parts()["board"]


async def test_what_everybody_may_ask_for_without_signing_in_tells_of_no_ruling(house: Any) -> None:
    house.hear()
    before = (await house.get("/health", None)).json()
    answer = await house.post(f"/table/T12/alert/{feed.ALERT['key']}/rule/rule", "arbitro")
    assert answer.status_code == 303
    assert len(house.book.orders.open()) == 1
    assert (await house.get("/health", None)).json() == before


async def test_a_spectators_stream_keeps_its_rhythm_whatever_happens_unseen(
    house: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sign of life that came only when all is quiet would tell when something is between arbitro and players."""
    from table_service.console import streams
    from table_service.console.pages import Viewer
    from table_service.console.routers.table import table_parts

    monkeypatch.setattr(streams, "QUIET_S", 0.2)
    house.hear()
    pages, came = house.app.state.pages, list[str]()
    stream = pages.streams.run(lambda: table_parts(pages, "T12", Viewer("it", "auto")))

    async def unseen() -> None:
        while True:
            house.say("T12/alert/k", {**feed.ALERT, "key": "k"})
            await asyncio.sleep(0.05)
            house.say("T12/alert/k", None)
            await asyncio.sleep(0.05)

    hidden = asyncio.create_task(unseen())
    try:
        async with asyncio.timeout(60):
            async for message in stream:
                came.append(message)
                if came.count(streams.HERE) == 4:
                    break
    finally:
        hidden.cancel()
    assert came[:1] == ["retry: 1000\n\n"]
    assert not any("alert" in message or "Pescata fuori turno" in message for message in came)


async def test_only_the_direction_sets_the_delay_and_publishes(house: Any) -> None:
    house.hear()
    answer = await house.post("/round/delay", "arbitro", seconds="300")
    assert house.book.choices.delay == 0
    assert "non è per il tuo ruolo" in answer.text
    for wrong in ("7", "x", "-60"):
        await house.post("/round/delay", "organiser", seconds=wrong)
        assert house.book.choices.delay == 0


async def test_a_delay_outlives_a_restart_of_the_console(make_house: Any) -> None:
    house = make_house("console.sqlite")
    await house.post("/round/delay", "organiser", seconds="600")
    house.book.close()
    assert make_house("console.sqlite").book.choices.delay == 600


async def test_a_ranking_is_seen_without_signing_in_only_when_it_is_published(house: Any) -> None:
    house.hear()
    pairs = "T12 Rossi–Bianchi / Verdi–Neri"
    await house.post("/round/start", "chief", deals="4", minutes="60", pairs=pairs)
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=4))
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    assert (await house.get("/ranking", None)).status_code == 404
    answer = await house.post("/round/publish", "organiser")
    assert answer.status_code == 303, answer.text
    seen = await house.get("/ranking", None)
    assert seen.status_code == 200
    assert "Rossi–Bianchi" in seen.text
    assert "Ammonizioni" not in seen.text
    await house.post("/round/unpublish", "organiser")
    assert (await house.get("/ranking", None)).status_code == 404
