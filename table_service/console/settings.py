"""What a console needs to know: its hall, its broker, where its pages are served."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["it", "en"]


@dataclass(frozen=True, slots=True)
class ConsoleSettings:
    """One hall's console. ``port`` 0: any free one. ``embedded``: the broker speaks MQTT 3.1.1 only.

    ``tables``: tables that are expected, shown as not heard of until they speak.
    """

    hall: str = "sala"
    broker_host: str = "127.0.0.1"
    broker_port: int = 1883
    username: str | None = None
    password: str | None = None
    embedded: bool = False
    host: str = "127.0.0.1"
    port: int = 0
    language: Language = "it"
    tables: tuple[str, ...] = ()
