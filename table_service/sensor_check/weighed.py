"""Trials of scales with a known weight: calibration and reading rate, corner load, creep."""

from __future__ import annotations

import statistics
from typing import Final

from hw.board.procedure import WEIGHT_G
from hw.observations import Observation, Scale
from table_service.sensor_check.tasks import Task
from table_service.sensor_check.trial import PATIENCE_S, Standing, Trial, slope_of

SURE: Final = 3.0
"""Standard errors beyond its limit from which a slope is a fault: a thousand good scales give one false."""
NOTICED_G: Final = 5.0
"""A change of this much is the weight, even on a scale that is ten times off."""
STILL: Final = 5
"""Settled readings that make a weight."""
AGREE_G: Final = 2.5
"""And they must agree this well: a node that has learned much noise calls a plate settled that still moves."""
ELSEWHERE_S: Final = 3.0
"""Seconds with the weight on a plate while another scale moved from which their wires are crossed."""
BURST_S: Final = 0.35
"""Readings nearer than this came one after the other: their distance is the converter's."""
CORNERS: Final = (
    ("in basso a sinistra", "lower left"),
    ("in basso a destra", "lower right"),
    ("in alto a destra", "upper right"),
    ("in alto a sinistra", "upper left"),
)


class WeighingTrial(Trial):
    """The weight is laid on the plate and taken off again, once for each of ``places``."""

    places: tuple[tuple[str, str], ...] = (("al centro", "in the middle"),)
    rests_s = 0.0

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self.zero = standing.rest.get(self.sensor, 0.0)
        self.weights: list[float] = []
        """Weights at each place, less that of the empty plate."""
        self.returns: list[float] = []
        self.lain: list[tuple[float, float]] = []
        """Moments and grams of the settled readings while the weight lay, from the first that agreed."""
        self._on: float | None = None
        self._settled: list[tuple[float, float]] = []
        self._since = now
        self._times: list[float] = []
        self._others: dict[str, float] = {}
        self._moved: dict[str, float] = {}
        self._gone: float | None = None

    def hear(self, observation: Observation) -> None:
        """Take an observation."""
        if not isinstance(observation, Scale):
            return
        name, t, grams = f"scale {observation.zone}", observation.t, observation.grams
        if name != self.sensor:
            before = self._others.setdefault(name, grams)
            if abs(grams - before) > NOTICED_G:
                self._moved.setdefault(name, t)
            else:
                self._moved.pop(name, None)
            return
        self._times.append(t)
        loaded = abs(grams - self.zero) > NOTICED_G
        if self._on is None and loaded:
            self._on, self._settled = t, []
        if self._on is not None and observation.settled:
            self._settled.append((t, grams))
            self._place(t)

    def _place(self, t: float) -> None:
        """Consider the settled readings since the weight came, or went."""
        if len(self.weights) == len(self.returns):  # the weight lies
            lying = [one for one in self._settled if abs(one[1] - self.zero) > NOTICED_G]
            first = _still([grams for _, grams in lying])
            if first is None or t - lying[first][0] < self.rests_s:
                return
            early = statistics.fmean(grams for _, grams in lying[first : first + STILL])
            self.weights.append(early - self.zero)
            self.lain = lying[first:]
            self._settled, self._since = [], t
            self.do("Bene, togli il peso.", "Good, take the weight off.")
            return
        near = max(NOTICED_G, abs(self.weights[-1]) / 10)
        off = [grams for _, grams in self._settled if abs(grams - self.zero) <= near]
        first = _still(off)
        if first is None:
            return
        self.returns.append(statistics.fmean(off[first : first + STILL]) - self.zero)
        self._on, self._settled, self._since = None, [], t
        if len(self.returns) < len(self.places):
            it, en = self.places[len(self.returns)]
            self.do(f"Ora {it}.", f"Now {en}.")

    def tick(self, heard_until: float) -> None:
        """Done when every place was weighed, or the weight is waited for too long."""
        elsewhere = [name for name, t in self._moved.items() if heard_until - t >= ELSEWHERE_S]
        if self._gone is not None:
            self.done = not self._moved or heard_until - self._gone >= PATIENCE_S
        elif len(self.returns) == len(self.places):
            self.done = True
            self.judge()
        elif elsewhere and self._on is None and not self.weights:
            self._gone = heard_until
            self.find("swapped", by=elsewhere[0])
            self.do("Togli il peso.", "Take the weight off.")
        elif heard_until - self._since >= PATIENCE_S + self.rests_s:
            self.done = True
            if not self._times:
                self.find("silent-scale")
            elif self._on is None:
                self.find_silence()
            else:
                self.find("restless")

    def rate(self) -> float | None:
        """Return the readings a second while the plate moved; None if too few came one after the other."""
        gaps = [b - a for a, b in zip(self._times, self._times[1:], strict=False) if 0 < b - a < BURST_S]
        return 1 / statistics.median(gaps) if len(gaps) >= STILL else None

    def judge(self) -> None:
        """Compare with the weight, and with nothing."""
        weight, back = self.weights[0], self.returns[0]
        rate = self.rate()
        self.values = {"grams": round(weight, 3), "back": round(back, 3)}
        if rate is not None:
            self.values["readings_s"] = round(rate, 1)
            if rate < self.limit("readings_s"):
                self.find("slow", rate=rate)
        if weight < 0:
            self.find("upside-down")
        elif abs(weight - WEIGHT_G) > self.limit("off") * WEIGHT_G:
            self.find("uncalibrated", grams=weight, weight=WEIGHT_G, factor=weight / WEIGHT_G)
        if abs(back) > self.limit("zero_g"):
            self.find("no-return", grams=back)


def _still(grams: list[float]) -> int | None:
    """Return the index in ``grams`` of the first readings that agree; None if none do yet."""
    for first in range(len(grams) - STILL + 1):
        part = grams[first : first + STILL]
        if max(part) - min(part) <= AGREE_G:
            return first
    return None


class Corners(WeighingTrial):
    """The weight in the middle and on the plate's four corners: they must agree."""

    places = (*WeighingTrial.places, *CORNERS)

    def judge(self) -> None:
        """Compare the corners with the middle."""
        middle = self.weights[0]
        apart = [weight - middle for weight in self.weights[1:]]
        worst = max(range(len(apart)), key=lambda n: abs(apart[n]))
        self.values = {"corner_g": round(apart[worst], 3)}
        if abs(apart[worst]) > self.limit("corner_g"):
            it, en = CORNERS[worst]
            self.find("corner-load", grams=apart[worst], corner=f"{it}, {en}")


class Creep(WeighingTrial):
    """The weight lies for a minute, or shorter in a quick walk: its reading must not creep, by so much a minute."""

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self.rests_s = task.seconds

    def judge(self) -> None:
        """Judge the slope of what was read, less what the readings' noise may make of it."""
        slope, error = slope_of(self.lain)
        self.values = {"creep_g_per_min": round(60 * slope, 3)}
        if abs(60 * slope) > self.limit("creep_g_per_min") + SURE * 60 * error:
            self.find("creep", grams=60 * slope)
