"""What a table says over a real broker: everything once, in order, nothing lost, nothing hidden."""

from __future__ import annotations

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from typing import Any, cast

import pytest
from nacl.public import PrivateKey
from nacl.signing import SigningKey

from hw.observations import Console
from table_service.events.commands import sign_command
from table_service.events.sequence import ReceivedEvents
from table_service.events.signing import Kind, SigningIdentity, Voices, introduction
from table_service.events.topics import Topics
from table_service.hall.authority import new_authority, now
from table_service.publish import CommandGate, Publisher, SealError, Sealing, open_sealed, start_broker
from table_service.publish.broker import BrokerError

TOPICS = Topics("sala", "T1")
PREFIX = "tavolo/v1/sala/T1/"


def events(messages: list[tuple[str, bytes, bool]]) -> list[dict[str, Any]]:
    """Events as a receiver counts them: each once, put in order."""
    seen = ReceivedEvents()
    got = [json.loads(payload) for topic, payload, _ in messages if topic.startswith(PREFIX + "event/")]
    return sorted((e for e in got if seen.first_time(e["boot"], e["seq"])), key=lambda e: (e["boot"], e["seq"]))


def last(messages: list[tuple[str, bytes, bool]], topic: str) -> bytes | None:
    found = [payload for name, payload, _ in messages if name == PREFIX + topic]
    return found[-1] if found else None


@pytest.mark.parametrize("kind", ["mosquitto", "embedded"])
def test_events_arrive_in_order_and_are_acknowledged(bench: Any, make_entry: Any, address_of: Any, kind: str) -> None:
    broker = bench.broker(kind=kind)
    journal = bench.journal()
    listener = bench.listener(broker)
    publisher = bench.started(Publisher(TOPICS, address_of(broker), journal, boot=journal.boot))
    assert publisher.wait_connected(10)
    journal.append([make_entry(journal, {"card": "7H#2"}) for _ in range(120)])
    assert publisher.drain(20)
    listener.wait(lambda m: len(events(m)) == 120)
    assert [e["seq"] for e in events(listener.messages)] == list(range(1, 121))
    assert not any(e["late"] for e in events(listener.messages))
    assert journal.outbox().acknowledged == 120
    assert not any(b"7H#2" in payload for _, payload, _ in listener.messages)
    publisher.stop()
    listener.wait(lambda m: json.loads(last(m, "status") or b"{}").get("state") == "stopped")


def test_a_broker_killed_with_nine_loses_nothing_and_what_waited_is_marked_late(
    bench: Any, make_entry: Any, address_of: Any
) -> None:
    broker = bench.broker()
    journal = bench.journal()
    publisher = bench.started(Publisher(TOPICS, address_of(broker), journal, boot=journal.boot, version="9.9"))
    publisher.status("ready")
    publisher.state({"turn": 1})
    assert publisher.wait_connected(10)
    first = bench.listener(broker)
    journal.append([make_entry(journal) for _ in range(30)])
    assert publisher.drain(10)
    first.wait(lambda m: len(events(m)) == 30)

    broker.process.send_signal(signal.SIGKILL)
    broker.process.wait()
    journal.append([make_entry(journal) for _ in range(40)])
    publisher.notify()
    publisher.state({"turn": 2})
    deadline = time.monotonic() + 10
    while publisher.report().retrying is None and time.monotonic() < deadline:
        time.sleep(0.01)
    report = publisher.report()
    assert not report.connected
    assert str(broker.port) in str(report.retrying)

    again = bench.broker(port=broker.port)
    second = bench.listener(again)
    assert publisher.drain(20)
    second.wait(lambda m: len(events(m)) >= 40)
    both = events(first.messages + second.messages)
    assert [e["seq"] for e in both] == list(range(1, 71))
    assert [e["seq"] for e in both if e["late"]] == list(range(31, 71))
    second.wait(lambda m: last(m, "state") is not None and last(m, "status") is not None)
    assert json.loads(last(second.messages, "state") or b"") == {"turn": 2}
    status = json.loads(last(second.messages, "status") or b"")
    assert {name: status[name] for name in ("state", "boot", "version")} == {
        "state": "ready",
        "boot": journal.boot,
        "version": "9.9",
    }
    journal.append([make_entry(journal)])
    assert publisher.drain(10)
    second.wait(lambda m: events(m)[-1]["seq"] == 71)
    assert not events(second.messages)[-1]["late"]


def test_what_one_process_could_not_send_the_next_one_sends_late(bench: Any, make_entry: Any, address_of: Any) -> None:
    journal = bench.journal()
    journal.append([make_entry(journal) for _ in range(25)])
    journal.mark_sent([k.n for k in journal.pending(limit=5)])
    journal.close()
    broker = bench.broker()
    listener = bench.listener(broker)
    again = bench.journal()
    again.append([make_entry(again)])
    publisher = bench.started(Publisher(TOPICS, address_of(broker), again, boot=again.boot))
    assert publisher.drain(15)
    listener.wait(lambda m: len(events(m)) == 26)
    got = events(listener.messages)
    assert [(e["boot"], e["seq"], e["late"]) for e in got] == [
        *(("000001", n, True) for n in range(1, 26)),
        ("000002", 1, False),
    ]


@pytest.mark.parametrize("kind", ["mosquitto", "embedded"])
def test_an_alert_is_retained_and_emptied_when_it_ends(bench: Any, address_of: Any, kind: str) -> None:
    broker = bench.broker(kind=kind)
    journal = bench.journal()
    publisher = bench.started(Publisher(TOPICS, address_of(broker), journal, boot=journal.boot))
    publisher.alerts({"k1": {"row": "F-31a"}, "k2": {"row": "F-24a"}})
    assert publisher.wait_connected(10)
    first = bench.listener(broker)
    first.wait(lambda m: {PREFIX + "alert/k1", PREFIX + "alert/k2"} <= {t for t, _, _ in m})
    publisher.alerts({"k2": {"row": "F-24a"}})
    first.wait(lambda m: last(m, "alert/k1") == b"")
    publisher.health({"done": True})
    first.wait(lambda m: b"done" in (last(m, "health") or b""))
    late = bench.listener(broker)
    late.wait(lambda m: last(m, "health") is not None and last(m, "alert/k2") is not None)
    assert {t for t, payload, _ in late.messages if payload and "alert" in t} == {PREFIX + "alert/k2"}


def test_a_table_with_a_certificate_signs_all_it_says_and_its_state_names_the_alerts(
    bench: Any, address_of: Any
) -> None:
    broker, journal, authority = bench.broker(), bench.journal(), new_authority("sala", now())
    made = authority.issue("tavolo-T1", "client", now())
    voice, voices = (
        SigningIdentity(made.certificate, made.key),
        Voices(authority.certificate, lambda _table: "tavolo-T1"),
    )
    key = SigningKey(bytes(range(32)))
    keys = {"Ada": bytes(key.verify_key).hex()}
    gate = CommandGate("T1", keys, journal, lambda _order: None, lambda: 0.0)
    voices.introduce("T1", introduction("T1", [voice.certificate]))
    publisher = Publisher(TOPICS, address_of(broker), journal, boot=journal.boot, gate=gate, voice=voice)
    listener = bench.listener(broker)
    publisher.state({"turn": 1})
    publisher.alerts({"k1": voice.sign("alert", {"key": "k1"})})
    publisher.pictures("k1", {"key": "k1", "pictures": []})
    bench.started(publisher)
    kinds = ("state", "status", "health", "journal")
    listener.wait(lambda m: all(last(m, one) for one in (*kinds, "alert/k1", "pictures/k1")))
    assert json.loads(last(listener.messages, "state") or b"")["alerts"] == ["k1"]
    order = sign_command(key, id="o1", by="Ada", table="T1", do="end-round", issued=time.time(), life=10, fields={})
    listener.client.publish(TOPICS.command, json.dumps(order), qos=1)
    listener.client.publish(TOPICS.resend, json.dumps({"id": "q", "want": [[journal.boot, 1, 2]]}), qos=1)
    answers = {"answer": "command/o1/result", "pictures": "pictures/k1", "resent": "resent/q"}
    listener.wait(lambda m: all(last(m, topic) for topic in answers.values()))
    for kind, topic in {**dict(zip(kinds, kinds, strict=True)), **answers}.items():
        said = json.loads(last(listener.messages, topic) or b"")
        assert voices.judge(cast("Kind", kind), "T1", said) == "signed", topic
    publisher.alerts({})
    listener.wait(lambda m: json.loads(last(m, "state") or b"{}").get("alerts") == [])
    assert last(listener.messages, "alert/k1") == b"", "the alert goes first"


@pytest.mark.parametrize("kind", ["mosquitto", "embedded"])
def test_a_picture_goes_out_only_when_a_signed_order_asks_for_it(bench: Any, address_of: Any, kind: str) -> None:
    broker = bench.broker(kind=kind)
    journal = bench.journal()
    key = SigningKey(bytes(range(32)))
    frames = {"f7": b"\xff\xd8 jpeg"}
    gate = CommandGate(
        "T1",
        {"Ada": bytes(key.verify_key).hex()},
        journal,
        lambda _order: None,
        lambda: 0.0,
        standing=lambda ref: "kept" if ref in frames else "pruned",
    )
    publisher = Publisher(TOPICS, address_of(broker), journal, boot=journal.boot, gate=gate, frames=frames.get)
    listener = bench.listener(broker)  # before the publisher: what is said of pictures is not retained
    bench.started(publisher)
    publisher.pictures("k1", {"key": "k1", "pictures": [{"ref": "f7"}]})
    listener.wait(lambda m: last(m, "pictures/k1") is not None)  # sent behind its subscription to orders

    def ask(name: str, ref: str, signer: SigningKey = key) -> dict[str, Any]:
        now = time.time()
        order = sign_command(
            signer, id=name, by="Ada", table="T1", do="evidence", issued=now, life=10, fields={"ref": ref}
        )
        listener.client.publish(PREFIX + "command", json.dumps(order), qos=1)
        listener.wait(lambda m: last(m, f"command/{name}/result") is not None)
        answer: dict[str, Any] = json.loads(last(listener.messages, f"command/{name}/result"))
        return answer

    assert ask("a", "f7", SigningKey.generate())["reason"] == "bad-signature"
    assert ask("b", "f8")["reason"] == "pruned"
    assert not any("/evidence/" in topic for topic, _, _ in listener.messages)
    assert ask("c", "f7")["ref"] == "f7"
    listener.wait(lambda m: last(m, "evidence/f7") == frames["f7"])
    assert [retained for topic, _, retained in listener.messages if "/evidence/" in topic] == [False]
    late = bench.listener(broker)
    late.wait(lambda m: last(m, "status") is not None)
    assert not any("/evidence/" in topic for topic, _, _ in late.messages), "no picture lies in the broker"
    asked = [note for note in journal.notes("command") if note["do"] == "evidence"]
    assert [(note["by"], note["fields"]["ref"]) for note in asked] == [("Ada", "f8"), ("Ada", "f7")]


def test_which_pictures_there_are_is_said_again_on_every_connection(bench: Any, address_of: Any) -> None:
    broker = bench.broker()
    journal = bench.journal()
    publisher = Publisher(TOPICS, address_of(broker), journal, boot=journal.boot)
    publisher.pictures("k1", {"key": "k1", "pictures": []})  # told before there is a connection
    listener = bench.listener(broker)
    bench.started(publisher)
    listener.wait(lambda m: last(m, "pictures/k1") is not None)


def test_an_alert_that_an_earlier_process_left_in_the_broker_is_emptied(bench: Any, address_of: Any) -> None:
    broker = bench.broker()
    journal = bench.journal()
    before = Publisher(TOPICS, address_of(broker), journal, boot=journal.boot)
    before.alerts({"old": {"row": "F-31a"}, "still": {"row": "F-24a"}})
    before.start()
    listener = bench.listener(broker)
    listener.wait(lambda m: last(m, "alert/old") and last(m, "alert/still"))
    before.stop()
    after = bench.started(Publisher(TOPICS, address_of(broker), journal, boot="000002"))
    after.alerts({"still": {"row": "F-24a"}})
    listener.wait(lambda m: last(m, "alert/old") == b"")
    assert last(listener.messages, "alert/still")


def test_a_table_that_dies_is_said_lost_by_the_broker(bench: Any, address_of: Any) -> None:
    broker = bench.broker()
    listener = bench.listener(broker)
    journal = bench.journal()
    publisher = bench.started(Publisher(TOPICS, address_of(broker), journal, boot=journal.boot))
    publisher.status("ready")
    listener.wait(lambda m: json.loads(last(m, "status") or b"{}").get("state") == "ready")
    # Another client takes the table's name: the broker ends our connection as if the table had died.
    thief = bench.listener(broker, name="tavolo-sala-T1")
    listener.wait(lambda m: any(b"lost" in payload for topic, payload, _ in m if topic == PREFIX + "status"))
    thief.close()


def test_hidden_cards_leave_sealed_only_and_never_over_an_embedded_broker(
    bench: Any, make_entry: Any, address_of: Any
) -> None:
    arbitro, table = PrivateKey.generate(), SigningKey.generate()
    sealing = Sealing(bytes(arbitro.public_key), table)
    for kind in ("mosquitto", "embedded"):
        broker = bench.broker(kind=kind, name=kind)
        journal = bench.journal(f"{kind}.sqlite")
        listener = bench.listener(broker)
        publisher = bench.started(Publisher(TOPICS, address_of(broker), journal, boot=journal.boot, sealing=sealing))
        journal.append([make_entry(journal, {"cards": ["QS#1"]}), make_entry(journal)])
        assert publisher.drain(15)
        listener.wait(lambda m: len(events(m)) == 2)
        sealed = [payload for topic, payload, _ in listener.messages if topic == PREFIX + "sealed/1"]
        assert not any(b"QS#1" in payload for _, payload, _ in listener.messages)
        if kind == "embedded":
            assert sealed == []
            continue
        (message,) = sealed
        opened = open_sealed(message, arbitro, table.verify_key)
        assert opened["secret"] == {"cards": ["QS#1"]}
        with pytest.raises(SealError, match="not signed by this table or not sealed"):
            open_sealed(message, PrivateKey.generate(), table.verify_key)
        with pytest.raises(SealError, match="not signed by this table"):
            open_sealed(message, arbitro, SigningKey.generate().verify_key)


def test_an_order_over_mqtt_reaches_the_table_once(bench: Any, address_of: Any) -> None:
    broker = bench.broker()
    journal = bench.journal()
    key = SigningKey.generate()
    taken: list[Console] = []
    gate = CommandGate("T1", {"arbitro-1": bytes(key.verify_key).hex()}, journal, taken.append, lambda: 12.5)
    publisher = bench.started(Publisher(TOPICS, address_of(broker), journal, boot=journal.boot, gate=gate))
    assert publisher.wait_connected(10)
    listener = bench.listener(broker)
    order = sign_command(
        key, id="c1", by="arbitro-1", table="T1", do="dismiss", issued=time.time(), fields={"key": "k1"}
    )
    for _ in range(2):
        listener.client.publish(PREFIX + "command", json.dumps(order), qos=1)
    listener.wait(lambda m: sum(t == PREFIX + "command/c1/result" for t, _, _ in m) == 2)
    gate.decided(taken[0], "")
    publisher.wake()
    listener.wait(lambda m: sum(t == PREFIX + "command/c1/result" for t, _, _ in m) == 3)
    results = [json.loads(p) for t, p, _ in listener.messages if t == PREFIX + "command/c1/result"]
    words = [(r["result"], r["ok"], r["reason"]) for r in results]
    assert words == [("accepted", None, None), ("refused", False, "repeated"), ("ok", True, None)]
    assert taken == [Console(t=12.5, by="arbitro-1", do="dismiss", fields={"key": "k1"})]


def test_a_missing_broker_is_one_sentence_and_does_not_stop_the_table(bench: Any, make_entry: Any) -> None:
    from table_service.publish import BrokerAddress
    from table_service.publish.broker import free_port

    journal = bench.journal()
    port = free_port()
    publisher = bench.started(Publisher(TOPICS, BrokerAddress("127.0.0.1", port), journal, boot=journal.boot))
    journal.append([make_entry(journal)])
    assert not publisher.drain(1.0)
    report = publisher.report()
    assert report.failures >= 1
    assert f"127.0.0.1:{port}" in str(report.retrying)
    assert "next try in" in str(report.retrying)
    assert journal.outbox().acknowledged == 0


def test_a_port_in_use_is_said(bench: Any) -> None:
    taken = bench.broker(kind="embedded")
    for kind in ("embedded", "mosquitto"):
        if kind == "mosquitto" and bench.broker(name="probe") is None:
            continue
        with pytest.raises(BrokerError, match=f"port {taken.port}: is the port in use"):
            start_broker(bench.folder / "second", kind=kind, port=taken.port)


DIES = """
import os, sys
from table_service.publish import start_broker
print(start_broker(kind="mosquitto").port, flush=True)
sys.stdin.readline()
"""


def test_a_private_broker_does_not_outlive_who_started_it(bench: Any) -> None:
    bench.broker(name="probe")  # skips where there is no mosquitto
    owner = subprocess.Popen([sys.executable, "-c", DIES], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert owner.stdout is not None
    port = int(owner.stdout.readline())
    socket.create_connection(("127.0.0.1", port), timeout=5).close()
    owner.kill()
    owner.wait()
    deadline = time.monotonic() + 15
    while time.monotonic() < deadline:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            return
        time.sleep(0.05)
    pytest.fail("the broker still answers")


def test_many_alert_changes_in_many_threads_leave_the_newest(bench: Any, address_of: Any) -> None:
    broker = bench.broker()
    journal = bench.journal()
    publisher = bench.started(Publisher(TOPICS, address_of(broker), journal, boot=journal.boot))
    threads = [
        threading.Thread(target=lambda i=i: [publisher.state({"n": i * 100 + j}) for j in range(50)]) for i in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    publisher.state({"n": "last"})
    listener = bench.listener(broker)
    listener.wait(lambda m: last(m, "state") == b'{"n":"last"}')


def test_two_machines_with_one_name_back_off_and_each_says_what_is_wrong(
    bench: Any, address_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("table_service.publish.publisher.TWIN_RETRY", 0.2)
    broker = bench.broker()
    listener = bench.listener(broker, PREFIX + "status")
    both = [
        bench.started(Publisher(TOPICS, address_of(broker), journal, boot="00000a"))
        for journal in (bench.journal("one.sqlite"), bench.journal("copy.sqlite"))
    ]
    for one in both:
        one.status("ready")
    said = [[""], [""]]
    deadline = time.monotonic() + 30
    while min(one.report().taken_over for one in both) < 3:
        assert time.monotonic() < deadline
        for kept, one in zip(said, both, strict=True):
            if (why := one.report().retrying) and why != kept[-1]:
                kept.append(why)
        time.sleep(0.01)
    for kept in said:
        assert any("another machine at 127.0.0.1 connects as table T1" in why for why in kept)
        waits = [float(why.rpartition(" in ")[2].split()[0]) for why in kept if "another machine" in why]
        assert waits == sorted(set(waits)), "each wait is longer than the one before"
        assert waits[-1] >= 0.4
    alive = [json.loads(payload) for _, payload, _ in listener.messages if b"ready" in payload]
    assert len({one["instance"] for one in alive}) == 2
    assert {one["address"] for one in alive} == {"127.0.0.1"}
