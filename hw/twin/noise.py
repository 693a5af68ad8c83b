"""Error rates of the twin's sensors: the assumed figures of ``hw/noise.toml`` at the levels none to rough."""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from hw.errors import TavoloError

Level = Literal["none", "normal", "sparse", "rough"]
LEVELS: Final[tuple[Level, ...]] = ("none", "normal", "sparse", "rough")
ASSUMED: Final = Path(__file__).parent.parent / "noise.toml"
"""The project's figures; no table has been measured yet."""

_RATES: Final = ("miss", "ghost", "misread", "bounce", "false_per_min", "byte_error", "reset_per_hour")
_SPREADS: Final = ("sigma_g", "drift_g_per_min", "position_mm")
_ROUGH_RATE, _ROUGH_SPREAD, _ROUGH_COVER_S = 10.0, 3.0, 3.0
_SPARSE_REST_S, _SPARSE_UNSETTLED, _SPARSE_BURSTS_PER_MIN = (4.0, 30.0), 0.01, 0.1
_SECTIONS: Final = {
    "gate": ("scan_ms", "miss", "ghost", "double_card"),
    "scale": ("sigma_g", "drift_g_per_min", "settle_ms"),
    "beam": ("miss", "bounce"),
    "contact": ("bounce", "miss"),
    "knock": ("miss", "false_per_min"),
    "sight": ("miss", "misread", "position_mm", "hand_covers_s"),
    "link": ("byte_error", "reset_per_hour"),
}


class NoiseError(TavoloError, ValueError):
    """A file of noise figures that cannot be used; the message says what is wrong in one sentence."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Sensor errors at one level: rates as probabilities, weights in grams, times in seconds, lengths in mm."""

    level: Level
    gate_scan_s: float
    gate_miss: float
    gate_ghost: float
    gate_double: float
    scale_sigma_g: float
    scale_drift_g_per_min: float
    scale_settle_s: float
    beam_miss: float
    beam_bounce: float
    contact_bounce: float
    contact_miss: float
    knock_miss: float
    knock_false_per_min: float
    sight_miss: float
    sight_misread: float
    sight_position_mm: float
    sight_hand_covers_s: float
    link_byte_error: float
    link_reset_per_hour: float
    cover_each_turn_s: float
    """Seconds for which the whole camera is covered once in each turn (level rough; else 0)."""
    scale_rest_s: tuple[float, float] | None = None
    """Between which bounds the time lies after which a scale at rest speaks, each at its own (level sparse).

    None: all speak at once, every four to five seconds.
    """
    scale_unsettled: float = 0.0
    """Share of such readings that are reported as if the plate swung."""
    scale_bursts_per_min: float = 0.0
    """Rate at which a node takes the noise of a plate at rest for a change, and reports all readings for a while."""


def load_noise(level: str = "normal", path: Path | None = None) -> Noise:
    """Return the figures of ``path`` (the project's own by default) at ``level``.

    Raises NoiseError for an unknown level, a file that cannot be read, and a section or key that is missing, unknown
    or no number.
    """
    if level not in LEVELS:
        raise NoiseError(f"noise level '{level}' is not known: write {', '.join(LEVELS)}")
    source = path or ASSUMED
    try:
        with source.open("rb") as stream:
            data = tomllib.load(stream)
    except OSError as error:
        raise NoiseError(f"cannot read the noise figures {source}: {error.strerror or error}") from None
    except tomllib.TOMLDecodeError as error:
        raise NoiseError(f"{source} is not TOML: {error}") from None
    figures = _figures(data, source)
    return _noise(level, {key: _at_level(level, key[1], value) for key, value in figures.items()})


def _figures(data: dict[str, object], source: Path) -> dict[tuple[str, str], float]:
    for name in data:
        if name not in _SECTIONS:
            raise NoiseError(f"{source}: section '{name}' is not known, there are {', '.join(_SECTIONS)}")
    figures: dict[tuple[str, str], float] = {}
    for name, keys in _SECTIONS.items():
        section = data.get(name)
        if not isinstance(section, dict):
            raise NoiseError(f"{source}: section [{name}] is missing")
        for key in section:
            if key not in keys:
                raise NoiseError(f"{source}: [{name}] '{key}' is not known, there are {', '.join(keys)}")
        for key in keys:
            value = section.get(key)
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
                raise NoiseError(f"{source}: [{name}] '{key}' must be a number from 0 up, not {value!r}")
            figures[name, key] = float(value)
    return figures


def _at_level(level: str, key: str, value: float) -> float:
    """``value`` of ``key`` as the header of the file says for ``level``; times and certainties stay as they are."""
    if key in _RATES:
        factor = {"none": 0.0, "rough": _ROUGH_RATE}.get(level, 1.0)
        per_time = key.endswith(("_per_min", "_per_hour"))
        return value * factor if per_time else min(1.0, value * factor)
    if key in _SPREADS:
        return value * {"none": 0.0, "rough": _ROUGH_SPREAD}.get(level, 1.0)
    return value


def _noise(level: Level, figures: dict[tuple[str, str], float]) -> Noise:
    return Noise(
        level=level,
        gate_scan_s=figures["gate", "scan_ms"] / 1000,
        gate_miss=figures["gate", "miss"],
        gate_ghost=figures["gate", "ghost"],
        gate_double=figures["gate", "double_card"],
        scale_sigma_g=figures["scale", "sigma_g"],
        scale_drift_g_per_min=figures["scale", "drift_g_per_min"],
        scale_settle_s=figures["scale", "settle_ms"] / 1000,
        beam_miss=figures["beam", "miss"],
        beam_bounce=figures["beam", "bounce"],
        contact_bounce=figures["contact", "bounce"],
        contact_miss=figures["contact", "miss"],
        knock_miss=figures["knock", "miss"],
        knock_false_per_min=figures["knock", "false_per_min"],
        sight_miss=figures["sight", "miss"],
        sight_misread=figures["sight", "misread"],
        sight_position_mm=figures["sight", "position_mm"],
        sight_hand_covers_s=figures["sight", "hand_covers_s"],
        link_byte_error=figures["link", "byte_error"],
        link_reset_per_hour=figures["link", "reset_per_hour"],
        cover_each_turn_s=_ROUGH_COVER_S if level == "rough" else 0.0,
        scale_rest_s=_SPARSE_REST_S if level == "sparse" else None,
        scale_unsettled=_SPARSE_UNSETTLED if level == "sparse" else 0.0,
        scale_bursts_per_min=_SPARSE_BURSTS_PER_MIN if level == "sparse" else 0.0,
    )
