"""Frames and messages of the link as frozen values; their fields are those of ``hw/link_schema.json``, in its order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Hello:
    """A node says who it is. ``opening`` counts its calls for a host since it booted; ``map`` hashes its sensors.

    ``cause``: why it booted; ``resets`` and ``brownouts``: how often so far, as the node has kept count. ``files``: the
    checksum of the firmware's files on its flash (``hw.provision.files_checksum``); empty from a simulated node and
    from one of an older schema.
    """

    schema: int
    opening: int
    cause: int
    sensors: int
    map: int
    resets: int
    brownouts: int
    firmware: str
    node: str
    files: str = ""


@dataclass(frozen=True, slots=True)
class Heartbeat:
    """A node lives: messages waiting, readings dropped so far, frames sent again, broken frames received."""

    queued: int
    dropped: int
    repeated: int
    broken: int


@dataclass(frozen=True, slots=True)
class ClockAnswer:
    """The header's ``micros`` is the node's clock when the request with this token reached it."""

    token: int


@dataclass(frozen=True, slots=True)
class Sensor:
    """Sensor number ``sensor`` is the one named so; ``kind`` is numbered in the schema."""

    sensor: int
    kind: int
    name: str


@dataclass(frozen=True, slots=True)
class SnapshotBegin:
    """Begin of the state of every sensor now, up to SnapshotEnd; ``dropped`` readings were lost since boot."""

    dropped: int


@dataclass(frozen=True, slots=True)
class SnapshotEnd:
    """The snapshot is whole."""


@dataclass(frozen=True, slots=True)
class TagsRead:
    """One inventory of a coil: UIDs of 8 bytes, most significant first."""

    sensor: int
    uids: tuple[bytes, ...]


@dataclass(frozen=True, slots=True)
class Weighed:
    """One reading of a scale."""

    sensor: int
    milligrams: int
    settled: int


@dataclass(frozen=True, slots=True)
class Level:
    """A beam (1 broken) or a shield (1 upright) changed."""

    sensor: int
    level: int


@dataclass(frozen=True, slots=True)
class Pressed:
    """A button went down."""

    sensor: int


@dataclass(frozen=True, slots=True)
class Knocked:
    """A knock, with its peak in milli-g."""

    sensor: int
    peak: int


@dataclass(frozen=True, slots=True)
class Trouble:
    """Sensor number ``sensor`` (NODE_ITSELF: the node) fails, or (``failing`` 0) answers again; ``what`` says how."""

    sensor: int
    failing: int
    what: str


@dataclass(frozen=True, slots=True)
class HelloRequest:
    """The host asks who is there."""


@dataclass(frozen=True, slots=True)
class Welcome:
    """The host opens the session named in the header with the node that made call number ``opening``."""

    schema: int
    opening: int


@dataclass(frozen=True, slots=True)
class Ack:
    """Everything before the header's ``seq`` has arrived."""


@dataclass(frozen=True, slots=True)
class Nak:
    """Acknowledge as Ack does, and ask to go back to ``seq``, which is missing."""


@dataclass(frozen=True, slots=True)
class ClockRequest:
    """The host asks what the node's clock says."""

    token: int


@dataclass(frozen=True, slots=True)
class SnapshotRequest:
    """Send the state of every sensor."""

    token: int


@dataclass(frozen=True, slots=True)
class Lights:
    """Lights of a node for the players: bits 0 to 3 are the seats N, E, S, W; ``sound`` 0 none, 1 a short one, 2 alarm.

    ``turn`` and ``alert`` show whose turn it is and where the arbitro was called: there is no field for the time left,
    which fibur2024 forbids to show. The node repeats the last one until another comes, and goes dark when its host
    falls silent.
    """

    turn: int
    alert: int
    sound: int


NODE_ITSELF: Final = 255
"""In place of a sensor's number: the node as a whole."""

Message = (
    Hello
    | Heartbeat
    | ClockAnswer
    | Sensor
    | SnapshotBegin
    | SnapshotEnd
    | TagsRead
    | Weighed
    | Level
    | Pressed
    | Knocked
    | Trouble
    | HelloRequest
    | Welcome
    | Ack
    | Nak
    | ClockRequest
    | SnapshotRequest
    | Lights
)

TYPES: Final[dict[str, type[Message]]] = {
    "hello": Hello,
    "heartbeat": Heartbeat,
    "clock_answer": ClockAnswer,
    "sensor": Sensor,
    "snapshot_begin": SnapshotBegin,
    "snapshot_end": SnapshotEnd,
    "tags": TagsRead,
    "scale": Weighed,
    "level": Level,
    "press": Pressed,
    "knock": Knocked,
    "trouble": Trouble,
    "call": HelloRequest,
    "welcome": Welcome,
    "ack": Ack,
    "nak": Nak,
    "clock_request": ClockRequest,
    "snapshot_request": SnapshotRequest,
    "lights": Lights,
}
"""The type of each message of the schema, by its name there."""


@dataclass(frozen=True, slots=True)
class Frame:
    """One message with its header: ``seq`` of 16 bits, the node's ``boot`` id, ``session``, the node's ``micros``."""

    seq: int
    boot: int
    session: int
    micros: int
    message: Message
