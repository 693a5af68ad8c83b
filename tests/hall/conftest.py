"""A hall made by the command's own functions, under a real mosquitto that reads the settings as they were written."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from paho.mqtt.client import Client, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion

from table_service.hall import hall_folder
from table_service.hall.authority import now
from table_service.hall.broker_files import Doors
from table_service.publish.broker import find_mosquitto, free_port


class Person:
    """One who signs in at the broker over TLS; ``answer``: its reason code, None where it hung up."""

    def __init__(self, port: int, certificate: Path | None, authority: Path, client_id: str = "") -> None:
        self.heard: list[str] = []
        self.answer: int | None = None
        self.over = False
        self._answers: dict[int, int] = {}
        self._changed = threading.Condition()
        # who is cut off stays so: else, on a slow machine, he comes back and takes the next one's session over
        self.client = Client(
            CallbackAPIVersion.VERSION2, client_id=client_id, protocol=MQTTv5, reconnect_on_failure=False
        )
        context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=str(authority))
        if certificate is not None:
            context.load_cert_chain(certificate, certificate.with_suffix(".key"))
        self.client.tls_set_context(context)
        self.client.on_connect = lambda _c, _d, _f, code, _p: self._note("answer", code.value)
        self.client.on_disconnect = lambda *_: self._note("over", True)
        self.client.on_publish = lambda _c, _d, mid, code, _p: self._note(
            "_answers", {**self._answers, mid: code.value}
        )
        self.client.on_subscribe = lambda _c, _d, mid, _r, _p: self._note("_answers", {**self._answers, mid: 0})
        self.client.on_message = lambda _c, _d, message: self._note("heard", [*self.heard, message.topic])
        try:
            self.client.connect("127.0.0.1", port)
        except OSError:
            self.over = True
            return
        self.client.loop_start()
        self.wait(lambda: self.over or self.answer is not None)

    def _note(self, name: str, value: object) -> None:
        with self._changed:
            setattr(self, name, value)
            self._changed.notify_all()

    def wait(self, done: Callable[[], Any]) -> None:
        with self._changed:
            assert self._changed.wait_for(done, 20)

    def publish(self, topic: str, payload: bytes = b"x") -> int | None:
        """The broker's reason code for a message of QoS 1; None where it hung up instead."""
        mid = self.client.publish(topic, payload, qos=1).mid
        self.wait(lambda: mid in self._answers or self.over)
        return self._answers.get(mid)

    def subscribe(self, topic: str) -> None:
        _, mid = self.client.subscribe(topic, 1)
        self.wait(lambda: mid in self._answers)

    def close(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()


def _listens(port: int) -> bool:
    """Whether a broker opened this port; it opens one after the other."""
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@dataclass
class Hall:
    """A hall's folder and the broker that runs by its settings."""

    folder: Path
    doors: Doors
    place: Path
    process: subprocess.Popen[bytes] | None = None
    people: list[Person] = field(default_factory=list)

    def start(self) -> None:
        mosquitto = find_mosquitto()
        assert mosquitto is not None
        # Debian's own mosquitto.conf in small: what persists, and the folder of further settings
        main = self.place / "main.conf"
        main.write_text(
            f"user root\npersistence true\npersistence_location {self.place}/\n"
            f"log_dest file {self.place}/mosquitto.log\ninclude_dir {self.folder}/broker\n"
        )
        self.process = subprocess.Popen([mosquitto, "-c", str(main)], stderr=subprocess.DEVNULL)
        for _ in range(400):
            if all(_listens(port) for port in (self.doors.tables, self.doors.console)):
                return
            assert self.process.poll() is None, (self.place / "mosquitto.log").read_text()
            time.sleep(0.05)
        raise AssertionError("mosquitto does not answer")

    def stop(self) -> None:
        if self.process is not None:
            self.process.terminate()
            self.process.wait()

    def restart(self) -> None:
        self.stop()
        self.start()

    def table(self, name: str, client_id: str = "") -> Person:
        return self.person(self.folder / "tables" / name / f"{name}.crt", client_id=client_id)

    def console(self) -> Person:
        return self.person(self.folder / "console" / "console.crt", self.doors.console)

    def person(self, certificate: Path | None, port: int = 0, client_id: str = "") -> Person:
        made = Person(port or self.doors.tables, certificate, self.folder / "authority" / "authority.crt", client_id)
        self.people.append(made)
        return made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A hall of two tables."""
    return _create(tmp_path / "hall")


def _create(made: Path) -> Path:
    doors = Doors(free_port(), free_port())
    book = hall_folder.HallBook("sala", ["127.0.0.1"], doors, free_port(), "2.0", ["T1", "T2"])
    hall_folder.create(made, book, now())
    return made


def _started(folder: Path, place: Path) -> Hall:
    """A hall whose broker runs; with other ports where another process has taken one since it was found free."""
    for _ in range(3):
        made = Hall(folder, hall_folder.read_book(folder).doors, place)
        try:
            made.start()
        except AssertionError as error:
            if "Address already in use" not in str(error):
                raise
            shutil.rmtree(folder)
            (place / "mosquitto.log").unlink()
            _create(folder)
        else:
            return made
    raise AssertionError("a port was taken three times")


@pytest.fixture
def hall(folder: Path, tmp_path: Path) -> Iterator[Hall]:
    if find_mosquitto() is None:
        pytest.skip("mosquitto is not installed")
    made = _started(folder, tmp_path)
    yield made
    for person in made.people:
        person.close()
    made.stop()
