"""Trials that count: one act at each tone, and as often the right sensor must answer, once, and no other."""

from __future__ import annotations

import statistics
from collections import Counter, deque
from typing import Final

from hw.board.bench_figures import apart
from hw.observations import Observation, Reach, Scale
from hw.zones import TABLE
from table_service.sensor_check.tasks import Task
from table_service.sensor_check.trial import STEP_G, Prompt, Standing, Trial, signal_of

FIRST_S: Final = 1.0
"""From the person's word that he is ready to the first tone."""
GRACE_S: Final = 1.5
"""After the last act its answer may take so long."""
LEAST_PACE: Final = 0.8
"""No tone comes sooner after the one before than this part of the pace."""
MEANT: Final = 2
"""Settled readings of a scale in a row that make a weight."""
GIVEN_UP: Final = 5
"""Unanswered acts after which a sensor is not asked for the rest."""


class CountedTrial(Trial):
    """``task.times`` acts, one at each tone."""

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self.own: list[float] = []
        self.others: dict[str, list[float]] = {}
        self._times = task.times
        self._tones: list[float] = []
        """The moments of the acts asked for so far."""

    def hear(self, observation: Observation) -> None:
        """Take an observation."""
        signal = self.signal(observation)
        if signal == self.sensor:
            self.own.append(observation.t)
        elif signal is not None and self.is_rival(signal):
            self.others.setdefault(signal, []).append(observation.t)

    def signal(self, observation: Observation) -> str | None:
        """Return the sensor that ``observation`` is an answer of."""
        return signal_of(observation)

    def is_rival(self, signal: str) -> bool:
        """Return True if that sensor might have been answering in this one's place."""
        return signal.partition(" ")[0] == self.sensor.partition(" ")[0]

    def tick(self, heard_until: float) -> None:
        """Give the tones that are due; judge once the last answer must have been heard."""
        if len(self._tones) < self._times and self.now >= self._next_tone():
            self._tones.append(self.now)
            done = len(self._tones)
            self.cues.append(Prompt("tone", f"{done} di {self._times}", f"{done} of {self._times}"))
        if not self.own and self._is_over(min(GIVEN_UP, self._times), heard_until):
            self._times = len(self._tones)
        if self._is_over(self._times, heard_until):
            self.done = True
            self.judge()

    def _next_tone(self) -> float:
        """Return the moment of the next tone. After a late one, as on a busy machine, the person is not hurried."""
        pace = self.task.item.pace
        if not self._tones:
            return self.began + FIRST_S
        steady = self.began + FIRST_S + len(self._tones) * pace
        return max(steady, self._tones[-1] + LEAST_PACE * pace)

    def _is_over(self, acts: int, heard_until: float) -> bool:
        """Return True if ``acts`` acts were asked for, and the answer to the last must have been heard."""
        if len(self._tones) < acts:
            return False
        return heard_until >= self._tones[acts - 1] + max(GRACE_S, self.task.item.pace)

    def judge(self) -> None:
        """Say what is wrong."""
        answers = apart(self.own)
        missed = max(0, self._times - len(answers))
        self.values = {"answers": len(answers), "times": self._times}
        if not answers:
            self.explain_silence()
            return
        if missed > self.limit("miss") * self._times:
            self.find("misses", missed=missed, times=self._times)
        bounced = len(self.own) - len(answers)
        if "bounce" in self.task.item.limits and bounced > self.limit("bounce") * self._times:
            self.find("bounces", bounced=bounced, times=self._times)
        if "ghost" in self.task.item.limits:
            for name, moments in self.others.items():
                if len(apart(moments)) > self.limit("ghost") * self._times:
                    self.find("ghosts", by=name, count=len(apart(moments)))

    def explain_silence(self) -> None:
        """Find why the sensor has never answered: another did so in its place, or it is dead."""
        counts = Counter({name: len(apart(moments)) for name, moments in self.others.items()})
        best = counts.most_common(1)
        if best and 2 * best[0][1] >= self._times:
            self.find("swapped", by=best[0][0])
        else:
            self.find_silence()


class CardsLaid(CountedTrial):
    """A card laid on a scale and taken off again: each must move its settled weight by half a card or more.

    One reading wavers by a good part of a card, so ``MEANT`` of them are meant.
    """

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self._rest = dict(standing.rest)
        self._recent: dict[str, deque[float]] = {}

    def signal(self, observation: Observation) -> str | None:
        """Return the name of a scale that has come to rest elsewhere."""
        if not isinstance(observation, Scale):
            return None
        name = f"scale {observation.zone}"
        recent = self._recent.setdefault(name, deque(maxlen=MEANT))
        if not observation.settled:
            recent.clear()
            return None
        recent.append(observation.grams)
        if len(recent) < MEANT:
            return None
        weight = statistics.fmean(recent)
        before = self._rest.get(name, weight)
        if abs(weight - before) < STEP_G:
            self._rest[name] = (weight + before) / 2
            return None
        self._rest[name] = weight
        return name


class Reached(CountedTrial):
    """Reaches from a seat to a place: nine barriers make them, so silence has more causes than one."""

    def __init__(self, task: Task, standing: Standing, now: float) -> None:
        super().__init__(task, standing, now)
        self.seat, _, self.place = task.subject.partition(":")
        self._cleared: Counter[str] = Counter()

    def hear(self, observation: Observation) -> None:
        """Take an observation; a beam that was broken at rest may become whole while the hand is there."""
        super().hear(observation)
        if isinstance(observation, Reach) and observation.phase == "out":
            self._cleared[f"beam {observation.seat or '-'}:{observation.zone or TABLE}"] += 1

    def judge(self) -> None:
        """Say what is wrong, first of what was wrong before any hand came."""
        for name in sorted(self.standing.broken_at_rest & {f"beam -:{self.place}", f"beam {self.seat}:{TABLE}"}):
            self.values = {"answers": len(apart(self.own)), "times": self._times}
            self.find("inverted" if 2 * self._cleared[name] >= self._times else "stuck", name)
            return
        super().judge()

    def explain_silence(self) -> None:
        """Find which of the barriers failed: the edge, the place, or another one that is broken all the time."""
        counts = {name: len(apart(moments)) for name, moments in self.others.items()}
        often = {name for name, count in counts.items() if 2 * count >= self._times}
        edges = sorted(name for name in self.standing.broken_at_rest if name.endswith(f":{TABLE}"))
        if f"beam -:{self.place}" in often:
            if edges:
                self.find("blinded", by=edges[0])
            else:
                self.find("edge-silent", seat=self.seat)
            return
        swapped = sorted(name for name in often if not name.endswith(f":{TABLE}") and not name.startswith("beam -:"))
        if swapped:
            self.find("swapped", by=swapped[0])
        elif f"beam {self.seat}:{TABLE}" in often:
            self.find("place-silent", place=self.place)
        else:
            self.find_silence()
