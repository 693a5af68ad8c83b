"""A table's topics as AsyncAPI, and the public table as JSON Schema."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from table_service.events import event_schema
from table_service.events.schema import order_branches
from table_service.events.topics import ROOT, Topics
from table_service.rulesets import ORDERS, PAYLOADS
from tools.schemas.messages import (
    AwayNotice,
    Call,
    Command,
    Health,
    HomeState,
    Identity,
    JournalContents,
    Pictures,
    Resend,
    Resent,
    Result,
    Sealed,
    State,
    Status,
)
from tools.schemas.parts import DRAFT, Json, tidy, without


def state_schema() -> Json:
    """Return the JSON Schema of the topic ``state``."""
    return {"$schema": DRAFT, "title": "The public table", **tidy(State.model_json_schema(mode="serialization"))}


TOPICS: Final[tuple[tuple[str, str, int, bool, str], ...]] = (
    ("status", "Status", 1, True, "The table's state; also its last will."),
    ("state", "State", 1, True, "The public table: melds, pile, counts, turn, score, irregularities, sanctions."),
    ("event", "Event", 1, False, "Every public event."),
    ("alert", "Alert", 1, True, "What waits for the arbitro; emptied when it ends."),
    ("pictures", "Pictures", 1, False, "Which pictures of an irregularity there are; repeated on every connection."),
    ("evidence", "Evidence", 1, False, "A picture (JPEG), sent when an order asks for it."),
    ("sealed", "Sealed", 1, False, "Hidden cards for the arbitro alone; expires; never on an embedded broker."),
    ("result", "Result", 1, False, "What became of an order."),
    ("journal", "JournalContents", 1, True, "Which events there are to be had from the journal."),
    ("resent", "Resent", 1, False, "Events that a listener lacked, and which of them are gone for good."),
    ("identity", "Identity", 1, True, "The certificates whose keys the table signs with."),
    ("health", "Health", 0, True, "Counters of link, camera, queue, disk, clock."),
)
"""Kind of topic, its message, QoS, retained, and what it is."""


OF_CONSOLE: Final[tuple[tuple[str, str, str, int, bool, str], ...]] = (
    ("away", "away/{person}", "AwayNotice", 1, False, "What one person outside the hall is told, where he wishes it."),
    ("home", "home/{table}", "HomeState", 1, True, "A table for Home Assistant, where the hall has it switched on."),
)
"""The console's own topics: name, below `~console`, message, QoS, retained, and what it is."""


def _of_console(channels: Json, operations: Json) -> None:
    """Add what the console itself publishes; its mark (`~console/mark/…`) is for nobody but itself."""
    for name, below, message, qos, retained, summary in OF_CONSOLE:
        address = f"{ROOT}/{{hall}}/~console/{below}"
        channels[name] = {
            "address": address,
            "parameters": {one: part for one, part in _PARAMETERS.items() if f"{{{one}}}" in address},
            "messages": {message: {"$ref": f"#/components/messages/{message}"}},
        }
        operations[name] = {
            "action": "send",
            "summary": summary,
            "channel": {"$ref": f"#/channels/{name}"},
            "bindings": {"mqtt": {"qos": qos, "retain": retained}},
        }


def _address(kind: str) -> str:
    topics = Topics("{hall}", "{table}")
    with_name: dict[str, Callable[[], str]] = {
        "event": lambda: topics.event("{type}"),
        "alert": lambda: topics.alert("{key}"),
        "pictures": lambda: topics.pictures("{key}"),
        "evidence": lambda: topics.evidence("{ref}"),
        "result": lambda: topics.result("{id}"),
        "resent": lambda: topics.resent("{question}"),
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
    "person": {"description": "the person's name as a level of a topic, as his page shows it"},
    "question": {"description": "the question's id"},
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
    event = event_schema(PAYLOADS)
    schemas: Json = dict(event.pop("$defs"))
    event["properties"].pop("secret")
    schemas["Event"] = without(event, "$schema", "title")
    models = (Status, State, Call, Pictures, Identity, JournalContents, Resend, Resent, Sealed, Command, Result, Health)
    models += (AwayNotice, HomeState)
    for model in models:
        schema = model.model_json_schema(mode="serialization", ref_template=template)
        schemas.update(schema.pop("$defs", {}))
        schemas[model.__name__] = schema
    schemas["Command"]["allOf"] = order_branches(ORDERS, schemas)
    schemas["Alert"] = {"anyOf": [{"$ref": "#/components/schemas/Irregularity"}, {"$ref": "#/components/schemas/Call"}]}
    text = json.dumps(tidy(schemas)).replace("#/$defs/", "#/components/schemas/")
    return dict(sorted(json.loads(text).items()))


def asyncapi() -> Json:
    """Return the AsyncAPI document of one table's topics (interfaces, section 4)."""
    channels: Json = {kind: _channel(kind, message) for kind, message, *_ in TOPICS}
    channels["command"] = _channel("command", "Command")
    channels["resend"] = _channel("resend", "Resend")
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
    operations["resend"] = {
        "action": "receive",
        "summary": "Who lacks events asks for them; more than 16 questions at once are dropped, and asked again.",
        "channel": {"$ref": "#/channels/resend"},
        "bindings": {"mqtt": {"qos": 1}},
        "reply": {"channel": {"$ref": "#/channels/resent"}},
    }
    _of_console(channels, operations)
    names = [message for _, message, *_ in TOPICS if message != "Evidence"] + [
        "Command",
        "Resend",
        "AwayNotice",
        "HomeState",
    ]
    messages: Json = {name: {"payload": {"$ref": f"#/components/schemas/{name}"}} for name in names}
    messages["Evidence"] = {"contentType": "image/jpeg", "payload": {"type": "string", "format": "binary"}}
    will = {"topic": _address("status"), "qos": 1, "retain": True, "message": '{"state":"lost",…}'}
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "A Tavolo table over MQTT",
            "version": "1",
            "description": "What a table publishes and takes, and what the hall's console publishes of its own. "
            "Order by (boot, seq), drop repetitions: arrival order "
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
