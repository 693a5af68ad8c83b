"""The real MicroPython boots the real, provisioned files in an emulated RP2040, with the host at its USB port.

One chip a board lives through all tests of its group in their order. MicroPython's image is not part of the project:
where it is missing, nothing here runs, and the skip says so. An emulated second takes some ten: `make test` boots the
gates' node, lets it sense, and mends a stale one over its port; the node at the seats, whose drivers ``test_board``
tries, and a reset in mid-traffic are for `make proof`. What takes longer still is a command:
``python -m lab.link.emulated``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from firmware_bridge.codec import encode
from firmware_bridge.frames import Frame, HelloRequest, Sensor, SnapshotBegin, SnapshotEnd, Weighed
from firmware_bridge.maintenance import NodeWish, update, verify
from firmware_bridge.repl import ASK_AFTER, LEAVE
from firmware_bridge.session import Arrived
from hw.observations import Button, Health, Knock, Reach, Scale, Shield, Tags
from hw.provision import files_checksum, unseal
from hw.seats import Seat
from lab.chips.emulated_pico import EmulatedPico, find_image
from lab.chips.pn5180_sim import Tag
from lab.link.emulated_node import HEARD, STEP, EmulatedNode, provisioned
from lab.link.emulated_port import EmulatedPort
from lab.link.heap import measure

SMALL = 1 << 30
"""Microseconds from which MicroPython's integers on an RP2040 are no longer small: 17.9 minutes."""
CALIBRATION = {f"scale:{zone}": {"zero": 0, "counts_per_kg": 4_000_000} for zone in ("stock", "discard", "pots")}
BOOT = 6.0
"""Emulated seconds within which a node must have said everything."""
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]


def need_image() -> Path:
    """MicroPython's image; without it, or without the emulator, the test is left out and says so."""
    if find_spec("rp2040py") is None:
        pytest.skip("rp2040py is not installed: the firmware's real boot is not tried")
    image = find_image()
    if image is None:
        pytest.skip("no MicroPython image for an RP2040: the firmware's real boot is not tried (TAVOLO_UF2 names one)")
    return image


def booted(which: str) -> EmulatedNode:
    """A node that got power while a host called it, as hosts did once: bytes 3 and 1 from the first moment on."""
    node = EmulatedNode(need_image(), which, provisioned(which, CALIBRATION if which == "seats" else None))
    calls = 0
    while not node.session.counters.frames:
        node.run(0.05)
        if node.pico.connected:
            node.pico.write(b"\0" + encode(Frame(0, 0, 1, 0, HelloRequest())))
            calls += 1
        assert node.pico.seconds < BOOT, bytes(node.text)
    assert calls > 10
    node.until(lambda: any(isinstance(one, Health) for one in node.observations), BOOT)
    return node


@pytest.fixture(scope="module")
def gates() -> Iterator[EmulatedNode]:
    node = booted("gates")
    yield node
    assert node.board.hardware.reader_faults == []


@pytest.fixture(scope="module")
def seats() -> Iterator[EmulatedNode]:
    node = booted("seats")
    yield node
    assert [cell.faults for cell in node.board.hardware.cells.values()] == [[], [], []]


def whole(node: EmulatedNode, which: str) -> None:
    """Hello, every sensor by name, and a snapshot without troubles."""
    hello = node.joined()[-1].hello
    config = json.loads(provisioned(which)["node.json"].decode())
    assert (hello.node, hello.sensors) == (f"{which}-1", len(config["sensors"]))
    assert hello.files == files_checksum(), "computed on the chip, from its flash"
    assert [one.name for one in node.messages(Sensor)][-hello.sensors :] == [name for _, name in config["sensors"]]
    health = [one for one in node.observations if isinstance(one, Health)]
    assert (health[-1].state, health[-1].note) == ("ok", f"{hello.sensors} sensors")
    assert node.readings.troubles == {}


def seen(node: EmulatedNode, kind: type, since: int) -> list:  # type: ignore[type-arg]
    """Observations of that kind after the first ``since``."""
    return [one for one in node.observations[since:] if isinstance(one, kind)]


@pytest.mark.xdist_group("emulated-gates")
def test_gates_boots_under_a_calling_host_and_tells_every_sensor(gates: EmulatedNode) -> None:
    whole(gates, "gates")
    assert (gates.joined()[0].how, gates.joined()[0].hello.cause) == ("first", 1)
    assert gates.advice == []


@pytest.mark.xdist_group("emulated-gates")
def test_a_card_over_a_gate_and_an_arm_in_a_beam_are_told(gates: EmulatedNode) -> None:
    since = len(gates.observations)
    gates.board.hardware.over("gate-S", [Tag(bytes.fromhex("E004015012345678"))])
    gates.until(lambda: seen(gates, Tags, since), 3.0)
    assert seen(gates, Tags, since)[0].tags == ("E004015012345678",)
    expander = gates.board.hardware.chips["inputs", 32]
    expander.closed ^= 0b10001  # type: ignore[attr-defined]  # N's edge and the stock's place
    gates.until(lambda: seen(gates, Reach, since), 2.0)
    assert (seen(gates, Reach, since)[0].seat, seen(gates, Reach, since)[0].zone) == (Seat.NORTH, "stock")
    expander.closed ^= 0b10001  # type: ignore[attr-defined]
    gates.until(lambda: "out" in [one.phase for one in seen(gates, Reach, since)], 2.0)


@pytest.mark.xdist_group("emulated-gates")
def test_a_snapshot_is_answered_when_it_is_asked_for(gates: EmulatedNode) -> None:
    begun, ended = len(gates.messages(SnapshotBegin)), len(gates.messages(SnapshotEnd))
    gates.session.request_snapshot()
    gates.until(lambda: len(gates.messages(SnapshotEnd)) > ended, 2.0)
    assert len(gates.messages(SnapshotBegin)) == begun + 1


@pytest.mark.sweep
@pytest.mark.xdist_group("emulated-gates")
def test_a_reset_in_mid_traffic_is_survived_counted_and_told(gates: EmulatedNode) -> None:
    since = len(gates.observations)
    gates.session.request_snapshot()
    gates.run(0.02)  # the host has spoken, the node is about to answer
    gates.pico.press_reset()
    gates.until(lambda: seen(gates, Health, since) and seen(gates, Health, since)[-1].state == "ok", BOOT)
    whole(gates, "gates")
    hello = gates.joined()[-1].hello
    assert (gates.joined()[-1].how, hello.cause, hello.resets) == ("reset", 4, 1)
    assert json.loads(gates.pico.flash_files["starts.json"])["starts"] == 2
    assert gates.advice == []


@pytest.mark.sweep
@pytest.mark.xdist_group("emulated-seats")
def test_seats_boots_under_a_calling_host_and_tells_every_sensor(seats: EmulatedNode) -> None:
    whole(seats, "seats")
    assert seats.advice == []


@pytest.mark.sweep
@pytest.mark.xdist_group("emulated-seats")
def test_a_scale_a_shield_a_button_and_a_knock_are_told(seats: EmulatedNode) -> None:
    since = len(seats.observations)
    hardware = seats.board.hardware
    hardware.cells["discard"].counts = 400_000
    seats.until(lambda: [one for one in seen(seats, Scale, since) if one.zone == "discard" and one.grams > 90], 2.0)
    hardware.chips["near", 32].closed = 1  # type: ignore[attr-defined]
    seats.until(lambda: seen(seats, Button, since), 2.0)
    hardware.chips["near", 32].closed = 0  # type: ignore[attr-defined]
    hardware.chips["near", 24].gravity = (1000, 0, 0)  # type: ignore[attr-defined]
    seats.until(lambda: [one.pose for one in seen(seats, Shield, since)] == ["over"], 3.0)
    hardware.chips["near", 72].millivolts = [1500, 0, 0, 0]  # type: ignore[attr-defined]
    seats.until(lambda: seen(seats, Knock, since), 2.0)
    hardware.chips["near", 72].millivolts = [0, 0, 0, 0]  # type: ignore[attr-defined]


@pytest.mark.sweep
@pytest.mark.xdist_group("emulated-seats")
def test_after_twenty_minutes_times_beyond_small_integers_pass_whole_and_in_order(seats: EmulatedNode) -> None:
    seats.host = False
    seats.run(HEARD)  # else the node takes the host's last word for one of after the jump, and its session stays open
    behind = (SMALL - micros(seats)) / 1e6
    for _ in range(3):  # in steps: ticks_diff tells no more than 8.9 minutes apart
        seats.pico.set_forward((behind - 1.2) / 3)
        seats.run(0.06)
    seats.host = True
    joined = len(seats.joined())
    seats.until(lambda: len(seats.joined()) > joined, 3.0)
    assert micros(seats) < SMALL, "the crossing is still to come, in an open session"
    seats.until(lambda: stir(seats) and micros(seats) > SMALL + 100_000, 5.0)
    assert len(seats.joined()) == joined + 1
    seats.host = False
    seats.run(HEARD)
    seats.pico.set_forward(1200.0 - micros(seats) / 1e6)
    seats.run(0.06)
    seats.host = True
    seats.until(lambda: len(seats.joined()) > joined + 1, 3.0)
    seats.until(lambda: stir(seats) and len(weighings(seats, 1_200_000_000)) > 5, 3.0)
    arrived = [event for event in seats.events if isinstance(event, Arrived)]
    assert [event.t for event in arrived] == sorted(event.t for event in arrived)
    assert all(-0.001 < event.received - event.t < 0.5 for event in weighings(seats, SMALL - 1_000_000))


def stir(node: EmulatedNode) -> bool:
    """Let a plate's load change all the time, so that there is something to tell."""
    node.board.hardware.cells["stock"].counts += 400
    return True


def micros(node: EmulatedNode) -> int:
    """What the node's clock said with its last message."""
    return max(event.micros for event in node.events if isinstance(event, Arrived))


def weighings(node: EmulatedNode, after: int) -> list[Arrived]:
    """Weights sensed after that moment of the node's clock."""
    return [one for one in node.events if isinstance(one, Arrived) and one.micros > after and weighed(one)]


def weighed(event: Arrived) -> bool:
    return isinstance(event.message, Weighed)


@pytest.mark.sweep
@pytest.mark.xdist_group("emulated-seats")
def test_a_technician_stops_the_program_and_a_full_queue_leaves_memory(seats: EmulatedNode) -> None:
    seats.stop_for_maintenance()
    heap = measure(seats, "seats")
    assert 200_000 < heap.size < 264_000
    assert list(heap.used[:4]) == sorted(heap.used[:4])
    assert heap.free_at_worst > 40_000


@pytest.mark.sweep  # the prompt is found and left in the update below, a soft reboot ends the error below
@pytest.mark.xdist_group("emulated-seats")
def test_a_host_finds_the_prompt_and_brings_the_program_back_by_a_soft_reboot(seats: EmulatedNode) -> None:
    if not seats.text.endswith(b">"):
        seats.stop_for_maintenance()
    resets, joined, begin = seats.pico.resets, len(seats.joined()), len(seats.text)
    since = len(seats.observations)
    seats.host = True
    seats.run(2 * STEP)
    seats.watch.opened(seats.pico.seconds - ASK_AFTER)  # it has listened in vain for long enough
    seats.until(lambda: len(seats.joined()) > joined, 9.0)
    assert b"MPY: soft reboot" in seats.text[begin:]
    assert seats.pico.resets == resets, "the chip itself was not reset"
    assert len(seats.advice) == 1
    assert LEAVE.count(b"\x04") == 1
    seats.until(lambda: [one.state for one in seen(seats, Health, since)][-1:] == ["ok"], BOOT)
    whole(seats, "seats")


@pytest.mark.xdist_group("emulated-gates")
def test_an_error_that_ends_the_program_is_named_and_the_node_started_again() -> None:
    broken = provisioned("gates") | {"program.py": b"raise MemoryError('memory allocation failed')\n"}
    node = EmulatedNode(need_image(), "gates", broken)
    node.until(lambda: node.advice, 4.0)
    assert "'MemoryError: memory allocation failed'" in node.advice[0]
    node.until(lambda: node.text.count(b"MPY: soft reboot") == 1, 1.0)
    assert node.joined() == []


@pytest.mark.xdist_group("emulated-gates")
def test_tavolo_node_update_mends_a_stale_node_over_its_port() -> None:
    files = provisioned("gates")
    stale = files | {"lamps.py": b"# of last year\n", "old_module.py": b"", "stay": b"once"}
    steps: list[str] = []
    with EmulatedPort() as port:
        pico = EmulatedPico(need_image(), stale, port.hear)
        port.run(pico)
        change = update(port.port, NodeWish(name="G7", inverted=("edge:N",), quiet=True), 600.0, steps.append)
        verdict = verify(port.port, 600.0)
    assert port.error is None
    assert (change.written, change.removed, change.configured) == (("lamps.py",), ("old_module.py",), True)
    assert (verdict.problem, verdict.node, verdict.files) == ("", "G7", files_checksum())
    kept = pico.flash_files
    assert {name: content for name, content in kept.items() if name in files and name != "node.json"} == {
        name: content for name, content in files.items() if name != "node.json"
    }
    config = unseal(kept["node.json"].decode())
    assert (config["name"], config["inverted"], config["quiet"]) == ("G7", ["edge:N"], True)
