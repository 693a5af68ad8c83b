"""Common base of all trials: a fold over what is heard, with cues for the person and findings at its end."""

from __future__ import annotations

import statistics
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from hw.observations import Button, Health, Knock, Observation, Reach, Scale, Screen, Shield, Tags, Tray
from hw.zones import TABLE
from table_service.sensor_check.sensor_faults import Finding
from table_service.sensor_check.tasks import Task

Image = NDArray[np.uint8]
PATIENCE_S: Final = 30.0
"""Seconds to wait for a sensor's first answer."""
STEP_G: Final = 0.9
"""Half a card: by so much a scale must change to have noticed one."""


@dataclass(frozen=True, slots=True)
class Prompt:
    """Cue for the person now: the tone of a beat, or the next act."""

    kind: Literal["tone", "do"]
    it: str
    en: str


@dataclass
class Standing:
    """Last report of each sensor, heard all the time: tags over each coil, beams broken, shields over, weights."""

    tags: dict[str, tuple[str, ...]] = field(default_factory=dict)
    broken: set[str] = field(default_factory=set)
    over: set[str] = field(default_factory=set)
    rest: dict[str, float] = field(default_factory=dict)
    """Weights at rest: the mean of the last settled readings, which waver."""
    failing: dict[str, str] = field(default_factory=dict)
    broken_at_rest: set[str] = field(default_factory=set)
    """Beams that were broken while the table was empty."""

    _settled: dict[str, deque[float]] = field(default_factory=dict)

    def hear(self, observation: Observation) -> None:
        """Take an observation."""
        match observation:
            case Tags(zone=zone, tags=tags):
                self.tags[f"coil {zone}"] = tags
            case Reach(phase=phase):
                name = beam_name(observation)
                (self.broken.add if phase == "in" else self.broken.discard)(name)
            case Shield(seat=seat, pose=pose):
                (self.over.add if pose == "over" else self.over.discard)(f"shield {seat}")
            case Scale(zone=zone, grams=grams, settled=True):
                recent = self._settled.setdefault(f"scale {zone}", deque(maxlen=4))
                recent.append(grams)
                self.rest[f"scale {zone}"] = statistics.fmean(recent)
            case Scale(zone=zone):
                self._settled.pop(f"scale {zone}", None)
            case Health(node=node, state=state, note=note) if "/" in node:
                if state == "lost":
                    self.failing[node] = note
                else:
                    self.failing.pop(node, None)


def beam_name(reach: Reach) -> str:
    """Return the name of the beam that a reach comes from; ``-`` stands for a hand that no edge saw."""
    return f"beam {reach.seat or '-'}:{reach.zone or TABLE}"


def signal_of(observation: Observation) -> str | None:
    """Return the sensor that reports a person's act with ``observation``; None if it is no act. Weights apart."""
    match observation:
        case Tags(zone=zone, tags=tags) if tags:
            return f"coil {zone}"
        case Reach(phase="in"):
            return beam_name(observation)
        case Shield(seat=seat, pose="over"):
            return f"shield {seat}"
        case Knock(seat=seat):
            return f"knock {seat or '-'}"
        case Button(seat=seat, button=button):
            return f"button {seat}:{button}"
        case Screen(part=part, pose="down" | "closed"):
            return f"screen {part}"
        case Tray(side="NE" | "SW" as side):
            return f"tray {side}"
    return None


def slope_of(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the slope of the line through ``points`` (seconds, grams), and its standard error by their scatter.

    Raises statistics.StatisticsError for fewer than two moments.
    """
    times = [t for t, _ in points]
    slope, start = statistics.linear_regression(times, [value for _, value in points])
    spread = statistics.pstdev(value - start - slope * t for t, value in points)
    return slope, float(spread / (statistics.pstdev(times) * len(points) ** 0.5))


class Trial:
    """One task under way. Feed it, then read ``findings`` once ``done``.

    ``now`` is the log's clock, for the person's cues; judging waits for ``heard_until``, the moment up to which
    all that was sensed has been heard.
    """

    wants_number = False

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        self.task = task
        self.sensor = task.sensor
        self.standing = standing
        self.began = self.now = now
        self.done = False
        self.findings: list[Finding] = []
        self.values: dict[str, float] = {}
        self.cues: deque[Prompt] = deque()

    def hear(self, observation: Observation) -> None:
        """Take an observation."""

    def see(self, picture: Image, t: float) -> None:
        """Take a frame of the camera (BGR)."""

    def typed(self, text: str) -> None:
        """Take what the person has typed."""

    def advance(self, now: float, heard_until: float) -> None:
        """Time has come to ``now``; everything sensed up to ``heard_until`` has been heard."""
        self.now = now
        if not self.done:
            self.tick(heard_until)

    def tick(self, heard_until: float) -> None:
        """Give the cues that are due, and judge once enough has been heard."""

    def find(self, code: str, sensor: str = "", **values: object) -> None:
        """Note a fault."""
        self.findings.append(Finding(code, sensor or self.sensor, values))

    def find_silence(self) -> None:
        """Note that the sensor never answered, with what its node says of it."""
        name = f"/{self.sensor.replace(' ', ':', 1)}"
        why = next((note for node, note in self.standing.failing.items() if node.endswith(name)), "")
        if why:
            self.find("trouble", why=why)
        else:
            self.find("dead")

    def limit(self, name: str) -> float:
        """Return a limit of the task's item."""
        return self.task.item.limits[name]

    def do(self, it: str, en: str) -> None:
        """Cue the person's next act."""
        self.cues.append(Prompt("do", it, en))
