"""The machine's supply: what Linux tells of it, when its loss is told, when the machine is switched off."""

from __future__ import annotations

import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from hw.power_supply import Power, PowerWatch, read_power
from hw.table_sections import PowerSection
from table_service.commands import mains


def _device(root: Path, name: str, **words: str) -> None:
    (root / name).mkdir(parents=True)
    for word, value in words.items():
        (root / name / word).write_text(value + "\n")


def test_the_files_of_linux_are_read(tmp_path: Path) -> None:
    _device(tmp_path, "gpio-charger", type="Mains", online="1")
    _device(tmp_path, "battery", type="Battery", capacity="87")
    assert read_power(tmp_path) == Power(True, 87)
    (tmp_path / "gpio-charger" / "online").write_text("0\n")
    assert read_power(tmp_path) == Power(False, 87)


def test_a_machine_that_tells_nothing_is_unknown_and_never_switched_off(tmp_path: Path) -> None:
    assert read_power(tmp_path / "nothing") == Power(None, None)
    _device(tmp_path, "odd", type="Mains", online="maybe", capacity="many")
    assert read_power(tmp_path) == Power(None, None)
    watch = PowerWatch(10, 50)
    for t in range(1000):
        assert watch.changes(Power(None, 3), t) == []
        assert not watch.must_end(Power(None, 3), t)


def test_a_plug_that_bounces_is_not_told() -> None:
    watch = PowerWatch(60, 20)
    told = [
        note
        for n, mains in enumerate([True, False, True, False, True, True])
        for note in watch.changes(Power(mains, 90), n)
    ]
    assert told == []


def test_loss_and_return_are_told_once_each() -> None:
    watch = PowerWatch(600, 20)
    told = [one for t in range(0, 60, 5) for one in watch.changes(Power(t < 10 or t >= 40, 88), float(t))]
    assert [(one.node, one.state) for one in told] == [("power", "lost"), ("power", "ok")]
    assert "88 %" in told[0].note


@pytest.mark.parametrize(
    ("percent", "ends_at"), [((lambda _: 90), 615), ((lambda _: None), 615), ((lambda t: 100 - t / 2), 165)]
)
def test_the_machine_ends_after_a_time_or_when_its_battery_is_low(percent: Any, ends_at: int) -> None:
    watch = PowerWatch(600, 20)
    for t in range(0, 700, 5):
        level = percent(t)
        power = Power(t < 15, None if level is None else int(level))
        watch.changes(power, t)
        assert watch.must_end(power, t) == (t >= ends_at), t


def test_mains_that_came_back_in_time_keep_it_running() -> None:
    watch = PowerWatch(600, 20)
    for t in range(0, 4000, 5):
        power = Power(not 100 <= t < 500, 60)
        watch.changes(power, t)
        assert not watch.must_end(power, t)


def test_the_running_table_tells_it_and_calls_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    observed: list[Any] = []
    service: Any = SimpleNamespace(observe=observed.append)
    monkeypatch.setattr(mains, "read_power", lambda: Power(False, 10))
    watch = PowerWatch(600, 20)
    assert [mains.tell_supply(watch, service, t) for t in (0.0, 5.0)] == [False, True]
    assert [one.state for one in observed] == ["lost"]
    mark = tmp_path / "off"
    mains.switch_off(PowerSection(off_command=("touch", str(mark))))
    assert mark.exists()
    mains.switch_off(PowerSection(off_command=("no-such-command",)))
    assert "runs on until its battery is empty" in capsys.readouterr().err
    assert threading.active_count() < 20
