"""Home Assistant is told of the tables only where the hall wants it: its discovery, what has changed, nothing more."""

from __future__ import annotations

import json
import sys
from typing import Any

from table_service.console.remote.home_assistant import HomeAssistant
from table_service.console.remote.sharing import RemoteSettings

feed: Any = sys.modules["console_feed"]


def told(house: Any) -> tuple[HomeAssistant, list[tuple[str, dict[str, Any]]]]:
    kept: list[tuple[str, dict[str, Any]]] = []
    house.office.keep = lambda topic, payload: kept.append((topic, json.loads(payload)))
    return HomeAssistant(house.office), kept


def test_each_table_is_a_device_whose_state_says_that_the_arbitro_is_wanted_and_no_more(make_house: Any) -> None:
    house = make_house(remote=RemoteSettings(home="homeassistant"))
    house.say("T12/status", {"state": "ready", "boot": "000a3f", "version": "0.1.0"})
    home, kept = told(house)
    home.tick()
    discovery = {topic: body for topic, body in kept if topic.startswith("homeassistant/")}
    fields = (("binary_sensor", "there"), ("binary_sensor", "waits"), ("sensor", "waiting"), ("sensor", "deal"))
    assert set(discovery) == {f"homeassistant/{kind}/tavolo_sala_T12/{field}/config" for kind, field in fields}
    assert {body["state_topic"] for body in discovery.values()} == {"tavolo/v1/sala/~console/home/T12"}
    assert len({body["unique_id"] for body in discovery.values()}) == 4
    kept.clear()
    home.tick()
    assert kept == [], "only what has changed"
    house.say(f"T12/alert/{feed.ALERT['key']}", feed.ALERT)
    home.tick()
    assert kept == [
        ("tavolo/v1/sala/~console/home/T12", {"there": "ON", "waits": "ON", "waiting": 1, "deal": None})
    ]  # fmt: skip


def test_a_new_connection_hears_everything_again_and_without_the_option_nothing_is_said(make_house: Any) -> None:
    house = make_house(remote=RemoteSettings(home="ha"))
    house.say("T1/status", {"state": "ready", "boot": "1", "version": "0.1.0"})
    home, kept = told(house)
    home.tick()
    first, others = len(kept), []
    house.office.keep = lambda topic, _payload: others.append(topic)
    home.tick()
    assert len(others) == first == 5
    house.office.keep = None
    home.tick()
    quiet = make_house()
    quiet.say("T1/status", {"state": "ready", "boot": "1", "version": "0.1.0"})
    silent, nothing = told(quiet)
    silent.tick()
    assert nothing == []
