"""`tavolo demo`: a simulated table plays a round. Behind the sensors nothing is faked.

Gestures become sensor values, which a node's firmware reads under MicroPython and sends over a pseudo-terminal, and
camera frames, which the reader reads; what follows is the same service that runs a real table. Of a pack that is not
yet read well enough from frame to frame the frames are taken and kept as evidence, and the sights come from the twin's
error model; the demo says so.
"""

from __future__ import annotations

import asyncio
import random
import signal
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import typer

from firmware_bridge import Bridge
from hw.observations import Console, Observation, Said, Sight
from hw.twin.camera import Camera
from hw.twin.camera_cards import artwork_of
from hw.twin.gestures import Command, Say
from hw.twin.live import LivePlayer, ScaledClock, Snapshot
from hw.twin.node_host import FEED_PATIENCE, NodeHost
from hw.twin.noise import load_noise
from hw.twin.provide_micropython import MicroPython, NoMicroPython, find
from hw.twin.raw import RawFrame
from hw.twin.scene import Scene
from hw.twin.sight_model import SightModel
from hw.twin.stage import Entered
from hw.twin.timed_events import Performed
from table_service.camera.camera_loop import DealCourse
from table_service.camera.table_camera import Eye, sightings_of
from table_service.commands.demo.arbitro import Arbitro
from table_service.commands.demo.drawn_pack import drawn_pack
from table_service.commands.demo.modelled_sightings import ModelledSightings
from table_service.commands.demo.other_tables import other_tables
from table_service.commands.demo.report import Language, Progress, Summary
from table_service.commands.demo.visitor import Visitor
from table_service.console import ConsoleSettings, RunningConsole
from table_service.display import serving_display
from table_service.events import Event
from table_service.evidence import Picture
from table_service.publish import Broker, BrokerAddress, BrokerError, start_broker
from table_service.rehearsal.game_rehearsal import Sights, rehearsal_of
from table_service.rehearsal.rehearse import Rehearsal, prepare
from table_service.rulesets import DEFAULT, RULE_SETS, rule_set
from table_service.service import Places, ServiceError, TableService

DEALS: Final = rehearsal_of(DEFAULT).shown_deals
FAULTS: Final = rehearsal_of(DEFAULT).shown
"""What goes wrong in the demo's round of ``DEALS`` by the default rules: one fault in each deal."""
LAG_S: Final = 1.0
"""Table seconds by which pictures may lie behind; then the table's clock waits for the camera."""
NODE_POLL_S: Final = 0.001
"""Wall seconds between two looks whether the node has read what it was fed."""
HALL: Final = "demo"
PATIENCE_S: Final = 10.0
"""How long the end waits for the broker to take the last events; ``HURRIED_S`` where somebody has interrupted."""
HURRIED_S: Final = 1.0


@dataclass(frozen=True, slots=True)
class DemoSettings:
    """What the command line asks for."""

    headless: bool = False
    seed: int | None = None
    """None: the round that these rules are shown with."""
    speed: float = 12.0
    port: int = 0
    keep: Path | None = None
    lang: Language = "it"
    auto: bool = False
    tables: int = 1
    rules: str = DEFAULT
    deals: int | None = None
    """None: as many as a round of these rules is shown with."""
    read_frames: bool = False
    """Frames are read even where these rules are shown with sights from the error model."""

    @property
    def round_seed(self) -> int:
        """Which round is played."""
        return rehearsal_of(self.rules).shown_seed if self.seed is None else self.seed

    @property
    def round_deals(self) -> int:
        """How many deals are played."""
        return self.deals or rehearsal_of(self.rules).shown_deals

    @property
    def sights(self) -> Sights:
        """What the camera reads of its frames."""
        game = rehearsal_of(self.rules)
        return game.frames if self.read_frames else game.sights

    @property
    def visited(self) -> bool:
        """Whether somebody at the page is the arbitro; else the demo's own decides, and the round ends by itself."""
        return not self.headless and not self.auto


def playable() -> tuple[str, ...]:
    """The rule sets that the demo can play: simulated people know them, and the faults that it stages."""
    return tuple(name for name, one in RULE_SETS.items() if one.rehearsal is not None and one.rehearsal().shown)


@dataclass(slots=True)
class Demo:
    """The parts of a running demo."""

    rehearsal: Rehearsal
    service: TableService
    host: NodeHost
    bridge: Bridge
    camera: Camera
    eye: Eye
    clock: ScaledClock
    arbitro: Arbitro
    progress: Progress
    visitor: Visitor | None = None
    modelled: ModelledSightings | None = None
    """What the camera reads by the twin's error model; None where its frames are read."""
    sights: Sights = "indices"
    events: list[Event] = field(default_factory=list)
    performed: list[Performed] = field(default_factory=list)


def run_demo(settings: DemoSettings) -> int:
    """Play the demo. Returns the exit code; what this machine lacks is named in the summary, never a traceback.

    An interrupt ends it at once: 1 while the round is played, 0 where only the page was still open.
    """
    if threading.current_thread() is threading.main_thread():
        # a shell that starts us in the background has interrupts ignored; whoever sends us one means it
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with ExitStack() as stack:
            return _run(settings, stack)
    except (ServiceError, BrokerError) as error:
        typer.echo(f"tavolo: {error}", err=True)
        return 1
    except (KeyboardInterrupt, asyncio.CancelledError):
        typer.echo("tavolo: interrupted before the round was over", err=True)
        return 1


def _interpreter() -> tuple[MicroPython | None, str]:
    try:
        return find(), ""
    except NoMicroPython as reason:
        return None, str(reason)


def _folder(keep: Path | None, stack: ExitStack) -> Path:
    """Where journal, log and frames go: ``keep``, else a folder that goes with ``stack``. Raises ServiceError."""
    if keep is None:
        return Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="tavolo-demo-")))
    try:
        keep.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=keep):
            return keep
    except OSError as error:
        raise ServiceError(f"nothing can be kept in {keep}: {error.strerror or error}") from error


def _run(settings: DemoSettings, stack: ExitStack) -> int:
    began = time.monotonic()
    folder = _folder(settings.keep, stack)
    progress = stack.enter_context(Progress(settings.lang, settings.rules))
    progress.step("micropython")
    interpreter, reason = _interpreter()
    if interpreter is None:
        # Without the node nothing can be sensed: that is the one part the demo cannot leave out.
        raise ServiceError(f"the simulated table's node needs MicroPython, and {reason}")
    progress.step("broker")
    broker = start_broker()
    stack.callback(broker.stop)
    page = _open_page(settings, broker, stack, progress)
    progress.step("table")
    demo = _build(settings, folder, broker, interpreter, progress, stack, page)
    if settings.tables > 1:
        progress.step("tables")
        others = settings.tables - 1
        stack.enter_context(
            other_tables(
                settings.rules, settings.round_seed, others, HALL, folder, _address(broker), page.office.public_key
            )
        )
    if settings.visited:
        progress.say_door(f"{page.door}table/{demo.rehearsal.header.table}")
    asyncio.run(_play(demo))
    wall = time.monotonic() - began
    summary = Summary(demo.rehearsal, demo.events, demo.performed, settings.lang)
    for line in summary.lines(
        report=demo.service.publisher.report(),
        outbox=demo.service.delivered,
        table_seconds=demo.clock.now(),
        wall_seconds=demo.progress.played_wall,
        whole_seconds=wall,
        left_out=_left_out(broker, interpreter),
        modelled=demo.modelled is not None,
        replayed=_replays_alike(folder, demo),
        link=demo.bridge.counters(),
    ):
        typer.echo(line)
    if settings.visited or (not settings.headless and sys.stdout.isatty()):
        progress.wait_for_interrupt(page.door)
    return 0


def _left_out(broker: Broker, interpreter: MicroPython) -> list[str]:
    left = []
    if broker.kind == "embedded":
        left.append("mosquitto: an embedded broker carried the public topics; nothing sealed went through it")
    if interpreter.kind == "npm":
        left.append("MicroPython's unix port: its WebAssembly build ran the node's firmware instead")
    return left


def _open_page(settings: DemoSettings, broker: Broker, stack: ExitStack, progress: Progress) -> RunningConsole:
    from table_service.commands.run import serve_console

    tables = tuple(f"T{n}" for n in range(1, settings.tables + 1))
    choices = ConsoleSettings(
        port=settings.port, language="en" if settings.lang == "en" else "it", open_link=True, tables=tables,
        by_browser=settings.visited, guide=settings.visited and settings.tables == 1,
    )  # fmt: skip
    page = stack.enter_context(serve_console(HALL, _address(broker), choices))
    if not settings.visited:
        progress.say_page(page.door)
    return page


def _address(broker: Broker) -> BrokerAddress:
    return BrokerAddress(broker.host, broker.port, embedded=broker.kind == "embedded")


def _build(
    settings: DemoSettings,
    folder: Path,
    broker: Broker,
    interpreter: MicroPython,
    progress: Progress,
    stack: ExitStack,
    page: RunningConsole,
) -> Demo:
    game = rehearsal_of(settings.rules)
    habits = game.shown_habits or game.habits[0]
    rehearsal = prepare(
        settings.rules, settings.round_seed, settings.round_deals, game.shown, "normal", table="T1", habits=habits
    )
    clock = ScaledClock(settings.speed)
    arbitro = Arbitro(HALL, rehearsal.header.table, broker.host, broker.port)
    places = Places.under(folder, rehearsal.header.table)
    service = TableService(
        rehearsal.header,
        HALL,
        places,
        _address(broker),
        clock.now,
        console_keys={**arbitro.keys, "*": page.office.public_key},
    )
    stack.callback(_close_unplayed, service)
    events: list[Event] = []
    service.listeners += [events.append, progress.event]
    visitor = None
    if settings.visited:
        visitor = Visitor(rehearsal.header.table, page, clock, progress.say_visitor)
        service.listeners.append(visitor.heard)
    shown = stack.enter_context(serving_display(service, clock.now, language="en" if settings.lang == "en" else "it"))
    progress.say_display(shown.url)
    host = stack.enter_context(NodeHost(micropython=interpreter, table=game.table))
    bridge = Bridge([host.port], clock.now)
    service.displays.append(bridge.show)
    layout, pack = game.table.layout, rule_set(settings.rules).pack
    camera = Camera(layout, seed=settings.round_seed, artwork=artwork_of(pack.name), equipment=game.table.equipment)
    modelled = ModelledSightings(layout) if settings.sights == "error model" else None
    enrolled = drawn_pack(pack) if settings.sights == "whole faces" else None
    watch = sightings_of(layout, rehearsal.header.keepers, enrolled)
    if modelled is not None:
        watch = lambda _calibration, _empty: modelled  # noqa: E731
    eye = Eye(layout, rehearsal.header.keepers, service.journal.boot, watch)
    return Demo(
        rehearsal,
        service,
        host,
        bridge,
        camera,
        eye,
        clock,
        arbitro,
        progress,
        visitor,
        modelled,
        settings.sights,
        events,
    )


def _close_unplayed(service: TableService) -> None:
    """Close the files where an interrupt came after they were opened and before play, which closes them at its end."""
    if not service.is_closed:
        service.close(HURRIED_S)


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
        sight, picture = await asyncio.get_running_loop().run_in_executor(self._read, self._read_one, frame, t)
        if sight is not None:
            self._demo.service.observe(sight)
        if picture is not None:
            self._demo.service.frame(picture)

    def _read_one(self, frame: Any, t: float) -> tuple[Sight | None, Picture | None]:
        self.course.grant(self._demo.eye)
        sight = self._demo.eye.look(frame, t)
        return sight, self._demo.eye.picture(frame, t)

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


async def _play(demo: Demo) -> None:
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
        if demo.visitor is not None:
            await demo.visitor.looks()
        demo.progress.begin(len(script.cues))
        async for played in player.play(script.gestures()):
            if demo.visitor is not None and demo.visitor.waits:
                await pictures.finish()
                await demo.visitor.rules()
            match played:
                case RawFrame():
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
        await pictures.finish()
        await _settle(demo)
        demo.progress.end()
        patience = PATIENCE_S
    finally:
        await pictures.close()
        await asyncio.to_thread(demo.bridge.close)
        await hearing
        demo.arbitro.close()
        await asyncio.to_thread(demo.service.close, patience)


PICTURES: Final[dict[Sights, tuple[int, float]]] = {
    "indices": (2, 0.4),
    "whole faces": (3, 0.2),
    "error model": (2, 0.4),
}
"""Pictures of each change, and seconds from one to the next: whole faces are read in the second one, when nothing moves
any more, and believed once two agree."""


def _player(demo: Demo, chance: random.Random) -> LivePlayer:
    game = rehearsal_of(demo.rehearsal.rules)
    noise, tags, table = load_noise("normal"), demo.rehearsal.header.tags, game.table
    reader = None
    if demo.modelled is not None:
        looks = random.Random(f"{demo.rehearsal.seed}/looks")  # noqa: S311 - a simulation
        reader = SightModel(noise, looks, table.layout, tags.values())
    pictures, settled = PICTURES[demo.sights]
    return LivePlayer(
        tags, noise, chance, demo.clock, table, pictures=pictures, settled_s=settled,
        reader=reader, paces=demo.rehearsal.script.paces,
    )  # fmt: skip


async def _node_keeps_up(host: NodeHost) -> None:
    """Wait until the node has read what its sensors showed before; meanwhile the table's clock stands.

    On a busy machine its readings would else arrive seconds of table time behind the pictures.
    """
    deadline = time.monotonic() + FEED_PATIENCE
    while host.unread and time.monotonic() < deadline:  # noqa: ASYNC110 - a pipe that is read tells nobody
        await asyncio.sleep(NODE_POLL_S)


async def _settle(demo: Demo) -> None:
    """Let the node's last readings arrive."""
    until = demo.clock.now() - 0.1
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        complete = demo.bridge.complete_until()
        if complete is not None and complete >= until:
            return
        await asyncio.sleep(0.05)


async def _enter(demo: Demo, t: float, what: Command | Say) -> None:
    """The arbitro's act goes the way of every order, signed over MQTT; what somebody declared is entered here."""
    observation: Observation
    if isinstance(what, Command) and what.do == "rule" and demo.visitor is not None:
        return  # the visitor has ruled, in his own way
    if isinstance(what, Say):
        observation = Said(round(t, 6), what.seat, what.what)
    else:
        if await asyncio.to_thread(demo.arbitro.order, what.do, what.fields):
            return
        observation = Console(round(t, 6), what.by, what.do, dict(what.fields))
    demo.service.observe(observation)


def _replays_alike(folder: Path, demo: Demo) -> bool | None:
    """Whether the log that was written gives the same events again; None where there is no log."""
    from hw.observation_log import read_log
    from table_service.rulesets import open_fold

    path = folder / f"{demo.rehearsal.header.table}.jsonl"
    if not path.exists():
        return None
    header, observations = read_log(path)
    table = open_fold(header, demo.service.journal.boot)
    again = [event for observation in observations for event in table.feed(observation)] + table.close()
    told = [(event.type, event.seat, event.data) for event in demo.events]
    return told == [(event.type, event.seat, event.data) for event in again]
