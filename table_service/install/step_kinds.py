"""The kinds of steps an installation is made of: what is to be there, not how it gets there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Release:
    """The system beneath the rest: Debian's code names it may have, and its architectures."""

    codenames: tuple[str, ...]
    architectures: tuple[str, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Packages:
    """Debian packages, without what they merely recommend."""

    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Account:
    """A system user with a group of its name, who cannot log in, in further ``groups``."""

    name: str
    groups: tuple[str, ...] = ()
    home: str = "/nonexistent"


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder, with its owner (``user:group``) and mode."""

    path: str
    owner: str = "root:root"
    mode: int = 0o755


@dataclass(frozen=True, slots=True)
class File:
    """A text file. ``keep``: it is its owner's once it is there, and never changed or removed by us again."""

    path: str
    text: str
    owner: str = "root:root"
    mode: int = 0o644
    keep: bool = False


@dataclass(frozen=True, slots=True)
class Environment:
    """A virtual environment with Tavolo of ``source`` (a checkout's folder or a wheel) in it.

    ``system``: it sees the system's Python packages, of which Picamera2 and libcamera are two. ``pins``: the text of a
    requirements file, with the version and hashes of every library; empty: whatever fits.
    """

    path: str
    source: str
    pins: str = ""
    system: bool = True


@dataclass(frozen=True, slots=True)
class BrokerUser:
    """A user of the MQTT broker. His password is made once, and kept in ``secret`` for the program that signs in."""

    name: str
    secret: str
    owner: str
    passwords: str = "/etc/mosquitto/tavolo.passwords"


@dataclass(frozen=True, slots=True)
class Service:
    """A unit that starts with the machine (and now, where systemd runs). ``ours``: its file came with Tavolo."""

    unit: str
    ours: bool = True


Step = Release | Packages | Account | Folder | File | Environment | BrokerUser | Service


def name_of(step: Step) -> str:
    """Return what a step is called, unique within a plan: its kind and the thing it is about."""
    kind = type(step).__name__.lower()
    match step:
        case Release():
            return kind
        case Packages():
            return f"{kind} {' '.join(step.names)}"
        case Folder() | File() | Environment():
            return f"{kind} {step.path}"
        case Service():
            return f"{kind} {step.unit}"
    return f"{kind} {step.name}"


Change = Literal["there", "done", "would do", "refused", "removed", "kept", "not there"]


@dataclass(frozen=True, slots=True)
class StepOutcome:
    """Outcome of one step. ``note``: why it was refused or kept, or what was changed."""

    step: str
    change: Change
    note: str = ""
