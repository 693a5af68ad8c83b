"""Write `docs/schema/`: what other programs may rely on, made from the code that reads and writes it.

`python tools/make_schemas.py` writes the files, `--check` only says which are not up to date (exit code 1).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal, get_args

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter  # noqa: E402

from hw.observation_log import Header, header_from_json, observation_from_json  # noqa: E402
from hw.observations import Console, Observation, Other, Sight, SightedCard  # noqa: E402
from hw.seats import Line, Seat  # noqa: E402
from table_service.console.app import create_app  # noqa: E402
from table_service.console.settings import ConsoleSettings  # noqa: E402
from table_service.events import event_schema  # noqa: E402
from table_service.events.commands import DEEDS  # noqa: E402
from table_service.events.payloads import PAYLOADS, Irregularity, Meld, Sanction  # noqa: E402
from table_service.events.topics import Topics  # noqa: E402

FOLDER: Final = ROOT / "docs" / "schema"
DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
Json = dict[str, Any]


# --- the observation log ---------------------------------------------------------------------------------------------


def _without(schema: Json, *names: str) -> Json:
    return {key: value for key, value in schema.items() if key not in names}


def _tidy(value: Any) -> Any:
    """``value`` without the titles that pydantic makes of field names."""
    if isinstance(value, dict):
        return {
            key: {name: _tidy(part) for name, part in inner.items()}
            if key in ("properties", "$defs", "schemas") and isinstance(inner, dict)
            else _tidy(inner)
            for key, inner in value.items()
            if key != "title"
        }
    return [_tidy(part) for part in value] if isinstance(value, list) else value


def _dataclass_schema(kind: type[Any], definitions: Json) -> Json:
    schema = TypeAdapter(kind).json_schema(mode="serialization")
    definitions.update({name: _tidy(part) for name, part in schema.pop("$defs", {}).items()})
    return dict(_tidy(schema))


def _example(schema: Json, definitions: Json) -> Any:
    """Some value that ``schema`` allows, to try a reader with."""
    if "$ref" in schema:
        return _example(definitions[schema["$ref"].rpartition("/")[2]], definitions)
    if "anyOf" in schema:
        return _example(schema["anyOf"][0], definitions)
    for word in ("const", "default"):
        if word in schema:
            return schema[word]
    if "enum" in schema:
        return schema["enum"][0]
    match schema["type"]:
        case "object":
            return {name: _example(part, definitions) for name, part in schema.get("properties", {}).items()}
        case "array":
            return []
        case other:
            return {"string": "x", "number": 1.0, "integer": 1, "boolean": True, "null": None}[other]


def _needed(example: Json, read: Callable[[Json], object]) -> list[str]:
    """The fields of ``example`` that ``read`` cannot do without."""
    read(example)
    needed = []
    for name in example:
        try:
            read({key: value for key, value in example.items() if key != name})
        except (KeyError, ValueError, TypeError):
            needed.append(name)
    return needed


def _kinds() -> dict[str, type[Any]]:
    return {kind.kind: kind for kind in get_args(Observation) if kind is not Other}


def log_schema() -> Json:
    """The JSON Schema of one line of an observation log, header or observation.

    Fields come from the dataclasses; which of them may be missing is found by asking the readers.
    """
    definitions: Json = {}
    branches = []
    moment = {
        "type": "number",
        "exclusiveMinimum": -1e9,
        "exclusiveMaximum": 1e9,
        "description": "moment of sensing, seconds from the start of the log",
    }
    kinds: dict[str, type[Any]] = {"header": Header, **_kinds()}
    for name, kind in kinds.items():
        schema = _dataclass_schema(kind, definitions)
        properties: Json = {"kind": {"const": name}, **schema["properties"]}
        if kind is Console:
            del properties["fields"]
            properties["do"] = {"type": "string", "examples": sorted(DEEDS)}
        if kind is Header:
            properties["version"] = {"const": 1}
            properties["card_grams"] |= {"minimum": 0.5, "maximum": 10}
            needed = _needed(_example({"type": "object", "properties": properties}, definitions), header_from_json)
        else:
            properties["t"] = moment
            example = _example({"type": "object", "properties": properties}, definitions)
            needed = _needed({**example, "t": 1.0}, observation_from_json)
        definitions[name] = {
            "description": schema["description"],
            "type": "object",
            "properties": properties,
            "required": needed,
        }
        branches.append(
            {
                "if": {"properties": {"kind": {"const": name}}, "required": ["kind"]},
                "then": {"$ref": f"#/$defs/{name}"},
            }
        )
    card = definitions[SightedCard.__name__]
    card["required"] = _needed(
        _example(card, definitions), lambda data: observation_from_json({"t": 0, "kind": Sight.kind, "cards": [data]})
    )
    return {
        "$schema": DRAFT,
        "title": "A line of a Tavolo observation log",
        "description": "The first line is the header, every other an observation, in order of arrival. "
        "An observation of a kind not named here is kept and ignored with a warning. A log names hidden cards: "
        "it is secret, mode 0600.",
        "type": "object",
        "properties": {"kind": {"type": "string"}, "t": moment},
        "required": ["kind"],
        "allOf": [
            *branches,
            {"if": {"properties": {"kind": {"not": {"const": "header"}}}}, "then": {"required": ["t"]}},
        ],
        "$defs": definitions,
    }


# --- what travels over MQTT besides events ---------------------------------------------------------------------------


class Message(BaseModel):
    """A message; fields that a later version added may stand in it."""

    model_config = ConfigDict(extra="allow")


class Status(Message):
    """Whether the table is there; also the last will."""

    state: Literal["ready", "init", "lost", "stopped"]
    boot: str
    version: str


class Round(Message):
    """The round that is being played."""

    running: bool
    deals: int | None


class Score(Message):
    """Points by line: of the whole round, and of each deal by its number; null where not known."""

    running: dict[Line, int | None]
    deals: dict[str, dict[Line, int | None]]


class DisputeSince(Message):
    """When a line disputed a sheet."""

    t: float
    time: str


class SheetState(Message):
    """A deal's score sheet: the event that told its count, who has confirmed it and how, what was corrected on it."""

    score: str
    confirmed: dict[Line, Literal["display", "paper"]]
    disputed: dict[Line, DisputeSince]
    corrected: tuple[str, ...]


class Turn(Message):
    """Whose turn it is; ``n`` counts from 0 before play."""

    n: int
    seat: Seat | None
    begun: bool
    drawn: bool


class TakenPot(Message):
    """A pot as it was taken: ``by`` whose hand was seen to lift it, ``played`` whether its taker has played since."""

    seat: Seat
    manner: Literal["discard", "in-flight"]
    by: Seat | None
    cards: int
    played: bool


class Pots(Message):
    """Pots that still lie there with the cards in each, and who took one for which line, and how.

    ``second``: a pot that a line has taken beyond its own, until it is put back.
    """

    left: int
    cards: tuple[int, ...]
    taken: dict[Line, Seat | None]
    how: dict[Line, TakenPot]
    second: dict[Line, TakenPot]


class State(Message):
    """The public table: nothing in it that did not lie face up for all to see. Without a deal, ``deal`` is null."""

    table: str
    rules: str
    boot: str
    seq: int
    seats: dict[str, str]
    keepers: dict[Line, Seat]
    round: Round
    score: Score
    sheets: dict[str, SheetState] = Field(description="score sheets of the round, by deal")
    warnings: dict[Line, int]
    irregularities: tuple[Irregularity, ...]
    sanctions: tuple[Sanction, ...]
    unverified: dict[str, str] = Field(description="zones that cannot be relied on, and why")
    nodes: dict[str, str]
    deal: int | None
    dealer: Seat | None = None
    phase: str | None = None
    manner: str | None = None
    turn: Turn | None = None
    hands: dict[Seat, int | None] | None = None
    stock: int | None = None
    pile: tuple[str, ...] | None = None
    pots: Pots | None = None
    melds: dict[Line, tuple[Meld, ...]] | None = None
    sides: dict[Seat, tuple[str, ...]] | None = None


class Call(Message):
    """A player calls the arbitro, or a line disputes the score sheet of deal ``sheet``."""

    key: str
    call: Literal[True]
    offender: Seat | None
    sheet: int | None = None
    line: Line | None = None
    t: float
    time: str


class Picture(Message):
    """A kept picture of an irregularity; in an alert it stands among the ``evidence``.

    ``dt``: seconds from the fact, ``t``: its moment at the table, ``frame``: the camera's frame as sights number it,
    ``covered``: something covers the place in it, ``marked``: whether the public cards it concerns are marked. It is
    asked for with the order ``evidence`` {``ref``}.
    """

    kind: Literal["frame"]
    ref: str
    key: str
    moment: Literal["before", "at", "after"]
    dt: float
    t: float
    frame: str
    covered: bool
    marked: Literal["yes", "unsure", "no", "none"]
    sha256: str
    bytes: int


class MissingPicture(Message):
    """Why there is no picture of a moment."""

    moment: Literal["before", "at", "after"]
    why: Literal["no-camera", "camera-lost", "too-late", "no-frame", "no-moment", "disk"]


class Pictures(Message):
    """What came of the pictures of an irregularity. An open one's alert has this too (``pictures``, ``evidence``)."""

    key: str
    boot: str
    done: bool = Field(description="no further picture will come")
    pictures: tuple[Picture, ...]
    missing: tuple[MissingPicture, ...]


class Sealed(Message):
    """Hidden cards of one event: a libsodium sealed box for the arbitro's key, signed with the table's (base64)."""

    v: Literal[1]
    table: str
    event: str
    sealed: str
    signature: str


class Command(Message):
    """An order of the arbitro, and the fields of its ``do``.

    The signature is Ed25519 over the JSON without ``signature``: keys sorted, no spaces, UTF-8.
    """

    id: str
    by: str
    table: str
    do: str
    issued: float
    expires: float
    signature: str


class Texts(Message):
    """One sentence in both languages."""

    it: str
    en: str


class Result(Message):
    """What became of an order; ``reason`` is null where the table has taken it. ``ref``: the picture that is sent."""

    id: str | None
    ok: bool
    reason: str | None
    text: Texts
    boot: str
    ref: str | None = None


class Mqtt(Message):
    """How the table stands with its broker."""

    connected: bool
    connections: int
    failures: int
    acknowledged: int
    in_flight: int
    refused: int
    retrying: str | None


class Entries(Message):
    """The journal's last entry and its hash."""

    entries: int
    head: str


class Health(Message):
    """Counters of the table's parts."""

    mqtt: Mqtt
    journal: Entries
    nodes: dict[str, dict[str, Any]] | None = None


def state_schema() -> Json:
    """The JSON Schema of the topic ``state``."""
    return {"$schema": DRAFT, "title": "The public table", **_tidy(State.model_json_schema(mode="serialization"))}


TOPICS: Final[tuple[tuple[str, str, int, bool, str], ...]] = (
    ("status", "Status", 1, True, "The table's state; also its last will."),
    ("state", "State", 1, True, "The public table: melds, pile, counts, turn, score, irregularities, sanctions."),
    ("event", "Event", 1, False, "Every public event."),
    ("alert", "Alert", 1, True, "What waits for the arbitro; emptied when it ends."),
    ("pictures", "Pictures", 1, False, "Which pictures of an irregularity there are; repeated on every connection."),
    ("evidence", "Evidence", 1, False, "A picture (JPEG), sent when an order asks for it."),
    ("sealed", "Sealed", 1, False, "Hidden cards for the arbitro alone; expires; never on an embedded broker."),
    ("result", "Result", 1, False, "What became of an order."),
    ("health", "Health", 0, True, "Counters of link, camera, queue, disk, clock."),
)
"""Kind of topic, its message, QoS, retained, and what it is."""


def _address(kind: str) -> str:
    topics = Topics("{hall}", "{table}")
    with_name: dict[str, Callable[[], str]] = {
        "event": lambda: topics.event("{type}"),
        "alert": lambda: topics.alert("{key}"),
        "pictures": lambda: topics.pictures("{key}"),
        "evidence": lambda: topics.evidence("{ref}"),
        "result": lambda: topics.result("{id}"),
        "sealed": lambda: topics.sealed(0).removesuffix("0") + "{deal}",
    }
    return with_name[kind]() if kind in with_name else str(getattr(topics, kind))


_PARAMETERS: Final[Json] = {
    "hall": {"description": "the hall's name"},
    "table": {"description": "the table's name"},
    "type": {"description": "the event's type", "enum": list(PAYLOADS)},
    "key": {"description": "the irregularity's key, or call-SEAT"},
    "ref": {"description": "the picture's reference, as `evidence` names it"},
    "id": {"description": "the order's id"},
    "deal": {"description": "the deal's number, 0 where it belongs to none"},
}


def _channel(kind: str, name: str) -> Json:
    address = _address(kind)
    return {
        "address": address,
        "parameters": {one: part for one, part in _PARAMETERS.items() if f"{{{one}}}" in address},
        "messages": {name: {"$ref": f"#/components/messages/{name}"}},
    }


def _components() -> Json:
    """Every message's schema, and what they share, under the names that AsyncAPI refers to."""
    template = "#/components/schemas/{model}"
    event = event_schema()
    schemas: Json = dict(event.pop("$defs"))
    event["properties"].pop("secret")
    schemas["Event"] = _without(event, "$schema", "title")
    for model in (Status, State, Call, Pictures, Sealed, Command, Result, Health):
        schema = model.model_json_schema(mode="serialization", ref_template=template)
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    schemas["Alert"] = {"anyOf": [{"$ref": "#/components/schemas/Irregularity"}, {"$ref": "#/components/schemas/Call"}]}
    text = json.dumps(_tidy(schemas)).replace("#/$defs/", "#/components/schemas/")
    return dict(sorted(json.loads(text).items()))


def asyncapi() -> Json:
    """The AsyncAPI document of one table's topics (interfaces, section 4)."""
    channels: Json = {kind: _channel(kind, message) for kind, message, *_ in TOPICS}
    channels["command"] = _channel("command", "Command")
    operations: Json = {
        kind: {
            "action": "send",
            "summary": summary,
            "channel": {"$ref": f"#/channels/{kind}"},
            "bindings": {"mqtt": {"qos": qos, "retain": retained}},
        }
        for kind, _, qos, retained, summary in TOPICS
    }
    operations["command"] = {
        "action": "receive",
        "summary": "The arbitro's orders; a stale, repeated or unsigned one has no effect and says so.",
        "channel": {"$ref": "#/channels/command"},
        "bindings": {"mqtt": {"qos": 1}},
        "reply": {"channel": {"$ref": "#/channels/result"}},
    }
    names = [message for _, message, *_ in TOPICS if message != "Evidence"] + ["Command"]
    messages: Json = {name: {"payload": {"$ref": f"#/components/schemas/{name}"}} for name in names}
    messages["Evidence"] = {"contentType": "image/jpeg", "payload": {"type": "string", "format": "binary"}}
    will = {"topic": _address("status"), "qos": 1, "retain": True, "message": '{"state":"lost",…}'}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "A Tavolo table over MQTT",
            "version": "1",
            "description": "What a table publishes and takes. Order by (boot, seq), drop repetitions: arrival order "
            "is not kept across reconnects. Fields may be added, none is renamed or dropped.",
            "license": {"name": "Apache-2.0"},
        },
        "defaultContentType": "application/json",
        "servers": {
            "hall": {
                "host": "{host}:{port}",
                "protocol": "mqtt",
                "protocolVersion": "5",
                "variables": {"host": {"default": "127.0.0.1"}, "port": {"default": "1883"}},
                "bindings": {"mqtt": {"lastWill": will}},
            }
        },
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "schemas": _components()},
    }


def openapi() -> Json:
    """The OpenAPI document of the arbitro's console."""
    return create_app(ConsoleSettings(), listen=False).openapi()


FILES: Final[dict[str, Callable[[], Json]]] = {
    "observation-log.schema.json": log_schema,
    "events.schema.json": event_schema,
    "state.schema.json": state_schema,
    "asyncapi.json": asyncapi,
    "openapi.json": openapi,
}


def text_of(document: Json) -> str:
    """``document`` as the file has it."""
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def main(arguments: list[str]) -> int:
    """Write the files, or with ``--check`` compare them. Returns the exit code."""
    if arguments not in ([], ["--check"]):
        print("usage: python tools/make_schemas.py [--check]", file=sys.stderr)
        return 2
    FOLDER.mkdir(parents=True, exist_ok=True)
    stale = []
    for name, make in FILES.items():
        path, text = FOLDER / name, text_of(make())
        if path.exists() and path.read_text(encoding="utf-8") == text:
            continue
        stale.append(name)
        if not arguments:
            path.write_text(text, encoding="utf-8")
    told = "is not up to date: run python tools/make_schemas.py" if arguments else "written"
    for name in stale:
        print(f"docs/schema/{name} {told}")
    return 1 if stale and arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
