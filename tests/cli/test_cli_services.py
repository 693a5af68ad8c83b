"""`tavolo run`, `console`, `doctor`: what is missing is said in a sentence, waited for, and never ends the table."""

from __future__ import annotations

import json
import queue
import re
import socket
from pathlib import Path

import httpx
import paho.mqtt.client as mqtt
import pytest

from table_service.journal import Journal, load_or_make_key
from table_service.publish.broker import free_port, start_broker

TABLE = """
[table]
name = "T9"
hall = "prova"
rules = "fibur2024"

[nodes.gates]
port = "{folder}/no-such-device"
coils = ["gate-N", "gate-E", "gate-S", "gate-W", "gate-stock", "discard"]

[camera]
source = "file:{folder}/no-such-picture.jpg"

[broker]
host = "127.0.0.1"
port = {port}

[storage]
journal = "{folder}/T9.sqlite"
log = "{folder}/T9.jsonl"
"""
HALL = """
[hall]
name = "prova"
tables = ["T9"]

[broker]
port = {broker}

[console]
port = {port}
"""


@pytest.fixture
def table(tmp_path: Path) -> tuple[Path, int]:
    """A table's configuration that names a device, a picture and a broker that are not there; the broker's port."""
    port = free_port()
    file = tmp_path / "table.toml"
    file.write_text(TABLE.format(folder=tmp_path, port=port), encoding="utf-8")
    return file, port


def listen(port: int, topic: str) -> tuple[mqtt.Client, queue.Queue[tuple[str, dict]]]:
    heard: queue.Queue[tuple[str, dict]] = queue.Queue()
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2)
    client.on_connect = lambda *_: client.subscribe(topic, qos=1)
    client.on_message = lambda _c, _u, message: heard.put((message.topic, json.loads(message.payload or "null")))
    client.connect("127.0.0.1", port)
    client.loop_start()
    return client, heard


@pytest.mark.slow(seconds=6)
def test_a_table_without_device_camera_and_broker_runs_says_so_and_finds_them_later(tavolo, table):
    config, port = table
    with tavolo.running("run", "--config", config) as running:
        running.until_said("no-such-device")
        running.until_said("no-such-picture.jpg")
        said = running.until_said(f"127.0.0.1:{port}: no answer")
        for words in ("no-such-device", "no-such-picture.jpg", "no answer"):
            assert len([line for line in said.splitlines() if words in line]) == 1
        broker = start_broker(port=port)
        client, heard = listen(port, "tavolo/v1/prova/T9/#")
        try:
            known: dict[str, dict] = {}
            told: list[dict] = []  # of several events on one topic every one counts

            def hear(kind: str) -> dict | None:
                while not heard.empty():
                    topic, document = heard.get()
                    known[topic.removeprefix("tavolo/v1/prova/T9/")] = document
                    told.extend([document] if topic.endswith("event/table.health") else [])
                return known.get(kind)

            def loss() -> dict | None:
                hear("health")
                return next((event for event in told if event["data"]["state"] == "lost"), None)

            running.until(lambda: (hear("status") or {}).get("state") == "ready", "status ready")
            health = running.until(lambda: hear("health"), "health")
            assert health["nodes"]["gates"]["state"] == "lost"
            assert "no-such-device" in health["nodes"]["gates"]["problem"]
            lost = running.until(loss, "the loss as an event")
            assert lost["late"] is True
            assert running.end() == 0
            for _ in range(1000):
                if (hear("status") or {}).get("state") == "stopped":
                    break
                topic, document = heard.get(timeout=60)
                known[topic.removeprefix("tavolo/v1/prova/T9/")] = document
            assert known["status"]["state"] == "stopped"
        finally:
            client.loop_stop()
            client.disconnect()
            broker.stop()
    log = [json.loads(line) for line in (config.parent / "T9.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {line["node"] for line in log if line["kind"] == "health"} == {"gates", "camera"}
    assert (config.parent / "T9.jsonl").stat().st_mode & 0o077 == 0


def test_a_second_start_keeps_the_log_of_the_first(tavolo, table):
    config, _ = table
    earlier = '{"kind":"header","what":"was played before"}\n'
    (config.parent / "T9.jsonl").write_text(earlier, encoding="utf-8")
    with tavolo.running("run", "--config", config) as running:
        running.until_said("no answer")
        assert running.end() == 0
    kept = [path.read_text(encoding="utf-8") for path in config.parent.glob("T9.before-*.jsonl")]
    assert kept == [earlier]
    assert (config.parent / "T9.jsonl").read_text(encoding="utf-8").startswith('{"kind":"header","version":1')


def test_a_journal_in_use_is_one_sentence_and_costs_the_other_nothing(tavolo, table):
    config, _ = table
    journal = config.parent / "T9.sqlite"
    log = config.parent / "T9.jsonl"
    log.write_text("the other one's\n", encoding="utf-8")
    book = Journal.open(journal, "T9", load_or_make_key(journal.with_suffix(".key")))
    try:
        done = tavolo("run", "--config", config)
    finally:
        book.close()
    assert done.returncode == 1
    (said,) = done.stderr.decode().splitlines()
    assert str(journal) in said
    assert "in use" in said
    assert log.read_text(encoding="utf-8") == "the other one's\n"


def test_configurations_that_are_wrong_are_said_with_their_line(invoke, tmp_path, table):
    text = table[0].read_text(encoding="utf-8")
    bad = tmp_path / "bad.toml"
    bad.write_text(text.replace('rules = "fibur2024"', 'rules = "whist"'), encoding="utf-8")
    result = invoke("run", "--config", bad)
    assert result.exit_code == 1
    assert f"{bad}:5: " in result.output
    for command in ("run", "console", "doctor"):
        for path in (bad, tmp_path, tmp_path / "absent.toml"):
            result = invoke(command, "--config", path)
            assert result.exit_code == 1
            assert path.name in result.output


def test_secrets_that_cannot_be_read_are_one_sentence(invoke, tmp_path, table):
    config, _ = table
    text = config.read_text(encoding="utf-8")
    secret = tmp_path / "secret"
    for content in (None, b"\xff\xfe"):
        if content is not None:
            secret.write_bytes(content)
        config.write_text(text.replace("[storage]", f'password_file = "{secret}"\n\n[storage]'), encoding="utf-8")
        result = invoke("run", "--config", config)
        assert result.exit_code == 1
        assert result.output.splitlines()[-1].startswith(f"tavolo: the broker's password file {secret}")
    for content in ("[]", "{", None):
        tags = tmp_path / "tags.json"
        tags.unlink(missing_ok=True)
        if content is not None:
            tags.write_text(content, encoding="utf-8")
        config.write_text(text + f'tags = "{tags}"\n', encoding="utf-8")
        result = invoke("run", "--config", config)
        assert result.exit_code == 1
        assert result.output.splitlines()[-1].startswith(f"tavolo: the tags file {tags}")


# --- console ---------------------------------------------------------------------------------------------------------


@pytest.mark.slow(seconds=6)
def test_the_console_serves_without_a_broker_and_ends_when_told(tavolo):
    config = tavolo.folder / "hall.toml"
    config.write_text(HALL.format(broker=free_port(), port=0), encoding="utf-8")
    with tavolo.running("console", "--config", config) as running:
        said = running.until_said("http://")
        url = said[said.index("http://") :].split()[0]

        def health() -> dict:
            return httpx.get(f"{url}health", timeout=30).json()

        running.until(lambda: health()["problem"], "saying that no broker answers")
        assert health()["broker"] == "retrying"
        assert httpx.get(url, timeout=30).headers["location"].startswith("/enter")
        said = running.until_said("[console_keys]")
        first = re.search(r"http://\S+/start/\S+", said)[0]
        with httpx.Client(timeout=30) as browser:
            token = re.search(r'name="csrf" value="(\w+)"', browser.get(first).text)[1]
            browser.post(first, data={"csrf": token, "name": "Anna", "password": "una frase lunga"})
            assert "T9" in browser.get(url).text
        assert running.end() == 0
    assert (tavolo.folder / "console.sqlite").stat().st_mode & 0o077 == 0
    with tavolo.running("console", "--config", config) as running:
        assert "/start/" not in running.until_said("[console_keys]"), "the first link is made once"
        assert running.end() == 0


def test_a_port_in_use_is_one_sentence(invoke, tmp_path):
    config = tmp_path / "hall.toml"
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        config.write_text(HALL.format(broker=free_port(), port=port), encoding="utf-8")
        result = invoke("console", "--config", config)
    assert result.exit_code == 1
    (said,) = result.output.splitlines()
    assert f"127.0.0.1:{port}" in said
    assert "in use" in said


# --- doctor ----------------------------------------------------------------------------------------------------------


def test_the_doctor_says_what_this_machine_has(invoke):
    findings = json.loads(invoke("doctor", "--json").output)
    assert {finding["verdict"] for finding in findings} <= {"ok", "missing", "bad"}
    assert {"python", "broker", "browser", "disk", "clock"} <= {finding["what"] for finding in findings}
    told = invoke("doctor").output
    assert all(finding["what"] in told for finding in findings)


def test_the_doctor_finds_what_a_table_lacks(invoke, table):
    config, port = table
    result = invoke("doctor", "--config", config, "--json")
    assert result.exit_code == 1
    findings = {finding["what"]: finding for finding in json.loads(result.output)}
    for what, words in (("node gates", "no-such-device"), ("camera", "no-such-picture"), ("mqtt", f"127.0.0.1:{port}")):
        assert findings[what]["verdict"] == "bad"
        assert words in findings[what]["detail"]
    assert findings["senses"]["verdict"] == "missing"


def test_the_doctor_finds_a_broker_that_is_there(invoke, table):
    config, port = table
    broker = start_broker(port=port)
    try:
        result = invoke("doctor", "--config", config, "--json")
    finally:
        broker.stop()
    findings = {finding["what"]: finding for finding in json.loads(result.output)}
    assert findings["mqtt"]["verdict"] == "ok"


@pytest.mark.slow(seconds=6)
def test_a_key_file_that_holds_no_key_is_said_in_one_sentence(tavolo, table, tmp_path):
    config, port = table
    (tmp_path / "T9.key").write_text("no key\n", encoding="ascii")
    hall = tmp_path / "hall.toml"
    hall.write_text(HALL.format(broker=port, port=0) + f'key_file = "{tmp_path}/T9.key"\n', encoding="utf-8")
    for command, file in (("run", config), ("console", hall)):
        answer = tavolo(command, "--config", file)
        assert answer.returncode == 1
        assert "T9.key holds no key: 64 hexadecimal digits are expected" in answer.stderr.decode()
