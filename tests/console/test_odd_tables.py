"""A table that says nonsense (a damaged one, another program) spoils no page and no report of the others."""

from __future__ import annotations

import json
import random
import sys
import time
import tracemalloc
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from table_service.console import ConsoleSettings, serving
from table_service.console.live_tables import ALERTS_MOST
from table_service.publish import start_broker
from table_service.publish.broker import find_mosquitto

feed: Any = sys.modules["console_feed"]
EVENTS = (
    "round.started", "deal.started", "deal.ended", "score.counted", "irregularity", "warning.given", "meld.opened",
    "meld.extended", "card.drawn", "card.discarded", "pile.collected", "pot.taken", "sheet.corrected",
    "sheet.confirmed", "sheet.written", "round.ruled", "sanction.imposed", "card.exposed", "event.retracted",
    "card.named", "referee.called", "table.health", "round.ended", "turn.started", "deal.checked",
)  # fmt: skip
FIELDS = (
    "n", "dealer", "manner", "lines", "camera", "ledger", "differences", "doubtful", "key", "row", "article", "title",
    "severity", "offender", "cards", "state", "remedy", "options", "line", "count", "total", "meld", "added", "from",
    "card", "left", "changes", "by", "reason", "agreed", "how", "supersedes", "match_points", "victory_points", "event",
    "deductions", "what", "counts", "faults", "to", "zone", "minutes", "deals", "written", "bonus", "text",
)  # fmt: skip
OTHERS = ("status", "state", "health", "alert/k", "pictures/k", "evidence/x", "command/none/result", "sealed/1")
PAGES = (
    "/", "/wall", "/table/T12", "/table/T66", "/sheets/T12", "/sheets/T66", "/round", "/standing", "/archive",
    "/audit", "/archive/T12/now", "/archive/T66/now", "/reports/scores.csv", "/reports/log.csv", "/reports/log.pdf",
    "/reports/standing.csv", "/table/T66/alert/k", "/table/T66/decide",
)  # fmt: skip


def junk(chance: random.Random, depth: int = 0) -> Any:
    """Anything that JSON can say."""
    deeper = depth < 3
    return chance.choice(
        (
            lambda: None,
            lambda: True,
            lambda: chance.choice((-1, 0, 7, 10**12, 1e308)),
            lambda: chance.choice(("", "7H", "??", "NS", "N", "<img src=x onerror=alert(1)>", "%s{0}{x}", "\ud83c")),
            lambda: [junk(chance, depth + 1) for _ in range(3)] if deeper else [],
            lambda: {name: junk(chance, depth + 1) for name in ("NS", "N", "items", "cards", "it")} if deeper else {},
        )
    )()


@pytest.mark.parametrize("seed", [1, 2, 3])
async def test_nonsense_from_a_table_spoils_no_page(house: Any, seed: int) -> None:
    chance = random.Random(seed)
    house.hear()
    for event in (*feed.counted(), *feed.settled()):
        house.say(f"T12/event/{event['type']}", event)
    seq = 10_000
    for _ in range(4):
        for kind in EVENTS:
            seq += 1
            data = {name: junk(chance) for name in chance.sample(FIELDS, 16)}
            told = {**feed.event(seq, kind, "N", **data), "table": "T66", "deal": chance.choice((None, 1, 2))}
            if chance.random() < 0.3:
                told[chance.choice(("id", "boot", "t", "time", "deal", "turn", "seat", "line", "data"))] = junk(chance)
            house.say(f"T66/event/{kind}", told)
        for topic in OTHERS:
            document = {
                name: junk(chance) for name in (*chance.sample(FIELDS, 16), "state", "boot", "call", "id", "ok")
            }
            house.store.apply(f"{feed.PREFIX}T66/{topic}", json.dumps(document).encode(), now=house.at)
            house.store.apply(f"{feed.PREFIX}T66/{topic}", chance.randbytes(30), now=house.at)
    house.book.kept.flush()
    for path in PAGES:
        for role in ("chief", "spectator"):
            shown = await house.get(path, role, headers={"Accept": "text/html"}, follow_redirects=True)
            assert shown.status_code in (200, 403, 404), path
            if "html" in shown.headers.get("content-type", ""):
                assert "<img src=x" not in shown.text, path
    assert "T12" in (await house.get("/reports/scores.csv")).text


@pytest.mark.parametrize("name", ["T²", "T" + "9" * 5000, "٣"])
async def test_a_table_of_an_odd_name_stops_no_page(house: Any, name: str) -> None:
    house.hear()
    house.store.apply(f"tavolo/v1/sala/{name}/status", b'{"state":"ready","boot":"000a3f"}', now=house.at)
    for path in ("/", "/wall", "/round", "/standing?round=%C2%B2", "/archive?page=%C2%B2"):
        assert (await house.get(path)).status_code == 200, path


@pytest.mark.parametrize("kind", ["state", "status", "health", "event/score.counted", "alert/k", "sealed/1", "journal"])
async def test_a_message_longer_than_any_tables_own_is_refused_told_once_and_not_kept(
    house: Any, kind: str, capfd: pytest.CaptureFixture[str]
) -> None:
    house.hear()
    tracemalloc.start()
    try:
        for _ in range(3):
            text = b'{"x":"' + b"A" * 20_000_000 + b'"}'
            house.store.apply(f"{feed.PREFIX}T12/{kind}", text, now=house.at)
            del text
        assert tracemalloc.get_traced_memory()[0] < 5_000_000
    finally:
        tracemalloc.stop()
    assert capfd.readouterr().out.count("is more than any table tells: refused") == 1
    assert house.store.tables["T12"].excess == 3
    page = await house.page("/table/T12")
    assert "3 messaggi con il nome di questo tavolo sono troppo lunghi" in page
    assert "Monte degli scarti" in page, "what it said before stands"


@pytest.mark.slow(seconds=3)
def test_a_broker_without_limits_hands_the_console_nothing_that_is_too_long(tmp_path: Any) -> None:
    """A packet above 4 MB stays there, one below is refused here, and what comes after both is heard."""
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    broker = start_broker(tmp_path, kind="mosquitto")
    table = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
    table.connect(broker.host, broker.port or 0)
    table.loop_start()
    with serving(ConsoleSettings(broker_port=broker.port)) as console:
        end = time.monotonic() + 60
        while not console.store.connected:
            assert time.monotonic() < end
            time.sleep(0.02)
        for length in (20_000_000, 1_000_000):
            table.publish(f"{feed.PREFIX}T12/health", b"x" * length, qos=1).wait_for_publish(60)
        table.publish(f"{feed.PREFIX}T12/status", b'{"state":"ready","boot":"000a3f"}', qos=1).wait_for_publish(60)
        while "T12" not in console.store.tables or (view := console.store.tables["T12"]).status != "ready":
            assert time.monotonic() < end
            time.sleep(0.02)
        while not view.excess:
            assert time.monotonic() < end
            time.sleep(0.02)
        assert view.excess == 1
    table.disconnect()
    table.loop_stop()
    broker.stop()


async def test_alerts_without_end_are_bounded_and_those_that_stand_stay(house: Any) -> None:
    house.hear()
    alert = house.store.tables["T12"].alerts[feed.ALERT["key"]]
    for n in range(2 * ALERTS_MOST):
        house.say(f"T12/alert/k{n}", {**alert, "key": f"k{n}"})
    assert len(house.store.tables["T12"].alerts) == ALERTS_MOST
    assert feed.ALERT["key"] in house.store.tables["T12"].alerts
    house.say("T12/alert/k0", None)
    house.say("T12/alert/new", {**alert, "key": "new"})
    assert "new" in house.store.tables["T12"].alerts, "there is room again"


async def test_a_number_that_no_file_can_name_is_no_deal_and_no_fault(house: Any) -> None:
    house.hear()
    for path in (
        f"/archive/T12/000a3f/moment/{2**63}",
        f"/archive/T12/000a3f/{2**63}",
        f"/archive/T12/000a3f/{2**63}/at",
    ):
        assert (await house.get(path)).status_code in (303, 404), path
    for number in (str(2**63), "²", "9" * 5000):
        assert (await house.post(f"/tournaments/{number}/delete")).status_code < 500
        assert (await house.post("/table/T12/alert/T12-000a3f-000044/hand/put-off", minutes=number)).status_code < 500
