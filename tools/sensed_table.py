"""A table with a node and a camera that can be broken: what ``sensor_faults.py`` puts its faults into.

Gestures become sensor values, read by the node's real firmware under MicroPython; between it and the bridge lies a
serial line (a pair of pseudo-terminals) that can be cut and disturbed. The camera's loop, with its judgement of the
pictures, is the real one; the pictures are noise, and what is read in them comes from the twin's error model.
"""

from __future__ import annotations

import asyncio
import os
import random
import select
import threading
import time
import tty
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal

import numpy as np
from living_hall import HALL, TABLE, own_voice, sealed_for

from firmware_bridge import Bridge
from hw.layout import Layout
from hw.observations import Console, Health, Observation, Said
from hw.table_sections import CameraSection, TableSection
from hw.tablemap import TableMap
from hw.twin.gestures import ConsoleGesture, Say
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.node_host import NodeHost
from hw.twin.noise import load_noise
from hw.twin.provide_micropython import MicroPython
from hw.twin.raw import RawFrame
from hw.twin.sight_model import SightModel
from hw.twin.stage import Entered
from hw.twin.timed_events import Performed
from table_service.camera.camera_loop import CameraWatch
from table_service.commands.demo.modelled_sightings import ModelledSightings
from table_service.events import Event
from table_service.publish import BrokerAddress
from table_service.rehearsal.game_rehearsal import rehearsal_of
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService
from vision.calibration import Calibration
from vision.errors import SourceError
from vision.source import CameraFrame

RULES: Final = "fibur2024"
FRAME_EVERY_S: Final = 0.4
"""Seconds of the table's time between two frames that show nothing new."""
LOOKED_S: Final = 5.0
NODE_READS_S: Final = 5.0
NODE_BEGINS_S: Final = 30.0
Sees = Literal["well", "gone", "frozen", "white", "black"]


class NodeError(Exception):
    """The simulated node does not do what it is there for."""


class Line:
    """A serial line between a node and the bridge: ``port`` is a link that stays; it can be cut, joined, disturbed."""

    def __init__(self, node: str, folder: Path, chance: random.Random) -> None:
        """``node``: the node's own port."""
        self._node = os.open(node, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self._node)
        self._chance = chance
        self.port = str(folder / "node")
        self._ends: tuple[int, int] | None = None
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self.babbling = False
        self.join()
        self._thread = threading.Thread(target=self._pump, name="line", daemon=True)
        self._thread.start()

    def join(self) -> None:
        """Plug the cable in."""
        master, slave = os.openpty()
        tty.setraw(master)
        tty.setraw(slave)
        os.set_blocking(master, False)
        with self._lock:
            self._ends = (master, slave)
        link = Path(self.port + ".new")
        link.symlink_to(os.ttyname(slave))
        link.rename(self.port)

    def cut(self) -> None:
        """Pull the cable out: the port is gone, and what the node says meanwhile is lost."""
        with self._lock:
            ends, self._ends = self._ends, None
        Path(self.port).unlink()
        for end in ends or ():
            os.close(end)

    def close(self) -> None:
        """End the line."""
        self._ended.set()
        self._thread.join(5)
        if self._ends is not None:
            self.cut()
        os.close(self._node)

    def _pump(self) -> None:
        while not self._ended.is_set():
            with self._lock:
                host = None if self._ends is None else self._ends[0]
                ready, _, _ = select.select([self._node, *([] if host is None else [host])], [], [], 0.02)
                if self._node in ready:
                    self._carry(self._node, host)
                if host in ready:
                    self._carry(host, self._node)
                if self.babbling and host is not None:
                    self._write(host, self._chance.randbytes(64))

    def _carry(self, source: int | None, target: int | None) -> None:
        try:
            data = os.read(source, 4096) if source is not None else b""
        except OSError:
            return
        if target is not None:
            self._write(target, data)

    @staticmethod
    def _write(target: int, data: bytes) -> None:
        try:
            os.write(target, data)
        except OSError:
            return  # the other end does not read: as on a wire the bytes are lost


class Pictures:
    """A camera's frames: each is noise of its own, so that it is neither black, white, of one colour nor frozen."""

    def __init__(self) -> None:
        self.sees: Sees = "well"
        self._waiting: deque[CameraFrame] = deque()
        self._changed = threading.Condition()
        self._chance = np.random.default_rng(1)
        self._still = self._noise()

    def photograph(self, t: float) -> None:
        """Take a picture at ``t``."""
        picture = {"white": np.full_like(self._still, 255), "black": np.zeros_like(self._still), "frozen": self._still}
        with self._changed:
            self._waiting.append(CameraFrame(t, picture.get(self.sees, self._noise())))
            self._changed.notify_all()

    def break_(self, sees: Sees) -> None:
        """From now on the camera ``sees`` this."""
        with self._changed:
            self.sees = sees
            self._changed.notify_all()

    def open(self) -> Pictures:
        """Open the camera. Raises SourceError while it is gone."""
        if self.sees == "gone":
            raise SourceError("camera 0 is not there")
        return self

    def frames(self) -> Iterator[CameraFrame]:
        """Every picture in its order. Raises SourceError when the camera goes."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self.sees == "gone", 0.5)
                if self.sees == "gone":
                    self._waiting.clear()
                    raise SourceError("camera 0 gives no more pictures")
                frame = self._waiting.popleft() if self._waiting else None
            if frame is not None:
                yield frame

    def close(self) -> None:
        """Nothing is held open."""

    def _noise(self) -> np.ndarray[Any, np.dtype[np.uint8]]:
        return self._chance.integers(40, 200, (64, 64, 3), dtype=np.uint8)


class ModelledEye(ModelledSightings):
    """The eye by the twin's error model; ``looked``: the moment of the last picture that it was given."""

    calibration: Calibration | None = None

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.looked = -1.0

    def look(self, frame: Any, t: float) -> Any:
        """Return what was written down for ``t``."""
        sight = super().look(frame, t)
        self.looked = t
        return sight

    def picture(self, frame: Any, t: float) -> None:
        """No evidence is kept of noise."""

    def notice(self) -> None:
        """Nothing has become known."""


@dataclass
class SensedTable:
    """A table that plays deals by its sensors. ``at``: what is done once so many of a hundred acts are over."""

    port: int
    folder: Path
    seed: int
    deals: int
    speed: float
    interpreter: MicroPython
    at: dict[int, Callable[[SensedTable], None]] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    health: list[tuple[float, float, Health]] = field(default_factory=list)
    """What was told of node and camera, with the wall clock's and the table's time."""

    def play(self) -> None:
        """Play to the end; then everything is told and closed."""
        self.rehearsal = prepare(RULES, self.seed, self.deals, (), "normal", table=TABLE)
        self.clock = ScaledClock(self.speed)
        self.service = TableService(
            self.rehearsal.header, HALL, TableFiles.under(self.folder, TABLE), BrokerAddress("127.0.0.1", self.port),
            self.clock.now, voice=own_voice(self.folder.parent), sealed_for=sealed_for(self.folder.parent),
        )  # fmt: skip
        self.service.listeners.append(self.events.append)
        game = rehearsal_of(RULES)
        self.table, self.pictures, stop = game.table, Pictures(), threading.Event()
        self.eye = ModelledEye(self.table.layout)
        with NodeHost(micropython=self.interpreter, table=self.table) as self.host:
            self.line = Line(self.host.port, self.folder.parent, random.Random(self.seed))  # noqa: S311 - noise
            self.bridge = Bridge([self.line.port], self.clock.now)
            self.service.displays.append(self.bridge.show)
            self.watch = watch = CameraWatch(
                TableMap(
                    table=TableSection(name=TABLE, rules=RULES),
                    camera=CameraSection(source="v4l2:0", width=640, height=480),
                ),
                self, self.clock.now, stop, boot=self.service.journal.boot, say=lambda _sentence: None,
                open_source=lambda _table, _clock: self.pictures.open(), make_eye=lambda: self.eye,
            )  # fmt: skip
            self.service.listeners.append(watch.heard)
            camera = threading.Thread(target=watch.run, name="camera", daemon=True)
            self.service.start()
            self.bridge.start()
            camera.start()
            try:
                asyncio.run(self._play())
            finally:
                stop.set()
                self.pictures.break_("gone")
                camera.join(10)
                self.bridge.close()
                self.line.close()
                self.service.close(20.0)

    def observe(self, observation: Observation) -> None:
        """Take what a node or the camera tells."""
        if isinstance(observation, Health):
            self.health.append((time.monotonic(), self.clock.now(), observation))
        self.service.observe(observation)

    def frame(self, _picture: Any) -> None:
        """No picture becomes evidence."""

    async def _play(self) -> None:
        hearing = asyncio.create_task(self._hear())
        self.host.feed(RawFrame(0.0, {}, 0.0))  # a simulated node says nothing before it was told the time
        if not await self._until(lambda: self.bridge.complete_until() is not None, NODE_BEGINS_S):
            raise NodeError(f"the bridge has not heard the node within {NODE_BEGINS_S:g} s")
        noise, script = load_noise("normal"), self.rehearsal.script
        chance, looks = (random.Random(f"{self.seed}/{what}") for what in ("live", "looks"))  # noqa: S311
        tags = self.rehearsal.header.tags
        reader = SightModel(noise, looks, self.table.layout, tags.values())
        player = LivePlayer(tags, noise, chance, self.clock, self.table, reader=reader, paces=script.paces)
        done, acts, taken = 0, len(script.cues), 0.0
        async for played in player.play(script.gestures(), rest=8.0):
            match played:
                case RawFrame(t=t):
                    await self._until(lambda: not self.host.unread, NODE_READS_S)
                    self.host.feed(played)
                    if t - taken >= FRAME_EVERY_S:
                        taken = t
                        self.pictures.photograph(t)
                case Snapshot(scene=scene, sight=sight):
                    taken = scene.t
                    if sight is not None:
                        self.eye.taken(sight)
                    self.pictures.photograph(scene.t)
                    if self.pictures.sees == "well" and self.watch.report()["well"]:
                        await self._until(lambda t=scene.t: self.eye.looked >= t, LOOKED_S)  # type: ignore[misc]
                case Entered(t=t, what=what):
                    self._enter(t, what)
                case Performed():
                    done += 1
                    for due in [one for one in self.at if one * acts <= done * 100]:
                        self.at.pop(due)(self)
        await asyncio.sleep(0.5)
        self.bridge.close()
        await hearing

    async def _hear(self) -> None:
        async for observation in self.bridge:
            self.observe(observation)

    async def _until(self, met: Callable[[], bool], patience: float) -> bool:
        until = time.monotonic() + patience
        while not (done := met()) and time.monotonic() < until:  # noqa: ASYNC110 - a pipe that is read tells nobody
            await asyncio.sleep(0.001)
        return done

    def _enter(self, t: float, what: ConsoleGesture | Say) -> None:
        if isinstance(what, Say):
            self.service.observe(Said(round(t, 6), what.seat, what.what))
        else:
            self.service.observe(Console(round(t, 6), what.by, what.do, dict(what.fields)))
