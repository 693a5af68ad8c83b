# Frames of the link: COBS + CRC32 around the messages of link_schema.json. Runs under MicroPython and CPython.

import binascii
import json
import struct

INTEGERS = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "i32": "i"}


def fields_text(fields):
    return " ".join(name + ":" + kind for name, kind in fields)


def canonical(schema):
    """The text whose CRC32 is the schema hash: what matters on the wire, in an order of its own."""
    lines = ["version %d" % schema["version"], "header " + fields_text(schema["header"])]
    messages = sorted((m["id"], name) for name, m in schema["messages"].items())
    for number, name in messages:
        m = schema["messages"][name]
        way = m["from"] + (" numbered " if m["numbered"] else " free ")
        lines.append("%d %s %s%s" % (number, name, way, fields_text(m["fields"])))
    for number, name in sorted((n, name) for name, n in schema["kinds"].items()):
        lines.append("kind %d %s" % (number, name))
    return "\n".join(lines)


def cobs_encode(data):
    # zero-free blocks of up to 254 bytes, each led by its length + 1
    out = bytearray()
    pieces = bytes(data).split(b"\0")
    last = len(pieces) - 1
    for place, piece in enumerate(pieces):
        while len(piece) >= 254:
            out.append(255)
            out.extend(piece[:254])
            piece = piece[254:]
            if not piece and place == last:
                return bytes(out)
        out.append(len(piece) + 1)
        out.extend(piece)
    return bytes(out)


def cobs_decode(block):
    """The bytes within ``block`` (no zeros in it), or None where it is no COBS."""
    out = bytearray()
    at = 0
    end = len(block)
    while at < end:
        code = block[at]
        stop = at + code
        if code == 0 or stop > end:
            return None
        out.extend(block[at + 1 : stop])
        at = stop
        if code != 255 and at < end:
            out.append(0)
    return bytes(out)


class Codec:
    """Encodes and decodes by the schema. ``decode`` answers None for whatever is not a whole, known frame."""

    def __init__(self, schema):
        self.schema = schema
        self.version = schema["version"]
        self.hash = binascii.crc32(canonical(schema).encode()) & 0xFFFFFFFF
        self.max_body = schema["max_body"]
        self.header = "<" + "".join(INTEGERS[kind] for _, kind in schema["header"])
        self.header_size = struct.calcsize(self.header)
        self.ids = {}
        self.shapes = {}
        for name, message in schema["messages"].items():
            fixed = "<"
            rest = []
            for _, kind in message["fields"]:
                if kind in INTEGERS and not rest:
                    fixed += INTEGERS[kind]
                else:
                    rest.append(kind)
            self.ids[name] = message["id"]
            self.shapes[message["id"]] = (name, fixed, struct.calcsize(fixed), rest)

    def encode(self, name, seq, boot, session, micros, values):
        """One frame ready for the wire, its zero byte included."""
        number = self.ids[name]
        _, fixed, _, rest = self.shapes[number]
        plain = len(values) - len(rest)
        body = bytearray(struct.pack(self.header, self.version, number, seq, boot, session, micros))
        body.extend(struct.pack(fixed, *values[:plain]))
        for kind, value in zip(rest, values[plain:]):
            if kind == "text":
                raw = value.encode()
                body.append(len(raw))
                body.extend(raw)
            else:
                body.append(len(value))
                for uid in value:
                    body.extend(uid)
        body.extend(struct.pack("<I", binascii.crc32(body) & 0xFFFFFFFF))
        if len(body) > self.max_body:
            raise ValueError("a %s message of %d bytes is longer than a frame" % (name, len(body)))
        return cobs_encode(body) + b"\0"

    def decode(self, block):
        """(name, seq, boot, session, micros, values) of one block between zeros, or None."""
        body = cobs_decode(block)
        if body is None or not self.header_size + 4 <= len(body) <= self.max_body:
            return None
        end = len(body) - 4
        if struct.unpack("<I", body[end:])[0] != binascii.crc32(body[:end]) & 0xFFFFFFFF:
            return None
        version, number, seq, boot, session, micros = struct.unpack(self.header, body[: self.header_size])
        if version != self.version or number not in self.shapes:
            return None
        name, fixed, size, rest = self.shapes[number]
        at = self.header_size + size
        if at > end:
            return None
        values = list(struct.unpack(fixed, body[self.header_size : at]))
        for kind in rest:
            if at >= end:
                return None
            count = body[at]
            stop = at + 1 + count * (1 if kind == "text" else 8)
            if stop > end:
                return None
            try:
                values.append(read_rest(kind, body[at + 1 : stop]))
            except ValueError:  # UnicodeError is one
                return None
            at = stop
        if at != end:
            return None
        return name, seq, boot, session, micros, tuple(values)


def read_rest(kind, raw):
    if kind == "text":
        return str(raw, "utf-8")
    return tuple(raw[i : i + 8] for i in range(0, len(raw), 8))


class Splitter:
    """Cuts a stream of bytes at its zeros. What grows longer than any frame is thrown away as it comes."""

    def __init__(self, longest):
        self.longest = longest
        self.rest = b""

    def feed(self, data):
        pieces = (self.rest + data).split(b"\0")
        self.rest = pieces.pop()
        if len(self.rest) > self.longest:
            self.rest = self.rest[-self.longest - 1 :]  # still too long: this block can only fail
        return [piece for piece in pieces if piece]


def load(path):
    with open(path) as stream:
        return Codec(json.load(stream))
