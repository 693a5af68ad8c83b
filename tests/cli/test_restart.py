"""A table that is killed and started again goes on with its round; every sheet can still be corrected (art. 20)."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from nacl.signing import SigningKey
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from hw.observation_log import read_log
from table_service.console.sheet_book import SheetBook
from table_service.events.commands import sign_command
from table_service.events.topics import Topics
from table_service.games.burraco.fold import TableFold
from table_service.publish import Broker, BrokerError, start_broker
from table_service.rehearsal.rehearse import rehearse

ARBITRO = SigningKey(bytes(range(32)))
TABLE = """
[table]
name = "T1"
hall = "prova"
rules = "fibur2024"
[broker]
port = {port}
[storage]
journal = "{folder}/T1.sqlite"
log = "{folder}/again.jsonl"
[console_keys]
"*" = "{key}"
"""
PLAY = """
import sys, time
from dataclasses import replace
from pathlib import Path
from hw.observation_log import read_log
from hw.observations import Console, Said
from table_service.publish import BrokerAddress
from table_service.service import TableFiles, TableService
folder, port = Path(sys.argv[1]), int(sys.argv[2])
header, observations = read_log(folder / "played.jsonl")
header = replace(header, table="T1", started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
now = [0.0]
journal = folder / "T1.sqlite"
places = TableFiles(journal, journal.with_suffix(".evidence"), journal.with_suffix(".key"), folder / "first.jsonl")
service = TableService(header, "prova", places, BrokerAddress("127.0.0.1", port), lambda: now[0])
service.start()
deals, until, said = 0, None, False
for one in observations:
    now[0] = one.t
    for event in service.observe(one):
        deals += event.type == "deal.started"
        if event.type == "score.counted" and event.deal == 1 and not said:
            said = True
            service.observe(Console(one.t, "Anna", "warn", {"line": "NS"}))
            service.observe(Said(one.t, None, f"sheet-ok:EW:{event.id}"))
    if deals == 2:
        until = until or one.t + 60
        if one.t > until:
            break
for _ in range(600):
    box = service.journal.outbox()
    if box.acknowledged and not box.unsent and not box.sent:  # what is under way would be lost with the table
        break
    time.sleep(0.1)
print("playing deal 2", flush=True)
time.sleep(600)
"""
"""A round of two deals at a table that is killed a minute after the second has begun."""

CALLED = (
    PLAY.partition("deals, until, said")[0]
    + """
for one in observations:
    now[0] = one.t
    if any(event.type == "referee.called" for event in service.observe(one)):
        break
service.observe(Console(now[0], "Anna", "warn", {"line": "EW"}))
service.observe(Console(now[0] + 1, "Anna", "rule", {"row": "F-09d", "seat": "N"}))
for _ in range(600):
    box = service.journal.outbox()
    if box.acknowledged and not box.unsent and not box.sent:
        break
    time.sleep(0.1)
print("called", flush=True)
time.sleep(600)
"""
)
"""A deal with a fault: the table is killed while a player's call waits for the arbitro, who has ruled on another."""


class Hall:
    """All that the table publishes."""

    def __init__(self, port: int) -> None:
        self.events: list[dict[str, Any]] = []
        self.latest: dict[str, Any] = {}
        self.alerts: list[str] = []
        self.client = Client(CallbackAPIVersion.VERSION2)
        self.client.on_message = self._hear
        self.client.on_connect = lambda client, *_: client.subscribe("tavolo/v1/#", qos=1)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()

    def _hear(self, _client: object, _data: object, message: Any) -> None:
        document = json.loads(message.payload or b"null")
        topic = message.topic.removeprefix("tavolo/v1/prova/T1/")
        self.latest[topic] = document
        if topic.startswith("alert/") and document is not None:
            self.alerts.append(topic)
        if topic.startswith("event/") and document["id"] not in {one["id"] for one in self.events}:
            self.events.append(document)

    def told(self, kind: str, boot: str = "") -> list[dict[str, Any]]:
        return [one for one in self.events if one["type"] == kind and boot in ("", one["boot"])]

    def order(self, name: str, do: str, **fields: Any) -> None:
        order = sign_command(ARBITRO, id=name, by="Anna", table="T1", do=do, issued=time.time(), fields=fields)
        self.client.publish(Topics("prova", "T1").command, json.dumps(order), qos=1)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    try:
        started = start_broker(tmp_path / "broker")
    except BrokerError as error:
        pytest.skip(str(error))
    yield started
    started.stop()


def wait(done: Callable[[], Any], what: str) -> Any:
    end = time.monotonic() + 120
    while time.monotonic() < end:
        if answer := done():
            return answer
        time.sleep(0.05)
    pytest.fail(f"never: {what}")


@pytest.mark.slow
def test_art20_a_sheet_of_before_the_restart_is_corrected_after_it(tavolo: Any, tmp_path: Path, broker: Broker) -> None:
    rehearse("fibur2024", 11, tmp_path / "played.jsonl", 2, (), "none")
    hall = Hall(broker.port)
    first = subprocess.Popen(
        [sys.executable, "-c", PLAY, str(tmp_path), str(broker.port)], stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "playing deal 2\n"
    first.send_signal(signal.SIGKILL)
    first.wait()
    counted = wait(lambda: hall.told("score.counted"), "the count of deal 1")[-1]
    before = counted["data"]["lines"]
    config = tmp_path / "table.toml"
    key = bytes(ARBITRO.verify_key).hex()
    config.write_text(TABLE.format(port=broker.port, folder=tmp_path, key=key), encoding="utf-8")
    with tavolo.running("run", "--config", config) as running:
        resumed = running.until(lambda: hall.told("round.resumed"), "going on with the round")[0]
        assert resumed["data"]["lost"] == 2
        assert resumed["boot"] != counted["boot"]
        running.until(lambda: hall.latest["state"]["boot"] == resumed["boot"], "the state of the new start")
        state = hall.latest["state"]
        assert state["round"] == {"running": True, "deals": 2, "started": False}
        assert state["warnings"] == {"NS": 1, "EW": 0}
        assert state["sheets"]["1"]["confirmed"] == {"EW": "display"}
        assert state["score"]["deals"]["1"] == {line: before[line]["total"] for line in ("NS", "EW")}
        assert state["score"]["deals"]["2"] == {"NS": None, "EW": None}, "nobody knows the deal that was lost"

        hand = before["NS"]["items"]["hand"]
        fix = {"deal": 1, "score": counted["id"], "lines": {"NS": {"hand": hand + 10}}, "reason": "una carta in meno"}
        hall.order("o1", "sheet-correct", **fix)
        answer = running.until(lambda: hall.latest.get("command/o1/result"), "an answer to the correction")
        assert answer["ok"] is True
        anew = running.until(lambda: hall.told("score.counted", resumed["boot"])[1:], "the corrected count")[-1]
        assert anew["deal"] == 1
        assert anew["data"]["supersedes"] == counted["id"]
        assert anew["data"]["lines"]["NS"]["total"] == before["NS"]["total"] + 10
        corrected = hall.told("sheet.corrected")[0]["data"]
        assert corrected["changes"] == [{"line": "NS", "item": "hand", "old": hand, "new": hand + 10}]

        lost = hall.told("score.counted", resumed["boot"])[0]
        lines = {"NS": {"total": 300}, "EW": {"total": 500}}
        hall.order("o2", "sheet-correct", deal=2, score=lost["id"], lines=lines, reason="dallo score di carta")
        hall.order("o3", "end-round")
        ended = running.until(lambda: hall.told("round.ended"), "the end of the round")[-1]["data"]
        lead = anew["data"]["lines"]["NS"]["total"] + 300 - anew["data"]["lines"]["EW"]["total"] - 500
        assert ended["match_points"] == {"NS": lead, "EW": -lead}
        assert ended["victory_points"] is not None
        running.process.kill()
        running.process.wait()

    with tavolo.running("run", "--config", config) as running:  # and once more, after the end of the round
        boots = {resumed["boot"], counted["boot"]}
        again = running.until(
            lambda: [e for e in hall.told("round.resumed") if e["boot"] not in boots], "a third start"
        )
        assert again[0]["data"]["lost"] is None
        figures = {"NS": {"hand": None}}
        hall.order("o4", "sheet-correct", deal=1, score=anew["id"], lines=figures, reason="era giusto prima")
        back = running.until(lambda: hall.told("score.counted", again[0]["boot"]), "the correction taken back")[-1]
        assert back["data"]["lines"]["NS"]["total"] == before["NS"]["total"]
        newest = running.until(lambda: hall.told("round.ended", again[0]["boot"]), "the end told again")[-1]["data"]
        assert newest["match_points"] == {"NS": lead - 10, "EW": 10 - lead}
        assert running.end() == 0
    header, observations = read_log(tmp_path / "again.jsonl")
    fold = TableFold(header, boot=again[0]["boot"])
    told = [event for one in observations for event in fold.feed(one)] + fold.close()
    kept = sorted((e["seq"], e["type"]) for e in hall.events if e["boot"] == again[0]["boot"])
    assert [(event.seq, event.type) for event in told] == kept, "the log alone tells the same again"

    book = SheetBook()
    for event in hall.events:
        book.record("T1", event, 0.0)
    assert len(book.rounds("T1")) == 1, "the console takes it for one round"
    sheet = book.rounds("T1")[0].sheets[1]
    assert len(sheet.corrections) == 2
    assert sheet.total("NS") == before["NS"]["total"]
    hall.client.disconnect()


@pytest.mark.slow(seconds=9)
def test_what_waited_for_the_arbitro_waits_after_a_kill_and_what_he_ruled_is_lifted(
    tavolo: Any, tmp_path: Path, broker: Broker
) -> None:
    rehearse("fibur2024", 5, tmp_path / "played.jsonl", 1, ("F-31a",), "none")
    hall = Hall(broker.port)
    first = subprocess.Popen(
        [sys.executable, "-c", CALLED, str(tmp_path), str(broker.port)], stdout=subprocess.PIPE, text=True
    )
    assert first.stdout is not None
    assert first.stdout.readline() == "called\n"
    first.send_signal(signal.SIGKILL)
    first.wait()
    open_ = wait(lambda: [e for e in hall.told("irregularity") if e["data"]["row"] == "F-31a"], "the irregularity")[-1]
    stated = wait(lambda: [e for e in hall.told("irregularity") if e["data"]["row"] == "F-09d"], "the ruling")[-1]
    key, boot = open_["data"]["key"], open_["boot"]
    config = tmp_path / "table.toml"
    public = bytes(ARBITRO.verify_key).hex()
    config.write_text(TABLE.format(port=broker.port, folder=tmp_path, key=public), encoding="utf-8")
    hall.alerts.clear()
    with tavolo.running("run", "--config", config) as running:
        resumed = running.until(lambda: [e for e in hall.told("round.resumed") if e["boot"] != boot], "the new start")
        assert resumed[0]["data"]["open"] == [key]
        running.until(lambda: hall.latest.get("state", {}).get("boot") == resumed[0]["boot"], "its state")
        state = hall.latest["state"]
        assert [one["key"] for one in state["irregularities"]] == [key]
        assert state["warnings"] == {"NS": 1, "EW": 1}
        running.until(lambda: f"alert/{key}" in hall.alerts, "the alert of before, from the new start")
        assert hall.latest[f"alert/{key}"]["row"] == "F-31a"

        hall.order("o1", "rule", key=key)
        assert running.until(lambda: hall.latest.get("command/o1/result"), "the answer to the ruling")["ok"] is True
        running.until(lambda: hall.latest[f"alert/{key}"] is None, "the end of the alert")
        hall.order("o2", "dismiss", key=stated["data"]["key"])
        assert running.until(lambda: hall.latest.get("command/o2/result"), "the answer to the lifting")["ok"] is True
        running.until(lambda: hall.latest["state"]["warnings"] == {"NS": 0, "EW": 1}, "the warning taken back")
        running.process.kill()
        running.process.wait()

    boots = {boot, resumed[0]["boot"]}
    with tavolo.running("run", "--config", config) as running:
        again = running.until(
            lambda: [e for e in hall.told("round.resumed") if e["boot"] not in boots], "a third start"
        )
        assert again[0]["data"]["open"] == []
        running.until(lambda: hall.latest["state"]["boot"] == again[0]["boot"], "its state")
        assert hall.latest["state"]["warnings"] == {"NS": 0, "EW": 1}
        hall.order("o3", "dismiss", key=key)
        assert running.until(lambda: hall.latest.get("command/o3/result"), "the answer to the lifting")["ok"] is True
        assert running.end() == 0
    hall.client.disconnect()
