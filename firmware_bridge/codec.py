"""Bytes ↔ frames: COBS around header, fields and CRC32. Pure; garbage ends in FrameError, never in a frame."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Callable
from dataclasses import fields
from typing import Final

from cobs import cobs

from firmware_bridge import link_schema
from firmware_bridge.frames import TYPES, Frame, Message
from hw.errors import TavoloError

SCHEMA: Final = link_schema.load()
_HEADER: Final = struct.Struct("<" + "".join(link_schema.INTEGERS[kind] for _, kind in SCHEMA.header))
_CRC: Final = struct.Struct("<I")


class FrameError(TavoloError, ValueError):
    """Bytes that are no frame of this version of the link."""


class _Layout:
    """Layout of one message type in bytes."""

    def __init__(self, shape: link_schema.Shape) -> None:
        self.number = shape.number
        self.numbered = shape.numbered
        self.type = TYPES[shape.name]
        self.make: Callable[..., Message] = self.type
        self.names = tuple(name for name, _ in shape.fields)
        fixed = [kind for _, kind in shape.fields if kind in link_schema.INTEGERS]
        self.rest = tuple(kind for _, kind in shape.fields if kind not in link_schema.INTEGERS)
        self.fixed = struct.Struct("<" + "".join(link_schema.INTEGERS[kind] for kind in fixed))
        self.plain = len(fixed)
        self.forever = shape.forever
        if self.names != tuple(field.name for field in fields(self.type)):
            raise TypeError(f"{self.type.__name__} has other fields than the schema's '{shape.name}'")


_BY_TYPE: Final = {layout.type: layout for layout in map(_Layout, SCHEMA.shapes)}
_BY_NUMBER: Final = {layout.number: layout for layout in _BY_TYPE.values()}


def is_numbered(message: Message) -> bool:
    """Return True if ``message`` travels with a sequence number until it is acknowledged."""
    return _BY_TYPE[type(message)].numbered


def encode(frame: Frame) -> bytes:
    """``frame`` ready for the wire, its closing zero included. FrameError where a value does not fit its field."""
    layout = _BY_TYPE[type(frame.message)]
    values = [getattr(frame.message, name) for name in layout.names]
    try:
        header = _HEADER.pack(SCHEMA.version, layout.number, frame.seq, frame.boot, frame.session, frame.micros)
        parts = [header, layout.fixed.pack(*values[: layout.plain])]
        for kind, value in zip(layout.rest, values[layout.plain :], strict=True):
            raw = value.encode() if kind == "text" else b"".join(value)
            if kind == "uids" and any(len(uid) != 8 for uid in value):
                raise FrameError("a UID has 8 bytes")
            parts.append(bytes([len(value) if kind == "uids" else len(raw)]) + raw)
    except (struct.error, ValueError) as error:
        raise FrameError(f"cannot be sent: {error}") from None
    body = b"".join(parts)
    body += _CRC.pack(zlib.crc32(body))
    if len(body) > SCHEMA.max_body:
        raise FrameError(f"a frame of {len(body)} bytes is longer than {SCHEMA.max_body}")
    return bytes(cobs.encode(body)) + b"\0"


def decode(block: bytes) -> Frame:
    """Return the frame in ``block``, the bytes between two zeros. Raises FrameError if there is none.

    >>> from firmware_bridge.frames import Weighed
    >>> wire = encode(Frame(seq=7, boot=1, session=2, micros=1500, message=Weighed(3, 104_200, settled=1)))
    >>> wire[-1], decode(wire[:-1]).message
    (0, Weighed(sensor=3, milligrams=104200, settled=1))
    >>> spoiled = wire[:-2] + bytes([wire[-2] ^ 1])
    >>> decode(spoiled)
    Traceback (most recent call last):
    firmware_bridge.codec.FrameError: wrong checksum
    """
    try:
        body = bytes(cobs.decode(block))
    except cobs.DecodeError as error:
        raise FrameError(str(error)) from None
    if not _HEADER.size + _CRC.size <= len(body) <= SCHEMA.max_body:
        raise FrameError(f"{len(body)} bytes are no frame")
    end = len(body) - _CRC.size
    if _CRC.unpack_from(body, end)[0] != zlib.crc32(body[:end]):
        raise FrameError("wrong checksum")
    version, number, seq, boot, session, micros = _HEADER.unpack_from(body)
    layout = _BY_NUMBER.get(number)
    if version != SCHEMA.version and (layout is None or not layout.forever):
        raise FrameError(f"version {version} of the link is not known")
    if layout is None:
        raise FrameError(f"message type {number} is not known")
    return Frame(seq, boot, session, micros, _message(layout, body[_HEADER.size : end]))


def _message(layout: _Layout, body: bytes) -> Message:
    """Return the message in ``body``; of a HELLO by another schema the fields that are the same in all of them."""
    if len(body) < layout.fixed.size:
        raise FrameError("the message is too short")
    values: list[object] = list(layout.fixed.unpack_from(body))
    foreign = bool(layout.forever) and values[0] != SCHEMA.hash
    at = layout.fixed.size
    for kind in layout.rest[: layout.forever - layout.plain] if foreign else layout.rest:
        if at >= len(body):
            raise FrameError("the message is too short")
        stop = at + 1 + body[at] * (1 if kind == "text" else 8)
        raw = body[at + 1 : stop]
        if stop > len(body):
            raise FrameError("the message is too short")
        if kind == "text":
            try:
                values.append(raw.decode())
            except UnicodeDecodeError:
                raise FrameError("a text is not UTF-8") from None
        else:
            values.append(tuple(raw[place : place + 8] for place in range(0, len(raw), 8)))
        at = stop
    if at != len(body) and not foreign:
        raise FrameError("the message is too long")
    return layout.make(*values)


class Splitter:
    """Cuts a stream of bytes into the blocks between its zeros, however it arrives."""

    _LONGEST: Final = SCHEMA.max_body + 8

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """Return the blocks that ``data`` completes, without empty ones. Data beyond any frame is cut, and so fails."""
        *blocks, rest = (self._rest + data).split(b"\0")
        self._rest = rest[-self._LONGEST - 1 :]
        return [block for block in blocks if block]
