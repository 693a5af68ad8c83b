"""Who sits where is said wherever a table is shown: hall, wall, table, alert, spectators, API."""

from __future__ import annotations

import html
import re
import sys
import time
from typing import Any

import pytest

from table_service.console import ConsoleSettings, ConsoleStore
from table_service.console.storage import Role
from tests.sweeps import rest_in_proof

feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
PAIRS = "T12 D’Amico Zoè–Bianchi Luca / Verdi Ugo–Neri Anna"


async def seated(house: Any) -> Any:
    house.hear()
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs=PAIRS)
    return house


async def test_every_page_of_a_table_says_who_plays_there_as_soon_as_it_is_known(house: Any) -> None:
    house.hear()
    assert "D’Amico" not in html.unescape(await house.page("/"))
    await house.post("/round/start", "chief", deals="2", minutes="60", pairs=PAIRS)
    for path, role in (
        ("/", "chief"), ("/wall", "chief"), ("/table/T12", "chief"), (f"/table/T12/alert/{KEY}", "arbitro"),
        ("/", "spectator"), ("/table/T12", "spectator"),
    ):  # fmt: skip
        page = html.unescape(await house.page(path, role))
        assert "Verdi Ugo–Neri Anna" in page, (path, role)
    page = html.unescape(await house.page("/", "spectator"))
    assert re.search(r'data-name="T12" data-who="[^"]*Bianchi Luca', page), "a spectator finds his friends by name"


async def test_the_accused_is_named_by_seat_and_name_at_the_table_in_the_queue_and_in_the_alert(house: Any) -> None:
    await seated(house)
    for path in ("/", "/table/T12", f"/table/T12/alert/{KEY}"):
        assert "Est (Verdi Ugo–Neri Anna)" in html.unescape(await house.page(path, "arbitro")), path
    house.say("T12/state", feed.state(seats={"N": "Zoè", "E": "Ugo", "S": "Luca", "W": "Anna"}))
    assert "Est (Ugo)" in html.unescape(await house.page(f"/table/T12/alert/{KEY}", "arbitro"))


async def test_the_api_says_who_sits_where_and_a_new_seating_changes_it(house: Any) -> None:
    await seated(house)
    person = house.book.accounts.add("un occhio", Role.SPECTATOR, now=time.time())
    token = house.book.accounts.link(person.id, "api", expires=time.time() + 60)
    for pairs in ({"NS": "D’Amico Zoè–Bianchi Luca", "EW": "Verdi Ugo–Neri Anna"}, {"NS": "A", "EW": "B"}):
        async with house.client(None) as client:
            hall = (await client.get("/api/v1/hall", headers={"Authorization": f"Bearer {token}"})).json()
        assert next(row for row in hall["tables"] if row["name"] == "T12")["pairs"] == pairs
        await house.post("/round/pairs", "chief", pairs="T12 A / B")


READY = b'{"state": "ready", "boot": "1", "version": "x"}'
LONG = ("D’Amico Mariarosaria–De Angelis Massimiliano", "Evangelisti Pierpaolo–Di Benedetto Annamaria")
CUT = """() => [...document.querySelectorAll('.tile, .tile *')].filter(e => {
  const s = getComputedStyle(e);
  return e.checkVisibility() && s.display !== 'inline' && s.position !== 'absolute' &&
    (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1);
}).map(e => e.className + ' ' + e.textContent.trim().slice(0, 60))"""


@pytest.mark.slow
@pytest.mark.parametrize("tables", rest_in_proof([40, 2, 12]))
def test_nothing_in_the_hall_or_on_the_wall_is_cut_whoever_plays(browser: Any, tables: int) -> None:
    from table_service.console import serving

    names = tuple(f"T{n}" for n in range(1, tables + 1))
    with serving(ConsoleSettings(tables=names, open_link=True)) as running:
        store: ConsoleStore = running.store
        for name in names:
            store.apply(f"{feed.PREFIX}{name}/status", READY, now=time.time())
        page = browser.new_page(viewport={"width": 1920, "height": 1080})
        page.goto(running.door)
        page.goto(f"{running.url}round")
        pairs = "\n".join(f"{name} {LONG[0]} {n} / {LONG[1]} {n}" for n, name in enumerate(names))
        page.locator("#seats > summary").click()
        page.fill("#pairs", pairs)
        page.locator("#start-round details.act > summary").click()
        with page.expect_navigation(url="**/round"):
            page.locator("#start-round button.primary").click()
        for path, width in (("?lang=en", 1024), ("wall", 1920)):
            page.set_viewport_size({"width": width, "height": 1080})
            page.goto(f"{running.url}{path}")
            page.locator(".tile .pair").nth(2 * tables - 1).wait_for()
            assert page.evaluate(CUT) == [], path
        page.close()
