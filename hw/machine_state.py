"""State of a Raspberry Pi: supply voltage and temperature as the kernel reports them.

``rpi_volt`` of the kernel's hwmon reports a supply below 4.63 V; the processor is slowed from 80 °C on.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

HOT_C: Final = 80.0
"""From here on a Raspberry Pi's processor is slowed down."""
_SYSTEM: Final = Path("/sys/class")


@dataclass(frozen=True, slots=True)
class MachineState:
    """``under_voltage``: the supply sags; ``celsius``: the processor's temperature. None: not known to the kernel."""

    under_voltage: bool | None = None
    celsius: float | None = None

    @property
    def troubles(self) -> tuple[str, ...]:
        """One sentence for each thing that is wrong."""
        said = []
        if self.under_voltage:
            said.append(
                "The supply of this machine sags (below 4.63 V): USB devices may drop out and the disk may suffer; "
                "use a stronger supply or a shorter cable."
            )
        if self.celsius is not None and self.celsius >= HOT_C:
            said.append(f"This machine is at {self.celsius:.0f} °C and slows down: give it air.")
        return tuple(said)


def machine_state(system: Path = _SYSTEM) -> MachineState:
    """Return the present state of this machine; ``system`` is the kernel's folder. Never raises."""
    alarms = [
        _number(one.parent / "in0_lcrit_alarm") for one in system.glob("hwmon/hwmon*/name") if _text(one) == "rpi_volt"
    ]
    known = [bool(one) for one in alarms if one is not None]
    heat = [_number(one) for one in system.glob("thermal/thermal_zone*/temp")]
    degrees = [one / 1000 for one in heat if one is not None]
    return MachineState(any(known) if known else None, max(degrees) if degrees else None)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii", errors="replace").strip()
    except OSError:
        return ""


def _number(path: Path) -> int | None:
    text = _text(path)
    return int(text) if text.lstrip("-").isdecimal() else None
