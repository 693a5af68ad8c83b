"""Both clocks of every reading, kept: the node's own, the table's as mapped, and when it arrived."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from firmware_bridge.frames import Message
from firmware_bridge.session import Arrived

LONGEST: Final = 64_000_000
"""Bytes after which the file is begun anew; one older file is kept beside it."""


class ClockLedger:
    """A JSON object a line: ``node``, ``boot``, ``micros`` (node), ``t`` and ``received`` (table), ``what``.

    A reading is identified by its kind and sensor number; its value is in the observation log. With it a dispute about
    who was first is settled by the node's own clock, however the mapping wandered. Not safe for several threads: each
    node has its own.
    """

    def __init__(self, path: Path) -> None:
        """Append to ``path``, made with mode 0600. Raises OSError if it cannot be written."""
        self._path = path
        self._open()

    def _open(self) -> None:
        descriptor = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        self._stream = os.fdopen(descriptor, "a", encoding="utf-8", buffering=1 << 15)

    def note(self, node: str, boot: int, arrived: Arrived) -> None:
        """Keep the moments of one reading. Raises OSError if the disk takes no more."""
        what, sensor = _what(arrived.message)
        line = {"node": node, "boot": boot, "micros": arrived.micros, "t": arrived.t, "received": arrived.received}
        json.dump(line | {"what": what, "sensor": sensor}, self._stream, separators=(",", ":"))
        self._stream.write("\n")
        if self._stream.tell() > LONGEST:
            self._stream.close()
            self._path.replace(self._path.with_suffix(self._path.suffix + ".old"))
            self._open()

    def flush(self) -> None:
        """Hand what was noted to the operating system."""
        self._stream.flush()

    def close(self) -> None:
        """Write all and end."""
        self._stream.close()


def _what(message: Message) -> tuple[str, int | None]:
    return type(message).__name__, getattr(message, "sensor", None)
