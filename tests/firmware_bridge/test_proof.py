"""The claims of docs/measured/link.md in short; ``python -m lab.link`` proves them at length."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from firmware_bridge.frames import Lights, Weighed
from firmware_bridge.reading_times import ClockLedger
from firmware_bridge.session import Arrived
from lab.link import __main__ as prove
from lab.link import real_pty, simulated
from lab.link.line import BrokenPromiseError, Faults, Line, account
from tests.sweeps import rest_in_proof


@pytest.mark.parametrize("spoil", [0.0, 0.0001, 0.001, 0.005])
def test_readings_come_once_and_in_order_however_many_bytes_are_spoiled(spoil: float) -> None:
    done = simulated.delivered(spoil, 6000, 31)
    assert (done.arrived, done.lost) == (done.sensed, 0)


def test_one_spoiled_byte_in_a_thousand_delays_one_reading_in_a_hundred_by_less_than_250_ms() -> None:
    def p99(spoil: float) -> float:
        late = sorted(simulated.delivered(spoil, 10_000, 32).late_ms)
        return late[int(len(late) * 0.99)]

    assert p99(0.001) - p99(0.0) <= 250


@pytest.mark.parametrize("how", ["reset", "unplug"])
@pytest.mark.parametrize("spoil", [0.0, 0.001])
def test_a_node_is_back_within_a_second_with_the_true_state_of_every_sensor(how: str, spoil: float) -> None:
    for seed in range(8):
        done = simulated.rejoined(how, spoil, seed)
        assert done.wrong == ()
        assert done.seconds <= 1.0


def test_an_overflow_is_announced_to_the_last_reading_and_doubted_before_it_shows() -> None:
    done = simulated.overflowed(33)
    assert done.dropped == done.told > 0
    assert done.doubted_before_the_gap


def test_garbage_of_six_kinds_makes_nothing_of_either_end() -> None:
    done = simulated.fuzzed(12_000, 34)
    assert done.fabricated == 0
    assert done.refused_by_host >= 12_000
    assert done.refused_by_node >= 12_000


@pytest.mark.slow
@pytest.mark.parametrize("readings", rest_in_proof([3_000, 10_000]))
def test_every_reading_passes_a_real_pty_that_spoils_half_a_percent_of_bytes(readings: int) -> None:
    done = real_pty.over_pty(readings, 0.005, 35)
    assert (done.arrived, done.in_order, done.lost) == (readings, True, 0)
    assert done.broken > readings / 10


def test_what_receiving_costs_is_measured_on_frames_that_all_arrive() -> None:
    done = real_pty.cost(0.3, 0, paced=False)
    assert done.frames * 29 < done.received < done.frames * 32
    assert done.cpu_seconds > 0


def test_the_account_of_a_line_finds_what_is_repeated_missing_or_out_of_order() -> None:
    line = Line(Faults(), seed=36)
    line.run(2.0)
    account(line)
    at, last = line.told(Arrived)[-1]
    number = last.message.milligrams
    for wrong in (number, number + 2, number - 1):
        line.events.append((at, Arrived(last.t, Weighed(0, wrong, 1))))
        with pytest.raises(BrokenPromiseError):
            account(line)
        line.events.pop()


def test_lights_reach_the_node_over_a_line_that_spoils_bytes_and_after_its_reset() -> None:
    line = Line(Faults(spoil=0.005), seed=37)
    line.session.show(Lights(1, 0, 0))
    line.run(4.0)
    assert line.lights[-1][1] == (1, 0, 0)
    line.power_on()
    line.lights.clear()
    line.run(4.0)
    assert line.lights[-1][1] == (1, 0, 0)


def test_both_clocks_of_a_reading_are_kept(tmp_path: Path) -> None:
    line = Line(Faults(), seed=38)
    line.run(1.0)
    ledger = ClockLedger(tmp_path / "node.clocks.jsonl")
    for _, event in line.told(Arrived):
        ledger.note("node", line.link.boot, event)
    ledger.close()
    assert (tmp_path / "node.clocks.jsonl").stat().st_mode & 0o777 == 0o600
    kept = [json.loads(text) for text in (tmp_path / "node.clocks.jsonl").read_text().splitlines()]
    assert len(kept) == len(line.told(Arrived))
    for entry in kept[20:]:
        assert abs(entry["micros"] / 1e6 - 1000.0 - entry["t"]) < 0.003
        assert entry["t"] <= entry["received"]


def test_the_command_proves_goes_on_where_it_was_and_tells_what_fails(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    report = tmp_path / "link.json"
    few = ["--readings", "600", "--frames", "300", "--breaks", "2", "--json", str(report)]
    assert prove.main([*few, "--only", "once,back"]) == 0
    said = capsys.readouterr().out
    assert said.count("holds") == 8
    done = json.loads(report.read_text())["done"]
    monkeypatch.setattr(simulated, "delivered", lambda *_: pytest.fail("was done already"))
    assert prove.main([*few, "--only", "once,back,garbage"]) == 0
    for name in done:
        if name.startswith("once 0.005"):
            done[name]["arrived"] -= 1
    report.write_text(json.dumps(json.loads(report.read_text()) | {"done": done}))
    assert prove.main([*few, "--only", "once"]) == 1
    assert "FAILS  bytes spoiled 0.50%" in capsys.readouterr().out


@pytest.mark.parametrize("wrong", [["--only", "nonsense"], ["--readings", "0"]])
def test_the_command_used_wrongly_says_so(wrong: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        prove.main(wrong)
    assert stopped.value.code == 2
    assert "Traceback" not in capsys.readouterr().err
