"""The power is cut at a running table: a real file system goes down under it, with all that was not brought to it.

The table's files are on ext4 in a loop device that is shut down without its journal (``EXT4_IOC_SHUTDOWN``): what was
not synced is gone, as after a power cut. Needs root and loop devices.
"""

from __future__ import annotations

import fcntl
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any, Final

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from hw.observation_log import read_log
from table_service.journal import Journal, load_or_make_key
from table_service.publish import BrokerAddress, BrokerError, start_broker
from table_service.rehearsal.rehearse import rehearse
from table_service.service import TableFiles, TableService

_SHUT_DOWN: Final = 0x8004587D
_AT_ONCE: Final = struct.pack("I", 2)
"""Nothing of the file system's own journal is written any more."""
BEHIND_S: Final = 1.0
PLAY: Final = """
import sys, threading, time
from dataclasses import replace
from pathlib import Path
from hw.observation_log import read_log
from table_service.publish import BrokerAddress
from table_service.service import TableFiles, TableService
folder, log, port, speed = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
header, observations = read_log(log)
header = replace(header, started=time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))
began = time.monotonic()
clock = lambda: (time.monotonic() - began) * speed
service = TableService(header, "prova", TableFiles.under(folder, header.table), BrokerAddress("127.0.0.1", port), clock)
service.start()
print("ready", flush=True)
for n, one in enumerate(observations):
    time.sleep(max(0.0, (one.t - clock()) / speed))
    service.observe(replace(one, t=max(one.t, 0.0)))
    print(n, time.monotonic(), flush=True)
time.sleep(600)
"""
"""A table that is played faster than people do. Of each observation that was taken it says when."""


class Disk:
    """A small ext4 file system in a file, mounted."""

    def __init__(self, folder: Path) -> None:
        self.image, self.place = folder / "disk", folder / "mounted"
        self.image.touch()
        os.truncate(self.image, 64 * 1024 * 1024)
        self.place.mkdir()
        _run("mkfs.ext4", "-q", str(self.image))
        _run("mount", "-o", "loop", str(self.image), str(self.place))

    def shut_down(self) -> None:
        """Take the file system away under whoever writes in it."""
        handle = os.open(self.place, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, _SHUT_DOWN, _AT_ONCE)
        finally:
            os.close(handle)

    def mount_again(self) -> None:
        """As a start of the machine does: the file system's journal is replayed."""
        self.unmount()
        _run("mount", "-o", "loop", str(self.image), str(self.place))

    def unmount(self) -> None:
        _run("umount", str(self.place))


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True, timeout=60)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    if os.geteuid() != 0 or shutil.which("mkfs.ext4") is None:
        pytest.skip("a file system is mounted and taken away: needs root and mkfs.ext4")
    try:
        made = Disk(tmp_path)
    except (subprocess.CalledProcessError, OSError) as error:
        pytest.skip(f"no loop device can be mounted here: {error}")
    yield made
    with suppress(subprocess.CalledProcessError):
        made.unmount()


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    log = tmp_path_factory.mktemp("played") / "log.jsonl"
    rehearse("fibur2024", 7, log, 1, ("F-31a",), "none")
    return log


class Cut:
    """What was known outside when the power went: the events that were announced, and when each observation came."""

    def __init__(self, announced: list[dict[str, Any]], seen: list[float], cut: float) -> None:
        self.announced, self.seen, self.cut = announced, seen, cut


def cut_power(disk: Disk, log: Path, after_s: float, speed: float) -> Cut:
    """Play at a table until ``after_s`` seconds after it was ready, and cut the power."""
    announced: list[dict[str, Any]] = []
    with ExitStack() as stack:
        broker = start_broker()
        stack.callback(broker.stop)
        client = Client(CallbackAPIVersion.VERSION2)
        client.on_message = lambda _c, _d, message: announced.append(json.loads(message.payload))
        client.on_connect = lambda client, *_: client.subscribe("tavolo/v1/+/+/event/#", qos=1)
        client.connect("127.0.0.1", broker.port)
        client.loop_start()
        stack.callback(client.loop_stop)
        command = [sys.executable, "-c", PLAY, str(disk.place), str(log), str(broker.port), str(speed)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as table:
            stack.callback(table.kill)
            assert table.stdout is not None
            assert table.stdout.readline() == "ready\n"
            seen, end = [], time.monotonic() + after_s
            while time.monotonic() < end:
                line = table.stdout.readline()
                seen.append(float(line.split()[1]))
            disk.shut_down()
            cut = time.monotonic()
            table.kill()
        time.sleep(0.2)  # what the broker had taken by then is handed on
    disk.mount_again()
    return Cut(announced, [at for at in seen if at < cut], cut)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.sweep)])
def test_nothing_announced_is_missing_after_a_power_cut_and_the_deal_goes_on(
    disk: Disk, played: Path, seed: int
) -> None:
    after_s = random.Random(seed).uniform(3.0, 6.0)
    try:
        cut = cut_power(disk, played, after_s, 25.0)
    except BrokerError as error:
        pytest.skip(str(error))
    header, _ = read_log(played)
    places = TableFiles.under(disk.place, header.table)
    with Journal.open(places.journal, header.table, load_or_make_key(places.key)) as journal:
        kept = {one.public["id"] for one in journal.events()}
    assert cut.announced
    assert {one["id"] for one in cut.announced} <= kept
    assert places.log is not None
    logged = places.log.read_bytes().count(b"\n") - 1
    lost = cut.seen[logged:]
    assert not lost or cut.cut - lost[0] <= BEHIND_S
    service = TableService(header, "prova", places, BrokerAddress("127.0.0.1", 1), lambda: 0.0)
    service.start()
    told = [one.public for one in service.journal.events() if one.public["type"] == "round.resumed"]
    assert [one["data"]["lost"] for one in told] == [None]
    assert service.table.state()["deal"] == 1
    service.close(0.0)


def test_a_plug_pulled_in_the_first_seconds_of_a_tables_life_leaves_one_that_starts(disk: Disk, played: Path) -> None:
    try:
        cut_power(disk, played, 0.3, 1.0)
    except BrokerError as error:
        pytest.skip(str(error))
    header, _ = read_log(played)
    service = TableService(
        header, "prova", TableFiles.under(disk.place, header.table), BrokerAddress("127.0.0.1", 1), lambda: 0.0
    )
    service.start()
    service.close(0.0)
