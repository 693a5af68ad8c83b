"""A call and the alert of the same table and moment are one row; what arrives moves no row under a finger."""

from __future__ import annotations

import json
import re
import sys
import time
from typing import Any

import pytest

from table_service.console import ConsoleSettings, serving

feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
CALL = {"call": True, "seat": "E", "t": 120.0, "state": "open"}


def rows(page: str) -> list[str]:
    return re.findall(r'id="wait-(T\d+-[^"]+)"', page)


def call(house: Any, after: float = 20.0) -> None:
    house.at += after
    house.say("T12/alert/call-E", CALL)


@pytest.fixture
def alone(house: Any) -> Any:
    """A table with one alert."""
    house.hear([one for one in feed.evening() if feed.EXPOSED["key"] not in one[0]])
    return house


async def test_a_call_near_to_an_alert_is_one_row_with_it_and_says_who_calls(alone: Any) -> None:
    call(alone)
    page = await alone.page("/", "arbitro")
    assert rows(page) == [f"T12-{KEY}"]
    assert "Est chiama l’arbitro" in page
    at_table = await alone.page("/table/T12", "arbitro")
    assert at_table.count("<article") == 1
    assert "Est chiama l’arbitro" in at_table


async def test_a_call_long_after_an_alert_is_another_matter(alone: Any) -> None:
    call(alone, after=600.0)
    assert rows(await alone.page("/", "arbitro")) == ["T12-call-E", f"T12-{KEY}"]


async def test_a_call_after_the_ruling_of_an_alert_waits_by_itself(alone: Any) -> None:
    """It stood in the row of what was decided, and so in nobody's list."""
    alone.book.desk.resolve("T12", KEY, "la arbitro", now=alone.at)
    call(alone)
    assert rows(await alone.page("/", "arbitro")) == ["T12-call-E"]


async def test_who_takes_the_row_has_both_in_hand_and_ruling_it_ends_the_call(alone: Any) -> None:
    call(alone)
    await alone.post(f"/table/T12/alert/{KEY}/hand/take", "arbitro")
    assert {one.key: one.taken_by for one in alone.book.desk.at("T12")} == {
        KEY: "la arbitro", "call-E": "la arbitro",
    }  # fmt: skip
    await alone.post(f"/table/T12/alert/{KEY}/rule/rule", "arbitro", cards="7C")
    case = alone.book.desk.case("T12", "call-E")
    assert (case.resolved_by, case.resolved) == ("la arbitro", alone.at)
    assert rows(await alone.page("/", "arbitro")) == [f"T12-{KEY}"], "the alert waits for its table's answer"


async def test_what_comes_next_is_at_the_same_table_while_something_waits_there(house: Any) -> None:
    house.say("T3/alert/call-N", CALL | {"seat": "N"})
    house.at += 300
    house.hear()
    page = await house.page(f"/table/T12/alert/{KEY}", "arbitro")
    following = page[page.index('sse-swap="next"') :]
    assert f"/table/T12/alert/{feed.EXPOSED['key']}" in following


@pytest.mark.slow
def test_an_arrival_moves_no_row_on_a_tablet_that_nobody_touches(browser: Any) -> None:
    with serving(ConsoleSettings(tables=("T7", "T12"), open_link=True)) as running:

        def say(topic: str, document: Any) -> None:
            running.store.apply(feed.PREFIX + topic, json.dumps(document).encode(), now=time.time())

        for place in ("T7", "T12"):
            say(f"{place}/status", {"state": "ready", "boot": "000a3f", "version": "x"})
            say(f"{place}/state", feed.state(table=place))
        say(f"T12/alert/{KEY}", feed.ALERT)
        context = browser.new_context(viewport={"width": 820, "height": 1180}, has_touch=True, is_mobile=True)
        page = context.new_page()
        page.goto(running.door)
        page.goto(running.url)
        page.wait_for_selector(f'[id="wait-T12-{KEY}"]')
        assert page.evaluate("matchMedia('(hover: none)').matches")
        before = page.locator(f'[id="wait-T12-{KEY}"]').bounding_box()
        say("T7/alert/call-N", CALL | {"seat": "N"})
        page.wait_for_selector('[id="wait-T7-call-N"]')
        after = page.locator(f'[id="wait-T12-{KEY}"]').bounding_box()
        assert after["y"] == before["y"]
        assert page.locator('[id="wait-T7-call-N"]').bounding_box()["y"] > after["y"]
        page.goto(running.url)
        ids = page.locator(".waits > li").evaluate_all("all => all.map(e => e.id)")
        assert ids == ["wait-T7-call-N", f"wait-T12-{KEY}"], "looked at anew, the call is first"
        context.close()
