"""The machine's own supply: whether the mains are there, how full the battery is, and when to switch off.

Linux reports it in ``/sys/class/power_supply``: a device with ``online`` (0 or 1) for the mains, one with ``capacity``
(percent) for the battery (kernel documentation, ABI/testing/sysfs-class-power). docs/board.md says which lines of
config.txt make the UPS's signal and its gauge appear there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from hw.observations import Health

SUPPLIES: Final = Path("/sys/class/power_supply")
NODE: Final = "power"
"""Name under which the supply's health is reported."""
STEADY_S: Final = 2.0
"""Seconds that a change must last before it is reported: plugs bounce, and a fuse that blows does not come back."""


@dataclass(frozen=True, slots=True)
class Power:
    """State of the supply; None for what is not known."""

    mains: bool | None
    percent: int | None


def read_power(supplies: Path = SUPPLIES) -> Power:
    """Return what the machine says of its supply now. Never raises: what cannot be read is unknown.

    Several mains inputs count as one that is there if any is; of several batteries the emptiest counts.
    """
    mains: list[bool] = []
    charges: list[int] = []
    try:
        devices = sorted(supplies.iterdir())
    except OSError:
        devices = []
    for device in devices:
        kind = _word(device / "type")
        online, capacity = _word(device / "online"), _word(device / "capacity")
        if kind != "Battery" and online in ("0", "1", "2"):
            mains.append(online != "0")
        if kind in ("Battery", "UPS") and capacity.isdigit():
            charges.append(int(capacity))
    return Power(any(mains) if mains else None, min(charges) if charges else None)


def _word(path: Path) -> str:
    try:
        return path.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError):
        return ""


@dataclass(slots=True)
class PowerWatch:
    """Reports when the mains go and come, and decides when to switch off. ``look`` is pure but for what it remembers.

    ``after_s``: seconds without mains. ``below_percent``: or the battery holds less than this without
    them. A machine that reports nothing of its supply is never switched off.
    """

    after_s: float
    below_percent: float
    _well: bool = True
    _changed_at: float | None = None
    _gone_since: float | None = field(default=None)

    def changes(self, power: Power, t: float) -> list[Health]:
        """Health observations at ``t`` (seconds): one when the mains have gone or come back."""
        if power.mains is None:
            return []
        self._gone_since = None if power.mains else (t if self._gone_since is None else self._gone_since)
        if power.mains == self._well:
            self._changed_at = None
            return []
        self._changed_at = t if self._changed_at is None else self._changed_at
        if t - self._changed_at < STEADY_S:
            return []
        self._well, self._changed_at = power.mains, None
        if self._well:
            return [Health(round(t, 6), NODE, "ok", "The mains are back.")]
        left = "" if power.percent is None else f" The battery holds {power.percent} %."
        note = f"The mains have failed: light barriers and lamp are dark.{left}"
        return [Health(round(t, 6), NODE, "lost", note)]

    def must_end(self, power: Power, t: float) -> bool:
        """Return True if the machine should be switched off while it still can be in order."""
        if power.mains is not False or self._gone_since is None or self._well:
            return False
        return t - self._gone_since >= self.after_s or (
            power.percent is not None and power.percent < self.below_percent
        )
