"""A Pi whose supply sags, or that is hot, says so; one that tells nothing of itself is not accused."""

from __future__ import annotations

from pathlib import Path

import pytest

from hw.machine_state import MachineState, machine_state


def kernel(folder: Path, alarm: str | None, millidegrees: str | None) -> Path:
    for number, (name, value) in enumerate((("cpu_thermal", None), ("rpi_volt", alarm))):
        chip = folder / "hwmon" / f"hwmon{number}"
        chip.mkdir(parents=True)
        (chip / "name").write_text(f"{name}\n", encoding="ascii")
        if value is not None:
            (chip / "in0_lcrit_alarm").write_text(f"{value}\n", encoding="ascii")
    if millidegrees is not None:
        zone = folder / "thermal" / "thermal_zone0"
        zone.mkdir(parents=True)
        (zone / "temp").write_text(millidegrees, encoding="ascii")
    return folder


@pytest.mark.parametrize(
    ("alarm", "heat", "state", "troubles"),
    [
        ("0", "51234\n", MachineState(False, 51.234), 0),
        ("1", "84500\n", MachineState(True, 84.5), 2),
        ("1", None, MachineState(True, None), 1),
        (None, "odd", MachineState(None, None), 0),
    ],
)
def test_supply_and_temperature_are_read_as_the_kernel_tells_them(
    alarm: str | None, heat: str | None, state: MachineState, troubles: int, tmp_path: Path
) -> None:
    found = machine_state(kernel(tmp_path, alarm, heat))
    assert found == state
    assert len(found.troubles) == troubles
    assert all("\n" not in one for one in found.troubles)


def test_a_machine_without_any_of_it_is_not_known(tmp_path: Path) -> None:
    assert machine_state(tmp_path / "nothing") == MachineState(None, None)
