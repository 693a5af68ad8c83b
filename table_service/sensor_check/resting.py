"""Trials of what is at rest: the nodes that must say hello, the empty table, a card that lies still, a typed number."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from hw.observations import Button, Knock, Observation, Reach, Scale, Tags
from table_service.sensor_check.tasks import Task
from table_service.sensor_check.trial import PATIENCE_S, Standing, Trial, beam_name, slope_of

COMPLAINS_S: Final = 2.0
"""A node that has just started finds within this time what does not answer (a load cell: 1 s)."""
ENOUGH: Final = 10
"""Settled readings below which neither spread nor drift is judged; a scale at rest sends one in four seconds."""


class NodeTrial(Trial):
    """A node: it answers, carries this program's files, and complains of nothing. ``counters``: the bridge's."""

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self._counters: Mapping[str, Any] = {}
        self._well_since: float | None = None

    def report(self, counters: Mapping[str, Any]) -> None:
        """Take what the bridge knows of the node now."""
        self._counters = counters

    def tick(self, heard_until: float) -> None:
        """Done when the node has been well for a while, else when its time is over."""
        now = max(self.now, heard_until)
        waited = now - self.began >= self.task.seconds
        if self._counters.get("state") != "ok" or self._counters.get("troubles"):
            self._well_since = None
        elif self._well_since is None:
            self._well_since = now
        if self._counters.get("state") == "ok":
            if waited or (self._well_since is not None and heard_until - self._well_since >= COMPLAINS_S):
                self._judge()
        elif waited:
            self.done = True
            self.find("absent", why=self._counters.get("problem") or "it says nothing")

    def _judge(self) -> None:
        self.done = True
        if self._counters.get("stale"):
            self.find("stale")
        for name, why in sorted((self._counters.get("troubles") or {}).items()):
            self.find("trouble", name.partition("/")[2].replace(":", " ", 1) or name, why=why)


class RestTrial(Trial):
    """The empty table: nothing is sensed, scales rest near zero."""

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self._reaches: Counter[str] = Counter()
        self._knocks: Counter[str] = Counter()
        self._pressed: set[str] = set()
        self._read: set[str] = set()
        self._weights: dict[str, list[tuple[float, float]]] = {}
        self._readings: Counter[str] = Counter()

    def hear(self, observation: Observation) -> None:
        """Take an observation."""
        match observation:
            case Reach(phase="in"):
                self._reaches[beam_name(observation)] += 1
            case Knock(seat=seat):
                self._knocks[f"knock {seat or '-'}"] += 1
            case Button(seat=seat, button=button):
                self._pressed.add(f"button {seat}:{button}")
            case Scale(zone=zone, grams=grams, settled=settled):
                self._readings[f"scale {zone}"] += 1
                if settled:
                    self._weights.setdefault(f"scale {zone}", []).append((observation.t, grams))
            case Tags(zone=zone, tags=tags) if tags:
                self._read.add(f"coil {zone}")

    def tick(self, heard_until: float) -> None:
        """Judge when the time is over."""
        if heard_until - self.began >= self.task.seconds:
            self.done = True
            self._judge()

    def expect(self, scales: tuple[str, ...]) -> None:
        """Name the scales that must be heard of."""
        for name in scales:
            self._readings[name] += 0

    def _judge(self) -> None:
        still = self.standing
        for name in sorted(self._read | {coil for coil, tags in still.tags.items() if tags}):
            self.find("tag-at-rest", name)
        still.broken_at_rest = set(still.broken)
        for name in sorted(still.broken):
            self.find("broken-at-rest", name)
        for name, count in sorted(self._reaches.items()):
            if name not in still.broken:
                self.find("flapping", name, count=count)
        for name in sorted(still.over):
            self.find("over-at-rest", name)
        for name in sorted(self._pressed):
            self.find("pressed-at-rest", name)
        for name, count in sorted(self._knocks.items()):
            if count > self.limit("knocks"):
                self.find("false-knocks", name, count=count)
        for name in sorted(self._readings):
            self._weigh(name, self._weights.get(name, []))

    def _weigh(self, name: str, settled: list[tuple[float, float]]) -> None:
        if not self._readings[name]:
            self.find("silent-scale", name)
            return
        if not settled:
            self.find("restless", name)
            return
        grams = [value for _, value in settled]
        middle = statistics.fmean(grams)
        self.values[name] = round(middle, 3)
        if abs(middle) > self.limit("zero_g"):
            self.find("not-zero", name, grams=middle)
        if len(grams) < ENOUGH:
            return
        slope, error = slope_of(settled)
        middle_t = statistics.fmean(t for t, _ in settled)
        spread = statistics.pstdev(value - slope * (t - middle_t) for t, value in settled)
        if spread > self.limit("sigma_g"):
            self.find("noisy", name, grams=spread)
        if abs(60 * slope) > self.limit("drift_g_per_min") + 2 * 60 * error:
            self.find("drifting", name, grams=60 * slope)


class Idle(Trial):
    """The table is left alone: what is heard meanwhile is counted afterwards."""

    def tick(self, heard_until: float) -> None:
        """Done when the time is over."""
        self.done = heard_until - self.began >= self.task.seconds


class HeldTrial(Trial):
    """One card lies still over a coil: it must be read all the while."""

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self._first: float | None = None
        self._since: float | None = None
        self._read = 0.0
        self._others: dict[str, float] = {}
        self._judged: float | None = None

    def hear(self, observation: Observation) -> None:
        """Take an observation."""
        if not isinstance(observation, Tags):
            return
        name = f"coil {observation.zone}"
        if name != self.sensor:
            if observation.tags:
                self._others.setdefault(name, observation.t)
            return
        if observation.tags:
            self._first = observation.t if self._first is None else self._first
            self._since = observation.t if self._since is None else self._since
        else:
            self._close(observation.t)

    def _close(self, t: float) -> None:
        if self._since is not None and self._first is not None:
            end = min(t, self._first + self.task.seconds)
            self._read += max(0.0, end - self._since)
            self._since = None

    def tick(self, heard_until: float) -> None:
        """Judge when the card has lain long enough, then wait until it is taken away."""
        if self._judged is not None:
            lies = any(self.standing.tags.get(name) for name in (self.sensor, *self._others))
            self.done = not lies or heard_until - self._judged >= PATIENCE_S
        elif self._first is not None:
            if heard_until >= self._first + self.task.seconds:
                self._judge(heard_until)
        elif elsewhere := [name for name, t in self._others.items() if heard_until - t >= self.task.seconds]:
            self._judged = heard_until
            self.find("swapped", by=elsewhere[0])
            self.do("Togli la carta.", "Take the card away.")
        elif heard_until - self.began >= PATIENCE_S:
            self.done = True
            self.find_silence()

    def _judge(self, heard_until: float) -> None:
        self._judged = heard_until
        self._close(heard_until)
        share = self._read / self.task.seconds
        self.values = {"share": round(share, 3)}
        if share < self.limit("read"):
            self.find("weak", share=share)
        self.do("Bene, togli la carta.", "Good, take the card away.")


class Number(Trial):
    """A figure that the person has measured with an instrument and types in."""

    wants_number = True

    def typed(self, text: str) -> None:
        """Take the figure; ask again for an invalid one."""
        try:
            number = float(text.replace(",", "."))
        except ValueError:
            self.do("Scrivi un numero, per esempio 23,5.", "Type a number, for example 23.5.")
            return
        self.done = True
        self.values = {"number": number}
        if not self.limit("least") <= number <= self.limit("most"):
            self.find("detuned", number=number)
