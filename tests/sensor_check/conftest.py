"""A table of the twin with live nodes, and a technician who does what he is told, at many times the speed of life."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Self

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from firmware_bridge import Bridge
from hw.board.procedure import SIGHT_CARDS, WEIGHT_G
from hw.equipment import Equipment
from hw.layout import DEFAULT_LAYOUT
from hw.observations import Observation, Sight
from hw.pins import load_boards
from hw.table_sections import CameraSection as CameraSection
from hw.table_sections import Node, TableSection
from hw.tablemap import TableMap
from hw.twin.camera import Camera
from hw.twin.node_host import NodeHost
from hw.twin.noise import load_noise
from hw.twin.physics import KNOCK_MILLI_G, LoadCell
from hw.twin.provide_micropython import NoMicroPython
from hw.twin.raw import RawFrame, RawValue
from hw.twin.scene import PlacedCard, Scene
from hw.twin.twin_table import TableKind
from table_service.camera.table_camera import Eye
from table_service.sensor_check.leading import Leader
from table_service.sensor_check.tasks import Task, tasks
from table_service.sensor_check.walk_course import WalkCourse

UID: Final = "E0040150A1B2C3D4"
THIRD_BOARD: Final = TableKind(
    Equipment("what tarocco and bridge need beside", ()),
    DEFAULT_LAYOUT,
    beside=tuple(f"{kind}:{name}" for kind, name in load_boards()["places"].sensors()),
)
"""One node with the sensors that are wired to the board at the places of tarocco and bridge."""
GRID_S: Final = 0.02
"""Table time from one reading of the load cells to the next."""
STRIDE_S: Final = 0.08
"""Table time that passes at a stroke."""
FRAME_S: Final = 2.0
"""Table time from one frame of the camera to the next."""
LAG_S: Final = 20.0
"""Table time by which the host may not have been told yet what was fed; a heartbeat each 0.2 wall seconds tells it."""
SPEED: Final = 60.0
"""How many times faster than life time passes at most. It says nothing of what is found: time waits for the nodes."""
JOINED_S: Final = 60.0
"""Wall seconds within which the nodes of a table must have said hello, before the table goes on without."""
Image = NDArray[np.uint8]


class Fault:
    """What is wrong with a table: nothing. Faults override what they spoil."""

    def values(self, values: dict[str, RawValue]) -> dict[str, RawValue]:
        """What the sensors say instead of ``values``."""
        return values

    def at_rest(self) -> dict[str, RawValue]:
        """What they say from the beginning."""
        return {}

    def grams(self, zone: str, place: int, grams: float, since: float) -> float:  # noqa: ARG002 - faults use them
        """What a scale feels of ``grams`` at ``place`` (0 the middle, 1 to 4 the corners) after ``since`` seconds."""
        return grams

    def flickers(self, name: str, t: float) -> bool:  # noqa: ARG002
        """Whether the coil ``name`` loses its card at ``t``."""
        return False

    def fails(self, zone: str, t: float) -> bool:  # noqa: ARG002
        """Whether a scale gives no reading at ``t``."""
        return False

    def picture(self, picture: Image, n: int) -> Image:  # noqa: ARG002
        """What the camera gives instead of ``picture``, its ``n``-th."""
        return picture


def a_table(gates: str, seats: str, places: str = "", *, camera: bool) -> TableMap:
    """A table with everything that a walk asks for on the two drawn boards, and on the third where it has a port."""
    zones = ("gate-N", "gate-E", "gate-S", "gate-W", "gate-stock", "discard")
    beams = [f"{s}:{p}" for s in "NESW" for p in ("stock", "discard", "pots", "melds-NS", "melds-EW", "table")]
    return TableMap(
        table=TableSection(name="T1", rules="fibur2024"),
        nodes={
            "gates": Node(port=gates, board="gates", coils=zones, beams=tuple(beams)),
            "table": Node(
                port=seats,
                board="seats",
                scales=("stock", "discard", "pots"),
                shields=("N", "E", "S", "W"),
                knocks=("N", "E", "S", "W"),
                buttons=("N:referee", "E:referee"),
            ),
        }
        | ({"places": _third_board(places)} if places else {}),
        camera=CameraSection(source="picamera2" if camera else "none", width=3040, height=3040),
    )


def _third_board(port: str) -> Node:
    zones = ("tricks-NS", "tricks-EW", "scarto", *(f"board-{seat}" for seat in "NESW"))
    return Node(port=port, board="places", scales=zones, screens=("panel", "aperture"), trays=("NE", "SW"))


class TwinTable:
    """The devices of a twin's table: real firmware under MicroPython, sensors fed as a person moves.

    Its clock is its own: time passes in strides while somebody listens who has heard all there is, ``speed`` times as
    fast as life at most, and waits for nodes that have not read what they were fed or not told what they sensed. A
    busy machine makes a walk longer and nothing else.
    """

    def __init__(
        self, speed: float, fault: Fault, *, camera: bool = False, places: bool = False, seed: int = 3
    ) -> None:
        self.speed, self.fault = speed, fault
        self.hosts = [NodeHost("gates"), NodeHost("seats")]
        if places:
            self.hosts.append(NodeHost(table=THIRD_BOARD))
        self._camera = Camera(seed=seed) if camera else None
        self._next_stride = 0.0
        self._coming: list[tuple[float, dict[str, RawValue]]] = []
        noise = load_noise("normal")
        rng = random.Random(seed)
        self._weight: tuple[str, int, float] | None = None
        self._over: dict[str, RawValue] = {}
        self._hands: list[tuple[float, str, int, float]] = []
        self._fed = self._known = 0.0
        self._patient_until = 0.0
        self.map = a_table(*(host.port for host in self.hosts), camera=camera)
        zones = [zone for node in self.map.nodes.values() for zone in node.scales]
        self._cells = {zone: LoadCell(noise, rng) for zone in zones}
        self.bridge = Bridge({name: node.port for name, node in self.map.nodes.items()}, self.now)
        self._frames = 0
        self._next_frame = 0.0
        self.cards: tuple[PlacedCard, ...] = ()
        self.covered = False
        self._eye = Eye(self.map.layout(), self.map.keeper_seats(), "walk") if camera else None
        rest: dict[str, RawValue] = {f"coil:{zone}": [] for zone in self.map.nodes["gates"].coils}
        rest |= {"screen:panel": 1, "screen:aperture": 1, "tray:NE": 1}
        self._feed(0.0, self.fault.values(rest | self.fault.at_rest()))

    def __enter__(self) -> Self:
        self.bridge.start()
        self._patient_until = time.monotonic() + JOINED_S
        return self

    def __exit__(self, *_: object) -> None:
        self.bridge.close()
        for host in self.hosts:
            host.close()

    # the world

    def at(self, t: float, **values: RawValue) -> None:
        """From ``t`` on sensors read ``values``; ``beam__N__stock`` stands for ``beam:N:stock``."""
        self._coming.append((t, {name.replace("__", ":").replace("_", "-"): v for name, v in values.items()}))
        self._coming.sort(key=lambda one: one[0])

    def weigh(self, zone: str, place: int, grams: float) -> None:
        """A second from now a weight comes to lie on a scale, or goes: nobody's hand is quicker."""
        self._hands.append((self._fed + 1.0, zone, place, grams))

    def load(self, zone: str, cards: int) -> None:
        """So many cards lie on a scale."""
        self._cells[zone].load(self._fed, cards)

    def _pass_time(self) -> None:
        """Let a stride of time pass, if it is due and everybody has come along."""
        wall = time.monotonic()
        if wall < self._next_stride or not self._is_followed(wall):
            return
        self._next_stride = wall + STRIDE_S / self.speed
        for _ in range(round(STRIDE_S / GRID_S)):
            self._fed += GRID_S
            self._step(self._fed)

    def _is_followed(self, wall: float) -> bool:
        """Whether the nodes have read what they were fed, and the host has been told nearly all of it."""
        if any(host.unread for host in self.hosts):
            return False
        known = self.bridge.complete_until()
        if known is None:
            return wall > self._patient_until
        self._known = known
        self._patient_until = wall + JOINED_S
        return self._fed - known < LAG_S

    def _step(self, t: float) -> None:
        values: dict[str, RawValue] = {}
        while self._coming and self._coming[0][0] <= t:
            due, changed = self._coming.pop(0)
            self._over |= {name: value for name, value in changed.items() if name.startswith("coil:")}
            self._feed(max(due, t - GRID_S), self.fault.values(changed))
        while self._hands and self._hands[0][0] <= t:
            _, zone, place, weight = self._hands.pop(0)
            self._weight = (zone, place, t) if weight else None
            self._cells[zone].lean(t, self.fault.grams(zone, place, weight, 0.0) if weight else 0.0)
        for zone, cell in self._cells.items():
            grams = cell.read(t)
            if self._weight is not None and self._weight[0] == zone:
                _, place, since = self._weight
                nominal = self.fault.grams(zone, place, WEIGHT_G, 0.0)
                grams += self.fault.grams(zone, place, WEIGHT_G, t - since) - nominal
            values[f"scale:{zone}"] = round(grams * 1000)
            values[f"fail:scale:{zone}"] = int(self.fault.fails(zone, t))
        for name, tags in self._over.items():
            values[name] = [] if self.fault.flickers(name, t) else tags
        self._feed(t, self.fault.values(values))

    def _feed(self, t: float, values: dict[str, RawValue]) -> None:
        for host in self.hosts:
            host.feed(RawFrame(t, values, 0.0))

    # what a walk asks of a table

    def now(self) -> float:
        return self._fed

    def hear(self, seconds: float) -> Observation | None:
        heard = self.bridge.get(0.0)
        if heard is None:
            self._pass_time()
            heard = self.bridge.get(min(seconds, STRIDE_S / self.speed))
        return heard

    def heard_until(self) -> float:
        return self._known

    def counters(self) -> Mapping[str, Mapping[str, Any]]:
        return self.bridge.counters()

    def frame(self) -> tuple[Image, float] | None:
        if self._camera is None or self._fed < self._next_frame:
            return None
        picture = self._camera.render(Scene(self.now(), self.cards)).copy()
        self._next_frame = self._fed + FRAME_S
        self._frames += 1
        if self.covered:
            picture = np.random.default_rng(self._frames).integers(0, 4, picture.shape, dtype=np.uint8)
        return self.fault.picture(picture, self._frames), self.now()

    def camera_problem(self) -> str:
        return ""

    def camera_notes(self) -> tuple[str, ...]:
        return ()

    def calibrate(self, picture: Image) -> None:
        assert self._eye is not None
        self._eye.calibrate(picture)

    def look(self, picture: Image, t: float) -> Sight | None:
        assert self._eye is not None
        return self._eye.look(picture, t)


class Technician:
    """Does what the walk asks, and nothing else."""

    def __init__(self, table: TwinTable) -> None:
        self.table = table
        self.said: list[str] = []
        self.task: Task | None = None
        self._tones = 0
        self._place = 0
        self.again: Callable[[], bool] = lambda: False
        self._typed: list[str] = []

    def say(self, text: str) -> None:
        self.said.append(text)
        task = self.task
        if task is None:
            return
        if "ogli la carta" in text:
            self.table.at(self.table.now() + 0.5, **{f"coil__{_key(task.subject)}": []})
        elif "ogli il peso" in text:
            self.table.weigh(task.subject, self._place, 0.0)
        elif text.strip().startswith("Ora"):
            self._place += 1
            self.table.weigh(task.subject, self._place, WEIGHT_G)
        elif "scopri" in text:
            self.table.covered = False

    def begins(self, task: Task) -> None:
        self.task, self._tones, self._place = task, 0, 0
        way, now, key = task.item.way, self.table.now(), _key(task.subject)
        if way == "hold":
            self.table.at(now + 1.0, **{f"coil__{key}": [UID]})
        elif way in ("weight", "corners", "creep"):
            self.table.weigh(task.subject, 0, WEIGHT_G)
        elif way == "tray":
            self.table.at(now, **{f"tray__{side}": int(side == task.subject) for side in ("NE", "SW")})
        elif way == "number":
            self._typed = ["23,5"]
        elif way == "cover":
            self.table.covered = True
        elif way == "sight":
            self.table.cards = tuple(
                PlacedCard(card, -240 + 120 * (n % 4), -60 + 170 * (n // 4), 0, True)
                for n, card in enumerate(SIGHT_CARDS)
            )

    def tone(self) -> None:
        task = self.task
        assert task is not None
        self._tones += 1
        now, key = self.table.now() + 0.2, _key(task.subject)
        match task.item.way:
            case "passes":
                self.table.at(now, **{f"coil__{key}": [UID]})
                self.table.at(now + 0.4, **{f"coil__{key}": []})
            case "reach":
                self.table.at(now, **{f"beam__{key}": 1})
                self.table.at(now + 0.9, **{f"beam__{key}": 0})
            case "shield":
                self.table.at(now, **{f"shield__{key}": 0})
                self.table.at(now + 1.2, **{f"shield__{key}": 1})
            case "button":
                self.table.at(now, **{f"button__{key}": 1})
                self.table.at(now + 0.3, **{f"button__{key}": 0})
            case "knock":
                self.table.at(now, **{f"knock__{key}": KNOCK_MILLI_G})
            case "screen" | "tray":
                self.table.at(now, **{f"{task.item.way}__{key}": 0})
                self.table.at(now + 1.2, **{f"{task.item.way}__{key}": 1})
            case "cards":
                self.table.load(task.subject, self._tones % 2)

    def line(self) -> str | None:
        if self._typed:
            return self._typed.pop()
        return ""


def _key(name: str) -> str:
    return name.replace(":", "__").replace("-", "_")


class Walked:
    """A walk that has been done: what was found."""

    def __init__(self, course: WalkCourse, kept: list[Observation], technician: Technician) -> None:
        self.course = course
        self.kept = kept
        self.technician = technician

    @property
    def found(self) -> set[tuple[str, str]]:
        return {(one.code, one.sensor) for one in self.course.findings}


Walk = Callable[..., Walked]


@pytest.fixture
def walk() -> Iterator[Walk]:
    """Walk round a twin's table with a fault: chapters, how often each thing is done (all of it by default)."""

    def go(
        fault: Fault | None = None,
        *chapters: str,
        quick: bool = True,
        speed: float = SPEED,
        places: bool = False,
        only: Callable[[Task], bool] = lambda _: True,
    ) -> Walked:
        camera = bool({"camera", "light", "reading"} & set(chapters)) or not chapters
        try:
            table = TwinTable(speed, fault or Fault(), camera=camera, places=places)
        except NoMicroPython as error:
            pytest.skip(str(error))
        with table:
            todo = [task for task in tasks(table.map, quick=quick, chapters=chapters) if only(task)]
            course = WalkCourse(todo)
            technician = Technician(table)
            kept: list[Observation] = []
            leader = Leader(course, table, technician, table.map.layout(), kept.append, italian=True)
            leader.lead()
            return Walked(course, kept, technician)

    cv2.setNumThreads(1)
    yield go
    cv2.setNumThreads(-1)
