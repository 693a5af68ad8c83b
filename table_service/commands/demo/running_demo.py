"""The parts of a running demo."""

from __future__ import annotations

from dataclasses import dataclass, field

from firmware_bridge import Bridge
from hw.twin.camera import Camera
from hw.twin.live import ScaledClock
from hw.twin.node_host import NodeHost
from hw.twin.timed_events import Performed
from table_service.camera.table_camera import Eye
from table_service.commands.demo.demo_arbitro import Arbitro
from table_service.commands.demo.modelled_sightings import ModelledSightings
from table_service.commands.demo.progress import Progress
from table_service.commands.demo.signing_lines import SigningLines
from table_service.commands.demo.visitor import Visitor
from table_service.events import Event
from table_service.rehearsal.game_rehearsal import Sights
from table_service.rehearsal.rehearse import Rehearsal
from table_service.service import TableService


@dataclass(slots=True)
class Demo:
    """The parts of a running demo."""

    rehearsal: Rehearsal
    service: TableService
    host: NodeHost | None
    """None: the table has a camera alone."""
    bridge: Bridge
    camera: Camera
    eye: Eye
    clock: ScaledClock
    arbitro: Arbitro
    progress: Progress
    visitor: Visitor | None = None
    modelled: ModelledSightings | None = None
    """Sights by the twin's error model; None if the camera's frames are read."""
    sights: Sights = "indices"
    waits_after: int | None = None
    """Gestures after which play waits until the visitor looks; None: it does not wait."""
    lines: SigningLines = field(default_factory=SigningLines)
    events: list[Event] = field(default_factory=list)
    performed: list[Performed] = field(default_factory=list)
