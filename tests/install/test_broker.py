"""The broker's settings under a real mosquitto: each table has its own topics and no other's, nobody is anonymous."""

from __future__ import annotations

import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from table_service.install import contents
from table_service.publish.broker import find_mosquitto

USERS = ("console", "table-T1", "table-T2")
NOT_ALLOWED = 0x87
"""MQTT 5's reason "not authorized"."""


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@dataclass
class Hall:
    """A running broker with an installation's settings."""

    port: int

    def connect(self, user: str | None) -> Person:
        return Person(self.port, user)


class Person:
    """One who signs in at the broker."""

    def __init__(self, port: int, user: str | None) -> None:
        self.heard: list[str] = []
        self._changed = threading.Condition()
        self.client = Client(CallbackAPIVersion.VERSION2, protocol=MQTTv5)
        if user is not None:
            self.client.username_pw_set(user, f"secret-{user}")
        self.answer: list[int] = []
        self.answers: dict[int, int] = {}
        self.client.on_connect = lambda _c, _d, _f, code, _p: self._note(self.answer.append, code.value)
        self.client.on_publish = lambda _c, _d, mid, code, _p: self._note(self.answers.update, {mid: code.value})
        self.client.on_subscribe = lambda _c, _d, mid, codes, _p: self._note(self.answers.update, {mid: codes[0].value})
        self.client.on_message = lambda _c, _d, message: self._note(self.heard.append, message.topic)
        self.client.connect("127.0.0.1", port)
        self.client.loop_start()
        self.wait(lambda: bool(self.answer))

    def _note(self, put: object, value: object) -> None:
        with self._changed:
            put(value)  # type: ignore[operator]
            self._changed.notify_all()

    def wait(self, done: object) -> None:
        with self._changed:
            assert self._changed.wait_for(done, 10)  # type: ignore[arg-type]

    def publish(self, topic: str) -> int:
        """The broker's reason code for a message of QoS 1."""
        mid = self.client.publish(topic, b"x", qos=1).mid
        self.wait(lambda: mid in self.answers)
        return self.answers[mid]

    def subscribe(self, topic: str) -> None:
        _, mid = self.client.subscribe(topic, 1)
        self.wait(lambda: mid in self.answers)


@pytest.fixture
def hall(tmp_path: Path) -> Iterator[Hall]:
    mosquitto, passwd = find_mosquitto(), shutil.which("mosquitto_passwd")
    if mosquitto is None or passwd is None:
        pytest.skip("mosquitto is not installed")
    port = _free_port()
    settings = contents.mosquitto(everywhere=False).replace("/etc/mosquitto", str(tmp_path))
    settings = settings.replace("listener 1883", f"listener {port}")
    text = f"persistence true\npersistence_location {tmp_path}/\nuser root\n{settings}"
    (tmp_path / "mosquitto.conf").write_text(text, "utf-8")
    (tmp_path / "tavolo.acl").write_text(contents.acl("sala", ("T1", "T2")), "utf-8")
    (tmp_path / "tavolo.passwords").write_text("", "utf-8")
    (tmp_path / "tavolo.passwords").chmod(0o600)
    for user in USERS:
        subprocess.run([passwd, "-b", str(tmp_path / "tavolo.passwords"), user, f"secret-{user}"], check=True)
    process = subprocess.Popen([mosquitto, "-c", str(tmp_path / "mosquitto.conf")], stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            assert process.poll() is None, "mosquitto refuses the settings"
            time.sleep(0.05)
        yield Hall(port)
    finally:
        process.terminate()
        process.wait()


def test_a_table_writes_its_own_topics_and_no_other_tables(hall: Hall) -> None:
    table = hall.connect("table-T1")
    assert table.publish("tavolo/v1/sala/T1/state") in (0, 0x10)
    assert table.publish("tavolo/v1/sala/T2/state") == NOT_ALLOWED
    assert table.publish("tavolo/v1/sala/T2/command") == NOT_ALLOWED


def test_a_table_hears_its_orders_and_nothing_of_another_tables_hidden_cards(hall: Hall) -> None:
    first, second, console = hall.connect("table-T1"), hall.connect("table-T2"), hall.connect("console")
    second.subscribe("tavolo/v1/sala/#")
    assert first.publish("tavolo/v1/sala/T1/sealed/1") in (0, 0x10)
    console.publish("tavolo/v1/sala/T2/command")
    second.wait(lambda: "tavolo/v1/sala/T2/command" in second.heard)
    assert second.heard == ["tavolo/v1/sala/T2/command"]


def test_the_console_hears_the_hall_and_orders_but_cannot_speak_for_a_table(hall: Hall) -> None:
    console, table = hall.connect("console"), hall.connect("table-T1")
    console.subscribe("tavolo/v1/sala/#")
    table.publish("tavolo/v1/sala/T1/event/card.drawn")
    console.wait(lambda: "tavolo/v1/sala/T1/event/card.drawn" in console.heard)
    assert console.publish("tavolo/v1/sala/T1/command") in (0, 0x10)
    assert console.publish("tavolo/v1/sala/T1/state") == NOT_ALLOWED
    assert console.publish("tavolo/v1/sala/~console/mark/1") in (0, 0x10)


def test_nobody_is_anonymous(hall: Hall) -> None:
    assert hall.connect(None).answer == [NOT_ALLOWED]


@pytest.mark.parametrize("left", ["zeros", "nothing", "whole", "missing"])
def test_a_broker_whose_file_a_power_cut_spoilt_starts_and_a_whole_file_is_left_alone(
    left: str, tmp_path: Path
) -> None:
    mosquitto = find_mosquitto()
    if mosquitto is None:
        pytest.skip("mosquitto is not installed")
    kept, port = tmp_path / "mosquitto.db", _free_port()
    lines = ("user root", f"listener {port} 127.0.0.1", "allow_anonymous true", "persistence true")
    settings = "\n".join((*lines, f"persistence_location {tmp_path}/", ""))
    (tmp_path / "mosquitto.conf").write_text(settings, "utf-8")

    def starts() -> bool:
        run = subprocess.Popen([mosquitto, "-c", str(tmp_path / "mosquitto.conf")], stderr=subprocess.DEVNULL)
        ends = time.monotonic() + 10
        while run.poll() is None and time.monotonic() < ends:
            with socket.socket() as one:
                if one.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.02)
        is_up = run.poll() is None
        run.terminate()  # it writes its file as it ends
        run.wait(10)
        return is_up

    if left == "whole":
        assert starts()
    elif left == "zeros":
        kept.write_bytes(bytes(4096))
        assert not starts()
    elif left == "nothing":
        kept.touch()
    before = kept.read_bytes() if kept.exists() else None
    shell = contents.BROKER_START.partition("-c '")[2].partition("'")[0].replace("\\\n", " ")  # as systemd joins lines
    subprocess.run(["/bin/sh", "-c", shell.replace("/var/lib/mosquitto", str(tmp_path))], check=False)
    assert (tmp_path / "mosquitto.db.damaged").exists() == (left == "zeros")
    assert left != "whole" or kept.read_bytes() == before
    assert starts()
