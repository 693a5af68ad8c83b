"""The firmware's sensor logic, in simulated time: what is reported, when, and that no second action is lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from hw.twin.node_host import node_config
from hw.twin.raw import RawFrame, RawValue
from lab.link.node_firmware import firmware

ROOT = Path(__file__).parents[2]
TABLE = node_config()
SCALE_QUIETEST, SCALE_NOISIEST = (firmware("sensors").SCALE_QUIETEST, firmware("sensors").SCALE_NOISIEST)
A, B = "E00401C31A7C6B58", "E004019F48E7FF5D"


class Pipes:
    """Stands for the descriptors of a simulated node."""

    def __init__(self) -> None:
        self.now = 0
        self.lines = b""

    def wall_us(self) -> int:
        return self.now

    def read_feed(self) -> bytes:
        lines, self.lines = self.lines, b""
        return lines

    def read_link(self) -> bytes:
        return b""

    def write_link(self, data: bytes) -> int:
        return len(data)

    def boot(self) -> int:
        return 77


class Table:
    """A simulated node whose reports are kept: (seconds, message, what)."""

    def __init__(self, rate: float = 1.0, **values: RawValue) -> None:
        self.pipes = Pipes()
        codec = firmware("codec").load(str(ROOT / "hw" / "link_schema.json"))
        self.board = firmware("board_sim").SimBoard(TABLE, codec, self.pipes, 1)
        self.rate = rate
        self.t = 0.0
        self.got: list[tuple[float, str, Any]] = []
        rest: dict[str, RawValue] = {f"scale:{zone}": 75_600 for zone in ("stock", "discard", "pots")}
        self.feed(**(rest | values))
        self.board.node.link.send = self._report
        self.run(1.0)
        self.got.clear()

    def _report(self, _message: str, values: tuple[Any, ...], micros: int) -> None:
        kind, sensor = TABLE["sensors"][values[0]]
        self.got.append((micros / 1e6, f"{kind}:{sensor}", values[1:]))

    def feed(self, **values: RawValue) -> None:
        """The sensors now read so."""
        self.pipes.lines += RawFrame(self.t, dict(values), self.rate).to_line()
        self.board.step()

    def run(self, seconds: float, step: float = 0.005) -> None:
        end = self.t + seconds
        while self.t < end - 1e-9:
            self.t = min(end, self.t + step)
            self.pipes.now = round(self.t * 1e6 / self.rate) if self.rate else self.pipes.now
            self.board.step()

    def of(self, sensor: str) -> list[tuple[float, Any]]:
        return [(t, what) for t, name, what in self.got if name == sensor]


def uids(*tags: str) -> tuple[tuple[bytes, ...]]:
    return (tuple(bytes.fromhex(tag) for tag in sorted(tags)),)


def test_a_gate_reports_every_answer_unlike_the_last_the_empty_one_included() -> None:
    table = Table()
    table.feed(**{"beam:N:stock": 1})
    table.run(0.2)
    table.feed(**{"coil:gate-N": [A]})
    table.run(0.2)
    table.feed(**{"coil:gate-N": [B, A]})
    table.run(0.2)
    table.feed(**{"coil:gate-N": []})
    table.run(1.0)
    assert [what for _, what in table.of("coil:gate-N")] == [uids(A), uids(A, B), uids()]


def test_a_gate_near_a_hand_sees_a_card_within_two_scans_and_a_sleeping_one_within_a_tenth_of_a_second() -> None:
    for hand, limit in ((1, 0.05), (0, 0.12)):
        table = Table(**{"beam:E:stock": 0})
        table.feed(**{"beam:E:stock": hand})
        table.run(0.5)
        table.feed(**{"coil:gate-E": [A]})
        fed = table.t
        table.run(0.3)
        ((seen, _),) = table.of("coil:gate-E")
        assert seen - fed <= limit


def test_a_moving_scale_wakes_the_gates_where_no_beam_was_seen() -> None:
    table = Table()
    table.feed(**{"scale:stock": 73_800})
    table.run(0.2)
    table.feed(**{"coil:gate-W": [A]})
    fed = table.t
    table.run(0.3)
    assert table.of("coil:gate-W")[0][0] - fed <= 0.05


@pytest.mark.parametrize("noise", [0, 300])
def test_a_scale_tells_a_card_with_twenty_readings_a_second_and_ends_settled(noise: int) -> None:
    rng = random.Random(5)

    def reading(grams: float) -> int:
        return round(grams * 1000 + rng.gauss(0, noise))

    table = Table()

    def rest(seconds: float, grams: float) -> None:
        for _ in range(round(seconds / 0.04)):
            table.feed(**{"scale:stock": reading(grams)})
            table.run(0.04)

    rest(5.0, 75.6)
    table.got.clear()
    began = table.t
    rest(1.5, 73.8)
    told = [(t - began, what) for t, what in table.of("scale:stock")]
    in_time = [what for t, what in told if t < 0.45]
    assert len(in_time) >= 8
    assert told[0][0] <= 0.17
    assert not told[0][1][1]
    assert [settled for _, (_, settled) in told[-4:]] == [1, 1, 1, 1]
    settled = [grams for _, (grams, flag) in told if flag]
    assert abs(sum(settled) / len(settled) - 73_800) < 600


def test_a_second_card_right_after_the_first_is_told_too_and_never_called_settled_between() -> None:
    table = Table()
    table.feed(**{"scale:discard": 73_800})
    table.run(0.2)
    table.feed(**{"scale:discard": 72_000})
    table.run(1.0)
    told = table.of("scale:discard")
    assert [grams for _, (grams, _) in told][-1] == 72_000
    first_settled = next(t for t, (_, flag) in told if flag)
    assert all(grams == 72_000 for t, (grams, _) in told if t >= first_settled)
    last_change = next(t for t, (grams, _) in told if grams == 72_000)
    assert told[-1][0] - last_change >= 0.4


def test_a_resting_scale_is_quiet_and_noise_alone_does_not_wake_it_for_long() -> None:
    rng = random.Random(6)
    table = Table()
    for _ in range(1000):
        table.feed(**{"scale:stock": round(75_600 + rng.gauss(0, 300)), "scale:pots": 39_600})
        table.run(0.04)
    later = [t for t, _ in table.of("scale:stock") if t > 5]
    assert len(later) < 35 * 25 * 0.1
    quiet = [t for t, _ in table.of("scale:discard")]
    assert 8 <= len(quiet) <= 11


def test_a_scale_that_wavers_threefold_from_the_start_comes_to_rest_and_still_tells_a_stack() -> None:
    rng = random.Random(7)
    table = Table(**{"scale:stock": 0})

    def rest(seconds: float, grams: float) -> None:
        for _ in range(round(seconds / 0.04)):
            table.feed(**{"scale:stock": round(grams * 1000 + rng.gauss(0, 900))})
            table.run(0.04)

    rest(20.0, 75.6)
    table.got.clear()
    rest(20.0, 75.6)
    assert len(table.of("scale:stock")) < 20 * 25 * 0.4
    table.got.clear()
    rest(2.0, 55.8)
    settled = [grams for _, (grams, flag) in table.of("scale:stock") if flag]
    assert abs(sum(settled) / len(settled) - 55_800) < 1200


@pytest.mark.parametrize(
    "moving",
    [lambda t: 75.6 + 10 * t, lambda t: 75.6 + 40 * abs((t / 0.8) % 2 - 1) - 40],
    ids=["filled at 10 g/s", "leant on again and again"],
)
def test_a_plate_that_moves_for_longer_than_any_burst_is_never_called_settled_nor_learnt_as_noise(
    moving: Callable[[float], float],
) -> None:
    table = Table()
    scale = table.board.node.by_name["scale:stock"]

    def lie(seconds: float, grams: Callable[[float], float]) -> None:
        since = table.t
        while table.t < since + seconds:
            table.feed(**{"scale:stock": round(grams(table.t - since) * 1000)})
            table.run(0.04)

    lie(1.0, lambda _: 75.6)
    table.got.clear()
    lie(9.0, moving)
    told = [what for _, what in table.of("scale:stock")]
    assert len(told) > 200
    assert not any(flag for _, flag in told[1:]), "the first may have come before the first movement"
    assert scale.noise < 2 * SCALE_QUIETEST, "no more than what it crept before that was movement"
    table.got.clear()
    lie(2.0, lambda _: 73.8)
    told = [what for _, what in table.of("scale:stock")]
    assert told[-1] == (73_800, 1)
    assert len(told) < 40, "and then it is quiet"


def test_a_loud_plate_is_learnt_as_noise_but_no_louder_than_a_card_can_be_told_in() -> None:
    rng = random.Random(8)
    table = Table()
    scale = table.board.node.by_name["scale:stock"]
    for sigma, least, most in ((800, 600, 1100), (4000, 1000, SCALE_NOISIEST)):
        for _ in range(round(20.0 / 0.04)):
            table.feed(**{"scale:stock": round(75_600 + rng.gauss(0, sigma))})
            table.run(0.04)
        assert least <= scale.noise <= most
    flags = [flag for t, (_, flag) in table.of("scale:stock") if t > table.t - 10]
    assert len(flags) > 150, "it speaks all the time"
    assert sum(flags) < len(flags) / 5, "and hardly ever calls itself settled"


def test_a_beam_is_told_at_its_first_edge_and_chatter_is_not() -> None:
    table = Table()
    table.feed(**{"beam:S:discard": 1})
    at = table.t
    for level in (0, 1, 0, 1):
        table.run(0.001, step=0.001)
        table.feed(**{"beam:S:discard": level})
    table.run(0.5)
    assert table.of("beam:S:discard") == [(pytest.approx(at, abs=1e-6), (1,))]


def test_a_beam_that_comes_to_lie_otherwise_during_chatter_is_told_with_the_moment_of_the_change() -> None:
    table = Table()
    table.feed(**{"beam:S:discard": 1})
    at = table.t
    table.run(0.006, step=0.001)
    table.feed(**{"beam:S:discard": 0})
    table.run(0.5)
    assert [(round(t - at, 3), what) for t, what in table.of("beam:S:discard")] == [(0.0, (1,)), (0.006, (0,))]


def test_a_quick_second_reach_press_and_knock_are_each_told() -> None:
    table = Table()
    for _ in range(2):
        table.feed(**{"beam:N:pots": 1, "button:N:ready": 1, "knock:N": 900})
        table.run(0.06)
        table.feed(**{"beam:N:pots": 0, "button:N:ready": 0})
        table.run(0.06)
    assert [what for _, what in table.of("beam:N:pots")] == [(1,), (0,), (1,), (0,)]
    assert len(table.of("button:N:ready")) == 2
    assert len(table.of("knock:N")) == 2


def test_the_ringing_of_a_knock_is_not_another_knock_and_a_touch_is_none() -> None:
    table = Table()
    table.feed(**{"knock:E": 1200})
    for peak in (500, 250, 120):
        table.run(0.02)
        table.feed(**{"knock:E": peak})
    table.run(1.0)
    table.feed(**{"knock:E": 200})
    table.run(0.5)
    assert [what for _, what in table.of("knock:E")] == [(1200,)]


def test_a_shield_is_told_both_ways() -> None:
    table = Table()
    table.feed(**{"shield:W": 0})
    table.run(0.2)
    table.feed(**{"shield:W": 1})
    table.run(0.2)
    assert [what for _, what in table.of("shield:W")] == [(0,), (1,)]


def test_frames_read_late_are_played_at_their_own_moments() -> None:
    """A card passes a gate in 100 ms of table time while the interpreter sleeps: it is seen, at the right moment."""
    table = Table()
    lines = b""
    for t, values in ((1.1, {"beam:N:stock": 1}), (1.2, {"coil:gate-N": [A]}), (1.3, {"coil:gate-N": []})):
        lines += RawFrame(t, values, 1.0).to_line()
    table.pipes.lines = lines
    table.t = 2.0
    table.pipes.now = 2_000_000
    table.board.step()
    table.pipes.now += 100_000
    table.board.step()
    (came, what), (went, nothing) = table.of("coil:gate-N")
    assert (what, nothing) == (uids(A), uids())
    assert 1.2 <= came <= 1.25
    assert 1.3 <= went <= 1.35


def test_a_held_clock_holds_the_node() -> None:
    table = Table()
    table.pipes.lines += RawFrame(table.t, {}, 0.0).to_line()
    table.board.step()
    held = table.board.node.now
    table.pipes.now += 60_000_000
    table.board.step()
    assert table.board.node.now == held
    assert held == pytest.approx(table.t * 1e6, abs=1)
    assert table.got == []


def test_a_node_tells_no_weight_of_a_load_cell_that_does_not_answer_but_that_it_fails() -> None:
    table = Table()
    del table.board.values["scale:pots"]
    table.run(10.0, step=0.02)
    assert [what for _, what in table.of("scale:pots")] == [(1, "the load cell does not answer")]
    scale = table.board.node.by_name["scale:pots"]
    scale.recent = []
    assert scale.state(table.board.node.now) is None


def test_broken_feed_lines_are_counted_and_do_no_harm() -> None:
    table = Table()
    table.pipes.lines += b'nonsense\n{"t":1}\n{"t":"x","rate":1,"v":{}}\n[]\n'
    table.board.step()
    assert table.board.strange == 4
    table.feed(**{"coil:gate-N": ["not a uid", "00", A]})
    table.run(0.2)
    assert [what for _, what in table.of("coil:gate-N")] == [uids(A)]
