"""Boards whose cables are exchanged: each is the node whose sensors it has, and its death doubts its own zones."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable
from contextlib import ExitStack

from firmware_bridge.bridge import Bridge
from hw.observations import Health, Observation, Scale
from lab.link.real_pty import PtyNode

PATIENCE_S = 20.0
TABLE = {"west": ("scale:stock",), "east": ("scale:discard",)}
"""The table map: a node that has one scale each."""


def board(name: str, zone: str) -> PtyNode:
    """A board that calls itself ``name`` and weighs ``zone``."""
    return PtyNode(50, 0.0, 3, (1, zlib.crc32(f"0 2 {zone}".encode()), 0, 0, "tavolo 3", name, ""), zone)


def until(bridge: Bridge, met: Callable[[list[Observation]], bool]) -> list[Observation]:
    seen: list[Observation] = []
    ends = time.monotonic() + PATIENCE_S
    while not met(seen):
        assert time.monotonic() < ends, seen
        if (one := bridge.get(0.1)) is not None:
            seen.append(one)
    return seen


def health(seen: list[Observation]) -> list[tuple[str, str]]:
    return [(one.node, one.state) for one in seen if isinstance(one, Health)]


def test_boards_at_exchanged_ports_are_each_the_node_whose_sensors_they_have() -> None:
    with board("east", "discard") as east, ExitStack() as plugged:
        west = plugged.enter_context(board("west", "stock"))
        ports = {"west": east.port, "east": west.port}
        with Bridge(ports, time.monotonic, expected=TABLE) as bridge:
            seen = until(bridge, lambda seen: {("west", "ok"), ("east", "ok")} <= set(health(seen)))
            reports = bridge.counters()
            assert {name: one["port"] for name, one in reports.items()} == {"west": west.port, "east": east.port}
            assert all("the ports are exchanged" in one["notes"][0] for one in reports.values())
            assert {one.zone for one in seen if isinstance(one, Scale)} == {"stock", "discard"}
            plugged.close()  # it dies, and its port with it
            seen = until(bridge, lambda seen: any(state == "lost" for _, state in health(seen)))
            assert {node for node, state in health(seen) if state == "lost"} == {"west"}


def test_boards_that_call_themselves_otherwise_are_known_by_their_sensors_and_at_their_ports_nothing_is_said() -> None:
    with (
        board("gates", "discard") as east,
        board("seats", "stock") as west,
        Bridge({"west": west.port, "east": east.port}, time.monotonic, expected=TABLE) as bridge,
    ):
        until(bridge, lambda seen: {("west", "ok"), ("east", "ok")} <= set(health(seen)))
        assert [one["notes"] for one in bridge.counters().values()] == [[], []]


def test_a_board_without_a_sensor_that_the_table_map_names_says_which() -> None:
    table = {"west": ("scale:stock", "coil:discard")}
    with board("west", "stock") as west, Bridge({"west": west.port}, time.monotonic, expected=table) as bridge:
        until(bridge, lambda seen: ("west", "ok") in health(seen))
        (note,) = bridge.counters()["west"]["notes"]
        assert "lacks what the table map names for it: coil:discard" in note
