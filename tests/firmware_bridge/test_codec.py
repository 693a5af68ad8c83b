"""The frame codec: shared vectors, the firmware's own codec beside it, round trips, garbage."""

from __future__ import annotations

import json
import tracemalloc
from dataclasses import astuple, fields, replace
from pathlib import Path
from typing import Any

import pytest
from cobs import cobs
from hypothesis import given, settings
from hypothesis import strategies as st

from firmware_bridge import codec, link_schema
from firmware_bridge.frames import TYPES, Frame, Hello, Message
from lab.link.node_firmware import firmware

VECTORS = json.loads((Path(__file__).parent / "vectors.json").read_text())
SCHEMA_FILE = Path(__file__).parents[2] / "hw" / "link_schema.json"
NODE = firmware("codec").load(str(SCHEMA_FILE))
INTEGERS = {"u8": (0, 2**8 - 1), "u16": (0, 2**16 - 1), "u32": (0, 2**32 - 1), "u64": (0, 2**64 - 1)}


def message_of(vector: dict[str, Any]) -> Message:
    values = [
        tuple(bytes.fromhex(uid) for uid in value) if isinstance(value, list) else value for value in vector["fields"]
    ]
    make: Any = TYPES[vector["name"]]
    return make(*values)


def frame_of(vector: dict[str, Any]) -> Frame:
    return Frame(vector["seq"], vector["boot"], vector["session"], vector["micros"], message_of(vector))


@pytest.mark.parametrize("vector", VECTORS["frames"], ids=lambda v: f"{v['name']}-{v['seq']}")
def test_a_vector_is_written_and_read_alike_by_both_codecs(vector: dict[str, Any]) -> None:
    wire = bytes.fromhex(vector["wire"])
    frame = frame_of(vector)
    assert codec.encode(frame) == wire
    assert codec.decode(wire[:-1]) == frame
    header = (vector["seq"], vector["boot"], vector["session"], vector["micros"])
    assert NODE.encode(vector["name"], *header, astuple(frame.message)) == wire
    assert NODE.decode(wire[:-1]) == (vector["name"], *header, astuple(frame.message))


@pytest.mark.parametrize("vector", VECTORS["foreign"], ids=lambda v: v["why"].replace(" ", "-"))
def test_a_hello_by_another_schema_is_read_as_far_as_it_never_changes(vector: dict[str, Any]) -> None:
    block = bytes.fromhex(vector["wire"])[:-1]
    assert codec.decode(block) == frame_of(vector)
    assert vector["fields"][0] != codec.SCHEMA.hash
    assert NODE.decode(block) is None, "nobody says hello to a node"


def test_what_is_the_same_in_every_version_has_not_changed() -> None:
    data = json.loads(SCHEMA_FILE.read_text())
    assert data["header"] == [
        ["version", "u8"], ["type", "u8"], ["seq", "u16"], ["boot", "u32"], ["session", "u16"], ["micros", "u64"],
    ]  # fmt: skip
    assert data["messages"]["hello"]["forever"] == 9
    assert data["messages"]["hello"]["fields"][:9] == [
        ["schema", "u32"], ["opening", "u16"], ["cause", "u8"], ["sensors", "u8"], ["map", "u32"], ["resets", "u16"],
        ["brownouts", "u16"], ["firmware", "text"], ["node", "text"],
    ]  # fmt: skip
    assert [name for name, message in data["messages"].items() if "forever" in message] == ["hello"]


@pytest.mark.parametrize("vector", VECTORS["refused"], ids=lambda v: v["why"].replace(" ", "-"))
def test_a_broken_block_is_refused_by_both_codecs(vector: dict[str, str]) -> None:
    block = bytes.fromhex(vector["block"])
    with pytest.raises(codec.FrameError):
        codec.decode(block)
    assert NODE.decode(block) is None


def test_vectors_cover_every_message_and_both_ends_agree_on_the_schema() -> None:
    assert {vector["name"] for vector in VECTORS["frames"]} == set(TYPES)
    assert VECTORS["schema"] == codec.SCHEMA.hash == NODE.hash


def test_every_message_has_the_fields_of_the_schema_variable_ones_last() -> None:
    for shape in codec.SCHEMA.shapes:
        assert [name for name, _ in shape.fields] == [field.name for field in fields(TYPES[shape.name])]
        variable = [kind not in link_schema.INTEGERS for _, kind in shape.fields]
        assert variable == sorted(variable)


def test_the_schema_hash_changes_with_anything_on_the_wire_and_with_nothing_else() -> None:
    data = json.loads(SCHEMA_FILE.read_text())
    before = link_schema.canonical(data)
    data["about"] = "said otherwise"
    assert link_schema.canonical(data) == before
    data["messages"]["knock"]["fields"].append(["more", "u8"])
    changed = link_schema.canonical(data)
    assert changed != before
    assert firmware("codec").canonical(data) == changed


def values(kind: str) -> st.SearchStrategy[Any]:
    if kind == "text":
        return st.text(max_size=20)
    if kind == "uids":
        return st.lists(st.binary(min_size=8, max_size=8), max_size=25).map(tuple)
    if kind == "i32":
        return st.integers(-(2**31), 2**31 - 1)
    return st.integers(*INTEGERS[kind])


@st.composite
def frames(draw: st.DrawFn) -> Frame:
    shape = draw(st.sampled_from(codec.SCHEMA.shapes))
    make: Any = TYPES[shape.name]
    message = make(*(draw(values(kind)) for _, kind in shape.fields))
    if isinstance(message, Hello):  # by another schema it is read in part only
        message = replace(message, schema=codec.SCHEMA.hash)
    header = [draw(values(kind)) for name, kind in codec.SCHEMA.header if name not in ("version", "type")]
    return Frame(*header, message)


@given(frames())
def test_any_frame_comes_back_as_it_was_through_either_codec(frame: Frame) -> None:
    wire = codec.encode(frame)
    assert wire.count(0) == 1
    assert wire.endswith(b"\0")
    assert codec.decode(wire[:-1]) == frame
    name = next(name for name, kind in TYPES.items() if kind is type(frame.message))
    header = (frame.seq, frame.boot, frame.session, frame.micros)
    assert NODE.decode(wire[:-1]) == (name, *header, astuple(frame.message))
    assert NODE.encode(name, *header, astuple(frame.message)) == wire


@given(st.binary(max_size=700))
def test_the_firmwares_cobs_is_everybodys_cobs(data: bytes) -> None:
    encoded = firmware("codec").cobs_encode(data)
    assert encoded == cobs.encode(data)
    assert firmware("codec").cobs_decode(encoded) == data


@given(st.binary(max_size=300).map(lambda data: data.replace(b"\0", b"")))
@settings(max_examples=300)
def test_garbage_is_refused_by_both_codecs(data: bytes) -> None:
    with pytest.raises(codec.FrameError):
        codec.decode(data)
    assert NODE.decode(data) is None


@given(frames(), st.data())
def test_a_frame_with_a_changed_byte_is_never_another_frame(frame: Frame, data: st.DataObject) -> None:
    wire = bytearray(codec.encode(frame)[:-1])
    at = data.draw(st.integers(0, len(wire) - 1))
    wire[at] = data.draw(st.integers(1, 255).filter(lambda byte: byte != wire[at]))
    with pytest.raises(codec.FrameError):
        codec.decode(bytes(wire))
    assert NODE.decode(bytes(wire)) is None


@given(st.lists(frames(), max_size=5), st.data())
def test_a_stream_is_cut_into_its_frames_however_it_arrives(sent: list[Frame], data: st.DataObject) -> None:
    stream = b"".join(codec.encode(frame) for frame in sent)
    splitter, node_splitter = codec.Splitter(), firmware("codec").Splitter(258)
    got, node_got = [], []
    while stream:
        size = data.draw(st.integers(1, len(stream)))
        got += splitter.feed(stream[:size])
        node_got += node_splitter.feed(stream[:size])
        stream = stream[size:]
    assert [codec.decode(block) for block in got] == sent
    assert node_got == got


def test_an_endless_line_without_a_zero_takes_no_memory_and_the_next_frame_is_read() -> None:
    frame = frame_of(VECTORS["frames"][0])
    splitter = codec.Splitter()
    tracemalloc.start()
    try:
        for _ in range(1000):
            assert splitter.feed(b"\xff" * 1000) == []
        assert tracemalloc.get_traced_memory()[0] < 100_000
    finally:
        tracemalloc.stop()
    (_, block) = splitter.feed(b"\0" + codec.encode(frame))
    assert codec.decode(block) == frame
