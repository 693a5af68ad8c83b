"""Sensors covered by a health observation: those that the table map gives its node, one sensor, or the camera.

A sensor is named ``KIND:NAME`` as in the table map: ``scale:stock``, ``coil:gate-N``,
``beam:N:stock``, ``shield:W``, ``button:E:count``, ``knock:S``; the camera is ``camera``.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final

from hw.observations import Button, Knock, Observation, Reach, Scale, Screen, Shield, Sight, Tags, Tray

CAMERA: Final = "camera"
SEEN_HANDS: Final = "hands"
"""Entry among a zone's sensors in a log's header if the camera identifies the hand there, as beams do."""
KINDS: Final = ("scale", "coil", "beam", "shield", "button", "knock", "screen", "tray")
"""The kinds of sensors on nodes."""
_ALL: Final = tuple(f"{kind}:" for kind in KINDS)
CAMERA_SETTINGS: Final = "camera-settings"
"""Name of the camera's held settings: exposure, white balance, focus."""
ENROLLED_BOX: Final = "bidding-box"
"""The enrolled bidding box by which calls are named; the note of one that is lost lists the faces it lacks."""
_NO_SENSOR: Final = frozenset({"evidence", "power", "tags", CAMERA_SETTINGS, ENROLLED_BOX})
"""Parts whose health concerns no sensor. A disk that takes no pictures puts no card in doubt; nodes that lose power
with the mains report it themselves; a camera that sets its own exposure still sees; the calls of a box that lacks faces
were unknown all along; tags that no file names were never accepted."""
_KEEPING: Final = "ledger"
"""The part of a node's host that notes its clocks: it senses nothing."""
_OF_CAMERA: Final = ("cam", "calibration", "sight")

Covered = tuple[str, ...]
"""Sensors, or prefixes of their names, each standing for all names that begin with it."""


def covered(name: str, nodes: Mapping[str, Collection[str]]) -> Covered:
    """Return the sensors that a health observation of ``name`` is about; none if it concerns no sensor.

    ``nodes``: the sensors of each node by the table map (the log's header); of a node that it does not name every
    sensor on nodes may be meant. ``name`` is a node, ``NODE/KIND:NAME`` for one sensor of it, ``KIND NAME`` if no node
    is known, or the camera.
    """
    node, _, part = name.partition("/")
    if name in _NO_SENSOR or part == _KEEPING:
        return ()
    if node in nodes and (not part or ":" not in part):
        return tuple(nodes[node])
    said = part or node
    if any(word in said.lower() for word in _OF_CAMERA) and node not in nodes:
        return (CAMERA,)
    kind, _, rest = said.replace(" ", ":", 1).partition(":")
    if kind in KINDS and rest:
        return (f"{kind}:{rest}",)
    return (f"{said[:-1]}:",) if said.endswith("s") and said[:-1] in ("scale", "beam", "shield", "coil") else _ALL


def covers(sensors: Covered, sensor: str) -> bool:
    """Return True if ``sensor`` is among ``sensors``."""
    return any(sensor == one or sensor.startswith(one if one.endswith(":") else f"{one}:") for one in sensors)


def sensor_of(observation: Observation) -> str | None:
    """Return the sensor that made ``observation``; None for what persons enter and for health.

    Both contacts of the tray together show where it is; that on the side NE stands for both.
    """
    match observation:
        case Scale(zone=zone):
            return f"scale:{zone}"
        case Tags(zone=zone):
            return f"coil:{zone}"
        case Reach(seat=seat, zone=zone):
            return f"beam:{seat or '-'}:{zone}"
        case Shield(seat=seat):
            return f"shield:{seat}"
        case Button(seat=seat, button=button):
            return f"button:{seat}:{button}"
        case Knock(seat=seat):
            return f"knock:{seat or '-'}"
        case Screen(part=part):
            return f"screen:{part}"
        case Tray():
            return "tray:NE"
        case Sight():
            return CAMERA
    return None
