"""The JSON Schema of events, for ``docs/`` and for those who read what a table publishes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from table_service.events.envelope import Event
from table_service.events.payloads import PAYLOADS, Payload


def event_schema(payloads: Mapping[str, type[Payload]] = PAYLOADS) -> dict[str, Any]:
    """A JSON Schema (draft 2020-12) of one event line: the envelope, and for each type the shape of its ``data``.

    ``payloads``: the model of each type; those of every game are ``rulesets.PAYLOADS``.
    """
    envelope = Event.model_json_schema(mode="serialization", by_alias=True)
    definitions: dict[str, Any] = envelope.pop("$defs", {})
    branches = []
    for name, model in payloads.items():
        schema = model.model_json_schema(mode="serialization", by_alias=True, ref_template="#/$defs/{model}")
        definitions.update(schema.pop("$defs", {}))
        definitions[model.__name__] = schema
        branches.append(
            {
                "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
                "then": {"properties": {"data": {"$ref": f"#/$defs/{model.__name__}"}}},
            }
        )
    envelope["properties"]["data"] = {"type": "object"}
    envelope["properties"]["secret"] = {
        "type": "object",
        "description": "Hidden cards; only with --secret on the owner's machine.",
    }
    envelope["required"] = [name for name in envelope.get("required", []) if name not in ("secret", "committed_t")]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Tavolo event",
        **{key: value for key, value in envelope.items() if key != "title"},
        "allOf": branches,
        "$defs": dict(sorted(definitions.items())),
    }
