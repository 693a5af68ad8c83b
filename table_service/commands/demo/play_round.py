"""The demo's round as it is played: gestures performed, node and camera kept up with, the arbitro waited for."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from hw.observations import Console, Observation, Said
from hw.twin.gestures import ConsoleGesture, Gesture, Press, Say
from hw.twin.live import LivePlayer, Snapshot
from hw.twin.node_host import FEED_PATIENCE, NodeHost
from hw.twin.noise import load_noise
from hw.twin.raw import RawFrame
from hw.twin.scene import Scene
from hw.twin.sight_model import SightModel
from hw.twin.stage import Entered
from hw.twin.timed_events import Performed
from table_service.camera.camera_loop import DealCourse
from table_service.commands.demo.running_demo import Demo
from table_service.commands.demo.visitor import HIS
from table_service.evidence import Picture
from table_service.rehearsal.game_rehearsal import Sights, rehearsal_of

LAG_S: Final = 1.0
"""Table seconds by which pictures may lie behind; then the table's clock waits for the camera."""
NODE_POLL_S: Final = 0.001
"""Wall seconds between two looks whether the node has read what it was fed."""
PATIENCE_S: Final = 10.0
"""Seconds that the end waits for the broker to take the last events; ``HURRIED_S`` after an interrupt."""
HURRIED_S: Final = 1.0


class _Pictures:
    """Frames rendered and read in two threads, in order; says how far they are behind."""

    def __init__(self, demo: Demo) -> None:
        self._demo = demo
        self.course = DealCourse()
        self._render = ThreadPoolExecutor(1, thread_name_prefix="tavolo-render")
        self._read = ThreadPoolExecutor(1, thread_name_prefix="tavolo-read")
        self._waiting: list[tuple[float, asyncio.Future[None]]] = []

    def photograph(self, taken: Snapshot) -> None:
        """Have its scene photographed and read."""
        scene = taken.scene
        if self._demo.modelled is not None and taken.sight is not None:
            self._demo.modelled.taken(taken.sight)
        loop = asyncio.get_running_loop()
        rendered = loop.run_in_executor(self._render, self._demo.camera.render, scene)
        self._waiting.append((scene.t, asyncio.ensure_future(self._look(rendered, scene.t))))

    async def _look(self, rendered: asyncio.Future[Any], t: float) -> None:
        frame = await rendered
        seen, picture = await asyncio.get_running_loop().run_in_executor(self._read, self._read_one, frame, t)
        for observation in seen:
            self._demo.service.observe(observation)
        if picture is not None:
            self._demo.service.frame(picture)

    def _read_one(self, frame: Any, t: float) -> tuple[list[Observation], Picture | None]:
        self.course.apply_pending(self._demo.eye)
        sight = self._demo.eye.look(frame, t)
        seen: list[Observation] = [*self._demo.eye.reaches()]
        return seen + ([] if sight is None else [sight]), self._demo.eye.picture(frame, t)

    async def keep_up(self, now: float, lag: float = LAG_S) -> None:
        """Wait until no picture older than ``lag`` table seconds before ``now`` is unread."""
        while self._waiting and (self._waiting[0][1].done() or self._waiting[0][0] < now - lag):
            await self._waiting.pop(0)[1]

    async def finish(self) -> None:
        """Wait for every picture."""
        while self._waiting:
            await self._waiting.pop(0)[1]

    async def close(self) -> None:
        """End; pictures that still wait are not looked at."""
        for _, task in self._waiting:
            task.cancel()
        for pool in (self._render, self._read):
            await asyncio.to_thread(pool.shutdown, cancel_futures=True)


async def _hear(demo: Demo) -> None:
    async for observation in demo.bridge:
        demo.service.observe(observation)


async def play_round(demo: Demo) -> None:
    """Play the round of ``demo`` to its end, hearing the node and reading the camera meanwhile.

    If a visitor is the arbitro the table stays afterwards, for what is left to do; its maker closes it.
    """
    demo.service.start()
    pictures = _Pictures(demo)
    demo.service.listeners.append(pictures.course.heard)
    demo.bridge.start()
    hearing = asyncio.create_task(_hear(demo))
    patience = HURRIED_S
    try:
        # The first picture shows the empty table: the eye calibrates on it.
        frame = await asyncio.to_thread(demo.camera.render, Scene(0.0, ()))
        await asyncio.to_thread(demo.eye.calibrate, frame)
        script = demo.rehearsal.script
        chance = random.Random(f"{demo.rehearsal.seed}/live")  # noqa: S311 - a simulation
        player = _player(demo, chance)
        demo.progress.begin(len(script.cues))
        unseen = demo.waits_after
        async for played in player.play(_gestures(demo)):
            if demo.visitor is not None and demo.visitor.alerts.waits:
                await pictures.finish()
                await demo.visitor.rules()
            if demo.visitor is not None and unseen is not None and len(demo.performed) >= unseen:
                unseen = None
                await demo.visitor.looks()
            match played:
                case RawFrame():
                    if demo.host is not None:
                        await _node_keeps_up(demo.host)
                        demo.host.feed(played)
                    await pictures.keep_up(played.t)
                case Snapshot():
                    pictures.photograph(played)
                case Entered(t=t, what=what):
                    await pictures.finish()
                    await _enter(demo, t, what)
                case Performed():
                    demo.performed.append(played)
                    demo.progress.advance(demo.clock.now())
                    _sign(demo)
        await pictures.finish()
        await _settle(demo)
        _sign(demo, patient=False)
        demo.progress.end()
        patience = PATIENCE_S
    finally:
        await pictures.close()
        await asyncio.to_thread(demo.bridge.close)
        await hearing
        demo.arbitro.close()
        if demo.visitor is None or patience == HURRIED_S:
            await asyncio.to_thread(demo.service.close, patience)


PICTURES: Final[dict[Sights, tuple[int, float]]] = {
    "indices": (2, 0.4),
    "whole faces": (3, 0.2),
    "error model": (2, 0.4),
}
"""Pictures of each change, and seconds from one to the next: whole faces are read in the second one, when nothing moves
any more, and accepted once two agree."""


HANDS_S: Final = 0.1
"""Seconds from picture to picture while hands are over a table whose camera tells them."""


def _player(demo: Demo, chance: random.Random) -> LivePlayer:
    game = rehearsal_of(demo.rehearsal.rules)
    noise, table = load_noise("normal"), game.table
    tags = demo.rehearsal.tags or demo.rehearsal.header.tags
    reader = None
    if demo.modelled is not None:
        looks = random.Random(f"{demo.rehearsal.seed}/looks")  # noqa: S311 - a simulation
        reader = SightModel(noise, looks, table.layout, tags.values())
    pictures, settled = PICTURES[demo.sights]
    return LivePlayer(
        tags, noise, chance, demo.clock, table, pictures=pictures, settled_s=settled,
        reader=reader, paces=demo.rehearsal.script.paces, hands_s=HANDS_S if demo.host is None else None,
    )  # fmt: skip


async def _node_keeps_up(host: NodeHost) -> None:
    """Wait until the node has read what its sensors showed before; the table's clock is held meanwhile.

    On a busy machine its readings would else arrive seconds of table time behind the pictures.
    """
    deadline = time.monotonic() + FEED_PATIENCE
    while host.unread and time.monotonic() < deadline:  # noqa: ASYNC110 - reading a pipe sends no signal
        await asyncio.sleep(NODE_POLL_S)


def _gestures(demo: Demo) -> Iterator[Gesture]:
    """Yield the round's gestures. No player calls a visitor, who is at the alert already.

    Where no node is there is no button: who calls for the count says so, and a person enters it.
    """
    calls = demo.visitor is None
    for one in demo.rehearsal.script.gestures():
        if not isinstance(one, Press):
            yield one
        elif demo.host is None:
            if one.button == "count":
                yield Say(one.seat, "count")
        elif calls or one.button != "referee":
            yield one


def _sign(demo: Demo, *, patient: bool = True) -> None:
    """Let the lines confirm the sheets that they have read; without ``patient`` at once, as the round is over."""
    for said in demo.lines.due(demo.clock.now(), patient=patient):
        demo.service.observe(said)


async def _settle(demo: Demo) -> None:
    """Let the node's last readings arrive."""
    if demo.host is None:
        return
    until = demo.clock.now() - 0.1
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        complete = demo.bridge.complete_until()
        if complete is not None and complete >= until:
            return
        await asyncio.sleep(0.05)


async def _enter(demo: Demo, t: float, what: ConsoleGesture | Say) -> None:
    """Send the arbitro's act the way of every order, signed over MQTT; enter a player's declaration here."""
    observation: Observation
    if isinstance(what, ConsoleGesture) and what.do in HIS and demo.visitor is not None:
        return  # the visitor has ruled, in his own way
    if isinstance(what, Say):
        observation = Said(round(t, 6), what.seat, what.what)
    else:
        if await asyncio.to_thread(demo.arbitro.order, what.do, what.fields):
            return
        observation = Console(round(t, 6), what.by, what.do, dict(what.fields))
    demo.service.observe(observation)
