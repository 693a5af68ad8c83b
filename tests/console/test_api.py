"""The JSON API: the same evening as on the pages, with a token; orders as in the console; described in OpenAPI."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from table_service.console.storage import Role
from table_service.events.commands import Command, read_command

feed: Any = sys.modules["console_feed"]
KEY = feed.ALERT["key"]
API = "/api/v1"


def token(house: Any, role: str = "arbitro", expires: float | None = None) -> str:
    accounts, now = house.book.accounts, time.time()
    person = accounts.named(f"un {role}") or accounts.add(f"un {role}", Role(role), now=now)
    return str(accounts.link(person.id, "api", expires=expires or now + 3600))


def program(house: Any, role: str | None = "arbitro", **kwargs: Any) -> httpx.AsyncClient:
    headers = {} if role is None else {"Authorization": f"Bearer {token(house, role)}"}
    transport = httpx.ASGITransport(house.app)
    return httpx.AsyncClient(transport=transport, base_url="http://console", headers=headers, **kwargs)


async def test_a_program_reads_the_hall_a_table_its_events_and_what_waits(house: Any) -> None:
    house.hear()
    async with program(house) as client:
        hall = (await client.get(f"{API}/hall")).json()
        assert [row["name"] for row in hall["tables"]] == ["T3", "T7", "T12"]
        assert next(row for row in hall["tables"] if row["name"] == "T12")["waiting"] == 2
        table = (await client.get(f"{API}/tables/T12")).json()
        assert table["state"] == feed.state()
        first = (await client.get(f"{API}/tables/T12/events?limit=5")).json()
        rest = (await client.get(f"{API}/tables/T12/events?after={first['next']}")).json()
        assert [event["seq"] for event in first["events"] + rest["events"]] == [1, 2, 30, 31, 32, 33, 34, 35, 36, 37,
                                                                               38, 44, 47]  # fmt: skip
        again = (await client.get(f"{API}/tables/T12/events?after={rest['next']}")).json()
        assert again == {"events": [], "next": rest["next"]}
        waiting = (await client.get(f"{API}/alerts")).json()
        assert {row["key"] for row in waiting} == {KEY, feed.EXPOSED["key"]}
        whole = (await client.get(f"{API}/alerts/T12/{KEY}")).json()
        assert whole["document"]["row"] == "F-31a"
        assert [one["moment"] for one in whole["pictures"]] == ["before", "at", "after"]
        jpeg = await client.get(f"{API}/alerts/T12/{KEY}/pictures/f-142")
        assert jpeg.content == feed.frame()


async def test_a_program_reads_sheets_and_the_ranking(house: Any) -> None:
    house.hear()
    await house.post("/round/start", "chief", deals="4", minutes="60", pairs="T12 Rossi–Bianchi / Verdi–Neri")
    house.say("T12/event/round.started", feed.event(400, "round.started", minutes=60, deals=4))
    for event in feed.counted():
        house.say(f"T12/event/{event['type']}", event)
    async with program(house, "organiser") as client:
        (held,) = (await client.get(f"{API}/sheets")).json()
        assert (held["table"], held["final"]) == ("T12", False)
        assert held["sheets"][0]["score"]["lines"]["NS"]["total"] == house.office.sheets.now("T12").sheets[1].total(
            "NS"
        )
        ranking = (await client.get(f"{API}/ranking")).json()
        assert {row["pair"] for row in ranking["rows"]} == {"Rossi–Bianchi", "Verdi–Neri"}
        assert {row["won"] for row in ranking["rows"]} == {None}, "this code ranks by victory points"
        assert {row["place"] for row in ranking["rows"]} == {None}, "who is not ranked yet has no place"


async def test_a_programs_ruling_is_the_order_that_the_page_gives(house: Any) -> None:
    house.hear()
    async with program(house) as client:
        ruled = await client.post(f"{API}/alerts/T12/{KEY}/ruling", json={"do": "rule", "cards": ["7H", "JK"]})
        assert ruled.status_code == 202, ruled.text
        topic, order = house.sent[-1]
        read = read_command(json.dumps(order).encode(), table="T12", keys={"*": house.office.public_key}, now=house.at)
        assert isinstance(read, Command)
        assert (topic, read.order.do, read.order.by) == ("tavolo/v1/sala/T12/command", "rule", "un arbitro")
        assert read.order.fields == {"key": KEY, "remedy": "proposed", "cards": ["7H", "JK"]}
        twice = await client.post(f"{API}/alerts/T12/{KEY}/ruling", json={"do": "dismiss"})
        assert (twice.status_code, twice.json()["error"]) == (409, "ruling_pending")
        house.answer()
        became = (await client.get(f"{API}/orders/{ruled.json()['id']}")).json()
        assert became["state"] == "done"
        assert ("rule", "un arbitro") in {(one.deed, one.person) for one in house.book.audit.newest()}


async def test_a_program_gives_a_table_its_own_commands_and_undoes_one(make_house: Any) -> None:
    house = make_house(undo=5.0).hear()
    async with program(house) as client:
        given = await client.post(f"{API}/tables/T12/orders", json={"do": "bonus", "line": "NS", "points": -50})
        assert given.json()["fields"] == {"line": "NS", "points": -50}
        assert house.sent == []
        gone = await client.post(f"{API}/orders/{given.json()['id']}/withdraw")
        assert gone.json()["state"] == "cancelled"
        house.at += 10
        house.office.tick()
        assert house.sent == []
        wrong = await client.post(f"{API}/tables/T12/orders", json={"do": "bonus", "line": "NS"})
        assert wrong.status_code == 422
        odd = await client.post(f"{API}/tables/T12/orders", json={"do": "bonus", "line": "XX", "colour": 1})
        assert odd.status_code == 422
        assert "The field 'colour' is not known here." in odd.json()["en"]
        assert "La voce «line» non può avere questo valore." in odd.json()["it"]
        assert set(odd.json()["fields"]) == {"colour", "line"}


async def test_without_a_token_or_with_an_old_one_nothing_is_told(house: Any) -> None:
    house.hear()
    for path in ("hall", "tables/T12", "tables/T12/events", "alerts", "sheets", "ranking"):
        async with program(house, None) as client:
            answer = await client.get(f"{API}/{path}")
            assert (answer.status_code, answer.json()["error"]) == (401, "api_no_token")
    old = token(house, expires=time.time() - 1)
    async with program(house, None) as client:
        assert (await client.get(f"{API}/hall", headers={"Authorization": f"Bearer {old}"})).status_code == 401
    assert (await house.get(f"{API}/hall", "chief")).status_code == 401, "a browser's cookie opens nothing here"
    async with program(house, "technician") as client:
        refused = await client.post(f"{API}/alerts/T12/{KEY}/ruling", json={"do": "dismiss"})
        assert refused.status_code == 403
    assert house.sent == []


async def test_a_spectators_program_sees_what_a_spectator_sees(house: Any) -> None:
    house.hear()
    async with program(house, "spectator") as client:
        assert (await client.get(f"{API}/alerts")).status_code == 403
        assert (await client.get(f"{API}/sheets")).status_code == 403
        assert (await client.get(f"{API}/ranking")).status_code == 404
        state = (await client.get(f"{API}/tables/T12")).json()["state"]
        assert not {"irregularities", "sanctions", "warnings", "unverified"} & set(state)
        types = {event["type"] for event in (await client.get(f"{API}/tables/T12/events")).json()["events"]}
        assert "irregularity" not in types
        assert "card.discarded" in types
        await house.post("/round/delay", "organiser", seconds="300")
        assert (await client.get(f"{API}/tables/T12")).json()["state"] is None
        assert (await client.get(f"{API}/tables/T12/events")).json()["events"] == []


async def test_the_direction_makes_and_the_chief_shuts_out_a_program(house: Any) -> None:
    import re

    house.hear()
    person = house.book.accounts.add("tabellone", Role.SPECTATOR, now=time.time())
    page = (await house.post(f"/people/{person.id}/api", "organiser")).text
    made = re.search(r'id="link" readonly value="([^"]+)"', page)
    assert made is not None
    headers = {"Authorization": f"Bearer {made[1]}"}
    async with program(house, None) as client:
        assert (await client.get(f"{API}/hall", headers=headers)).status_code == 200
        await house.post(f"/people/{person.id}/disable", "chief")
        assert (await client.get(f"{API}/hall", headers=headers)).status_code == 401


async def test_the_description_names_every_route_of_the_api_and_no_page(house: Any) -> None:
    document = (await house.get(f"{API}/openapi.json", None)).json()
    others = (f"{API}/openapi.json", f"{API}/scoring/")  # itself, and protocols of other programs
    served: set[tuple[str, str]] = set()

    def walk(holder: Any) -> None:
        for route in holder.routes:
            if hasattr(route, "original_router"):
                walk(route.original_router)
            elif getattr(route, "path", "").startswith(API) and not route.path.startswith(others):
                served.update((route.path, method.lower()) for method in route.methods)

    walk(house.app)
    assert len(served) > 10
    told = {(path, method) for path, ways in document["paths"].items() for method in ways}
    assert {one for one in told if one[0].startswith(API)} == served
    assert {path for path, _ in told if not path.startswith(API)} <= {"/health"}
    written = Path(__file__).parents[2] / "docs" / "schema" / "openapi.json"
    assert json.loads(written.read_text(encoding="utf-8")) == document


async def test_every_answer_is_what_the_description_says(house: Any) -> None:
    """Each GET answered, and its document read by the very model that the description is made from."""
    house.hear()
    document = (await house.get(f"{API}/openapi.json", None)).json()
    for path, ways in document["paths"].items():
        for method in ways:
            said = ways[method]["responses"]
            kinds = {kind for code, one in said.items() if code.startswith("2") for kind in one.get("content", {})}
            assert kinds <= {"application/json", "image/jpeg"}, path
            assert "401" in said or not path.startswith(API), path


async def test_figures_for_prometheus_need_a_token(house: Any) -> None:
    house.hear()
    assert (await house.get("/metrics", None)).status_code == 401
    async with program(house, "technician") as client:
        text = (await client.get("/metrics")).text
    assert 'tavolo_tables{status="ready"} 2.0' in text
    assert 'tavolo_alerts{severity="play-stops"} 1.0' in text
    assert "tavolo_broker_connected 1.0" in text


@pytest.mark.parametrize("path", ["/", "/table/T12", "/health", "/cards/7H.svg", "/round", "/stream"])
async def test_head_answers_as_get_without_a_body(house: Any, path: str) -> None:
    house.hear()
    async with house.client("chief") as client:
        head = await client.head(path)
        assert (head.status_code, head.content) == (200, b"")
        if path != "/stream":
            assert head.headers["content-type"] == (await client.get(path)).headers["content-type"]


async def test_pages_are_compressed_and_pictures_are_not(house: Any) -> None:
    house.hear()
    async with house.client("chief") as client:
        page = await client.get("/table/T12", headers={"Accept-Encoding": "gzip"})
        assert page.headers["content-encoding"] == "gzip"
        assert "Content-Security-Policy" in page.headers
        assert "content-encoding" not in (await client.get("/table/T12", headers={"Accept-Encoding": ""})).headers
        picture = await client.get("/table/T12/evidence/f-142", headers={"Accept-Encoding": "gzip"})
        assert "content-encoding" not in picture.headers


async def test_a_tablet_gets_a_manifest_and_a_page_for_being_offline(house: Any) -> None:
    manifest = (await house.get("/manifest.webmanifest", None)).json()
    assert manifest["display"] == "standalone"
    page = await house.get("/offline", None)
    assert 'rel="manifest"' in page.text
    assert "La console non risponde" in page.text
    assert "sse-connect" not in page.text


@pytest.mark.parametrize("method", ["DELETE", "OPTIONS", "PATCH"])
async def test_a_method_that_an_address_does_not_have_is_answered_with_all_that_it_has(house: Any, method: str) -> None:
    described = (await house.get(f"{API}/openapi.json", None)).json()["paths"]
    assert sum(len(methods) > 1 for methods in described.values()) >= 1, "one address with two routes"
    async with program(house, "chief") as client:
        for path, methods in described.items():
            answer = await client.request(method, path)
            assert answer.status_code == 405, path
            assert set(answer.headers["allow"].split(", ")) == {name.upper() for name in methods}, path


def test_every_summary_of_the_api_is_the_sentence_that_its_description_begins_with(house: Any) -> None:
    for methods in house.app.openapi()["paths"].values():
        for one in methods.values():
            assert one["description"].startswith(one["summary"])
            assert len(one["summary"].split()) > 1
