"""The demo's twin: gestures against a scaled clock, raw values for the node and scenes for the camera as they fall due.

How to wire it::

    clock = ScaledClock(speed=6.0)
    player = LivePlayer(tags, load_noise("normal"), random.Random(7), clock)
    async for played in player.play(script):          # an iterable or async iterable of gestures
        match played:
            case RawFrame():   host.feed(played)       # hw.twin.node_host.NodeHost
            case Snapshot():   queue.put(played.scene) # hw.twin.camera renders it; clock.hold() while it falls behind
            case Entered():    ...                     # the arbitro's console or a declaration, at its moment
            case Performed():  ...                     # the gesture that is over: the truth

The clock never runs more than a tenth of a second past what has been played: where the consumer is slow, or holds it,
the table's time waits. With ``follow`` the node's own clock runs on between two frames at the clock's rate; without, it
steps from frame to frame (each 50 ms of table time, and at each event), so that no card crosses a gate unseen because
the machine was busy.
"""

from __future__ import annotations

import asyncio
import math
import random
import threading
import time
from collections.abc import AsyncIterable, AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hw.observation_log import CARD_GRAMS
from hw.observations import Sight
from hw.seats import Seat
from hw.twin.gestures import Gesture
from hw.twin.moving_arms import MovingArms
from hw.twin.noise import Noise
from hw.twin.physics import Signal
from hw.twin.raw import RawFrame, RawValue
from hw.twin.scene import Arm, Scene
from hw.twin.sight_model import SightModel
from hw.twin.stage import Entered, Happening, Reminder, SceneChange, Stage
from hw.twin.timed_events import Performed
from hw.twin.twin_table import DRAWN, TableKind
from hw.twin.world import World

GRID_S: Final = 0.05
"""Table time from one reading of the load cells to the next."""
COVERED_S: Final = 0.25
"""Seconds after an arm came in at which the camera looks at what it covers."""
SETTLED_S: Final = 0.4
"""Table time from the last change, and from picture to picture, once nothing moves."""
SLACK_S: Final = 0.1
"""Seconds by which the clock may run ahead of what is due, so that waking up late costs no time."""
REST_S: Final = 4.5
"""Table time from picture to picture at rest; the contract asks for five seconds at most."""


class ScaledClock:
    """The table's clock: wall time times ``speed``, never past its horizon. Safe to use from any thread.

    ``hold`` stops it until as many ``release`` followed: who cannot keep up holds it.
    """

    def __init__(self, speed: float = 1.0, wall: Callable[[], float] = time.monotonic) -> None:
        """``speed``: seconds of table time a second of wall time, above 0. Raises ValueError for another."""
        if not 0 < speed < math.inf:
            raise ValueError(f"a clock's speed is a number above 0, not {speed!r}")
        self.speed = speed
        self._wall = wall
        self._lock = threading.RLock()
        self._base = 0.0
        self._base_wall = wall()
        self._horizon = 0.0
        self._holds = 0
        self._waiters: list[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = []

    @property
    def rate(self) -> float:
        """Present speed of the clock, or 0 while it is held."""
        return 0.0 if self._holds else self.speed

    def now(self) -> float:
        """Seconds of the table's time."""
        with self._lock:
            wall = self._wall()
            t = self._base + (wall - self._base_wall) * self.rate
            if t > self._horizon:
                t = max(self._base, self._horizon)
            self._base, self._base_wall = t, wall
            return t

    def allow(self, horizon: float) -> None:
        """Let the clock run as far as ``horizon``; it has stopped at the last one until now."""
        with self._lock:
            self.now()
            self._horizon = max(self._horizon, horizon)

    def hold(self) -> None:
        """Stop the clock."""
        with self._lock:
            self.now()
            self._holds += 1
            self._wake()

    def release(self) -> None:
        """Take back one ``hold``; the last one lets the clock run again. Raises RuntimeError if nothing holds it."""
        with self._lock:
            if not self._holds:
                raise RuntimeError("the clock is released more often than it was held")
            self.now()
            self._holds -= 1
            self._wake()

    def _wake(self) -> None:
        for loop, event in self._waiters:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    async def wait(self, t: float) -> bool:
        """Wait for ``t``. True when it has come; False as soon as the rate changes before that."""
        self.allow(t + SLACK_S)
        waiter = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._waiters.append(waiter)
            rate = self.rate
        try:
            while self.now() < t - 1e-9:
                left = (t - self.now()) / rate if rate else None
                try:
                    await asyncio.wait_for(waiter[1].wait(), left)
                except TimeoutError:
                    continue
                if self.rate != rate:
                    return False
                waiter[1].clear()
            return True
        finally:
            with self._lock:
                self._waiters.remove(waiter)


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A scene to take a picture of: an arm covers something, the table has changed and rests, or only rests."""

    scene: Scene
    why: Literal["covered", "changed", "rest", "moving"]
    sight: Sight | None = None
    """Sight that the error model reads in it, the hands' areas too; None if the player was given no model."""


Played = RawFrame | Snapshot | Entered | Performed

_GRID: Final = "grid"
_HANDS: Final = "hands"


@dataclass(frozen=True, slots=True)
class _Look:
    why: Literal["covered", "changed", "rest"]
    number: int
    """Number of the change that this look follows; a later one makes it void."""
    left: int = 0


class LivePlayer:
    """Plays gestures in the table's time. The same script gives the same values and scenes, whatever the speed."""

    def __init__(
        self,
        tags: Mapping[str, str],
        noise: Noise,
        rng: random.Random,
        clock: ScaledClock,
        table: TableKind = DRAWN,
        *,
        card_grams: float = CARD_GRAMS,
        pictures: int = 2,
        settled_s: float = SETTLED_S,
        follow: bool = False,
        paces: Mapping[Seat, float] | None = None,
        reader: SightModel | None = None,
        hands_s: float | None = None,
    ) -> None:
        """Make a player. ``tags``: UID → physical card. ``pictures``: number taken once a change has come to rest.

        They come ``settled_s`` seconds after the change and after each other. ``paces``: factor on the time each seat's
        hands take, 1 if not given. ``reader``: model of a camera's reader for each picture, if no frame is to be read.

        ``hands_s``: seconds from picture to picture while hands are over the table, on their way between the places to
        which they reach; None: one picture of each arm where it reaches.
        """
        self._stage = Stage(tags, noise, rng, table, card_grams, paces)
        self._reader = reader
        self._clock = clock
        self._pictures, self._settled_s = pictures, settled_s
        self._follow = follow
        self._hands_s = hands_s
        self._hands = MovingArms()
        self._are_followed = False
        self._rate = -1.0
        self._changes = 0
        self._stage.remind(0.0, _GRID)
        self._stage.remind(SETTLED_S, _Look("rest", 0))

    @property
    def world(self) -> World:
        """Places of all cards now."""
        return self._stage.world

    @property
    def t(self) -> float:
        """The end, in table time, of what was begun so far."""
        return self._stage.t

    async def play(
        self, script: Iterable[Gesture] | AsyncIterable[Gesture], rest: float = 3.0
    ) -> AsyncIterator[Played]:
        """Play ``script``, each value in its time, and ``rest`` seconds after it. Raises ImpossibleGesture.

        A later ``play`` continues where this one ended.
        """
        if self._rate < 0:
            yield self._frame(0.0, self._at_rest())
        async for gesture in _each(script):
            performed = self._stage.begin(gesture)
            async for played in self._run(self._stage.t):
                yield played
            yield performed
        self._stage.t += rest
        async for played in self._run(self._stage.t):
            yield played

    async def _run(self, until: float) -> AsyncIterator[Played]:
        while (due := self._stage.next_due()) is not None and due <= until:
            async for frame in self._until(due):
                yield frame
            for happening in self._stage.run(due):
                played = self._played(happening)
                if played is not None:
                    yield played
        async for frame in self._until(until):
            yield frame

    async def _until(self, t: float) -> AsyncIterator[RawFrame]:
        """Wait for ``t``, telling the node whenever the clock is held or released."""
        while True:
            if self._follow and self._clock.rate != self._rate:
                yield self._frame(self._clock.now(), {})
            if await self._clock.wait(t):
                return

    def _frame(self, t: float, values: dict[str, RawValue]) -> RawFrame:
        self._rate = self._clock.rate
        return RawFrame(t, values, self._rate if self._follow else 0.0)

    def _at_rest(self) -> dict[str, RawValue]:
        table = self._stage.table
        values: dict[str, RawValue] = {f"coil:{zone}": [] for zone in table.equipment.gated}
        upright = {name: 1 for name in table.beside if name.startswith(("shield:", "screen:panel"))}
        open_ = {name: 0 for name in table.beside if name.startswith(("screen:aperture", "tray:"))}
        return values | self._weights(0.0) | upright | open_

    def _weights(self, t: float) -> dict[str, RawValue]:
        return {f"scale:{zone}": round(self._stage.cells[zone].read(t) * 1000) for zone in self._stage.cells}

    def _played(self, happening: Happening) -> Played | None:
        match happening:
            case Signal(t, name, value):
                return self._frame(t, {name: value})
            case Entered():
                return happening
            case SceneChange(t, arm_came):
                self._seen(t, arm_came=arm_came)
            case Reminder(t, what) if what == _GRID:
                self._stage.remind(t + GRID_S, _GRID)
                return self._frame(t, self._weights(t))
            case Reminder(t, what) if what == _HANDS:
                return self._next_of_hands(t)
            case Reminder(t, _Look() as look):
                return self._look(t, look)
        return None

    def _seen(self, t: float, *, arm_came: bool) -> None:
        self._changes += 1
        if self._hands_s is not None:
            self._hands.follow(t, self._stage.arms.values())
            if not self._are_followed and self._hands.at(t):
                self._are_followed = True
                self._stage.remind(t + self._hands_s, _HANDS)
        elif arm_came:
            self._stage.remind(t + COVERED_S, _Look("covered", self._changes))
        if not self._stage.arms and t >= self._stage.all_covered_until:
            self._stage.remind(t + self._settled_s, _Look("changed", self._changes, self._pictures - 1))

    def _next_of_hands(self, t: float) -> Snapshot:
        self._are_followed = bool(self._hands.at(t))
        if self._hands_s is not None and self._are_followed:
            self._stage.remind(t + self._hands_s, _HANDS)
        return self._snapshot(t, "moving")

    def _look(self, t: float, look: _Look) -> Snapshot | None:
        covered = bool(self._stage.arms) or t < self._stage.all_covered_until
        if look.why == "covered":
            return self._snapshot(t, "covered") if covered else None
        if look.number != self._changes:
            return None
        if look.left > 0:
            self._stage.remind(t + self._settled_s, _Look("changed", look.number, look.left - 1))
        else:
            self._stage.remind(t + REST_S, _Look("rest", look.number))
        return self._snapshot(t, look.why)

    def _snapshot(self, t: float, why: Literal["covered", "changed", "rest", "moving"]) -> Snapshot:
        sight = self._reader.sight(self._stage, t, unmasked=True) if self._reader is not None else None
        return Snapshot(self._scene(t), why, sight)

    def _scene(self, t: float) -> Scene:
        if self._hands_s is None:
            arms = [Arm(arm.seat or Seat.SOUTH, arm.x, arm.y) for arm in self._stage.arms.values()]
        else:
            arms = list(self._hands.at(t))
        if t < self._stage.all_covered_until:
            arms.extend(Arm(seat, 0.0, 0.0) for seat in self._stage.table.rotation.seats)
        tray = None if self._stage.table.tray is None else self._stage.world.tray or "moving"
        return Scene(round(t, 6), tuple(place.in_scene() for place in self._stage.places()), tuple(arms), tray)


async def _each(script: Iterable[Gesture] | AsyncIterable[Gesture]) -> AsyncIterator[Gesture]:
    if isinstance(script, AsyncIterable):
        async for gesture in script:
            yield gesture
    else:
        for gesture in script:
            yield gesture
