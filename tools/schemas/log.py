"""The observation log's schema, from the dataclasses and from what their readers can do without."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, get_args

from pydantic import TypeAdapter

from hw.observation_json import observation_from_json
from hw.observation_log import Header, header_from_json
from hw.observations import Console, Observation, Other, Sight, SightedCard
from table_service.events.schema import order_branches
from table_service.rulesets import ORDERS
from tools.schemas.parts import DRAFT, Json, tidy


def _dataclass_schema(kind: type[Any], definitions: Json) -> Json:
    schema = TypeAdapter(kind).json_schema(mode="serialization")
    definitions.update({name: tidy(part) for name, part in schema.pop("$defs", {}).items()})
    return dict(tidy(schema))


def _example(schema: Json, definitions: Json) -> Any:
    """Return a value that ``schema`` allows, to try a reader with."""
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
    """Return the fields of ``example`` that ``read`` cannot do without."""
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
    """Return the JSON Schema of one line of an observation log, header or observation.

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
            properties["do"] = {"type": "string", "examples": sorted(ORDERS)}
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
    models: Json = {}
    definitions[Console.kind]["allOf"] = order_branches(ORDERS, models)
    definitions.update(tidy({"$defs": models})["$defs"])
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
