"""The link's message schema, read from ``hw/link_schema.json``, which the firmware reads too."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final

INTEGERS: Final = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i32": "i"}
"""struct's letter for each fixed-size field type; ``text`` and ``uids`` come last in a message."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One message type: its number, whether it is numbered (sent until acknowledged), its fields as (name, type).

    ``forever``: how many of its first fields are the same in every version of the schema (hello's alone are).
    """

    name: str
    number: int
    numbered: bool
    fields: tuple[tuple[str, str], ...]
    forever: int = 0


@dataclass(frozen=True, slots=True)
class Schema:
    """The whole schema. ``hash`` is the CRC32 of its canonical text: two ends with different ones do not talk."""

    version: int
    header: tuple[tuple[str, str], ...]
    max_body: int
    window: int
    milliseconds: dict[str, int]
    kinds: dict[int, str]
    shapes: tuple[Shape, ...]
    hash: int


def canonical(data: dict[str, Any]) -> str:
    """Return the text that the schema hash is taken of: all that matters on the wire, in an order of its own."""

    def fields(pairs: list[list[str]]) -> str:
        return " ".join(f"{name}:{kind}" for name, kind in pairs)

    lines = [f"version {data['version']}", f"header {fields(data['header'])}"]
    for name, message in sorted(data["messages"].items(), key=lambda item: int(item[1]["id"])):
        way = f"{message['from']} {'numbered' if message['numbered'] else 'free'}"
        lines.append(f"{message['id']} {name} {way} {fields(message['fields'])}")
    lines.extend(f"kind {number} {name}" for name, number in sorted(data["kinds"].items(), key=lambda item: item[1]))
    return "\n".join(lines)


@cache
def load() -> Schema:
    """Return the schema that this program speaks."""
    data = json.loads(files("hw").joinpath("link_schema.json").read_text(encoding="utf-8"))
    return Schema(
        version=data["version"],
        header=tuple((name, kind) for name, kind in data["header"]),
        max_body=data["max_body"],
        window=data["window"],
        milliseconds=data["milliseconds"],
        kinds={number: name for name, number in data["kinds"].items()},
        shapes=tuple(
            Shape(
                name,
                message["id"],
                message["numbered"],
                tuple((n, k) for n, k in message["fields"]),
                message.get("forever", 0),
            )
            for name, message in data["messages"].items()
        ),
        hash=zlib.crc32(canonical(data).encode()),
    )
