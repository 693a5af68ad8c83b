"""The JSON Schema of events, for ``docs/`` and for those who read what a table publishes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Literal

from pydantic import BaseModel

from table_service.events.envelope import Event
from table_service.events.orders import Order
from table_service.events.payloads import PAYLOADS, Payload

Json = dict[str, Any]
_OF_ENVELOPE: Final = ("do", "t", "by")
_SHARED: Final = {kind: (model,) for kind, model in PAYLOADS.items()}


def event_schema(payloads: Mapping[str, Sequence[type[Payload]]] = _SHARED) -> dict[str, Any]:
    """Return a JSON Schema (draft 2020-12) of an event line: the envelope, and for each type the shape of its ``data``.

    ``payloads``: the models of each type, several where games differ; those of every game are ``rulesets.PAYLOADS``.
    """
    envelope = Event.model_json_schema(mode="serialization", by_alias=True)
    definitions: dict[str, Any] = envelope.pop("$defs", {})
    branches = [
        {
            "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
            "then": {"properties": {"data": shape}},
        }
        for name, shape in _shapes(payloads, definitions, "serialization")
    ]
    envelope["properties"]["data"] = {"type": "object"}
    envelope["properties"]["secret"] = {
        "type": "object",
        "description": "Hidden cards; only with --secret on the owner's machine.",
    }
    envelope["properties"]["signature"] = {
        "type": "string",
        "description": "The table's signature, where it has a certificate of the hall's: which key, and the value.",
    }
    envelope["required"] = [name for name in envelope.get("required", []) if name not in ("secret", "committed_t")]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tavolo event",
        **{key: value for key, value in envelope.items() if key != "title"},
        "allOf": branches,
        "$defs": dict(sorted(definitions.items())),
    }


def order_branches(orders: Mapping[str, Sequence[type[Order]]], definitions: Json) -> list[Json]:
    """Return by ``do`` the fields of each of ``orders``, several if games differ; models go into ``definitions``."""
    return [
        {"if": {"properties": {"do": {"const": name}}, "required": ["do"]}, "then": shape}
        for name, shape in _shapes(orders, definitions, "validation")
    ]


def _shapes(
    models_by_name: Mapping[str, Sequence[type[BaseModel]]],
    definitions: Json,
    mode: Literal["serialization", "validation"],
) -> Iterator[tuple[str, Json]]:
    """Yield each name with the schema of its models, which go into ``definitions``."""
    for name, models in models_by_name.items():
        shapes: list[Json] = []
        for model in models:
            schema = model.model_json_schema(mode=mode, by_alias=True, ref_template="#/$defs/{model}")
            definitions.update(schema.pop("$defs", {}))
            for field in _OF_ENVELOPE if issubclass(model, Order) else ():
                del schema["properties"][field]
            shapes.append({"$ref": f"#/$defs/{_defined(definitions, model.__name__, schema)}"})
        yield name, shapes[0] if len(shapes) == 1 else {"anyOf": shapes}


def _defined(definitions: Json, name: str, schema: Json) -> str:
    """Put ``schema`` among ``definitions``; return its name there, with a number if another has the same name."""
    number, free = 1, name
    while definitions.setdefault(free, schema) != schema:
        number += 1
        free = f"{name}{number}"
    return free
