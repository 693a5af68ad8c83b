"""The schemas in docs/schema are up to date, and what the program writes and publishes fits them."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.subscribeoptions import SubscribeOptions

from hw.observation_json import observation_to_json
from hw.observation_log import Header, LogError, header_to_json, parse_line, read_log
from hw.observations import Observation
from table_service.events import event_to_json
from table_service.games.burraco.fold import TableFold
from table_service.publish import BrokerAddress
from table_service.publish.broker import start_broker
from table_service.rehearsal.rehearse import prepare
from table_service.service import TableFiles, TableService

ROOT = Path(__file__).parents[2]
FILES = ("observation-log.schema.json", "events.schema.json", "state.schema.json", "asyncapi.json", "openapi.json")


# --- a small validator: it knows the words our schemas use, and says so where it meets another ----------------------

_SAID = frozenset({"$schema", "$defs", "title", "description", "default", "examples"})
_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "null": lambda v: v is None,
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
}


class Schema:
    """A document that schemas are looked up in."""

    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document

    def find(self, ref: str) -> Any:
        """What ``ref`` names in the document. Raises KeyError."""
        assert ref.startswith("#/"), ref
        here: Any = self.document
        for part in ref[2:].split("/"):
            here = here[part.replace("~1", "/").replace("~0", "~")]
        return here

    def faults(self, value: Any, schema: Any = None, at: str = "") -> list[str]:
        """What in ``value`` does not fit ``schema`` (the document itself by default)."""
        schema = self.document if schema is None else schema
        if isinstance(schema, bool):
            return [] if schema else [f"{at}: nothing may stand here"]
        found: list[str] = []
        for word, wanted in schema.items():
            if word not in _SAID and word not in ("then", "properties", "additionalProperties"):
                found += getattr(self, "_" + word.removeprefix("$").lower())(value, wanted, schema, at)
        return found + (self._members(value, schema, at) if isinstance(value, dict) else [])

    def _ref(self, value: Any, ref: str, _: Any, at: str) -> list[str]:
        return self.faults(value, self.find(ref), at)

    def _type(self, value: Any, name: str, _: Any, at: str) -> list[str]:
        return [] if _TYPES[name](value) else [f"{at}: {value!r} is no {name}"]

    def _const(self, value: Any, wanted: Any, _: Any, at: str) -> list[str]:
        same = value == wanted and type(value) is type(wanted)
        return [] if same else [f"{at}: {value!r} is not {wanted!r}"]

    def _enum(self, value: Any, wanted: list[Any], _: Any, at: str) -> list[str]:
        return [] if value in wanted else [f"{at}: {value!r} is none of {wanted}"]

    def _anyof(self, value: Any, branches: list[Any], _: Any, at: str) -> list[str]:
        return [] if any(not self.faults(value, one, at) for one in branches) else [f"{at}: {value!r} fits no branch"]

    def _allof(self, value: Any, branches: list[Any], _: Any, at: str) -> list[str]:
        return [fault for one in branches for fault in self.faults(value, one, at)]

    def _not(self, value: Any, other: Any, _: Any, at: str) -> list[str]:
        return [] if self.faults(value, other, at) else [f"{at}: {value!r} must not fit"]

    def _if(self, value: Any, condition: Any, schema: Any, at: str) -> list[str]:
        return [] if self.faults(value, condition, at) else self.faults(value, schema["then"], at)

    def _required(self, value: Any, names: list[str], _: Any, at: str) -> list[str]:
        missing = [name for name in names if name not in value] if isinstance(value, dict) else []
        return [f"{at}: {name} is missing" for name in missing]

    def _items(self, value: Any, schema: Any, _: Any, at: str) -> list[str]:
        parts = value if isinstance(value, list) else []
        return [fault for n, part in enumerate(parts) for fault in self.faults(part, schema, f"{at}/{n}")]

    def _propertynames(self, value: Any, schema: Any, _: Any, at: str) -> list[str]:
        return [fault for name in value for fault in self.faults(name, schema, f"{at}/{name}")]

    def _size(self, value: Any, is_right: Callable[[int], bool], kind: type, at: str) -> list[str]:
        return [] if not isinstance(value, kind) or is_right(len(value)) else [f"{at}: {len(value)} is no size"]

    def _minlength(self, value: Any, least: int, _: Any, at: str) -> list[str]:
        return self._size(value, lambda size: size >= least, str, at)

    def _maxlength(self, value: Any, most: int, _: Any, at: str) -> list[str]:
        return self._size(value, lambda size: size <= most, str, at)

    def _maxitems(self, value: Any, most: int, _: Any, at: str) -> list[str]:
        return self._size(value, lambda size: size <= most, list, at)

    def _minproperties(self, value: Any, least: int, _: Any, at: str) -> list[str]:
        return self._size(value, lambda size: size >= least, dict, at)

    def _minimum(self, value: Any, least: float, _: Any, at: str) -> list[str]:
        return [] if not _TYPES["number"](value) or value >= least else [f"{at}: {value} is below {least}"]

    def _maximum(self, value: Any, most: float, _: Any, at: str) -> list[str]:
        return [] if not _TYPES["number"](value) or value <= most else [f"{at}: {value} is above {most}"]

    def _exclusiveminimum(self, value: Any, least: float, _: Any, at: str) -> list[str]:
        return [] if not _TYPES["number"](value) or value > least else [f"{at}: {value} is not above {least}"]

    def _exclusivemaximum(self, value: Any, most: float, _: Any, at: str) -> list[str]:
        return [] if not _TYPES["number"](value) or value < most else [f"{at}: {value} is not below {most}"]

    def _members(self, value: dict[str, Any], schema: Any, at: str) -> list[str]:
        known, others = schema.get("properties", {}), schema.get("additionalProperties", True)
        return [
            fault
            for name, part in value.items()
            for fault in self.faults(part, known.get(name, others), f"{at}/{name}")
        ]


def test_the_validator_finds_faults() -> None:
    schema = Schema(
        {
            "type": "object",
            "properties": {"n": {"type": "integer", "minimum": 1}, "of": {"items": {"enum": ["a"]}}},
            "required": ["n"],
            "additionalProperties": {"anyOf": [{"type": "null"}, {"const": True}]},
            "allOf": [{"if": {"properties": {"n": {"const": 7}}}, "then": {"required": ["of"]}}],
        }
    )
    assert schema.faults({"n": 2, "of": ["a"], "else": None}) == []
    for bad in ({}, {"n": 0}, {"n": True}, {"n": 7}, {"n": 2, "of": ["b"]}, {"n": 2, "else": 1}, []):
        assert schema.faults(bad), bad


# --- the files -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def maker(tools: Callable[[str], ModuleType]) -> ModuleType:
    return tools("make_schemas")


def load(name: str) -> Schema:
    return Schema(json.loads((ROOT / "docs" / "schema" / name).read_text(encoding="utf-8")))


@pytest.mark.parametrize("name", FILES)
def test_the_file_is_up_to_date(maker: ModuleType, name: str) -> None:
    assert set(maker.FILES) == set(FILES)
    on_disk = (ROOT / "docs" / "schema" / name).read_text(encoding="utf-8")
    assert on_disk == maker.text_of(maker.FILES[name]()), "run python tools/make_schemas.py"


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, part in value.items():
            if key == "$ref":
                yield part
            yield from references(part)
    elif isinstance(value, list):
        for part in value:
            yield from references(part)


@pytest.mark.parametrize("name", FILES)
def test_every_reference_leads_somewhere(name: str) -> None:
    schema = load(name)
    refs = list(references(schema.document))
    assert refs
    for ref in refs:
        assert schema.find(ref)


# --- logs and events -------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def round_played() -> tuple[Header, list[Observation]]:
    """A rehearsed deal with a fault in it and every sensor error of the normal level."""
    rehearsal = prepare("fibur2024", 2, faults=("F-31a",))
    return rehearsal.header, list(rehearsal.observations())


def test_every_line_of_a_rehearsed_log_fits(round_played: tuple[Header, list[Observation]]) -> None:
    schema = load("observation-log.schema.json")
    header, observations = round_played
    assert schema.faults(header_to_json(header)) == []
    kinds = set()
    for seen in observations:
        line = json.loads(json.dumps(observation_to_json(seen)))
        kinds.add(line["kind"])
        assert schema.faults(line) == [], line
    assert len(kinds) >= 6


def test_the_example_log_fits_and_is_read() -> None:
    """The project's example where it lies beside the checkout, else a log just rehearsed."""
    schema = load("observation-log.schema.json")
    example = ROOT.parent / "shared" / "contracts" / "example_deal.jsonl"
    if example.is_file():
        lines = example.read_text(encoding="utf-8").splitlines()
        assert len(list(read_log(example)[1])) == len(lines) - 1
    else:
        rehearsal = prepare("fibur2024", 1, noise="none")
        told = (header_to_json(rehearsal.header), *map(observation_to_json, rehearsal.observations()))
        lines = [json.dumps(line) for line in told]
    for line in lines:
        assert schema.faults(json.loads(line)) == []


SPARE = [
    '{"t":1,"kind":"knock"}',
    '{"t":1,"kind":"scale","zone":"stock","grams":5}',
    '{"t":1,"kind":"sight","cards":[{"card":"7H","zone":"table"}]}',
    '{"t":1,"kind":"console","do":"rule","key":"k","remedy":"F-31a","anything":[1]}',
    '{"t":1,"kind":"screen","part":"panel","pose":"up"}',
    '{"t":1,"kind":"tray","side":"moving","seat":"N"}',
    '{"t":1,"kind":"thermometer","degrees":21}',
]
WRONG = [
    '{"kind":"knock"}',
    '{"t":"1","kind":"knock"}',
    '{"t":1e9,"kind":"knock"}',
    '{"t":1,"kind":"scale","zone":"stock"}',
    '{"t":1,"kind":"tags","zone":"discard","tags":"E004"}',
    '{"t":1,"kind":"button","seat":"Q","button":"count"}',
    '{"t":1,"kind":"reach","phase":"sideways"}',
    '{"t":1,"kind":"sight","cards":[{"card":"7H"}]}',
    '{"t":1,"kind":"health","node":"gates"}',
]


@pytest.mark.parametrize("line", [*SPARE, *WRONG])
def test_schema_and_reader_take_and_refuse_the_same_lines(line: str) -> None:
    fits = load("observation-log.schema.json").faults(json.loads(line)) == []
    try:
        parse_line(line, 1)
        read = True
    except LogError:
        read = False
    assert fits is read is (line in SPARE)


def test_every_event_and_every_state_of_a_deal_fits(round_played: tuple[Header, list[Observation]]) -> None:
    events, states = load("events.schema.json"), load("state.schema.json")
    header, observations = round_played
    table = TableFold(header)
    types = set()

    def state_faults() -> list[str]:
        state = {**table.state(), "boot": "replay", "seq": 1}
        state = json.loads(json.dumps(state))
        unknown = set(state) - set(states.document["properties"])
        return [*states.faults(state), *(f"{name} is not in the schema" for name in unknown)]

    assert state_faults() == []
    for observation in observations:
        for event in table.feed(observation):
            types.add(event.type)
            for secret in (False, True):
                assert events.faults(json.loads(json.dumps(event_to_json(event, secret=secret)))) == []
            assert state_faults() == []
    assert {"card.drawn", "meld.opened", "irregularity", "score.counted"} <= types


def test_an_event_that_is_wrong_does_not_fit() -> None:
    events = load("events.schema.json")
    header = prepare("fibur2024", 1).header
    (event,) = TableFold(header).feed(parse_line('{"t":1,"kind":"console","do":"deal","deal":1,"dealer":"N"}', 1))
    good = event_to_json(event)
    assert events.faults(good) == []
    for wrong in ({"seat": "Q"}, {"seq": "1"}, {"data": {"n": "one", "dealer": "N"}}, {"t": None}):
        assert events.faults({**good, **wrong}), wrong
    assert events.faults({name: part for name, part in good.items() if name != "type"})


# --- MQTT ------------------------------------------------------------------------------------------------------------


def test_what_a_table_publishes_is_what_asyncapi_says(
    round_played: tuple[Header, list[Observation]], tmp_path: Path
) -> None:
    """Every message of a running table: its topic is a channel, its payload fits, QoS and retention are as said."""
    api = load("asyncapi.json")
    header, observations = round_played
    broker = start_broker()
    heard: list[mqtt.MQTTMessage] = []
    ready, answered, stopped = threading.Event(), threading.Event(), threading.Event()
    client = mqtt.Client(mqtt.CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)

    def take(_client: Any, _data: Any, message: mqtt.MQTTMessage) -> None:
        heard.append(message)
        if message.topic.endswith("/status") and b'"stopped"' in message.payload:
            stopped.set()
        if message.topic.endswith("/result"):
            answered.set()

    client.on_message = take
    client.on_connect = lambda c, *_: c.subscribe("tavolo/#", options=SubscribeOptions(qos=1, retainAsPublished=True))
    client.on_subscribe = lambda *_: ready.set()
    if broker.kind == "embedded":
        broker.stop()
        pytest.skip("QoS and retention as published need MQTT 5: mosquitto is not installed")
    try:
        client.connect(broker.host, broker.port, properties=Properties(PacketTypes.CONNECT))
        client.loop_start()
        assert ready.wait(60)
        seconds = iter(range(10**9))
        places = TableFiles.under(tmp_path, header.table)
        address = BrokerAddress(broker.host, broker.port)
        service = TableService(header, "prova", places, address, seconds.__next__)
        service.start()
        for observation in observations:
            service.observe(observation)
        service.health({"nodes": {"gates": {"state": "ok"}}})
        assert service.publisher.drain(120)
        client.publish(f"tavolo/v1/prova/{header.table}/command", b"no order", qos=1)
        assert answered.wait(60)
        service.observe(parse_line('{"t":99999,"kind":"button","seat":"S","button":"referee"}', 1))
        service.close(60)
        assert stopped.wait(60)
    finally:
        client.loop_stop()
        broker.stop()
    met = {check_message(api, message) for message in heard}
    assert met >= {"status", "state", "event", "alert", "health", "command", "result"}


@pytest.mark.parametrize("who", ["", "Rossi – Bianchi"])
def test_what_the_console_itself_publishes_is_what_asyncapi_says(who: str) -> None:
    from table_service.console.remote import notice

    api = load("asyncapi.json")
    alert = {"row": "F-31a", "severity": "play-stops", "key": "k"}
    one = notice.notice_of("alert", "T1", "k", alert, None, 1.8e9, who)
    told = [notice.mqtt_message(told, "it", "https://hall") for told in (one, notice.trial(1.8e9))]
    schema = api.find("#/components/schemas/AwayNotice")
    for body in told:
        assert api.faults(body, schema) == []
        assert api.faults({**body, "kind": "gossip"}, schema)
    assert ("pair" in told[0]) == bool(who)
    home = {"there": "ON", "waits": "OFF", "waiting": 0, "deal": None}
    assert api.faults(home, api.find("#/components/schemas/HomeState")) == []
    assert api.document["channels"]["away"]["address"] == "tavolo/v1/{hall}/~console/away/{person}"
    assert api.document["channels"]["home"]["address"] == "tavolo/v1/{hall}/~console/home/{table}"


def pattern_of(channel: dict[str, Any]) -> str:
    """The topics that a channel's address stands for, as a regular expression."""
    levels = channel["address"].split("/")
    return "/".join("[^/]+" if level.startswith("{") else re.escape(level) for level in levels)


def check_message(api: Schema, message: mqtt.MQTTMessage) -> str:
    """Check one message against the document. Returns the name of its channel."""
    channels = api.document["channels"]
    fitting = [kind for kind, channel in channels.items() if re.fullmatch(pattern_of(channel), message.topic)]
    assert len(fitting) == 1, f"{message.topic} is the channel of {fitting}"
    (kind,) = fitting
    if kind == "command":
        return "command"
    said = api.document["operations"][kind]["bindings"]["mqtt"]
    assert (message.qos, bool(message.retain)) == (said["qos"], said["retain"]), kind
    (name,) = channels[kind]["messages"]
    schema = api.document["components"]["messages"][name]["payload"]
    if message.payload and "contentType" not in api.document["components"]["messages"][name]:
        assert api.faults(json.loads(message.payload), schema, message.topic) == []
    return str(kind)
