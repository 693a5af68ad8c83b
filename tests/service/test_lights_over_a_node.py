"""What the table shows goes out to a real node: MicroPython on a pseudo-terminal, the bridge, the service."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from firmware_bridge import Bridge, Lights
from firmware_bridge.codec import Splitter, decode
from firmware_bridge.serial_line import SerialLine
from hw.observations import Button, Console
from hw.seats import Seat
from hw.twin.node_host import NodeHost
from hw.twin.provide_micropython import NoMicroPython, find
from hw.twin.raw import RawFrame
from table_service.publish import BrokerAddress
from table_service.rehearsal.rehearse import header_for
from table_service.service import TableFiles, TableService


@pytest.mark.timeout(60)
def test_a_call_lights_the_seat_at_the_node(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        interpreter = find()
    except NoMicroPython as reason:
        pytest.skip(str(reason))
    splitter, shown, changed = Splitter(), set[Lights](), threading.Condition()
    write = SerialLine.write

    def tapped(line: SerialLine, data: bytes) -> None:
        write(line, data)
        with changed:
            shown.update(
                message for block in splitter.feed(data) if isinstance(message := decode(block).message, Lights)
            )
            changed.notify_all()

    monkeypatch.setattr(SerialLine, "write", tapped)
    service = TableService(
        header_for("fibur2024", 7, 1),
        "sala",
        TableFiles.under(tmp_path, "T1"),
        BrokerAddress("127.0.0.1", 1),
        lambda: 1.0,
    )
    with NodeHost(micropython=interpreter) as host, Bridge([host.port], lambda: 1.0) as bridge:
        host.feed(RawFrame(0.0, {}, 1.0))
        while bridge.complete_until() is None:  # the test's time limit ends a node that never answers
            bridge.get(0.2)
        assert not any(light.turn or light.alert for light in shown)
        service.displays.append(bridge.show)
        service.observe(Console(0.5, "arbitro-1", "start-round", {"deals": 1}))
        service.observe(Button(0.6, Seat.EAST, "referee"))
        with changed:
            assert changed.wait_for(lambda: any(light.alert == 2 for light in shown), 30), shown
        (counters,) = bridge.counters().values()
        assert counters["problem"] == ""
    service.close(0)
