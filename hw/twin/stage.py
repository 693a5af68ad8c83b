"""The twin in time: gestures become beats, beats change the world and reach the sensors. Base of both consumers.

``Observer`` (hw.twin.observe) turns what happens here into observations at once; ``LivePlayer`` (hw.twin.live) plays it
against a clock for the node and the camera.
"""

from __future__ import annotations

import heapq
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hw.observation_log import CARD_GRAMS
from hw.seats import Seat
from hw.twin.card_places import CardPlace, places
from hw.twin.changes import apply
from hw.twin.gestures import ConsoleGesture, DiscardGesture, Gesture, PlayGesture, Say, SwapCard
from hw.twin.noise import Noise
from hw.twin.performer import perform
from hw.twin.physics import LoadCell, Sensors, Signal
from hw.twin.timed_events import ArmIn, ArmOut, Beat, CardChange, OffGate, OverGate, Performed, PersonEntry, Pressure
from hw.twin.twin_table import DRAWN, TableKind
from hw.twin.world import World, boxed


@dataclass(frozen=True, slots=True)
class Loaded:
    """The cards on the scale of ``zone`` changed at ``t``."""

    t: float
    zone: str


@dataclass(frozen=True, slots=True)
class SceneChange:
    """Change at ``t`` of what the camera could see: cards moved, or an arm came or went."""

    t: float
    arm_came: bool = False


@dataclass(frozen=True, slots=True)
class Entered:
    """A person entered something at ``t``."""

    t: float
    what: ConsoleGesture | Say


@dataclass(frozen=True, slots=True)
class Reminder:
    """Reminder that a consumer asked for."""

    t: float
    what: object


Happening = Signal | Loaded | SceneChange | Entered | Reminder


class Stage:
    """World, arms, scales and sensors of one table.

    ``tags``: UID → physical card, as in a log's header; these cards are the pack. ``timing`` is drawn for what people
    do, ``chance`` for what sensors do, so that one script keeps its times at every level of noise.
    """

    def __init__(
        self,
        tags: Mapping[str, str],
        noise: Noise,
        rng: random.Random,
        table: TableKind = DRAWN,
        card_grams: float = CARD_GRAMS,
        paces: Mapping[Seat, float] | None = None,
    ) -> None:
        self._paces = dict(paces or {})
        self._timing = random.Random(rng.getrandbits(64))  # noqa: S311 - a simulation
        self._chance = random.Random(rng.getrandbits(64))  # noqa: S311 - a simulation
        self.noise = noise
        self.table = table
        self.world: World = boxed(tags.values(), table)
        self.t = 0.0
        """The end of what was performed so far."""
        self.arms: dict[tuple[str | None, str], ArmIn] = {}
        self.covered: dict[str, float] = {}
        """Until when at least a hand that reached covers a zone."""
        self.all_covered_until = 0.0
        self.sensors = Sensors({card: uid for uid, card in tags.items()}, noise, self._chance, table)
        self.cells = {zone: LoadCell(noise, self._chance, card_grams) for zone in table.equipment.weighed}
        self._heap: list[tuple[float, int, Beat | Happening]] = []
        self._count = 0
        self._places: tuple[World, tuple[CardPlace, ...]] | None = None
        self._gates: dict[str, list[float]] = {}

    def _push(self, t: float, what: Beat | Happening) -> None:
        self._count += 1
        heapq.heappush(self._heap, (t, self._count, what))

    def remind(self, t: float, what: object) -> None:
        """Have ``Due(t, what)`` among the happenings."""
        self._push(t, Reminder(t, what))

    def places(self) -> tuple[CardPlace, ...]:
        """Return the present places of the cards."""
        if self._places is None or self._places[0] is not self.world:
            self._places = (self.world, places(self.world))
        return self._places[1]

    def begin(self, gesture: Gesture) -> Performed:
        """Write ``gesture`` down to be played from the end of the last one on. Raises ImpossibleGesture.

        ``run`` must have played what came before.
        """
        pace = self._paces.get(getattr(gesture, "seat", None) or Seat.SOUTH, 1.0)
        performance = perform(gesture, self.world, self.t, self._timing, pace)
        self._gates = {}
        for beat in performance.beats:
            if isinstance(beat.act, OffGate):
                self._gates.setdefault(beat.act.zone, []).append(beat.t)
            self._push(beat.t, beat)
        end = performance.performed.end
        for signal in self.sensors.false_knocks(self.t, end):
            self._push(signal.t, signal)
        if isinstance(gesture, DiscardGesture | PlayGesture) and self.noise.cover_each_turn_s:
            # One discard or played card ends a turn: the only sign of it that a table without rules has.
            at = performance.performed.committed + self._chance.uniform(0.5, 3.0)
            self.remind(at, _CoverAll(at + self.noise.cover_each_turn_s))
        self.t = end
        return performance.performed

    def next_due(self) -> float | None:
        """Return the time of the next scheduled event; None if there is none."""
        return self._heap[0][0] if self._heap else None

    def run(self, until: float) -> Iterator[Happening]:
        """Return what happens up to ``until``, in the order of time; the world changes as it is read."""
        while self._heap and self._heap[0][0] <= until:
            t, _, what = heapq.heappop(self._heap)
            if isinstance(what, Beat):
                yield from self._play(what)
            elif isinstance(what, Reminder) and isinstance(what.what, _CoverAll):
                self.all_covered_until = what.what.until
                self._push(what.what.until, SceneChange(what.what.until))
                yield SceneChange(t, arm_came=True)
            else:
                yield what

    def _play(self, beat: Beat) -> Iterator[Happening]:
        t, act = beat.t, beat.act
        if isinstance(act, CardChange):
            yield from self._change(t, act)
        elif isinstance(act, Pressure):
            self.cells[act.zone].lean(t, act.grams)
            yield Loaded(t, act.zone)
        elif isinstance(act, PersonEntry):
            if isinstance(act.what, ConsoleGesture) and act.what.do == "deal":
                for cell in self.cells.values():
                    cell.tare(t)
            yield Entered(t, act.what)
        elif isinstance(act, ArmIn):
            self.arms[act.seat, act.zone] = act
            self.covered[act.zone] = t + self.noise.sight_hand_covers_s
            yield SceneChange(t, arm_came=True)
        elif isinstance(act, ArmOut):
            self.arms.pop((act.seat, act.zone), None)
            yield SceneChange(t)
        stay = self._stay(t, act.zone) if isinstance(act, OverGate) else None
        for signal in self.sensors.sense(t, act, stay):
            if signal.t > t:
                self._push(signal.t, signal)
            else:
                yield signal

    def _stay(self, t: float, zone: str) -> float | None:
        return next((off - t for off in self._gates.get(zone, ()) if off >= t), None)

    def _change(self, t: float, act: CardChange) -> Iterator[Happening]:
        if isinstance(act.step, SwapCard):
            self.sensors.enrol(act.step.came, act.step.uid)
        before, self.world = self.world, apply(self.world, act.step)
        yield from self.sensors.spot(t, self.world)
        for zone in self.cells:
            if self.world.weighed(zone) != before.weighed(zone):
                self.cells[zone].load(t, self.world.weighed(zone))
                yield Loaded(t, zone)
        yield SceneChange(t)


@dataclass(frozen=True, slots=True)
class _CoverAll:
    until: float
