"""A table observed: gestures → the observations that a real table would log, without pixels, node or clock.

How to use it (the simulated players of a rehearsal do)::

    observer = Observer(tags, load_noise("normal"), random.Random(7))   # tags: UID -> card, as in the log's header
    lines, done = observer.perform(Command("start-round", fields={"deals": 1, "minutes": 42}))
    lines, done = observer.perform(Command("deal", fields={"deal": 1, "dealer": "S"}))
    lines, done = observer.perform(SetTable(hands, {"stock": (stock,)}))  # cards are physical: "7H#2"
    lines, done = observer.perform(Command("start-play"))
    lines, done = observer.perform(Draw(Seat.WEST))     # done.cards == ("4C#1",); done.committed: when it was lifted
    observer.world.hands[Seat.WEST]                     # where every card is now: hw.twin.world.World
    lines = observer.finish()                           # what still settles, and pictures still being read

``lines`` are in order of arrival; write them with ``hw.observation_log.LogWriter`` as they come. A gesture begins after
a moment's thought of its own; ``Wait(seconds)`` adds to it. A gesture that the cards do not allow raises
``hw.twin.world.ImpossibleGesture``: a fault of the script.

Sights follow the assumed error model (misses, misreadings, position, zones hidden by hands). A sight comes up to two
seconds after its moment, as a picture takes time to be understood; the other lines come at once.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Mapping
from typing import Final

from hw.bidding import TRAY_SIDES
from hw.observation_log import CARD_GRAMS
from hw.observations import (
    Button,
    Console,
    Health,
    Knock,
    Observation,
    Reach,
    Said,
    Scale,
    Screen,
    Shield,
    Tags,
    Tray,
)
from hw.seats import Seat, seat_or_none
from hw.twin.arrivals import BACK, BEAT, FRAME, MOVING, RESET, TRAY, Arrival, Burst, OwnBeat, ScaleReading, Stray
from hw.twin.gestures import ConsoleGesture, Gesture
from hw.twin.noise import Noise
from hw.twin.physics import Signal
from hw.twin.raw import RawValue
from hw.twin.sight_model import SightModel
from hw.twin.stage import Entered, Happening, Loaded, Reminder, SceneChange, Stage
from hw.twin.timed_events import Performed
from hw.twin.twin_table import DRAWN, TableKind
from hw.twin.world import World

FRAME_S: Final = 0.5
"""From picture to picture while something changes."""
REST_FRAME_S: Final = 4.0
"""From picture to picture at rest; the contract asks for five seconds at most."""
STILL_S: Final = 2.0
"""Seconds after the last change for which the table counts as changing."""
HEARTBEAT_S: Final = (4.0, 5.0)
"""Seconds between reports of a scale at rest."""
_SCALE_STEP_S: Final = 0.05
_SCALE_AFTER_S: Final = 0.4
_FIRMWARE_STEP_S: Final = 0.04
_BURST_READINGS: Final = 12
_BURST_UNSETTLED: Final = 5
_DELAY_MAX_S: Final = 1.9
_FIRST_FRAME_S: Final = 0.5
_NODE: Final = "table"
"""The one node of the twin's table."""
_RESTART_S: Final = (0.8, 1.6)
"""Seconds for which a restarting node senses nothing."""


_AT_REST: Final[dict[str, RawValue]] = {"coil": [], "beam": 0, "button": 0}


class Observer:
    """A simulated table that logs what it senses. Same arguments, same gestures: the same observations."""

    def __init__(
        self,
        tags: Mapping[str, str],
        noise: Noise,
        rng: random.Random,
        table: TableKind = DRAWN,
        card_grams: float = CARD_GRAMS,
        paces: Mapping[Seat, float] | None = None,
    ) -> None:
        """Make an observer. ``tags``: UID → physical card, also the pack; it lies in its box until a SetTable.

        ``paces``: factor on the time each seat's hands take, 1 if not given.
        """
        self._stage = Stage(tags, noise, rng, table, card_grams, paces)
        self._rng = random.Random(rng.getrandbits(64))  # noqa: S311 - a simulation
        self._noise = noise
        self._camera = SightModel(noise, self._rng, table.layout, tags.values())
        self._values: dict[str, RawValue] = {}
        self._told: dict[str, RawValue | str] = {}
        self._deaf_until = -1.0
        self._generation = dict.fromkeys(table.equipment.weighed, 0)
        self._used_scales: set[str] = set()
        self._changing_until = 0.0
        self._next_frame = _FIRST_FRAME_S
        self._arrived = 0.0
        self._stage.remind(_FIRST_FRAME_S, FRAME)
        self._rests: dict[str, float] = {}
        """Seconds for which each scale that reports by itself is silent at rest."""
        self._spoke: dict[str, float] = {}
        """When each scale has spoken last."""
        if noise.scale_rest_s is None:
            self._stage.remind(self._rng.uniform(*HEARTBEAT_S), BEAT)
        else:
            self._speak_rarely(noise.scale_rest_s)
        self._expect_reset(0.0)

    @property
    def world(self) -> World:
        """Places of all cards now."""
        return self._stage.world

    @property
    def t(self) -> float:
        """Seconds of the table's clock: the end of the last gesture."""
        return self._stage.t

    def perform(self, gesture: Gesture) -> tuple[list[Observation], Performed]:
        """Play ``gesture``: what arrived meanwhile, in order of arrival, and what it came to.

        Raises ImpossibleGesture.
        """
        performed = self._stage.begin(gesture)
        return self._lines(self._stage.t), performed

    def finish(self, seconds: float = 3.0) -> list[Observation]:
        """Observations of the ``seconds`` after the last gesture: scales that settle, pictures still being read."""
        self._stage.t += seconds
        return self._lines(self._stage.t)

    def _lines(self, until: float) -> list[Observation]:
        lines: list[Observation] = []
        for happening in self._stage.run(until):
            if isinstance(happening, Reminder) and happening.what == BACK:
                lines.extend(self._back(happening.t))
            elif (line := self._line(happening)) is not None:
                lines.append(line)
        return lines

    def _line(self, happening: Happening) -> Observation | None:
        match happening:
            case Signal():
                return self._signal(happening)
            case Entered(t, what):
                if isinstance(what, ConsoleGesture):
                    return Console(round(t, 6), what.by, what.do, dict(what.fields))
                return Said(round(t, 6), what.seat, what.what)
            case Loaded(t, zone):
                self._follow(t, zone)
            case SceneChange(t, arm_came):
                self._look(t, arm_came=arm_came)
            case Reminder(t, what):
                return self._due(t, what)
        return None

    # Node

    def _signal(self, signal: Signal) -> Observation | None:
        self._values[signal.name] = signal.value
        return self._tell(signal.t, signal.name) if signal.t >= self._deaf_until else None

    def _tell(self, t: float, name: str) -> Observation | None:
        """Return the node's report of sensor ``name``; None if it is the same as the last."""
        t, value = round(t, 6), self._values[name]
        sensor, _, rest = name.partition(":")
        if sensor == "knock":
            return Knock(t, seat_or_none(rest))
        if self._told.get(name, _AT_REST.get(sensor)) == value:
            return None
        self._told[name] = value
        if isinstance(value, list):
            return Tags(t, rest, tuple(value))
        seat, _, what = rest.partition(":")
        match sensor:
            case "beam":
                return Reach(t, seat_or_none(seat), what, "in" if value else "out")
            case "shield":
                return Shield(t, Seat(seat), "up" if value else "over")
            case "button":
                return Button(t, Seat(seat), what) if value else None
            case "screen":
                return _screen(t, rest, bool(value))
            case "tray":
                return self._tray(t)
        return None

    def _tray(self, t: float) -> Tray | None:
        """Place of the tray by its two contacts: moving if none is closed; both at once give no report."""
        here = [side for side in TRAY_SIDES if self._values.get(f"tray:{side}")]
        stands = here[0] if here else MOVING
        if len(here) > 1 or self._told.get(TRAY) == stands:
            return None
        self._told[TRAY] = stands
        return Tray(t, here[0] if here else "moving", None)

    def _expect_reset(self, t: float) -> None:
        rate = self._noise.link_reset_per_hour / 3600
        if rate > 0:
            self._stage.remind(t + self._rng.expovariate(rate), RESET)

    def _reset(self, t: float) -> None:
        """Start the node anew: what it would have sensed until it is back is lost."""
        self._deaf_until = t + self._rng.uniform(*_RESTART_S)
        self._stage.remind(self._deaf_until, BACK)
        self._expect_reset(self._deaf_until)

    def _back(self, t: float) -> Iterator[Observation]:
        """Report that the node is back, and every sensor that differs from its last report."""
        at = round(t, 6)
        yield Health(at, _NODE, "reset", "The node has started anew; what it sensed meanwhile is not known.")
        yield Health(at, _NODE, "ok", "")
        for name in self._values:
            if name.startswith(("coil:", "beam:", "shield:", "screen:", "tray:")):
                line = self._tell(t, name)
                if line is not None:
                    yield line
        for zone in self._stage.cells:
            if zone in self._used_scales:
                yield self._weigh(t, zone)

    # Scales

    def _follow(self, t: float, zone: str) -> None:
        """Read ``zone``'s scale while it swings and for a while after it has settled."""
        self._generation[zone] += 1
        self._used_scales.add(zone)
        reading = ScaleReading(zone, self._generation[zone])
        settle = self._noise.scale_settle_s
        for part in (0.32, 0.8):
            self._stage.remind(t + part * settle, reading)
        steps = round(_SCALE_AFTER_S / _SCALE_STEP_S)
        for step in range(steps + 1):
            self._stage.remind(t + 1.2 * settle + step * _SCALE_STEP_S, reading)

    def _weigh(self, t: float, zone: str, *, settled: bool = True) -> Scale:
        cell = self._stage.cells[zone]
        self._spoke[zone] = t
        return Scale(round(t, 6), zone, round(cell.read(t), 2), cell.settled(t) and settled)

    def _speak_rarely(self, rest_s: tuple[float, float]) -> None:
        """Each scale speaks by itself at rest, after a time of its own, and now and then for nothing."""
        for zone in self._stage.cells:
            self._rests[zone] = self._rng.uniform(*rest_s)
            self._stage.remind(self._rests[zone], OwnBeat(zone))
            self._expect_burst(0.0, zone)

    def _own_beat(self, t: float, zone: str) -> Observation | None:
        """Return a reading of a scale that has been silent for its time; the next is due as long after its last."""
        due = self._spoke.get(zone, -math.inf) + self._rests[zone]
        speaks = t >= due - 1e-6 and zone in self._used_scales and self._stage.cells[zone].settled(t)
        self._stage.remind(
            max(due, t + _SCALE_STEP_S) if not speaks and due > t else t + self._rests[zone], OwnBeat(zone)
        )
        if not speaks or t < self._deaf_until:
            return None
        return self._weigh(t, zone, settled=self._rng.random() >= self._noise.scale_unsettled)

    def _expect_burst(self, t: float, zone: str) -> None:
        rate = self._noise.scale_bursts_per_min / 60
        if rate > 0:
            self._stage.remind(t + self._rng.expovariate(rate), Burst(zone))

    def _burst(self, t: float, zone: str) -> None:
        """Let the firmware take a plate's noise for a change: unsettled readings until six agree."""
        self._expect_burst(t, zone)
        if zone in self._used_scales and self._stage.cells[zone].settled(t):
            for step in range(_BURST_READINGS):
                stray = Stray(zone, self._generation[zone], step >= _BURST_UNSETTLED)
                self._stage.remind(t + step * _FIRMWARE_STEP_S, stray)

    # Camera

    def _look(self, t: float, *, arm_came: bool) -> None:
        """Something changed: take pictures often for a while, the next one soon."""
        self._changing_until = max(self._changing_until, t + STILL_S)
        if arm_came and self._next_frame > t + FRAME_S:
            self._schedule(t + self._rng.uniform(0.1, 0.4))

    def _schedule(self, t: float) -> None:
        self._next_frame = t
        self._stage.remind(t, FRAME)

    def _delay(self) -> float:
        """Return how long a picture takes from the camera to the log."""
        if self._noise.level == "none":
            return 0.02
        return min(_DELAY_MAX_S, 0.15 + self._rng.expovariate(1 / 0.2))

    def _due(self, t: float, what: object) -> Observation | None:
        match what:
            case ScaleReading():
                return self._weigh(t, what.zone) if self._is_current(t, what) else None
            case Stray():
                return self._weigh(t, what.zone, settled=what.settled) if self._is_current(t, what) else None
            case OwnBeat():
                return self._own_beat(t, what.zone)
            case Arrival():
                return what.sight
            case Burst():
                self._burst(t, what.zone)
            case str():
                return self._remembered(t, what)
        return None

    def _is_current(self, t: float, what: ScaleReading | Stray) -> bool:
        return what.generation == self._generation[what.zone] and t >= self._deaf_until

    def _remembered(self, t: float, what: str) -> Observation | None:
        """Return what falls due under a name: an act of the observer itself, or a plate that comes to rest."""
        act = {FRAME: self._frame, BEAT: self._heartbeat, RESET: self._reset}.get(what)
        if act is not None:
            act(t)
        elif what in self._stage.cells and self._stage.cells[what].settled(t) and t >= self._deaf_until:
            return self._weigh(t, what)
        return None

    def _frame(self, t: float) -> None:
        if t != self._next_frame:
            return  # put forward by a hand that came
        sight = self._camera.sight(self._stage, t, unmasked=bool(self._stage.world.laid_out))
        self._arrived = max(self._arrived, t + self._delay())
        self._stage.remind(self._arrived, Arrival(sight))
        changing = t < self._changing_until or bool(self._stage.arms)
        self._schedule(t + (FRAME_S if changing else REST_FRAME_S))

    def _heartbeat(self, t: float) -> None:
        for zone in self._stage.cells:
            if zone in self._used_scales:
                self._stage.remind(t, zone)
        self._stage.remind(t + self._rng.uniform(*HEARTBEAT_S), BEAT)


def _screen(t: float, part: str, level: bool) -> Screen:
    if part == "panel":
        return Screen(t, "panel", "up" if level else "down", None)
    return Screen(t, "aperture", "open" if level else "closed", None)
