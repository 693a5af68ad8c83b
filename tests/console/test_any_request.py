"""Requests of every kind that a browser never sends: no route fails, whoever asks, whatever stands in the request.

Routes, methods and roles are read from the application, the names of fields from its source; hypothesis fills them.
``FUZZ=5000 python -m pytest tests/console/test_any_request.py`` tries as many.
"""

from __future__ import annotations

import asyncio
import os
import re
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import table_service.console
from table_service.console.access import permitted
from table_service.console.ruling_forms import fields_of
from table_service.console.storage import Role
from table_service.rulesets import ORDERS

EXAMPLES = int(os.environ.get("FUZZ", "40"))
SOURCE = Path(table_service.console.__file__).parent
FIELD = re.compile(r'(?:form|query_params|said|fields)(?:\.get\(|\.getlist\(|\[)"([a-z_]+)"')
READ = {name for path in SOURCE.rglob("*.py") for name in FIELD.findall(path.read_text("utf-8"))}
FIELDS = sorted(READ.union(*(fields_of(model) for models in ORDERS.values() for model in models)))
ODD = (
    *(
        "",
        "0",
        "-1",
        "1",
        "2",
        "9" * 30,
        "9" * 5000,
        "²",
        "1e308",
        "nan",
        "inf",
        "٣",
        "null",
        "true",
        "[]",
        "{}",
        "x" * 5000,
    ),
    *(
        "../../etc/passwd",
        "%00",
        "\x00",
        "\ud83d",
        "😀",
        "<script>",
        "'; drop table x;--",
        "\r\nX: y",
        "{{7*7}}",
        "//evil.example",
    ),
    *(
        "T12",
        "T1",
        "T12-000a3f-000044",
        "f-142",
        "F-31a",
        "N",
        "NS",
        "rule",
        "dismiss",
        "take",
        "confirm",
        "start",
        "deal",
    ),
    *(
        "000a3f",
        "chief",
        "spectator",
        "arbitro",
        "person",
        "link",
        "it",
        "all",
        "10,5",
        "7H 8H ZZ",
        "2026-11-22",
        "round",
    ),
)
HOLDS = {
    "name": ("T12", "T99"),
    "table": ("T12",),
    "place": ("T12",),
    "key": ("T12-000a3f-000044", "call-N", "sheet-1-NS"),
    "boot": ("000a3f",),
    "row": ("F-03", "F-31a", "F-P1"),
    "ref": ("f-142",),
    "do": ("rule", "dismiss", "confirm", "warn", "bonus", "correct", "deal", "end-round", "time-out", "sheet-correct"),
    "deed": (
        "take",
        "leave",
        "defer",
        "late",
        "start",
        "end",
        "pairs",
        "protest",
        "settle",
        "confirm",
        "write",
        "undo",
    ),
}
"""What a path may name that there is, beside nonsense."""


def texts(*known: str) -> st.SearchStrategy[str]:
    return st.one_of(st.sampled_from((*known, *ODD)), st.text(max_size=40), st.integers().map(str))


def documents() -> st.SearchStrategy[Any]:
    scalars = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts())
    names = st.sampled_from((*FIELDS, "key", "do", "lines", "version", "by"))
    return st.recursive(
        scalars,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(names, inner, max_size=6)),
        max_leaves=12,
    )


def all_routes(app: Any) -> list[APIRoute]:
    found: list[APIRoute] = []

    def walk(holder: Any) -> None:
        for route in holder.routes:
            if isinstance(route, APIRoute):
                found.append(route)
            elif hasattr(route, "original_router"):
                walk(route.original_router)

    walk(app)
    return [one for one in found if not one.path.endswith("stream")]


def test_the_fields_of_forms_are_found_in_the_source() -> None:
    assert {"reason", "minutes", "pairs", "option", "cards", "password", "role"} <= set(FIELDS)


@pytest.mark.parametrize("kind", ["GET", "form", "json", "raw"])
def test_no_request_makes_the_console_fail(house: Any, kind: str) -> None:
    house.hear()
    house.book.rounds.begin(4, 42, ("T12",), "capo", now=house.at)
    method = "GET" if kind == "GET" else "POST"
    routes = [one for one in all_routes(house.app) if method in (one.methods or ())]
    assert len(routes) > 10
    names = count()
    answers: set[int] = set()

    async def ask(role: str | None, path: str, sent: dict[str, Any]) -> httpx.Response:
        async with house.client(role, f"{role} {next(names)}") as client:
            return await client.request(method, path, **sent)

    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    )
    @given(st.data())
    def fails_never(data: st.DataObject) -> None:
        route = data.draw(st.sampled_from(routes), "route")
        guard = permitted(route)
        assert guard is not None
        roles = sorted(map(str, guard.roles or Role))
        role = data.draw(st.sampled_from([*roles, *(["chief"] if "chief" in roles else [])]), "role")
        path = re.sub(
            r"\{(\w+)(?::\w+)?\}",
            lambda m: (
                quote(data.draw(texts(*HOLDS.get(m[1], ()) * 6), m[1]).encode("utf-8", "replace"), safe="") or "x"
            ),
            route.path,
        )
        fields = data.draw(st.dictionaries(st.sampled_from(FIELDS), texts(), max_size=6), "fields")
        plain = {name: value.encode("utf-8", "replace").decode() for name, value in fields.items()}
        match kind:
            case "GET":
                sent: dict[str, Any] = {"params": plain}
            case "form":
                sent = {"data": plain}
            case "json":
                sent = {"json": data.draw(documents(), "body")}
                if "nan" in repr(sent).lower() or "inf" in repr(sent).lower():
                    return  # httpx refuses to say them
            case _:
                types = (
                    "application/json",
                    "application/x-www-form-urlencoded",
                    "multipart/form-data",
                    "text/plain",
                    "",
                )
                kind_of = data.draw(st.sampled_from(types), "type")
                sent = {"content": data.draw(st.binary(max_size=200), "body"), "headers": {"Content-Type": kind_of}}
        try:
            answer = asyncio.run(ask(role, path, sent))
        except (httpx.InvalidURL, UnicodeEncodeError):
            return  # no browser can ask that
        answers.add(answer.status_code)
        assert answer.status_code < 500, (method, path, role, sent, answer.status_code, answer.text[:300])

    fails_never()
    assert answers - {401, 403}, f"none came further than the door: {sorted(answers)}"
